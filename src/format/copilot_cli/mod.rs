//! The format `copilot-cli`: the event log of a GitHub Copilot CLI session (FORMATS §17 rule 3), one event per line.
//!
//! Known from the event schema that the Copilot SDK publishes: persisted events are replayed on resume; each
//! `parentId` names the event before; the model is sent `transformedContent` of a user message and `content` of a
//! result, while `detailedContent` and telemetry are for the timeline; opaque reasoning is removed on resume;
//! `session.compaction_complete` holds a summary. Known from reports of files that could not be resumed: the first
//! event must be `session.start`, every event must fit the schema of the reading version, and a raw U+2028 breaks a
//! line.
//!
//! Not documented: which messages a replayed compaction keeps besides its summary, and how it words the summary for
//! the model. So a compaction is read as one that keeps everything after its start, and none is written: epitome's
//! summary is a `user.message`, which every version replays and shows.

mod class;
mod message;
mod read;
mod render;

use super::shared::json::Object;
use super::shared::{links, mending};
use super::{Evidence, Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Transcript};

/// The `copilot-cli` format.
pub(super) struct CopilotCli;

impl Format for CopilotCli {
    fn name(&self) -> &'static str {
        "copilot-cli"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let is = sample.most(is_event) && sample.any(is_own);
        is.then(|| Evidence::certain("events with a dotted `type` and `data`"))
    }

    fn is_record(&self, record: &Object<'_>) -> bool {
        is_own(record)
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        read::read(source, options)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
        render::render(transcript, script, marks)
    }

    /// Rules that a session must meet to be resumed; pairing is checked for all formats alike.
    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        links::of_session(transcript, "session.start")
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        mending::relink_parents(transcript, faults, script, "parentId")
    }
}

/// Whether a record has the envelope of all events; files of other tools omit parts of it.
fn is_event(record: &Object<'_>) -> bool {
    let kind = record.text("type");
    let dotted = kind.is_some_and(|kind| kind.contains('.') || kind == "abort");
    dotted && record.object("data").is_some() && ["id", "timestamp"].iter().any(|key| record.has(key))
}

/// Whether an event is of a type that identifies a session.
fn is_own(record: &Object<'_>) -> bool {
    let kind = record.text("type");
    is_event(record)
        && kind.is_some_and(|kind| {
            ["session.", "assistant.", "tool.execution_"].iter().any(|own| kind.starts_with(own))
                || kind == "user.message"
        })
}

#[cfg(test)]
mod tests;
