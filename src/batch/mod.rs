//! Many files in, many files out: finds the inputs, runs the work on all cores, writes outputs and reports safely.
//!
//! What is done to one transcript is behind [`Work`]; this module knows files only. Files are replaced as a whole
//! or left alone, a failure is a value, and nothing that is written depends on the number of threads.

mod aside;
mod digest;
mod discover;
mod elements;
mod error;
mod fence;
mod file;
mod filter;
mod folder;
mod identify;
mod in_place;
mod journal;
mod judge;
mod links;
mod listed;
mod many;
mod memory;
mod naming;
mod open_files;
mod overrides;
mod packing;
mod pending;
mod placement;
mod queue;
mod record;
mod recorded;
mod reports;
mod restore;
mod resume;
mod rewrite;
mod run;
mod schedule;
mod session;
mod settling;
mod shard;
mod source;
mod strays;
mod stream;
mod sums;
mod threads;
mod undo;
mod write;

#[cfg(test)]
mod tests;

pub use digest::{Digest, sha256_of};
pub use error::{BatchError, RestoreError};
pub use filter::Filters;
pub use folder::{try_file, write_file, write_files};
pub use identify::{Identified, Restorable, identify, restorable};
pub use overrides::Override;
pub use packing::Compress;
pub use recorded::{Recorded, Unrecorded};
pub use restore::{
    Restored, copy_untouched, has_record, is_beside, is_over, is_store, other_stores, restore, restore_from, store_near,
};
pub use run::Summary;
pub use shard::Shard;
pub use sums::add_up;

pub(crate) use digest::Gauge;
pub(crate) use discover::{Found, Input, Search};
pub(crate) use error::FileError;
pub(crate) use fence::fenced;
pub(crate) use filter::Filter;
pub(crate) use naming::packed_or_not;
pub(crate) use placement::own_folder;
pub(crate) use record::report_path;
pub(crate) use reports::{LINES, REPORT};
pub(crate) use run::find;
pub(crate) use source::Source;
pub(crate) use threads::{cores, pool};

use crate::convert::Output;
use crate::format::{Detected, Format};
use crate::report::Line;
use crate::transcript::Patch;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

/// The folder beside the data that holds journal, reports and undo store; it is never read as input.
pub const OWN_FOLDER: &str = ".epitome";

/// Compacts one transcript in memory.
pub trait Work: Sync {
    /// `source` is a whole session file, one line (without its newline) of a conversation-per-line file, or one element
    /// of an array of conversations.
    /// `first_line` is the number of its first line in the file, from 1.
    fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done;

    /// Names the format of a file from its bytes, or from their beginning if `complete` is false.
    ///
    /// # Errors
    /// Says what was looked for and what stands there instead.
    fn detect(&self, bytes: &[u8], complete: bool) -> Result<Detected, String> {
        crate::format::detect(bytes, complete)
    }

    /// How many transcripts may wait for something else than a core; there are as many threads more.
    fn waiting(&self) -> usize {
        0
    }

    /// What outputs are, if they are of another format than the inputs. A transcript has one patch then, over all of
    /// it; what is no transcript is left out.
    fn conversion(&self) -> Option<Conversion> {
        None
    }

    /// The work on one file, where that is not the same for all: its path in the output tree, and as it was typed or found.
    fn on(&self, _relative: &Path, _path: &Path) -> Option<Box<dyn Work + '_>> {
        None
    }

    /// Whether a file of rows may be worked on in parts, since no row matters for another.
    fn cuts(&self) -> bool {
        false
    }

    /// Whether credentials go from everything that is written: what can't be searched for them is not written then.
    fn redacts(&self) -> bool {
        false
    }

    /// The report line of a file that `run` never sees, with what all lines share: preset, tokenizer, counting.
    fn blank(&self) -> Line {
        Line::default()
    }
}

/// A format that outputs are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conversion {
    /// Its name.
    pub format: &'static str,
    /// How its transcripts lie in files.
    pub output: Output,
    /// Transcripts that are in this format already are written as well.
    pub takes_same: bool,
}

impl Conversion {
    /// Whether transcripts of a format have nothing to be converted to.
    fn leaves(&self, format: &str) -> bool {
        self.format == format && !self.takes_same
    }
}

/// What became of one transcript.
#[derive(Debug, Clone, Default)]
pub struct Done {
    /// The report; path, line, bytes, versions and the format's name are filled in by the batch.
    pub line: Line,
    /// The edits, ordered and without overlap; none: it is copied as it is. Those of a failed transcript are ignored,
    /// unless its line is written without its credentials.
    pub patches: Vec<Patch>,
    /// For a dry run: one line per unit.
    pub plan: Vec<String>,
}

/// Is told how far a run has come; called from all threads.
pub trait Progress: Sync {
    /// The inputs are known.
    fn start(&self, _files: u64, _bytes: u64) {}
    /// So many more bytes of input are done.
    fn advance(&self, _bytes: u64) {}
    /// One more file is done.
    fn file_done(&self) {}
}

/// Shows no progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {}

/// Where outputs go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Into a folder, as a mirror of the inputs.
    Dir(PathBuf),
    /// One input into this file.
    File(PathBuf),
    /// One input to [`Streams::stdout`].
    Stdout,
    /// Over the inputs themselves.
    InPlace,
    /// Nowhere.
    DryRun {
        /// It tells what a run over the inputs themselves would do.
        in_place: bool,
    },
}

impl Target {
    /// Whether files stand for themselves: each once, and none that may be in use.
    fn is_in_place(&self) -> bool {
        matches!(self, Self::InPlace | Self::DryRun { in_place: true })
    }
}

/// Limits that keep memory bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest session file, in bytes; it is read whole.
    pub session: u64,
    /// The longest line of a conversation-per-line file, in bytes.
    pub line: u64,
    /// Bytes of lines that are worked on together.
    pub batch: u64,
    /// Number of lines that are worked on together.
    pub batch_lines: usize,
    /// The least bytes that each part of a file has; one that is too small for that is not cut into parts.
    pub part: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { session: 8 << 30, line: 1 << 30, batch: 8 << 20, batch_lines: 4096, part: 64 << 10 }
    }
}

/// The standard streams, handed in so that tests and callers can stand in for them.
pub struct Streams {
    /// What the input `-` (and `--files-from -`) reads.
    pub stdin: Mutex<Box<dyn Read + Send>>,
    /// What [`Target::Stdout`] writes.
    pub stdout: Mutex<Box<dyn Write + Send>>,
}

impl Streams {
    /// The streams of the process.
    pub fn standard() -> Self {
        Self { stdin: Mutex::new(Box::new(std::io::stdin())), stdout: Mutex::new(Box::new(std::io::stdout())) }
    }
}

/// One run over many files. Every field is public: [`Batch::new`] sets defaults, the caller changes what it wants.
pub struct Batch {
    /// Files, folders, globs or `-`, as typed.
    pub inputs: Vec<PathBuf>,
    /// Which files of folders, globs and lists are taken.
    pub filters: Filters,
    /// The share of the work that is done, where several jobs run beside each other.
    pub shard: Option<Shard>,
    /// Where outputs go.
    pub target: Target,
    /// Number of threads; 0 is all cores.
    pub threads: usize,
    /// Write into a folder that is not empty, or that other settings have written.
    pub force: bool,
    /// Leave out what is unchanged or skipped.
    pub changed_only: bool,
    /// Leave rows that fail out of an output that has the rows of its input; else they stand there as they were.
    pub drop_failed: bool,
    /// Nothing is ever written, so inputs need no places in an output tree.
    pub reads_only: bool,
    /// How outputs are compressed; as their inputs are, unless it is stated.
    pub compress: Option<Compress>,
    /// Measure the sizes after `zstd -3`.
    pub measure_zstd: bool,
    /// In place, younger files are left alone.
    pub min_age: Duration,
    /// The time that ages are counted from.
    pub now: SystemTime,
    /// The undo store. In place there is always one: `.epitome/undo` in the root of the input, unless set here.
    pub undo: Option<PathBuf>,
    /// Where reports go; by default `.epitome` in the output folder, or nowhere where there is no folder. Those of a
    /// share go into a folder of its name there.
    pub report_dir: Option<PathBuf>,
    /// The settings in force, for the report and for knowing whether a folder was written with others.
    pub settings: serde_json::Value,
    /// Limits that keep memory bounded.
    pub limits: Limits,
    /// The most memory to use, in bytes: files wait until there is room for them, and those fail that never fit.
    pub memory: Option<u64>,
    /// The standard streams.
    pub streams: Streams,
    /// Set to stop: finished files stay finished, the others have no output.
    pub cancel: Arc<AtomicBool>,
}

impl Batch {
    /// A batch with default settings, as of `now`.
    pub fn new(inputs: Vec<PathBuf>, target: Target, now: SystemTime) -> Self {
        Self {
            inputs,
            filters: Filters::default(),
            shard: None,
            target,
            threads: 0,
            force: false,
            changed_only: false,
            drop_failed: false,
            reads_only: false,
            compress: None,
            measure_zstd: true,
            min_age: Duration::from_secs(600),
            now,
            undo: None,
            report_dir: None,
            settings: serde_json::Value::Null,
            limits: Limits::default(),
            memory: None,
            streams: Streams::standard(),
            cancel: Arc::default(),
        }
    }

    /// Runs the work on all inputs. A file that fails is in the summary, and the others go on.
    ///
    /// # Errors
    /// The run could not start (usage, folders), or reports could not be written.
    pub fn run(&self, work: &dyn Work, progress: &dyn Progress) -> Result<Summary, BatchError> {
        run::run(self, work, progress)
    }
}
