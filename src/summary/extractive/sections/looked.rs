//! What the commands of the last turn with calls only looked at: told where the head has no other step, since an agent
//! that says nothing and changes nothing has still found its way.

use super::LONGEST_LINE;
use super::accomplished::rank;
use super::runs::{PLAIN, named};
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::calls::output::{output, own_lines};
use crate::summary::extractive::calls::quiet::is_quiet;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::items::Item;
use crate::summary::text::{cut, fold};
use foldhash::HashSet;

/// Maximum number of commands: the last ones.
const MOST: usize = 6;
/// Maximum number of lines of an output that is told, and its maximum length, in characters.
const LINES: usize = 8;
const PRINTED: usize = 160;

/// The lines for the commands that only looked and worked, oldest first.
pub(super) fn items(turn: &Turn<'_>, newness: i64) -> Vec<Item> {
    let mut told = HashSet::default();
    let newest = turn.acts.iter().rev().filter_map(|act| line(act, newness));
    let mut items: Vec<Item> = newest.filter(|item| told.insert(item.text.clone())).take(MOST).collect();
    items.reverse();
    items
}

fn line(act: &Act<'_>, newness: i64) -> Option<Item> {
    let Action::Run(command) = &act.action else { return None };
    let shown = command.shown();
    let ending = if act.outcome == CallOutcome::Ended { "" } else { ": ok" };
    let printed = || short_output(act).map_or_else(String::new, |all| format!(", printed “{all}”"));
    let text = || cut(&format!("Ran {}{ending}{}", named(shown, act), printed()), LONGEST_LINE).into_owned();
    let looks = act.outcome.worked() && !act.by_user && is_quiet(shown);
    looks.then(|| Item::new(text(), act.message, rank(newness, PLAIN)))
}

/// What a command printed, if that is short: nothing was changed since.
fn short_output(act: &Act<'_>) -> Option<String> {
    let output = output(act.result);
    let lines: Vec<&str> = own_lines(&output).take(LINES + 1).collect();
    let all = lines.join("; ");
    let is_short = (1..=LINES).contains(&lines.len()) && all.chars().count() <= PRINTED;
    (is_short && !all.contains(['`', '“', '”'])).then(|| fold(&all))
}
