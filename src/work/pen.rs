//! A model's row of an evaluation: its summaries, each with what was done for it.

use super::Staff;
use crate::evaluate::SummaryWriter;
use crate::preset::PruneSettings;
use crate::report::LlmReport;
use crate::summary::{Summarize, Summary, Task, Written};
use crate::writer::{Writer, WriterSettings};
use std::sync::Arc;

/// Writes as a staff's model does, by settings of its own.
pub struct Pen {
    /// The name of the row.
    pub name: String,
    /// The model, and the cores that are worked on.
    pub staff: Arc<Staff>,
    /// How it is asked.
    pub settings: WriterSettings,
    /// How the head is pruned before.
    pub prune: PruneSettings,
}

impl SummaryWriter for Pen {
    fn name(&self) -> &str {
        &self.name
    }

    fn prune(&self) -> &PruneSettings {
        &self.prune
    }

    fn write(&self, task: &Task<'_, '_>, extractive: Summary) -> (Option<Summary>, LlmReport) {
        let writer = Writer { model: &*self.staff, settings: &self.settings };
        match writer.summarize(task, extractive) {
            Ok(summary) => {
                let written: Written = summary.written.as_deref().cloned().unwrap_or_default();
                (Some(summary), self.staff.report(&written, false))
            }
            Err(none) => (None, self.staff.report(&none.written, true)),
        }
    }
}
