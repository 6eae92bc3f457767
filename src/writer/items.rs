//! The items of a section: bullets with what belongs to them, and paragraphs, of which single sentences can go.

use crate::summary::{Fence, indent, line_sentences, list_number, starts_any};
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

/// Splits each paragraph of prose that has one of these lines into its sentences, one per line. Returns the lines, and
/// the ranges of those that were a paragraph; they keep its indentation.
pub(super) fn parted(lines: &[String], hits: &BTreeSet<usize>) -> (Vec<String>, Vec<Range<usize>>) {
    let (mut out, mut paragraphs) = (Vec::with_capacity(lines.len()), Vec::new());
    for item in items(lines) {
        let is_hit = hits.range(item.clone()).next().is_some();
        let own = &lines[item];
        if !is_hit || !is_prose(own) {
            out.extend_from_slice(own);
            continue;
        }
        let (first, blank) = (out.len(), blank_before(&own[0]));
        let whole = spaced(own.iter().map(|line| line.trim()));
        out.extend(line_sentences(&whole).into_iter().map(|sentence| format!("{blank}{sentence}")));
        paragraphs.push(first..out.len());
    }
    (out, paragraphs)
}

/// Removes the items that these lines belong to, with all that is indented below them. Of a paragraph that was parted,
/// only the sentences go; the others are joined again.
pub(super) fn without(lines: &[String], hits: &BTreeSet<usize>, paragraphs: &[Range<usize>]) -> Vec<String> {
    let is_hit = |range: &Range<usize>| hits.range(range.clone()).next().is_some();
    let mut kept = Vec::new();
    // The indentation of what went last: deeper lines are about that.
    let mut below = None;
    for (item, is_parted) in joined(items(lines), paragraphs) {
        let own = &lines[item.clone()];
        let first = own.first().map_or("", String::as_str);
        if first.trim().is_empty() {
            kept.extend_from_slice(own);
            continue;
        }
        if below.is_some_and(|above| indent(first) > above) {
            continue;
        }
        if is_parted {
            let left = item.clone().filter(|at| !hits.contains(at)).map(|at| lines[at].trim());
            let left = spaced(left);
            kept.extend((!left.is_empty()).then(|| format!("{}{left}", blank_before(first))));
            below = hits.contains(&(item.end - 1)).then(|| indent(first));
            continue;
        }
        below = is_hit(&item).then(|| indent(first));
        if below.is_none() {
            kept.extend_from_slice(own);
        }
    }
    kept
}

/// The items that are not in `known`, whole with what is indented below them; they are in it afterwards.
pub(super) fn new_ones(lines: &[&str], known: &mut HashSet<String>) -> Vec<String> {
    let owned: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let mut new = Vec::new();
    for block in blocks(&owned) {
        let own = &owned[block];
        let text: Vec<&str> = own.iter().map(|line| line.trim_end()).filter(|line| !line.is_empty()).collect();
        if text.is_empty() || known.insert(text.join("\n")) {
            new.extend_from_slice(own);
        }
    }
    new
}

/// The items of these lines: a bullet, a number, a row or a paragraph, each with the lines that continue it, and with
/// the code that is fenced in it. Headings and blank lines are items of their own.
fn items(lines: &[String]) -> Vec<Range<usize>> {
    let is_alone = |line: &String| line.trim().is_empty() || line.starts_with('#');
    let mut fence = Fence::default();
    let starts = |at: &usize| {
        let is_code = fence.is_open();
        fence.holds(&lines[*at]);
        *at == 0 || !is_code && (begins(&lines[*at]) || is_alone(&lines[at - 1]))
    };
    ranges((0..lines.len()).filter(starts).collect(), lines.len())
}

/// Items without indentation, with all that is below them.
fn blocks(lines: &[String]) -> Vec<Range<usize>> {
    let is_own = |line: &String| !line.trim().is_empty() && indent(line) == 0;
    let starts = items(lines).into_iter().map(|item| item.start).filter(|at| *at == 0 || is_own(&lines[*at]));
    ranges(starts.collect(), lines.len())
}

fn ranges(starts: Vec<usize>, end: usize) -> Vec<Range<usize>> {
    let ends = starts.iter().skip(1).copied().chain([end]).collect::<Vec<_>>();
    starts.into_iter().zip(ends).map(|(start, end)| start..end).collect()
}

/// The items, with each of these paragraphs as one, and whether it is one of them.
fn joined(items: Vec<Range<usize>>, paragraphs: &[Range<usize>]) -> Vec<(Range<usize>, bool)> {
    let mut all: Vec<(Range<usize>, bool)> = Vec::with_capacity(items.len());
    let mut left = paragraphs.iter().peekable();
    for item in items {
        while let Some(paragraph) = left.next_if(|paragraph| paragraph.start <= item.start) {
            all.push((paragraph.clone(), true));
        }
        if all.last().is_none_or(|(last, _)| last.end <= item.start) {
            all.push((item, false));
        }
    }
    all
}

/// Pieces of a paragraph as one line: between those of scripts that write without blanks, there is none.
fn spaced<'p>(pieces: impl Iterator<Item = &'p str>) -> String {
    let ends = |sign: char| matches!(sign, '。' | '！' | '？');
    let is_wide = |sign: char| matches!(sign, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff01}'..='\u{ff60}' | '\u{20000}'..='\u{3ffff}');
    pieces.fold(String::new(), |mut line, piece| {
        let is_dense = line.ends_with(ends) || line.ends_with(is_wide) && piece.starts_with(is_wide);
        line.push_str(if line.is_empty() || is_dense { "" } else { " " });
        line.push_str(piece);
        line
    })
}

/// The blank that a line begins with.
fn blank_before(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// Whether a line begins an item, or is one.
fn begins(line: &str) -> bool {
    let bare = line.trim_start();
    bare.is_empty() || bare.starts_with(['-', '*', '•', '#', '|', '>']) || list_number(bare).is_some()
}

/// Whether an item is a paragraph of several sentences.
fn is_prose(item: &[String]) -> bool {
    let is_fence = |line: &String| starts_any(line.trim_start(), &["```", "~~~"]);
    item.first().is_some_and(|first| !begins(first)) && !item.iter().any(is_fence)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str, hits: &[usize]) -> String {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        without(&lines, &hits.iter().copied().collect(), &[]).join("\n")
    }

    #[test]
    fn what_is_below_a_line_goes_with_it() {
        let text = "- a\n  - b\n    - c\n    more of c\n  - d\n- e\n\n  - f\n- g";
        assert_eq!(left(text, &[0]), "- e\n\n  - f\n- g");
        assert_eq!(left(text, &[1]), "- a\n  - d\n- e\n\n  - f\n- g");
        assert_eq!(left(text, &[3]), "- a\n  - b\n  - d\n- e\n\n  - f\n- g");
        assert_eq!(left(text, &[5]), "- a\n  - b\n    - c\n    more of c\n  - d\n\n- g");
        assert_eq!(left("1. a\n\t- b\n2. c", &[0]), "2. c");
        assert_eq!(left("| a | b |\n| c | d |", &[1]), "| a | b |");
    }

    #[test]
    fn of_a_paragraph_only_sentences_go() {
        let lines = ["The lamp is lit. The pier", "is wet! Nobody came.", "", "- One. Two."].map(str::to_owned);
        let (lines, paragraphs) = parted(&lines, &BTreeSet::from([1, 3]));
        assert_eq!(lines[..3], ["The lamp is lit.", "The pier is wet!", "Nobody came."]);
        assert_eq!((&*lines[4], paragraphs.len(), paragraphs.first()), ("- One. Two.", 1, Some(&(0..3))));
        let left = |hits: &[usize]| without(&lines, &hits.iter().copied().collect(), &paragraphs).join("\n");
        assert_eq!(left(&[1]), "The lamp is lit. Nobody came.\n\n- One. Two.");
        assert_eq!(left(&[0, 1, 2]), "\n- One. Two.");
    }

    #[test]
    fn an_indented_paragraph_goes_with_its_item_and_keeps_its_place() {
        let lines = ["- a", "", "  The lamp is lit. The pier", "  is wet.", "", "- b"].map(str::to_owned);
        let (lines, paragraphs) = parted(&lines, &BTreeSet::from([0, 3]));
        assert_eq!((&*lines[2], &*lines[3]), ("  The lamp is lit.", "  The pier is wet."));
        let left = |hits: &[usize]| without(&lines, &hits.iter().copied().collect(), &paragraphs).join("\n");
        assert_eq!(left(&[0, 3]), "\n\n- b");
        assert_eq!(left(&[3]), "- a\n\n  The lamp is lit.\n\n- b");
        assert_eq!(left(&[]), "- a\n\n  The lamp is lit. The pier is wet.\n\n- b");
    }

    #[test]
    fn sentences_of_scripts_without_blanks_are_joined_without() {
        let lines = ["灯塔亮了。码头很", "湿。没有人来。"].map(str::to_owned);
        let (lines, paragraphs) = parted(&lines, &BTreeSet::from([0]));
        assert_eq!(lines, ["灯塔亮了。", "码头很湿。", "没有人来。"]);
        assert_eq!(without(&lines, &BTreeSet::from([1]), &paragraphs), ["灯塔亮了。没有人来。"]);
    }

    #[test]
    fn fenced_code_stays_whole_with_its_item() {
        let text = "- a\n  ```\n- x\n\n# y\n  ```\n- b\n\n```\n- x\n```\n```\nz\n```\n- c";
        assert_eq!(left(text, &[0]), "- b\n\n```\n- x\n```\n```\nz\n```\n- c");
        assert_eq!(left(text, &[4]), left(text, &[0]));
        assert_eq!(left(text, &[9]), "- a\n  ```\n- x\n\n# y\n  ```\n- b\n\n- c");
        let mut known = HashSet::new();
        let code = ["```", "x = 1", "", "x = 1", "```"];
        assert_eq!(new_ones(&[&["x = 1", ""], &code[..]].concat(), &mut known).len(), 7);
        assert_eq!(new_ones(&code, &mut known), Vec::<String>::new());
    }

    #[test]
    fn an_item_that_is_known_is_not_told_again() {
        let mut known = HashSet::new();
        assert_eq!(new_ones(&["- a", "  - b", "- c", "", "  - b"], &mut known), ["- a", "  - b", "- c", "", "  - b"]);
        assert_eq!(new_ones(&["- a", "  - b", "- a", "  - d", "- e"], &mut known), ["- a", "  - d", "- e"]);
    }
}
