//! V1 events (of the SDK): the table of kinds, and how the model reads each (`to_llm_message` of the SDK).

use super::event::{Event, Kind, id, message, text_part};
use super::view::{self, Forgotten};
use crate::format::openai;
use crate::format::shared::json::{Json, Object};
use crate::format::shared::slot::{arguments as arguments_slot, fixed, part};
use crate::format::shared::synthetic::is_stub;
use crate::transcript::{Author, Class, Media, Message, Part, PartKind, Slot, Status};
use std::borrow::Cow;

/// Kinds whose name does not end in `Event`.
pub(super) const OTHER_KINDS: [&str; 3] = ["Condensation", "CondensationRequest", "UserRejectObservation"];

/// Reads an event of a kind.
pub(super) fn event<'a>(source: &[u8], kind: &str, fields: &Object<'a>) -> Event<'a> {
    let follows = id(fields, "action_id").or_else(|| id(fields, "message_id"));
    let kind = match kind {
        "SystemPromptEvent" => Kind::Message(system(source, fields)),
        "MessageEvent" => Kind::Message(words(source, fields)),
        "ActionEvent" => Kind::Message(action(source, fields)),
        "ObservationEvent" => Kind::Message(observation(source, fields)),
        "AgentErrorEvent" => Kind::Message(refusal(source, fields, "error")),
        "UserRejectObservation" => Kind::Message(refusal(source, fields, "rejection_reason")),
        "CondensationSummaryEvent" => {
            Kind::Message(message(Author::Summary, text_part(source, fields, "summary").into_iter().collect()))
        }
        "Condensation" => {
            let summary = text_part(source, fields, "summary").filter(|_| view::has_summary(fields));
            let message = summary.map(|summary| message(Author::Summary, vec![summary]));
            Kind::Condensation(Forgotten::read(fields), message)
        }
        "ConversationStateUpdateEvent" => Kind::Other(Class::Session(fields.text("key").unwrap_or_default())),
        "TokenEvent" | "StreamingDeltaEvent" | "LLMCompletionLogEvent" => Kind::Other(Class::Ui),
        "CondensationRequest"
        | "PauseEvent"
        | "InterruptEvent"
        | "ConversationErrorEvent"
        | "HookExecutionEvent"
        | "ACPToolCallEvent" => Kind::Other(Class::Place),
        _ => Kind::Other(Class::Opaque),
    };
    let mut event = kind.after(follows);
    if let Kind::Message(message) | Kind::Condensation(_, Some(message)) = &mut event.kind {
        message.timestamp = fields.text("timestamp");
    }
    event
}

/// The system prompt, and the part added for this conversation.
fn system<'a>(source: &[u8], fields: &Object<'a>) -> Message<'a> {
    let block = |key: &str| {
        let block = fields.object(key)?;
        text_part(source, &block, "text")
    };
    message(Author::System, ["system_prompt", "dynamic_context"].into_iter().filter_map(block).collect())
}

/// A message, with the text that the context adds to it.
fn words<'a>(source: &[u8], fields: &Object<'a>) -> Message<'a> {
    let inner = fields.object("llm_message").unwrap_or_default();
    let author = match inner.text("role").as_deref() {
        Some("assistant") => Author::Model,
        Some("system") => Author::System,
        Some("tool") => Author::Tool,
        _ if fields.text("source").is_none_or(|source| source == "user") => Author::Person,
        _ => Author::Harness,
    };
    let mut all = reasoning(source, &inner);
    let content = inner.get("content").map(|content| openai::parts(source, content)).unwrap_or_default();
    match inner.text("tool_call_id").filter(|_| author == Author::Tool) {
        Some(id) => {
            all.extend(inner.get("content").map(|content| result(source, (id, inner.text("name")), content, false)))
        }
        None => all.extend(content),
    }
    let calls = inner.array("tool_calls").unwrap_or_default();
    all.extend(calls.into_iter().map(|value| call(source, value)));
    all.extend(fields.get("extended_content").map(|added| openai::parts(source, added)).unwrap_or_default());
    message(author, all)
}

/// One call of an answer; the first one has the text and the reasoning of all.
fn action<'a>(source: &[u8], fields: &Object<'a>) -> Message<'a> {
    let mut all = reasoning(source, fields);
    all.extend(fields.get("thought").map(|thought| openai::parts(source, thought)).unwrap_or_default());
    all.extend(fields.get("tool_call").map(|value| call(source, value)));
    let mut message = message(Author::Model, all);
    message.group = fields.text("llm_response_id").filter(|id| !id.is_empty());
    message
}

fn call<'a>(source: &[u8], value: Json<'a>) -> Part<'a> {
    let fields = value.object().unwrap_or_default();
    let inner = fields.object("function");
    let inner = inner.as_ref().unwrap_or(&fields);
    let arguments = inner.get("arguments");
    let text = arguments.map(Json::spelled);
    let (id, name) = (fields.text("id").unwrap_or_default(), inner.text("name").unwrap_or_default());
    part(PartKind::Call { id, name }, text.unwrap_or_default(), arguments_slot(source, value, arguments))
}

/// Reasoning, stored in three fields. Signed reasoning is repeated there as plain text; it is read once.
fn reasoning<'a>(source: &[u8], fields: &Object<'a>) -> Vec<Part<'a>> {
    let mut all = Vec::new();
    for block in fields.array("thinking_blocks").unwrap_or_default() {
        let inner = block.object().unwrap_or_default();
        let signed = ["signature", "data"].iter().any(|key| inner.text(key).is_some_and(|text| !text.is_empty()));
        let text = inner.text("thinking").unwrap_or_default();
        all.push(part(PartKind::Reasoning { signed }, text, fixed(source, block)));
    }
    let plain = fields.get("reasoning_content").filter(|_| all.is_empty());
    if let Some((value, text)) = plain.and_then(|value| Some((value, value.text().filter(|text| !text.is_empty())?))) {
        all.push(part(PartKind::Reasoning { signed: false }, text, fixed(source, value)));
    }
    all.extend(item(source, fields));
    all
}

/// Reasoning of OpenAI's Responses API.
fn item<'a>(source: &[u8], fields: &Object<'a>) -> Option<Part<'a>> {
    let value = fields.get("responses_reasoning_item")?;
    let item = value.object()?;
    let texts = |key: &str| item.array(key).unwrap_or_default().into_iter().filter_map(Json::text);
    let text = texts("summary").chain(texts("content")).collect::<Vec<_>>().join("\n");
    let signed = item.text("encrypted_content").is_some_and(|text| !text.is_empty());
    Some(part(PartKind::Reasoning { signed }, Cow::Owned(text), fixed(source, value)))
}

/// The result of a tool.
fn observation<'a>(source: &[u8], fields: &Object<'a>) -> Message<'a> {
    let Some(value) = fields.get("observation") else { return message(Author::Tool, Vec::new()) };
    let inner = value.object().unwrap_or_default();
    let content = ["content", "output", "text"].iter().find_map(|key| inner.get(key).filter(|it| !it.is_null()));
    let failed = inner.is_true("is_error") || inner.text("error").is_some_and(|error| !error.is_empty());
    let mut part = result(source, answered(fields), content.unwrap_or(value), failed);
    part.status = inner.whole("exit_code").and_then(|code| i32::try_from(code).ok()).map(Status::Exit);
    if let PartKind::Result { media, .. } = &mut part.kind
        && inner.text("screenshot_data").is_some_and(|data| !data.is_empty())
    {
        media.push(Media::Image);
    }
    let mut all = vec![part];
    all.extend(fields.get("extended_content").map(|added| openai::parts(source, added)).unwrap_or_default());
    message(Author::Tool, all)
}

/// The result of a call that was not carried out: an error, or the reason for its rejection.
fn refusal<'a>(source: &[u8], fields: &Object<'a>, key: &str) -> Message<'a> {
    let (id, tool) = answered(fields);
    match fields.get(key) {
        Some(content) if !id.is_empty() => message(Author::Tool, vec![result(source, (id, tool), content, true)]),
        _ => message(Author::Harness, text_part(source, fields, key).into_iter().collect()),
    }
}

/// The id of the call that an observation answers, and its tool.
fn answered<'a>(fields: &Object<'a>) -> (Cow<'a, str>, Option<Cow<'a, str>>) {
    (fields.text("tool_call_id").unwrap_or_default(), fields.text("tool_name"))
}

fn result<'a>(
    source: &[u8],
    (id, tool): (Cow<'a, str>, Option<Cow<'a, str>>),
    content: Json<'a>,
    error: bool,
) -> Part<'a> {
    let (text, media, slot): (_, _, Slot) = openai::result(source, content);
    part(PartKind::Result { id, tool, error, pruned: is_stub(&text), media }, text, slot)
}
