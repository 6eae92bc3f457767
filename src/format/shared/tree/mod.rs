//! A conversation as a tree: an object of nodes by their keys, each of which names the one that it follows and those that
//! follow it, and the key of the node at the end. Nodes are in the order of the file, and in the order in which they
//! were said; `links` keeps them linked after an edit.

pub(in crate::format) mod links;

use super::elements::document;
use super::json::{Json, Object};
use super::lines::LineNumbers;
use super::links::{by_id, cycles, parent_in};
use super::rows;
use crate::format::{Fault, ReadError};
use crate::reason::Reason;
use crate::transcript::{Class, Message, Record, Traits, Transcript};
use foldhash::{HashMap, HashSet};
use std::borrow::Cow;

/// What a format calls the fields of its tree.
pub(in crate::format) struct Names {
    /// The format, for the ids of new nodes.
    pub(in crate::format) format: &'static str,
    /// Paths to the object that holds the tree; the first one that does is used. The empty path is the conversation.
    pub(in crate::format) holders: &'static [&'static [&'static str]],
    /// The field of the holder with the nodes.
    pub(in crate::format) nodes: &'static str,
    /// The field of the holder with the key of the node at the end.
    pub(in crate::format) current: &'static str,
    /// The field of a node with the key of the one that it follows.
    pub(in crate::format) parent: &'static str,
    /// The field of a node with the keys of those that follow it.
    pub(in crate::format) children: &'static str,
}

/// A node of the tree.
pub(in crate::format) struct Node<'a> {
    /// Its key.
    pub(in crate::format) id: Cow<'a, str>,
    /// Its JSON value.
    pub(in crate::format) value: Json<'a>,
    /// Its fields.
    pub(in crate::format) fields: Object<'a>,
    /// The key of the node that it follows.
    pub(in crate::format) parent: Option<Cow<'a, str>>,
}

/// A parsed conversation.
pub(in crate::format) struct Tree<'a> {
    /// The names of its fields.
    pub(in crate::format) names: &'static Names,
    /// The bytes of the conversation.
    pub(in crate::format) source: &'a [u8],
    /// The value that holds the tree.
    pub(in crate::format) holder: Json<'a>,
    /// Its fields.
    pub(in crate::format) fields: Object<'a>,
    /// The value with the nodes.
    pub(in crate::format) mapping: Json<'a>,
    /// The nodes in the order of the file.
    pub(in crate::format) nodes: Vec<Node<'a>>,
    /// The nodes by their keys.
    pub(in crate::format) index: HashMap<Cow<'a, str>, usize>,
    /// The nodes in the order in which they were said: each abandoned branch stands behind the node it leaves, and the
    /// last one is the end of the conversation.
    pub(in crate::format) order: Vec<usize>,
    /// For each node, whether it is on the path from the end of the conversation to the root.
    pub(in crate::format) on_path: Vec<bool>,
}

impl<'a> Tree<'a> {
    /// Reads a conversation.
    ///
    /// # Errors
    /// The source is not JSON, or has no nodes.
    pub(in crate::format) fn read(
        source: &'a [u8],
        first_line: usize,
        names: &'static Names,
    ) -> Result<Self, ReadError> {
        let whole = document(source, first_line)?;
        let found = names.holders.iter().find_map(|path| {
            let holder = path.iter().try_fold(whole, |value, key| value.object()?.get(key))?;
            let fields = holder.object()?;
            let mapping = fields.get(names.nodes)?;
            Some((holder, mapping, mapping.object()?, fields))
        });
        let Some((holder, mapping, entries, fields)) = found else {
            let reason = format!("no `{}` object", names.nodes);
            return Err(ReadError { reason, ..rows::missing(first_line, names.nodes) });
        };
        let node = |(id, value): &(Cow<'a, str>, Json<'a>)| {
            let fields = value.object().unwrap_or_default();
            Node { id: id.clone(), value: *value, parent: fields.text(names.parent), fields }
        };
        let nodes: Vec<_> = entries.fields().iter().map(node).collect();
        let index: HashMap<_, _> = nodes.iter().enumerate().rev().map(|(at, node)| (node.id.clone(), at)).collect();
        let path = path(fields.text(names.current), &nodes, &index);
        let mut on_path = vec![false; nodes.len()];
        path.iter().for_each(|at| on_path[*at] = true);
        let order = order(&nodes, &index, (&path, &on_path));
        Ok(Self { names, source, holder, fields, mapping, nodes, index, order, on_path })
    }

    /// The nodes as records in the order in which they were said, with what `read` reads in them, told whether they are
    /// on the path to the end: no parts where nothing is said, and nothing at all where it is unknown. If such a node
    /// speaks, the transcript can't be changed.
    pub(in crate::format) fn transcript(
        &self,
        (first_line, traits): (usize, Traits),
        read: &mut dyn FnMut(&Node<'a>, bool) -> Option<Message<'a>>,
        speaks: &dyn Fn(&Node<'a>) -> bool,
    ) -> Transcript<'a> {
        let mut transcript = Transcript { source: self.source, traits, ..Transcript::default() };
        let lines = self.line_numbers(first_line);
        for &at in &self.order {
            let (node, live) = (&self.nodes[at], self.on_path[at]);
            let record = transcript.records.len();
            let message = read(node, live);
            let class = match &message {
                _ if !live => Class::Abandoned,
                Some(message) if !message.parts.is_empty() => Class::Message(transcript.messages.len()),
                Some(_) => Class::Place,
                None => Class::Opaque,
            };
            if class == Class::Opaque && speaks(node) {
                transcript.traits.fixed = transcript.traits.fixed.or(Some(Reason::UnknownSpeaker));
            }
            let (id, parent) = (Some(node.id.clone()), node.parent.clone());
            let span = node.value.span_in(self.source);
            transcript.records.push(Record { span, line: lines[at], class, id, parent });
            let said = message.filter(|message| !message.parts.is_empty());
            transcript.messages.extend(said.map(|message| Message { record, live, abandoned: !live, ..message }));
        }
        transcript
    }

    /// The keys of the nodes that follow a node, as it lists them.
    pub(in crate::format) fn children(&self, node: &Node<'a>) -> Vec<Cow<'a, str>> {
        node.fields.array(self.names.children).unwrap_or_default().into_iter().filter_map(Json::text).collect()
    }

    /// Keys of nodes at which walks along parents, along children, and from the end of the conversation part ways.
    fn broken(&self) -> Vec<String> {
        let mut listed = HashSet::default();
        let mut broken = Vec::new();
        for node in &self.nodes {
            for child in self.children(node) {
                let parent = self.index.get(&child).and_then(|at| self.nodes[*at].parent.as_deref());
                if parent != Some(&*node.id) {
                    broken.push(child.clone().into_owned());
                }
                listed.insert((node.id.clone(), child));
            }
        }
        let unlisted = self.nodes.iter().filter(|node| {
            let by = |parent| listed.contains(&(parent, node.id.clone()));
            node.parent.clone().is_some_and(|parent| !by(parent))
        });
        broken.extend(unlisted.map(|node| node.id.clone().into_owned()));
        let end = self.fields.text(self.names.current).filter(|id| !self.index.contains_key(id));
        broken.extend(end.map(|id| id.into_owned()));
        broken.sort();
        broken.dedup();
        broken
    }

    /// The faults of a conversation: links that do not fit together, where the subject is the key of the node, and
    /// unknown speakers. `speaker` names that of a node which says something and was not read.
    pub(in crate::format) fn faults<'n>(
        &'n self,
        transcript: &Transcript<'_>,
        speaker: impl Fn(&'n Node<'a>) -> Option<Cow<'a, str>>,
    ) -> Vec<Fault> {
        let index = by_id(transcript);
        let fault = |subject: String| {
            // The end of the conversation may be a node that is missing.
            let missing = || Fault::new(transcript.first_line(), "broken_tree", &*subject);
            index.get(&*subject).map_or_else(missing, |at| transcript.fault(*at, "broken_tree", &*subject))
        };
        let mut faults: Vec<_> = self.broken().into_iter().map(fault).collect();
        faults.extend(cycles(transcript, parent_in(transcript, &index)));
        let unknown = self.order.iter().zip(&transcript.records).enumerate().filter_map(|(at, (node, record))| {
            let subject = speaker(&self.nodes[*node]).filter(|_| record.class == Class::Opaque)?;
            Some(transcript.fault(at, Reason::UnknownSpeaker.name(), subject))
        });
        faults.extend(unknown);
        faults.sort();
        faults
    }

    /// The line of each node.
    fn line_numbers(&self, first_line: usize) -> Vec<usize> {
        let mut lines = LineNumbers::new(self.source, first_line);
        self.nodes.iter().map(|node| lines.line_at(node.value.span_in(self.source).start)).collect()
    }
}

/// The nodes from the root to the end of the conversation: the current node, or else the last one that nothing follows.
fn path(current: Option<Cow<'_, str>>, nodes: &[Node<'_>], index: &HashMap<Cow<'_, str>, usize>) -> Vec<usize> {
    let current = current.and_then(|id| index.get(&id).copied());
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
