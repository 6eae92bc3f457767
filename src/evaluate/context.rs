//! What a policy leaves of a transcript: messages, some with shortened parts, and new text.

use crate::report::{LlmReport, ModelUse};
use crate::transcript::{Message, Part, PartKind, Transcript};
use std::collections::{BTreeMap, HashSet};

/// What the agent would be given.
#[derive(Debug, Clone, Default)]
pub(super) struct Context {
    /// Messages that are kept, ascending.
    pub(super) kept: Vec<usize>,
    /// New text in place of parts of kept messages, by message and part.
    pub(super) changed: BTreeMap<(usize, usize), String>,
    /// The summary, or whatever text stands for the rest.
    pub(super) summary: String,
    /// Messages that lines of the summary come from, as places among those before the cut, ascending.
    pub(super) origins: Vec<usize>,
    /// What a model did for it.
    pub(super) llm: Option<LlmReport>,
    /// What a model would be asked for it, where the original asks one.
    pub(super) model: Option<ModelUse>,
    /// Faults of its summary's sections, or one where the policy refused.
    pub(super) faults: u64,
    /// The policy found nothing to do, or refused.
    pub(super) unchanged: bool,
}

impl Context {
    /// Whether all of a kept message is as it was.
    pub(super) fn is_whole(&self, message: usize) -> bool {
        self.changed.range((message, 0)..(message + 1, 0)).next().is_none()
    }

    /// The text of a kept message after its changes, calls as name and arguments.
    pub(super) fn text(&self, transcript: &Transcript<'_>, message: usize) -> String {
        let parts = transcript.messages[message].parts.iter().enumerate();
        let texts = parts.filter_map(|(at, part)| match (&part.kind, self.changed.get(&(message, at))) {
            (PartKind::Reasoning { .. }, _) => None,
            (_, Some(text)) => Some(text.clone()),
            _ => Some(part.text.to_string()),
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// The newest of these messages that fit; the oldest that does not fit ends them, and no result stays without its call.
pub(super) fn newest(transcript: &Transcript<'_>, messages: &[usize], tokens: u64) -> Vec<usize> {
    let mut left = tokens;
    let fitting = messages.iter().rev().map_while(|&index| {
        let cost = transcript.messages.get(index).map(Message::tokens)?.0;
        left = left.checked_sub(cost)?;
        Some(index)
    });
    let mut from = messages.len() - fitting.count();
    while let Some(parted) = parted(transcript, messages.split_at(from)) {
        from += parted + 1;
    }
    messages[from..].to_vec()
}

/// The last of the kept messages with a result whose call is among those that go.
fn parted(transcript: &Transcript<'_>, (gone, kept): (&[usize], &[usize])) -> Option<usize> {
    let parts = |index: &usize| transcript.messages[*index].parts.iter();
    let calls = |messages: &[usize]| -> HashSet<&str> {
        let calls = messages.iter().flat_map(parts).filter_map(|part| match &part.kind {
            PartKind::Call { id, .. } => Some(&**id),
            _ => None,
        });
        calls.collect()
    };
    let lost = &calls(gone) - &calls(kept);
    let is_parted = |part: &Part<'_>| matches!(&part.kind, PartKind::Result { id, .. } if lost.contains(&**id));
    kept.iter().rposition(|index| parts(index).any(is_parted))
}
