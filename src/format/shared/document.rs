//! Documents: one JSON value that holds one conversation. Its records are the elements of an array inside it.
//!
//! What such formats share: finding the array, reading its elements as records with line numbers, and applying an
//! edit script to them that keeps commas and the document's layout (indentation) intact.

use super::array::Members;
use super::json::Json;
use super::lines::{self, LineNumbers};
use super::new::New;
use super::part_edits::replacement;
use crate::format::{Fault, ReadError, ReadOptions, reason_of};
use crate::transcript::{self, Change, Class, EditScript, Message, Patch, PatchKind, Record, Traits, Transcript, hex};
use std::collections::HashSet;
use std::ops::Range;

/// A parsed document and the array of records in it.
pub(in crate::format) struct Document<'a> {
    source: &'a [u8],
    /// The whole JSON value.
    pub(in crate::format) whole: Json<'a>,
    /// The array of records.
    pub(in crate::format) array: Json<'a>,
    /// The elements of the array.
    pub(in crate::format) elements: Vec<Json<'a>>,
}

impl<'a> Document<'a> {
    /// Reads a document that is an array, or an object with an array in the field `key`; a dot in `key` descends into
    /// an object.
    ///
    /// # Errors
    /// The source is not JSON, or has no such array.
    pub(in crate::format) fn read(source: &'a [u8], first_line: usize, key: &str) -> Result<Self, ReadError> {
        Self::read_any(source, first_line, &[key])
    }

    /// Like [`Document::read`], but the array is in the first of several fields that holds one.
    ///
    /// # Errors
    /// The same as [`Document::read`].
    pub(in crate::format) fn read_any(source: &'a [u8], first_line: usize, keys: &[&str]) -> Result<Self, ReadError> {
        let start = if source.starts_with(lines::BOM) { lines::BOM.len() } else { 0 };
        Self::of(source, (start, first_line), keys)
    }

    /// Like [`Document::read`], but the document starts at the byte offset `start`, behind something else.
    ///
    /// # Errors
    /// The same as [`Document::read`].
    pub(in crate::format) fn read_behind(
        source: &'a [u8],
        (start, first_line): (usize, usize),
        key: &str,
    ) -> Result<Self, ReadError> {
        Self::of(source, (start, first_line), &[key])
    }

    fn of(source: &'a [u8], (start, first_line): (usize, usize), keys: &[&str]) -> Result<Self, ReadError> {
        let whole = value(source, start, first_line)?;
        let own = whole.raw().starts_with('[').then_some(whole).into_iter();
        let mut arrays = own.chain(keys.iter().filter_map(|key| field(whole, key)));
        match arrays.find_map(|array| Some((array, array.array()?))) {
            Some((array, elements)) => Ok(Self { source, whole, array, elements }),
            None => {
                let key = keys.first().copied().unwrap_or_default();
                Err(ReadError::at(source, 0, first_line, format!("no `{key}` array")))
            }
        }
    }

    /// Returns a transcript with one opaque record per element and no messages yet.
    pub(in crate::format) fn transcript(&self, first_line: usize, traits: Traits) -> Transcript<'a> {
        let mut lines = LineNumbers::new(self.source, first_line);
        let records = self.elements.iter().map(|element| {
            let span = element.span_in(self.source);
            Record { line: lines.line_at(span.start), span, class: Class::Opaque, id: None, parent: None }
        });
        Transcript { source: self.source, records: records.collect(), messages: Vec::new(), traits }
    }

    /// Returns the patches that carry out an edit script: dropped records, new ones, and the patches `inside` kept
    /// records.
    pub(in crate::format) fn patches(&self, script: &EditScript, new: &[New], mut inside: Vec<Patch>) -> Vec<Patch> {
        let keeps = |index: usize| script.keeps(index);
        let new: Vec<_> = new.iter().map(|new| New { before: new.before, text: self.laid_out(&new.text) }).collect();
        let members = Members::of_array(self.source, self.array, &self.elements);
        let mut patches = members.patches(keeps, &new, PatchKind::Drop);
        patches.append(&mut inside);
        Patch::in_order(patches)
    }

    fn laid_out(&self, text: &str) -> String {
        laid_out(self.source, self.elements.iter().copied(), text)
    }
}

/// Lays out compact JSON like the existing elements of its array, or values of its object: over several lines with their
/// indentation, or on one line.
pub(in crate::format) fn laid_out<'j>(
    source: &[u8],
    mut elements: impl Iterator<Item = Json<'j>>,
    text: &str,
) -> String {
    let pretty = elements.find(|element| element.raw().contains('\n') && element.raw().len() > 2);
    let Some(element) = pretty else { return text.to_owned() };
    let own = indentation(source, element.span_in(source).start);
    let inner = element.raw().split('\n').nth(1).unwrap_or_default();
    let inner = &inner[..inner.len() - inner.trim_start().len()];
    spread(text, own, inner.strip_prefix(own).unwrap_or_default())
}

/// Returns the value of a field; a dot in `path` descends into an object.
fn field<'a>(whole: Json<'a>, path: &str) -> Option<Json<'a>> {
    path.split('.').try_fold(whole, |value, key| value.object()?.get(key))
}

/// The patch that updates a stored message count after `gone` messages were dropped and `new` ones inserted.
pub(in crate::format) fn recount(
    source: &[u8],
    holder: Json<'_>,
    key: &str,
    (gone, new): (usize, usize),
) -> Option<Patch> {
    let stored = holder.object()?.get(key)?;
    let old = stored.whole()?;
    let count = old.saturating_add(new as u64).saturating_sub(gone as u64);
    let patch =
        || Patch { span: stored.span_in(source), with: count.to_string().into_bytes(), kind: PatchKind::Relink };
    (count != old).then(patch)
}

/// The fault of a document whose stored message count is wrong.
pub(in crate::format) fn miscounted(transcript: &Transcript<'_>, messages: &str, key: &str) -> Option<Fault> {
    let document = Document::read(transcript.source, 1, messages).ok()?;
    let stored = field(document.whole, key)?.whole()?;
    let line = transcript.first_line();
    let fault = || Fault::new(line, "message_count_off", "");
    (stored != transcript.messages.len() as u64).then(fault)
}

/// The patch that sets a wrong message count to the number of kept messages.
pub(in crate::format) fn recounted(
    transcript: &Transcript<'_>,
    (faults, script): (&[Fault], &EditScript),
    (messages, key): (&str, &str),
) -> Option<Patch> {
    faults.iter().find(|fault| fault.rule == "message_count_off")?;
    let stored = field(Document::read(transcript.source, 1, messages).ok()?.whole, key)?;
    let kept = transcript.messages.iter().filter(|message| script.keeps(message.record));
    let with = kept.count().to_string().into_bytes();
    Some(Patch { span: stored.span_in(transcript.source), with, kind: PatchKind::Relink })
}

/// A transcript of one opaque record, for a document that could not be read.
pub(in crate::format) fn opaque(source: &[u8], options: ReadOptions, traits: Traits) -> Transcript<'_> {
    let record =
        Record { span: 0..source.len(), line: options.first_line, class: Class::Opaque, id: None, parent: None };
    Transcript { source, records: vec![record], messages: Vec::new(), traits }
}

/// Adds a message and marks `record` as the record that holds it.
pub(in crate::format) fn push<'a>(transcript: &mut Transcript<'a>, record: usize, message: Message<'a>) {
    if let Some(own) = transcript.records.get_mut(record) {
        own.class = Class::Message(transcript.messages.len());
    }
    transcript.messages.push(Message { record, ..message });
}

/// Parses the one JSON value that fills a file from the byte offset `start` on.
fn value(source: &[u8], start: usize, first_line: usize) -> Result<Json<'_>, ReadError> {
    let fail = |at: usize, reason: &str| ReadError::at(source, at, first_line, reason);
    let text = std::str::from_utf8(source.get(start..).unwrap_or_default())
        .map_err(|error| fail(start + error.valid_up_to(), "invalid UTF-8"))?;
    if let Some(at) = memchr::memchr(0, text.as_bytes()) {
        return Err(fail(start + at, "a NUL byte"));
    }
    Json::parse(text).map_err(|error| {
        let line_start = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
        let reason = format!("invalid JSON: {}", reason_of(&error));
        fail(start + line_start + error.column().saturating_sub(1), &reason)
    })
}

/// The white space at the start of the line that contains the byte offset `place`, up to `place`.
fn indentation(source: &[u8], place: usize) -> &str {
    let before = source.get(..place).unwrap_or_default();
    let line = memchr::memrchr(b'\n', before).map_or(before, |at| &before[at + 1..]);
    let length = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    line.get(..length).and_then(|white| std::str::from_utf8(white).ok()).unwrap_or_default()
}

/// Lays out compact JSON over several lines: each starts with `own`, plus one `step` per nesting level.
fn spread(text: &str, own: &str, step: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    let mut last = ' ';
    let newline = |out: &mut String, depth: usize| {
        out.push('\n');
        out.push_str(own);
        (0..depth).for_each(|_| out.push_str(step));
    };
    for letter in text.chars() {
        let plain = !quoted;
        let opened = matches!(last, '{' | '[') && plain;
        match letter {
            '}' | ']' if plain => {
                depth = depth.saturating_sub(1);
                if !opened {
                    newline(&mut out, depth);
                }
            }
            _ if opened => newline(&mut out, depth),
            _ => {}
        }
        out.push(letter);
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '{' | '[' if plain => depth += 1,
            ',' if plain => newline(&mut out, depth),
            ':' if plain => out.push(' '),
            _ => {}
        }
        last = if plain && letter != '"' { letter } else { '"' };
    }
    out
}

/// Spans of the parts that a script removes from a message.
pub(in crate::format) fn removed(
    transcript: &Transcript<'_>,
    script: &EditScript,
    index: usize,
) -> HashSet<Range<usize>> {
    let parts = &transcript.messages[index].parts;
    let gone = script.changes_of(index).iter().filter(|edit| edit.change == Change::Remove);
    gone.filter_map(|edit| Some(parts.get(edit.part)?.slot.part.clone())).collect()
}

/// The patches for stubs and excerpts in a kept message, in the same JSON type; parts that share a removed span in
/// `gone` are skipped.
pub(in crate::format) fn replacements(
    transcript: &Transcript<'_>,
    script: &EditScript,
    index: usize,
    gone: &HashSet<Range<usize>>,
) -> Vec<Patch> {
    let parts = &transcript.messages[index].parts;
    let changes = script.changes_of(index).iter().filter_map(|edit| Some((parts.get(edit.part)?, &edit.change)));
    let stays = changes.filter(|(part, _)| !gone.contains(&part.slot.part));
    stays.filter_map(|(part, change)| replacement(part, change)).collect()
}

/// The patches that remove the elements of an array whose spans are in `gone`.
pub(in crate::format) fn without(source: &[u8], array: Json<'_>, gone: &HashSet<Range<usize>>) -> Vec<Patch> {
    if gone.is_empty() {
        return Vec::new();
    }
    let elements = array.array().unwrap_or_default();
    let keeps = |at: usize| elements.get(at).is_none_or(|element| !gone.contains(&element.span_in(source)));
    Members::of_array(source, array, &elements).patches(keeps, &[], PatchKind::Stub)
}

/// The patches that set a field of an object to a JSON value; a missing field is added at the end.
pub(in crate::format) fn set_field(
    source: &[u8],
    value: Json<'_>,
    key: &str,
    with: &str,
    kind: PatchKind,
) -> Vec<Patch> {
    let Some(object) = value.object() else { return Vec::new() };
    if let Some(old) = object.get(key) {
        let same = old.raw() == with;
        let patch = Patch { span: old.span_in(source), with: with.as_bytes().to_vec(), kind };
        return if same { Vec::new() } else { vec![patch] };
    }
    let new = New { before: object.fields().len(), text: format!(r#""{key}":{with}"#) };
    let patches = Members::of_object(source, value, &object).patches(|_| true, &[new], kind);
    patches.into_iter().map(|patch| Patch { kind, ..patch }).collect()
}

/// The patches that remove a field from an object.
pub(in crate::format) fn unset_field(source: &[u8], value: Json<'_>, key: &str, kind: PatchKind) -> Vec<Patch> {
    let Some(object) = value.object().filter(|object| object.has(key)) else { return Vec::new() };
    let stays = |at: usize| object.fields().get(at).is_none_or(|(name, _)| name != key);
    Members::of_object(source, value, &object).patches(stays, &[], kind)
}

/// Length in bytes above which a string in a UI copy is regarded as a copied output; shorter ones are names and ids.
const COPY: usize = 200;

/// The patches that replace each long string by a stub, in a value that only a user interface reads.
pub(in crate::format) fn stub_copies(source: &[u8], value: Json<'_>, stub: &str) -> Vec<Patch> {
    super::session_lines::stub_strings_over(COPY, source, value, stub)
}

/// Formats milliseconds since 1970 as an RFC 3339 timestamp, as used in reports and comparisons.
pub(in crate::format) fn time_of_millis(millis: i64) -> Option<String> {
    jiff::Timestamp::from_millisecond(millis).ok().map(|time| time.to_string())
}

/// Returns a SHA-256 hash in hex over some texts and their lengths.
pub(in crate::format) fn hash(texts: &[&str]) -> String {
    use sha2::Digest;
    let mut sha = sha2::Sha256::new();
    for text in texts {
        sha.update((text.len() as u64).to_le_bytes());
        sha.update(text);
    }
    hex(&sha.finalize())
}

/// Returns an id in the shape of a UUID (version 8) derived from some texts: the same texts give the same id.
pub(in crate::format) fn uuid(texts: &[&str]) -> String {
    transcript::uuid(&hash(texts))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_messages_stays_within_what_a_number_holds() {
        let source = format!(r#"{{"count":{}}}"#, u64::MAX);
        let patch = recount(source.as_bytes(), Json::parse(&source).unwrap(), "count", (2, 1)).unwrap();
        assert_eq!(patch.with, (u64::MAX - 2).to_string().into_bytes());
    }

    #[test]
    fn new_elements_are_laid_out_like_the_others() {
        let source = "{\n  \"m\": [\n    {\n      \"a\": 1\n    }\n  ]\n}";
        let document = Document::read(source.as_bytes(), 1, "m").unwrap();
        let spread = document.laid_out(r#"{"a":"x{,","b":[],"c":[1,{}]}"#);
        let expected =
            "{\n      \"a\": \"x{,\",\n      \"b\": [],\n      \"c\": [\n        1,\n        {}\n      ]\n    }";
        assert_eq!(spread, expected);
        let tabs = Document::read(b"[\n\t{\n\t\t\"a\": 1\n\t}\n]", 1, "m").unwrap();
        assert_eq!(tabs.laid_out(r#"{"a":[1]}"#), "{\n\t\t\"a\": [\n\t\t\t1\n\t\t]\n\t}");
        let flat = Document::read(b"[{}]", 1, "m").unwrap();
        assert_eq!(flat.laid_out(r#"{"a":1}"#), r#"{"a":1}"#);
    }

    #[test]
    fn errors_and_records_know_their_line() {
        let error = Document::read(b"{\n \"m\": [1,\n  x]}", 1, "m").err().unwrap();
        assert_eq!((error.line, error.column), (3, 3));
        let error = Document::read(b"{\"a\":1}", 4, "m").err().unwrap();
        assert_eq!((error.line, &*error.reason), (4, "no `m` array"));
        let document = Document::read(b"[\n1,\n\n2]", 1, "m").unwrap();
        let lines =
            document.transcript(1, Traits::default()).records.iter().map(|record| record.line).collect::<Vec<_>>();
        assert_eq!(lines, [2, 4]);
    }

    #[test]
    fn fields_are_set_and_taken_out() {
        let source = r#"{"a": 1, "b": 2}"#;
        let value = Json::parse(source).unwrap();
        let out = |patches: &[Patch]| {
            String::from_utf8(crate::transcript::apply(source.as_bytes(), patches).into_owned()).unwrap()
        };
        let set = |key, with| out(&set_field(source.as_bytes(), value, key, with, PatchKind::Stub));
        assert_eq!(set("a", "3"), r#"{"a": 3, "b": 2}"#);
        assert_eq!(set("c", "3"), r#"{"a": 1, "b": 2, "c":3}"#);
        assert_eq!(out(&unset_field(source.as_bytes(), value, "a", PatchKind::Stub)), r#"{"b": 2}"#);
    }
}
