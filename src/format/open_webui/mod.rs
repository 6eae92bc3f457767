//! The format `open-webui`: chats as Open WebUI exports and imports them, in an array (the whole history, or one chat), or
//! the `chat` column of its table alone (open-webui/open-webui, `models/chats.py`).
//!
//! `history.messages` is a tree of messages by their ids, with `parentId` and `childrenIds`, and `history.currentId` is the
//! last one shown; `messages` beside it repeats the path that leads there, and is kept in step. What goes to a model are
//! the messages of that path (`get_message_list`): a user's `content`, and of an answer the items in `output` or, of
//! older versions, the `content`, in which reasoning and calls with their results are `<details>`. A system prompt
//! stands in the chat's settings (`params.system`), which stay, so the summary is a user's message. A copy of what was
//! looked up (`sources`) is for the screen.

mod details;
mod read;
mod render;
#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;

use super::detect::Evidence;
use super::shared::json::{Json, Object};
use super::shared::tree::{Names, Tree};
use super::shared::{document, rows, session_lines};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Transcript};

/// The object with the tree, and the one that may hold it.
const HISTORY: &str = "history";
const CHAT: &str = "chat";
/// The tree's nodes, and the list that repeats those that are shown.
const MESSAGES: &str = "messages";
/// The names of the tree's fields.
const NAMES: Names = Names {
    format: "open-webui",
    holders: &[&[CHAT, HISTORY], &[HISTORY]],
    nodes: MESSAGES,
    current: "currentId",
    parent: "parentId",
    children: "childrenIds",
};

/// The `open-webui` format.
pub(super) struct OpenWebUi;

impl Format for OpenWebUi {
    fn name(&self) -> &'static str {
        "open-webui"
    }

    fn layout(&self) -> Layout {
        Layout::PerElement(None)
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        rows::layout(sample, is_chat)
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let why = "a tree of messages in `history`, with `parentId` and `childrenIds`";
        sample.most_rows(is_chat).then(|| Evidence::certain(why))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let traits = session_lines::export_traits();
        let Some(tree) = options.forgive(Tree::read(source, options.first_line, &NAMES))? else {
            return Ok(document::opaque(source, options, traits));
        };
        let transcript = read::read(&tree, options.first_line, traits);
        Ok(session_lines::exported(transcript))
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let tree = Tree::read(transcript.source, 1, &NAMES).ok().filter(|_| transcript.traits.fixed.is_none());
        tree.map(|tree| render::render(&tree, script)).unwrap_or_default()
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let tree = Tree::read(transcript.source, 1, &NAMES);
        tree.map(|tree| tree.faults(transcript, |node| read::speaker(&node.fields))).unwrap_or_default()
    }
}

/// Whether an object is a chat.
fn is_chat(row: &Object<'_>) -> bool {
    let history = row.object(CHAT).and_then(|chat| chat.object(HISTORY)).or_else(|| row.object(HISTORY));
    let nodes = history.and_then(|history| history.object(MESSAGES)).unwrap_or_default();
    let is_node = |node: Json<'_>| node.object().is_some_and(|node| node.has("role") && node.has(NAMES.children));
    // The last one may be cut off.
    nodes.fields().iter().any(|(_, node)| is_node(*node))
}
