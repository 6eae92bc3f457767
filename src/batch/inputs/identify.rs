//! Lists files and what they are, for commands that write nothing or write elsewhere.

use super::discover::{Found, Input, STDIN, Search};
use super::filter::{Filter, Filters};
use super::source::Source;
use crate::batch::{BatchError, FileError, Work};
use crate::format::{Detected, detect_given};
use crate::reason::Reason;
use crate::report::Outcome;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file, and what was found in it.
pub struct Identified {
    /// Path as typed or found.
    pub path: PathBuf,
    /// Its format, or why that could not be detected.
    pub found: Result<Detected, String>,
    /// Whether it counts as a failure: no format was found although the file was named, or it could not be read.
    pub failed: bool,
}

/// Detects the format of every file under `inputs`, ordered by path.
///
/// # Errors
/// The inputs can't be resolved to files, such as for a malformed glob.
pub fn identify(inputs: &[PathBuf]) -> Result<Vec<Identified>, BatchError> {
    let found = search(inputs, false)?;
    let problems = found.problems.into_iter().map(|problem| Identified {
        path: problem.path,
        found: Err(problem.error),
        failed: problem.outcome == Outcome::Failed,
    });
    let identified = |Input { path, named, .. }: Input| {
        let found = open(&path).and_then(|raw| Source::of(raw)?.detected(detect_given));
        let (found, failed) = match found {
            Ok(found) => {
                let failed = named && found.is_err();
                (found.map_err(|err| err.to_string()), failed)
            }
            Err(err) => (Err(err.to_string()), true),
        };
        Identified { path, found, failed }
    };
    let mut all: Vec<_> = found.inputs.into_iter().map(identified).chain(problems).collect();
    all.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(all)
}

/// An output and the path to restore its input to; or a path that can't be read, and why.
pub type Restorable = Result<(PathBuf, PathBuf), String>;

/// Lists every output under `outputs` with the path to restore its input to: in `into`, or the output itself. For a
/// symbolic link that is its target, which is what a run in place wrote.
///
/// # Errors
/// The outputs can't be resolved to files, such as for a malformed glob.
pub fn restorable(outputs: &[PathBuf], into: Option<&Path>) -> Result<Vec<Restorable>, BatchError> {
    let found = search(outputs, into.is_some())?;
    let one_file = outputs.len() == 1 && outputs.iter().all(|output| output.is_file());
    let target = |path: &Path, relative: &Path| match into {
        None if path.is_symlink() => path.canonicalize().unwrap_or_else(|_| path.to_owned()),
        None => path.to_owned(),
        Some(into) if one_file && !into.is_dir() => into.to_owned(),
        Some(into) => into.join(relative),
    };
    let files = found.inputs.into_iter().map(|input| Ok((input.path.clone(), target(&input.path, &input.relative))));
    // Files left by other runs and special files can't be restored in any case, so they are no errors.
    let problems =
        found.problems.into_iter().filter(|it| it.reason == Reason::DanglingLink || it.outcome == Outcome::Failed);
    let problems = problems.map(|it| Err(format!("{}: {}", it.relative.display(), it.error)));
    Ok(files.chain(problems).collect())
}

/// Finds all files except epitome's own; `mirrored`: each gets a path below one folder.
fn search(inputs: &[PathBuf], mirrored: bool) -> Result<Found, BatchError> {
    let filter = Filter::new(&Filters::default(), SystemTime::UNIX_EPOCH)?;
    Search { inputs, list: None, filter: &filter, never: &[], mirrored }.run()
}

/// Whether a work takes a file for a transcript; true for one that can't be read.
pub(in crate::batch) fn is_transcript(path: &Path, work: &dyn Work) -> bool {
    let found = open(path).and_then(|raw| Source::of(raw)?.detected(|bytes, given| work.detect(bytes, given)));
    found.map_or(true, |found| found.is_ok_and(|found| found.format.is_some()))
}

/// Whether a file is detected as a transcript, even if a format is stated for all files; false for an empty one, and for
/// one that can't be read.
pub(crate) fn is_detected(path: &Path) -> bool {
    let Ok(source) = open(path).and_then(Source::of) else { return false };
    let blank = source.given.is_whole() && source.is_blank();
    !blank && matches!(detect_given(&source.sample, source.given), Ok(Detected { format: Some(_), .. }))
}

/// Opens a file or standard input.
fn open(path: &Path) -> Result<Box<dyn Read + Send>, FileError> {
    if path.as_os_str() == STDIN {
        return Ok(Box::new(io::stdin()));
    }
    Ok(Box::new(File::open(path).map_err(FileError::Read)?))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_transcript_fails_only_if_it_was_named() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let notes = write("README.md", "How to moor.\n");
        write("session.jsonl", "{\"role\":\"user\",\"content\":\"Moor.\"}\n");
        let found = |inputs: &[PathBuf]| -> Vec<_> {
            let all = identify(inputs).unwrap();
            all.iter().map(|one| (one.found.is_ok(), one.failed)).collect()
        };
        assert_eq!(found(&[folder.path().to_owned()]), [(false, false), (true, false)]);
        assert_eq!(found(&[notes]), [(false, true)]);
        let gone = folder.path().join("gone");
        assert_eq!(found(&[folder.path().join("session.jsonl"), gone.clone()]), [(false, true), (true, false)]);
        assert!(matches!(identify(&[gone]), Err(BatchError::NothingThere { .. })), "a slip, and not one file of many");
    }
}
