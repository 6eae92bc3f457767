//! T8: splits a transcript into preamble, head and tail. T7 (overflow) and the choice of carried messages are here,
//! too.

mod carry;
mod excerpt;
mod opening;
mod overflow;
mod walk;

pub use carry::Carried;
pub use excerpt::{Excerpt, excerpt, middle_out};
pub use overflow::{LimitError, Load, ModelLimits, Usable, judge, model_limits, tail_budget, usable, usage_sum};
pub use walk::Budget;

use crate::preset::{CutBy, PruneSettings, SplitSettings, Walk};
use crate::transcript::{Message, Role, Stub, SummaryRole, Tokens, Transcript, Unit, tokens_left, units};
use walk::Content;

/// Where a transcript is cut. All lists are ascending message indices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Split {
    /// Kept verbatim before the summary: leading system messages, and the opening that a policy keeps.
    pub preamble: Vec<usize>,
    /// Summarized and removed.
    pub head: Vec<usize>,
    /// Messages of the head that are kept verbatim after the summary.
    pub carried: Carried,
    /// Kept after the summary; oversized results may be shortened.
    pub tail: Vec<usize>,
    /// The tail exceeds its budget although it is as short as the walk allows.
    pub over_budget: bool,
}

impl Split {
    /// Whether there is nothing to summarize.
    pub fn has_no_head(&self) -> bool {
        self.head.is_empty()
    }

    /// The message at index `place` of head and tail joined.
    pub fn message(&self, place: usize) -> Option<usize> {
        self.head.get(place).or_else(|| self.tail.get(place.checked_sub(self.head.len())?)).copied()
    }
}

/// The settings that a split depends on.
#[derive(Debug, Clone, Copy)]
pub struct SplitRules<'s> {
    /// How to cut.
    pub split: &'s SplitSettings,
    /// Which tools are protected, and the tokens for their results.
    pub prune: &'s PruneSettings,
    /// Role of the summary message.
    pub role: SummaryRole,
    /// The summary's budget.
    pub summary: Tokens,
    /// The head is dropped without a summary.
    pub drops: bool,
}

/// Splits a transcript whose results were stubbed by `stubs`.
pub fn split(transcript: &Transcript<'_>, stubs: &[Stub], rules: SplitRules<'_>, budget: Budget) -> Split {
    let settings = rules.split;
    let mut preamble = if settings.keep_preamble { transcript.preamble() } else { Vec::new() };
    let mut units = content_units(transcript, settings, &preamble);
    let floor = transcript.loaded_from();
    let is_old = |unit: &Unit| transcript.messages[unit.first()].record < floor;
    let native = transcript.traits.native_summary;
    // Messages before a format's own compaction boundary are not loaded: the opening is then that of the loaded ones,
    // and is carried.
    let from = if native { units.partition_point(is_old) } else { 0 };
    let before = (preamble.len(), carry::ahead(transcript, &units[..from], settings));
    let kept = from + opening::opening(transcript, &units[from..], rules, before);
    let opening = flat(&units.drain(from..kept).collect::<Vec<_>>());
    let tokens: Vec<Tokens> = units.iter().map(|unit| unit_tokens(transcript, unit, stubs)).collect();
    let loaded = units.partition_point(is_old);
    let before: Vec<usize> = preamble.iter().chain(&opening).copied().collect();
    let stay: Tokens = before.iter().map(|&index| tokens_left(&transcript.messages[index], index, stubs)).sum();
    let budget = match settings.total.filter(|_| !budget.bounds) {
        Some(total) => Budget { tokens: Tokens(total) - (stay + rules.summary), ..budget },
        None => budget,
    };
    // A policy that cuts single messages does what its original does.
    let least = if settings.cut_by == CutBy::Unit { budget.least } else { 0 };
    let (mut from, mut stuck) = (loaded, false);
    let (cut, mut carried, left) = loop {
        let content = Content::new(transcript, &units[from..], &tokens[from..]).behind(&before);
        let walked =
            from + content.cut(settings, budget, transcript.newest_compaction().is_some()) + usize::from(stuck);
        let cut = allowed(transcript, (&units, walked), rules, (from, least));
        let carried = carry::carry(transcript, (&units[..cut], &tokens[..cut]), rules);
        let left: Tokens = tokens[cut..].iter().copied().sum();
        let carries = |unit: &Unit| carried.messages.binary_search(&unit.first()).is_ok();
        let kept: Tokens =
            units[..cut].iter().zip(&tokens).filter(|(unit, _)| carries(unit)).map(|(_, own)| *own).sum();
        // The share of a short conversation may be no messages: then one more unit goes.
        let ends = cut >= units.len() || (cut <= from && (stuck || from + 1 >= units.len()));
        if !settings.walk.takes_share() || stay + kept + left < budget.goal || ends {
            break (cut, carried, left);
        }
        stuck = cut <= from;
        from = from.max(cut);
    };
    let over_budget = matches!(settings.walk, Walk::Fit | Walk::AddThenTest) && left > budget.tokens;
    let mut head = flat(&units[..cut]);
    head.retain(|message| carried.messages.binary_search(message).is_err());
    let place = if native { &mut carried.messages } else { &mut preamble };
    place.extend(opening);
    place.sort_unstable();
    Split { preamble, head, carried, tail: flat(&units[cut..]), over_budget }
}

/// The number of leading units that only a queue has: no resume loads them before what the tail begins with.
fn only_queued(transcript: &Transcript<'_>, units: &[Unit]) -> usize {
    let is_queued = |unit: &&Unit| unit.messages.iter().all(|&index| transcript.messages[index].queued);
    units.iter().take_while(is_queued).count()
}

/// Moves a cut to where the format allows one: a training row keeps an assistant answer; after a user summary the tail
/// starts with the assistant, or with a user where the head is dropped. At least `least` of the units from `floor` on
/// stay if the format allows it. 0 (no cut) if the first user message is pinned and there is none.
fn allowed(
    transcript: &Transcript<'_>,
    (units, mut cut): (&[Unit], usize),
    rules: SplitRules<'_>,
    (floor, least): (usize, usize),
) -> usize {
    if rules.split.pin_first_user && transcript.first_real_user().is_none() {
        return 0;
    }
    if transcript.traits.training_row && !transcript.traits.answered_beside {
        cut = cut.min(last_assistant(transcript, units).unwrap_or(cut));
    }
    let cut = match transcript.traits.takes_user_summary(rules.role) {
        true if rules.drops => last_user(transcript, units, cut),
        true => next_assistant(transcript, units, cut, (floor, least)),
        false => cut,
    };
    cut + units.get(cut..).filter(|_| cut > floor).map_or(0, |tail| only_queued(transcript, tail))
}

/// Index of the last unit up to the cut that starts with a user message.
fn last_user(transcript: &Transcript<'_>, units: &[Unit], cut: usize) -> usize {
    let starts = |at: &usize| units.get(*at).is_some_and(|unit| transcript.messages[unit.first()].role == Role::User);
    (0..=cut).rev().find(starts).unwrap_or(0)
}

/// The messages of the units, ascending.
fn flat(units: &[Unit]) -> Vec<usize> {
    let mut all: Vec<usize> = units.iter().flat_map(|unit| unit.messages.iter().copied()).collect();
    all.sort_unstable();
    all
}

/// The units that can be cut: not the preamble, earlier summaries, synthetic messages or abandoned branches.
fn content_units(transcript: &Transcript<'_>, settings: &SplitSettings, preamble: &[usize]) -> Vec<Unit> {
    let belongs = |index: usize, message: &Message<'_>| {
        message.is_content() && !message.abandoned && preamble.binary_search(&index).is_err()
    };
    match settings.cut_by {
        CutBy::Unit => units(transcript, belongs),
        CutBy::Message => {
            let all = transcript.messages.iter().enumerate().filter(|(index, message)| belongs(*index, message));
            all.map(|(index, _)| Unit { messages: vec![index] }).collect()
        }
    }
}

fn unit_tokens(transcript: &Transcript<'_>, unit: &Unit, stubs: &[Stub]) -> Tokens {
    unit.messages.iter().map(|&index| tokens_left(&transcript.messages[index], index, stubs)).sum()
}

/// Index of the last unit with an assistant message that is trained on, else of the last with any: a row without one
/// trains nothing.
fn last_assistant(transcript: &Transcript<'_>, units: &[Unit]) -> Option<usize> {
    let answers = |unit: &Unit, trained: bool| {
        let mut messages = unit.messages.iter().map(|&index| &transcript.messages[index]);
        messages.any(|message| message.role == Role::Assistant && !(trained && message.untrained))
    };
    units.iter().rposition(|unit| answers(unit, true)).or_else(|| units.iter().rposition(|unit| answers(unit, false)))
}

/// Moves the cut so that after a user summary the tail starts with the assistant, not with a user or a tool whose
/// result answers no call. A pinned user message stays: the summary then goes into the `system` field where roles
/// alternate (SPEC ruling 5). If fewer than `least` units would be left, it stays where users may speak in a row, or
/// moves back, at most to `floor`.
fn next_assistant(transcript: &Transcript<'_>, units: &[Unit], cut: usize, (floor, least): (usize, usize)) -> usize {
    let pinned = transcript.last_real_user();
    let first = |unit: &Unit| &transcript.messages[unit.first()];
    let starts_with_other =
        |unit: &Unit| matches!(first(unit).role, Role::User | Role::Tool) && Some(unit.first()) != pinned;
    let next = cut + units[cut..].iter().take_while(|unit| cut > 0 && starts_with_other(unit)).count();
    if next == cut || units.len() - next >= least.min(units.len() - cut) {
        return next;
    }
    let by_user = units.get(cut).is_some_and(|unit| first(unit).role == Role::User);
    if by_user && !transcript.traits.alternates {
        return cut;
    }
    let before = units[..cut].iter().rposition(|unit| !starts_with_other(unit));
    before.filter(|before| *before >= floor).unwrap_or(next)
}

#[cfg(test)]
mod tests;
