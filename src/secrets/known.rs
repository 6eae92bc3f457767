//! Passwords that texts state, told where they stand without their name: `admin` / `hunter2` behind a command with
//! `--password=hunter2`.

use super::{HIDDEN, hidden, is_mixed, joined, spans};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The name of such a secret.
const KIND: &str = "password";
/// Least length in bytes: a shorter value may be another word.
const LEAST: usize = 6;
/// Maximum number of values, each of which is searched for.
const MOST: usize = 32;

/// Passwords of a conversation.
#[derive(Debug, Default)]
pub struct Known(BTreeSet<String>);

impl Known {
    /// Learns the passwords that a text states, if they are no plain words.
    pub fn learn(&mut self, text: &str) {
        let found = spans(text).into_iter().filter(|(kind, _)| kind.starts_with(KIND));
        let values = found.map(|(_, span)| &text[span]).filter(|value| value.len() >= LEAST && is_mixed(value));
        for value in values {
            if self.0.len() < MOST {
                self.0.insert(value.to_owned());
            }
        }
    }

    /// Whether none is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Where they stand in a text, as words of their own.
    pub fn spans(&self, text: &str) -> Vec<(&'static str, Range<usize>)> {
        let inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
        let found = self.0.iter().flat_map(|value| text.match_indices(value.as_str()));
        let ends = found.map(|(at, value)| at..at + value.len());
        let alone =
            |span: &Range<usize>| !text[..span.start].ends_with(inside) && !text[span.end..].starts_with(inside);
        joined(ends.filter(alone).map(|span| (KIND, span)).collect())
    }

    /// The text with them masked; `None` if it has none.
    pub fn masked(&self, text: &str) -> Option<String> {
        let spans = self.spans(text);
        (!spans.is_empty() && text != HIDDEN).then(|| hidden(text, spans, &mut BTreeMap::new()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_known_where_it_has_no_name() {
        let mut known = Known::default();
        known.learn(r#"{"command":"site user --user_pass=\"harbour77\" --path=/srv/quay"}"#);
        known.learn("password: string, PGPASSWORD=postgres, password=$PW1234567, pwd: abc4");
        assert_eq!(known.masked("admin: `admin` / `harbour77`.").as_deref(), Some("admin: `admin` / `[secret]`."));
        for text in ["harbour77-b and harbour775", "admin: `admin`", "a string in postgres, $PW1234567"] {
            assert_eq!(known.masked(text), None, "{text}");
        }
        assert!(Known::default().is_empty() && !known.is_empty());
    }
}
