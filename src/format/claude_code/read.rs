//! Reads the lines of a session as records and messages.

use super::queue::Queue;
use super::sessions::Sessions;
use super::{SESSION_TYPES, author, chain, content, order};
use crate::format::shared::harness_texts::name_local_commands;
use crate::format::shared::json::Object;
use crate::format::shared::lines;
use crate::format::shared::session_lines::name_tools;
use crate::format::shared::several;
use crate::format::{ReadError, ReadOptions, read_fields};
use crate::transcript::{
    Append, Author, Class, Message, PIECE, Record, Role, Spread, Tokens, Traits, Transcript, Usage, spread,
};
use std::borrow::Cow;
use std::ops::Range;

/// Reads a session in independent pieces, which `over` may read in parallel. References between lines are resolved when
/// all pieces are read.
pub(super) fn read<'a>(source: &'a [u8], options: ReadOptions, over: &dyn Spread) -> Result<Transcript<'a>, ReadError> {
    read_in(PIECE, source, options, over)
}

/// Like [`read`], with pieces of at least `least` bytes.
fn read_in<'a>(
    least: usize,
    source: &'a [u8],
    options: ReadOptions,
    over: &dyn Spread,
) -> Result<Transcript<'a>, ReadError> {
    let pieces = lines::pieces(source, least);
    let read = spread(over, &pieces, |piece| read_piece(source, piece, options));
    let more = |count: fn(&Reading<'_>) -> usize| read.iter().skip(1).flatten().map(count).sum();
    let (records, messages) = (more(|piece| piece.records.len()), more(|piece| piece.messages.len()));
    let mut read = read.into_iter();
    let mut all = read.next().unwrap_or_else(|| Ok(Reading::default()))?;
    all.records.reserve_exact(records);
    all.messages.reserve_exact(messages);
    for piece in read {
        all.append(piece.map_err(|error| ReadError { line: error.line + all.newlines, ..error })?);
    }
    Ok(all.finish(source, options.first_line))
}

/// Reads the lines of one piece; line numbers are relative to the piece.
fn read_piece(source: &[u8], piece: Range<usize>, options: ReadOptions) -> Result<Reading<'_>, ReadError> {
    let newlines = memchr::memchr_iter(b'\n', &source[piece.clone()]).count();
    let mut reading = Reading { newlines, ..Reading::default() };
    for line in lines::lines_of(source, piece) {
        match options.forgive(read_fields(source, &line, options.first_line))? {
            Some(fields) => reading.line(source, &line, fields),
            None => reading.records.push(line.record(Class::Opaque)),
        }
    }
    Ok(reading)
}

/// The records and messages read so far.
#[derive(Default)]
struct Reading<'a> {
    /// Number of newlines in the text that was read.
    newlines: usize,
    records: Vec<Record<'a>>,
    messages: Vec<Message<'a>>,
    /// Messages of subagents, until it is known whether the whole file is a subagent's.
    sides: Vec<Message<'a>>,
    /// Snapshot records, each with the id of its message.
    snapshots: Vec<(usize, Cow<'a, str>)>,
    /// What was typed while the agent worked.
    queue: Queue<'a>,
    /// What tells one session from another.
    sessions: Sessions<'a>,
    /// Ids of the messages that the newest boundary preserved, if there is a boundary.
    preserved: Option<Vec<Cow<'a, str>>>,
}

impl<'a> Reading<'a> {
    /// Appends the reading of the following piece.
    fn append(&mut self, mut more: Self) {
        let (records, messages) = (self.records.len(), self.messages.len());
        for record in &mut more.records {
            record.line += self.newlines;
            if let Class::Message(index) = &mut record.class {
                *index += messages;
            }
        }
        more.messages.iter_mut().chain(&mut more.sides).for_each(|message| message.record += records);
        self.records.append(&mut more.records);
        self.messages.append(&mut more.messages);
        self.sides.append(&mut more.sides);
        self.snapshots.extend(more.snapshots.into_iter().map(|(record, id)| (record + records, id)));
        self.queue.append(more.queue, records);
        self.sessions.append(more.sessions, records);
        self.preserved = more.preserved.or(self.preserved.take());
        self.newlines += more.newlines;
    }

    fn line(&mut self, source: &'a [u8], line: &lines::Line, fields: Object<'a>) {
        let class = self.class(source, &fields);
        self.sessions.note(self.records.len(), &fields, &class);
        self.records.push(line.record(class));
        if let Some(record) = self.records.last_mut() {
            record.id = fields.text("uuid");
            record.parent = fields.text("parentUuid");
        }
    }

    /// Classifies a record; its message, if any, is stored in `self`.
    fn class(&mut self, source: &'a [u8], fields: &Object<'a>) -> Class<'a> {
        let kind = fields.text("type").unwrap_or_default();
        match &*kind {
            "user" | "assistant" => self.spoken(source, fields, &kind),
            "attachment" => self.attachment(source, fields),
            "system" if fields.is("subtype", "compact_boundary") => self.boundary(fields),
            "queue-operation" => {
                self.queue.note(self.records.len(), source, fields);
                Class::Place
            }
            "system" => Class::Place,
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

    /// Reads a user or assistant record.
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
            other_role: envelope.text("role").is_some_and(|role| role != kind),
            author: if user { author::author(fields, &parts) } else { author::of_answer(&envelope, &parts) },
            group: if user { None } else { envelope.text("id") },
            belongs_to: fields.text("sourceToolUseID"),
            model: envelope.text("model"),
            usage: envelope.object("usage").map(|usage| read_usage(&usage)),
            timestamp: fields.text("timestamp"),
            folder: fields.text("cwd"),
            branch: fields.text("gitBranch").filter(|branch| !branch.is_empty()),
            cut_off: envelope.is("stop_reason", "max_tokens"),
            parts,
            ..Message::default()
        };
        self.store(message, fields.is_true("isSidechain"))
    }

    /// Reads an attachment record; a queued command holds the user's own words.
    fn attachment(&mut self, source: &'a [u8], fields: &Object<'a>) -> Class<'a> {
        let attachment = fields.object("attachment").unwrap_or_default();
        let prompt = attachment.get("prompt").filter(|_| attachment.is("type", "queued_command"));
        let machine = attachment.is("commandMode", "task-notification");
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
        self.preserved = Some(preserved.unwrap_or_default().into_iter().filter_map(|id| id.text()).collect());
        Class::Boundary
    }

    fn store(&mut self, mut message: Message<'a>, side: bool) -> Class<'a> {
        message.record = self.records.len();
        if side {
            self.sides.push(message);
            return Class::Sidechain(None);
        }
        self.messages.push(message);
        Class::Message(self.messages.len() - 1)
    }

    fn finish(mut self, source: &'a [u8], first_line: usize) -> Transcript<'a> {
        if self.messages.is_empty() {
            self.messages = std::mem::take(&mut self.sides);
            for (index, message) in self.messages.iter().enumerate() {
                self.records[message.record].class = Class::Message(index);
            }
        }
        let queued = self.queue.settle(&mut self.records, &mut self.messages);
        self.records.iter_mut().for_each(|record| record.line += first_line - 1);
        name_tools(&mut self.messages);
        name_local_commands(&mut self.messages);
        name_prompts(&self.records, &mut self.messages);
        let preserved = self.preserved.take().unwrap_or_default();
        let snapshots = std::mem::take(&mut self.snapshots);
        // Appending a compaction names the loaded records by id, so all messages on the chain need one.
        let mut chain = self.messages.iter().filter(|message| !message.queued);
        let named = chain.all(|message| self.records[message.record].id.is_some());
        let append = if named { Append::From } else { Append::Never };
        let traits = Traits { native_summary: true, append, ..Traits::default() };
        let traits = several::of(self.sessions.other(&self.records, &self.messages), traits);
        let mut transcript = Transcript { source, records: self.records, messages: self.messages, traits };
        let order = order::following_calls(&transcript);
        let off_chain = chain::OffChain { snapshots: &snapshots, queued: &queued };
        chain::resolve(&mut transcript, order.as_deref(), &preserved, off_chain);
        if let Some(order) = order {
            order::rearrange(&mut transcript, &order);
            name_tools(&mut transcript.messages);
        }
        transcript
    }
}

fn read_usage(usage: &Object<'_>) -> Usage {
    let tokens = |key: &str| Tokens(usage.whole(key).unwrap_or_default());
    Usage {
        input: tokens("input_tokens"),
        cache_read: tokens("cache_read_input_tokens"),
        cache_write: tokens("cache_creation_input_tokens"),
        output: tokens("output_tokens"),
    }
}

/// Marks the prompts that the harness wrote for the slash commands right before them.
fn name_prompts(records: &[Record<'_>], messages: &mut [Message<'_>]) {
    for index in 1..messages.len() {
        let [.., before, message] = &messages[..=index] else { continue };
        let parent = &records[message.record].parent;
        let is_child = message.author == Author::Harness && parent.is_some() && records[before.record].id == *parent;
        let expands = is_child && message.role == Role::User && author::is_prompt(&message.text(), &before.text());
        messages[index].expands = expands && !messages[index - 1].answered_locally;
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::transcript::InTurn;

    fn read_by(least: usize, source: &str, lenient: bool) -> String {
        let options = ReadOptions { lenient, first_line: 3 };
        format!("{:?}", read_in(least, source.as_bytes(), options, &InTurn))
    }

    #[test]
    fn pieces_make_no_difference() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/claude-code");
        let samples = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        for path in samples {
            let source = std::fs::read_to_string(&path).unwrap();
            let broken = source.replace("\n{", "\n\n{").replacen("\"parentUuid\"", "parentUuid", 3);
            for (source, lenient) in [(&source, false), (&broken, false), (&broken, true)] {
                let whole = read_by(usize::MAX / 2, source, lenient);
                for least in [1, 700, source.len() / 2] {
                    assert_eq!(read_by(least, source, lenient), whole, "{} in {least}", path.display());
                }
            }
        }
    }
}
