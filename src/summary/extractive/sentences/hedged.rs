//! Sentences of the user with a wish that is no rule: doubts, answers, and what the user needs at the moment.

use super::chatted::opens_thought;
use super::cues::{begins, begins_any};
use super::rules::is_short_ban;
use crate::summary::extractive::words::URGENT;
use crate::summary::text::{each_word, ends_any, has_any, has_digit, has_words, starts_any, words};

/// Words of a doubt.
const WAVERS: [&str; 6] = ["maybe", "perhaps", "vielleicht", "peut-être", "quizás", "talvez"];
/// Questions inside a sentence.
const ASKS: [&str; 6] = ["shouldn't we", "shouldnt we", "shouldn't it", "wait why", "wait, why", "or should we"];
/// Beginnings of an answer.
const ANSWERS: [&str; 4] = ["no, ", "nope, ", "yes, ", "yeah, "];
/// Words of an answer that lasts, and of one that says what to do instead.
const LASTS: [&str; 3] = ["always", "never", "from now on"];
const CORRECTS: [&str; 5] = ["instead", "keep", "rather", "stay", "we want"];
/// Beginnings of an account, of what the user does, and of thanks.
const TELLS: [&str; 17] = [
    "i may need",
    "i might need",
    "i probably need",
    "i appreciate",
    "i don't have",
    "i have a feeling",
    "i noticed",
    "i really appreciate",
    "i was",
    "let me try",
    "actually, it looks like",
    "actually it looks like",
    "no one told me",
    "nobody told me",
    "es sieht so aus",
    "parece que",
    "похоже",
];
/// Words of a wish behind an account: “I noticed long notes, please keep them short.”
const WISHES: [&str; 4] = ["bitte", "please", "you must", "you should"];
/// Beginnings of a sentence about what the user needs, and of a plea for help.
const NEEDS: [&str; 12] = [
    "i need to",
    "i just need to",
    "i really need to",
    "i have to",
    "i had",
    "i've been",
    "can you help",
    "could you help",
    "can you please help",
    "could you please help",
    "please help",
    "i'd prefer that",
];
/// Such needs beside what else is told.
const OWN_NEEDS: [&str; 4] = ["and i need to", "and need to", "because i need", "so i need to"];
/// Words of politeness.
const POLITE: [&str; 8] =
    ["please", "pls", "bitte", "por favor", "s'il te plaît", "s'il vous plaît", "пожалуйста", "proszę"];
/// Words with which it limits the work all the same.
const LIMITS: [&str; 11] =
    ["always", "avoid", "before", "except", "max", "must", "never", "not", "only", "unless", "without"];
/// Last words that only point at something.
const POINTS: [&str; 4] = ["it", "that", "them", "this"];
/// Beginnings of a sentence that picks something that only the one before it names.
const PICKS: [&str; 5] = [
    "i'd like that one",
    "i'd prefer that one",
    "i would like that one",
    "i want that one",
    "i'd rather have that one",
];
/// Ends of a sentence that only leaves something as it is.
const LEAVES: [&str; 4] = ["let's keep it", "let's keep that", "let's keep them", "let's keep this"];
/// Maximum number of words of such a sentence, and words with which it is more.
const BRIEF: usize = 10;
const BINDS: [&str; 8] = ["always", "avoid", "must", "never", "no", "not", "only", "without"];
/// Maximum number of words of a sentence that ends with one of [`POINTS`].
const FEW: usize = 4;
/// Acts toward others that a ban forbids until they are ordered: “Don't book anything yet.”
const OUTWARD: [&str; 8] = ["book", "buy", "call", "cancel", "order", "pay", "send", "submit"];
const BANS: [&str; 3] = ["don't", "dont", "do not"];

/// Whether a lower-case sentence with no more than a wish doubts or answers.
pub(super) fn hedges(lower: &str) -> bool {
    // “Perhaps we should …” still wishes.
    let doubts = has_any(lower, &WAVERS) && !has_words(lower, "should");
    let answers = starts_any(lower, &ANSWERS);
    let orders = || has_any(lower, &LASTS) || lower.starts_with("no") && has_any(lower, &CORRECTS);
    let tells = begins_any(lower, &TELLS);
    doubts || answers && !orders() || tells && !has_any(lower, &WISHES)
}

/// Whether a sentence asks in its midst, or ends in a mere “right”.
pub(super) fn asks_inside(lower: &str) -> bool {
    let end = lower.trim_end_matches(['.', '!', ' ']);
    has_any(lower, &ASKS)
        || [" right", "…right"].iter().any(|tag| end.strip_suffix(tag).is_some_and(|before| has_any(before, &WAVERS)))
}

/// Whether it only agrees with what was said before, or picks of it: “I'd prefer that.”, “I'd like that one instead.”,
/// “Let me keep the red ones.”
pub(super) fn points_back(lower: &str) -> bool {
    let last = each_word(lower).next_back().unwrap_or_default();
    let picks = words(lower) <= FEW + 2 && starts_any(lower, &PICKS);
    let leaves = || lower.starts_with("let me keep ") || ends_any(lower.trim_end_matches(['.', '!', ' ']), &LEAVES);
    let keeps = words(lower) <= BRIEF && leaves() && !has_any(lower, &BINDS) && !lower.contains("n't");
    picks
        || keeps
        || words(lower) <= FEW && lower.starts_with("i") && has_words(lower, "prefer") && POINTS.contains(&last)
}

/// Whether it says what the user needs, or asks for help, and neither limits nor counts anything.
pub(super) fn only_needs(lower: &str) -> bool {
    let needs = || NEEDS.iter().chain(&TELLS).any(|start| begins(lower, start)) || has_any(lower, &OWN_NEEDS);
    needs() && !limits(lower) || has_any(lower, URGENT) && !has_limit(lower)
}

/// Whether an order is only polite, or an offer to talk: nothing but “please” or “let's” makes it weigh anything.
pub(super) fn is_only_polite(lower: &str, weight: i64) -> bool {
    weight <= 1 && (has_any(lower, &POLITE) && !limits(lower) || opens_thought(lower))
}

/// Whether it limits or counts something.
fn limits(lower: &str) -> bool {
    has_limit(lower) || has_digit(lower)
}

/// Whether it has a word that limits something.
fn has_limit(lower: &str) -> bool {
    each_word(lower).any(|word| LIMITS.contains(&word) || word.ends_with("n't"))
}

/// Whether it forbids an act toward others: “don't send it yet”.
pub(super) fn forbids_outward(lower: &str) -> bool {
    let mut said = BANS.iter().filter(|ban| lower.contains(**ban));
    said.any(|ban| OUTWARD.iter().any(|verb| has_words(lower, &format!("{ban} {verb}"))))
}

/// Whether a sentence that binds little only goes on from what was said, and trails off: “but let's do what we can…”
pub fn trails_off(sentence: &str) -> bool {
    let lower = sentence.get(..4).unwrap_or_default().to_lowercase();
    let goes_on = starts_any(&lower, &["but ", "buu", "well", "so "]);
    goes_on && (sentence.ends_with('…') || sentence.ends_with("...")) && !is_short_ban(sentence, usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::rules::{instruction_strength, is_of_the_moment, is_rule};
    use super::*;

    #[test]
    fn doubts_and_answers_are_no_rules() {
        for told in [
            "maybe it is better to use a red lamp instead",
            "wait why are the maps in their own folder shouldn't we have them here",
            "since the map leads to the old quay perhaps we don't need it there right",
            "No, the lamp should be red.",
            "I appreciate your help, but it's really important for me to see the quay.",
            "I'd prefer that",
            "Actually, it looks like the second cheapest lamp is only one of those that burn.",
            "Nobody told me about the toll, it should be free.",
            "leave it alone.",
        ] {
            assert!(!is_rule(told), "{told}");
        }
        for rule in
            ["Maybe you know this, but never paint the quay.", "No, don't touch the lamp.", "I'd prefer red lamps."]
        {
            assert!(is_rule(rule), "{rule}");
        }
        assert_eq!(instruction_strength("I'd prefer that."), None);
        assert_eq!(instruction_strength("I'd like that one instead."), None);
        assert!(instruction_strength("I'd like that one instead of the lamp in each of the rooms.").is_some());
    }

    #[test]
    fn what_the_user_notices_is_over_with_the_request() {
        for told in [
            "I noticed a rule by which only one lamp may burn at the pier.",
            "I don’t have the number of the ferry, but I’m sure we can go on without it.",
            "i have a feeling you need to read the log of the quay to do this well",
            "let me try the light of the pier, then we should be good to go",
            "I probably need at least 1 lamp to get through the night.",
        ] {
            assert!(is_of_the_moment(told), "{told}");
        }
        assert!(is_rule("I noticed the new lamps, and you must never touch them."));
        assert!(!is_of_the_moment("I noticed that you write long notes, please keep them short."));
    }

    #[test]
    fn an_answer_that_lasts_or_corrects_is_an_order() {
        for order in ["no, i'd rather keep the old pier stable.", "no, use red lamps instead", "yes, always ask me"] {
            assert!(!hedges(order), "{order}");
        }
        assert!(hedges("yes, keep going") && hedges("no, i want that"));
    }

    #[test]
    fn needs_limit_nothing_unless_they_say_so() {
        assert!(
            only_needs("i need to cancel because the ferry is late")
                && only_needs("can you help me with that, please?")
                && only_needs("i want to get this mended right away, in 30 minutes we row out")
                && only_needs("i row to the island and need to read my letters there")
        );
        assert!(!only_needs("i need this right away, only with red lamps"));
        assert!(!only_needs("i need to be asked before you book") && !only_needs("i want to pay only by card"));
    }

    #[test]
    fn an_act_toward_others_stays_forbidden() {
        assert!(is_rule("Don't book anything yet.") && !is_rule("Don't paint anything yet."));
    }
}
