//! Evaluation: how much of what an agent needed later is left of its transcript after a compaction (QUALITY §2).
//!
//! ```text
//! transcript ─▶ cuts ─▶ needed (what the agent used after each) ─┐
//!                └────▶ policies (what each leaves: context) ────┴▶ score ─▶ CutReport ─▶ stats (means, intervals)
//! ```

mod agreement;
mod board;
mod bound;
mod context;
mod cut;
mod explain;
mod fared;
mod measures;
mod needed;
mod page;
mod policies;
mod print;
mod score;
mod seen;
mod stats;
mod story;

use crate::reason::Reason;
pub use board::{Board, Entry};
pub use cut::{Cut, Place, Wanted, cuts};
pub use explain::{Explained, explain};
pub use fared::Fared;
pub use measures::{BOUND, DEEP, Measure, OPEN, RECALL};
pub use page::{Described, Setting};
pub use policies::{BASELINES, Budget, External, Policy, Run, SummaryWriter, Whole};
pub use seen::Vocabulary;
pub use stats::{Interval, Mean, difference, mean};

use crate::facts::FACT_SPEC;
use crate::pipeline::Tools;
use crate::report::{CutReport, PolicyScores};
use crate::transcript::Transcript;
use seen::Seen;

/// Total budgets of a curve in tokens (QUALITY §2).
pub const CURVE: [u64; 5] = [1_000, 2_000, 4_000, 8_000, 16_000];
/// Least tokens of a transcript to be cut (QUALITY §2).
pub const LEAST_TOKENS: u64 = 12_000;
/// Least number of needed facts of a cut to be scored.
pub const LEAST_NEEDED: usize = 5;

/// What to evaluate.
pub struct Plan {
    /// Where transcripts are cut.
    pub wanted: Wanted,
    /// Policies to compare.
    pub policies: Vec<Policy>,
    /// Tokens of the summary, except for presets and recorded compactions, which have their own size.
    pub summary_tokens: u64,
    /// Prices per million tokens that a model reads and writes.
    pub price: Option<(f64, f64)>,
    /// Total budgets of the curve; empty: no curve.
    pub curve: Vec<u64>,
    /// Keep the summaries and the lost facts for display.
    pub show_content: bool,
    /// Counts of words, from which open facts are derived.
    pub vocabulary: Vocabulary,
}

impl Plan {
    /// The budget at a cut; at a recorded compaction, the size of the recorded summary, without a tail.
    fn budget(&self, transcript: &Transcript<'_>, cut: &Cut, tools: Tools<'_>) -> Budget {
        match &cut.recorded {
            Some(recorded) => Budget { tail: 0, summary: (tools.count)(recorded).0 },
            None => Budget { tail: cut.seed_tail(transcript), summary: self.summary_tokens },
        }
    }
}

/// Reason why a transcript has no scored cut, for its report line.
pub fn unjudged(transcript: &Transcript<'_>, wanted: Wanted) -> Reason {
    match wanted {
        Wanted::Recorded if cuts(transcript, wanted).is_empty() => Reason::NoRecordedCompaction,
        Wanted::Shares { least } if transcript.tokens().0 < least => Reason::BelowMinTokens,
        _ => Reason::TooFewNeeded,
    }
}

/// Scores every policy at every cut of a transcript whose tokens are counted. Cuts with fewer than [`LEAST_NEEDED`]
/// needed facts are left out.
pub fn evaluate(transcript: &Transcript<'_>, plan: &Plan, tools: Tools<'_>) -> Vec<CutReport> {
    let found = cuts(transcript, plan.wanted);
    if found.is_empty() {
        return Vec::new();
    }
    let seen = Seen::of(transcript, &plan.vocabulary);
    let reports = found.iter().filter_map(|cut| {
        let needed = needed::needed(&seen, cut);
        if needed.facts.len() < LEAST_NEEDED {
            return None;
        }
        let scorer = score::Scorer::new(transcript, &seen, cut, &needed);
        let budget = plan.budget(transcript, cut, tools);
        let run = |policy: &Policy, budget: Budget| -> PolicyScores {
            let context = policy.context(transcript, (&seen, cut), budget, tools);
            let mut scores = scorer.score(policy.name(), &context, tools);
            scores.model = context.model.map(|used| used.at(plan.price));
            scores.llm = context.llm.clone().map(|llm| if plan.show_content { llm } else { llm.without_content() });
            if plan.show_content {
                scores.lost = scorer.lost(&context);
                scores.text = Some(context.summary);
            }
            scores
        };
        let scores = plan.policies.iter().filter(|policy| policy.fits(cut)).map(|policy| run(policy, budget)).collect();
        let curve = plan.curve.iter().flat_map(|&total| {
            let tail = budget.tail.min(total / 2);
            let budget = Budget { tail, summary: total - tail };
            plan.policies.iter().filter(|policy| policy.is_budgeted()).map(move |policy| (total, policy, budget))
        });
        let curve =
            curve.filter(|_| cut.recorded.is_none()).map(|(total, policy, budget)| (total, run(policy, budget)));
        Some(CutReport {
            at: cut.place.name(),
            message: cut.at,
            line: transcript.messages.get(cut.at).map_or(0, |message| transcript.records[message.record].line),
            fact_spec: FACT_SPEC.to_owned(),
            tokens_before: cut.tokens_before(transcript),
            needed: needed.facts.len() as u64,
            known: needed.known as u64,
            scores,
            curve: curve.collect(),
        })
    });
    reports.collect()
}
