//! Finds lines that were wrapped at a width, as in text that was copied from a terminal.

use super::prose::without_marker;
use crate::summary::text::is_dense;

/// Minimum width of wrapped text, in characters.
const NARROW: usize = 30;
/// Last words of a line that goes on in the next one, and verbs before “not” at the end of such a line.
const HANGING: [&str; 29] = [
    "a", "an", "and", "as", "at", "be", "because", "but", "by", "don't", "don’t", "every", "from", "if", "into", "my",
    "never", "of", "or", "our", "than", "the", "their", "to", "under", "when", "which", "with", "your",
];
/// Signs at the end of a sentence or a lead.
const ENDS: [char; 8] = ['.', '!', '?', ':', ';', '。', '！', '？'];
const NEGATED: [&str; 6] = ["do", "does", "may", "must", "should", "will"];

/// By line of a text: whether it is the rest of the line before. A line that ends in a word such as “the” goes on; in a
/// paragraph with such a line, every line goes on that had no room for the first word of the next, and in one whose
/// sentences begin and end within the lines, and in those beside it, every line that ends no sentence.
pub(super) fn wrapped(text: &str) -> Vec<bool> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut rests = vec![false; lines.len()];
    let mut paragraphs = Vec::new();
    let mut start = 0;
    for at in 1..=lines.len() {
        let goes_on = lines.get(at).is_some_and(|line| !line.is_empty() && !without_marker(line.trim()).0);
        if !goes_on {
            paragraphs.push(start..at);
            start = at;
        }
    }
    let flows = paragraphs.iter().any(|all| flows(&lines[all.clone()]));
    for all in paragraphs.into_iter().filter(|all| all.len() > 1) {
        let lines = &lines[all.clone()];
        mark(lines, flows && goes_on(lines), &mut rests[all]);
    }
    rests
}

fn length(line: &str) -> usize {
    line.chars().count()
}

/// The length of the longest line.
fn width(lines: &[&str]) -> usize {
    lines.iter().map(|line| length(line)).max().unwrap_or_default()
}

/// Marks the rests in a paragraph; `flows`: its sentences go on over the ends of its lines.
fn mark(lines: &[&str], flows: bool, rests: &mut [bool]) {
    let width = width(lines);
    let is_wrapped = width >= NARROW && lines.iter().rev().skip(1).any(|line| hangs(line));
    for at in 1..lines.len() {
        let first = lines[at].split_whitespace().next().unwrap_or_default();
        let had_room = length(lines[at - 1]) + 1 + length(first) <= width;
        rests[at] = is_wrapped && !had_room || hangs(lines[at - 1]) || flows && !lines[at - 1].ends_with(ENDS);
    }
}

/// Whether sentences begin and end within the lines of a paragraph and go on over their ends: there is a line with the
/// end of a sentence inside of it and none at its own end.
fn flows(lines: &[&str]) -> bool {
    width(lines) >= NARROW && open_ends(lines).any(|(line, _)| ends_inside(line)) && goes_on(lines)
}

/// Whether what follows a line that ends no sentence never begins like one.
fn goes_on(lines: &[&str]) -> bool {
    let begins = |line: &str| line.starts_with(|char: char| char.is_uppercase() || is_dense(char));
    open_ends(lines).all(|(line, next)| !begins(next) || hangs(line))
}

/// The lines that end no sentence, each with the next one.
fn open_ends<'l>(lines: &'l [&'l str]) -> impl Iterator<Item = (&'l str, &'l str)> {
    let pairs = lines.windows(2).map(|pair| (pair[0], pair[1].trim_start()));
    pairs.filter(|(line, _)| !line.is_empty() && !line.ends_with(ENDS))
}

/// Whether a sentence ends before the last word of a line.
fn ends_inside(line: &str) -> bool {
    line.match_indices(". ").any(|(at, end)| line[at + end.len()..].starts_with(char::is_uppercase))
        || line.contains("? ")
        || line.contains("! ")
}

/// Whether a line ends in words that end no sentence.
fn hangs(line: &str) -> bool {
    let mut words = line.rsplit(' ');
    let (last, before) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let negates = || last == "not" && NEGATED.contains(&before.to_lowercase().as_str());
    !before.is_empty() && (HANGING.binary_search(&last).is_ok() || negates())
}

#[cfg(test)]
mod tests {
    use super::super::prose::typed;
    use super::*;

    #[test]
    fn narrow_lines_are_joined() {
        assert!(HANGING.is_sorted());
        let text = "Move the tide table to the new quay. We will keep\nthe old names of all lamps. Do not\ntouch the pier list. Always use the\nHarbor font.\n\n1. Use the short names and do not\n   paint them.\n2. Count the lamps";
        assert_eq!(wrapped(text), [false, true, true, true, false, false, true, false]);
        let told = [
            "Move the tide table to the new quay.",
            "We will keep the old names of all lamps.",
            "Do not touch the pier list.",
            "Always use the Harbor font.",
            "Use the short names and do not paint them.",
            "Count the lamps",
        ];
        assert_eq!(typed(text), told);
    }

    #[test]
    fn sentences_that_flow_over_the_ends_of_lines_are_joined() {
        let text = "Please read the tide tables late. Nobody must\ntouch the files below\nquay/made, they are built. Also\nsee that tests/tide.py\nstill passes\n(others use it).\n\nThen tell us\nwhat is lit.";
        let told = [
            "Please read the tide tables late.",
            "Nobody must touch the files below quay/made, they are built.",
            "Also see that tests/tide.py still passes (others use it).",
            "Then tell us what is lit.",
        ];
        assert_eq!(typed(text), told);
    }

    #[test]
    fn lines_that_are_typed_one_by_one_stay_apart() {
        for text in [
            "run all the tests again\nfix the lint of the board\nupdate the docs",
            "do not push this\nnever touch the tests",
            "mend the lamp of the quay first\nthen look at it again. Is it lit? Then\nPaint the pier",
        ] {
            assert!(!wrapped(text).contains(&true), "{text}");
        }
    }
}
