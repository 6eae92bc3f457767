//! What a source holds beside the messages: records that are left out, columns, the working directory.

use super::losses::{Loss, Losses};
use super::medium;
use super::source::Source;
use super::tools;
use crate::format::is_weight;
use crate::format::json::{Json, Object};
use crate::transcript::columns::{MEDIA, MEDIA_COLUMNS, MediaColumn};
use crate::transcript::{Class, Record, Transcript};
use std::borrow::Cow;
use std::ops::Range;

/// Fields of documents that hold the conversation or are carried over.
const CARRIED: [&str; 10] = [
    "messages",
    "conversations",
    "conversation",
    "steps",
    "history",
    "traj",
    "system",
    "tools",
    "functions",
    "schema_version",
];
/// The same for rows of OpenAI messages, joined ones included.
const OF_MESSAGES: [&str; 6] = ["messages", "conversations", "conversation", "trajectory", "tools", "functions"];
/// The same for rows of ShareGPT.
const OF_TURNS: [&str; 4] = ["conversations", "conversation", "system", "tools"];
/// The same for requests with contents of Gemini's.
const OF_CONTENTS: [&str; 5] = ["contents", "messages", "systemInstruction", "system_instruction", "tools"];
/// Fields of messages in rows that are converted.
const READ: [&str; 22] = [
    "role",
    "content",
    "from",
    "value",
    "tool_calls",
    "tool_call_id",
    "tool_call_ids",
    "function_call",
    "refusal",
    "audio",
    "reasoning_content",
    "reasoning",
    "thinking",
    "reasoning_details",
    "thinking_blocks",
    "timestamp",
    "model",
    "usage",
    "finish_reason",
    "stop_reason",
    "metadata",
    "is_error",
];
/// Fields of session records that only a user interface reads.
const COPIES: [&str; 4] = ["toolUseResult", "tool_use_result", "resultDisplay", "details"];

/// The fields of a format's rows or documents that are not lost.
fn carried(format: &str) -> &'static [&'static str] {
    match format {
        "openai-chat" | "messages-variants" | "openai-preference" | "trl" => &OF_MESSAGES,
        "sharegpt" => &OF_TURNS,
        "gemini-contents" => &OF_CONTENTS,
        _ => &CARRIED,
    }
}

/// Counts everything beside the messages that is lost.
pub(super) fn count(source: &Source<'_, '_>, losses: &mut Losses) {
    let (format, transcript) = (source.format.name(), source.transcript);
    for record in &transcript.records {
        let (loss, count) = match &record.class {
            Class::Message(_) | Class::Boundary => (Loss::MessageFields, fields_of(transcript, record, losses)),
            Class::Sidechain(_) => (Loss::Sidechains, 1),
            Class::Abandoned => (Loss::AbandonedBranches, 1),
            Class::Ui | Class::With(_) => (Loss::UiCopies, 1),
            Class::Place | Class::Session(_) => (Loss::SessionRecords, 1),
            Class::Opaque => (Loss::UnknownRecord, 1),
        };
        losses.add(loss, count);
    }
    let old = transcript.messages.iter().filter(|message| message.is_history());
    losses.add(Loss::CompactedHistory, old.count());
    if let Some(fields) = source.document() {
        let media = MEDIA_COLUMNS.iter().filter_map(|name| fields.array(name)).map(|column| column.len());
        losses.add(Loss::Media, media.sum());
        let is_media = |key: &str, value: Json<'_>| MEDIA_COLUMNS.contains(&key) && value.array().is_some();
        let other = |(key, value): &&(Cow<'_, str>, Json<'_>)| {
            let known = carried(format).contains(&&**key) || is_media(key, *value) || tools::holds(key, *value);
            !known && !value.is_null()
        };
        let unread = usize::from(format == "sharegpt" && has_unread_system(transcript, fields));
        losses.add(Loss::OtherFields, fields.fields().iter().filter(other).count() + unread);
    }
}

/// Whether a row has a system prompt beside the messages that is none of them: the first one is another.
fn has_unread_system(transcript: &Transcript<'_>, fields: &Object<'_>) -> bool {
    let system = fields.get("system").filter(|value| value.says()).map(|value| value.span_in(transcript.source));
    let is_read = |span: &Range<usize>| {
        transcript.records.iter().any(|record| span.start <= record.span.start && record.span.end <= span.end)
    };
    system.is_some_and(|span| !is_read(&span))
}

/// Number of fields of a message that are lost; training weights and copies for a user interface are counted
/// separately.
fn fields_of(transcript: &Transcript<'_>, record: &Record<'_>, losses: &mut Losses) -> usize {
    let Some(fields) = Json::at(transcript.source, &record.span).and_then(Json::object) else { return 0 };
    let inner = fields.object("message").unwrap_or_default();
    let calls = fields.array("toolCalls").unwrap_or_default().into_iter().filter_map(Json::object);
    let copy = |fields: &Object<'_>| COPIES.iter().any(|key| fields.has(key));
    losses.add(Loss::UiCopies, usize::from(copy(&fields) || copy(&inner)) + calls.filter(copy).count());
    if !fields.has("role") && !fields.has("from") || fields.has("parts") {
        return 0;
    }
    let stated = fields.fields().iter().filter(|(_, value)| !value.is_null());
    let (weights, others) = stated.partition::<Vec<_>, _>(|(key, _)| is_weight(key));
    losses.add(Loss::Weights, weights.len());
    let tool = ["tool", "function"].iter().any(|role| fields.is("role", role));
    let read = |key: &str| READ.contains(&key) || tool && key == "name";
    others.iter().filter(|(key, _)| !read(key)).count()
}

/// The placeholders in texts for entries of media columns, each with the word that replaces it, since columns are not
/// kept.
pub(super) fn places(source: &Source<'_, '_>) -> Vec<(&'static str, &'static str)> {
    let Some(fields) = source.document() else { return Vec::new() };
    let filled = |column: &&MediaColumn| fields.array(column.name).is_some_and(|entries| !entries.is_empty());
    MEDIA.iter().filter(filled).map(|column| (column.placeholder, medium::word(column.medium))).collect()
}

/// The agent's working directory, as stated by the document or one of the first 20 records.
pub(super) fn folder<'t>(source: &'t Source<'_, '_>) -> Option<Cow<'t, str>> {
    let transcript = source.transcript;
    let records = transcript.records.iter().take(20);
    let mut records = records.filter_map(|record| Json::at(transcript.source, &record.span)?.object());
    source.document().and_then(folder_in).or_else(|| records.find_map(|fields| folder_in(&fields)))
}

fn folder_in<'t>(fields: &Object<'t>) -> Option<Cow<'t, str>> {
    let found = |fields: &Object<'t>| {
        ["cwd", "working_dir", "directory"].iter().find_map(|key| fields.text(key).filter(|text| !text.is_empty()))
    };
    let inner = || ["payload", "info"].iter().filter_map(|key| fields.object(key)).find_map(|inner| found(&inner));
    found(fields).or_else(inner)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::format::{ReadOptions, by_name};

    #[test]
    fn the_contents_and_the_prompt_of_a_row_are_not_lost() {
        let content = |role: &str| format!(r#"{{"role":"{role}","parts":[{{"text":"x"}}]}}"#);
        let lost = |more: &str| {
            let (user, model) = (content("user"), content("model"));
            let row = format!(r#"{{"systemInstruction":{user},"contents":[{user},{model}]{more}}}"#);
            let format = by_name("gemini-contents").unwrap();
            let mut losses = Losses::default();
            let read = format.read(row.as_bytes(), ReadOptions::default()).unwrap();
            count(&Source::new(format, &read), &mut losses);
            losses.count(Loss::OtherFields)
        };
        assert_eq!((lost(""), lost(r#","labels":{"a":1}"#), lost(r#","completions":[]"#)), (0, 1, 1));
    }

    #[test]
    fn every_key_that_weighs_a_message_is_counted_as_one() {
        let format = by_name("openai-chat").unwrap();
        for key in ["weight", "loss_weight", "loss", "loss_scale", "train", "training", "train_detail"] {
            let answer = format!(r#"{{"role":"assistant","content":"a","{key}":0,"name":"n"}}"#);
            let row = format!(r#"{{"messages":[{{"role":"user","content":"u"}},{answer}]}}"#);
            let read = format.read(row.as_bytes(), ReadOptions::default()).unwrap();
            let mut losses = Losses::default();
            count(&Source::new(format, &read), &mut losses);
            assert_eq!((losses.count(Loss::Weights), losses.count(Loss::MessageFields)), (1, 1), "{key}");
        }
    }
}
