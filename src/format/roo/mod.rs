//! The format `roo`: `api_conversation_history.json` of Roo Code, an array like Cline's in which a compaction hides
//! messages instead of removing them (FORMATS §13).
//!
//! A message with `condenseParent` is hidden by the summary with that `condenseId`, one with `truncationParent` by
//! the marker with that `truncationId`; newer versions load nothing before the newest summary. epitome writes such a
//! summary before the kept messages, since Roo merges consecutive user messages.

mod links;
mod render;

use super::anthropic_messages::faults;
use super::cline;
use super::detect::Evidence;
use super::shared::json::{Json, Object};
use super::shared::synthetic;
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Traits, Transcript};
use links::Links;

/// Keys of Roo's condensing and truncating.
const OWN: [&str; 6] =
    ["condenseParent", "condenseId", "truncationId", "truncationParent", "isSummary", "isTruncationMarker"];
/// Block types that Roo stores and Cline does not.
const BLOCKS: [&str; 2] = ["reasoning", "thoughtSignature"];

/// The `roo` format.
pub(super) struct Roo;

impl Format for Roo {
    fn name(&self) -> &'static str {
        "roo"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let any =
            |is: &dyn Fn(&Object<'_>) -> bool| cline::is_history(sample) && sample.elements.iter().flatten().any(is);
        let why = match () {
            () if any(&|message| OWN.iter().any(|key| message.has(key))) => {
                "messages with `condenseParent`, `isSummary` or `truncationId`"
            }
            () if any(&|message| message.has("ts") && has_reasoning(message)) => "messages with `ts` and `reasoning`",
            () => return None,
        };
        Some(Evidence::certain(why))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let mut transcript = cline::read::read(source, options)?;
        let links = Links::of(&transcript);
        links.name(&mut transcript);
        synthetic::classify(&mut transcript.messages, &[]);
        links.hide(&mut transcript.messages);
        transcript.traits = Traits { native_summary: true, ..transcript.traits };
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        render::render(transcript, script)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let live = transcript.messages.iter().filter(|message| message.live);
        let mut faults = faults::pairing_of_runs(live, transcript);
        faults.extend(Links::of(transcript).faults(transcript));
        faults.sort();
        faults
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        faults::mend(transcript, faults, script);
        Vec::new()
    }
}

/// Whether an element is reasoning, or holds reasoning in a form that only Roo uses.
fn has_reasoning(message: &Object<'_>) -> bool {
    let blocks = message.array("content").unwrap_or_default().into_iter().filter_map(Json::object);
    let own = |block: Object<'_>| block.text("type").is_some_and(|kind| BLOCKS.contains(&&*kind));
    cline::read::is_reasoning(message) || message.has("reasoning_content") || blocks.into_iter().any(own)
}

#[cfg(test)]
mod tests;
