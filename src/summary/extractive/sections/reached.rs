//! Open steps that were reached without a call that says so: another agent of the team, or this one, told that they are
//! done.

use crate::summary::extractive::calls::act::Step;
use crate::summary::extractive::calls::args::Args;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::text::each_word;
use foldhash::{HashMap, HashSet};

/// Words and signs of a clause that says that something is done.
const DONE: [&str; 6] = ["complete", "completed", "done", "finished", "merged", "shipped"];
const TICKS: [char; 3] = ['✅', '✓', '✔'];
/// Words of a clause that says so only under a condition, of a part, or not at all.
const OPEN: [&str; 29] = [
    "after", "almost", "before", "besides", "but", "cannot", "except", "half", "if", "left", "mostly", "must",
    "nearly", "need", "needs", "no", "not", "once", "open", "partly", "pending", "remains", "should", "still", "till",
    "unless", "until", "when", "will",
];
/// Maximum length of a clause that is looked at, in bytes.
const CLAUSE: usize = 300;
/// Number of a step that another agent ended, in a notice of its harness.
const ENDED: &str = "completedTaskId";

/// The indices of the steps that were told to be done after the message that last changed them. A step is known by its
/// number behind `#`, or by a mark in its text with a digit that no other step has: `2.2`, `LAMP-4`.
pub(super) fn told_done(steps: &[Step], numbers: &[String], changed: &[usize], turns: &[Turn<'_>]) -> HashSet<usize> {
    let names = names(steps, numbers);
    let mut told = HashSet::default();
    if names.is_empty() {
        return told;
    }
    let mut take = |message: usize, name: &str| {
        let step = names.get(name).copied().flatten();
        told.extend(step.filter(|at| changed.get(*at).is_some_and(|changed| *changed < message)));
    };
    for turn in turns {
        for (message, text) in &turn.heard {
            if text.starts_with('{') {
                let ended = Args::read(text).text(&[ENDED]);
                ended.into_iter().for_each(|number| take(*message, &format!("#{number}")));
                continue;
            }
            text.lines().flat_map(reached).for_each(|name| take(*message, &name));
        }
        for said in &turn.said {
            reached(&said.sentence).into_iter().for_each(|name| take(said.message, &name));
        }
    }
    told
}

/// The steps by their names; `None` where several have the name.
fn names(steps: &[Step], numbers: &[String]) -> HashMap<String, Option<usize>> {
    let mut names = HashMap::default();
    for (at, step) in steps.iter().enumerate() {
        let own = marks(&step.content).next().map(str::to_lowercase);
        let number = numbers.get(at).map(|number| format!("#{number}"));
        for name in own.into_iter().chain(number) {
            names.entry(name).and_modify(|step| *step = None).or_insert(Some(at));
        }
    }
    names
}

/// The names of all steps of which a line says that they are done, in lower case.
fn reached(line: &str) -> Vec<String> {
    if line.len() > CLAUSE || line.ends_with(['?', '？']) {
        return Vec::new();
    }
    let clauses = line.split([',', ';', '—', '!']).flat_map(|part| part.split(". "));
    let clauses = clauses.map(str::to_lowercase).filter(|clause| says_done(clause));
    clauses.flat_map(|clause| marks(&clause).map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn says_done(lower: &str) -> bool {
    let mut all = each_word(lower);
    let is_open = |word: &str| OPEN.contains(&word) || word.ends_with("n't");
    !all.clone().any(is_open) && (lower.contains(TICKS) || all.any(|word| DONE.contains(&word)))
}

/// The words that name a step: `#7`, `2.2`, `LAMP-4`, `T12`.
fn marks(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|char: char| char.is_whitespace() || "()[]*`:,;/".contains(char));
    words
        .map(|word| word.trim_matches(|char: char| !(char.is_alphanumeric() || char == '#')))
        .filter(|word| is_mark(word))
}

fn is_mark(word: &str) -> bool {
    let has = |is: fn(&u8) -> bool| word.as_bytes().iter().any(is);
    let plain = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-#".contains(&byte));
    plain && has(u8::is_ascii_digit) && !word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_done_where_a_clause_says_so_of_it() {
        assert_eq!(reached("Stories 2.2 and LAMP-4 are done, 4.2 is next."), ["2.2", "lamp-4"]);
        assert_eq!(reached("Story 2.2: ✓"), ["2.2"]);
        for other in [
            "Story 2.2 is not done yet.",
            "Once story 2.2 is complete we go on.",
            "Is story 2.2 done?",
            "14 lamps are done.",
            "Story 2.2 is almost complete.",
        ] {
            assert_eq!(reached(other), [""; 0], "{other}");
        }
    }

    #[test]
    fn a_name_of_two_steps_names_none() {
        let step = |content: &str| Step { content: content.to_owned(), status: String::new() };
        let names = names(&[step("Build 2.2"), step("Test 2.2"), step("Build 3.1")], &["7".to_owned()]);
        assert_eq!((names["2.2"], names["3.1"], names["#7"]), (None, Some(2), Some(0)));
    }
}
