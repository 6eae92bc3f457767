//! A log being read: methods by which dialects add messages, and the state they keep from record to record.

use super::output::CallOutput;
use crate::format::anthropic_messages::Tools;
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::slot::{self, fixed_at, part};
use crate::format::shared::synthetic::{is_stub, is_summary};
use crate::transcript::{Author, Class, Message, Part, PartKind, Role, Slot, Transcript};
use foldhash::HashMap;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

/// Fields that hold the time of a record.
const TIMES: [&str; 2] = ["timestamp", "created_at"];

/// Fields that may hold the content of a record.
const SAYING: [&str; 9] =
    ["content", "text", "message", "media", "item", "items", "response", "user_input", "planner_response"];

/// A log, read up to the current record.
pub(in crate::format) struct Log<'l, 'a> {
    /// What was read so far.
    pub(super) transcript: &'l mut Transcript<'a>,
    /// Index of the current record.
    pub(super) at: usize,
    /// State kept from record to record.
    pub(super) state: &'l mut State<'a>,
}

/// State that a dialect keeps from record to record.
#[derive(Default)]
pub(in crate::format) struct State<'a> {
    /// Tool names by call id, from message blocks.
    pub(super) tools: Tools<'a>,
    /// The message of every call, by call id.
    pub(super) calls: HashMap<Cow<'a, str>, usize>,
    /// Calls without an id that wait for a result.
    pub(super) waiting: VecDeque<Waiting<'a>>,
    /// Started, unfinished items: id → the record that reports most about it.
    pub(super) begun: HashMap<Cow<'a, str>, usize>,
    /// The agent's working folder.
    pub(super) folder: Option<Cow<'a, str>>,
    /// The model, if only the head of the log names it.
    pub(super) model: Option<Cow<'a, str>>,
    /// Whether the head of the log was read.
    pub(super) headed: bool,
    /// Whether the whole log is a subagent's transcript.
    pub(super) alone: bool,
    /// Whether a compaction boundary comes right before the next message.
    pub(super) boundary: bool,
    /// The group of the answer in progress: records of the model are one message up to the results of its calls.
    pub(super) group: Option<Cow<'a, str>>,
    /// Records with pieces of an answer that a later record may repeat as a whole.
    pub(super) pieces: Vec<usize>,
    /// The record that ended the run, so far.
    pub(super) ended: Option<usize>,
}

/// A call that waits for its result.
pub(super) struct Waiting<'a> {
    /// Its synthesized id.
    pub(super) id: Cow<'a, str>,
    /// The name of its tool.
    pub(super) name: Cow<'a, str>,
    /// Index of the message that makes it.
    pub(super) message: usize,
    /// Its byte range.
    pub(super) at: Range<usize>,
}

/// A call and its result in one record.
pub(super) struct Step<'a> {
    /// The name of the tool.
    pub(super) name: Cow<'a, str>,
    /// Its arguments as JSON.
    pub(super) arguments: Cow<'a, str>,
    /// The slot in which the arguments can be cleared.
    pub(super) slot: Slot,
    /// Its result; `None` while it runs.
    pub(super) result: Option<CallOutput<'a>>,
}

impl<'a> Log<'_, 'a> {
    /// The source of the log.
    pub(super) fn source(&self) -> &'a [u8] {
        self.transcript.source
    }

    /// The slot of the whole record, which can't be replaced.
    pub(super) fn whole(&self) -> Slot {
        let span = self.transcript.records.get(self.at).map(|record| record.span.clone());
        fixed_at(span.unwrap_or_default())
    }

    /// The slot with the whole record as its part: the parts of a step share it and differ in their content.
    pub(super) fn in_whole(&self, slot: Slot) -> Slot {
        Slot { part: self.whole().part, ..slot }
    }

    /// A synthesized id for a call of this record.
    pub(super) fn made_up_id(&self, number: usize) -> Cow<'a, str> {
        Cow::Owned(format!("#{}.{number}", self.at))
    }

    /// Adds a message, unless it has no parts, and returns the record's class.
    pub(super) fn message(&mut self, fields: &Object<'a>, message: Message<'a>) -> Class<'a> {
        if message.parts.is_empty() {
            return if holds_anything(fields) { Class::Opaque } else { Class::Place };
        }
        let index = self.transcript.messages.len();
        self.state.calls.extend(message.parts.iter().filter_map(|part| match &part.kind {
            PartKind::Call { id, .. } => Some((id.clone(), index)),
            _ => None,
        }));
        let group = self.group(&message);
        let time = TIMES.iter().find_map(|key| fields.get(key)).map(Json::spelled);
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

    /// The group of a model message: the one of the answer that it continues, else a new one. Other messages and
    /// summaries have none.
    fn group(&mut self, message: &Message<'a>) -> Option<Cow<'a, str>> {
        let goes_on = message.role == Role::Assistant && !is_summary(&message.text());
        let at = self.at;
        let before = self.state.group.take().filter(|_| goes_on);
        let group = before.or_else(|| goes_on.then(|| Cow::Owned(format!("#{at}"))));
        self.state.group = group.clone().filter(|_| message.results().next().is_none());
        group
    }

    /// Adds a message of this author.
    pub(super) fn add_message(&mut self, fields: &Object<'a>, author: Author, parts: Vec<Part<'a>>) -> Class<'a> {
        let role = match author {
            Author::Model => Role::Assistant,
            Author::Tool => Role::Tool,
            Author::System => Role::System,
            _ => Role::User,
        };
        self.message(fields, Message { role, author, parts, ..Message::default() })
    }

    /// The text of the first of these fields that is not empty.
    pub(super) fn words(&self, fields: &Object<'a>, keys: &[&str]) -> Option<Part<'a>> {
        let has_words = |text: &Json<'_>| text.is_string() && text.raw() != r#""""#;
        let text = keys.iter().find_map(|key| fields.get(key).filter(has_words))?;
        Some(part(PartKind::Text, text.spelled(), slot::string(self.source(), text)))
    }

    /// The outcome of a call in a value; without a value it is only known that the call ended.
    pub(super) fn outcome(&self, value: Option<Json<'a>>) -> CallOutput<'a> {
        value.map_or_else(|| CallOutput::nothing(self.whole().part), |value| CallOutput::of(self.source(), value))
    }

    /// Adds a call with its result.
    pub(super) fn step(&mut self, fields: &Object<'a>, step: Step<'a>) -> Class<'a> {
        let id = self.made_up_id(0);
        let call = PartKind::Call { id: id.clone(), name: step.name.clone() };
        let mut parts = vec![part(call, step.arguments, self.in_whole(step.slot))];
        let result = step.result.map(|result| result.part(id, Some(step.name)));
        parts.extend(result.map(|result| Part { slot: self.in_whole(result.slot.clone()), ..result }));
        self.add_message(fields, Author::Model, parts)
    }

    /// Gives empty results to the calls still waiting: they ended, but the log does not hold their results.
    pub(super) fn give_up_waiting(&mut self) {
        for call in std::mem::take(&mut self.state.waiting) {
            let result = CallOutput::nothing(call.at).part(call.id, Some(call.name));
            if let Some(message) = self.transcript.messages.get_mut(call.message) {
                message.parts.push(result);
            }
        }
    }

    /// The class of a record about the whole session or run; such records are never dropped.
    pub(super) fn session(&mut self, kind: &str) -> Class<'a> {
        self.state.group = None;
        Class::Session(Cow::Owned(format!("{kind} {}", self.at)))
    }
}

/// Unfinished items in order: record index, JSON value, and whether no message came after it.
pub(super) fn left<'a>(transcript: &Transcript<'a>, state: &mut State<'a>) -> Vec<(usize, Json<'a>, bool)> {
    let last = transcript.messages.last().map(|message| message.record);
    let value = |at: usize| Json::at(transcript.source, &transcript.records.get(at)?.span);
    let begun = state.begun.drain().filter_map(|(_, at)| Some((at, value(at)?, Some(at) > last)));
    let mut all: Vec<_> = begun.collect();
    all.sort_unstable_by_key(|(at, ..)| *at);
    all
}

impl<'a> CallOutput<'a> {
    /// The result of the call with this id, as a part.
    pub(super) fn part(self, id: Cow<'a, str>, tool: Option<Cow<'a, str>>) -> Part<'a> {
        let (error, pruned) = (self.error, is_stub(&self.text));
        let kind = PartKind::Result { id, tool, error, pruned, media: self.media };
        Part { status: self.status, ..part(kind, self.text, self.slot) }
    }
}

/// Whether a record without known parts still has content, which no summary would cover; such a record is kept.
fn holds_anything(fields: &Object<'_>) -> bool {
    let inside = |value: Json<'_>| match value.object() {
        Some(inner) => SAYING.iter().any(|key| inner.get(key).is_some_and(Json::holds_something)),
        None => value.holds_something(),
    };
    SAYING.iter().any(|key| fields.get(key).is_some_and(inside))
}

/// A field of a record as JSON text to insert after other fields of a new record; empty if the record lacks the field.
pub(super) fn copied(beside: &Object<'_>, key: &str) -> String {
    beside.get(key).map(|value| format!(r#","{key}":{}"#, value.raw())).unwrap_or_default()
}

/// A JSON object of fields given as names and JSON values.
pub(super) fn object_of<'f>(fields: impl IntoIterator<Item = (&'f str, &'f str)>) -> String {
    let fields: Vec<_> = fields.into_iter().map(|(key, value)| format!("{}:{value}", quoted(key))).collect();
    format!("{{{}}}", fields.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::Class;

    #[test]
    fn what_is_said_in_several_records_is_one_answer_up_to_a_result() {
        let (mut transcript, mut state) = (Transcript::default(), State::default());
        let mut say = |author: Author, text: &'static str| {
            let at = transcript.messages.len();
            let mut log = Log { transcript: &mut transcript, at, state: &mut state };
            let said = part(PartKind::Text, Cow::Borrowed(text), fixed_at(0..0));
            assert_eq!(log.add_message(&Object::default(), author, vec![said]), Class::Message(at));
        };
        let summary = "<prior-conversation-summary>\nx\n</prior-conversation-summary>";
        let all = [
            (Author::Model, summary),
            (Author::Model, "a"),
            (Author::Model, "b"),
            (Author::Person, "c"),
            (Author::Model, "d"),
        ];
        all.into_iter().for_each(|(author, text)| say(author, text));
        let mut log = Log { transcript: &mut transcript, at: 5, state: &mut state };
        let result = Some(CallOutput::nothing(0..0));
        let step = Step { name: "moor".into(), arguments: "{}".into(), slot: fixed_at(0..0), result };
        log.step(&Object::default(), step);
        log.add_message(
            &Object::default(),
            Author::Model,
            vec![part(PartKind::Text, Cow::Borrowed("e"), fixed_at(0..0))],
        );
        let groups: Vec<_> = transcript.messages.iter().map(|message| message.group.as_deref()).collect();
        assert_eq!(groups, [None, Some("#1"), Some("#1"), None, Some("#4"), Some("#4"), Some("#5")]);
    }

    #[test]
    fn a_message_without_parts_is_none() {
        let (mut transcript, mut state) = (Transcript::default(), State::default());
        let mut log = Log { transcript: &mut transcript, at: 0, state: &mut state };
        assert_eq!(log.add_message(&Object::default(), Author::Model, Vec::new()), Class::Place);
        assert_eq!(log.session("init"), Class::Session(Cow::Borrowed("init 0")));
        assert!(transcript.messages.is_empty());
    }

    #[test]
    fn an_object_is_made_of_its_fields() {
        assert_eq!(object_of([("a\"", "1"), ("b", r#""x""#)]), r#"{"a\"":1,"b":"x"}"#);
        assert_eq!(object_of([]), "{}");
    }
}
