//! Orders that are done once: “Remove the old line and make sure that it still builds.” They bind for their request
//! only, whatever words of a duty they have.

use crate::summary::text::each_word;

/// Words before the verb of an order.
const LEADS: [&str; 27] = [
    "also", "and", "can", "could", "d", "finally", "first", "hi", "i", "i'd", "let's", "lets", "like", "need", "next",
    "now", "ok", "okay", "please", "pls", "so", "then", "to", "want", "we", "would", "you",
];
/// Verbs of work that changes something once. Verbs of what is done again and again (“run”, “commit”, “write”) may begin
/// a rule.
const WORK: [&str; 46] = [
    "add",
    "adjust",
    "apply",
    "bump",
    "change",
    "clean",
    "convert",
    "copy",
    "create",
    "delete",
    "drop",
    "extend",
    "extract",
    "finish",
    "fix",
    "generate",
    "implement",
    "improve",
    "increase",
    "insert",
    "install",
    "integrate",
    "introduce",
    "investigate",
    "merge",
    "migrate",
    "modify",
    "move",
    "port",
    "rebuild",
    "reduce",
    "refactor",
    "remove",
    "rename",
    "reorganize",
    "replace",
    "restore",
    "restructure",
    "revert",
    "rewrite",
    "simplify",
    "split",
    "undo",
    "unify",
    "update",
    "upgrade",
];
/// Words that make an order one for good, or a ban.
const LASTING: [&str; 38] = [
    "after",
    "all",
    "alongside",
    "always",
    "any",
    "anything",
    "avoid",
    "before",
    "cannot",
    "dont",
    "each",
    "every",
    "everywhere",
    "except",
    "if",
    "must",
    "never",
    "new",
    "no",
    "not",
    "nothing",
    "often",
    "once",
    "only",
    "possible",
    "rather",
    "unless",
    "until",
    "whatever",
    "when",
    "whenever",
    "where",
    "wherever",
    "with",
    "without",
    "you",
    "your",
    "yours",
];
/// Words before the one thing that such an order is about.
const ONE: [&str; 12] = ["a", "an", "both", "his", "it", "its", "my", "our", "that", "the", "this", "these"];
/// Words that go on to what must hold when the work is done: “then make sure …”.
const THEN: [&[&str]; 2] = [&["then", "make", "sure"], &["then", "ensure"]];

/// Whether a lower-case sentence orders one piece of work, and limits it by nothing.
pub(super) fn is_errand(lower: &str) -> bool {
    let words: Vec<&str> = each_word(lower).collect();
    let at = words.iter().position(|word| !LEADS.contains(word)).unwrap_or(words.len());
    let rest = &words[at..];
    let works = matches!(rest, [verb, object, ..] if WORK.contains(verb) && ONE.contains(object));
    let is_then = THEN.iter().any(|start| words.starts_with(start));
    let lasts = |word: &&str| LASTING.contains(word) || word.ends_with("n't");
    (works || is_then) && !rest.iter().any(lasts) && !lower.contains("n’t")
}

#[cfg(test)]
mod tests {
    use super::super::rules::{is_rule, strength_now};
    use super::*;

    #[test]
    fn work_that_is_done_once_is_no_rule() {
        for errand in [
            "Remove the old sign and make sure that the pier stays open.",
            "Can you please fix the lamp, and ensure the keeper can reach it?",
            "Then make sure the ferries run.",
            "I need you to move the sign; it should stand at the quay.",
            "Add a lamp to the pier, it should be red.",
        ] {
            assert!(
                is_errand(&errand.to_lowercase()) && !is_rule(errand) && strength_now(errand).is_some(),
                "{errand}"
            );
        }
        for rule in [
            "Make sure that the pier stays open.",
            "Add a lamp, but never touch the pier.",
            "Fix the sign without moving it; the pier must stay.",
            "Then make sure that every ferry has a lamp.",
            "Update the log before each ferry and make sure it is signed.",
            "Write in short sentences, and make sure they rhyme.",
            "Merge requests should have two readers.",
            "Update the log with your changes and make sure that it is signed.",
            "Add lamps to whatever you build; they should be red.",
            "I'd like to improve the way we work: you should show me a map of it.",
        ] {
            assert!(is_rule(rule), "{rule}");
        }
    }
}
