//! Words beside the numbers with which runners count what passed and what failed, and whether a number is such a count.

use crate::summary::text::is_number;

/// Words behind a count of failed, of passed and of broken tests: `2 failed`.
pub(super) const FAILURES: [&str; 4] = ["failed", "failing", "failures", "failure"];
pub(super) const PASSES: [&str; 2] = ["passed", "passing"];
pub(super) const ERRORS: [&str; 2] = ["error", "errors"];
/// Labels in lower case before a count of failed and of passed tests: `Failed: 2`, `# fail 2`.
pub(super) const FAILED_LABELS: [&str; 3] = ["fail", "failed", "failures"];
pub(super) const PASSED_LABELS: [&str; 2] = ["pass", "passed"];

/// Whether a word behind a count says that so many failed or are broken.
pub(super) fn is_failure(word: &str) -> bool {
    FAILURES.contains(&word) || ERRORS.contains(&word)
}

/// What runners count behind such a word, one or several of it: `2 failed tests`.
const COUNTED: [&str; 21] = [
    "assertion",
    "case",
    "check",
    "example",
    "feature",
    "file",
    "hook",
    "host",
    "job",
    "module",
    "package",
    "project",
    "request",
    "scenario",
    "shard",
    "spec",
    "step",
    "suite",
    "target",
    "task",
    "test",
];
/// Words behind a count that go on with it: `2 failed in 0.1s`, `1 error during collection`.
const GOES_ON: [&str; 19] = [
    "and",
    "but",
    "detected",
    "during",
    "found",
    "from",
    "generated",
    "in",
    "must",
    "need",
    "occurred",
    "of",
    "on",
    "out",
    "remain",
    "remained",
    "remains",
    "total",
    "with",
];
/// Words before a number that is part of a sentence: “locks after 10 failures”.
const WITHIN: [&str; 9] = ["after", "allows", "at", "every", "for", "per", "than", "to", "until"];
/// Words before a number that names something: “port 5432 failed”.
const NAMED: [&str; 6] = ["attempt", "line", "number", "pid", "port", "try"];

/// Whether a number behind a word names something, and counts nothing.
pub(super) fn names_number(before: &str) -> bool {
    NAMED.iter().any(|own| own.eq_ignore_ascii_case(before))
}

/// Marks before the name of a test that passed.
const PASSED_MARKS: [char; 5] = ['✓', '✔', '√', '✅', '☑'];

/// Whether a line is the name of a test that passed: “✓ shows 2 errors”.
pub(super) fn names_passed(line: &str) -> bool {
    line.trim_start().starts_with(PASSED_MARKS)
}

/// Whether a count of failures in a line is one of a run for sure: beside it stands no sentence (“10 failures lock the
/// account”), and the line is not the name of a test that passed.
pub(super) fn counts_of_run(line: &str) -> bool {
    if names_passed(line) {
        return false;
    }
    let line = line.to_lowercase();
    let words: Vec<&str> = line.split([' ', '\t', '(', '|', '=']).filter(|word| !word.is_empty()).collect();
    let is_count = |at: &usize| is_failure(words[*at].trim_end_matches(ENDS)) && is_number(words[at - 1]);
    let stands_alone = |at: usize| {
        let within = at > 1 && (WITHIN.contains(&words[at - 2]) || names_number(words[at - 2]));
        let ends = |at: &usize| words[*at].ends_with(ENDS) || words.get(at + 1).is_none_or(|next| goes_on(next));
        let is_counted = |word: &&&str| {
            let word = word.trim_end_matches(ENDS);
            COUNTED.contains(&word) || word.strip_suffix('s').is_some_and(|one| COUNTED.contains(&one))
        };
        // “1 failed test case”
        let counted = words[at + 1..].iter().take_while(is_counted).count();
        !within && (0..=counted).any(|more| ends(&(at + more)))
    };
    (1..words.len()).filter(is_count).any(stands_alone)
}

/// Signs behind a count.
const ENDS: [char; 6] = [',', ';', '.', ')', ':', ']'];

fn goes_on(word: &str) -> bool {
    !word.starts_with(char::is_alphabetic) || GOES_ON.contains(&word.trim_end_matches(ENDS))
}

#[cfg(test)]
mod tests {
    use super::super::diagnostics::diagnostic;
    use super::super::zeros::counts_none;
    use super::{ERRORS, FAILURES, counts_of_run};

    #[test]
    fn a_number_that_names_something_counts_nothing() {
        for line in ["server on port 5432 failed: FATAL: no login", "attempt 3 failed, waiting", "line 12 failed:"] {
            assert!(!counts_of_run(line) && diagnostic([line, line]).is_none(), "{line}");
        }
        assert!(counts_of_run("3 failed, 4 passed"));
    }

    #[test]
    fn a_number_of_failures_in_a_sentence_is_none_of_a_run() {
        for line in [
            "✓ 9 failures do not lock (4 ms)",
            "✔ shows 2 errors",
            "locks after 10 failures",
            "00:01 +0: lock 10 failures lock the account",
            "LockTest > 10 failures lock the account() PASSED",
            "quay | retry policy: 3 failures open the breaker",
            "1 login.spec.ts:3:1 › 3 failed logins show a captcha (1.2s)",
        ] {
            assert!(!counts_of_run(line), "{line}");
        }
        for line in [
            "1 failed, 2 passed in 0.1s",
            "e2e: 1 failed suite",
            "Deploy: 3 failed hosts",
            "1 failed test case",
            "3 failures must be fixed before merge",
            "=== 3 failed in 0.5s ===",
            "Tests 2 failed | 7 passed (9)",
            "12 examples, 1 failure",
            "Found 2 errors in 1 file (checked 3 source files)",
            "Finished with 2 failures.",
            "2 failed tests",
            "2 errors generated.",
            "Interrupted: 1 error during collection",
        ] {
            assert!(counts_of_run(line), "{line}");
        }
    }

    #[test]
    fn whatever_looks_for_counts_of_failures_knows_all_their_words() {
        for word in FAILURES.iter().chain(&ERRORS) {
            let (some, none) = (format!("12 lamps, 1 {word}"), format!("12 passed, 0 {word}"));
            assert_eq!(diagnostic([&some, &some]).as_deref(), Some(&*some));
            assert!(counts_none(&none) && diagnostic([&none, &none]).is_none(), "{none}");
        }
    }
}
