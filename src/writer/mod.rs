//! A model writes the summary, and whatever it does, the head is not lost.
//!
//! ```text
//! head ─▶ flatten (redact, excerpt, escape) ─▶ chunks ─▶ ask ─▶ clean ─▶ validate ─▶ once more ─▶ draft
//!                                                                                                  │
//!               Summary ◀─ trim to the budget ◀─ fill from the extractive summary ◀─ drop unsupported lines
//! ```
//!
//! An answer that is no summary is none: the extractive one stands in, or the file fails, and the report says why.

mod chunks;
mod clean;
mod draft;
mod flatten;
mod question;
mod session;
mod support;

#[cfg(test)]
mod tests;

use crate::model::Model;
use crate::summary::{NoSummary, Summarize, Summary, Task};
use session::Session;

/// How a model is asked for summaries.
#[derive(Debug, Clone, PartialEq)]
pub struct WriterSettings {
    /// The model writes prose only: instructions, files and the index are the extractive summary's.
    pub hybrid: bool,
    /// Tokens that the model can hold, question and answer.
    pub context: u64,
    /// The most tokens of an answer; by default what the summary may have and as much again.
    pub max_output: Option<u64>,
    /// Send reasoning, too.
    pub reasoning: bool,
    /// What the model is told besides.
    pub instructions: Option<String>,
    /// The extractive summary stands in for one that can't be had; else the transcript fails.
    pub fallback: bool,
    /// Take secrets out of what is sent.
    pub redact: bool,
    /// Ask nothing; say what would be asked.
    pub estimate: bool,
}

impl Default for WriterSettings {
    fn default() -> Self {
        Self {
            hybrid: false,
            context: 32_000,
            max_output: None,
            reasoning: false,
            instructions: None,
            fallback: true,
            redact: true,
            estimate: false,
        }
    }
}

/// Writes summaries with a model.
pub struct Writer<'m> {
    /// The model.
    pub model: &'m dyn Model,
    /// How it is asked.
    pub settings: &'m WriterSettings,
}

impl Summarize for Writer<'_> {
    fn summarize(&self, task: &Task<'_, '_>, extractive: Summary) -> Result<Summary, NoSummary> {
        let mut session = Session::new(self, task, &extractive);
        if self.settings.estimate {
            return Ok(Summary { written: Some(Box::new(session.estimate())), ..extractive });
        }
        let draft = session.write();
        match draft.and_then(|draft| session.finish(draft)) {
            Some(summary) => {
                session.keep();
                Ok(summary)
            }
            None => session.give_up(extractive),
        }
    }
}
