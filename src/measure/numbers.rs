//! Plain numbers that a summary states: counts, ports, sizes, exit statuses.
//!
//! A summary may count things itself, so only two kinds are held against it: a number of three digits or more that the
//! source does not have, and a number before a word that the source counts otherwise (`9 passed` for `7 passed`).

use super::lines::claims;
use super::{Source, pattern};
use regex::Regex;
use std::sync::LazyLock;

/// A number that the source does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number {
    /// Line of the summary, from 1.
    pub line: usize,
    /// The number, with the word that it counts where that tells.
    pub text: String,
}

static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+(?:\.\d+)*(?:[ \t]+[A-Za-z]{3,})?"));
/// What outcomes of runs are counted in.
const COUNTED: &[&str] =
    &["passed", "failed", "passing", "failing", "errors", "warnings", "tests", "failures", "skipped"];
const LONG: usize = 3;

/// The numbers of a summary that the source does not have.
pub fn unsupported(text: &str, source: &Source<'_>) -> Vec<Number> {
    let found = claims(text).flat_map(|line| {
        let numbers = NUMBER.find_iter(line.text).filter(|found| is_plain(line.text, found.range()));
        let wrong = numbers.filter(|found| !is_supported(found.as_str(), source));
        wrong.map(|found| Number { line: line.number, text: found.as_str().to_owned() }).collect::<Vec<_>>()
    });
    found.collect()
}

/// No piece of a name, a path or a version, and none that the summarizer counted (`4×`, `and 12 more`, `(4200 tokens)`).
fn is_plain(line: &str, found: std::ops::Range<usize>) -> bool {
    let (before, after) = (&line[..found.start], &line[found.end..]);
    let glued = |letter: char| letter.is_alphanumeric() || "_-/.#:@…×".contains(letter);
    let own = line[found.clone()].ends_with(" more") || line[found].ends_with(" tokens");
    let sentence_end =
        after.starts_with(['.', ':']) && !after[1..].starts_with(|letter: char| letter.is_alphanumeric());
    !before.ends_with(glued) && (sentence_end || !after.starts_with(glued)) && !own
}

fn is_supported(found: &str, source: &Source<'_>) -> bool {
    let (number, word) = found.split_once([' ', '\t']).unwrap_or((found, ""));
    let word = word.trim();
    if COUNTED.contains(&word.to_lowercase().as_str()) {
        return source.counts(word).is_none_or(|counts| counts.contains(number));
    }
    // A version is the same with and without its letter.
    number.len() < LONG || source.says(number) || source.says(&format!("v{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::sketch::sketch;

    fn found(summary: &str) -> Vec<String> {
        let mut transcript = sketch("u");
        transcript.messages[0].parts[0].text = "test result: 7 passed; 0 failed; took 318 ms; 2 errors at 10.5".into();
        let messages: Vec<_> = transcript.messages.iter().collect();
        unsupported(summary, &Source::new(&messages))
            .into_iter()
            .map(|one| format!("{} {}", one.line, one.text))
            .collect()
    }

    #[test]
    fn changed_counts_and_long_numbers_are_found() {
        assert_eq!(found("x\n- 9 passed; 0 failed"), ["2 9 passed"]);
        assert_eq!(found("took 381 ms"), ["1 381"]);
        assert_eq!(found("took 318 ms, at 10.5."), Vec::<String>::new());
    }

    #[test]
    fn what_a_summary_counts_itself_is_left_alone() {
        for line in ["edited 120×", "and 150 more", "3 files", "4 skipped", "fn_123 at v3.100 #123", "(4200 tokens)"] {
            assert_eq!(found(line), Vec::<String>::new(), "{line}");
        }
    }
}
