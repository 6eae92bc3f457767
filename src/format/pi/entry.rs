//! Reads one entry as a message: the table of roles and of entries that a model reads.

use crate::format::openai;
use crate::format::shared::json::{Json, Object};
use crate::format::shared::slot;
use crate::format::shared::synthetic::is_stub;
use crate::transcript::fixed_texts::TOOL_ERROR;
use crate::transcript::{Author, Media, Message, Part, PartKind, Role, Shape, Slot, Status, Tokens, Usage, envelope};
use std::borrow::Cow;

/// Tools that run commands.
const RUNS: [&str; 3] = ["bash", "exec", "process"];
/// Beginnings of the last line of an output with the exit status of a command (OpenClaw), possibly in parentheses.
const EXITED: [&str; 2] = ["Command exited with code ", "Process exited with code "];

/// The message in an entry of type `message`; `None` if no model reads it or its role is unknown.
pub(super) fn message<'a>(source: &[u8], fields: &Object<'a>) -> Option<Message<'a>> {
    let parts = |key: &str| fields.get(key).map(|content| parts(source, content)).unwrap_or_default();
    let words = |author, parts| Message { role: Role::User, author, parts, ..Message::default() };
    Some(match &*fields.text("role")? {
        "user" => user(words(Author::Person, parts("content"))),
        "assistant" => answer(fields, parts("content")),
        "toolResult" => result(source, fields)?,
        "bashExecution" if fields.is_true("excludeFromContext") => return None,
        "bashExecution" => words(Author::Harness, [parts("command"), parts("output")].into_iter().flatten().collect()),
        "custom" | "hookMessage" => words(Author::Harness, parts("content")),
        "branchSummary" => words(Author::Harness, parts("summary")),
        "compactionSummary" => words(Author::Summary, parts("summary")),
        _ => return None,
    })
}

/// A message from another kind of entry: an extension's text, or the summary of a branch or of the history.
pub(super) fn words<'a>(source: &[u8], text: Option<Json<'a>>, author: Author) -> Message<'a> {
    let parts = text.map(|text| parts(source, text)).unwrap_or_default();
    Message { role: Role::User, author, parts, ..Message::default() }
}

fn answer<'a>(fields: &Object<'a>, parts: Vec<Part<'a>>) -> Message<'a> {
    let stop = fields.text("stopReason");
    Message {
        role: Role::Assistant,
        author: Author::Model,
        parts,
        model: fields.text("model"),
        usage: fields.object("usage").map(|usage| read_usage(&usage)),
        cut_off: stop.as_deref() == Some("length"),
        aborted: matches!(stop.as_deref(), Some("error" | "aborted")),
        ..Message::default()
    }
}

fn result<'a>(source: &[u8], fields: &Object<'a>) -> Option<Message<'a>> {
    let (text, media, slot) = openai::result(source, fields.get("content")?);
    let details = fields.object("details");
    let tool = fields.text("toolName");
    let fails = details.as_ref().and_then(|details| details.text("status")).is_some_and(|status| status == "error");
    let error = fields.is_true("isError") || fails || text.starts_with(TOOL_ERROR);
    // The flag is false even for failed commands, as long as the tool itself did not fail.
    let stated = details.as_ref().and_then(|details| details.get("exitCode")).and_then(Json::whole);
    let printed = || tool.as_deref().filter(|tool| RUNS.contains(tool)).and_then(|_| exit_code(&text));
    let code = stated.or_else(printed).and_then(|code| i32::try_from(code).ok()).map(Status::Exit);
    let status = code.or_else(|| fields.status_by_flag("isError")).filter(|_| !error);
    let kind = PartKind::Result {
        id: fields.text("toolCallId").unwrap_or_default(),
        tool,
        error,
        pruned: is_stub(&text),
        media,
    };
    let parts = vec![Part { status, ..slot::part(kind, text, slot) }];
    Some(Message { role: Role::Tool, author: Author::Tool, parts, ..Message::default() })
}

/// The exit status in the last line of an output.
fn exit_code(text: &str) -> Option<u64> {
    let line = text.trim_end().rsplit('\n').next()?.trim_start_matches('(');
    let code = EXITED.iter().find_map(|start| line.strip_prefix(start))?;
    code.trim_end_matches([')', '.']).parse().ok()
}

/// Beginning of the notice that a run has used up its calls.
const BUDGET: &str = "Tool budget soft limit reached after ";

/// A user message, which may be the gateway's (OpenClaw), or a notice of pi.
fn user(mut message: Message<'_>) -> Message<'_> {
    let is_notice = |text: &str| text.starts_with(BUDGET) || envelope::is_gateways(text);
    if !message.has_media() && is_notice(&message.text()) {
        message.author = Author::Harness;
    }
    message
}

fn parts<'a>(source: &[u8], content: Json<'a>) -> Vec<Part<'a>> {
    match content.array() {
        Some(blocks) => blocks.into_iter().map(|block| block_part(source, block)).collect(),
        None => openai::parts(source, content),
    }
}

fn block_part<'a>(source: &[u8], block: Json<'a>) -> Part<'a> {
    let fields = block.object().unwrap_or_default();
    let text = |key: &str| fields.text(key).unwrap_or_default();
    let (kind, text) = match &*text("type") {
        "thinking" => {
            let signed = fields.text("thinkingSignature").is_some_and(|signature| !signature.is_empty());
            (PartKind::Reasoning { signed }, text("thinking"))
        }
        "toolCall" => {
            let arguments = fields.get("arguments");
            let slot = slot::arguments(source, block, arguments);
            let words = Cow::Borrowed(arguments.map(Json::raw).unwrap_or_default());
            return slot::part(PartKind::Call { id: text("id"), name: text("name") }, words, slot);
        }
        "text" => return text_part(source, block, &fields),
        "image" => (PartKind::Media(Media::Image), Cow::default()),
        _ => (PartKind::Opaque, Cow::default()),
    };
    slot::part(kind, text, slot::fixed(source, block))
}

fn text_part<'a>(source: &[u8], block: Json<'a>, fields: &Object<'a>) -> Part<'a> {
    match fields.get("text").and_then(|value| Some((value.text()?, value.span_in(source)))) {
        Some((text, content)) => {
            let slot = Slot { part: block.span_in(source), content, shape: Shape::Text };
            slot::part(PartKind::Text, text, slot)
        }
        None => slot::part(PartKind::Opaque, Cow::default(), slot::fixed(source, block)),
    }
}

fn read_usage(usage: &Object<'_>) -> Usage {
    let tokens = |key: &str| Tokens(usage.whole(key).unwrap_or_default());
    Usage {
        input: tokens("input"),
        cache_read: tokens("cacheRead"),
        cache_write: tokens("cacheWrite"),
        output: tokens("output"),
    }
}
