//! The format `llm-http-logs`: one logged model call, `{"messages":[…], "tools", "kwargs", "response", "cost", …}`,
//! as a document or a line.
//!
//! OpenHands writes one such file per call (`log_completions`; OpenHands/software-agent-sdk, `llm/utils/telemetry.py`),
//! and callbacks of LiteLLM have the same fields. Nothing resumes from a log: people read it, or train on it. So it is
//! a row whose answer is stored beside its messages: `messages` are compacted as in `openai-chat` or
//! `anthropic-messages`, and the message in `response` is the last one of the transcript, never edited or dropped.
//!
//! For models without native calls, OpenHands sends calls as text, and also logs the original messages, one for one:
//! as `raw_messages`, formerly `fncall_messages`. Trainers read those, since they keep calls and results separate, so
//! they are not mere display copies: drops, pruning and insertions in `messages` are repeated in them (`copies`). If
//! they do not correspond one for one, the log is not edited.
//!
//! Recordings of tests with the same name, arrays of HTTP requests and responses, are refused: a test replays them
//! and looks a response up by its request.

mod answer;
mod copies;

use super::detect::Evidence;
use super::openai::{self, Turns};
use super::shared::document;
use super::shared::json::Object;
use super::shared::rows::{self, Row, row};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample, anthropic_messages};
use crate::reason::Reason;
use crate::transcript::{Author, Class, EditScript, Message, Patch, Record, Traits, Transcript};
use std::borrow::Cow;

/// Fields of which a log has at least one beside `messages` and `response`.
const BESIDE: [&str; 5] = ["kwargs", "cost", "model_call_details", "response_cost", "model_parameters"];

/// The `llm-http-logs` format.
pub(super) struct LlmHttpLogs;

impl Format for LlmHttpLogs {
    fn name(&self) -> &'static str {
        "llm-http-logs"
    }

    fn layout(&self) -> Layout {
        Layout::PerLine
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        rows::layout(sample, |row| row.has("messages"))
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        sample.most_rows(is_log).then(|| Evidence::certain("`messages` with a `response`, and what the call cost"))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let traits = Traits { training_row: true, ..Traits::default() };
        let Some(row) = options.forgive(row(source, options.first_line))? else {
            return Ok(document::opaque(source, options, traits));
        };
        let mut transcript = match turns(&row) {
            Some(turns) => turns.read(source, options.first_line, traits)?,
            None => anthropic_messages::AnthropicMessages.read(source, options)?,
        };
        let apart = copies::differ(&transcript, &row);
        transcript.traits.fixed = transcript.traits.fixed.or_else(|| apart.then_some(Reason::CopiesDiffer));
        add_answer(&mut transcript, &row, options.first_line);
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
        let Ok(row) = row(transcript.source, 1) else { return Vec::new() };
        if transcript.traits.fixed.is_some() {
            return Vec::new();
        }
        let script = &*besides_answer(transcript, script, &row);
        let mut patches = match turns(&row) {
            Some(turns) => turns.render(transcript, script),
            None => anthropic_messages::AnthropicMessages.render(transcript, script, marks),
        };
        patches.extend(copies::patches(transcript, script, &row));
        Patch::in_order(patches)
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let mut faults = match is_openais(transcript) {
            true => openai::faults(transcript),
            false => anthropic_messages::AnthropicMessages.faults(transcript),
        };
        // A call may have failed, and a first call has only a question.
        faults.retain(|fault| fault.rule != "no_assistant");
        faults
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        match is_openais(transcript) {
            true => openai::mend(transcript, faults, script),
            false => drop(anthropic_messages::AnthropicMessages.mend(transcript, faults, script)),
        }
        Vec::new()
    }
}

/// Whether an object is a logged call.
fn is_log(fields: &Object<'_>) -> bool {
    let messages = fields.get("messages").is_some_and(|messages| messages.raw().starts_with('['));
    messages && fields.has("response") && BESIDE.iter().any(|key| fields.has(key))
}

/// The messages of a log if they are OpenAI's; `None` if they are Anthropic's.
fn turns<'a>(row: &Row<'a>) -> Option<Turns<'a>> {
    if openai::is_anthropics(&row.fields) { None } else { Turns::all(row.fields.clone(), row.array) }
}

/// Whether the messages of a log are OpenAI's.
fn is_openais(transcript: &Transcript<'_>) -> bool {
    row(transcript.source, 1).is_ok_and(|row| !openai::is_anthropics(&row.fields))
}

/// Adds the message of the response. Its usage is stale once there is a summary among the messages.
fn add_answer<'a>(transcript: &mut Transcript<'a>, row: &Row<'a>, line: usize) {
    let Some((span, message)) = answer::read(transcript.source, &row.fields) else { return };
    let record = transcript.records.len();
    let newlines = transcript.source.get(..span.start).map_or(0, |before| memchr::memchr_iter(b'\n', before).count());
    let class = Class::Message(transcript.messages.len());
    transcript.records.push(Record { span, line: line + newlines, class, id: None, parent: None });
    let stale_usage = transcript.messages.iter().any(|message| message.author == Author::Summary);
    transcript.messages.push(Message { record, stale_usage, ..message });
}

/// The script without changes to the message of the response.
fn besides_answer<'s>(transcript: &Transcript<'_>, script: &'s EditScript, row: &Row<'_>) -> Cow<'s, EditScript> {
    let last = transcript.messages.len().wrapping_sub(1);
    let touched = script.keep.last() == Some(&false) || !script.changes_of(last).is_empty();
    if !touched || answer::read(transcript.source, &row.fields).is_none() {
        return Cow::Borrowed(script);
    }
    let mut script = script.clone();
    script.keep.last_mut().into_iter().for_each(|keep| *keep = true);
    script.parts.retain(|edit| edit.message != last);
    Cow::Owned(script)
}

#[cfg(test)]
mod tests;
