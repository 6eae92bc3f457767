//! Renders an edit script over a tree: dropped nodes, new ones, and the links of those around them.

use crate::format::Marks;
use crate::format::shared::chain::Fresh;
use crate::format::shared::document::{self, unset_field};
use crate::format::shared::json::{Json, quoted};
use crate::format::shared::part_edits::{self, copies_of};
use crate::format::shared::tree::Tree;
use crate::format::shared::tree::links::{Around, Links};
use crate::transcript::{Change, EditScript, Part, PartKind, Patch, PatchKind, Transcript, UiCopies};

/// Fields of a message's `metadata` that show a result again.
const COPIES: [&str; 2] = ["aggregate_result", "search_result_groups"];

/// The patches that carry out a script.
pub(super) fn render(
    tree: &Tree<'_>,
    transcript: &Transcript<'_>,
    script: &EditScript,
    marks: &Marks<'_>,
) -> Vec<Patch> {
    let mut patches: Vec<_> =
        script.kept(transcript).flat_map(|index| inside(transcript, script, index, marks)).collect();
    if script.keep.contains(&false) || !script.inserts.is_empty() {
        patches.extend(Links::new(tree, script).patches(&node));
    }
    Patch::in_order(patches)
}

/// The JSON of a new node.
fn node(fresh: &Fresh<'_>, around: &Around<'_, '_>) -> String {
    let (id, text, role) = (quoted(&fresh.id), quoted(fresh.text), fresh.role.name());
    let message = around.before.and_then(|node| node.object("message"));
    let time = message.and_then(|message| message.get("create_time")).map_or("null", Json::raw);
    let author = format!(r#"{{"role":"{role}","name":null,"metadata":{{}}}}"#);
    let said = format!(r#""content":{{"content_type":"text","parts":[{text}]}},"status":"finished_successfully""#);
    let rest = r#""end_turn":null,"weight":1.0,"metadata":{},"recipient":"all""#;
    let message = format!(r#"{{"id":{id},"author":{author},"create_time":{time},"update_time":null,{said},{rest}}}"#);
    let Around { parent, children, .. } = around;
    format!(r#"{{"id":{id},"message":{message},"parent":{parent},"children":{children}}}"#)
}

/// The patches inside a kept message.
fn inside(transcript: &Transcript<'_>, script: &EditScript, index: usize, marks: &Marks<'_>) -> Vec<Patch> {
    let parts = &transcript.messages[index].parts;
    let edits = script.changes_of(index);
    let mut patches: Vec<_> =
        edits.iter().filter_map(|edit| replacement(parts.get(edit.part)?, &edit.change)).collect();
    let record = Json::at(transcript.source, &transcript.record_of(index).span);
    let message = record.and_then(Json::object).and_then(|node| node.object("message"));
    let Some(message) = message else { return patches };
    let gone = document::removed(transcript, script, index);
    let listed = message.object("content").and_then(|content| content.get("parts"));
    patches.extend(listed.map(|parts| document::without(transcript.source, parts, &gone)).unwrap_or_default());
    let returns = parts.iter().any(Part::is_result);
    let Some(metadata) = message.get("metadata").filter(|_| returns) else { return patches };
    let stub = copies_of(transcript, script, (index, marks.stub));
    for key in COPIES {
        patches.extend(match (script.ui_copies, metadata.object().and_then(|metadata| metadata.get(key))) {
            (UiCopies::Drop, Some(_)) => unset_field(transcript.source, metadata, key, PatchKind::UiCopy),
            (UiCopies::Stub, Some(copy)) if !edits.is_empty() => document::stub_copies(transcript.source, copy, stub),
            _ => Vec::new(),
        });
    }
    patches
}

/// The patch that replaces a part's content; a text stands for a medium.
fn replacement(part: &Part<'_>, change: &Change) -> Option<Patch> {
    match (&part.kind, change) {
        (PartKind::Media(_), Change::Stub(text) | Change::Excerpt(text)) => {
            Some(part_edits::stub(part.slot.part.clone(), quoted(text)))
        }
        _ => part_edits::replacement(part, change),
    }
}
