//! Texts that the agent is only to take note of: “This is information about the pier. Answer “ok” if you understand:”

use crate::summary::text::{each_word, has_any, starts_any};

/// Words of a paragraph that hands over such a text below its colon.
const INFORMS: [&str; 12] = [
    "information about",
    "information on",
    "information regarding",
    "if you understand",
    "when you understand",
    "background information",
    "just acknowledge",
    "informationen über",
    "informationen zu",
    "información sobre",
    "informations sur",
    "informazioni su",
];
/// Maximum length of such a paragraph, in bytes.
const REQUEST: usize = 300;
/// Words of a text that addresses the agent, and beginnings of lines of rules.
const ADDRESSES: [&str; 10] = ["you", "your", "please", "i", "me", "my", "don't", "du", "bitte", "usted"];
const LISTS: [&str; 4] = ["- ", "* ", "• ", "1."];

/// Excludes the text that a first paragraph hands over for information, if that addresses nobody.
pub(super) fn leave_information(lines: &[&str], own: &mut [bool]) {
    let Some(first) = lines.iter().position(|line| !line.trim().is_empty()) else { return };
    let request = lines[first].trim();
    let lower = request.to_lowercase();
    let hands = request.len() <= REQUEST && request.ends_with([':', '：']) && has_any(&lower, &INFORMS);
    let matter = &lines[first + 1..];
    let addresses = |line: &&str| {
        let lower = line.to_lowercase();
        each_word(&lower).any(|word| ADDRESSES.contains(&word)) || starts_any(lower.trim_start(), &LISTS)
    };
    if hands && matter.first().is_some_and(|line| line.trim().is_empty()) && !matter.iter().any(addresses) {
        own[first + 1..].fill(false);
    }
}

#[cfg(test)]
mod tests {
    use super::leave_information;

    #[test]
    fn a_text_for_information_holds_no_rules_of_the_user() {
        let own = |text: &str| {
            let lines: Vec<&str> = text.lines().collect();
            let mut own = vec![true; lines.len()];
            leave_information(&lines, &mut own);
            own
        };
        let head = "This is information about piers. Limit your response to “ok” if you understand:\n\n";
        assert_eq!(own(&format!("{head}The keeper must never sleep.")), [true, false, false]);
        for rules in ["You must never light it.", "- The lamp must be red."] {
            assert_eq!(own(&format!("{head}{rules}")), [true, true, true], "{rules}");
        }
        assert_eq!(own("Rules for the pier:\n\nThe keeper must never sleep."), [true, true, true]);
    }
}
