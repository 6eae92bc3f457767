//! Columns `images`, `videos` and `audios` of a training row: one entry for each place in the messages, in order.
//!
//! Trainers refuse a row in which the numbers differ, so entries go with the messages that show them.

use super::Fault;
use super::array::Members;
use super::json::{Json, Object};
use crate::transcript::{Media, Message, PartKind, Patch, PatchKind, Transcript};

/// Each column, what stands for its entries in texts, and the kind of part that does so among blocks.
const COLUMNS: [(&str, &str, Media); 3] =
    [("images", "<image>", Media::Image), ("videos", "<video>", Media::Other), ("audios", "<audio>", Media::Audio)];

/// The columns that a row has, with their entries.
fn columns<'a>(fields: &Object<'a>) -> Vec<(Json<'a>, Vec<Json<'a>>, (&'static str, &'static str, Media))> {
    let found = COLUMNS.into_iter().filter_map(|column| {
        let value = fields.get(column.0)?;
        Some((value, value.array()?, column))
    });
    found.collect()
}

/// Places in a message that stand for an entry of a column.
fn places(message: &Message<'_>, placeholder: &str, medium: Media) -> usize {
    let of_part = |kind: &PartKind<'_>, text: &str| match kind {
        PartKind::Media(media) if *media == medium => 1,
        PartKind::Text | PartKind::Result { .. } => text.matches(placeholder).count(),
        _ => 0,
    };
    message.parts.iter().map(|part| of_part(&part.kind, &part.text)).sum()
}

/// The patches that take out the entries of the messages that do not stay.
pub(super) fn patches(transcript: &Transcript<'_>, fields: &Object<'_>, keep: &[bool]) -> Vec<Patch> {
    let mut patches = Vec::new();
    for (value, entries, (_, placeholder, medium)) in columns(fields) {
        let stays = |message: &Message<'_>| keep.get(message.record).copied().unwrap_or(true);
        let of_message = |message| std::iter::repeat_n(stays(message), places(message, placeholder, medium));
        let stay: Vec<bool> = transcript.messages.iter().flat_map(of_message).collect();
        if stay.len() == entries.len() {
            let members = Members::of_array(transcript.source, value, &entries);
            patches.extend(members.patches(|index| stay.get(index) != Some(&false), &[], PatchKind::Relink));
        }
    }
    patches
}

/// A fault for each column whose number of entries is not that of the places.
pub(super) fn faults(transcript: &Transcript<'_>, fields: &Object<'_>) -> Vec<Fault> {
    let line = transcript.records.first().map_or(1, |record| record.line);
    let wrong = columns(fields).into_iter().filter(|(_, entries, (_, placeholder, medium))| {
        let places = transcript.messages.iter().map(|message| places(message, placeholder, *medium));
        places.sum::<usize>() != entries.len()
    });
    wrong.map(|(_, _, (name, ..))| Fault { line, rule: "media_count", subject: name.to_owned() }).collect()
}

/// Why a row may not be edited: a result that may be shortened shows an entry of a column.
pub(super) fn obstacle(messages: &[Message<'_>], fields: &Object<'_>) -> Option<&'static str> {
    let shows = |message: &Message<'_>, placeholder: &str| {
        let mut parts = message.parts.iter();
        parts.any(|part| matches!(part.kind, PartKind::Result { .. }) && part.text.contains(placeholder))
    };
    let columns = columns(fields);
    let mut all =
        columns.iter().flat_map(|(_, _, (_, placeholder, _))| messages.iter().map(move |it| (it, placeholder)));
    all.any(|(message, placeholder)| shows(message, placeholder)).then_some("media_in_result")
}

/// A new text for a row: where the row has such columns, what would stand for an entry is spelled otherwise.
pub(super) fn without_places(text: &str, fields: &Object<'_>) -> String {
    columns(fields).into_iter().fold(text.to_owned(), |text, (_, _, (_, placeholder, _))| {
        text.replace(placeholder, &placeholder.replace('<', "(").replace('>', ")"))
    })
}
