//! T7: whether a transcript is too large for its model.

use super::Budget;
use crate::preset::{Comparison, Limits, Measure, OverflowSettings, SplitSettings, TriggerOf};
use crate::transcript::fixed_texts::SUMMARY_OPEN;
use crate::transcript::{Author, Message, Tokens, Transcript, Usage};
use foldhash::HashMap;

/// Percent of the usage before, below which a usage shows that less is loaded than before.
const FALLEN: u64 = 80;

/// The size of a transcript and the limits that it is compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// Tokens available to the transcript, without the answer.
    pub usable: Usable,
    /// The tokens at which it overflows.
    pub trigger: Tokens,
    /// The tokens that pruning must get below in progressive stages; otherwise the rest is summarized.
    pub late: Tokens,
    /// Counted tokens of the messages that the harness would load.
    pub counted: Tokens,
    /// The newest usage that the log recorded since the last compaction.
    pub recorded: Option<Tokens>,
    /// Whether `recorded` was compared with the limit, not `counted`.
    pub by_record: bool,
    /// Whether it overflows.
    pub overflow: bool,
}

impl Load {
    /// The tokens that were compared with the limit.
    pub fn compared(&self) -> Tokens {
        compared(self.by_record, self.recorded, self.counted)
    }
}

fn compared(by_record: bool, recorded: Option<Tokens>, counted: Tokens) -> Tokens {
    recorded.filter(|_| by_record).unwrap_or(counted)
}

/// Tokens that fit in a model's context besides its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usable {
    /// Their number; `u64::MAX` for an unlimited context.
    pub tokens: Tokens,
    /// The terms of the formula behind it.
    pub formula: String,
}

/// Limits that leave no room for a transcript.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// `usable` is 0: its formula, and how to raise it.
    #[error("no room: usable = {0} = 0; {1}")]
    NothingUsable(String, &'static str),
    /// The stated tail budget exceeds the usable tokens.
    #[error("impossible limits: the tail's budget {tail} is above usable = {formula} = {usable}; lower --tail-tokens")]
    TailAboveUsable {
        /// The tail's budget.
        tail: Tokens,
        /// The usable tokens.
        usable: Tokens,
        /// The terms of the formula behind `usable`.
        formula: String,
    },
    /// No limits are known for the model.
    #[error("unknown model `{0}`: state --context-window and --output-limit beside it, or name one of {names}", names = known())]
    UnknownModel(String),
}

/// The limits of a model in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelLimits {
    /// The context window.
    pub context: u64,
    /// The output limit.
    pub output: u64,
    /// The input limit, if the vendor states one.
    pub input: Option<u64>,
}

const fn model(context: u64, output: u64) -> ModelLimits {
    ModelLimits { context, output, input: None }
}

const GPT_5: ModelLimits = ModelLimits { context: 400_000, output: 128_000, input: Some(272_000) };
const GPT_CHAT: ModelLimits = model(128_000, 16_384);

/// Models by name, as stated by the vendors in November 2026. The first match counts. Those whose answer may fill the whole
/// context window (`gpt-4`) are left out: how much room a transcript has is for the user to say.
const MODELS: &[(&str, ModelLimits)] = &[
    ("claude", model(200_000, 64_000)),
    ("gpt-5-chat", GPT_CHAT),
    ("gpt-5.1-chat", GPT_CHAT),
    ("gpt-5.2-chat", GPT_CHAT),
    ("gpt-5.3-chat", GPT_CHAT),
    ("gpt-5.3-codex-spark", model(128_000, 16_384)),
    ("gpt-5-pro", ModelLimits { output: 272_000, ..GPT_5 }),
    ("gpt-5", GPT_5),
    ("gpt-5.1", GPT_5),
    ("gpt-5.2", GPT_5),
    ("gpt-5.3", GPT_5),
    ("gpt-4.1", model(1_047_576, 32_768)),
    ("gpt-4o", model(128_000, 16_384)),
    ("gpt-4-turbo", model(128_000, 4_096)),
    ("gpt-3.5-turbo", model(16_385, 4_096)),
    ("o1-mini", model(128_000, 65_536)),
    ("o1", model(200_000, 100_000)),
    ("o3", model(200_000, 100_000)),
    ("o4-mini", model(200_000, 100_000)),
    ("gemini-2.5", model(1_048_576, 65_536)),
    ("gemini-3", model(1_048_576, 65_536)),
    ("gemini-3.1", model(1_048_576, 65_536)),
    ("deepseek", model(128_000, 8_192)),
    ("qwen3", model(262_144, 32_768)),
    ("qwen3.5", model(262_144, 32_768)),
];

/// The names of all models in the table.
fn known() -> String {
    MODELS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// The limits of a model by its name, in any case, alone or with a date or a variant behind it (`-2026-11-01`, `:free`).
///
/// # Errors
/// The model is not in the table.
pub fn model_limits(model: &str) -> Result<ModelLimits, LimitError> {
    let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
    let is = |known: &str| name.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with(VARIANT));
    let known = MODELS.iter().find(|(known, _)| is(known));
    known.map(|(_, limits)| *limits).ok_or_else(|| LimitError::UnknownModel(model.into()))
}

/// What stands between the name of a model and its date or variant.
const VARIANT: [char; 3] = ['-', ':', '@'];

/// The usable tokens. A context window of 0 is unlimited.
///
/// # Errors
/// Nothing is usable.
pub fn usable(limits: &Limits) -> Result<Usable, LimitError> {
    let (tokens, formula) = unbounded(limits);
    let (tokens, formula) = match limits.max_tokens {
        Some(most) => (tokens.min(most), format!("min({formula}, max-tokens {most})")),
        None => (tokens, formula),
    };
    if tokens == 0 {
        return Err(LimitError::NothingUsable(formula, remedy(limits)));
    }
    Ok(Usable { tokens: Tokens(tokens), formula })
}

/// The flag to change when nothing is usable.
fn remedy(limits: &Limits) -> &'static str {
    match limits {
        Limits { max_tokens: Some(0), .. } => "raise --max-tokens",
        Limits { usable: Some(_), .. } => "raise --usable",
        Limits { input_limit: Some(input), context_window: 1.., .. } if *input > 0 => {
            "raise --input-limit, or lower --reserve"
        }
        _ => "raise --context-window, or lower --output-limit or --reserve",
    }
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

/// The model's output limit, at most the cap (32 000, opencode's OUTPUT_TOKEN_MAX); an output limit of 0 counts as not
/// stated.
fn output_allowance(limits: &Limits) -> u64 {
    if limits.output_limit == 0 { limits.output_cap } else { limits.output_limit.min(limits.output_cap) }
}

/// The whole context window, or the stated usable tokens; at most `--max-tokens`. A context window of 0 is unlimited.
fn window(limits: &Limits) -> Tokens {
    let whole = if limits.context_window == 0 { u64::MAX } else { limits.context_window };
    Tokens(limits.usable.unwrap_or(whole).min(limits.max_tokens.unwrap_or(u64::MAX)))
}

/// The tail's budget: `clamp(usable × ratio, floor, cap)`, or `--tail-tokens`; at most half of `--max-tokens`.
///
/// # Errors
/// The stated budget exceeds the usable tokens.
pub fn tail_budget(usable: &Usable, settings: &SplitSettings, max_tokens: Option<u64>) -> Result<Budget, LimitError> {
    let SplitSettings { tail_tokens, tail_ratio, tail_floor, tail_cap, min_tail, .. } = *settings;
    let share = self::share(usable.tokens, tail_ratio).0;
    let tokens = Tokens(tail_tokens.unwrap_or(share.min(tail_cap).max(tail_floor)));
    if tokens > usable.tokens && tail_tokens.is_some() {
        let Usable { tokens: usable, formula } = usable.clone();
        return Err(LimitError::TailAboveUsable { tail: tokens, usable, formula });
    }
    let bound = max_tokens.map_or(usable.tokens, |most| Tokens(most / 2).min(usable.tokens));
    let least = if tail_tokens == Some(0) { 0 } else { min_tail };
    Ok(Budget { tokens: tokens.min(bound), least, bounds: max_tokens.is_some(), goal: Tokens(u64::MAX) })
}

/// Measures a transcript and compares it with its limits (T7).
///
/// # Errors
/// The limits leave no room.
pub fn judge(transcript: &Transcript<'_>, limits: &Limits, settings: &OverflowSettings) -> Result<Load, LimitError> {
    let usable = usable(limits)?;
    let live = transcript.messages.iter().filter(|message| message.live);
    let (messages, counted) = live.fold((0, Tokens::default()), |(n, sum), message| (n + 1, sum + message.tokens()));
    let recorded = recorded(transcript);
    let by_record = match settings.measure {
        Measure::Larger => recorded.is_some_and(|recorded| recorded > counted),
        Measure::Recorded => recorded.is_some(),
        Measure::Counted => false,
    };
    let load = compared(by_record, recorded, counted);
    let of = match settings.of {
        TriggerOf::Usable => usable.tokens,
        TriggerOf::Window => window(limits),
    };
    let margin = if of == Tokens(u64::MAX) { 0 } else { settings.margin };
    let trigger = share(of, settings.trigger).saturating_sub(Tokens(margin));
    let trigger = settings.trigger_tokens.map_or(trigger, Tokens);
    let late = settings.late_trigger.map_or(trigger, |late| share(of, late).saturating_sub(Tokens(margin)));
    let reached = match settings.comparison {
        Comparison::AtLimit => load >= trigger,
        Comparison::AboveLimit => load > trigger,
    };
    let many = settings.trigger_messages.is_some_and(|most| messages >= most);
    let limited = settings.trigger_messages.is_none() || settings.trigger_tokens.is_some();
    let unlimited = usable.tokens == Tokens(u64::MAX) && settings.trigger_tokens.is_none();
    let overflow = settings.auto && (many || (limited && reached && !unlimited));
    Ok(Load { usable, trigger, late, counted, recorded, by_record, overflow })
}

fn share(usable: Tokens, trigger: f64) -> Tokens {
    if usable == Tokens(u64::MAX) { usable } else { usable.scaled((trigger * 1e6).round() as u64, 1_000_000) }
}

/// The newest usage that a loaded message recorded. Pieces of one API message repeat its usage as it grows: the largest
/// counts.
fn recorded(transcript: &Transcript<'_>) -> Option<Tokens> {
    let counts = |message: &&Message<'_>| message.live && !message.stale_usage && has_usage(message);
    let newest = transcript.messages[first_fresh(&transcript.messages)..].iter().rev().find(counts)?;
    let same = |message: &&Message<'_>| message.group.is_some() && message.group == newest.group;
    let pieces = transcript.messages.iter().filter(same).filter_map(|message| message.usage);
    pieces.chain(newest.usage).map(|usage| usage.total()).max()
}

/// Index of the first message whose usage tells the size of what is loaded now. The messages that a summary of ours was
/// written before still state the size from before; once the session went on, the usage falls (SPEC T7).
fn first_fresh(messages: &[Message<'_>]) -> usize {
    let is_ours = |message: &Message<'_>| message.parts.iter().any(|part| part.text.contains(SUMMARY_OPEN));
    let newest = messages.iter().rposition(|message| message.live && message.author == Author::Summary);
    let Some(summary) = newest.filter(|at| is_ours(&messages[*at])) else { return 0 };
    let behind = messages.iter().enumerate().skip(summary).filter(|(_, message)| message.live && has_usage(message));
    let told: Vec<(usize, Tokens)> = behind.filter_map(|(at, message)| Some((at, message.usage?.total()))).collect();
    let falls = |pair: &&[(usize, Tokens)]| pair[1].1 < pair[0].1.scaled(FALLEN, 100);
    told.windows(2).rfind(falls).map_or(messages.len(), |pair| pair[1].0)
}

fn has_usage(message: &Message<'_>) -> bool {
    message.usage.is_some_and(|usage| usage.total() > Tokens::default())
}

/// Sums the usage of messages, once per API message (its last record). Returns the number of API messages and the sum.
pub fn usage_sum<'m, 'a: 'm>(messages: impl Iterator<Item = &'m Message<'a>>) -> (u64, Usage) {
    let mut last: HashMap<(Option<&str>, usize), Usage> = HashMap::default();
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

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::transcript::sketch::sketch;

    /// A transcript whose last answer recorded `tokens` of usage.
    fn used(tokens: u64) -> Transcript<'static> {
        let mut transcript = sketch("u a");
        transcript.messages[1].usage = Some(Usage { input: Tokens(tokens), ..Usage::default() });
        transcript
    }

    fn limits(context_window: u64, input_limit: Option<u64>, output_limit: u64) -> Limits {
        Limits { context_window, input_limit, output_limit, ..Limits::default() }
    }

    fn january() -> OverflowSettings {
        OverflowSettings {
            comparison: Comparison::AboveLimit,
            measure: Measure::Recorded,
            ..OverflowSettings::default()
        }
    }

    fn overflows(tokens: u64, limits: Limits, settings: &OverflowSettings) -> bool {
        judge(&used(tokens), &limits, settings).unwrap().overflow
    }

    /// OPENCODE section 3.1, the cases that the formula of January 2026 shares.
    #[test]
    fn opencodes_own_cases_hold() {
        let k = 1_000;
        let cases = [
            (80 * k, limits(100 * k, None, 32 * k), true),
            (110 * k, limits(200 * k, None, 32 * k), false),
            (274 * k, limits(400 * k, Some(272 * k), 128 * k), true),
            (230 * k, limits(400 * k, Some(272 * k), 128 * k), false),
            (59_999, limits(200 * k, Some(120 * k), 10 * k), false),
            (198 * k, limits(200 * k, None, 32 * k), true),
            (181 * k, limits(200 * k, None, 32 * k), true),
            (200 * k, limits(0, None, 32 * k), false),
        ];
        for (tokens, limits, expected) in cases {
            assert_eq!(overflows(tokens, limits.clone(), &january()), expected, "{tokens} {limits:?}");
        }
        let off = OverflowSettings { auto: false, ..january() };
        assert!(!overflows(500 * k, limits(100 * k, None, 32 * k), &off));
    }

    #[test]
    fn a_model_is_known_by_its_whole_name_and_leaves_room() {
        for (_, ModelLimits { context, output, input }) in MODELS {
            assert!(usable(&limits(*context, *input, *output)).unwrap().tokens >= Tokens(8_000));
        }
        let context = |name: &str| model_limits(name).map(|limits| limits.context).ok();
        for name in ["gpt-5", "GPT-5", "gpt-5-2025-08-07", "openai/gpt-5-mini", "gpt-5:free", "gpt-5.1-codex"] {
            assert_eq!(context(name), Some(400_000), "{name}");
        }
        assert_eq!(context("Claude-Sonnet-4-5@20250929"), Some(200_000));
        assert_eq!(context("gpt-5-chat-latest"), Some(128_000));
        for name in ["gpt-55x", "gpt-4", "claudette", "o11", ""] {
            assert_eq!(context(name), None, "{name}");
        }
        assert_eq!(model_limits("gpt-5").unwrap().input, Some(272_000));
    }

    #[test]
    fn at_the_limit_counts_unless_the_preset_says_otherwise() {
        let limits = || limits(100_000, None, 30_000);
        assert!(overflows(70_000, limits(), &OverflowSettings::default()));
        assert!(!overflows(69_999, limits(), &OverflowSettings::default()));
        assert!(!overflows(70_000, limits(), &january()));
    }

    #[test]
    fn the_reserve_counts_in_both_branches() {
        let reserved = |input_limit| Limits { reserve: 20_000, ..limits(200_000, input_limit, 32_000) };
        assert_eq!(usable(&reserved(None)).unwrap().tokens, Tokens(148_000));
        assert_eq!(usable(&reserved(Some(180_000))).unwrap().tokens, Tokens(160_000));
    }

    #[test]
    fn limits_without_room_are_an_error_that_shows_the_terms() {
        let error = usable(&Limits { reserve: 20_000, ..limits(8_000, None, 4_000) }).unwrap_err().to_string();
        assert!(error.contains("8000") && error.contains("4000") && error.contains("20000"), "{error}");
    }

    #[test]
    fn the_larger_of_counted_and_recorded_decides_and_the_report_knows_which() {
        let by = |tokens| judge(&used(tokens), &Limits::default(), &OverflowSettings::default()).unwrap().by_record;
        assert!(by(21) && !by(19), "two messages of ten tokens are counted");
    }

    #[test]
    fn a_trigger_by_share_tokens_or_messages_replaces_the_formula() {
        let with =
            |settings: OverflowSettings| overflows(100, Limits { usable: Some(1_000), ..Limits::default() }, &settings);
        assert!(with(OverflowSettings { trigger: 0.1, ..OverflowSettings::default() }));
        assert!(!with(OverflowSettings { trigger: 0.2, ..OverflowSettings::default() }));
        assert!(with(OverflowSettings { trigger_tokens: Some(100), ..OverflowSettings::default() }));
        assert!(with(OverflowSettings { trigger_messages: Some(2), ..OverflowSettings::default() }));
        assert!(!with(OverflowSettings { trigger_messages: Some(3), ..OverflowSettings::default() }));
    }

    #[test]
    fn usage_from_before_our_compaction_does_not_count() {
        let with = |used: &[u64], ours: bool| {
            let mut transcript = sketch(&format!("u{}", " a".repeat(used.len())));
            transcript.messages[0].author = Author::Summary;
            let text = if ours { format!("{SUMMARY_OPEN}\nx") } else { "x".to_owned() };
            transcript.messages[0].parts[0].text = text.into();
            for (message, tokens) in transcript.messages[1..].iter_mut().zip(used) {
                message.usage = Some(Usage { input: Tokens(*tokens), ..Usage::default() });
            }
            recorded(&transcript)
        };
        assert_eq!(with(&[90_000, 91_000], true), None);
        assert_eq!(with(&[90_000, 91_000], false), Some(Tokens(91_000)), "of another program: it appends");
        assert_eq!(with(&[90_000, 91_000, 5_000, 6_000], true), Some(Tokens(6_000)));
    }

    #[test]
    fn usage_of_one_message_in_pieces_counts_once() {
        let mut transcript = sketch("u a a a");
        for (index, output) in [(1, 5), (2, 9), (3, 7)] {
            transcript.messages[index].group = Some(if index < 3 { "m1" } else { "m2" }.into());
            transcript.messages[index].usage = Some(Usage { output: Tokens(output), ..Usage::default() });
        }
        let (messages, sum) = usage_sum(transcript.messages.iter());
        assert_eq!((messages, sum.output), (2, Tokens(16)));
    }
}
