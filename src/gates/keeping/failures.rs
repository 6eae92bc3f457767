//! The last failure of a session, and whether lines tell of it: in the words of its error, by its code, or by the tests
//! that failed.

use super::requests::is_there;
use crate::gates::facts::Failing;
use crate::measure::constraints::{content_words, holds};
use crate::measure::status::of_all;
use crate::measure::{SourceText, pattern};
use crate::summary::{Deed, DeedKind, NUMBER_WORDS, number_of};
use regex::Regex;
use std::sync::LazyLock;

/// The code by which a compiler names an error: `E0308`, `TS2322`, `CS1002`.
static CODE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[A-Z]{1,4}\d{3,5}\b"));
/// Words with which a line says that a test it names fails.
static FAILS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:fail\w*|red|broken|breaks?|broke|errors?|panic\w*|crash\w*|tim(?:es|ed) out|timeout|assert\w*|(?:gets?|got|returns?|is)\b.*\b(?:wants?|wanted|expect\w*|instead)|(?:wants?|wanted|expect\w*)\b.*\b(?:gets?|got)|not (?:yet )?(?:pass\w*|green|work\w*|succeed\w*))\b|n['’]t (?:yet )?(?:pass|work|succeed)|[✗✕✖❌×]",
    )
});
static PASSES: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:pass(?:es|ed|ing)?|green)\b"));
/// “One test still fails”, “1 of 12 failed”, “all but two of the tests”: how many.
static COUNTED: LazyLock<Regex> = LazyLock::new(|| {
    let number = format!(r"(\d+|{})", NUMBER_WORDS.join("|"));
    let of = r"(?: (?:out )?of (?:the |all )*(?:\d+)?)?";
    let tests = r" ?(?:[\w-]+ )?(?:tests?|specs?|checks?|cases?)";
    let fails = r"(?: (?:still|now|is|are|was|were|has|have))* (?:fail(?:s|ed|ing|ures?)?|red|broken)\b";
    pattern(&format!(
        r"(?i)\b(?:all but {number}\b|{number}{of} ?{tests}{fails}|{number}(?: out)? of (?:the |all )*\d+{fails}|(\d+){fails}(?:[.,;:)]|$| (?:in|and|of)\b))"
    ))
});
/// “11 of 12 passed”: a share of tests, not of other things.
static SHARE: LazyLock<Regex> = LazyLock::new(|| {
    let ends = r"(?:(?:now|still|again|is|are|have|has|do) )*(?:pass|green|fail|red\b|succeed|broken)";
    pattern(&format!(
        r"(?i)\b\d+(?: of| out of|/) ?(?:the |all )*\d+ (?:(?:[\w-]+ )?(?:tests?|specs?|checks?|cases?) )?{ends}"
    ))
});

/// A command that failed.
pub(super) struct Failure {
    command: String,
    /// Its error.
    pub(super) detail: String,
    /// The tests that failed.
    tests: Failing,
}

impl Failure {
    /// The last command whose end is known, if it failed.
    pub(super) fn last(deeds: &[Deed], source: &SourceText<'_>) -> Option<Self> {
        let mut runs = deeds.iter().filter_map(|deed| match &deed.kind {
            DeedKind::Ran { shown, quiet: false, .. } => Some((shown, deed)),
            _ => None,
        });
        let (command, last) = runs.rfind(|(_, deed)| deed.failed.is_some())?;
        let failed = last.failed == Some(true) && !last.detail.is_empty();
        let of = || (command.clone(), last.detail.clone(), Failing::of(last, source));
        failed.then(of).map(|(command, detail, tests)| Self { command, detail, tests })
    }

    /// Whether a line tells of the error, names its code beside the command (“cargo build fails with E0308”), or says
    /// which or how many tests fail.
    pub(super) fn is_in(&self, lines: &[&str]) -> bool {
        let codes: Vec<&str> = CODE.find_iter(&self.detail).map(|code| code.as_str()).collect();
        let command = content_words(&self.command);
        let names = |line: &&str| {
            let has = |code: &&str| CODE.find_iter(line).any(|other| other.as_str() == *code);
            codes.iter().any(has) && holds(&content_words(line), &command)
        };
        let tells = |line: &&str| names(line) || self.names_test(line) || self.counts_tests(line);
        is_there(&self.detail, lines) || lines.iter().any(tells)
    }

    /// Whether a line says of a failed test, by a name of its own, that it fails.
    fn names_test(&self, line: &str) -> bool {
        let has = |name: &String| {
            let last = name.rsplit(['/', ':']).next().unwrap_or(name);
            [name.as_str(), last].into_iter().any(|name| is_name(name) && has_word(line, name))
        };
        FAILS.is_match(line) && self.tests.names.iter().any(has)
    }

    /// Whether a line says how many tests failed, or passed of all.
    fn counts_tests(&self, line: &str) -> bool {
        let Some((passed, failed)) = self.tests.counts else { return false };
        let share = of_all(line).filter(|(_, all)| *all == passed.saturating_add(failed));
        let tells = |some| some == failed && FAILS.is_match(line) || some == passed && PASSES.is_match(line);
        let of_share = share.is_some_and(|(some, _)| SHARE.is_match(line) && tells(some));
        let counts = |found: regex::Captures<'_>| {
            let word = (1..found.len()).find_map(|at| found.get(at)).map_or("", |number| number.as_str());
            number_of(word) == Some(failed)
        };
        of_share || COUNTED.captures_iter(line).any(counts)
    }
}

/// Whether a word names something, unlike plain words: it has a separator, or a capital letter inside.
fn is_name(word: &str) -> bool {
    let inside = |(at, sign): (usize, char)| at > 0 && (sign.is_uppercase() || "_/.:".contains(sign));
    word.len() > 3 && word.char_indices().any(inside)
}

/// Whether a line has a name that is no part of a longer one.
fn has_word(line: &str, name: &str) -> bool {
    let parts = |sign: char| sign.is_alphanumeric() || sign == '_';
    line.match_indices(name).any(|(at, _)| !line[..at].ends_with(parts) && !line[at + name.len()..].starts_with(parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(command: &str, detail: &str, names: &[&str], counts: Option<(u64, u64)>) -> Failure {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Failure { command: command.into(), detail: detail.into(), tests: Failing { names, counts } }
    }

    #[test]
    fn a_failure_is_told_by_its_code_beside_its_command() {
        let failure = failure("cargo build", "error[E0308]: mismatched types in quay.rs", &[], None);
        assert!(failure.is_in(&["- cargo build fails with E0308."]));
        assert!(failure.is_in(&["- Mismatched types in quay.rs remain (error)."]));
        for line in ["- cargo build fails with E0309.", "- cargo build fails.", "- The tide fails with E0308."] {
            assert!(!failure.is_in(&[line]), "{line}");
        }
    }

    #[test]
    fn a_failure_is_told_by_its_tests() {
        let names = ["tests/test_lamp.py::test_timer", "TestLampTimer", "example.com/lamp"];
        let failure = failure("pytest", "1 failed, 11 passed in 0.44s", &names, Some((11, 1)));
        for line in [
            "- FAILED tests/test_lamp.py::test_timer - assert 3 == 4",
            "- One test still fails: the lamp is dark.",
            "- All but one of the tests pass.",
            "- 11 of 12 tests pass.",
            "- 1 of 12 failed",
            "- `test_timer` gets 3 where it wants 4",
            "- `TestLampTimer` is red",
            "- The tests of example.com/lamp are failing.",
            "- 1 lamp test is still red",
            "- 1 failed, 11 passed",
            "- `test_timer` does not pass",
        ] {
            assert!(failure.is_in(&[line]), "{line}");
        }
        for line in [
            "- All tests pass.",
            "- 2 of 12 tests failed",
            "- `test_timer` passes now",
            "- `test_timer_off` fails",
            "- The suite has 12 tests.",
            "- All but two of the tests pass.",
            "- The lamp failed.",
            "- Wrote `test_timer`, which expects three parts.",
            "- `test_timer` was not touched.",
            "- One attempt failed early, it is mended.",
            "- One pipeline was red last week.",
            "- 11 of 12 files are green.",
        ] {
            assert!(!failure.is_in(&[line]), "{line}");
        }
    }
}
