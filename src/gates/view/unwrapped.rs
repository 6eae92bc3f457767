//! Joins the lines of hard-wrapped paragraphs: “Never⏎touch the tests” is no order to touch them.

/// Longest line in characters of a text that may be hard-wrapped.
const WIDTH: usize = 130;

/// A text with each wrapped paragraph and list item on its first line. The lines behind stay as empty ones, so that
/// numbers of lines do not change.
pub(super) fn unwrapped(text: &str) -> String {
    let length = |line: &str| line.trim_end().chars().count();
    let width = text.lines().map(length).max().unwrap_or_default();
    let mut lines: Vec<String> = Vec::new();
    // The first line of the open paragraph, and the line before.
    let mut open: Option<(usize, &str)> = None;
    let mut fenced = false;
    for (at, line) in text.lines().enumerate() {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        let joins = |before: &str| {
            let word = line.split_whitespace().next().unwrap_or_default();
            let full = width <= WIDTH && length(before) + 1 + length(word) > width;
            (full || line.trim_start().starts_with(char::is_lowercase)) && goes_on(before)
        };
        let is_words = !fenced && !is_fence && !line.trim().is_empty();
        match open.filter(|(_, before)| is_words && !begins_block(line) && joins(before)) {
            Some((first, _)) => {
                lines[first].push(' ');
                lines[first].push_str(line.trim());
                lines.push(String::new());
                open = Some((first, line));
            }
            None => {
                lines.push(line.to_owned());
                open = (is_words && !is_block(line)).then_some((at, line));
            }
        }
    }
    let mut out = lines.join("\n");
    out.push_str(if text.ends_with('\n') { "\n" } else { "" });
    out
}

/// Whether a paragraph may go on behind a line: it does not end a sentence or announce something.
fn goes_on(line: &str) -> bool {
    !line.trim_end().ends_with(['.', '!', '?', ':', ';', '。', '！', '？', '：', '|', '>'])
}

/// Whether a line begins a block of its own: a list item, a heading, a quote, a row of a table, a tag, a label.
fn begins_block(line: &str) -> bool {
    let line = line.trim_start();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = digits > 0 && line[digits..].starts_with(['.', ')']) && line[digits + 1..].starts_with(' ');
    let marked =
        ["- ", "* ", "+ ", "• ", "– ", "— ", "[", "**", "→", "✅", "❌"].iter().any(|mark| line.starts_with(mark));
    let label = || line.split(' ').next().is_some_and(|word| word.ends_with(':'));
    numbered || marked || is_block(line) || label()
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
        let text = "The lamps burn on every pier of the\nharbour at night. Never\ntouch the tests of the tide table.\n\n- Keep the\n  map as it is\n- Run `make quay`\n";
        let told = "The lamps burn on every pier of the harbour at night. Never touch the tests of the tide table.\n\n\n\n- Keep the map as it is\n\n- Run `make quay`\n";
        assert_eq!(unwrapped(text), told);
    }

    #[test]
    fn lines_of_their_own_are_left_alone() {
        for text in [
            "Edited lamp.rs\nRan cargo test: ok\nThe pier is lit from the old quay down to the new one",
            "## Goal\nlight the lamps\n| a | b\n| c | d",
            "Rules:\nnever touch the tests.\nkeep the map.",
            "```\nfn lamp()\nlit\n```",
        ] {
            assert_eq!(unwrapped(text), text);
        }
    }
}
