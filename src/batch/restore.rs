//! The way back: an output and its undo store give the input, byte for byte, or an error and nothing is written.

use super::digest::{Digest, Gauge, digest};
use super::error::RestoreError;
use super::record::path_told;
use super::recorded::ends;
use super::undo::{Header, RECORDS, Step, Store, VERSION, undo_store_of};
use super::write::{Readers, Replacement, folder_of};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// What was restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The path that the output had in its tree.
    pub path: String,
    /// Where the input stands now.
    pub target: PathBuf,
    /// Bytes of the output.
    pub before: u64,
    /// Bytes of the input.
    pub after: u64,
    /// Bytes that were written behind the output since, and stand behind the input now.
    pub since: u64,
}

/// Writes the input that `output` was made from to `target`, which may be `output` itself. Where the target has the
/// output's name and the input had another, since only the output is compressed, it gets the input's.
///
/// The record is found by the hash of the output. The result is compared with the recorded hash before it is
/// given its name; it has the permissions and times of the output, and its owner where it takes the output's place.
///
/// # Errors
/// The store has no record of this content, has several that fit equally well, or is damaged, or something else stands
/// where the input would be written; nothing is written then.
pub fn restore(output: &Path, store: &Path, target: &Path) -> Result<Restored, RestoreError> {
    let found = File::open(output).and_then(digest).map_err(RestoreError::io("reading", output))?;
    restore_from(output, &found, store, target)
}

/// The same of an output that went on since: what it was is the beginning of what it holds now, and what was written behind
/// it stands behind the input.
///
/// # Errors
/// As [`restore`]; and the output ends with what the run wrote, so that what follows may hang on it.
pub fn restore_from(output: &Path, was: &Digest, store: &Path, target: &Path) -> Result<Restored, RestoreError> {
    let meta = fs::metadata(output).map_err(RestoreError::io("reading", output))?;
    let records = records(&Store(store).records(&was.sha256))?;
    let record = choose(output, store, records)?;
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

/// Checks that nothing else stands where a file is to be written: what is there already may be the same.
fn free(target: &Path, wanted: &Digest) -> Result<(), RestoreError> {
    let is_file = match fs::symlink_metadata(target) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(()),
        meta => meta.map_err(RestoreError::io("reading", target))?.is_file(),
    };
    let there = || File::open(target).and_then(digest).map_err(RestoreError::io("reading", target));
    if is_file && there()? == *wanted { Ok(()) } else { Err(RestoreError::InTheWay { path: target.to_owned() }) }
}

/// Whether the target is the output itself, or what it leads to as a link.
pub fn is_over(output: &Path, target: &Path) -> bool {
    let place = |path: &Path| Some((folder_of(path).canonicalize().ok()?, path.file_name()?.to_owned()));
    let same = || place(output).is_some_and(|output| Some(output) == place(target));
    target == output || same() || output.is_symlink() && output.canonicalize().is_ok_and(|real| real == target)
}

/// Whether a folder is an undo store, and not the folder that has it.
pub fn is_store(folder: &Path) -> bool {
    let records = folder.join(RECORDS);
    records.is_dir() && !records.join(RECORDS).is_dir()
}

/// The undo store in one of its usual places below a folder.
pub fn store_near(folder: &Path) -> Option<PathBuf> {
    [undo_store_of(folder), folder.join(RECORDS)].into_iter().find(|near| is_store(near))
}

/// Whether the store is the one that a run in place made beside this file.
pub fn is_beside(store: &Path, output: &Path) -> bool {
    let (Ok(store), Ok(folder)) = (store.canonicalize(), folder_of(output).canonicalize()) else { return false };
    folder.ancestors().any(|root| undo_store_of(root) == store)
}

/// The stores that runs in place made in the folders above a file, other than this one; the nearest first, each by the path
/// that was typed where there is one.
pub fn other_stores(output: &Path, than: &Path) -> Vec<PathBuf> {
    let folder = folder_of(output);
    let Ok(real) = folder.canonicalize() else { return Vec::new() };
    let mut known: BTreeSet<PathBuf> = than.canonicalize().into_iter().collect();
    let typed = folder.ancestors().filter(|folder| !folder.as_os_str().is_empty());
    let stores = typed.chain(real.ancestors()).map(undo_store_of).filter(|store| is_store(store));
    stores.filter(|store| store.canonicalize().is_ok_and(|real| known.insert(real))).collect()
}

/// Whether a store has a record of what a file holds.
///
/// # Errors
/// The file can't be read.
pub fn has_record(store: &Path, output: &Path) -> Result<bool, RestoreError> {
    let found = File::open(output).and_then(digest).map_err(RestoreError::io("reading", output))?;
    Ok(Store(store).has_records(&found))
}

/// Copies a file that a run left as it was to where the restored ones go, with its permissions and times.
///
/// # Errors
/// The file can't be read, something else stands there, or the copy can't be written.
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

/// The target with the name that the input had, where that is wanted.
fn own_name(output: &Path, target: &Path, source: Option<&str>) -> Option<PathBuf> {
    let source = path_told(source?);
    let name = source.file_name()?;
    (output.file_name() == target.file_name()).then(|| target.with_file_name(name))
}

/// A record, read up to its header.
struct Record {
    path: PathBuf,
    header: Header,
    steps: BufReader<File>,
}

impl Record {
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

/// All records of one output, in a fixed order.
fn records(folder: &Path) -> Result<Vec<Record>, RestoreError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(err) => return Err(RestoreError::io("reading", folder)(err)),
    };
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<BTreeSet<_>>>();
    let paths = paths.map_err(RestoreError::io("reading", folder))?;
    paths.into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "jsonl")).map(Record::open).collect()
}

/// The headers of all records of one output.
pub(super) fn headers(folder: &Path) -> Result<Vec<Header>, RestoreError> {
    Ok(records(folder)?.into_iter().map(|record| record.header).collect())
}

/// The only record; or the one whose path the output has; or any, if they all lead to the same input. Of several inputs
/// that a file had in this place it is the last one.
fn choose(output: &Path, store: &Path, mut records: Vec<Record>) -> Result<Record, RestoreError> {
    let ends = ends(output);
    let is_here = |record: &Record| ends.contains(&record.header.path);
    records.sort_by_key(|record| !is_here(record));
    let inputs = |records: &[Record]| records.iter().map(|it| it.header.input.sha256.clone()).collect::<BTreeSet<_>>();
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

/// Applies the steps, compares the result with what the record promises, and adds what was written behind the output since;
/// also tells how many bytes that are.
fn rebuild(
    output: &Path,
    store: Store<'_>,
    record: Record,
    out: &mut Replacement,
) -> Result<(Header, u64), RestoreError> {
    let Record { path, header, steps } = record;
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

/// The removed bytes of a record.
fn object(store: Store<'_>, header: &Header) -> Result<Box<dyn Read>, RestoreError> {
    let Some(hash) = &header.object else { return Ok(Box::new(io::empty())) };
    let path = store.object(hash);
    let decoder = File::open(&path).and_then(zstd::Decoder::new);
    Ok(Box::new(decoder.map_err(RestoreError::io("reading", &path))?))
}

/// Where the bytes of the input come from.
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

/// The new file, measured as it is written.
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
pub(super) mod tests {
    use super::super::record::report_path;
    use super::super::undo::Draft;
    use super::*;
    use crate::transcript::{Patch, PatchKind, apply};
    use proptest::prelude::*;

    /// Writes output and record of an edit, as a run does.
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

    /// Any source with any ordered patches over it.
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
        let other = dir.path().join("other");
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
                super::super::Recorded::of(&store).unwrap().tell(&output).unwrap(),
                super::super::Unrecorded::Changed
            );
        }
        assert_eq!(restore(&dir.path().join("%41"), &store, &dir.path().join("%43")).unwrap().path, "%2541");
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
