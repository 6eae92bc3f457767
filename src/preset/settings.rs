//! Every setting, with its default: that of the preset `opencode`.

use super::choices::{
    Comparison, ContinuationRule, LlmKind, Measure, MediaInTail, Mode, Place, Retain, Stages, Thinking, TriggerOf, When,
};
use super::values::{share, stated_share};
use super::{PruneSettings, SplitSettings, SummarySettings};
use crate::transcript::UiCopies;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// All settings of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Settings {
    /// The encoding that tokens are counted in, or a model's name.
    pub tokenizer: String,
    /// Do what the source does to the letter; an output with a new fault fails instead (SPEC ruling 7).
    pub strict: bool,
    /// What the model can hold.
    pub limits: Limits,
    /// T7: whether there is anything to do.
    pub overflow: OverflowSettings,
    /// T9: which tool outputs are stubbed.
    pub prune: PruneSettings,
    /// T8: head and tail.
    pub split: SplitSettings,
    /// T12: the summary.
    pub summary: SummarySettings,
    /// The model that writes summaries, where one does.
    pub llm: LlmSettings,
    /// T11: the message that sets the agent going again.
    pub continuation: ContinuationSettings,
    /// What is written.
    pub output: OutputSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tokenizer: "o200k_base".into(),
            strict: false,
            limits: Limits::default(),
            overflow: OverflowSettings::default(),
            prune: PruneSettings::default(),
            split: SplitSettings::default(),
            summary: SummarySettings::default(),
            llm: LlmSettings::default(),
            continuation: ContinuationSettings::default(),
            output: OutputSettings::default(),
        }
    }
}

/// What the model can hold, in tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Limits {
    /// Takes context window and output limit from a table.
    pub model: Option<String>,
    /// The context window; 0 means unlimited.
    pub context_window: u64,
    /// The most that a model may answer.
    pub output_limit: u64,
    /// The most that the formula holds back for an answer, whatever the model states.
    pub output_cap: u64,
    /// The most that a model may be sent, where it states that apart.
    pub input_limit: Option<u64>,
    /// Held back in both branches of the formula.
    pub reserve: u64,
    /// Sets the outcome of the formula outright.
    pub usable: Option<u64>,
    /// Bounds the result.
    pub max_tokens: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            model: None,
            context_window: 200_000,
            output_limit: 32_000,
            output_cap: 32_000,
            input_limit: None,
            reserve: 0,
            usable: None,
            max_tokens: None,
        }
    }
}

/// T7: whether there is anything to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct OverflowSettings {
    /// Compact always, or only on overflow.
    pub when: When,
    /// What the trigger is a share of.
    pub of: TriggerOf,
    /// Share of that which counts as overflow.
    #[serde(deserialize_with = "share")]
    pub trigger: f64,
    /// Tokens that the share is lowered by.
    pub margin: u64,
    /// Tokens that count as overflow, instead of the formula.
    pub trigger_tokens: Option<u64>,
    /// Messages that count as overflow, instead of the formula.
    pub trigger_messages: Option<u64>,
    /// Whether a transcript at the limit overflows.
    pub comparison: Comparison,
    /// Which number is compared.
    pub measure: Measure,
    /// Summarize whenever there is a head, or only if pruning was not enough.
    pub stages: Stages,
    /// Share of the trigger's whole that pruning must come below in progressive stages, instead of the trigger.
    #[serde(deserialize_with = "stated_share")]
    pub late_trigger: Option<f64>,
    /// Switches compaction off (opencode's `compaction.auto`).
    pub auto: bool,
}

impl Default for OverflowSettings {
    fn default() -> Self {
        Self {
            when: When::Always,
            of: TriggerOf::Usable,
            trigger: 1.0,
            margin: 0,
            trigger_tokens: None,
            trigger_messages: None,
            comparison: Comparison::AtLimit,
            measure: Measure::Larger,
            stages: Stages::Full,
            late_trigger: None,
            auto: true,
        }
    }
}

/// The model that writes summaries: where it is, and what it may take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct LlmSettings {
    /// The interface.
    pub kind: LlmKind,
    /// The address; by default that of its maker.
    pub base_url: Option<String>,
    /// The model's name.
    pub model: Option<String>,
    /// The environment variable that holds the key.
    pub key_env: Option<String>,
    /// The file that holds the key.
    pub key_file: Option<PathBuf>,
    /// Certificates (PEM) to trust instead of Mozilla's.
    pub ca_file: Option<PathBuf>,
    /// Tokens that the model can hold, question and answer.
    pub context_window: u64,
    /// The most tokens of an answer; by default twice what the summary may have.
    pub max_output: Option<u64>,
    /// Sent where it is stated.
    pub temperature: Option<f64>,
    /// Ask for the answer piece by piece.
    pub stream: bool,
    /// Send reasoning, too.
    pub reasoning: bool,
    /// Take secrets out of what is sent.
    pub redact: bool,
    /// The extractive summary stands in for one that can't be had; else the transcript fails.
    pub fallback: bool,
    /// Questions in flight.
    pub concurrency: usize,
    /// How often a request that may pass is sent again.
    pub retries: u32,
    /// Seconds for a connection.
    pub connect_timeout: u64,
    /// Seconds for the next byte.
    pub idle_timeout: u64,
    /// Seconds for the whole answer.
    pub timeout: u64,
    /// The folder of stored answers.
    pub cache: Option<PathBuf>,
    /// Send nothing; all answers are stored ones.
    pub cache_only: bool,
    /// Requests that a run may send.
    pub max_calls: Option<u64>,
    /// Tokens that a run may spend.
    pub max_tokens: Option<u64>,
    /// The price of a million tokens of questions.
    pub price_input: Option<f64>,
    /// The price of a million tokens of answers.
    pub price_output: Option<f64>,
}

impl Default for LlmSettings {
    fn default() -> Self {
        Self {
            kind: LlmKind::Openai,
            base_url: None,
            model: None,
            key_env: None,
            key_file: None,
            ca_file: None,
            context_window: 32_000,
            max_output: None,
            temperature: None,
            stream: false,
            reasoning: false,
            redact: true,
            fallback: true,
            concurrency: 4,
            retries: 4,
            connect_timeout: 10,
            idle_timeout: 300,
            timeout: 600,
            cache: None,
            cache_only: false,
            max_calls: None,
            max_tokens: None,
            price_input: None,
            price_output: None,
        }
    }
}

/// T11: the message that sets the agent going again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct ContinuationSettings {
    /// Which rule decides.
    pub rule: ContinuationRule,
    /// Where it stands.
    pub place: Place,
    /// What it says to an agent in the middle of its task.
    pub text: String,
    /// Add it to a finished conversation, too.
    pub idle: bool,
    /// What happens to media of the last real user message.
    pub media: MediaInTail,
}

impl Default for ContinuationSettings {
    fn default() -> Self {
        Self {
            rule: ContinuationRule::State,
            place: Place::Auto,
            text: "continue".into(),
            idle: false,
            media: MediaInTail::Keep,
        }
    }
}

/// What is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct OutputSettings {
    /// Whether the history goes, or a compaction is recorded behind it.
    pub mode: Mode,
    /// Share of the tokens that must be saved, else the transcript stays as it is.
    #[serde(deserialize_with = "share")]
    pub min_gain: f64,
    /// What happens to signed reasoning after the first edit.
    pub thinking: Thinking,
    /// What becomes of copies that only a user interface reads.
    pub ui_copies: UiCopies,
    /// What becomes of stored history that the harness no longer loads, when nothing is summarized.
    pub history: Retain,
    /// Credentials go from everything that is written.
    pub redact: bool,
}

impl Default for OutputSettings {
    fn default() -> Self {
        Self {
            mode: Mode::Rewrite,
            min_gain: 0.10,
            thinking: Thinking::Auto,
            ui_copies: UiCopies::Stub,
            history: Retain::Keep,
            redact: false,
        }
    }
}
