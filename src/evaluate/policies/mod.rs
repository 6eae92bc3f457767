//! The policies that are compared on the same cuts: presets, recorded compactions, baselines, and external programs.

mod dump;
mod external;
mod frame;
mod lead;
mod ours;
mod sentences;
mod text_rank;
mod whole;
mod written;

pub use external::{External, Run};
pub use whole::Whole;
pub use written::SummaryWriter;

use super::context::{Context, newest};
use super::cut::Cut;
use super::seen::Seen;
use crate::pipeline::Tools;
use crate::transcript::{Message, PartKind, Transcript};
use ours::Divided;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Token budget of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Tokens of the newest messages that are kept.
    pub tail: u64,
    /// Tokens of the summary of the rest.
    pub summary: u64,
}

/// A way to compact.
#[derive(Clone)]
pub enum Policy {
    /// Our extractive summary.
    Extractive,
    /// A preset as `compact` would run it, with its own tail and summary budget.
    Preset(Box<Whole>),
    /// The summary that the harness wrote.
    Recorded,
    /// Everything is kept.
    KeepAll,
    /// Only the tail is kept.
    TailRule,
    /// The newest messages, in the budget of tail and summary together.
    TailOnly,
    /// The tail, preceded by what fits without tool outputs.
    PruneTail,
    /// The first sentences.
    Lead,
    /// The most central sentences.
    TextRank,
    /// A log of what was said and done; the newest lines that fit.
    OpFrame,
    /// A bare list of facts: no real policy, but it shows what recall alone is worth.
    Dump,
    /// The sentences of the head most like the harness's summary: an upper bound for summaries made of sentences.
    Oracle,
    /// An external program.
    External(Arc<External>),
    /// A summary written by a model.
    Written(Arc<dyn SummaryWriter>),
}

/// The baselines by name.
pub const BASELINES: &[(&str, Policy)] = &[
    ("keep-all", Policy::KeepAll),
    ("tail-rule", Policy::TailRule),
    ("tail-only", Policy::TailOnly),
    ("prune-tail", Policy::PruneTail),
    ("lead", Policy::Lead),
    ("textrank", Policy::TextRank),
    ("op-frame", Policy::OpFrame),
    ("dump", Policy::Dump),
    ("oracle", Policy::Oracle),
    ("recorded", Policy::Recorded),
    ("extractive", Policy::Extractive),
];

impl Policy {
    /// Name in reports.
    pub fn name(&self) -> &str {
        match self {
            Self::Preset(whole) => &whole.name,
            Self::External(external) => &external.name,
            Self::Written(author) => author.name(),
            Self::Extractive => "extractive",
            Self::Recorded => "recorded",
            Self::KeepAll => "keep-all",
            Self::TailRule => "tail-rule",
            Self::TailOnly => "tail-only",
            Self::PruneTail => "prune-tail",
            Self::Lead => "lead",
            Self::TextRank => "textrank",
            Self::OpFrame => "op-frame",
            Self::Dump => "dump",
            Self::Oracle => "oracle",
        }
    }

    /// Whether the policy applies at a cut: some need a recorded summary.
    pub(super) fn fits(&self, cut: &Cut) -> bool {
        cut.recorded.is_some() || !matches!(self, Self::Recorded | Self::Oracle)
    }

    /// Whether the policy has a curve: it keeps to any budget, and does not ask a model each time.
    pub fn is_budgeted(&self) -> bool {
        let fixed = matches!(self, Self::Recorded | Self::Oracle | Self::KeepAll | Self::TailRule | Self::Preset(..));
        !fixed && !matches!(self, Self::Written(_))
    }

    /// What the policy leaves at a cut.
    pub(super) fn context(
        &self,
        transcript: &Transcript<'_>,
        (seen, cut): (&Seen, &Cut),
        budget: Budget,
        tools: Tools<'_>,
    ) -> Context {
        let tail = newest(transcript, &cut.before, budget.tail);
        let head = &cut.before[..cut.before.len() - tail.len()];
        let size = budget.summary;
        let summary = |summary: String| Context { kept: tail.clone(), summary, ..Context::default() };
        match self {
            Self::KeepAll => Context { kept: cut.before.clone(), ..Context::default() },
            Self::TailRule => summary(String::new()),
            Self::TailOnly => {
                Context { kept: newest(transcript, &cut.before, budget.tail + size), ..Context::default() }
            }
            Self::PruneTail => prune_tail(transcript, (head, &tail), size, tools),
            Self::Recorded => summary(cut.recorded.clone().unwrap_or_default()),
            Self::Lead => summary(lead::summary(transcript, head, size, tools)),
            Self::TextRank => summary(text_rank::summary(transcript, head, size, tools)),
            Self::OpFrame => summary(frame::summary(transcript, head, size, tools)),
            Self::Dump => summary(dump::summary(transcript, (seen, head, &tail), size, tools)),
            Self::Oracle => {
                summary(sentences::oracle(transcript, head, (cut.recorded.as_deref().unwrap_or_default(), size), tools))
            }
            Self::Extractive => ours::extract(transcript, Divided { cut, head, tail: &tail }, size, tools),
            Self::Written(author) => {
                written::context(&**author, transcript, Divided { cut, head, tail: &tail }, (size, tools))
            }
            Self::Preset(whole) => whole::context(transcript, (whole, cut), size, tools),
            Self::External(external) => external.context(transcript, Divided { cut, head, tail: &tail }, budget),
        }
    }
}

/// The tail, preceded by the newest messages that fit with blanked tool outputs.
fn prune_tail(
    transcript: &Transcript<'_>,
    (head, tail): (&[usize], &[usize]),
    mut left: u64,
    tools: Tools<'_>,
) -> Context {
    const STUB: &str = "[output removed]";
    let stub = (tools.count)(STUB).0;
    let mut changed: BTreeMap<(usize, usize), String> = BTreeMap::new();
    let mut kept: Vec<usize> = tail.to_vec();
    for &index in head.iter().rev() {
        let message: &Message<'_> = &transcript.messages[index];
        let blank = |kind: &PartKind<'_>| matches!(kind, PartKind::Result { .. });
        let cost: u64 = message.parts.iter().map(|part| if blank(&part.kind) { stub } else { part.tokens.0 }).sum();
        let Some(rest) = left.checked_sub(cost) else { break };
        left = rest;
        kept.push(index);
        let results = message.parts.iter().enumerate().filter(|(_, part)| blank(&part.kind));
        changed.extend(results.map(|(at, _)| ((index, at), STUB.to_owned())));
    }
    kept.sort_unstable();
    Context { kept, changed, ..Context::default() }
}
