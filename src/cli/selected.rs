//! Which files a run takes, on how many threads, and which share of them.

use super::args::SelectionArgs;
use crate::batch::{Batch, Filters, Target};
use std::path::PathBuf;
use std::time::SystemTime;

/// A run over what was selected.
pub(super) fn batch(inputs: &[PathBuf], target: Target, selection: &SelectionArgs) -> Batch {
    let mut batch = Batch::new(inputs.to_vec(), target, SystemTime::now());
    batch.filters = filters(selection);
    batch.threads = selection.threads;
    batch.shard = selection.shard;
    batch
}

/// Which files of folders, globs and lists are taken.
pub(super) fn filters(selection: &SelectionArgs) -> Filters {
    Filters {
        include: selection.include.clone(),
        exclude: selection.exclude.clone(),
        older_than: selection.older_than,
        larger_than: selection.larger_than,
        files_from: selection.files_from.clone(),
        null: selection.null,
    }
}
