//! Finds texts and lines with one of many words, searching for all words at once.

use crate::summary::text::{has_words, replaced};
use aho_corasick::{AhoCorasick, MatchKind, packed};
use std::borrow::Cow;
use std::sync::OnceLock;

/// A set of words to search for.
pub(in crate::summary::extractive) enum Sieve {
    /// Searched in vectors, where the processor supports it and there are not too many words.
    Packed(packed::Searcher),
    Plain(AhoCorasick),
}

impl Sieve {
    #[expect(clippy::unwrap_used, reason = "the words are constants")]
    pub(in crate::summary::extractive) fn new<'w>(words: impl IntoIterator<Item = &'w &'w str>) -> Self {
        let words: Vec<&&str> = words.into_iter().collect();
        let plain = || AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(&words).unwrap();
        packed::Searcher::new(&words).map_or_else(|| Self::Plain(plain()), Self::Packed)
    }

    /// Whether a text has one of the words.
    pub(in crate::summary::extractive) fn is_in(&self, text: &str) -> bool {
        self.first(text).is_some()
    }

    /// The offset of the first of the words.
    pub(in crate::summary::extractive) fn first(&self, text: &str) -> Option<usize> {
        let found = match self {
            Self::Packed(words) => words.find(text),
            Self::Plain(words) => words.find(text),
        };
        found.map(|found| found.start())
    }

    /// The lines of a text that have one of the words.
    pub(in crate::summary::extractive) fn lines<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let mut rest = text;
        std::iter::from_fn(move || {
            let found = self.first(rest)?;
            let start = rest[..found].rfind('\n').map_or(0, |end| end + 1);
            let end = rest[found..].find('\n').map_or(rest.len(), |end| found + end + 1);
            let line = rest[start..end].lines().next();
            rest = &rest[end..];
            line
        })
    }
}

/// A list of many phrases of which most texts have none.
pub(in crate::summary::extractive) struct AnyOf {
    phrases: &'static [&'static str],
    sieve: OnceLock<Sieve>,
}

impl AnyOf {
    pub(in crate::summary::extractive) const fn new(phrases: &'static [&'static str]) -> Self {
        Self { phrases, sieve: OnceLock::new() }
    }

    /// Whether a text has one of the phrases.
    pub(in crate::summary::extractive) fn is_in(&self, text: &str) -> bool {
        self.sieve.get_or_init(|| Sieve::new(self.phrases)).is_in(text)
    }

    /// Whether a text has one of the phrases as [`has_words`] means it.
    pub(in crate::summary::extractive) fn is_said_in(&self, text: &str) -> bool {
        self.any(text, has_words)
    }

    /// Whether a text has one of the phrases in the way that `has` checks.
    pub(super) fn any(&self, text: &str, has: impl Fn(&str, &str) -> bool) -> bool {
        self.find(text, has).is_some()
    }

    /// A text without the phrases.
    pub(super) fn left_out<'t>(&self, text: impl Into<Cow<'t, str>>) -> Cow<'t, str> {
        let text = text.into();
        if self.is_in(&text) { replaced(text, self.phrases, "") } else { text }
    }

    /// The first of the phrases that a text has in the way that `has` checks; it asks that only of texts that have one.
    pub(in crate::summary::extractive) fn find(
        &self,
        text: &str,
        has: impl Fn(&str, &str) -> bool,
    ) -> Option<&'static str> {
        self.is_in(text).then(|| self.phrases.iter().find(|phrase| has(text, phrase)).copied())?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_counts_as_its_list_is_asked() {
        static TIDES: AnyOf = AnyOf::new(&["low tide", "潮"]);
        assert!(TIDES.is_in("slow tides") && !TIDES.is_said_in("slow tides"));
        assert!(TIDES.is_said_in("slow tides, low tide") && TIDES.is_said_in("低潮时"));
        assert_eq!(TIDES.left_out("low tide, low"), ", low");
        assert!(TIDES.any("low tide", |text, tide| text.starts_with(tide)) && !TIDES.any("a tide", |_, _| true));
    }

    #[test]
    fn lines_with_a_word_are_found_whole_and_once() {
        let sieve = Sieve::new(&["tide", "low tide", "lamp"]);
        let text = "a low tide, a tide\r\nquay\n\nlamp\n no tide";
        assert_eq!(sieve.lines(text).collect::<Vec<_>>(), ["a low tide, a tide", "lamp", " no tide"]);
        assert_eq!(sieve.lines("quay\n").count(), 0);
        assert_eq!((sieve.first(text), sieve.is_in("quay")), (Some(2), false));
    }
}
