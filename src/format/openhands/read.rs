//! Reads events as records and messages.

use super::event::{self, Event, Kind};
use super::stream;
use super::tree;
use super::v0::{self, V0};
use super::v1;
use super::view::{self, Condensation, Forgotten};
use crate::format::shared::json::{Json, Object};
use crate::format::shared::session_lines::name_tools;
use crate::format::shared::synthetic;
use crate::format::{ReadError, ReadOptions};
use crate::reason::Reason;
use crate::transcript::{Append, Class, Message, Traits, Transcript};
use std::borrow::Cow;
use std::collections::HashMap;

/// Reads a session, or a row.
pub(super) fn read(source: &[u8], options: ReadOptions) -> Result<Transcript<'_>, ReadError> {
    let (transcript, values) = stream::read(source, options)?;
    let owners = v0::delegated(&values);
    let mut reading = Reading {
        transcript,
        v0: V0::new(source),
        by_id: HashMap::new(),
        follows: Vec::new(),
        condensations: Vec::new(),
    };
    for (at, value) in values.into_iter().enumerate() {
        let Some(value) = value else { continue };
        match owners[at].and_then(|owner| reading.transcript.records.get(owner)?.class.message()) {
            Some(message) => reading.delegated(at, value, message),
            None => reading.record(at, value),
        }
    }
    let mut transcript = reading.finish();
    // A file with a single event is a piece of the SDK's store (`events/event-00006-….json`), which a condensation must
    // not replace.
    transcript.traits.fixed = stream::is_lone_event(source, &transcript).then_some(Reason::LoneEvent);
    Ok(transcript)
}

/// The state of reading.
struct Reading<'a> {
    transcript: Transcript<'a>,
    v0: V0<'a>,
    /// Records by the ids of their events.
    by_id: HashMap<Cow<'a, str>, usize>,
    /// Records, each with the id of the event that it follows.
    follows: Vec<(usize, Cow<'a, str>)>,
    condensations: Vec<Condensation<'a>>,
}

impl<'a> Reading<'a> {
    /// Marks a record as a delegate's: it is kept or dropped with the call that started the delegate.
    fn delegated(&mut self, at: usize, value: Json<'a>, message: usize) {
        self.transcript.records[at].class = Class::Sidechain(Some(message));
        self.name(at, &stream::events(value));
    }

    /// Registers the ids of a record's events.
    fn name(&mut self, at: usize, events: &[Object<'a>]) {
        let ids = events.iter().filter_map(|fields| event::id(fields, "id"));
        for id in ids {
            self.by_id.entry(id).or_insert(at);
        }
        let record = &mut self.transcript.records[at];
        record.id = events.iter().find_map(|fields| event::id(fields, "id"));
        record.parent = events.first().and_then(tree::parent_of);
    }

    fn record(&mut self, at: usize, value: Json<'a>) {
        let events = stream::events(value);
        let mut kinds = Vec::new();
        for fields in &events {
            let Event { kind, follows } = match fields.text("kind") {
                Some(kind) => v1::event(self.transcript.source, &kind, fields),
                None => self.v0.event(fields),
            };
            kinds.push(kind);
            self.follows.extend(follows.map(|earlier| (at, earlier)));
        }
        self.name(at, &events);
        let is_v1 = events.first().is_some_and(|fields| fields.has("kind"));
        match joined(kinds) {
            Some(Kind::Message(message)) => self.store(at, message),
            Some(Kind::Condensation(forgotten, message)) => self.condensed(at, (forgotten, message), is_v1),
            Some(Kind::Other(class)) => self.transcript.records[at].class = class,
            None => {}
        }
    }

    fn store(&mut self, at: usize, message: Message<'a>) {
        self.transcript.records[at].class = Class::Message(self.transcript.messages.len());
        self.transcript.messages.push(Message { record: at, ..message });
    }

    fn condensed(&mut self, at: usize, (forgotten, summary): (Forgotten<'a>, Option<Message<'a>>), is_v1: bool) {
        self.condensations.push(Condensation { record: at, forgotten, is_v1 });
        match summary {
            Some(summary) => self.store(at, summary),
            None => self.transcript.records[at].class = Class::Boundary,
        }
    }

    /// Ties a record to the one that it follows, so that they are kept or dropped together and no link dangles.
    fn follow(&mut self, at: usize, earlier: &str) {
        let Some(&target) = self.by_id.get(earlier).filter(|target| **target != at) else { return };
        let records = &mut self.transcript.records;
        match (&records[at].class, &records[target].class) {
            (&Class::Message(own), &Class::Message(other)) => self.join(own, other),
            (Class::Message(_), Class::Place) => records[target].class = Class::With(at),
            (Class::Place | Class::Ui | Class::Opaque, &Class::With(owner)) => records[at].class = Class::With(owner),
            (Class::Place | Class::Ui | Class::Opaque, _) => records[at].class = Class::With(target),
            _ => {}
        }
    }

    /// Groups a message with the one that it follows, unless it is a result, which belongs to its call anyway.
    fn join(&mut self, own: usize, other: usize) {
        if self.transcript.messages[own].results().next().is_some() {
            return;
        }
        let id = || self.transcript.record_of(other).id.as_ref().map(|id| Cow::Owned(format!("#{id}")));
        let group = self.transcript.messages[other].group.clone().or_else(id);
        self.transcript.messages[other].group.clone_from(&group);
        self.transcript.messages[own].group = group;
    }

    fn finish(mut self) -> Transcript<'a> {
        for (at, earlier) in std::mem::take(&mut self.follows) {
            self.follow(at, &earlier);
        }
        let Self { mut transcript, condensations, .. } = self;
        let named = transcript.records.iter().any(|record| record.id.is_some());
        let append = if named { Append::Each } else { Append::Never };
        transcript.traits = Traits { native_summary: named, append, ..Traits::default() };
        name_tools(&mut transcript.messages);
        synthetic::classify(&mut transcript.messages, &[]);
        tree::leave(&mut transcript);
        view::resolve(&mut transcript, &condensations);
        transcript
    }
}

/// Joins the events of a pair to one message: the action's, with the observation's result.
fn joined(kinds: Vec<Kind<'_>>) -> Option<Kind<'_>> {
    kinds.into_iter().reduce(|first, second| match (first, second) {
        (Kind::Message(mut first), Kind::Message(second)) => {
            first.parts.extend(second.parts);
            Kind::Message(first)
        }
        (Kind::Other(_), second @ Kind::Message(_)) => second,
        (first, _) => first,
    })
}
