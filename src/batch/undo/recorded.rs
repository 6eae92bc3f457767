//! Identifies a file for which an undo store has no record: a continued output, the input, or something else.

use super::restore::headers;
use super::{Header, RECORDS};
use crate::batch::digest::{Digest, Gauge};
use crate::batch::error::RestoreError;
use crate::batch::reports::record::report_path;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The outputs recorded in a store, by path.
#[derive(Debug, Default)]
pub struct Recorded(BTreeMap<String, Known>);

/// All recorded inputs and outputs of one path.
type Known = Vec<Pair>;

/// An input and its output, each with size and hash.
#[derive(Debug)]
struct Pair {
    input: (u64, String),
    output: (u64, String),
}

/// Kinds of files whose present content the store does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unrecorded {
    /// The store has no record of this path.
    Unknown,
    /// The recorded input of this path, possibly continued.
    Input,
    /// The recorded output of this path with this digest, continued: the session went on.
    WentOn(Digest),
    /// Neither a recorded input nor a recorded output.
    Changed,
}

impl Recorded {
    /// Reads the headers of all records in a store.
    ///
    /// # Errors
    /// A record can't be read.
    pub fn of(store: &Path) -> Result<Self, RestoreError> {
        let folder = store.join(RECORDS);
        let outputs = match fs::read_dir(&folder) {
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            outputs => outputs.map_err(RestoreError::io("reading", &folder))?,
        };
        let mut all: BTreeMap<String, Known> = BTreeMap::new();
        for found in outputs {
            let found = found.map_err(RestoreError::io("reading", &folder))?.path();
            for Header { path, input, output, .. } in headers(&found)? {
                let pair = Pair { input: (input.size, input.sha256), output: (output.size, output.sha256) };
                all.entry(path).or_default().push(pair);
            }
        }
        Ok(Self(all))
    }

    /// Identifies a file at the path of an output.
    ///
    /// # Errors
    /// The file can't be read.
    pub fn tell(&self, output: &Path) -> Result<Unrecorded, RestoreError> {
        let known = ends(output).into_iter().find_map(|end| self.0.get(&end));
        let Some(known) = known else { return Ok(Unrecorded::Unknown) };
        let sizes = known.iter().flat_map(|pair| [pair.input.0, pair.output.0]).collect();
        let begun = beginnings(output, &sizes).map_err(RestoreError::io("reading", output))?;
        let length = output.metadata().map_err(RestoreError::io("reading", output))?.len();
        // After several runs, the input of the last one can be the continued output of an earlier one. But an input
        // that begins with its own output is not a continuation of it.
        let is_input = |pair: &Pair| begun.contains(&pair.input) && pair.input.0 >= pair.output.0;
        let goes_on = |pair: &&Pair| begun.contains(&pair.output) && pair.output.0 < length && !is_input(pair);
        let went_on = known.iter().filter(goes_on).map(|pair| &pair.output).max();
        Ok(match went_on {
            Some((size, sha256)) => Unrecorded::WentOn(Digest { size: *size, sha256: sha256.clone() }),
            None if known.iter().any(|pair| begun.contains(&pair.input)) => Unrecorded::Input,
            None => Unrecorded::Changed,
        })
    }
}

/// The paths that a file may have in its output tree, as written in reports, longest first.
pub(in crate::batch) fn ends(file: &Path) -> Vec<String> {
    let place = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let parts: Vec<_> = place.components().collect();
    (0..parts.len()).map(|from| report_path(&parts[from..].iter().collect::<PathBuf>())).collect()
}

/// Size and hash of the beginnings of a file that have one of these sizes and are the whole file or end with a line.
fn beginnings(file: &Path, sizes: &BTreeSet<u64>) -> io::Result<BTreeSet<(u64, String)>> {
    let mut source = File::open(file)?;
    let length = source.metadata()?.len();
    let mut found = BTreeSet::new();
    let mut gauge = Gauge::new(false);
    for size in sizes.iter().filter(|size| (1..=length).contains(*size)) {
        io::copy(&mut source.by_ref().take(size - gauge.so_far().size), &mut gauge)?;
        found.insert((*size, gauge.so_far().sha256));
    }
    found.retain(|(size, _)| *size == length || ends_line(&mut source, *size).unwrap_or(false));
    Ok(found)
}

/// Whether a line ends at this byte offset.
fn ends_line(source: &mut File, at: u64) -> io::Result<bool> {
    let mut around = [0; 2];
    source.seek(SeekFrom::Start(at - 1))?;
    source.read_exact(&mut around)?;
    Ok(around.contains(&b'\n'))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::batch::undo::restore::{restore_from, tests::store_edit};
    use crate::transcript::{Patch, PatchKind};

    fn patch(span: std::ops::Range<usize>, with: &str) -> Patch {
        Patch { span, with: with.into(), kind: PatchKind::Stub }
    }

    #[test]
    fn a_session_that_went_on_is_given_back_with_what_came_since() {
        let dir = tempfile::tempdir().unwrap();
        let store = dir.path().join("store");
        let output = store_edit(dir.path(), "x", b"long\nb\n", &[patch(0..4, "l")]);
        let was = |content: &[u8]| {
            fs::write(&output, content).unwrap();
            Recorded::of(&store).unwrap().tell(&output).unwrap()
        };
        assert_eq!(was(b"l\nb!\n"), Unrecorded::Changed);
        assert_eq!(was(b"l\nb\nmore"), Unrecorded::WentOn(crate::batch::digest::digest(&b"l\nb\n"[..]).unwrap()));
        let Unrecorded::WentOn(found) = was(b"l\nb\nmore\n") else { unreachable!() };
        let done = restore_from(&output, &found, &store, &output).unwrap();
        assert_eq!((done.before, done.after, done.since), (4, 7, 5));
        assert_eq!(fs::read(&output).unwrap(), b"long\nb\nmore\n");
        assert_eq!(was(b"long\nb\nmore\n"), Unrecorded::Input);
        assert_eq!(was(b"long\nb\n"), Unrecorded::Input);
        let output = store_edit(dir.path(), "y", b"a\ntorn", &[patch(2..6, "")]);
        fs::write(&output, b"a\ntorn").unwrap();
        assert_eq!(
            Recorded::of(&store).unwrap().tell(&output).unwrap(),
            Unrecorded::Input,
            "its output is its beginning"
        );
    }

    #[test]
    fn what_may_build_on_words_of_the_run_is_not_taken_apart() {
        let dir = tempfile::tempdir().unwrap();
        let store = dir.path().join("store");
        let output = store_edit(dir.path(), "x", b"a\n", &[patch(2..2, "summary\n")]);
        fs::write(&output, b"a\nsummary\nmore\n").unwrap();
        let Unrecorded::WentOn(found) = Recorded::of(&store).unwrap().tell(&output).unwrap() else { unreachable!() };
        let err = restore_from(&output, &found, &store, &output).unwrap_err().to_string();
        assert!(err.contains("head -c 10"), "{err}");
        assert_eq!(fs::read(&output).unwrap(), b"a\nsummary\nmore\n");
    }
}
