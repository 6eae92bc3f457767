//! A language model behind an HTTP endpoint: one question, one answer, and a name for whatever goes wrong.
//!
//! ```text
//! Prompt ─▶ cache? ─▶ guards (calls, tokens) ─▶ permit ─▶ breaker ─▶ HTTP, with retries ─▶ wire format ─▶ Answer
//! ```
//!
//! Nothing here knows a transcript or a summary. Keys are never shown: [`Key`] has no text but in the request's header.

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

pub use answer::{Account, Answer, Failure, Finish, Outcome, Reply, Usage};
pub use cache::{Cache, CacheUse};
pub use client::Client;
pub use endpoint::{Endpoint, EndpointError, Kind};
pub use guard::Guard;
pub use http::{Http, Route, Timeouts};
pub use key::Key;
pub use permits::{Lent, Permit, Permits};
pub use retry::Retries;
#[cfg(test)]
pub(crate) use scripted::Scripted;

/// What a model is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// What it is told of its task.
    pub system: String,
    /// The question.
    pub user: String,
    /// The most tokens that it may answer.
    pub max_tokens: u64,
    /// About how many tokens the question has.
    pub tokens: u64,
}

/// Whoever answers questions.
pub trait Model: Sync {
    /// Asks once; retries of the transport are part of it.
    fn ask(&self, prompt: &Prompt) -> Reply;

    /// Says what became of an answer: one that was of use may be stored, and one that was of none is not stored any more.
    fn remember(&self, _prompt: &Prompt, _answer: Option<&Answer>) {}
}
