//! Reads the messages of a conversation.

use super::{ID, PARENT, ROOT, USERS};
use crate::format::shared::answered_inside;
use crate::format::shared::document::{self, Document};
use crate::format::shared::json::{Json, Object};
use crate::format::shared::links::{in_order, on_path};
use crate::format::shared::slot::{arguments, fixed, joined, part, string, within};
use crate::format::shared::synthetic;
use crate::reason::Reason;
use crate::transcript::{
    Author, Class, Media, Message, Part, PartKind, Role, Shape, Tokens, Traits, Transcript, Usage,
};
use std::borrow::Cow;

/// Reads a conversation.
pub(super) fn read<'a>(
    source: &'a [u8],
    document: &Document<'a>,
    (first_line, traits): (usize, Traits),
) -> Transcript<'a> {
    let mut transcript = document.transcript(first_line, traits);
    let all: Vec<_> = document.elements.iter().map(|element| element.object().unwrap_or_default()).collect();
    for (record, fields) in transcript.records.iter_mut().zip(&all) {
        record.id = fields.text(ID);
        record.parent = fields.text(PARENT).filter(|parent| !parent.is_empty() && parent != ROOT);
    }
    let on_path = on_path(&transcript, None);
    for (at, fields) in all.iter().enumerate() {
        let live = on_path[at];
        let Some(message) = message(source, (at, fields)) else { continue };
        let says = !message.parts.is_empty();
        if says {
            document::push(&mut transcript, at, Message { live, abandoned: !live, ..message });
        }
        match (live, says) {
            (false, _) => transcript.records[at].class = Class::Abandoned,
            (true, false) => transcript.records[at].class = Class::Place,
            (true, true) => {}
        }
    }
    answered_inside::tell_apart(&mut transcript.messages);
    if !in_order(&transcript, &on_path) {
        transcript.traits.fixed = Some(Reason::UnknownShape);
    }
    transcript
}

/// The message of a record, without parts if it says nothing; `None` if it is none.
fn message<'a>(source: &[u8], (at, fields): (usize, &Object<'a>)) -> Option<Message<'a>> {
    let is_users = fields.get(USERS)?.is_true();
    let content = fields.array("content").unwrap_or_default();
    let mut parts: Vec<_> =
        content.into_iter().enumerate().flat_map(|(n, value)| piece(source, value, (at, n))).collect();
    let says = parts.iter().any(|part| part.kind == PartKind::Text && !part.text.trim().is_empty());
    if let Some(text) = fields.get("text").filter(|text| !says && text.says()) {
        parts.push(part(PartKind::Text, text.spelled(), string(source, text)));
    }
    let files = fields.array("files").unwrap_or_default().into_iter().filter(|_| is_users);
    parts.splice(0..0, files.map(|file| part(PartKind::Media(medium(file)), Cow::default(), fixed(source, file))));
    let (role, author) = match is_users {
        true => (Role::User, synthetic::user_author(&parts)),
        false => (Role::Assistant, Author::Model),
    };
    let output = fields.whole("tokenCount").filter(|_| !is_users);
    let usage = output.map(|output| Usage { output: Tokens(output), ..Usage::default() });
    let model = fields.text("model").filter(|_| !is_users);
    Some(Message { role, author, parts, model, usage, timestamp: fields.text("createdAt"), ..Message::default() })
}

/// The parts of an element of `content`: a call stands in one with what came of it.
fn piece<'a>(source: &[u8], value: Json<'a>, (at, number): (usize, usize)) -> Vec<Part<'a>> {
    let fields = value.object().unwrap_or_default();
    let kind = fields.text("type").unwrap_or_default();
    let alone = |kind, text| vec![part(kind, text, fixed(source, value))];
    match &*kind {
        "text" => {
            let text = fields.get("text");
            let text = text.and_then(Json::object).and_then(|text| text.get("value")).or(text);
            let text = text.filter(|text| text.is_string());
            let slot = within(source, value, text.map(|text| (text, Shape::Text)));
            vec![part(PartKind::Text, text.map(Json::spelled).unwrap_or_default(), slot)]
        }
        "think" => alone(PartKind::Reasoning { signed: false }, fields.text("think").unwrap_or_default()),
        "tool_call" => call(source, value, (fields.object("tool_call").unwrap_or_default(), (at, number))),
        "image_file" | "image_url" => alone(PartKind::Media(Media::Image), Cow::default()),
        _ => alone(PartKind::Opaque, Cow::default()),
    }
}

/// A call, and what came of it.
fn call<'a>(source: &[u8], value: Json<'a>, (stored, (at, number)): (Object<'a>, (usize, usize))) -> Vec<Part<'a>> {
    let function = stored.object("function").unwrap_or_default();
    let either = |keys: [&str; 2]| stored.get(keys[0]).or_else(|| function.get(keys[1])).filter(|it| !it.is_null());
    let id = stored.text("id").filter(|id| !id.is_empty()).unwrap_or_else(|| format!("#{at}.{number}").into());
    if let Some(ran) = stored.object("code_interpreter") {
        return interpreted(source, value, (id, &ran)).unwrap_or_else(|| unknown(source, value));
    }
    let Some(name) = either(["name", "name"]).and_then(Json::text).filter(|name| !name.is_empty()) else {
        return unknown(source, value);
    };
    let given = either(["args", "arguments"]);
    let words = given.map(Json::spelled).unwrap_or_default();
    let kind = PartKind::Call { id: id.clone(), name: name.clone() };
    let mut parts = vec![part(kind, words, arguments(source, value, given))];
    if let Some(output) = either(["output", "output"]) {
        let text = output.spelled();
        let pruned = synthetic::is_stub(&text);
        let kind = PartKind::Result { id, tool: Some(name), error: false, pruned, media: Vec::new() };
        let slot = within(source, value, output.is_string().then_some((output, Shape::Text)));
        parts.push(part(kind, text, slot));
    }
    parts
}

/// A call of OpenAI's interpreter, with what the code printed and drew; `None` if nothing came of it.
fn interpreted<'a>(source: &[u8], value: Json<'a>, (id, ran): (Cow<'a, str>, &Object<'a>)) -> Option<Vec<Part<'a>>> {
    let input = ran.get("input").filter(|input| input.is_string())?;
    let outputs: Vec<_> = ran.array("outputs")?.into_iter().filter_map(Json::object).collect();
    let images = outputs.iter().filter(|output| output.is("type", "image"));
    let media: Vec<_> = images.map(|_| Media::Image).collect();
    let logs: Vec<_> = outputs.iter().filter_map(|output| output.get("logs")).filter(|logs| logs.is_string()).collect();
    let only = if let [only] = logs[..] { Some((only, Shape::Text)) } else { None };
    let text = joined(logs.into_iter().map(Json::spelled).collect());
    let name = Cow::Borrowed("code_interpreter");
    let pruned = synthetic::is_stub(&text);
    let call = part(PartKind::Call { id: id.clone(), name: name.clone() }, input.spelled(), fixed(source, value));
    let kind = PartKind::Result { id, tool: Some(name), error: false, pruned, media };
    Some(vec![call, part(kind, text, within(source, value, only))])
}

/// A call of an unknown shape, of which nobody can say what was called or what came of it.
fn unknown<'a>(source: &[u8], value: Json<'a>) -> Vec<Part<'a>> {
    vec![part(PartKind::Opaque, Cow::Borrowed(value.raw()), fixed(source, value))]
}

fn medium(file: Json<'_>) -> Media {
    let kind = file.object().and_then(|file| file.text("type")).unwrap_or_default();
    match kind.split('/').next() {
        Some("image") => Media::Image,
        Some("audio") => Media::Audio,
        _ => Media::Document,
    }
}
