//! A language model behind an HTTP endpoint: one question, one answer, and a named outcome for every failure.
//!
//! ```text
//! Prompt ─▶ cache? ─▶ guards (calls, tokens) ─▶ permit ─▶ breaker ─▶ HTTP, with retries ─▶ wire format ─▶ Answer
//! ```
//!
//! Independent of transcripts and summaries. Keys are never shown: a [`Key`] is text only in the request's header.

mod answer;
mod breaker;
mod cache;
mod client;
mod endpoint;
mod guard;
mod http;
mod key;
mod permits;
mod proxy;
mod retry;
mod sse;
mod wire;

#[cfg(test)]
mod scripted;

use crate::question_outcome::QuestionOutcome;

pub use answer::{Account, Answer, Failure, Finish, Reply, Usage};
pub use cache::{Cache, CacheUse};
pub use client::{Client, NOT_STORED};
pub use endpoint::{Endpoint, EndpointError, Kind};
pub use guard::Guard;
pub use http::{Http, Route, Timeouts};
pub use key::Key;
pub use permits::{Lent, Permit, Permits};
pub use retry::Retries;
#[cfg(test)]
pub(crate) use scripted::Scripted;

/// A question to a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// System instructions.
    pub system: String,
    /// The question.
    pub user: String,
    /// Most tokens of the answer.
    pub max_tokens: u64,
    /// Approximate number of tokens of the question.
    pub tokens: u64,
}

/// A model that answers questions.
pub trait Model: Sync {
    /// Asks a question, with retries of the transport.
    fn ask(&self, prompt: &Prompt) -> Reply;

    /// The stored answer to a question, or why there is none; sends nothing.
    fn recall(&self, _prompt: &Prompt) -> Reply {
        Reply::unsent(QuestionOutcome::NotCached, "no answer is stored")
    }

    /// Whether questions without a stored answer are sent.
    fn sends(&self) -> bool {
        true
    }

    /// Reports whether an answer was of use: a useful one (`Some`) may be stored, else a stored one is removed.
    fn remember(&self, _prompt: &Prompt, _answer: Option<&Answer>) {}
}
