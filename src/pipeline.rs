//! The pipeline of compaction: runs each stage once, in order, over one transcript in memory.

mod append;
mod bounds;
mod earlier;
mod fit;
mod losing_text;
mod reassemble;
mod thinking;
mod trim;

use self::append::append_and_continue;
use self::bounds::Undone;
pub(crate) use self::bounds::hidden;
use self::fit::{Fit, Fitted, split_and_summarize};
use self::reassemble::reassemble_and_continue;
use self::trim::trim;
use crate::continuation::{Action, State};
use crate::preset::{Mode, PruneScope, PruneSettings, Settings, Stages, SummarizerKind, When};
use crate::prune::prune;
use crate::reason::Reason;
use crate::split::{Excerpt, LimitError, Load, Split, judge};
use crate::summary::{NoSummary, Summarize, Summary, Template, contains_any};
use crate::transcript::columns::without_places;
use crate::transcript::{Append, EditScript, Spread, Stub, Tokens, Transcript};

/// Functions and objects that the stages need besides the transcript and the settings.
#[derive(Clone, Copy)]
pub struct Tools<'t> {
    /// Counts tokens of a text.
    pub count: &'t (dyn Fn(&str) -> Tokens + Sync),
    /// Runs independent work in parallel.
    pub spread: &'t dyn Spread,
    /// The template of the summary.
    pub template: &'t Template,
    /// The model that writes the final summary from the extractive one; `None` if the extractive one is final.
    pub summarizer: Option<&'t dyn Summarize>,
}

/// The result of compacting a transcript: the edits and how they were chosen, or why there are none.
#[derive(Debug)]
pub struct Compaction {
    /// The edits; `None` if the transcript stays unchanged.
    pub script: Option<EditScript>,
    /// The reason why it stays unchanged, as a stable word.
    pub reason: Option<Reason>,
    /// The size of the transcript in tokens, and the limits that apply to it.
    pub load: Load,
    /// Results that pruning replaces by stubs.
    pub stubs: Vec<Stub>,
    /// Parts that are shortened.
    pub excerpts: Vec<Excerpt>,
    /// Number of reasoning parts that are removed, since the edits before them make them unusable.
    pub dead_reasoning: u64,
    /// The split into head and tail; `None` if nothing is summarized.
    pub split: Option<Split>,
    /// The tail's budget.
    pub tail_budget: Tokens,
    /// The summary's budget.
    pub summary_budget: Tokens,
    /// The summary.
    pub summary: Option<Summary>,
    /// The summary's tokens, including its wrapper.
    pub summary_tokens: Tokens,
    /// The state of the session before compaction, and the action that lets it continue.
    pub continuation: Option<(State, Action)>,
}

/// Reasons why a transcript can't be compacted with these settings.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The limits leave no room.
    #[error(transparent)]
    Limits(#[from] LimitError),
    /// `--mode append` is set, but the format has no record of a compaction that could be appended.
    #[error("the format has no record of a compaction that could be appended: use --mode rewrite")]
    NoRecord,
    /// The minimum that must stay exceeds `--max-tokens`.
    #[error("what must stay needs {least} tokens, summary included, above --max-tokens {most}")]
    OverBudget {
        /// Tokens that must stay, including the summary.
        least: Tokens,
        /// The value of `--max-tokens`.
        most: Tokens,
    },
    /// The model wrote no usable summary, and the settings allow no other one.
    #[error(transparent)]
    NoSummary(#[from] NoSummary),
}

/// Compacts a transcript whose parts are counted.
///
/// # Errors
/// A [`Refusal`]: impossible limits, no record for `--mode append`, a result above `--max-tokens`, or no summary by the
/// model.
pub fn compact(transcript: &Transcript<'_>, settings: &Settings, tools: Tools<'_>) -> Result<Compaction, Refusal> {
    let spelled = |text: &str| tools.count_spelled(text, transcript);
    let tools = Tools { count: &spelled, ..tools };
    let mut done = Compaction::new(judge(transcript, &settings.limits, &settings.overflow)?);
    if let Some(reason) = transcript.traits.fixed {
        return Ok(done.unchanged(reason));
    }
    let appends = settings.output.mode == Mode::Append;
    if appends && transcript.traits.append == Append::Never {
        return Err(Refusal::NoRecord);
    }
    let is_due = done.is_due(settings);
    if !is_due && !settings.prune.alone {
        return Ok(done.unchanged(Reason::BelowTrigger));
    }
    if is_due && appends {
        return append_and_continue(done, transcript, settings, tools);
    }
    done.stubs = stubs(transcript, &settings.prune, tools);
    let summarizes = is_due && settings.summary.by != SummarizerKind::None && !done.is_enough(transcript, settings);
    let later = if summarizes { done.held_back(settings.prune.scope) } else { Vec::new() };
    let fit = if summarizes { split_and_summarize(transcript, &done, settings, tools)? } else { Fit::PruneOnly };
    Ok(match fit {
        Fit::PruneOnly => trim(done, transcript, settings),
        Fit::Nothing(undone) => {
            done.stubs.extend(later);
            done.budgeted(&undone).only_pruned(undone.reason, transcript, settings)
        }
        Fit::Done(fitted) => {
            let is_of_head = |stub: &Stub| fitted.split.tail.binary_search(&stub.message).is_err();
            done.stubs.extend(later.into_iter().filter(is_of_head));
            reassemble_and_continue(done, *fitted, transcript, settings)
        }
    })
}

impl Tools<'_> {
    /// Tokens of a new text as it will be spelled in a transcript.
    fn count_spelled(&self, text: &str, transcript: &Transcript<'_>) -> Tokens {
        let places = &transcript.traits.places;
        match contains_any(text, places) {
            true => (self.count)(&without_places(text, places)),
            false => (self.count)(text),
        }
    }
}

/// Returns the stubs that pruning alone would make in a transcript whose parts are counted.
pub fn stubs(transcript: &Transcript<'_>, settings: &PruneSettings, tools: Tools<'_>) -> Vec<Stub> {
    prune(transcript, settings, tools.count)
}

/// The tokens that are to shrink: those that are loaded, where a result is only appended.
pub(crate) fn size(transcript: &Transcript<'_>, settings: &Settings) -> Tokens {
    if settings.output.mode == Mode::Append { transcript.live() } else { transcript.tokens() }
}

impl Compaction {
    fn new(load: Load) -> Self {
        Self {
            script: None,
            reason: None,
            load,
            stubs: Vec::new(),
            excerpts: Vec::new(),
            dead_reasoning: 0,
            split: None,
            tail_budget: Tokens::default(),
            summary_budget: Tokens::default(),
            summary: None,
            summary_tokens: Tokens::default(),
            continuation: None,
        }
    }

    /// Why a transcript without a script stays unchanged.
    pub fn why(&self) -> Reason {
        self.reason.unwrap_or(Reason::NoHead)
    }

    /// Whether the settings say that more is to be done than pruning.
    fn is_due(&self, settings: &Settings) -> bool {
        settings.overflow.auto && (settings.overflow.when != When::Overflow || self.load.overflow)
    }

    /// Adds the split, the excerpts and the summary.
    fn with(mut self, fitted: Fitted) -> Self {
        self.excerpts = fitted.excerpts;
        self.tail_budget = fitted.tail_budget;
        self.summary_budget = fitted.summary_budget;
        self.summary_tokens = fitted.summary_tokens;
        self.summary = Some(fitted.summary);
        self.split = Some(fitted.split);
        self
    }

    /// Adds the budgets of what was not done.
    fn budgeted(mut self, undone: &Undone) -> Self {
        (self.tail_budget, self.summary_budget) = (undone.tail_budget, undone.summary_budget);
        self
    }

    /// Takes out the stubs that are made only after the split: all of them if only the head is pruned.
    fn held_back(&mut self, scope: PruneScope) -> Vec<Stub> {
        match scope {
            PruneScope::All => Vec::new(),
            PruneScope::Head => std::mem::take(&mut self.stubs),
        }
    }

    /// The result when there is nothing to summarize: the pruned transcript, if the settings allow pruning alone and it
    /// changes anything; else the unchanged one, for this `reason`.
    fn only_pruned(self, reason: Reason, transcript: &Transcript<'_>, settings: &Settings) -> Self {
        if !settings.prune.alone {
            return self.unchanged(reason);
        }
        let trimmed = trim(self, transcript, settings);
        if trimmed.script.is_some() { trimmed } else { trimmed.unchanged(reason) }
    }

    fn unchanged(mut self, reason: Reason) -> Self {
        self.reason = Some(reason);
        self
    }

    /// Whether pruning alone is enough: stages are progressive, and the stubs bring the load below the late trigger.
    fn is_enough(&self, transcript: &Transcript<'_>, settings: &Settings) -> bool {
        let left = self.load.compared() - saved(transcript, &self.stubs);
        settings.overflow.stages == Stages::Progressive && left < self.load.late
    }
}

/// Tokens that the stubs save in messages that the harness would load.
fn saved(transcript: &Transcript<'_>, stubs: &[Stub]) -> Tokens {
    let loaded = stubs.iter().filter(|stub| transcript.messages[stub.message].live);
    loaded.map(|stub| transcript.messages[stub.message].parts[stub.part].tokens - stub.tokens).sum()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
