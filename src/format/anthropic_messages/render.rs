//! Writes Anthropic messages: a row, where a summary may go into `system` instead, or one message per line.

use super::super::shared::array::Members;
use super::super::shared::new::New;
use super::super::shared::record_lines;
use super::super::shared::rows::{Row, row};
use super::super::shared::{message_columns, part_edits};
use super::order::{self, Form, Place, places, writer};
use super::system::System;
use crate::transcript::{EditScript, Patch, PatchKind, Transcript};

/// Turns an edit script into patches.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
    match row(transcript.source, 1) {
        Ok(row) => Patch::in_order(in_row(transcript, script, &row)),
        Err(_) => in_lines(transcript, script),
    }
}

fn in_row(transcript: &Transcript<'_>, script: &EditScript, row: &Row<'_>) -> Vec<Patch> {
    let system = System::read(transcript.source, &row.fields);
    let before = system.records();
    let keeps = |record: usize| script.keeps(record);
    let places = places(transcript, script, row.array.raw().len() == row.whole.raw().len());
    let new = places.iter().flat_map(|place| place.messages(writer(transcript)));
    let new: Vec<_> = new.map(|new| New { before: new.before.saturating_sub(before), ..new }).collect();
    let members = Members::of_array(transcript.source, row.array, &row.elements);
    let stays = |index: usize| keeps(index + before);
    let mut patches = members.patches(stays, &new, PatchKind::Drop);
    patches.extend(message_columns::patches(transcript.source, row.columns(), stays, &new));

    let drops = system.summary.is_some() && !keeps(before - 1);
    let texts: Vec<_> = places.iter().filter(|place| place.form == Form::System).map(Place::text).collect();
    let text = (!texts.is_empty()).then(|| texts.join("\n\n"));
    patches.extend(system.patches(row, transcript.source, (drops, text.as_deref())));
    // The preamble is kept word for word, so parts are edited only in the messages.
    patches.extend(parts(transcript, script, before));
    patches
}

fn in_lines(transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
    let new = order::messages(transcript, script, writer(transcript));
    record_lines::edited(transcript, &script.keep, &new, parts(transcript, script, 0))
}

/// The patches inside kept messages, starting at the record `from`.
fn parts(transcript: &Transcript<'_>, script: &EditScript, from: usize) -> Vec<Patch> {
    let keeps = |record: usize| record >= from && script.keeps(record);
    let kept = transcript.messages.iter().enumerate().filter(|(_, message)| keeps(message.record));
    kept.flat_map(|(index, _)| part_edits::patches(transcript, script, index)).collect()
}
