//! Headings with the weight of their part: “Backend (most important)”.

use super::cues::proposes;
use super::rules::instruction_strength;
use crate::summary::extractive::words::ORDERING;
use crate::summary::text::{each_word, words};

/// Words that say how much a part weighs, and those that compare it with others.
const WEIGHTS: [&str; 22] = [
    "above",
    "all",
    "critical",
    "crucial",
    "essential",
    "first",
    "high",
    "highest",
    "important",
    "key",
    "main",
    "most",
    "part",
    "priority",
    "quite",
    "super",
    "the",
    "top",
    "urgent",
    "very",
    "wichtig",
    "importante",
];
const COMPARE: [&str; 5] = ["above", "highest", "most", "priority", "top"];
/// Maximum number of words of such a heading.
const HEADING: usize = 4;

/// Whether a lower-case sentence only names a part and says how much that matters. “Run the tests (important)” orders,
/// and so may “Tests first (important)”, which compares with nothing.
pub(super) fn is_weighed(lower: &str) -> bool {
    let end = lower.trim_end_matches([':', '：', '.', '!', ' ']);
    let Some((named, weight)) = end.strip_suffix([')', ']']).and_then(|text| text.rsplit_once(['(', '['])) else {
        return false;
    };
    let named = named.trim();
    let weighs = words(weight) > 0 && each_word(weight).all(|word| WEIGHTS.contains(&word));
    let compares = || each_word(weight).any(|word| COMPARE.contains(&word)) || words(named) == 1;
    let first = each_word(named).next().unwrap_or_default();
    let orders = || words(named) > 1 && (ORDERING.contains(&first) || proposes(named));
    let is_heading = || (1..=HEADING).contains(&words(named)) && !named.contains([',', ':', ';']);
    weighs && compares() && is_heading() && !orders() && instruction_strength(named).is_none()
}

#[cfg(test)]
mod tests {
    use super::super::rules::instruction_strength;

    #[test]
    fn a_heading_with_a_weight_is_no_rule() {
        for text in [
            "Backend (most important)",
            "Lamps of the pier (highest priority, very important):",
            "Security (important!)",
            "Ferries [most important]",
        ] {
            assert_eq!(instruction_strength(text), None, "{text}");
        }
    }

    #[test]
    fn an_order_with_a_weight_is_one() {
        for text in [
            "Never sink a ferry (most important)",
            "Keep names short (most important!)",
            "Run the tests (most important)",
            "Tests first (important)",
            "Backend is the most important part.",
            "Use oil (most important).",
            "Write tests for the lamps (most important)",
        ] {
            assert!(instruction_strength(text).is_some(), "{text}");
        }
    }
}
