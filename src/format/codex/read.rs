//! Reads the lines of a rollout as records and messages.

use super::base::{self, Base, Rollbacks};
use super::events::{self, Pending};
use super::{BARE, RECORDS};
use crate::format::shared::json::{Json, Object};
use crate::format::shared::lines;
use crate::format::shared::response_items::{self, Item};
use crate::format::shared::session_lines::name_tools;
use crate::format::shared::several;
use crate::format::{ReadError, ReadOptions, read_line};
use crate::transcript::{Append, Author, Class, Message, Record, Role, Traits, Transcript};
use std::borrow::Cow;

/// Reads a rollout.
pub(super) fn read(source: &[u8], options: ReadOptions) -> Result<Transcript<'_>, ReadError> {
    let mut reading = Reading { source, ..Reading::default() };
    for line in lines::lines(source) {
        match options.forgive(read_line(source, &line, options.first_line))? {
            Some(value) => reading.line(&line, value),
            None => reading.records.push(line.record(Class::Opaque)),
        }
    }
    Ok(reading.finish(options.first_line))
}

/// Whether a text is the id of a thread, and not a word in its place.
fn is_id(text: &str) -> bool {
    text.len() == 36 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// The state of reading.
#[derive(Default)]
struct Reading<'a> {
    source: &'a [u8],
    records: Vec<Record<'a>>,
    messages: Vec<Message<'a>>,
    /// Whether anything besides instructions was read.
    spoken: bool,
    /// The thread id in the first line; metadata of another thread is a copy from the one that this was forked from.
    thread: Option<Cow<'a, str>>,
    /// Whether the file has records with payloads (not bare items).
    wrapped: bool,
    /// The model of the current turn.
    model: Option<Cow<'a, str>>,
    /// The working folder of the thread, or of the current turn.
    folder: Option<Cow<'a, str>>,
    /// The branch of Git in which the thread began.
    branch: Option<Cow<'a, str>>,
    /// Number of model responses so far, and whether the last one is still going on.
    responses: usize,
    responding: bool,
    bases: Vec<Base<'a>>,
    rollbacks: Rollbacks,
    /// Events of messages that may not have been read yet.
    pending: Vec<(usize, Pending<'a>)>,
    /// Whether an event of a user message was read.
    announced: bool,
    /// Ids of the threads that this one was forked from: their metadata stand before all that is said.
    ancestors: Vec<Cow<'a, str>>,
    /// Whether the thread states that it was forked.
    forked: bool,
    /// The first record of another session.
    other_session: Option<usize>,
}

impl<'a> Reading<'a> {
    fn line(&mut self, line: &lines::Line, value: Json<'a>) {
        let fields = value.object().unwrap_or_default();
        let kind = fields.text("type").unwrap_or_default();
        let class = match fields.get("payload").filter(|_| RECORDS.contains(&&*kind)) {
            Some(payload) => self.wrapped(&kind, payload, &fields),
            None if BARE.contains(&&*kind) => self.item(value, &fields),
            None if fields.has("record_type") => Class::Place,
            None => {
                let foreign = several::is_claude_codes(&fields).then_some(self.records.len());
                self.other_session = self.other_session.or(foreign);
                Class::Opaque
            }
        };
        self.records.push(line.record(class));
    }

    fn wrapped(&mut self, kind: &str, payload: Json<'a>, fields: &Object<'a>) -> Class<'a> {
        self.wrapped = true;
        let inner = payload.object().unwrap_or_default();
        match kind {
            "response_item" => self.item(payload, fields),
            "event_msg" => self.event(&inner),
            "compacted" => self.compacted(&inner, fields),
            "session_meta" => self.meta(&inner),
            "turn_context" => {
                self.model = inner.text("model");
                self.folder = inner.text("cwd").or(self.folder.take());
                Class::Session(Cow::Borrowed("turn_context"))
            }
            "world_state" if inner.is_true("full") => Class::Session(Cow::Borrowed("world_state")),
            "world_state" => Class::Opaque,
            _ => Class::Place,
        }
    }

    /// Classifies a `session_meta` record. The first is never edited; of later ones of the thread the last is in force.
    fn meta(&mut self, payload: &Object<'a>) -> Class<'a> {
        let id = payload.text("id").unwrap_or_default();
        match &self.thread {
            None => {
                self.thread = Some(id);
                self.folder = payload.text("cwd");
                self.branch = payload.object("git").and_then(|git| git.text("branch"));
                self.forked = ["forked_from_id", "parent_thread_id"].iter().any(|key| payload.text(key).is_some());
                Class::Opaque
            }
            Some(own) if *own == id => Class::Session(Cow::Borrowed("session_meta")),
            Some(_) => {
                self.foreign_meta(id);
                Class::Place
            }
        }
    }

    /// Reads the id in the metadata of another thread: one that this one was forked from, unless something was said
    /// before it and nothing tells of a fork.
    fn foreign_meta(&mut self, id: Cow<'a, str>) {
        if !self.spoken {
            self.ancestors.push(id);
        } else if !self.forked && is_id(&id) && !self.ancestors.contains(&id) {
            self.other_session = self.other_session.or(Some(self.records.len()));
        }
    }

    fn item(&mut self, item: Json<'a>, line: &Object<'a>) -> Class<'a> {
        match response_items::read(self.source, item, &|parts| super::author::author(parts, !self.spoken)) {
            Item::Message(message) => self.store(message, line),
            Item::Hidden => Class::Place,
            Item::Unknown => Class::Opaque,
        }
    }

    fn store(&mut self, mut message: Message<'a>, line: &Object<'a>) -> Class<'a> {
        message.record = self.records.len();
        message.timestamp = line.text("timestamp");
        message.folder = self.folder.clone();
        message.branch = self.branch.clone();
        if !self.wrapped && message.role == Role::User && super::author::is_summary(&message.text()) {
            message.author = Author::Summary;
            self.bases.push(Base::bare(self.messages.len()));
        }
        if message.role == Role::Assistant {
            message.group = Some(Cow::Owned(format!("#{}", self.response())));
            message.model = self.model.clone();
        } else {
            self.responding = false;
        }
        self.spoken |= message.author != Author::System;
        if message.author == Author::Person {
            self.rollbacks.turn(message.record);
        }
        message.repeats = super::author::repeats(&message, &self.messages);
        self.messages.push(message);
        Class::Message(self.messages.len() - 1)
    }

    /// The number of the response that the model's next item belongs to.
    fn response(&mut self) -> usize {
        self.responses += usize::from(!self.responding);
        self.responding = true;
        self.responses
    }

    fn compacted(&mut self, payload: &Object<'a>, line: &Object<'a>) -> Class<'a> {
        self.responding = false;
        let (base, mut message) = Base::read(self.source, payload, self.messages.len());
        message.record = self.records.len();
        message.timestamp = line.text("timestamp");
        self.bases.push(base);
        self.messages.push(message);
        Class::Message(self.messages.len() - 1)
    }

    fn event(&mut self, payload: &Object<'a>) -> Class<'a> {
        let kind = payload.text("type").unwrap_or_default();
        match &*kind {
            "user_message" if !self.announced => {
                self.announced = true;
                return Class::Session(Cow::Borrowed("first user_message"));
            }
            "token_count" => return self.token_count(payload),
            "task_started" | "turn_started" => self.rollbacks.open(self.records.len()),
            "thread_rolled_back" => {
                let turns = payload.whole("num_turns").unwrap_or_default();
                self.rollbacks.back(turns, self.records.len());
                self.responding = false;
                return Class::Abandoned;
            }
            known if events::STATES.contains(&known) => return Class::Session(kind),
            _ => {}
        }
        match Pending::of(&kind, payload) {
            Some(pending) => {
                self.pending.push((self.records.len(), pending));
                Class::Ui
            }
            None => Class::Place,
        }
    }

    /// Assigns usage to the newest answer; after a compaction, to the summary until there is an answer.
    fn token_count(&mut self, payload: &Object<'a>) -> Class<'a> {
        let ends_in_reasoning = |message: &Message<'_>| message.parts.iter().any(|part| part.is_reasoning());
        self.responding &= self.messages.last().is_some_and(ends_in_reasoning);
        let usage = payload.object("info").and_then(|info| info.object("last_token_usage"));
        let takes = |message: &&mut Message<'_>| matches!(message.author, Author::Model | Author::Summary);
        if let (Some(usage), Some(message)) = (usage, self.messages.iter_mut().rev().take(64).find(takes)) {
            message.usage = Some(events::usage(&usage));
        }
        Class::Session(Cow::Borrowed("token_count"))
    }

    fn finish(mut self, first_line: usize) -> Transcript<'a> {
        self.records.iter_mut().for_each(|record| record.line += first_line - 1);
        name_tools(&mut self.messages);
        let append = if self.wrapped { Append::Each } else { Append::Never };
        let traits = Traits { native_summary: self.wrapped, preface: super::PREFACE, append, ..Traits::default() };
        let traits = several::of(self.other_session, traits);
        let mut transcript = Transcript { source: self.source, records: self.records, messages: self.messages, traits };
        base::resolve(&mut transcript, self.bases, &self.rollbacks);
        events::resolve(&mut transcript, &self.pending);
        transcript
    }
}
