//! Gates: rules that a compaction must pass in CI, each with an id, a level and thresholds (QUALITY §5).
//!
//! ```text
//! original ┐
//!          ├▶ View (what is kept, what the summary says) ─▶ gates ─▶ GateResult ─▶ Report ─▶ text, JSON, JUnit, SARIF, …
//! compacted┘                                   settings, expect.toml ┘      baseline ┘
//! ```
//!
//! Works in memory only. The pair may come from another tool: messages are matched by content, not by how they are
//! stored.

mod baseline;
mod budgets;
mod expect;
mod facts;
mod gate;
mod keeping;
mod outcome;
mod plan;
mod render;
mod report;
mod run;
mod secrets;
mod sections;
mod settings;
mod structure;
mod table;
#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
mod view;

pub use baseline::{Baseline, BaselineError, Conditions, Scope};
pub use expect::{ExpectError, Expectations, Expected};
pub use gate::Gate;
pub use outcome::{Finding, GateResult, Spot, Verdict};
pub use render::{Kind, Options, RenderError, render};
pub use report::{GateReport, GateTotal, Judged};
pub use run::{Again, Chain, Measured, OfRun, chain, determinism, floor, informative, resources};
pub use settings::{GateSettings, Level, Limits, SettingsError, is_known};
pub use table::{GATES, gate, over_budgets};
pub use view::{Side, Stubs, View};

pub use crate::measure::Share;

use crate::summary::Template;
use crate::transcript::{Spread, Tokens, pieces, spread};
use gate::Judge;
use std::ops::{Range, RangeInclusive};
use view::Pair;

/// What a run kept as it was, as its report states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeptTail {
    /// All of a transcript that was left unchanged.
    All,
    /// The tail of a compacted transcript.
    Range {
        /// Number of pieces that its messages are stored in.
        pieces: usize,
        /// Lines of the original with these messages; several messages can share a line.
        lines: RangeInclusive<usize>,
    },
}

/// Inputs of the gates besides the pair.
pub struct Tools<'t> {
    /// Levels and thresholds.
    pub settings: &'t GateSettings,
    /// The sections that our summaries must have; `None` if the policy writes no sections.
    pub template: Option<&'t Template>,
    /// Runs gates, on several cores if the transcript is large.
    pub spread: &'t dyn Spread,
    /// Counts tokens.
    pub count: &'t (dyn Fn(&str) -> Tokens + Sync),
    /// Expectations for this transcript (`expect.toml`).
    pub expected: Vec<&'t Expected>,
    /// Result of compacting the compacted transcript again, if that was tried.
    pub again: Option<Again>,
    /// The policy pins no message of the user: the last request may be told in the summary instead.
    pub summary_tells: bool,
    /// Whether the policy carries the newest results of the tool with this name out of the head.
    pub is_protected: &'t (dyn Fn(&str) -> bool + Sync),
    /// Continuation text of the policy, if its settings are known.
    pub continuation: Option<&'t str>,
    /// The tail that was kept, if a report says so.
    pub tail: Option<&'t KeptTail>,
    /// The report says that a summary was written.
    pub summarized: bool,
    /// The report says that the transcript was left as it was: a summary in it is by an earlier run.
    pub left: bool,
    /// The original has another format, so no message is stored as before.
    pub converted: bool,
}

/// Why gates that compare messages are not judged for a pair of two formats.
const CONVERTED: &str = "the original is of another format";

/// Why gates that read the summary do not judge one that only its harness can read.
const SEALED: &str = "the summary is encrypted";

/// Judges a pair, or a compacted transcript alone, by all gates that are wanted, or whose metric is compared with a
/// baseline. Returns outcomes in the order of the table.
pub fn judge(view: &View<'_>, tools: &Tools<'_>) -> Vec<GateResult> {
    let wanted: Vec<_> = GATES.iter().filter(|gate| tools.settings.is_measured(gate)).collect();
    let bytes = view.original.as_ref().map_or(0, |side| side.transcript.source.len());
    let each = pieces(wanted.iter().map(|_| bytes));
    let judge = |piece: Range<usize>| piece.filter_map(|at| judge_one(wanted[at], view, tools));
    spread(tools.spread, &each, |piece| judge(piece).collect::<Vec<_>>()).into_iter().flatten().collect()
}

/// The outcome of one gate; `None`: it is not judged on one transcript.
fn judge_one(gate: &'static Gate, view: &View<'_>, tools: &Tools<'_>) -> Option<GateResult> {
    let (limits, lacks_summary) = (tools.settings.limits(gate), gate.needs_summary && view.summary.is_empty());
    let mut outcome = match (gate.judge, view.pair()) {
        (Judge::Originals | Judge::Runs, _) => return None,
        (Judge::Paired(_), None) => GateResult::insufficient("there is no original to compare with"),
        // Reported by one gate only.
        _ if lacks_summary && gate.tells_missing && tools.summarized => sections::gone(view),
        _ if lacks_summary => GateResult::insufficient("there is no new summary"),
        _ if gate.reads_summary && view.is_sealed() => GateResult::insufficient(SEALED),
        (Judge::Alone(judge), _) => judge(view, tools, limits),
        (Judge::Paired(judge), Some(pair)) => judge(view, pair, tools, limits),
    };
    sections::name(view, tools, &mut outcome.findings);
    secrets::conceal(view, &mut outcome.findings);
    Some(outcome.settled_as(gate.id, tools.settings))
}
