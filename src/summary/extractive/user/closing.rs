//! Messages of the user that only thank or take leave.

use crate::summary::extractive::sentences::prose::typed;
use crate::summary::extractive::sentences::rules::is_farewell;
use crate::summary::text::starts_any;

/// Words with which a user takes note, and beginnings of what they will do themselves.
const HEARD: [&str; 7] = ["alright", "got it", "i see", "i understand", "okay", "ok", "understood"];
const PROMISES: [&str; 13] = [
    "be in touch",
    "contact ",
    "do that",
    "find ",
    "gather ",
    "get back",
    "keep that in mind",
    "let you know",
    "look for ",
    "make sure to ",
    "reach out",
    "talk to ",
    "wait for ",
];

/// Whether a message of the user is only thanks or a goodbye.
pub fn only_closes(text: &str) -> bool {
    let sentences = typed(text);
    // A word or two do not parse as a sentence.
    if sentences.is_empty() {
        text.trim().lines().count() == 1 && is_farewell(text.trim())
    } else {
        all_close(&sentences)
    }
}

/// Whether sentences only thank or take leave, beside what the user will do: “I'll look for it. Thanks!”
pub(super) fn all_close(sentences: &[String]) -> bool {
    let closes = |sentence: &String| is_farewell(sentence) || promises(sentence);
    sentences.iter().any(|sentence| is_farewell(sentence)) && sentences.iter().all(closes)
}

/// Whether a sentence says what the user will do.
fn promises(sentence: &str) -> bool {
    let lower = sentence.to_lowercase().replace('’', "'");
    let said = HEARD.iter().find_map(|heard| lower.strip_prefix(heard)).unwrap_or(&lower);
    let said = said.trim_start_matches([',', '.', '!', ' ']);
    let promise = ["i'll ", "i will "].iter().find_map(|start| said.strip_prefix(start));
    promise.is_some_and(|promise| starts_any(promise, &PROMISES)) && !lower.contains('?')
}
