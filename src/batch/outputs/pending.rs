//! The last steps for a written output: it is moved to its place once it is safely on disk.

use super::in_place::Guard;
use super::write::{Replacement, Settled};
use crate::batch::digest::Digest;
use crate::batch::error::FileError;
use crate::batch::undo::Draft;
use std::fs::Metadata;

/// Conditions for moving an output to its place, and data to record then.
pub(in crate::batch) struct Ending {
    /// Path of the input in reports.
    pub(in crate::batch) path: String,
    /// Path of the output in its tree.
    pub(in crate::batch) output: String,
    /// Digest of the input.
    pub(in crate::batch) before: Digest,
    /// Permissions and times of the input.
    pub(in crate::batch) meta: Option<Metadata>,
    /// In place: the state of the input that must not have changed.
    pub(in crate::batch) guard: Option<Guard>,
    /// Whether an output equal to its input is written.
    pub(in crate::batch) unchanged_too: bool,
}

impl Ending {
    /// Completes the record in the undo store.
    pub(in crate::batch) fn commit(&self, undo: Option<Draft>, after: &Digest) -> Result<(), FileError> {
        let paths = (&*self.path, &*self.output);
        let commit = |undo: Draft| undo.commit(paths, self.before.clone(), after.clone());
        undo.map_or(Ok(()), commit).map_err(FileError::Undo)
    }
}

/// A written output that is not yet safe on disk. If dropped before [`Pending::publish`], it leaves nothing behind.
pub(in crate::batch) struct Pending {
    pub(in crate::batch) file: Replacement,
    pub(in crate::batch) undo: Option<Draft>,
    pub(super) ending: Ending,
    pub(in crate::batch) after: Digest,
}

impl Pending {
    /// Moves the output to its place: syncs it, then the undo store, then checks the input again.
    pub(in crate::batch) fn publish(self) -> Result<(), FileError> {
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
