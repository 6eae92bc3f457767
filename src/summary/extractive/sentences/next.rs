//! Clauses by which the agent says what it does next: “Now revert the table.”

use crate::summary::extractive::words::OBJECTS;

/// Verbs of the agent's next steps, and those of them that may be nouns: “now build fails”.
const VERBS: [&str; 15] = [
    "add", "apply", "compile", "create", "delete", "find", "install", "rebuild", "remove", "rename", "replace",
    "rerun", "restart", "revert", "write",
];
const NOUNS: [&str; 13] =
    ["build", "check", "commit", "edit", "fix", "look", "move", "push", "read", "run", "start", "test", "update"];

/// Whether a lower-case clause says what the agent does next.
pub(super) fn is_next(clause: &str) -> bool {
    let first = |text: &str, list: &[&str]| text.split(' ').next().is_some_and(|word| list.contains(&word));
    if let Some(step) = clause.trim_start().strip_prefix("i need to ") {
        return first(step, &VERBS) || first(step, &NOUNS);
    }
    let Some(step) = clause.trim_start().strip_prefix("now ") else { return false };
    let object = || step.split_once(' ').is_some_and(|(_, rest)| rest.starts_with('`') || first(rest, OBJECTS));
    first(step, &VERBS) || first(step, &NOUNS) && object()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verb_behind_now_is_a_next_step() {
        for next in ["now revert the table to the old one", " i need to check the gate", "now run `make lamp`"] {
            assert!(is_next(next), "{next}");
        }
        for told in ["now the lamp burns", "the tests now run", "i need to know the pier", "now build fails at dusk"] {
            assert!(!is_next(told), "{told}");
        }
    }
}
