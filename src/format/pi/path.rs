//! Determines what pi would load: the path from the last entry to the root, beginning where the newest compaction says.

use super::read::{CompactionEntry, Kept};
use crate::format::shared::links::{by_id, path};
use crate::format::shared::session_lines::fields;
use crate::format::shared::synthetic;
use crate::transcript::{Author, Class, Message, Transcript};
use std::borrow::Cow;
use std::collections::HashMap;

/// Marks messages as abandoned or live, and assigns labels to their entries.
pub(super) fn resolve(
    transcript: &mut Transcript<'_>,
    compactions: &[CompactionEntry<'_>],
    labels: &[(usize, Cow<'_, str>)],
) {
    let index = by_id(transcript);
    let path = loaded(transcript, &index);
    for (record, target) in labels {
        if let Some(&owner) = index.get(target).filter(|owner| **owner < *record) {
            transcript.records[*record].class = Class::With(owner);
        }
    }
    leave(transcript, &path);
    let last = compactions.iter().rfind(|compaction| !transcript.messages[compaction.message].abandoned);
    let base = last.map(|compaction| {
        let record = transcript.messages[compaction.message].record;
        let kept = match &compaction.kept {
            Kept::Id(id) => index.get(id).copied(),
            Kept::Line(line) => Some(*line),
            Kept::None => None,
        };
        (kept.filter(|kept| *kept < record).unwrap_or(record), record)
    });
    transcript.traits.kept_from = base.map(|(kept, _)| kept);
    for message in transcript.messages.iter_mut().filter(|message| !message.abandoned) {
        message.live = base.is_none_or(|(kept, record)| is_loaded(message, kept, record));
        if base.is_some_and(|(_, record)| message.record < record) {
            message.usage = message.usage.filter(|_| !message.live);
        }
    }
    synthetic::name_continuations(&mut transcript.messages, last.map(|compaction| compaction.message));
}

/// Whether a message on the path is loaded. Older summaries among the kept messages are not.
fn is_loaded(message: &Message<'_>, kept: usize, compaction: usize) -> bool {
    message.record >= compaction || (message.record >= kept && message.author != Author::Summary)
}

/// For each record, whether it is on the path from the current entry to the root, regardless of compactions.
pub(super) fn loaded(transcript: &Transcript<'_>, index: &HashMap<Cow<'_, str>, usize>) -> Vec<bool> {
    let (leaf, marker) = leaf(transcript, index);
    let mut path = path(transcript, index, leaf);
    marker.into_iter().for_each(|marker| path[marker] = true);
    path
}

/// The entry from which the session continues (the last one, or the one that a `leaf` entry after it selects), and
/// that `leaf` entry. Entries appended aside are skipped, and so is a `leaf` without a valid target.
fn leaf(transcript: &Transcript<'_>, index: &HashMap<Cow<'_, str>, usize>) -> (Option<usize>, Option<usize>) {
    for at in (0..transcript.records.len()).rev().filter(|at| transcript.records[*at].id.is_some()) {
        let fields = fields(transcript, &transcript.records[at]);
        if fields.is("type", "leaf") {
            let target = fields.text("targetId").and_then(|id| index.get(&id).copied());
            match target.filter(|target| *target < at) {
                Some(target) => return (Some(target), Some(at)),
                None => continue,
            }
        }
        if !fields.is("appendMode", "side") {
            return (Some(at), None);
        }
    }
    (None, None)
}

/// Marks messages off the path as abandoned, and so the settings made on abandoned branches.
fn leave(transcript: &mut Transcript<'_>, path: &[bool]) {
    for (record, _) in transcript.records.iter_mut().zip(path).filter(|(_, on_path)| !**on_path) {
        match record.class {
            Class::Message(message) => {
                transcript.messages[message].abandoned = true;
                record.class = Class::Abandoned;
            }
            Class::Session(_) | Class::Place if record.id.is_some() => record.class = Class::Abandoned,
            _ => {}
        }
    }
}
