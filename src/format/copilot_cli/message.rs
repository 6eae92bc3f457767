//! Events that a model reads: user and assistant messages, results, the system prompt, notices.

use crate::format::shared::json::{Json, Object};
use crate::format::shared::slot::{arguments as arguments_slot, fixed, part, string};
use crate::format::shared::synthetic::is_stub;
use crate::transcript::{Author, Media, Message, Part, PartKind, Role, Shape, Slot};
use std::borrow::Cow;

/// Values of `source` in user messages that no person typed.
const SYNTHETIC: [&str; 6] = ["skill", "agent", "system", "autopilot", "schedule", "hook"];

/// The message that an event holds; `None` if it holds none.
pub(super) fn message<'a>(source: &[u8], kind: &str, data: &Object<'a>) -> Option<Message<'a>> {
    let words = |role, author, key: &str| {
        let text = data.get(key).filter(|text| text.is_string())?;
        let parts = vec![words(source, text)];
        Some(Message { role, author, parts, live: true, ..Message::default() })
    };
    match kind {
        "system.message" => words(Role::System, Author::System, "content"),
        "system.notification" => words(Role::User, Author::Harness, "content"),
        "session.compaction_complete" if data.is_true("success") => {
            words(Role::User, Author::Summary, "summaryContent").filter(|message| !message.text().is_empty())
        }
        "user.message" => Some(user(source, data)),
        "assistant.message" => Some(assistant(source, data)),
        "tool.execution_complete" if data.is_true("isUserRequested") => {
            let shown = result(source, data);
            let parts = vec![Part { kind: PartKind::Text, ..shown }];
            Some(Message { role: Role::User, author: Author::Harness, parts, live: true, ..Message::default() })
        }
        "tool.execution_complete" => {
            let parts = vec![result(source, data)];
            Some(Message { role: Role::Tool, author: Author::Tool, parts, live: true, ..Message::default() })
        }
        _ => None,
    }
}

fn words<'a>(source: &[u8], text: Json<'a>) -> Part<'a> {
    part(PartKind::Text, text.text().unwrap_or_default(), fixed(source, text))
}

/// A user message: the person's words, the harness's wrapping for the model, and media.
fn user<'a>(source: &[u8], data: &Object<'a>) -> Message<'a> {
    let from = data.text("source").unwrap_or_default();
    let typed = !SYNTHETIC.iter().any(|start| from.starts_with(start)) && !data.is_true("isAutopilotContinuation");
    let said = data.get("content").filter(|text| text.is_string());
    let sent = data.get("transformedContent").filter(|text| text.text().is_some_and(|text| !text.is_empty()));
    let mut parts: Vec<_> = match (said, sent) {
        (Some(said), Some(sent)) => wrapped(source, said, sent),
        (said, sent) => said.or(sent).map(|text| words(source, text)).into_iter().collect(),
    };
    let attachments = data.array("attachments").unwrap_or_default().into_iter();
    parts.extend(attachments.filter_map(|value| {
        let medium = medium(&value.object()?)?;
        Some(part(PartKind::Media(medium), Cow::Borrowed(""), fixed(source, value)))
    }));
    let author = if typed { Author::Person } else { Author::Harness };
    Message { role: Role::User, author, parts, live: true, ..Message::default() }
}

/// The text as sent. If it contains the typed words verbatim, the wrapping becomes an opaque part of its own.
fn wrapped<'a>(source: &[u8], said: Json<'a>, sent: Json<'a>) -> Vec<Part<'a>> {
    let (words_said, words_sent) = (said.text().unwrap_or_default(), sent.text().unwrap_or_default());
    match words_sent.split_once(&*words_said) {
        Some(("", "")) => vec![words(source, said)],
        Some((before, after)) => {
            let wrapping = part(PartKind::Opaque, Cow::Owned(format!("{before}{after}")), fixed(source, sent));
            let said = (!words_said.is_empty()).then(|| words(source, said));
            said.into_iter().chain([wrapping]).collect()
        }
        None => vec![words(source, sent)],
    }
}

/// The medium of an attachment whose bytes are sent; paths and references are part of the text.
fn medium(attachment: &Object<'_>) -> Option<Media> {
    let mime = attachment.text("mimeType").filter(|_| attachment.is("type", "blob"))?;
    Some(match &*mime {
        mime if mime.starts_with("image/") => Media::Image,
        mime if mime.starts_with("audio/") => Media::Audio,
        "application/pdf" => Media::Document,
        _ => Media::Other,
    })
}

/// An assistant message: reasoning, text and calls; an empty text is left out.
fn assistant<'a>(source: &[u8], data: &Object<'a>) -> Message<'a> {
    let filled = |key: &str| data.get(key).filter(|text| text.text().is_some_and(|text| !text.is_empty()));
    let signed = filled("reasoningOpaque").or_else(|| filled("encryptedContent"));
    let thought = filled("reasoningText").or(signed).map(|value| {
        let text = data.text("reasoningText").unwrap_or_default();
        part(PartKind::Reasoning { signed: signed.is_some() }, text, fixed(source, value))
    });
    let calls = data.array("toolRequests").unwrap_or_default().into_iter().map(|value| call(source, value));
    let parts = thought.into_iter().chain(filled("content").map(|text| words(source, text))).chain(calls).collect();
    Message {
        role: Role::Assistant,
        author: Author::Model,
        parts,
        group: data.text("apiCallId").filter(|_| data.has("chunkIndex")),
        model: data.text("model"),
        live: true,
        ..Message::default()
    }
}

fn call<'a>(source: &[u8], value: Json<'a>) -> Part<'a> {
    let fields = value.object().unwrap_or_default();
    let arguments = fields.get("arguments");
    let text = arguments.and_then(Json::text).or(arguments.map(|arguments| Cow::Borrowed(arguments.raw())));
    let kind = PartKind::Call {
        id: fields.text("toolCallId").unwrap_or_default(),
        name: fields.text("name").unwrap_or_default(),
    };
    part(kind, text.unwrap_or_default(), arguments_slot(source, value, arguments))
}

/// The result of a tool, or the error message if it failed.
fn result<'a>(source: &[u8], data: &Object<'a>) -> Part<'a> {
    let own = data.object("result").unwrap_or_default();
    let words = own.get("content").filter(|text| text.is_string());
    let words = words.or_else(|| data.object("error")?.get("message").filter(|text| text.is_string()));
    let text = words.and_then(Json::text).unwrap_or_default();
    let binary = own.array("binaryResultsForLlm").unwrap_or_default().into_iter().filter_map(Json::object);
    let media = binary.map(|one| if one.is("type", "image") { Media::Image } else { Media::Other });
    let kind = PartKind::Result {
        id: data.text("toolCallId").unwrap_or_default(),
        tool: None,
        error: data.get("success").is_some_and(|success| success.raw() == "false"),
        pruned: is_stub(&text),
        media: media.collect(),
    };
    let slot = words.map(|words| string(source, words));
    part(kind, text, slot.unwrap_or(Slot { part: 0..0, content: 0..0, shape: Shape::Fixed }))
}
