//! Ids that are cut from longer ones with dashes: `RC-2026` of `RC-2026-551902`.

use super::reading::runs;
use crate::summary::text::has_digit;
use foldhash::{HashMap, HashSet};

/// Maximum length of an id with dashes, in bytes.
const LONGEST: usize = 48;
/// Maximum number of words of an id; longer runs are no ids.
const WORDS: usize = 12;

/// Maximum number of longer ids that are named for one that is a part of them.
const SEVERAL: usize = 2;

/// The ids of capitals and digits in a text, each also as a pair of words with a dash between them.
#[derive(Default)]
pub(super) struct Dashed<'t> {
    /// Those that stand alone.
    pub(super) alone: HashSet<&'t str>,
    /// Those inside a longer one, with the first longer ones, at most [`SEVERAL`].
    pub(super) inside: HashMap<&'t str, Vec<&'t str>>,
}

impl<'t> Dashed<'t> {
    /// Reads a text.
    pub(super) fn of(text: &'t str) -> Self {
        let mut all = Self::default();
        for run in runs(text, |byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte)) {
            // The letter of an escape: `\nRC-2026`.
            let is_escaped = text[..run.start].ends_with('\\') && text[run.clone()].starts_with(['n', 'r', 't']);
            let own = &text[run.start + usize::from(is_escaped)..run.end];
            if own.bytes().any(|byte| byte.is_ascii_uppercase()) && has_digit(own) {
                all.read(own);
            }
        }
        all
    }

    /// Adds the ids of one run of letters, digits and dashes.
    fn read(&mut self, run: &'t str) {
        let mut words: Vec<(usize, usize)> = Vec::new();
        for word in run.split('-').take(WORDS + 1) {
            let from = words.last().map_or(0, |(_, end)| end + 1);
            words.push((from, from + word.len()));
        }
        if words.len() > WORDS {
            return;
        }
        for first in 0..words.len() {
            for last in first..words.len().min(first + 2) {
                let own = &run[words[first].0..words[last].1];
                let from = words[..first].iter().rev().take_while(|word| is_of_id(&run[word.0..word.1])).last();
                let to = words[last + 1..].iter().take_while(|word| is_of_id(&run[word.0..word.1])).last();
                if from.is_none() && to.is_none() {
                    self.alone.insert(own);
                } else {
                    let (from, to) = (from.unwrap_or(&words[first]).0, to.unwrap_or(&words[last]).1);
                    add(self.inside.entry(own).or_default(), &run[from..to]);
                }
            }
        }
    }
}

/// Adds an id to those that one is a part of; further ones than the first are left out.
pub(super) fn add<T: PartialEq>(all: &mut Vec<T>, longer: T) {
    if all.len() < SEVERAL && !all.contains(&longer) {
        all.push(longer);
    }
}

/// Whether an id is short enough to be named.
pub(super) fn is_short(id: &str) -> bool {
    id.len() <= LONGEST
}

/// Whether a word beside a dash is of an id: it has a digit, or only capitals.
fn is_of_id(word: &str) -> bool {
    let has_digit = has_digit(word);
    has_digit || !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_alone_or_inside_a_longer_one() {
        let read = Dashed::of("RC-2026-551902, BW-HH-553120, CL-904417-B and PIER-12-lamp, \\nKR-77-1 LX-55.");
        let inside = ["RC-2026", "HH-553120", "CL-904417", "KR-77"].map(|id| read.inside[id].as_slice());
        let longer = ["RC-2026-551902", "BW-HH-553120", "CL-904417-B", "KR-77-1"];
        assert_eq!(inside, longer.each_ref().map(std::slice::from_ref));
        let read = Dashed::of("TO-2501-88, TO-2501-89, TO-2501-88 and TO-2501-90");
        assert_eq!(read.inside["TO-2501"], ["TO-2501-88", "TO-2501-89"]);
        let read = Dashed::of("PIER-12-lamp and LX-55");
        assert!(["PIER-12", "LX-55"].iter().all(|id| read.alone.contains(id) && !read.inside.contains_key(id)));
    }
}
