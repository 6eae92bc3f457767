//! The sections of a summary: each module converts turns to items: lines with a rank, by which they are chosen.
//!
//! - `goal`: the first and the current request; `instructions`: the user's rules; `repeated`: those said several times.
//! - `discoveries`: findings, decisions and errors; `between`: what the agent says between two look-ups; `returned`: what
//!   results of other calls say; `chosen`: which of several look-ups were of use; `matching`: the records in them that
//!   the user is about; `sources`: what searches and pages said; `titles`: what a request only names, by its title.
//! - `accomplished`: what was done, request by request. Its parts: `terse` (orders and agreements of a word),
//!   `answers` and `listed` (final answers, and lists that are one), `in_full` and `drafted` (answers told as they
//!   are, and texts written for the user), `counts` (numbers of passed tests), `changed` (changed files), `runs`
//!   (commands), `sweeps` (runs of one program with other results), `printed` (what they printed), `judged` (what the
//!   agent said of a failure), `looked` (commands that only look), `called` (other calls), `delivered` (commits and
//!   pushes), `steps` (open steps of plans), `reached` (those that were told to be done), `plans` (those that the
//!   user decided on).
//! - `ways`: ways that failed several times before another one worked.
//! - `mended`: which findings were mended since.
//! - `files`: the relevant files.
//! - `behind_head`: outcomes of calls after the head whose results become stubs.
//! - `earlier`: what earlier summaries said; `since`: which of it no longer holds; `acted`: the acts that ended it;
//!   `ahead`: which of it is open work.

pub(super) mod accomplished;
mod acted;
pub(super) mod ahead;
mod answers;
pub(super) mod behind_head;
mod between;
mod called;
mod changed;
mod chosen;
mod counts;
pub(super) mod delivered;
pub(super) mod discoveries;
mod drafted;
pub(super) mod earlier;
pub(super) mod files;
pub(super) mod goal;
mod in_full;
pub(super) mod instructions;
mod judged;
mod listed;
mod looked;
mod matching;
mod mended;
mod plans;
mod printed;
mod reached;
mod repeated;
mod returned;
pub(super) mod runs;
pub(super) mod since;
mod sources;
pub(super) mod steps;
mod sweeps;
mod terse;
mod titles;
mod ways;

/// Maximum length of a line of a section, in characters.
const LONGEST_LINE: usize = 240;

/// The line about a command with this result.
#[cfg(test)]
fn told_of_run(command: &str, result: &str) -> String {
    use crate::summary::builders::{act, user};
    let mut messages = vec![user("Look after the tide table.")];
    messages.extend(act("bash", &format!(r#"{{"command":"{command}"}}"#), result, false));
    told_of_runs(&messages)
}

/// The lines about the commands of a session's last turn.
#[cfg(test)]
fn told_of_runs(messages: &[crate::transcript::Message<'_>]) -> String {
    use super::session::{endings::Endings, turns::turns};
    let head: Vec<_> = messages.iter().collect();
    let turns = turns(&head, &[]);
    let last = turns.iter().enumerate().next_back();
    let items = last.map(|(place, turn)| runs::items(turn, place, &Endings::of(&turns, &[]), 0));
    items.into_iter().flatten().map(|item| item.text).collect()
}
