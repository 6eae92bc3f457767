//! Processes many files: finds the inputs, runs the work on all cores, and writes outputs and reports safely.
//!
//! The work on a single transcript is behind [`Work`]; this module only deals with files. Files are replaced as a whole
//! or not at all, failures are values, and outputs do not depend on the number of threads.

mod digest;
mod error;
mod file;
mod inputs;
mod journal;
mod outputs;
mod packing;
mod reports;
mod run;
mod schedule;
mod shard;
mod undo;

#[cfg(test)]
mod tests;

pub use digest::{Digest, sha256_of};
pub use error::{BatchError, RestoreError};
pub use inputs::filter::Filters;
pub use inputs::identify::{Identified, Restorable, identify, restorable};
pub use inputs::overrides::Override;
pub use outputs::folder::{try_file, write_file, write_files};
pub use outputs::placement::spares_inputs;
pub use packing::Compress;
pub use reports::sums::add_up;
pub use run::RunResult;
pub use shard::Shard;
pub use undo::recorded::{Recorded, Unrecorded};
pub use undo::restore::{
    Restored, copy_untouched, has_record, is_beside, is_over, is_store, other_stores, own_stores, restore,
    restore_from, store_near,
};

pub(crate) use digest::Gauge;
pub(crate) use error::FileError;
pub(crate) use file::fence::fenced;
pub(crate) use inputs::discover::{Found, Input, Search};
pub(crate) use inputs::filter::Filter;
pub(crate) use inputs::identify::is_detected;
pub(crate) use inputs::source::Source;
pub(crate) use outputs::naming::{counterpart, packed_or_not};
pub(crate) use outputs::placement::own_folder;
pub(crate) use reports::record::report_path;
pub(crate) use reports::{LINES, REPORT};
pub(crate) use run::find;
pub(crate) use schedule::threads::{cores, pool};

use crate::convert::{Output, has_dialect};
use crate::format::{Bytes, Detected, Format, Undetected};
use crate::report::{Line, Omissions};
use crate::transcript::Patch;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

/// The folder beside the data with journal, reports and undo store; it is never read as input.
pub const OWN_FOLDER: &str = ".epitome";

/// Processes one transcript in memory.
pub trait Work: Sync {
    /// Processes a transcript. `source` is a whole session file, one line (without its line break) of a
    /// conversation-per-line file, or one element of an array of conversations. `first_line` is the number of its first
    /// line in the file, from 1.
    fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done;

    /// Detects the format of a file from its bytes, or from their beginning.
    ///
    /// # Errors
    /// The error says what was looked for and what was found.
    fn detect(&self, bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
        crate::format::detect_given(bytes, given)
    }

    /// How many transcripts may wait for something other than a core; that many threads are added.
    fn waiting(&self) -> usize {
        0
    }

    /// The format of outputs, if it differs from the inputs'. A converted transcript has one patch that covers all of
    /// it, and files that are no transcripts are left out.
    fn conversion(&self) -> Option<Conversion> {
        None
    }

    /// The work for one file, if it is not the same for all. The paths are that in the output tree, that as typed or
    /// found, and that of the folder that was typed, or else of the file's own folder.
    fn on(&self, _relative: &Path, _path: &Path, _root: &Path) -> Option<Box<dyn Work + '_>> {
        None
    }

    /// Whether a file of rows may be divided into parts: no row depends on another.
    fn cuts(&self) -> bool {
        false
    }

    /// Whether credentials are masked in everything that is written; files that can't be searched are then not written.
    fn redacts(&self) -> bool {
        false
    }

    /// The report line for a file that `run` is not called for, with the fields common to all lines: preset, tokenizer,
    /// counting.
    fn blank(&self) -> Line {
        Line::default()
    }
}

/// A format to which outputs are converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conversion {
    /// The format's name.
    pub format: &'static str,
    /// The layout of its files.
    pub output: Output,
    /// Whether transcripts that are in this format already are written as well.
    pub takes_same: bool,
}

impl Conversion {
    /// Whether a file of a format, which begins so, is left out because it is in the target's format already.
    fn leaves(&self, format: &str, sample: &[u8]) -> bool {
        self.format == format && !self.takes_same && !has_dialect(format, sample)
    }
}

/// The result of the work on one transcript.
#[derive(Debug, Clone, Default)]
pub struct Done {
    /// The report; the batch fills in path, line, bytes, versions and the format's name.
    pub line: Line,
    /// The edits, in order and without overlap; empty: copied as it is. Those of a failed transcript are ignored,
    /// except for masked credentials.
    pub patches: Vec<Patch>,
    /// For a dry run: one line per unit.
    pub plan: Vec<String>,
}

/// Receives progress of a run; called from all threads.
pub trait Progress: Sync {
    /// The number and size of all inputs are known.
    fn start(&self, _files: u64, _bytes: u64) {}
    /// This many more bytes of input were processed.
    fn advance(&self, _bytes: u64) {}
    /// One more file is finished.
    fn file_done(&self) {}
}

/// Shows no progress.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {}

/// Where outputs are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Into a folder, as a mirror of the inputs.
    Dir(PathBuf),
    /// One input, into this file.
    File(PathBuf),
    /// One input, to [`Streams::stdout`].
    Stdout,
    /// Over the inputs themselves.
    InPlace,
    /// Nowhere.
    DryRun {
        /// Whether it simulates a run in place.
        in_place: bool,
    },
}

impl Target {
    /// Whether the inputs themselves are the outputs: each file is taken once, and none that may be in use.
    fn is_in_place(&self) -> bool {
        matches!(self, Self::InPlace | Self::DryRun { in_place: true })
    }
}

/// Limits that bound the memory used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum bytes of a session file, which is read as a whole.
    pub session: u64,
    /// Maximum bytes of a line in a conversation-per-line file.
    pub line: u64,
    /// Bytes of lines that are processed together.
    pub batch: u64,
    /// Number of lines that are processed together.
    pub batch_lines: usize,
    /// Minimum bytes of each part of a file; files too small for that are not divided.
    pub part: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { session: 8 << 30, line: 1 << 30, batch: 8 << 20, batch_lines: 4096, part: 64 << 10 }
    }
}

/// The standard streams, passed in so that tests and callers can replace them.
pub struct Streams {
    /// The source of the input `-` and of `--files-from -`.
    pub stdin: Mutex<Box<dyn Read + Send>>,
    /// The destination of [`Target::Stdout`].
    pub stdout: Mutex<Box<dyn Write + Send>>,
}

impl Streams {
    /// The streams of the process.
    pub fn standard() -> Self {
        Self { stdin: Mutex::new(Box::new(std::io::stdin())), stdout: Mutex::new(Box::new(std::io::stdout())) }
    }
}

/// A run over many files. [`Batch::new`] sets defaults; the caller changes the public fields.
pub struct Batch {
    /// Files, folders, globs or `-`, as typed.
    pub inputs: Vec<PathBuf>,
    /// Which files of folders, globs and lists are taken.
    pub filters: Filters,
    /// The shard to process, if several jobs share the work.
    pub shard: Option<Shard>,
    /// Where outputs are written.
    pub target: Target,
    /// Number of threads; 0: one per core.
    pub threads: usize,
    /// Write into a folder that is not empty or was written with other settings.
    pub force: bool,
    /// Leave unchanged and skipped files out of the output folder.
    pub changed_only: bool,
    /// Drop failed rows from an output in the input's format; otherwise they are kept as they were.
    pub drop_failed: bool,
    /// Nothing is written, so inputs need no paths in an output tree.
    pub reads_only: bool,
    /// Compression of the outputs; by default that of each input.
    pub compress: Option<Compress>,
    /// Measure sizes after `zstd -3`.
    pub measure_zstd: bool,
    /// Minimum age of files processed in place; younger ones are left alone.
    pub min_age: Duration,
    /// The time from which ages are measured.
    pub now: SystemTime,
    /// The undo store. In place there is always one, by default `.epitome/undo` in the input's root.
    pub undo: Option<PathBuf>,
    /// Folder for reports; by default `.epitome` in the output folder, if there is one. Those of a shard are written to
    /// a subfolder with its name.
    pub report_dir: Option<PathBuf>,
    /// The settings of the work, for the report and for detecting a folder written with other settings. Fields of the
    /// batch that decide what is written are added to them.
    pub settings: serde_json::Value,
    /// Limits that bound the memory used.
    pub limits: Limits,
    /// Maximum memory in bytes: files wait until there is room for them, and fail if they never fit.
    pub memory: Option<u64>,
    /// The standard streams.
    pub streams: Streams,
    /// Set by the caller to stop the run: finished files stay, the others have no output.
    pub cancel: Arc<AtomicBool>,
}

impl Batch {
    /// A batch with default settings; `now` is the current time.
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

    /// The settings as a report states them: those of the work, and what the batch leaves out.
    fn stated(&self) -> serde_json::Value {
        Omissions { changed_only: self.changed_only, drop_failed: self.drop_failed }.beside(&self.settings)
    }

    /// Runs the work on all inputs. Failed files are in the result; the others go on.
    ///
    /// # Errors
    /// The run could not start (usage, folders), or an error that is not about one file stopped it.
    pub fn run(&self, work: &dyn Work, progress: &dyn Progress) -> Result<RunResult, BatchError> {
        run::run(self, work, progress)
    }
}
