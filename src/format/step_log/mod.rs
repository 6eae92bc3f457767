//! Streams and logs of steps that agents write and no harness resumes: one record per step, as lines or one array.
//!
//! A [`Dialect`] interprets the records; reading and rendering are the same for all. A step with a call and its result
//! is one message with both. A record that only anticipates a later one (the start of an item, a piece of a message
//! that is printed whole later) is for display, and dropped with the head; records about the whole run are kept.

mod antigravity;
mod claude_stream;
mod codex_exec;
mod droid_stream;
mod gemini_stream;
mod log;
mod output;
mod shell_word;
mod windsurf;

pub(super) use antigravity::Antigravity;
pub(super) use claude_stream::ClaudeStream;
pub(super) use codex_exec::CodexExec;
pub(super) use droid_stream::DroidStream;
pub(super) use gemini_stream::GeminiStream;
pub(super) use windsurf::Windsurf;

use super::shared::document::{self, Document};
use super::shared::json::{Json, Object, quoted};
use super::shared::new::New;
use super::shared::part_edits::{self, copies_of, patches_in};
use super::shared::record_lines;
use super::shared::session_lines::{fields, name_tools, stub_strings, without_field};
use super::shared::{lines, synthetic};
use super::{Evidence, Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{Class, EditScript, Patch, Record, Traits, Transcript, UiCopies};
use log::{Log, State};
use std::marker::PhantomData;

/// What is specific to one log format.
pub(super) trait Dialect: Sync {
    /// The stable name of the format.
    const NAME: &'static str;
    /// What distinguishes its records, as a sentence fragment.
    const WHY: &'static str;
    /// The field of a record that holds a copy of its results for a user interface.
    const COPY: Option<&'static str> = None;

    /// Whether a file is of the format.
    fn is(sample: &Sample<'_>) -> bool;

    /// Classifies a record, and adds its message to the log.
    fn record<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>, value: Json<'a>) -> Class<'a>;

    /// Completes the transcript with what is only known once the whole log is read.
    fn finish<'a>(_transcript: &mut Transcript<'a>, _state: &mut State<'a>) {}

    /// The text of another field that repeats the result of a record, and is shortened with it.
    fn again<'a>(_fields: &Object<'a>) -> Option<Json<'a>> {
        None
    }

    /// The value inside a record that holds its message's parts; `None` if that is the record itself.
    fn inner<'a>(_fields: &Object<'a>) -> Option<Json<'a>> {
        None
    }

    /// A new record with this text; `beside` is the record of a neighboring message.
    fn new_record(beside: &Object<'_>, text: &str) -> String;
}

/// A format of step logs.
pub(super) struct StepLog<D>(PhantomData<D>);

impl<D> StepLog<D> {
    /// Makes the format.
    pub(super) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<D: Dialect> Format for StepLog<D> {
    fn name(&self) -> &'static str {
        D::NAME
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    /// Tools that search logs open them with any compression.
    fn opens(&self, _: &str) -> bool {
        true
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        D::is(sample).then(|| Evidence::certain(D::WHY))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let transcript = read::<D>(source, options, State::default())?;
        let aside = |record: &Record<'_>| matches!(record.class, Class::Sidechain(_));
        if !transcript.messages.is_empty() || !transcript.records.iter().any(aside) {
            return Ok(transcript);
        }
        // A file with only a subagent's messages is a transcript of its own (SPEC T8).
        read::<D>(source, options, State { alone: true, ..State::default() })
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
        let mut inside = Vec::new();
        for (index, message) in transcript.messages.iter().enumerate() {
            let edited = !script.changes_of(index).is_empty() || script.ui_copies == UiCopies::Drop;
            if edited && script.keeps(message.record) {
                let record = transcript.record_of(index);
                let own = fields(transcript, record);
                let holder = D::inner(&own).or_else(|| Json::at(transcript.source, &record.span));
                inside.append(&mut patches_in(transcript, script, index, holder));
                inside.extend(D::again(&own).and_then(|value| shortened_too(transcript, script, (index, value))));
                let copy = D::COPY.and_then(|key| own.get(key));
                inside
                    .append(&mut copy.map(|copy| copied(transcript, script, (index, copy), marks)).unwrap_or_default());
            }
        }
        let new = New::all(script, |insert| [D::new_record(&beside(transcript, insert.before), insert.kind.text())]);
        if is_array(transcript.source) {
            let document = Document::read(transcript.source, 1, "");
            return document.map(|document| document.patches(script, &new, inside)).unwrap_or_default();
        }
        record_lines::edited(transcript, &script.keep, &new, inside)
    }

    /// None of its own; pairing is checked for all formats alike.
    fn faults(&self, _: &Transcript<'_>) -> Vec<Fault> {
        Vec::new()
    }
}

/// Reads a log.
fn read<'a, D: Dialect>(
    source: &'a [u8],
    options: ReadOptions,
    mut state: State<'a>,
) -> Result<Transcript<'a>, ReadError> {
    let mut look = |transcript: &mut Transcript<'a>, at: usize, value: Json<'a>| {
        let Some(fields) = value.object() else { return };
        let class = D::record(&mut Log { transcript, at, state: &mut state }, &fields, value);
        if let Some(record) = transcript.records.get_mut(at) {
            record.class = class;
        }
    };
    let traits = Traits { never_resumed: true, ..Traits::default() };
    let mut transcript = if is_array(source) {
        match options.forgive(Document::read(source, options.first_line, ""))? {
            Some(document) => {
                let mut transcript = document.transcript(options.first_line, traits);
                let elements = document.elements.into_iter().enumerate();
                elements.for_each(|(at, value)| look(&mut transcript, at, value));
                transcript
            }
            None => document::opaque(source, options, traits),
        }
    } else {
        record_lines::read(source, options, traits, &mut look)?
    };
    D::finish(&mut transcript, &mut state);
    name_tools(&mut transcript.messages);
    synthetic::classify(&mut transcript.messages, &[]);
    Ok(transcript)
}

/// Whether the records are elements of one array. A line of another program may also begin with a bracket.
fn is_array(source: &[u8]) -> bool {
    let source = source.strip_prefix(lines::BOM).unwrap_or(source).trim_ascii_start();
    let inside = source.strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    inside.is_some_and(|inside| matches!(inside.first(), Some(b'{' | b']')))
}

/// The fields of the record of a message beside a place: the last message before it, or else the first one after.
fn beside<'a>(transcript: &Transcript<'a>, before: usize) -> Object<'a> {
    let behind = transcript.messages.partition_point(|message| message.record < before);
    let message = transcript.messages.get(behind.saturating_sub(1));
    let record = message.and_then(|message| transcript.records.get(message.record));
    record.map(|record| fields(transcript, record)).unwrap_or_default()
}

/// The patch for a text that repeats the result of a kept message; a text shorter than the change stays.
fn shortened_too(
    transcript: &Transcript<'_>,
    script: &EditScript,
    (message, value): (usize, Json<'_>),
) -> Option<Patch> {
    let text = script.changes_of(message).iter().find_map(|edit| edit.change.text());
    let with = text.map(quoted).filter(|text| text.len() < value.raw().len())?;
    Some(part_edits::stub(value.span_in(transcript.source), with))
}

/// The patches for the copy of a kept message's results.
fn copied(
    transcript: &Transcript<'_>,
    script: &EditScript,
    (message, copy): (usize, Json<'_>),
    marks: &Marks<'_>,
) -> Vec<Patch> {
    match script.ui_copies {
        UiCopies::Drop => without_field(transcript.source, copy).into_iter().collect(),
        UiCopies::Stub if script.changes_of(message).iter().any(|edit| edit.change.text().is_some()) => {
            let stub = copies_of(transcript, script, (message, marks.stub));
            stub_strings(transcript.source, copy, stub)
        }
        UiCopies::Stub | UiCopies::Keep => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::tests::support::edited;

    #[test]
    fn an_array_is_told_from_a_line_that_begins_with_a_bracket() {
        for array in ["[{}]", "\u{feff}\n[\n  {\"a\":1}\n]", "[]"] {
            assert!(is_array(array.as_bytes()), "{array}");
        }
        for other in ["[info] begun\n{}", "{}\n[{}]", "", "[1]"] {
            assert!(!is_array(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn what_is_no_record_fails_or_stays() {
        let format = StepLog::<CodexExec>::new();
        let source = "[info] begun\n{\"type\":\"turn.started\"}\n7\n";
        let failed = format.read(source.as_bytes(), ReadOptions::default()).map_err(|error| (error.line, error.column));
        assert_eq!(failed.map(|read| read.records.len()), Err((1, 2)));
        let lenient = ReadOptions { lenient: true, ..ReadOptions::default() };
        let read = format
            .read(source.as_bytes(), lenient)
            .map(|read| read.records.into_iter().map(|it| it.class).collect::<Vec<_>>());
        assert_eq!(read, Ok(vec![Class::Opaque, Class::Place, Class::Opaque]));
        assert!(format.read(b"[{}", ReadOptions::default()).is_err());
        assert_eq!(format.read(b"[{}", lenient).map(|read| read.records.len()), Ok(1));
    }

    #[test]
    fn a_new_record_finds_a_neighbor_anywhere() {
        use crate::format::tests::support::summary;
        use crate::transcript::SummaryRole;
        for source in ["{\"type\":\"turn.started\"}\n", "[]"] {
            let out = edited(&StepLog::<CodexExec>::new(), source, |transcript, script| {
                script.inserts = vec![summary(transcript.records.len(), SummaryRole::System, "it")];
            });
            assert!(out.contains(r#"{"id":"item_0","type":"agent_message","text":"<prior"#), "{out}");
        }
    }
}
