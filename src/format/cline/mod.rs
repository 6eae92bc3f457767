//! The format `cline`: the messages of a task as Cline stores them, `api_conversation_history.json` (a bare array) or
//! the newer store `<id>.messages.json` (an object with `sessionId` and `messages`), whose compaction state may be in
//! a file beside it (FORMATS §13).
//!
//! In the array roles alternate, so a summary is a question and its answer where one message would break that. In the
//! store it is the message that Cline's own compaction writes. A task's `conversationHistoryDeletedRange` counts
//! positions in the array; it is in another file, so a task that Cline truncated is compacted with all that it still
//! stores.

pub(super) mod author;
mod calls;
pub(super) mod read;
pub(super) mod render;
mod said;

use self::author::SURROUNDINGS;
use super::anthropic_messages::faults;
use super::detect::Evidence;
use super::shared::json::{Json, Object};
use super::shared::synthetic;
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Traits, Transcript};

/// The field of the store that holds the messages.
pub(super) const MESSAGES: &str = "messages";
/// Keys of messages that no API has.
const OWN: [&str; 3] = ["metrics", "modelInfo", "ts"];

/// The `cline` format.
pub(super) struct Cline;

impl Format for Cline {
    fn name(&self) -> &'static str {
        "cline"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let store = ["version", "sessionId", MESSAGES, "updated_at"];
        let is_store = sample.fields.as_ref().is_some_and(|fields| store.iter().all(|key| fields.has(key)));
        let messages = || sample.elements.iter().flatten();
        let own = |message: &Object<'_>| message.has("role") && OWN.iter().any(|key| message.has(key));
        let why = match is_store {
            true => "`sessionId`, `messages` and `updated_at`",
            false if !is_history(sample) => return None,
            false if messages().any(own) => "messages with `metrics`, `modelInfo` or `ts`",
            false if messages().any(has_surroundings) => "messages with a text of `<environment_details>`",
            false => return None,
        };
        Some(Evidence::certain(why))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let mut transcript = read::read(source, options)?;
        let store = is_store(source);
        synthetic::classify(&mut transcript.messages, &[]);
        let alternates = !store && faults::alternates(&transcript.messages);
        transcript.traits = Traits { alternates, user_summary: !store, native_summary: store, ..transcript.traits };
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
        render::render(transcript, script, marks)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let mut faults = faults::pairing_of_runs(&transcript.messages, transcript);
        if !is_store(transcript.source) {
            faults.extend(faults::order(transcript));
        }
        faults.sort();
        faults
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        faults::mend(transcript, faults, script);
        Vec::new()
    }
}

/// Whether at least half of an array's elements are messages, or reasoning between messages.
pub(super) fn is_history(sample: &Sample<'_>) -> bool {
    let is = |element: &&Object<'_>| element.has("role") && element.has("content") || read::is_reasoning(element);
    sample.elements.as_ref().is_some_and(|all| !all.is_empty() && 2 * all.iter().filter(is).count() >= all.len())
}

/// Whether a message of the user has what Cline says of the surroundings as a text of its own, as in the versions that
/// give messages no keys of their own.
fn has_surroundings(message: &Object<'_>) -> bool {
    let begins = |block: &Json<'_>| {
        let block = block.object().filter(|block| block.is("type", "text"));
        block.and_then(|block| block.text("text")).is_some_and(|text| text.trim_start().starts_with(SURROUNDINGS))
    };
    let content = message.get("content").filter(|content| content.raw().contains(SURROUNDINGS));
    message.is("role", "user") && content.and_then(Json::array).iter().flatten().any(begins)
}

/// Whether a source is the store and not the array.
fn is_store(source: &[u8]) -> bool {
    let text = source.strip_prefix(super::shared::lines::BOM).unwrap_or(source);
    text.trim_ascii_start().starts_with(b"{")
}

#[cfg(test)]
mod tests;
