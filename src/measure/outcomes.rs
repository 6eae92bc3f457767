//! Counts of tests by their outcome: in other words, in all, and as shares.

use super::counted::{is_share_of, part_before};
use super::numbers::{COUNTED, is_supported};
use super::{SourceText, pattern};
use regex::Regex;
use std::sync::LazyLock;

/// Counts of tests by outcome.
static OUTCOME: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(\d+) (?:passed|passing|failed|failing|failures?|skipped|errors?|pending|ignored)\b"));

/// Whether tests are counted by their outcome in other words: `2 tests failed` for `2 failed`, or in all behind a part of
/// them.
pub(super) fn is_outcome(line: &str, found: &str, end: usize, source: &SourceText<'_>) -> bool {
    if is_whole(&line[..end - found.len()], found, source) {
        return true;
    }
    let Some((number, "test" | "tests")) = found.split_once([' ', '\t']) else { return false };
    let mut words = line[end..].split_whitespace().map(|word| word.trim_matches(|sign: char| !sign.is_alphabetic()));
    let word = words.find(|word| !["have", "has", "now", "still", "are", "is"].contains(word)).unwrap_or_default();
    let alike = [&["passed", "passing", "pass"][..], &["failed", "failing", "fail", "failures"], &["skipped"]];
    let alike = alike.iter().find(|words| words.contains(&word.to_lowercase().as_str()));
    alike.is_some_and(|words| words.iter().any(|word| source.counts(word).is_some_and(|all| all.contains(number))))
}

/// Whether a number is that of all tests, of which the text before it tells a part: “11 of 12 passed”. The source has
/// that part, and that many in all.
fn is_whole(before: &str, found: &str, source: &SourceText<'_>) -> bool {
    let Some((part, (whole, word))) = part_before(before).zip(found.split_once([' ', '\t'])) else { return false };
    let of_run = COUNTED.contains(&word.trim().to_lowercase().as_str()) && !word.trim().eq_ignore_ascii_case("tests");
    let all = || is_sum(whole, source) || source.counts("tests").is_some_and(|all| all.contains(whole));
    of_run && part != whole && is_supported(&format!("{part} {word}"), source) && all()
}

/// Whether a line of the source counts this many tests in all by their outcomes: `1 failed, 211 passed` are 212.
pub(super) fn is_sum(number: &str, source: &SourceText<'_>) -> bool {
    let Ok(wanted) = number.replace(',', "").parse::<u64>() else { return false };
    outcomes(source).any(|counts| counts.len() > 1 && sum(&counts) == wanted)
}

/// Text behind a percentage that makes it one of tests: “92 % of the tests”, “92 % passed”.
static OF_TESTS: LazyLock<Regex> = LazyLock::new(|| {
    let tests = r"of (?:the |all |our |its |these |\d+ )*(?:\w+ )?(?:tests?|specs|checks|suite)\b";
    pattern(&format!(r"(?i)^\s*(?:{tests}|(?:(?:are|is|were|now|still|have|has) )*(?:pass|fail|green|skipp|succe))"))
});
/// The same before it: “a pass rate of 92 %”.
static RATE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:pass(?:ing|ed)?|success|fail(?:ure|ed|ing)?) rate[ :(=]+(?:(?:is|was|now|at|of) )*$")
});

/// Whether a percentage is told of tests, and is the share of them that have an outcome in a line of the source.
pub(super) fn is_rate(percent: &str, [before, behind]: [&str; 2], source: &SourceText<'_>) -> bool {
    if !OF_TESTS.is_match(behind) && !RATE.is_match(before) {
        return false;
    }
    let is_part = |one: &u64, counts: &[u64]| is_share_of(percent, *one as f64, sum(counts) as f64);
    outcomes(source)
        .any(|counts| counts.len() > 1 && sum(&counts) > 0 && counts.iter().any(|one| is_part(one, &counts)))
}

/// The counts of tests by outcome in each line of the source that has some.
fn outcomes(source: &SourceText<'_>) -> impl Iterator<Item = Vec<u64>> {
    let lines = source.lines().filter(|line| line.contains("passed") || line.contains("passing"));
    lines.map(|line| OUTCOME.captures_iter(line).filter_map(|found| found[1].parse().ok()).collect())
}

fn sum(counts: &[u64]) -> u64 {
    counts.iter().fold(0, |sum, one| sum.saturating_add(*one))
}

#[cfg(test)]
mod tests {
    use crate::measure::numbers::unsupported;
    use crate::measure::source::on_said;

    #[test]
    fn a_part_of_the_tests_is_told_with_their_number() {
        let said = "1 failed, 11 passed in 0.44s";
        let found = |line: &str| on_said(said, |source| unsupported(line, source)).len();
        for line in [
            "11 of 12 passed",
            "1 out of 12 failed",
            "11 of the 12 passed",
            "92 % of the tests pass",
            "a pass rate of 92%",
        ] {
            assert_eq!(found(line), 0, "{line}");
        }
        for line in [
            "10 of 12 passed",
            "11 of 13 passed",
            "12 of 12 passed",
            "12 passed",
            "80 % of the tests pass",
            "the coverage is 92%",
            "the load was at 8%",
        ] {
            assert!(found(line) > 0, "{line}");
        }
    }
}
