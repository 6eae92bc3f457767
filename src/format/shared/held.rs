//! Stored API messages: in a field of a request (with the system prompt beside them), as a bare array, or one per line.

use super::document::{self, Document};
use super::json::{Json, Object};
use super::lines::LineNumbers;
use super::message_columns::Columns;
use super::new::New;
use super::record_lines;
use super::{dialects, message_columns, part_edits, session_lines, slot, speakers, synthetic, untyped};
use crate::format::detect::sample;
use crate::format::{Bytes, Layout, ReadError, ReadOptions, Sample};
use crate::reason::Reason;
use crate::transcript::{Change, Class, EditScript, Message, Part, PartKind, Patch, Record, Traits, Transcript};
use std::ops::Range;

/// How requests and messages of one API are stored.
pub(in crate::format) struct Holder {
    /// Fields of a request that may hold the messages; the first one that holds an array is used.
    pub(in crate::format) keys: &'static [&'static str],
    /// Returns the system prompt stored beside the messages; its record is placed before theirs.
    pub(in crate::format) system: for<'a> fn(&Object<'a>) -> Option<Json<'a>>,
    /// Whether a record by itself is a message.
    pub(in crate::format) is_message: fn(&Object<'_>) -> bool,
    /// Whether an object is a request with messages.
    pub(in crate::format) is_request: fn(&Object<'_>) -> bool,
    /// Requests may be training rows, with columns that have one entry per message.
    pub(in crate::format) columns: bool,
}

/// One parsed document with its messages.
pub(in crate::format) struct Held<'a> {
    /// The document and its array of messages.
    pub(in crate::format) document: Document<'a>,
    /// The fields of the request; empty for a bare array.
    pub(in crate::format) fields: Object<'a>,
    /// The system prompt beside the messages.
    system: Option<Json<'a>>,
}

impl<'a> Held<'a> {
    /// Whether the document is a request and not a bare array.
    fn is_request(&self) -> bool {
        self.document.whole.raw().starts_with('{')
    }

    /// Why the messages of this training row must not be edited, if so.
    fn obstacle(&self) -> Option<Reason> {
        message_columns::obstacle(&self.fields, &[(self.document.array, self.document.elements.len())])
    }

    /// What its columns are read from.
    fn columns(&self) -> Columns<'_, 'a> {
        Columns { fields: &self.fields, conversation: self.document.array, elements: &self.document.elements }
    }
}

/// Reads a value as a message: as the system prompt if the flag is true, else as one of the messages.
type Look<'l, 'a> = &'l mut dyn FnMut(bool, Json<'a>) -> Option<Message<'a>>;

impl Holder {
    /// Finds the messages of a document.
    ///
    /// # Errors
    /// The source is not JSON, or is neither an array nor a request.
    pub(in crate::format) fn held<'a>(&self, source: &'a [u8], first_line: usize) -> Result<Held<'a>, ReadError> {
        let document = Document::read_any(source, first_line, self.keys)?;
        let fields = document.whole.object().unwrap_or_default();
        Ok(Held { system: (self.system)(&fields), document, fields })
    }

    /// Reads one document, or messages stored one per line.
    ///
    /// # Errors
    /// The source is not JSON, or holds no messages; with `lenient` an unreadable source or line becomes an opaque
    /// record.
    pub(in crate::format) fn read<'a>(
        &self,
        source: &'a [u8],
        (options, traits): (ReadOptions, Traits),
        look: Look<'_, 'a>,
    ) -> Result<Transcript<'a>, ReadError> {
        match self.held(source, options.first_line) {
            Ok(held) => {
                let fixed = self.columns.then(|| held.obstacle()).flatten();
                let traits = Traits { training_row: held.is_request(), fixed, ..traits };
                let mut transcript = Transcript { source, traits, ..Transcript::default() };
                let lines = || LineNumbers::new(source, options.first_line);
                if let Some(value) = held.system {
                    add(&mut transcript, (value, lines().line_at(value.span_in(source).start)), look(true, value));
                }
                transcript.traits.apart = transcript.records.len();
                let mut lines = lines();
                for &value in &held.document.elements {
                    let line = lines.line_at(value.span_in(source).start);
                    let message = look(false, value);
                    match self.foreign(source, value, message.as_ref()) {
                        Some(_) if options.lenient => return Ok(document::opaque(source, options, transcript.traits)),
                        Some(format) => return Err(dialects::error(format, line)),
                        None => add(&mut transcript, (value, line), message),
                    }
                }
                if self.columns {
                    let Transcript { messages, records, .. } = &mut transcript;
                    let row = held.columns();
                    message_columns::set_untrained(source, (messages, records), row);
                    let twice =
                        || message_columns::repeated(&held.fields, &[held.document.array], &transcript.messages);
                    let traits = &transcript.traits;
                    let fixed = traits.fixed.or_else(|| traits.training_row.then(twice).flatten());
                    transcript.traits.fixed = speakers::obstacle(&transcript).or(fixed);
                }
                Ok(transcript)
            }
            Err(_) if self.holds_lines(source) => self.lines(source, (options, traits), look),
            Err(_) if options.lenient => Ok(document::opaque(source, options, traits)),
            Err(error) => Err(error),
        }
    }

    /// Reads messages stored one per line.
    fn lines<'a>(
        &self,
        source: &'a [u8],
        (options, traits): (ReadOptions, Traits),
        look: Look<'_, 'a>,
    ) -> Result<Transcript<'a>, ReadError> {
        let mut transcript = record_lines::read(source, options, traits, &mut |all, at, value| {
            push(all, at, look(false, value));
        })?;
        let unknown = speakers::obstacle(&transcript).filter(|_| self.columns);
        transcript.traits.fixed = transcript.traits.fixed.or(unknown);
        Ok(transcript)
    }

    /// The format of a request's message that has calls or results in that format's form, and none in its own.
    fn foreign(&self, source: &[u8], value: Json<'_>, message: Option<&Message<'_>>) -> Option<&'static str> {
        let fields = value.object().filter(|_| self.columns)?;
        let found = dialects::of_message(source, &fields, (message, false))?;
        let is_own = |message: &Message<'_>| message.calls().next().is_some() || message.results().next().is_some();
        Some(found).filter(|_| !message.is_some_and(is_own))
    }

    /// Whether a source that is not one document holds messages one per line. Its format is already decided, so one
    /// message is enough.
    fn holds_lines(&self, source: &[u8]) -> bool {
        Sample::new(&sample::beginning(source, Bytes::Whole)).any(self.is_message)
    }

    /// Reason to leave messages stored one per line as they are: a record among them holds messages once more, as the
    /// stream of a run ends in the result of it.
    pub(in crate::format) fn retold(&self, transcript: &Transcript<'_>) -> Option<Reason> {
        let holds = |record: &Record<'_>| {
            let fields = Json::at(transcript.source, &record.span).and_then(Json::object).unwrap_or_default();
            let arrays = self.keys.iter().filter_map(|key| array_at(&fields, key)).flatten();
            arrays.filter_map(Json::object).any(|message| (self.is_message)(&message))
        };
        let mut unread = transcript.records.iter().filter(|record| record.class == Class::Opaque);
        (!transcript.messages.is_empty() && unread.any(holds)).then_some(Reason::ConversationTwice)
    }

    /// Completes a transcript whose messages have a `type` instead of a speaker's name: names of tools, texts that a
    /// harness wrote, and what keeps it from being edited.
    pub(in crate::format) fn complete_typed(&self, transcript: &mut Transcript<'_>) {
        session_lines::name_tools(&mut transcript.messages);
        synthetic::classify(&mut transcript.messages, &[]);
        let held = || speakers::obstacle_of_types(transcript).or_else(|| self.retold(transcript));
        transcript.traits.fixed = transcript.traits.fixed.or_else(held);
    }

    /// Locates the messages of a transcript that was read before.
    pub(in crate::format) fn places<'a>(&self, transcript: &Transcript<'a>) -> Places<'a> {
        let held = self.held(transcript.source, 1).ok();
        let first = held.as_ref().map_or(0, |held| usize::from(held.system.is_some()));
        let count = held.as_ref().map_or(transcript.records.len(), |held| held.document.elements.len());
        Places { held, records: first..first + count, columns: self.columns }
    }

    /// Returns the layout of a file.
    pub(in crate::format) fn layout(&self, sample: &Sample<'_>) -> Layout {
        match &sample.elements {
            Some(elements) if elements.iter().any(self.is_request) => Layout::PerElement(None),
            Some(_) => Layout::Session,
            None if sample.records.is_empty() || sample.most(self.is_message) => Layout::Session,
            None => Layout::PerLine,
        }
    }

    /// Whether a file holds messages, or rows that `is_row` accepts, and at least one that `tells` of which API it is.
    pub(in crate::format) fn is_told(
        &self,
        sample: &Sample<'_>,
        tells: fn(&Object<'_>) -> bool,
        is_row: fn(&Object<'_>) -> bool,
    ) -> bool {
        let (rows, _) = sample.rows();
        rows.iter().any(|row| tells(row) || messages(row).iter().any(tells))
            && (self.are_messages(sample) || sample.most_rows(is_row))
    }

    /// Whether at least half of a file's lines, or of the elements of its array, are messages.
    pub(in crate::format) fn are_messages(&self, sample: &Sample<'_>) -> bool {
        match &sample.elements {
            Some(elements) => 2 * elements.iter().filter(|it| (self.is_message)(it)).count() >= elements.len().max(1),
            None => sample.most(self.is_message),
        }
    }
}

/// The array at a path of keys.
pub(in crate::format) fn array_at<'a>(fields: &Object<'a>, path: &str) -> Option<Vec<Json<'a>>> {
    match path.split_once('.') {
        Some((outer, inner)) => array_at(&fields.object(outer)?, inner),
        None => fields.array(path),
    }
}

/// The `messages` of a request.
pub(in crate::format) fn messages<'a>(request: &Object<'a>) -> Vec<Object<'a>> {
    request.array("messages").unwrap_or_default().into_iter().filter_map(Json::object).collect()
}

/// Whether an object is a request with `messages`, whatever API they are of.
pub(in crate::format) fn is_request(row: &Object<'_>) -> bool {
    row.array("messages").is_some() && !row.has("role")
}

/// Reads a message's content as parts: a string as one text, a list with `block` for each element.
pub(in crate::format) fn content<'a>(
    source: &[u8],
    content: Json<'a>,
    block: impl Fn(&[u8], Json<'a>) -> Part<'a>,
) -> Vec<Part<'a>> {
    match content.text() {
        Some(text) => vec![slot::part(PartKind::Text, text, slot::string(source, content))],
        None if content.is_null() => Vec::new(),
        None => match content.array() {
            Some(blocks) => blocks.into_iter().map(|value| of_element(source, value, &block)).collect(),
            None => vec![untyped::said(source, content)],
        },
    }
}

/// A text in a list of blocks stands for itself.
fn of_element<'a>(source: &[u8], value: Json<'a>, block: impl Fn(&[u8], Json<'a>) -> Part<'a>) -> Part<'a> {
    let text = untyped::element(source, value).filter(|_| value.is_string());
    text.unwrap_or_else(|| block(source, value))
}

/// Adds a record with the span of a value, and its message if there is one; `line` is the value's line in the file.
pub(in crate::format) fn add<'a>(
    transcript: &mut Transcript<'a>,
    (value, line): (Json<'a>, usize),
    message: Option<Message<'a>>,
) {
    let record = transcript.records.len();
    let span = value.span_in(transcript.source);
    transcript.records.push(Record { span, line, class: Class::Opaque, id: None, parent: None });
    push(transcript, record, message);
}

fn push<'a>(transcript: &mut Transcript<'a>, record: usize, message: Option<Message<'a>>) {
    if let Some(message) = message {
        document::push(transcript, record, Message { live: true, ..message });
    }
}

/// Where the messages of a transcript are stored.
pub(in crate::format) struct Places<'a> {
    /// The document; `None` if the messages are stored one per line.
    held: Option<Held<'a>>,
    /// The records of the messages; other records may come before and after.
    records: Range<usize>,
    columns: bool,
}

impl Places<'_> {
    /// Indices of the messages that are kept, without those stored outside the message array (the system prompt).
    pub(in crate::format) fn kept(&self, transcript: &Transcript<'_>, script: &EditScript) -> Vec<usize> {
        let stays = |record: usize| self.records.contains(&record) && script.keeps(record);
        (0..transcript.messages.len()).filter(|index| stays(transcript.messages[*index].record)).collect()
    }

    /// The patches that carry out an edit script: dropped messages, new ones (each placed before a record), and the
    /// patches `inside` kept messages.
    pub(in crate::format) fn patches(
        &self,
        transcript: &Transcript<'_>,
        script: &EditScript,
        (new, mut inside): (Vec<New>, Vec<Patch>),
    ) -> Vec<Patch> {
        if let Some(held) = &self.held {
            let before = |record: usize| record.clamp(self.records.start, self.records.end) - self.records.start;
            let new: Vec<_> = new.into_iter().map(|new| New { before: before(new.before), ..new }).collect();
            let keep: Vec<bool> = self.records.clone().map(|record| script.keeps(record)).collect();
            if self.columns {
                let row = held.columns();
                let stays = |index: usize| keep.get(index).copied().unwrap_or(true);
                inside.extend(message_columns::patches(transcript.source, row, stays, &new));
            }
            return held.document.patches(&EditScript { keep, ..EditScript::default() }, &new, inside);
        }
        record_lines::edited(transcript, &script.keep, &new, inside)
    }
}

impl Places<'_> {
    /// The patches that carry out an edit script for formats that keep the blocks of every message under one key.
    pub(in crate::format) fn render(
        &self,
        transcript: &Transcript<'_>,
        script: &EditScript,
        (new, key, replace): (Vec<New>, &str, Replace<'_>),
    ) -> Vec<Patch> {
        let kept = self.kept(transcript, script).into_iter();
        let inside = kept.flat_map(|index| changes(transcript, script, (index, key), replace)).collect();
        self.patches(transcript, script, (new, inside))
    }
}

/// Returns the patch that replaces a part, if the change asks for one.
type Replace<'r> = &'r dyn Fn(&Part<'_>, &Change) -> Option<Patch>;

/// The patches inside a kept message with its blocks under `key`: removed blocks, and what `replace` returns for
/// others.
pub(in crate::format) fn changes(
    transcript: &Transcript<'_>,
    script: &EditScript,
    (index, key): (usize, &str),
    replace: Replace<'_>,
) -> Vec<Patch> {
    let parts = &transcript.messages[index].parts;
    let edits = script.changes_of(index).iter();
    let gone = document::removed(transcript, script, index);
    let mut patches: Vec<_> = edits.filter_map(|edit| replace(parts.get(edit.part)?, &edit.change)).collect();
    let blocks = || part_edits::json_of(transcript, index)?.object()?.get(key);
    if let Some(blocks) = (!gone.is_empty()).then(blocks).flatten() {
        patches.extend(document::without(transcript.source, blocks, &gone));
    }
    patches
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use crate::format::{ReadOptions, by_name};

    #[test]
    fn a_prompt_beside_the_messages_has_no_number_and_theirs_count_without_it() {
        for (format, row) in [
            (
                "bedrock-converse",
                r#"{"system":[{"text":"be"}],"messages":[{"role":"user","content":[{"text":"a"}]},{"role":"assistant","content":[{"text":"b"}]}]}"#,
            ),
            (
                "gemini-contents",
                r#"{"systemInstruction":{"parts":[{"text":"be"}]},"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b"}]}]}"#,
            ),
            (
                "openai-responses",
                r#"{"instructions":"be","input":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}"#,
            ),
        ] {
            let read = by_name(format).unwrap().read(row.as_bytes(), ReadOptions::default()).unwrap();
            let numbers: Vec<_> = (0..read.messages.len()).map(|at| read.number_of(at)).collect();
            assert_eq!(numbers, [None, Some(1), Some(2)], "{format}");
        }
    }
}
