//! Requests for a text, such as a letter or a story: no sentence of the answer is a finding.

use super::cues::lower;
use crate::summary::extractive::words::{REVISES, REWRITES, REWRITES_DENSE, TEXTS, TEXTS_DENSE, WRITES, WRITES_DENSE};
use crate::summary::text::{QUESTION_MARKS, contains_any, each_word, has_most, starts_any};

/// Maximum number of words between a verb of writing and what is written.
const NEAR: usize = 8;
/// Maximum number of words of a request that changes a text.
const FEW: usize = 8;

/// Words before the verb of such a request: courtesies, and the agent who is to write.
const BEFORE: [&str; 43] = [
    "also",
    "and",
    "bitte",
    "can",
    "could",
    "du",
    "favor",
    "first",
    "go",
    "hello",
    "help",
    "hey",
    "hi",
    "i",
    "i'd",
    "just",
    "kannst",
    "kindly",
    "können",
    "like",
    "me",
    "mir",
    "need",
    "now",
    "ok",
    "okay",
    "peux-tu",
    "please",
    "pode",
    "podrías",
    "por",
    "puedes",
    "puoi",
    "sie",
    "then",
    "to",
    "want",
    "will",
    "would",
    "you",
    "você",
    "можешь",
    "пожалуйста",
];
/// Words for the speaker, who writes it then unless the agent is named, too.
const SPEAKER: [&str; 2] = ["i", "i'd"];
/// Words of code that is written.
const CODE: [&str; 29] = [
    "api",
    "app",
    "authentication",
    "bot",
    "class",
    "code",
    "command",
    "config",
    "endpoint",
    "error",
    "function",
    "history",
    "log",
    "loop",
    "method",
    "module",
    "page",
    "program",
    "query",
    "schema",
    "script",
    "service",
    "slug",
    "sql",
    "status",
    "test",
    "tests",
    "tool",
    "tools",
];
/// Words that point at the text that is to be changed, or before the language into which it is translated.
const POINTS: [&str; 15] = [
    "ceci",
    "das",
    "dies",
    "esto",
    "following",
    "into",
    "isso",
    "it",
    "questo",
    "that",
    "these",
    "this",
    "to",
    "ça",
    "это",
];
/// Words with which a request asks for more than a text.
const MORE: [&str; 23] = [
    " tell me",
    " tell us",
    " sag ",
    " dis-moi",
    " why ",
    " when ",
    " whether ",
    " how much",
    " wann ",
    " warum ",
    " wie viel",
    " quand ",
    " combien",
    " cuándo",
    " cuánto",
    " сколько",
    " когда",
    "告诉",
    "多少",
    "いつ",
    "どう",
    "什么",
    "怎么",
];
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
    if contains_any(&lower, &MORE) {
        return false;
    }
    let dense = || {
        contains_any(&lower, REWRITES_DENSE) || contains_any(&lower, WRITES_DENSE) && contains_any(&lower, TEXTS_DENSE)
    };
    let plays = starts_any(&lower, &PLAYS) && contains_any(&lower, &EXERCISES) || starts_any(&lower, &ROLE_PLAYS);
    orders_text(&lower) || plays && !lower.ends_with(QUESTION_MARKS) || !lower.is_ascii() && dense()
}

/// Whether a lower-case sentence orders a text by its verb, behind courtesies. “I have to write a letter.” does not.
fn orders_text(lower: &str) -> bool {
    let all: Vec<&str> = each_word(lower).collect();
    let is_verb = |word: &&str| WRITES.contains(word) || REWRITES.contains(word);
    let Some(at) = all.iter().position(is_verb) else { return false };
    let (before, behind) = (&all[..at], &all[at + 1..]);
    let own = before.iter().any(|word| SPEAKER.contains(word)) && !before.contains(&"you");
    // “Rewrite it: can we squash it?” asks.
    let asks = lower.ends_with(QUESTION_MARKS) && before.is_empty();
    if own || asks || !before.iter().all(|word| BEFORE.contains(word)) {
        return false;
    }
    let near = &behind[..behind.len().min(NEAR)];
    let points = || near.iter().any(|word| POINTS.contains(word));
    let is_text = near.iter().any(|word| TEXTS.contains(word)) || REWRITES.contains(&all[at]) && points();
    is_text && !near.iter().any(|word| CODE.contains(word))
}

/// Whether a request changes the text before it: “Make it shorter.”
pub(in crate::summary::extractive) fn revises(request: &str) -> bool {
    let lower = lower(request);
    starts_any(&lower, REVISES) && has_most(&lower, FEW) && !lower.contains(',')
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
            "Rewrite the authentication to use lamps.",
            "Rewrite this query to be faster.",
            "Rewrite history: can we squash the last three commits?",
            "I have to write an essay on the quay.",
            "I want to write the letter myself.",
            "Write the post endpoint for the comments.",
            "Schreib mir, wann der Brief ankommt.",
            "Translate the error message and tell us why it happens.",
            "翻译这份合同的第三条，告诉我押金是多少",
        ] {
            assert!(!asks_for_text(other), "{other}");
        }
        assert!(revises("Make it shorter.") && !revises("What does the ferry cost?"));
        assert!(!revises("Make it faster, the ferry I mean."));
    }
}
