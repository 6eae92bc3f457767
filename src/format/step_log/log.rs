//! A log while it is read: what a dialect adds to it, and what it remembers.

use super::output::Outcome;
use crate::format::anthropic_messages::Tools;
use crate::format::json::{Json, Object, quoted};
use crate::format::slot::{fixed_at, part};
use crate::format::synthetic::{is_stub, is_summary};
use crate::transcript::{Author, Class, Message, Part, PartKind, Role, Slot, Transcript};
use foldhash::HashMap;
use std::borrow::Cow;
use std::collections::VecDeque;

/// Fields in which a record says when it was written.
const TIMES: [&str; 2] = ["timestamp", "created_at"];

/// A log as far as it is read, at the record that is read now.
pub(in crate::format) struct Log<'l, 'a> {
    /// What was read so far.
    pub(super) transcript: &'l mut Transcript<'a>,
    /// Index of the record.
    pub(super) at: usize,
    /// What is remembered from record to record.
    pub(super) state: &'l mut State<'a>,
}

/// What a dialect remembers from record to record.
#[derive(Default)]
pub(in crate::format) struct State<'a> {
    /// The tool of every call, where blocks of messages name it.
    pub(super) tools: Tools<'a>,
    /// The message of every call by its id.
    pub(super) calls: HashMap<Cow<'a, str>, usize>,
    /// Calls without an id that wait for a result: id, name, and the message.
    pub(super) waiting: VecDeque<(Cow<'a, str>, Cow<'a, str>, usize)>,
    /// Items that were begun and have not ended, with the record that says most of them.
    pub(super) begun: HashMap<Cow<'a, str>, usize>,
    /// The folder that the agent works in.
    pub(super) folder: Option<Cow<'a, str>>,
    /// The model, where only the head of the log names it.
    pub(super) model: Option<Cow<'a, str>>,
    /// The head of the log was read.
    pub(super) headed: bool,
    /// The record before was the boundary of a compaction.
    pub(super) boundary: bool,
    /// The answer that goes on: what a model says in records of their own is one message up to what comes of its calls.
    pub(super) group: Option<Cow<'a, str>>,
    /// The record that ended the run, so far.
    pub(super) ended: Option<usize>,
}

/// A call and what came of it, in one record.
pub(super) struct Step<'a> {
    /// The name of the tool.
    pub(super) name: Cow<'a, str>,
    /// Its arguments as JSON.
    pub(super) arguments: Cow<'a, str>,
    /// Where they can be cleared.
    pub(super) slot: Slot,
    /// What came of it; none while it runs.
    pub(super) result: Option<Outcome<'a>>,
}

impl<'a> Log<'_, 'a> {
    /// The bytes that all is read from.
    pub(super) fn source(&self) -> &'a [u8] {
        self.transcript.source
    }

    /// Where the record stands, as a part that nothing can replace.
    pub(super) fn whole(&self) -> Slot {
        let span = self.transcript.records.get(self.at).map(|record| record.span.clone());
        fixed_at(span.unwrap_or_default())
    }

    /// A slot of which the record is the part: what a step holds beside it is told from it by its content.
    pub(super) fn in_whole(&self, slot: Slot) -> Slot {
        Slot { part: self.whole().part, ..slot }
    }

    /// An id for a call of this record that the file has none for.
    pub(super) fn made_up_id(&self, number: usize) -> Cow<'a, str> {
        Cow::Owned(format!("#{}.{number}", self.at))
    }

    /// Adds a message; one without parts is none.
    pub(super) fn message(&mut self, fields: &Object<'a>, message: Message<'a>) -> Class<'a> {
        if message.parts.is_empty() {
            return Class::Place;
        }
        let index = self.transcript.messages.len();
        self.state.calls.extend(message.parts.iter().filter_map(|part| match &part.kind {
            PartKind::Call { id, .. } => Some((id.clone(), index)),
            _ => None,
        }));
        let group = self.group(&message);
        let time = TIMES.iter().find_map(|key| fields.get(key)).map(spelled);
        let model = || self.state.model.clone().filter(|_| message.role == Role::Assistant);
        self.transcript.messages.push(Message {
            record: self.at,
            live: true,
            timestamp: message.timestamp.or(time),
            folder: message.folder.or_else(|| self.state.folder.clone()),
            model: message.model.or_else(model),
            group: message.group.or(group),
            ..Message { model: None, timestamp: None, folder: None, group: None, ..message }
        });
        Class::Message(index)
    }

    /// The group of a message: that of the answer that it goes on with. A summary is no piece of one.
    fn group(&mut self, message: &Message<'a>) -> Option<Cow<'a, str>> {
        let goes_on = message.role == Role::Assistant && !is_summary(&message.text());
        let at = self.at;
        let before = self.state.group.take().filter(|_| goes_on);
        let group = before.or_else(|| goes_on.then(|| Cow::Owned(format!("#{at}"))));
        self.state.group = group.clone().filter(|_| message.results().next().is_none());
        group
    }

    /// Adds what somebody said.
    pub(super) fn said(&mut self, fields: &Object<'a>, author: Author, parts: Vec<Part<'a>>) -> Class<'a> {
        let role = match author {
            Author::Model => Role::Assistant,
            Author::Tool => Role::Tool,
            Author::System => Role::System,
            _ => Role::User,
        };
        self.message(fields, Message { role, author, parts, ..Message::default() })
    }

    /// Adds a call with what came of it.
    pub(super) fn step(&mut self, fields: &Object<'a>, step: Step<'a>) -> Class<'a> {
        let id = self.made_up_id(0);
        let call = PartKind::Call { id: id.clone(), name: step.name.clone() };
        let mut parts = vec![part(call, step.arguments, self.in_whole(step.slot))];
        let result = step.result.map(|result| result.part(id, Some(step.name)));
        parts.extend(result.map(|result| Part { slot: self.in_whole(result.slot.clone()), ..result }));
        self.said(fields, Author::Model, parts)
    }

    /// The calls that still wait have come to an end that the log does not tell.
    pub(super) fn give_up_waiting(&mut self) {
        for (id, name, message) in std::mem::take(&mut self.state.waiting) {
            let Some(message) = self.transcript.messages.get_mut(message) else { continue };
            let call = message.parts.iter().find(|part| part.kind.call() == Some(&*id));
            let slot = fixed_at(call.map(|call| call.slot.part.clone()).unwrap_or_default());
            message.parts.push(part(result_kind(id, Some(name)), Cow::Borrowed(""), slot));
        }
    }

    /// The state of the whole session or run: every record of it stays.
    pub(super) fn session(&mut self, kind: &str) -> Class<'a> {
        self.state.group = None;
        Class::Session(Cow::Owned(format!("{kind} {}", self.at)))
    }
}

/// A result that says nothing.
fn result_kind<'a>(id: Cow<'a, str>, tool: Option<Cow<'a, str>>) -> PartKind<'a> {
    PartKind::Result { id, tool, error: false, pruned: false, media: Vec::new() }
}

impl<'a> Outcome<'a> {
    /// The result of a call with this id.
    pub(super) fn part(self, id: Cow<'a, str>, tool: Option<Cow<'a, str>>) -> Part<'a> {
        let (error, pruned) = (self.error, is_stub(&self.text));
        let kind = PartKind::Result { id, tool, error, pruned, media: self.media };
        Part { status: self.status, ..part(kind, self.text, self.slot) }
    }
}

/// A value as it is spelled: a text without its marks.
pub(super) fn spelled(value: Json<'_>) -> Cow<'_, str> {
    value.text().unwrap_or(Cow::Borrowed(value.raw()))
}

/// An object of some fields, given by their names and their JSON.
pub(super) fn object_of<'f>(fields: impl IntoIterator<Item = (&'f str, &'f str)>) -> String {
    let fields: Vec<_> = fields.into_iter().map(|(key, value)| format!("{}:{value}", quoted(key))).collect();
    format!("{{{}}}", fields.join(","))
}
