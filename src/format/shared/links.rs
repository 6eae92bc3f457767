//! Chains of records: sessions in which every line names its parent, the line that it follows.
//!
//! A harness loads the path from the newest record to the root. When records are dropped, each kept one is linked to
//! its nearest kept ancestor.

use super::json::quoted;
use super::session_lines::fields;
use crate::format::Fault;
use crate::transcript::{Class, EditScript, Patch, PatchKind, Transcript};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Indices of records by id; for a repeated id, the first record.
pub(in crate::format) fn by_id<'a>(transcript: &Transcript<'a>) -> HashMap<Cow<'a, str>, usize> {
    let mut index = HashMap::with_capacity(transcript.records.len());
    for (at, record) in transcript.records.iter().enumerate() {
        if let Some(id) = &record.id {
            index.entry(id.clone()).or_insert(at);
        }
    }
    index
}

/// For each record, whether it is on the path that ends at `leaf`; all are if no record has an id. If a parent is
/// missing, the path goes on with the record before: a broken link does not mean that a branch was abandoned.
pub(in crate::format) fn path(
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

/// For each record, whether it is on the path to the record `leaf` or, without one, to the last that has an id; all are
/// where no record names its parent.
pub(in crate::format) fn on_path(transcript: &Transcript<'_>, leaf: Option<usize>) -> Vec<bool> {
    if transcript.records.iter().all(|record| record.parent.is_none()) {
        return vec![true; transcript.records.len()];
    }
    let last = || transcript.records.iter().rposition(|record| record.id.is_some());
    let mut path = path(transcript, &by_id(transcript), leaf.or_else(last));
    // What has no id cannot be left.
    path.iter_mut().zip(&transcript.records).for_each(|(on_path, record)| *on_path |= record.id.is_none());
    path
}

/// Whether each record on the path stands behind the one that it follows.
pub(in crate::format) fn in_order(transcript: &Transcript<'_>, on_path: &[bool]) -> bool {
    let index = by_id(transcript);
    let mut told = transcript.records.iter().enumerate().filter(|(at, _)| on_path[*at]);
    told.all(|(at, record)| {
        record.parent.as_ref().and_then(|parent| index.get(parent)).is_none_or(|parent| *parent < at)
    })
}

/// For each record, the index of the record itself if it is kept, else of its nearest kept ancestor. Every record is
/// visited once.
pub(in crate::format) fn nearest(
    transcript: &Transcript<'_>,
    script: &EditScript,
    parent: impl Fn(usize) -> Option<usize>,
) -> Vec<Option<usize>> {
    let kept = |at: usize| script.keeps(at);
    let count = transcript.records.len();
    let mut found: Vec<Option<usize>> = (0..count).map(|at| kept(at).then_some(at)).collect();
    let mut known: Vec<bool> = (0..count).map(kept).collect();
    for start in 0..count {
        let mut walked = Vec::new();
        let mut at = Some(start);
        while let Some(record) = at.filter(|at| !known[*at]) {
            known[record] = true;
            walked.push(record);
            at = parent(record);
        }
        let end = at.and_then(|at| found[at]);
        walked.into_iter().for_each(|record| found[record] = end);
    }
    found
}

/// The links of a session after an edit: kept records link past dropped ones, and through a new summary.
pub(in crate::format) struct Chain<'r, 't> {
    transcript: &'r Transcript<'t>,
    script: &'r EditScript,
    /// Records by their ids.
    pub(in crate::format) index: HashMap<Cow<'t, str>, usize>,
    nearest: Vec<Option<usize>>,
    /// The id of the new summary, and the index of the record before which it is placed.
    root: Option<(String, usize)>,
}

impl<'r, 't> Chain<'r, 't> {
    /// Computes the links between the records for which `keep` is true. For a broken link the parent is the record
    /// before, as in [`path`].
    pub(in crate::format) fn new(transcript: &'r Transcript<'t>, script: &'r EditScript) -> Self {
        let index = by_id(transcript);
        let before = |record: usize| (0..record).rev().find(|at| transcript.records[*at].id.is_some());
        let nearest = nearest(transcript, script, |record| {
            let id = transcript.records[record].parent.as_ref()?;
            index.get(id).copied().or_else(|| before(record))
        });
        Self { transcript, script, index, nearest, root: None }
    }

    /// Whether the record with this id exists and is dropped.
    pub(in crate::format) fn is_gone(&self, id: &str) -> bool {
        self.index.get(id).is_some_and(|at| !self.script.keeps(*at))
    }

    /// The id of the record with this id if it is kept, else of its nearest kept ancestor; new summaries are not
    /// considered.
    pub(in crate::format) fn nearest_to(&self, id: &str) -> Option<String> {
        self.id_of(self.nearest.get(*self.index.get(id)?).copied().flatten()?)
    }

    /// The id of a record.
    fn id_of(&self, record: usize) -> Option<String> {
        self.transcript.records.get(record)?.id.as_deref().map(str::to_owned)
    }

    /// Registers a summary with this id before the record `before`; later records whose parent lies before that place
    /// are linked to it.
    pub(in crate::format) fn begin_at(&mut self, id: &str, before: usize) {
        self.root = Some((id.to_owned(), before));
    }

    /// The patch that points a record to its nearest kept ancestor, and a message that followed none to a summary before it;
    /// `key` is the field that names its parent. `None` if nothing changes.
    pub(in crate::format) fn relinked(&self, at: usize, key: &str) -> Option<Patch> {
        let record = self.transcript.records.get(at)?;
        let follows = match &record.parent {
            Some(parent) => {
                let parent = self.index.get(parent).copied()?;
                let passes = self.root.as_ref().is_some_and(|(_, cut)| at >= *cut && parent < *cut);
                if self.script.keeps(parent) && !passes {
                    return None;
                }
                self.follows(at, parent)
            }
            // Other records may well stand alone.
            None if !matches!(record.class, Class::Message(_)) => return None,
            None => self.root.as_ref().filter(|(_, cut)| record.id.is_some() && at >= *cut).map(|(id, _)| id.clone()),
        };
        let value = fields(self.transcript, record).get(key)?;
        let with = follows.map_or_else(|| "null".to_owned(), |id| quoted(&id));
        let span = value.span_in(self.transcript.source);
        (with != value.raw()).then(|| Patch { span, with: with.into_bytes(), kind: PatchKind::Relink })
    }

    /// The parent id for a new record inserted before the record `before`: the one that record had, after the edit.
    pub(in crate::format) fn parent_before(&self, before: usize) -> Option<String> {
        let parent = self.transcript.records.get(before)?.parent.as_ref()?;
        self.follows(before, self.index.get(parent).copied()?)
    }

    /// The parent id of the record `at` after the edit, given the index of its original parent.
    fn follows(&self, at: usize, parent: usize) -> Option<String> {
        let kept = self.nearest.get(parent).copied().flatten();
        match &self.root {
            Some((root, cut)) if at >= *cut && kept.is_none_or(|kept| kept < *cut) => Some(root.clone()),
            _ => self.id_of(kept?),
        }
    }
}

/// Makes a fault of the record with this index, whose id is the subject.
pub(in crate::format) fn fault(transcript: &Transcript<'_>, record: usize, rule: &'static str) -> Fault {
    transcript.fault(record, rule, transcript.records[record].id.as_deref().unwrap_or_default())
}

/// The fault of a session whose first record does not have the type of a header. It concerns the whole session,
/// whichever record is first after an edit.
pub(in crate::format) fn no_header(transcript: &Transcript<'_>, header: &str) -> Option<Fault> {
    let first = transcript.records.first()?;
    let is_header = fields(transcript, first).is("type", header);
    (!is_header).then(|| Fault::new(first.line, "no_header", ""))
}

/// Faults for records with an id that an earlier record already has.
fn repeated_ids<'t>(transcript: &'t Transcript<'_>) -> impl Iterator<Item = Fault> + 't {
    let mut seen = HashSet::new();
    let records = transcript.records.iter().enumerate();
    let repeated = records.filter(move |(_, record)| record.id.as_deref().is_some_and(|id| !seen.insert(id)));
    repeated.map(|(at, _)| fault(transcript, at, "duplicate_id"))
}

/// Faults for records whose parent does not exist.
pub(in crate::format) fn dangling_parents<'t>(
    transcript: &'t Transcript<'_>,
    index: &'t HashMap<Cow<'_, str>, usize>,
) -> impl Iterator<Item = Fault> + 't {
    let linked = transcript.records.iter().enumerate().filter(|(_, record)| record.id.is_some());
    let lost = linked.filter(|(_, record)| record.parent.as_ref().is_some_and(|id| !index.contains_key(id)));
    lost.map(|(at, _)| fault(transcript, at, "dangling_parent"))
}

/// Faults of a session with a header, in which records name their parents by id.
pub(in crate::format) fn of_session(transcript: &Transcript<'_>, header: &str) -> Vec<Fault> {
    let index = by_id(transcript);
    let mut faults: Vec<_> = no_header(transcript, header).into_iter().collect();
    faults.extend(repeated_ids(transcript));
    faults.extend(dangling_parents(transcript, &index));
    faults.extend(cycles(transcript, parent_in(transcript, &index)));
    faults
}

/// Faults for records that follow one which does not exist, or each other in a circle. What the first one follows is the
/// root, whatever it is called.
pub(in crate::format) fn broken_chain(transcript: &Transcript<'_>) -> Vec<Fault> {
    let index = by_id(transcript);
    let root = transcript.records.first().and_then(|record| record.parent.as_ref());
    let lost = transcript.records.iter().enumerate().filter(|(_, record)| {
        let named = record.parent.as_ref().filter(|parent| Some(*parent) != root);
        named.is_some_and(|parent| !index.contains_key(parent))
    });
    let mut faults: Vec<_> = lost.map(|(at, _)| fault(transcript, at, "broken_tree")).collect();
    faults.extend(cycles(transcript, parent_in(transcript, &index)));
    faults
}

/// Returns a function from a record to its parent, by an index of ids; `None` if the record names no parent, or one
/// that does not exist.
pub(in crate::format) fn parent_in<'r>(
    transcript: &'r Transcript<'_>,
    index: &'r HashMap<Cow<'_, str>, usize>,
) -> impl Fn(usize) -> Option<usize> + 'r {
    |record| index.get(transcript.records[record].parent.as_ref()?).copied()
}

/// Faults for cycles in the chains of parents, one per cycle; `parent` returns the parent of a record. Every record is
/// visited once.
pub(in crate::format) fn cycles(transcript: &Transcript<'_>, parent: impl Fn(usize) -> Option<usize>) -> Vec<Fault> {
    let mut walk_of = vec![usize::MAX; transcript.records.len()];
    let mut faults = Vec::new();
    for start in 0..transcript.records.len() {
        let mut at = Some(start);
        while let Some(record) = at.filter(|&record| walk_of[record] == usize::MAX) {
            walk_of[record] = start;
            at = parent(record);
        }
        faults.extend(at.filter(|&at| walk_of[at] == start).map(|at| fault(transcript, at, "parent_cycle")));
    }
    faults
}
