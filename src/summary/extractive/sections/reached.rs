//! Open steps that were reached without a call that says so: another agent of the team, or this one, told that they are
//! done.

use crate::summary::extractive::calls::act::Step;
use crate::summary::extractive::calls::args::Args;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::extractive::words::TICKS;
use crate::summary::text::each_word;
use foldhash::{HashMap, HashSet};

/// Words of a clause that says that something is done.
const DONE: [&str; 6] = ["complete", "completed", "done", "finished", "merged", "shipped"];
/// What else a clause may say that tells nothing but this.
const BESIDE: [&str; 28] = [
    "all",
    "and",
    "are",
    "as",
    "been",
    "both",
    "fully",
    "has",
    "have",
    "is",
    "item",
    "items",
    "marked",
    "now",
    "step",
    "steps",
    "stories",
    "story",
    "successfully",
    "task",
    "tasks",
    "the",
    "ticket",
    "tickets",
    "too",
    "was",
    "were",
    "with",
];
/// Words before the number of a step behind `#`.
const NUMBERED: [&str; 6] = ["and", "item", "step", "steps", "task", "tasks"];
/// Words of a line with a tick that is not all done.
const OPEN: [&str; 12] =
    ["almost", "but", "except", "half", "mostly", "nearly", "not", "open", "partly", "pending", "still", "until"];
/// Number of words before the mark of a step in a line with a tick.
const FIRST: usize = 3;
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
    if let Some(mark) = ticked(line) {
        return vec![mark.to_lowercase()];
    }
    let clauses = line.split([',', ';', '—', '!']).flat_map(|part| part.split(". "));
    clauses.filter_map(done_in).flatten().collect()
}

/// The mark of the step that a line with a tick at its start or end begins with: “✅ Story 2.2: the pier”.
fn ticked(line: &str) -> Option<&str> {
    let line = line.trim().trim_start_matches(['-', '*', ' ']).trim_end_matches(['*', '|', ' ']);
    let is_open = |word: &str| OPEN.contains(&word.to_lowercase().as_str()) || word.ends_with("n't");
    let is_ticked = line.starts_with(TICKS) || line.ends_with(TICKS);
    let mark = marks(line).next()?;
    let before = line.split(mark).next()?;
    let is_first = each_word(before).count() <= FIRST && !mark.starts_with('#');
    (is_ticked && is_first && !line.contains('%') && !each_word(line).any(is_open)).then_some(mark)
}

/// The names of the steps that a clause says to be done, if it says nothing else; `None` if it does.
fn done_in(clause: &str) -> Option<Vec<String>> {
    let (mut found, mut is_done, mut before) = (Vec::new(), false, String::new());
    for word in tokens(clause) {
        let lower = word.to_lowercase();
        if is_mark(word) {
            let is_known = !word.starts_with('#') || before.is_empty() || NUMBERED.contains(&&*before);
            is_known.then_some(())?;
            found.push(lower.clone());
        } else if DONE.contains(&&*lower) || word.contains(TICKS) {
            is_done = true;
        } else if !word.is_empty() && !BESIDE.contains(&&*lower) {
            return None;
        }
        before = lower;
    }
    is_done.then_some(found)
}

/// The words of a text, without the signs around them.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|char: char| char.is_whitespace() || "()[]*`:,;/|".contains(char));
    words.map(|word| word.trim_matches(|char: char| !(char.is_alphanumeric() || char == '#' || TICKS.contains(&char))))
}

/// The words that name a step: `#7`, `2.2`, `LAMP-4`.
fn marks(text: &str) -> impl Iterator<Item = &str> {
    tokens(text).filter(|word| is_mark(word))
}

fn is_mark(word: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_key = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_uppercase());
    word.strip_prefix('#').is_some_and(is_number)
        || word.split('.').count() > 1 && word.split('.').all(is_number)
        || word.split_once('-').is_some_and(|(key, number)| is_key(key) && is_number(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_done_where_a_clause_says_so_of_it() {
        assert_eq!(reached("Stories 2.2 and LAMP-4 are done, 4.2 is next."), ["2.2", "lamp-4"]);
        assert_eq!(reached("Story 2.2: ✓"), ["2.2"]);
        assert_eq!(reached("- ✅ Story 2.2: the pier has lamps"), ["2.2"]);
        assert_eq!(reached("Task #3 is done."), ["#3"]);
        for other in [
            "Story 2.2 is not done yet.",
            "Once story 2.2 is complete we go on.",
            "Is story 2.2 done?",
            "14 lamps are done.",
            "Story 2.2 is almost complete.",
            "The design of LAMP-4 is complete.",
            "LAMP-4 is 90% complete",
            "The work on LAMP-4 isn’t done.",
            "Nothing of LAMP-4 is done.",
            "Issue #3 was completed by another crew.",
            "Task #3 done: 30%",
            "Upstream merged v2 last week.",
            "- ✅ Story 2.2: all but the lamp",
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
