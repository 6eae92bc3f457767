//! Reads the lines of a journal as records and messages, and replays them to find what is loaded.

use super::event;
use super::history::History;
use crate::format::shared::json::{Json, Object};
use crate::format::shared::session_lines::name_tools;
use crate::format::shared::{record_lines, synthetic};
use crate::format::{ReadError, ReadOptions};
use crate::transcript::{Append, Author, Class, Message, Traits, Transcript};
use std::borrow::Cow;

/// Reads a journal. Returns the transcript, and the history loaded at its end.
pub(super) fn read(source: &[u8], options: ReadOptions) -> Result<(Transcript<'_>, History), ReadError> {
    let traits = Traits { native_summary: true, preface: super::PREFACE, append: Append::From, ..Traits::default() };
    let mut replay = Replay::default();
    let mut transcript = record_lines::read(source, options, traits, &mut |transcript, at, value| {
        if let Some(fields) = value.object() {
            replay.event(transcript, at, &fields);
        }
    })?;
    name_tools(&mut transcript.messages);
    synthetic::name_continuations(&mut transcript.messages, replay.summary);
    Ok((transcript, replay.history))
}

/// The state of a replay.
#[derive(Default)]
struct Replay<'a> {
    history: History,
    /// The record that begins the newest step, and the message that is its last piece.
    step: Option<(usize, Option<usize>)>,
    /// Prompt events whose message has not been appended yet.
    prompts: Vec<(usize, &'a str)>,
    /// Record of a compaction that began and is not applied yet.
    begun: Option<usize>,
    /// Index of the newest summary.
    summary: Option<usize>,
    model: Option<Cow<'a, str>>,
    folder: Option<Cow<'a, str>>,
}

impl<'a> Replay<'a> {
    fn event(&mut self, transcript: &mut Transcript<'a>, at: usize, fields: &Object<'a>) {
        let (kind, inside) = event::kind(fields);
        if let Some(event) = &inside {
            return self.step_event(transcript, at, (&kind, fields, event));
        }
        let class = match &*kind {
            "config.update" | "profile.bind" => return self.setting(transcript, at, fields),
            "context.append_message" => return self.append(transcript, at, fields),
            "context.apply_compaction" => return self.compact(transcript, at, fields),
            "context.clear" => {
                let all: Vec<_> = (0..transcript.messages.len()).collect();
                leave(transcript, &all);
                self.history.clear();
                (self.step, self.summary, transcript.traits.kept_from) = (None, None, None);
                Class::Place
            }
            "context.undo" => {
                let gone = self.history.undo(fields.whole("count").unwrap_or_default());
                leave(transcript, &gone);
                Class::Abandoned
            }
            "full_compaction.begin" => {
                self.begun = Some(at);
                Class::Place
            }
            "full_compaction.complete" => match self.summary.map(|summary| transcript.messages[summary].record) {
                Some(record) => Class::With(record),
                None => Class::Place,
            },
            "turn.prompt" | "turn.steer" => {
                self.prompts.extend(fields.get("input").map(|input| (at, input.raw())));
                Class::Place
            }
            kind => class_of(kind, fields),
        };
        transcript.records[at].class = class;
    }

    /// Handles an event of a step; unknown ones stay opaque.
    fn step_event(
        &mut self,
        transcript: &mut Transcript<'a>,
        at: usize,
        (kind, fields, event): (&str, &Object<'a>, &Object<'a>),
    ) {
        let source = transcript.source;
        match kind {
            "step.begin" => {
                self.history.begin(&event.text("uuid").unwrap_or_default());
                self.step = Some((at, None));
                transcript.records[at].class = Class::Place;
            }
            "step.end" => self.end(transcript, at, event),
            "content.part" | "tool.call" => {
                let message = fields.get("event").and_then(|value| event::piece(source, value, event));
                if let Some(message) = message {
                    self.piece(transcript, at, (message, fields));
                }
            }
            "tool.result" => {
                if let Some(message) = event::answer(source, event) {
                    self.history.answer(transcript.messages.len(), &message);
                    self.store(transcript, at, (message, fields));
                }
            }
            _ => {}
        }
    }

    /// Stores a message in a record.
    fn store(&mut self, transcript: &mut Transcript<'a>, at: usize, (message, fields): (Message<'a>, &Object<'a>)) {
        let timestamp = fields.get("time").map(|time| Cow::Borrowed(time.raw()));
        let model = self.model.clone().filter(|_| message.author == Author::Model);
        let folder = self.folder.clone();
        transcript.records[at].class = Class::Message(transcript.messages.len());
        transcript.messages.push(Message { record: at, live: true, timestamp, model, folder, ..message });
    }

    /// Handles a settings event. The system prompt at the start is a message that the model reads first. One that
    /// replaces it later is a setting, also where nothing is left between the two.
    fn setting(&mut self, transcript: &mut Transcript<'a>, at: usize, fields: &Object<'a>) {
        self.model = fields.text("modelAlias").or(self.model.take());
        self.folder = fields.text("cwd").or(self.folder.take());
        let first = transcript.messages.is_empty();
        if let Some(message) = event::prompt(transcript.source, fields).filter(|_| first) {
            self.store(transcript, at, (message, fields));
        }
    }

    fn append(&mut self, transcript: &mut Transcript<'a>, at: usize, fields: &Object<'a>) {
        let Some(message) = event::appended(transcript.source, fields) else { return };
        self.history.append(transcript.messages.len(), &message, fields);
        let content = fields.object("message").and_then(|message| message.get("content")).map(Json::raw);
        let same = self.prompts.iter().position(|(_, input)| Some(*input) == content);
        if let Some(same) = same.filter(|_| message.author != Author::Harness) {
            transcript.records[self.prompts.remove(same).0].class = Class::With(at);
        }
        self.store(transcript, at, (message, fields));
    }

    fn piece(&mut self, transcript: &mut Transcript<'a>, at: usize, (message, fields): (Message<'a>, &Object<'a>)) {
        let step = message.group.clone().unwrap_or_default();
        let index = transcript.messages.len();
        if self.history.piece(&step, index, &message)
            && let Some((begin, last)) = &mut self.step
        {
            // The record that begins a step belongs to the step's last piece.
            transcript.records[*begin].class = Class::With(at);
            *last = Some(index);
        }
        self.store(transcript, at, (message, fields));
    }

    fn end(&mut self, transcript: &mut Transcript<'a>, at: usize, event: &Object<'a>) {
        let reason = event.text("finishReason");
        self.history.end(reason.as_deref());
        let last = self.step.and_then(|(_, last)| last).and_then(|last| transcript.messages.get_mut(last));
        let class = last.map(|message| {
            message.usage = event::usage(event);
            message.cut_off = matches!(reason.as_deref(), Some("max_tokens" | "length" | "truncated"));
            Class::With(message.record)
        });
        transcript.records[at].class = class.unwrap_or(Class::Place);
    }

    fn compact(&mut self, transcript: &mut Transcript<'a>, at: usize, fields: &Object<'a>) {
        let Some(message) = event::summary(transcript.source, fields) else { return };
        let index = transcript.messages.len();
        self.store(transcript, at, (message, fields));
        let kept = self.history.compact(index, fields, &transcript.messages);
        let loaded = self.history.loaded();
        for (index, message) in transcript.messages.iter_mut().enumerate() {
            message.live &= loaded.contains(&index) || message.author == Author::System;
            message.stale_usage = true;
        }
        transcript.traits.kept_from = kept.map(|kept| transcript.messages[kept].record);
        if let Some(begun) = self.begun.take() {
            transcript.records[begun].class = Class::With(at);
        }
        (self.summary, self.step) = (Some(index), None);
    }
}

/// Marks cleared or undone messages as abandoned; settings stay in force.
fn leave(transcript: &mut Transcript<'_>, messages: &[usize]) {
    for &index in messages {
        let Some(message) = transcript.messages.get_mut(index).filter(|it| it.author != Author::System) else {
            continue;
        };
        (message.abandoned, message.live) = (true, false);
        transcript.records[message.record].class = Class::Abandoned;
    }
}

/// The class of other events; most of them set state of the session.
fn class_of<'a>(kind: &str, event: &Object<'a>) -> Class<'a> {
    let session = |key: &str| {
        let of = event.text(key).unwrap_or_default();
        Class::Session(Cow::Owned(format!("{kind} {of}")))
    };
    let approved = || event.object("result").and_then(|result| result.text("scope"));
    match kind {
        "llm.request" => Class::Ui,
        "usage.record" | "turn.cancel" | "turn.ended" | "context.update_token_count" | "full_compaction.cancel" => {
            Class::Place
        }
        _ if kind.starts_with("token_counting.") => Class::Place,
        "permission.record_approval_result" if approved().as_deref() != Some("session") => Class::Place,
        // It refers to counts of messages that are dropped.
        "micro_compaction.apply" => Class::Abandoned,
        "llm.tools_snapshot" | "tools.set_active_tools" | "permission.set_mode" => session("type"),
        "tools.update_store" => session("key"),
        "mcp.tools_discovered" => session("serverName"),
        _ => Class::Opaque,
    }
}
