//! Bans on all changes, which end with work that was done on a later request: “Don't edit anything.”

use crate::summary::extractive::words::FORBIDS;
use crate::summary::text::{QUESTION_MARKS, contains_any, ends_any, has_any, has_words};

/// Parts of a ban on all file changes: its start, its verbs, and the objects that may follow.
const NO_WORK: [&str; 4] = ["don't ", "dont ", "do not ", "no need to "];
const WORK: [&str; 8] = ["edit", "change", "modify", "touch", "implement", "code", "build", "write"];
const ALL: [&str; 8] = ["", "anything", "any code", "any files", "any file", "code", "a thing", "any changes"];
const MAKE_CHANGES: [&str; 2] = ["make changes", "make any changes"];
/// Such bans in scripts without spaces; no object may follow.
const DENSE: [&str; 8] =
    ["不要修改代码", "不要改代码", "不要写代码", "别改代码", "别写代码", "不要动代码", "先不要修改", "先不要改"];
/// Words that limit such a ban in time.
const FOR_NOW: [&str; 5] = ["yet", "for now", "right now", "now", "until i say so"];
/// Words before such a ban.
pub(super) const LEADS: [&str; 16] = [
    "please", "again", "umm", "um", "just", "and", "so", "ok", "okay", "then", "but", "first", "still", "now", "for",
    "well",
];
/// Words of a conditional ban.
const IN_CASE: [&str; 6] = ["if", "when", "whenever", "unless", "while", "in case"];
/// Words of a request that orders work.
const ORDERS: [&str; 17] = [
    "go ahead",
    "execute",
    "implement",
    "build",
    "fix",
    "fixes",
    "edit",
    "change",
    "start",
    "started",
    "proceed",
    "do it",
    "mend",
    "apply",
    "write",
    "make",
    "begin",
];
/// Words before an order that make it a noun, and phrases with which a request wants no changes still.
const BEFORE_NOUN: [&str; 8] = ["a", "her", "his", "my", "our", "that", "the", "this"];
const STILL_NONE: [&str; 3] = ["hands off", "no changes", "no edits"];
const ORDERS_DENSE: [&str; 4] = ["开始", "修复", "实现", "修改"];

/// Whether a sentence forbids all changes: “Don't edit anything.” Work done on a later request ends that.
pub(in crate::summary::extractive) fn forbids_all_work(sentence: &str) -> bool {
    let lower = sentence.to_lowercase().replace('’', "'");
    let text = lower.trim_end_matches(['.', '!', '。', '！', ' ']);
    if ends_any(text, &DENSE) {
        return true;
    }
    if has_any(text, &IN_CASE) {
        return false;
    }
    let text = FOR_NOW.iter().fold(text, |left, end| left.strip_suffix(end).unwrap_or(left).trim_end());
    let ends = |rest: &str| {
        let verb = || WORK.iter().filter_map(|verb| rest.strip_prefix(verb)).any(|rest| ALL.contains(&rest.trim()));
        MAKE_CHANGES.contains(&rest) || verb()
    };
    let mut clauses = text.split([',', ';', '.', '—']).map(str::trim);
    // It must address the agent, unlike “the totals do not change”.
    let told = |before: &str| before.split_whitespace().all(|word| LEADS.contains(&word));
    clauses.any(|clause| {
        let mut found = NO_WORK.iter().filter_map(|ban| clause.split_once(ban));
        found.any(|(before, rest)| told(before) && ends(rest))
    })
}

/// Whether a request orders work, in a clause without a ban, and asks no question.
pub(in crate::summary::extractive) fn orders_work(request: &str) -> bool {
    let lower = request.to_lowercase().replace('’', "'").replace(" and ", ", ").replace(" but ", ", ");
    if lower.contains(QUESTION_MARKS) || forbids_all_work(request) || has_any(&lower, &STILL_NONE) {
        return false;
    }
    // “Look at the fix” orders none.
    let is_noun =
        |clause: &str, order: &str| BEFORE_NOUN.iter().any(|the| has_words(clause, &format!("{the} {order}")));
    let is_order = |clause: &str, order: &&str| has_words(clause, order) && !is_noun(clause, order);
    let orders =
        |clause: &str| ORDERS.iter().any(|order| is_order(clause, order)) || contains_any(clause, &ORDERS_DENSE);
    let mut clauses = lower.split([',', ';', '.', '\n', '，', '。']);
    clauses.any(|clause| orders(clause) && !has_any(clause, FORBIDS))
}

#[cfg(test)]
mod tests {
    use super::{forbids_all_work, orders_work};

    #[test]
    fn an_order_beside_a_ban_of_something_else_is_one() {
        for order in [
            "okay lets implement our idea for the search and do not do any browser testing",
            "yes and execute",
            "Fix it, but don't push.",
        ] {
            assert!(orders_work(order), "{order}");
        }
        for other in [
            "Don't fix it.",
            "Never write code and don't build.",
            "Should I fix it?",
            "Thanks",
            "Build the quay and run the tests, still do not edit anything.",
            "Look at the fix that Ada made, no edits.",
            "Look at the change.",
        ] {
            assert!(!orders_work(other), "{other}");
        }
    }

    #[test]
    fn a_ban_on_all_work_is_known() {
        for ban in [
            "Don't edit anything.",
            "again, don't edit anything, I want to see the map first",
            "dont implement anything",
            "Do not write any code yet.",
            "umm dont make any changes..",
            "先分析一下问题，不要修改代码。",
        ] {
            assert!(forbids_all_work(ban), "{ban}");
        }
        for other in [
            "The public API must not change.",
            "Make sure the totals do not change.",
            "If the tests fail, don't change anything.",
            "Unless I say so, don't edit anything.",
            "Don't edit the tests.",
            "Do not change the map of the pier.",
            "Edit it.",
            "Don't build a pier.",
        ] {
            assert!(!forbids_all_work(other), "{other}");
        }
    }
}
