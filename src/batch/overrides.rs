//! Settings that differ by file.

use super::BatchError;
use super::filter::{matches, pattern};
use glob::Pattern;
use std::path::Path;

/// What holds for the files that a glob matches: of several the first that covers a file counts.
#[derive(Debug, Clone)]
pub struct Override<T> {
    pattern: Pattern,
    own: T,
}

impl<T> Override<T> {
    /// What is for files that match a glob, as `--include` does.
    ///
    /// # Errors
    /// The glob is malformed.
    pub fn new(glob: &str, own: T) -> Result<Self, BatchError> {
        Ok(Self { pattern: pattern(glob)?, own })
    }

    /// What is for the file at this path in the output tree.
    pub(crate) fn of<'o>(all: &'o [Self], relative: &Path) -> Option<&'o T> {
        all.iter().find(|one| matches(&one.pattern, relative)).map(Self::own)
    }

    pub(crate) fn own(&self) -> &T {
        &self.own
    }

    /// The same for other things that hang on it.
    pub(crate) fn map<U>(&self, of: impl FnOnce(&T) -> U) -> Override<U> {
        Override { pattern: self.pattern.clone(), own: of(&self.own) }
    }
}
