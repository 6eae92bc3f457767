//! The format `pydantic-ai`: the message history of Pydantic AI as `ModelMessagesTypeAdapter` and `all_messages_json` write
//! it (pydantic/pydantic-ai, `pydantic_ai/messages.py`): an array of requests and responses, alone or in the field of a
//! document or row.
//!
//! A request holds what goes to the model at once: system prompts, the user's words, results of tools and demands to try
//! again, each as a part with a `part_kind`. Before it sends a history, Pydantic AI merges requests that follow each
//! other, so each part of a request is a record of its own here: the system prompt stays where the words behind it go.
//! The summary is a request of its own behind it, or a part of the request inside which the kept tail begins. The
//! `instructions` of each request are those of the run, and only the newest are sent; those of the first request stand
//! for the system prompt, and a new request at the end repeats the newest. A response is one record. Calls that the
//! provider answers itself stand in it with their results, which the provider wants back as they were.

mod places;
mod read;
mod render;
#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;

use super::detect::Evidence;
use super::shared::held::Holder;
use super::shared::json::{Json, Object};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample, openai};
use crate::transcript::{EditScript, Patch, Transcript};

/// How its messages are stored.
const MESSAGES: Holder = Holder { keys: &KEYS, system: |_| None, is_message, is_request: is_row, columns: true };
/// Fields of a document or row that may hold the history.
const KEYS: [&str; 3] = ["messages", "message_history", "all_messages"];
/// The field of a message that says which of the two it is, and its values.
const KIND: &str = "kind";
const REQUEST: &str = "request";
const RESPONSE: &str = "response";
/// The field of a message with its parts, and the one of a part that says what it is.
const PARTS: &str = "parts";
const PART_KIND: &str = "part_kind";

/// The `pydantic-ai` format.
pub(super) struct PydanticAi;

impl Format for PydanticAi {
    fn name(&self) -> &'static str {
        "pydantic-ai"
    }

    fn layout(&self) -> Layout {
        Layout::PerLine
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        MESSAGES.layout(sample)
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let messages = || sample.elements.as_ref().is_some_and(|_| MESSAGES.are_messages(sample));
        let why = "requests and responses of Pydantic AI: `kind`, and `part_kind` in their `parts`";
        (sample.most_rows(is_row) || messages()).then(|| Evidence::certain(why))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        read::read(source, options)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        render::render(transcript, script)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        openai::faults_of_stored(transcript)
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        openai::mend(transcript, faults, script);
        Vec::new()
    }
}

/// Whether an object is a request or a response.
pub(super) fn is_message(message: &Object<'_>) -> bool {
    let known = message.text(KIND).is_some_and(|kind| [REQUEST, RESPONSE].contains(&&*kind));
    let parts = message.array(PARTS).filter(|_| known).unwrap_or_default();
    // The last one may be cut off.
    parts.into_iter().filter_map(Json::object).any(|part| part.has(PART_KIND))
}

/// Whether an object holds a history; its last message may be cut off.
fn is_row(row: &Object<'_>) -> bool {
    let messages = KEYS.iter().find_map(|key| row.array(key)).unwrap_or_default();
    let known = messages.iter().filter_map(|message| message.object()).filter(is_message).count();
    !messages.is_empty() && 2 * known >= messages.len()
}
