//! Finds the lines of a summary in the head itself: sentences of the user and the agent, calls and their outcomes.
//!
//! Nothing is invented: every line is a sentence that stands in a message, or says what a call and its result say.

mod accomplished;
mod act;
mod args;
mod command;
mod cues;
mod deeds;
mod discoveries;
mod files;
mod goal;
mod instructions;
mod outcome;
mod paths;
mod phrases;
mod places;
mod prose;
mod turns;
mod words;

use super::items::Items;
use crate::transcript::Message;

pub(super) use accomplished::{ASKED, OPEN_STEP};
pub(super) use cues::{instruction_strength, is_rule};
pub use deeds::{Deed, DeedKind, deeds};
pub(super) use files::CHANGED;
pub(super) use goal::CURRENT;
pub(super) use paths::{Root, merge};
pub(super) use places::{Place, places};
pub use prose::sentences;
pub use turns::own_words;

/// The candidates of all sources in the head, and the folder that its paths are below.
pub(super) fn gather(head: &[&Message<'_>]) -> (Items, Root) {
    let turns = turns::turns(head);
    let (files, root) = files::items(&turns);
    let mut items = Items {
        goal: goal::items(&turns),
        instructions: instructions::items(&turns),
        discoveries: discoveries::items(&turns),
        accomplished: accomplished::items(&turns, &root),
        files,
    };
    items.without_findings_told_as_steps();
    (items, root)
}
