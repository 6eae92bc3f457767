//! Use of a model over some cuts: the origins of the final summaries, and the outcomes of the calls.

use crate::report::{LlmReport, LlmTotals, SummaryOrigin, cost_in_words};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Use of a model for the summaries of a row.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Fared {
    /// Origin of the final summary → number.
    pub summaries: BTreeMap<SummaryOrigin, u64>,
    /// Calls, tokens and cost.
    #[serde(flatten)]
    pub totals: LlmTotals,
}

impl Fared {
    /// The sum of reports; `None` if no model was asked.
    pub(super) fn of<'r>(reports: impl Iterator<Item = &'r LlmReport>) -> Option<Self> {
        reports.fold(None, |sum: Option<Self>, report| Some(sum.unwrap_or_default().and(report)))
    }

    fn and(mut self, report: &LlmReport) -> Self {
        *self.summaries.entry(report.outcome).or_default() += 1;
        self.totals += &LlmTotals::of(report);
        self
    }

    /// Number of missing summaries.
    pub fn missing(&self) -> u64 {
        self.summaries.get(&SummaryOrigin::None).copied().unwrap_or_default()
    }
}

fn list(counts: &BTreeMap<impl fmt::Display, u64>) -> String {
    counts.iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}

/// One line for people.
impl fmt::Display for Fared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "summaries: {}; {} questions", list(&self.summaries), self.totals.calls)?;
        if self.totals.cached > 0 {
            write!(f, ", {} answered before", self.totals.cached)?;
        }
        if !self.totals.failures.is_empty() {
            write!(f, ", without an answer: {}", list(&self.totals.failures))?;
        }
        write!(f, "; {} + {} tokens", self.totals.input_tokens, self.totals.output_tokens)?;
        let Some(cost) = self.totals.cost_micros else { return Ok(()) };
        write!(f, ", {}", cost_in_words(cost))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::question_outcome::QuestionOutcome;
    use crate::report::ModelCall;

    fn report(outcome: SummaryOrigin, calls: &[QuestionOutcome], cost: Option<u64>) -> LlmReport {
        let call = |outcome: &QuestionOutcome| ModelCall {
            outcome: *outcome,
            cached: *outcome == QuestionOutcome::Answered,
            requests: 2,
            ..ModelCall::default()
        };
        let calls = calls.iter().map(call).collect();
        LlmReport { outcome, calls, input_tokens: 10, cost_micros: cost, ..LlmReport::default() }
    }

    #[test]
    fn every_question_and_summary_is_counted_once() {
        assert_eq!(Fared::of([].into_iter()), None);
        let all = [
            report(SummaryOrigin::Written, &[QuestionOutcome::Answered], Some(7)),
            report(SummaryOrigin::Filled, &[QuestionOutcome::Empty, QuestionOutcome::Answered], Some(1_000_000)),
            report(SummaryOrigin::None, &[QuestionOutcome::Timeout], None),
        ];
        let sum = Fared::of(all.iter()).unwrap();
        assert_eq!((sum.totals.calls, sum.totals.requests, sum.missing()), (4, 8, 1));
        assert_eq!(
            sum.to_string(),
            "summaries: 1 filled, 1 none, 1 written; 4 questions, 2 answered before, without an answer: 1 empty, \
             1 timeout; 30 + 0 tokens, cost 1.000007"
        );
    }
}
