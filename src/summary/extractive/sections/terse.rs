//! Orders and agreements of the user of a word or two.

use super::accomplished::{ASKED, STORY, rank};
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::extractive::user::asked::Asked;
use crate::summary::items::Item;
use crate::summary::text::{cut, without_quotes};

/// Maximum length of a quoted order, in characters.
const SHORTEST: usize = 80;
/// Prefix of a short answer by which the user agrees to what the agent asked.
const AGREED: &str = "User answered ";

/// An order of a word or two that the agent acted on: “fix both”.
pub(super) fn ordered(turn: &Turn<'_>, asked: &Asked, newness: i64) -> Option<Item> {
    let is_order = !asked.is_telling() && asked.meant.is_empty() && !asked.nods() && !asked.start.starts_with('/');
    let does = |act: &Act<'_>| !act.action.only_shows() || act.files().iter().any(|(op, _)| op.changes());
    let is_done = turn.acts.iter().any(does);
    let line = || format!("{ASKED}“{}”", without_quotes(&cut(&asked.start, SHORTEST)));
    (is_order && is_done && !asked.start.is_empty()).then(|| asked.item(line(), rank(newness, 0) + STORY))
}

/// A short agreement of the user, with what it agrees to. The newest one is the latest request.
pub(super) fn agreed(asked: &Asked, is_newest: bool, newness: i64) -> Option<Item> {
    let worth = if is_newest { rank(newness, 0) + STORY } else { rank(newness, 2) };
    let line = || format!("{AGREED}“{}”{}", without_quotes(&asked.start), asked.meant);
    (!asked.meant.is_empty()).then(|| asked.item(line(), worth))
}

#[cfg(test)]
mod tests {
    use super::super::accomplished::{NEWEST, steps_alone};
    use super::*;
    use crate::summary::builders::{agent, user};
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    #[test]
    fn the_newest_agreement_ranks_as_a_request() {
        let rank_of = |more: &[Message<'static>]| {
            let asks = agent("The lamp of the pier is dark. Shall I renew its wick?");
            let mut messages = vec![user("Look at the pier."), asks, user("Yes, please.")];
            messages.extend(more.to_vec());
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let items = steps_alone(&turns(&head, &[]));
            items.into_iter().find(|item| item.text.starts_with(AGREED)).map(|item| item.rank)
        };
        assert_eq!(rank_of(&[]), Some(NEWEST + STORY));
        let older = rank_of(&[agent("It burns."), user("Paint the quay in white.")]);
        assert!(older.is_some_and(|older| older < NEWEST / 2), "{older:?}");
    }
}
