//! The undo store: removed bytes, and the steps that put them back.
//!
//! `objects/<2 hex>/<sha256>.zst` holds removed bytes by their hash. `undo/<output>/<input>-<path>.jsonl` (hashes) has
//! a header line, then one step per line; the steps rebuild the input from the output and the object. Since they are
//! lines, neither side needs to hold all of a large file in memory. Only the owner can read the store, since it holds
//! content of transcripts.

pub(super) mod recorded;
pub(super) mod restore;

use super::digest::{Gauge, ZSTD_LEVEL, sha256};
use super::outputs::write::{Readers, Replacement, private_folder, write_for};
use super::reports::record::spooled;
use super::{Digest, OWN_FOLDER};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use tempfile::SpooledTempFile;

/// Version of the store's layout.
pub(super) const VERSION: u32 = 1;

/// Name of the folder with the records in a store.
pub(super) const RECORDS: &str = "undo";

/// Bytes of the steps of one file kept in memory before they are moved to disk.
const STEPS_IN_MEMORY: usize = 1 << 18;

/// The first line of a record: an output and its input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    /// [`VERSION`].
    pub(super) version: u32,
    /// Path of the output in its tree.
    pub(super) path: String,
    /// Path of the input, if its name differs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) source: Option<String>,
    /// Digest of the input.
    pub(super) input: Digest,
    /// Digest of the output.
    pub(super) output: Digest,
    /// Larger than in all earlier records of this output and path: if several inputs had one path, the last one is
    /// restored.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub(super) nth: usize,
    /// Hash of the removed bytes; absent if none were removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) object: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(nth: &usize) -> bool {
    *nth == 0
}

/// A step of rebuilding an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Step {
    /// Copy this many bytes of the output.
    Copy(u64),
    /// Take this many removed bytes.
    Take(u64),
    /// Skip this many bytes of the output.
    Skip(u64),
}

/// The default store of a run in place with this root.
pub(super) fn undo_store_of(root: &Path) -> PathBuf {
    root.join(OWN_FOLDER).join("undo")
}

/// A store, by its folder.
#[derive(Debug, Clone, Copy)]
pub(super) struct Store<'a>(pub(super) &'a Path);

impl Store<'_> {
    /// Path of the object with this hash.
    pub(super) fn object(self, hash: &str) -> PathBuf {
        self.0.join("objects").join(hash.get(..2).unwrap_or_default()).join(format!("{hash}.zst"))
    }

    /// The folder with the records of one output.
    pub(super) fn records(self, output: &str) -> PathBuf {
        self.0.join(RECORDS).join(output)
    }

    /// The headers of all readable records of one output.
    fn headers(self, output: &Digest) -> impl Iterator<Item = Header> {
        let entries = fs::read_dir(self.records(&output.sha256)).into_iter().flatten().flatten();
        entries.filter_map(|entry| {
            let mut line = String::new();
            BufReader::new(File::open(entry.path()).ok()?).read_line(&mut line).ok()?;
            serde_json::from_str(&line).ok()
        })
    }

    /// Whether there is a record of an output.
    pub(super) fn has_records(self, output: &Digest) -> bool {
        self.records(&output.sha256).is_dir()
    }

    /// Path of a record. The path of the output is part of the name, so that files with equal content have records of
    /// their own.
    fn record(self, header: &Header) -> PathBuf {
        let path = sha256(&header.path);
        let name = format!("{}-{}.jsonl", header.input.sha256, path.get(..8).unwrap_or_default());
        self.records(&header.output.sha256).join(name)
    }
}

/// The record of one file being written.
pub(super) struct Draft {
    store: PathBuf,
    removed: Option<Removed>,
    steps: BufWriter<SpooledTempFile>,
    last: Option<Step>,
}

/// The removed bytes of one file, being written to the store.
struct Removed {
    file: zstd::Encoder<'static, Replacement>,
    gauge: Gauge,
}

impl Draft {
    pub(super) fn new(store: PathBuf) -> Self {
        Self { store, removed: None, steps: spooled(STEPS_IN_MEMORY), last: None }
    }

    /// Records that this many bytes are in both input and output.
    pub(super) fn keep(&mut self, bytes: usize) -> io::Result<()> {
        self.step(Step::Copy(bytes as u64))
    }

    /// Records that these bytes of the input are replaced by `new` bytes of the output.
    pub(super) fn replace(&mut self, old: &[u8], new: usize) -> io::Result<()> {
        if !old.is_empty() {
            self.remove(old)?;
        }
        self.step(Step::Take(old.len() as u64))?;
        self.step(Step::Skip(new as u64))
    }

    /// Writes and syncs object and record; only then may the output replace its input. The paths are those of input and
    /// output in their trees.
    pub(super) fn commit(mut self, (source, path): (&str, &str), input: Digest, output: Digest) -> io::Result<()> {
        self.end_step()?;
        let store = Store(&self.store);
        let object = self.removed.take().map(|removed| removed.commit(store)).transpose()?;
        let (path, source) = (path.to_owned(), (source != path).then(|| source.to_owned()));
        let nth = store.headers(&output).filter(|one| one.path == path).map(|one| one.nth + 1).max().unwrap_or(0);
        let header = Header { version: VERSION, path, source, input, output, nth, object };
        self.steps.rewind()?;
        private_folder(&self.store, &store.records(&header.output.sha256))?;
        write_for(Readers::Owner, &store.record(&header), |out| {
            serde_json::to_writer(&mut *out, &header)?;
            writeln!(out)?;
            io::copy(self.steps.get_mut(), out).map(drop)
        })
    }

    fn remove(&mut self, old: &[u8]) -> io::Result<()> {
        let removed = match &mut self.removed {
            Some(removed) => removed,
            none => none.insert(Removed::create(&self.store)?),
        };
        removed.gauge.write_all(old)?;
        removed.file.write_all(old)
    }

    /// Adds a step; consecutive steps of one kind are joined.
    fn step(&mut self, step: Step) -> io::Result<()> {
        self.last = match (self.last, step) {
            (last, Step::Copy(0) | Step::Take(0) | Step::Skip(0)) => last,
            (Some(Step::Copy(a)), Step::Copy(b)) => Some(Step::Copy(a + b)),
            (Some(Step::Take(a)), Step::Take(b)) => Some(Step::Take(a + b)),
            (Some(Step::Skip(a)), Step::Skip(b)) => Some(Step::Skip(a + b)),
            (_, step) => {
                self.end_step()?;
                Some(step)
            }
        };
        Ok(())
    }

    fn end_step(&mut self) -> io::Result<()> {
        let Some(step) = self.last.take() else { return Ok(()) };
        serde_json::to_writer(&mut self.steps, &step)?;
        writeln!(self.steps)
    }
}

impl Removed {
    /// The name of the object depends on all its bytes; until they are known, a temporary file is used.
    fn create(store: &Path) -> io::Result<Self> {
        let objects = store.join("objects");
        private_folder(store, &objects)?;
        let file = Replacement::create(&objects.join("unnamed"), Readers::Owner)?;
        Ok(Self { file: zstd::Encoder::new(file, ZSTD_LEVEL)?, gauge: Gauge::new(false) })
    }

    /// Renames the object to its hash, unless it exists already. Returns the hash.
    fn commit(self, store: Store<'_>) -> io::Result<String> {
        let hash = self.gauge.finish()?.0.sha256;
        let target = store.object(&hash);
        let file = self.file.finish()?;
        if !target.exists() {
            target.parent().map_or(Ok(()), |folder| private_folder(store.0, folder))?;
            file.settle(None)?.publish_as(&target)?;
        }
        Ok(hash)
    }
}
