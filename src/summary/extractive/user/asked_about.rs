//! A message of a program that the user asks about: “What is the reason for this message?”, with the message below.

use super::printed::{is_personal, orders, speaks};
use crate::summary::extractive::sentences::prose::{sentences, without_marker};
use crate::summary::extractive::sentences::rules::is_short_ban;
use crate::summary::text::{QUESTION_MARKS, each_word};

/// Words that point at what stands below, and words for it.
const POINTS: [&str; 4] = ["this", "these", "the following", "that"];
const TEXTS: [&str; 10] =
    ["alert", "dialog", "error", "hint", "log", "message", "notice", "notification", "output", "warning"];
/// Words that ask for a reason or meaning.
const WONDERS: [&str; 8] = ["mean", "meaning", "means", "reason", "what", "what's", "where", "why"];
/// Maximum length of the paragraph that asks, in bytes.
const ASKS: usize = 400;

/// Excludes the paragraphs of a program's message below a first paragraph that asks about it. Where the user speaks
/// again, or orders something, or the last paragraph has a rule, the words are theirs.
pub(super) fn leave_message(lines: &[&str], own: &mut [bool]) {
    let Some(start) = lines.iter().position(|line| !line.trim().is_empty()) else { return };
    let end = start + lines[start..].iter().take_while(|line| !line.trim().is_empty()).count();
    if !asks(&lines[start..end].join(" ")) {
        return;
    }
    let mut at = end;
    while at < lines.len() {
        let more = lines[at..].iter().take_while(|line| !line.trim().is_empty()).count();
        let paragraph = &lines[at..at + more];
        let is_last = lines[at + more..].iter().all(|line| line.trim().is_empty());
        if !is_own(paragraph, is_last) {
            own[at..at + more].fill(false);
        }
        at += more + 1;
    }
}

/// Whether a paragraph asks about a text: “Why do I get this error?”
fn asks(paragraph: &str) -> bool {
    let lower = paragraph.to_lowercase().replace('’', "'");
    let wonders = || each_word(&lower).any(|word| WONDERS.contains(&word));
    let names = |point: &str| TEXTS.iter().any(|text| lower.contains(&format!("{point} {text}")));
    paragraph.len() <= ASKS && lower.contains('?') && wonders() && POINTS.iter().any(|point| names(point))
}

/// Whether a paragraph below is the user's.
fn is_own(paragraph: &[&str], is_last: bool) -> bool {
    let Some(first) = paragraph.first().map(|line| line.trim()) else { return true };
    let asks = paragraph.last().is_some_and(|line| line.trim_end().ends_with(QUESTION_MARKS));
    // “You can go on here” is said by programs too.
    let is_order = orders(first) && (is_last || !first.starts_with("You"));
    let spoken = paragraph.iter().any(|line| speaks(line.trim()));
    let rules =
        || paragraph.iter().flat_map(|line| sentences(line)).any(|sentence| is_short_ban(&sentence, usize::MAX));
    asks || spoken || is_order || without_marker(first).0 || is_last && (is_personal(first) || rules())
}

#[cfg(test)]
mod tests {
    use super::super::printed::tests::own_of;

    #[test]
    fn a_message_that_the_user_asks_about_is_not_theirs() {
        let asked = "what's the reason for this message? (the lamp is not mine)";
        let shown = "Stopped by the lamp: another ferry is \"let's row and also light the      \n  lamp...\"   \n\n  \
                     You must row here alone.\n\n  To light the other one instead, leave and run: lamp -r 7";
        let told = ["what's the reason for this message?", "(the lamp is not mine)"];
        assert_eq!(own_of(&format!("{asked}\n\n{shown}")), told);
        for more in ["Never touch the old lamp.", "Please mend it in quay.go too.", "I get it since the last storm."] {
            let all = own_of(&format!("{asked}\n\n{shown}\n\n{more}"));
            assert_eq!(all.last().map(String::as_str), Some(more));
            assert_eq!(all.len(), 3, "{all:?}");
        }
    }

    #[test]
    fn rules_below_another_question_are_the_users() {
        for asked in ["What is the lamp?", "Use this message for the board.", "Can you mend this error?"] {
            let text = format!("{asked}\n\nOnly the keeper may light it.\n\nTo row, never use the old oars.");
            assert_eq!(own_of(&text).len(), 3, "{asked}");
        }
    }
}
