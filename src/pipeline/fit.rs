//! Fits split and summary into their budgets and `--max-tokens`: first the tail shrinks, then the summary.

mod worth;

use self::worth::LEAST_SUMMARY;
use super::bounds::{Bound, Undone, no_head, smaller};
use super::earlier::{before, covered, earlier};
use super::losing_text::lost;
use super::{Compaction, Refusal, Tools, size};
use crate::preset::{Mode, Oversize, Settings, SummarizerKind};
use crate::reason::Reason;
use crate::split::{Budget, Excerpt, Split, SplitRules, excerpt, middle_out, split, tail_budget};
use crate::summary::{Place, Request, Summary, SummaryError, Task, extractive, frame, note, nothing};
use crate::transcript::{Author, Message, Stub, Tokens, Transcript, tokens_left};

/// Tokens reserved for the text that a native format writes around a summary; a longer known text counts instead.
const PREFACE: Tokens = Tokens(40);

/// By how many tokens a bound is raised to find the least one.
const STEP: u64 = 8;

/// A split and its summary.
pub(super) struct Fitted {
    pub(super) split: Split,
    pub(super) excerpts: Vec<Excerpt>,
    pub(super) summary: Summary,
    pub(super) summary_tokens: Tokens,
    pub(super) tail_budget: Tokens,
    pub(super) summary_budget: Tokens,
    /// Tokens of the result, summary included.
    pub(super) total: Tokens,
}

/// The outcome of fitting.
pub(super) enum Fit {
    /// A split and its summary.
    Done(Box<Fitted>),
    /// Pruning alone brings the transcript below its bound.
    PruneOnly,
    /// Nothing is to be done.
    Nothing(Undone),
}

/// Splits and summarizes. Returns a reason instead if there is no head, or none that a summary could be shorter than.
pub(super) fn split_and_summarize(
    transcript: &Transcript<'_>,
    done: &Compaction,
    settings: &Settings,
    tools: Tools<'_>,
) -> Result<Fit, Refusal> {
    let load = &done.load;
    let goal = load.trigger - Tokens(settings.summary.tokens).min(load.trigger.scaled(1, 4));
    let first = Budget { goal, ..tail_budget(&load.usable, &settings.split, settings.limits.max_tokens)? };
    // A summary needs messages before it that it replaces; a transcript of one record has none.
    if transcript.records.len() < 2 && !settings.strict && settings.limits.max_tokens.is_none() {
        return Ok(Undone::early(no_head(transcript), first.tokens));
    }
    if settings.split.walk.takes_share() && transcript.newest_compaction().is_some() && load.counted < load.trigger {
        return Ok(Undone::early(Reason::AlreadyCompacted, first.tokens));
    }
    let bound = Bound::new(transcript, settings);
    let mut cut = Cut::new(transcript, done, settings, first);
    for budget in if bound.stated { smaller(first) } else { Vec::new() } {
        if let Some(fitted) = cut.worthwhile(bound, tools) {
            return cut.finished(fitted, tools);
        }
        cut = Cut::new(transcript, done, settings, budget);
    }
    cut.last(bound, tools)
}

/// A split and the tail budget it was made for.
struct Cut<'c, 't> {
    transcript: &'c Transcript<'t>,
    done: &'c Compaction,
    settings: &'c Settings,
    budget: Budget,
    split: Split,
}

/// The messages beside the summary: their tokens, and those that are shortened.
struct Kept {
    total: Tokens,
    excerpts: Vec<Excerpt>,
}

impl<'c, 't> Cut<'c, 't> {
    fn new(transcript: &'c Transcript<'t>, done: &'c Compaction, settings: &'c Settings, budget: Budget) -> Self {
        let drops = settings.summary.by == SummarizerKind::Drop;
        let rules = SplitRules {
            split: &settings.split,
            prune: &settings.prune,
            role: settings.summary.role,
            summary: Tokens(if drops { 0 } else { settings.summary.tokens }),
            drops,
        };
        let split = split(transcript, &done.stubs, rules, budget);
        Self { transcript, done, settings, budget, split }
    }

    /// The summary in the tokens left, if no smaller tail need be tried.
    fn worthwhile(&self, bound: Bound, tools: Tools<'_>) -> Option<Fitted> {
        if self.split.has_no_head() {
            return None;
        }
        summarize(self, self.kept(tools), bound, tools).ok().filter(|fitted| self.is_worth_it(fitted, tools.template))
    }

    /// The outcome with this tail, as no smaller one is left to try.
    fn last(&self, bound: Bound, tools: Tools<'_>) -> Result<Fit, Refusal> {
        let kept = self.kept(tools);
        if self.split.has_no_head() {
            return match bound.stated {
                false => Ok(Undone::early(no_head(self.transcript), self.budget.tokens)),
                true if kept.total <= bound.most => Ok(Fit::PruneOnly),
                true => Err(bound.exceeded(kept.total)),
            };
        }
        match summarize(self, kept, bound, tools) {
            Ok(fitted) if !bound.stated && self.only_repeats(&fitted) => {
                Ok(self.undone(Reason::AlreadyCompacted, fitted.summary_budget))
            }
            Ok(fitted) if !bound.stated && self.says_nothing(&fitted, tools.template) => {
                Ok(self.too_small(fitted.summary_budget))
            }
            Ok(fitted) if self.says_nothing(&fitted, tools.template) && self.pruned() <= bound.most => {
                Ok(Fit::PruneOnly)
            }
            // What has to stay leaves the summary room for its headings only.
            Ok(fitted) if bound.stated && self.is_blank(&fitted) => Err(bound.exceeded(self.least(bound, tools))),
            Ok(fitted) => self.finished(fitted, tools),
            Err(small) if !bound.stated => Ok(self.too_small(small.budget)),
            Err(_) => Err(bound.exceeded(self.least(bound, tools))),
        }
    }

    /// The least tokens above a bound with which the summary says something. If it never does, nothing but what is pruned
    /// can go.
    fn least(&self, bound: Bound, tools: Tools<'_>) -> Tokens {
        let tried = |most: Tokens| summarize(self, self.kept(tools), Bound { most, ..bound }, tools);
        let (mut most, mut least) = (bound.most, bound.most + Tokens(1));
        let steps = 2 * LEAST_SUMMARY.0 / STEP;
        if let Err(small) = tried(most + Tokens(STEP)) {
            (most, least) = (most.max(small.needed), least.max(small.needed));
        }
        let far = most + Tokens(STEP * steps);
        let never = match tried(far) {
            Ok(fitted) => self.is_blank(&fitted),
            // There is room, but the head is too short for any summary.
            Err(small) => small.needed <= far,
        };
        if never {
            return self.pruned().max(bound.most + Tokens(1));
        }
        for _ in 0..steps {
            most += Tokens(STEP);
            match tried(most) {
                Ok(fitted) if !self.is_blank(&fitted) => return most.max(least),
                Ok(_) => {}
                Err(small) => (most, least) = (most.max(small.needed), least.max(small.needed)),
            }
        }
        most.max(least)
    }

    /// Nothing is done with this tail and a summary of `budget` tokens.
    fn undone(&self, reason: Reason, budget: Tokens) -> Fit {
        Fit::Nothing(Undone { reason, tail_budget: self.budget.tokens, summary_budget: budget })
    }

    /// The outcome if no summary of `budget` tokens says anything: either the stated budget is too small, or the head.
    fn too_small(&self, budget: Tokens) -> Fit {
        let stated = budget == Tokens(self.settings.summary.tokens);
        self.undone(if stated { Reason::SmallSummaryBudget } else { Reason::WouldNotShrink }, budget)
    }

    /// A result whose summary is final.
    fn finished(&self, fitted: Fitted, tools: Tools<'_>) -> Result<Fit, Refusal> {
        Ok(Fit::Done(Box::new(self.placed(self.written(fitted, tools)?))))
    }

    /// Tokens that pruning alone leaves.
    fn pruned(&self) -> Tokens {
        (0..self.transcript.messages.len()).map(|index| self.left(index)).sum()
    }

    /// Shortens results of an oversized tail and carried user messages, and counts what stays.
    fn kept(&self, tools: Tools<'_>) -> Kept {
        let sum = |messages: &[usize]| messages.iter().map(|&index| self.left(index)).sum::<Tokens>();
        let tail = sum(&self.split.tail);
        let stored = self.settings.output.mode == Mode::Append;
        let shorten = self.split.over_budget && self.settings.split.oversize == Oversize::Excerpt && !stored;
        let mut excerpts = if shorten { self.excerpts(tail, tools) } else { Vec::new() };
        let words = self.split.carried.shortened.filter(|_| !stored);
        excerpts.extend(words.and_then(|(message, level)| middle_out(self.transcript, message, level, tools.count)));
        let cut = excerpts.iter().map(|excerpt| self.tokens(excerpt) - excerpt.tokens).sum::<Tokens>();
        Kept { total: sum(&self.split.preamble) + sum(&self.split.carried.messages) + tail - cut, excerpts }
    }

    fn excerpts(&self, tail: Tokens, tools: Tools<'_>) -> Vec<Excerpt> {
        let stubs = &self.done.stubs;
        // The target of a pointer is not shortened.
        let gone = |message, part| {
            let stubbed = stubs.binary_search_by_key(&(message, part), |stub| (stub.message, stub.part)).is_ok();
            stubbed || stubs.iter().any(|stub| stub.copy == Some((message, part)))
        };
        let results = self.split.tail.iter().flat_map(|&index| {
            let parts = self.transcript.messages[index].parts.iter().enumerate();
            let results = parts.filter(move |(at, part)| part.is_replaceable_result() && !gone(index, *at));
            results.map(|(_, part)| part.tokens)
        });
        let others = tail - results.sum::<Tokens>();
        let room = self.budget.tokens.saturating_sub(others);
        excerpt(self.transcript, &self.split.tail, room, &gone, tools.count)
    }

    /// Lets the other summarizer (such as a model) write the summary, after everything that it depends on is decided.
    fn written(&self, fitted: Fitted, tools: Tools<'_>) -> Result<Fitted, Refusal> {
        let Some(summarizer) = tools.summarizer.filter(|_| self.may_gain(&fitted)) else { return Ok(fitted) };
        let request = self.request(fitted.summary_budget, &fitted.excerpts, tools);
        let stubs = self.done.stubs.iter();
        let place = |stub: &'c Stub| Some(((self.seen().binary_search(&stub.message).ok()?, stub.part), &*stub.text));
        let task = Task { request: &request, template: tools.template, pruned: stubs.filter_map(place).collect() };
        let beside = fitted.total - fitted.summary_tokens;
        let summary = summarizer.summarize(&task, fitted.summary)?;
        let summary_tokens = (tools.count)(&summary.wrapped);
        Ok(Fitted { summary, summary_tokens, total: beside + summary_tokens, ..fitted })
    }

    /// Shifts the origins of summary lines from the part of the head that was summarized to the whole head.
    fn placed(&self, mut fitted: Fitted) -> Fitted {
        let unseen = self.split.head.len() - self.seen().len();
        let origins = fitted.summary.lines.iter_mut().filter_map(|line| line.origin.as_mut());
        origins.for_each(|origin| *origin += unseen);
        fitted
    }

    /// Whether the result may save enough, however short the summary gets; otherwise the other summarizer is not asked.
    fn may_gain(&self, fitted: &Fitted) -> bool {
        let bounded = self.settings.limits.max_tokens.is_some() || self.settings.strict;
        let before = size(self.transcript, self.settings);
        let beside = fitted.total - fitted.summary_tokens;
        bounded || beside.0 as f64 <= before.0 as f64 * (1.0 - self.settings.output.min_gain)
    }

    /// The input of a summarizer, with these excerpts of the tail.
    fn request<'r>(&'r self, budget: Tokens, excerpts: &'r [Excerpt], tools: Tools<'r>) -> Request<'r, 't> {
        let Self { transcript, split, .. } = self;
        Request {
            head: self.seen().iter().map(|&index| &transcript.messages[index]).collect(),
            prior: earlier(transcript).map(|(_, text)| text).collect(),
            prior_positions: earlier(transcript)
                .map(|(index, _)| before(covered(&transcript.messages, index), self.seen(), &split.tail))
                .collect(),
            kept: [&split.preamble, &split.carried.messages, &split.tail]
                .into_iter()
                .flatten()
                .map(|&index| &transcript.messages[index])
                .collect(),
            behind: split.tail.len(),
            lost: lost(&split.tail, &self.done.stubs, excerpts),
            asked: asked(transcript, split, split.head.len() - self.seen().len()),
            notes: split.carried.notes(),
            lines: self.settings.summary.provenance.then(|| self.lines()),
            budget,
            count: tools.count,
            spread: tools.spread,
        }
    }

    /// The messages of the head that the summary is made from: all, or the newest within `sees` tokens.
    fn seen(&self) -> &[usize] {
        let head = &self.split.head;
        let Some(mut left) = self.settings.summary.sees.map(Tokens) else { return head };
        let fits = |index: &&usize| {
            let tokens = self.transcript.messages[**index].tokens();
            let fits = tokens <= left;
            left = left - tokens;
            fits
        };
        &head[head.len() - head.iter().rev().take_while(fits).count()..]
    }

    /// The place in the input of each message of the head, then of the tail.
    fn lines(&self) -> Vec<Place> {
        self.seen().iter().chain(&self.split.tail).map(|&index| Place::of(self.transcript, index)).collect()
    }

    fn left(&self, index: usize) -> Tokens {
        tokens_left(&self.transcript.messages[index], index, &self.done.stubs)
    }

    fn tokens(&self, excerpt: &Excerpt) -> Tokens {
        self.transcript.messages[excerpt.message].parts[excerpt.part].tokens
    }
}

/// The summary's budget: as set, but at most half of the unpruned head (SPEC ruling 10), except for strict presets.
fn summary_budget(transcript: &Transcript<'_>, split: &Split, settings: &Settings) -> Tokens {
    if settings.strict {
        return Tokens(settings.summary.tokens);
    }
    let prior = transcript.messages.iter().filter(|message| message.author == Author::Summary && !message.abandoned);
    let head: Tokens = split.head.iter().map(|&index| transcript.messages[index].tokens()).sum();
    let covered = head + prior.map(|message| message.tokens()).sum();
    Tokens(settings.summary.tokens).min(covered.scaled(1, 2))
}

/// No summary fits in its budget.
struct SmallBudget {
    /// Tokens that the result would need.
    needed: Tokens,
    /// Tokens that the summary may have.
    budget: Tokens,
}

/// Summarizes the head in the tokens left.
fn summarize(cut: &Cut<'_, '_>, kept: Kept, bound: Bound, tools: Tools<'_>) -> Result<Fitted, SmallBudget> {
    let transcript = cut.transcript;
    let preface = if transcript.traits.native_summary { PREFACE } else { Tokens::default() };
    let preface = preface.max((tools.count)(transcript.traits.preface));
    let question = (tools.count)(transcript.traits.question(cut.settings.summary.role));
    let beside = kept.total + preface + question + (tools.count)(&cut.settings.continuation.text);
    let budget = summary_budget(transcript, &cut.split, cut.settings).min(bound.most.saturating_sub(beside));
    // The result must not overflow: a walk that takes a share would cut it again in the next run.
    let below = cut.done.load.trigger - (beside + Tokens(1));
    let over = cut.settings.split.walk.takes_share() && !cut.settings.strict && below >= LEAST_SUMMARY;
    let budget = if over { budget.min(below) } else { budget };
    let request = cut.request(budget, &kept.excerpts, tools);
    let summary = match cut.settings.summary.by {
        // In formats that link their records, the removed ones need a replacement to link to.
        SummarizerKind::Drop if !transcript.traits.native_summary => Ok(nothing()),
        SummarizerKind::Drop | SummarizerKind::Note => note(&request, &cut.settings.summary.note),
        SummarizerKind::Frame => frame(&request, cut.settings.strict),
        _ => extractive(&request, tools.template),
    };
    let summary = summary
        .map_err(|SummaryError::BudgetTooSmall { needed, .. }| SmallBudget { needed: beside + needed, budget })?;
    let summary_tokens = (tools.count)(&summary.wrapped);
    Ok(Fitted {
        split: cut.split.clone(),
        excerpts: kept.excerpts,
        total: kept.total + summary_tokens,
        summary,
        summary_tokens,
        tail_budget: cut.budget.tokens,
        summary_budget: budget,
    })
}

/// User messages and slash commands carried out of the head, and the newest one in the tail, each with its place among
/// the head's messages: steps in the head belong to them or lead up to them. A message after others in the tail is
/// placed after the end of the head.
fn asked<'t, 'a>(transcript: &'t Transcript<'a>, split: &Split, unseen: usize) -> Vec<(usize, &'t Message<'a>)> {
    let is_command = |index: usize| transcript.messages.get(index + 1).is_some_and(|next| next.expands);
    let real = |index: &&usize| transcript.messages[**index].begins_turn() || is_command(**index);
    let carried = split.carried.messages.iter().filter(real);
    let newest = split.tail.iter().rfind(real);
    let behind = |index: usize| usize::from(split.tail.iter().take_while(|&&at| at < index).count() > 0);
    let place = |index: usize| split.head.partition_point(|&at| at < index).saturating_sub(unseen);
    carried.chain(newest).map(|&index| (place(index) + behind(index), &transcript.messages[index])).collect()
}
