//! The content of an OpenAI message: a string, null, an array of parts, or a single part without an array.

use super::super::shared::json::{Json, Object};
use super::super::shared::slot::{fixed, joined, part, string};
use super::super::shared::untyped;
use crate::transcript::{Media, Part, PartKind, Shape, Slot};
use std::borrow::Cow;

/// Reads a message's content; no parts for `null`.
pub(in crate::format) fn parts<'a>(source: &[u8], content: Json<'a>) -> Vec<Part<'a>> {
    if let Some(text) = content.text() {
        return vec![part(PartKind::Text, text, string(source, content))];
    }
    match blocks(content) {
        Some(blocks) => {
            let calls = |block: &Json<'_>| block.object().is_some_and(|fields| call_value(&fields).is_some());
            blocks.into_iter().filter(|block| !calls(block)).map(|block| block_part(source, block)).collect()
        }
        None if content.is_null() => Vec::new(),
        None => vec![untyped::said(source, content)],
    }
}

/// Text and media of a tool result's content, and its slot.
pub(in crate::format) fn result<'a>(source: &[u8], content: Json<'a>) -> (Cow<'a, str>, Vec<Media>, Slot) {
    let span = content.span_in(source);
    if let Some(text) = content.text() {
        return (text, Vec::new(), string(source, content));
    }
    let block = content.object().filter(|block| block.text("type").is_some()).unwrap_or_default();
    if let Some(value) = RESULTS.iter().filter_map(|key| block.get(key)).find(|value| value.is_string()) {
        let slot = Slot { part: span, content: value.span_in(source), shape: Shape::Text };
        return (value.text().unwrap_or_default(), Vec::new(), slot);
    }
    let is_block = block.has("type") && block_part(source, content).kind != PartKind::Opaque;
    if let Some((text, slot)) = untyped::result(source, content).filter(|_| !is_block) {
        return (text, Vec::new(), slot);
    }
    let Some(blocks) = blocks(content) else { return (scalar(content), Vec::new(), fixed(source, content)) };
    // A block in a form other than OpenAI's text blocks keeps its own form when replaced.
    let own_kind = |block: Object<'_>| {
        let usual = is_text(&kind_of(&block)) == block.has("text");
        block.has("value") || !usual && words(&block).is_some()
    };
    let own = blocks.iter().filter_map(|block| block.object()).any(own_kind);
    let mut parts: Vec<_> = blocks.into_iter().map(|block| block_part(source, block)).collect();
    if let ([only], true) = (&mut parts[..], own) {
        return (std::mem::take(&mut only.text), Vec::new(), only.slot.clone());
    }
    let media = parts.iter().filter_map(|part| if let PartKind::Media(media) = part.kind { Some(media) } else { None });
    let media = media.collect();
    let texts: Vec<_> = parts.into_iter().filter(|part| part.kind == PartKind::Text).map(|part| part.text).collect();
    let text = joined(texts);
    let kept = own || content.raw().starts_with('{');
    let whole = if kept { span.start..span.start } else { span.clone() };
    let shape = if kept { Shape::Fixed } else { Shape::TextBlocks };
    (text, media, Slot { part: span, content: whole, shape })
}

/// The blocks of a content: an array of them, or a single one with a `type`.
fn blocks(content: Json<'_>) -> Option<Vec<Json<'_>>> {
    let alone = || content.object().is_some_and(|block| block.text("type").is_some());
    content.array().or_else(|| alone().then(|| vec![content]))
}

/// The call in a content of one block, as Anthropic's API or a log of it writes it: id, name, and arguments.
pub(super) fn lone_call<'a>(content: Json<'a>) -> Option<(Option<Cow<'a, str>>, Cow<'a, str>, Json<'a>)> {
    let block = content.object().filter(|block| block.is("type", "tool_use"))?;
    let named = |keys: [&str; 2]| keys.into_iter().find_map(|key| block.text(key));
    Some((named(["id", "tool_id"]), named(["name", "tool_name"])?, block.get("input")?))
}

/// The call in a block of type `tool_call`: a text that holds name and arguments.
pub(super) fn call_value<'a>(block: &Object<'a>) -> Option<Json<'a>> {
    let is_call = block.is("type", "tool_call");
    block.get("value").filter(|value| is_call && value.is_string())
}

/// The text that a model reads of a number or boolean.
fn scalar(value: Json<'_>) -> Cow<'_, str> {
    Cow::Borrowed(if value.is_null() { "" } else { value.raw() })
}

/// The `type` of a block.
fn kind_of<'a>(block: &Object<'a>) -> Cow<'a, str> {
    block.text("type").unwrap_or_default()
}

/// Whether blocks of this type are OpenAI's text blocks.
fn is_text(kind: &str) -> bool {
    matches!(kind, "text" | "output_text" | "input_text")
}

/// Keys that may hold the words of a block of text: OpenAI's, LLaMA-Factory's, and AgentDojo's.
const TEXTS: [&str; 3] = ["text", "value", "content"];

/// The words of a block of text.
fn words<'a>(block: &Object<'a>) -> Option<Json<'a>> {
    TEXTS.iter().filter_map(|key| block.get(key)).find(|value| value.is_string())
}

/// Whether a block of text has no text where one is looked for, and something under another key.
pub(super) fn is_unheard(block: Json<'_>) -> bool {
    let Some(fields) = block.object().filter(|fields| is_text(&kind_of(fields))) else { return false };
    let other = |key: &str| !["type", "id", "index", "cache_control", "annotations", "citations"].contains(&key);
    words(&fields).is_none() && fields.fields().iter().any(|(key, value)| other(key) && value.holds_something())
}

/// Keys that may hold the text of a result in one block.
const RESULTS: [&str; 4] = ["text", "value", "output", "content"];
/// Keys that may hold the text of a reasoning block.
const REASONED: [&str; 3] = ["value", "thinking", "text"];

fn block_part<'a>(source: &[u8], block: Json<'a>) -> Part<'a> {
    if let Some(part) = untyped::element(source, block) {
        return part;
    }
    let fields = block.object().unwrap_or_default();
    let medium = match &*kind_of(&fields) {
        kind if is_text(kind) => return text_part(source, block, words(&fields)),
        kind if ["reason", "think", "thought"].iter().any(|word| kind.contains(word)) => {
            let text = REASONED.iter().find_map(|key| fields.text(key)).unwrap_or_default();
            let signed = fields.text("signature").is_some_and(|signature| !signature.is_empty());
            return part(PartKind::Reasoning { signed }, text, fixed(source, block));
        }
        "refusal" => return text_part(source, block, fields.get("refusal")),
        "image_url" | "image" | "input_image" => PartKind::Media(Media::Image),
        "input_audio" | "audio" | "audio_url" => PartKind::Media(Media::Audio),
        "file" | "input_file" | "document" => PartKind::Media(Media::Document),
        "video" | "video_url" => PartKind::Media(Media::Other),
        // A custom type: the model reads its text.
        _ => return text_part(source, block, fields.get("text")),
    };
    part(medium, Cow::Borrowed(""), fixed(source, block))
}

fn text_part<'a>(source: &[u8], block: Json<'a>, text: Option<Json<'a>>) -> Part<'a> {
    let Some((text, content)) = text.and_then(|value| Some((value.text()?, value.span_in(source)))) else {
        return part(PartKind::Opaque, Cow::Borrowed(""), fixed(source, block));
    };
    part(PartKind::Text, text, Slot { part: block.span_in(source), content, shape: Shape::Text })
}

/// The reasoning in a message's own fields, one part per field. A repetition of an earlier field has no text, since
/// the model reads it once.
pub(in crate::format) fn reasoning<'a>(source: &[u8], message: &Object<'a>) -> Vec<Part<'a>> {
    let mut parts: Vec<Part<'a>> = Vec::new();
    for (_, value) in message.fields().iter().filter(|(key, _)| REASONING.contains(&&**key)) {
        let Some((text, signed)) = reasoning_of(*value) else { continue };
        let copy = parts.iter().any(|part| part.text == text);
        let text = if copy { Cow::Borrowed("") } else { text };
        parts.push(part(PartKind::Reasoning { signed }, text, fixed(source, *value)));
    }
    parts
}

/// Fields in which vendors put reasoning.
pub(super) const REASONING: [&str; 5] =
    ["reasoning_content", "reasoning", "thinking", "reasoning_details", "thinking_blocks"];

/// The text of a reasoning field, and whether it is signed; `None` if it is empty.
fn reasoning_of(value: Json<'_>) -> Option<(Cow<'_, str>, bool)> {
    if let Some(text) = value.text() {
        return (!text.is_empty()).then_some((text, false));
    }
    let blocks: Vec<_> = value.array()?.into_iter().filter_map(Json::object).collect();
    let signs = |block: &Object<'_>, key: &str| block.text(key).is_some_and(|text| !text.is_empty());
    let signed = blocks.iter().any(|block| signs(block, "signature") || signs(block, "data"));
    let texts =
        blocks.iter().filter_map(|block| ["thinking", "text", "summary"].iter().find_map(|key| block.text(key)));
    let text = texts.collect::<Vec<_>>().join("\n");
    (!blocks.is_empty()).then_some((Cow::Owned(text), signed))
}
