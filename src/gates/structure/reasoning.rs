//! Reasoning of kept messages: our compactions remove only signed reasoning, and a trainer learns the other one.

use crate::gates::{Finding, Tools, View};
use crate::transcript::{Message, PartKind};

/// Returns a finding for each kept message that has lost unsigned reasoning: an error if a report says that we wrote the
/// transcript, a warning in rows by another tool, which may have removed it on purpose.
pub(super) fn lost(view: &View<'_>, tools: &Tools<'_>) -> Vec<Finding> {
    let Some(original) = view.original.as_ref().filter(|_| !view.unchanged()) else { return Vec::new() };
    let (before, after) = (original.transcript, view.compacted.transcript);
    if tools.tail.is_none() && !before.traits.training_row {
        return Vec::new();
    }
    let lacks = |(at, original): &&(usize, usize)| {
        let pair = before.messages.get(*original).zip(after.messages.get(*at));
        pair.is_some_and(|(old, new)| unsigned(old).any(|text| !unsigned(new).any(|other| other == text)))
    };
    let what = "the reasoning of a kept message is not there";
    let finding = |(at, original): &(usize, usize)| {
        let finding = Finding { original: view.original_spot(*original), ..Finding::new(view.spot_of(*at), what) };
        if tools.tail.is_some() { finding } else { finding.warning() }
    };
    view.kept.pairs.iter().filter(lacks).map(finding).collect()
}

/// The texts of a message's unsigned reasoning.
fn unsigned<'m>(message: &'m Message<'_>) -> impl Iterator<Item = &'m str> {
    let parts = message.parts.iter().filter(|part| part.kind == PartKind::Reasoning { signed: false });
    parts.map(|part| part.text.trim()).filter(|text| !text.is_empty())
}
