//! Loops and choices of a shell: each is one command, from its first word to the one that ends it.

use super::command::{ENDS, first_step, without_keyword};
use super::quiet::is_quiet_step;
use crate::summary::text::quoting;

/// Shell keywords that begin a loop or choice, and whether a command stands right behind them.
const OPENERS: [(&str, bool); 6] =
    [("for", false), ("case", false), ("select", false), ("while", true), ("until", true), ("if", true)];
/// Words behind which a command begins.
const LEADS: [&str; 8] = ["do", "then", "else", "elif", "!", "{", "(", "time"];
const PIPES: [&str; 5] = ["|", "||", "|&", "&", "("];
/// Commands that leave the shell or function.
const EXITS: [&str; 2] = ["exit", "return"];
/// Maximum number of steps of a loop or choice.
const STEPS: usize = 200;

/// Splits a command into its first statement, which is a step or a whole loop or choice, and the rest. `None` if there
/// is only one statement.
pub(super) fn first_statement(line: &str) -> Option<(&str, &str)> {
    let (mut open, mut rest) = (0, line);
    for _ in 0..STEPS {
        let (step, next) = first_step(rest)?;
        open = open_behind(step, open);
        if open == 0 {
            return Some((&line[..line.len() - rest.len() + step.len()], next));
        }
        rest = next;
    }
    None
}

/// The only step of a loop or choice that does more than look; any other statement as it is.
pub(super) fn telling_step(statement: &str) -> &str {
    let first = first_step(statement).map_or(statement, |(step, _)| step);
    if open_behind(first, 0) == 0 {
        return statement;
    }
    let mut rest = statement;
    while let Some((_, next)) = first_step(rest).filter(|(step, _)| is_quiet_step(step)) {
        rest = next;
    }
    let mut step = without_keyword(rest);
    while let Some(before) = ENDS.iter().find_map(|end| step.strip_suffix(end)?.strip_suffix("; ")) {
        step = before;
    }
    let program = step.split(' ').next().unwrap_or_default();
    let is_torn = rest.len() == statement.len() || first_step(step).is_some() || ends(step);
    if is_torn || EXITS.contains(&program) { statement } else { step }
}

/// Whether a step is the end of a loop or choice.
pub(super) fn ends(step: &str) -> bool {
    ENDS.contains(&step.split_whitespace().next().unwrap_or_default())
}

/// Whether one of several steps leaves the shell, and so decides on its status.
pub(super) fn may_exit(steps: &str) -> bool {
    let leaves = |step: &str| {
        let program = without_keyword(step.trim()).split_whitespace().next();
        program.is_some_and(|program| EXITS.contains(&program))
    };
    steps.split([';', '&', '|']).any(leaves)
}

/// The number of open loops and choices behind a step, given the number before it.
fn open_behind(step: &str, before: usize) -> usize {
    let bare: String = quoting(step)
        .map(|(_, letter, quote, escaped)| if quote.is_some() || escaped { '_' } else { letter })
        .collect();
    let (mut open, mut begins) = (before, true);
    for word in bare.split_whitespace().map(|word| word.trim_end_matches(';')) {
        if !begins {
            begins = PIPES.contains(&word);
        } else if let Some((_, goes_on)) = OPENERS.iter().find(|(opener, _)| *opener == word) {
            (open, begins) = (open + 1, *goes_on);
        } else if ENDS.contains(&word) {
            (open, begins) = (open.saturating_sub(1), false);
        } else {
            begins = LEADS.contains(&word);
        }
    }
    open
}

/// Whether a list of words, as that of an array (`LAMPS=(`), is open behind a line, given whether one is before it.
pub(super) fn lists(line: &str, before: bool) -> bool {
    let name = line.trim_start().split_once("=(").map(|(name, _)| name.trim_end_matches('+'));
    let opens =
        name.is_some_and(|name| !name.is_empty() && name.chars().all(|sign| sign.is_alphanumeric() || sign == '_'));
    (before || opens) && !line.contains(')')
}

#[cfg(test)]
mod tests {
    use super::super::command::shown;

    #[test]
    fn a_loop_or_choice_is_one_command() {
        let wait = "for i in 1 2; do if curl quay; then echo lit; break; fi; if [ $i = 2 ]; then exit 1; fi; done";
        assert_eq!(shown(wait), wait);
        assert_eq!(shown(&wait.replace("; ", "\n")), wait);
        for whole in [
            "if [ ! -f lamp ]; then echo none; exit 1; fi; make lamp",
            "for one in a b; do tide=$(light $one); echo $tide; done",
            "while [[ $n -ge 2 && $n -le 5 ]]; do if make $n; then echo lit; fi; done",
            "if make lamp; then echo lit; fi",
            "while ! curl -sf quay; do sleep 2; done",
            "for one in a b; do make $one; done; make test",
            "for one in a b; do echo 'done; if so'; make $one; make all; done",
        ] {
            assert_eq!(shown(whole), whole);
            assert_eq!(shown(&format!("cd quay && {whole}")), whole);
        }
        assert_eq!(shown("for one in a b; do if [ -f $one ]; then make $one; fi; done"), "make $one");
        assert_eq!(shown("ls | while read -r one; do make $one; done"), "make $one");
        assert_eq!(shown("if [ -d quay ]; then ls quay; fi; make lamp"), "make lamp");
    }

    #[test]
    fn words_of_a_list_are_no_commands() {
        let told = shown("LAMPS=(\n  \"one\"\n  two\n)\nfor lamp in \"${LAMPS[@]}\"; do\n  light $lamp\ndone");
        assert_eq!(told, "LAMPS=( \"one\" two ); for lamp in \"${LAMPS[@]}\"; do light $lamp; done");
    }
}
