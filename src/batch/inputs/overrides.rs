//! Settings that differ by file.

use super::filter::{matches, pattern};
use crate::batch::BatchError;
use glob::Pattern;
use std::path::Path;

/// A value for the files that match a glob. If several match a file, the first counts.
#[derive(Debug, Clone)]
pub struct Override<T> {
    pattern: Pattern,
    own: T,
}

impl<T> Override<T> {
    /// Creates an override for the files that match a glob, with the same rules as `--include`.
    ///
    /// # Errors
    /// The glob is malformed.
    pub fn new(glob: &str, own: T) -> Result<Self, BatchError> {
        Ok(Self { pattern: pattern(glob)?, own })
    }

    /// The value for the file at this path in the output tree.
    pub(crate) fn value_for<'o>(all: &'o [Self], relative: &Path) -> Option<&'o T> {
        all.iter().find(|one| matches(&one.pattern, relative)).map(Self::own)
    }

    pub(crate) fn own(&self) -> &T {
        &self.own
    }

    /// An override for the same files with another value.
    pub(crate) fn map<U>(&self, of: impl FnOnce(&T) -> U) -> Override<U> {
        Override { pattern: self.pattern.clone(), own: of(&self.own) }
    }
}
