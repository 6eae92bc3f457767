//! Sections of a request whose heading says that they describe: how things are, and how the work is checked in the end.
//! What they say with “never” or “must” is no rule for later work.

use crate::summary::extractive::sentences::prose::heading;
use crate::summary::fence::Fence;
use crate::summary::text::each_word;

/// First words of such headings.
const DESCRIBES: [&str; 23] = [
    "analysis",
    "background",
    "bug",
    "cause",
    "context",
    "current",
    "findings",
    "hintergrund",
    "kontext",
    "motivation",
    "observed",
    "overview",
    "problem",
    "problems",
    "root",
    "summary",
    "symptoms",
    "verification",
    "verify",
    "why",
    "背景",
    "问题",
    "验证",
];
/// Two first words of such headings.
const TESTS: [[&str; 2]; 2] = [["test", "plan"], ["how", "to"]];

/// The text of all sections that describe, with those below them.
pub(super) fn premises(text: &str) -> String {
    let (mut fence, mut open) = (Fence::default(), None);
    let mut has = |line: &str| {
        let bare = line.trim();
        let Some(heading) = heading(bare) else { return open.is_some() };
        let level = bare.len() - bare.trim_start_matches('#').len();
        if open.is_none_or(|above| level <= above) {
            open = describes(heading).then_some(level);
        }
        false
    };
    text.split_inclusive('\n').filter(|line| !fence.holds(line.trim_end()) && has(line)).collect()
}

fn describes(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let words: Vec<&str> = each_word(&lower).skip_while(is_number).collect();
    words.first().is_some_and(|first| DESCRIBES.contains(first)) || TESTS.iter().any(|two| words.starts_with(two))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_plan_says_of_the_state_and_of_its_checks_is_found() {
        let text = "# Mend the quay\n\n## Context\nThe lamp is never lit.\n### Today\nOnly gulls come.\n## 2. Verification\n- `row` works without oars\n## Rules\nNever sink.\n";
        assert_eq!(premises(text), "The lamp is never lit.\nOnly gulls come.\n- `row` works without oars\n");
        assert_eq!(premises("## Work\nAlways row.\n```\n# Context\nx\n```\n"), "");
    }
}
