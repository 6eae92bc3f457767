//! Changed numbers, found by the words around them: a line of a summary has the words of the source around a number,
//! but the source has only other numbers there.

use super::{SourceText, pattern};
use crate::summary::starts_any;
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Number of words before a number that are compared, and of those after it.
const BEFORE: usize = 3;
const BEHIND: usize = 2;
/// Least number of words with letters around a number: fewer surround many numbers.
const LEAST: usize = 3;

static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+(?:\.\d+)*"));
/// A number at the beginning of a text.
static LEADING: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\d+(?:\.\d+)*"));
static LETTERS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\p{L}{2,}"));

/// Returns the numbers of a line, with their byte offsets, for which the source has only other numbers in the same
/// words.
pub(super) fn changed<'t>(line: &'t str, source: &SourceText<'_>) -> Vec<(usize, &'t str)> {
    let all = NUMBER.find_iter(line).filter(|found| stands_alone(line, found.range()));
    let wrong = all.filter(|found| {
        let around = Around::of(line, found.range());
        around.is_some_and(|around| around.differs(found.as_str(), source))
    });
    wrong.map(|found| (found.start(), found.as_str())).collect()
}

/// Whether a number is no piece of a word, not cut off, and not a count by the summarizer itself (`4×`, `and 12 more`).
fn stands_alone(line: &str, found: Range<usize>) -> bool {
    let (before, after) = (&line[..found.start], &line[found.end..]);
    let inside = |letter: char| letter.is_alphanumeric() || letter == '_';
    let counted = starts_any(after, &["×", "…", ".…", " more", " tokens"]);
    !before.ends_with(inside) && !after.starts_with(inside) && !counted
}

/// The words around a number.
struct Around<'t> {
    before: &'t str,
    behind: &'t str,
}

impl<'t> Around<'t> {
    /// The words around a number; `None` if they are too few to compare, or the number begins the line (an item's
    /// number).
    fn of(line: &'t str, number: Range<usize>) -> Option<Self> {
        let (before, behind) = (&line[..number.start], &line[number.end..]);
        let start = before.rmatch_indices(' ').filter(|(at, _)| at + 1 < before.len()).nth(BEFORE - 1);
        let before = &before[start.map_or(0, |(at, _)| at + 1)..];
        let behind = behind.split_once('…').map_or(behind, |(whole, _)| whole.rsplit_once(' ').map_or("", |cut| cut.0));
        let end =
            behind.match_indices(' ').filter(|(at, _)| *at > 0).nth(BEHIND - usize::from(!behind.starts_with(' ')));
        let behind =
            behind[..end.map_or(behind.len(), |(at, _)| at)].trim_end_matches([' ', '.', ',', ';', ':', '*', '`']);
        let words = LETTERS.find_iter(before).count() + LETTERS.find_iter(behind).count();
        (before.trim().len() > 1 && words >= LEAST && !before.contains('…')).then_some(Self { before, behind })
    }

    /// Whether the source has these words, and only around other numbers.
    fn differs(&self, number: &str, source: &SourceText<'_>) -> bool {
        let mut other = false;
        let (before, behind) = (without_marks(self.before), without_marks(self.behind));
        for rest in source.behind(&before) {
            let found = LEADING.find(rest).filter(|found| rest[found.end()..].starts_with(&behind));
            match found {
                Some(found) if found.as_str() == number => return false,
                Some(_) => other = true,
                None => {}
            }
        }
        other
    }
}

/// A text without the marks of emphasis and code, which a summary may leave out.
pub(super) fn without_marks(text: &str) -> String {
    text.replace(is_mark, "")
}

pub(super) fn is_mark(letter: char) -> bool {
    matches!(letter, '*' | '`')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::source::on_said;

    fn found(source: &str, line: &str) -> Vec<String> {
        on_said(source, |source| changed(line, source).into_iter().map(|(_, number)| number.to_owned()).collect())
    }

    const SOURCE: &str = "The gauge table in src/tides.rs:41 has 12 rows for\n  each harbour, and lines 60-75 write them.\n\
        The mole is about **7.5 metres** high; the quay is about 3 metres high. Harbour 2 has 7 rows.";

    #[test]
    fn the_same_words_give_another_number() {
        for (line, number) in [
            ("The gauge table in src/tides.rs:43 has 12 rows for each harbour", "43"),
            ("gauge table in src/tides.rs:41 has 13 rows for each harbour.", "13"),
            ("and lines 60-77 write them", "77"),
            ("and lines 60-12 write them", "12"),
            ("The mole is about 3 metres high", "3"),
        ] {
            assert_eq!(found(SOURCE, line), [number], "{line}");
        }
    }

    #[test]
    fn the_same_number_in_any_of_the_places_is_right() {
        for line in [
            "The gauge table in src/tides.rs:41 has 12 rows for each harbour, and lines 60-75 write them.",
            "The mole is about 7.5 metres high",
            "The gauge table in src/tides.rs:4… has rows",
            "14 rows stand in each of the tables",
            "The gauge table in src/tides.rs:41 has 13× rows for each harbour",
            "The quay is 9 metres wide",
        ] {
            assert_eq!(found(SOURCE, line), Vec::<String>::new(), "{line}");
        }
        let both = "Harbour master reads 3 tables of rows. Harbour master reads 4 tables of rows.";
        assert_eq!(found(both, "Harbour master reads 3 tables of rows"), Vec::<String>::new());
        assert_eq!(found("Ärger mit 3 Türmen am Hafen", "Ärger mit 4 Türmen am Hafen"), ["4"]);
    }
}
