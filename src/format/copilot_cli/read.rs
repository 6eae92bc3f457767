//! Reads the lines of a session as records and messages, in two passes, since an event may precede its message.

use super::{class, message};
use crate::format::shared::json::Object;
use crate::format::shared::lines;
use crate::format::shared::session_lines::name_tools;
use crate::format::shared::several;
use crate::format::shared::synthetic;
use crate::format::{ReadError, ReadOptions, read_fields};
use crate::transcript::{Author, Class, Message, Record, Traits, Transcript};
use std::borrow::Cow;
use std::collections::HashMap;

/// Reads a session.
pub(super) fn read(source: &[u8], options: ReadOptions) -> Result<Transcript<'_>, ReadError> {
    let mut reading = Reading::default();
    for line in lines::lines(source) {
        match options.forgive(read_fields(source, &line, options.first_line))? {
            Some(fields) => reading.event(source, &line, &fields),
            None => reading.records.push(line.record(Class::Opaque)),
        }
    }
    Ok(reading.finish(source, options.first_line))
}

/// The owner of an event, as the log identifies it.
enum Owner<'a> {
    /// The assistant message that makes this call.
    Call(Cow<'a, str>),
    /// The subagent with this id.
    Agent(Cow<'a, str>),
    /// The hook that was started with this id.
    Hook(Cow<'a, str>),
    /// The next assistant message.
    Next,
    /// The last assistant message, by index.
    Last(usize),
}

/// The state of reading.
#[derive(Default)]
struct Reading<'a> {
    records: Vec<Record<'a>>,
    messages: Vec<Message<'a>>,
    /// Records with an owner, which may not have been read yet.
    owned: Vec<(usize, Owner<'a>)>,
    /// The system prompt in force.
    prompt: Option<Cow<'a, str>>,
    /// The newest compaction: the record where it started; and start and message once it is complete.
    started: Option<usize>,
    compacted: Option<(usize, usize)>,
    /// Start records of hooks by hook id, and call ids by the id of the subagent that they started.
    hooks: HashMap<Cow<'a, str>, usize>,
    agents: HashMap<Cow<'a, str>, Cow<'a, str>>,
    /// The assistant's last message in this turn.
    answer: Option<usize>,
    /// The session's id, and the event at which another session begins.
    id: Option<Cow<'a, str>>,
    other_session: Option<usize>,
}

impl<'a> Reading<'a> {
    fn event(&mut self, source: &'a [u8], line: &lines::Line, fields: &Object<'a>) {
        let kind = fields.text("type").unwrap_or_default();
        let data = fields.object("data").unwrap_or_default();
        let class = self.class(source, &kind, fields, &data);
        self.records.push(line.record(class));
        if let Some(record) = self.records.last_mut() {
            record.id = fields.text("id");
            record.parent = fields.text("parentId");
        }
    }

    fn class(&mut self, source: &'a [u8], kind: &Cow<'a, str>, fields: &Object<'a>, data: &Object<'a>) -> Class<'a> {
        let at = self.records.len();
        if let (Some(agent), Some(call)) = (fields.text("agentId"), data.text("toolCallId"))
            && &**kind == "subagent.started"
        {
            self.agents.insert(agent, call);
        }
        if let Some(message) = message::message(source, kind, data) {
            return self.message(at, message, (kind, fields, data));
        }
        let call = data.text("toolCallId").or_else(|| data.object("permissionRequest")?.text("toolCallId"));
        let owner = match &**kind {
            "assistant.turn_start" => {
                self.answer = None;
                Some(Owner::Next)
            }
            "assistant.turn_end" => self.answer.take().map(Owner::Last),
            "session.compaction_start" => {
                self.started = Some(at);
                None
            }
            "session.start" => {
                self.start(at, data);
                None
            }
            "hook.start" => {
                self.hooks.extend(data.text("hookInvocationId").map(|id| (id, at)));
                None
            }
            "hook.end" => data.text("hookInvocationId").map(Owner::Hook),
            _ => data.text("parentToolCallId").or(call).map(Owner::Call).or(fields.text("agentId").map(Owner::Agent)),
        };
        self.owned.extend(owner.map(|owner| (at, owner)));
        class::class(kind, data)
    }

    /// Notes the header of a session; one with another id begins another.
    fn start(&mut self, at: usize, data: &Object<'a>) {
        let own = self.id.take().or_else(|| data.text("sessionId"));
        let is_other = own.is_some() && data.text("sessionId").is_some_and(|id| Some(id) != own);
        self.other_session = self.other_session.or(is_other.then_some(at));
        self.id = own;
    }

    /// The class of an event that holds a message. Subagents' messages are sidechains; a repeated prompt is a copy.
    fn message(
        &mut self,
        at: usize,
        mut message: Message<'a>,
        (kind, fields, data): (&Cow<'a, str>, &Object<'a>, &Object<'a>),
    ) -> Class<'a> {
        let agent = || fields.text("agentId").map(Owner::Agent);
        if let Some(owner) = data.text("parentToolCallId").map(Owner::Call).or_else(agent) {
            self.owned.push((at, owner));
            return Class::Sidechain(None);
        }
        if &**kind == "system.message" {
            let text = message.text().into_owned();
            if self.prompt.as_deref() == Some(&*text) {
                return Class::Ui;
            }
            self.prompt = Some(Cow::Owned(text));
        }
        if message.author == Author::Model {
            self.answer = Some(at);
        }
        if message.author == Author::Summary {
            self.compacted = Some((self.started.take().unwrap_or(at), self.messages.len()));
        }
        message.record = at;
        message.timestamp = fields.text("timestamp");
        self.messages.push(message);
        Class::Message(self.messages.len() - 1)
    }

    fn finish(mut self, source: &'a [u8], first_line: usize) -> Transcript<'a> {
        self.records.iter_mut().for_each(|record| record.line += first_line - 1);
        self.settle_owners();
        name_tools(&mut self.messages);
        let cleared = self.records.iter().rposition(|record| record.class == Class::Boundary);
        synthetic::classify(&mut self.messages, &[]);
        let traits = Traits { kept_from: self.retire(cleared), ..Traits::default() };
        let traits = several::of(self.other_session, traits);
        Transcript { source, records: self.records, messages: self.messages, traits }
    }

    /// Assigns events to the messages that they belong to, if those are in the file.
    fn settle_owners(&mut self) {
        let mut calls = HashMap::new();
        for (index, message) in self.messages.iter().enumerate() {
            calls.extend(message.calls().map(|id| (id.to_owned(), index)));
        }
        let answers: Vec<_> =
            self.messages.iter().filter(|message| message.author == Author::Model).map(|it| it.record).collect();
        for (at, owner) in std::mem::take(&mut self.owned) {
            let call = |id: &str| calls.get(id).copied();
            let message = match &owner {
                Owner::Call(id) => call(id),
                Owner::Agent(id) => self.agents.get(id).and_then(|id| call(id)),
                _ => None,
            };
            let record = match &owner {
                Owner::Hook(id) => self.hooks.get(id).copied().filter(|start| *start < at),
                Owner::Next => answers.get(answers.partition_point(|answer| *answer < at)).copied(),
                Owner::Last(answer) => Some(*answer),
                _ => message.and_then(|message| Some(self.messages.get(message)?.record)),
            };
            let Some(own) = self.records.get_mut(at) else { continue };
            match (&own.class, record) {
                (Class::Sidechain(_), _) => own.class = Class::Sidechain(message),
                (_, Some(record)) => own.class = Class::With(record),
                _ => {}
            }
        }
    }

    /// Marks what precedes the newest compaction as no longer loaded. Messages from after its start stay loaded,
    /// unless a summary by epitome came later. Returns the record from which messages are loaded.
    fn retire(&mut self, cleared: Option<usize>) -> Option<usize> {
        let newest = self.messages.iter().rposition(|message| message.author == Author::Summary);
        let compacted = self
            .compacted
            .filter(|(start, message)| Some(*message) == newest && cleared.is_none_or(|cleared| cleared < *start));
        let start = compacted.map(|(start, _)| start).or(cleared)?;
        let preamble = self.messages.iter().take_while(|message| message.author == Author::System).count();
        for message in self.messages.iter_mut().skip(preamble) {
            message.live = message.record >= start && (compacted.is_some() || message.live);
        }
        if let Some(record) = self.records.get_mut(start).filter(|record| !matches!(record.class, Class::Message(_))) {
            record.class = Class::Boundary;
        }
        compacted.map(|_| start + 1)
    }
}
