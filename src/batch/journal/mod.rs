//! The journal of an output folder: it records finished files, so that a second run only does the rest.
//!
//! A header line states version and settings. Each finished file then has its report lines, followed by an entry that
//! closes them; lines without an entry are from an interrupted run and are ignored.

pub(super) mod differing;
pub(super) mod resume;

use super::error::BatchError;
use super::outputs::write::write_whole;
use super::reports::record::{Spool, copy_range};
use super::{Digest, OWN_FOLDER};
use crate::report::BytesReport;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Version of the journal's format.
const VERSION: u32 = 1;

/// File name of the journal in epitome's own folder.
pub(super) const NAME: &str = "journal.jsonl";

/// Maximum number of input folders of earlier runs in the header.
const MOST_ROOTS: usize = 1000;

/// The first line of a journal.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    journal: u32,
    epitome: String,
    settings: String,
    /// Digests of the input folders of all runs so far; empty in journals of older versions.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    roots: BTreeSet<String>,
}

/// One finished file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The file's path in the output tree.
    pub(super) path: String,
    /// Digest of the input.
    pub(super) input: Digest,
    /// Digest of the output; absent if `--changed-only` left it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) output: Option<Digest>,
    /// Sizes of input and output.
    pub(super) bytes: BytesReport,
    /// Number of report lines before this entry.
    pub(super) lines: u64,
}

/// An entry as a line of the journal.
#[derive(Serialize, Deserialize)]
struct Closing {
    done: Entry,
}

/// Start of the line of an entry; report lines never start like this.
const CLOSING: &[u8] = b"{\"done\":";

/// The journal of a folder, read and open for appending.
pub(super) struct Journal {
    path: PathBuf,
    header: Header,
    /// Entries of earlier runs by path, with the byte range of their report lines in the file.
    old: BTreeMap<String, (Entry, Range<u64>)>,
    /// Whether outputs of earlier runs may be reused: same settings and version, no `force`.
    reusable: bool,
    /// Whether the inputs of earlier runs were all in other folders.
    others: bool,
    state: Mutex<State>,
    /// Holds the lock for as long as the journal is open.
    _lock: File,
}

struct State {
    file: File,
    /// Entries of this run by path, with the byte range of their report lines in the spool.
    new: BTreeMap<String, (Entry, Range<u64>)>,
    /// Paths of files of this run without an output.
    failed: BTreeSet<String>,
}

impl Journal {
    /// Opens the journal at `path` for a run with this header, or creates it.
    ///
    /// A journal with other settings is an error if its run wrote anything; with `force` it is discarded.
    pub(super) fn open(path: PathBuf, mut header: Header, force: bool) -> Result<Self, BatchError> {
        let folder = path.parent().unwrap_or(&path);
        let lock = lock(folder)?;
        let Known { header: found, entries: old, end } = read(&path).map_err(BatchError::io("reading", &path))?;
        let reusable = found.as_ref().is_some_and(|found| found.goes_with(&header)) && !force;
        let wrote = !old.is_empty() || !holds_nothing(&output(folder));
        if found.is_some() && wrote && !reusable && !force {
            return Err(BatchError::other_settings(&output(folder)));
        }
        if !reusable {
            write_whole(&path, |out| header.write(out)).map_err(BatchError::io("writing", &path))?;
        }
        let earlier = found.filter(|_| reusable).map(|found| found.roots).unwrap_or_default();
        let known = !old.is_empty() && !earlier.is_empty() && !header.roots.is_empty();
        let others = known && earlier.is_disjoint(&header.roots);
        header.roots.extend(earlier.into_iter().take(MOST_ROOTS));
        let file = append_at(&path, reusable.then_some(end)).map_err(BatchError::io("writing", &path))?;
        let state = Mutex::new(State { file, new: BTreeMap::new(), failed: BTreeSet::new() });
        Ok(Self { path, header, old, reusable, others, state, _lock: lock })
    }

    /// Whether the inputs of earlier runs were all in other folders.
    pub(super) fn is_of_others(&self) -> bool {
        self.others
    }

    /// Path of the journal.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The entry of an earlier run for this path, whatever its settings.
    pub(super) fn earlier(&self, path: &str) -> Option<&Entry> {
        self.old.get(path).map(|(entry, _)| entry)
    }

    /// The entry of an earlier run for this path, if it had these settings.
    pub(super) fn reusable(&self, path: &str) -> Option<&Entry> {
        self.earlier(path).filter(|_| self.reusable)
    }

    /// Writes the report lines of an earlier run for this path.
    pub(super) fn copy_lines(&self, path: &str, out: &mut dyn Write) -> io::Result<()> {
        let Some((_, range)) = self.old.get(path) else { return Ok(()) };
        copy_range(&mut File::open(&self.path)?, range, out)
    }

    /// Appends a finished file; `lines` is the range of its report lines in the spool.
    pub(super) fn add(&self, entry: Entry, spool: &Spool, lines: Range<u64>) -> io::Result<()> {
        let mut state = self.state();
        let mut out = BufWriter::new(&state.file);
        spool.copy(&lines, &mut out)?;
        entry.write(&mut out)?;
        out.flush()?;
        drop(out);
        state.new.insert(entry.path.clone(), (entry, lines));
        Ok(())
    }

    /// Records that a file has no output.
    pub(super) fn note_failed(&self, path: &str) {
        self.state().failed.insert(path.to_owned());
    }

    /// Rewrites the journal sorted by path, so that it does not depend on the order of the work.
    pub(super) fn finish(self, spool: &Spool) -> Result<(), BatchError> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let kept = self.old.iter().filter(|(path, _)| self.reusable && !state.failed.contains(*path));
        let mut groups: BTreeMap<&String, (&Entry, &Range<u64>, Origin)> =
            kept.map(|(path, (entry, range))| (path, (entry, range, Origin::Old))).collect();
        groups.extend(state.new.iter().map(|(path, (entry, range))| (path, (entry, range, Origin::New))));
        let write = |out: &mut dyn Write| {
            let mut old = File::open(&self.path)?;
            self.header.write(out)?;
            groups.values().try_for_each(|(entry, range, origin)| {
                match origin {
                    Origin::Old => copy_range(&mut old, range, out)?,
                    Origin::New => spool.copy(range, out)?,
                }
                entry.write(out)
            })
        };
        write_whole(&self.path, |out| write(out)).map_err(BatchError::io("writing", &self.path))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Which file holds the report lines.
#[derive(Clone, Copy)]
enum Origin {
    Old,
    New,
}

/// The output folder that contains epitome's own folder.
fn output(own: &Path) -> PathBuf {
    let above = own.ancestors().find(|path| path.file_name().is_some_and(|name| name == OWN_FOLDER));
    above.unwrap_or(own).parent().unwrap_or(own).to_owned()
}

impl Header {
    /// Creates the header for a run with the hash of its settings and the digests of its input folders.
    pub(super) fn new(settings: String, roots: BTreeSet<String>) -> Self {
        Self { journal: VERSION, epitome: env!("CARGO_PKG_VERSION").into(), settings, roots }
    }

    /// Whether a run with the other header can continue this journal.
    fn goes_with(&self, other: &Self) -> bool {
        (self.journal, &self.epitome, &self.settings) == (other.journal, &other.epitome, &other.settings)
    }

    fn write(&self, mut out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut out, self)?;
        writeln!(out)
    }
}

impl Entry {
    fn write(&self, mut out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(&mut out, &Closing { done: self.clone() })?;
        writeln!(out)
    }
}

/// Whether a folder holds nothing but epitome's own.
fn holds_nothing(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder).into_iter().flatten();
    entries.all(|entry| entry.is_ok_and(|entry| entry.file_name() == OWN_FOLDER))
}

/// Whether a journal has this version and these settings; true for one that can't be read.
pub(super) fn is_of(path: &Path, settings: &str) -> bool {
    let mut line = String::new();
    let read = File::open(path).and_then(|file| BufReader::new(file).read_line(&mut line));
    let header = read.ok().and_then(|_| serde_json::from_str::<Header>(&line).ok());
    header.is_none_or(|header| header.goes_with(&Header::new(settings.to_owned(), BTreeSet::new())))
}

/// The content of a journal up to its last entry.
#[derive(Default)]
struct Known {
    header: Option<Header>,
    entries: BTreeMap<String, (Entry, Range<u64>)>,
    end: u64,
}

fn read(path: &Path) -> io::Result<Known> {
    let mut found = Known::default();
    let mut reader = match File::open(path) {
        Ok(file) => BufReader::new(file),
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(found),
        Err(err) => return Err(err),
    };
    let (mut line, mut at, mut lines) = (Vec::new(), 0, 0);
    while reader.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
        let start = at;
        at += line.len() as u64;
        if found.header.is_none() {
            let Ok(header) = serde_json::from_slice(&line) else { break };
            (found.header, found.end) = (Some(header), at);
        } else if line.starts_with(CLOSING) {
            let Ok(Closing { done }) = serde_json::from_slice(&line) else { break };
            if done.lines != std::mem::take(&mut lines) {
                break;
            }
            let range = std::mem::replace(&mut found.end, at)..start;
            found.entries.insert(done.path.clone(), (done, range));
        } else {
            lines += 1;
        }
        line.clear();
    }
    Ok(found)
}

/// Locks the folder against a second run. The lock file is never removed, since removing it would allow a race. On file
/// systems without locks, nothing is locked.
pub(super) fn lock(folder: &Path) -> Result<File, BatchError> {
    let path = folder.join("lock");
    let open = || File::options().create(true).truncate(false).write(true).open(&path);
    let file = fs::create_dir_all(folder).and_then(|()| open()).map_err(BatchError::io("locking", &path))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(BatchError::Busy { path: output(folder) }),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// Opens the journal for appending; everything after its last entry, at `end`, is cut off.
fn append_at(path: &Path, end: Option<u64>) -> io::Result<File> {
    let mut file = File::options().write(true).open(path)?;
    if let Some(end) = end {
        file.set_len(end)?;
    }
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn entry(path: &str, lines: u64) -> Entry {
        let input = Digest { size: 1, sha256: "00".into() };
        Entry { path: path.into(), input, output: None, bytes: BytesReport::default(), lines }
    }

    fn spooled(spool: &Spool, text: &str) -> Range<u64> {
        let mut file = crate::batch::reports::record::spooled(64);
        file.write_all(text.as_bytes()).unwrap();
        spool.append(&mut file).unwrap()
    }

    fn header(settings: &str, roots: &[&str]) -> Header {
        Header::new(settings.into(), roots.iter().map(|root| (*root).to_owned()).collect())
    }

    fn open(path: &Path) -> Journal {
        Journal::open(path.to_owned(), header("s", &[]), false).unwrap()
    }

    #[test]
    fn what_a_killed_run_left_half_done_does_not_count_and_is_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let (path, spool) = (dir.path().join(NAME), Spool::new());
        let journal = open(&path);
        journal.add(entry("b", 2), &spool, spooled(&spool, "{1}\n{2}\n")).unwrap();
        journal.add(entry("a", 1), &spool, spooled(&spool, "{3}\n")).unwrap();
        drop(journal);
        let whole = fs::read(&path).unwrap();
        for cut in [whole.len() - 1, whole.len() - 20, whole.len() - whole.rsplit(|byte| *byte == b'}').count()] {
            fs::write(&path, &whole[..cut]).unwrap();
            let journal = open(&path);
            assert!(journal.reusable("a").is_none());
            let mut lines = Vec::new();
            journal.copy_lines("b", &mut lines).unwrap();
            assert_eq!(lines, b"{1}\n{2}\n");
            journal.add(entry("a", 1), &spool, spooled(&spool, "{3}\n")).unwrap();
            drop(journal);
            assert_eq!(fs::read(&path).unwrap(), whole, "appended after the last entry");
        }
    }

    #[test]
    fn the_finished_journal_is_sorted_and_leaves_out_what_failed() {
        let dir = tempfile::tempdir().unwrap();
        let (path, spool) = (dir.path().join(NAME), Spool::new());
        let journal = open(&path);
        for (name, lines) in [("c", "{c}\n"), ("a", "{a}\n"), ("b", "{b}\n")] {
            journal.add(entry(name, 1), &spool, spooled(&spool, lines)).unwrap();
        }
        journal.finish(&spool).unwrap();
        let journal = open(&path);
        journal.note_failed("b");
        journal.add(entry("a", 1), &spool, spooled(&spool, "{A}\n")).unwrap();
        journal.finish(&spool).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<_> = text.lines().skip(1).map(|line| line.chars().take(4).collect::<String>()).collect();
        assert_eq!(lines, ["{A}", "{\"do", "{c}", "{\"do"]);
    }

    #[test]
    fn other_settings_and_other_runs_are_errors_and_force_starts_over() {
        let dir = tempfile::tempdir().unwrap();
        let (path, spool) = (dir.path().join(NAME), Spool::new());
        let first = open(&path);
        assert!(matches!(Journal::open(path.clone(), header("s", &[]), true), Err(BatchError::Busy { .. })));
        drop(first);
        open(&path).add(entry("a", 0), &spool, 0..0).unwrap();
        let other = |force| Journal::open(path.clone(), header("other", &[]), force);
        assert!(matches!(other(false), Err(BatchError::OtherSettings { .. })));
        let journal = other(true).unwrap();
        assert!(journal.reusable("a").is_none() && journal.earlier("a").is_some());
    }

    #[test]
    fn a_run_that_wrote_nothing_is_in_nobody_s_way() {
        let dir = tempfile::tempdir().unwrap();
        let own = dir.path().join(OWN_FOLDER);
        fs::create_dir(&own).unwrap();
        drop(open(&own.join(NAME)));
        drop(Journal::open(own.join(NAME), header("other", &[]), false).unwrap());
        fs::write(dir.path().join("x"), "of a file that failed since").unwrap();
        assert!(matches!(
            Journal::open(own.join(NAME), header("third", &[]), false),
            Err(BatchError::OtherSettings { .. })
        ));
    }

    #[test]
    fn the_folders_of_all_runs_are_known() {
        let dir = tempfile::tempdir().unwrap();
        let (path, spool) = (dir.path().join(NAME), Spool::new());
        let run = |roots: &[&str]| {
            let journal = Journal::open(path.clone(), header("s", roots), false).unwrap();
            journal.add(entry("a", 0), &spool, 0..0).unwrap();
            let others = journal.is_of_others();
            journal.finish(&spool).unwrap();
            others
        };
        assert!(!run(&[]) && !run(&["logs"]), "an older journal says nothing");
        assert!(!run(&["logs", "more"]) && !run(&["more"]) && !run(&["logs"]));
        assert!(run(&["other"]));
    }
}
