//! Why a transcript is not worked on, as the report says it.

use crate::batch::Done;
use crate::pipeline::Refusal;
use crate::report::{Line, Outcome};

/// Why a transcript is not compacted, with the word for the report.
pub(super) struct Obstacle {
    outcome: Outcome,
    reason: &'static str,
    error: Option<String>,
}

impl Obstacle {
    pub(super) fn failed(reason: &'static str, error: String) -> Self {
        Self { outcome: Outcome::Failed, reason, error: Some(error) }
    }

    pub(super) fn skipped(reason: &'static str) -> Self {
        Self { outcome: Outcome::Skipped, reason, error: None }
    }

    pub(super) fn unchanged(reason: &'static str) -> Self {
        Self { outcome: Outcome::Unchanged, reason, error: None }
    }

    pub(super) fn of(refusal: &Refusal) -> Self {
        let reason = match refusal {
            Refusal::Limits(_) => "impossible_limits",
            Refusal::OverBudget { .. } => "over_budget",
            Refusal::NoRecord => "no_compaction_record",
            Refusal::NoSummary(_) => "no_summary",
        };
        Self::failed(reason, refusal.to_string())
    }

    pub(super) fn done(self, mut line: Line, plan: Vec<String>) -> Done {
        line.outcome = self.outcome;
        line.reason = Some(self.reason.into());
        line.error = self.error;
        Done { line, patches: Vec::new(), plan }
    }
}
