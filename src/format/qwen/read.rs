//! Reads the lines of a session as records and messages, and determines what a resume would load.

use super::COMPRESSION;
use crate::format::shared::gemini_parts::{Reader, set_files_aside};
use crate::format::shared::json::{Json, Object};
use crate::format::shared::links::{by_id, path};
use crate::format::shared::{record_lines, synthetic};
use crate::format::{ReadError, ReadOptions};
use crate::transcript::{Author, Class, Message, Part, PartKind, Role, Shape, Tokens, Traits, Transcript, Usage};
use std::collections::HashSet;

/// Subtypes of system records that state something about the whole session; the last one of each is in force.
const SESSION: [&str; 10] = [
    "custom_title",
    "parent_session",
    "session_source",
    "session_model",
    "session_approval_mode",
    "session_execution_engine",
    "session_notes",
    "session_sources_snapshot",
    "attribution_snapshot",
    "goal_state",
];
/// Subtypes of system records that only concern their place.
const PLACES: [&str; 10] = [
    "at_command",
    "branch_checkpoint",
    "file_history_snapshot",
    "goal_turn_end",
    "rewind",
    "slash_command",
    "turn_attempt",
    "turn_result",
    "user_text_elements",
    "agent_retry",
];
/// Subtypes of system records from which a session never continues.
const ASIDE: [&str; 3] = ["session_artifact_event", "session_artifact_snapshot", "session_sources_snapshot"];
/// Subtypes of messages that are stored but never sent to the model.
const UNSENT: [&str; 2] = ["realtime_message", "code_mode_tool_result"];
/// Subtypes of user records that hold a person's words, or the task of a subagent.
const PERSONS: [&str; 3] = ["", "mid_turn_user_message", "agent_launch_prompt"];
/// Opening of the text that hooks add to a person's message.
const HOOK: &str = "<qwen:user-prompt-submit-context>";
/// Opening of the summaries that Qwen Code's own compression writes.
const SNAPSHOT: &str = "<state_snapshot>";

/// Reads a session.
pub(super) fn read(source: &[u8], options: ReadOptions) -> Result<Transcript<'_>, ReadError> {
    let mut reading = Reading { reader: Reader::new(source), sides: Vec::new(), aside: HashSet::new(), caller: None };
    let traits = Traits { native_summary: true, ..Traits::default() };
    let mut transcript = record_lines::read(source, options, traits, &mut |transcript, at, value| {
        reading.record(transcript, at, value)
    })?;
    if transcript.messages.is_empty() {
        for side in std::mem::take(&mut reading.sides) {
            transcript.records[side.record].class = Class::Message(transcript.messages.len());
            transcript.messages.push(side);
        }
    }
    resolve(&mut transcript, &reading.aside);
    Ok(transcript)
}

struct Reading<'a> {
    reader: Reader<'a>,
    /// Messages of subagents, until it is known whether the whole file is a subagent's.
    sides: Vec<Message<'a>>,
    /// Records from which the session does not continue.
    aside: HashSet<usize>,
    /// The newest message with a call.
    caller: Option<usize>,
}

impl<'a> Reading<'a> {
    fn record(&mut self, transcript: &mut Transcript<'a>, at: usize, value: Json<'a>) {
        let fields = value.object().unwrap_or_default();
        let kind = fields.text("type").unwrap_or_default();
        let subtype = fields.text("subtype").unwrap_or_default();
        let class = match (&*kind, &*subtype) {
            ("system", COMPRESSION) => compression(transcript, at, &fields),
            ("system", "ui_telemetry") => Class::Ui,
            ("system", known) if SESSION.contains(&known) => Class::Session(subtype.clone()),
            ("system", known) if PLACES.contains(&known) => {
                take_back(transcript, &fields);
                Class::Place
            }
            ("user" | "assistant" | "tool_result", known) if UNSENT.contains(&known) => Class::Place,
            ("user" | "assistant" | "tool_result", _) => self.message(transcript, at, (&fields, &kind, &subtype)),
            _ => Class::Opaque,
        };
        if kind == "system" && ASIDE.contains(&&*subtype) {
            self.aside.insert(at);
        }
        if let Some(record) = transcript.records.get_mut(at) {
            record.class = class;
            record.id = fields.text("uuid");
            record.parent = fields.text("parentUuid");
        }
    }

    fn message(
        &mut self,
        transcript: &mut Transcript<'a>,
        at: usize,
        (fields, kind, subtype): (&Object<'a>, &str, &str),
    ) -> Class<'a> {
        let content = fields.object("message").and_then(|message| message.get("parts"));
        let mut parts = content.map(|content| self.reader.content(content)).unwrap_or_default();
        if kind == "user" {
            set_files_aside(&mut parts);
        }
        if parts.is_empty() {
            return Class::Place;
        }
        let (role, author) = match kind {
            "assistant" => (Role::Assistant, Author::Model),
            "tool_result" => (Role::Tool, Author::Tool),
            _ => (Role::User, author(fields, subtype, &parts)),
        };
        let message = Message {
            role,
            author,
            parts,
            record: at,
            group: fields.text("uuid"),
            live: true,
            model: fields.text("model"),
            usage: fields.object("usageMetadata").and_then(|usage| self::usage(&usage)),
            timestamp: fields.text("timestamp"),
            folder: fields.text("cwd"),
            branch: fields.text("gitBranch").filter(|branch| !branch.is_empty()),
            ..Message::default()
        };
        if fields.is_true("isSidechain") {
            self.aside.insert(at);
            self.sides.push(message);
            return Class::Sidechain(self.caller);
        }
        let index = transcript.messages.len();
        self.caller = message.calls().next().map(|_| index).or(self.caller);
        transcript.messages.push(message);
        Class::Message(index)
    }
}

/// The author of a user record: a person, unless the record states a machine origin or holds only text of hooks.
fn author(fields: &Object<'_>, subtype: &str, parts: &[Part<'_>]) -> Author {
    let machine = fields.text("provenance").is_some_and(|source| source != "real_user");
    let says = |part: &Part<'_>| match part.kind {
        PartKind::Text => !part.text.trim().is_empty() && !part.text.trim_start().starts_with(HOOK),
        PartKind::Media(_) => true,
        _ => false,
    };
    match PERSONS.contains(&subtype) && !machine && parts.iter().any(says) {
        true => Author::Person,
        false => Author::Harness,
    }
}

/// Marks the user message of a command that the program answered itself: it is stored but never sent.
fn take_back(transcript: &mut Transcript<'_>, fields: &Object<'_>) {
    let payload = fields.object("systemPayload").unwrap_or_default();
    let answered = payload.is("phase", "result") && !payload.is_true("sentToModel");
    let Some(last) = transcript.messages.last_mut().filter(|_| answered) else { return };
    if last.author == Author::Person && payload.text("rawCommand").is_some_and(|command| command == last.text()) {
        last.author = Author::Harness;
        last.live = false;
    }
}

/// Reads a compressed history: its summary becomes the message text; repeated history is only counted (opaque).
fn compression<'a>(transcript: &mut Transcript<'a>, at: usize, fields: &Object<'a>) -> Class<'a> {
    let payload = fields.object("systemPayload").unwrap_or_default();
    let Some(history) = payload.array("compressedHistory") else { return Class::Place };
    let mut reader = Reader::new(transcript.source);
    let contents = history.into_iter().map(|content| content.object().and_then(|content| content.get("parts")));
    let contents: Vec<_> = contents.map(|parts| parts.map(|parts| reader.content(parts)).unwrap_or_default()).collect();
    let opens = |parts: &Vec<Part<'_>>| {
        let text = parts.first().map(|part| part.text.trim_start()).unwrap_or_default();
        text.starts_with(SNAPSHOT) || text.starts_with(synthetic::OPEN)
    };
    let summary = contents.iter().position(opens).unwrap_or_default();
    let mut parts = Vec::new();
    for (index, content) in contents.into_iter().enumerate() {
        parts.extend(content.into_iter().map(|part| stored(part, index == summary)));
    }
    if parts.is_empty() {
        return Class::Boundary;
    }
    let timestamp = fields.text("timestamp");
    let author = Author::Summary;
    let message = Message { role: Role::User, author, parts, record: at, live: true, timestamp, ..Message::default() };
    transcript.messages.push(message);
    Class::Message(transcript.messages.len() - 1)
}

/// A part of a compressed history, which can't be replaced; it stays text only if `told`.
fn stored(mut part: Part<'_>, told: bool) -> Part<'_> {
    part.slot.content = part.slot.part.start..part.slot.part.start;
    part.slot.shape = Shape::Fixed;
    if !told || part.kind != PartKind::Text {
        part.kind = PartKind::Opaque;
    }
    part
}

/// Marks abandoned and compressed messages.
fn resolve(transcript: &mut Transcript<'_>, aside: &HashSet<usize>) {
    let index = by_id(transcript);
    let side = transcript.records.iter().enumerate().all(|(at, record)| record.id.is_none() || aside.contains(&at));
    let goes_on = |at: &usize| transcript.records[*at].id.is_some() && (side || !aside.contains(at));
    let leaf = (0..transcript.records.len()).rev().find(goes_on);
    let path = path(transcript, &index, leaf);
    let ids: HashSet<_> = transcript
        .records
        .iter()
        .zip(&path)
        .filter(|(_, on)| **on)
        .filter_map(|(record, _)| record.id.clone())
        .collect();
    for record in transcript.records.iter_mut().filter(|record| record.id.as_ref().is_some_and(|id| !ids.contains(id)))
    {
        match record.class {
            Class::Message(message) => {
                let message = &mut transcript.messages[message];
                message.abandoned = true;
                message.live = false;
                record.class = Class::Abandoned;
            }
            Class::Session(_) | Class::Place | Class::Ui | Class::Boundary => record.class = Class::Abandoned,
            _ => {}
        }
    }
    let messages = &mut transcript.messages;
    let boundary = transcript.records.iter().rposition(|record| record.class == Class::Boundary);
    let newest = messages.iter().rposition(|message| message.author == Author::Summary && !message.abandoned);
    let floor = boundary.max(newest.map(|newest| messages[newest].record)).unwrap_or_default();
    messages.iter_mut().filter(|message| message.record < floor).for_each(|message| message.live = false);
    synthetic::name_continuations(messages, newest);
}

/// Reads usage; cached tokens are part of the input.
fn usage(usage: &Object<'_>) -> Option<Usage> {
    let number = |key: &str| usage.whole(key).unwrap_or_default();
    let input = usage.whole("promptTokenCount")?;
    let cached = number("cachedContentTokenCount").min(input);
    Some(Usage {
        input: Tokens(input - cached),
        cache_read: Tokens(cached),
        output: Tokens(number("candidatesTokenCount")),
        ..Usage::default()
    })
}
