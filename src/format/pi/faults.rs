//! Validity rules of a session (FORMATS §18); pairing of calls and results is checked for all formats alike.

use super::path::loaded;
use crate::format::Fault;
use crate::format::shared::links::{by_id, fault, of_session};
use crate::format::shared::session_lines::fields;
use crate::transcript::{Author, Class, Record, Transcript};
use std::borrow::Cow;
use std::collections::HashMap;

/// Returns the faults of a session.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let index = by_id(transcript);
    let mut faults = of_session(transcript, "session");
    faults.extend(dangling_labels(transcript, &index));
    faults.extend(lost_firsts(transcript, &index));
    faults
}

/// Labels of missing entries.
fn dangling_labels(transcript: &Transcript<'_>, index: &HashMap<Cow<'_, str>, usize>) -> Vec<Fault> {
    let labels = transcript.records.iter().enumerate().filter(|(_, record)| {
        record.id.is_some() && !matches!(record.class, Class::Message(_) | Class::Session(_) | Class::Opaque)
    });
    let target = |record: &Record<'_>| fields(transcript, record).text("targetId");
    let lost = labels.filter(|(_, record)| target(record).is_some_and(|id| !index.contains_key(&id)));
    lost.map(|(at, _)| fault(transcript, at, "dangling_label")).collect()
}

/// Compactions on the path whose first kept entry is not on it.
fn lost_firsts(transcript: &Transcript<'_>, index: &HashMap<Cow<'_, str>, usize>) -> Vec<Fault> {
    let path = loaded(transcript, index);
    let summaries =
        transcript.messages.iter().filter(|message| message.author == Author::Summary && !message.abandoned);
    let is_lost = |record: &usize| {
        let fields = fields(transcript, &transcript.records[*record]);
        let line = fields.whole("firstKeptEntryIndex").and_then(|line| usize::try_from(line).ok());
        match fields.text("firstKeptEntryId") {
            Some(id) => !index.get(&id).is_some_and(|at| path[*at]),
            None => line.is_some_and(|line| line >= path.len()),
        }
    };
    let records = summaries.map(|message| message.record);
    records.filter(is_lost).map(|record| fault(transcript, record, "first_kept_not_on_path")).collect()
}
