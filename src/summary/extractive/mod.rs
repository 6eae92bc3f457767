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
use super::stubbed::Stubbed;
use crate::transcript::Spreading;
use files::Bases;
use sections::accomplished::Story;
use sections::since::fates;
use sections::steps::Behind;
use session::endings::Endings;
use user::asked::Asked;

pub use calls::act::FileOp;
pub use calls::args::stated_folder;
pub use calls::delegates::reports;
pub(super) use calls::frame_line::frame_line;
pub use calls::shell::words as shell_words;
pub(super) use files::folders::Folders;
pub use files::paths::{is_prose, is_scratch};
pub use files::root::Root;
pub(super) use files::root::unplaced;
pub(super) use sections::accomplished::BINDING;
pub(crate) use sections::accomplished::{ASKED, SAID};
pub(super) use sections::ahead::{PAST, is_ahead};
pub(super) use sections::delivered::is_asked_for;
pub(super) use sections::earlier::{Earlier, EarlierItem, ItemState};
pub(super) use sections::files::{CHANGED, merge};
pub(crate) use sections::goal::CURRENT;
pub(super) use sections::instructions::LATER;
pub(super) use sections::runs::is_failure;
pub(super) use sections::since::{Session, may_be_over};
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
pub use user::closing::only_closes;
pub use user::parts::request_section;
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
    /// For each item of earlier summaries given to [`gather`], whether it still holds.
    pub(super) fates: Vec<ItemState>,
}

/// Collects the candidate lines of a head; a large one is read in parallel.
///
/// - `stubbed`: the results behind the head that become stubs or are shortened.
/// - `earlier`: what earlier summaries said; `None` if there is none.
pub(super) fn gather(
    session: &Session<'_, '_>,
    stubbed: &Stubbed<'_>,
    earlier: Option<Earlier<'_>>,
    spreading: Spreading<'_>,
) -> Gathered {
    let (over, head, fresh) = (spreading.over, session.head, earlier.is_none());
    let Earlier { files: before, items: then } = earlier.unwrap_or_default();
    let mut turns = session::turns::turns_over(head, session.asked, over);
    let turns_behind = session::open::turns_behind(head, &mut turns, session.behind, over);
    let lost = sections::behind_head::LostReport::of(&turns_behind, stubbed, head.len());
    let (kept, behind): (Vec<_>, Vec<_>) = turns_behind.into_iter().map(|turn| (turn.asked, turn.acts)).unzip();
    let kept: Vec<Asked> = kept.into_iter().flatten().map(Asked::kept).collect();
    let behind: Vec<_> = behind.into_iter().flatten().collect();
    let fates = fates(session, &turns, &behind, then);
    let folders = session::history::folders_of(&turns);
    let files = || (sections::files::items(&turns, &folders, before), sections::goal::items(&turns, &kept));
    let (mut endings, ((files, root), goal)) = spreading.both(|| Endings::of(&turns, &behind), files);
    endings.ran_again(&lost.ran);
    // After an earlier summary its goal stays the first one, and the head's goal becomes the current request.
    let replaced = if fresh { 0 } else { goal.len().saturating_sub(1) };
    let goals: Vec<Option<usize>> = goal[replaced..].iter().map(|item| item.origin).collect();
    let (accomplished, (instructions, discoveries)) = spreading.both(
        || {
            let bases = Bases { root: &root, folders: &folders };
            let story = Story { turns: &turns, goals: &goals, endings: &endings, bases };
            let behind = Behind { acts: &behind, messages: session.behind };
            sections::accomplished::items(&story, behind, &lost.steps)
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
