//! Claims about some of the tests: which ones a claim is about, and whether a command ran those.

use super::pattern;
use crate::summary::NUMBER_WORDS;
use regex::Regex;
use std::sync::LazyLock;

/// Words before “tests” that do not say which ones, and those that begin what is said of them.
const GENERAL: [&str; 14] = [
    "available",
    "complete",
    "entire",
    "existing",
    "full",
    "integration",
    "now",
    "of",
    "other",
    "project",
    "relevant",
    "test",
    "unit",
    "whole",
];
const BEGINNING: [&str; 16] = [
    "a", "all", "an", "both", "each", "every", "her", "his", "its", "my", "our", "the", "their", "these", "this",
    "those",
];
/// Words before which another thing is said.
const JOINING: [&str; 14] =
    ["and", "as", "because", "but", "hence", "made", "make", "makes", "or", "since", "so", "that", "then", "with"];
/// Words that say which tests without a name.
const SOME: [&str; 6] = ["added", "changed", "new", "regression", "remaining", "updated"];
/// Most words of a name.
const LONGEST: usize = 3;

/// A number, in figures or as a word.
static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"(?i)^(?:\d+|{}|some|several)$", NUMBER_WORDS[1..].join("|"))));

/// The words that say which tests a claim is about, given the text before “tests”: `harvest` for “All 28 harvest ”;
/// `None` if it is about all of them, or nothing says so.
pub fn limits(before: &str) -> Option<Vec<&str>> {
    let (mut own, mut begun) = (Vec::new(), false);
    for word in before.split_whitespace().rev() {
        if word.ends_with([',', ';', ':', '.', '!', ')', '—', '–']) {
            break;
        }
        let bare = word.trim_matches(|sign: char| !sign.is_alphanumeric() && !matches!(sign, '_' | '/'));
        let lower = bare.to_lowercase();
        begun = BEGINNING.contains(&lower.as_str()) || NUMBER.is_match(bare);
        if begun || JOINING.contains(&lower.as_str()) || own.len() > LONGEST {
            break;
        }
        if !bare.is_empty() && !GENERAL.contains(&lower.as_str()) {
            own.push(bare);
        }
    }
    let is_name = |word: &&str| word.contains(['-', '_', '/', '.']) || SOME.contains(&word.to_lowercase().as_str());
    let tells = begun || own.iter().all(is_name);
    (tells && (1..=LONGEST).contains(&own.len())).then_some(own)
}

/// Whether a command names one of these words: as a package, a file or a folder.
pub fn names(command: &str, words: &[&str]) -> bool {
    let plain = |name: &str| name.split('.').next().unwrap_or(name).replace('_', "-").to_lowercase();
    let wanted: Vec<String> =
        words.iter().map(|word| plain(word.trim_end_matches("’s").trim_end_matches("'s"))).collect();
    let parts = command.split(|sign: char| sign.is_whitespace() || "/=:'\"`,".contains(sign));
    // `--workspace` runs the tests of the workspace.
    parts.map(|part| plain(part.trim_start_matches('-'))).any(|part| !part.is_empty() && wanted.contains(&part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_before_tests_say_which_ones() {
        for (before, own) in [
            ("The new ", "new"),
            ("All 28 tide-core ", "tide-core"),
            ("Mended the lamp, and the quay's ", "quay's"),
            ("`tide_core` ", "tide_core"),
            ("After the change the harbour ", "harbour"),
        ] {
            assert_eq!(limits(before), Some(vec![own]), "{before}");
        }
        for before in
            ["", "The ", "All 28 ", "All unit ", "Mended the lamp, ", "Confirmed that the full ", "Lit lamps so that "]
        {
            assert_eq!(limits(before), None, "{before}");
        }
        assert_eq!(limits("The lamp of the quay that was lit made "), None);
    }

    #[test]
    fn a_command_names_packages_files_and_folders() {
        for command in ["cargo test -p tide-core", "pytest src/tide_core/test.py", "npx jest tide-core.test.ts"] {
            assert!(names(command, &["tide-core"]), "{command}");
        }
        for command in ["cargo test -p tide-cli", "cargo test", ""] {
            assert!(!names(command, &["tide-core"]), "{command}");
        }
        assert!(names("cargo test --workspace", &["workspace"]));
        assert!(names("pnpm --filter quay test", &["quay's"]));
    }
}
