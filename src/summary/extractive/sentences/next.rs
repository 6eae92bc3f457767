//! Clauses by which the agent says what it does next: “Now revert the table.”, and sentences that only foresee something.

use crate::summary::extractive::words::OBJECTS;
use crate::summary::text::{behind, starts_any};

/// Verbs of the agent's next steps, and those of them that may be nouns: “now build fails”.
const VERBS: [&str; 15] = [
    "add", "apply", "compile", "create", "delete", "find", "install", "rebuild", "remove", "rename", "replace",
    "rerun", "restart", "revert", "write",
];
/// Letters of a word in “-ing” that is no verb: “king”.
const GOING: usize = 4;
const NOUNS: [&str; 13] =
    ["build", "check", "commit", "edit", "fix", "look", "move", "push", "read", "run", "start", "test", "update"];

/// What else may follow such a verb that is no noun: “now check whether …”.
const ASKS: [&str; 3] = ["how", "if", "whether"];
/// Beginnings of a clause before such a verb, and of one before any verb.
const NEEDS: [&str; 4] = ["i need to ", "i also need to ", "i still need to ", "we need to "];
const BEGINS: [&str; 6] = ["i can start ", "i can try ", "i can now ", "we can start ", "we can try ", "we can now "];
/// Beginnings of a sentence about the next of several.
const NEXT: [&str; 3] = ["next is ", "next up", "next in "];

/// Whether a lower-case clause says what the agent does next.
pub(super) fn is_next(clause: &str) -> bool {
    let clause = clause.trim_start();
    let first = |text: &str, list: &[&str]| text.split(' ').next().is_some_and(|word| list.contains(&word));
    let step = clause.strip_prefix("now ");
    let needs = NEEDS.iter().find_map(|start| behind(step.unwrap_or(clause), start));
    if let Some(step) = needs {
        return first(step, &VERBS) || first(step, &NOUNS);
    }
    let Some(step) = step else { return starts_any(clause, &BEGINS) || starts_any(clause, &NEXT) };
    let named = |rest: &str| rest.split(' ').next().is_some_and(|word| word.starts_with('`') || word.contains('_'));
    let is_object = |rest: &str| named(rest) || first(rest, OBJECTS) || first(rest, &ASKS) || is_file(rest);
    let object = || step.split_once(' ').is_some_and(|(_, rest)| is_object(rest));
    let goes_on = || step.split(' ').next().is_some_and(|word| word.len() > GOING && word.ends_with("ing"));
    first(step, &VERBS) || (first(step, &NOUNS) || goes_on()) && object() || names_one(step)
}

/// Phrases of a sentence about a step that the agent thinks of, and beginnings of one about what a step will bring.
const FORESEES: [&str; 12] = [
    "a good next step ",
    "a practical next step ",
    "it is reasonable to start ",
    "it would be helpful to ",
    "it would be more efficient to ",
    "it would be prudent to ",
    "it's reasonable to start ",
    "the next logical step ",
    "the next step is to ",
    "the next step would be to ",
    "we first need to ",
    "we need to first ",
];
const WILL: [&str; 7] = [
    "this command will ",
    "this script will ",
    "this test will ",
    "this will allow us ",
    "this will give us ",
    "this will help me ",
    "this will help us ",
];

/// What may stand before such a phrase: an aim, or words that tie it to what was said.
const TIES: [&str; 8] = ["given ", "however", "now that ", "so ", "therefore", "thus", "to ", "with "];

/// Whether a lower-case sentence only foresees a step or what it will bring: “This will help us find the lamp.” A reason
/// before it is a finding: “The pier is wet, so the next step is to …”
pub(super) fn foresees(lower: &str) -> bool {
    let before = |phrase: &&str| lower.find(phrase).map(|at| &lower[..at]);
    let is_tied = |before: &str| before.is_empty() || starts_any(before, &TIES) && !before.contains([';', '—', ':']);
    starts_any(lower, &WILL) || FORESEES.iter().find_map(before).is_some_and(is_tied)
}

/// Whether a text begins with the name of a file: “lamp.rs and the quay”.
fn is_file(text: &str) -> bool {
    let name = text.split(' ').next().unwrap_or_default().trim_end_matches(['.', ',', ':', ';']);
    name.contains(['.', '/'])
}

/// Whether it is the name of the next task, with its number: “WP9: the lamps of the pier”.
fn names_one(step: &str) -> bool {
    let Some((name, _)) = step.split_once(": ") else { return false };
    name.ends_with(|char: char| char.is_ascii_digit()) && name.split(' ').count() <= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_step_will_bring_is_foreseen() {
        for sentence in [
            "this will help us find the lamp.",
            "given that, the next step is to locate the lamp of the pier.",
            "to light it, we first need to find the wick.",
        ] {
            assert!(foresees(sentence), "{sentence}");
        }
        assert!(!foresees("the disk of the quay is full; the next step is to free space there."));
        assert!(!foresees("this will never burn.") && !foresees("the next step of the stair is wet."));
    }

    #[test]
    fn a_verb_behind_now_is_a_next_step() {
        for next in [
            "now revert the table to the old one",
            " i need to check the gate",
            "now run `make lamp`",
            "now run light_quay to mend the lamps",
            "now update lamp.test.rs — this has many lamps",
            "now check if the lamp burns",
            "now adding the test of the gate",
            "now i also need to apply it to the quay",
            "now wp9: the lamps of the pier",
            "next is pr #90: the lamps of the quay",
            "we can start working on the pier",
        ] {
            assert!(is_next(next), "{next}");
        }
        for told in [
            "now the lamp burns",
            "the tests now run",
            "i need to know the pier",
            "now build fails at dusk",
            "now nothing burns",
            "now building takes an hour",
            "now one thing: it burns",
        ] {
            assert!(!is_next(told), "{told}");
        }
    }
}
