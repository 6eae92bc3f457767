//! Restores inputs: an output and its undo store give the input byte for byte; on an error nothing is written.

use super::recorded::ends;
use super::{Header, RECORDS, Step, Store, VERSION, undo_store_of};
use crate::batch::digest::{Digest, Gauge, digest};
use crate::batch::error::RestoreError;
use crate::batch::outputs::write::{Readers, Replacement, folder_of};
use crate::batch::reports::record::path_told;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// The result of a restore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// Path of the output in its tree.
    pub path: String,
    /// Path of the restored input.
    pub target: PathBuf,
    /// Size of the output in bytes.
    pub before: u64,
    /// Size of the input in bytes.
    pub after: u64,
    /// Number of bytes appended to the output since; they are appended to the input, too.
    pub since: u64,
}

/// Writes the input that `output` was made from to `target`, which may be `output` itself. If the target has the
/// output's name and the input had another because only the output is compressed, the input's name is used.
///
/// The record is found by the hash of the output. The result is checked against the recorded hash before it is renamed;
/// it gets the permissions and times of the output, and its owner if it replaces the output.
///
/// # Errors
/// The store has no record of this content, has several that fit equally well, or is damaged; or another file is at the
/// target. Nothing is written then.
pub fn restore(output: &Path, store: &Path, target: &Path) -> Result<Restored, RestoreError> {
    let found = File::open(output).and_then(digest).map_err(RestoreError::io("reading", output))?;
    restore_from(output, &found, store, target)
}

/// Restores an output that was continued since: its content `was` the present beginning, and what was appended to it is
/// appended to the input.
///
/// # Errors
/// As [`restore`]; also if the output ended with text of the run, since what follows may refer to it.
pub fn restore_from(output: &Path, was: &Digest, store: &Path, target: &Path) -> Result<Restored, RestoreError> {
    let meta = fs::metadata(output).map_err(RestoreError::io("reading", output))?;
    let record = choose(output, store, usable(output, store, &was.sha256)?)?;
    let named = own_name(output, target, record.header.source.as_deref());
    let over = is_over(output, target);
    let (target, moves) = (named.as_deref().unwrap_or(target), named.is_some() && over);
    if moves && target.exists() {
        return Err(RestoreError::io("writing", target)(io::ErrorKind::AlreadyExists.into()));
    }
    if !over {
        free(target, &record.header.input)?;
    }
    let mut file = Replacement::create(target, Readers::Owner).map_err(RestoreError::io("writing", target))?;
    let (header, since) = rebuild(output, Store(store), record, &mut file)?;
    let settled = file.settle(Some(&meta)).map_err(RestoreError::io("writing", target))?;
    if over {
        settled.keep_owner(&meta);
    }
    settled.publish().map_err(RestoreError::io("writing", target))?;
    if moves {
        fs::remove_file(output).map_err(RestoreError::io("removing", output))?;
    }
    let (target, before, after) = (target.to_owned(), header.output.size, header.input.size);
    Ok(Restored { path: header.path, target, before, after, since })
}

/// Checks that no other file is at the target; one with the wanted content is fine.
fn free(target: &Path, wanted: &Digest) -> Result<(), RestoreError> {
    let is_file = match fs::symlink_metadata(target) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(()),
        meta => meta.map_err(RestoreError::io("reading", target))?.is_file(),
    };
    let there = || File::open(target).and_then(digest).map_err(RestoreError::io("reading", target));
    if is_file && there()? == *wanted { Ok(()) } else { Err(RestoreError::InTheWay { path: target.to_owned() }) }
}

/// Whether the target is the output itself, or the file that the output links to.
pub fn is_over(output: &Path, target: &Path) -> bool {
    let place = |path: &Path| Some((folder_of(path).canonicalize().ok()?, path.file_name()?.to_owned()));
    let same = || place(output).is_some_and(|output| Some(output) == place(target));
    target == output || same() || output.is_symlink() && output.canonicalize().is_ok_and(|real| real == target)
}

/// Whether a folder is an undo store, rather than the folder that contains one.
pub fn is_store(folder: &Path) -> bool {
    let records = folder.join(RECORDS);
    records.is_dir() && !records.join(RECORDS).is_dir()
}

/// The undo store in a usual place below a folder.
pub fn store_near(folder: &Path) -> Option<PathBuf> {
    [undo_store_of(folder), folder.join(RECORDS)].into_iter().find(|near| is_store(near))
}

/// Whether the store was made by a run in place in a folder above this file.
pub fn is_beside(store: &Path, output: &Path) -> bool {
    root_of(store, output).is_some()
}

/// The folder above a file of which a run in place made the store.
fn root_of(store: &Path, output: &Path) -> Option<PathBuf> {
    let (store, folder) = (store.canonicalize().ok()?, folder_of(output).canonicalize().ok()?);
    folder.ancestors().find(|root| undo_store_of(root) == store).map(Path::to_owned)
}

/// Other stores than `than` made by runs in place in the folders above a file, nearest first, by the path as typed if
/// possible.
pub fn other_stores(output: &Path, than: &Path) -> Vec<PathBuf> {
    stores_above(folder_of(output), than.canonicalize().ok())
}

/// The stores made by runs in place in an output folder, or in the folder of an output, and in the folders above it,
/// nearest first.
pub fn own_stores(output: &Path) -> Vec<PathBuf> {
    stores_above(if output.is_dir() { output } else { folder_of(output) }, None)
}

fn stores_above(folder: &Path, known: Option<PathBuf>) -> Vec<PathBuf> {
    let Ok(real) = folder.canonicalize() else { return Vec::new() };
    let mut known: BTreeSet<PathBuf> = known.into_iter().collect();
    let typed = folder.ancestors().filter(|folder| !folder.as_os_str().is_empty());
    let stores = typed.chain(real.ancestors()).map(undo_store_of).filter(|store| is_store(store));
    stores.filter(|store| store.canonicalize().is_ok_and(|real| known.insert(real))).collect()
}

/// Whether a store has a record of a file's content that can be used for it.
///
/// # Errors
/// The file, or a record, can't be read.
pub fn has_record(store: &Path, output: &Path) -> Result<bool, RestoreError> {
    let found = File::open(output).and_then(digest).map_err(RestoreError::io("reading", output))?;
    Ok(!usable(output, store, &found.sha256)?.is_empty())
}

/// Copies a file that a run left unchanged to the restored ones, with its permissions and times.
///
/// # Errors
/// The file can't be read, another file is at the target, or the copy can't be written.
pub fn copy_untouched(file: &Path, target: &Path) -> Result<(), RestoreError> {
    let wanted = File::open(file).and_then(digest).map_err(RestoreError::io("reading", file))?;
    free(target, &wanted)?;
    let mut source = File::open(file).map_err(RestoreError::io("reading", file))?;
    let meta = source.metadata().map_err(RestoreError::io("reading", file))?;
    let mut copy = Replacement::create(target, Readers::Owner).map_err(RestoreError::io("writing", target))?;
    io::copy(&mut source, &mut copy).map_err(RestoreError::io("writing", target))?;
    let settled = copy.settle(Some(&meta)).map_err(RestoreError::io("writing", target))?;
    settled.publish().map_err(RestoreError::io("writing", target))
}

/// The target with the file name of the input, if the target has the output's name.
fn own_name(output: &Path, target: &Path, source: Option<&str>) -> Option<PathBuf> {
    let source = path_told(source?);
    let name = source.file_name()?;
    (output.file_name() == target.file_name()).then(|| target.with_file_name(name))
}

/// A record, with its header read.
struct UndoRecord {
    path: PathBuf,
    header: Header,
    steps: BufReader<File>,
}

impl UndoRecord {
    fn open(path: PathBuf) -> Result<Self, RestoreError> {
        let mut steps = BufReader::new(File::open(&path).map_err(RestoreError::io("reading", &path))?);
        let mut line = String::new();
        steps.read_line(&mut line).map_err(RestoreError::io("reading", &path))?;
        match serde_json::from_str::<Header>(&line) {
            Ok(header) if header.version == VERSION => Ok(Self { path, header, steps }),
            Ok(header) => Err(damaged(&path, format!("version {}, known is {VERSION}", header.version))),
            Err(err) => Err(damaged(&path, err.to_string())),
        }
    }
}

/// All records of one output, ordered by path.
fn records(folder: &Path) -> Result<Vec<UndoRecord>, RestoreError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(err) => return Err(RestoreError::io("reading", folder)(err)),
    };
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<BTreeSet<_>>>();
    let paths = paths.map_err(RestoreError::io("reading", folder))?;
    paths
        .into_iter()
        .filter(|path| path.extension().is_some_and(|kind| kind == "jsonl"))
        .map(UndoRecord::open)
        .collect()
}

/// The headers of all records of one output.
pub(super) fn headers(folder: &Path) -> Result<Vec<Header>, RestoreError> {
    Ok(records(folder)?.into_iter().map(|record| record.header).collect())
}

/// The records of an output's content that can be used for it: those of its path or, where there are none, of others.
fn usable(output: &Path, store: &Path, content: &str) -> Result<Vec<UndoRecord>, RestoreError> {
    let (paths, mut records) = (ends(output), records(&Store(store).records(content))?);
    match records.iter().any(|record| paths.contains(&record.header.path)) {
        true => records.retain(|record| paths.contains(&record.header.path)),
        false => records.retain(|record| is_moved(output, store, &record.header)),
    }
    Ok(records)
}

/// Whether a record of another path can be used for an output of this content: what a run in place made of the file at its
/// path is no longer there, as in a tree that was moved. Otherwise the output is another file that the run left unchanged:
/// equal content does not mean that the inputs were equal.
fn is_moved(output: &Path, store: &Path, header: &Header) -> bool {
    let (Some(root), Ok(place)) = (root_of(store, output), output.canonicalize()) else { return true };
    // It may have gone on since, or been restored already.
    let begins = |path: &Path, known: &Digest| {
        let is_long = path.metadata().is_ok_and(|meta| meta.is_file() && meta.len() >= known.size);
        is_long && File::open(path).and_then(|file| digest(file.take(known.size))).is_ok_and(|found| found == *known)
    };
    let is_other = |path: PathBuf| {
        let differs = path.canonicalize().is_ok_and(|real| real != place);
        differs && [&header.output, &header.input].into_iter().any(|known| begins(&path, known))
    };
    let named = [Some(&header.path), header.source.as_ref()].into_iter().flatten().map(|path| path_told(path));
    !named.into_iter().any(|named| is_other(root.join(named)))
}

/// Chooses a record: any if all lead to the same input, otherwise one with the output's path. If that path had several
/// inputs, the last one counts.
fn choose(output: &Path, store: &Path, mut records: Vec<UndoRecord>) -> Result<UndoRecord, RestoreError> {
    let ends = ends(output);
    let is_here = |record: &UndoRecord| ends.contains(&record.header.path);
    records.sort_by_key(|record| !is_here(record));
    let inputs =
        |records: &[UndoRecord]| records.iter().map(|it| it.header.input.sha256.clone()).collect::<BTreeSet<_>>();
    if inputs(&records).len() > 1 {
        let mut paths: Vec<_> = records.iter().map(|record| record.header.path.clone()).collect();
        paths.sort();
        paths.dedup();
        records.retain(is_here);
        if records.iter().map(|record| &record.header.path).collect::<BTreeSet<_>>().len() == 1 {
            let last = records.iter().map(|record| record.header.nth).max();
            records.retain(|record| Some(record.header.nth) == last);
        }
        if inputs(&records).len() != 1 {
            return Err(RestoreError::Ambiguous { output: output.to_owned(), paths });
        }
    }
    let unknown = || RestoreError::Unknown { output: output.to_owned(), store: store.to_owned() };
    records.into_iter().next().ok_or_else(unknown)
}

/// Applies the steps, checks the hash, and appends what was added to the output since. Returns the header and the
/// number of appended bytes.
fn rebuild(
    output: &Path,
    store: Store<'_>,
    record: UndoRecord,
    out: &mut Replacement,
) -> Result<(Header, u64), RestoreError> {
    let UndoRecord { path, header, steps } = record;
    let kept = File::open(output).map_err(RestoreError::io("reading", output))?;
    let mut sources = Sources { kept: BufReader::new(kept), removed: object(store, &header)? };
    let mut measured = Measured { out, gauge: Gauge::new(false) };
    let mut last = Step::Copy(0);
    for line in steps.lines() {
        let line = line.map_err(RestoreError::io("reading", &path))?;
        last = serde_json::from_str(&line).map_err(|err| damaged(&path, err.to_string()))?;
        sources.apply(last, &mut measured).map_err(RestoreError::io("restoring", output))?;
    }
    let (found, _) = measured.gauge.finish().map_err(RestoreError::io("hashing", output))?;
    if found != header.input {
        return Err(damaged(&path, "the result has another hash".into()));
    }
    let since = io::copy(&mut sources.kept, out).map_err(RestoreError::io("restoring", output))?;
    match last {
        Step::Skip(_) if since > 0 => {
            Err(RestoreError::HangsOn { output: output.to_owned(), bytes: header.output.size })
        }
        _ => Ok((header, since)),
    }
}

/// A reader of the removed bytes of a record.
fn object(store: Store<'_>, header: &Header) -> Result<Box<dyn Read>, RestoreError> {
    let Some(hash) = &header.object else { return Ok(Box::new(io::empty())) };
    let path = store.object(hash);
    let decoder = File::open(&path).and_then(zstd::Decoder::new);
    Ok(Box::new(decoder.map_err(RestoreError::io("reading", &path))?))
}

/// The sources of the input's bytes: the output, and the removed bytes.
struct Sources {
    kept: BufReader<File>,
    removed: Box<dyn Read>,
}

impl Sources {
    fn apply(&mut self, step: Step, out: &mut Measured<'_>) -> io::Result<()> {
        match step {
            Step::Copy(count) => copy_exactly(&mut self.kept, count, out),
            Step::Take(count) => copy_exactly(&mut self.removed, count, out),
            Step::Skip(count) => copy_exactly(&mut self.kept, count, &mut io::sink()),
        }
    }
}

fn copy_exactly(from: &mut impl Read, count: u64, to: &mut impl Write) -> io::Result<()> {
    match io::copy(&mut from.take(count), to)? {
        copied if copied == count => Ok(()),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// The new file, measured while it is written.
struct Measured<'a> {
    out: &'a mut Replacement,
    gauge: Gauge,
}

impl Write for Measured<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.gauge.write_all(&bytes[..written])?;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn damaged(path: &Path, reason: String) -> RestoreError {
    RestoreError::Damaged { path: path.to_owned(), reason }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
pub(in crate::batch) mod tests {
    use super::*;
    use crate::batch::reports::record::report_path;
    use crate::batch::undo::Draft;
    use crate::transcript::{Patch, PatchKind, apply};
    use proptest::prelude::*;

    /// Writes output and record of an edit, like a run.
    pub(in super::super) fn store_edit(dir: &Path, name: &str, source: &[u8], patches: &[Patch]) -> PathBuf {
        let mut draft = Draft::new(dir.join("store"));
        let mut at = 0;
        for patch in patches {
            draft.keep(patch.span.start - at).unwrap();
            draft.replace(&source[patch.span.clone()], patch.with.len()).unwrap();
            at = patch.span.end;
        }
        draft.keep(source.len() - at).unwrap();
        let output = apply(source, patches);
        draft.commit((name, name), digest(source).unwrap(), digest(&*output).unwrap()).unwrap();
        let path = dir.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, output).unwrap();
        path
    }

    fn patch(span: std::ops::Range<usize>, with: &str) -> Patch {
        Patch { span, with: with.into(), kind: PatchKind::Stub }
    }

    /// Any source with ordered patches.
    fn edits() -> impl Strategy<Value = (Vec<u8>, Vec<Patch>)> {
        let pieces = prop::collection::vec((0..20_usize, 0..20_usize, prop::collection::vec(any::<u8>(), 0..9)), 0..12);
        (prop::collection::vec(any::<u8>(), 0..300), pieces).prop_map(|(source, pieces)| {
            let mut at = 0;
            let patches = pieces.into_iter().map(|(gap, length, with)| {
                let start = (at + gap).min(source.len());
                at = (start + length).min(source.len());
                Patch { span: start..at, with, kind: PatchKind::Stub }
            });
            let patches = patches.collect();
            (source, patches)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_edit_can_be_undone((source, patches) in edits()) {
            let dir = tempfile::tempdir().unwrap();
            let output = store_edit(dir.path(), "x", &source, &patches);
            restore(&output, &dir.path().join("store"), &output).unwrap();
            prop_assert_eq!(fs::read(&output).unwrap(), source);
        }
    }

    #[test]
    fn what_stands_where_an_input_goes_is_not_written_over() {
        let dir = tempfile::tempdir().unwrap();
        let output = store_edit(dir.path(), "x", b"abc", &[patch(1..2, "")]);
        let (store, target) = (dir.path().join("store"), dir.path().join("back"));
        fs::write(&target, "mine").unwrap();
        let err = restore(&output, &store, &target).unwrap_err();
        assert!(matches!(err, RestoreError::InTheWay { .. }), "{err}");
        assert!(matches!(copy_untouched(&output, &target), Err(RestoreError::InTheWay { .. })));
        assert_eq!(fs::read(&target).unwrap(), b"mine");
        fs::write(&target, "abc").unwrap();
        restore(&output, &store, &target).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"abc", "the same may be given back twice");
        let itself = dir.path().join("store/..").join("x");
        restore(&output, &store, &itself).unwrap();
        assert_eq!(fs::read(&output).unwrap(), b"abc", "the output itself, by another path");
    }

    #[test]
    fn an_edited_output_is_unknown_and_stays_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let output = store_edit(dir.path(), "x", b"abc", &[patch(1..2, "")]);
        fs::write(&output, "ac!").unwrap();
        let err = restore(&output, &dir.path().join("store"), &output).unwrap_err();
        assert!(matches!(err, RestoreError::Unknown { .. }));
        assert_eq!(fs::read(&output).unwrap(), b"ac!");
    }

    #[test]
    fn of_inputs_that_became_equal_the_path_decides() {
        let dir = tempfile::tempdir().unwrap();
        let first = store_edit(dir.path(), "a/x", b"abc", &[patch(1..2, "")]);
        let second = store_edit(dir.path(), "b/x", b"adc", &[patch(1..2, "")]);
        let store = dir.path().join("store");
        let moved = tempfile::tempdir().unwrap();
        let other = moved.path().join("other");
        fs::copy(&first, &other).unwrap();
        let err = restore(&other, &store, &other).unwrap_err().to_string();
        assert!(err.contains("a/x") && err.contains("b/x"), "{err}");
        let back = dir.path().join("back");
        assert_eq!(restore(&second, &store, &back).unwrap().path, "b/x");
        assert_eq!(fs::read(&back).unwrap(), b"adc");
        for (name, source) in [("%41", b"a%c"), ("%42", b"a%d")] {
            let output = dir.path().join(name);
            let told = report_path(Path::new(name));
            fs::rename(store_edit(dir.path(), &told, source, &[patch(1..3, "")]), &output).unwrap();
            assert_eq!(
                crate::batch::Recorded::of(&store).unwrap().tell(&output).unwrap(),
                crate::batch::Unrecorded::Changed
            );
        }
        assert_eq!(restore(&dir.path().join("%41"), &store, &dir.path().join("%43")).unwrap().path, "%2541");
    }

    #[test]
    fn a_record_of_another_file_that_is_still_there_is_not_used() {
        let dir = tempfile::tempdir().unwrap();
        let (torn, store) = (store_edit(dir.path(), "torn", b"abc", &[patch(1..2, "")]), undo_store_of(dir.path()));
        fs::create_dir_all(folder_of(&store)).unwrap();
        fs::rename(dir.path().join("store"), &store).unwrap();
        let good = dir.path().join("good");
        fs::write(&good, "ac").unwrap();
        let back = dir.path().join("back");
        assert!(matches!(restore(&good, &store, &back), Err(RestoreError::Unknown { .. })));
        assert!(!has_record(&store, &good).unwrap() && has_record(&store, &torn).unwrap());
        for done in ["abc", "ac, and more"] {
            fs::write(&torn, done).unwrap();
            assert!(!has_record(&store, &good).unwrap(), "it was restored, or has gone on");
        }
        // Its place is that of another file now, as after a rotation of logs.
        fs::write(&torn, "new").unwrap();
        restore(&good, &store, &back).unwrap();
        assert_eq!(fs::read(&back).unwrap(), b"abc", "the output itself under a new name");
    }

    #[test]
    fn of_several_inputs_of_one_place_the_last_one_is_given_back() {
        let dir = tempfile::tempdir().unwrap();
        store_edit(dir.path(), "x", b"abc", &[patch(1..2, "")]);
        let output = store_edit(dir.path(), "x", b"adc", &[patch(1..2, "")]);
        let store = dir.path().join("store");
        restore(&output, &store, &output).unwrap();
        assert_eq!(fs::read(&output).unwrap(), b"adc");
        for source in [b"abc", b"adc"] {
            let again = store_edit(dir.path(), "x", source, &[patch(1..2, "")]);
            restore(&again, &store, &again).unwrap();
            assert_eq!(fs::read(&again).unwrap(), source);
        }
    }

    #[test]
    fn a_damaged_object_leaves_the_output_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let output = store_edit(dir.path(), "x", b"abc", &[patch(1..2, "")]);
        let store = dir.path().join("store");
        let object = Store(&store).object(&digest(&b"b"[..]).unwrap().sha256);
        fs::write(&object, zstd::encode_all(&b"X"[..], 3).unwrap()).unwrap();
        assert!(matches!(restore(&output, &store, &output), Err(RestoreError::Damaged { .. })));
        fs::remove_file(&object).unwrap();
        assert!(matches!(restore(&output, &store, &output), Err(RestoreError::Io { .. })));
        assert_eq!(fs::read(&output).unwrap(), b"ac");
    }
}
