//! Symbolic links that lead nowhere, or back to a folder above them.

use crate::batch::outputs::write::folder_of;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Whether an error of a walk is about a symbolic link that leads back or nowhere.
pub(super) fn is_of_link(err: &walkdir::Error) -> bool {
    err.loop_ancestor().is_some() || err.io_error().is_some_and(|err| err.kind() == io::ErrorKind::NotFound)
}

/// The folder above a symbolic link that it leads back to.
pub(super) fn leads_back(link: &Path) -> Option<PathBuf> {
    fs::symlink_metadata(link).ok().filter(fs::Metadata::is_symlink)?;
    let target = link.canonicalize().ok()?;
    folder_of(link).canonicalize().ok()?.starts_with(&target).then_some(target)
}
