//! Sentences of the agent that begin like an announcement or a courtesy, and still promise or state something: “I will
//! refund 54 dollars by Friday.”, “I'm sorry, but this ticket is not refundable.”

use super::courteous::{apologizes, goes_on, without_agreement};
use super::cues::{begins_any, is_question, lower, offers, without_filler};
use crate::summary::extractive::words::{DAYS, SOFTENED, SYMPATHIZES, WILL_DO};
use crate::summary::text::{behind, has_any, has_digit, has_least};

/// What an agent announces that is no promise: “I'll check order 42.”
const ONLY_NEXT: [&str; 12] = [
    "assist ",
    "be happy",
    "check ",
    "continue ",
    "do that",
    "fetch ",
    "help ",
    "look ",
    "need ",
    "proceed ",
    "search ",
    "start ",
];
/// Times of a promise that are no days.
const SOON: [&str; 8] =
    ["today", "tonight", "tomorrow", "next hour", "next week", "by noon", "end of the day", "end of the week"];
/// Signs before a question, its beginnings, and the fewest words before it.
const JOINTS: [&str; 6] = [", ", "; ", " – ", " — ", " - ", "，"];
const CONSENTS: [&str; 27] = [
    "can i",
    "do you",
    "does that",
    "is it",
    "is that",
    "is this",
    "may i",
    "ok",
    "okay",
    "right",
    "shall",
    "should i",
    "would that",
    "would you",
    "ist das",
    "passt",
    "soll",
    "dois-je",
    "ça vous",
    "cela vous",
    "d'accord",
    "le parece",
    "te parece",
    "va bene",
    "tudo bem",
    "подходит",
    "可以吗",
];
const TELLING: usize = 4;
/// Fewest words of a statement that softens and has no figure.
const LEAST: usize = 7;

/// Whether a sentence of the agent's last words promises something exact, as what it will send by when.
pub(in crate::summary::extractive) fn promises(sentence: &str) -> bool {
    let lower = lower(without_agreement(sentence));
    let text = without_filler(&lower);
    let rest = WILL_DO.iter().find_map(|start| behind(text, start));
    let only_next = |rest: &str| begins_any(rest.trim_start(), &ONLY_NEXT);
    let is_exact = || has_digit(sentence) || has_any(text, DAYS) || has_any(text, &SOON);
    rest.is_some_and(|rest| !only_next(rest)) && is_exact() && is_said(sentence, &lower)
}

/// Whether a sentence with courteous words, or an announcement, at its start states something behind them.
pub(in crate::summary::extractive) fn states_softly(sentence: &str) -> bool {
    let lower = lower(sentence);
    let states = || has_digit(sentence) || goes_on(&lower) && has_least(&lower, LEAST);
    let softens = begins_any(&lower, SOFTENED) || begins_any(&lower, SYMPATHIZES);
    softens && states() && is_said(sentence, &lower) && !apologizes(&lower)
}

/// Number of words with a digit.
pub(in crate::summary::extractive) fn figures(sentence: &str) -> usize {
    sentence.split_whitespace().filter(|word| has_digit(word)).count()
}

/// What a sentence says before it asks for consent: “I'd suggest the Mill House at $68, is that okay?”
pub(in crate::summary::extractive) fn before_question(sentence: &str) -> Option<&str> {
    is_question(&lower(sentence)).then_some(())?;
    let joints = JOINTS.iter().flat_map(|joint| sentence.match_indices(joint));
    let (at, joint) = joints.max_by_key(|(at, _)| *at)?;
    let asks = begins_any(&lower(sentence[at + joint.len()..].trim_start()), &CONSENTS);
    let told = &sentence[..at];
    (asks && has_digit(told) && has_least(told, TELLING)).then_some(told)
}

fn is_said(sentence: &str, lower: &str) -> bool {
    !is_question(lower) && !lower.ends_with([':', '：']) && !offers(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promises_are_told_from_next_steps() {
        for promise in [
            "I will refund 54.04 dollars to your gift card within five days.",
            "Of course, I will call you tomorrow at 10:15.",
            "We'll credit 20 euros to the ferry card.",
            "We will provide you with an update within the next hour.",
            "Ich werde Sie am 2. April um 9 Uhr anrufen.",
            "Je vais vous rembourser 54 euros avant vendredi.",
            "我会在三天内退款429元到您的微信。",
        ] {
            assert!(promises(promise), "{promise}");
        }
        for other in [
            "I will look into it.",
            "I'll check order 42 now.",
            "I'll need the number of the ticket (8 digits).",
            "I'll refund 20 euros, is that all right?",
            "The ferry leaves at 9:00.",
        ] {
            assert!(!promises(other), "{other}");
        }
    }

    #[test]
    fn statements_behind_courtesies_are_told_from_courtesies() {
        for told in [
            "I'm sorry, but ticket TX-881 is not refundable because it is basic economy.",
            "Thank you for waiting, your seat is 22A by the window.",
            "I apologize, dogs above 8 kg cannot travel in the cabin.",
            "I understand the wish, but names on basic economy tickets cannot be changed.",
            "Please keep the box until 3 May, since without it the refund is void.",
        ] {
            assert!(states_softly(told), "{told}");
        }
        let offer = "I'd suggest the Mill House at $68 per night, is that okay?";
        assert_eq!(before_question(offer), Some("I'd suggest the Mill House at $68 per night"));
        for other in ["Is that okay, or do you want 2?", "The Mill House costs $68, and what of the 2nd one?"] {
            assert_eq!(before_question(other), None, "{other}");
        }
        for courtesy in [
            "I'm sorry for the wait.",
            "Thank you for your patience.",
            "We understand your anger and frustration.",
            "Sure, I can help you with that.",
            "Please provide the number of ticket 2.",
            "Here are the 3 ferries:",
        ] {
            assert!(!states_softly(courtesy), "{courtesy}");
        }
    }
}
