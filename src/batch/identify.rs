//! Walks for commands that write nothing, or write elsewhere: which files there are, and what each is.

use super::discover::{Found, STDIN, Search};
use super::filter::{Filter, Filters};
use super::packing::Packing;
use super::source::beginning;
use super::{BatchError, Work};
use crate::format::{Detected, detect};
use crate::report::Outcome;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file, and what it is or why that can't be told.
pub type Identified = (PathBuf, Result<Detected, String>);

/// The format of every file under `inputs`, in the order of their paths.
///
/// # Errors
/// An input does not exist, or can't be told.
pub fn identify(inputs: &[PathBuf]) -> Result<Vec<Identified>, BatchError> {
    let found = search(inputs, false)?;
    let problems = found.problems.into_iter().map(|problem| (problem.path, Err(problem.error)));
    let mut all: Vec<_> = found
        .inputs
        .into_iter()
        .map(|input| {
            let detected =
                of_any(&input.path).map_err(|err| err.to_string()).and_then(|(bytes, whole)| detect(&bytes, whole));
            (input.path, detected)
        })
        .chain(problems)
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(all)
}

/// An output, and the place that its input goes to; or what can't be looked into, and why.
pub type Restorable = Result<(PathBuf, PathBuf), String>;

/// Every output under `outputs` with the place that its input goes to: in `into`, or over the output itself. A link stays
/// one: what it leads to is what a run in place wrote.
///
/// # Errors
/// An output does not exist, or can't be told.
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
    // What another run left, and what is no file, has no way back that could fail.
    let problems =
        found.problems.into_iter().filter(|it| it.reason == "dangling_link" || it.outcome == Outcome::Failed);
    let problems = problems.map(|it| Err(format!("{}: {}", it.relative.display(), it.error)));
    Ok(files.chain(problems).collect())
}

/// All files but our own; `mirrored` says that each gets a place below one folder.
fn search(inputs: &[PathBuf], mirrored: bool) -> Result<Found, BatchError> {
    let filter = Filter::new(&Filters::default(), SystemTime::UNIX_EPOCH)?;
    Search { inputs, list: None, filter: &filter, never: &[], mirrored }.run()
}

/// Whether a file is what some work takes for a transcript; one that can't be read may be.
pub(super) fn is_transcript(path: &Path, work: &dyn Work) -> bool {
    let Ok((bytes, whole)) = sample(path) else { return true };
    work.detect(&bytes, whole).is_ok_and(|found| found.format.is_some())
}

/// The beginning of a file or of standard input.
fn of_any(path: &Path) -> io::Result<(Vec<u8>, bool)> {
    if path.as_os_str() == STDIN { decoded(io::stdin()) } else { sample(path) }
}

/// The beginning of a file, decoded, and whether that is all of it.
fn sample(path: &Path) -> io::Result<(Vec<u8>, bool)> {
    decoded(File::open(path)?)
}

fn decoded(raw: impl Read + Send) -> io::Result<(Vec<u8>, bool)> {
    let mut file = BufReader::new(raw);
    match Packing::peek(&mut file)? {
        Some(packing) => beginning(&mut packing.decoder(file)?, 0),
        None => beginning(&mut file, 0),
    }
}
