//! A compaction after it was rendered, and after it was checked.

use super::seen::Seen;
use crate::transcript::{EditScript, Patch};

/// A compaction that was rendered.
pub(super) struct Rewritten<'r, 's> {
    /// What it does to the transcript.
    pub(super) script: &'r EditScript,
    /// The rendered text.
    pub(super) output: &'s [u8],
    /// The changes that make it of the source.
    pub(super) patches: Vec<Patch>,
}

/// A compaction that was rendered and checked.
pub(super) struct Checked<'s> {
    /// The changes that make it of the source.
    pub(super) patches: Vec<Patch>,
    /// What was seen in its text.
    pub(super) after: Seen<'s>,
}
