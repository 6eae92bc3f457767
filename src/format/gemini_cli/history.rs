//! Determines which records of a chat are loaded: later records replace, take back and reset earlier ones.

use crate::transcript::{Class, Transcript};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The loader's state after some line: ids and records, in order.
#[derive(Default)]
pub(super) struct History<'a> {
    current: Vec<(Cow<'a, str>, usize)>,
    places: HashMap<Cow<'a, str>, usize>,
    /// Whether a checkpoint was skipped whose messages are not known one by one.
    partial: bool,
}

impl<'a> History<'a> {
    /// Adds a record; a loaded record with the same id is replaced and abandoned.
    pub(super) fn add(&mut self, transcript: &mut Transcript<'a>, id: Cow<'a, str>, record: usize) {
        if let Some(&place) = self.places.get(&id).filter(|_| !id.is_empty()) {
            abandon(transcript, self.current[place].1);
            self.current[place].1 = record;
            return;
        }
        self.places.insert(id.clone(), self.current.len());
        self.current.push((id, record));
    }

    /// The loaded record with this id.
    pub(super) fn loaded(&self, id: &str) -> Option<usize> {
        self.places.get(id).map(|place| self.current[*place].1)
    }

    /// Takes back a message and all after it; an unknown id takes back everything.
    pub(super) fn rewind(&mut self, transcript: &mut Transcript<'a>, id: &str) {
        let place = match self.places.get(id) {
            Some(place) => *place,
            None if self.partial => return,
            None => 0,
        };
        for (id, record) in self.current.drain(place.min(self.current.len())..) {
            self.places.remove(&id);
            abandon(transcript, record);
        }
    }

    /// Applies a checkpoint: earlier messages are stored, but no longer loaded. Those whose ids it repeats are
    /// abandoned in favor of its copies.
    pub(super) fn reset(&mut self, transcript: &mut Transcript<'a>, repeated: Option<&HashSet<Cow<'a, str>>>) {
        self.partial = repeated.is_none();
        transcript.traits.sent_from = Some(transcript.records.len());
        self.places.clear();
        for (id, record) in self.current.drain(..) {
            if let Class::Message(message) = transcript.records[record].class {
                transcript.messages[message].live = false;
            }
            if repeated.is_some_and(|repeated| repeated.contains(&id)) {
                abandon(transcript, record);
            }
        }
    }
}

fn abandon(transcript: &mut Transcript<'_>, record: usize) {
    let Some(own) = transcript.records.get_mut(record) else { return };
    if let Class::Message(message) = std::mem::replace(&mut own.class, Class::Abandoned) {
        transcript.messages[message].abandoned = true;
        transcript.messages[message].live = false;
    }
}
