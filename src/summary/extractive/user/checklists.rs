//! Checklists of a template that a user pasted, with a question behind them.

use crate::summary::extractive::sentences::prose::{heading, typed};
use crate::summary::text::{contains_any, each_word, has_any, words};

/// Boxes of items.
const BOXES: [&str; 3] = ["[ ]", "[x]", "[X]"];
/// What each item of a template begins with, behind it a participle: one in “-ed”, or one of these.
const STATES: [&str; 2] = ["i have ", "i've "];
const PARTICIPLES: [&str; 10] =
    ["checked", "done", "given", "lit", "made", "read", "run", "seen", "understood", "written"];
/// No participle: “I have need of it”.
const NEED: &str = "need";
/// Words in the headings of a template, and signs of links.
const HEADINGS: [&str; 3] = ["checklist", "before you", "prerequisites"];
const LINKS: [&str; 2] = ["](", "://"];
/// Words of a question that asks about the list itself, or for a nod.
const OF_LIST: [&str; 20] = [
    "all", "begin", "both", "clear", "continue", "done", "go", "it", "item", "items", "list", "ok", "okay", "proceed",
    "right", "start", "that", "these", "this", "those",
];
/// Minimum number of such items, and of the words of the question.
const LEAST: usize = 2;
const FEWEST: usize = 5;

/// The number of sentences before the question behind a checklist: in the line of its last item, or below it. Only
/// where the list is all that stands before it, so that nothing else is left out.
pub(super) fn before_question(text: &str, sentences: &[String]) -> Option<usize> {
    let last = sentences.last().filter(|last| last.ends_with(['?', '？']))?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let begun = lines.iter().position(|line| item(line).is_some())?;
    let ended = lines.iter().rposition(|line| item(line).is_some())?;
    let items: Vec<&str> = lines[begun..=ended].iter().map(|line| item(line)).collect::<Option<_>>()?;
    let heads = |line: &&str| heading(line).is_some_and(|heading| has_any(&heading.to_lowercase(), &HEADINGS));
    let is_template = begun > 0 || contains_any(text, &LINKS);
    if items.len() < LEAST || !is_template || !lines[..begun].iter().all(heads) || is_of_list(last) {
        return None;
    }
    let (own, others) = items.split_last()?;
    if !items.iter().all(|item| states(item)) || others.iter().any(|item| typed(item).len() > 1) {
        return None;
    }
    let behind = typed(own).len().saturating_sub(1) + typed(&lines[ended + 1..].join("\n")).len();
    let before = sentences.len().checked_sub(behind)?;
    (behind > 0 && before > 0).then_some(before)
}

/// The words of an item with a box.
fn item(line: &str) -> Option<&str> {
    let words = line.trim_start().strip_prefix(['-', '*'])?.trim_start();
    BOXES.iter().find_map(|sign| words.strip_prefix(sign)).map(str::trim)
}

/// Whether an item states what its writer has done.
fn states(item: &str) -> bool {
    let lower = item.to_lowercase();
    let Some(done) = STATES.iter().find_map(|start| lower.strip_prefix(start)) else { return false };
    each_word(done).next().is_some_and(|word| word != NEED && word.ends_with("ed") || PARTICIPLES.contains(&word))
}

/// Whether a question is about the list itself, or only asks for a nod: “Can you do these?”, “Is that clear?”
fn is_of_list(question: &str) -> bool {
    words(question) < FEWEST || each_word(&question.to_lowercase()).any(|word| OF_LIST.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::super::asked::Asked;

    fn brief(text: &str) -> String {
        Asked::read(Some(1), text, text.replace('\n', " ")).brief(200)
    }

    #[test]
    fn a_question_behind_a_pasted_checklist_is_the_request() {
        let list = "## Checklist\n\n- [ ] I have read the [rules](https://quay.example/rules) of the quay.\n- [ ] I have lit the lamps of it.\n";
        let asked = "Is there a tool for the oil?";
        let glued = format!("{list}- [ ] I have filled the oil. {asked}");
        assert_eq!(brief(&glued), asked);
        assert_eq!(brief(&format!("{list}\nHere they are. {asked}")), format!("Here they are. {asked}"));
        let order = "Mend the lint in src/lamp.rs.";
        assert_eq!(brief(&format!("{list}\n{order}\n\n{asked}")), format!("{order} {asked}"));
        for (whole, told) in [
            ("- [ ] mend the old lamp\n- [ ] paint the long pier\n\nCan you do these?", "mend the old lamp"),
            (&format!("{order}\n\n{glued}"), order),
            (&format!("{list}\nIs that clear?"), "I have read"),
            (&list.replace("I have lit", &format!("I have lit. {order} Light")), "I have read"),
            ("- [x] I finished the parser\n- [ ] I need tests\n\nCan you mend the writer now?", "I need tests"),
            (
                "# Checklist\n- [ ] my lamp must be lit\n- [ ] my pier must be red\n\nWho can mend a lamp?",
                "my pier must",
            ),
            (
                "- [ ] I have read the quay.\n- [ ] I have to mend the lamp.\n\nWho can mend a lamp?",
                "I have to mend the lamp.",
            ),
        ] {
            assert!(brief(whole).contains(told), "{}", brief(whole));
        }
    }
}
