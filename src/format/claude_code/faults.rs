//! Validity rules of a session (FORMATS §18). The pairing of calls and results is not among them: `check` does that for
//! all formats.

use super::ids::Ids;
use crate::format::Fault;
use crate::format::shared::links::cycles;
use crate::format::shared::session_lines::fields;
use crate::transcript::{Author, Class, Record, Transcript};
use foldhash::HashSet;
use jiff::Timestamp;

/// Returns the faults of a session.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let ids = Ids::of(transcript);
    let mut faults = if ids.are_unique() { Vec::new() } else { repeated_ids(transcript) };
    faults.extend(dangling_parents(transcript, &ids));
    faults.extend(dangling_leaves(transcript, &ids));
    faults.extend(summaries_without_boundary(transcript, &ids));
    faults.extend(cycles(transcript, |record| ids.parent(transcript, record)));
    faults.extend(times_going_back(transcript));
    faults.extend(other_roles(transcript));
    faults
}

fn fault(record: &Record<'_>, rule: &'static str, subject: &str) -> Fault {
    Fault { line: record.line, rule, subject: subject.to_owned() }
}

fn repeated_ids(transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut seen = HashSet::default();
    let with_id = transcript.records.iter().filter_map(|record| Some((record, record.id.as_deref()?)));
    let repeated = with_id.filter(|(_, id)| !seen.insert(*id));
    repeated.map(|(record, id)| fault(record, "duplicate_uuid", id)).collect()
}

fn dangling_parents(transcript: &Transcript<'_>, ids: &Ids<'_>) -> Vec<Fault> {
    let records = transcript.records.iter().enumerate();
    let linked = records.filter(|(at, record)| record.parent.is_some() && ids.parent(transcript, *at).is_none());
    linked.map(|(_, record)| fault(record, "dangling_parent", record.id.as_deref().unwrap_or_default())).collect()
}

/// Titles, prompts and snapshots that refer to a missing record.
fn dangling_leaves(transcript: &Transcript<'_>, ids: &Ids<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for record in transcript.records.iter().filter(|record| record.id.is_none() && record.class != Class::Opaque) {
        let fields = fields(transcript, record);
        for (key, rule) in [("leafUuid", "dangling_leaf"), ("messageId", "dangling_snapshot")] {
            if let Some(id) = fields.text(key).filter(|id| ids.get(id).is_none()) {
                faults.push(fault(record, rule, &id));
            }
        }
    }
    faults
}

fn summaries_without_boundary(transcript: &Transcript<'_>, ids: &Ids<'_>) -> Vec<Fault> {
    let summaries = transcript.messages.iter().filter(|message| message.author == Author::Summary);
    let records = summaries.map(|message| &transcript.records[message.record]);
    let follows_boundary = |record: &&Record<'_>| {
        let parent = record.parent.as_ref().and_then(|id| ids.get(id));
        parent.is_some_and(|parent| transcript.records[parent].class == Class::Boundary)
    };
    let lost = records.filter(|record| !follows_boundary(record));
    lost.map(|record| fault(record, "summary_without_boundary", record.id.as_deref().unwrap_or_default())).collect()
}

/// Faults for messages that are older than an earlier one. Timestamps that parse are compared as times, others as
/// texts; a time and such a text have no order.
fn times_going_back(transcript: &Transcript<'_>) -> Vec<Fault> {
    let (mut newest, mut newest_text): (Option<Timestamp>, &str) = (None, "");
    let mut faults = Vec::new();
    for message in &transcript.messages {
        let Some(text) = message.timestamp.as_deref() else { continue };
        let time = text.parse().ok();
        let goes_back = if time.is_some() { time < newest } else { text < newest_text };
        match time {
            _ if goes_back => {
                let record = &transcript.records[message.record];
                faults.push(fault(record, "time_goes_back", record.id.as_deref().unwrap_or_default()));
            }
            Some(_) => newest = time,
            None => newest_text = text,
        }
    }
    faults
}

/// Faults for messages whose role, which a model is sent, is not the type of their record, which a reader goes by.
fn other_roles(transcript: &Transcript<'_>) -> Vec<Fault> {
    let other = transcript.messages.iter().filter(|message| message.other_role);
    let records = other.map(|message| &transcript.records[message.record]);
    records.map(|record| fault(record, "other_role", record.id.as_deref().unwrap_or_default())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::sketch::sketch;

    #[test]
    fn times_of_other_zones_are_compared_as_times() {
        let back = |times: [&'static str; 3]| {
            let mut transcript = sketch("u a u");
            let messages = transcript.messages.iter_mut().zip(times);
            messages.for_each(|(message, time)| message.timestamp = Some(time.into()));
            times_going_back(&transcript).iter().map(|fault| fault.line).collect::<Vec<_>>()
        };
        let (noon, later, earlier) =
            ("2026-01-01T12:00:00Z", "2026-01-01T12:00:00.5+00:00", "2026-01-01T13:30:00+02:00");
        assert_eq!(back([noon, later, noon]), [3]);
        assert!(back([earlier, noon, later]).is_empty(), "as texts, each would be older than the first");
        assert_eq!(back([noon, "n/a", earlier]), [3], "what is no time is not newer than all");
        assert_eq!(back(["turn 1", "turn 3", "turn 2"]), [3]);
    }
}
