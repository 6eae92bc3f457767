//! Gates: what a compaction has to hold to pass in CI, by id, each with a level and thresholds (QUALITY §5).
//!
//! ```text
//! original ┐
//!          ├▶ View (what is kept, what the summary says) ─▶ gates ─▶ Outcome ─▶ Report ─▶ text, JSON, JUnit, SARIF, …
//! compacted┘                                   settings, expect.toml ┘      baseline ┘
//! ```
//!
//! In memory only. A pair may come from another tool: kept messages are told by what they say, not by how they are stored.

mod acted;
mod added;
mod baseline;
mod beside;
mod binding;
mod budgets;
mod carried;
mod certain;
mod claims;
mod columns;
mod earlier;
mod ended;
mod expect;
mod facts;
mod keeping;
mod kept;
mod matching;
mod outcome;
mod passing;
mod pasted;
mod render;
mod rephrased;
mod report;
mod requests;
mod run;
mod secrets;
mod sections;
mod settings;
mod structure;
mod stubs;
mod table;
#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
mod verdicts;
mod view;
mod written;

pub use baseline::{Baseline, Conditions, Scope};
pub use expect::{Expectations, Expected};
pub use outcome::{Finding, Outcome, Verdict};
pub use render::{Kind, Options, render};
pub use report::{GateTotal, Judged, Report};
pub use run::{Again, Chain, Measured, OfRun, chain, determinism, floor, informs, resources};
pub use settings::{GateSettings, Level, SettingsError, is_known};
pub use stubs::Stubs;
pub use table::{GATES, Gate, gate};
pub use view::{Side, View};

use crate::summary::Template;
use crate::transcript::Tokens;
use std::ops::RangeInclusive;

/// The tail that a run kept of an original, as its report says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptTail {
    /// How many messages.
    pub messages: usize,
    /// The lines of the original that they stand on; several can share one.
    pub lines: RangeInclusive<usize>,
}

/// What gates are judged with, beside the pair.
pub struct Tools<'t> {
    /// Levels and thresholds.
    pub settings: &'t GateSettings,
    /// The sections that summaries of ours have; none where the policy writes no sections.
    pub template: Option<&'t Template>,
    /// Counts tokens.
    pub count: &'t (dyn Fn(&str) -> Tokens + Sync),
    /// What this transcript has to keep.
    pub expected: Vec<&'t Expected>,
    /// What came of compacting the compacted transcript again, if that was tried.
    pub again: Option<Again>,
    /// The policy keeps no message of the user for its own sake: what was asked last may stand in the summary.
    pub summary_tells: bool,
    /// What the policy says to set the agent going again, if its settings are known.
    pub continuation: Option<&'t str>,
    /// The tail that was kept, if a report says so.
    pub tail: Option<&'t KeptTail>,
    /// A summary was written, as a report says.
    pub summarized: bool,
    /// The original is of another format: no message stands there as it stood.
    pub converted: bool,
}

/// Why gates that compare messages say nothing about a pair of two formats.
const CONVERTED: &str = "the original is of another format";

/// Judges a pair, or a compacted transcript alone, by all gates that are wanted, or that a comparison with a baseline
/// needs; in the order of the table.
pub fn judge(view: &View<'_>, tools: &Tools<'_>) -> Vec<Outcome> {
    let wanted = GATES.iter().filter(|gate| tools.settings.is_measured(gate));
    wanted.filter_map(|gate| Some(judge_one(gate, gate.judge?, view, tools))).collect()
}

/// The gate that tells of a summary which is not there.
const SECTIONS: &str = "S01";

fn judge_one(gate: &'static Gate, by: table::Judge, view: &View<'_>, tools: &Tools<'_>) -> Outcome {
    let mut outcome =
        match (gate.needs_original && view.original.is_none(), gate.needs_summary && view.summary.is_empty()) {
            (true, _) => Outcome::insufficient("there is no original to compare with"),
            // One that is gone is told once.
            (_, true) if gate.id == SECTIONS && tools.summarized => sections::gone(view),
            (_, true) => Outcome::insufficient("there is no new summary"),
            _ => by(view, tools, tools.settings.of(gate)),
        };
    sections::name(view, tools, &mut outcome.findings);
    outcome.settled_as(gate.id, tools.settings)
}
