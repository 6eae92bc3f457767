//! Collects the candidate lines of an extractive summary from the head: sentences of the user and the agent, and
//! calls with their outcomes.
//!
//! Nothing is invented: every line is a sentence of a message, or reports a call with its result.

mod calls;
mod files;
mod sections;
mod sentences;
mod session;
mod user;
mod words;

use super::items::Items;
use super::lost::Stubbed;
use crate::transcript::{Message, Spread, both};
use sections::since::{Session, fates};
use session::endings::Endings;
use user::asked::Asked;

pub use calls::act::FileOp;
pub use calls::args::stated_folder;
pub use calls::delegates::reports;
pub(super) use calls::frame_line::frame_line;
pub use calls::shell::words as shell_words;
pub(super) use files::folders::Folders;
pub use files::paths::is_scratch;
pub use files::root::Root;
pub(super) use files::root::unplaced;
pub(super) use sections::accomplished::BINDING;
pub(crate) use sections::accomplished::{ASKED, SAID};
pub(super) use sections::delivered::is_asked_for;
pub(super) use sections::files::{CHANGED, merge};
pub(crate) use sections::goal::CURRENT;
pub(super) use sections::instructions::LATER;
pub(super) use sections::runs::is_failure;
pub(super) use sections::since::{EarlierItem, ItemState, PAST, is_ahead, may_be_over};
pub(super) use sections::steps::{OPEN_STEP, more_of, with_more};
pub use sentences::hedged::trails_off;
pub use sentences::links::without_links;
pub use sentences::prose::sentences;
pub use sentences::rules::is_of_its_request;
pub use sentences::rules::{binds_nobody, is_firm};
pub(super) use sentences::rules::{instruction_strength, is_rule, weight};
pub use sentences::splitting::line_sentences;
pub use session::deeds::{Deed, DeedKind, calls_are_known, created_and_deleted, deeds, moved_to};
pub(super) use session::endings::Commands;
pub(super) use session::places::{Place, Places, places};
pub use user::asked::request_section;
pub use user::closing::only_closes;
pub use user::printed::shown;
pub(super) use user::referents::parted;
pub use user::requests::is_request;
pub use user::tags::own_words;

/// The candidate lines found in a head, and facts about the head that later steps need.
pub(super) struct Gathered {
    /// The candidate lines of all sections.
    pub(super) items: Items,
    /// The root folder, which is left out of shown paths.
    pub(super) root: Root,
    /// The base of the relative paths in calls.
    pub(super) folders: Folders,
    /// How the commands ended.
    pub(super) commands: Commands,
    /// For each item of `then` given to [`gather`], whether it still holds.
    pub(super) fates: Vec<ItemState>,
}

/// The kept messages after a head.
#[derive(Clone, Copy)]
pub(super) struct Behind<'b, 'a> {
    /// The messages, oldest first.
    pub(super) messages: &'b [&'b Message<'a>],
    /// Their results that become stubs or are shortened.
    pub(super) stubbed: &'b Stubbed<'b>,
}

/// Collects the candidate lines of a head.
///
/// - `asked`: kept requests, each with the number of head messages before it.
/// - `behind`: the kept messages after the head.
/// - `over`, `bytes`: the worker threads, and the size of the head; a large head is read in parallel.
/// - `fresh`: whether there is no earlier summary.
/// - `before`: files named by earlier summaries, each with the text about it.
/// - `then`: items of earlier summaries that may be obsolete.
pub(super) fn gather(
    (head, asked, behind): (&[&Message<'_>], &[(usize, &Message<'_>)], Behind<'_, '_>),
    (over, bytes): (&dyn Spread, usize),
    fresh: bool,
    (before, then): (&[(String, String)], &[EarlierItem]),
) -> Gathered {
    let mut turns = session::turns::turns_over(head, asked, over);
    let session = Session { head, asked, behind: behind.messages };
    let turns_behind = session::open::turns_behind((head, &mut turns), behind.messages, over);
    let lost = sections::lost::LostReport::of(&turns_behind, behind.stubbed, head.len());
    let (kept, behind): (Vec<_>, Vec<_>) = turns_behind.into_iter().map(|turn| (turn.asked, turn.acts)).unzip();
    let kept: Vec<Asked> = kept.into_iter().flatten().map(Asked::kept).collect();
    let behind: Vec<_> = behind.into_iter().flatten().collect();
    let fates = fates(&session, (&turns, &behind), then);
    let folders = session::history::folders_of(&turns);
    let files = || (sections::files::items(&turns, &folders, before), sections::goal::items(&turns, &kept));
    let (mut endings, ((files, root), goal)) = both((over, bytes), || Endings::of(&turns, &behind), files);
    endings.ran_again(&lost.ran);
    // After an earlier summary its goal stays the first one, and the head's goal becomes the current request.
    let replaced = if fresh { 0 } else { goal.len().saturating_sub(1) };
    let goals: Vec<Option<usize>> = goal[replaced..].iter().map(|item| item.origin).collect();
    let (accomplished, (instructions, discoveries)) = both(
        (over, bytes),
        || {
            sections::accomplished::items(
                (&turns, (&behind, session.behind), &lost.steps),
                (&root, &folders),
                (&goals, &endings),
            )
        },
        || {
            (
                sections::instructions::items(&turns, &goal[replaced..]),
                sections::discoveries::items(&turns, &endings, over),
            )
        },
    );
    let mut items = Items { instructions, goal, discoveries, accomplished, files, ..Items::default() };
    items.discoveries.extend(lost.findings);
    items.without_findings_told_as_steps();
    if fresh {
        items.without_requests_told_as_goal();
    }
    Gathered { items, root, folders, commands: endings.commands, fates }
}
