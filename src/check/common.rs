//! The faults that transcripts of any format may have: calls and results that do not pair up, and several sessions in a
//! file.

use super::pairs::{Broken, broken, open_messages};
use crate::reason::Reason;
use crate::transcript::{Fault, Transcript, distinct};
use foldhash::HashMap;

/// The common faults of a transcript, ordered by line: `several_sessions`, `duplicate_call_id`, `duplicate_result`,
/// `orphan_result` (no call before it), `unanswered_call` (no result, even if the transcript ends on the call: a
/// compaction must not create one).
pub fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    sorted(transcript, &broken(transcript))
}

/// The faults of a transcript judged on its own: calls that it ends on may still be answered, and are no fault. One that
/// was made again under its id is not: results answer the later one.
pub fn faults_at_rest(transcript: &Transcript<'_>) -> Vec<Fault> {
    let open = open_messages(transcript);
    let mut broken = broken(transcript);
    let again: HashMap<&str, usize> = broken.iter().filter(|it| it.rule == "duplicate_call_id").map(place).collect();
    let is_made_again = |it: &Broken<'_>| again.get(it.id).is_some_and(|last| *last > it.message);
    broken.retain(|it| it.rule != "unanswered_call" || !open.contains(&it.message) || is_made_again(it));
    sorted(transcript, &broken)
}

/// The id of a call, and the index of its message.
fn place<'s>(broken: &Broken<'s>) -> (&'s str, usize) {
    (broken.id, broken.message)
}

fn sorted(transcript: &Transcript<'_>, broken: &[Broken<'_>]) -> Vec<Fault> {
    let mut faults: Vec<_> = broken.iter().map(|it| it.fault(transcript)).collect();
    faults.extend(other_session(transcript));
    distinct(&mut faults);
    faults
}

/// The fault of a file of several sessions, at the record where another begins.
fn other_session(transcript: &Transcript<'_>) -> Option<Fault> {
    let other = transcript.traits.other_session.and_then(|at| transcript.records.get(at))?;
    Some(Fault::new(other.line, Reason::SeveralSessions.name(), ""))
}
