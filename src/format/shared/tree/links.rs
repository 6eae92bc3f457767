//! Drops nodes of a tree, adds new ones, and links those around them.

use super::Tree;
use crate::format::shared::array::Members;
use crate::format::shared::chain::{Fresh, fresh};
use crate::format::shared::document::{laid_out, set_field};
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::new::New;
use crate::transcript::{EditScript, Patch, PatchKind};
use std::collections::HashMap;

/// The new links of a new node, as JSON, and the node that stands before it.
pub(in crate::format) struct Around<'n, 'a> {
    /// The key of the node that it follows, or `null`.
    pub(in crate::format) parent: String,
    /// The keys of the nodes that follow it.
    pub(in crate::format) children: String,
    /// The fields of the node before its place.
    pub(in crate::format) before: Option<&'n Object<'a>>,
}

/// Returns the JSON of a new node.
pub(in crate::format) type Write<'w> = &'w dyn Fn(&Fresh<'_>, &Around<'_, '_>) -> String;

/// The links between nodes after an edit.
pub(in crate::format) struct Links<'r, 'a> {
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
    /// Links the nodes of a tree as a script asks for.
    pub(in crate::format) fn new(tree: &'r Tree<'a>, script: &'r EditScript) -> Self {
        let mut keep = vec![true; tree.nodes.len()];
        tree.order.iter().enumerate().for_each(|(record, node)| keep[*node] = script.keeps(record));
        let id = |record: usize| tree.order.get(record).map(|node| &*tree.nodes[*node].id);
        let mut links = Self {
            tree,
            fresh: fresh(tree.names.format, (tree.order.len(), &id), script),
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
    pub(in crate::format) fn patches(&self, write: Write<'_>) -> Vec<Patch> {
        let tree = self.tree;
        let Some(entries) = tree.mapping.object() else { return Vec::new() };
        let members = Members::of_object(tree.source, tree.mapping, &entries);
        let place = |before: usize| tree.order.get(before).copied().unwrap_or(tree.nodes.len());
        let new = self.fresh.iter().enumerate().map(|(at, fresh)| {
            let text = format!("{}:{}", quoted(&fresh.id), self.written(at, write));
            New {
                before: place(fresh.before),
                text: laid_out(tree.source, tree.nodes.iter().map(|it| it.value), &text),
            }
        });
        let mut new: Vec<_> = new.collect();
        new.sort_by_key(|new| new.before);
        let mut patches = members.patches(|node| self.keep[node], &new, PatchKind::Drop);
        for (at, node) in tree.nodes.iter().enumerate() {
            patches.extend(self.relinked(at, node.value));
        }
        let gone = |id: &str| tree.index.get(id).is_none_or(|node| !self.keep[*node]);
        let current = tree.names.current;
        let moved = tree.fields.text(current).filter(|id| gone(id) || self.is_behind(id));
        let end = or_null(self.end.as_deref());
        patches.extend(
            moved.map(|_| set_field(tree.source, tree.holder, current, &end, PatchKind::Relink)).unwrap_or_default(),
        );
        patches
    }

    /// The patches for the links of the node `at` in a value that holds its fields: the node itself, or a copy of it.
    fn relinked(&self, at: usize, value: Json<'_>) -> Vec<Patch> {
        let (tree, node) = (self.tree, &self.tree.nodes[at]);
        if !self.keep[at] {
            return Vec::new();
        }
        let set = |key: &str, with: String| set_field(tree.source, value, key, &with, PatchKind::Relink);
        let mut patches = Vec::new();
        if self.parents[at].as_deref() != node.parent.as_deref() {
            patches.extend(set(tree.names.parent, or_null(self.parents[at].as_deref())));
        }
        let (old, children) = (tree.children(node), self.children(at));
        if !old.iter().eq(&children) {
            patches.extend(set(tree.names.children, list(&children)));
        }
        patches
    }

    /// The patches for a list that repeats the nodes from the root to the end of the conversation: `ids` are the keys
    /// of its elements.
    pub(in crate::format) fn copies(
        &self,
        array: Json<'a>,
        (elements, ids): (&[Json<'a>], &[Option<usize>]),
        write: Write<'_>,
    ) -> Vec<Patch> {
        let tree = self.tree;
        let copied = ids.iter().enumerate().rev().filter_map(|(element, node)| Some(((*node)?, element)));
        let copied: HashMap<usize, usize> = copied.collect();
        let at = |record: &usize| copied.get(tree.order.get(*record)?).copied();
        let new = self.fresh.iter().enumerate().map(|(number, fresh)| {
            let behind = (fresh.before..tree.order.len()).find_map(|record| at(&record));
            let text = laid_out(tree.source, elements.iter().copied(), &self.written(number, write));
            New { before: behind.unwrap_or(elements.len()), text }
        });
        let mut new: Vec<_> = new.collect();
        new.sort_by_key(|new| new.before);
        let keeps = |element: usize| ids.get(element).copied().flatten().is_none_or(|node| self.keep[node]);
        let mut patches = Members::of_array(tree.source, array, elements).patches(keeps, &new, PatchKind::Drop);
        for (element, node) in elements.iter().zip(ids).filter_map(|(element, node)| Some((element, (*node)?))) {
            patches.extend(self.relinked(node, *element));
        }
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
        let old = self.tree.children(node).into_iter().filter(|child| stays(child)).map(|child| child.into_owned());
        old.chain(self.followers.get(&*node.id).cloned().unwrap_or_default()).collect()
    }

    /// The JSON of the new node with this number.
    fn written(&self, number: usize, write: Write<'_>) -> String {
        let Some(fresh) = self.fresh.get(number) else { return String::new() };
        let parent = self.before.get(number).and_then(Option::as_deref);
        let children = list(self.followers.get(&fresh.id).map(Vec::as_slice).unwrap_or_default());
        let before = fresh.before.checked_sub(1).and_then(|record| self.tree.order.get(record));
        let before = before.map(|node| &self.tree.nodes[*node].fields);
        write(fresh, &Around { parent: or_null(parent), children, before })
    }
}

fn or_null(id: Option<&str>) -> String {
    id.map_or_else(|| "null".to_owned(), quoted)
}

fn list(ids: &[String]) -> String {
    format!("[{}]", ids.iter().map(|id| quoted(id)).collect::<Vec<_>>().join(", "))
}
