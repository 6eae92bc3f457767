//! The options that a user's question brings along, as in a quiz: “Which lamp? A) the red one B) the blue one”. They
//! are not the agent's points.

use crate::summary::extractive::words::NAMING;

/// Number of words that the question before its options must exceed.
const LEAST_STEM: usize = 2;
/// Number of letters that can mark options.
const LETTERS: u8 = 26;
/// Signs at the end of a question.
const ASKS: [char; 3] = ['?', '？', '؟'];

/// Whether a text brings the options of its own question.
pub(super) fn defines_points(text: &str) -> bool {
    starts(text).len() > 1
}

/// Where the options of a text begin, in order.
fn starts(text: &str) -> Vec<usize> {
    let (mut found, mut between, mut before) = (Vec::new(), 0, "");
    for line in text.lines() {
        let mut words = line.split_whitespace().peekable();
        let mut first = true;
        while let Some(word) = words.next() {
            let labelled = words.peek().is_none() && {
                let label = before.trim_matches(|char: char| !char.is_alphanumeric()).to_lowercase();
                NAMING.contains(&&*label)
            };
            let opens =
                !found.is_empty() || labelled || first || before.ends_with(ASKS) || before.ends_with([':', '.', '：']);
            let marked = labelled || word.ends_with([')', '.', ':']);
            let enough = between > if found.is_empty() { LEAST_STEM } else { 0 };
            if marked && opens && enough && is_sign(word, found.len()) {
                let first = if labelled { before } else { word };
                found.push(first.as_ptr() as usize - text.as_ptr() as usize);
                between = 0;
            } else {
                between += 1;
            }
            (before, first) = (word, false);
        }
    }
    // Without words behind it, the last mark is no option.
    found.truncate(if between == 0 { 0 } else { found.len() });
    found
}

/// Whether a word is the mark at a position of a list, from 0: “A)”, “1.”.
fn is_sign(word: &str, place: usize) -> bool {
    let core = word.trim_matches(|char: char| !char.is_alphanumeric());
    let letter =
        |place: u8| place < LETTERS && core.len() == 1 && core.as_bytes()[0].to_ascii_uppercase() == b'A' + place;
    core.parse() == Ok(place + 1) || u8::try_from(place).is_ok_and(letter)
}
