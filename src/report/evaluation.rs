//! What an evaluation measured at one cut of one transcript.

use super::LlmReport;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A share with its numerator and denominator.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShareOf {
    /// So many.
    pub part: u64,
    /// Of so many.
    pub of: u64,
}

impl ShareOf {
    /// Counts one more.
    pub fn add(&mut self, is_part: bool) {
        self.part += u64::from(is_part);
        self.of += 1;
    }

    /// The share, if there is anything that it is a share of.
    pub fn value(self) -> Option<f64> {
        (self.of > 0).then(|| self.part as f64 / self.of as f64)
    }
}

/// All scores at one cut.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CutReport {
    /// Where it is: `recorded`, or a share of the tokens such as `40%`.
    pub at: String,
    /// Index of the first message after it.
    pub message: usize,
    /// Its line.
    pub line: usize,
    /// The version of the fact rules; scores of two versions are not comparable.
    pub fact_spec: String,
    /// Tokens before it.
    pub tokens_before: u64,
    /// Facts that the agent needed after it.
    pub needed: u64,
    /// Facts that were known before it.
    pub known: u64,
    /// Scores by policy.
    pub scores: Vec<PolicyScores>,
    /// Scores by total budget and policy.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub curve: Vec<(u64, PolicyScores)>,
}

/// What one policy is worth at one cut.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PolicyScores {
    /// Its name.
    pub policy: String,
    /// Tokens of what it leaves.
    pub tokens: u64,
    /// Tokens of its summary.
    pub summary_tokens: u64,
    /// Needed facts that are left.
    pub recall: ShareOf,
    /// Of those that a call needs.
    pub call: ShareOf,
    /// Of those that only prose needs.
    pub prose: ShareOf,
    /// Of those that are not in the tail of the seed's rule.
    pub deep: ShareOf,
    /// Needed facts that are left with some of their wording.
    pub bound: ShareOf,
    /// Needed open facts that are left.
    pub open: ShareOf,
    /// Recall by class of fact.
    pub by_class: BTreeMap<String, ShareOf>,
    /// The user's constraints that are left.
    pub constraints: ShareOf,
    /// Files written before the cut that are named.
    pub files: ShareOf,
    /// Facts of the summary that stand in the source.
    pub support: ShareOf,
    /// The user's messages that a line quotes or answers.
    pub turns: ShareOf,
    /// Lines of findings and steps that are statements.
    pub statements: ShareOf,
    /// Its summary, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub text: Option<String>,
    /// Needed facts that it lost, if that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub lost: Vec<String>,
    /// Calls and results that it parted, faults of its summary's sections, and its refusal to compact.
    #[serde(default)]
    pub faults: u64,
    /// It left all as it is.
    #[serde(default)]
    pub unchanged: bool,
    /// What a model would be asked for it, where the system that it is named after asks one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub model: Option<ModelUse>,
    /// Likeness to the recorded summary.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub agreement: Option<AgreementReport>,
    /// What a model did for it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub llm: Option<LlmReport>,
}

/// What a model would be sent and would answer for one summary, in tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelUse {
    /// What it reads: the head as it is pruned and the earlier summary, without system prompt and instructions.
    pub input: u64,
    /// What it writes: the summary.
    pub output: u64,
    /// What that costs, in millionths of the currency that the price is in; absent without a price.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cost_micros: Option<u64>,
}

impl ModelUse {
    /// The same with its cost, at prices of a million tokens, read and written.
    #[must_use]
    pub fn at(self, price: Option<(f64, f64)>) -> Self {
        let cost = |(input, output): (f64, f64)| self.input as f64 * input + self.output as f64 * output;
        Self { cost_micros: price.map(|price| cost(price).round() as u64), ..self }
    }
}

/// How like a summary is to the one that the harness recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct AgreementReport {
    /// ROUGE-1 F1.
    pub rouge_1: f64,
    /// ROUGE-2 F1.
    pub rouge_2: f64,
    /// ROUGE-L F1.
    pub rouge_l: f64,
    /// Facts of the recorded summary that are kept, those without support aside.
    pub facts: ShareOf,
}
