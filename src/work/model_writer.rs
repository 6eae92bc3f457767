//! A model's row in an evaluation: its summaries, each with a report of the model's work.

use super::SharedModel;
use crate::evaluate::SummaryWriter;
use crate::preset::PruneSettings;
use crate::report::LlmReport;
use crate::summary::{Summarize, Summary, Task, Written};
use crate::writer::{Writer, WriterSettings};
use std::sync::Arc;

/// Writes summaries with a shared model, by settings of its own.
pub struct ModelWriter {
    /// Name of the row.
    pub name: String,
    /// The model, and the cores.
    pub model: Arc<SharedModel>,
    /// How the model is asked.
    pub settings: WriterSettings,
    /// How the head is pruned before it is sent.
    pub prune: PruneSettings,
}

impl SummaryWriter for ModelWriter {
    fn name(&self) -> &str {
        &self.name
    }

    fn prune(&self) -> &PruneSettings {
        &self.prune
    }

    fn write(&self, task: &Task<'_, '_>, extractive: Summary) -> (Option<Summary>, LlmReport) {
        let writer = Writer { model: &*self.model, settings: &self.settings };
        match writer.summarize(task, extractive) {
            Ok(summary) => {
                let written: Written = summary.written.as_deref().cloned().unwrap_or_default();
                (Some(summary), self.model.report(&written, false))
            }
            Err(none) => (None, self.model.report(&none.written, true)),
        }
    }
}
