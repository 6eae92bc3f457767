//! Rules of the tree: whoever walks it along `parent` or `children`, or from `current_node`, gets the same nodes.

use crate::format::Fault;
use crate::format::shared::tree::Tree;
use crate::reason::Reason;
use crate::transcript::{Class, Transcript};

/// Returns all faults of a conversation; the subject is the key of the node.
pub(super) fn faults(tree: &Tree<'_>, transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut faults = tree.faults(transcript);
    let unknown = tree.order.iter().zip(&transcript.records).filter_map(|(at, record)| {
        let subject = super::read::speaker(&tree.nodes[*at]).filter(|_| record.class == Class::Opaque)?.into_owned();
        Some(Fault { line: record.line, rule: Reason::UnknownSpeaker.name(), subject })
    });
    faults.extend(unknown);
    faults.sort();
    faults
}
