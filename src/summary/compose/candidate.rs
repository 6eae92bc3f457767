//! The lines of a section that are left, by their worth.

use std::cmp::{Ordering, Reverse};

/// A line that is left, and what it was worth when it was looked at last.
pub(super) struct Candidate {
    /// Points of facts for its length.
    pub(super) value: f64,
    /// Of lines of the same value the first one counts.
    pub(super) before: Reverse<usize>,
    /// Its index.
    pub(super) at: usize,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.total_cmp(&other.value).then(self.before.cmp(&other.before))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}
