//! How a model fared over some cuts: whose summaries they are in the end, and how its questions ended.

use crate::report::LlmReport;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// What a model did for the summaries of a row.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Fared {
    /// Summaries by whose they are: `written`, `filled`, `extractive`, `none`.
    pub summaries: BTreeMap<String, u64>,
    /// Questions that did not end with an answer, by how they did.
    pub failures: BTreeMap<String, u64>,
    /// Questions.
    pub calls: u64,
    /// Requests that were sent.
    pub requests: u64,
    /// Questions that a stored answer was found for.
    pub cached: u64,
    /// Tokens of questions that were billed.
    pub input_tokens: u64,
    /// Tokens of answers that were billed.
    pub output_tokens: u64,
    /// Their cost, in millionths; absent without a price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<u64>,
}

impl Fared {
    /// The sum over reports; none where no model was asked.
    pub(super) fn of<'r>(reports: impl Iterator<Item = &'r LlmReport>) -> Option<Self> {
        reports.fold(None, |sum: Option<Self>, report| Some(sum.unwrap_or_default().and(report)))
    }

    fn and(mut self, report: &LlmReport) -> Self {
        *self.summaries.entry(report.outcome.clone()).or_default() += 1;
        for call in &report.calls {
            self.calls += 1;
            self.requests += u64::from(call.requests);
            self.cached += u64::from(call.cached);
            if call.outcome != "answered" {
                *self.failures.entry(call.outcome.clone()).or_default() += 1;
            }
        }
        self.input_tokens += report.input_tokens;
        self.output_tokens += report.output_tokens;
        if let Some(cost) = report.cost_micros {
            *self.cost_micros.get_or_insert(0) += cost;
        }
        self
    }

    /// Summaries that there should be and are not.
    pub fn missing(&self) -> u64 {
        self.summaries.get("none").copied().unwrap_or_default()
    }
}

/// As a line for people.
impl fmt::Display for Fared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |counts: &BTreeMap<String, u64>| {
            counts.iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
        };
        write!(f, "summaries: {}; {} questions", list(&self.summaries), self.calls)?;
        if self.cached > 0 {
            write!(f, ", {} answered before", self.cached)?;
        }
        if !self.failures.is_empty() {
            write!(f, ", without an answer: {}", list(&self.failures))?;
        }
        write!(f, "; {} + {} tokens", self.input_tokens, self.output_tokens)?;
        let Some(cost) = self.cost_micros else { return Ok(()) };
        write!(f, ", cost {}.{:06}", cost / 1_000_000, cost % 1_000_000)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::report::CallReport;

    fn report(outcome: &str, calls: &[&str], cost: Option<u64>) -> LlmReport {
        let call = |outcome: &&str| CallReport {
            outcome: (*outcome).to_owned(),
            cached: *outcome == "answered",
            requests: 2,
            ..CallReport::default()
        };
        let calls = calls.iter().map(call).collect();
        LlmReport { outcome: outcome.to_owned(), calls, input_tokens: 10, cost_micros: cost, ..LlmReport::default() }
    }

    #[test]
    fn every_question_and_summary_is_counted_once() {
        assert_eq!(Fared::of([].into_iter()), None);
        let all = [
            report("written", &["answered"], Some(7)),
            report("filled", &["empty", "answered"], Some(1_000_000)),
            report("none", &["timeout"], None),
        ];
        let sum = Fared::of(all.iter()).unwrap();
        assert_eq!((sum.calls, sum.requests, sum.missing()), (4, 8, 1));
        assert_eq!(
            sum.to_string(),
            "summaries: 1 filled, 1 none, 1 written; 4 questions, 2 answered before, without an answer: 1 empty, \
             1 timeout; 30 + 0 tokens, cost 1.000007"
        );
    }
}
