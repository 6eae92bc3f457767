//! Answers of a model, and failures to get one.

use crate::question_outcome::QuestionOutcome;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Reason why a model stopped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It had finished.
    #[default]
    Stop,
    /// It reached its length limit.
    Length,
    /// It refused, or its content filter did.
    Refused,
    /// It calls a tool.
    ToolCall,
}

/// Tokens as billed by the endpoint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt.
    pub input: u64,
    /// Tokens of the answer, with reasoning.
    pub output: u64,
}

impl Usage {
    /// The sum of both.
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

/// The answer of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Text of the answer.
    pub text: String,
    /// Why it stopped.
    pub finish: Finish,
    /// It has reasoning.
    pub reasoned: bool,
    /// Name of the model as the endpoint reports it.
    pub model: Option<String>,
    /// Billed tokens.
    pub usage: Usage,
}

impl Answer {
    /// The outcome that this answer amounts to.
    pub fn outcome(&self) -> QuestionOutcome {
        match self.finish {
            Finish::Refused => QuestionOutcome::Refused,
            Finish::ToolCall => QuestionOutcome::ToolCalling,
            Finish::Length if !self.text.trim().is_empty() => QuestionOutcome::LengthCut,
            _ if !self.text.trim().is_empty() => QuestionOutcome::Answered,
            _ if self.reasoned => QuestionOutcome::ReasoningOnly,
            Finish::Length => QuestionOutcome::LengthCut,
            Finish::Stop => QuestionOutcome::Empty,
        }
    }
}

/// Reason why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {detail}", outcome.name())]
pub struct Failure {
    /// Kind of failure.
    pub outcome: QuestionOutcome,
    /// HTTP status of the last response, if there was one.
    pub status: Option<u16>,
    /// Details, without keys and other secrets.
    pub detail: String,
    /// Tokens that were billed all the same, as far as is known.
    pub usage: Usage,
}

impl Failure {
    /// A failure without a response.
    pub fn new(outcome: QuestionOutcome, detail: impl Into<String>) -> Self {
        Self { outcome, status: None, detail: detail.into(), usage: Usage::default() }
    }
}

/// Cost of a question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Account {
    /// Number of requests sent.
    pub requests: u32,
    /// The answer comes from the cache.
    pub cached: bool,
    /// Time from the first request to the end of the last response, with waits; zero from the cache.
    pub latency: Duration,
    /// Tokens billed in this run; zero from the cache.
    pub usage: Usage,
}

/// The answer to a question or its failure, and its cost.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The answer or the failure.
    pub answer: Result<Answer, Failure>,
    /// The cost.
    pub account: Account,
}

impl Reply {
    /// A failure without any request.
    pub(super) fn unsent(outcome: QuestionOutcome, detail: impl Into<String>) -> Self {
        Self { answer: Err(Failure::new(outcome, detail)), account: Account::default() }
    }

    /// The outcome.
    pub fn outcome(&self) -> QuestionOutcome {
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
