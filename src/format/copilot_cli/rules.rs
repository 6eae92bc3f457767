//! What keeps a session open to a resume; pairing of calls and results is checked for all formats alike.

use crate::format::Fault;
use crate::format::links::{by_id, cycles, dangling_parents, fault, repeated_ids};
use crate::format::session_lines::fields;
use crate::transcript::Transcript;

/// The faults of a session.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let index = by_id(transcript);
    let first = transcript.records.first();
    let lost = first.filter(|first| fields(transcript, first).text("type").as_deref() != Some("session.start"));
    let mut faults: Vec<_> = lost.map(|record| fault(record, "no_header")).into_iter().collect();
    faults.extend(repeated_ids(transcript));
    faults.extend(dangling_parents(transcript, &index));
    faults.extend(cycles(transcript, &index));
    faults
}
