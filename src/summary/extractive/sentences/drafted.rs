//! Requests for a text, such as a letter or a story: no sentence of the answer is a finding.

use super::cues::lower;
use crate::summary::extractive::words::{REVISES, REWRITES, REWRITES_DENSE, TEXTS, TEXTS_DENSE, WRITES, WRITES_DENSE};
use crate::summary::text::{contains_any, each_word, starts_any};

/// Maximum number of words between a verb of writing and what is written.
const NEAR: usize = 8;
/// First words of questions about something.
const ASKS: [&str; 12] = ["are", "did", "do", "does", "how", "is", "should", "what", "when", "where", "which", "why"];

/// Beginnings of a request to speak as somebody else.
const PLAYS: [&str; 12] = [
    "play the ",
    "play a ",
    "play an ",
    "pretend to be ",
    "pretend you are ",
    "pretend you're ",
    "role-play",
    "roleplay",
    "spiel den ",
    "spiel die ",
    "spiele den ",
    "spiele die ",
];

/// Whether a sentence of the user asks for a text: “Write a letter to the keeper.”
pub(in crate::summary::extractive) fn asks_for_text(sentence: &str) -> bool {
    let lower = lower(sentence);
    // “Why does the rewrite loop?”
    if each_word(&lower).next().is_some_and(|first| ASKS.contains(&first)) {
        return false;
    }
    let dense = || {
        contains_any(&lower, REWRITES_DENSE) || contains_any(&lower, WRITES_DENSE) && contains_any(&lower, TEXTS_DENSE)
    };
    let mut words = each_word(&lower).skip_while(|word| !WRITES.contains(word) && !REWRITES.contains(word));
    let spaced =
        words.next().is_some_and(|verb| REWRITES.contains(&verb) || words.take(NEAR).any(|word| TEXTS.contains(&word)));
    spaced || starts_any(&lower, &PLAYS) || !lower.is_ascii() && dense()
}

/// Whether a request changes the text before it: “Make it shorter.”
pub(in crate::summary::extractive) fn revises(request: &str) -> bool {
    let lower = lower(request);
    starts_any(&lower, REVISES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_for_a_text_is_known() {
        for asked in [
            "Please write a short letter to the keeper of the quay.",
            "Can you translate this into German?",
            "Schreib mir bitte eine Geschichte über den Hafen.",
            "Напиши короткое письмо смотрителю.",
            "帮我写一封邮件给码头。",
            "Play the angry keeper, I want to practice.",
            "Write a reply to the complaint of the keeper.",
        ] {
            assert!(asks_for_text(asked), "{asked}");
        }
        for other in ["Write the lamp into the list.", "Who wrote the letter?", "Write a test of the pier."] {
            assert!(!asks_for_text(other), "{other}");
        }
        assert!(revises("Make it shorter.") && !revises("What does the ferry cost?"));
    }
}
