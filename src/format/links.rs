//! Chains of records: sessions of which every line names the line that it follows.
//!
//! What is loaded is the path from the newest record to the root. When records go, those that stay are linked to the
//! nearest one that stays, too.

use super::Fault;
use crate::transcript::{Record, Transcript};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Records by id; of a repeated id the first counts.
pub(super) fn by_id<'a>(transcript: &Transcript<'a>) -> HashMap<Cow<'a, str>, usize> {
    let mut index = HashMap::with_capacity(transcript.records.len());
    for (at, record) in transcript.records.iter().enumerate() {
        if let Some(id) = &record.id {
            index.entry(id.clone()).or_insert(at);
        }
    }
    index
}

/// The newest record that has an id.
pub(super) fn newest(transcript: &Transcript<'_>) -> Option<usize> {
    transcript.records.iter().rposition(|record| record.id.is_some())
}

/// For each record whether it is on the path that ends at `leaf`; all are where records have no ids. A missing parent is
/// taken for the record before: what a broken link cuts off is no branch that anybody left.
pub(super) fn path(
    transcript: &Transcript<'_>,
    index: &HashMap<Cow<'_, str>, usize>,
    leaf: Option<usize>,
) -> Vec<bool> {
    let mut path = vec![index.is_empty(); transcript.records.len()];
    let linked = |at: &usize| transcript.records[*at].id.is_some();
    let mut at = leaf;
    while let Some(record) = at.filter(|at| path.get(*at) == Some(&false)) {
        path[record] = true;
        at = match &transcript.records[record].parent {
            None => None,
            Some(id) => index.get(id).copied().or_else(|| (0..record).rev().find(|at| linked(at) && !path[*at])),
        };
    }
    path
}

/// For each record itself, if it is kept, or else its nearest ancestor that is. Every record is walked once.
pub(super) fn nearest(
    transcript: &Transcript<'_>,
    keep: &[bool],
    index: &HashMap<Cow<'_, str>, usize>,
) -> Vec<Option<usize>> {
    let kept = |at: usize| keep.get(at).copied().unwrap_or(true);
    let count = transcript.records.len();
    let mut found: Vec<Option<usize>> = (0..count).map(|at| kept(at).then_some(at)).collect();
    let mut known: Vec<bool> = (0..count).map(kept).collect();
    for start in 0..count {
        let mut walked = Vec::new();
        let mut at = Some(start);
        while let Some(record) = at.filter(|at| !known[*at]) {
            known[record] = true;
            walked.push(record);
            at = transcript.records[record].parent.as_ref().and_then(|id| index.get(id).copied());
        }
        let end = at.and_then(|at| found[at]);
        walked.into_iter().for_each(|record| found[record] = end);
    }
    found
}

/// A fault that is known by the id of its record.
pub(super) fn fault(record: &Record<'_>, rule: &'static str) -> Fault {
    Fault { line: record.line, rule, subject: record.id.as_deref().unwrap_or_default().to_owned() }
}

/// Records with an id that an earlier one has.
pub(super) fn repeated_ids<'t>(transcript: &'t Transcript<'_>) -> impl Iterator<Item = Fault> + 't {
    let mut seen = HashSet::new();
    let repeated =
        transcript.records.iter().filter(move |record| record.id.as_deref().is_some_and(|id| !seen.insert(id)));
    repeated.map(|record| fault(record, "duplicate_id"))
}

/// Records whose parent is nowhere.
pub(super) fn dangling_parents<'t>(
    transcript: &'t Transcript<'_>,
    index: &'t HashMap<Cow<'_, str>, usize>,
) -> impl Iterator<Item = Fault> + 't {
    let linked = transcript.records.iter().filter(|record| record.id.is_some());
    let lost = linked.filter(|record| record.parent.as_ref().is_some_and(|id| !index.contains_key(id)));
    lost.map(|record| fault(record, "dangling_parent"))
}

/// Records whose chain of parents comes back to them. Every record is walked once.
pub(super) fn cycles(transcript: &Transcript<'_>, index: &HashMap<Cow<'_, str>, usize>) -> Vec<Fault> {
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
