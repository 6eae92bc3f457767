//! The format `goose`: an exported session with `conversation`, or the older log of a header and messages as lines
//! (FORMATS §10).
//!
//! Each message says whether the person and whether the model sees it. Goose's compaction hides the old messages from
//! the model and adds a summary that the person does not see; epitome's summary has the same form. `message_count` is
//! kept in step.

mod read;
mod render;

use super::detect::Evidence;
use super::shared::document::Document;
use super::shared::json::{Json, Object};
use super::shared::lines;
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample, read_line};
use crate::transcript::{EditScript, Patch, Transcript};

/// The field that holds the messages of an export.
const CONVERSATION: &str = "conversation";
/// The field with the number of messages.
const COUNT: &str = "message_count";

/// The `goose` format.
pub(super) struct Goose;

impl Format for Goose {
    fn name(&self) -> &'static str {
        "goose"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let has = |record: &Object<'_>, keys: &[&str]| keys.iter().all(|key| record.has(key));
        let header = |record: &Object<'_>| record.has("working_dir") && !record.has("type");
        let export = sample.fields.as_ref().is_some_and(|fields| {
            fields.has(CONVERSATION) && (fields.has("working_dir") || fields.has("accumulated_usage"))
        });
        let message = |record: &Object<'_>| has(record, &["role", "created", "content"]);
        let of_log = |record: &Object<'_>| message(record) || header(record) || calls(record);
        let why = match () {
            () if export => "`conversation` and `working_dir`",
            () if sample.any(header) && sample.most(of_log) => {
                "a header with `working_dir`, then messages with `created`"
            }
            () if sample.any(calls) && sample.most(of_log) => "messages with `toolRequest` or `toolResponse`",
            () => return None,
        };
        Some(Evidence::certain(why))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        read::read(source, options)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
        render::render(transcript, script, marks)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let stored = holder(transcript.source).and_then(|holder| holder.object()?.whole(COUNT));
        let found = message_count(transcript);
        let off = stored.filter(|&stored| stored != found as u64);
        let line = transcript.first_line();
        off.map(|_| Fault::new(line, "message_count_off", "")).into_iter().collect()
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        render::mend(transcript, faults, script).into_iter().collect()
    }
}

/// Whether a record is a message with a call or a result in Goose's blocks.
fn calls(record: &Object<'_>) -> bool {
    let own = |block: Object<'_>| {
        let keys = [("toolRequest", "toolCall"), ("toolResponse", "toolResult")];
        keys.iter().any(|(kind, key)| block.has(key) && block.is("type", kind))
    };
    record.has("role") && record.array("content").into_iter().flatten().filter_map(Json::object).any(own)
}

/// The object with the session's own fields: the export, or the first line.
fn holder(source: &[u8]) -> Option<Json<'_>> {
    let text = std::str::from_utf8(source).ok()?.trim_start_matches('\u{feff}');
    let whole = || Json::parse(text).ok().filter(|_| Document::read(source, 1, CONVERSATION).is_ok());
    let line = || read_line(source, &lines::lines(source).next()?, 1).ok();
    whole().or_else(line)
}

/// Number of messages that a session stores: elements of the array, or lines without the header.
fn message_count(transcript: &Transcript<'_>) -> usize {
    let header = transcript.records.first().is_some_and(|record| {
        let text = transcript.source.get(record.span.clone()).and_then(|text| std::str::from_utf8(text).ok());
        let fields = text.and_then(|text| Json::parse(text).ok()).and_then(Json::object);
        fields.is_some_and(|fields| !fields.has("role"))
    });
    transcript.records.len() - usize::from(header)
}

#[cfg(test)]
mod tests;
