//! Guards inputs that are replaced in place: nothing may write to them, now or while they are read.

use crate::batch::error::FileError;
use std::fs::{self, Metadata};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// The size and time of an input when it was opened.
#[derive(Clone)]
pub(in crate::batch) struct Guard {
    path: PathBuf,
    size: u64,
    modified: Option<SystemTime>,
}

impl Guard {
    pub(in crate::batch) fn new(path: PathBuf, meta: &Metadata) -> Self {
        Self { path, size: meta.len(), modified: meta.modified().ok() }
    }

    /// Checks again, right before the rename.
    pub(in crate::batch) fn check(&self) -> Result<(), FileError> {
        let now = fs::metadata(&self.path).map_err(FileError::Read)?;
        let same = now.len() == self.size && now.modified().ok() == self.modified;
        if same { Ok(()) } else { Err(FileError::Changed) }
    }
}

/// Whether the file was changed less than `min_age` ago, or has a time in the future.
pub(in crate::batch) fn is_too_young(meta: &Metadata, now: SystemTime, min_age: Duration) -> bool {
    let age = meta.modified().ok().and_then(|modified| now.duration_since(modified).ok());
    min_age > Duration::ZERO && age.is_none_or(|age| age < min_age)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changed_since_it_was_opened_is_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        fs::write(&path, "a").unwrap();
        let guard = Guard::new(path.clone(), &fs::metadata(&path).unwrap());
        assert!(guard.check().is_ok());
        fs::write(&path, "ab").unwrap();
        assert!(matches!(guard.check(), Err(FileError::Changed)));
    }

    #[test]
    fn a_young_file_and_one_from_the_future_are_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        fs::write(&path, "a").unwrap();
        let meta = fs::metadata(&path).unwrap();
        let (modified, minute) = (meta.modified().unwrap(), Duration::from_secs(60));
        assert!(is_too_young(&meta, modified + minute / 2, minute));
        assert!(is_too_young(&meta, modified - minute, minute));
        assert!(!is_too_young(&meta, modified + minute, minute));
        assert!(!is_too_young(&meta, modified - minute, Duration::ZERO));
    }
}
