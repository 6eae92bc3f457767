//! Requests for a text, such as a letter or a story: no sentence of the answer is a finding.

use super::cues::lower;
use crate::summary::extractive::words::{REVISES, REWRITES, REWRITES_DENSE, TEXTS, TEXTS_DENSE, WRITES, WRITES_DENSE};
use crate::summary::text::{contains_any, each_word, starts_any};

/// Maximum number of words between a verb of writing and what is written.
const NEAR: usize = 8;
/// First words of questions about something.
const ASKS: [&str; 12] = ["are", "did", "do", "does", "how", "is", "should", "what", "when", "where", "which", "why"];

/// Words of code that is written, and words with which a request asks for more than a text.
const CODE: [&str; 14] = [
    "app", "bot", "class", "code", "command", "function", "method", "module", "program", "query", "script", "service",
    "test", "tool",
];
const MORE: [&str; 5] = [" and tell me", " then tell me", " also tell me", " und sag ", " et dis-moi"];
/// Beginnings of a request to speak as somebody else, and words of one that does so for an exercise.
const PLAYS: [&str; 10] = [
    "play the ",
    "play a ",
    "play an ",
    "pretend to be ",
    "pretend you are ",
    "pretend you're ",
    "spiel den ",
    "spiel die ",
    "spiele den ",
    "spiele die ",
];
const ROLE_PLAYS: [&str; 2] = ["role-play", "roleplay"];
const EXERCISES: [&str; 8] = ["exercise", "interview", "practice", "practise", "rehearse", "train", "üben", "übung"];

/// Whether a sentence of the user asks for a text: “Write a letter to the keeper.”
pub(in crate::summary::extractive) fn asks_for_text(sentence: &str) -> bool {
    let lower = lower(sentence);
    // “Why does the rewrite loop?”
    if each_word(&lower).next().is_some_and(|first| ASKS.contains(&first)) || contains_any(&lower, &MORE) {
        return false;
    }
    let dense = || {
        contains_any(&lower, REWRITES_DENSE) || contains_any(&lower, WRITES_DENSE) && contains_any(&lower, TEXTS_DENSE)
    };
    let mut words = each_word(&lower).skip_while(|word| !WRITES.contains(word) && !REWRITES.contains(word));
    let spaced = words.next().is_some_and(|verb| REWRITES.contains(&verb) || is_text(words.take(NEAR)));
    let plays = starts_any(&lower, &PLAYS) && contains_any(&lower, &EXERCISES) || starts_any(&lower, &ROLE_PLAYS);
    spaced || plays || !lower.is_ascii() && dense()
}

/// Whether the first thing that is written is a text, and no code.
fn is_text<'w>(mut words: impl Iterator<Item = &'w str>) -> bool {
    words.find(|word| TEXTS.contains(word) || CODE.contains(word)).is_some_and(|word| TEXTS.contains(&word))
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
        for other in [
            "Write the lamp into the list.",
            "Who wrote the letter?",
            "Write a test of the pier.",
            "Write a script that sends a reply to each mail.",
            "Write a letter to Ada and tell me the price of the cabin.",
            "Play the song that was on the radio.",
            "Pretend you are a tax adviser: do I have to pay?",
        ] {
            assert!(!asks_for_text(other), "{other}");
        }
        assert!(revises("Make it shorter.") && !revises("What does the ferry cost?"));
    }
}
