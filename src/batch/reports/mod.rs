//! The report files of a run: `report.json` and `report.jsonl` in one folder, each replaced atomically.

pub(super) mod record;
pub(super) mod sums;

use super::inputs::discover::Found;
use super::inputs::source::glance;
use super::journal;
use super::outputs::placement::{check_reports, own_folder};
use super::outputs::write::{probe, write_whole};
use super::run::RunResult;
use super::{Batch, BatchError, Target};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Name of the report with settings and totals.
pub(crate) const REPORT: &str = "report.json";
/// Name of the report with one line per transcript.
pub(crate) const LINES: &str = "report.jsonl";

/// The second key of a `report.json`, behind the version of its shape.
pub(super) const SECOND: &str = "epitome";
/// The second key of a line of `report.jsonl`.
pub(super) const SECOND_OF_LINE: &str = "path";
/// Number of bytes in which a report shows that it is one.
const START: u64 = 200;

/// The beginning of a file that may be a report, without white space.
pub(super) fn report_start(path: &Path) -> io::Result<String> {
    let mut start = glance(path, START)?;
    start.retain(|byte| !byte.is_ascii_whitespace());
    Ok(String::from_utf8_lossy(&start).into_owned())
}

/// Whether a file with this beginning is one of our reports: the version of its shape comes first, then `second`.
pub(super) fn is_report_start(start: &str, second: &str) -> bool {
    let behind =
        start.strip_prefix("{\"schema_version\":").map(|rest| rest.trim_start_matches(|it: char| it.is_ascii_digit()));
    behind.is_some_and(|rest| rest.starts_with(&format!(",\"{second}\":")))
}

/// The folder for reports, checked to be writable; `None` if the run writes none.
pub(super) fn folder(batch: &Batch, found: &Found) -> Result<Option<PathBuf>, BatchError> {
    let folder = match (&batch.report_dir, &batch.target) {
        (Some(folder), _) => Some(batch.shard.map_or_else(|| folder.clone(), |shard| folder.join(shard.name()))),
        (None, Target::Dir(folder)) => Some(own_folder(folder, batch.shard)),
        (None, Target::InPlace) => root(found).map(|root| own_folder(root, batch.shard)),
        (None, Target::File(_) | Target::Stdout | Target::DryRun { .. }) => None,
    };
    if let Some(folder) = &folder {
        check_reports(folder, found, batch.force)?;
        probe(folder).map_err(BatchError::io("writing reports", folder))?;
    }
    Ok(folder)
}

/// Locks the root against a second run in place; other runs hold the lock of their journal.
pub(super) fn lock(batch: &Batch, found: &Found) -> Result<Option<File>, BatchError> {
    let root = root(found).filter(|_| batch.target == Target::InPlace);
    root.map(|root| journal::lock(&own_folder(root, batch.shard))).transpose()
}

/// Writes both reports.
pub(super) fn write(batch: &Batch, result: &RunResult, folder: &Path) -> Result<(), BatchError> {
    let (json, jsonl) = (folder.join(REPORT), folder.join(LINES));
    write_whole(&jsonl, |out| result.write_lines(out)).map_err(BatchError::io("writing", &jsonl))?;
    write_whole(&json, |out| result.report(batch).write(out)).map_err(BatchError::io("writing", &json))
}

/// The first folder on the command line, or the folder of the first file.
fn root(found: &Found) -> Option<&PathBuf> {
    found.folders.first().or(found.inputs.first().map(|input| &input.root))
}
