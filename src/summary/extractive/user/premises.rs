//! Sections of a request whose heading says that they describe: how things are, and how the work is checked in the end.
//! What they say with “never” or “must” is no rule for later work.

use crate::summary::extractive::sentences::prose::heading;
use crate::summary::fence::Fence;
use crate::summary::text::each_word;

/// Words that are such headings alone, and those that may stand behind or before one.
const DESCRIBES: [&str; 19] = [
    "analysis",
    "background",
    "bug",
    "cause",
    "context",
    "findings",
    "hintergrund",
    "kontext",
    "motivation",
    "observed",
    "overview",
    "problem",
    "problems",
    "root",
    "symptoms",
    "verification",
    "背景",
    "问题",
    "验证",
];
const BESIDE: [&str; 12] = [
    "and",
    "behavior",
    "behaviour",
    "current",
    "description",
    "issue",
    "plan",
    "situation",
    "state",
    "statement",
    "steps",
    "the",
];
/// Two words that are such headings.
const TWO: [[&str; 2]; 3] = [["test", "plan"], ["current", "state"], ["current", "behavior"]];

/// The text of all sections that describe, with those below them.
pub(super) fn premises(text: &str) -> String {
    let (mut fence, mut open) = (Fence::default(), None);
    let mut has = |line: &str| {
        let bare = line.trim();
        let Some(heading) = heading(bare) else { return open.is_some() };
        let level = bare.len() - bare.trim_start_matches('#').len();
        if open.is_none_or(|above| level <= above) {
            // A title heads all of a text.
            open = (level > 1 && describes(heading)).then_some(level);
        }
        false
    };
    text.split_inclusive('\n').filter(|line| !fence.holds(line.trim_end()) && has(line)).collect()
}

fn describes(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let words: Vec<&str> = each_word(&lower).skip_while(is_number).collect();
    let is_known = |word: &&str| DESCRIBES.contains(word) || BESIDE.contains(word);
    TWO.iter().any(|two| words == two)
        || words.iter().all(is_known) && words.iter().any(|word| DESCRIBES.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_plan_says_of_the_state_and_of_its_checks_is_found() {
        let text = "# Mend the quay\n\n## Context\nThe lamp is never lit.\n### Today\nOnly gulls come.\n## 2. Verification\n- `row` works without oars\n## Rules\nNever sink.\n";
        assert_eq!(premises(text), "The lamp is never lit.\nOnly gulls come.\n- `row` works without oars\n");
        for rules in ["# Context", "## Current rules", "## How to work", "## Summary format", "## Overview and rules"] {
            assert_eq!(premises(&format!("{rules}\nNever sink.\n")), "", "{rules}");
        }
        assert_eq!(premises("## Work\nAlways row.\n```\n# Context\nx\n```\n"), "");
    }
}
