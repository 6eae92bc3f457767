//! What keeps a session valid (FORMATS §18); pairing of calls and results is checked for all formats alike.

use super::path::{by_id, path};
use crate::format::Fault;
use crate::format::json::Json;
use crate::format::session_lines::fields;
use crate::transcript::{Author, Class, Record, Transcript};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The faults of a session.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let index = by_id(transcript);
    let mut faults = no_header(transcript);
    faults.extend(repeated_ids(transcript));
    faults.extend(dangling_links(transcript, &index));
    faults.extend(cycles(transcript, &index));
    faults.extend(lost_firsts(transcript, &index));
    faults
}

fn fault(record: &Record<'_>, rule: &'static str) -> Fault {
    Fault { line: record.line, rule, subject: record.id.as_deref().unwrap_or_default().to_owned() }
}

fn no_header(transcript: &Transcript<'_>) -> Vec<Fault> {
    let first = transcript.records.first();
    let lost = first.filter(|first| fields(transcript, first).text("type").as_deref() != Some("session"));
    lost.map(|record| fault(record, "no_header")).into_iter().collect()
}

fn repeated_ids(transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut seen = HashSet::new();
    let repeated = transcript.records.iter().filter(|record| record.id.as_deref().is_some_and(|id| !seen.insert(id)));
    repeated.map(|record| fault(record, "duplicate_id")).collect()
}

/// Entries whose parent is nowhere, and labels of nothing.
fn dangling_links(transcript: &Transcript<'_>, index: &HashMap<Cow<'_, str>, usize>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for record in transcript.records.iter().filter(|record| record.id.is_some()) {
        if record.parent.as_ref().is_some_and(|id| !index.contains_key(id)) {
            faults.push(fault(record, "dangling_parent"));
        }
        if matches!(record.class, Class::Message(_) | Class::Session(_) | Class::Opaque) {
            continue;
        }
        if fields(transcript, record).text("targetId").is_some_and(|id| !index.contains_key(&id)) {
            faults.push(fault(record, "dangling_label"));
        }
    }
    faults
}

/// Records whose chain of parents comes back to them. Every record is walked once.
fn cycles(transcript: &Transcript<'_>, index: &HashMap<Cow<'_, str>, usize>) -> Vec<Fault> {
    let mut walk_of = vec![usize::MAX; transcript.records.len()];
    let mut faults = Vec::new();
    for start in 0..transcript.records.len() {
        let mut at = Some(start);
        while let Some(record) = at.filter(|&record| walk_of[record] == usize::MAX) {
            walk_of[record] = start;
            at = transcript.records[record].parent.as_ref().and_then(|id| index.get(id).copied());
        }
        faults.extend(at.filter(|&at| walk_of[at] == start).map(|at| fault(&transcript.records[at], "parent_cycle")));
    }
    faults
}

/// Compactions on the path whose first kept entry is not on it.
fn lost_firsts(transcript: &Transcript<'_>, index: &HashMap<Cow<'_, str>, usize>) -> Vec<Fault> {
    let path = path(transcript, index);
    let summaries =
        transcript.messages.iter().filter(|message| message.author == Author::Summary && !message.abandoned);
    let is_lost = |record: &&Record<'_>| {
        let fields = fields(transcript, record);
        let line = fields.get("firstKeptEntryIndex").and_then(Json::whole).and_then(|line| usize::try_from(line).ok());
        match fields.text("firstKeptEntryId") {
            Some(id) => !index.get(&id).is_some_and(|at| path[*at]),
            None => line.is_some_and(|line| line >= path.len()),
        }
    };
    let records = summaries.map(|message| &transcript.records[message.record]);
    records.filter(is_lost).map(|record| fault(record, "first_kept_not_on_path")).collect()
}
