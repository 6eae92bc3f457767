//! Reads the content of a Claude Code message: a string or blocks, as in Anthropic's API.

use crate::format::shared::json::{Json, Object};
use crate::format::shared::{server_tools, slot, untyped};
use crate::transcript::fixed_texts::is_stub;
use crate::transcript::{Media, Part, PartKind, Shape, Status};
use std::borrow::Cow;

/// Reads a `content` value.
pub(super) fn parts<'a>(source: &[u8], content: Json<'a>) -> Vec<Part<'a>> {
    if let Some(text) = content.text() {
        return vec![part(source, content, Some((content, Shape::Text)), PartKind::Text, text)];
    }
    match content.array() {
        Some(blocks) => blocks.into_iter().map(|block| block_part(source, block)).collect(),
        None if content.is_null() => Vec::new(),
        None => vec![untyped::said(source, content)],
    }
}

/// Reads one block of a content array.
fn block_part<'a>(source: &[u8], block: Json<'a>) -> Part<'a> {
    if let Some(part) = untyped::element(source, block) {
        return part;
    }
    let fields = block.object().unwrap_or_default();
    let text = |key: &str| fields.text(key).unwrap_or_default();
    match &*text("type") {
        "text" => {
            let content = fields.get("text").map(|value| (value, Shape::Text));
            part(source, block, content, PartKind::Text, text("text"))
        }
        "thinking" => {
            let signed = !text("signature").is_empty();
            part(source, block, None, PartKind::Reasoning { signed }, text("thinking"))
        }
        "redacted_thinking" => part(source, block, None, PartKind::Reasoning { signed: true }, Cow::default()),
        "tool_use" => {
            let input = fields.get("input");
            let kind = PartKind::Call { id: text("id"), name: text("name") };
            let slot = slot::arguments(source, block, input);
            slot::part(kind, Cow::Borrowed(input.map(Json::raw).unwrap_or_default()), slot)
        }
        "tool_result" => result(source, block, &fields),
        "image" => part(source, block, None, PartKind::Media(Media::Image), Cow::default()),
        "document" => part(source, block, None, PartKind::Media(Media::Document), Cow::default()),
        "audio" => part(source, block, None, PartKind::Media(Media::Audio), Cow::default()),
        // Claude Code's records pair the calls of its own tools only.
        kind if server_tools::is_call(kind) || server_tools::is_result(kind) => {
            let said = fields.get("input").or_else(|| fields.get("content"));
            part(source, block, None, PartKind::Opaque, said.map(server_tools::readable).unwrap_or_default())
        }
        _ => part(source, block, None, PartKind::Opaque, Cow::default()),
    }
}

/// Reads a `tool_result` block. The tool's name is filled in once all calls are known.
fn result<'a>(source: &[u8], block: Json<'a>, fields: &Object<'a>) -> Part<'a> {
    let content = fields.get("content");
    let stored = content.and_then(|content| untyped::result(source, content));
    let is_stored = stored.is_some();
    let read = || content.map(result_text).unwrap_or_default();
    let (text, media) = stored.map_or_else(read, |(text, _)| (text, Vec::new()));
    let shape = match content {
        Some(_) if is_stored => Shape::Text,
        Some(value) if value.is_string() => Shape::Text,
        Some(value) if value.raw().starts_with('[') => Shape::TextBlocks,
        _ => Shape::Fixed,
    };
    let kind = PartKind::Result {
        id: fields.text("tool_use_id").unwrap_or_default(),
        tool: None,
        error: fields.is_true("is_error"),
        pruned: is_stub(&text),
        media,
    };
    // Failures are always flagged; some versions omit the flag otherwise.
    let status = (!fields.is_true("is_error")).then_some(Status::Unflagged);
    Part { status, ..part(source, block, content.map(|value| (value, shape)), kind, text) }
}

/// The text of a result and its media.
fn result_text(content: Json<'_>) -> (Cow<'_, str>, Vec<Media>) {
    if let Some(text) = content.text() {
        return (text, Vec::new());
    }
    let (mut text, mut media) = (Cow::default(), Vec::new());
    for block in content.array().unwrap_or_default() {
        let Some(fields) = block.object() else {
            append(&mut text, block.spelled());
            continue;
        };
        match fields.text("type").as_deref() {
            Some("image") => media.push(Media::Image),
            Some("document") => media.push(Media::Document),
            _ => append(&mut text, fields.text("text").unwrap_or_default()),
        }
    }
    (text, media)
}

/// Appends a text on a new line.
fn append<'a>(all: &mut Cow<'a, str>, text: Cow<'a, str>) {
    if all.is_empty() {
        *all = text;
    } else if !text.is_empty() {
        all.to_mut().push('\n');
        all.to_mut().push_str(&text);
    }
}

fn part<'a>(
    source: &[u8],
    whole: Json<'a>,
    content: Option<(Json<'a>, Shape)>,
    kind: PartKind<'a>,
    text: Cow<'a, str>,
) -> Part<'a> {
    slot::part(kind, text, slot::within(source, whole, content))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_result_without_a_flag_did_not_fail() {
        let fine = Some(Status::Unflagged);
        for (flag, status) in [("", fine), (r#","is_error":false"#, fine), (r#","is_error":true"#, None)] {
            let text = format!(r#"[{{"type":"tool_result","tool_use_id":"a","content":"x"{flag}}}]"#);
            assert_eq!(parts(text.as_bytes(), Json::parse(&text).unwrap())[0].status, status, "{flag}");
        }
    }
    #[test]
    fn content_in_no_form_of_blocks_is_read_as_it_is_stored() {
        fn read(text: &str) -> Vec<Part<'_>> {
            parts(text.as_bytes(), Json::parse(text).unwrap())
        }
        for content in [r#"{"quay": 1}"#, r#"["lamp", "quay"]"#] {
            let text = format!(r#"[{{"type":"tool_result","tool_use_id":"a","content":{content}}}]"#);
            let result = read(&text).remove(0);
            assert_eq!((&*result.text, &text[result.slot.content], result.slot.shape), (content, content, Shape::Text));
        }
        assert_eq!(read(r#"["Moor.", {"type":"lamp"}]"#)[0].text, "Moor.");
        assert_eq!(read(r#"{"tide": 6}"#)[0].text, r#"{"tide": 6}"#);
    }
}
