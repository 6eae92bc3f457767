//! The format `qwen`: sessions of Qwen Code, one record per line, linked by `uuid` and `parentUuid`, with messages in
//! the form of Gemini's API.
//!
//! A resume loads the path from the newest record to the root; records with the same `uuid` are pieces of one
//! message; `rewind` opens a new branch. A `chat_compression` record holds the whole history that the model sees from
//! there on (QwenLM/qwen-code, `session-api-history.ts`), so epitome's summary is such a record.

mod faults;
mod read;
mod render;

use super::shared::json::Object;
use super::shared::mending;
use super::{Evidence, Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Transcript};

/// The subtype of records that hold a compressed history.
const COMPRESSION: &str = "chat_compression";

/// The `qwen` format.
pub(super) struct Qwen;

impl Format for Qwen {
    fn name(&self) -> &'static str {
        "qwen"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        sample.most(is_record).then(|| Evidence::certain("`uuid` and `sessionId` with `message.parts`"))
    }

    fn is_record(&self, record: &Object<'_>) -> bool {
        is_record(record)
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        read::read(source, options)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
        render::render(transcript, script, marks)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        faults::faults(transcript)
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        mending::relink_parents(transcript, faults, script, "parentUuid")
    }
}

fn is_record(record: &Object<'_>) -> bool {
    let parts = || record.object("message").is_some_and(|message| message.has("parts") && !message.has("content"));
    let own = record.has("systemPayload") || record.has("toolCallResult") || parts();
    record.has("uuid") && record.has("sessionId") && own
}

#[cfg(test)]
mod tests;
