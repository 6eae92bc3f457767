//! Passwords that texts state, told where they stand without their name: `admin` / `hunter2` behind a command with
//! `--password=hunter2`.

use super::{HIDDEN, hidden, is_mixed, joined, spans};
use std::collections::BTreeMap;
use std::ops::Range;

/// The name of such a secret.
const KIND: &str = "password";
/// Least length in bytes: a shorter value may be another word.
const LEAST: usize = 6;
/// Maximum number of values, each of which is searched for.
const MOST: usize = 32;

/// Passwords of a conversation, each with the first place that states it.
#[derive(Debug, Default)]
pub struct Known(BTreeMap<String, Place>);

/// The number of a text, and a byte in it.
type Place = (usize, usize);

impl Known {
    /// Learns the passwords that texts state, if they are no plain words. Each text has its number in the conversation.
    /// `all` are all texts, in which a name may be the same word; they come with whether they are calls.
    pub fn of<'t>(
        stating: impl Iterator<Item = (usize, &'t str)>,
        all: impl Iterator<Item = (usize, &'t str, bool)>,
    ) -> Self {
        let mut known = Self::default();
        stating.for_each(|(number, text)| known.learn(number, text));
        if !known.is_empty() {
            all.for_each(|(number, text, is_call)| known.doubt(number, text, is_call));
        }
        known
    }

    fn learn(&mut self, number: usize, text: &str) {
        for (_, span) in spans(text).into_iter().filter(|(kind, _)| kind.starts_with(KIND)) {
            let (value, place) = (&text[span.clone()], (number, span.start));
            if let Some(first) = self.0.get_mut(value) {
                *first = place.min(*first);
            } else if self.0.len() < MOST && value.len() >= LEAST && is_mixed(value) {
                self.0.insert(value.to_owned(), place);
            }
        }
    }

    /// Forgets those that are other words too: part of a path, told before they were stated, or a program.
    fn doubt(&mut self, number: usize, text: &str, is_call: bool) {
        let mut stated = None;
        self.0.retain(|value, first| {
            let found = text.match_indices(value.as_str()).map(|(at, value)| at..at + value.len());
            let mut others = found.filter(|span| {
                let stated = stated.get_or_insert_with(|| spans(text));
                !stated.iter().any(|(_, own)| own.start <= span.start && span.end <= own.end)
            });
            !others.any(|span| {
                let is_early = || (number, span.start) < *first || is_call && runs(text, &span);
                is_in_path(text, &span) || is_alone(text, &span) && is_early()
            })
        });
    }

    /// Whether none is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Where they stand in a text, as words of their own.
    pub fn spans(&self, text: &str) -> Vec<(&'static str, Range<usize>)> {
        let found = self.0.keys().flat_map(|value| text.match_indices(value.as_str()));
        let ends = found.map(|(at, value)| at..at + value.len());
        joined(ends.filter(|span| is_alone(text, span)).map(|span| (KIND, span)).collect())
    }

    /// The text with them masked; `None` if it has none.
    pub fn masked(&self, text: &str) -> Option<String> {
        let spans = self.spans(text);
        (!spans.is_empty() && text != HIDDEN).then(|| hidden(text, spans, &mut BTreeMap::new()))
    }
}

/// Whether a span is a word of its own.
fn is_alone(text: &str, span: &Range<usize>) -> bool {
    let inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let (before, behind) = (&text[..span.start], &text[span.end..]);
    !before.ends_with(inside) && !behind.starts_with(inside) && !is_in_path(text, span)
}

/// Whether a span is part of a path, of the name of a file or host, or of an address.
fn is_in_path(text: &str, span: &Range<usize>) -> bool {
    let (before, behind) = (&text[..span.start], &text[span.end..]);
    // A backslash before a quote is none of a path.
    let goes_on = |rest: &str| rest.starts_with(char::is_alphanumeric);
    let follows = |sign: char| behind.strip_prefix(sign).is_some_and(goes_on);
    let escaped = || behind.starts_with("\\\\");
    before.ends_with(['/', '\\', '.'])
        || behind.starts_with('/')
        || escaped()
        || ['\\', '.', ':'].into_iter().any(follows)
}

/// Whether a span in a call is the program of a command.
fn runs(text: &str, span: &Range<usize>) -> bool {
    let before = text[..span.start].trim_end_matches(' ');
    text[span.end..].starts_with(' ') && (before.is_empty() || before.ends_with(['"', '\'', '\n', ';', '&', '|', '(']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(texts: &[&str]) -> Known {
        let texts = || texts.iter().enumerate();
        Known::of(texts().map(|(at, text)| (at, *text)), texts().map(|(at, text)| (at, *text, true)))
    }

    #[test]
    fn a_password_is_known_where_it_has_no_name() {
        let texts = [
            r#"{"command":"site user --user_pass=\"harbour77\" --path=/srv/quay"}"#,
            "password: string, PGPASSWORD=postgres, password=$PW1234567, pwd: abc4",
        ];
        let known = known(&texts);
        assert_eq!(known.masked("admin: `admin` / `harbour77`.").as_deref(), Some("admin: `admin` / `[secret]`."));
        for text in ["harbour77-b and harbour775", "admin: `admin`", "a string in postgres, $PW1234567"] {
            assert_eq!(known.masked(text), None, "{text}");
        }
        for text in
            ["/srv/harbour77/app.py", r"D:\harbour77\app.py", "harbour77.py", "harbour77:latest", "www.harbour77"]
        {
            assert_eq!(known.masked(text), None, "{text}");
        }
        assert!(known.masked("admin:harbour77@quay").is_some() && known.masked(r#"\"harbour77\""#).is_some());
        assert!(Known::default().is_empty() && !known.is_empty());
    }

    #[test]
    fn a_word_that_is_a_name_elsewhere_is_no_known_password() {
        let stated = "DB_PASSWORD=lampshop2 make migrate";
        for other in ["see /srv/lampshop2/app.py", "lampshop2.py is there", r#"{"command":"lampshop2 serve"}"#] {
            assert!(known(&[stated, other]).is_empty(), "{other}");
        }
        assert!(known(&["Use lampshop2 only.", stated]).is_empty(), "told before");
        assert!(!known(&[stated, "Log in with lampshop2.", stated]).is_empty());
    }
}
