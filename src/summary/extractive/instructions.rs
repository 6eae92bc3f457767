//! Instructions: what the user told the agent to do or to avoid for good, word for word, newest first.

use super::cues::instruction_strength;
use super::turns::{Asked, Turn};
use super::words::INSTRUCTION_LEAST;
use crate::summary::items::Item;
use crate::summary::text::cut;

const LONGEST: usize = 300;
/// Characters of a request that stand among the steps in any case.
const BRIEF: usize = 80;
/// How many requests back count as much as one point of strength.
const AGE: i64 = 8;
/// A message of more sentences is mostly pasted; what its sentences lose for that.
const MOST_SENTENCES: usize = 25;
const PASTED: i64 = 25;

pub(super) fn items(turns: &[Turn<'_>]) -> Vec<Item> {
    let all: Vec<&Asked> = turns.iter().filter_map(|turn| turn.asked.as_ref()).collect();
    let mut items = Vec::new();
    for (age, asked) in all.iter().rev().enumerate().filter(|(_, asked)| asked.message.is_some()) {
        let newness = -(i64::try_from(age).unwrap_or(i64::MAX) / AGE);
        // The first request may be a long brief.
        let is_pasted = asked.sentences.len() > MOST_SENTENCES && age + 1 < all.len();
        let pasted = if is_pasted { PASTED } else { 0 };
        // A request is told among the steps; politeness makes it no rule.
        let brief = asked.brief(BRIEF);
        let told = asked.sentences.iter().filter_map(|sentence| Some((sentence, instruction_strength(sentence)?)));
        let told =
            told.filter(|(sentence, strength)| *strength > INSTRUCTION_LEAST || !brief.contains(sentence.as_str()));
        items.extend(told.map(|(sentence, strength)| {
            asked.item(cut(sentence, LONGEST).into_owned(), strength.min(8) * 10 + newness * 10 - pasted)
        }));
    }
    items
}
