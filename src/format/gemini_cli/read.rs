//! Reads a chat as records and messages.

use super::copies::{self, Answered};
use super::history::History;
use super::{MESSAGES, TYPES};
use crate::format::shared::document::{self, Document};
use crate::format::shared::gemini_parts::{Reader, set_files_aside};
use crate::format::shared::json::{Json, Object};
use crate::format::shared::{lines, synthetic};
use crate::format::{ReadError, ReadOptions, begins_with_object, read_line};
use crate::transcript::{
    Append, Author, Class, Message, Part, PartKind, Record, Role, Tokens, Traits, Transcript, Usage,
};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// Beginnings of user texts that the loader ignores.
const IGNORED: [&str; 4] = ["/", "?", "<session_context>", "<hook_context>"];
/// Opening of the summaries that the chat's own compression writes.
const SNAPSHOT: &str = "<state_snapshot>";

/// Reads a chat in either layout.
pub(super) fn read(source: &[u8], options: ReadOptions) -> Result<Transcript<'_>, ReadError> {
    let mut reading = Reading::new(source);
    match Document::read(source, options.first_line, MESSAGES) {
        Ok(document) => {
            reading.transcript = document.transcript(options.first_line, Traits::default());
            for (at, element) in document.elements.iter().enumerate() {
                reading.element(at, *element);
            }
        }
        Err(error) if !begins_with_object(source) => match options.lenient {
            true => return Ok(document::opaque(source, options, Traits::default())),
            false => return Err(error),
        },
        Err(_) => {
            reading.transcript.traits.append = Append::Each;
            reading.lines(options)?;
        }
    }
    Ok(reading.finish())
}

/// The newest line that replaces all messages: its range and its `messages` array.
pub(super) fn checkpoint(source: &[u8]) -> Option<(Range<usize>, Json<'_>)> {
    let marked = |line: &lines::Line| memchr::memmem::find(&source[line.span.clone()], b"$set").is_some();
    let all: Vec<_> = lines::lines(source).filter(marked).collect();
    all.into_iter().rev().find_map(|line| {
        let value = read_line(source, &line, 1).ok()?;
        let messages = value.object()?.object("$set")?.get(MESSAGES)?;
        messages.raw().starts_with('[').then_some((line.span, messages))
    })
}

struct Reading<'a> {
    source: &'a [u8],
    reader: Reader<'a>,
    history: History<'a>,
    answered: Answered,
    transcript: Transcript<'a>,
}

impl<'a> Reading<'a> {
    fn new(source: &'a [u8]) -> Self {
        let transcript = Transcript { source, ..Transcript::default() };
        let (history, answered) = (History::default(), Answered::default());
        Self { source, reader: Reader::new(source), history, answered, transcript }
    }

    fn lines(&mut self, options: ReadOptions) -> Result<(), ReadError> {
        let checkpoint = checkpoint(self.source);
        for line in lines::lines(self.source) {
            let number = line.number + options.first_line - 1;
            let Some(value) = options.forgive(read_line(self.source, &line, options.first_line))? else {
                self.record(line.span, number);
                continue;
            };
            match checkpoint.as_ref().filter(|(span, _)| *span == line.span) {
                Some((_, messages)) => self.checkpoint(*messages, number),
                None => {
                    let at = self.record(line.span, number);
                    self.element(at, value);
                }
            }
        }
        Ok(())
    }

    /// Adds an opaque record and returns its index.
    fn record(&mut self, span: Range<usize>, line: usize) -> usize {
        self.transcript.records.push(Record { span, line, class: Class::Opaque, id: None, parent: None });
        self.transcript.records.len() - 1
    }

    /// Reads the messages of the newest checkpoint as records of their own.
    fn checkpoint(&mut self, messages: Json<'a>, line: usize) {
        let elements = messages.array().unwrap_or_default();
        let ids: HashSet<_> = elements.iter().filter_map(|element| element.object()?.text("id")).collect();
        self.history.reset(&mut self.transcript, Some(&ids));
        for element in elements {
            let at = self.record(element.span_in(self.source), line);
            self.element(at, element);
        }
    }

    fn element(&mut self, at: usize, value: Json<'a>) {
        let Some(fields) = value.object() else { return };
        let class = if let Some(set) = fields.get("$set") {
            self.set(set)
        } else if let Some(id) = fields.text("$rewindTo") {
            self.history.rewind(&mut self.transcript, &id);
            Class::Abandoned
        } else if fields.text("type").is_some_and(|kind| TYPES.contains(&&*kind)) {
            return self.message(at, &fields);
        } else {
            return;
        };
        self.transcript.records[at].class = class;
    }

    /// Classifies a change of the chat's fields; the last change of the same fields is in force.
    fn set(&mut self, set: Json<'a>) -> Class<'a> {
        let fields = set.object().unwrap_or_default();
        if fields.has(MESSAGES) {
            self.history.reset(&mut self.transcript, None);
            return Class::Abandoned;
        }
        let keys: Vec<_> = fields.fields().iter().map(|(key, _)| &**key).collect();
        Class::Session(Cow::Owned(format!("$set {}", keys.join(" "))))
    }

    fn message(&mut self, at: usize, fields: &Object<'a>) {
        let id = fields.text("id").unwrap_or_default();
        self.transcript.records[at].id = Some(id.clone());
        let kind = fields.text("type").unwrap_or_default();
        if let Some(owner) = self.answered.repeated_by(fields).filter(|_| kind == "user") {
            self.transcript.records[at].class = Class::With(owner);
            self.history.add(&mut self.transcript, id, at);
            return;
        }
        let mut parts = match &*kind {
            "user" | "gemini" => self.reader.read(fields),
            _ => Vec::new(),
        };
        if kind == "user" {
            set_files_aside(&mut parts);
        }
        if parts.is_empty() {
            self.transcript.records[at].class = Class::Place;
            return;
        }
        let model = kind == "gemini";
        let author = if model { Author::Model } else { author(&parts) };
        let message = Message {
            role: if model { Role::Assistant } else { Role::User },
            live: author != Author::Harness,
            author,
            parts,
            model: fields.text("model"),
            usage: fields.object("tokens").map(|tokens| usage(&tokens)),
            timestamp: fields.text("timestamp"),
            ..Message::default()
        };
        if model {
            self.answered = Answered::of(at, &message);
        }
        document::push(&mut self.transcript, at, message);
        self.history.add(&mut self.transcript, id, at);
    }

    fn finish(mut self) -> Transcript<'a> {
        copies::settle(&mut self.transcript, &self.history);
        let messages = &mut self.transcript.messages;
        synthetic::classify(messages, &[]);
        let snapshot = |message: &Message<'_>| {
            let text = message.parts.first().map(|part| part.text.trim_start()).unwrap_or_default();
            message.author == Author::Person && !message.abandoned && text.starts_with(SNAPSHOT)
        };
        if let Some(newest) = messages.iter().rposition(snapshot) {
            messages[newest].author = Author::Summary;
            messages[..newest].iter_mut().for_each(|message| message.live = false);
        }
        self.transcript
    }
}

fn author(parts: &[Part<'_>]) -> Author {
    let mut texts = parts.iter().filter(|part| part.kind == PartKind::Text).map(|part| part.text.trim_start());
    let media = parts.iter().any(Part::is_media);
    match texts.find(|text| !text.is_empty()) {
        Some(first) if IGNORED.iter().any(|start| first.starts_with(start)) => Author::Harness,
        Some(_) => Author::Person,
        None if media => Author::Person,
        None if parts.iter().any(Part::is_result) => Author::Tool,
        None => Author::Harness,
    }
}

/// Reads usage. Cached tokens are part of the input; thoughts are not counted, as they are not sent again.
fn usage(tokens: &Object<'_>) -> Usage {
    let number = |key: &str| Tokens(tokens.whole(key).unwrap_or_default());
    let cached = number("cached");
    Usage { input: number("input") - cached, cache_read: cached, output: number("output"), ..Usage::default() }
}
