//! Records of a session that are no messages: a harness reads them when it resumes the session, such as those with the
//! instructions that it began with.

use crate::gates::{Finding, View};
use crate::transcript::{Class, Record, Transcript};
use std::collections::HashSet;

/// Least length in bytes of a text that says something; shorter ones are ids, names and times, which links between
/// records change.
const LEAST_TEXT: usize = 100;

/// Returns a finding for each record of unknown kind that has a text which the compacted transcript has nowhere. Other
/// tools may write a session anew, so only what lies beside a summary of ours is judged.
pub(super) fn altered(view: &View<'_>) -> Vec<Finding> {
    let ours = view.summary.iter().any(|text| text.ours);
    let Some(original) = view.original.as_ref().filter(|_| ours && !view.unchanged()) else { return Vec::new() };
    let original = original.transcript;
    if original.traits.training_row {
        return Vec::new();
    }
    let compacted = view.compacted.transcript;
    let there: HashSet<&[u8]> = compacted.records.iter().map(|record| bytes(compacted, record)).collect();
    let gone = |record: &&Record<'_>| {
        let own = bytes(original, record);
        record.class == Class::Opaque && !there.contains(own) && !holds_others(original, record) && {
            texts(own).into_iter().any(|text| memchr::memmem::find(compacted.source, text).is_none())
        }
    };
    let what = "a text of a record that is no message is not there";
    let finding =
        |record: &Record<'_>| Finding { original_line: Some(record.line), ..Finding::new(view.first_line(), what) };
    original.records.iter().filter(gone).map(finding).collect()
}

fn bytes<'t>(transcript: &Transcript<'t>, record: &Record<'_>) -> &'t [u8] {
    transcript.source.get(record.span.clone()).unwrap_or_default()
}

/// Whether other records lie in this one.
fn holds_others(transcript: &Transcript<'_>, record: &Record<'_>) -> bool {
    let within = |other: &Record<'_>| record.span.start <= other.span.start && other.span.end <= record.span.end;
    transcript.records.iter().filter(|other| within(other)).count() > 1
}

/// The long strings of a JSON text, as they are written.
fn texts(json: &[u8]) -> Vec<&[u8]> {
    let (mut found, mut start, mut at) = (Vec::new(), None, 0);
    while let Some(byte) = json.get(at) {
        match (byte, start) {
            (b'\\', Some(_)) => at += 1,
            (b'"', None) => start = Some(at + 1),
            (b'"', Some(from)) => {
                found.extend(json.get(from..at).filter(|text| text.len() >= LEAST_TEXT));
                start = None;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::texts;

    #[test]
    fn long_strings_are_told_as_they_are_written() {
        let long = format!("{}\\\"{}", "a".repeat(60), "b".repeat(60));
        let json = format!("{{\"id\":\"x\",\"text\":\"{long}\",\"end\":\"\"}}");
        assert_eq!(texts(json.as_bytes()), [long.as_bytes()]);
        assert_eq!(texts(br#"{"a":"short""#).len(), 0);
    }
}
