//! Summaries written by a model, with the extractive summary as a fallback, so that the head is never lost.
//!
//! ```text
//! head ─▶ flatten (redact, excerpt, escape) ─▶ chunks ─▶ ask ─▶ clean ─▶ validate ─▶ once more ─▶ draft
//!                                                                                                  │
//!               Summary ◀─ trim to the budget ◀─ fill from the extractive summary ◀─ drop unsupported lines
//! ```
//!
//! An answer that is not a summary is not used: the extractive one is taken instead, or the file fails; the report says
//! why.

mod chunks;
mod clean;
mod draft;
mod flatten;
mod headings;
mod items;
mod question;
mod session;
mod support;

#[cfg(test)]
mod tests;

use crate::model::Model;
use crate::summary::{NoSummary, Summarize, Summary, Task};
use session::Session;

/// Settings for asking a model for summaries.
#[derive(Debug, Clone, PartialEq)]
pub struct WriterSettings {
    /// The model writes only prose; instructions, files and the index come from the extractive summary.
    pub hybrid: bool,
    /// The model's context window in tokens, for question and answer.
    pub context: u64,
    /// Maximum tokens of an answer; by default about twice the summary's budget.
    pub max_output: Option<u64>,
    /// Send reasoning parts, too.
    pub reasoning: bool,
    /// Additional instructions for the model.
    pub instructions: Option<String>,
    /// Use the extractive summary if the model's can't be had; otherwise the transcript fails.
    pub fallback: bool,
    /// Mask secrets in what is sent.
    pub redact: bool,
    /// Send nothing; report what would be sent.
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
    /// How to ask it.
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
