//! Joins the lines of hard-wrapped paragraphs: “Never⏎touch the tests” is no order to touch them.

use crate::summary::{Fence, is_dense, starts_any};
use std::collections::HashSet;
use std::ops::{Range, RangeInclusive};

/// Widths in characters at which a text may be hard-wrapped.
const WIDTHS: RangeInclusive<usize> = 40..=130;
/// Least number of full lines, and their least share among the lines that go on in the next one, in percent.
const FULL: usize = 2;
const SHARE: usize = 60;
/// Words that end no sentence.
const WITHIN: [&str; 61] = [
    "a", "als", "an", "and", "as", "at", "auf", "aus", "bei", "by", "con", "das", "de", "dem", "den", "der", "des",
    "die", "du", "ein", "eine", "einem", "einen", "einer", "el", "et", "for", "from", "für", "im", "in", "is", "ist",
    "keine", "la", "las", "le", "les", "los", "mit", "nicht", "not", "oder", "of", "on", "or", "que", "sind", "that",
    "the", "to", "un", "und", "une", "vom", "von", "wie", "with", "y", "zum", "zur",
];
/// Indent of code in bytes.
const CODE: usize = 4;

/// A text with each wrapped paragraph and list item on its first line. The lines behind stay as empty ones, so that
/// numbers of lines do not change. A text is wrapped if most lines before others of their paragraph had no room for the
/// first word of the next one; a line that had room ends a paragraph.
pub(super) fn unwrapped(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let all = paragraphs(&lines);
    let inner: Vec<usize> = all.iter().flat_map(|own| own.start..own.end - 1).collect();
    let breakable = inner.iter().map(|&at| lines[at]).filter(|line| line.trim().contains(' ') || is_dense_at(line));
    let width = breakable.map(length).max().unwrap_or_default();
    let is_full = |at: &usize| {
        let own = length(lines[*at]);
        own <= width && own + 1 + first_word(lines[*at + 1]) > width && goes_on(lines[*at], lines[*at + 1])
    };
    let full: HashSet<usize> = inner.iter().copied().filter(is_full).collect();
    if !WIDTHS.contains(&width) || full.len() < FULL || full.len() * 100 < inner.len() * SHARE {
        return text.to_owned();
    }
    let mut out: Vec<String> = lines.iter().map(ToString::to_string).collect();
    for own in all {
        let mut begun = own.start;
        for at in own.start + 1..own.end {
            if full.contains(&(at - 1)) {
                let gap = if is_dense_at(lines[at].trim()) { "" } else { " " };
                let end = out[begun].trim_end().len();
                out[begun].truncate(end);
                out[begun].push_str(gap);
                out[begun].push_str(lines[at].trim());
                out[at].clear();
            } else {
                begun = at;
            }
        }
    }
    out.join("\n") + if text.ends_with('\n') { "\n" } else { "" }
}

fn length(line: &str) -> usize {
    line.trim_end().chars().count()
}

/// The length of what a line could not break before, in characters: its first word, or one sign of a script without
/// spaces.
fn first_word(line: &str) -> usize {
    let word = line.split_whitespace().next().unwrap_or_default();
    if is_dense_at(word) { 1 } else { word.chars().count() }
}

/// Whether a line may go on in the next one: that begins small, or the line ends a clause or within one.
fn goes_on(line: &str, next: &str) -> bool {
    let last = line.split_whitespace().next_back().unwrap_or_default();
    let ends = last.ends_with(['.', ',', ';', ':', '!', '?', ')']) || WITHIN.contains(&last);
    ends || !next.trim_start().starts_with(char::is_uppercase)
}

/// Whether a text begins in a script without spaces.
fn is_dense_at(text: &str) -> bool {
    text.chars().next().is_some_and(is_dense)
}

/// The paragraphs and list items of a text, as ranges of lines.
fn paragraphs(lines: &[&str]) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    let mut fence = Fence::default();
    for (at, line) in lines.iter().enumerate() {
        let held = fence.holds(line);
        let indent = line.len() - line.trim_start().len();
        let begun = all.last_mut().filter(|last| last.end == at);
        // An indented line is code, unless it goes on with an item.
        if held || line.trim().is_empty() || is_block(line) || indent >= CODE && begun.is_none() {
            continue;
        }
        match begun.filter(|_| !begins_item(line)) {
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
    let marked = starts_any(line, &["- ", "* ", "+ ", "• ", "– ", "— ", "[", "**", "→", "✅", "❌"]);
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

    /// Prose that is wrapped at 51 columns, then on one line.
    const WRAPPED: &str = "The lamps burn on every pier of the long harbour at\nnight. The keeper of the quay says that you should\nnever touch the tests of the tide table.\n";
    const TOLD: &str = "The lamps burn on every pier of the long harbour at night. The keeper of the quay says that you should never touch the tests of the tide table.\n\n\n";

    #[test]
    fn what_is_not_wrapped_stays_as_it_is() {
        let long =
            "The lamp of the mole is lit by the keeper of the quay and by nobody else, whatever the tide table says.";
        for other in [
            format!("# {long}\n"),
            format!("| {long} | lit |\n| mole | dark |\n"),
            format!("```\nfn lamp() {{}} // {long}\nfn pier() {{}}\n```\n"),
            "https://quay.example/lamps/of/the/harbour/that/burn/at/night/until/the/morning\n".to_owned(),
            "Lamps lit\n".to_owned(),
            format!("{long}\n\n"),
        ] {
            assert_eq!(unwrapped(&format!("{other}{WRAPPED}")), format!("{other}{TOLD}"));
            assert_eq!(unwrapped(&format!("{WRAPPED}\n{other}")), format!("{TOLD}\n{other}"));
        }
        for line in ["    fn lamp() {\n    }\n", "> lit\n> dark\n", "<quay>\nlit\n</quay>\n"] {
            assert_eq!(unwrapped(&format!("{WRAPPED}\n{line}")), format!("{TOLD}\n{line}"));
        }
    }

    #[test]
    fn items_of_any_depth_are_wrapped_on_their_own() {
        let text = "- Lamps\n  - The keeper of the quay says that you should never\n    touch the tests of the tide table of the harbour,\n    which he has written.\n10. The keeper of the mole and of the pier has lit\n    it.\n";
        let told = "- Lamps\n  - The keeper of the quay says that you should never touch the tests of the tide table of the harbour, which he has written.\n\n\n10. The keeper of the mole and of the pier has lit it.\n\n";
        assert_eq!(unwrapped(text), told);
    }

    #[test]
    fn scripts_without_spaces_are_joined_without_one() {
        let line = "灯".repeat(44);
        let text = format!("{line}\n{line}\n不要改测试。\n");
        assert_eq!(unwrapped(&text), format!("{line}{line}不要改测试。\n\n\n"));
    }

    #[test]
    fn lines_of_their_own_are_left_alone() {
        for text in [
            "Edited lamp.rs\nRan cargo test: ok\nThe pier is lit from the old quay down to the new one\nAll tests pass",
            "## Goal\nlight the lamps\n| a | b\n| c | d",
            "always light the lamp of the mole at night\nnever touch the tests of the quay\nkeep the map as it is",
            "fixed the lamp colour until the lamp was right\nall tests pass",
            "1. the lamp of the mole was dark\n2. it was mended by the keeper of the quay\nAll tests pass",
            "Looked at every lamp on the pier, one is not lit\nThe whole test suite was run and all tests pass\nNobody has asked for the map of the old harbour",
            "Mended lamp.rs\nNever lit quay\nLooked at pier\nAll tests pass",
            "```\nfn lamp_of_the_old_pier_of_the_harbour(of quay)\nfn lamp_of_the_old_pier_of_the_harbour(of quay)\nlit_by_the_keeper\n```",
        ] {
            assert_eq!(unwrapped(text), text);
        }
    }
}
