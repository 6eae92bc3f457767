//! Whether a file holds several sessions: conversations of their own, each with an id of its own. One that was resumed,
//! forked, rewound or compacted goes on from another, even if its records have a new id.

use crate::format::shared::json::Object;
use crate::format::shared::several;
use crate::transcript::{Author, Class, Message, Record};
use foldhash::HashSet;
use std::borrow::Cow;

/// How the message begins that stands for all before a compaction.
const CONTINUED: &str = "This session is being continued from a previous conversation";

/// What tells one session from another.
#[derive(Default)]
pub(super) struct Sessions<'a> {
    /// Ids of sessions, each with the first of the records that have it one after the other.
    ids: Vec<(usize, Cow<'a, str>)>,
    /// The records with a session that follow no other.
    roots: Vec<usize>,
    /// The first record of another harness.
    foreign: Option<usize>,
}

impl<'a> Sessions<'a> {
    /// Notes a record, by its place in the file.
    pub(super) fn note(&mut self, at: usize, fields: &Object<'a>, class: &Class<'_>) {
        if *class == Class::Opaque && several::is_codexs(fields) {
            self.foreign = self.foreign.or(Some(at));
        }
        if fields.is_true("isSidechain") || !fields.has("uuid") {
            return;
        }
        let Some(id) = fields.text("sessionId") else { return };
        if self.ids.last().is_none_or(|(_, last)| *last != id) {
            self.ids.push((at, id));
        }
        // A boundary names what it compacted in a key of its own.
        if *class != Class::Boundary && fields.text("parentUuid").is_none() {
            self.roots.push(at);
        }
    }

    /// Adds those of the following piece, of which `records` stand before it.
    pub(super) fn append(&mut self, more: Self, records: usize) {
        self.ids.extend(more.ids.into_iter().map(|(at, id)| (at + records, id)));
        self.roots.extend(more.roots.into_iter().map(|at| at + records));
        self.foreign = self.foreign.or(more.foreign.map(|at| at + records));
    }

    /// The record at which another session begins.
    pub(super) fn other(&self, records: &[Record<'_>], messages: &[Message<'_>]) -> Option<usize> {
        let is_alone = self.ids.iter().all(|(_, id)| Some(id) == self.ids.first().map(|(_, first)| first));
        let begin = messages.iter().find(|message| is_said(message)).map(|message| message.record);
        let roots = self.roots.iter().copied().filter(|root| !is_alone && begin.is_some_and(|begin| begin < *root));
        let other = roots.into_iter().find(|root| self.begins(*root, records, messages));
        self.foreign.into_iter().chain(other).min()
    }

    /// Whether a session begins at this root: its id is new, a conversation hangs on it, and nothing of that session
    /// goes on from what stands before it, as a hook or a command at the beginning of a resumed session would let it.
    fn begins(&self, root: usize, records: &[Record<'_>], messages: &[Message<'_>]) -> bool {
        let own = self.of(root);
        let message = |at: usize| match records[at].class {
            Class::Message(index) => messages.get(index),
            _ => None,
        };
        let ends = |place: usize| self.ids.get(place + 1).map_or(records.len(), |(next, _)| *next).min(root);
        let spans = self.ids.iter().enumerate().filter(|(_, (first, id))| Some(&**id) == own && *first < root);
        let mut spans = spans.map(|(place, (first, _))| *first..ends(place));
        let is_new = !spans.any(|mut span| span.any(|at| message(at).is_some_and(is_said)));
        let goes_on = message(root)
            .is_some_and(|root| root.author == Author::Summary || root.text().trim_start().starts_with(CONTINUED));
        if !is_new || goes_on {
            return false;
        }
        let before: HashSet<&str> = records.iter().take(root).filter_map(|record| record.id.as_deref()).collect();
        let mut hanging: HashSet<&str> = records[root].id.as_deref().into_iter().collect();
        let mut said = message(root).is_some_and(is_said);
        for (at, record) in records.iter().enumerate().skip(root + 1) {
            let Some(parent) = record.parent.as_deref() else { continue };
            if hanging.contains(parent) {
                hanging.extend(record.id.as_deref());
                said |= message(at).is_some_and(is_said);
            } else if before.contains(parent) && self.of(at) == own && !matches!(record.class, Class::Sidechain(_)) {
                return false;
            }
        }
        said
    }

    /// The id of the session that a record belongs to.
    fn of(&self, at: usize) -> Option<&str> {
        let next = self.ids.partition_point(|(first, _)| *first <= at);
        self.ids.get(next.checked_sub(1)?).map(|(_, id)| &**id)
    }
}

/// Whether a person or the model speaks.
fn is_said(message: &Message<'_>) -> bool {
    matches!(message.author, Author::Person | Author::Model)
}
