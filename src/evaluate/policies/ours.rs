//! Our own: the extractive summary at a given size, or a preset as a whole.

use crate::evaluate::context::Context;
use crate::evaluate::cut::Cut;
use crate::pipeline::{self, Tools};
use crate::preset::{Mode, Settings, SummarizerKind, When};
use crate::summary::{Request, extractive, unwrap};
use crate::transcript::{Change, Tokens, Transcript};

/// A cut with its messages parted into what is summarized and what stays.
#[derive(Clone, Copy)]
pub(super) struct Place<'p> {
    pub(super) cut: &'p Cut,
    pub(super) head: &'p [usize],
    pub(super) tail: &'p [usize],
}

impl Place<'_> {
    /// What a summary of so many tokens is made from.
    pub(super) fn request<'r, 't>(
        &self,
        transcript: &'r Transcript<'t>,
        size: u64,
        tools: Tools<'r>,
    ) -> Request<'r, 't> {
        let Self { cut, head, tail } = self;
        let prior = cut.earlier.iter().map(|&index| transcript.messages[index].text());
        let newest = tail.iter().rfind(|&&index| transcript.messages[index].is_real_user());
        Request {
            asked: newest.map(|&index| (head.len(), &transcript.messages[index])).into_iter().collect(),
            head: head.iter().map(|&index| &transcript.messages[index]).collect(),
            prior: prior.map(|text| unwrap(&text).unwrap_or_else(|| text.into_owned())).collect(),
            kept: cut.preamble.iter().chain(*tail).map(|&index| &transcript.messages[index]).collect(),
            notes: Vec::new(),
            lines: None,
            budget: Tokens(size),
            count: tools.count,
            spread: tools.spread,
        }
    }
}

/// The summary of the head, and the tail.
pub(super) fn extract(transcript: &Transcript<'_>, place: Place<'_>, size: u64, tools: Tools<'_>) -> Context {
    let kept = place.tail.to_vec();
    let Ok(summary) = extractive(&place.request(transcript, size, tools), tools.template) else {
        return Context { kept, ..Context::default() };
    };
    Context { kept, origins: summary.origins(), summary: summary.text, ..Context::default() }
}

/// What `compact` would leave of the messages before the cut.
pub(super) fn preset(
    transcript: &Transcript<'_>,
    cut: &Cut,
    (settings, size): (&Settings, u64),
    tools: Tools<'_>,
) -> Context {
    let before = prefix(transcript, cut);
    let mut settings = settings.clone();
    settings.overflow.when = When::Always;
    settings.output.mode = Mode::Rewrite;
    settings.output.min_gain = 0.0;
    settings.summary.tokens = size;
    let all = Context { kept: cut.before.clone(), ..Context::default() };
    let Ok(done) = pipeline::compact(&before, &settings, tools) else { return all };
    let Some(script) = &done.script else { return all };
    let keeps = |index: &usize| script.keep.get(transcript.messages[*index].record).copied().unwrap_or(true);
    let kept: Vec<usize> = cut.before.iter().copied().filter(keeps).collect();
    let changed = script.parts.iter().map(|edit| {
        let text = match &edit.change {
            Change::Stub(text) | Change::Excerpt(text) => text.clone(),
            Change::Remove => String::new(),
        };
        ((edit.message, edit.part), text)
    });
    let changed = changed.collect();
    let summary = done.summary.as_ref().filter(|_| settings.summary.by != SummarizerKind::None);
    let head = done.split.as_ref().map(|split| split.head.as_slice()).unwrap_or_default();
    let origins = summary.map(|summary| summary.origins()).unwrap_or_default();
    let place = |origin: &usize| cut.before.binary_search(head.get(*origin)?).ok();
    let origins = origins.iter().filter_map(place).collect();
    let summary = summary.map(|summary| summary.text.clone()).unwrap_or_default();
    Context { kept, changed, origins, summary, ..Context::default() }
}

/// The transcript as it was at the cut.
pub(super) fn prefix<'t>(transcript: &Transcript<'t>, cut: &Cut) -> Transcript<'t> {
    let mut before = transcript.clone();
    before.messages.truncate(cut.at);
    before.traits.kept_from = None;
    before.traits.fixed = None;
    for (index, message) in before.messages.iter_mut().enumerate() {
        message.live = cut.before.binary_search(&index).is_ok() || cut.preamble.binary_search(&index).is_ok();
        message.abandoned = !message.live;
    }
    before
}
