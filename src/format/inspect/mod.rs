//! The format `inspect`: logs of Inspect AI as JSON or as archives (FORMATS §14, §18), one transcript per sample.
//!
//! A log is one object with `samples`; a sample extracted from a log is read by itself. Long texts may be stored in
//! `attachments` and referred to by `attachment://` and a hash. `events` record what happened and hold a copy of
//! every message for each call of the model. They are the log's own record, so the summary goes into `messages` only,
//! and events are treated as copies for a viewer. Stubbing them (the default) stubs long results in them that were
//! stubbed or dropped, as text or attachment; dropping them leaves `messages` alone. Attachments without references
//! are removed.

pub(crate) mod archive;
mod copies;
mod faults;
mod read;
mod render;

use super::detect::Evidence;
use super::shared::json::Object;
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Transcript};

/// The field of a log that holds its samples.
const SAMPLES: &str = "samples";
/// The field of a sample that holds its messages.
const MESSAGES: &str = "messages";
/// The field of a sample that holds long texts by their hash.
const ATTACHMENTS: &str = "attachments";
/// Prefix of a text that refers to an attachment.
const PROTOCOL: &str = "attachment://";

/// The `inspect` format.
pub(super) struct Inspect;

impl Format for Inspect {
    fn name(&self) -> &'static str {
        "inspect"
    }

    fn layout(&self) -> Layout {
        Layout::PerElement(Some(SAMPLES))
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        if sample.fields.as_ref().is_some_and(is_log) { self.layout() } else { Layout::Session }
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let fields = sample.fields.as_ref()?;
        let why = match (is_log(fields), is_sample(fields)) {
            (true, _) => "`eval` with `samples` or `plan`",
            (_, true) => "`epoch`, `target` and `messages` of a sample",
            _ => return None,
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
        faults::faults(transcript)
    }
}

fn is_log(fields: &Object<'_>) -> bool {
    fields.has("eval") && (fields.has(SAMPLES) || fields.has("plan"))
}

fn is_sample(fields: &Object<'_>) -> bool {
    ["id", "epoch", "input", "target", MESSAGES].iter().all(|key| fields.has(key)) && !fields.has("eval")
}

#[cfg(test)]
mod tests;
