//! Words beside the numbers with which runners count what passed and what failed.

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

#[cfg(test)]
mod tests {
    use super::super::diagnostics::diagnostic;
    use super::super::zeros::counts_none;
    use super::{ERRORS, FAILURES};

    #[test]
    fn whatever_looks_for_counts_of_failures_knows_all_their_words() {
        for word in FAILURES.iter().chain(&ERRORS) {
            let (some, none) = (format!("12 lamps, 1 {word}"), format!("12 passed, 0 {word}"));
            assert_eq!(diagnostic([&some, &some]).as_deref(), Some(&*some));
            assert!(counts_none(&none) && diagnostic([&none, &none]).is_none(), "{none}");
        }
    }
}
