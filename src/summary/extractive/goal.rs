//! Goal: what the user asked for first, and what for now.

use super::turns::{Asked, Turn};
use crate::summary::items::Item;
use crate::summary::text::key;

const LONGEST: usize = 300;
/// What the second line begins with, so that the next compaction can tell it apart.
pub(in crate::summary) const CURRENT: &str = "Current request: ";

pub(super) fn items(turns: &[Turn<'_>]) -> Vec<Item> {
    let asked: Vec<&Asked> = turns.iter().filter_map(|turn| turn.asked.as_ref()).collect();
    let telling = || asked.iter().filter(|asked| asked.is_telling());
    let first = telling().next().or(asked.first());
    let last = telling().next_back();
    let mut items: Vec<Item> = first.iter().map(|asked| asked.item(asked.brief(LONGEST), 2)).collect();
    if let Some(last) = last.filter(|last| first.is_some_and(|first| key(&first.start) != key(&last.start))) {
        items.push(last.item(format!("{CURRENT}{}", last.brief(LONGEST)), 1));
    }
    items
}
