//! Of several look-ups with one tool those that were of use: their key is named by the user, by the agent afterwards, or
//! by a later call of another tool. The others were looked at and left.

use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::shown::arguments;
use crate::summary::extractive::calls::verbs;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::text::has_digit;
use foldhash::{HashMap, HashSet};

/// Rank that the look-up of a named thing gains, and that of another one loses.
const NAMED: i64 = 150;
const LEFT: i64 = 250;
/// Least length of a key, in bytes.
const KEY: usize = 3;

/// What is named after each look-up, and the tools of which one look-up of several was of use.
#[derive(Default)]
pub(super) struct Chosen<'t> {
    /// By key, the last message of the user or the agent that names it.
    said: HashMap<String, usize>,
    /// By key, the calls that pass it.
    passed: HashMap<String, Vec<(usize, &'t str)>>,
    /// Tools with look-ups of several keys, some of them named.
    tools: HashSet<&'t str>,
}

impl<'t> Chosen<'t> {
    /// Reads what the turns name.
    pub(super) fn of(turns: &'t [Turn<'t>]) -> Self {
        let (mut chosen, mut looked) = (Self::default(), HashMap::<&str, HashSet<String>>::default());
        let acts = || turns.iter().flat_map(|turn| &turn.acts);
        for act in acts() {
            for key in keys(act) {
                chosen.passed.entry(key.clone()).or_default().push((act.message, act.tool));
                looked.entry(act.tool).or_default().insert(key);
            }
        }
        looked.retain(|tool, keys| verbs::looks(tool) && keys.len() > 1);
        if looked.is_empty() {
            return Self::default();
        }
        for turn in turns {
            let asked = turn.asked.iter().flat_map(|asked| &asked.sentences).map(|sentence| (usize::MAX, sentence));
            let said = turn.said.iter().map(|said| (said.message, &said.sentence));
            for (message, sentence) in asked.chain(said) {
                for word in words(sentence).filter(|word| chosen.passed.contains_key(*word)).collect::<Vec<_>>() {
                    let last = chosen.said.entry(word.to_owned()).or_default();
                    *last = message.max(*last);
                }
            }
        }
        let named = acts().filter(|act| looked.contains_key(act.tool) && chosen.names(act));
        chosen.tools = named.map(|act| act.tool).collect();
        chosen
    }

    /// What the rank of a call's result gains or loses by that.
    pub(super) fn rank(&self, act: &Act<'_>) -> i64 {
        match self.tools.contains(act.tool) {
            true if self.names(act) => NAMED,
            true => -LEFT,
            false => 0,
        }
    }

    fn names(&self, act: &Act<'_>) -> bool {
        keys(act).iter().any(|key| {
            let said = self.said.get(key).is_some_and(|last| *last > act.message);
            let later = |(message, tool): &(usize, &str)| *message > act.message && *tool != act.tool;
            said || self.passed.get(key).is_some_and(|all| all.iter().any(later))
        })
    }
}

/// The arguments of a call that name a thing: those with a digit, and no words.
fn keys(act: &Act<'_>) -> Vec<String> {
    let Action::Other(shown) = &act.action else { return Vec::new() };
    let values = arguments(shown).filter(|arg| !arg.is_list).map(|arg| arg.value);
    let is_key = |value: &&str| value.len() >= KEY && !value.contains(' ') && has_digit(value) && !value.ends_with('…');
    values.filter(is_key).map(|value| value.trim_start_matches('#').to_owned()).collect()
}

/// The words of a sentence that may be keys.
fn words(sentence: &str) -> impl Iterator<Item = &str> {
    let is_sign = |char: char| !char.is_alphanumeric() && char != '_';
    sentence.split_whitespace().map(move |word| word.trim_matches(is_sign)).filter(|word| word.len() >= KEY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::{act, agent, user};
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    /// What the ranks of look-ups of three boats gain, before these messages.
    fn ranks(asked: &str, later: Vec<Message<'static>>) -> Vec<i64> {
        let looks =
            ["B-71", "B-72", "B-73"].map(|boat| act("get_boat", &format!(r#"{{"boat_id":"{boat}"}}"#), "{}", false));
        let messages: Vec<Message<'_>> =
            [user(asked)].into_iter().chain(looks.into_iter().flatten()).chain(later).collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        let chosen = Chosen::of(&turns);
        let acts = turns.iter().flat_map(|turn| &turn.acts);
        acts.filter(|act| act.tool == "get_boat").map(|act| chosen.rank(act)).collect()
    }

    #[test]
    fn of_several_look_ups_the_one_that_is_named_later_ranks_first() {
        let (named, left) = (NAMED, -LEFT);
        let asked = "Cancel my boat to the island.";
        let said = || vec![agent("The boat to the island is B-72. Shall I cancel it?")];
        assert_eq!(ranks(asked, said()), [left, named, left]);
        let other = act("cancel_boat", r#"{"boat_id":"B-73"}"#, "{}", false).into_iter().collect();
        assert_eq!(ranks(asked, other), [left, left, named]);
        assert_eq!(ranks("Cancel my boat B-71.", Vec::new()), [named, left, left]);
        let again = act("get_boat", r#"{"boat_id":"B-73"}"#, "{}", false).into_iter().collect();
        assert_eq!(ranks(asked, again), [0, 0, 0, 0], "it is only looked at again");
        assert_eq!(ranks(asked, vec![agent("None of them goes there.")]), [0, 0, 0]);
    }
}
