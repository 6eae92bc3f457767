//! Edits parts of kept messages: stubs and excerpts in the same JSON type, and removed parts.
//!
//! For formats whose records are message objects with `content`.

use super::array::Members;
use super::document::without;
use super::json::{Json, escaped, quoted};
use crate::transcript::{Change, EditScript, Part, PartEdit, PartKind, Patch, PatchKind, Shape, Transcript};
use std::collections::HashSet;
use std::ops::Range;

/// The patches inside one kept message.
pub(in crate::format) fn patches(transcript: &Transcript<'_>, script: &EditScript, index: usize) -> Vec<Patch> {
    patches_in(transcript, script, index, json_of(transcript, index))
}

/// The patches inside all kept messages.
pub(in crate::format) fn of_kept(transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
    script.kept(transcript).flat_map(|index| patches(transcript, script, index)).collect()
}

/// The patches inside one message, given the message object, which may be nested in the record.
pub(in crate::format) fn patches_in(
    transcript: &Transcript<'_>,
    script: &EditScript,
    index: usize,
    message: Option<Json<'_>>,
) -> Vec<Patch> {
    let parts = &transcript.messages[index].parts;
    let changes = script.changes_of(index).iter();
    let changes: Vec<_> = changes.filter_map(|edit| Some((parts.get(edit.part)?, &edit.change))).collect();
    let gone = changes.iter().filter(|(_, change)| **change == Change::Remove).map(|(part, _)| part.slot.part.clone());
    let gone: HashSet<_> = gone.collect();
    let json = message.filter(|_| !gone.is_empty());
    let removed: Vec<_> = json.into_iter().flat_map(|json| removals(transcript.source, json, &gone)).collect();
    // A result synthesized for a call shares its span: if one is removed, so is the other, with all changes in it.
    let goes = |part: &Part<'_>| !removed.is_empty() && gone.contains(&part.slot.part);
    let stays = changes.iter().filter(|(part, _)| !goes(part));
    stays.filter_map(|(part, change)| replacement(part, change)).chain(removed.iter().cloned()).collect()
}

/// The JSON of the record that holds a message.
pub(in crate::format) fn json_of<'a>(transcript: &Transcript<'a>, index: usize) -> Option<Json<'a>> {
    Json::at(transcript.source, &transcript.record_of(index).span)
}

/// The patch that replaces a part's content by a stub or an excerpt, in the same JSON type.
pub(in crate::format) fn replacement(part: &Part<'_>, change: &Change) -> Option<Patch> {
    replacement_by(part, change, "text")
}

/// Like [`replacement`], for a format whose text blocks have this `type`.
pub(in crate::format) fn replacement_by(part: &Part<'_>, change: &Change, kind: &str) -> Option<Patch> {
    let text = change.text()?;
    let block = || format!(r#"{{"type":"{kind}","text":{}}}"#, quoted(text));
    let (span, with) = match (part.slot.shape, &part.kind) {
        (_, PartKind::Media(_)) => (&part.slot.part, block()),
        (Shape::Text, _) => (&part.slot.content, quoted(text)),
        (Shape::InText, _) => (&part.slot.content, escaped(text)),
        (Shape::TextBlocks, _) => (&part.slot.content, format!("[{}]", block())),
        (Shape::Json, _) => (&part.slot.content, object(text).to_owned()),
        (Shape::Fixed, _) => return None,
    };
    Some(stub(span.clone(), with))
}

/// The text for a UI copy of a result: the stub that replaced the result, or else the general one.
pub(in crate::format) fn copy_of<'s>(change: Option<&'s Change>, general: &'s str) -> &'s str {
    match change {
        Some(Change::Stub(text)) => text,
        _ => general,
    }
}

/// The text for a UI copy of all results of a message: that of the first stubbed result, or else the general one.
pub(in crate::format) fn copies_of<'s>(
    transcript: &Transcript<'_>,
    script: &'s EditScript,
    (message, general): (usize, &'s str),
) -> &'s str {
    let parts = &transcript.messages[message].parts;
    let is_result = |part: usize| parts.get(part).is_some_and(Part::is_result);
    let stubbed = |edit: &&PartEdit| is_result(edit.part) && matches!(edit.change, Change::Stub(_));
    copy_of(script.changes_of(message).iter().find(stubbed).map(|edit| &edit.change), general)
}

/// The text if it is a JSON object, else `{}`: what may replace an object.
pub(in crate::format) fn object(text: &str) -> &str {
    if Json::parse(text).is_ok_and(|value| value.object().is_some()) { text } else { "{}" }
}

/// A patch that replaces a part's content.
pub(in crate::format) fn stub(span: Range<usize>, with: String) -> Patch {
    Patch { span, with: with.into_bytes(), kind: PatchKind::Stub }
}

/// The patches that remove fields of a message or elements of its content.
fn removals(source: &[u8], message: Json<'_>, gone: &HashSet<Range<usize>>) -> Vec<Patch> {
    let Some(object) = message.object() else { return Vec::new() };
    let stays = |value: Json<'_>| !gone.contains(&value.span_in(source));
    let called = |key: &str| key == "tool_calls";
    let own = |key: &str| matches!(key, "role" | "content") || called(key);
    // APIs refuse an empty list of calls, so the field is removed with its last call.
    let uncalled = |value: Json<'_>| value.array().is_some_and(|calls| !calls.iter().any(|call| stays(*call)));
    let emptied = |key: &str, value: Json<'_>| called(key) && value.raw() != "[]" && uncalled(value);
    let fields = object.fields();
    let remains = |key: &str, value: Json<'_>| if own(key) { !emptied(key, value) } else { stays(value) };
    let keeps = |index: usize| fields.get(index).is_none_or(|(key, value)| remains(key, *value));
    let mut patches = Members::of_object(source, message, &object).patches(keeps, &[], PatchKind::Stub);
    let lists = ["content", "tool_calls"].iter().filter_map(|key| Some((key, object.get(key)?)));
    for (_, list) in lists.filter(|(key, list)| !emptied(key, *list)) {
        patches.extend(without(source, list, gone));
    }
    patches
}
