//! Reports of a model's work on summaries: per transcript, and totals.

use super::totals::is_zero;
use crate::question_outcome::{CostEstimate, DroppedLine, ModelCall, QuestionOutcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Where the text of a summary that a model was to write is from; in the order of their names, as tables list them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SummaryOrigin {
    /// Nothing was sent: a dry run.
    Estimated,
    /// Nothing in it is the model's.
    Extractive,
    /// The model, except for some sections.
    Filled,
    /// There is no summary, since no fallback is allowed.
    #[default]
    None,
    /// The model.
    Written,
}

/// As in reports.
impl fmt::Display for SummaryOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The work of a model on the summary of one transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LlmReport {
    /// Where the text of the summary is from.
    pub outcome: SummaryOrigin,
    /// The calls to the model, in order, with their outcome.
    pub calls: Vec<ModelCall>,
    /// Number of chunks that the head was sent in.
    pub chunks: u64,
    /// Billed input tokens.
    pub input_tokens: u64,
    /// Billed output tokens, reasoning included.
    pub output_tokens: u64,
    /// Their cost in millionths of the price's currency; absent without a price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<u64>,
    /// Faults of the accepted answer, as `fault` or `fault: section`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub faults: Vec<String>,
    /// What was cut off around the answer: `preamble`, `fence`, `tags`, `thinking`, `headings`, `open_fence`, `echo`,
    /// `placeholder`, `offer`, `sections` that were not asked for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub cuts: Vec<String>,
    /// Sections filled from the extractive summary.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub filled: Vec<String>,
    /// Lines dropped because the head does not support them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub dropped: Vec<DroppedLine>,
    /// Secrets masked in what was sent, by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub redacted: BTreeMap<String, u64>,
    /// An estimate of what would be sent, in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<CostEstimate>,
}

impl LlmReport {
    /// Whether a call got no answer of any model.
    pub fn is_unasked(&self) -> bool {
        self.calls.iter().any(|call| call.outcome.is_unasked())
    }

    /// Whether a summary that was to be written has no word of the model.
    fn has_no_words(&self) -> bool {
        matches!(self.outcome, SummaryOrigin::Extractive | SummaryOrigin::None)
    }

    /// The report without words of the model.
    #[must_use]
    pub fn without_content(mut self) -> Self {
        self.dropped.iter_mut().for_each(|line| line.facts.clear());
        self
    }
}

/// A cost in millionths of the price's currency, as texts for people state it.
pub fn cost_in_words(micros: u64) -> String {
    format!("cost {}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

/// Sum over transcripts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LlmTotals {
    /// Transcripts with a model as summarizer.
    pub transcripts: u64,
    /// Transcripts whose summary is all extractive, though a model was to write it.
    pub extractive: u64,
    /// Transcripts that were only estimated, in a dry run.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub estimated: u64,
    /// Files without a model's summary because no model answered: another run tries again.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub unasked: u64,
    /// Rows without one; their file counts as done, or is done again as a whole.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub unasked_rows: u64,
    /// Calls that were sent or found in the cache; in a dry run, that would be sent.
    pub calls: u64,
    /// HTTP requests sent.
    pub requests: u64,
    /// Calls with a stored answer.
    pub cached: u64,
    /// Input tokens.
    pub input_tokens: u64,
    /// Output tokens.
    pub output_tokens: u64,
    /// Their cost in millionths of the price's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<u64>,
    /// Secrets masked in what was sent, by kind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub redacted: BTreeMap<String, u64>,
    /// Calls without a usable answer, by outcome.
    #[serde(default)]
    pub failures: BTreeMap<String, u64>,
    /// Calls without a usable answer, and answers that lack sections, by outcome and details.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub causes: BTreeMap<String, u64>,
}

impl LlmTotals {
    /// The contribution of a row of a file.
    pub fn of_row(report: &LlmReport) -> Self {
        let whole = Self::of(report);
        Self { unasked: 0, unasked_rows: whole.unasked, ..whole }
    }

    /// The contribution of a transcript that is a whole file.
    pub fn of(report: &LlmReport) -> Self {
        let estimate = report.estimate.unwrap_or_default();
        let calls = report.calls.iter();
        let put = calls.clone().filter(|call| call.cached || call.requests > 0).count() as u64;
        let unasked = u64::from(report.has_no_words() && report.is_unasked());
        Self {
            transcripts: 1,
            estimated: u64::from(report.estimate.is_some()),
            unasked,
            unasked_rows: 0,
            extractive: u64::from(report.outcome == SummaryOrigin::Extractive),
            calls: put + estimate.calls + estimate.cached,
            requests: calls.clone().map(|call| u64::from(call.requests)).sum(),
            cached: calls.filter(|call| call.cached).count() as u64 + estimate.cached,
            input_tokens: report.input_tokens + estimate.input_tokens,
            output_tokens: report.output_tokens + estimate.output_tokens,
            cost_micros: report.cost_micros.or(estimate.cost_micros),
            redacted: report.redacted.clone(),
            failures: failures(report, |call| call.outcome.to_string()),
            causes: causes(report),
        }
    }
}

/// Calls without a usable answer, and what was answered and did not make the summary.
fn causes(report: &LlmReport) -> BTreeMap<String, u64> {
    let mut all = failures(report, cause);
    if let Some(lack) = lack(report) {
        *all.entry(lack).or_default() += 1;
    }
    all
}

/// Why an answer is not the whole summary.
fn lack(report: &LlmReport) -> Option<String> {
    let answered = report.calls.last().is_some_and(|call| call.outcome == QuestionOutcome::Answered);
    let short = report.outcome == SummaryOrigin::Filled || report.has_no_words();
    if !(answered && short) {
        return None;
    }
    let lacking = |fault: &'_ String| {
        let (rule, section) = fault.split_once(": ")?;
        ["missing", "empty"].contains(&rule).then(|| section.to_owned())
    };
    let missing: Vec<String> = report.faults.iter().filter_map(lacking).collect();
    let names = if report.filled.is_empty() { &missing } else { &report.filled };
    let is_dropped =
        |name: &&String| !missing.contains(name) && report.dropped.iter().any(|line| line.section == **name);
    let (dropped, lacking): (Vec<&String>, Vec<&String>) = names.iter().partition(is_dropped);
    let told = |what: &str, names: Vec<&String>| {
        let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
        (!names.is_empty()).then(|| format!("{what}: {}", names.join(", ")))
    };
    let parts: Vec<String> =
        [told("without sections", lacking), told("unsupported", dropped)].into_iter().flatten().collect();
    match (parts.is_empty(), report.dropped.is_empty()) {
        (true, true) => None,
        (true, false) => Some("answered (no line that the transcript supports)".to_owned()),
        _ => Some(format!("answered ({})", parts.join("; "))),
    }
}

/// Calls without a usable answer, counted by a name.
fn failures(report: &LlmReport, name: impl Fn(&ModelCall) -> String) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    let failed = report.calls.iter().filter(|call| call.outcome != QuestionOutcome::Answered);
    failed.for_each(|call| *all.entry(name(call)).or_default() += 1);
    all
}

fn cause(call: &ModelCall) -> String {
    let detail = call.detail.as_ref().map_or(String::new(), |detail| format!(" ({detail})"));
    format!("{}{detail}", call.outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_not_the_whole_summary_has_a_cause() {
        let report = |outcome, last| LlmReport {
            outcome,
            calls: vec![ModelCall { outcome: last, ..ModelCall::default() }],
            faults: vec!["missing: Goal".to_owned(), "unknown: Ziel".to_owned(), "empty: Discoveries".to_owned()],
            ..LlmReport::default()
        };
        let causes = |report: &LlmReport| LlmTotals::of(report).causes.into_keys().collect::<Vec<_>>();
        let bare = report(SummaryOrigin::Extractive, QuestionOutcome::Answered);
        assert_eq!(causes(&bare), ["answered (without sections: Goal, Discoveries)"]);
        let filled =
            LlmReport { filled: vec!["Goal".to_owned()], ..report(SummaryOrigin::Filled, QuestionOutcome::Answered) };
        assert_eq!(causes(&filled), ["answered (without sections: Goal)"]);
        let line = |section: &str| DroppedLine { section: section.to_owned(), ..DroppedLine::default() };
        let mixed = LlmReport {
            filled: vec!["Goal".to_owned(), "Accomplished".to_owned()],
            dropped: vec![line("Accomplished"), line("Goal")],
            ..filled.clone()
        };
        assert_eq!(causes(&mixed), ["answered (without sections: Goal; unsupported: Accomplished)"]);
        let mixed = LlmReport { filled: vec!["Accomplished".to_owned()], ..mixed };
        assert_eq!(causes(&mixed), ["answered (unsupported: Accomplished)"]);
        let dropped = LlmReport { faults: Vec::new(), dropped: vec![DroppedLine::default()], ..bare };
        assert_eq!(causes(&dropped), ["answered (no line that the transcript supports)"]);
        assert_eq!(causes(&report(SummaryOrigin::None, QuestionOutcome::Empty)), ["empty"]);
        assert!(causes(&report(SummaryOrigin::Written, QuestionOutcome::Answered)).is_empty());
    }
}
