//! Sentences behind an announced cause: “Found the issue. When the lamp is lit, …” The agent says that they are the
//! cause, whatever their own words are. And what only announces that something was found.

use super::cues::{self, Kind, is_plan, lower, without_filler};
use super::said::Said;
use crate::summary::extractive::words::{CAUSES, LEARNED};
use crate::summary::text::{QUESTION_MARKS, behind, contains_any, each_word, has_most};

/// Maximum number of words of an announcement.
const SHORT: usize = 12;
/// Maximum number of sentences that an announcement covers.
const COVERED: usize = 3;

/// Makes findings of the sentences behind an announced cause: up to three, of one paragraph, until one that reports a
/// step, announces the next or asks.
pub(in crate::summary::extractive) fn covered(mut all: Vec<Said>) -> Vec<Said> {
    let mut left = 0;
    let mut is_first = false;
    for said in &mut all {
        if announces_cause(&said.sentence) {
            (left, is_first) = (COVERED, true);
            continue;
        }
        let goes_on = left > 0 && (is_first || said.joined) && tells(said);
        left = if goes_on { left - 1 } else { 0 };
        is_first = false;
        if goes_on {
            said.kind = Kind::Finding(cues::announced_strength(&said.sentence));
        }
    }
    all
}

fn tells(said: &Said) -> bool {
    let sentence = &said.sentence;
    matches!(said.kind, Kind::Other | Kind::Finding(_)) && !sentence.ends_with([':', '：']) && !is_plan(sentence)
}

/// Whether a sentence says that the agent now knows a cause, and not which: “I see what's happening now.”
fn announces_cause(sentence: &str) -> bool {
    if sentence.contains('`') || sentence.ends_with(QUESTION_MARKS) || !has_most(sentence, SHORT) {
        return false;
    }
    let lower = lower(sentence);
    let text = without_filler(&lower);
    let rest = LEARNED.iter().find_map(|start| behind(text, start));
    rest.is_some_and(|rest| contains_any(rest, CAUSES))
}

/// Beginnings of a sentence that says that something was found, and the words of one that says no more.
const FOUND: [&str; 3] = ["i found ", "i've found ", "i have found "];
const NO_MORE: [&str; 30] = [
    "all",
    "class",
    "clone",
    "code",
    "component",
    "current",
    "definition",
    "details",
    "document",
    "exact",
    "existing",
    "file",
    "files",
    "function",
    "i",
    "implementation",
    "information",
    "issue",
    "local",
    "method",
    "need",
    "needed",
    "pane",
    "phase",
    "relevant",
    "requested",
    "snippet",
    "target",
    "the",
    "you",
];

/// Beginnings of a sentence that says that the agent knows something now, and the words of one that says no more.
const KNOWS: [&str; 9] = [
    "i have ",
    "i have got ",
    "i now have ",
    "i've got ",
    "i've now got ",
    "now i have ",
    "now i've ",
    "now i've got ",
    "now i understand ",
];
const OF_KNOWING: [&str; 64] = [
    "a",
    "about",
    "all",
    "and",
    "architecture",
    "both",
    "clear",
    "code",
    "codebase",
    "complete",
    "comprehensive",
    "context",
    "current",
    "data",
    "deep",
    "detailed",
    "details",
    "discrepancies",
    "enough",
    "everything",
    "exact",
    "existing",
    "file",
    "files",
    "flow",
    "full",
    "good",
    "got",
    "how",
    "i",
    "idea",
    "implementation",
    "info",
    "information",
    "it",
    "knowledge",
    "layout",
    "loaded",
    "material",
    "my",
    "need",
    "needed",
    "now",
    "of",
    "overview",
    "picture",
    "project",
    "relevant",
    "schema",
    "skills",
    "solid",
    "source",
    "structure",
    "system",
    "that",
    "the",
    "these",
    "they",
    "this",
    "thorough",
    "to",
    "understanding",
    "what",
    "work",
];

/// Whether a lower-case sentence only says that the agent knows enough now: “Now I have a clear picture of both files.”
pub(super) fn only_knows(lower: &str) -> bool {
    let rest = KNOWS.iter().filter_map(|start| behind(lower, start)).min_by_key(|rest| rest.len());
    rest.is_some_and(|rest| each_word(rest).all(|word| OF_KNOWING.contains(&word)))
}

/// Whether a lower-case sentence only says that something was found, and not what: “I found the `lamp` function.”
pub(super) fn only_found(lower: &str) -> bool {
    let rest = FOUND.iter().find_map(|start| behind(lower, start)).map(|rest| rest.trim_end_matches(['.', '!']));
    let is_empty = |word: &str| NO_MORE.contains(&word) || word.starts_with('`') && word.ends_with('`');
    rest.is_some_and(|rest| !rest.ends_with('`') && rest.split(' ').all(is_empty))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(text: &str) -> Vec<String> {
        let all = Said::all(0, text).filter(|said| matches!(said.kind, Kind::Finding(_)));
        all.map(|said| said.sentence).collect()
    }

    #[test]
    fn that_something_was_found_is_empty_without_what() {
        for empty in ["I found the `setLamp` function.", "I've found all the information you requested."] {
            assert_eq!(cues::kind(empty), Kind::Empty, "{empty}");
        }
        for told in [
            "I found the lamp of the pier in `quay.rs`.",
            "I found the `lamp` of the quay causing it.",
            "I found no `lamp` tests.",
            "I found the culprit, `cache_board`.",
            "I found the key under `auth.oil`.",
            "I found the `lamp_key`.",
            "I found the bug on line 42.",
            "I've found all 3 `tide` tests fail.",
            "I found the config is never loaded by `lamp`.",
        ] {
            assert_ne!(cues::kind(told), Kind::Empty, "{told}");
        }
    }

    #[test]
    fn that_the_agent_knows_enough_is_empty() {
        for empty in [
            "Now I have a complete understanding of the architecture.",
            "Now I have all the schema information.",
            "I've got the full picture now.",
            "Good, now I have a clear picture of both files.",
        ] {
            assert_eq!(cues::kind(empty), Kind::Empty, "{empty}");
        }
        for told in ["I have the key of the pier in `oil.toml`.", "Now I have 12 lamps in the table of the pier."] {
            assert_ne!(cues::kind(told), Kind::Empty, "{told}");
        }
    }

    #[test]
    fn what_stands_behind_an_announced_cause_is_a_finding() {
        let text = "Found the root cause. The branch of the pier predates `lamp enable` by two days. So the lamps had nothing to read there.\n\nThe ferry of the quay leaves at nine.";
        assert_eq!(
            findings(text),
            ["The branch of the pier predates `lamp enable` by two days.", "So the lamps had nothing to read there."]
        );
        for announced in
            ["I see the issue!", "Now I understand what's happening.", "**Found the bug**:", "找到问题了。"]
        {
            let text = format!("{announced}\n\nWhen the pier is dark, `lamp` reads the board of yesterday.");
            assert_eq!(findings(&text).len(), 1, "{announced}");
        }
    }

    #[test]
    fn what_announces_nothing_or_is_a_step_covers_nothing() {
        for other in
            ["Let me find the root cause.", "I don't see the issue.", "The pier is dark.", "Do you see the issue?"]
        {
            let text = format!("{other} When the pier is dark, `lamp` reads the board of yesterday.");
            assert!(!findings(&text).iter().any(|found| found.starts_with("When")), "{other}");
        }
        let step =
            "I see the issue. Let me read `lamp.rs`. When the pier is dark, `lamp` reads the board of yesterday.";
        assert!(findings(step).is_empty());
    }
}
