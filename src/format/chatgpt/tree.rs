//! The tree of a conversation: its nodes in the order of the file, and in the order in which they were said.

use super::{CURRENT, MAPPING};
use crate::format::ReadError;
use crate::format::shared::elements::document;
use crate::format::shared::json::{Json, Object};
use crate::format::shared::rows;
use foldhash::{HashMap, HashSet};
use std::borrow::Cow;

/// A node of the tree.
pub(super) struct Node<'a> {
    /// Its key.
    pub(super) id: Cow<'a, str>,
    /// Its JSON value.
    pub(super) value: Json<'a>,
    /// Its fields.
    pub(super) fields: Object<'a>,
    /// The key of the node that it follows.
    pub(super) parent: Option<Cow<'a, str>>,
}

impl<'a> Node<'a> {
    /// The keys of the nodes that follow it, as it lists them.
    pub(super) fn children(&self) -> Vec<Cow<'a, str>> {
        self.fields.array("children").unwrap_or_default().into_iter().filter_map(Json::text).collect()
    }
}

/// A parsed conversation.
pub(super) struct Tree<'a> {
    /// The bytes of the conversation.
    pub(super) source: &'a [u8],
    /// The whole value.
    pub(super) whole: Json<'a>,
    /// Its fields.
    pub(super) fields: Object<'a>,
    /// The value with the nodes.
    pub(super) mapping: Json<'a>,
    /// The nodes in the order of the file.
    pub(super) nodes: Vec<Node<'a>>,
    /// The nodes by their keys.
    pub(super) index: HashMap<Cow<'a, str>, usize>,
    /// The nodes in the order in which they were said: each abandoned branch stands behind the node it leaves, and the
    /// last one is the end of the conversation.
    pub(super) order: Vec<usize>,
    /// For each node, whether it is on the path from the end of the conversation to the root.
    pub(super) on_path: Vec<bool>,
}

impl<'a> Tree<'a> {
    /// Reads a conversation.
    ///
    /// # Errors
    /// The source is not JSON, or has no nodes.
    pub(super) fn read(source: &'a [u8], first_line: usize) -> Result<Self, ReadError> {
        let whole = document(source, first_line)?;
        let fields = whole.object().unwrap_or_default();
        let found = fields.get(MAPPING).and_then(|value| Some((value, value.object()?)));
        let Some((mapping, entries)) = found else {
            return Err(ReadError { reason: format!("no `{MAPPING}` object"), ..rows::missing(first_line, MAPPING) });
        };
        let node = |(id, value): &(Cow<'a, str>, Json<'a>)| {
            let fields = value.object().unwrap_or_default();
            Node { id: id.clone(), value: *value, parent: fields.text("parent"), fields }
        };
        let nodes: Vec<_> = entries.fields().iter().map(node).collect();
        let index: HashMap<_, _> = nodes.iter().enumerate().rev().map(|(at, node)| (node.id.clone(), at)).collect();
        let path = path(&fields, &nodes, &index);
        let mut on_path = vec![false; nodes.len()];
        path.iter().for_each(|at| on_path[*at] = true);
        let order = order(&nodes, &index, (&path, &on_path));
        Ok(Self { source, whole, fields, mapping, nodes, index, order, on_path })
    }
}

/// The nodes from the root to the end of the conversation: the current node, or else the last one that nothing follows.
fn path(fields: &Object<'_>, nodes: &[Node<'_>], index: &HashMap<Cow<'_, str>, usize>) -> Vec<usize> {
    let current = fields.text(CURRENT).and_then(|id| index.get(&id).copied());
    let followed: HashSet<_> = nodes.iter().filter_map(|node| node.parent.as_deref()).collect();
    let last = || (0..nodes.len()).rev().find(|at| !followed.contains(&*nodes[*at].id));
    let (mut path, mut seen) = (Vec::new(), vec![false; nodes.len()]);
    let mut at = current.or_else(last);
    while let Some(node) = at.filter(|at| !std::mem::replace(&mut seen[*at], true)) {
        path.push(node);
        at = nodes[node].parent.as_ref().and_then(|id| index.get(id).copied());
    }
    path.reverse();
    path
}

/// All nodes in the order in which they were said.
fn order(nodes: &[Node<'_>], index: &HashMap<Cow<'_, str>, usize>, (path, on_path): (&[usize], &[bool])) -> Vec<usize> {
    let mut following: HashMap<usize, Vec<usize>> = HashMap::default();
    for (at, node) in nodes.iter().enumerate().filter(|(at, _)| !on_path[*at]) {
        let parent = node.parent.as_ref().and_then(|id| index.get(id).copied());
        following.entry(parent.unwrap_or(usize::MAX)).or_default().push(at);
    }
    let (mut order, mut told) = (Vec::with_capacity(nodes.len()), on_path.to_vec());
    let mut branches = |from: usize, order: &mut Vec<usize>| {
        let mut open = following.remove(&from).unwrap_or_default();
        open.reverse();
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut told[at], true) {
                order.push(at);
                open.extend(following.remove(&at).unwrap_or_default().into_iter().rev());
            }
        }
    };
    let Some((last, before)) = path.split_last() else { return (0..nodes.len()).collect() };
    for &at in before {
        order.push(at);
        branches(at, &mut order);
    }
    // What follows the end, or nothing that is there, stands before the end.
    branches(usize::MAX, &mut order);
    branches(*last, &mut order);
    order.extend((0..nodes.len()).filter(|at| !told[*at]));
    order.push(*last);
    order
}
