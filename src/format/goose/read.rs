//! Reads a session as records and messages.

use super::CONVERSATION;
use crate::format::shared::document::{self, Document};
use crate::format::shared::json::{Json, Object};
use crate::format::shared::slot;
use crate::format::shared::{record_lines, synthetic};
use crate::format::{ReadError, ReadOptions, begins_with_object};
use crate::transcript::{Author, Class, Media, Message, Part, PartKind, Role, Shape, Traits, Transcript};
use std::borrow::Cow;
use std::collections::HashMap;

/// Reads a session in either layout.
pub(super) fn read(source: &[u8], options: ReadOptions) -> Result<Transcript<'_>, ReadError> {
    let traits = Traits { native_summary: true, ..Traits::default() };
    let mut names = HashMap::new();
    let mut seen = Vec::new();
    let mut transcript = match Document::read(source, options.first_line, CONVERSATION) {
        Ok(document) => {
            let mut transcript = document.transcript(options.first_line, traits);
            for (at, element) in document.elements.iter().enumerate() {
                seen.extend(record(&mut transcript, at, *element, &mut names));
            }
            transcript
        }
        Err(error) if !begins_with_object(source) => match options.lenient {
            true => return Ok(document::opaque(source, options, traits)),
            false => return Err(error),
        },
        Err(_) => record_lines::read(source, options, traits, &mut |transcript, at, value| {
            seen.extend(record(transcript, at, value, &mut names));
        })?,
    };
    classify(&mut transcript, &seen);
    Ok(transcript)
}

/// Who sees a message.
#[derive(Debug, Clone, Copy)]
struct Seen {
    person: bool,
    model: bool,
}

/// Adds the message of a record, and returns who sees it.
fn record<'a>(
    transcript: &mut Transcript<'a>,
    at: usize,
    value: Json<'a>,
    names: &mut HashMap<Cow<'a, str>, Cow<'a, str>>,
) -> Option<Seen> {
    let fields = value.object()?;
    let role = match &*fields.text("role")? {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        _ => return None,
    };
    transcript.records[at].id = fields.text("id");
    let blocks = fields.array("content")?;
    let parts: Vec<_> = blocks.into_iter().map(|value| block(transcript.source, value, names)).collect();
    if parts.iter().all(|part| part.kind == PartKind::Opaque) {
        transcript.records[at].class = Class::Place;
        return None;
    }
    let metadata = fields.object("metadata").unwrap_or_default();
    let visible = |key: &str| metadata.get(key).is_none_or(|value| value.raw() != "false");
    let seen = Seen { person: visible("userVisible"), model: visible("agentVisible") };
    let seconds = fields.get("created").and_then(|created| created.raw().parse::<i64>().ok());
    let timestamp = seconds.and_then(|seconds| document::time_of_millis(seconds.checked_mul(1_000)?)).map(Into::into);
    let author = author(role, &parts, seen);
    let message = Message { role, author, parts, timestamp, live: seen.model, ..Message::default() };
    document::push(transcript, at, message);
    Some(seen)
}

fn author(role: Role, parts: &[Part<'_>], seen: Seen) -> Author {
    let says = |part: &Part<'_>| match part.kind {
        PartKind::Text => !part.text.trim().is_empty(),
        PartKind::Media(_) => true,
        _ => false,
    };
    match role {
        Role::Assistant => Author::Model,
        _ if parts.iter().all(Part::is_result) => Author::Tool,
        _ if seen.person && parts.iter().any(says) => Author::Person,
        _ => Author::Harness,
    }
}

/// Finds summaries: epitome's by their text; Goose's as the first message that only the model sees after those hidden
/// from it, together with the answer that Goose puts after it.
fn classify(transcript: &mut Transcript<'_>, seen: &[Seen]) {
    let messages = &mut transcript.messages;
    for (message, seen) in messages.iter_mut().zip(seen).filter(|(_, seen)| !seen.person) {
        let text = message.text();
        if message.role == Role::User && seen.model && synthetic::says_continue(&text) {
            message.author = Author::Continuation;
        }
    }
    synthetic::classify(messages, &[]);
    for (message, seen) in messages.iter_mut().zip(seen) {
        message.live &= seen.model;
    }
    for at in 1..messages.len() {
        let hidden = seen[at - 1].model || seen[at].person || !seen[at].model;
        let words = messages[at].parts.iter().all(|part| part.kind == PartKind::Text);
        if !hidden && words {
            messages[at].author = Author::Summary;
            let answer = seen.get(at + 1).is_some_and(|seen| !seen.person) && messages[at + 1].role == Role::Assistant;
            if answer && messages[at + 1].parts.iter().all(|part| part.kind == PartKind::Text) {
                messages[at + 1].author = Author::Continuation;
            }
        }
    }
}

/// Reads one block of a content.
fn block<'a>(source: &'a [u8], value: Json<'a>, names: &mut HashMap<Cow<'a, str>, Cow<'a, str>>) -> Part<'a> {
    let fields = value.object().unwrap_or_default();
    let text = |key: &str| fields.text(key).unwrap_or_default();
    let part = |kind, text, content| part(source, value, (kind, text), content);
    match &*text("type") {
        "text" => part(PartKind::Text, text("text"), fields.get("text").map(|value| (value, Shape::Text))),
        "thinking" => {
            let signed = fields.text("signature").is_some_and(|signature| !signature.is_empty());
            part(PartKind::Reasoning { signed }, text("thinking"), None)
        }
        "redactedThinking" => part(PartKind::Reasoning { signed: true }, Cow::Borrowed(""), None),
        "image" => part(PartKind::Media(Media::Image), Cow::Borrowed(""), None),
        "toolRequest" | "frontendToolRequest" => {
            let call = fields.object("toolCall").unwrap_or_default();
            let value = call.object("value").unwrap_or_default();
            let (id, name) = (text("id"), value.text("name").unwrap_or_default());
            names.insert(id.clone(), name.clone());
            let arguments = value.get("arguments");
            let text = arguments.or_else(|| call.get("error")).map(Json::raw).unwrap_or_default();
            let object = arguments.filter(|value| value.object().is_some()).map(|value| (value, Shape::Json));
            part(PartKind::Call { id, name }, Cow::Borrowed(text), object)
        }
        "toolResponse" => {
            let answer = answer(&fields);
            let id = text("id");
            let tool = names.get(&id).cloned();
            let pruned = synthetic::is_stub(&answer.text);
            let kind = PartKind::Result { id, tool, error: answer.error, pruned, media: answer.media };
            part(kind, answer.text, answer.content)
        }
        _ => part(PartKind::Opaque, Cow::Borrowed(""), None),
    }
}

fn part<'a>(
    source: &[u8],
    whole: Json<'_>,
    (kind, text): (PartKind<'a>, Cow<'a, str>),
    content: Option<(Json<'_>, Shape)>,
) -> Part<'a> {
    slot::part(kind, text, slot::within(source, whole, content))
}

/// The result of a tool.
#[derive(Default)]
struct Answer<'a> {
    text: Cow<'a, str>,
    media: Vec<Media>,
    error: bool,
    content: Option<(Json<'a>, Shape)>,
}

fn answer<'a>(response: &Object<'a>) -> Answer<'a> {
    let result = response.object("toolResult").unwrap_or_default();
    if let Some(error) = result.get("error").filter(|error| error.is_string()) {
        let text = error.text().unwrap_or_default();
        return Answer { text, error: true, content: Some((error, Shape::Text)), ..Answer::default() };
    }
    let value = result.get("value");
    let fields = value.and_then(Json::object).unwrap_or_default();
    let error = fields.is_true("isError");
    let content = fields.get("content").or(value.filter(|value| value.raw().starts_with('[')));
    let Some((content, blocks)) = content.and_then(|content| Some((content, content.array()?))) else {
        let said = fields.get("content").or(value).filter(|value| !value.is_null());
        return Answer { text: said.map(Json::spelled).unwrap_or_default(), error, ..Answer::default() };
    };
    let (mut texts, mut media) = (Vec::new(), Vec::new());
    for block in blocks.into_iter().filter_map(Json::object).filter(is_for_model) {
        match &*block.text("type").unwrap_or_default() {
            "image" => media.push(Media::Image),
            "audio" => media.push(Media::Audio),
            "resource" => texts.extend(block.object("resource").and_then(|resource| resource.text("text"))),
            _ => texts.extend(block.text("text")),
        }
    }
    let text = slot::joined(texts);
    Answer { text, media, error, content: Some((content, Shape::TextBlocks)) }
}

/// Whether a block is for the model; without an `audience` it is.
fn is_for_model(block: &Object<'_>) -> bool {
    let audience = block.object("annotations").and_then(|annotations| annotations.array("audience"));
    audience.is_none_or(|audience| audience.iter().any(|who| who.text().as_deref() == Some("assistant")))
}
