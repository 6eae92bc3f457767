//! The interface of a summarizer that uses a model, and the record of its calls.

use super::{Request, SectionFault, Summary, Template};
use crate::question_outcome::{CostEstimate, DroppedLine, ModelCall, QuestionOutcome};
use std::collections::BTreeMap;
use thiserror::Error;

/// Produces the final summary from the extractive one and the head.
///
/// The extractive summary is complete and within its budget: after any failure it can be returned as it is.
pub trait Summarize: Sync {
    /// Summarizes a head; the result is within the budget of the request.
    ///
    /// # Errors
    /// If no summary was obtained and the extractive one must not replace it.
    fn summarize(&self, task: &Task<'_, '_>, extractive: Summary) -> Result<Summary, NoSummary>;
}

/// A head to summarize.
pub struct Task<'t, 'a> {
    /// The head before pruning, and the other input of the extractive summary.
    pub request: &'t Request<'t, 'a>,
    /// The template of the summary.
    pub template: &'t Template,
    /// The stubs of pruned parts, by index of the message in the head and of the part.
    pub pruned: BTreeMap<(usize, usize), &'t str>,
}

/// The reason for having no extractive summary.
pub(crate) const UNFILLABLE: &str = "no section of the template says what fills it";

/// The error of having no summary.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the model gave no summary: {}{}", written.why(), written.unfilled())]
pub struct NoSummary {
    /// The record of what was tried.
    pub written: Box<Written>,
}

/// The record of a model's work on one summary.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Every call with its outcome, in order.
    pub calls: Vec<ModelCall>,
    /// Number of pieces in which the head was sent.
    pub chunks: usize,
    /// Faults of the accepted answer.
    pub faults: Vec<SectionFault>,
    /// Names of what was cut off around the answer.
    pub cuts: Vec<&'static str>,
    /// Sections that the answer lacked, which the extractive summary filled.
    pub filled: Vec<String>,
    /// Lines removed since they had facts that the head lacks.
    pub dropped: Vec<DroppedLine>,
    /// Counts of secrets removed from what was sent, by kind.
    pub redacted: BTreeMap<&'static str, u64>,
    /// Whether the extractive summary was used instead.
    pub fell_back: bool,
    /// Whether it could not be used, since no section of the template can be filled without a model.
    pub unfillable: bool,
    /// The estimate, where nothing was sent.
    pub estimate: Option<CostEstimate>,
}

impl Written {
    /// The outcome of the last call, for people to read.
    pub fn why(&self) -> String {
        let last = self.calls.last();
        last.map_or_else(
            || "nothing was asked".into(),
            |call| match &call.detail {
                Some(detail) => format!("{}: {detail}", call.outcome),
                None if call.outcome == QuestionOutcome::Answered => {
                    "answered, but with no summary that can be used".to_owned()
                }
                None => call.outcome.to_string(),
            },
        )
    }

    /// The addition to the error that the extractive summary cannot replace the answer; empty if it could.
    fn unfilled(&self) -> String {
        if self.unfillable { format!("; and nothing stands in, since {UNFILLABLE}") } else { String::new() }
    }
}
