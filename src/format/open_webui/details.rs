//! What Open WebUI writes into an answer's text besides the answer: reasoning, calls and their results, each in an element
//! `<details type="…">`, with values of calls escaped as HTML.

use std::borrow::Cow;

/// A piece of an answer's text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// Words.
    Text(&'t str),
    /// What the model thought.
    Thought(String),
    /// A call, with its result if it was answered.
    Call {
        /// Its id.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        arguments: String,
        /// What the tool returned.
        result: Option<String>,
    },
    /// Something for the screen.
    Shown,
}

const OPEN: &str = "<details type=\"";
const CLOSE: &str = "</details>";

/// Splits a text; empty texts between elements are left out.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while let Some((before, element, behind)) = next(rest) {
        pieces.extend(Some(before.trim()).filter(|before| !before.is_empty()).map(Piece::Text));
        pieces.push(piece(element));
        rest = behind;
    }
    let rest = if pieces.is_empty() { rest } else { rest.trim() };
    pieces.extend(Some(rest).filter(|rest| !rest.is_empty()).map(Piece::Text));
    pieces
}

/// The text before the next element, the element without its brackets, and the text behind it.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let start = text.find(OPEN)?;
    let (before, element) = text.split_at(start);
    let (element, behind) = element.split_once(CLOSE)?;
    Some((before, element, behind))
}

fn piece<'t>(element: &str) -> Piece<'t> {
    let (tag, inside) = element.split_once('>').unwrap_or((element, ""));
    let attribute = |name: &str| {
        let (_, value) = tag.split_once(&format!(" {name}=\""))?;
        Some(unescaped(value.split('"').next()?))
    };
    let inside = inside.split_once("</summary>").map_or(inside, |(_, behind)| behind).trim();
    let kind = tag.split('"').nth(1).unwrap_or_default();
    match kind {
        "reasoning" => Piece::Thought(thought(inside)),
        "tool_calls" => {
            let done = attribute("done").is_some_and(|done| done == "true");
            let result = attribute("result").unwrap_or_else(|| unescaped(inside));
            Piece::Call {
                id: attribute("id").unwrap_or_default(),
                name: attribute("name").unwrap_or_default(),
                arguments: json_text(attribute("arguments").unwrap_or_default()),
                result: done.then(|| json_text(result)),
            }
        }
        _ => Piece::Shown,
    }
}

/// Reasoning without the marks of a quotation.
fn thought(inside: &str) -> String {
    let lines = inside.lines().map(|line| line.strip_prefix('>').unwrap_or(line));
    unescaped(&lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n"))
}

/// The text that a JSON string holds; any other text is as it is.
fn json_text(text: String) -> String {
    serde_json::from_str::<String>(&text).unwrap_or(text)
}

/// A text without the escapes of HTML.
fn unescaped(text: &str) -> String {
    let escapes = [("&quot;", "\""), ("&#x27;", "'"), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    let mut text = Cow::Borrowed(text);
    for (escape, letter) in escapes {
        if text.contains(escape) {
            text = Cow::Owned(text.replace(escape, letter));
        }
    }
    text.into_owned()
}
