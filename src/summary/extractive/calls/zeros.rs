//! Lines that count no failures: `FAILED: 0`, `41 PASSED, 0 FAILED`, `ERROR: 0 problems found`.

use super::count_words::{FAILED_LABELS, PASSED_LABELS, PASSES, is_failure};
use crate::summary::text::all_digits;

/// Maximum length of such a line, in bytes.
const LONGEST: usize = 200;
/// Words of failures, and of what passed, that are no participles.
const FAILS: [&str; 2] = ["fail", "fails"];
const PASS: &str = "pass";
/// Other words that may stand behind a number of failures.
const COUNTED: [&str; 11] =
    ["problem", "problems", "issue", "issues", "warning", "warnings", "skipped", "ignored", "pending", "total", "of"];
/// What is counted, before such a word; and labels of counts.
const KINDS: [&str; 6] = ["test", "tests", "check", "checks", "spec", "specs"];
const LABELS: [&str; 6] = ["files", "result", "results", "suites", "summary", "total"];
/// Signs between counts.
const BETWEEN: [char; 5] = [',', ';', '|', '(', '/'];
/// Words behind the last count of a line.
const ENDS: [&str; 4] = ["and", "in", "out", "of"];

/// Whether a line has words of failures, and each belongs to the number 0.
pub(super) fn counts_none(line: &str) -> bool {
    if line.len() > LONGEST || !line.contains('0') {
        return false;
    }
    let lower = line.to_lowercase();
    let words = words(&lower);
    let mut failures = (0..words.len()).filter(|at| says_failed(words[*at].1)).peekable();
    failures.peek().is_some() && failures.all(|at| is_labeled(&words, at) || is_counted(&words, at))
}

/// Reads a line that is one labeled count of what passed or failed: whether it counts failures, and the number.
/// `PASSED: 41`, `Tests failed: 0`, `FAILED 2`.
pub(super) fn own_count(line: &str) -> Option<(bool, u64)> {
    let (label, number) = line.rsplit_once([':', '=', ' '])?;
    let label = label.trim_end_matches([':', '=', ' ']).to_lowercase();
    let number = number.parse().ok()?;
    let word = match *label.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>() {
        [word] => word,
        [kind, word] if KINDS.contains(&kind) && line.contains([':', '=']) => word,
        _ => return None,
    };
    let fails = FAILED_LABELS.contains(&word);
    (fails || PASSED_LABELS.contains(&word)).then_some((fails, number))
}

fn says_failed(word: &str) -> bool {
    is_failure(word) || FAILS.contains(&word)
}

fn says_passed(word: &str) -> bool {
    PASSES.contains(&word) || word == PASS
}

/// The words of a line, each with what stands before it.
fn words(line: &str) -> Vec<(&str, &str)> {
    let (mut words, mut rest) = (Vec::new(), line);
    while let Some(start) = rest.find(char::is_alphanumeric) {
        let (before, behind) = rest.split_at(start);
        let end = behind.find(|char: char| !char.is_alphanumeric()).unwrap_or(behind.len());
        words.push((before, &behind[..end]));
        rest = &behind[end..];
    }
    words
}

/// Whether the number 0 follows a word of failures, and no text of an error: `FAILED: 0`.
fn is_labeled(words: &[(&str, &str)], at: usize) -> bool {
    let Some((between, "0")) = words.get(at + 1) else { return false };
    let is_bound = between.contains([':', '=']) || words[0].1.starts_with(char::is_alphabetic);
    // “FAILED: 0 of 12 tests passed”, “ERROR: 0 of 12 hosts reachable”
    let of_all = words.get(at + 2).is_some_and(|(between, next)| *between == "/" || *next == "of");
    let none_passed = || words[at + 2..].iter().any(|(_, word)| says_passed(word)) || words[at].1.starts_with("error");
    let ends = words.get(at + 2).is_none_or(|(between, next)| {
        *between == "/" || says_failed(next) || says_passed(next) || COUNTED.contains(next)
    });
    is_bound && ends && !(of_all && none_passed())
}

/// Whether the number 0 begins a count before a word of failures: `41 passed, 0 failed`, `0 tests failed`.
fn is_counted(words: &[(&str, &str)], at: usize) -> bool {
    // A number behind the word may be its own: `passed: 0 failed: 2`.
    let has_own = words.get(at + 1).is_some_and(|(between, next)| between.contains([':', '=']) && all_digits(next));
    let between = usize::from(at > 0 && KINDS.contains(&words[at - 1].1));
    let Some(number) = at.checked_sub(1 + between).filter(|number| words[*number].1 == "0" && !has_own) else {
        return false;
    };
    let (before, _) = words[number];
    let ends = words.get(at + 1).is_none_or(|(between, next)| between.contains(BETWEEN) || ENDS.contains(next));
    let Some(last) = number.checked_sub(1).map(|last| words[last].1) else { return before.trim().is_empty() && ends };
    let goes_on = before.contains(BETWEEN) && words[..number].iter().any(|(_, word)| all_digits(word));
    let counts = says_passed(last) || says_failed(last) || KINDS.contains(&last) || LABELS.contains(&last);
    let joins = last == "and" || counts;
    goes_on || joins && before.trim_matches([':', '=', ' ', '\t']).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_bound_to_zero_is_none() {
        for line in [
            "FAILED: 0",
            "FAILED 0",
            "41 PASSED, 0 FAILED",
            "41 passed and 0 failed",
            "PASSED 41 FAILED 0",
            "ERROR: 0 problems found",
            "0 errors, 0 warnings",
            "Failures: 0, Errors: 0, Skipped: 2",
            "100% tests passed, 0 tests failed out of 12",
            "Failed: 0/41",
            "Tests: 0 failed, 41 passed",
            "0 failed",
            "0 errors in 12 files",
        ] {
            assert!(counts_none(line), "{line}");
        }
        for line in [
            "FAILED: 2",
            "passed: 0 failed: 2",
            "0 passed, 2 failed",
            "Step 0 failed",
            "ERROR: 0 is no depth of a harbour",
            "ERROR: 0 tests found",
            "FAIL: test_0 (tides)",
            "FAILED: 0, ERROR: 3",
            "error: the lamp is out (0)",
            "0 lamps",
            "FAILED: 0/12 tests passed",
            "FAILED: 0 of 12 tests passed",
            "ERROR: 0 of 12 hosts reachable",
            "src/tide.vert:3:0: error: undeclared name",
            "[0] Error: Cannot find module 'oil'",
            "worker-0 failed: out of memory",
            "0:0  error  Definition for rule 'oil' not found",
            "listen tcp 127.0.0.1:0 failed",
            "rank=0 failed to start",
        ] {
            assert!(!counts_none(line), "{line}");
        }
    }

    #[test]
    fn a_count_on_a_line_of_its_own_is_known_by_its_label() {
        assert_eq!(
            ["PASSED: 41", "Tests failed: 0", "FAILED 2"].map(own_count),
            [Some((false, 41)), Some((true, 0)), Some((true, 2))]
        );
        for line in
            ["Lamp 2 failed: 84", "lamps failed 3", "2 pass the quay", "passed: 3/5", "failed:", "Upload failed: 404"]
        {
            assert_eq!(own_count(line), None, "{line}");
        }
    }
}
