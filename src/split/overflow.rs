//! T7: whether a transcript is too large for its model.

use crate::preset::{Comparison, Limits, Measure, OverflowSettings};
use crate::transcript::{Message, Tokens, Transcript, Usage};
use std::collections::BTreeMap;

/// The most that any model is let answer, whatever it states (opencode's OUTPUT_TOKEN_MAX).
const OUTPUT_MAX: u64 = 32_000;

/// How large a transcript is, and what it is compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// Tokens that fit beside the answer; `u64::MAX` for an unlimited context.
    pub usable: Tokens,
    /// How that came about, term by term.
    pub formula: String,
    /// The number that counts as overflow.
    pub trigger: Tokens,
    /// Tokens of what the harness would load.
    pub counted: Tokens,
    /// The newest usage that the log recorded since the last compaction.
    pub recorded: Option<Tokens>,
    /// The recorded number decided.
    pub by_record: bool,
    /// It overflows.
    pub overflow: bool,
}

/// Limits that leave no room.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// Nothing is left for the transcript.
    #[error("no room: usable = {0} = 0; raise --context-window, or lower --output-limit or --reserve")]
    NothingUsable(String),
    /// The tail alone may exceed what is usable.
    #[error("impossible limits: the tail's budget {tail} is above usable = {formula} = {usable}; lower --tail-tokens")]
    TailAboveUsable {
        /// The tail's budget.
        tail: Tokens,
        /// Tokens that fit.
        usable: Tokens,
        /// How that came about.
        formula: String,
    },
    /// The model is not in the table.
    #[error("unknown model `{0}`: state --context-window and --output-limit instead")]
    UnknownModel(String),
}

/// Context window and output limit of a model, by how its name begins. As the vendors stated them in November 2026.
const MODELS: &[(&str, u64, u64)] = &[
    ("claude-opus-5", 200_000, 64_000),
    ("claude-sonnet-5", 200_000, 64_000),
    ("claude-", 200_000, 64_000),
    ("gpt-5", 400_000, 128_000),
    ("gpt-4.1", 1_047_576, 32_768),
    ("gpt-4o", 128_000, 16_384),
    ("gpt-4-turbo", 128_000, 4_096),
    ("gpt-4", 8_192, 8_192),
    ("gpt-3.5-turbo", 16_385, 4_096),
    ("o1", 200_000, 100_000),
    ("o3", 200_000, 100_000),
    ("o4-mini", 200_000, 100_000),
    ("gemini-2.5", 1_048_576, 65_536),
    ("gemini-3", 1_048_576, 65_536),
    ("deepseek", 128_000, 8_192),
    ("qwen3", 262_144, 32_768),
];

/// Context window and output limit of a model.
///
/// # Errors
/// The table does not know the model.
pub fn model_limits(model: &str) -> Result<(u64, u64), LimitError> {
    let name = model.rsplit('/').next().unwrap_or(model);
    let known = MODELS.iter().find(|(start, ..)| name.starts_with(start));
    known.map(|(_, context, output)| (*context, *output)).ok_or_else(|| LimitError::UnknownModel(model.into()))
}

/// The tokens that fit beside the answer, and the terms of the formula. A context of 0 is unlimited.
///
/// # Errors
/// Nothing is left.
pub fn usable(limits: &Limits) -> Result<(Tokens, String), LimitError> {
    let (tokens, formula) = unbounded(limits);
    let (tokens, formula) = match limits.max_tokens {
        Some(most) => (tokens.min(most), format!("min({formula}, max-tokens {most})")),
        None => (tokens, formula),
    };
    if tokens == 0 { Err(LimitError::NothingUsable(formula)) } else { Ok((Tokens(tokens), formula)) }
}

fn unbounded(limits: &Limits) -> (u64, String) {
    let reserve = limits.reserve;
    if let Some(usable) = limits.usable {
        (usable, format!("{usable} (stated)"))
    } else if limits.context_window == 0 {
        (u64::MAX, "unlimited (context window 0)".into())
    } else if let Some(input) = limits.input_limit.filter(|input| *input > 0) {
        (input.saturating_sub(reserve), format!("input limit {input} − reserve {reserve}"))
    } else {
        let (context, output) = (limits.context_window, output_allowance(limits));
        let left = context.saturating_sub(output).saturating_sub(reserve);
        (left, format!("context window {context} − output {output} − reserve {reserve}"))
    }
}

/// The model's output limit, at most 32 000; a limit of 0 is not stated.
fn output_allowance(limits: &Limits) -> u64 {
    if limits.output_limit == 0 { OUTPUT_MAX } else { limits.output_limit.min(OUTPUT_MAX) }
}

/// Measures a transcript and compares it with its limits.
///
/// # Errors
/// The limits leave no room.
pub fn judge(transcript: &Transcript<'_>, limits: &Limits, settings: &OverflowSettings) -> Result<Load, LimitError> {
    let (usable, formula) = usable(limits)?;
    let live = transcript.messages.iter().filter(|message| message.live);
    let (messages, counted) = live.fold((0, Tokens::default()), |(n, sum), message| (n + 1, sum + message.tokens()));
    let recorded = recorded(transcript);
    let by_record = match settings.measure {
        Measure::Larger => recorded.is_some_and(|recorded| recorded > counted),
        Measure::Recorded => recorded.is_some(),
    };
    let load = recorded.filter(|_| by_record).unwrap_or(counted);
    let trigger = settings.trigger_tokens.map_or_else(|| share(usable, settings.trigger), Tokens);
    let reached = match settings.comparison {
        Comparison::AtLimit => load >= trigger,
        Comparison::AboveLimit => load > trigger,
    };
    let many = settings.trigger_messages.is_some_and(|most| messages >= most);
    let limited = settings.trigger_messages.is_none() || settings.trigger_tokens.is_some();
    let unlimited = usable == Tokens(u64::MAX) && settings.trigger_tokens.is_none();
    let overflow = settings.auto && (many || (limited && reached && !unlimited));
    Ok(Load { usable, formula, trigger, counted, recorded, by_record, overflow })
}

fn share(usable: Tokens, trigger: f64) -> Tokens {
    if usable == Tokens(u64::MAX) { usable } else { usable.scaled((trigger * 1e6).round() as u64, 1_000_000) }
}

/// The newest usage that a loaded message recorded. Pieces of one API message repeat it while it grows: the largest counts.
fn recorded(transcript: &Transcript<'_>) -> Option<Tokens> {
    let newest = transcript.messages.iter().rev().find(|message| message.live && has_usage(message))?;
    let same = |message: &&Message<'_>| message.group.is_some() && message.group == newest.group;
    let pieces = transcript.messages.iter().filter(same).filter_map(|message| message.usage);
    pieces.chain(newest.usage).map(|usage| usage.total()).max()
}

fn has_usage(message: &Message<'_>) -> bool {
    message.usage.is_some_and(|usage| usage.total() > Tokens::default())
}

/// Usage of these messages, once per API message: the number of those, and the sum of the final numbers.
pub fn usage_sum<'m, 'a: 'm>(messages: impl Iterator<Item = &'m Message<'a>>) -> (u64, Usage) {
    let mut last: BTreeMap<(Option<&str>, usize), Usage> = BTreeMap::new();
    for message in messages.filter(|message| has_usage(message)) {
        let key = (message.group.as_deref(), if message.group.is_some() { 0 } else { message.record });
        last.extend(message.usage.map(|usage| (key, usage)));
    }
    let sum = last.values().fold(Usage::default(), |sum, usage| Usage {
        input: sum.input + usage.input,
        cache_read: sum.cache_read + usage.cache_read,
        cache_write: sum.cache_write + usage.cache_write,
        output: sum.output + usage.output,
    });
    (last.len() as u64, sum)
}
