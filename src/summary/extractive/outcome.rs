//! How a call ended, told from the flag of its result and from its first and last lines only: results can be huge.

use super::words::HARNESS_ERRORS;
use crate::summary::text::{cut, first_bytes, fold, last_bytes, words};

/// How much of each end of a result is looked at.
const ENDS: usize = 2_000;
/// How much of each end can hold an exit status.
const STATUS: usize = 400;
/// Lines at an end that can tell the outcome.
const LINES: usize = 12;
const DETAIL: usize = 160;

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Its result is not there.
    Unknown,
    /// It worked; what its result says about that.
    Done(String),
    /// It failed; with the first line of its error.
    Failed(String),
}

impl Outcome {
    /// Tells the outcome from a result.
    pub(super) fn of(result: &str, error: bool) -> Self {
        let (first, last) = (first_bytes(result, ENDS), last_bytes(result, ENDS));
        let status = exit_status(first_bytes(first, STATUS)).or_else(|| exit_status(last_bytes(last, STATUS)));
        let verdict = verdict(last).or_else(|| verdict(first));
        if error || status.is_some_and(|status| status != 0) {
            return Self::Failed(verdict.unwrap_or_else(|| complaint(first, last, status)));
        }
        match verdict {
            Some(line) if says_failed(&line) => Self::Failed(line),
            Some(line) => Self::Done(line),
            None if begins_with_error(first) => Self::Failed(complaint(first, last, status)),
            None => Self::Done(String::new()),
        }
    }

    /// The outcome of a call that shows text of others: what stands in a file says nothing about the call.
    pub(super) fn of_shown(text: &str, error: bool) -> Self {
        let start = first_bytes(text, 40).to_lowercase();
        let failed = ["error", "<tool_use_error>", "fatal:"].iter().any(|word| start.starts_with(word));
        let status = exit_status(first_bytes(text, STATUS)).is_some_and(|status| status != 0);
        if error || failed || status { Self::of(text, true) } else { Self::Done(String::new()) }
    }

    /// The error of a failed call, unless it only says how the harness works.
    pub(super) fn error(&self) -> Option<&str> {
        let Self::Failed(line) = self else { return None };
        let lower = line.to_lowercase();
        let noise = HARNESS_ERRORS.iter().any(|start| lower.starts_with(start));
        (!noise && !line.is_empty()).then_some(line)
    }
}

/// The number after “exit code” and its other spellings.
fn exit_status(text: &str) -> Option<i32> {
    ["xit code", "xited with code", "exit_code", "returncode", "xit status"].iter().find_map(|words| {
        let rest = &text[text.find(words)? + words.len()..];
        let digits = first_bytes(rest, 16).trim_start_matches([' ', ':', '>', '"', '=']);
        let end = digits.find(|char: char| !char.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse().ok()
    })
}

/// The last line that counts what passed or failed.
fn verdict(text: &str) -> Option<String> {
    let line = text.lines().rev().take(LINES).find(|line| is_verdict(line))?;
    Some(cut(fold(line).trim_matches(['=', '-', ' ']), DETAIL).into_owned())
}

fn is_verdict(line: &str) -> bool {
    let starts =
        ["test result:", "Tests:", "BUILD SUCCESS", "BUILD FAILED", "FAILED (", "Build succeeded", "Finished `"];
    let go_test = line.trim_end() == "FAIL" || line.starts_with("FAIL\t") || line.trim_start().starts_with("--- FAIL");
    let named = go_test || starts.iter().any(|start| line.trim_start().starts_with(start));
    line.len() <= 300 && !line.contains(['{', '}']) && (named || is_counted(line))
}

/// Whether a number of passed or failed things is in a line.
fn is_counted(line: &str) -> bool {
    counts(line).any(|(_, verb)| FAILURES.contains(&verb) || ["passed", "passing"].contains(&verb))
}

/// What failed things are called behind their number.
const FAILURES: &[&str] = &["failed", "failing", "failures"];

/// Numbers with the word behind each.
fn counts(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut before = "";
    line.split([' ', '\t', '(', '|', '=']).filter(|word| !word.is_empty()).filter_map(move |word| {
        let number = std::mem::replace(&mut before, word);
        let counts = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        counts.then(|| (number, word.trim_end_matches([',', ';', '.', ')', ':'])))
    })
}

fn says_failed(verdict: &str) -> bool {
    let some = |(number, verb): (&str, &str)| FAILURES.contains(&verb) && number.bytes().any(|digit| digit != b'0');
    verdict.contains("FAIL") || counts(verdict).any(some)
}

fn begins_with_error(text: &str) -> bool {
    let start = first_bytes(text.trim_start(), 40).to_lowercase();
    ["error:", "error ", "traceback", "fatal:", "exception", "<tool_use_error>", "panic:"]
        .iter()
        .any(|word| start.starts_with(word))
}

/// The line that says what went wrong: one that names an error, else the first one of several words.
fn complaint(first: &str, last: &str, status: Option<i32>) -> String {
    let named =
        lines(first).find(|line| names_error(line)).or_else(|| lines(last).filter(|line| names_error(line)).last());
    let wordy = || lines(first).find(|line| words(line) >= 3);
    let line = named.or_else(wordy).or_else(|| lines(first).next()).map(fold).unwrap_or_default();
    match status {
        Some(status) if line.is_empty() => format!("exit code {status}"),
        _ => cut(line.trim_end_matches("</tool_use_error>"), DETAIL).into_owned(),
    }
}

/// Lines of words: no rules, boxes, or the status itself.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let bare = text.lines().map(|line| line.trim().trim_start_matches("<tool_use_error>"));
    let signs = |line: &str| line.starts_with(['=', '-', '#', '*', '│', '┌', '└', '╭', '╰', '>']);
    let wraps = |line: &str| WRAPPERS.iter().any(|start| line.starts_with(start));
    bare.filter(move |line| !line.is_empty() && !wraps(line) && !signs(line)).take(60)
}

/// What harnesses and transfers put around an output.
const WRAPPERS: &[&str] = &[
    "Exit code",
    "Chunk ID:",
    "Wall time:",
    "Process exited with",
    "Original token count:",
    "Output:",
    "Total output lines:",
    "% Total",
    "Saved working directory",
];

fn names_error(line: &str) -> bool {
    let words =
        ["error:", "error[", "Error:", "Exception:", "fatal:", "panic:", "panicked at", "not found", "FAIL", "ERROR"];
    line.len() <= 400 && words.iter().any(|word| line.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(line: &str) -> Outcome {
        Outcome::Failed(line.into())
    }

    #[test]
    fn counts_of_a_test_run_tell_its_outcome() {
        let text = "running 3 tests\n\ntest result: ok. 3 passed; 0 failed; 0 ignored\n";
        assert_eq!(Outcome::of(text, false), Outcome::Done("test result: ok. 3 passed; 0 failed; 0 ignored".into()));
        assert_eq!(Outcome::of("=== 1 failed, 2 passed in 0.1s ===", false), failed("1 failed, 2 passed in 0.1s"));
    }

    #[test]
    fn an_exit_code_other_than_zero_is_a_failure_with_its_complaint() {
        assert_eq!(
            Outcome::of("Exit code 2\nmake: start\nsrc/a.c:1: error: no such thing\n", true),
            failed("src/a.c:1: error: no such thing")
        );
        assert_eq!(Outcome::of("Process exited with code 7", false), failed("exit code 7"));
        assert_eq!(Outcome::of("exit code: 0\nfine", false), Outcome::Done(String::new()));
    }

    #[test]
    fn errors_of_the_harness_are_no_findings() {
        let harness = Outcome::of("<tool_use_error>File has not been read yet.</tool_use_error>", true);
        assert_eq!(harness, failed("File has not been read yet."));
        assert_eq!(harness.error(), None);
        assert_eq!(Outcome::of("Error: no such user", false).error(), Some("Error: no such user"));
    }
}
