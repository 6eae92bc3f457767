//! What is left to do for an output that is written: it takes its place once it is safe on disk.

use super::digest::Digest;
use super::error::FileError;
use super::in_place::Guard;
use super::undo::Draft;
use super::write::{Replacement, Settled};
use std::fs::Metadata;

/// What must hold, and what is noted, when an output takes its place.
pub(super) struct Ending {
    /// Path of the input in reports.
    pub(super) path: String,
    /// Path of the output in its tree.
    pub(super) output: String,
    /// The input.
    pub(super) before: Digest,
    /// The input's permissions and times.
    pub(super) meta: Option<Metadata>,
    /// In place: what must still be true of the input.
    pub(super) guard: Option<Guard>,
    /// Whether an output equal to its input is written too.
    pub(super) unchanged_too: bool,
}

impl Ending {
    /// Makes the undo store whole.
    pub(super) fn commit(&self, undo: Option<Draft>, after: &Digest) -> Result<(), FileError> {
        let paths = (&*self.path, &*self.output);
        let commit = |undo: Draft| undo.commit(paths, self.before.clone(), after.clone());
        undo.map_or(Ok(()), commit).map_err(FileError::Undo)
    }
}

/// A written output that waits for the disk. Dropped before [`Pending::publish`], it leaves nothing.
pub(super) struct Pending {
    pub(super) file: Replacement,
    pub(super) undo: Option<Draft>,
    pub(super) ending: Ending,
    pub(super) after: Digest,
}

impl Pending {
    /// Puts the output in its place: it is synced first, then the undo store, then the input is looked at again.
    pub(super) fn publish(self) -> Result<(), FileError> {
        let Self { file, undo, ending, after } = self;
        let settled = file.settle(ending.meta.as_ref()).map_err(FileError::Write)?;
        ending.commit(undo, &after)?;
        if let (Some(guard), Some(meta)) = (&ending.guard, &ending.meta) {
            settled.keep_owner(meta);
            guard.check()?;
        }
        let publish = if ending.guard.is_some() { Settled::publish } else { Settled::rename };
        publish(settled).map_err(FileError::Write)
    }
}
