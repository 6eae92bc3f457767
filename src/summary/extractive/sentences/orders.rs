//! Lasting orders recognized by their form, without words such as “never” or “must”: “Ask me before you install
//! anything.”, “Leave the migrations alone.”, “Every public function gets a docstring.”

use super::cues::{begins, begins_any};
use super::personal::is_personal_term;
use super::routines::is_routine;
use super::terms::{term, without_interjections};
use super::wanted::wanted;
use crate::summary::extractive::words::EACH_TIME;
use crate::summary::text::{QUESTION_MARKS, ends_any, has_any, has_digit, has_words, words};

/// Beginnings of an order that holds until it is revoked.
const LASTING: &[&str] = &[
    "ask before",
    "ask first",
    "ask me before",
    "ask me first",
    "check with me",
    "hold off",
    "stay at",
    "stay in",
    "stay on",
    "stay with",
    "stay within",
    "stick to",
    "stick with",
    "work in small",
    "work only",
    "bleib auf",
    "bleib bei",
    "frag mich",
    "frage mich",
    "demande-moi avant",
    "pregúntame antes",
    "chiedimi prima",
];
/// Beginnings of an order about the language of answers, and names of languages.
const ANSWERS: [&str; 14] = [
    "answer in",
    "speak",
    "talk in",
    "talk to me in",
    "reply in",
    "respond in",
    "write in",
    "antworte auf",
    "réponds en",
    "responde en",
    "rispondi in",
    "отвечай на",
    "пиши на",
    "общайся на",
];
pub(in crate::summary::extractive) const LANGUAGES: [&str; 29] = [
    "русском",
    "английском",
    "украинском",
    "english",
    "german",
    "french",
    "spanish",
    "italian",
    "portuguese",
    "polish",
    "russian",
    "ukrainian",
    "chinese",
    "japanese",
    "korean",
    "dutch",
    "turkish",
    "arabic",
    "hindi",
    "vietnamese",
    "deutsch",
    "englisch",
    "français",
    "anglais",
    "español",
    "inglés",
    "português",
    "italiano",
    "inglese",
];
/// Verbs of routine actions, none of them a noun that may begin a report.
const DONE: [&str; 22] = [
    "run",
    "check",
    "ask",
    "show",
    "save",
    "update",
    "format",
    "lint",
    "push",
    "pull",
    "rebase",
    "add",
    "tell",
    "verify",
    "review",
    "confirm",
    "wait",
    "stop",
    "summarize",
    "lass",
    "führe",
    "ejecuta",
];
/// Names of what an order says to follow, and words for all of the work.
const GUIDES: [&str; 4] = ["guideline", "guidelines", "conventions", "style guide"];
const EVERYWHERE: [&str; 4] = ["everywhere", "in this repo", "in this repository", "in this project"];
/// Endings that say that something must stay unchanged.
const UNTOUCHED: [&str; 6] = ["alone", "as is", "as it is", "as they are", "untouched", "unchanged"];
/// Verbs that state what all things of a kind must have.
const DUE: [&str; 2] = ["gets", "needs"];
/// Phrases of limits.
const LIMITS: [&str; 3] = ["at most", "at least", "no more than"];
/// Phrases of the place where something belongs.
const PLACES: [&str; 5] = ["belong in", "belongs in", "go into", "goes into", "go in"];
/// Words after “use” in an order for the moment, or where it is a noun.
pub(super) const AT_HAND: [&str; 16] = [
    "a", "after", "an", "both", "case", "cases", "it", "my", "of", "that", "the", "them", "these", "this", "those",
    "your",
];
/// Words that report a fault instead of giving an order.
const FAULTS: [&str; 11] =
    ["bug", "but", "wrong", "breaks", "broke", "fails", "broken", "crashes", "takes", "not work", "duplicated"];
/// Beginnings that refer to something mentioned before.
const FOR_OTHERS: [&str; 5] = ["leave it", "leave this", "leave that", "leave them", "leave those"];
/// First words of statements.
const TELLS: [&str; 28] = [
    "a", "an", "but", "he", "how", "i", "if", "in", "it", "its", "my", "our", "she", "so", "that", "the", "there",
    "they", "this", "we", "what", "when", "where", "which", "why", "you", "your", "because",
];
/// Maximum number of words of an order recognized only by its first word.
const BRIEF: usize = 4;
/// The same for an order about the language of answers.
const OF_LANGUAGE: usize = 5;
/// Maximum number of words of a sentence with a limit.
const LIMITING: usize = 10;

/// The strength of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// As strong as a ban or duty.
    Duty,
    /// As strong as a wish.
    Wish,
}

/// The strength of a lower-case sentence that is a lasting order by its form; `None` for questions and other
/// sentences.
pub(super) fn order(lower: &str) -> Option<Order> {
    let text = &*without_interjections(lower);
    if text.contains(QUESTION_MARKS) {
        return None;
    }
    let told = term(text).or_else(|| wanted(text)).or_else(|| is_personal_term(text).then_some(Order::Wish));
    if told.is_some() {
        return told;
    }
    if is_routine(text) {
        return Some(Order::Duty);
    }
    let first = text.split(|char: char| !char.is_alphanumeric()).next().unwrap_or_default();
    if TELLS.contains(&first) && first != "we" || has_any(text, &FAULTS) {
        return None;
    }
    let has_number = has_digit(text);
    let end = text.trim_end_matches(['.', '!']);
    let ends = ends_any(end, &UNTOUCHED) && !text.contains(": ");
    let untouched = ends || text.contains(" alone:");
    let stays = begins(text, "leave") && untouched && !begins_any(text, &FOR_OTHERS);
    let of_all = ["every", "each"].contains(&first) && has_any(text, &DUE) && !has_number;
    let answers = begins_any(text, &ANSWERS) && has_any(text, &LANGUAGES) && words(text) <= OF_LANGUAGE;
    let follows = first == "follow" && has_any(text, &GUIDES);
    if stays
        || begins_any(text, LASTING)
        || of_all
        || answers
        || follows
        || DONE.contains(&first) && has_any(text, EACH_TIME)
    {
        return Some(Order::Duty);
    }
    let limits = has_any(text, &LIMITS) && has_number && words(text) <= LIMITING && first != "it";
    let places = has_any(text, &PLACES) && has_words(text, "not");
    let ours = begins(text, "we use") && has_words(text, "not");
    let general = (first == "use" || begins(text, "we use")) && has_any(text, &EVERYWHERE);
    (limits || places || ours || general || names_a_choice(text)).then_some(Order::Wish)
}

/// Whether it says in a few words what to use: “Use British spelling.”
fn names_a_choice(text: &str) -> bool {
    let mut all = text.split_whitespace();
    let of_number = || has_digit(text);
    let chooses = match all.next() {
        Some("use") => true,
        Some("target") => of_number(),
        _ => false,
    };
    chooses && all.next().is_some_and(|next| !AT_HAND.contains(&next)) && words(text) <= BRIEF
}

#[cfg(test)]
mod tests {
    use super::{Order, order};

    #[test]
    fn orders_for_good_are_known_by_their_mood() {
        for text in [
            "ask me before you install anything.",
            "leave the migrations alone.",
            "leave src/board alone: others own it.",
            "stay on the branch dev.",
            "stick to the standard library.",
            "hold off on the ferry.",
            "talk to me in dutch.",
            "follow the guidelines of pier.md exactly.",
            "every public function gets a docstring.",
            "run the tests before each commit.",
            "please work in small steps and show me each diff.",
            "lass die tests vor jedem commit laufen.",
        ] {
            assert_eq!(order(text), Some(Order::Duty), "{text}");
        }
        for text in [
            "lines have at most 80 columns.",
            "we use pnpm here, not npm.",
            "passwords go into the vault, not into the config.",
            "target node 20.",
            "use tabs, we use tabs everywhere.",
            "use british spelling.",
        ] {
            assert_eq!(order(text), Some(Order::Wish), "{text}");
        }
        for text in [
            "the tests fail after each build.",
            "tests fail before every commit.",
            "use the second one.",
            "follow the link to the rest.",
            "shall we leave it alone?",
            "leave the harbour at noon.",
            "every lamp of the pier has a number.",
            "it needs at least a day.",
            "each request gets a 404",
            "use after free in parser.c",
            "target element not found",
            "commit messages are in git log.",
            "crash after every login.",
            "every time i click save it crashes.",
            "build takes at most 3 minutes on ci.",
            "we use redis here and it breaks.",
            "work in src/ was lost.",
            "answer in the docs is wrong.",
            "leave request form is unchanged but broken.",
            "write in the log what happened in this run.",
            "leave it alone.",
            "leave a note: the file is unchanged.",
            "stay on page after submit does not work.",
        ] {
            assert_eq!(order(text), None, "{text}");
        }
    }
}
