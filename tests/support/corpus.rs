//! Real transcripts, which are not in this repository.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Names the folder; without the prefix of the program's own variables, which it would look for among its settings.
const VARIABLE: &str = "TRANSCRIPT_CORPUS";

/// Returns the folder of real transcripts: the one that `TRANSCRIPT_CORPUS` names, which must be there, or the one
/// beside this repository, if it is there. It has a `MANIFEST.tsv`.
pub(crate) fn corpus() -> Option<PathBuf> {
    chosen(std::env::var_os(VARIABLE), &Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"))
}

/// Returns the named folder, or the one beside the repository if none is named.
pub(crate) fn chosen(named: Option<OsString>, beside: &Path) -> Option<PathBuf> {
    let is_there = |folder: &Path| folder.join("MANIFEST.tsv").is_file();
    let Some(named) = named.map(PathBuf::from) else { return is_there(beside).then(|| beside.to_owned()) };
    assert!(is_there(&named), "{VARIABLE}={}: no folder with a MANIFEST.tsv", named.display());
    Some(named)
}
