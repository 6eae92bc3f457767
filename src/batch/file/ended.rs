//! What became of one file.

use crate::batch::digest::{Compressed, Digest, sizes};
use crate::batch::outputs::pending::Pending;
use crate::batch::outputs::rewrite::Written;
use crate::report::{BytesReport, PartReport};

/// The result for a file as a whole.
#[derive(Default)]
pub(in crate::batch) struct Ended {
    /// The input, if it was read to its end.
    pub(in crate::batch) before: Option<Digest>,
    /// The output, if it is in its final place.
    pub(in crate::batch) after: Option<Digest>,
    /// Sizes of input and output; zero if it failed.
    pub(in crate::batch) bytes: BytesReport,
    /// Whether it failed: there must be no output.
    pub(in crate::batch) failed: bool,
    /// The step that moves the output to its place, if that is deferred.
    pub(in crate::batch) pending: Option<Pending>,
    /// The part of the input that was processed, if not all.
    pub(in crate::batch) part: Option<PartReport>,
}

impl Ended {
    pub(in crate::batch) fn failed() -> Self {
        Self { failed: true, ..Self::default() }
    }

    pub(in crate::batch) fn done(before: Digest, zstd: Option<Compressed>, written: Written) -> Self {
        let bytes = sizes((&before, zstd), (&written.after, written.zstd));
        let after = written.published.then_some(written.after);
        Self { before: Some(before), after, bytes, failed: false, pending: written.pending, part: None }
    }
}
