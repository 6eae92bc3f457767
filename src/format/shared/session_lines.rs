//! What sessions of linked lines and exports share: parsing a record again, naming the tools of results through their
//! calls, reading a document of messages, and stubbing copies for a user interface.

use super::document::{self, Document};
use super::json::{Json, Object, quoted};
use super::synthetic;
use crate::format::{ReadError, ReadOptions};
use crate::transcript::{Message, PartKind, Patch, PatchKind, Record, Traits, Transcript};
use foldhash::HashMap;
use std::ops::Range;

/// Parses the fields of a record again; needed for few records.
pub(in crate::format) fn fields<'a>(transcript: &Transcript<'a>, record: &Record<'_>) -> Object<'a> {
    Json::at(transcript.source, &record.span).and_then(Json::object).unwrap_or_default()
}

/// Sets the tool name of every result from the call with the same id; a name that the result has itself stays.
pub(in crate::format) fn name_tools(messages: &mut [Message<'_>]) {
    let mut names = HashMap::default();
    names.reserve(messages.len() / 2);
    for part in messages.iter_mut().flat_map(|message| &mut message.parts) {
        match &mut part.kind {
            PartKind::Call { id, name } => drop(names.insert(id.clone(), name.clone())),
            PartKind::Result { id, tool, .. } if tool.is_none() => *tool = names.get(id).cloned(),
            _ => {}
        }
    }
}

/// Reads an export that is a document with its messages under a key, of which `read` reads all; if they can't be read
/// and `options` are lenient, the whole is opaque.
pub(in crate::format) fn read_export<'a>(
    source: &'a [u8],
    options: ReadOptions,
    key: &str,
    read: impl Fn(&'a [u8], &Document<'a>, (usize, Traits)) -> Transcript<'a>,
) -> Result<Transcript<'a>, ReadError> {
    let document = options.forgive(Document::read(source, options.first_line, key))?;
    let Some(document) = document else { return Ok(document::opaque(source, options, export_traits())) };
    Ok(exported(read(source, &document, (options.first_line, export_traits()))))
}

/// The traits of exports: their summary is a user message, and nobody resumes them.
pub(in crate::format) fn export_traits() -> Traits {
    Traits { user_summary: true, never_resumed: true, ..Traits::default() }
}

/// Completes what was read of an export: its results have the names of their tools, what a harness or an earlier
/// compaction wrote is known as such, and nobody loads what was abandoned.
pub(in crate::format) fn exported(mut transcript: Transcript<'_>) -> Transcript<'_> {
    name_tools(&mut transcript.messages);
    synthetic::classify(&mut transcript.messages, &[]);
    transcript.messages.iter_mut().filter(|message| message.abandoned).for_each(|message| message.live = false);
    transcript
}

/// The patches that replace every string in a value by the stub if it is longer than the stub. Keys, numbers and JSON
/// types stay, because viewers rely on them.
pub(in crate::format) fn stub_strings(source: &[u8], value: Json<'_>, stub: &str) -> Vec<Patch> {
    stub_strings_over(0, source, value, stub)
}

/// Like [`stub_strings`], only for strings that are also longer than `least` bytes.
pub(in crate::format) fn stub_strings_over(least: usize, source: &[u8], value: Json<'_>, stub: &str) -> Vec<Patch> {
    let stub = quoted(stub);
    let mut patches = Vec::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if let Some(object) = value.object() {
            open.extend(object.fields().iter().map(|(_, value)| *value));
        } else if let Some(array) = value.array() {
            open.extend(array);
        } else if value.is_string() && value.raw().len() > least.max(stub.len()) {
            let span = value.span_in(source);
            patches.push(Patch { span, with: stub.clone().into_bytes(), kind: PatchKind::UiCopy });
        }
    }
    patches
}

/// The patch that removes a field: its key, its value and one comma.
pub(in crate::format) fn without_field(source: &[u8], value: Json<'_>) -> Option<Patch> {
    let span = field_span(source, value.span_in(source))?;
    Some(Patch { span, with: Vec::new(), kind: PatchKind::UiCopy })
}

/// The range of the field with this value: key, colon, value, and the comma after it, or else the one before it.
fn field_span(source: &[u8], value: Range<usize>) -> Option<Range<usize>> {
    let colon = value.start - 1 - blanks(source[..value.start].iter().rev());
    let close = colon.checked_sub(1 + blanks(source[..colon].iter().rev()))?;
    let open = memchr::memrchr(b'"', source.get(..close)?)?;
    let after = value.end + blanks(source[value.end..].iter());
    if source.get(after) == Some(&b',') {
        return Some(open..after + 1 + blanks(source[after + 1..].iter()));
    }
    let before = open.checked_sub(1 + blanks(source[..open].iter().rev()))?;
    Some(if source[before] == b',' { before..value.end } else { open..value.end })
}

fn blanks<'b>(bytes: impl Iterator<Item = &'b u8>) -> usize {
    bytes.take_while(|byte| byte.is_ascii_whitespace()).count()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn without(source: &str, value: &str) -> String {
        let start = source.find(value).unwrap();
        let span = field_span(source.as_bytes(), start..start + value.len()).unwrap();
        format!("{}{}", &source[..span.start], &source[span.end..])
    }

    #[test]
    fn a_field_goes_with_one_comma() {
        assert_eq!(without(r#"{"a":1,"x":[7],"b":2}"#, "[7]"), r#"{"a":1,"b":2}"#);
        assert_eq!(without(r#"{"a" : 1, "x" : [7] }"#, "[7]"), r#"{"a" : 1 }"#);
        assert_eq!(without(r#"{"x":[7]}"#, "[7]"), "{}");
        assert_eq!(without(r#"{"x":[7], "a":1}"#, "[7]"), r#"{"a":1}"#);
    }
}
