//! Error types: for a run, for a single file, and for `restore`.

use crate::format::{ReadError, Undetected};
use crate::reason::Reason;
use std::io;
use std::path::{Path, PathBuf};

/// Why a run could not start or be completed.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// No input was given.
    #[error("no input; name files, folders, globs or '-'")]
    NoInput,
    /// None of the inputs that were named is there.
    #[error("{}: {error}", path.display())]
    NothingThere {
        /// The first of them.
        path: PathBuf,
        /// What came of reading it.
        error: String,
    },
    /// A glob is malformed.
    #[error("{pattern}: not a valid glob: {reason}; a literal `[` is written `[[]`")]
    Pattern {
        /// The pattern as typed.
        pattern: String,
        /// What is wrong.
        reason: String,
    },
    /// An expectation names a file that is not among the inputs.
    #[error("{pattern}: something is expected of it, and no input has this path{}", like(example.as_deref()))]
    NotAnInput {
        /// The path as written.
        pattern: String,
        /// The path of some input, as an example.
        example: Option<String>,
    },
    /// Two inputs would write one output.
    #[error(
        "{} and {} would both be written to {}; name their common folder instead",
        first.display(), second.display(), output.display()
    )]
    Collision {
        /// One input.
        first: PathBuf,
        /// The other input.
        second: PathBuf,
        /// Their path in the output tree.
        output: PathBuf,
    },
    /// Two inputs would write one output after conversion or compression.
    #[error(
        "{} and {} would both be written to {}; rename one, or --exclude it",
        first.display(), second.display(), output.display()
    )]
    SamePlace {
        /// One input.
        first: PathBuf,
        /// The other input.
        second: PathBuf,
        /// Their path in the output tree.
        output: PathBuf,
    },
    /// An output would replace an input.
    #[error("{}: the output would replace the input; choose another output, or --in-place", path.display())]
    OutputIsInput {
        /// The output.
        path: PathBuf,
    },
    /// The output folder is inside an input folder.
    #[error("{}: the output is inside the input {}; choose a folder beside it", output.display(), input.display())]
    OutputInsideInput {
        /// The output folder.
        output: PathBuf,
        /// The input folder.
        input: PathBuf,
    },
    /// A report would replace a file that epitome did not write.
    #[error("{}: a report goes there, and epitome did not write that file; choose another folder for --report, or --force", path.display())]
    ForeignReport {
        /// The file.
        path: PathBuf,
    },
    /// The output folder holds files that epitome did not write.
    #[error("{}: not empty, and not written by epitome; choose another folder, or --force", path.display())]
    NotEmpty {
        /// The output folder.
        path: PathBuf,
    },
    /// A folder for generated files is not empty.
    #[error("{}: not empty; choose another folder, or --force to write over what has the same name", path.display())]
    Taken {
        /// The folder.
        path: PathBuf,
    },
    /// The output folder was written with other settings or by another version.
    #[error("{}: written {how}; choose another folder, or --force to redo all of it", path.display())]
    OtherSettings {
        /// The output folder.
        path: PathBuf,
        /// What differs, as far as the folder's report tells.
        how: String,
    },
    /// The output folder was written from other inputs.
    #[error("{}: written from other inputs, whose report and outputs would be replaced; choose another folder, or --force", path.display())]
    OtherInputs {
        /// The output folder.
        path: PathBuf,
    },
    /// A list with one name per line has NUL bytes.
    #[error("{}: the list of files has NUL bytes; say --null if they end the names", path.display())]
    NulInList {
        /// The list.
        path: PathBuf,
    },
    /// Another run is writing to the output folder.
    #[error("{}: another run is writing there; wait for it, or choose another folder", path.display())]
    Busy {
        /// The output folder.
        path: PathBuf,
    },
    /// There is no input for a single output, or the filters leave none.
    #[error(
        "no input is left for this output: there is none, or --include, --exclude, --older-than or --larger-than leave it out"
    )]
    NothingLeft,
    /// There are several inputs but a single output.
    #[error("{count} inputs cannot go to one output; give a folder with -o")]
    OneOutput {
        /// Number of inputs.
        count: usize,
    },
    /// Standard input can only go to a single output.
    #[error("'-' (standard input) can only go to a file or to standard output; give -o FILE")]
    StdinNeedsOneOutput,
    /// `--compress` with `--in-place`, where each file keeps its name.
    #[error("--compress can't go with --in-place, since each file keeps its name; write to another folder with -o")]
    CompressInPlace,
    /// The memory limit is too low for any work.
    #[error("--memory-limit {}: too little; say --memory-limit {}, or more", in_units(*limit), in_units(*least))]
    SmallMemory {
        /// The limit in bytes.
        limit: u64,
        /// The minimum in bytes.
        least: u64,
    },
    /// `--shard` with standard input, which only one job can read.
    #[error("--shard can't go with '-' (standard input), which no second job can read; name the file")]
    ShardOfStdin,
    /// A part of an input would be written to the path of another input's output.
    #[error("{}: a part of it would be written to {}, where another input goes; rename one, or --exclude it", path.display(), output.display())]
    PartIsInput {
        /// The divided input.
        path: PathBuf,
        /// The path in the output tree.
        output: PathBuf,
    },
    /// The output folder was written as other shards, or as a whole.
    #[error("{}: written by {found}; choose another folder, or --force", path.display())]
    OtherShards {
        /// The output folder.
        path: PathBuf,
        /// The kind of run that wrote it: `--shard I/N`, or one without.
        found: String,
    },
    /// The reports in a folder would count transcripts twice.
    #[error("{}: reports of different divisions of the work stand side by side; name the single reports", path.display())]
    MixedReports {
        /// The folder with the reports.
        path: PathBuf,
    },
    /// There is no report to add up.
    #[error("{}: no report there; name the output folder of a run, or its report.json", path.display())]
    NoReport {
        /// The path as typed.
        path: PathBuf,
    },
    /// The file is no report, or one of another version.
    #[error("{}: not a report of this version of epitome: {reason}", path.display())]
    BadReport {
        /// The report.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file operation outside the work on single files failed.
    #[error("{}: {doing} failed: {source}{}", path.display(), advice(source))]
    Io {
        /// The operation.
        doing: &'static str,
        /// The path.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Standard output can't be written.
    #[error("standard output cannot be written: {0}")]
    Stdout(io::Error),
    /// The threads could not be started.
    #[error("threads could not be started: {0}; try a smaller --threads")]
    Threads(String),
}

impl BatchError {
    /// Whether the reader of standard output has closed it, which is not an error.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Stdout(err) if err.kind() == io::ErrorKind::BrokenPipe)
    }

    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }

    /// The error for an output folder of other settings, of which it is not known how they differ.
    pub(crate) fn other_settings(folder: &Path) -> Self {
        Self::OtherSettings { path: folder.to_owned(), how: "with other settings or another version".to_owned() }
    }
}

/// Why a single file failed; other files go on. The report has the path.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    #[error("cannot be read: {0}; check that it exists and may be read")]
    Read(io::Error),
    #[error("the compressed data cannot be read: {0}; check it with gzip -t, zstd -t or unzip -t")]
    Packed(io::Error),
    #[error("an archive of Inspect AI can't be compressed otherwise; leave out --compress, or --exclude it")]
    Archive,
    #[error("the output cannot be written: {0}; check the space and the permissions there")]
    Write(io::Error),
    #[error("{size} bytes in one session, the limit is {}; split the file", in_bytes(*limit))]
    TooLarge { size: u64, limit: u64 },
    #[error("needs more memory than --memory-limit {}; say --memory-limit {}, or split the file", in_units(*limit), in_units(*need))]
    Memory { need: u64, limit: u64 },
    #[error("needs more memory than --memory-limit {} leaves; raise it, or split the file", in_units(*limit))]
    MemoryOfStream { limit: u64 },
    #[error("a line of more than {}; it is copied as it is, since --memory-limit is {}; raise that", in_bytes(*line), in_units(*limit))]
    MemoryOfLine { line: u64, limit: u64 },
    #[error("a line of more than {}; it is copied as it is, shorten it to have it compacted", in_bytes(*limit))]
    LongLine { limit: u64 },
    #[error(
        "a line of more than {}, which can't be searched for credentials; {}, or leave --redact out",
        in_bytes(*limit), if *lowered { "raise --memory-limit" } else { "shorten it" }
    )]
    UnsearchedLine {
        limit: u64,
        /// Whether the limit is lower because of `--memory-limit`.
        lowered: bool,
    },
    #[error("{0}")]
    NotATranscript(#[from] Undetected),
    #[error("detected {0}: not supported yet{hint}", hint = crate::format::hint(.0))]
    Unsupported(&'static str),
    #[error("{0}")]
    Invalid(#[from] ReadError),
    #[error("already in the format {0}; use it as it is, or `epitome compact` without --to to make it smaller")]
    SameFormat(&'static str),
    #[error("it holds several transcripts, and each becomes a file; give a folder with -o")]
    ManyRows,
    #[error("it changed while it was read; run again when nothing writes to it")]
    Changed,
    #[error("the undo store cannot be written: {0}; without it nothing is replaced")]
    Undo(io::Error),
    #[error("the work panicked: {0}; this is a bug, please report it")]
    Panicked(String),
    /// The run was canceled; nothing is reported for the file.
    #[error("canceled")]
    Canceled,
    /// An error that stops the whole run.
    #[error(transparent)]
    Fatal(#[from] BatchError),
}

impl FileError {
    /// The reason for the report.
    pub(crate) fn reason(&self) -> Reason {
        match self {
            Self::Read(_) => Reason::Unreadable,
            Self::Packed(_) => Reason::DamagedCompression,
            Self::Archive => Reason::Archive,
            Self::Write(_) => Reason::NotWritten,
            Self::TooLarge { .. } => Reason::TooLarge,
            Self::Memory { .. } | Self::MemoryOfStream { .. } | Self::MemoryOfLine { .. } => Reason::MemoryLimit,
            Self::LongLine { .. } | Self::UnsearchedLine { .. } => Reason::LineTooLong,
            Self::NotATranscript(_) => Reason::NotATranscript,
            Self::Unsupported(_) => Reason::UnsupportedFormat,
            Self::Invalid(_) => Reason::InvalidLine,
            Self::SameFormat(_) => Reason::SameFormat,
            Self::ManyRows => Reason::SeveralTranscripts,
            Self::Changed => Reason::ChangedWhileReading,
            Self::Undo(_) => Reason::NoUndo,
            Self::Panicked(_) => Reason::Panicked,
            Self::Canceled => Reason::Canceled,
            Self::Fatal(_) => Reason::Stopped,
        }
    }
}

/// Why an output could not be restored to its input.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// A file could not be read or written.
    #[error("{}: {doing} failed: {source}", path.display())]
    Io {
        /// The operation.
        doing: &'static str,
        /// The path.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The store has no record of the output.
    #[error("{}: the store {} has no record of this content; was it edited, or is this another run's store?", output.display(), store.display())]
    Unknown {
        /// The output.
        output: PathBuf,
        /// The store.
        store: PathBuf,
    },
    /// The session was continued after a compaction that the run appended.
    #[error("{}: more was written behind what the run put at its end, and may build on it; to restore it without that, cut it after {bytes} bytes (`head -c {bytes}`)", output.display())]
    HangsOn {
        /// The output.
        output: PathBuf,
        /// Number of bytes that the run wrote.
        bytes: u64,
    },
    /// The output is recorded in another store.
    #[error("{}: another run wrote it, so restore it with --undo {}", output.display(), store.display())]
    OtherStore {
        /// The output.
        output: PathBuf,
        /// The store with the record.
        store: PathBuf,
    },
    /// Different inputs became the same output.
    #[error("{}: different inputs became this content ({}); copy it to the path of the one you want, or restore from the undo store of one run", output.display(), paths.join(", "))]
    Ambiguous {
        /// The output.
        output: PathBuf,
        /// The recorded paths.
        paths: Vec<String>,
    },
    /// The path of the input is taken by something else.
    #[error("{}: something else is there; move it away, or restore to another place", path.display())]
    InTheWay {
        /// The path.
        path: PathBuf,
    },
    /// A record or an object of the store is damaged.
    #[error("{}: damaged: {reason}; the output is left as it is", path.display())]
    Damaged {
        /// The damaged file.
        path: PathBuf,
        /// The damage.
        reason: String,
    },
}

impl RestoreError {
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }
}

/// What to do about an error that stopped a run; empty where its own text says it.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "; free some space, and run the same command again: it goes on with what is left"
        }
        _ => "",
    }
}

/// A number of bytes as the user can write it, in the largest unit that divides it.
fn in_units(bytes: u64) -> String {
    match bytes {
        _ if bytes.is_multiple_of(1 << 30) => format!("{}G", bytes >> 30),
        _ if bytes.is_multiple_of(1 << 20) => format!("{}M", bytes >> 20),
        _ => bytes.to_string(),
    }
}

/// The same in a sentence.
fn in_bytes(bytes: u64) -> String {
    let told = in_units(bytes);
    if told.ends_with(|end: char| end.is_ascii_digit()) { told + " bytes" } else { told }
}

/// The hint with an example path.
fn like(example: Option<&str>) -> String {
    example.map(|path| format!("; they look like {path}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_says_what_can_be_done() {
        let session = FileError::TooLarge { size: 9 << 30, limit: 8 << 30 };
        assert_eq!(session.to_string(), "9663676416 bytes in one session, the limit is 8G; split the file");
        let line = |limit| FileError::LongLine { limit }.to_string();
        assert!(line(1 << 30).starts_with("a line of more than 1G; ") && line(40).contains("40 bytes; "));
        let unsearched = |lowered| FileError::UnsearchedLine { limit: 40, lowered }.to_string();
        assert!(unsearched(true).contains("--memory-limit") && unsearched(false).contains("shorten it"));
        assert!(!unsearched(false).contains("limit"), "no flag raises it");
    }

    #[test]
    fn a_full_disk_says_what_to_do() {
        let told = |kind: io::ErrorKind| BatchError::io("writing", Path::new("a"))(kind.into()).to_string();
        assert!(told(io::ErrorKind::StorageFull).contains("run the same command again"));
        assert!(!told(io::ErrorKind::PermissionDenied).contains("again"));
    }
}
