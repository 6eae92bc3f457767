//! Credentials out of stored bytes: they are masked where they stand in the strings of JSON, and every other byte stays.
//!
//! A string is judged as it is read: decoded, with the key that it stands under, and once more by its own strings where
//! it holds JSON itself. A line that is no JSON is judged as text. What is masked stays a valid string of its length or
//! less, and nothing is found in it again.

mod strings;

use crate::secrets::{HIDDEN, joined, may_have, spans};
use crate::transcript::{Patch, PatchKind, apply, compose};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use strings::{Text, decoded, strings, units};

/// How often the result is looked through again: what stands around a credential can look like one without it.
const ROUNDS: usize = 4;
/// How deep JSON within strings of JSON is looked into.
const DEPTH: usize = 3;
/// From this length on, a text of nothing but the letters of base64 is data and no credential, in bytes.
const DATA: usize = 1024;

/// What is to be masked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Masks {
    /// Edits of the source.
    pub patches: Vec<Patch>,
    /// How many credentials of each kind they take out.
    pub counts: BTreeMap<String, u64>,
}

/// Credentials by kind and place.
type Found = Vec<(&'static str, Range<usize>)>;

/// Finds the credentials of a file, a line or any other stored bytes. Strings that equal one of `ids` stay: links hang
/// on them.
pub fn masks(source: &[u8], ids: &BTreeSet<String>) -> Masks {
    let mut masks = Masks::default();
    let mut bare = Cow::Borrowed(source);
    for _ in 0..ROUNDS {
        let found = in_bytes(&bare, ids);
        if found.is_empty() {
            break;
        }
        let patches: Vec<Patch> = found.into_iter().map(|(kind, span)| masks.count(kind, span)).collect();
        let barer = apply(&bare, &patches).into_owned();
        masks.patches = if masks.patches.is_empty() { patches } else { compose(&masks.patches, &bare, &patches) };
        bare = Cow::Owned(barer);
    }
    masks
}

impl Masks {
    fn count(&mut self, kind: &str, span: Range<usize>) -> Patch {
        *self.counts.entry(kind.to_owned()).or_default() += 1;
        Patch { span, with: HIDDEN.into(), kind: PatchKind::Mask }
    }
}

fn in_bytes(source: &[u8], ids: &BTreeSet<String>) -> Found {
    let mut all = Vec::new();
    let mut start = 0;
    for line in source.split_inclusive(|byte| *byte == b'\n') {
        let found = match std::str::from_utf8(line) {
            Ok(line) => in_json(line, ids, 0).unwrap_or_else(|| spans(line)),
            Err(_) => in_broken(line),
        };
        all.extend(moved(found, start));
        start += line.len();
    }
    all
}

/// Bytes that are no text, by the pieces of text in them.
fn in_broken(line: &[u8]) -> Found {
    let (mut all, mut start) = (Vec::new(), 0);
    for chunk in line.utf8_chunks() {
        all.extend(moved(spans(chunk.valid()), start));
        start += chunk.valid().len() + chunk.invalid().len();
    }
    all
}

fn moved(found: Found, by: usize) -> impl Iterator<Item = (&'static str, Range<usize>)> {
    found.into_iter().map(move |(kind, span)| (kind, span.start + by..span.end + by))
}

/// Credentials in the strings of a line of JSON; none where it isn't one.
fn in_json(line: &str, ids: &BTreeSet<String>, depth: usize) -> Option<Found> {
    let found = strings(line)?.into_iter().flat_map(|text| {
        let start = text.span.start;
        moved(in_string(line, &text, ids, depth), start)
    });
    Some(found.collect())
}

/// Credentials in one string as it is stored, without its quotes.
fn in_string(line: &str, text: &Text, ids: &BTreeSet<String>, depth: usize) -> Found {
    let raw = &line[text.span.clone()];
    let key = text.key.clone().map(|key| &line[key]).unwrap_or_default();
    let named = may_have(key);
    if (is_data(raw) && !named) || !(named || may_have(raw) || raw.contains("\\u00") || raw.contains("\\/")) {
        return Vec::new();
    }
    let value = decoded(raw);
    if ids.contains(&*value) {
        return Vec::new();
    }
    let mut found = in_text(&value, ids, depth);
    found.extend(behind_key(key, &value));
    if is_sealed(key, &value) {
        found.retain(|(_, span)| span.start == 0);
    }
    as_stored(raw, joined(found))
}

/// Credentials in a decoded text, and in the JSON that it may hold.
fn in_text(text: &str, ids: &BTreeSet<String>, depth: usize) -> Found {
    let mut found = spans(text);
    if depth < DEPTH && text.trim_start().starts_with(['{', '[']) {
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            found.extend(moved(in_json(line, ids, depth + 1).unwrap_or_default(), start));
            start += line.len();
        }
    }
    found
}

/// What is secret since its key says so.
fn behind_key(key: &str, value: &str) -> Found {
    if !may_have(key) {
        return Vec::new();
    }
    let pair = format!("{key}\":\"{value}");
    let start = pair.len() - value.len();
    let inside = spans(&pair).into_iter().filter(|(_, span)| span.end > start);
    inside.map(|(kind, span)| (kind, span.start.saturating_sub(start)..span.end - start)).collect()
}

/// A picture or another file in letters.
fn is_data(raw: &str) -> bool {
    let stated = raw.starts_with("data:") && raw.as_bytes().iter().take(100).any(|byte| *byte == b',');
    let bare = raw.split_once(";base64,").filter(|_| stated).map_or(raw, |(_, bare)| bare);
    bare.len() >= DATA && bare.bytes().all(is_base64)
}

/// A signature or something encrypted, which has to stay as it is: only what begins like a credential is one.
fn is_sealed(key: &str, value: &str) -> bool {
    let key = key.to_ascii_lowercase();
    (key.contains("signature") || key.contains("encrypted")) && value.bytes().all(is_base64)
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=_-".contains(&byte)
}

/// The places of a decoded text in the string as it is stored.
fn as_stored(raw: &str, found: Found) -> Found {
    if !raw.contains('\\') {
        return found;
    }
    let mut places = units(raw);
    let (mut at, mut stored) = (0, 0);
    let mut place = |wanted: usize| {
        while at < wanted {
            let Some((start, length, letter)) = places.next() else { break };
            at += letter.len_utf8();
            stored = start + length;
        }
        stored
    };
    found.into_iter().map(|(kind, span)| (kind, place(span.start)..place(span.end))).collect()
}

#[cfg(test)]
mod tests;
