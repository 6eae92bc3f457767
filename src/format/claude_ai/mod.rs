//! The format `claude-ai-export`: conversations as Claude.ai exports them (`conversations.json`, an array) or its backend
//! returns them (one document): messages with a `sender` in `chat_messages`.
//!
//! A message of the model's holds all that it did until it was done in one `content`: thoughts, calls, their results,
//! texts. Calls of older exports have no ids; the next result of the tool answers them. `text` says the texts of
//! `content` once more, and in the oldest exports it is all there is. What a user attached stands beside his words, as
//! the text that was taken from the file. Newer exports name the message that each one follows: answers that were
//! asked for again and questions that were edited stand among the others, and are abandoned. Some exports have their
//! messages in any order, so records are in that of their times.

mod faults;
mod read;
mod render;
#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;

use super::detect::Evidence;
use super::shared::chain::Names;
use super::shared::document::Document;
use super::shared::json::{Json, Object};
use super::shared::{rows, session_lines};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Transcript};

/// The field with the messages.
const MESSAGES: &str = "chat_messages";
/// The field in which tools keep the conversations of an export.
const LIST: &str = "conversations";
/// The field with the id of the message that a message follows.
const PARENT: &str = "parent_message_uuid";
/// The field with the id of the last message of what is shown.
const LEAF: &str = "current_leaf_message_uuid";
/// What the first message follows, which is no message.
const ROOT: &str = "00000000-0000-4000-8000-000000000000";

/// The names of the chain's fields.
const NAMES: Names = Names { format: "claude-ai", parent: PARENT, leaf: Some(LEAF), root: ROOT };

/// The `claude-ai-export` format.
pub(super) struct ClaudeAi;

impl Format for ClaudeAi {
    fn name(&self) -> &'static str {
        "claude-ai-export"
    }

    fn layout(&self) -> Layout {
        Layout::PerElement(None)
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        let within = listed(sample).iter().any(is_conversation);
        if within { Layout::PerElement(Some(LIST)) } else { rows::layout(sample, is_conversation) }
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let why = format!("`{MESSAGES}` with a `sender`");
        let rows = sample.most_rows(is_conversation) && sample.rows().0.iter().any(has_sender);
        (rows || listed(sample).iter().any(has_sender)).then_some(Evidence::certain(why))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        session_lines::read_export(source, options, MESSAGES, read::read)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
        let document = Document::read(transcript.source, 1, MESSAGES);
        document.map(|document| render::render(&document, transcript, script, marks)).unwrap_or_default()
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        faults::faults(transcript)
    }
}

/// The conversations in the field of a document, as some tools keep them.
fn listed<'a>(sample: &Sample<'a>) -> Vec<Object<'a>> {
    let list = sample.fields.as_ref().and_then(|fields| fields.array(LIST)).unwrap_or_default();
    list.into_iter().filter_map(Json::object).collect()
}

/// Whether an object is a conversation, even one in which nothing was said.
fn is_conversation(row: &Object<'_>) -> bool {
    let empty = || row.has("uuid") && row.array(MESSAGES).is_some_and(|messages| messages.is_empty());
    has_sender(row) || empty()
}

/// Whether an object has a message with a sender; the last message may be cut off in front of it.
fn has_sender(row: &Object<'_>) -> bool {
    let messages = row.array(MESSAGES).unwrap_or_default();
    let mut messages = messages.into_iter().filter_map(Json::object);
    let says = |message: &Object<'_>| message.has("text") || message.has("content");
    messages.any(|message| says(&message) && (message.has("sender") || message.has("uuid")))
}
