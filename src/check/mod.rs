//! Faults that mean the same in every format: calls and results that do not pair up.

use crate::transcript::{Fault, PartKind, Transcript};
use std::collections::HashMap;

/// The common faults of a transcript, ordered by line.
///
/// `duplicate_call_id`, `duplicate_result`, `orphan_result` (no call before it), `unanswered_call` (a call without result
/// that is not followed by the end of the transcript alone).
pub fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut calls: HashMap<&str, Call<'_>> = HashMap::new();
    for (index, message) in transcript.messages.iter().enumerate() {
        let line = transcript.record_of(index).line;
        for part in &message.parts {
            match &part.kind {
                PartKind::Call { id, name } => {
                    let call = Call { line, subject: subject(id, Some(name)), results: 0, left: message.abandoned };
                    if let Some(earlier) = calls.insert(id, call).filter(|earlier| !earlier.left) {
                        faults.push(Fault { line, rule: "duplicate_call_id", subject: earlier.subject.to_owned() });
                        faults.extend(earlier.unanswered());
                    }
                }
                PartKind::Result { id, tool, .. } => match calls.get_mut(&**id) {
                    None => {
                        faults.push(Fault { line, rule: "orphan_result", subject: subject(id, tool.as_deref()).into() })
                    }
                    Some(call) if call.results > 0 => {
                        faults.push(Fault { line, rule: "duplicate_result", subject: call.subject.to_owned() });
                    }
                    Some(call) => call.results += 1,
                },
                _ => {}
            }
        }
    }
    faults.extend(calls.values().filter_map(Call::unanswered));
    faults.sort();
    faults.dedup();
    faults
}

/// What a fault is known by: the id, or the tool's name where a format made the id up from a place.
fn subject<'s>(id: &'s str, name: Option<&'s str>) -> &'s str {
    if id.starts_with('#') { name.unwrap_or_default() } else { id }
}

/// A call, and how often it was answered.
struct Call<'s> {
    line: usize,
    subject: &'s str,
    results: usize,
    /// It stands on a branch that was left, or in a record that a later one replaces: a copy may follow.
    left: bool,
}

impl Call<'_> {
    fn unanswered(&self) -> Option<Fault> {
        let fault = || Fault { line: self.line, rule: "unanswered_call", subject: self.subject.to_owned() };
        (self.results == 0).then(fault)
    }
}
