//! Reads one Anthropic message: its blocks and its author.

use super::super::shared::json::{Json, Object};
use super::super::shared::synthetic;
use crate::format::shared::{server_tools, slot, untyped};
use crate::transcript::{Author, Media, Message, Part, PartKind, Role, Shape, Tokens, Usage};
use std::borrow::Cow;
use std::collections::HashMap;

/// The type of a block with the summary of a compaction by the provider.
const COMPACTION: &str = "compaction";

/// Tool names of the calls so far, by call id.
pub(in crate::format) type Tools<'a> = HashMap<Cow<'a, str>, Cow<'a, str>>;

/// Reads a message within `source` from its fields; `None` if they are not those of a message.
pub(in crate::format) fn message<'a>(
    source: &'a [u8],
    object: &Object<'a>,
    tools: &mut Tools<'a>,
) -> Option<Message<'a>> {
    let role = match &*object.text("role")? {
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "system" => Role::System,
        _ => return None,
    };
    let parts = object.get("content").map(|content| parts(source, content, tools)).unwrap_or_default();
    let stop = object.text("stop_reason");
    Some(Message {
        author: author(role, &parts),
        model: object.text("model"),
        usage: object.object("usage").map(|usage| self::usage(&usage)),
        timestamp: object.text("timestamp"),
        cut_off: stop.is_some_and(|stop| stop == "max_tokens"),
        ..plain(role, parts)
    })
}

/// A message with nothing but a role and parts.
pub(in crate::format) fn plain(role: Role, parts: Vec<Part<'_>>) -> Message<'_> {
    Message { role, author: author(role, &parts), parts, live: true, ..Message::default() }
}

/// The author by role; a user message with only results is a tool's.
fn author(role: Role, parts: &[Part<'_>]) -> Author {
    match role {
        Role::System => Author::System,
        Role::Assistant => Author::Model,
        Role::Tool => Author::Tool,
        Role::User if !parts.is_empty() && parts.iter().all(Part::is_result) => Author::Tool,
        Role::User => Author::Person,
    }
}

/// Reads a content: a string, or an array of blocks.
pub(in crate::format) fn parts<'a>(source: &'a [u8], content: Json<'a>, tools: &mut Tools<'a>) -> Vec<Part<'a>> {
    if let Some(text) = content.text() {
        return vec![slot::part(PartKind::Text, text, slot::string(source, content))];
    }
    match content.array() {
        Some(blocks) => blocks.into_iter().map(|value| block(source, value, tools)).collect(),
        None if content.is_null() => Vec::new(),
        None => vec![untyped::said(source, content)],
    }
}

/// Reads one block of a content.
pub(in crate::format) fn block<'a>(source: &'a [u8], value: Json<'a>, tools: &mut Tools<'a>) -> Part<'a> {
    untyped::element(source, value).unwrap_or_else(|| Block::new(source, value).read(tools))
}

/// Reads reasoning in a value of its own: a text, or other providers' forms with a summary and an encrypted copy.
pub(in crate::format) fn reasoning<'a>(source: &[u8], value: Json<'a>) -> Part<'a> {
    let fields = value.object().unwrap_or_default();
    let texts =
        || value.array().or_else(|| fields.array("summary")).unwrap_or_default().into_iter().filter_map(element_text);
    let text = value.text().or_else(|| fields.text("text").filter(|text| !text.is_empty()));
    let text = text.unwrap_or_else(|| Cow::Owned(texts().collect::<Vec<_>>().join("\n")));
    let signed = fields.has("encrypted_content") || value.raw().starts_with('[');
    slot::part(PartKind::Reasoning { signed }, text, slot::fixed(source, value))
}

/// The text of one element of a summary or of `reasoning_details`.
fn element_text(value: Json<'_>) -> Option<Cow<'_, str>> {
    let fields = value.object()?;
    fields.text("text").or_else(|| fields.text("summary"))
}

/// One block of a content.
struct Block<'a> {
    source: &'a [u8],
    value: Json<'a>,
    fields: Object<'a>,
}

impl<'a> Block<'a> {
    fn new(source: &'a [u8], value: Json<'a>) -> Self {
        Self { source, value, fields: value.object().unwrap_or_default() }
    }

    fn read(&self, tools: &mut Tools<'a>) -> Part<'a> {
        match &*self.fields.text("type").unwrap_or_default() {
            "text" => self.text(self.fields.get("text")),
            COMPACTION => self.compaction(),
            "thinking" => self.thinking(),
            "redacted_thinking" => self.fixed(PartKind::Reasoning { signed: true }, Cow::Borrowed("")),
            "tool_use" => self.call(tools),
            "tool_result" => self.result(tools),
            "image" => self.fixed(PartKind::Media(Media::Image), Cow::Borrowed("")),
            "document" => self.document(),
            "search_result" => self.search_result(),
            "reasoning" => reasoning(self.source, self.value),
            "file" => self.file(),
            "media" => self.fixed(PartKind::Media(Media::Other), Cow::Borrowed("")),
            kind if server_tools::is_call(kind) => self.call(tools),
            kind if server_tools::is_result(kind) => {
                let called = self.fields.text("tool_use_id").and_then(|id| tools.get(&id).cloned());
                server_tools::result(self.source, self.value, called)
            }
            _ => self.fixed(PartKind::Opaque, Cow::Borrowed("")),
        }
    }

    fn fixed(&self, kind: PartKind<'a>, text: Cow<'a, str>) -> Part<'a> {
        slot::part(kind, text, slot::fixed(self.source, self.value))
    }

    /// A part whose content is one of the block's values.
    fn filled(&self, kind: PartKind<'a>, text: Cow<'a, str>, content: (Json<'a>, Shape)) -> Part<'a> {
        slot::part(kind, text, slot::within(self.source, self.value, Some(content)))
    }

    fn text(&self, value: Option<Json<'a>>) -> Part<'a> {
        match value.and_then(|value| Some((value.text()?, value))) {
            Some((text, value)) => self.filled(PartKind::Text, text, (value, Shape::Text)),
            None => self.fixed(PartKind::Opaque, Cow::Borrowed("")),
        }
    }

    /// What the provider's own compaction left of all that is before it, which it wants back unchanged.
    fn compaction(&self) -> Part<'a> {
        match self.fields.text("content") {
            Some(text) => self.fixed(PartKind::Text, text),
            None => self.fixed(PartKind::Opaque, Cow::Borrowed("")),
        }
    }

    fn thinking(&self) -> Part<'a> {
        let signed = self.fields.text("signature").is_some_and(|signature| !signature.is_empty());
        self.fixed(PartKind::Reasoning { signed }, self.fields.text("thinking").unwrap_or_default())
    }

    fn call(&self, tools: &mut Tools<'a>) -> Part<'a> {
        let id = self.fields.text("id").unwrap_or_default();
        let name = self.fields.text("name").unwrap_or_default();
        tools.insert(id.clone(), name.clone());
        let input = self.fields.get("input");
        let text = input.map(Json::raw).unwrap_or_default();
        let slot = slot::arguments(self.source, self.value, input);
        slot::part(PartKind::Call { id, name }, Cow::Borrowed(text), slot)
    }

    fn result(&self, tools: &Tools<'a>) -> Part<'a> {
        let id = self.fields.text("tool_use_id").unwrap_or_default();
        let tool = tools.get(&id).cloned().or_else(|| self.fields.text("name"));
        let error = self.fields.is_true("is_error");
        let content = self.fields.get("content");
        if let Some((text, content)) = content.and_then(|content| self.stored(content)) {
            let pruned = synthetic::is_stub(&text);
            let kind = PartKind::Result { id, tool, error, pruned, media: Vec::new() };
            return self.filled(kind, text, (content, Shape::Text));
        }
        let (text, media) = content.map(|content| result_content(self.source, content)).unwrap_or_default();
        let kind = PartKind::Result { id, tool, error, pruned: synthetic::is_stub(&text), media };
        match content {
            Some(content) if content.is_string() => self.filled(kind, text, (content, Shape::Text)),
            Some(content) if content.raw().starts_with('[') => self.filled(kind, text, (content, Shape::TextBlocks)),
            _ => self.fixed(kind, text),
        }
    }

    /// The JSON text of a result that was stored as it was returned. Objects in a list are a harness's data (Cline).
    fn stored(&self, content: Json<'a>) -> Option<(Cow<'a, str>, Json<'a>)> {
        let data = content.array().is_some_and(|list| list.iter().any(|value| value.object().is_some()));
        let read = untyped::result(self.source, content).filter(|_| !data);
        read.map(|(text, _)| (text, content))
    }

    /// A plain-text document becomes text; any other becomes a medium.
    fn document(&self) -> Part<'a> {
        let source = self.fields.object("source").unwrap_or_default();
        let plain = source.is("type", "text");
        match source.get("data").filter(|data| plain && data.is_string()) {
            Some(data) => self.text(Some(data)),
            None => self.fixed(PartKind::Media(Media::Document), Cow::Borrowed("")),
        }
    }

    /// A file that a harness adds to the user's message (Cline): read by the model, but not the user's words.
    fn file(&self) -> Part<'a> {
        match self.fields.get("content").and_then(|content| Some((content.text()?, content))) {
            Some((text, content)) => self.filled(PartKind::Opaque, text, (content, Shape::Text)),
            None => self.fixed(PartKind::Opaque, Cow::Borrowed("")),
        }
    }

    /// The text of data that a tool returned (Cline): its `result`, or the whole value if that is missing or an error.
    fn data(&self) -> Cow<'a, str> {
        let result = self.fields.text("result").filter(|result| !result.is_empty() && !self.fields.has("error"));
        result.unwrap_or(Cow::Borrowed(self.value.raw()))
    }

    /// Title and texts of a search result.
    fn found(&self) -> Cow<'a, str> {
        let blocks = self.fields.array("content").unwrap_or_default().into_iter().filter_map(Json::object);
        let texts = self.fields.text("title").into_iter().chain(blocks.filter_map(|block| block.text("text")));
        let mut said: Vec<_> = texts.filter(|text| !text.is_empty()).collect();
        if said.len() == 1 { said.remove(0) } else { Cow::Owned(said.join("\n")) }
    }

    fn search_result(&self) -> Part<'a> {
        let content = self.fields.get("content").filter(|content| content.raw().starts_with('['));
        match content {
            Some(content) => self.filled(PartKind::Text, self.found(), (content, Shape::TextBlocks)),
            None => self.fixed(PartKind::Opaque, Cow::Borrowed("")),
        }
    }
}

/// Text and media of a tool result's content. Nesting deeper than the texts of a search result is ignored.
fn result_content<'a>(source: &'a [u8], content: Json<'a>) -> (Cow<'a, str>, Vec<Media>) {
    if let Some(text) = content.text() {
        return (text, Vec::new());
    }
    let (mut texts, mut media) = (Vec::new(), Vec::new());
    for block in content.array().unwrap_or_default().into_iter().map(|value| Block::new(source, value)) {
        match &*block.fields.text("type").unwrap_or_default() {
            "image" => media.push(Media::Image),
            "document" if matches!(block.document().kind, PartKind::Media(_)) => media.push(Media::Document),
            "document" => texts.push(block.document().text),
            "search_result" => texts.push(block.found()),
            "file" => texts.push(block.file().text),
            "" if !block.fields.has("text") => texts.push(block.data()),
            _ => texts.extend(block.fields.text("text")),
        }
    }
    let text = slot::joined(texts);
    (text, media)
}

fn usage(usage: &Object<'_>) -> Usage {
    let number = |key: &str| Tokens(usage.whole(key).unwrap_or_default());
    Usage {
        input: number("input_tokens"),
        cache_read: number("cache_read_input_tokens"),
        cache_write: number("cache_creation_input_tokens"),
        output: number("output_tokens"),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn what_the_providers_compaction_left_is_read_and_never_edited() {
        let read = |text: &str| {
            let part = block(text.as_bytes(), Json::parse(text).unwrap(), &mut Tools::new());
            (part.kind.name(), part.text.to_string(), part.slot.shape)
        };
        let left = ("text", "The lamp is lit.".to_owned(), Shape::Fixed);
        assert_eq!(read(r#"{"type":"compaction","content":"The lamp is lit."}"#), left);
        assert_eq!(read(r#"{"type":"compaction","content":null}"#).0, "opaque");
    }
}
