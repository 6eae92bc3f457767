//! Content in no interface's form: objects, numbers, and lists of such values, as programs store what a tool returned.
//! It is read as it is written; a list that someone says may also be of plain texts.

use super::dialects;
use super::json::Json;
use super::slot::{self, part};
use crate::transcript::{Part, PartKind, Shape, Slot};
use std::borrow::Cow;

/// The JSON text of a tool result that is an object, or a list in which nothing is a block, and the slot in which a
/// string may replace it. `None` for any other value: a text, a number, `null`, or blocks.
pub(in crate::format) fn result<'a>(source: &[u8], content: Json<'a>) -> Option<(Cow<'a, str>, Slot)> {
    let listed = |list: &Vec<Json<'_>>| !list.is_empty() && !list.iter().any(|value| is_block(*value));
    let untyped = content.object().is_some() || content.array().is_some_and(|list| listed(&list));
    let whole = Some((content, Shape::Text));
    untyped.then(|| (Cow::Borrowed(content.raw()), slot::within(source, content, whole)))
}

/// A content that is neither a text nor blocks, as one part: the JSON text of a value that says something.
pub(in crate::format) fn said<'a>(source: &[u8], content: Json<'a>) -> Part<'a> {
    let text = if content.holds_something() { content.raw() } else { "" };
    let kind = if text.is_empty() { PartKind::Opaque } else { PartKind::Text };
    part(kind, Cow::Borrowed(text), slot::fixed(source, content))
}

/// An element of a content that is no block: a text, the text in an object that has nothing to say what it is, or else
/// the JSON text of the value. `None` for a block.
pub(in crate::format) fn element<'a>(source: &[u8], value: Json<'a>) -> Option<Part<'a>> {
    if let Some(text) = value.text() {
        return Some(part(PartKind::Text, text, slot::string(source, value)));
    }
    if is_typed(value) {
        return None;
    }
    let text = value.object().and_then(|fields| fields.get("text")).filter(|text| text.is_string());
    let Some(text) = text else { return Some(said(source, value)) };
    let slot = slot::within(source, value, Some((text, Shape::Text)));
    Some(part(PartKind::Text, text.text().unwrap_or_default(), slot))
}

/// Whether a value in a list is a block of some interface, or a text in the place of one.
fn is_block(value: Json<'_>) -> bool {
    let spoken = |key: &str| value.object().is_some_and(|fields| fields.get(key).is_some_and(Json::is_string));
    is_typed(value) || spoken("text")
}

/// Whether an object says what kind of block it is, by its `type` or by another interface's key.
fn is_typed(value: Json<'_>) -> bool {
    value.object().is_some_and(|fields| fields.has("type") || dialects::of_block(&fields).is_some())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn what_a_tool_returned_is_read_as_it_is_written() {
        let read = |text: &str| {
            let (words, slot) = result(text.as_bytes(), Json::parse(text).unwrap())?;
            assert_eq!((&*words, slot.content, slot.shape), (text, 0..text.len(), Shape::Text));
            Some(())
        };
        for value in
            [r#"{"quay": [1, 2.0]}"#, r#"["quay","lamp"]"#, "[1, null]", r#"[{"depth":6}]"#, "{}", r#"{"type":"x"}"#]
        {
            assert!(read(value).is_some(), "{value}");
        }
        let blocks = ["[]", "null", "6", r#"[{"type":"text","text":"x"},"quay"]"#, r#"[{"text":"quay"}]"#];
        for value in blocks.into_iter().chain([r#""quay""#, r#"[{"toolResult":{}}]"#]) {
            assert!(read(value).is_none(), "{value}");
        }
    }

    #[test]
    fn an_element_that_is_no_block_says_its_text() {
        let read = |text: &str| {
            let part = element(text.as_bytes(), Json::parse(text).unwrap())?;
            Some((part.kind.name(), part.text.into_owned(), text[part.slot.content].to_owned()))
        };
        let said = |kind, text: &str, slot: &str| Some((kind, text.to_owned(), slot.to_owned()));
        assert_eq!(read(r#""the tide""#), said("text", "the tide", r#""the tide""#));
        assert_eq!(read(r#"{"text":"the tide"}"#), said("text", "the tide", r#""the tide""#));
        assert_eq!(read(r#"{"text":6}"#), said("text", r#"{"text":6}"#, ""));
        assert_eq!((read("6"), read("null")), (said("text", "6", ""), said("opaque", "", "")));
        assert_eq!((read(r#"{"type":"lamp"}"#), read(r#"{"toolUse":{}}"#)), (None, None));
    }
}
