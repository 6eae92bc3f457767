//! Which records of a chat are loaded: later ones replace, take back and reset earlier ones.

use crate::transcript::{Class, Transcript};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// What the loader would have at some line: records by their ids, in order.
#[derive(Default)]
pub(super) struct History<'a> {
    current: Vec<(Cow<'a, str>, usize)>,
    places: HashMap<Cow<'a, str>, usize>,
    /// A checkpoint was passed over of which the messages are not known one by one.
    partial: bool,
}

impl<'a> History<'a> {
    /// A record; one with its id that is loaded already is replaced.
    pub(super) fn add(&mut self, transcript: &mut Transcript<'a>, id: Cow<'a, str>, record: usize) {
        if let Some(&place) = self.places.get(&id).filter(|_| !id.is_empty()) {
            abandon(transcript, self.current[place].1);
            self.current[place].1 = record;
            return;
        }
        self.places.insert(id.clone(), self.current.len());
        self.current.push((id, record));
    }

    /// The record with this id that is loaded.
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

    /// A checkpoint: what came before is stored, but no longer loaded. What it repeats is told by its own copy.
    pub(super) fn reset(&mut self, transcript: &mut Transcript<'a>, repeated: Option<&HashSet<Cow<'a, str>>>) {
        self.partial = repeated.is_none();
        transcript.traits.loaded_from = Some(transcript.records.len());
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
