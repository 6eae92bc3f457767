//! Collects the candidate lines and the names of a summary from the head and earlier summaries.

use super::Request;
use super::extractive::{Commands, Earlier, Gathered, Places, Root, Session, gather, places};
use super::head::Head;
use super::items::{Item, Items};
use super::prior::{merge_all, read_all};
use super::text::fold;

/// Rank of a note: above every discovery.
const NOTE: i64 = 1_000_000;

/// What was found in the head and in earlier summaries.
pub(super) struct Found {
    /// Candidate lines from all sources.
    pub(super) items: Items,
    /// The folder that their relative paths are below.
    pub(super) root: Root,
    /// For each part of the head, the place (file or command) that its names are listed under.
    pub(super) places: Places,
    /// How the commands of the head ended.
    pub(super) commands: Commands,
    /// Whether earlier summaries added lines.
    pub(super) merged: bool,
}

/// Finds the items of the head and merges in those of earlier summaries (in the default template).
pub(super) fn found(request: &Request<'_, '_>, Head { messages, spreading }: Head<'_, '_>, prior: &[String]) -> Found {
    let Request { head, asked, notes, prior_positions, .. } = request;
    let session = Session { head, asked, behind: request.behind() };
    let mut before = read_all(prior);
    let then = before.then(prior_positions);
    let earlier = (!prior.is_empty()).then(|| Earlier { files: before.files(), items: &then });
    let Gathered { mut items, root, folders, commands, fates } =
        gather(&session, &request.stubbed(), earlier, spreading);
    before.end(&fates);
    let merged = merge_all(&mut items, &root, before);
    items.discoveries.extend(notes.iter().map(|note| Item::carried(fold(note), NOTE)));
    let over = spreading.over;
    let (unlike, places) = spreading.both(|| items.unlike(over), || places(messages, &folders, over));
    items.keep(unlike);
    Found { items, root, places, commands, merged }
}
