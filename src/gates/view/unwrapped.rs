//! Joins the lines of hard-wrapped paragraphs: “Never⏎touch the tests” is no order to touch them.

use crate::summary::Fence;
use std::ops::Range;

/// Longest line in characters of a text that may be hard-wrapped, and least number of its full lines.
const WIDTH: usize = 130;
const FULL: usize = 3;
/// Indent of code in bytes.
const CODE: usize = 4;

/// A text with each wrapped paragraph and list item on its first line. The lines behind stay as empty ones, so that
/// numbers of lines do not change. A text is wrapped if no line that goes on in the next one had room for its first
/// word, and several go on.
pub(super) fn unwrapped(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let all = paragraphs(&lines);
    let width = lines.iter().map(|line| length(line)).max().unwrap_or_default();
    let word = |line: &str| line.split_whitespace().next().map_or(0, |word| word.chars().count());
    let is_full = |at: usize| length(lines[at]) + 1 + word(lines[at + 1]) > width;
    let mut inner = all.iter().flat_map(|own| own.start..own.end - 1);
    let full = all.iter().map(|own| own.len() - 1).sum::<usize>();
    if width > WIDTH || full < FULL || !inner.all(is_full) {
        return text.to_owned();
    }
    let mut out: Vec<String> = lines.iter().map(ToString::to_string).collect();
    for own in all.into_iter().filter(|own| own.len() > 1) {
        let rest: Vec<&str> = lines[own.start + 1..own.end].iter().map(|line| line.trim()).collect();
        out[own.start] = format!("{} {}", lines[own.start].trim_end(), rest.join(" "));
        out[own.start + 1..own.end].iter_mut().for_each(String::clear);
    }
    out.join("\n") + if text.ends_with('\n') { "\n" } else { "" }
}

fn length(line: &str) -> usize {
    line.trim_end().chars().count()
}

/// The paragraphs and list items of a text, as ranges of lines.
fn paragraphs(lines: &[&str]) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    let mut fence = Fence::default();
    for (at, line) in lines.iter().enumerate() {
        let held = fence.holds(line);
        let indent = line.len() - line.trim_start().len();
        if held || line.trim().is_empty() || is_block(line) || indent >= CODE {
            continue;
        }
        match all.last_mut().filter(|last| last.end == at && !begins_item(line)) {
            Some(last) => last.end = at + 1,
            None => all.push(at..at + 1),
        }
    }
    all
}

/// Whether a line begins a list item, or has a label.
fn begins_item(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = digits > 0 && line[digits..].strip_prefix(['.', ')']).is_some_and(|rest| rest.starts_with(' '));
    let marked =
        ["- ", "* ", "+ ", "• ", "– ", "— ", "[", "**", "→", "✅", "❌"].iter().any(|mark| line.starts_with(mark));
    numbered || marked || line.split(' ').next().is_some_and(|word| word.ends_with(':'))
}

/// Whether a line is a heading, a quote, a row of a table or a tag, which never go on.
fn is_block(line: &str) -> bool {
    line.trim_start().starts_with(['#', '>', '|', '<'])
}

#[cfg(test)]
mod tests {
    use super::unwrapped;

    #[test]
    fn wrapped_lines_are_joined_and_lines_keep_their_numbers() {
        let text = "The lamps burn on every pier of the\nharbour at night. The keeper says: never\ntouch the tests of the tide table.\n\n- Keep the old map of the harbour as it\n  is in the house of the keeper.\n- Run `make quay`\n";
        let told = "The lamps burn on every pier of the harbour at night. The keeper says: never touch the tests of the tide table.\n\n\n\n- Keep the old map of the harbour as it is in the house of the keeper.\n\n- Run `make quay`\n";
        assert_eq!(unwrapped(text), told);
    }

    #[test]
    fn lines_of_their_own_are_left_alone() {
        for text in [
            "Edited lamp.rs\nRan cargo test: ok\nThe pier is lit from the old quay down to the new one\nAll tests pass",
            "## Goal\nlight the lamps\n| a | b\n| c | d",
            "always light the lamp of the mole at night\nnever touch the tests of the quay\nkeep the map as it is",
            "fixed the lamp colour until the lamp was right\nall tests pass",
            "1. the lamp of the mole was dark\n2. it was mended by the keeper of the quay\nAll tests pass",
            "```\nfn lamp of the old pier()\nlit\n```\n\n~~~\nall of the lamps of the quay\nlit\n~~~",
        ] {
            assert_eq!(unwrapped(text), text);
        }
    }
}
