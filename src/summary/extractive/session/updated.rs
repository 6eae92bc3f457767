//! Statements that a later one replaces: “The proxy is not running.” by “The proxy is now running.”, and the value of a
//! key (“`dimGray`: `#444444`”) by its next one.

use super::turns::Turn;
use crate::summary::extractive::sentences::cues::lower;
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::sentences::sieve::Sieve;
use crate::summary::text::{each_word, has_digit, words};
use foldhash::HashMap;
use std::sync::LazyLock;

/// What stands between a subject and the state that it is not in.
const DENIES: [&str; 6] = [" is not ", " isn't ", " isn’t ", " are not ", " aren't ", " aren’t "];
/// What stands between a subject and its new state.
const AFFIRMS: [&str; 2] = [" is now ", " are now "];
/// What a sentence has in which one of them may stand; quicker to look for than to lower its case.
static MAY_DENY: LazyLock<Sieve> = LazyLock::new(|| Sieve::new(&[" not ", " NOT ", "n't ", "n’t ", "N'T ", "N’T "]));
static MAY_AFFIRM: LazyLock<Sieve> = LazyLock::new(|| Sieve::new(&[" now ", " NOW "]));
/// Maximum number of words of a subject, and of a value.
const SUBJECT: usize = 7;
const VALUE: usize = 4;
/// Signs between a key in code marks and its value.
const SETS: [&str; 4] = [":", " →", " =", " ->"];

/// For each kind of statement, the message of the last one about a subject.
#[derive(Default)]
pub(super) struct Updates {
    /// By subject and state.
    affirmed: HashMap<(String, String), usize>,
    set: HashMap<String, usize>,
}

impl Updates {
    /// The statements of all turns.
    pub(super) fn of(turns: &[Turn<'_>]) -> Self {
        let mut updates = Self::default();
        for said in turns.iter().flat_map(|turn| &turn.said) {
            let affirms = MAY_AFFIRM.is_in(&said.sentence).then(|| state(&said.sentence, &AFFIRMS));
            if let Some(state) = affirms.flatten() {
                updates.affirmed.insert(state, said.message);
            }
            if let Some(key) = set(&said.sentence) {
                updates.set.insert(key.to_owned(), said.message);
            }
        }
        updates
    }

    /// Whether a later message replaces a statement.
    pub(super) fn replace(&self, said: &Said) -> bool {
        let denied = || self.affirmed.get(&state(&said.sentence, &DENIES)?);
        let is_later = |last: &usize| *last > said.message;
        !self.affirmed.is_empty() && MAY_DENY.is_in(&said.sentence) && denied().is_some_and(is_later)
            || set(&said.sentence).and_then(|key| self.set.get(key)).is_some_and(is_later)
    }
}

/// The words before the first of `verbs` in a sentence, in lower case and without an article, if they are few, and the
/// first word behind it.
fn state(sentence: &str, verbs: &[&str]) -> Option<(String, String)> {
    let lower = lower(sentence);
    let (at, verb) = verbs.iter().filter_map(|verb| Some((lower.find(verb)?, verb))).min()?;
    let named = lower[..at].trim_start_matches("the ");
    let few = (1..=SUBJECT).contains(&words(named)) && !named.contains([',', ';', ':', '(']);
    // “It is not …” and the like point at what stands before.
    let points = ["it", "that", "they", "these", "this", "those", "there"].contains(&named);
    let state = each_word(&lower[at + verb.len()..]).next()?;
    (few && !points).then(|| (named.to_owned(), state.to_owned()))
}

/// The key of a sentence that is nothing but a key in code marks and a short value with a digit, maybe with its old
/// value: “`dimGray: 238` → `#444444`”.
fn set(sentence: &str) -> Option<&str> {
    let (key, behind) = sentence.strip_prefix('`')?.split_once('`')?;
    let value = SETS.iter().find_map(|sign| behind.strip_prefix(sign))?;
    let key = key.split_once(": ").map_or(key, |(key, _)| key);
    let is_value = words(value) <= VALUE && has_digit(value);
    (is_value && !key.contains(['/', ' '])).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use super::*;
    use crate::summary::builders::{agent, user};
    use crate::transcript::Message;

    /// Whether the second sentence replaces the first.
    fn replaces(first: &str, second: &str) -> bool {
        let messages = [user("Mend the lamp."), agent(first), user("Go on."), agent(second)];
        let head: Vec<&Message<'_>> = messages.iter().collect();
        turns(&head, &[]).iter().flat_map(|turn| &turn.said).all(|said| said.sentence != first || said.obsolete)
    }

    #[test]
    fn a_state_that_was_denied_and_is_there_now_is_over() {
        let denied = "The tide proxy of the quay is not running on port 5432.";
        assert!(replaces(denied, "The tide proxy of the quay is now running on port 5432."));
        for other in ["The lamp proxy of the quay is now running.", "The tide proxy of the quay is not running at all."]
        {
            assert!(!replaces(denied, other), "{other}");
        }
        assert_eq!(state("It is not running on port 5432.", &DENIES), None);
    }

    #[test]
    fn the_newest_value_of_a_key_is_told() {
        let colors = |values: &str| format!("The theme has:\n- {values}\n- `quayOil`: `#6c6c6c` (bright)");
        let told = |first: &str, second: &str| {
            let messages = [user("Mend it."), agent(&colors(first)), user("Brighter."), agent(&colors(second))];
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let turns = turns(&head, &[]);
            let said = turns.iter().flat_map(|turn| &turn.said);
            let left = said.filter(|said| !said.obsolete && said.sentence.starts_with('`'));
            left.map(|said| said.sentence.clone()).collect::<Vec<_>>()
        };
        let (old, new) = ("`lampOil`: `#585858` (dim)", "`lampOil`: `#444444` (dim)");
        assert_eq!(told(old, new), [new, "`quayOil`: `#6c6c6c` (bright)"]);
        assert!(told(old, "`tideOil`: `#444444` (dim)").iter().any(|left| left == old));
        assert_eq!((set("`lampOil: 238` → `#444444` (dark)"), set(old)), (Some("lampOil"), Some("lampOil")));
        assert_eq!(set("`quay.rs`: reads the 2 lamps of all piers of the harbour"), None);
        assert_eq!(set("`quay/lamp` → 12"), None);
    }
}
