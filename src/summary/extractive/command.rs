//! Shell commands as they are shown, and which of them only look.

use super::words::{QUIET_GIT, QUIET_PROGRAMS};
use crate::summary::text::{cut, fold};

const LONGEST: usize = 100;

/// A command as it is shown: one line, without the steps before it that only look, and without here-documents.
pub(super) fn shown(command: &str) -> String {
    let body = command.find("<<").map_or(command, |at| &command[..at]);
    let line = fold(body).replace('`', "'").replace(" 2>&1", "");
    let mut rest = line.as_str();
    while let Some((step, next)) = rest.split_once(" && ").or_else(|| rest.split_once("; ")) {
        if !is_quiet_step(step) {
            break;
        }
        rest = next;
    }
    cut(rest, LONGEST).into_owned()
}

/// Whether all that is shown of a command only looks.
pub(super) fn is_quiet(shown: &str) -> bool {
    shown.split(" && ").flat_map(|steps| steps.split("; ")).all(is_quiet_step)
}

fn is_quiet_step(step: &str) -> bool {
    let set = |word: &&str| word.contains('=') && !word.starts_with(['-', '"', '\'']);
    let words: Vec<&str> = step.split_whitespace().skip_while(set).take(2).collect();
    match *words {
        ["git", word] => QUIET_GIT.contains(&word),
        [program, ..] => QUIET_PROGRAMS.contains(&program),
        [] => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_without_what_only_prepares_it() {
        assert_eq!(shown("cd /a && echo start; RUST_LOG=x cargo test"), "RUST_LOG=x cargo test");
        assert_eq!(shown("python3 - <<'END'\nprint(1)\nEND"), "python3 -");
        assert_eq!(shown("cd /a"), "cd /a");
    }

    #[test]
    fn commands_that_only_look_are_quiet() {
        assert!(is_quiet("ls -l && git status; head x"));
        assert!(!is_quiet("git push"));
        assert!(!is_quiet("cat a && make"));
    }
}
