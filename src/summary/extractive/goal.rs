//! Goal: what the user asked for first, and what for now.

use super::turns::{Asked, Turn};
use crate::summary::items::Item;
use crate::summary::text::{key, words};

const LONGEST: usize = 300;
/// What the second line begins with, so that the next compaction can tell it apart.
pub(in crate::summary) const CURRENT: &str = "Current request: ";

/// What stands before words that came after a request.
const THEN: &str = "Then: ";

pub(super) fn items(turns: &[Turn<'_>]) -> Vec<Item> {
    let asked: Vec<&Asked> = turns.iter().filter_map(|turn| turn.asked.as_ref()).collect();
    let telling = || asked.iter().filter(|asked| asked.is_telling());
    let first = telling().next().or(asked.first());
    let last = telling().next_back();
    let mut items: Vec<Item> = first.iter().map(|asked| asked.item(asked.brief(LONGEST), 2)).collect();
    if let Some(last) = last.filter(|last| first.is_some_and(|first| key(&first.start) != key(&last.start))) {
        items.push(last.item(format!("{CURRENT}{}", last.brief(LONGEST)), 1));
    }
    // A few words that came after it say how it goes on: “fix all”, “do the second one”.
    let newest = asked.last().filter(|newest| !newest.is_telling() && words(&newest.start) > 1 && !newest.nods());
    if let (Some(newest), Some(item)) = (newest, items.last_mut()) {
        item.text = format!("{} {THEN}“{}”", item.text, newest.start);
    }
    items
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use super::*;
    use crate::summary::corpus::user;
    use crate::transcript::Message;

    fn goal(asked: &[&str]) -> Vec<String> {
        let messages: Vec<Message<'_>> = asked.iter().map(|text| user(text)).collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        items(&turns(&head, &[])).into_iter().map(|item| item.text).collect()
    }

    #[test]
    fn few_words_stand_behind_the_request_that_they_follow() {
        let asked = ["Why does the board show the ferry twice?", "List all causes that you find.", "fix all"];
        let told = [
            "Why does the board show the ferry twice?",
            "Current request: List all causes that you find. Then: “fix all”",
        ];
        assert_eq!(goal(&asked), told);
        assert_eq!(goal(&["Why does the board show the ferry twice?", "ok, go ahead"]), told[..1]);
    }
}
