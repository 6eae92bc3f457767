//! Settings that differ by file.

use super::BatchError;
use super::filter::{matches, pattern};
use crate::preset::Settings;
use crate::summary::Template;
use glob::Pattern;
use std::path::Path;

/// Settings for the files that a glob matches.
#[derive(Debug, Clone)]
pub struct Override {
    pattern: Pattern,
    pub(super) settings: Settings,
    pub(super) template: Template,
}

impl Override {
    /// Settings for files that match a glob, as `--include` does.
    ///
    /// # Errors
    /// The glob is malformed.
    pub fn new(glob: &str, settings: Settings, template: Template) -> Result<Self, BatchError> {
        Ok(Self { pattern: pattern(glob)?, settings, template })
    }

    /// Whether it is for the file at this path in the output tree.
    pub(super) fn covers(&self, relative: &Path) -> bool {
        matches(&self.pattern, relative)
    }
}
