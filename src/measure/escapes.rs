//! Escapes that a word may stand behind: of JSON strings, addresses and colors.

use crate::facts::{cuts_escape, ends_escape};
use crate::summary::ends_any;

/// Spellings of the escape character.
const ESCAPES: [&str; 6] = ["\u{1b}", "\\u001b", "\\u001B", "\\x1b", "\\033", "\\e"];

/// Whether the text before a word ends in an escape, so that the word begins there: of a JSON string (`\n`), of an
/// address (`%2F`), or of a color.
pub(super) fn escaped(before: &str, word: &str) -> bool {
    let in_string = before.len() >= 2
        && before.as_bytes()[before.len() - 2] == b'\\'
        && before.ends_with(['n', 't', 'r', 'b', 'f']);
    in_string || ends_escape(before) || cuts_escape(before, word) || ends_color(before)
}

/// Whether a text ends in a color sequence, `ESC[31;1m`, with the escape as a character or written out.
fn ends_color(before: &str) -> bool {
    let set = before
        .strip_suffix(['m', 'K'])
        .map(|set| set.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == ';'));
    let escape = set.and_then(|set| set.strip_suffix('['));
    escape.is_some_and(|escape| ends_any(escape, &ESCAPES))
}
