//! Short names with a number that the source has only with another number: `python4` for `python3`.

use super::lines::claims;
use super::named::Named;
use super::{SourceText, pattern};
use crate::facts::extract;
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// A word of letters and digits that begins with a letter.
static WORD: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[A-Za-z]{1,12}\d{1,4}(?:[A-Za-z]{1,12}\d{0,4})?\b"));
/// Digits of a word.
static DIGITS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+"));
/// Least number of letters of a word that a summary hardly numbers by itself, as it does `step2`, `H1` and `T3`.
const LETTERS: usize = 4;
/// Words with which a summary numbers things.
const NUMBERING: [&str; 16] = [
    "agent", "attempt", "case", "fase", "file", "item", "option", "part", "phase", "round", "section", "stage", "step",
    "task", "test", "version",
];
/// Most words of a summary that are looked up, so that the time is linear.
const MOST: usize = 256;

/// Returns the names that the source has with other numbers only. Those with few letters are doubtful.
pub fn misnumbered(text: &str, source: &SourceText<'_>) -> Vec<Named> {
    let words = claims(text).flat_map(|line| {
        let words =
            WORD.find_iter(line.text).filter(|word| is_alone(line.text, word.range())).map(|word| word.as_str());
        let words: Vec<&str> = words.collect();
        // A fact is judged as one.
        let facts = if words.is_empty() { BTreeSet::new() } else { extract(line.text) };
        let told = words.into_iter().filter(|word| !facts.iter().any(|fact| fact.value.contains(*word)));
        told.map(|word| (line.number, word)).collect::<Vec<_>>()
    });
    let misnumbered = words.take(MOST).filter(|(_, word)| !has(word, source) && has_otherwise(word, source));
    let named = |(line, word): (usize, &str)| {
        let letters: String = word.chars().filter(char::is_ascii_alphabetic).collect();
        let doubtful = letters.len() < LETTERS || NUMBERING.contains(&letters.to_lowercase().as_str());
        Named { line, text: word.to_owned(), what: "a name with a number", doubtful }
    };
    misnumbered.map(named).collect()
}

/// Whether a word is no part of a longer name, a path or an address.
fn is_alone(line: &str, word: std::ops::Range<usize>) -> bool {
    let glued = |sign: char| "_-/.#:@%=&+…".contains(sign);
    let behind = &line[word.end..];
    let ends = behind.starts_with(['.', ':']) && !behind[1..].starts_with(|sign: char| sign.is_alphanumeric());
    !line[..word.start].ends_with(glued) && (ends || !behind.starts_with(glued))
}

/// Whether the source has a word, also with a sign between its letters and digits: `SHA-512` for `sha512`.
fn has(word: &str, source: &SourceText<'_>) -> bool {
    let lower = word.to_lowercase();
    let at = lower.find(|sign: char| sign.is_ascii_digit()).unwrap_or(lower.len());
    let apart = |sign: &str| format!("{}{sign}{}", &lower[..at], &lower[at..]);
    ["", " ", "-", "_"].iter().any(|sign| source.has_in_any_case(&apart(sign)))
}

/// Whether the source has the letters of a word around other digits.
fn has_otherwise(word: &str, source: &SourceText<'_>) -> bool {
    let mut pieces = Vec::new();
    let mut rest = 0;
    for digits in DIGITS.find_iter(word) {
        pieces.push(regex::escape(&word[rest..digits.start()]));
        rest = digits.end();
    }
    pieces.push(regex::escape(&word[rest..]));
    let other = Regex::new(&format!(r"(?i-u:\b{}\b)", pieces.join(r"[0-9]{1,4}")));
    other.is_ok_and(|other| source.lines().any(|line| other.is_match(line)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::source::on_said;

    #[test]
    fn a_name_with_another_number_is_none_of_the_source() {
        on_said("Run python3 with Word2Vec and sha256 at Q3, see /quay/lamp9/x; step1 and v2.5 are old.", |source| {
            let found = |line: &str| {
                let all = misnumbered(&format!("## Discoveries\n- {line}"), source);
                all.into_iter().map(|one| (one.text, one.doubtful)).collect::<Vec<_>>()
            };
            assert_eq!(found("It runs python4."), [("python4".to_owned(), false)]);
            assert_eq!(
                found("`Word4Vec`, Q4 and step2."),
                [("Word4Vec".to_owned(), false), ("Q4".to_owned(), true), ("step2".to_owned(), true)]
            );
            for line in [
                "It runs Python3.",
                "It needs lamp 7 and oil20.",
                "sha256 of Q3",
                "utf8 and Pier7 are new",
                "x-python4",
                "python4.5",
            ] {
                assert_eq!(found(line), [], "{line}");
            }
        });
    }
}
