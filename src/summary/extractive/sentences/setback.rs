//! Setbacks: sentences that qualify the one before. “I wrote the plan. The tests failed.” is misleading without its
//! second half.

use super::cues::offers;
use super::said::Said;
use crate::summary::joints::joined;
use crate::summary::text::{contains_any, cut, each_word, starts_any};

/// Maximum length of a setback that is added, in characters.
const LONGEST: usize = 160;
/// Words that say that something failed or was not done.
const SETBACKS: &[&str] = &[
    "fail",
    "failed",
    "failing",
    "fails",
    "broke",
    "broken",
    "couldn't",
    "cannot",
    "can't",
    "unable",
    "didn't",
    "doesn't",
    "wasn't",
    "weren't",
    "isn't",
    "aren't",
    "haven't",
    "hasn't",
    "untested",
    "skipped",
    "blocked",
    "nicht",
    "fehlgeschlagen",
    "pas",
    "échoué",
];
/// The same as phrases, or in scripts without spaces.
const PHRASES: &[&str] = &[
    "not run",
    "not tested",
    "not done",
    "not yet",
    "not verified",
    "not pushed",
    "not committed",
    "not been",
    "could not",
    "did not",
    "does not",
    "没有通过",
    "未通过",
    "失败",
    "失敗",
    "未测试",
    "没有运行",
    "실패",
];

/// Beginnings of a sentence that limits the one before, and of courtesies that begin so.
const LIMITS: &[&str] = &[
    "but ",
    "however,",
    "aber ",
    "allerdings ",
    "jedoch ",
    "mais ",
    "cependant,",
    "toutefois,",
    "pero ",
    "sin embargo,",
    "porém,",
    "però ",
    "tuttavia,",
    "но ",
    "однако",
    "但",
    "不过",
    "不過",
    "しかし",
    "ただし",
    "하지만",
    "그러나",
];
const COURTEOUS: &[&str] = &["but let me know", "but no worries", "but feel free", "but don't worry", "但愿", "但凡"];

/// Whether a sentence says that something failed or was not done, or limits the one before.
fn sets_back(sentence: &str) -> bool {
    let lower = sentence.replace('’', "'").to_lowercase();
    let limits = starts_any(&lower, LIMITS) && !starts_any(&lower, COURTEOUS) && !offers(&lower);
    limits || each_word(&lower).any(|word| SETBACKS.contains(&word)) || contains_any(&lower, PHRASES)
}

/// A sentence, with the one right after it if that is a setback and both fit in `most` characters.
pub(in crate::summary::extractive) fn with_setback(said: &Said, next: Option<&Said>, most: usize) -> String {
    let next =
        next.filter(|next| next.joined && next.message == said.message && next.sentence.chars().count() <= LONGEST);
    let next = next.filter(|next| sets_back(&next.sentence) && !next.sentence.ends_with(['?', '？', '؟', ':', '：']));
    let whole = next.map(|next| joined(&[&said.sentence, &next.sentence]));
    let fits = whole.filter(|whole| whole.chars().count() <= most);
    fits.unwrap_or_else(|| cut(&said.sentence, most).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        let said: Vec<Said> = Said::all(0, text).collect();
        with_setback(&said[0], said.get(1), 120)
    }

    #[test]
    fn what_failed_stands_with_what_was_done() {
        for whole in [
            "I lit the lamp of the pier. The tests failed.",
            "Deployed the tables to the quay. The harbour didn’t get them.",
            "I changed the map of the ferries. Tests were not run.",
            "灯塔的灯已经换成新的了。但是码头上的旧灯还没有换。",
            "I changed the map of the ferries. But the old one hangs at the quay.",
        ] {
            assert_eq!(told(whole), whole);
        }
        let apart = "I lit the lamp of the pier.\n\nEarlier:\n\nThe tests failed.";
        assert_eq!(told(apart), "I lit the lamp of the pier.");
        let done = "I lit the lamp of the pier.";
        for rest in [
            "But let me know if you want another one.",
            "The next step is the quay.",
            "Should the failing test go?",
            "It burns without a flicker now.",
        ] {
            assert_eq!(told(&format!("{done} {rest}")), done);
        }
        assert_eq!(told(&format!("{done} The other {} failed.", "lamp of the pier ".repeat(8))), done, "no room");
    }
}
