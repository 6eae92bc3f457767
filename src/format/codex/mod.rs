//! The format `codex`: rollout files of Codex (FORMATS §7, §18), one record per line with `type` and `payload`;
//! before version 0.31, bare items after a header.
//!
//! Messages are the payloads of `response_item` records; events repeat them for a user interface; a compaction is a
//! `compacted` record whose `replacement_history` is all that a resume loads of the history before it.

mod author;
mod base;
mod events;
mod faults;
mod read;
mod render;

use super::shared::json::Object;
use super::{Evidence, Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::fixed_texts::PREFACES;
use crate::transcript::{EditScript, Patch, Transcript};

/// The `codex` format.
pub(super) struct Codex;

/// Types of records with a payload.
const RECORDS: [&str; 8] = [
    "session_meta",
    "response_item",
    "event_msg",
    "turn_context",
    "compacted",
    "world_state",
    "inter_agent_communication",
    "inter_agent_communication_metadata",
];

/// Types of items that old files store without a record around them.
const BARE: [&str; 5] = ["message", "reasoning", "function_call", "function_call_output", "local_shell_call"];

/// Opening of Codex's summaries, by which Codex recognizes them.
const PREFACE: &str = PREFACES[0];

impl Format for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    /// Codex stores cold sessions as `.jsonl.zst` itself (FORMATS §7).
    fn opens(&self, extension: &str) -> bool {
        extension == "zst"
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let wrapped = sample.most(is_wrapped).then_some("`type` of a rollout with `payload`");
        let old = |record: &Object<'_>| is_bare(record) || is_header(record) || record.has("record_type");
        let bare =
            || (sample.most(old) && sample.any(is_header) && sample.any(is_bare)).then_some("bare rollout items");
        let why = wrapped.or_else(bare)?;
        Some(Evidence::certain(why))
    }

    fn is_record(&self, record: &Object<'_>) -> bool {
        is_wrapped(record)
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
}

fn is_wrapped(record: &Object<'_>) -> bool {
    record.has("payload") && record.text("type").is_some_and(|kind| RECORDS.contains(&&*kind))
}

fn is_bare(record: &Object<'_>) -> bool {
    let known = record.text("type").is_some_and(|kind| BARE.contains(&&*kind));
    known && ["call_id", "role", "summary"].iter().any(|key| record.has(key))
}

/// Whether a record is the first line of an old file.
fn is_header(record: &Object<'_>) -> bool {
    !record.has("type")
        && record.has("id")
        && record.has("timestamp")
        && (record.has("instructions") || record.has("git"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
