//! Lines of a session to records and messages.

use super::{author, chain, content};
use crate::format::json::Object;
use crate::format::session_lines::name_tools;
use crate::format::{ReadError, ReadOptions, lines, read_fields};
use crate::transcript::{Append, Author, Class, Message, Record, Role, Tokens, Traits, Transcript, Usage};
use std::borrow::Cow;

/// Record types that state something about the whole session; the last of each is in force (SPEC ruling 3).
const SESSION_TYPES: &[&str] = &[
    "summary",
    "custom-title",
    "ai-title",
    "agent-name",
    "agent-color",
    "agent-setting",
    "mode",
    "permission-mode",
    "last-prompt",
    "pr-link",
    "tag",
    "worktree-state",
    "bridge-session",
    "relocated",
];

/// Reads a session.
pub(super) fn read(source: &[u8], options: ReadOptions) -> Result<Transcript<'_>, ReadError> {
    let mut reading = Reading { whole_is_side: true, ..Reading::default() };
    for line in lines::lines(source) {
        match read_fields(source, &line, options.first_line) {
            Ok(fields) => reading.line(source, &line, fields),
            Err(_) if options.lenient => reading.record(&line, Class::Opaque),
            Err(error) => return Err(error),
        }
    }
    Ok(reading.finish(source, options.first_line))
}

/// What has been read so far.
#[derive(Default)]
struct Reading<'a> {
    records: Vec<Record<'a>>,
    messages: Vec<Message<'a>>,
    /// Messages of subagents, until it is known whether the whole file is one.
    sides: Vec<Message<'a>>,
    /// Snapshots with the id of the message that they belong to.
    snapshots: Vec<(usize, Cow<'a, str>)>,
    /// Ids of the messages that the newest boundary preserved.
    preserved: Vec<Cow<'a, str>>,
    whole_is_side: bool,
}

impl<'a> Reading<'a> {
    fn record(&mut self, line: &lines::Line, class: Class<'a>) {
        self.records.push(Record { span: line.span.clone(), line: line.number, class, id: None, parent: None });
    }

    fn line(&mut self, source: &'a [u8], line: &lines::Line, fields: Object<'a>) {
        let class = self.class(source, &fields);
        self.record(line, class);
        if let Some(record) = self.records.last_mut() {
            record.id = fields.text("uuid");
            record.parent = fields.text("parentUuid");
        }
    }

    /// Classifies a record; a message is stored on the way.
    fn class(&mut self, source: &'a [u8], fields: &Object<'a>) -> Class<'a> {
        let kind = fields.text("type").unwrap_or_default();
        match &*kind {
            "user" | "assistant" => self.spoken(source, fields, &kind),
            "attachment" => self.attachment(source, fields),
            "system" if fields.text("subtype").as_deref() == Some("compact_boundary") => self.boundary(fields),
            "system" | "queue-operation" => Class::Place,
            "progress" => Class::Ui,
            "file-history-snapshot" => {
                self.snapshots.push((self.records.len(), fields.text("messageId").unwrap_or_default()));
                Class::Place
            }
            "pr-link" => Class::Session(Cow::Owned(format!("pr-link {}", fields.text("prUrl").unwrap_or_default()))),
            known if SESSION_TYPES.contains(&known) => Class::Session(kind),
            _ => Class::Opaque,
        }
    }

    /// A user or assistant record.
    fn spoken(&mut self, source: &'a [u8], fields: &Object<'a>, kind: &str) -> Class<'a> {
        let envelope = fields.object("message").unwrap_or_default();
        let content = envelope.get("content").filter(|content| !content.is_null());
        let hidden = fields.is_true("isVisibleInTranscriptOnly") && !fields.is_true("isCompactSummary");
        let (Some(content), false) = (content, hidden || fields.is_true("isApiErrorMessage")) else {
            return Class::Place;
        };
        let parts = content::parts(source, content);
        if parts.is_empty() {
            return Class::Place;
        }
        let user = kind == "user";
        let message = Message {
            role: if user { Role::User } else { Role::Assistant },
            author: if user { author::author(fields, &parts) } else { author::of_answer(&envelope, &parts) },
            group: if user { None } else { envelope.text("id") },
            belongs_to: fields.text("sourceToolUseID"),
            model: envelope.text("model"),
            usage: envelope.object("usage").map(|usage| read_usage(&usage)),
            timestamp: fields.text("timestamp"),
            cut_off: envelope.text("stop_reason").as_deref() == Some("max_tokens"),
            parts,
            ..Message::default()
        };
        self.store(message, fields.is_true("isSidechain"))
    }

    /// An attachment; a queued command is the user's own words.
    fn attachment(&mut self, source: &'a [u8], fields: &Object<'a>) -> Class<'a> {
        let attachment = fields.object("attachment").unwrap_or_default();
        let prompt = attachment.get("prompt").filter(|_| attachment.text("type").as_deref() == Some("queued_command"));
        let machine = attachment.text("commandMode").as_deref() == Some("task-notification");
        let parts = prompt.map(|prompt| content::parts(source, prompt)).unwrap_or_default();
        if parts.is_empty() {
            return Class::Place;
        }
        let persons = !machine && parts.iter().any(|part| author::is_persons_text(&part.text));
        let author = if persons { Author::Person } else { Author::Harness };
        let timestamp = fields.text("timestamp");
        let message = Message { role: Role::User, author, parts, timestamp, ..Message::default() };
        self.store(message, fields.is_true("isSidechain"))
    }

    fn boundary(&mut self, fields: &Object<'a>) -> Class<'a> {
        let metadata = fields.object("compactMetadata").unwrap_or_default();
        let preserved = metadata.object("preservedMessages").and_then(|preserved| preserved.array("allUuids"));
        self.preserved = preserved.unwrap_or_default().into_iter().filter_map(|id| id.text()).collect();
        Class::Boundary
    }

    fn store(&mut self, mut message: Message<'a>, side: bool) -> Class<'a> {
        message.record = self.records.len();
        if side {
            self.sides.push(message);
            return Class::Sidechain(None);
        }
        self.whole_is_side = false;
        self.messages.push(message);
        Class::Message(self.messages.len() - 1)
    }

    fn finish(mut self, source: &'a [u8], first_line: usize) -> Transcript<'a> {
        if self.whole_is_side {
            self.messages = std::mem::take(&mut self.sides);
            for (index, message) in self.messages.iter().enumerate() {
                self.records[message.record].class = Class::Message(index);
            }
        }
        self.records.iter_mut().for_each(|record| record.line += first_line - 1);
        name_tools(&mut self.messages);
        let preserved = std::mem::take(&mut self.preserved);
        let snapshots = std::mem::take(&mut self.snapshots);
        let traits = Traits { native_summary: true, append: Append::From, ..Traits::default() };
        let mut transcript = Transcript { source, records: self.records, messages: self.messages, traits };
        chain::resolve(&mut transcript, &preserved, &snapshots);
        transcript
    }
}

fn read_usage(usage: &Object<'_>) -> Usage {
    let tokens = |key: &str| Tokens(usage.get(key).and_then(|value| value.whole()).unwrap_or_default());
    Usage {
        input: tokens("input_tokens"),
        cache_read: tokens("cache_read_input_tokens"),
        cache_write: tokens("cache_creation_input_tokens"),
        output: tokens("output_tokens"),
    }
}
