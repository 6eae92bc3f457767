//! The format `librechat`: conversations as LibreChat exports and imports them (danny-avila/LibreChat,
//! `useExportConversation.ts`, `importers.js`): a document with `messages`, of which each names the one that it follows.
//!
//! A message is a user's or not (`isCreatedByUser`), and says its `text`, or of newer versions its `content`: texts,
//! thoughts, and calls with what came of them (`tool_call`). An export with branches has answers that were asked for
//! again, and questions that were edited, among the others; they are abandoned. An export with messages inside each other
//! (`messagesTree`) is another shape, and refused. The instructions stand in `options`, which stay, so the summary is a
//! user's message.

mod read;
mod render;
#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;

use super::detect::Evidence;
use super::shared::chain::Names;
use super::shared::document::Document;
use super::shared::json::{Json, Object};
use super::shared::links::broken_chain;
use super::shared::{rows, session_lines};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Transcript};

/// The field with the messages, and the one with messages inside each other.
const MESSAGES: &str = "messages";
const TREE: &str = "messagesTree";
/// The field with the id of a message, and the one with that of the message that it follows.
const ID: &str = "messageId";
const PARENT: &str = "parentMessageId";
/// The field that says whether a message is the user's.
const USERS: &str = "isCreatedByUser";
/// What the first message follows, which is no message.
const ROOT: &str = "00000000-0000-0000-0000-000000000000";
/// The names of the chain's fields.
const NAMES: Names = Names { format: "librechat", parent: PARENT, leaf: None, root: ROOT };

/// The `librechat` format.
pub(super) struct LibreChat;

impl Format for LibreChat {
    fn name(&self) -> &'static str {
        "librechat"
    }

    fn layout(&self) -> Layout {
        Layout::PerElement(None)
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        rows::layout(sample, is_conversation)
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let why = format!("`{MESSAGES}` with a `{ID}`, and with `{USERS}`");
        sample.most_rows(is_conversation).then_some(Evidence::certain(why))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        session_lines::read_export(source, options, MESSAGES, read::read)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let document = Document::read(transcript.source, 1, MESSAGES);
        document.map(|document| render::render(&document, transcript, script)).unwrap_or_default()
    }

    /// Links that lead to no message or in a circle.
    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let mut faults = broken_chain(transcript);
        faults.sort();
        faults
    }
}

/// Whether an object is a conversation whose messages stand in a list.
fn is_conversation(row: &Object<'_>) -> bool {
    let messages = row.array(MESSAGES).unwrap_or_default();
    let is_message = |message: Json<'_>| message.object().is_some_and(|message| is_message(&message));
    // The last one may be cut off.
    !is_nested(row) && messages.into_iter().any(is_message)
}

fn is_message(message: &Object<'_>) -> bool {
    let says = message.has("text") || message.has("content");
    says && [ID, PARENT, USERS].iter().all(|key| message.has(key))
}

/// Whether an object is a conversation with messages inside each other.
pub(super) fn is_nested(row: &Object<'_>) -> bool {
    let messages = [TREE, MESSAGES].iter().find_map(|key| row.array(key)).unwrap_or_default();
    let first = messages.into_iter().next().and_then(Json::object).filter(|first| first.has(ID)).unwrap_or_default();
    first.array("children").is_some_and(|children| row.has(TREE) || !children.is_empty())
}
