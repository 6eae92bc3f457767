//! Files of a folder.

use std::path::{Path, PathBuf};

/// All files below a folder, sorted, or the file itself.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}
