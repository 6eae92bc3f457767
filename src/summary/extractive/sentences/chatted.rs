//! Sentences of a chat that are no instructions: what takes its object from elsewhere, tells of the speaker's own deed,
//! opens a talk, or asks about a wording.

use super::cues::lower;
use super::musing::is_past;
use crate::summary::text::{each_word, has_least, has_most, starts_any, words};

/// Beginnings of what is not wanted, and words that stand for it without naming it.
const UNWANTED: [&str; 8] = [
    "i don't want ",
    "i dont want ",
    "i do not want ",
    "we don't want ",
    "we dont want ",
    "we do not want ",
    "i don't need ",
    "i dont need ",
];
const UNNAMED: [&str; 11] = ["any", "either", "it", "more", "of", "that", "them", "these", "this", "those", "anymore"];

/// Pasts of what a speaker did, and of what a speaker says to the agent.
const DID: [&str; 19] = [
    "clicked", "did", "found", "gave", "got", "had", "made", "put", "ran", "read", "saw", "sent", "set", "took",
    "tried", "typed", "went", "wrote", "chose",
];
const SAID: [&str; 10] =
    ["asked", "decided", "explained", "mentioned", "needed", "ordered", "preferred", "requested", "told", "wanted"];
/// Words that bind the agent.
const BINDS: [&str; 14] = [
    "always", "don't", "dont", "ensure", "keep", "must", "need", "needs", "never", "not", "only", "please", "shall",
    "you",
];

/// Words before an offer to talk, its beginnings, and words that limit what is done then.
const BEFORE: [&str; 8] = ["but ", "hmm ", "now ", "ok ", "okay ", "so ", "well ", "wait "];
const LETS: [&str; 3] = ["let's ", "lets ", "let us "];
const TALKS: [&str; 14] = [
    "brainstorm",
    "chat ",
    "discuss",
    "go back and think",
    "just discuss",
    "just talk",
    "just think",
    "pause",
    "recap",
    "step back",
    "take a step back",
    "talk",
    "think",
    "zoom out",
];
const LIMITS: [&str; 8] = ["always", "before", "each", "every", "first", "never", "only", "unless"];

/// First words of a question about a wording, names of wordings, words that judge one, and words that may stand beside
/// those: others would name what has the wording.
const ASKS: [&str; 7] = ["are", "does", "how", "is", "what", "would", "right"];
const WORDINGS: [&str; 8] = ["phrased", "phrasing", "sentence", "spelling", "title", "worded", "wording", "text"];
const JUDGES: [&str; 12] =
    ["best", "better", "clear", "clearer", "correct", "fine", "good", "nicer", "okay", "proper", "right", "well"];
const BESIDE: [&str; 18] = [
    "a", "about", "be", "for", "here", "i", "it", "its", "now", "of", "ok", "that", "the", "then", "this", "to", "use",
    "your",
];
/// Maximum number of words of such a question.
const FEW: usize = 9;

/// Whether a sentence says that something is not wanted, but not what: “I don't want those..”
pub(in crate::summary::extractive) fn wants_unnamed(sentence: &str) -> bool {
    let lower = lower(sentence);
    let rest = UNWANTED.iter().find_map(|start| lower.strip_prefix(start));
    rest.is_some_and(|rest| has_least(rest, 1) && each_word(rest).all(|word| UNNAMED.contains(&word)))
}

/// Whether a lower-case sentence tells what the speaker did as something said that the speaker should: “I wrote in the
/// word that I should search for.”
pub(super) fn did_as_due(lower: &str) -> bool {
    let Some(rest) = lower.strip_prefix("i ") else { return false };
    let Some((deed, due)) = rest.split_once("i should ") else { return false };
    let verb = each_word(deed).next().unwrap_or_default();
    let did = DID.contains(&verb) || is_past(verb) && !SAID.contains(&verb);
    let orders = |text: &str| text.contains("should") || each_word(text).any(|word| BINDS.contains(&word));
    did && !orders(deed) && !orders(due)
}

/// Whether a lower-case sentence only offers to talk or think: “Let's take a step back and think about the days.”
pub(super) fn opens_thought(lower: &str) -> bool {
    let text = BEFORE.iter().fold(lower, |text, word| text.strip_prefix(word).unwrap_or(text));
    let talk = LETS.iter().find_map(|start| text.strip_prefix(start));
    let limits = || each_word(lower).any(|word| LIMITS.contains(&word) || word.ends_with("n't"));
    talk.is_some_and(|talk| starts_any(talk, &TALKS)) && !limits()
}

/// Whether a sentence asks whether the words before it are well chosen: “Is that the right wording?”
pub(in crate::summary::extractive) fn asks_about_wording(sentence: &str) -> bool {
    let lower = lower(sentence);
    let all = || each_word(&lower);
    let knows = |word: &str| {
        ASKS.contains(&word) || WORDINGS.contains(&word) || JUDGES.contains(&word) || BESIDE.contains(&word)
    };
    let names = || all().any(|word| WORDINGS.contains(&word));
    let reads = || lower.contains(" sound ") || lower.contains(" read ");
    let judges = all().any(|word| JUDGES.contains(&word));
    let asks = all().next().is_some_and(|first| ASKS.contains(&first));
    has_most(&lower, FEW)
        && asks
        && judges
        && (names() && all().all(knows)
            || reads() && all().all(|word| knows(word) || ["read", "sound"].contains(&word)))
        && words(&lower) > 2
}

#[cfg(test)]
mod tests {
    use super::super::rules::{instruction_strength, is_of_the_moment, is_rule};
    use super::*;

    #[test]
    fn a_wish_without_its_object_says_nothing() {
        for text in
            ["i dont want those..", "I don't want that.", "i dont need any of them", "We don't want this anymore."]
        {
            assert!(wants_unnamed(text), "{text}");
        }
        for text in
            ["I don't want that in the log.", "i dont want abstract..", "I don't want it to push.", "I don't want"]
        {
            assert!(!wants_unnamed(text), "{text}");
        }
    }

    #[test]
    fn what_the_speaker_did_binds_nobody() {
        for text in [
            "i wrote in the word that I should search for.",
            "I clicked the lamp that I should light first.",
            "I read what I should pay for the ferry.",
        ] {
            assert_eq!(instruction_strength(text), None, "{text}");
        }
        for text in [
            "I told you that I should see a list.",
            "I wanted a page where I should see the ferries.",
            "I saw what I should pay, you should never hide it.",
            "I should be able to sort the ferries.",
            "I wrote what I should search for, please keep it short and never guess.",
        ] {
            assert!(instruction_strength(text).is_some(), "{text}");
        }
    }

    #[test]
    fn an_offer_to_talk_is_over_with_its_request() {
        for text in [
            "lets take a step back and think about the day to day workflow..problems people have",
            "Ok let's talk about the lamps of the pier.",
            "let's brainstorm what else the harbour needs",
        ] {
            assert!(is_of_the_moment(text) && !is_rule(text), "{text}");
        }
        for text in
            ["let's discuss each change before you make it", "let's use oil for the lamps", "lets keep it short"]
        {
            assert!(!opens_thought(text), "{text}");
        }
    }

    #[test]
    fn a_question_about_a_wording_names_nothing_else() {
        for text in [
            "is the right wording",
            "Is that the right wording?",
            "is this phrased well?",
            "How does that sound now, better?",
            "would this be a good title?",
        ] {
            assert!(asks_about_wording(text), "{text}");
        }
        for text in [
            "Is the wording of the README right?",
            "Is the text of the lamp clear enough?",
            "Is this right?",
            "The wording is right.",
            "Use the right wording.",
        ] {
            assert!(!asks_about_wording(text), "{text}");
        }
    }
}
