//! Records of a session that are no messages: a harness reads them when it resumes the session, such as those with the
//! instructions that it began with.

use crate::gates::{Finding, View};
use crate::transcript::{Class, Record, Transcript};
use std::cell::LazyCell;
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
    let told: LazyCell<HashSet<&[u8]>, _> = LazyCell::new(|| texts(compacted.source).into_iter().collect());
    let gone = |(at, record): &(usize, &Record<'_>)| {
        let own = bytes(original, record);
        record.class == Class::Opaque && !there.contains(own) && !holds_others(&original.records, *at) && {
            texts(own).into_iter().any(|text| !told.contains(text))
        }
    };
    let what = "a text of a record that is no message is not there";
    let finding = |(_, record): (usize, &Record<'_>)| Finding {
        original: Some(record.line.into()),
        ..Finding::new(view.first_line(), what)
    };
    original.records.iter().enumerate().filter(gone).map(finding).collect()
}

fn bytes<'t>(transcript: &Transcript<'t>, record: &Record<'_>) -> &'t [u8] {
    transcript.source.get(record.span.clone()).unwrap_or_default()
}

/// Whether the record before or behind lies in this one, as all do that a document holds.
fn holds_others(records: &[Record<'_>], at: usize) -> bool {
    let own = &records[at].span;
    let within = |other: &Record<'_>| own.start <= other.span.start && other.span.end <= own.end;
    let before = at.checked_sub(1).and_then(|before| records.get(before));
    before.into_iter().chain(records.get(at + 1)).any(within)
}

/// The long strings of a JSON text, as they are written.
fn texts(json: &[u8]) -> Vec<&[u8]> {
    let (mut found, mut start, mut at) = (Vec::new(), None, 0);
    while let Some(byte) = json.get(at) {
        match (byte, start) {
            (b'\\', Some(_)) => at += 1,
            // No string goes over a line: a torn one ends there.
            (b'\n', _) => start = None,
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
