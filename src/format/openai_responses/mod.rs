//! The format `openai-responses`: items of OpenAI's Responses API as callers store them. One item per line, as in
//! sessions of the Agents SDK; as a bare array; or in the `input` of a request, with its `instructions` beside it,
//! and with the `output` of its response.
//!
//! An item is a separate message, call, output, or reasoning; `response_items` knows their types. The model's items
//! between two of the user's or of tools are one response. Reasoning belongs to the items after it: if it is dropped
//! and they are kept, their ids are removed, too, since the API looks up what belongs to an id (FORMATS §18). The
//! encrypted content of a `compaction` can't be read or replaced, so it is kept. The targets of an `item_reference`,
//! `previous_response_id` or `conversation` are on a server, and it is unknown which outputs belong to them, so
//! nothing is dropped then.
//!
//! The `output` of a response is the subject of a log: it is never edited, as in `llm-http-logs`.

mod evidence;
mod read;
mod render;

use super::shared::held::Holder;
use super::shared::json::{Json, Object};
use super::shared::response_items;
use super::{Evidence, Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, PartKind, Patch, Transcript};

/// The `openai-responses` format.
pub(super) struct OpenAiResponses;

/// How its items are stored.
const ITEMS: Holder = Holder {
    keys: &["input"],
    system: instructions,
    is_message: evidence::is_item,
    is_request: evidence::is_request,
    columns: false,
};

impl Format for OpenAiResponses {
    fn name(&self) -> &'static str {
        "openai-responses"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        ITEMS.layout(sample)
    }

    fn opens(&self, _: &str) -> bool {
        true
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        evidence::evidence(sample)
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        read::read(source, options)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        if transcript.traits.fixed.is_some() { Vec::new() } else { render::render(transcript, script) }
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        response_items::lone_reasoning(transcript, &|index| {
            let is_reasoning = |kind: &PartKind<'_>| matches!(kind, PartKind::Reasoning { .. });
            let mut parts = transcript.messages[index].parts.iter();
            parts.any(|part| is_reasoning(&part.kind)) && is_bound(transcript, index)
        })
    }
}

/// The system prompt of a request.
fn instructions<'a>(fields: &Object<'a>) -> Option<Json<'a>> {
    fields.get("instructions").filter(|value| value.text().is_some_and(|text| !text.is_empty()))
}

/// Whether the API recognizes an item: by its id, or by its encrypted content.
fn is_bound(transcript: &Transcript<'_>, index: usize) -> bool {
    let item = Json::at(transcript.source, &transcript.record_of(index).span).and_then(Json::object);
    let says = |key: &str| item.as_ref().and_then(|item| item.text(key)).is_some_and(|text| !text.is_empty());
    says("id") || says("encrypted_content")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
