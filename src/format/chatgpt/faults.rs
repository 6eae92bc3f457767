//! Rules of the tree: whoever walks it along `parent` or `children`, or from `current_node`, gets the same nodes.

use super::CURRENT;
use super::tree::Tree;
use crate::format::Fault;
use crate::format::shared::links::{by_id, cycles, parent_in};
use crate::reason::Reason;
use crate::transcript::{Class, Transcript};
use foldhash::HashSet;

/// Returns all faults of a conversation; the subject is the key of the node.
pub(super) fn faults(tree: &Tree<'_>, transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut listed = HashSet::default();
    let mut broken = Vec::new();
    for node in &tree.nodes {
        for child in node.children() {
            let parent = tree.index.get(&child).and_then(|at| tree.nodes[*at].parent.as_deref());
            if parent != Some(&*node.id) {
                broken.push(child.clone().into_owned());
            }
            listed.insert((node.id.clone(), child));
        }
    }
    let unlisted = tree.nodes.iter().filter(|node| {
        let by = |parent| listed.contains(&(parent, node.id.clone()));
        node.parent.clone().is_some_and(|parent| !by(parent))
    });
    broken.extend(unlisted.map(|node| node.id.clone().into_owned()));
    broken.extend(tree.fields.text(CURRENT).filter(|id| !tree.index.contains_key(id)).map(|id| id.into_owned()));
    let index = by_id(transcript);
    broken.sort();
    broken.dedup();
    let fault = |subject: String| {
        let at = index.get(&*subject).copied().unwrap_or_default();
        Fault { line: transcript.records.get(at).map_or(1, |record| record.line), rule: "broken_tree", subject }
    };
    let mut faults: Vec<_> = broken.into_iter().map(fault).collect();
    let unknown = tree.order.iter().zip(&transcript.records).filter_map(|(at, record)| {
        let subject = super::read::speaker(&tree.nodes[*at]).filter(|_| record.class == Class::Opaque)?.into_owned();
        Some(Fault { line: record.line, rule: Reason::UnknownSpeaker.name(), subject })
    });
    faults.extend(unknown);
    faults.extend(cycles(transcript, parent_in(transcript, &index)));
    faults.sort();
    faults
}
