//! Answers by numbers with a colon: “1: yes”, “2: no, never”. Lines of a listing look like them.

use crate::summary::extractive::words::AGREE;
use crate::summary::text::each_word;

/// Whether a line of a text answers by a number: with yes, no or the like.
pub(super) fn answers(text: &str) -> bool {
    let agrees = |said: &str| each_word(&said.to_lowercase()).next().is_some_and(|first| AGREE.contains(&first));
    text.lines().filter_map(answer).any(agrees)
}

/// What stands behind a number of one or two digits and a colon.
pub(super) fn answer(line: &str) -> Option<&str> {
    let line = line.trim();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    line[digits..].strip_prefix(": ").filter(|_| (1..=2).contains(&digits)).map(str::trim_start)
}
