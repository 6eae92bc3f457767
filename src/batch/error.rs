//! Errors as values: those that stop a run, those that fail one file, and those of `restore`.

use crate::format::ReadError;
use std::io;
use std::path::{Path, PathBuf};

/// Why a run could not start, or could not end.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// Nothing was named.
    #[error("no input; name files, folders, globs or '-'")]
    NoInput,
    /// A glob is malformed.
    #[error("{pattern}: not a valid pattern: {reason}")]
    Pattern {
        /// As typed.
        pattern: String,
        /// What is wrong.
        reason: String,
    },
    /// A glob matches nothing.
    #[error("{pattern}: matches no file; check the pattern, or name a folder")]
    NoMatch {
        /// As typed.
        pattern: String,
    },
    /// Something is expected of a file that is not among the inputs.
    #[error("{pattern}: something is expected of it, and no input has this path{}", like(example.as_deref()))]
    NotAnInput {
        /// As written.
        pattern: String,
        /// The path of an input.
        example: Option<String>,
    },
    /// Two inputs would write one output.
    #[error(
        "{} and {} would both be written to {}; name their common folder instead",
        first.display(), second.display(), output.display()
    )]
    Collision {
        /// The one.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// The path below the output.
        output: PathBuf,
    },
    /// Two inputs would write one output in another format.
    #[error(
        "{} and {} would both be written to {}; rename one, or --exclude it",
        first.display(), second.display(), output.display()
    )]
    SamePlace {
        /// The one.
        first: PathBuf,
        /// The other.
        second: PathBuf,
        /// The path below the output.
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
        /// The output.
        output: PathBuf,
        /// The input.
        input: PathBuf,
    },
    /// The output folder holds something else.
    #[error("{}: not empty, and not written by epitome; choose another folder, or --force", path.display())]
    NotEmpty {
        /// The output folder.
        path: PathBuf,
    },
    /// The folder holds something already.
    #[error("{}: not empty; choose another folder, or --force to write over what has the same name", path.display())]
    Taken {
        /// The folder.
        path: PathBuf,
    },
    /// The output folder was written with other settings or by another version.
    #[error("{}: written with other settings or another version; choose another folder, or --force to redo all of it", path.display())]
    OtherSettings {
        /// The output folder.
        path: PathBuf,
    },
    /// The output folder was written from other inputs.
    #[error("{}: written from other inputs, whose report and outputs would be replaced; choose another folder, or --force", path.display())]
    OtherInputs {
        /// The output folder.
        path: PathBuf,
    },
    /// A list of names a line has names with NUL bytes behind.
    #[error("{}: the list of files has NUL bytes; say --null if they end the names", path.display())]
    NulInList {
        /// The list.
        path: PathBuf,
    },
    /// Another run is at work in the output folder.
    #[error("{}: another run is writing there; wait for it, or choose another folder", path.display())]
    Busy {
        /// The output folder.
        path: PathBuf,
    },
    /// Many inputs, one output.
    #[error("{count} inputs cannot go to one output; give a folder with -o")]
    OneOutput {
        /// How many.
        count: usize,
    },
    /// Standard input can only go to a single output.
    #[error("'-' (standard input) can only go to a file or to standard output; give -o FILE")]
    StdinNeedsOneOutput,
    /// An input that is replaced keeps its name.
    #[error("--compress can't go with --in-place, since each file keeps its name; write to another folder with -o")]
    CompressInPlace,
    /// Nothing could be done with so little memory.
    #[error("--memory-limit {}: too little; say --memory-limit {}, or more", told(*limit), told(*least))]
    SmallMemory {
        /// As stated, in bytes.
        limit: u64,
        /// The least, in bytes.
        least: u64,
    },
    /// Standard input can be read once only.
    #[error("--shard can't go with '-' (standard input), which no second job can read; name the file")]
    ShardOfStdin,
    /// A part of an input would be written to the place of another input.
    #[error("{}: a part of it would be written to {}, where another input goes; rename one, or --exclude it", path.display(), output.display())]
    PartIsInput {
        /// The one that is cut.
        path: PathBuf,
        /// The path below the output.
        output: PathBuf,
    },
    /// The output folder was written as other shares, or as a whole.
    #[error("{}: written by {found}; choose another folder, or --force", path.display())]
    OtherShards {
        /// The output folder.
        path: PathBuf,
        /// Who wrote it.
        found: String,
    },
    /// A folder has reports that would count transcripts twice.
    #[error("{}: reports of different divisions of the work stand side by side; name the single reports", path.display())]
    MixedReports {
        /// The folder of reports.
        path: PathBuf,
    },
    /// There is nothing to add up.
    #[error("{}: no report there; name the output folder of a run, or its report.json", path.display())]
    NoReport {
        /// The path as typed.
        path: PathBuf,
    },
    /// A report that is none, or of another version.
    #[error("{}: not a report of this version of epitome: {reason}", path.display())]
    BadReport {
        /// The report.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Something around the inputs could not be done.
    #[error("{}: {doing} failed: {source}", path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// Where.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// Standard output is gone.
    #[error("standard output cannot be written: {0}")]
    Stdout(io::Error),
    /// The threads could not be started.
    #[error("threads could not be started: {0}; try a smaller --threads")]
    Threads(String),
}

impl BatchError {
    /// Whether the reader of standard output has gone away, which is no failure of ours.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Stdout(err) if err.kind() == io::ErrorKind::BrokenPipe)
    }

    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }
}

/// Why one file failed; the others go on. The path stands beside it in the report.
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
    #[error("{size} bytes in one session, the limit is {limit}; split the file or raise the limit")]
    TooLarge { size: u64, limit: u64 },
    #[error("needs more memory than --memory-limit {}; say --memory-limit {}, or split the file", told(*limit), told(*need))]
    Memory { need: u64, limit: u64 },
    #[error("needs more memory than --memory-limit {} leaves; raise it, or split the file", told(*limit))]
    MemoryOfStream { limit: u64 },
    #[error("a line of more than {line} bytes; it is copied as it is, since --memory-limit is {}; raise that", told(*limit))]
    MemoryOfLine { line: u64, limit: u64 },
    #[error("a line of more than {limit} bytes; it is copied as it is, raise the limit to compact it")]
    LongLine { limit: u64 },
    #[error(
        "a line of more than {limit} bytes, which can't be searched for credentials; raise the limit, or leave --redact out"
    )]
    UnsearchedLine { limit: u64 },
    #[error("{0}")]
    NotATranscript(String),
    #[error("detected {0}: not supported yet{hint}", hint = crate::format::hint(.0))]
    Unsupported(&'static str),
    #[error("{0}")]
    Invalid(#[from] ReadError),
    #[error("it is {0} already; use it as it is, or `epitome compact` without --to to make it smaller")]
    SameFormat(&'static str),
    #[error("it holds several transcripts, and each becomes a file; give a folder with -o")]
    ManyRows,
    #[error("it changed while it was read; run again when nothing writes to it")]
    Changed,
    #[error("the undo store cannot be written: {0}; without it nothing is replaced")]
    Undo(io::Error),
    #[error("the work panicked: {0}; this is a bug, please report it")]
    Panicked(String),
    /// The run was cancelled; there is nothing to report on the file.
    #[error("cancelled")]
    Cancelled,
    /// Something that stops the whole run.
    #[error(transparent)]
    Fatal(#[from] BatchError),
}

impl FileError {
    /// The stable word of the report.
    pub(crate) fn reason(&self) -> &'static str {
        match self {
            Self::Read(_) => "unreadable",
            Self::Packed(_) => "damaged_compression",
            Self::Archive => "archive",
            Self::Write(_) => "not_written",
            Self::TooLarge { .. } => "too_large",
            Self::Memory { .. } | Self::MemoryOfStream { .. } | Self::MemoryOfLine { .. } => "memory_limit",
            Self::LongLine { .. } | Self::UnsearchedLine { .. } => "line_too_long",
            Self::NotATranscript(_) => "not_a_transcript",
            Self::Unsupported(_) => "unsupported_format",
            Self::Invalid(_) => "invalid_line",
            Self::SameFormat(_) => "same_format",
            Self::ManyRows => "several_transcripts",
            Self::Changed => "changed_while_reading",
            Self::Undo(_) => "no_undo",
            Self::Panicked(_) => "panicked",
            Self::Cancelled => "cancelled",
            Self::Fatal(_) => "stopped",
        }
    }
}

/// Why an output could not be turned back into its input.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// A file could not be read or written.
    #[error("{}: {doing} failed: {source}", path.display())]
    Io {
        /// What was being done.
        doing: &'static str,
        /// Where.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// The store does not know the output.
    #[error("{}: the store {} has no record of this content; was it edited, or is this another run's store?", output.display(), store.display())]
    Unknown {
        /// The output.
        output: PathBuf,
        /// The store.
        store: PathBuf,
    },
    /// The session went on, and what the run wrote stands at its end.
    #[error("{}: more was written behind what the run put at its end, and may build on it; to restore it without that, cut it after {bytes} bytes (`head -c {bytes}`)", output.display())]
    HangsOn {
        /// The output.
        output: PathBuf,
        /// Bytes that the run wrote.
        bytes: u64,
    },
    /// Another store knows the output.
    #[error("{}: another run wrote it, so restore it with --undo {}", output.display(), store.display())]
    OtherStore {
        /// The output.
        output: PathBuf,
        /// The store that knows it.
        store: PathBuf,
    },
    /// Several inputs became the same output.
    #[error("{}: different inputs became this content ({}); copy it to the path of the one you want, or restore from the undo store of one run", output.display(), paths.join(", "))]
    Ambiguous {
        /// The output.
        output: PathBuf,
        /// The recorded paths.
        paths: Vec<String>,
    },
    /// Where the input would be written stands something else.
    #[error("{}: something else is there; move it away, or restore to another place", path.display())]
    InTheWay {
        /// The place.
        path: PathBuf,
    },
    /// A record or an object of the store is damaged.
    #[error("{}: damaged: {reason}; the output is left as it is", path.display())]
    Damaged {
        /// The record.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

impl RestoreError {
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }
}

/// Bytes as they can be stated, in the largest unit that they are a number of.
fn told(bytes: u64) -> String {
    match bytes {
        _ if bytes.is_multiple_of(1 << 30) => format!("{}G", bytes >> 30),
        _ if bytes.is_multiple_of(1 << 20) => format!("{}M", bytes >> 20),
        _ => bytes.to_string(),
    }
}

/// What a path looks like, by that of another.
fn like(example: Option<&str>) -> String {
    example.map(|path| format!("; they look like {path}")).unwrap_or_default()
}
