//! The format `chatgpt-export`: conversations as ChatGPT exports them (`conversations.json`, an array) or its backend
//! returns them (one document): a tree of nodes in `mapping`, of which `current_node` names the end of what is shown.
//!
//! The path from there to the root is the conversation; answers that were asked for again and questions that were
//! edited hang beside it, and are abandoned. The order of the nodes in the file says nothing, as some tools sort them,
//! so records are in the order of the conversation. A message to a `recipient` other than `all` is a call, and the
//! next message of the tool's answers it; neither has an id for that. Whoever reads an export walks along `parent` or
//! `children`, so both are kept in step, and `current_node` with them.

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
use crate::reason::Reason;
use crate::transcript::{EditScript, Patch, Traits, Transcript};

/// The field with the nodes.
const MAPPING: &str = "mapping";
/// The field with the key of the node at the end.
const CURRENT: &str = "current_node";
/// The names of the tree's fields.
const NAMES: Names = Names {
    format: "chatgpt",
    holders: &[&[]],
    nodes: MAPPING,
    current: CURRENT,
    parent: "parent",
    children: "children",
};
/// The conversation once more, as pages that share one hold it.
const LINEAR: &str = "linear_conversation";

/// The `chatgpt-export` format.
pub(super) struct ChatGpt;

impl Format for ChatGpt {
    fn name(&self) -> &'static str {
        "chatgpt-export"
    }

    fn layout(&self) -> Layout {
        Layout::PerElement(None)
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        rows::layout(sample, is_conversation)
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        sample.most_rows(is_conversation).then(|| Evidence::certain("a tree of messages in `mapping`"))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let traits = session_lines::export_traits();
        let Some(tree) = options.forgive(Tree::read(source, options.first_line, &NAMES))? else {
            return Ok(document::opaque(source, options, traits));
        };
        let told_twice = tree.fields.get(LINEAR).is_some_and(Json::holds_something);
        let fixed = told_twice.then_some(Reason::ConversationTwice);
        let transcript = read::read(&tree, options.first_line, Traits { fixed, ..traits });
        Ok(session_lines::exported(transcript))
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
        let tree = Tree::read(transcript.source, 1, &NAMES).ok().filter(|_| transcript.traits.fixed.is_none());
        tree.map(|tree| render::render(&tree, transcript, script, marks)).unwrap_or_default()
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let tree = Tree::read(transcript.source, 1, &NAMES);
        tree.map(|tree| tree.faults(transcript, read::speaker)).unwrap_or_default()
    }
}

/// Whether an object is a conversation.
pub(super) fn is_conversation(row: &Object<'_>) -> bool {
    let told = row.has(CURRENT) || row.has("create_time");
    let nodes = row.object(MAPPING).filter(|_| told).unwrap_or_default();
    // The last one may be cut off.
    nodes.fields().iter().filter_map(|(_, node)| node.object()).any(|node| is_node(&node))
}

/// Whether an object is a node. Fields that are called like one of a node's may be of anything; a message with an
/// author, or none at all, is not.
fn is_node(node: &Object<'_>) -> bool {
    let known = ["message", "parent", "children"].iter().filter(|key| node.has(key)).count();
    let is_said = |message: Json<'_>| message.object().is_some_and(|message| message.has("author"));
    known >= 2 || node.get("message").is_some_and(|message| message.is_null() || is_said(message))
}
