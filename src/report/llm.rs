//! What a model did for one summary, and the sum over all of them.

use super::totals::is_zero;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The account of a model's work on one transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LlmReport {
    /// `written`: the summary is the model's. `filled`: but for some sections. `extractive`: it has none of the model's.
    /// `none`: there is no summary, since nobody else may write it. `estimated`: nothing was sent.
    pub outcome: String,
    /// Every question with how it ended, in order.
    pub calls: Vec<CallReport>,
    /// Pieces that the head was asked about in.
    pub chunks: u64,
    /// Tokens of the questions that were billed.
    pub input_tokens: u64,
    /// Tokens of the answers that were billed, reasoning included.
    pub output_tokens: u64,
    /// What they cost, in millionths of the currency that the price is in; absent without a price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<u64>,
    /// Faults of the answer that was taken, as `fault` or `fault: section`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub faults: Vec<String>,
    /// What was cut off around it: `preamble`, `fence`, `tags`, `thinking`, `headings`, `open_fence`, `echo`,
    /// `offer`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub cuts: Vec<String>,
    /// Sections that were filled from the extractive summary.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub filled: Vec<String>,
    /// Lines that said what the head does not know.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub dropped: Vec<DroppedReport>,
    /// Secrets that were taken out of what was sent, by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub redacted: BTreeMap<String, u64>,
    /// What would be asked, in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<EstimateReport>,
}

/// How a question ends that no model answered, so that it may answer another time: it was not reached, took nothing, or was
/// not asked.
const UNASKED: [&str; 14] = [
    "unreachable",
    "untrusted",
    "torn",
    "timeout",
    "http_status",
    "rate_limited",
    "unauthorized",
    "quota_spent",
    "redirected",
    "server_error",
    "breaker_open",
    "calls_spent",
    "tokens_spent",
    "not_cached",
];

impl LlmReport {
    /// Whether some question had no answer of any model.
    pub fn is_unasked(&self) -> bool {
        self.calls.iter().any(|call| UNASKED.contains(&&*call.outcome))
    }

    /// The same without words that the model wrote.
    #[must_use]
    pub fn without_content(mut self) -> Self {
        self.dropped.iter_mut().for_each(|line| line.facts.clear());
        self
    }
}

/// One question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallReport {
    /// How it ended, as a stable word: `answered`, `refused`, `empty`, `timeout`, `http_status` …
    pub outcome: String,
    /// The status of the last response, where that was no success.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// What is known of a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The model that answered, as the endpoint names it: it may be another one than was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub model: Option<String>,
    /// Requests that were sent, retries included.
    pub requests: u32,
    /// The answer was stored by an earlier run.
    pub cached: bool,
    /// How long it took, in milliseconds; the one number of a report that two runs do not share. Zero where it was
    /// stored.
    pub latency_ms: u64,
    /// Tokens of the question that were billed.
    pub input_tokens: u64,
    /// Tokens of the answer that were billed.
    pub output_tokens: u64,
}

/// A line that was dropped.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedReport {
    /// Its section.
    pub section: String,
    /// The facts that the head does not have, as `class value`.
    pub facts: Vec<String>,
}

/// What a summary would take.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EstimateReport {
    /// Questions, if every answer is good.
    pub calls: u64,
    /// Tokens of the questions.
    pub input_tokens: u64,
    /// The most tokens of the answers.
    pub output_tokens: u64,
    /// What they would cost, in millionths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<u64>,
}

/// The sum over transcripts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LlmTotals {
    /// Transcripts that a model was to summarize.
    pub transcripts: u64,
    /// Those of them whose summary has nothing of a model's.
    pub extractive: u64,
    /// Transcripts of a dry run.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub estimated: u64,
    /// Files without a summary of a model's, since none answered: another run asks again.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub unasked: u64,
    /// Such rows of files: their files count as done, or are done again as a whole.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub unasked_rows: u64,
    /// Questions that were sent or found stored, or in a dry run would be.
    pub calls: u64,
    /// Requests that were sent.
    pub requests: u64,
    /// Questions that a stored answer was found for.
    pub cached: u64,
    /// Tokens of questions.
    pub input_tokens: u64,
    /// Tokens of answers.
    pub output_tokens: u64,
    /// Their cost, in millionths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<u64>,
    /// Secrets that were taken out of what was sent, by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub redacted: BTreeMap<String, u64>,
    /// Questions without an answer, by what became of them.
    #[serde(default)]
    pub failures: BTreeMap<String, u64>,
    /// The same with what is known of each.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub causes: BTreeMap<String, u64>,
}

impl LlmTotals {
    /// What a row of a file adds.
    pub fn of_row(report: &LlmReport) -> Self {
        let whole = Self::of(report);
        Self { unasked: 0, unasked_rows: whole.unasked, ..whole }
    }

    /// What a transcript adds that is a file.
    pub fn of(report: &LlmReport) -> Self {
        let estimate = report.estimate.clone().unwrap_or_default();
        let calls = report.calls.iter();
        let put = calls.clone().filter(|call| call.cached || call.requests > 0).count() as u64;
        let unasked = u64::from(["extractive", "none"].contains(&&*report.outcome) && report.is_unasked());
        Self {
            transcripts: 1,
            estimated: u64::from(report.estimate.is_some()),
            unasked,
            unasked_rows: 0,
            extractive: u64::from(report.outcome == "extractive"),
            calls: put + estimate.calls,
            requests: calls.clone().map(|call| u64::from(call.requests)).sum(),
            cached: calls.filter(|call| call.cached).count() as u64,
            input_tokens: report.input_tokens + estimate.input_tokens,
            output_tokens: report.output_tokens + estimate.output_tokens,
            cost_micros: report.cost_micros.or(estimate.cost_micros),
            redacted: report.redacted.clone(),
            failures: failures(report, |call| call.outcome.clone()),
            causes: failures(report, cause),
        }
    }
}

/// Questions without an answer, by a name.
fn failures(report: &LlmReport, name: impl Fn(&CallReport) -> String) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    let failed = report.calls.iter().filter(|call| call.outcome != "answered");
    failed.for_each(|call| *all.entry(name(call)).or_default() += 1);
    all
}

fn cause(call: &CallReport) -> String {
    let detail = call.detail.as_ref().map_or(String::new(), |detail| format!(" ({detail})"));
    format!("{}{detail}", call.outcome)
}
