//! Reads the lines of a session as records and messages.

use super::{entry, path};
use crate::format::shared::json::Object;
use crate::format::shared::lines;
use crate::format::shared::session_lines::name_tools;
use crate::format::shared::several;
use crate::format::{ReadError, ReadOptions, read_fields};
use crate::transcript::{Append, Author, Class, Message, Record, Traits, Transcript};
use std::borrow::Cow;

/// Reads a session.
pub(super) fn read(source: &[u8], options: ReadOptions) -> Result<Transcript<'_>, ReadError> {
    let mut reading = Reading::default();
    for line in lines::lines(source) {
        match options.forgive(read_fields(source, &line, options.first_line))? {
            Some(fields) => reading.line(source, &line, &fields),
            None => reading.records.push(line.record(Class::Opaque)),
        }
    }
    Ok(reading.finish(source, options.first_line))
}

/// A compaction entry.
pub(super) struct CompactionEntry<'a> {
    /// Index of its message.
    pub(super) message: usize,
    /// The first entry that it keeps.
    pub(super) kept: Kept<'a>,
}

/// How a compaction names the first entry that it keeps.
pub(super) enum Kept<'a> {
    /// By its id.
    Id(Cow<'a, str>),
    /// By its position among the non-blank lines, from 0.
    Line(usize),
    /// Not at all.
    None,
}

/// The state of reading.
#[derive(Default)]
struct Reading<'a> {
    records: Vec<Record<'a>>,
    messages: Vec<Message<'a>>,
    compactions: Vec<CompactionEntry<'a>>,
    /// Labels, each with the id of the entry that it names.
    labels: Vec<(usize, Cow<'a, str>)>,
    /// The folder of the session.
    folder: Option<Cow<'a, str>>,
    /// The id in the header.
    id: Option<Cow<'a, str>>,
    /// The header of another session.
    other_session: Option<usize>,
}

impl<'a> Reading<'a> {
    fn line(&mut self, source: &'a [u8], line: &lines::Line, fields: &Object<'a>) {
        let class = self.class(source, fields);
        let is_entry = !fields.is("type", "session");
        self.records.push(line.record(class));
        if let Some(record) = self.records.last_mut().filter(|_| is_entry) {
            record.id = fields.text("id");
            // Entries after a `leaf` entry continue from its target.
            let key = if fields.is("type", "leaf") { "targetId" } else { "parentId" };
            record.parent = fields.text(key);
            if !fields.has(key) {
                self.follow_the_one_before();
            }
        }
    }

    /// Links the newest entry to the one before it: a missing key does not start a branch, as `null` would.
    fn follow_the_one_before(&mut self) {
        let Some((newest, earlier)) = self.records.split_last_mut() else { return };
        newest.parent = newest.id.as_ref().and_then(|_| earlier.iter().rev().find_map(|record| record.id.clone()));
    }

    fn class(&mut self, source: &'a [u8], fields: &Object<'a>) -> Class<'a> {
        let words = |key: &str, author| entry::words(source, fields.get(key), author);
        let kind = fields.text("type").unwrap_or_default();
        match &*kind {
            "message" => {
                let inner = fields.object("message").unwrap_or_default();
                match entry::message(source, &inner) {
                    Some(message) => self.store(message, fields),
                    None if inner.is("role", "bashExecution") => Class::Place,
                    None => Class::Opaque,
                }
            }
            "custom_message" => self.store(words("content", Author::Harness), fields),
            "branch_summary" => self.store(words("summary", Author::Harness), fields),
            "compaction" => {
                self.compactions.push(CompactionEntry { message: self.messages.len(), kept: kept(fields) });
                self.store(words("summary", Author::Summary), fields)
            }
            "session" => {
                self.folder = fields.text("cwd");
                let own = self.id.take().or_else(|| fields.text("id"));
                let other = (fields.text("id") != own).then_some(self.records.len());
                self.other_session = self.other_session.or(other);
                self.id = own;
                Class::Opaque
            }
            "label" => {
                self.labels.push((self.records.len(), fields.text("targetId").unwrap_or_default()));
                Class::Place
            }
            "leaf" => Class::Place,
            "model_change" | "thinking_level_change" | "session_info" => Class::Session(kind),
            _ => Class::Opaque,
        }
    }

    fn store(&mut self, mut message: Message<'a>, fields: &Object<'a>) -> Class<'a> {
        message.record = self.records.len();
        message.timestamp = fields.text("timestamp");
        message.folder = self.folder.clone();
        self.messages.push(message);
        Class::Message(self.messages.len() - 1)
    }

    fn finish(mut self, source: &'a [u8], first_line: usize) -> Transcript<'a> {
        self.records.iter_mut().for_each(|record| record.line += first_line - 1);
        name_tools(&mut self.messages);
        let traits = Traits { native_summary: true, append: Append::From, ..Traits::default() };
        let traits = several::of(self.other_session, traits);
        let mut transcript = Transcript { source, records: self.records, messages: self.messages, traits };
        path::resolve(&mut transcript, &self.compactions, &self.labels);
        transcript
    }
}

fn kept<'a>(fields: &Object<'a>) -> Kept<'a> {
    let line = || fields.whole("firstKeptEntryIndex");
    match (fields.text("firstKeptEntryId"), line()) {
        (Some(id), _) => Kept::Id(id),
        (None, Some(line)) => Kept::Line(usize::try_from(line).unwrap_or(usize::MAX)),
        (None, None) => Kept::None,
    }
}
