//! Rules that a session must meet to be loaded; pairing of calls and results is checked for all formats alike.

use super::COMPRESSION;
use crate::format::Fault;
use crate::format::shared::links::{by_id, cycles, dangling_parents, fault, parent_in};
use crate::format::shared::session_lines::fields;
use crate::transcript::{Class, Transcript};

/// Returns the faults of a session. Pieces of one message share id and parent; any other repeated id is a fault.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let index = by_id(transcript);
    let mut faults: Vec<_> = dangling_parents(transcript, &index).collect();
    faults.extend(cycles(transcript, parent_in(transcript, &index)));
    for (at, record) in transcript.records.iter().enumerate() {
        let first = record.id.as_ref().and_then(|id| index.get(id)).filter(|first| **first != at);
        if first.is_some_and(|first| transcript.records[*first].parent != record.parent) {
            faults.push(fault(transcript, at, "duplicate_id"));
        }
    }
    faults.extend(of_other_sessions(transcript));
    faults.sort();
    faults
}

/// Records of another session than the first record's, which the loader refuses, and compressions without a history.
fn of_other_sessions(transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut own = None;
    let mut faults = Vec::new();
    for (at, record) in transcript.records.iter().enumerate().filter(|(_, record)| record.id.is_some()) {
        let fields = fields(transcript, record);
        let session = fields.text("sessionId");
        if own.get_or_insert_with(|| session.clone()) != &session {
            faults.push(fault(transcript, at, "other_session"));
        }
        if record.class == Class::Place && fields.is("subtype", COMPRESSION) {
            faults.push(fault(transcript, at, "compression_without_history"));
        }
    }
    faults
}
