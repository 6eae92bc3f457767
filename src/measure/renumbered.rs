//! Tells whether a line states a sentence with another number: “under 80 lines” for “under 50 lines”, “port 8081” for
//! “port 8080”, “30 minutes” for “30 seconds”.

use super::constraints::content_words;
use super::pattern;
use super::units::time_of;
use regex::Regex;
use std::sync::LazyLock;

/// A number of its own with the words before and behind it.
static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:\b([A-Za-z]{4,})[ \t:=]+)?(?-u:\b)(\d+(?:[.,]\d+)*)(?:[ \t]?(%|[A-Za-z]+\b))?"));
/// A number with its neighbours, in lower case.
struct Figure {
    before: String,
    number: String,
    after: String,
}

impl Figure {
    fn all(text: &str) -> Vec<Self> {
        let lower = text.to_lowercase();
        let word = |found: Option<regex::Match<'_>>| found.map_or_else(String::new, |word| word.as_str().to_owned());
        let figures = NUMBER.captures_iter(&lower);
        figures
            .map(|one| Self { before: word(one.get(1)), number: word(one.get(2)), after: word(one.get(3)) })
            .collect()
    }

    /// Whether the other one counts the same: it has the same word behind it, or the same word with content before it.
    fn counts_as(&self, other: &Self) -> bool {
        let after = !self.after.is_empty()
            && (self.after == other.after
                || time_of(&self.after).is_some_and(|own| Some(own) == time_of(&other.after)));
        after || (self.before == other.before && !content_words(&self.before).is_empty())
    }
}

/// Whether a line has, in place of a number of a sentence, another one that counts the same, or the same number with
/// another unit of time.
pub fn is_renumbered(sentence: &str, line: &str) -> bool {
    let wanted = Figure::all(sentence);
    if wanted.is_empty() {
        return false;
    }
    let there = Figure::all(line);
    wanted.iter().any(|own| {
        let mut same = there.iter().filter(|one| one.number == own.number).peekable();
        match (same.peek(), time_of(&own.after)) {
            (None, _) => there.iter().any(|one| own.counts_as(one)),
            (Some(_), Some(time)) => same.all(|one| time_of(&one.after).is_some_and(|other| other != time)),
            (Some(_), None) => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_with_another_number_says_something_else() {
        for (sentence, line) in [
            ("Keep each lamp below 50 lines.", "- lamps: keep each below 80 lines"),
            ("Always use port 8080 for the harbour.", "always use port 8081 for the harbour"),
            ("Never wait more than 30 seconds for the ferry.", "never wait more than 30 minutes for the ferry"),
            ("Never wait more than 30s for the ferry.", "never wait more than 300 seconds for the ferry"),
            ("Keep coverage above 90%.", "keep coverage above 80%"),
        ] {
            assert!(is_renumbered(sentence, line), "{sentence} {line}");
            assert!(!is_renumbered(sentence, sentence), "{sentence}");
        }
    }

    #[test]
    fn the_same_number_and_other_counts_change_nothing() {
        for (sentence, line) in [
            ("Keep each lamp below 50 lines.", "keep each of the 3 lamps below 50 lines"),
            ("Never wait more than 30 seconds.", "never wait more than 30s (line 12)"),
            ("Never wait more than 30 seconds.", "never wait more than half a minute, 2 tries"),
            ("Use tabs of width 4 in all files.", "use tabs in all 12 files, 4 wide"),
            ("Use only tabs.", "use only tabs, 4 wide"),
        ] {
            assert!(!is_renumbered(sentence, line), "{sentence} {line}");
        }
    }
}
