//! The format `opencode`: the output of `opencode export` (FORMATS §8, OPENCODE §5), or its `messages` array alone.
//!
//! A message is `{info, parts}`. Call and result of a tool are one part; a compaction is a user message with a
//! `compaction` part and its child, an assistant message with `summary: true`. The rewritten session begins with such
//! a pair, where opencode starts to load it.

mod banner;
mod faults;
mod fresh_ids;
mod live;
mod mend;
mod new_messages;
mod parts;
mod read;
mod render;

use super::detect::Evidence;
use super::shared::document::Document;
use super::shared::json::{Json, Object};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Transcript};
pub(super) use banner::behind as behind_banner;

/// The name of the format.
pub(super) const NAME: &str = "opencode";
/// The field of the export that holds the messages.
const MESSAGES: &str = "messages";

/// The rule that nothing stands before the export.
const BANNER: &str = "text_before_json";

/// Reads the document behind what was printed before it.
///
/// # Errors
/// The same as [`Document::read`].
fn document(source: &[u8], first_line: usize) -> Result<Document<'_>, ReadError> {
    Document::read_behind(source, (banner::span(source).end, first_line), MESSAGES)
}

/// The `opencode` format.
pub(super) struct OpenCode;

impl Format for OpenCode {
    fn name(&self) -> &'static str {
        NAME
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let is_message = |message: &Object<'_>| message.has("parts") && message.object("info").is_some();
        let export = sample.fields.as_ref().filter(|fields| fields.object("info").is_some()).is_some_and(|fields| {
            let first = fields.array(MESSAGES).map(|messages| messages.into_iter().next().and_then(Json::object));
            first.is_some_and(|first| first.is_none_or(|first| is_message(&first)))
        });
        let messages = sample.elements.as_ref().is_some_and(|all| !all.is_empty() && all.iter().all(is_message));
        (export || messages).then(|| Evidence::certain("messages with `info` and `parts`"))
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

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        mend::mend(transcript, faults, script)
    }
}

#[cfg(test)]
mod tests;
