//! Faults that mean the same in every format: calls and results that do not pair up.

use crate::transcript::{Fault, PartKind, Transcript};
use std::collections::HashMap;

/// The common faults of a transcript, ordered by line.
///
/// `duplicate_call_id`, `duplicate_result`, `orphan_result` (no call before it), `unanswered_call` (a call without result
/// that is not followed by the end of the transcript alone).
pub fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut calls: HashMap<&str, Call> = HashMap::new();
    for (index, message) in transcript.messages.iter().enumerate() {
        let line = transcript.record_of(index).line;
        for part in &message.parts {
            let mut fault = |rule, id: &str| faults.push(Fault { line, rule, subject: id.to_owned() });
            match &part.kind {
                PartKind::Call { id, .. } if calls.contains_key(&**id) => fault("duplicate_call_id", id),
                PartKind::Call { id, .. } => drop(calls.insert(id, Call { line, results: 0 })),
                PartKind::Result { id, .. } => match calls.get_mut(&**id) {
                    None => fault("orphan_result", id),
                    Some(call) if call.results > 0 => fault("duplicate_result", id),
                    Some(call) => call.results += 1,
                },
                _ => {}
            }
        }
    }
    let unanswered = calls.into_iter().filter(|(_, call)| call.results == 0);
    faults.extend(unanswered.map(|(id, call)| Fault {
        line: call.line,
        rule: "unanswered_call",
        subject: id.to_owned(),
    }));
    faults.sort();
    faults.dedup();
    faults
}

struct Call {
    line: usize,
    results: usize,
}
