//! The tree of the SDK's events: in newer versions each event names its parent, and a session may go back and
//! continue from an earlier event. What is loaded is the path from the last event to the root.

use super::event::id;
use crate::format::shared::json::{Object, quoted};
use crate::format::shared::links::{by_id, nearest};
use crate::format::shared::session_lines::fields;
use crate::transcript::{Class, EditScript, Patch, PatchKind, Transcript};
use std::borrow::Cow;
use std::collections::HashMap;

/// The field with the id of the parent.
const PARENT: &str = "parent_id";
/// Its value for an event without a parent.
pub(super) const ROOT: &str = "__root__";

/// Whether the events name their parents.
pub(super) fn is_tree(transcript: &Transcript<'_>) -> bool {
    transcript.records.iter().any(|record| record.parent.is_some())
}

/// Marks everything off the path as abandoned.
pub(super) fn leave(transcript: &mut Transcript<'_>) {
    if !is_tree(transcript) {
        return;
    }
    let path = path(transcript);
    for (record, _) in transcript.records.iter_mut().zip(path).filter(|(_, on_path)| !on_path) {
        match record.class {
            Class::Message(message) => {
                transcript.messages[message].abandoned = true;
                transcript.messages[message].live = false;
                record.class = Class::Abandoned;
            }
            Class::Place | Class::Ui | Class::Boundary => record.class = Class::Abandoned,
            _ => {}
        }
    }
}

/// For each record, whether it is on the path. Records of conversation state are not nodes of the tree.
fn path(transcript: &Transcript<'_>) -> Vec<bool> {
    let index = by_id(transcript);
    let mut path = vec![false; transcript.records.len()];
    let is_node = |at: &usize| {
        let record = &transcript.records[*at];
        record.id.is_some() && !matches!(record.class, Class::Session(_))
    };
    let mut at = (0..path.len()).rev().find(is_node);
    while let Some(record) = at.filter(|at| !path[*at]) {
        path[record] = true;
        at = parent(transcript, &index, record);
    }
    path
}

/// The parent of a record; if it is missing or not named, the record before.
fn parent(transcript: &Transcript<'_>, index: &HashMap<Cow<'_, str>, usize>, at: usize) -> Option<usize> {
    match transcript.records[at].parent.as_deref() {
        Some(ROOT) => None,
        Some(id) => index.get(id).copied().or_else(|| at.checked_sub(1)),
        None => at.checked_sub(1),
    }
}

/// The patches that link children of dropped events to their nearest kept ancestor.
pub(super) fn relinks(transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
    if !is_tree(transcript) {
        return Vec::new();
    }
    let index = by_id(transcript);
    let nearest = nearest(transcript, script, |record| parent(transcript, &index, record));
    let mut patches = Vec::new();
    for record in transcript.records.iter().zip(&script.keep).filter(|(_, keep)| **keep).map(|(record, _)| record) {
        let parent = record.parent.as_deref().and_then(|id| index.get(id).copied());
        let Some(gone) = parent.filter(|at| !script.keep[*at]) else { continue };
        let with = nearest[gone].and_then(|at| transcript.records[at].id.as_deref()).unwrap_or(ROOT);
        patches.extend(fields(transcript, record).get(PARENT).map(|value| Patch {
            span: value.span_in(transcript.source),
            with: quoted(with).into_bytes(),
            kind: PatchKind::Relink,
        }));
    }
    patches
}

/// The id of an event's parent.
pub(super) fn parent_of<'a>(fields: &Object<'a>) -> Option<Cow<'a, str>> {
    id(fields, PARENT)
}
