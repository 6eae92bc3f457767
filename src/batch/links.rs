//! Links that lead nowhere, or back to where they stand.

use super::write::folder_of;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Whether a walk met a link that leads back or to nothing.
pub(super) fn is_of_link(err: &walkdir::Error) -> bool {
    err.loop_ancestor().is_some() || err.io_error().is_some_and(|err| err.kind() == io::ErrorKind::NotFound)
}

/// The folder above a link that it leads back to.
pub(super) fn leads_back(link: &Path) -> Option<PathBuf> {
    fs::symlink_metadata(link).ok().filter(fs::Metadata::is_symlink)?;
    let target = link.canonicalize().ok()?;
    folder_of(link).canonicalize().ok()?.starts_with(&target).then_some(target)
}
