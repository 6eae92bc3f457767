//! Records of a session that are no messages: a harness reads them when it resumes the session, such as those with the
//! instructions that it began with.

use crate::gates::{Finding, View};
use crate::transcript::{Class, Record, Transcript};
use std::collections::HashSet;

/// Returns a finding for each record of unknown kind that the original has, and the compaction not byte for byte.
/// Other tools may write a session anew, so only what lies beside a summary of ours is judged.
pub(super) fn altered(view: &View<'_>) -> Vec<Finding> {
    let ours = view.summary.iter().any(|text| text.ours);
    let Some(original) = view.original.as_ref().filter(|_| ours && !view.unchanged()) else { return Vec::new() };
    let original = original.transcript;
    if original.traits.training_row {
        return Vec::new();
    }
    let compacted = view.compacted.transcript;
    let there: HashSet<&[u8]> = compacted.records.iter().map(|record| bytes(compacted, record)).collect();
    let gone = original.records.iter().filter(|record| record.class == Class::Opaque);
    let gone = gone.filter(|record| !there.contains(bytes(original, record)));
    let what = "a record that is no message is not there as it was";
    let finding =
        |record: &Record<'_>| Finding { original_line: Some(record.line), ..Finding::new(view.first_line(), what) };
    gone.map(finding).collect()
}

fn bytes<'t>(transcript: &Transcript<'t>, record: &Record<'_>) -> &'t [u8] {
    transcript.source.get(record.span.clone()).unwrap_or_default()
}
