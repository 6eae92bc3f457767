//! A model that writes the summary, on the same head, tail and budget as the extractive one, with an account of what it did.

use super::ours::Place;
use super::whole::prefix;
use crate::evaluate::context::Context;
use crate::pipeline::{self, Tools};
use crate::preset::PruneSettings;
use crate::report::LlmReport;
use crate::summary::{Summary, Task, extractive};
use crate::transcript::Transcript;

/// Who turns the extractive summary into another one.
pub trait SummaryWriter: Send + Sync {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// How the head is pruned before it is asked about.
    fn prune(&self) -> &PruneSettings;

    /// The summary, where there is one, and what was done for it.
    fn write(&self, task: &Task<'_, '_>, extractive: Summary) -> (Option<Summary>, LlmReport);
}

/// The tail, and what the author wrote of the head as `compact` would send it.
pub(super) fn context(
    author: &dyn SummaryWriter,
    transcript: &Transcript<'_>,
    place: Place<'_>,
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
