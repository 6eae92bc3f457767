//! Why a transcript is not processed, for the report.

use crate::batch::Done;
use crate::format::ReadError;
use crate::pipeline::Refusal;
use crate::reason::Reason;
use crate::report::{Line, Outcome};

/// End of a JSON parser's error for content after a complete value.
const GLUED: &str = "trailing characters";

/// Why a transcript is not processed, with its outcome and reason.
pub(super) struct Obstacle {
    outcome: Outcome,
    reason: Reason,
    error: Option<String>,
}

impl Obstacle {
    pub(super) fn failed(reason: Reason, error: String) -> Self {
        Self { outcome: Outcome::Failed, reason, error: Some(error) }
    }

    /// Creates the obstacle for a line that can't be read. If records are joined on one line, because their writer was
    /// interrupted or left out a line break, the error says what can be done.
    pub(super) fn unread(error: &ReadError) -> Self {
        let remedy = match error.reason.ends_with(GLUED) {
            true => {
                "; `epitome check --fix` parts records that share a line; take out what else stands there, or keep such lines as they are with --lenient"
            }
            false => "",
        };
        Self::failed(Reason::InvalidLine, format!("{error}{remedy}"))
    }

    pub(super) fn skipped(reason: Reason) -> Self {
        Self { outcome: Outcome::Skipped, reason, error: None }
    }

    pub(super) fn unchanged(reason: Reason) -> Self {
        Self { outcome: Outcome::Unchanged, reason, error: None }
    }

    /// Whether the transcript is left as it is.
    pub(super) fn leaves(&self) -> bool {
        self.outcome == Outcome::Unchanged
    }

    pub(super) fn of(refusal: &Refusal) -> Self {
        let reason = match refusal {
            Refusal::Limits(_) => Reason::ImpossibleLimits,
            Refusal::OverBudget { .. } => Reason::OverBudget,
            Refusal::NoRecord => Reason::NoCompactionRecord,
            Refusal::NoSummary(_) => Reason::NoSummary,
        };
        Self::failed(reason, refusal.to_string())
    }

    pub(super) fn done(self, mut line: Line, plan: Vec<String>) -> Done {
        line.outcome = self.outcome;
        line.reason = Some(self.reason.name().into());
        line.error = self.error;
        Done { line, patches: Vec::new(), plan }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{ReadOptions, by_name};

    #[test]
    fn who_glued_records_together_is_told_what_to_do() {
        let error = |lines: &str| {
            let read =
                by_name("openai-messages").and_then(|it| it.read(lines.as_bytes(), ReadOptions::default()).err());
            read.and_then(|error| Obstacle::unread(&error).error).unwrap_or_default()
        };
        let line = r#"{"role":"user","content":"sound the quay"}"#;
        let glued = error(&format!("{line}\n{line}{line}\n"));
        assert!(glued.starts_with("line 2, column 43: invalid JSON: trailing characters; "), "{glued}");
        assert!(glued.ends_with("with --lenient"), "{glued}");
        assert!(!error(r#"{"role" 1}"#).contains("--lenient"));
    }
}
