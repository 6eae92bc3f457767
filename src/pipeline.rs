//! The pipeline: every stage once, in order, over one transcript in memory.

mod append;
mod fit;
mod lost;
mod reassemble;
mod thinking;
mod trim;

use self::fit::{Fit, Fitted};
use crate::continuation::{Action, State};
use crate::preset::{Mode, PruneScope, PruneSettings, Settings, Stages, SummarizerKind, When};
use crate::prune::prune;
use crate::split::{Excerpt, LimitError, Load, Split, judge};
use crate::summary::{NoSummary, Summarize, Summary, Template};
use crate::transcript::{Append, EditScript, Spread, Stub, Tokens, Transcript};

/// What the stages are handed.
#[derive(Clone, Copy)]
pub struct Tools<'t> {
    /// Counts tokens of a text.
    pub count: &'t (dyn Fn(&str) -> Tokens + Sync),
    /// Does what can be done on several cores at once.
    pub spread: &'t dyn Spread,
    /// The template of the summary.
    pub template: &'t Template,
    /// Who turns the extractive summary into the final one, if anybody does.
    pub summarizer: Option<&'t dyn Summarize>,
}

/// What shall become of a transcript, and why.
#[derive(Debug)]
pub struct Compaction {
    /// The edits; none where the transcript stays as it is.
    pub script: Option<EditScript>,
    /// Why it stays as it is, as a stable word.
    pub reason: Option<&'static str>,
    /// How large the transcript is.
    pub load: Load,
    /// What was pruned.
    pub stubs: Vec<Stub>,
    /// What was shortened.
    pub excerpts: Vec<Excerpt>,
    /// Reasoning parts that went since the edit made them dead.
    pub dead_reasoning: u64,
    /// Head and tail.
    pub split: Option<Split>,
    /// The tail's budget.
    pub tail_budget: Tokens,
    /// The summary's budget.
    pub summary_budget: Tokens,
    /// The summary.
    pub summary: Option<Summary>,
    /// Its tokens, wrapper included.
    pub summary_tokens: Tokens,
    /// The state before compaction, and what is done about it.
    pub continuation: Option<(State, Action)>,
}

/// Why a transcript can't be compacted as the settings demand.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The limits leave no room.
    #[error(transparent)]
    Limits(#[from] LimitError),
    /// The format can't record a compaction behind what is stored.
    #[error("the format has no record of a compaction that could be appended: use --mode rewrite")]
    NoRecord,
    /// The least that must stay is above `--max-tokens`.
    #[error("what must stay needs {least} tokens, summary included, above --max-tokens {most}")]
    OverBudget {
        /// Tokens that must stay.
        least: Tokens,
        /// The bound.
        most: Tokens,
    },
    /// A model was to write the summary, and nobody else may.
    #[error(transparent)]
    NoSummary(#[from] NoSummary),
}

/// Compacts a transcript whose parts are counted.
///
/// # Errors
/// The limits are impossible, or the result can't be brought under `--max-tokens`.
pub fn compact(transcript: &Transcript<'_>, settings: &Settings, tools: Tools<'_>) -> Result<Compaction, Refusal> {
    let mut done = Compaction::new(judge(transcript, &settings.limits, &settings.overflow)?);
    if let Some(reason) = transcript.traits.fixed {
        return Ok(done.unchanged(reason));
    }
    let appends = settings.output.mode == Mode::Append;
    if appends && transcript.traits.append == Append::Never {
        return Err(Refusal::NoRecord);
    }
    if !settings.overflow.auto || (settings.overflow.when == When::Overflow && !done.load.overflow) {
        let alone = settings.prune.alone;
        return Ok(if alone {
            trim::trim(done.pruned(transcript, settings, tools), transcript, settings)
        } else {
            done.unchanged("below_trigger")
        });
    }
    if appends {
        return append::append(done, transcript, settings, tools);
    }
    done = done.pruned(transcript, settings, tools);
    if settings.summary.by == SummarizerKind::None || done.is_enough(transcript, settings) {
        return Ok(trim::trim(done, transcript, settings));
    }
    let later = done.held_back(settings.prune.scope);
    let fitted = match fit::fit(transcript, &done, settings, tools)? {
        Fit::Done(fitted) => *fitted,
        Fit::PruneOnly => return Ok(trim::trim(done, transcript, settings)),
        Fit::Nothing(reason) => {
            done.stubs.extend(later);
            return Ok(done.only_pruned(reason, transcript, settings));
        }
    };
    done.stubs.extend(later.into_iter().filter(|stub| fitted.split.tail.binary_search(&stub.message).is_err()));
    Ok(reassemble::reassemble(done, fitted, transcript, settings))
}

/// What pruning alone would replace in a transcript whose parts are counted.
pub fn stubs(transcript: &Transcript<'_>, settings: &PruneSettings, tools: Tools<'_>) -> Vec<Stub> {
    prune(transcript, settings, tools.count)
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

    fn pruned(mut self, transcript: &Transcript<'_>, settings: &Settings, tools: Tools<'_>) -> Self {
        self.stubs = stubs(transcript, &settings.prune, tools);
        self
    }

    /// Takes over what was split and summarized.
    fn with(mut self, fitted: Fitted) -> Self {
        self.excerpts = fitted.excerpts;
        self.tail_budget = fitted.tail_budget;
        self.summary_budget = fitted.summary_budget;
        self.summary_tokens = fitted.summary_tokens;
        self.summary = Some(fitted.summary);
        self.split = Some(fitted.split);
        self
    }

    /// The stubs that are not made before the split.
    fn held_back(&mut self, scope: PruneScope) -> Vec<Stub> {
        match scope {
            PruneScope::All => Vec::new(),
            PruneScope::Head => std::mem::take(&mut self.stubs),
        }
    }

    /// There is nothing to sum up: what is pruned is written if it may be written alone.
    fn only_pruned(self, reason: &'static str, transcript: &Transcript<'_>, settings: &Settings) -> Self {
        if !settings.prune.alone {
            return self.unchanged(reason);
        }
        let trimmed = trim::trim(self, transcript, settings);
        if trimmed.script.is_some() { trimmed } else { trimmed.unchanged(reason) }
    }

    fn unchanged(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    /// In progressive stages: pruning alone ends the overflow.
    fn is_enough(&self, transcript: &Transcript<'_>, settings: &Settings) -> bool {
        let load = self.load.recorded.filter(|_| self.load.by_record).unwrap_or(self.load.counted);
        settings.overflow.stages == Stages::Progressive && load - saved(transcript, &self.stubs) < self.load.late
    }
}

/// Tokens that stubs save of what the harness would load.
fn saved(transcript: &Transcript<'_>, stubs: &[Stub]) -> Tokens {
    let loaded = stubs.iter().filter(|stub| transcript.messages[stub.message].live);
    loaded.map(|stub| transcript.messages[stub.message].parts[stub.part].tokens - stub.tokens).sum()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod parity;
