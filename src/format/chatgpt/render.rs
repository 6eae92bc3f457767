//! Renders an edit script over a tree: dropped nodes, new ones, and the links of those around them.

use super::CURRENT;
use super::tree::Tree;
use crate::format::Marks;
use crate::format::shared::array::{Members, New};
use crate::format::shared::document::{self, laid_out, set_field, unset_field, uuid};
use crate::format::shared::json::{Json, quoted};
use crate::format::shared::part_edits::{self, copies_of};
use crate::format::shared::synthetic::turns;
use crate::transcript::{Change, EditScript, Part, PartKind, Patch, PatchKind, Transcript, UiCopies};
use std::collections::HashMap;

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
        patches.extend(Links::new(tree, script).patches());
    }
    Patch::in_order(patches)
}

/// A new node.
struct Fresh<'s> {
    id: String,
    role: &'static str,
    text: &'s str,
    /// The record before which it is placed.
    before: usize,
}

/// The links between nodes after an edit.
struct Links<'r, 'a> {
    tree: &'r Tree<'a>,
    fresh: Vec<Fresh<'r>>,
    /// For each node, whether it stays.
    keep: Vec<bool>,
    /// The new parent of each node that stays; `None` for a root.
    parents: Vec<Option<String>>,
    /// The parents of the new nodes.
    before: Vec<Option<String>>,
    /// What follows each node, for the links that are new.
    followers: HashMap<String, Vec<String>>,
    /// The end of the conversation.
    end: Option<String>,
}

impl<'r, 'a> Links<'r, 'a> {
    fn new(tree: &'r Tree<'a>, script: &'r EditScript) -> Self {
        let mut keep = vec![true; tree.nodes.len()];
        tree.order.iter().enumerate().for_each(|(record, node)| keep[*node] = script.keeps(record));
        let mut links = Self {
            tree,
            fresh: fresh(tree, script),
            keep,
            parents: tree.nodes.iter().map(|node| node.parent.as_deref().map(str::to_owned)).collect(),
            before: Vec::new(),
            followers: HashMap::new(),
            end: None,
        };
        links.follow_the_path();
        links.hang_branches();
        links
    }

    /// Links the nodes of the path, and the new ones among them.
    fn follow_the_path(&mut self) {
        let mut next = 0;
        for record in 0..=self.tree.order.len() {
            while self.fresh.get(next).is_some_and(|fresh| fresh.before <= record) {
                let id = self.fresh[next].id.clone();
                self.link(&id);
                self.before.push(self.end.replace(id));
                next += 1;
            }
            let on_path = |node: &&usize| self.tree.on_path[**node] && self.keep[**node];
            let Some(&node) = self.tree.order.get(record).filter(on_path) else { continue };
            let id = self.tree.nodes[node].id.clone().into_owned();
            let old = self.tree.nodes[node].parent.as_deref();
            let lost = old.is_some_and(|old| !self.tree.index.contains_key(old));
            if old != self.end.as_deref() && !(self.end.is_none() && lost) {
                self.link(&id);
                self.parents[node] = self.end.clone();
            }
            self.end = Some(id);
        }
    }

    /// Notes that a node follows the end of the path so far.
    fn link(&mut self, id: &str) {
        if let Some(end) = &self.end {
            self.followers.entry(end.clone()).or_default().push(id.to_owned());
        }
    }

    /// Links each abandoned branch that stays to the nearest node before it that does.
    fn hang_branches(&mut self) {
        let mut nearest: Vec<Option<usize>> = vec![None; self.keep.len()];
        for &node in &self.tree.order {
            let parent = self.tree.nodes[node].parent.as_ref().and_then(|id| self.tree.index.get(id).copied());
            let above = parent.and_then(|parent| nearest[parent]);
            nearest[node] = if self.keep[node] { Some(node) } else { above };
            if self.keep[node] && !self.tree.on_path[node] && parent.is_some_and(|parent| !self.keep[parent]) {
                let above = above.map(|above| self.tree.nodes[above].id.clone().into_owned());
                let id = self.tree.nodes[node].id.clone().into_owned();
                above.iter().for_each(|above| self.followers.entry(above.clone()).or_default().push(id.clone()));
                self.parents[node] = above;
            }
        }
    }

    /// The patches for dropped and new nodes, and for the links of the others.
    fn patches(&self) -> Vec<Patch> {
        let tree = self.tree;
        let Some(entries) = tree.mapping.object() else { return Vec::new() };
        let members = Members::of_object(tree.source, tree.mapping, &entries);
        let place = |before: usize| tree.order.get(before).copied().unwrap_or(tree.nodes.len());
        let new = self.fresh.iter().zip(&self.before).map(|(fresh, parent)| {
            let text = self.node(fresh, parent.as_deref());
            New {
                before: place(fresh.before),
                text: laid_out(tree.source, tree.nodes.iter().map(|it| it.value), &text),
            }
        });
        let mut new: Vec<_> = new.collect();
        new.sort_by_key(|new| new.before);
        let mut patches = members.patches(|node| self.keep[node], &new, PatchKind::Drop);
        for (at, node) in tree.nodes.iter().enumerate().filter(|(at, _)| self.keep[*at]) {
            let set = |key: &str, with: String| set_field(tree.source, node.value, key, &with, PatchKind::Relink);
            if self.parents[at].as_deref() != node.parent.as_deref() {
                patches.extend(set("parent", or_null(self.parents[at].as_deref())));
            }
            let (old, children) = (node.children(), self.children(at));
            if !old.iter().eq(&children) {
                patches.extend(set("children", list(&children)));
            }
        }
        let gone = |id: &str| tree.index.get(id).is_none_or(|node| !self.keep[*node]);
        let moved = tree.fields.text(CURRENT).filter(|id| gone(id) || self.is_behind(id));
        let end = or_null(self.end.as_deref());
        patches.extend(
            moved.map(|_| set_field(tree.source, tree.whole, CURRENT, &end, PatchKind::Relink)).unwrap_or_default(),
        );
        patches
    }

    /// Whether the conversation goes on behind the node with this key.
    fn is_behind(&self, id: &str) -> bool {
        self.fresh.last().is_some_and(|fresh| Some(&fresh.id) == self.end.as_ref()) && self.end.as_deref() != Some(id)
    }

    /// The keys of the nodes that follow a node after the edit, those that did before first.
    fn children(&self, at: usize) -> Vec<String> {
        let node = &self.tree.nodes[at];
        let stays = |child: &str| match self.tree.index.get(child) {
            Some(&child) => {
                self.keep[child] && self.parents[child].as_deref() == self.tree.nodes[child].parent.as_deref()
            }
            None => true,
        };
        let old = node.children().into_iter().filter(|child| stays(child)).map(|child| child.into_owned());
        old.chain(self.followers.get(&*node.id).cloned().unwrap_or_default()).collect()
    }

    /// The JSON of a new node, as a field of `mapping`.
    fn node(&self, fresh: &Fresh<'_>, parent: Option<&str>) -> String {
        let (id, text) = (quoted(&fresh.id), quoted(fresh.text));
        let children = list(self.followers.get(&fresh.id).map(Vec::as_slice).unwrap_or_default());
        let before = fresh.before.checked_sub(1).and_then(|record| self.tree.order.get(record));
        let message = before.and_then(|node| self.tree.nodes[*node].fields.object("message"));
        let time = message.and_then(|message| message.get("create_time")).map_or("null", Json::raw);
        let author = format!(r#"{{"role":"{}","name":null,"metadata":{{}}}}"#, fresh.role);
        let said = format!(r#""content":{{"content_type":"text","parts":[{text}]}},"status":"finished_successfully""#);
        let rest = r#""end_turn":null,"weight":1.0,"metadata":{},"recipient":"all""#;
        let message =
            format!(r#"{{"id":{id},"author":{author},"create_time":{time},"update_time":null,{said},{rest}}}"#);
        format!(r#"{id}:{{"id":{id},"message":{message},"parent":{},"children":{children}}}"#, or_null(parent))
    }
}

/// The new nodes of a script, in the order of their places.
fn fresh<'r>(tree: &Tree<'_>, script: &'r EditScript) -> Vec<Fresh<'r>> {
    let mut fresh = Vec::new();
    for insert in &script.inserts {
        for (role, text) in turns(&insert.kind) {
            let (before, number) = (insert.before.min(tree.order.len()), fresh.len().to_string());
            let beside = tree.order.get(before).map(|node| &*tree.nodes[*node].id).unwrap_or_default();
            fresh.push(Fresh { id: uuid(&["chatgpt", beside, &number, text]), role: role.name(), text, before });
        }
    }
    fresh.sort_by_key(|fresh| fresh.before);
    fresh
}

fn or_null(id: Option<&str>) -> String {
    id.map_or_else(|| "null".to_owned(), quoted)
}

fn list(ids: &[String]) -> String {
    format!("[{}]", ids.iter().map(|id| quoted(id)).collect::<Vec<_>>().join(", "))
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
    let returns = parts.iter().any(|part| matches!(part.kind, PartKind::Result { .. }));
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
