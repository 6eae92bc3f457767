//! The format `gemini-cli`: chats of Gemini CLI (FORMATS §9), a JSON document or, since 0.40, one record per line.
//!
//! A record of type `gemini` has thoughts, text, and tool calls with their results. In the line layout, a line with
//! the id of an earlier one replaces it, `$rewindTo` takes messages back, and `$set.messages` replaces all earlier
//! messages: the chat's own kind of compaction. There is no record for a summary, so epitome's is a user message, and
//! no room for epitome's keys. Results that a user record repeats are copies (`copies`).

mod copies;
mod faults;
mod history;
mod read;
mod render;

use super::detect::Evidence;
use super::shared::json::{Json, Object};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{EditScript, Patch, Transcript};

/// The field that holds the messages of a document.
const MESSAGES: &str = "messages";
/// Types of records: messages to or from the model, and messages that are only shown.
const TYPES: [&str; 5] = ["user", "gemini", "info", "error", "warning"];
/// How many messages of a document are checked for their types.
const TYPED: usize = 20;

/// The `gemini-cli` format.
pub(super) struct GeminiCli;

impl Format for GeminiCli {
    fn name(&self) -> &'static str {
        "gemini-cli"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let why = match &sample.fields {
            Some(fields) if fields.has("projectHash") && fields.has(MESSAGES) => "`projectHash` and `messages`",
            Some(fields) if is_chat(fields) => "`sessionId` and `messages` of type `gemini`",
            _ if is_lines(sample) => "`projectHash`, `$set` or records of type `gemini`",
            _ => return None,
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

/// Whether a document without a project hash is a chat, judged by the types of its messages.
fn is_chat(fields: &Object<'_>) -> bool {
    let messages = fields.array(MESSAGES).unwrap_or_default().into_iter().filter_map(Json::object);
    let types: Vec<_> = messages.take(TYPED).map(|message| message.text("type").unwrap_or_default()).collect();
    fields.has("sessionId")
        && types.iter().any(|kind| kind == "gemini")
        && types.iter().all(|kind| TYPES.contains(&&**kind))
}

fn is_lines(sample: &Sample<'_>) -> bool {
    let has = |record: &Object<'_>, keys: &[&str]| keys.iter().all(|key| record.has(key));
    let kind = |record: &Object<'_>, is: &[&str]| record.text("type").is_some_and(|kind| is.contains(&&*kind));
    let header = |r: &Object<'_>| has(r, &["sessionId", "projectHash"]) && !has(r, &["type"]) && !has(r, &[MESSAGES]);
    let message = |r: &Object<'_>| kind(r, &TYPES) && has(r, &["id", "content"]);
    let patch = |r: &Object<'_>| has(r, &["$set"]) || has(r, &["$rewindTo"]);
    sample.any(|r| header(r) || patch(r) || kind(r, &["gemini"]))
        && sample.most(|r| message(r) || patch(r) || header(r))
}

#[cfg(test)]
mod tests;
