//! The samples of this repository.

use std::path::{Path, PathBuf};

/// The folder of all samples.
pub(crate) fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")
}
