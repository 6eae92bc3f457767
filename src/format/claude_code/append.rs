//! Appends a compaction to a session: a boundary that names the records that stay loaded, a summary linked to it, and
//! a continuation linked to the summary (FORMATS §6).

use super::ids::Ids;
use super::new_records::{Envelope, Segment};
use crate::format::shared::new::New;
use crate::format::shared::record_lines;
use crate::format::shared::session_lines::fields;
use crate::transcript::{Class, EditScript, InsertKind, Patch, Record, Transcript};
use std::collections::BTreeSet;

/// The patches that append the insertions of a script.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
    let end = transcript.records.len();
    let leaf = leaf(transcript);
    let envelope = Envelope::of(&leaf.map(|record| fields(transcript, record)).unwrap_or_default());
    let envelope = envelope.behind(transcript.messages.iter());
    let leaf = leaf.and_then(|record| record.id.as_deref()).unwrap_or_default();
    let mut newest = leaf.to_owned();
    let mut lines = Vec::new();
    for insert in &script.inserts {
        match &insert.kind {
            InsertKind::Summary { text, tokens_before, tokens_after, .. } => {
                let segment = Segment { ids: segment(transcript, script, insert.before), leaf };
                let (boundary, id) = envelope.boundary(text, (*tokens_before, *tokens_after), Some(&segment));
                let (summary, id) = envelope.summary(&id, text);
                newest = segment.ids.last().map_or(id, |&last| last.to_owned());
                lines.extend([boundary, summary]);
            }
            InsertKind::Continuation { text, replayed, .. } => {
                let (line, id) = envelope.continuation(Some(&newest), text, !replayed);
                newest = id;
                lines.push(line);
            }
        }
    }
    let lines: Vec<_> = lines.into_iter().map(|text| New { before: end, text }).collect();
    record_lines::patches(transcript.source, &transcript.records, &script.keep, &lines)
}

/// The end of the chain: the last record, or if that is a message, the one that is read last.
fn leaf<'t, 's>(transcript: &'t Transcript<'s>) -> Option<&'t Record<'s>> {
    let last = transcript.records.iter().rfind(|record| is_linked(record))?;
    let mut messages = transcript.messages.iter().rev().map(|message| &transcript.records[message.record]);
    let read = messages.find(|record| is_linked(record)).filter(|_| matches!(last.class, Class::Message(_)));
    read.or(Some(last))
}

/// The ids of the chain's records from the one where the tail begins, in the order in which they are read. A resume
/// loads a repeated record once, where its first copy stands.
fn segment<'t>(transcript: &'t Transcript<'_>, script: &EditScript, first: usize) -> Vec<&'t str> {
    let ids = Ids::of(transcript);
    let places = places(transcript);
    // The line of a result may stand before those of messages that are read before its call.
    let loaded = script.appended.iter().flatten().copied();
    let begins = loaded.filter(|index| transcript.messages[*index].record >= first).min().unwrap_or_default();
    let records = transcript.records.iter().enumerate().skip(first);
    let records = records.filter(|(at, record)| is_linked(record) && places[*at] >= begins);
    let named: BTreeSet<(usize, usize)> = records
        .filter_map(|(_, record)| ids.get(record.id.as_deref()?))
        .map(|record| (places[record], record))
        .collect();
    named.into_iter().filter_map(|(_, record)| transcript.records[record].id.as_deref()).collect()
}

/// For each record, the index of its message, or else that of the one before it.
fn places(transcript: &Transcript<'_>) -> Vec<usize> {
    let mut own = vec![None; transcript.records.len()];
    transcript.messages.iter().enumerate().for_each(|(index, message)| own[message.record] = Some(index));
    let places = own.into_iter().scan(0, |newest, index| {
        *newest = index.unwrap_or(*newest);
        Some(*newest)
    });
    places.collect()
}

/// Whether a record is on the chain that a resume loads: not abandoned, not a subagent's, not a boundary.
fn is_linked(record: &Record<'_>) -> bool {
    record.id.is_some()
        && !matches!(record.class, Class::Abandoned | Class::Sidechain(_) | Class::Boundary | Class::Opaque)
}
