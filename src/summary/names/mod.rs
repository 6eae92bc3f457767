//! The index: names that no line has, beside the file, command or search in which they came up.

use super::extractive::{Place, places};
use super::knowledge::Knowledge;
use super::prior::Prior;
use crate::facts::Class;
use crate::transcript::{Message, PartKind};
use foldhash::{HashMap, HashSet};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// For each fact the place that it is named with.
#[derive(Default)]
pub(super) struct Names {
    /// The places.
    pub(super) places: Vec<Place>,
    /// Index of the place by fact.
    pub(super) of: HashMap<u32, usize>,
    /// Numbers that stand for themselves, and names that do not only follow a stroke: others are parts of larger numbers,
    /// or begin with the letter of an escape (`\nName`), and name nothing.
    whole: HashSet<u32>,
    /// Names that only stand as keys of data that a tool returned, and tell nothing of it.
    pub(super) keys: HashSet<u32>,
    /// Facts that a file of theirs defines.
    pub(super) defined: HashSet<u32>,
    /// Commands, and whether their last run worked.
    pub(super) endings: HashMap<String, bool>,
}

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

impl Names {
    /// Finds the places: of several the last one that is a file, else the last one.
    pub(super) fn of(
        head: &[&Message<'_>],
        prior: &[String],
        knowledge: &Knowledge,
        endings: HashMap<String, bool>,
    ) -> Self {
        let found = places(head);
        let mut names = Self { endings, ..Self::default() };
        for (path, text) in prior.iter().flat_map(|text| Prior::read(text).names().to_vec()) {
            names.places.push(Place::File(path));
            names.of.extend(knowledge.of_text(&text).into_iter().map(|fact| (fact, names.places.len() - 1)));
        }
        names.keys = keys(head, knowledge);
        let mut numbers: HashMap<&Place, usize> = HashMap::default();
        for known in &knowledge.parts {
            let Some(place) = found.get(&(known.message, known.part)) else { continue };
            let place_number = *numbers.entry(place).or_insert_with(|| {
                names.places.push(place.clone());
                names.places.len() - 1
            });
            if matches!(place, Place::File(_)) {
                let text = &head[known.message].parts[known.part].text;
                names.defined.extend(definitions(text).filter_map(|name| knowledge.identifier(name)));
            }
            names.add_whole(&head[known.message].parts[known.part].text, &known.facts, knowledge);
            for &fact in &known.facts {
                let own = names.of.entry(fact).or_insert(place_number);
                let stays = matches!(names.places[*own], Place::File(_)) && !matches!(place, Place::File(_));
                if !stays {
                    *own = place_number;
                }
            }
        }
        names
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

    /// Whether a fact is worth a name of its own.
    pub(super) fn can_name(&self, fact: u32, knowledge: &Knowledge) -> bool {
        let doubtful = knowledge.number(fact).is_some() || knowledge.escape(fact).is_some();
        !doubtful || self.whole.contains(&fact)
    }
}

/// Facts that stand nowhere but as keys of results.
fn keys(head: &[&Message<'_>], knowledge: &Knowledge) -> HashSet<u32> {
    let (mut keys, mut plain) = (HashSet::default(), HashSet::default());
    for known in &knowledge.parts {
        let part = &head[known.message].parts[known.part];
        let is_result = matches!(part.kind, PartKind::Result { .. });
        let only_keys = if is_result { only_keys(&part.text) } else { HashSet::default() };
        let (as_key, as_word): (Vec<u32>, Vec<u32>) = known.facts.iter().partition(|fact| {
            let own = &knowledge.facts[**fact as usize];
            own.class == Class::Ident && only_keys.contains(own.value.as_str())
        });
        keys.extend(as_key);
        plain.extend(as_word);
    }
    &keys - &plain
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
