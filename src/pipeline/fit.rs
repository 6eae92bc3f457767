//! Split and summary, as large as their budgets and `--max-tokens` allow: first the tail shrinks, then the summary.

use super::{Compaction, Refusal, Tools};
use crate::preset::{Oversize, Settings};
use crate::prune::tokens_left;
use crate::split::{Budget, Excerpt, Split, excerpt, split, tail_budget};
use crate::summary::{Request, Summary, extractive, unwrap};
use crate::transcript::{Author, Message, Tokens, Transcript};

/// Room for what a format writes around a summary and for a continuation.
const MARGIN: Tokens = Tokens(64);

/// A split and its summary.
pub(super) struct Fitted {
    pub(super) split: Split,
    pub(super) excerpts: Vec<Excerpt>,
    pub(super) summary: Summary,
    pub(super) tail_budget: Tokens,
    pub(super) summary_budget: Tokens,
}

/// What came of fitting.
pub(super) enum Fit {
    /// A split and its summary.
    Done(Box<Fitted>),
    /// There is nothing to do, for this reason.
    Nothing(&'static str),
}

/// Splits and summarizes, unless there is no head, or none that a summary could be shorter than.
pub(super) fn fit(
    transcript: &Transcript<'_>,
    done: &Compaction,
    settings: &Settings,
    tools: Tools<'_>,
) -> Result<Fit, Refusal> {
    let usable = (done.load.usable, done.load.formula.as_str());
    let mut first = tail_budget(usable, &settings.split, settings.limits.max_tokens)?;
    if transcript.traits.training_row && !settings.strict {
        first.least = first.least.max(1);
    }
    let bound = bound(transcript, settings);
    let mut cut = Cut::new(transcript, done, settings, first);
    let mut candidates = smaller(transcript, first).into_iter();
    loop {
        let kept = cut.kept(tools);
        if cut.split.has_no_head() && kept.total <= bound.most {
            return Ok(Fit::Nothing(no_head(transcript)));
        }
        let budget = summary_budget(transcript, &cut.split, settings);
        let room = bound.most.saturating_sub(kept.total + MARGIN).min(budget);
        let enough = if bound.stated { budget } else { budget.scaled(1, 4) };
        match candidates.next().filter(|_| room < enough) {
            Some(next) => cut = Cut::new(transcript, done, settings, next),
            None => return summarize(transcript, (cut, kept), room, tools, bound),
        }
    }
}

/// The most that a result may have.
#[derive(Clone, Copy)]
struct Bound {
    most: Tokens,
    /// By `--max-tokens`; else it is what the harness would load now, which must not rise.
    stated: bool,
}

fn bound(transcript: &Transcript<'_>, settings: &Settings) -> Bound {
    let live = transcript.messages.iter().filter(|message| message.live).map(Message::tokens).sum::<Tokens>();
    let live = if settings.strict { Tokens(u64::MAX) } else { live };
    match settings.limits.max_tokens.map(Tokens) {
        Some(most) if most <= live => Bound { most, stated: true },
        _ => Bound { most: live, stated: false },
    }
}

/// A split with the budget it was made for.
struct Cut<'c, 't> {
    transcript: &'c Transcript<'t>,
    done: &'c Compaction,
    settings: &'c Settings,
    budget: Budget,
    split: Split,
}

/// What stays beside the summary.
struct Kept {
    total: Tokens,
    excerpts: Vec<Excerpt>,
}

impl<'c, 't> Cut<'c, 't> {
    fn new(transcript: &'c Transcript<'t>, done: &'c Compaction, settings: &'c Settings, budget: Budget) -> Self {
        let split = split(transcript, &done.stubs, (&settings.split, &settings.prune), budget);
        Self { transcript, done, settings, budget, split }
    }

    /// Shortens what is too long for the tail and sums up what stays.
    fn kept(&self, tools: Tools<'_>) -> Kept {
        let sum = |messages: &[usize]| messages.iter().map(|&index| self.left(index)).sum::<Tokens>();
        let tail = sum(&self.split.tail);
        let shorten = self.split.over_budget && self.settings.split.oversize == Oversize::Excerpt;
        let excerpts = if shorten { self.excerpts(tail, tools) } else { Vec::new() };
        let cut = excerpts.iter().map(|excerpt| self.tokens(excerpt) - excerpt.tokens).sum::<Tokens>();
        Kept { total: sum(&self.split.preamble) + sum(&self.split.carried.messages) + tail - cut, excerpts }
    }

    fn excerpts(&self, tail: Tokens, tools: Tools<'_>) -> Vec<Excerpt> {
        let stubs = &self.done.stubs;
        let gone =
            |message, part| stubs.binary_search_by_key(&(message, part), |stub| (stub.message, stub.part)).is_ok();
        let results = self.split.tail.iter().flat_map(|&index| {
            let parts = self.transcript.messages[index].parts.iter().enumerate();
            let results = parts.filter(move |(at, part)| is_result(part) && !gone(index, *at));
            results.map(|(_, part)| part.tokens)
        });
        let others = tail - results.sum::<Tokens>();
        excerpt(self.transcript, &self.split.tail, (self.budget.tokens, others), &gone, tools.count)
    }

    fn left(&self, index: usize) -> Tokens {
        tokens_left(&self.transcript.messages[index], index, &self.done.stubs)
    }

    fn tokens(&self, excerpt: &Excerpt) -> Tokens {
        self.transcript.messages[excerpt.message].parts[excerpt.part].tokens
    }
}

fn is_result(part: &crate::transcript::Part<'_>) -> bool {
    matches!(part.kind, crate::transcript::PartKind::Result { .. }) && !part.slot.content.is_empty()
}

/// Ever smaller budgets for the tail. A training row keeps its last unit: it is what is trained.
fn smaller(transcript: &Transcript<'_>, first: Budget) -> Vec<Budget> {
    let last = if transcript.traits.training_row { 1 } else { 0 };
    let steps = [(3, 4), (1, 2), (1, 4), (1, 8)].map(|(n, d)| Budget { tokens: first.tokens.scaled(n, d), ..first });
    let floor = Budget { tokens: Tokens::default(), least: last };
    steps.into_iter().chain([Budget { least: 1.min(first.least), ..floor }, floor]).collect()
}

/// Of the settings, at most half of the unpruned head (SPEC ruling 10); a strict preset knows no such bound.
fn summary_budget(transcript: &Transcript<'_>, split: &Split, settings: &Settings) -> Tokens {
    if settings.strict {
        return Tokens(settings.summary.tokens);
    }
    let prior = transcript.messages.iter().filter(|message| message.author == Author::Summary && !message.abandoned);
    let head: Tokens = split.head.iter().map(|&index| transcript.messages[index].tokens()).sum();
    let covered = head + prior.map(|message| message.tokens()).sum();
    Tokens(settings.summary.tokens).min(covered.scaled(1, 2))
}

fn summarize(
    transcript: &Transcript<'_>,
    (cut, kept): (Cut<'_, '_>, Kept),
    room: Tokens,
    tools: Tools<'_>,
    bound: Bound,
) -> Result<Fit, Refusal> {
    let request = Request {
        head: cut.split.head.iter().map(|&index| &transcript.messages[index]).collect(),
        prior: prior(transcript),
        notes: notes(&cut.split),
        budget: room,
        count: tools.count,
    };
    let tail_budget = cut.budget.tokens;
    match extractive(&request, tools.template) {
        Ok(summary) => {
            let split = cut.split;
            let excerpts = kept.excerpts;
            Ok(Fit::Done(Box::new(Fitted { split, excerpts, summary, tail_budget, summary_budget: room })))
        }
        Err(_) if bound.stated => Err(Refusal::OverBudget { least: kept.total, most: bound.most }),
        Err(_) => Ok(Fit::Nothing("would_not_shrink")),
    }
}

/// Why there is no head: nothing is old, or all that is old was summarized before.
fn no_head(transcript: &Transcript<'_>) -> &'static str {
    let summarized = transcript.messages.iter().any(|message| message.author == Author::Summary);
    if summarized { "already_compacted" } else { "no_head" }
}

/// The texts of earlier summaries, oldest first.
fn prior(transcript: &Transcript<'_>) -> Vec<String> {
    let summaries =
        transcript.messages.iter().filter(|message| message.author == Author::Summary && !message.abandoned);
    summaries.map(|message| message.text()).map(|text| unwrap(&text).unwrap_or_else(|| text.into_owned())).collect()
}

/// What the next agent has to be told though nobody said it.
fn notes(split: &Split) -> Vec<String> {
    split.carried.did_not_fit.iter().map(|call| format!("Load again, its output did not fit: {call}")).collect()
}
