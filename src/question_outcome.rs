//! What can come of a question to a model, and the records of it: what the client, the summaries and the reports share.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Defines an enum with a stable name for each value in reports.
macro_rules! outcomes {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $($(#[$value_doc])* #[serde(rename = $word)] $value),+ }

        impl $name {
            /// All values.
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$value),+];

            /// The name used in reports.
            pub fn name(self) -> &'static str {
                match self { $(Self::$value => $word),+ }
            }
        }
    };
}

outcomes! {
    /// Outcome of a question to a model.
    QuestionOutcome {
        /// An answer with text.
        Answered = "answered",
        /// The model, or its content filter, refused.
        Refused = "refused",
        /// An answer without text.
        Empty = "empty",
        /// An answer with reasoning only.
        ReasoningOnly = "reasoning_only",
        /// The answer was cut at its length limit.
        LengthCut = "length_cut",
        /// The answer calls a tool.
        ToolCalling = "tool_calling",
        /// No connection.
        Unreachable = "unreachable",
        /// The server's certificate is not trusted.
        Untrusted = "untrusted",
        /// The connection broke, or the response was incomplete.
        Torn = "torn",
        /// A timeout: while connecting, between two bytes, or in total.
        Timeout = "timeout",
        /// An error status without a more specific outcome.
        HttpStatus = "http_status",
        /// Rate limit (429), still in force after the retries.
        RateLimited = "rate_limited",
        /// The key is missing or wrong (401, 403).
        Unauthorized = "unauthorized",
        /// The account is exhausted (402, or a text that says so).
        QuotaSpent = "quota_spent",
        /// The prompt is longer than the model's context window.
        TooLongForModel = "too_long_for_model",
        /// A redirect, which is not followed, as the key must not be sent elsewhere.
        Redirected = "redirected",
        /// The body is not JSON.
        NotJson = "not_json",
        /// The body is JSON, but not an answer.
        NotAnAnswer = "not_an_answer",
        /// The status is success, but the body reports an error.
        ServerError = "server_error",
        /// The body is larger than any summary could be.
        TooLarge = "too_large",
        /// Not sent, because too many questions in a row failed.
        BreakerOpen = "breaker_open",
        /// Not sent, because `--max-llm-calls` is spent.
        CallsSpent = "calls_spent",
        /// Not sent, because `--max-llm-tokens` is spent.
        TokensSpent = "tokens_spent",
        /// Not in the cache, and nothing may be sent.
        NotCached = "not_cached",
        /// The run was stopped.
        #[default]
        #[serde(alias = "cancelled")]
        Canceled = "canceled",
    }
}

impl QuestionOutcome {
    /// Whether a retry may succeed. A timeout is not retried, as it took long already.
    pub(crate) fn is_transient(self) -> bool {
        matches!(self, Self::Unreachable | Self::Torn | Self::ServerError)
    }

    /// Whether the endpoint was unavailable.
    pub(crate) fn is_outage(self) -> bool {
        self.is_transient() || matches!(self, Self::Timeout | Self::Untrusted)
    }

    /// Whether the model answered, in whatever way: asking again with other words may help.
    pub fn is_an_answer(self) -> bool {
        matches!(
            self,
            Self::Answered | Self::Refused | Self::Empty | Self::ReasoningOnly | Self::LengthCut | Self::ToolCalling
        )
    }

    /// Whether there is no answer of any model (it was not reached, the request was rejected, or nothing was sent), so
    /// that another run may succeed. A stopped run is no such case: it records nothing about the transcript.
    pub fn is_unasked(self) -> bool {
        match self {
            Self::Unreachable
            | Self::Untrusted
            | Self::Torn
            | Self::Timeout
            | Self::HttpStatus
            | Self::RateLimited
            | Self::Unauthorized
            | Self::QuotaSpent
            | Self::Redirected
            | Self::ServerError
            | Self::BreakerOpen
            | Self::CallsSpent
            | Self::TokensSpent
            | Self::NotCached => true,
            Self::Answered
            | Self::Refused
            | Self::Empty
            | Self::ReasoningOnly
            | Self::LengthCut
            | Self::ToolCalling
            | Self::TooLongForModel
            | Self::NotJson
            | Self::NotAnAnswer
            | Self::TooLarge
            | Self::Canceled => false,
        }
    }
}

/// By its name.
impl fmt::Display for QuestionOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One question to a model and what came of it, as in reports.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelCall {
    /// The outcome, in reports as its stable name.
    pub outcome: QuestionOutcome,
    /// HTTP status of the last response, if it was an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Details of a failure, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The model that answered, as named by the endpoint; it may differ from the requested one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub model: Option<String>,
    /// Number of HTTP requests, retries included.
    pub requests: u32,
    /// Whether the answer was stored by an earlier run.
    pub cached: bool,
    /// Duration in milliseconds; 0 for a stored answer. The only number in a report that differs between equal runs.
    pub latency_ms: u64,
    /// Billed input tokens.
    pub input_tokens: u64,
    /// Billed output tokens.
    pub output_tokens: u64,
}

/// A line that was dropped from a model's answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DroppedLine {
    /// The line's section.
    pub section: String,
    /// Facts of the line that are not in the head, as `class value`.
    pub facts: Vec<String>,
}

/// The estimated cost of a summary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CostEstimate {
    /// Calls, if every answer is good.
    pub calls: u64,
    /// Questions beside these whose answer is stored.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub cached: u64,
    /// Input tokens.
    pub input_tokens: u64,
    /// Maximum output tokens.
    pub output_tokens: u64,
    /// Their cost in millionths of the price's currency.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_micros: Option<u64>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn reports_have_the_names() {
        for outcome in QuestionOutcome::ALL {
            let word = serde_json::to_value(outcome).unwrap();
            assert_eq!(word, outcome.name());
            assert_eq!(serde_json::from_value::<QuestionOutcome>(word).unwrap(), *outcome);
            assert!(!(outcome.is_unasked() && outcome.is_an_answer()), "{outcome}");
        }
        assert_eq!(
            serde_json::from_str::<QuestionOutcome>("\"cancelled\"").unwrap(),
            QuestionOutcome::Canceled,
            "of old"
        );
    }
}
