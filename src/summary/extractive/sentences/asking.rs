//! The question at the end of a text of the agent, which a few words of the user may answer.

use super::cues::lower;
use super::offered::{asks, has, offers_more};
use super::prose::sentences;
use crate::summary::extractive::words::GOES_ON_WITH;
use crate::summary::text::{contains_any, last_bytes, starts_any};

/// Bytes at the end of a text where the question is looked for.
const END: usize = 2_000;
/// Phrases of a question that leaves open what comes next, or offers to do something.
const LEAVES_OPEN: [&str; 17] = [
    "next",
    "work on",
    "help you",
    "assist you",
    "i help",
    "want me to",
    "like me to",
    "what would you like",
    "what do you want",
    "what do you think",
    "why",
    "wobei kann ich",
    "quiere que",
    "quieres que",
    "puedo ayudar",
    "мне ",
    "有什么",
];
/// Beginnings of a question that asks whether to do something.
const ASKS_LEAVE: [&str; 6] = ["shall i", "should i", "soll ich", "sollen wir", "puis-je", "dois-je"];

/// The question that a text ends with, unless it offers something or asks whether to do it: “How many suitcases do you
/// want to add?”
pub(in crate::summary::extractive) fn last_question(text: &str) -> Option<String> {
    let end = last_bytes(text, END).trim_end();
    let last = sentences(end).pop().filter(|last| asks(last));
    // A few words in a line of their own do not parse as a sentence.
    let last = last.or_else(|| Some(end.lines().next_back()?.trim().to_owned()).filter(|last| asks(last)))?;
    let lower = lower(&last);
    let is_offer = offers_more(&lower)
        || contains_any(&lower, &LEAVES_OPEN)
        || starts_any(&lower, &ASKS_LEAVE)
        || has(&lower, GOES_ON_WITH);
    (!is_offer).then_some(last)
}
