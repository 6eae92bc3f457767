//! Appends a compaction to a session: a boundary that names the records that stay loaded, a summary linked to it, and
//! a continuation linked to the summary (FORMATS §6).

use super::ids::Ids;
use super::new_records::{Envelope, Segment};
use crate::format::shared::record_lines::{self, NewLine};
use crate::format::shared::session_lines::fields;
use crate::transcript::{Class, EditScript, InsertKind, Patch, Record, Transcript};
use std::collections::BTreeSet;

/// The patches that append the insertions of a script.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
    let end = transcript.records.len();
    let leaf = transcript.records.iter().rfind(|record| is_linked(record));
    let envelope = Envelope::of(&leaf.map(|record| fields(transcript, record)).unwrap_or_default());
    let envelope = envelope.behind(transcript.messages.iter());
    let leaf = leaf.and_then(|record| record.id.as_deref()).unwrap_or_default();
    let mut newest = leaf.to_owned();
    let mut lines = Vec::new();
    for insert in &script.inserts {
        match &insert.kind {
            InsertKind::Summary { text, tokens_before, tokens_after, .. } => {
                let segment = Segment { ids: segment(transcript, insert.before), leaf };
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
    let lines: Vec<_> = lines.into_iter().map(|text| NewLine { before: end, text }).collect();
    record_lines::patches(transcript.source, &transcript.records, &script.keep, &lines)
}

/// The ids of the chain's records from the one where the tail begins. A resume loads a repeated record once, where its
/// first copy stands.
fn segment<'t>(transcript: &'t Transcript<'_>, first: usize) -> Vec<&'t str> {
    let ids = Ids::of(transcript);
    let records = transcript.records.iter().skip(first).filter(|record| is_linked(record));
    let places: BTreeSet<usize> = records.filter_map(|record| ids.get(record.id.as_deref()?)).collect();
    places.into_iter().filter_map(|place| transcript.records[place].id.as_deref()).collect()
}

/// Whether a record is on the chain that a resume loads: not abandoned, not a subagent's, not a boundary.
fn is_linked(record: &Record<'_>) -> bool {
    record.id.is_some()
        && !matches!(record.class, Class::Abandoned | Class::Sidechain(_) | Class::Boundary | Class::Opaque)
}
