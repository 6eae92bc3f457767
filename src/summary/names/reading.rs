//! What single texts say of the names in them: which are keys, which are defined there, which name nothing.

use super::super::extractive::Place;
use super::super::knowledge::{Knowledge, Known};
use crate::facts::Class;
use crate::transcript::{Message, Part, PartKind, Spread, pieces, spread};
use foldhash::{HashMap, HashSet};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// What stands before a name that is defined, in most languages.
const KEYWORDS: [&str; 17] = [
    "fn",
    "func",
    "function",
    "def",
    "class",
    "struct",
    "type",
    "interface",
    "enum",
    "trait",
    "const",
    "static",
    "var",
    "let",
    "mod",
    "module",
    "namespace",
];

static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern("[0-9]+"));

/// Keys that an object has at least.
const OBJECT: usize = 3;

#[expect(clippy::unwrap_used, reason = "the patterns are constants")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

/// What a piece of the head says of names.
#[derive(Default)]
pub(super) struct Reading {
    /// Facts that stand as keys of a result only.
    pub(super) keys: HashSet<u32>,
    /// Facts that stand otherwise.
    pub(super) plain: HashSet<u32>,
    /// Facts that a file defines.
    pub(super) defined: HashSet<u32>,
    /// Doubtful facts that name something.
    pub(super) whole: HashSet<u32>,
}

impl Reading {
    /// Reads the parts that have facts, in pieces.
    pub(super) fn of_all(
        (head, over): (&[&Message<'_>], &dyn Spread),
        knowledge: &Knowledge,
        found: &HashMap<(usize, usize), Place>,
    ) -> Vec<Self> {
        let part = |known: &Known| &head[known.message].parts[known.part];
        let cuts = pieces(knowledge.parts.iter().map(|known| part(known).text.len()));
        spread(over, &cuts, |piece| {
            let mut reading = Self::default();
            for known in &knowledge.parts[piece] {
                reading.read(part(known), &known.facts, knowledge);
                let place = found.get(&(known.message, known.part));
                if place.is_some() {
                    reading.add_whole(&part(known).text, &known.facts, knowledge);
                }
                if let Some(Place::File(_)) = place {
                    let names = definitions(&part(known).text);
                    reading.defined.extend(names.filter_map(|name| knowledge.identifier(name)));
                }
            }
            reading
        })
    }

    /// Notes which facts of a part stand as keys only.
    fn read(&mut self, part: &Part<'_>, facts: &[u32], knowledge: &Knowledge) {
        let is_result = matches!(part.kind, PartKind::Result { .. });
        let only_keys = if is_result { only_keys(&part.text) } else { HashSet::default() };
        for &fact in facts {
            let own = &knowledge.facts[fact as usize];
            let is_key = own.class == Class::Ident && only_keys.contains(own.value.as_str());
            if is_key {
                self.keys.insert(fact)
            } else {
                self.plain.insert(fact)
            };
        }
    }

    /// Notes which doubtful facts of a text name something in it.
    fn add_whole(&mut self, text: &str, facts: &[u32], knowledge: &Knowledge) {
        let mut alone: Option<HashSet<&str>> = None;
        for &fact in facts {
            if self.whole.contains(&fact) {
                continue;
            }
            let number = |number| alone.get_or_insert_with(|| lone_numbers(text)).contains(number);
            if knowledge.number(fact).is_some_and(number)
                || knowledge.escape(fact).is_some_and(|name| stands_plain(text, name))
            {
                self.whole.insert(fact);
            }
        }
    }
}

/// The keys of an object in a text that are no words of it.
fn only_keys(text: &str) -> HashSet<&str> {
    let mut keys: HashSet<&str> = HashSet::default();
    let mut ends: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(quote) = memchr::memchr(b'"', &text.as_bytes()[at..]) {
        at += quote + 1;
        if let Some(key) = key_at(text, at) {
            keys.insert(key);
            ends.push(at + key.len());
            at += key.len();
        }
    }
    if ends.len() < OBJECT {
        return HashSet::default();
    }
    for word in words(text).filter(|word| ends.binary_search(&word.end).is_err()) {
        keys.remove(&text[word]);
    }
    keys
}

/// The key of an object that stands behind a quote; the quote at its end may be escaped.
fn key_at(text: &str, at: usize) -> Option<&str> {
    let rest = &text[at..];
    let key = &rest[..rest.bytes().position(|byte| !is_letter(byte))?];
    let behind = rest[key.len()..].strip_prefix('\\').unwrap_or(&rest[key.len()..]);
    let named = key.starts_with(|first: char| !first.is_ascii_digit());
    (named && behind.strip_prefix('"')?.trim_start().starts_with(':')).then_some(key)
}

/// A letter of a name.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Where names stand in a text; digits before one do not belong to it.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        at += bytes[at..].iter().position(|byte| is_letter(*byte) && !byte.is_ascii_digit())?;
        let start = at;
        at += bytes[at..].iter().position(|byte| !is_letter(*byte)).unwrap_or(bytes.len() - at);
        Some(start..at)
    })
}

/// The names that a text defines: those behind a keyword, and behind the receiver of a method in Go.
fn definitions(text: &str) -> impl Iterator<Item = &str> {
    let mut told = 0;
    words(text).filter_map(move |word| {
        let joined = text[..word.start].ends_with(|before: char| before.is_ascii_digit());
        if word.start < told || joined || !KEYWORDS.contains(&&text[word.clone()]) {
            return None;
        }
        let behind = text[word.end..].trim_start();
        if behind.len() == text.len() - word.end {
            return None;
        }
        let behind = behind.strip_prefix('(').map_or(Some(behind), |receiver| {
            let end = receiver.find([')', '\n']).filter(|end| receiver[*end..].starts_with(')'))?;
            Some(receiver[end + 1..].trim_start())
        })?;
        let name = &behind[..behind.bytes().position(|byte| !is_letter(byte)).unwrap_or(behind.len())];
        if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        told = text.len() - behind.len() + name.len();
        Some(name)
    })
}

/// Whether a name is in a text without a stroke before it.
fn stands_plain(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| !text[..at].ends_with('\\'))
}

/// The numbers of a text that are no part of a larger one, a fraction or a word.
fn lone_numbers(text: &str) -> HashSet<&str> {
    NUMBER.find_iter(text).filter(|number| stands_alone(text, number.range())).map(|number| number.as_str()).collect()
}

fn stands_alone(text: &str, number: Range<usize>) -> bool {
    let before = text[..number.start].chars().next_back();
    let after = &text[number.end..];
    let joins = |char: char| char.is_alphanumeric() || "_.".contains(char);
    let goes_on = after.starts_with(|char: char| char.is_alphanumeric() || char == '_');
    let fraction = after.strip_prefix('.').is_some_and(|rest| rest.starts_with(|char: char| char.is_ascii_digit()));
    !before.is_some_and(joins) && !goes_on && !fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_are_no_words_are_found() {
        let text = r#"{"first_name":"a","last_name":"b","user_id":"the last_name"} {\"zip_code\": 1}"#;
        let mut found: Vec<_> = only_keys(text).into_iter().collect();
        found.sort_unstable();
        assert_eq!(found, ["first_name", "user_id", "zip_code"]);
        assert!(only_keys(r#"{"one":1}"#).is_empty());
    }

    #[test]
    fn names_behind_keywords_are_defined() {
        let text = "pub fn one_two(x)\nfunc (r *Reader) readAll() {\nclass Some_thing:\ndefine it, 9let x, fn(a), let\n  b2 = 1";
        assert_eq!(definitions(text).collect::<Vec<_>>(), ["one_two", "readAll", "Some_thing", "b2"]);
    }

    #[test]
    fn names_behind_escapes_only_are_none() {
        assert!(!stands_plain("{\"diff\":\"a\\nAdds\"}", "nAdds"));
        assert!(stands_plain("a\\nAdds, nAdds", "nAdds"));
    }

    #[test]
    fn fractions_are_no_numbers_of_their_own() {
        assert!(lone_numbers("port 12345, or 0.12345").contains("12345"));
        assert!(lone_numbers("took 0.12345s and id_12345, or 12345.54 MB").is_empty());
        assert!(lone_numbers("the port is 12345.").contains("12345"));
    }
}
