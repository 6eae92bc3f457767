//! Links that hide a message from the model: it names a summary or a marker as its parent.

use crate::format::Fault;
use crate::format::cline::render::fields;
use crate::transcript::{Author, Class, Message, Transcript};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The field that names a parent, the parent's own field with that name, and the rule that the parent exists.
pub(super) const PARENTS: [(&str, &str, &str); 2] = [
    ("condenseParent", "condenseId", "condense_parent_missing"),
    ("truncationParent", "truncationId", "truncation_parent_missing"),
];

/// The links of one record.
#[derive(Default)]
struct Link<'a> {
    /// The names of the summary and the marker that hide it, in the order of [`PARENTS`].
    parents: [Option<Cow<'a, str>>; 2],
    summary: bool,
    marker: bool,
}

/// Whether a record's text contains one of the keys.
fn mentions_link(transcript: &Transcript<'_>, record: usize) -> bool {
    let text = transcript.source.get(transcript.records[record].span.clone()).unwrap_or_default();
    ["condense", "truncation", "isSummary"].iter().any(|key| memchr::memmem::find(text, key.as_bytes()).is_some())
}

/// The links of all records.
pub(super) struct Links<'a> {
    links: Vec<Link<'a>>,
    /// The records that hide others, by kind and name; for a repeated name, the last record.
    targets: HashMap<(usize, Cow<'a, str>), usize>,
}

impl<'a> Links<'a> {
    /// Reads the links of a transcript.
    pub(super) fn of(transcript: &Transcript<'a>) -> Self {
        let mut all = Self { links: Vec::new(), targets: HashMap::new() };
        for at in 0..transcript.records.len() {
            // Most records have no links, and parsing them again would cost as much as reading them did.
            if !mentions_link(transcript, at) {
                all.links.push(Link::default());
                continue;
            }
            let fields = fields(transcript, at);
            let hides = [fields.is_true("isSummary"), fields.is_true("isTruncationMarker")];
            for (kind, (_, own, _)) in PARENTS.iter().enumerate().filter(|(kind, _)| hides[*kind]) {
                all.targets.extend(fields.text(own).map(|name| ((kind, name), at)));
            }
            let parents = PARENTS.map(|(parent, _, _)| fields.text(parent));
            all.links.push(Link { parents, summary: hides[0], marker: hides[1] });
        }
        all
    }

    /// Marks summaries, and turns markers into boundaries: a marker only exists to hide messages, so it is not a
    /// message that could be kept.
    pub(super) fn name(&self, transcript: &mut Transcript<'a>) {
        transcript.messages.retain(|message| !self.links[message.record].marker);
        for (index, message) in transcript.messages.iter_mut().enumerate() {
            transcript.records[message.record].class = Class::Message(index);
            if self.links[message.record].summary {
                message.author = Author::Summary;
            }
        }
        let newest = self.links.iter().rposition(|link| link.summary);
        for (at, _) in self.links.iter().enumerate().filter(|(_, link)| link.marker) {
            let loaded = newest.is_none_or(|newest| at > newest);
            transcript.records[at].class = if loaded { Class::Boundary } else { Class::Place };
        }
    }

    /// Marks hidden messages as no longer live, and also results whose calls a summary hides, which Roo omits, too.
    pub(super) fn hide(&self, messages: &mut [Message<'_>]) {
        for message in messages.iter_mut() {
            message.live &= (0..PARENTS.len()).all(|kind| self.parent(message.record, kind).is_none());
        }
        if self.links.iter().any(|link| link.summary) {
            let live = messages.iter().filter(|message| message.live);
            let calls: HashSet<String> = live.flat_map(|message| message.calls()).map(str::to_owned).collect();
            for message in messages.iter_mut().filter(|message| message.author == Author::Tool) {
                let called = message.results().any(|id| calls.contains(id));
                message.live &= called;
            }
        }
    }

    /// The record that this one names as its parent of a kind, if it exists.
    pub(super) fn parent(&self, record: usize, kind: usize) -> Option<usize> {
        let name = self.links.get(record)?.parents[kind].as_ref()?;
        self.targets.get(&(kind, name.clone())).copied()
    }

    /// Faults for records that name a missing parent.
    pub(super) fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (at, link) in self.links.iter().enumerate() {
            for (kind, (_, _, rule)) in PARENTS.iter().enumerate() {
                let missing = link.parents[kind].as_ref().filter(|_| self.parent(at, kind).is_none());
                faults.extend(missing.map(|name| transcript.fault(at, rule, &**name)));
            }
        }
        faults
    }
}
