//! Finds many phrases in one pass over a sentence: by their first word, or anywhere in scripts without spaces.

use super::cues::begins;
use crate::summary::text::has_dense;
use foldhash::HashMap;

/// A phrase, the number of its list, and its strength.
pub(super) type Cue = (&'static str, usize, i64);

/// `LISTS` lists of phrases that are searched at once.
pub(in crate::summary::extractive) struct Phrases<const LISTS: usize> {
    /// Phrases by their first word.
    spaced: HashMap<&'static str, Vec<Cue>>,
    dense: Vec<Cue>,
}

impl<const LISTS: usize> Phrases<LISTS> {
    /// Indexes the lists; phrases are in lower case.
    pub(in crate::summary::extractive) fn new(cues: impl Iterator<Item = Cue>) -> Self {
        let mut phrases = Self { spaced: HashMap::default(), dense: Vec::new() };
        for cue in cues.filter(|(_, list, _)| *list < LISTS) {
            if has_dense(cue.0) {
                phrases.dense.push(cue);
            } else {
                let first = words(cue.0).next().map_or(cue.0, |(_, word)| word);
                phrases.spaced.entry(first).or_default().push(cue);
            }
        }
        phrases
    }

    /// By list, the sum of the strengths of its phrases in a lower-case text; each phrase counts once.
    pub(in crate::summary::extractive) fn strengths(&self, text: &str) -> [i64; LISTS] {
        let mut found: Vec<&Cue> = Vec::new();
        for (at, word) in words(text) {
            for cue in self.spaced.get(word).into_iter().flatten() {
                if stands_at(text, at, cue.0) && !found.contains(&cue) {
                    found.push(cue);
                }
            }
        }
        if has_dense(text) {
            found.extend(self.dense.iter().filter(|(phrase, _, _)| text.contains(phrase)));
        }
        let mut sums = [0; LISTS];
        found.iter().for_each(|(_, list, strength)| sums[*list] += strength);
        sums
    }
}

/// Whether a phrase occurs at an offset and ends at the end of a word.
fn stands_at(text: &str, at: usize, phrase: &str) -> bool {
    let rest = text[at..].strip_prefix(phrase);
    rest.is_some_and(|rest| !rest.starts_with(|char: char| char.is_alphanumeric()))
}

/// The words of a text (runs of letters and digits) with their offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut at, is_ascii) = (0, text.is_ascii());
    // Bytes need not be decoded.
    let find = move |from: usize, inner: bool| {
        if is_ascii {
            text.as_bytes()[from..].iter().position(|byte| byte.is_ascii_alphanumeric() == inner)
        } else {
            text[from..].find(|char: char| char.is_alphanumeric() == inner)
        }
    };
    std::iter::from_fn(move || {
        let start = at + find(at, true)?;
        at = find(start, false).map_or(text.len(), |end| start + end);
        Some((start, &text[start..at]))
    })
}

/// Phrases indexed by their first byte, for fast prefix checks.
pub(super) struct Openings([Vec<&'static str>; 256]);

impl Openings {
    pub(super) fn new(lists: &[&[&'static str]]) -> Self {
        let mut by_byte = [const { Vec::new() }; 256];
        for phrase in lists.iter().copied().flatten() {
            by_byte[usize::from(phrase.as_bytes()[0])].push(*phrase);
        }
        Self(by_byte)
    }

    /// Whether a text begins with one of them.
    pub(super) fn begin(&self, text: &str) -> bool {
        let first = text.as_bytes().first();
        first.is_some_and(|first| self.0[usize::from(*first)].iter().any(|start| begins(text, start)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_whole_words_and_count_once() {
        let phrases = Phrases::<2>::new([("don't", 0, 3), ("make sure", 1, 2), ("不要", 1, 5)].into_iter());
        assert_eq!(phrases.strengths("please don't, really don't; make sure."), [3, 2]);
        assert_eq!(phrases.strengths("makes sure of a don"), [0, 0]);
        assert_eq!(phrases.strengths("请不要修改"), [0, 5]);
    }
}
