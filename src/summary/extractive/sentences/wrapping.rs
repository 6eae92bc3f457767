//! Finds lines that were wrapped at a width, as in text that was copied from a terminal.

use super::prose::without_marker;
use super::structure::is_code;
use crate::summary::text::{SENTENCE_ENDS, is_dense};

/// Minimum width of wrapped text, in characters.
const NARROW: usize = 30;
/// Last words of a line that goes on in the next one, and verbs before “not” at the end of such a line.
const HANGING: [&str; 17] = [
    "a", "an", "and", "because", "but", "every", "from", "into", "my", "of", "or", "our", "than", "the", "their",
    "which", "your",
];
const NEGATED: [&str; 6] = ["do", "does", "may", "must", "should", "will"];
/// Last words of a line in a paragraph of sentences behind which an order may go on.
const LEADING: [&str; 16] = [
    "also", "always", "can", "could", "don't", "don’t", "must", "never", "not", "please", "shall", "should", "then",
    "to", "will", "would",
];
/// First words of lines that are orders of their own, in English, German, French, Spanish and Russian.
const ORDERS: [&str; 41] = [
    "add",
    "always",
    "avoid",
    "build",
    "change",
    "check",
    "commit",
    "delete",
    "do",
    "don't",
    "don’t",
    "fix",
    "keep",
    "make",
    "must",
    "never",
    "no",
    "only",
    "please",
    "push",
    "remove",
    "rename",
    "run",
    "stop",
    "update",
    "use",
    "write",
    "immer",
    "kein",
    "keine",
    "nie",
    "niemals",
    "bitte",
    "jamais",
    "ne",
    "toujours",
    "nunca",
    "siempre",
    "никогда",
    "не",
    "всегда",
];

/// By line of a text: whether it is the rest of the line before. A line that ends in a word such as “the” goes on; in a
/// paragraph with such a line, every line goes on that had no room for the first word of the next, and in one whose
/// sentences begin and end within the lines, every line that ends no sentence.
pub(super) fn wrapped(text: &str) -> Vec<bool> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut rests = vec![false; lines.len()];
    let mut start = 0;
    for at in 1..=lines.len() {
        let is_inside = lines.get(at).is_some_and(|line| !line.is_empty() && !without_marker(line.trim()).0);
        if !is_inside {
            mark(&lines[start..at], &mut rests[start..at]);
            start = at;
        }
    }
    rests
}

fn length(line: &str) -> usize {
    line.chars().count()
}

/// Marks the rests in a paragraph.
fn mark(lines: &[&str], rests: &mut [bool]) {
    let width = lines.iter().map(|line| length(line)).max().unwrap_or_default();
    let is_wrapped = width >= NARROW && lines.iter().rev().skip(1).any(|line| hangs(line));
    let flows = width >= NARROW && flows(lines, width);
    for at in 1..lines.len() {
        let first = lines[at].split_whitespace().next().unwrap_or_default();
        let had_room = length(lines[at - 1]) + 1 + length(first) <= width;
        rests[at] = is_wrapped && !had_room || hangs(lines[at - 1]) || flows && is_open(lines[at - 1]);
    }
}

/// Whether sentences begin and end within the lines of a paragraph and go on over their ends: no line is code, one has
/// the end of a sentence inside of it and none at its own end, and each that ends no sentence is at least half full and
/// before one that begins neither a sentence nor an order.
fn flows(lines: &[&str], width: usize) -> bool {
    let pairs = lines.windows(2).map(|pair| (pair[0], pair[1].trim_start()));
    let mut open = pairs.filter(|(line, _)| is_open(line));
    let has_prose = lines.iter().any(|line| is_open(line) && ends_inside(line));
    let goes_on = |(line, next): (&str, &str)| {
        let begins = next.starts_with(|char: char| char.is_uppercase() || is_dense(char));
        let orders = || ORDERS.contains(&next.split(' ').next().unwrap_or_default());
        2 * length(line) >= width && (hangs(line) || !begins && (leads(line) || !orders()))
    };
    has_prose && open.all(goes_on) && !lines.iter().any(|line| is_code(line))
}

/// Whether a line ends no sentence.
fn is_open(line: &str) -> bool {
    !line.is_empty() && !line.ends_with(SENTENCE_ENDS) && !line.ends_with([':', ';'])
}

/// Whether an order may go on behind the last word of a line.
fn leads(line: &str) -> bool {
    let last = line.rsplit(' ').next().unwrap_or_default().to_lowercase();
    LEADING.contains(&&*last)
}

/// Whether a sentence ends before the last word of a line.
fn ends_inside(line: &str) -> bool {
    [". ", "! ", "? "]
        .iter()
        .any(|end| line.match_indices(end).any(|(at, _)| line[at + end.len()..].starts_with(char::is_uppercase)))
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
        let text = "Please read the tide tables late. Nobody must\ntouch the files that lie below\nquay/made, they are built. Also\nsee that tests/tide.py and others\nstill pass as they did before\n(others use them).\n\nnever paint it\nlight all lamps";
        let told = [
            "Please read the tide tables late.",
            "Nobody must touch the files that lie below quay/made, they are built.",
            "Also see that tests/tide.py and others still pass as they did before (others use them).",
            "never paint it",
            "light all lamps",
        ];
        assert_eq!(typed(text), told);
    }

    #[test]
    fn lines_that_are_typed_one_by_one_stay_apart() {
        for text in [
            "run all the tests again\nfix the lint of the board\nupdate the docs",
            "do not push this\nnever touch the tests",
            "Read this. It\nis all I have about it.\n\nimport lamps\nfrom quay.tide import tables\nlamps = tables.all()",
            "which quay is it? if none then drop it\nnever light the lamp\nkeep the old name",
            "Mend the lamp at night. It is urgent\nnever leave it dark",
            "Bitte sieh dir den Test an. Danach bitte\ndie ganzen Tests laufen lassen\nniemals auf main pushen",
            "Regarde le test. Ensuite lance tous les tests\nne touche jamais à la base",
            "how often: never\nrun all of the tests of the quay",
            "mend the lamp of the quay first\nthen look at it again. Is it lit? Then\nPaint the pier",
        ] {
            assert!(!wrapped(text).contains(&true), "{text}");
        }
    }
}
