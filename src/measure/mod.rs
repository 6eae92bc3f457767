//! Measures of a compaction, from texts alone: what the summary keeps of what was said before the cut, and whether what
//! it says is true (QUALITY §2).
//!
//! Pure functions over messages of the original and the text of the summary; gates and evaluation share them. Nothing
//! here knows a format, a policy or a threshold.

pub mod constraints;
mod context;
pub mod files;
mod harmless;
mod lines;
pub mod negation;
pub mod numbers;
pub mod quoted;
pub mod reversal;
mod source;
pub mod status;
pub mod support;
mod touched;
pub mod unrelated;

pub use harmless::{only_shows, only_shows_or_tests};
pub use lines::{Line, claims};
pub use source::Source;

use regex::Regex;

/// A share of a whole, as two counts, so that shares of many transcripts can be added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    /// How many are there.
    pub kept: usize,
    /// Of how many.
    pub of: usize,
}

impl Share {
    /// The share from 0 to 1; none of nothing.
    pub fn value(self) -> Option<f64> {
        (self.of > 0).then(|| self.kept as f64 / self.of as f64)
    }
}

/// A pattern that is a constant.
#[expect(clippy::unwrap_used, reason = "the patterns are constants")]
pub(crate) fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}
