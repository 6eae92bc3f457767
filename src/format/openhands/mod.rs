//! The format `openhands`: the events of OpenHands (FORMATS §12, §18), of both generations.
//!
//! A V0 event holds an `action` or an `observation`; a V1 event (of the SDK) names its `kind`. Events are stored in
//! one JSON array, one per line, or in the `history` of a benchmark row, in old rows as pairs of action and
//! observation. The model is sent a view of them: a condensation names the events that the view leaves out, and the
//! place of its summary among the rest.

mod calls;
mod condensation;
mod event;
mod faults;
mod inside;
mod read;
mod render;
mod stream;
mod tree;
mod v0;
mod v0_parts;
mod v1;
mod view;

use super::shared::json::{Json, Object};
use super::shared::rows;
use super::{Evidence, Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Transcript};

/// The field of a row that holds the events.
const HISTORY: &str = "history";

/// The `openhands` format.
pub(super) struct OpenHands;

impl Format for OpenHands {
    fn name(&self) -> &'static str {
        "openhands"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        if sample.most_rows(is_row) { rows::layout(sample, is_row) } else { Layout::Session }
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let several = sample.elements.is_some() || !sample.records.is_empty();
        let why = match () {
            () if sample.most_rows(is_row) => "`history` of actions and observations",
            () if several && sample.most_rows(is_v1) => "events with a `kind`",
            () if several && sample.most_rows(is_v0) => "events with `source` and `action` or `observation`",
            () => return None,
        };
        Some(Evidence::certain(why))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        read::read(source, options)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
        render::render(transcript, script, marks)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        faults::faults(transcript)
    }
}

/// Whether an object is an event of the SDK (V1).
fn is_v1(fields: &Object<'_>) -> bool {
    let known = |kind: &str| kind.ends_with("Event") || v1::OTHER_KINDS.contains(&kind);
    (fields.has("source") || fields.has("id")) && fields.text("kind").is_some_and(|kind| known(&kind))
}

/// Whether an object is a complete V0 event.
fn is_v0(fields: &Object<'_>) -> bool {
    let action = fields.has("action") && fields.has("args");
    let observation = fields.has("observation") && (fields.has("extras") || fields.has("content"));
    fields.has("source") && (action || observation)
}

/// Keys beside an action or an observation, of which a V0 event has at least one; the first events had no `args`.
const OF_ACTIONS: &[&str] = &["args", "source", "message", "content", "command", "thought"];
const OF_OBSERVATIONS: &[&str] = &["extras", "content", "message"];

/// Whether an object is a row with a history of events (not of messages with a role).
fn is_row(fields: &Object<'_>) -> bool {
    let is_event = |value: Json<'_>| {
        value.object().is_some_and(|event| {
            let says = |key: &str, of: &[&str]| event.has(key) && of.iter().any(|of| event.has(of));
            let is_v0 = || says("action", OF_ACTIONS) || says("observation", OF_OBSERVATIONS);
            !event.has("role") && (is_v1(&event) || is_v0())
        })
    };
    let first = fields.array(HISTORY).and_then(|history| history.first().copied());
    first.is_some_and(|first| is_event(first) || first.array().is_some_and(|pair| pair.into_iter().any(is_event)))
}

#[cfg(test)]
mod tests;
