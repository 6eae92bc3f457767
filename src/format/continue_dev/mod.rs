//! The format `continue`: sessions of Continue (`~/.continue/sessions/*.json`), which its editors and its command line
//! share: one JSON document with a `history` of items.
//!
//! What a resume makes of an item (continuedev/continue: `constructMessages.ts` of the editors, `messageConversion.ts` of the
//! command line): its message, what was attached to a user's message (`contextItems`), and behind the model's the `output`
//! of each of its `toolCallStates`. An item of role `tool` is read where no such state has its output, as sessions of
//! 2025 store results; else it is passed over, so it is a copy, and becomes a stub with its result. Calls that were
//! canceled, failed or left without output are answered by a fixed text. Of a state the editors show arguments and the
//! definition of the tool again; `promptLogs` hold whole prompts, and `reasoning` what stood between tags: none is sent.
//!
//! An item with a `conversationSummary` stands for all up to itself. The editors write the field into the item of an
//! answer, and send it behind the system prompt; the command line writes an item of its own whose message says the same,
//! and sends that. Both go on from an item of the second kind, so that is what ours is.

mod item;
mod read;
mod render;

use super::detect::{Confidence, Evidence};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Transcript};

/// The field that holds the items.
const HISTORY: &str = "history";
/// The field of an item that holds a summary.
const SUMMARY: &str = "conversationSummary";

/// One session.
pub(super) struct Continue;

impl Format for Continue {
    fn name(&self) -> &'static str {
        "continue"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let fields = sample.fields.as_ref()?;
        let why = "`workspaceDirectory` and `history`".to_owned();
        let is = fields.has("workspaceDirectory") && fields.has(HISTORY);
        is.then_some(Evidence { confidence: Confidence::Certain, why })
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        read::read(source, options)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
        render::render(transcript, script, marks)
    }

    fn faults(&self, _: &Transcript<'_>) -> Vec<Fault> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests;
