//! Renders an edit script over a chat: its tree, and the list that repeats what is shown of it.

use super::{CHAT, HISTORY, MESSAGES};
use crate::format::shared::chain::Fresh;
use crate::format::shared::elements::document;
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::tree::Tree;
use crate::format::shared::tree::links::{Around, Links};
use crate::transcript::{EditScript, Patch, Role};

/// The patches that carry out a script.
pub(super) fn render(tree: &Tree<'_>, script: &EditScript) -> Vec<Patch> {
    if !script.keep.contains(&false) && script.inserts.is_empty() {
        return Vec::new();
    }
    let models = models(tree);
    let write = |fresh: &Fresh<'_>, around: &Around<'_, '_>| node(fresh, around, &models);
    let links = Links::new(tree, script);
    let mut patches = links.patches(&write);
    if let Some((array, elements)) = list(tree) {
        let id = |element: &Json<'_>| tree.index.get(&element.object()?.text("id")?).copied();
        let ids: Vec<_> = elements.iter().map(id).collect();
        patches.extend(links.copies(array, (&elements, &ids), &write));
    }
    Patch::in_order(patches)
}

/// The list of the messages that are shown.
fn list<'a>(tree: &Tree<'a>) -> Option<(Json<'a>, Vec<Json<'a>>)> {
    let whole = document(tree.source, 1).ok()?.object()?;
    let chat = whole.object(CHAT).filter(|chat| chat.has(HISTORY)).unwrap_or(whole);
    let array = chat.get(MESSAGES)?;
    Some((array, array.array()?))
}

/// The models that the last user message asks, as JSON.
fn models(tree: &Tree<'_>) -> String {
    let asked = tree.order.iter().rev().filter(|node| tree.on_path[**node]);
    let mut asked = asked.filter_map(|node| tree.nodes[*node].fields.get("models"));
    asked.next().map_or_else(|| "[]".to_owned(), |models| models.raw().to_owned())
}

/// The JSON of a new message; one of the model's has only what tells that it is complete.
fn node(fresh: &Fresh<'_>, around: &Around<'_, '_>, models: &str) -> String {
    let Around { parent, children, before } = around;
    let time = before.and_then(|node: &Object<'_>| node.get("timestamp")).map_or("0", Json::raw);
    let (id, text) = (quoted(&fresh.id), quoted(fresh.text));
    let links = format!(r#""id":{id},"parentId":{parent},"childrenIds":{children}"#);
    match fresh.role {
        Role::Assistant => {
            format!(r#"{{{links},"role":"assistant","content":{text},"timestamp":{time},"done":true}}"#)
        }
        _ => format!(r#"{{{links},"role":"user","content":{text},"timestamp":{time},"models":{models}}}"#),
    }
}
