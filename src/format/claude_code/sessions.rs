//! Whether a file holds several sessions: conversations of their own, each with an id of its own. One that was resumed,
//! forked, rewound or compacted goes on from another, even if its records have a new id.

use crate::format::shared::json::Object;
use crate::format::shared::several;
use crate::transcript::fixed_texts::CONTINUED;
use crate::transcript::{Author, Class, Message, Record};
use foldhash::{HashMap, HashSet};
use std::borrow::Cow;
use std::cell::LazyCell;

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
        let trees = LazyCell::new(|| Trees::of(self, records, messages));
        let mut roots = self.roots.iter().copied().filter(|root| !is_alone && begin.is_some_and(|begin| begin < *root));
        let other = roots.find(|root| trees.begins(*root, self.of(*root)));
        self.foreign.into_iter().chain(other).min()
    }

    /// The id of the session that a record belongs to.
    fn of(&self, at: usize) -> Option<&str> {
        let next = self.ids.partition_point(|(first, _)| *first <= at);
        self.ids.get(next.checked_sub(1)?).map(|(_, id)| &**id)
    }
}

/// What hangs on what.
#[derive(Default)]
struct Trees<'r> {
    /// Roots on which something that is said hangs, or which say it.
    told: HashSet<usize>,
    /// For each session, the first record that says something.
    said: HashMap<&'r str, usize>,
    /// Sessions that go on from another one.
    resumed: HashSet<&'r str>,
}

impl<'r> Trees<'r> {
    fn of(sessions: &'r Sessions<'_>, records: &'r [Record<'_>], messages: &[Message<'_>]) -> Self {
        let mut found = Self::default();
        let mut roots: HashMap<&str, usize> = HashMap::default();
        for (at, record) in records.iter().enumerate().filter(|(_, it)| !matches!(it.class, Class::Sidechain(_))) {
            let root = record.parent.as_deref().and_then(|parent| roots.get(parent)).copied().unwrap_or(at);
            if let Some(id) = record.id.as_deref() {
                roots.entry(id).or_insert(root);
            }
            let Some(own) = sessions.of(at) else { continue };
            let message = match record.class {
                Class::Message(index) => messages.get(index),
                _ => None,
            };
            // A session that was compacted later goes on from itself.
            let goes_on = message.is_some_and(goes_on) && !found.said.contains_key(own);
            if sessions.of(root) != Some(own) || goes_on {
                found.resumed.insert(own);
            }
            if message.is_some_and(is_said) {
                found.told.insert(root);
                found.said.entry(own).or_insert(at);
            }
        }
        found
    }

    /// Whether a session begins at this root: it has said nothing before, something hangs on the root, and nothing of
    /// the session goes on from another, as a hook or a command at the beginning of a resumed one would.
    fn begins(&self, root: usize, session: Option<&str>) -> bool {
        let is_new = |own: &str| self.said.get(own).is_none_or(|first| root <= *first) && !self.resumed.contains(own);
        self.told.contains(&root) && session.is_some_and(is_new)
    }
}

/// Whether a message stands for all before a compaction.
fn goes_on(message: &Message<'_>) -> bool {
    message.author == Author::Summary || message.text().trim_start().starts_with(CONTINUED)
}

/// Whether a person or the model speaks.
fn is_said(message: &Message<'_>) -> bool {
    matches!(message.author, Author::Person | Author::Model)
}
