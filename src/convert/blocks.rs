//! Content blocks of Anthropic's API, used by requests and Claude Code sessions.

use super::conversation::{Part, ToolResult, Unit};
use super::fields::{Fields, array, object, one_line, quoted};
use super::losses::Losses;
use super::medium::Medium;

/// The blocks of a unit, without results.
pub(super) fn content_blocks(unit: &Unit<'_>, losses: &mut Losses) -> Vec<String> {
    unit.parts.iter().filter_map(|part| block(part, losses)).collect()
}

fn block(part: &Part<'_>, losses: &mut Losses) -> Option<String> {
    Some(match part {
        Part::Text(words) => text(words),
        Part::Reasoning(reasoning) => one_line(reasoning.block?).into_owned(),
        Part::Medium(medium) => medium.anthropic(),
        Part::Call(call) => {
            let input = object(call.arguments, losses);
            Fields::new()
                .text("type", "tool_use")
                .text("id", &call.id)
                .text("name", call.name)
                .raw("input", &input)
                .done()
        }
    })
}

/// A text block.
pub(super) fn text(words: &str) -> String {
    Fields::new().text("type", "text").text("text", words).done()
}

/// A tool result block.
pub(super) fn result(result: &ToolResult<'_>) -> String {
    let content = if result.media.is_empty() {
        quoted(&result.text)
    } else {
        let words = (!result.text.is_empty()).then(|| text(&result.text));
        array(words.into_iter().chain(result.media.iter().map(Medium::anthropic)))
    };
    let block = Fields::new().text("type", "tool_result").text("tool_use_id", &result.id).raw("content", &content);
    block.raw_if("is_error", result.error.then_some("true")).done()
}

/// The content of a message: a string if it is a single text, otherwise an array of blocks.
pub(super) fn content(blocks: Vec<String>, unit: Option<&Unit<'_>>) -> String {
    match unit.map(|unit| &unit.parts[..]) {
        Some([Part::Text(only)]) if blocks.len() == 1 => quoted(only),
        _ => array(blocks),
    }
}
