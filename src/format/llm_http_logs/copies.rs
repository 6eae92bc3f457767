//! Copies of a log's messages in other arrays: as they were before calls were written as text, one for one.

use crate::format::openai::{self, Turns};
use crate::format::shared::json::{Json, Object};
use crate::format::shared::rows::Row;
use crate::transcript::{EditScript, Message, PartEdit, Patch, Transcript};

/// Paths of the fields that may hold such copies.
const PLACES: [&[&str]; 5] = [
    &["raw_messages"],
    &["fncall_messages"],
    &["kwargs", "messages"],
    &["model_call_details", "messages"],
    &["model_call_details", "input"],
];

/// The arrays of a log that repeat its messages.
fn arrays<'a>(row: &Row<'a>) -> impl Iterator<Item = Json<'a>> {
    let holds_messages = |array: &Json<'a>| {
        let first = array.array().and_then(|elements| elements.first()?.object());
        first.is_some_and(|first| first.has("role"))
    };
    let found = |place: &[&str]| {
        let (last, above) = place.split_last()?;
        above.iter().try_fold(row.fields.clone(), |fields, key| fields.object(key))?.get(last)
    };
    PLACES.into_iter().filter_map(found).filter(holds_messages)
}

/// Reads a copy in the same way as the messages, without the answer.
fn read<'a>(transcript: &Transcript<'a>, array: Json<'a>) -> Option<(Turns<'a>, Transcript<'a>)> {
    // The fields beside the messages are edited once, with the messages themselves.
    let turns = Turns::all(Object::default(), array)?;
    let copy = turns.read(transcript.source, 1, transcript.traits.clone()).ok()?;
    Some((turns, copy))
}

/// Whether a log repeats its messages, but not one for one; for Anthropic's messages every repetition counts as
/// different. The `transcript` must not have its answer yet.
pub(super) fn differ(transcript: &Transcript<'_>, row: &Row<'_>) -> bool {
    let anthropics = || openai::is_anthropics(&row.fields);
    arrays(row).any(|array| {
        let same = |copy: &Transcript<'_>| {
            let is_one = |(a, b): (&Message<'_>, &Message<'_>)| a.record == b.record;
            copy.records.len() == transcript.records.len()
                && copy.messages.len() == transcript.messages.len()
                && copy.messages.iter().zip(&transcript.messages).all(is_one)
        };
        anthropics() || !read(transcript, array).is_some_and(|(_, copy)| same(&copy))
    })
}

/// Applies a script's changes of the messages to all their copies.
pub(super) fn patches(transcript: &Transcript<'_>, script: &EditScript, row: &Row<'_>) -> Vec<Patch> {
    let of_copy = |array: Json<'_>| {
        let (turns, copy) = read(transcript, array)?;
        let mut own = script.clone();
        own.keep.truncate(copy.records.len());
        own.parts = script.parts.iter().filter_map(|edit| moved(edit, transcript, &copy)).collect();
        own.parts.sort_by_key(|edit| (edit.message, edit.part));
        Some(turns.render(&copy, &own))
    };
    arrays(row).filter_map(of_copy).flatten().collect()
}

/// Maps a part edit to a copy: to the part of the same kind and number (first result to first result, and so on) in
/// the same message.
fn moved(edit: &PartEdit, transcript: &Transcript<'_>, copy: &Transcript<'_>) -> Option<PartEdit> {
    let parts = &transcript.messages.get(edit.message)?.parts;
    let kind = parts.get(edit.part)?.kind.name();
    let before = parts.iter().take(edit.part).filter(|part| part.kind.name() == kind).count();
    let parts = copy.messages.get(edit.message)?.parts.iter().enumerate();
    let (part, _) = parts.filter(|(_, part)| part.kind.name() == kind).nth(before)?;
    Some(PartEdit { part, ..edit.clone() })
}
