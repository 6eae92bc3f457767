//! Sentences of the agent that begin like an announcement or a courtesy, and still promise or state something: “I will
//! refund 54 dollars by Friday.”, “I'm sorry, but this ticket is not refundable.”

use super::courteous::{apologizes, goes_on, without_agreement};
use super::cues::{begins_any, is_question, lower, offers, without_filler};
use crate::summary::extractive::words::{DAYS, SOFTENED, SYMPATHIZES, WILL_DO};
use crate::summary::text::{behind, has_any, has_least};

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
/// Fewest words of a statement that softens and has no figure.
const LEAST: usize = 7;

/// Whether a sentence of the agent's last words promises something exact, as what it will send by when.
pub(in crate::summary::extractive) fn promises(sentence: &str) -> bool {
    let lower = lower(without_agreement(sentence));
    let text = without_filler(&lower);
    let rest = WILL_DO.iter().find_map(|start| behind(text, start));
    let only_next = |rest: &str| begins_any(rest.trim_start(), &ONLY_NEXT);
    let is_exact = || has_figure(sentence) || has_any(text, DAYS) || has_any(text, &SOON);
    rest.is_some_and(|rest| !only_next(rest)) && is_exact() && is_said(sentence, &lower)
}

/// Whether a sentence with courteous words, or an announcement, at its start states something behind them.
pub(in crate::summary::extractive) fn states_softly(sentence: &str) -> bool {
    let lower = lower(sentence);
    let states = || has_figure(sentence) || goes_on(&lower) && has_least(&lower, LEAST);
    let softens = begins_any(&lower, SOFTENED) || begins_any(&lower, SYMPATHIZES);
    softens && states() && is_said(sentence, &lower) && !apologizes(&lower)
}

/// Number of words with a digit.
pub(in crate::summary::extractive) fn figures(sentence: &str) -> usize {
    sentence.split_whitespace().filter(|word| has_figure(word)).count()
}

fn has_figure(text: &str) -> bool {
    text.contains(|char: char| char.is_ascii_digit())
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
