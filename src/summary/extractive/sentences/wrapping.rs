//! Finds lines that were wrapped at a width, as in text that was copied from a terminal.

use super::prose::without_marker;

/// Minimum width of wrapped text, in characters.
const NARROW: usize = 30;
/// Last words of a line that goes on in the next one, and verbs before “not” at the end of such a line.
const HANGING: [&str; 17] = [
    "a", "an", "and", "because", "but", "every", "from", "into", "my", "of", "or", "our", "than", "the", "their",
    "which", "your",
];
const NEGATED: [&str; 6] = ["do", "does", "may", "must", "should", "will"];

/// By line of a text: whether it is the rest of the line before. A line that ends in a word such as “the” goes on; in a
/// paragraph with such a line, every line goes on that had no room for the first word of the next.
pub(super) fn wrapped(text: &str) -> Vec<bool> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut rests = vec![false; lines.len()];
    let mut start = 0;
    for at in 1..=lines.len() {
        let goes_on = lines.get(at).is_some_and(|line| !line.is_empty() && !without_marker(line.trim()).0);
        if !goes_on {
            mark(&lines[start..at], &mut rests[start..at]);
            start = at;
        }
    }
    rests
}

/// Marks the rests in a paragraph.
fn mark(lines: &[&str], rests: &mut [bool]) {
    let length = |line: &str| line.chars().count();
    let width = lines.iter().map(|line| length(line)).max().unwrap_or_default();
    let is_wrapped = width >= NARROW && lines.iter().rev().skip(1).any(|line| hangs(line));
    for at in 1..lines.len() {
        let first = lines[at].split_whitespace().next().unwrap_or_default();
        let had_room = length(lines[at - 1]) + 1 + length(first) <= width;
        rests[at] = is_wrapped && !had_room || hangs(lines[at - 1]);
    }
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
    fn lines_that_are_typed_one_by_one_stay_apart() {
        for text in [
            "run all the tests again\nfix the lint of the board\nupdate the docs",
            "do not push this\nnever touch the tests",
        ] {
            assert!(!wrapped(text).contains(&true), "{text}");
        }
    }
}
