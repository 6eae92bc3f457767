//! Reads one sample as records and messages.

use super::{ATTACHMENTS, MESSAGES, PROTOCOL};
use crate::format::shared::document::{self, Document};
use crate::format::shared::json::{Json, Object};
use crate::format::shared::marks;
use crate::format::shared::session_lines::name_tools;
use crate::format::shared::slot::{arguments as arguments_slot, fixed, joined, part, string};
use crate::format::shared::synthetic::{self, Mark};
use crate::format::shared::untyped;
use crate::format::{ReadError, ReadOptions};
use crate::transcript::{Author, Media, Message, Part, PartKind, Role, Shape, Slot, Traits, Transcript};
use std::borrow::Cow;

/// Reads a sample.
pub(super) fn read(source: &[u8], options: ReadOptions) -> Result<Transcript<'_>, ReadError> {
    let traits = Traits::default();
    let Some(document) = options.forgive(Document::read(source, options.first_line, MESSAGES))? else {
        return Ok(document::opaque(source, options, traits));
    };
    let sample = document.whole.object().unwrap_or_default();
    let reader = Reader { source, attachments: sample.object(ATTACHMENTS).unwrap_or_default() };
    let mut transcript = document.transcript(options.first_line, traits);
    let mut marks = Vec::new();
    for (at, element) in document.elements.iter().enumerate() {
        let fields = element.object().unwrap_or_default();
        let Some(message) = reader.message(&fields) else { continue };
        marks.push(mark(&fields));
        document::push(&mut transcript, at, message);
    }
    if let Some(last) = transcript.messages.last_mut().filter(|last| last.author == Author::Model) {
        last.cut_off = was_cut_off(&sample);
    }
    name_tools(&mut transcript.messages);
    synthetic::classify(&mut transcript.messages, &marks);
    Ok(transcript)
}

fn mark(message: &Object<'_>) -> Mark {
    let metadata = message.object("metadata").unwrap_or_default();
    marks::read(&metadata)
}

/// Whether the model's last answer ended at a length limit.
fn was_cut_off(sample: &Object<'_>) -> bool {
    let choices = sample.object("output").and_then(|output| output.array("choices"));
    let first = choices.and_then(|choices| choices.first().copied()?.object());
    first.and_then(|first| first.text("stop_reason")).is_some_and(|why| why == "max_tokens" || why == "model_length")
}

struct Reader<'a> {
    source: &'a [u8],
    attachments: Object<'a>,
}

impl<'a> Reader<'a> {
    fn message(&self, fields: &Object<'a>) -> Option<Message<'a>> {
        let (role, author) = match &*fields.text("role")? {
            "system" => (Role::System, Author::System),
            "user" => (Role::User, Author::Person),
            "assistant" => (Role::Assistant, Author::Model),
            "tool" => (Role::Tool, Author::Tool),
            _ => return None,
        };
        let parts = if role == Role::Tool { vec![self.result(fields)] } else { self.message_parts(fields) };
        let payload = fields.array("tool_call_id").and_then(|ids| ids.first().copied()?.text());
        let belongs_to = payload.filter(|_| role == Role::User);
        let author = if belongs_to.is_some() { Author::Harness } else { author };
        Some(Message { role, author, parts, belongs_to, model: fields.text("model"), live: true, ..Message::default() })
    }

    /// Text, reasoning and media, then calls. An empty text beside calls is left out.
    fn message_parts(&self, fields: &Object<'a>) -> Vec<Part<'a>> {
        let mut parts = fields.get("content").map(|content| self.content(content)).unwrap_or_default();
        let calls = fields.array("tool_calls").unwrap_or_default();
        if !calls.is_empty() {
            parts.retain(|part| part.kind != PartKind::Text || !part.text.is_empty());
        }
        parts.extend(calls.into_iter().map(|value| self.call(value)));
        parts
    }

    fn content(&self, content: Json<'a>) -> Vec<Part<'a>> {
        if content.is_string() {
            return vec![part(PartKind::Text, self.text(content), string(self.source, content))];
        }
        match content.array() {
            Some(blocks) => blocks.into_iter().map(|block| self.block(block)).collect(),
            None if content.is_null() => Vec::new(),
            None => vec![untyped::said(self.source, content)],
        }
    }

    fn block(&self, block: Json<'a>) -> Part<'a> {
        if let Some(part) = untyped::element(self.source, block) {
            return part;
        }
        let fields = block.object().unwrap_or_default();
        let text = |key: &str| fields.get(key).map(|value| self.text(value)).unwrap_or_default();
        let (kind, text) = match &*fields.text("type").unwrap_or_default() {
            "text" if fields.has("text") => {
                let content = fields.get("text").map(|text| text.span_in(self.source)).unwrap_or_default();
                let slot = Slot { part: block.span_in(self.source), content, shape: Shape::Text };
                return part(PartKind::Text, text("text"), slot);
            }
            "reasoning" => {
                let signed = fields.is_true("redacted") || fields.text("signature").is_some();
                let shown = if fields.is_true("redacted") { "summary" } else { "reasoning" };
                (PartKind::Reasoning { signed }, text(shown))
            }
            // A tool that ran at the provider: call and result in one block.
            "tool_use" => {
                let told = ["name", "arguments", "result", "error"].map(text);
                (PartKind::Opaque, Cow::Owned(told.join("\n")))
            }
            "image" => (PartKind::Media(Media::Image), Cow::default()),
            "audio" => (PartKind::Media(Media::Audio), Cow::default()),
            "document" => (PartKind::Media(Media::Document), Cow::default()),
            "video" => (PartKind::Media(Media::Other), Cow::default()),
            _ => (PartKind::Opaque, Cow::default()),
        };
        part(kind, text, fixed(self.source, block))
    }

    fn call(&self, value: Json<'a>) -> Part<'a> {
        let fields = value.object().unwrap_or_default();
        let name = fields.text("function").unwrap_or_default();
        let arguments = fields.get("arguments");
        let kind = PartKind::Call { id: fields.text("id").unwrap_or_default(), name };
        let text = Cow::Borrowed(arguments.map(Json::raw).unwrap_or_default());
        part(kind, text, arguments_slot(self.source, value, arguments))
    }

    /// The result of a tool; for a failed one, the error that the model is shown instead.
    fn result(&self, fields: &Object<'a>) -> Part<'a> {
        let error = fields.object("error").and_then(|error| error.get("message")).filter(|error| error.is_string());
        let content = error.or_else(|| fields.get("content"));
        let blocks = content.map(|content| self.content(content)).unwrap_or_default();
        let media = blocks.iter().filter_map(|part| match part.kind {
            PartKind::Media(medium) => Some(medium),
            _ => None,
        });
        let media = media.collect();
        let texts: Vec<_> =
            blocks.into_iter().filter(|part| part.kind == PartKind::Text).map(|part| part.text).collect();
        let stored = content.and_then(|content| untyped::result(self.source, content));
        let text = stored.as_ref().map_or_else(|| joined(texts), |(text, _)| text.clone());
        let slot = match content.filter(|_| stored.is_none()) {
            Some(content) if content.is_string() || content.raw().starts_with('[') => {
                let span = content.span_in(self.source);
                let shape = if content.is_string() { Shape::Text } else { Shape::TextBlocks };
                Slot { part: span.clone(), content: span, shape }
            }
            _ => stored.map_or(Slot { part: 0..0, content: 0..0, shape: Shape::Fixed }, |(_, slot)| slot),
        };
        let kind = PartKind::Result {
            id: fields.text("tool_call_id").unwrap_or_default(),
            tool: fields.text("function"),
            error: error.is_some(),
            pruned: synthetic::is_stub(&text),
            media,
        };
        part(kind, text, slot)
    }

    /// A text, or the attachment that it refers to.
    fn text(&self, value: Json<'a>) -> Cow<'a, str> {
        let text = value.text().unwrap_or_default();
        let attached = text.strip_prefix(PROTOCOL).and_then(|hash| self.attachments.text(hash));
        attached.unwrap_or(text)
    }
}
