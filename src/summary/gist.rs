//! Tells whether two lines say the same in nearly the same words.

use super::text::is_dense;
use std::collections::BTreeSet;

/// How many of all words of two lines must be common, in percent.
const COMMON: usize = 70;

/// What a line is about: its plain words, and those that name something exactly.
#[derive(Debug, Default)]
pub(super) struct Gist {
    plain: BTreeSet<String>,
    exact: BTreeSet<String>,
}

impl Gist {
    /// The gist of a line.
    pub(super) fn of(line: &str) -> Self {
        let lower = line.to_lowercase();
        let mut gist = Self::default();
        for word in lower.split(|char: char| !(char.is_alphanumeric() || "_./-".contains(char))) {
            let word = word.trim_matches(['.', '-', '/']);
            let exact = word.bytes().any(|byte| byte.is_ascii_digit()) || word.contains(['_', '/', '.']);
            if exact {
                gist.exact.insert(word.to_owned());
            } else if word.chars().any(is_dense) {
                gist.plain.extend(word.chars().map(String::from));
            } else if !word.is_empty() {
                gist.plain.insert(word.to_owned());
            }
        }
        gist
    }

    /// Whether another line only repeats this one: nearly the same words, and nothing exact that is new.
    pub(super) fn says(&self, other: &Self) -> bool {
        let common = self.plain.intersection(&other.plain).count();
        let all = self.plain.len() + other.plain.len() - common;
        other.exact.is_subset(&self.exact) && all >= 3 && common * 100 >= all * COMMON
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeats(first: &str, second: &str) -> bool {
        Gist::of(first).says(&Gist::of(second))
    }

    #[test]
    fn nearly_the_same_words_are_a_repetition() {
        let first = "Build, vet, full `sts` suite, and linter all pass cleanly (0 issues).";
        assert!(repeats(first, "Build, vet, full `sts` suite and linter all pass."));
        assert!(!repeats(first, "The cache is never cleared."));
    }

    #[test]
    fn another_number_or_path_is_no_repetition() {
        assert!(!repeats("The flag in src/a.rs is set to true.", "The flag in src/b.rs is set to true."));
        assert!(!repeats("All 12 tests pass now.", "All 14 tests pass now."));
    }
}
