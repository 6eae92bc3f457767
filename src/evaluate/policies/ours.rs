//! The extractive summary at a given size.

use crate::evaluate::context::Context;
use crate::evaluate::cut::Cut;
use crate::pipeline::Tools;
use crate::summary::{Request, extractive, unwrap};
use crate::transcript::{Tokens, Transcript};

/// A cut, with the messages before it divided into head and tail.
#[derive(Clone, Copy)]
pub(super) struct Divided<'p> {
    pub(super) cut: &'p Cut,
    pub(super) head: &'p [usize],
    pub(super) tail: &'p [usize],
}

impl Divided<'_> {
    /// The request for a summary of `size` tokens.
    pub(super) fn request<'r, 't>(
        &self,
        transcript: &'r Transcript<'t>,
        size: u64,
        tools: Tools<'r>,
    ) -> Request<'r, 't> {
        let Self { cut, head, tail } = self;
        let prior = cut.earlier.iter().map(|&index| transcript.messages[index].text());
        let newest = tail.iter().rfind(|&&index| transcript.messages[index].begins_turn());
        Request {
            asked: newest.map(|&index| (head.len(), &transcript.messages[index])).into_iter().collect(),
            head: head.iter().map(|&index| &transcript.messages[index]).collect(),
            prior: prior.map(|text| unwrap(&text).unwrap_or_else(|| text.into_owned())).collect(),
            prior_positions: cut.earlier.iter().map(|&index| head.partition_point(|&at| at < index)).collect(),
            kept: cut.preamble.iter().chain(*tail).map(|&index| &transcript.messages[index]).collect(),
            behind: tail.len(),
            lost: Vec::new(),
            notes: Vec::new(),
            lines: None,
            budget: Tokens(size),
            count: tools.count,
            spread: tools.spread,
        }
    }
}

/// The summary of the head, with the tail.
pub(super) fn extract(transcript: &Transcript<'_>, place: Divided<'_>, size: u64, tools: Tools<'_>) -> Context {
    let kept = place.tail.to_vec();
    let Ok(summary) = extractive(&place.request(transcript, size, tools), tools.template) else {
        return Context { kept, ..Context::default() };
    };
    Context { kept, origins: summary.origins(), summary: summary.text, ..Context::default() }
}
