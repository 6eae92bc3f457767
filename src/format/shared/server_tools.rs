//! Calls of tools that the provider runs itself, with their results in the same message of the model: Anthropic's server
//! tools and MCP servers (FORMATS §1).

use super::json::{Json, Object};
use super::slot;
use crate::transcript::fixed_texts::is_stub;
use crate::transcript::{Part, PartKind, Shape, Status};
use std::borrow::Cow;

/// What comes with a result, but is not what a model reads: types, dates, places, and what only the provider can read.
const BESIDE: [&str; 8] =
    ["type", "file_type", "media_type", "file_id", "page_age", "retrieved_at", "cache_control", "signature"];
/// Levels of a result that are read: `web_fetch_tool_result` has its text in the fourth.
const DEPTH: usize = 6;

/// Whether a type of block is such a call; it has the fields of a `tool_use`.
pub(in crate::format) fn is_call(kind: &str) -> bool {
    matches!(kind, "server_tool_use" | "mcp_tool_use")
}

/// Whether a type of block is the result of such a call.
pub(in crate::format) fn is_result(kind: &str) -> bool {
    kind.ends_with("_tool_result")
}

/// A result block as a part. Only that of an MCP server can be edited: of the others the provider wants its own
/// content back.
pub(in crate::format) fn result<'a>(source: &'a [u8], block: Json<'a>, tool: Option<Cow<'a, str>>) -> Part<'a> {
    let fields = block.object().unwrap_or_default();
    let content = fields.get("content");
    let text = content.map(readable).unwrap_or_default();
    let ended = content.and_then(Json::object).unwrap_or_default();
    let failed = ended.text("type").is_some_and(|kind| kind.ends_with("_error"));
    let status = ended.whole("return_code").and_then(|code| i32::try_from(code).ok());
    let kind = PartKind::Result {
        id: fields.text("tool_use_id").unwrap_or_default(),
        tool,
        error: failed || fields.is_true("is_error"),
        pruned: is_stub(&text),
        media: Vec::new(),
    };
    let editable = content.filter(|_| fields.is("type", "mcp_tool_result"));
    let shape = |content: Json<'_>| if content.is_string() { Shape::Text } else { Shape::TextBlocks };
    let slot = slot::within(source, block, editable.map(|content| (content, shape(content))));
    Part { status: status.map(Status::Exit), ..slot::part(kind, text, slot) }
}

/// The texts of a content in their order, a line each, without what is encrypted or encoded.
pub(in crate::format) fn readable(content: Json<'_>) -> Cow<'_, str> {
    let mut texts = Vec::new();
    collect(content, DEPTH, &mut texts);
    if texts.len() == 1 { texts.remove(0) } else { Cow::Owned(texts.join("\n")) }
}

fn collect<'a>(value: Json<'a>, depth: usize, texts: &mut Vec<Cow<'a, str>>) {
    if let Some(text) = value.text() {
        return texts.extend(Some(text).filter(|text| !text.is_empty()));
    }
    let Some(depth) = depth.checked_sub(1) else { return };
    for element in value.array().unwrap_or_default() {
        collect(element, depth, texts);
    }
    if let Some(fields) = value.object() {
        let read = fields.fields().iter().filter(|(key, _)| is_readable(key, &fields));
        read.for_each(|(_, value)| collect(*value, depth, texts));
    }
}

/// Whether the value at a key is for a reader.
fn is_readable(key: &str, fields: &Object<'_>) -> bool {
    let encoded = key == "data" && fields.is("type", "base64");
    !encoded && !BESIDE.contains(&key) && !key.starts_with("encrypted_")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn read(block: &str) -> (String, bool, Option<Status>, Shape) {
        let part = result(block.as_bytes(), Json::parse(block).unwrap(), None);
        let failed = matches!(part.kind, PartKind::Result { error: true, .. });
        (part.text.into_owned(), failed, part.status, part.slot.shape)
    }

    #[test]
    fn a_result_says_what_can_be_read() {
        let found = r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"https://quay.example/a","title":"Quay","encrypted_content":"AAAA","page_age":"May 2"}]}"#;
        assert_eq!(read(found), ("https://quay.example/a\nQuay".into(), false, None, Shape::Fixed));
        let fetched = r#"{"type":"web_fetch_tool_result","content":{"type":"web_fetch_result","url":"https://q.example","content":{"type":"document","source":{"type":"text","media_type":"text/plain","data":"The quay."}}}}"#;
        assert_eq!(read(fetched).0, "https://q.example\nThe quay.");
        let encoded = fetched.replace(r#""type":"text""#, r#""type":"base64""#);
        assert_eq!(read(&encoded).0, "https://q.example");
    }

    #[test]
    fn a_result_says_whether_it_failed() {
        let run = r#"{"type":"bash_code_execution_tool_result","content":{"type":"bash_code_execution_result","stdout":"","stderr":"no quay","return_code":2,"content":[]}}"#;
        assert_eq!(read(run), ("no quay".into(), false, Some(Status::Exit(2)), Shape::Fixed));
        let refused = r#"{"type":"web_search_tool_result","content":{"type":"web_search_tool_result_error","error_code":"max_uses_exceeded"}}"#;
        assert_eq!(read(refused), ("max_uses_exceeded".into(), true, None, Shape::Fixed));
        let own = r#"{"type":"mcp_tool_result","is_error":true,"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#;
        assert_eq!(read(own), ("a\nb".into(), true, None, Shape::TextBlocks));
    }
}
