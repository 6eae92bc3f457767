//! The format `continue`: sessions of Continue (`~/.continue/sessions/*.json`), shared by its editor extensions and
//! its command line: one JSON document with a `history` of items.
//!
//! What a resume sends of an item (continuedev/continue: `constructMessages.ts` of the editors, `messageConversion.ts`
//! of the command line): its message, the attachments of a user message (`contextItems`), and after the model's message
//! the `output` of each of its `toolCallStates`. An item of role `tool` is read if no such state has its output, as
//! sessions of 2025 store results; otherwise it is a copy, not sent, and is stubbed with its result. Calls that were
//! canceled, failed or left without output are answered by a fixed text. The editors show a state's arguments and tool
//! definition again; `promptLogs` hold whole prompts, and `reasoning` the text between tags: none of these is sent.
//!
//! An item with a `conversationSummary` replaces everything up to and including itself. The editors write the field
//! into the item of an answer, and send it after the system prompt; the command line writes an item of its own whose
//! message has the same text, and sends that. Both can continue from the second kind, so epitome writes that one.

mod item;
mod read;
mod render;

use super::detect::Evidence;
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Transcript};

/// The field that holds the items.
const HISTORY: &str = "history";
/// The field of an item that holds a summary.
const SUMMARY: &str = "conversationSummary";

/// The `continue` format.
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
        let is = fields.has("workspaceDirectory") && fields.has(HISTORY);
        is.then(|| Evidence::certain("`workspaceDirectory` and `history`"))
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
