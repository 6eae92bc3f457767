//! Orders that point back at the sentence before them: “Use the old one instead.”, “You should follow that.”

use super::cues::lower;
use crate::summary::text::{contains_any, each_word, has_digit, words};

/// Last words that stand for what was said before.
const LAST: [&str; 5] = ["instead", "that", "these", "this", "those"];
/// Words that something else belongs to.
const BELONGS: [&str; 2] = ["its", "their"];
/// Words of such an order before that word, beside its verb: none of them names anything.
const SMALL: [&str; 31] = [
    "also", "always", "at", "be", "do", "don't", "either", "first", "for", "from", "in", "into", "just", "make",
    "must", "need", "never", "not", "of", "on", "only", "please", "should", "so", "sure", "then", "to", "we", "with",
    "you", "you'll",
];
/// Words behind which an order names what it wants instead: “rather than the old one, use gas instead”.
const OTHERS: [&str; 4] = ["if ", "instead of ", "rather than ", "when "];
/// Maximum number of words of such an order.
const MOST: usize = 14;

/// Whether an order points back at the sentence before it, and names nothing itself that it could point at.
pub(in crate::summary::extractive) fn lacks_antecedent(sentence: &str) -> bool {
    points(sentence) || leans_on_owner(sentence)
}

fn points(sentence: &str) -> bool {
    let lower = lower(sentence);
    let last = each_word(&lower).next_back().unwrap_or_default();
    let is_whole = sentence.contains(['`', '"', '“', ':', ';', ',', '('])
        || contains_any(&lower, &OTHERS)
        || sentence.split_whitespace().skip(1).any(is_name);
    words(sentence) <= MOST && !is_whole && LAST.contains(&last)
}

/// Whether something belongs to what the sentence does not name: “We should check for its existence.” No more than a
/// verb stands before it then: “check pandas and its version” names what it is about.
fn leans_on_owner(sentence: &str) -> bool {
    let mut all = sentence.split_whitespace();
    let before: Vec<&str> = all.by_ref().take_while(|word| !BELONGS.contains(word)).collect();
    let has_owned = all.next().is_some();
    let names = before.iter().skip(1).any(|word| is_name(word));
    has_owned && !names && before.iter().filter(|word| !SMALL.contains(&&*lower(word))).count() <= 1
}

/// Whether a word names something: with a capital, a digit or quotes, or as a path.
fn is_name(word: &str) -> bool {
    let is_of_user = word == "I" || word.starts_with("I'") || word.starts_with("I’");
    let is_path = word.trim_end_matches(['.', '!']).contains(['/', '.', '_', '`']);
    is_path || !is_of_user && word.starts_with(char::is_uppercase) || has_digit(word)
}

#[cfg(test)]
mod tests {
    use super::lacks_antecedent;

    #[test]
    fn an_order_lacks_antecedent_unless_it_names_what_it_is_about() {
        for order in [
            "Suggest the existing lamp to use instead.",
            "You're supposed to be following that.",
            "We should either check for its existence and fall back to `oil` or default to gas.",
        ] {
            assert!(lacks_antecedent(order), "{order}");
        }
        for order in [
            "If the lamp is old, light the new one instead.",
            "Use `oil` instead.",
            "Never light the old lamp.",
            "Check the lamp and its oil.",
            "Keep Quay and its oil.",
            "Never touch src/quay.rs or its tests.",
            "always use pandas and its readers.",
            "always keep react at its latest version.",
            "Never let keepers see their lamps.",
            "Only pandas and its readers may be used.",
            "Do not use sed; use the edit tool instead.",
            "Always write tests for Foo instead.",
            "Always reply in French instead.",
            "Touch src/quay.rs instead.",
        ] {
            assert!(!lacks_antecedent(order), "{order}");
        }
    }
}
