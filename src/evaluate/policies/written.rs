//! A summary written by a model, with the same head, tail and budget as the extractive one, and a report of the calls.

use super::ours::Divided;
use super::whole::prefix;
use crate::evaluate::context::Context;
use crate::pipeline::{self, Tools};
use crate::preset::PruneSettings;
use crate::report::LlmReport;
use crate::summary::{Summary, Task, extractive};
use crate::transcript::Transcript;

/// Turns the extractive summary into another one.
pub trait SummaryWriter: Send + Sync {
    /// Name in reports.
    fn name(&self) -> &str;

    /// Settings for pruning the head before the model reads it.
    fn prune(&self) -> &PruneSettings;

    /// Returns the summary, if there is one, and a report of what was done for it.
    fn write(&self, task: &Task<'_, '_>, extractive: Summary) -> (Option<Summary>, LlmReport);
}

/// The tail, with the summary of the head as `compact` would have it written.
pub(super) fn context(
    author: &dyn SummaryWriter,
    transcript: &Transcript<'_>,
    place: Divided<'_>,
    (size, tools): (u64, Tools<'_>),
) -> Context {
    let request = place.request(transcript, size, tools);
    let Ok(ours) = extractive(&request, tools.template) else {
        return Context { kept: place.tail.to_vec(), ..Context::default() };
    };
    let stubs = pipeline::stubs(&prefix(transcript, place.cut), author.prune(), tools);
    let pruned = stubs.iter().filter_map(|stub| {
        let at = place.head.binary_search(&stub.message).ok()?;
        Some(((at, stub.part), &*stub.text))
    });
    let task = Task { request: &request, template: tools.template, pruned: pruned.collect() };
    let (summary, llm) = author.write(&task, ours);
    let (origins, summary) = summary.map(|summary| (summary.origins(), summary.text)).unwrap_or_default();
    Context { kept: place.tail.to_vec(), origins, summary, llm: Some(llm), ..Context::default() }
}
