//! What a policy leaves of a transcript: kept messages, some with changed parts, and a summary.

use crate::report::{LlmReport, ModelUse};
use crate::transcript::{Message, Part, PartKind, Transcript};
use std::collections::{BTreeMap, HashSet};

/// The context that the agent would get.
#[derive(Debug, Clone, Default)]
pub(super) struct Context {
    /// Indices of kept messages, ascending.
    pub(super) kept: Vec<usize>,
    /// (Message, part) → new text of that part of a kept message.
    pub(super) changed: BTreeMap<(usize, usize), String>,
    /// The summary, or any text in place of the rest.
    pub(super) summary: String,
    /// Origins of the summary's lines: indices into the messages before the cut, ascending.
    pub(super) origins: Vec<usize>,
    /// Report of a model that was asked.
    pub(super) llm: Option<LlmReport>,
    /// Use of the model in the original system, if that asks one.
    pub(super) model: Option<ModelUse>,
    /// Number of faults in the summary's sections, or 1 if the policy refused.
    pub(super) faults: u64,
    /// What an external program failed at.
    pub(super) failure: Option<String>,
    /// The policy had nothing to do, or refused.
    pub(super) unchanged: bool,
}

impl Context {
    /// Whether no part of a kept message was changed.
    pub(super) fn is_whole(&self, message: usize) -> bool {
        self.changed.range((message, 0)..(message + 1, 0)).next().is_none()
    }

    /// The text of a kept message after its changes, without reasoning.
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

/// The newest of these messages that fit in `tokens`, without gaps, and without results whose call does not fit.
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

/// Index of the last kept message with a result whose call is not kept.
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
