//! Whether a plain sentence can stand alone: it is whole, says something, and leans on no other.

use super::cues::{is_field, leans, lower};
use super::farewells::is_farewell;
use super::offered::is_option;
use crate::summary::text::{is_dense, starts_any, words};

/// Fewest words, and fewest letters in a script without spaces.
const WORDS: usize = 7;
const LETTERS: usize = 14;
/// Most words of a label before a colon.
const LABEL: usize = 3;
/// First words that lean on the sentence before.
const LEANING: [&str; 30] = [
    "a",
    "again",
    "also",
    "and",
    "another",
    "both",
    "but",
    "either",
    "finally",
    "first",
    "he",
    "here",
    "however",
    "instead",
    "it",
    "just",
    "neither",
    "next",
    "nor",
    "or",
    "otherwise",
    "second",
    "she",
    "so",
    "then",
    "there",
    "they",
    "without",
    "worth",
    "yet",
];
/// Beginnings of courtesies, offers and pleas.
const COURTEOUS: [&str; 26] = [
    "as an ai",
    "certainly",
    "dear ",
    "feel free",
    "here ",
    "hope ",
    "i can ",
    "i could ",
    "i hope",
    "i'd be ",
    "i'll ",
    "i'm happy",
    "i'm here",
    "i'm sorry",
    "if you ",
    "let ",
    "of course",
    "once you",
    "please",
    "sorry",
    "sure",
    "thank",
    "when you ",
    "would you",
    "you can ",
    "you could ",
];
const ENDS: [char; 5] = ['.', '!', '。', '！', '।'];

/// Whether a sentence can stand alone.
pub(in crate::summary::extractive) fn stands(sentence: &str) -> bool {
    let lower = lower(sentence);
    let first = lower.split([' ', ',', '’', '\'']).next().unwrap_or_default();
    let long = words(sentence) >= WORDS || sentence.chars().filter(|char| is_dense(*char)).count() >= LETTERS;
    let leans = LEANING.contains(&first) || leans(sentence);
    let is_courteous = starts_any(&lower, &COURTEOUS) || is_farewell(sentence);
    let labeled = sentence.split_once(": ").is_some_and(|(label, _)| words(label) <= LABEL);
    long && sentence.ends_with(ENDS)
        && !labeled
        && !leans
        && !is_courteous
        && !is_field(sentence)
        && !is_option(sentence)
}

#[cfg(test)]
mod tests {
    use super::stands;

    #[test]
    fn whole_sentences_stand_alone() {
        for sentence in [
            "The ferry of the old pier carries forty people in the evening.",
            "Unfortunately, I cannot book the quay before the repairs end in May.",
            "剔除两家门店后，华东区环比下降百分之三点五三。",
        ] {
            assert!(stands(sentence), "{sentence}");
        }
        for sentence in [
            "Both are fair pushback.",
            "But my two new lamps pushed the pier over the limit.",
            "I hope this helps you to find the right quay!",
            "Airline cancelled flight",
            "Passenger Details: First name, last name, and date of birth for Ada.",
            "Option 2: the ferry leaves the pier at nine in the evening.",
            "You can customize this message as you like it to be.",
            "It is the one that the keeper wanted to have.",
        ] {
            assert!(!stands(sentence), "{sentence}");
        }
    }
}
