//! One response item as a message: the table of item types.

use super::author;
use crate::format::json::{Json, Object};
use crate::format::openai;
use crate::format::slot;
use crate::format::synthetic::is_stub;
use crate::transcript::{Author, Media, Message, Part, PartKind, Role, Slot};
use std::borrow::Cow;

/// What an item is to a reader.
#[expect(clippy::large_enum_variant, reason = "one is read at a time, and none is stored")]
pub(super) enum Item<'a> {
    /// A message for the model.
    Message(Message<'a>),
    /// Known, and not for the model.
    Hidden,
    /// Unknown.
    Unknown,
}

/// Reads an item; `leading` if nothing but instructions stands before it.
pub(super) fn read<'a>(source: &[u8], item: Json<'a>, leading: bool) -> Item<'a> {
    let fields = item.object().unwrap_or_default();
    let id = || fields.text("call_id").filter(|id| !id.is_empty());
    let raw = |key: &str| fields.get(key).filter(|value| !value.is_null()).map(Json::raw).unwrap_or_default();
    let text = |key: &str| fields.text(key).unwrap_or_else(|| Cow::Borrowed(raw(key)));
    let call = |id, name, key| said(vec![call(source, item, id, (name, text(key), fields.get(key)))]);
    let answer = || answered(result(source, (item, fields.get("output")), id()));
    let opaque = |text| said(vec![slot::part(PartKind::Opaque, text, slot::fixed(source, item))]);
    let message = match &*fields.text("type").unwrap_or_default() {
        "message" => spoken(source, &fields, leading),
        // The API takes a message without a type, and what writes rollouts in Codex's name leaves it out.
        "" if fields.has("role") && fields.has("content") => spoken(source, &fields, leading),
        "agent_message" => Message { author: Author::Harness, ..told(source, &fields) },
        "reasoning" => said(vec![reasoning(source, item, &fields)]),
        "function_call" => call(id(), fields.text("name").unwrap_or_default(), "arguments"),
        "custom_tool_call" => call(id(), fields.text("name").unwrap_or_default(), "input"),
        "local_shell_call" => call(id().or(fields.text("id")), Cow::Borrowed("local_shell"), "action"),
        "tool_search_call" => call(id(), Cow::Borrowed("tool_search"), "arguments"),
        "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" => answer(),
        "tool_search_output" => answered(found_tools(source, item, (id(), text("tools")))),
        "web_search_call" => opaque(text("action")),
        "image_generation_call" => opaque(fields.text("revised_prompt").unwrap_or_default()),
        "compaction" | "context_compaction" | "compaction_summary" => opaque(Cow::default()),
        "ghost_snapshot" => return Item::Hidden,
        _ => return Item::Unknown,
    };
    Item::Message(message)
}

/// What the model said or did.
fn said(parts: Vec<Part<'_>>) -> Message<'_> {
    Message { role: Role::Assistant, author: Author::Model, parts, ..Message::default() }
}

fn answered(part: Part<'_>) -> Message<'_> {
    Message { role: Role::Tool, author: Author::Tool, parts: vec![part], ..Message::default() }
}

/// Content in the user's name.
fn told<'a>(source: &[u8], fields: &Object<'a>) -> Message<'a> {
    let parts = fields.get("content").map(|content| openai::parts(source, content)).unwrap_or_default();
    Message { role: Role::User, author: Author::Person, parts, ..Message::default() }
}

fn spoken<'a>(source: &[u8], fields: &Object<'a>, leading: bool) -> Message<'a> {
    let message = told(source, fields);
    let (role, author) = match &*fields.text("role").unwrap_or_default() {
        "assistant" => (Role::Assistant, Author::Model),
        "user" => match author::author(&message.parts, leading) {
            Author::System => (Role::System, Author::System),
            author => (Role::User, author),
        },
        _ => (Role::System, Author::System),
    };
    Message { role, author, ..message }
}

/// A call; one without an id can't be answered and stays as it is. Arguments that are a string with an object in it are
/// of the tool's own schema and can be cleared; other text (a patch) stays, and an object (`action`) is of the item's: one
/// without its fields is not read.
fn call<'a>(
    source: &[u8],
    item: Json<'a>,
    id: Option<Cow<'a, str>>,
    (name, text, arguments): (Cow<'a, str>, Cow<'a, str>, Option<Json<'a>>),
) -> Part<'a> {
    let slot = match id {
        Some(_) => slot::arguments(source, item, arguments.filter(|value| value.is_string())),
        None => slot::fixed(source, item),
    };
    let kind = id.map_or(PartKind::Opaque, |id| PartKind::Call { id, name });
    slot::part(kind, text, slot)
}

fn reasoning<'a>(source: &[u8], item: Json<'a>, fields: &Object<'a>) -> Part<'a> {
    let signed = fields.text("encrypted_content").is_some_and(|content| !content.is_empty());
    let blocks = ["summary", "content"].iter().filter_map(|key| fields.array(key)).flatten();
    let mut texts: Vec<_> = blocks.filter_map(Json::object).filter_map(|block| block.text("text")).collect();
    let text = if texts.len() == 1 { texts.remove(0) } else { Cow::Owned(texts.join("\n")) };
    slot::part(PartKind::Reasoning { signed }, text, slot::fixed(source, item))
}

fn result<'a>(source: &[u8], (item, output): (Json<'a>, Option<Json<'a>>), id: Option<Cow<'a, str>>) -> Part<'a> {
    let (text, media, slot) = output
        .map_or_else(|| (Cow::default(), Vec::new(), slot::fixed(source, item)), |output| output_of(source, output));
    let pruned = is_stub(&text);
    let kind = id.map_or(PartKind::Opaque, |id| PartKind::Result { id, tool: None, error: false, pruned, media });
    slot::part(kind, text, slot)
}

/// The tools that a search found: nothing can stand for them.
fn found_tools<'a>(source: &[u8], item: Json<'a>, (id, text): (Option<Cow<'a, str>>, Cow<'a, str>)) -> Part<'a> {
    let kind = |id| PartKind::Result { id, tool: None, error: false, pruned: false, media: Vec::new() };
    slot::part(id.map_or(PartKind::Opaque, kind), text, slot::fixed(source, item))
}

/// Text and media of an output: a string, an array of content, or an object around one of them.
fn output_of<'a>(source: &[u8], output: Json<'a>) -> (Cow<'a, str>, Vec<Media>, Slot) {
    let Some(fields) = output.object() else { return openai::result(source, output) };
    let inner = ["content", "text"].iter().find_map(|key| fields.get(key).filter(|value| value.is_string()));
    match inner {
        Some(inner) => openai::result(source, inner),
        None => (Cow::default(), Vec::new(), slot::fixed(source, output)),
    }
}
