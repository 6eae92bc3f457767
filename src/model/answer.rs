//! What comes back from a model, and the names of all that can go wrong on the way.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Defines an enum whose values have a stable name in reports.
macro_rules! outcomes {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $($(#[$value_doc])* $value),+ }

        impl $name {
            /// The name used in reports.
            pub fn name(self) -> &'static str {
                match self { $(Self::$value => $word),+ }
            }
        }
    };
}

outcomes! {
    /// How a question ended.
    Outcome {
        /// With words.
        Answered = "answered",
        /// The model, or what guards it, refused.
        Refused = "refused",
        /// Without any word.
        Empty = "empty",
        /// With reasoning and nothing else.
        ReasoningOnly = "reasoning_only",
        /// At the limit of what it may answer.
        LengthCut = "length_cut",
        /// With the call of a tool.
        ToolCalling = "tool_calling",
        /// No connection.
        Unreachable = "unreachable",
        /// The certificate of who answers is not trusted.
        Untrusted = "untrusted",
        /// The connection broke, or the answer ended too early.
        Torn = "torn",
        /// Too slow: connecting, between two bytes, or in all.
        Timeout = "timeout",
        /// Another status than success.
        HttpStatus = "http_status",
        /// The endpoint asks for less (429), beyond what was worth waiting for.
        RateLimited = "rate_limited",
        /// The key is missing or wrong (401, 403).
        Unauthorized = "unauthorized",
        /// The account has nothing left to pay with (402, or words for it).
        QuotaSpent = "quota_spent",
        /// The question is longer than the model's window.
        TooLongForModel = "too_long_for_model",
        /// It was sent elsewhere, where the key must not go.
        Redirected = "redirected",
        /// The body is no JSON.
        NotJson = "not_json",
        /// The body is JSON, but no answer.
        NotAnAnswer = "not_an_answer",
        /// The status is success, and the body says what went wrong.
        ServerError = "server_error",
        /// The body is longer than any summary.
        TooLarge = "too_large",
        /// Too many questions in a row failed: none was sent.
        BreakerOpen = "breaker_open",
        /// `--max-llm-calls` is spent: none was sent.
        CallsSpent = "calls_spent",
        /// `--max-llm-tokens` is spent: none was sent.
        TokensSpent = "tokens_spent",
        /// The cache does not have it, and nothing may be sent.
        NotCached = "not_cached",
        /// The run was stopped.
        Cancelled = "cancelled",
    }
}

impl Outcome {
    /// Whether a second try of the same may end better; who was too slow once is not waited for again.
    pub(super) fn is_transient(self) -> bool {
        matches!(self, Self::Unreachable | Self::Torn | Self::ServerError)
    }

    /// Whether the endpoint could not be had.
    pub(super) fn is_outage(self) -> bool {
        self.is_transient() || matches!(self, Self::Timeout | Self::Untrusted)
    }

    /// Whether the model was there and answered, however badly: asking again in other words may help.
    pub fn is_an_answer(self) -> bool {
        matches!(
            self,
            Self::Answered | Self::Refused | Self::Empty | Self::ReasoningOnly | Self::LengthCut | Self::ToolCalling
        )
    }
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It was done.
    #[default]
    Stop,
    /// At the limit of what it may answer.
    Length,
    /// It refused, or its guards did.
    Refused,
    /// It wants a tool to be called.
    ToolCall,
}

/// Tokens as the endpoint bills them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Of the question.
    pub input: u64,
    /// Of the answer, reasoning included.
    pub output: u64,
}

impl Usage {
    /// Both.
    pub fn total(self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
    }
}

/// What a model said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Its words.
    pub text: String,
    /// Why it stopped.
    pub finish: Finish,
    /// It reasoned, too.
    pub reasoned: bool,
    /// The model as the endpoint names it.
    pub model: Option<String>,
    /// What it costs.
    pub usage: Usage,
}

impl Answer {
    /// What it is good for.
    pub fn outcome(&self) -> Outcome {
        match self.finish {
            Finish::Refused => Outcome::Refused,
            Finish::ToolCall => Outcome::ToolCalling,
            Finish::Length if !self.text.trim().is_empty() => Outcome::LengthCut,
            _ if !self.text.trim().is_empty() => Outcome::Answered,
            _ if self.reasoned => Outcome::ReasoningOnly,
            Finish::Length => Outcome::LengthCut,
            Finish::Stop => Outcome::Empty,
        }
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {detail}", outcome.name())]
pub struct Failure {
    /// Its name.
    pub outcome: Outcome,
    /// The status of the last response, if there was one.
    pub status: Option<u16>,
    /// What is known about it; keys and other secrets never stand in it.
    pub detail: String,
}

impl Failure {
    /// A failure without a response.
    pub fn new(outcome: Outcome, detail: impl Into<String>) -> Self {
        Self { outcome, status: None, detail: detail.into() }
    }
}

/// What a question took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Account {
    /// Requests that were sent.
    pub requests: u32,
    /// The answer comes from the cache.
    pub cached: bool,
    /// From the first request to the end of the last response, waits included; zero from the cache.
    pub latency: Duration,
    /// Tokens that were billed in this run; none from the cache.
    pub usage: Usage,
}

/// An answer or a failure, and what it took.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The answer.
    pub answer: Result<Answer, Failure>,
    /// What it took.
    pub account: Account,
}

impl Reply {
    /// A failure for which nothing was sent.
    pub(super) fn unsent(outcome: Outcome, detail: impl Into<String>) -> Self {
        Self { answer: Err(Failure::new(outcome, detail)), account: Account::default() }
    }

    /// How it ended.
    pub fn outcome(&self) -> Outcome {
        self.answer.as_ref().map_or_else(|failure| failure.outcome, Answer::outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_without_words_is_none() {
        let of = |text: &str, finish, reasoned| {
            Answer { text: text.into(), finish, reasoned, ..Answer::default() }.outcome().name()
        };
        assert_eq!(of("words", Finish::Stop, true), "answered");
        assert_eq!(of(" \n", Finish::Stop, false), "empty");
        assert_eq!(of("", Finish::Stop, true), "reasoning_only");
        assert_eq!(of("", Finish::Length, true), "reasoning_only");
        assert_eq!(of("", Finish::Length, false), "length_cut");
        assert_eq!(of("half", Finish::Length, false), "length_cut");
        assert_eq!(of("words", Finish::Refused, false), "refused");
        assert_eq!(of("words", Finish::ToolCall, false), "tool_calling");
    }
}
