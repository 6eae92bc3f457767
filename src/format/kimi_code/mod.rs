//! The format `kimi-code`: `wire.jsonl` of Kimi Code CLI, a journal of events from which a session is rebuilt.
//!
//! What is loaded is the result of a replay (MoonshotAI/kimi-code, `agent/context`, `agent/contextMemory`): appended
//! messages, steps of the model built from their pieces, and results, changed by clear, undo and compaction events. A
//! compaction with `keptUserMessageCount` leaves the user's messages followed by its summary; one without leaves its
//! summary followed by all messages from number `compactedCount` on. epitome writes the latter kind, at the end.

mod event;
mod faults;
mod history;
mod read;
mod render;

use super::shared::json::Object;
use super::{Evidence, Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::fixed_texts::PREFACES;
use crate::transcript::{EditScript, Patch, Transcript};

/// Opening of Kimi's summaries, in the same text.
const PREFACE: &str = PREFACES[5];

/// The `kimi-code` format.
pub(super) struct KimiCode;

impl Format for KimiCode {
    fn name(&self) -> &'static str {
        "kimi-code"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let is_event =
            |record: &Object<'_>| record.has("type") && (record.has("time") || record.has("protocol_version"));
        let is_ours = sample.any(|record| record.has("protocol_version")) && sample.most(is_event);
        is_ours.then(|| Evidence::certain("events with `time` and a `protocol_version`"))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        read::read(source, options).map(|(transcript, _)| transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        render::render(transcript, script)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        faults::faults(transcript)
    }
}

#[cfg(test)]
mod tests;
