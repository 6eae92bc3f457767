//! Measures of a compaction, computed from texts alone: what the summary keeps of the text before the cut, and whether
//! it is true (QUALITY §2).
//!
//! Pure functions over messages of the original and the text of the summary, shared by gates and evaluation. They are
//! independent of formats, policies and thresholds.

mod amounts;
mod bare;
mod braces;
mod built;
mod clock;
pub mod constraints;
mod context;
mod counted;
pub mod cut_ids;
mod dates;
mod dense;
mod digits;
mod escapes;
pub mod files;
mod folders;
mod harmless;
mod lines;
mod listed;
mod listing;
pub mod lost_negations;
mod measured;
mod months;
pub mod named;
pub mod negation;
pub mod numbers;
mod ordinals;
mod outcomes;
pub mod quoted;
pub mod renumbered;
pub mod reversal;
mod sized;
mod source;
mod spelled;
pub mod spent;
pub mod status;
mod stories;
pub mod support;
pub mod swapped;
pub mod tested;
mod touched;
mod typos;
mod units;
pub mod unrelated;
mod whole_text;

pub(crate) use crate::facts::pattern;
pub use bare::{BARE, bare_file, unknown_files};
pub use built::is_build;
pub use digits::misnumbered;
pub use folders::slashed;
pub use harmless::{only_shows, only_shows_or_tests};
pub use lines::{Line, claims};
pub use measured::{absent, unmeasured};
pub(crate) use quoted::words_of;
pub use source::SourceText;

/// With fewer sessions, a mean only informs (QUALITY §5).
pub const LEAST_SESSIONS: usize = 10;

/// A share of a whole, as two counts, so that shares of many transcripts can be added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    /// Number of items that are there.
    pub kept: usize,
    /// Number of items in all.
    pub of: usize,
}

impl Share {
    /// The share, from 0 to 1; `None` if there are no items.
    pub fn value(self) -> Option<f64> {
        (self.of > 0).then(|| self.kept as f64 / self.of as f64)
    }
}
