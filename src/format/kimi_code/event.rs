//! Reads one event as a message: its author and its parts.

use crate::format::kimi_cli;
use crate::format::openai;
use crate::format::shared::json::{Json, Object};
use crate::format::shared::slot::{arguments as arguments_slot, part, string};
use crate::format::shared::synthetic;
use crate::transcript::{Author, Message, Part, PartKind, Role, Status, Tokens, Usage};
use std::borrow::Cow;

/// The type of an event, and, for an event of a step, the inner event.
pub(super) fn kind<'a>(fields: &Object<'a>) -> (Cow<'a, str>, Option<Object<'a>>) {
    let kind = fields.text("type").unwrap_or_default();
    match fields.object("event").filter(|_| kind == "context.append_loop_event") {
        Some(event) => (event.text("type").unwrap_or_default(), Some(event)),
        None => (kind, None),
    }
}

/// Whether an end event closes its step: an interrupted step may go on.
pub(super) fn closes(reason: Option<&str>) -> bool {
    !matches!(reason, Some("interrupted" | "error"))
}

/// The system prompt in a settings event.
pub(super) fn prompt<'a>(source: &'a [u8], fields: &Object<'a>) -> Option<Message<'a>> {
    let value = fields.get("systemPrompt")?;
    let text = value.text().filter(|text| !text.is_empty())?;
    let parts = vec![part(PartKind::Text, text, string(source, value))];
    Some(Message { role: Role::System, author: Author::System, parts, ..Message::default() })
}

/// A message that was appended as a whole.
pub(super) fn appended<'a>(source: &'a [u8], fields: &Object<'a>) -> Option<Message<'a>> {
    let value = fields.get("message")?;
    let message = value.object()?;
    let content = || message.get("content").map(|content| kimi_cli::parts(source, content)).unwrap_or_default();
    let (role, author, parts) = match &*message.text("role")? {
        "system" => (Role::System, Author::System, content()),
        "user" => {
            let parts = content();
            (Role::User, user(&message, &parts), parts)
        }
        "assistant" => {
            let calls = message.array("toolCalls").unwrap_or_default().into_iter();
            let calls = calls.filter_map(|call| Some(self::call(source, call, &call.object()?, ["id", "arguments"])));
            (Role::Assistant, Author::Model, content().into_iter().chain(calls).collect())
        }
        "tool" => (Role::Tool, Author::Tool, vec![result(source, &message, (message.text("toolCallId"), "content"))?]),
        _ => return None,
    };
    Some(Message { role, author, parts, ..Message::default() })
}

/// One piece of a step: content or a call.
pub(super) fn piece<'a>(source: &'a [u8], event: Json<'a>, fields: &Object<'a>) -> Option<Message<'a>> {
    let parts = match &*fields.text("type")? {
        "content.part" => kimi_cli::block(source, fields.get("part")?),
        _ => vec![call(source, event, fields, ["toolCallId", "args"])],
    };
    let group = fields.text("stepUuid");
    Some(Message { role: Role::Assistant, author: Author::Model, parts, group, ..Message::default() })
}

/// The result of a call.
pub(super) fn answer<'a>(source: &'a [u8], fields: &Object<'a>) -> Option<Message<'a>> {
    let parts = vec![result(source, &fields.object("result")?, (fields.text("toolCallId"), "output"))?];
    Some(Message { role: Role::Tool, author: Author::Tool, parts, ..Message::default() })
}

/// The summary of a compaction, as the model reads it.
pub(super) fn summary<'a>(source: &'a [u8], fields: &Object<'a>) -> Option<Message<'a>> {
    let text = ["contextSummary", "summary"].iter().filter_map(|key| fields.get(key)).find(|value| value.is_string());
    let parts = match text {
        Some(value) => vec![part(PartKind::Text, value.text().unwrap_or_default(), string(source, value))],
        None => kimi_cli::parts(source, fields.object("summary")?.get("content")?),
    };
    Some(Message { role: Role::User, author: Author::Summary, parts, ..Message::default() })
}

/// The provider's token counts of a step.
pub(super) fn usage(fields: &Object<'_>) -> Option<Usage> {
    let usage = fields.object("usage")?;
    let tokens = |key: &str| Tokens(usage.whole(key).unwrap_or_default());
    Some(Usage {
        input: tokens("inputOther"),
        cache_read: tokens("inputCacheRead"),
        cache_write: tokens("inputCacheCreation"),
        output: tokens("output"),
    })
}

/// Whether Kimi's compaction keeps a message word for word: the user's text, or a skill or command the user invoked.
pub(super) fn is_kept_by_kimi(fields: &Object<'_>) -> bool {
    let message = fields.object("message").unwrap_or_default();
    let origin = message.object("origin").unwrap_or_default();
    message.is("role", "user")
        && match origin.text("kind").as_deref() {
            None | Some("user") => true,
            Some("skill_activation" | "plugin_command") => origin.is("trigger", "user-slash"),
            _ => false,
        }
}

fn call<'a>(source: &'a [u8], whole: Json<'a>, fields: &Object<'a>, [id, arguments]: [&str; 2]) -> Part<'a> {
    let (id, name) = (fields.text(id).unwrap_or_default(), fields.text("name").unwrap_or_default());
    let arguments = fields.get(arguments).filter(|arguments| !arguments.is_null());
    let text = arguments.map(Json::spelled).unwrap_or_default();
    part(PartKind::Call { id, name }, text, arguments_slot(source, whole, arguments))
}

fn result<'a>(source: &'a [u8], fields: &Object<'a>, (id, key): (Option<Cow<'a, str>>, &str)) -> Option<Part<'a>> {
    let (text, media, slot) = openai::result(source, fields.get(key)?);
    let error = fields.is_true("isError");
    let kind =
        PartKind::Result { id: id.unwrap_or_default(), tool: None, error, pruned: synthetic::is_stub(&text), media };
    Some(Part { status: (!error).then_some(Status::Unflagged), ..part(kind, text, slot) })
}

/// The author of a user message, by its stated origin. For a subagent, the agent that started it is the user.
fn user(message: &Object<'_>, parts: &[Part<'_>]) -> Author {
    let origin = message.object("origin").unwrap_or_default();
    let has = |key: &str| origin.text(key).is_some_and(|text| !text.trim().is_empty());
    match origin.text("kind").as_deref() {
        None | Some("user") => synthetic::user_author(parts),
        Some("skill_activation") if has("skillArgs") => Author::Person,
        Some("plugin_command") if has("commandArgs") => Author::Person,
        Some("system_trigger") if origin.is("name", "subagent") => Author::Person,
        Some("compaction_summary") => Author::Summary,
        _ => Author::Harness,
    }
}
