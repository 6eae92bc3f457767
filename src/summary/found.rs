//! Collects the candidate lines and the names of a summary from the head and earlier summaries.

use super::Request;
use super::extractive::{Behind, Commands, Gathered, Places, Root, gather, places};
use super::items::{Item, Items};
use super::prior::{merge_all, read_all};
use super::text::fold;
use crate::transcript::{Message, both};

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

/// Finds the items of the head and merges in those of earlier summaries (in the default template). `read` are the
/// messages read, with their size in bytes.
pub(super) fn found(request: &Request<'_, '_>, (read, bytes): (&[&Message<'_>], usize), prior: &[String]) -> Found {
    let Request { head, asked, notes, spread, prior_positions, .. } = request;
    let behind = Behind { messages: request.behind(), stubbed: &request.stubbed() };
    let (fresh, mut before) = (prior.is_empty(), read_all(prior));
    let then = before.then(prior_positions);
    let Gathered { mut items, root, folders, commands, fates } =
        gather((head, asked, behind), (*spread, bytes), fresh, (before.files(), &then));
    before.end(&fates);
    let merged = merge_all(&mut items, &root, before);
    items.discoveries.extend(notes.iter().map(|note| Item::carried(fold(note), NOTE)));
    let (unlike, places) = both((*spread, bytes), || items.unlike(*spread), || places(read, &folders, *spread));
    items.keep(unlike);
    Found { items, root, places, commands, merged }
}
