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
/// How an element of any type opens, which may stand inside another one.
const ANY: &str = "<details";
/// The types that Open WebUI writes; an element of another type is the model's text.
const KINDS: [&str; 3] = ["reasoning", "tool_calls", "code_interpreter"];
/// Marks of lines around code.
const FENCES: [&str; 2] = ["```", "~~~"];

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

/// The text before the next element outside fences, the element without its closing tag, and the text behind it.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let (mut fence, mut at) = (None, 0);
    let start = text.split_inclusive('\n').find_map(|line| {
        let own = fence_of(line);
        match (fence, own) {
            (None, None) => {}
            (None, Some(_)) => fence = own.map(|(fence, _)| fence),
            (Some(open), Some((fenced, true))) if fenced.starts_with(open) => fence = None,
            (Some(_), _) => {}
        }
        let opens = |found: &usize| {
            let kind = line[found + OPEN.len()..].split('"').next().unwrap_or_default();
            KINDS.contains(&kind)
        };
        let found = line.match_indices(OPEN).map(|(found, _)| found).find(opens).map(|found| at + found);
        at += line.len();
        found.filter(|_| fence.is_none() && own.is_none())
    })?;
    let (before, element) = text.split_at(start);
    let (element, behind) = element.split_at(end(element)?);
    Some((before, element, &behind[CLOSE.len()..]))
}

/// The marks with which a line opens or closes code, and whether nothing is behind them.
fn fence_of(line: &str) -> Option<(&str, bool)> {
    let line = line.trim();
    let mark = FENCES.into_iter().find(|fence| line.starts_with(fence))?;
    let rest = line.trim_start_matches(&mark[..1]);
    let in_line = mark.starts_with('`') && rest.contains('`');
    (!in_line).then(|| (&line[..line.len() - rest.len()], rest.is_empty()))
}

/// Where the tag stands that closes the element with which a text begins.
fn end(element: &str) -> Option<usize> {
    let mut depth = 0_usize;
    element.match_indices('<').map(|(at, _)| at).find(|at| {
        let tag = &element[*at..];
        let closes = tag.starts_with(CLOSE);
        depth = if closes { depth.saturating_sub(1) } else { depth + usize::from(tag.starts_with(ANY)) };
        closes && depth == 0
    })
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
