//! The measures of an evaluation: how each is read from the scores, in what unit it is shown, and what it is called.

use crate::report::{CutReport, PolicyScores, ShareOf};

/// A measure of a policy at a cut.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    /// Its name in tables and reports.
    pub name: &'static str,
    /// How its values are shown.
    pub(super) unit: Scale,
    read: Read,
    /// Heading and explanation of its column on the page; empty if it has none there.
    pub(super) column: (&'static str, &'static str),
}

/// How values are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// A number around 1.
    Score,
    /// A share that the page shows in percent.
    Percent,
    /// A count of tokens.
    Tokens,
    /// Something for each 1 000 tokens.
    PerThousand,
    /// In the currency of the price.
    Money,
}

/// How a value is read.
#[derive(Debug, Clone, Copy)]
enum Read {
    Share(fn(&PolicyScores) -> ShareOf),
    Number(fn(&CutReport, &PolicyScores) -> Option<f64>),
}

/// Measures are told apart by their names.
impl PartialEq for Measure {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Measure {
    const fn share(name: &'static str, read: fn(&PolicyScores) -> ShareOf) -> Self {
        Self { name, unit: Scale::Score, read: Read::Share(read), column: ("", "") }
    }

    const fn number(name: &'static str, unit: Scale, read: fn(&CutReport, &PolicyScores) -> Option<f64>) -> Self {
        Self { name, unit, read: Read::Number(read), column: ("", "") }
    }

    const fn headed(self, heading: &'static str, meaning: &'static str) -> Self {
        Self { column: (heading, meaning), ..self }
    }

    /// The value for a policy at a cut; `None` if it has none there.
    pub(super) fn value(&self, cut: &CutReport, scores: &PolicyScores) -> Option<f64> {
        match self.read {
            Read::Share(read) => read(scores).value(),
            Read::Number(read) => read(cut, scores),
        }
    }

    /// Numerator and denominator for a policy at a cut; `None` if it is no such share.
    pub fn share_of(&self, scores: &PolicyScores) -> Option<ShareOf> {
        match self.read {
            Read::Share(read) => Some(read(scores)),
            Read::Number(_) => None,
        }
    }
}

/// Recall; rows are sorted by it.
pub const RECALL: Measure = Measure::share("recall", |scores| scores.recall);
/// Recall of facts that a call needs.
const CALL: Measure =
    Measure::share("call", |scores| scores.call).headed("in calls", "recall of facts that a tool call needs");
/// Recall of facts that only prose needs.
const PROSE: Measure = Measure::share("prose", |scores| scores.prose);
/// Recall of facts that are not in the tail of the seed's rule.
pub const DEEP: Measure = Measure::share("deep", |scores| scores.deep)
    .headed("deep", "recall of facts whose last mention is older than the newest quarter (2 000 to 8 000 tokens)");
/// Recall of facts with some of their wording.
pub const BOUND: Measure = Measure::share("bound", |scores| scores.bound)
    .headed("bound", "recall of facts that are left with some of their wording");
/// Recall of open facts.
pub const OPEN: Measure =
    Measure::share("open", |scores| scores.open).headed("open", "recall of rare words of any kind");
/// Constraints of the user that are left.
const CONSTRAINTS: Measure = Measure::share("constraints", |scores| scores.constraints)
    .headed("constraints", "sentences of the user with a rule that are left");
/// Written files that are named.
const FILES: Measure =
    Measure::share("files", |scores| scores.files).headed("files", "files written before the cut that are named");
/// Facts of the summary with a source.
const SUPPORT: Measure = Measure::share("support", |scores| scores.support)
    .headed("support", "facts of the summary that stand in the source");
/// User messages that a line quotes or answers.
const TURNS: Measure = Measure::share("turns", |scores| scores.turns);
/// Lines that are statements.
const STATEMENTS: Measure = Measure::share("statements", |scores| scores.statements);
/// Likeness to the recorded summary, by words.
const ROUGE_1: Measure = Measure::number("rouge-1", Scale::Score, |_, scores| scores.agreement.map(|own| own.rouge_1))
    .headed("ROUGE-1", "likeness to the recorded summary");
/// The same, by pairs of words.
const ROUGE_2: Measure = Measure::number("rouge-2", Scale::Score, |_, scores| scores.agreement.map(|own| own.rouge_2));
/// The same, by the longest common subsequence.
const ROUGE_L: Measure = Measure::number("rouge-l", Scale::Score, |_, scores| scores.agreement.map(|own| own.rouge_l));
/// Facts of the recorded summary that are left.
const THEIR_FACTS: Measure =
    Measure::number("their-facts", Scale::Score, |_, scores| scores.agreement.and_then(|own| own.facts.value()))
        .headed("their facts", "facts of the recorded summary that are kept");
/// Tokens that are left; of rows with equal recall, those with fewer come first.
pub(super) const TOKENS: Measure = Measure::number("tokens", Scale::Tokens, |_, scores| Some(scores.tokens as f64))
    .headed("tokens kept", "tokens that are left of what stood before the cut");
/// Their share.
const KEPT: Measure = Measure::number("kept", Scale::Percent, |cut, scores| {
    (cut.tokens_before > 0).then(|| scores.tokens as f64 / cut.tokens_before as f64)
})
.headed("share kept", "those tokens as a share of what stood before the cut");
/// Needed facts for the tokens that are left.
const YIELD: Measure = Measure::number("yield", Scale::PerThousand, |_, scores| {
    (scores.tokens > 0).then(|| scores.recall.part as f64 * 1_000.0 / scores.tokens as f64)
})
.headed("facts / 1k", "needed facts that are left for each 1 000 tokens");
/// Faults.
const FAULTS: Measure = Measure::number("faults", Scale::Score, |_, scores| Some(scores.faults as f64))
    .headed("faults / cut", "parted calls and results, faulty sections, refusals");
/// Whether nothing was done.
pub(super) const UNCHANGED: Measure =
    Measure::number("unchanged", Scale::Percent, |_, scores| Some(f64::from(u8::from(scores.unchanged))))
        .headed("no-op", "share of cuts at which the policy left all as it is");
/// Tokens that a model reads.
const MODEL_IN: Measure =
    Measure::number("model-in", Scale::Tokens, |_, scores| scores.model.map(|used| used.input as f64))
        .headed("model reads", "tokens that a model would be sent for each compaction");
/// Tokens that a model writes.
const MODEL_OUT: Measure =
    Measure::number("model-out", Scale::Tokens, |_, scores| scores.model.map(|used| used.output as f64))
        .headed("model writes", "tokens that it would answer");
/// The cost of a model.
const COST: Measure =
    Measure::number("cost", Scale::Money, |_, scores| scores.model?.cost_micros.map(|cost| cost as f64 / 1e6))
        .headed("cost / cut", "what that costs, in the currency of --llm-price");

/// All measures, in the order of the columns in a terminal.
pub(super) const MEASURES: &[Measure] = &[
    RECALL,
    CALL,
    PROSE,
    DEEP,
    BOUND,
    OPEN,
    CONSTRAINTS,
    FILES,
    SUPPORT,
    TURNS,
    STATEMENTS,
    ROUGE_1,
    ROUGE_2,
    ROUGE_L,
    THEIR_FACTS,
    TOKENS,
    KEPT,
    YIELD,
    FAULTS,
    UNCHANGED,
    MODEL_IN,
    MODEL_OUT,
    COST,
];

/// Columns of the page's table over all cuts, after name, recall and difference.
pub(super) const FULL: &[Measure] = &[
    TOKENS,
    KEPT,
    CONSTRAINTS,
    BOUND,
    DEEP,
    CALL,
    OPEN,
    FILES,
    SUPPORT,
    THEIR_FACTS,
    ROUGE_1,
    FAULTS,
    UNCHANGED,
    MODEL_IN,
    MODEL_OUT,
    COST,
    YIELD,
];

/// Columns of the page's tables over some cuts.
pub(super) const SHORT: &[Measure] = &[TOKENS, KEPT, CONSTRAINTS, BOUND, DEEP, FAULTS];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_stands_once_in_a_terminal_and_with_a_heading_on_the_page() {
        let times = |list: &[Measure], own: &Measure| list.iter().filter(|measure| *measure == own).count();
        for measure in MEASURES {
            let on_page = !measure.column.0.is_empty() && !measure.column.1.is_empty();
            assert_eq!((times(MEASURES, measure), times(FULL, measure)), (1, usize::from(on_page)), "{}", measure.name);
        }
        assert!(FULL.iter().all(|measure| MEASURES.contains(measure)));
        assert!(SHORT.iter().all(|measure| FULL.contains(measure)));
    }
}
