//! T8: preamble, head and tail. Beside it T7, whether there is anything to do, and what is carried out of the head.

mod carry;
mod excerpt;
mod overflow;
mod walk;

pub use carry::Carried;
pub use excerpt::{Excerpt, excerpt};
pub use overflow::{LimitError, Load, judge, model_limits, tail_budget, usable, usage_sum};
pub use walk::Budget;

use crate::preset::{CutBy, PruneSettings, SplitSettings};
use crate::transcript::{Message, Role, Stub, SummaryRole, Tokens, Transcript, Unit, tokens_left, units};

/// Where a transcript is cut. All lists are ascending indices of messages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Split {
    /// Leading system messages, kept verbatim.
    pub preamble: Vec<usize>,
    /// What is summarized and goes.
    pub head: Vec<usize>,
    /// What falls in the head but is kept verbatim after the summary.
    pub carried: Carried,
    /// What is kept.
    pub tail: Vec<usize>,
    /// The tail has more tokens than its budget: it is the least that a tail may be.
    pub over_budget: bool,
}

impl Split {
    /// Whether there is nothing to summarize.
    pub fn has_no_head(&self) -> bool {
        self.head.is_empty()
    }
}

/// The settings that a split depends on.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'s> {
    /// How it is cut.
    pub split: &'s SplitSettings,
    /// Which tools are protected.
    pub prune: &'s PruneSettings,
    /// Whose message the summary shall be.
    pub role: SummaryRole,
}

/// Splits a transcript whose results were stubbed as `stubs` say.
pub fn split(transcript: &Transcript<'_>, stubs: &[Stub], rules: Rules<'_>, budget: Budget) -> Split {
    let settings = rules.split;
    let preamble = if settings.keep_preamble { transcript.preamble() } else { Vec::new() };
    let units = content_units(transcript, settings, &preamble);
    let tokens: Vec<Tokens> = units.iter().map(|unit| unit_tokens(transcript, unit, stubs)).collect();
    let floor = transcript.loaded_from();
    let loaded = units.partition_point(|unit| transcript.messages[unit.first()].record < floor);
    let mut cut = loaded + walk::cut(&tokens[loaded..], settings.walk, budget);
    if transcript.traits.training_row {
        cut = cut.min(last_assistant(transcript, &units).unwrap_or(cut));
    }
    if transcript.traits.takes_user_summary(rules.role) {
        cut = next_assistant(transcript, &units, cut);
    }
    let carried = carry::carry(transcript, (&units[..cut], &tokens[..cut]), rules);
    let over_budget = tokens[cut..].iter().copied().sum::<Tokens>() > budget.tokens;
    let flat = |units: &[Unit]| {
        let mut all: Vec<usize> = units.iter().flat_map(|unit| unit.messages.iter().copied()).collect();
        all.sort_unstable();
        all
    };
    let mut head = flat(&units[..cut]);
    head.retain(|message| carried.messages.binary_search(message).is_err());
    Split { preamble, head, carried, tail: flat(&units[cut..]), over_budget }
}

/// The units that can be cut: no preamble, no earlier summary, nothing synthetic, no branch that was left.
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

/// Index of the last unit with an assistant's message: a row without one trains nothing.
fn last_assistant(transcript: &Transcript<'_>, units: &[Unit]) -> Option<usize> {
    let answers = |unit: &Unit| unit.messages.iter().any(|&index| transcript.messages[index].role == Role::Assistant);
    units.iter().rposition(answers)
}

/// Behind a summary that is a user's message the tail starts with the assistant's. A pinned user message stays: the
/// summary then goes into the `system` field where roles alternate (SPEC ruling 5).
fn next_assistant(transcript: &Transcript<'_>, units: &[Unit], cut: usize) -> usize {
    let pinned = transcript.last_real_user();
    let starts_with_user = |unit: &Unit| {
        let first = unit.first();
        transcript.messages[first].role == Role::User && Some(first) != pinned
    };
    cut + units[cut..].iter().take_while(|unit| cut > 0 && starts_with_user(unit)).count()
}

#[cfg(test)]
mod tests;
