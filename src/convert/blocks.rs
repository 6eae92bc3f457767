//! Content blocks of Anthropic's API, used by requests and Claude Code sessions.

use super::conversation::{Answer, Piece, Turn};
use super::fields::{Fields, array, object, one_line, quoted};
use super::losses::{Loss, Losses};
use super::medium::Medium;

/// The blocks of a turn, without results.
pub(super) fn content_blocks(turn: &Turn<'_>, losses: &mut Losses) -> Vec<String> {
    turn.pieces.iter().filter_map(|piece| block(piece, losses)).collect()
}

fn block(piece: &Piece<'_>, losses: &mut Losses) -> Option<String> {
    Some(match piece {
        Piece::Text(words) => text(words),
        Piece::Thought(thought) => one_line(thought.block?).into_owned(),
        Piece::Medium(medium) => medium.anthropic(),
        Piece::Call(call) => {
            let (input, changed) = object(call.arguments);
            losses.add(Loss::ArgumentsNormalized, usize::from(changed));
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
pub(super) fn result(answer: &Answer<'_>) -> String {
    let content = if answer.media.is_empty() {
        quoted(&answer.text)
    } else {
        let words = (!answer.text.is_empty()).then(|| text(&answer.text));
        array(words.into_iter().chain(answer.media.iter().map(Medium::anthropic)))
    };
    let block = Fields::new().text("type", "tool_result").text("tool_use_id", &answer.id).raw("content", &content);
    block.raw_if("is_error", answer.error.then_some("true")).done()
}

/// The content of a message: a string if it is a single text, otherwise an array of blocks.
pub(super) fn content(blocks: Vec<String>, turn: Option<&Turn<'_>>) -> String {
    match turn.map(|turn| &turn.pieces[..]) {
        Some([Piece::Text(only)]) if blocks.len() == 1 => quoted(only),
        _ => array(blocks),
    }
}
