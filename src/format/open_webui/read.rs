//! Reads the messages of a chat along its tree.

use super::details::{Piece, pieces};
use crate::format::openai;
use crate::format::shared::answered_inside;
use crate::format::shared::json::{Json, Object};
use crate::format::shared::response_items::{self, Item};
use crate::format::shared::slot::{fixed, part, string, untouchable};
use crate::format::shared::synthetic;
use crate::format::shared::tree::{Node, Tree};
use crate::transcript::{Author, Media, Message, Part, PartKind, Role, Traits, Transcript};
use std::borrow::Cow;

/// The roles of messages.
const ROLES: [&str; 3] = ["system", "user", "assistant"];

/// Reads a chat.
pub(super) fn read<'a>(tree: &Tree<'a>, first_line: usize, traits: Traits) -> Transcript<'a> {
    // Nothing is written inside a node, so nothing in it may count as edited.
    let mut read = |node: &Node<'a>, _: bool| message(tree.source, node.value, &node.fields).map(untouchable);
    let mut transcript = tree.transcript((first_line, traits), &mut read, &|node| speaker(&node.fields).is_some());
    answered_inside::tell_apart(&mut transcript.messages);
    transcript
}

/// The role of a node that was not read though it says something.
pub(super) fn speaker<'a>(fields: &Object<'a>) -> Option<Cow<'a, str>> {
    let says = fields.get("content").is_some_and(Json::holds_something);
    fields.text("role").filter(|role| says && !ROLES.contains(&&**role))
}

/// The message of a node, without parts if it says nothing; `None` if its role is unknown.
fn message<'a>(source: &'a [u8], value: Json<'a>, fields: &Object<'a>) -> Option<Message<'a>> {
    let content = || fields.get("content").filter(|content| content.holds_something());
    let words = || content().map(|content| openai::parts(source, content)).unwrap_or_default();
    let (role, author, parts) = match &*fields.text("role")? {
        "system" => (Role::System, Author::System, words()),
        "user" => {
            let parts: Vec<_> = attached(source, fields).into_iter().chain(words()).collect();
            (Role::User, synthetic::user_author(&parts), parts)
        }
        "assistant" => {
            let items = fields.array("output").map(|items| answered(source, &items)).unwrap_or_default();
            let parts = Some(items).filter(|items| items.iter().any(says));
            let parts = parts.unwrap_or_else(|| written(source, content()));
            (Role::Assistant, Author::Model, parts)
        }
        _ => return None,
    };
    let parts = keyed(parts, value.span_in(source).start);
    let usage = fields.object("usage").or_else(|| fields.object("info"));
    Some(Message {
        role,
        author,
        parts,
        model: fields.text("model"),
        usage: usage.and_then(|usage| openai::usage(&usage)),
        timestamp: fields.get("timestamp").filter(|time| !time.is_null()).map(Json::spelled),
        ..Message::default()
    })
}

/// Whether a part is words or a call.
fn says(part: &Part<'_>) -> bool {
    matches!(part.kind, PartKind::Text) && !part.text.trim().is_empty() || part.is_call()
}

/// Gives calls without an id, and the results behind them, one that no other message has.
fn keyed(mut parts: Vec<Part<'_>>, at: usize) -> Vec<Part<'_>> {
    let mut calls = 0;
    for part in &mut parts {
        calls += usize::from(part.is_call());
        if let PartKind::Call { id, .. } | PartKind::Result { id, .. } = &mut part.kind
            && id.is_empty()
        {
            *id = Cow::Owned(format!("#{at}.{calls}"));
        }
    }
    parts
}

/// What a user attached: pictures, sound, and documents, whose texts are looked up anew.
fn attached<'a>(source: &[u8], fields: &Object<'a>) -> Vec<Part<'a>> {
    let files = fields.array("files").unwrap_or_default().into_iter();
    files.map(|file| part(PartKind::Media(medium(file)), Cow::default(), fixed(source, file))).collect()
}

fn medium(file: Json<'_>) -> Media {
    let file = file.object().unwrap_or_default();
    let meta = || file.object("file")?.object("meta")?.text("content_type");
    let kinds = [file.text("type"), file.text("content_type").or_else(meta)];
    let is = |word: &str| kinds.iter().flatten().any(|kind| kind.split('/').next() == Some(word));
    match () {
        () if is("image") => Media::Image,
        () if is("audio") => Media::Audio,
        () if is("video") => Media::Other,
        () => Media::Document,
    }
}

/// The parts of the items that an answer consists of.
fn answered<'a>(source: &'a [u8], items: &[Json<'a>]) -> Vec<Part<'a>> {
    let parts = items.iter().flat_map(|item| match response_items::read(source, *item, &|_| Author::Person) {
        Item::Message(message) => {
            let slot = |read: Part<'a>| Part { slot: fixed(source, *item), ..read };
            message.parts.into_iter().map(slot).collect()
        }
        Item::Hidden | Item::Unknown => Vec::new(),
    });
    parts.collect()
}

/// The parts of an answer as it is shown.
fn written<'a>(source: &[u8], content: Option<Json<'a>>) -> Vec<Part<'a>> {
    let Some(content) = content else { return Vec::new() };
    let Some(text) = content.text() else { return openai::parts(source, content) };
    let pieces = pieces(&text);
    if let [Piece::Text(_)] = &pieces[..] {
        return vec![part(PartKind::Text, text, string(source, content))];
    }
    let said = |kind, text: String| part(kind, Cow::Owned(text), fixed(source, content));
    let parts = pieces.into_iter().flat_map(|piece| match piece {
        Piece::Text(text) => vec![said(PartKind::Text, text.to_owned())],
        Piece::Thought(text) => vec![said(PartKind::Reasoning { signed: false }, text)],
        Piece::Shown => vec![said(PartKind::Opaque, String::new())],
        Piece::Call { id, name, arguments, result } => {
            let (id, name): (Cow<'a, str>, Cow<'a, str>) = (Cow::Owned(id), Cow::Owned(name));
            let call = said(PartKind::Call { id: id.clone(), name: name.clone() }, arguments);
            let result = result.map(|text| {
                let pruned = synthetic::is_stub(&text);
                said(PartKind::Result { id, tool: Some(name), error: false, pruned, media: Vec::new() }, text)
            });
            [Some(call), result].into_iter().flatten().collect()
        }
    });
    parts.collect()
}
