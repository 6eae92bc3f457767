//! Symbolic links that lead nowhere, to themselves, or back to a folder above them.

use crate::batch::outputs::write::folder_of;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Whether an error of a walk is about a symbolic link that leads back or nowhere.
pub(super) fn is_of_link(err: &walkdir::Error) -> bool {
    let leads_nowhere = || err.io_error().is_some_and(|err| err.kind() == io::ErrorKind::NotFound);
    err.loop_ancestor().is_some() || leads_nowhere() || err.path().is_some_and(leads_to_itself)
}

/// More links than this lead nowhere for the system either.
const LINKS: usize = 40;

/// Whether a symbolic link leads to itself, possibly through other links.
pub(super) fn leads_to_itself(link: &Path) -> bool {
    let mut at = link.to_owned();
    (0..LINKS).all(|_| {
        let target = fs::read_link(&at);
        target.is_ok_and(|target| {
            at = folder_of(&at).join(target);
            true
        })
    })
}

/// The folder above a symbolic link that it leads back to.
pub(super) fn leads_back(link: &Path) -> Option<PathBuf> {
    fs::symlink_metadata(link).ok().filter(fs::Metadata::is_symlink)?;
    let target = link.canonicalize().ok()?;
    folder_of(link).canonicalize().ok()?.starts_with(&target).then_some(target)
}
