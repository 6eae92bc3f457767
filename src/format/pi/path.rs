//! What pi would load: the path from the last entry to the root, from where the newest compaction on it says.

use super::read::{Compaction, Kept};
use crate::format::synthetic;
use crate::transcript::{Author, Class, Message, Transcript};
use std::borrow::Cow;
use std::collections::HashMap;

/// Marks messages as abandoned or live and gives labels their owners.
pub(super) fn resolve(
    transcript: &mut Transcript<'_>,
    compactions: &[Compaction<'_>],
    labels: &[(usize, Cow<'_, str>)],
) {
    let index = by_id(transcript);
    let path = path(transcript, &index);
    for (record, target) in labels {
        if let Some(&owner) = index.get(target).filter(|owner| **owner < *record) {
            transcript.records[*record].class = Class::With(owner);
        }
    }
    leave(transcript, &path);
    let newest = compactions.iter().rfind(|compaction| !transcript.messages[compaction.message].abandoned);
    let base = newest.map(|compaction| {
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
    name_continuations(&mut transcript.messages, newest.map(|compaction| compaction.message));
}

/// An older summary is not loaded though it stands among what was kept.
fn is_loaded(message: &Message<'_>, kept: usize, compaction: usize) -> bool {
    message.record >= compaction || (message.record >= kept && message.author != Author::Summary)
}

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

/// For each record whether it is on the path; all are where records have no ids. A missing parent is taken for the record
/// before: what a broken link cuts off is no branch that anybody left.
pub(super) fn path(transcript: &Transcript<'_>, index: &HashMap<Cow<'_, str>, usize>) -> Vec<bool> {
    let mut path = vec![index.is_empty(); transcript.records.len()];
    let linked = |at: &usize| transcript.records[*at].id.is_some();
    let mut at = (0..path.len()).rev().find(linked);
    while let Some(record) = at.filter(|at| !path[*at]) {
        path[record] = true;
        at = match &transcript.records[record].parent {
            None => None,
            Some(id) => index.get(id).copied().or_else(|| (0..record).rev().find(|at| linked(at) && !path[*at])),
        };
    }
    path
}

/// What is not on the path was left: messages, and settings that a branch made for itself.
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

/// After a summary, the texts that set an agent going are nobody's words.
fn name_continuations(messages: &mut [Message<'_>], summary: Option<usize>) {
    let Some(summary) = summary else { return };
    let last = messages.iter().rposition(|message| message.author == Author::Person && !message.abandoned);
    for at in [Some(summary + 1), last].into_iter().flatten() {
        if let Some(message) = messages.get_mut(at)
            && message.author == Author::Person
            && !message.has_media()
            && synthetic::says_continue(&message.text())
        {
            message.author = Author::Continuation;
        }
    }
}
