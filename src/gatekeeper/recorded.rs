//! What became of each transcript, and which of its messages were kept, by the reports of a folder.

use super::stated::report_folders;
use crate::batch::{LINES, report_path};
use crate::gates::KeptTail;
use crate::report::{FailedRow, Outcome};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// What became of the transcripts of a folder, by path and row of the original; of a part of a file rows count from the
/// start of the part.
#[derive(Default)]
pub(super) struct Recorded {
    compacted: BTreeMap<(String, Option<usize>), Entry>,
    /// Rows left out because they failed, with their sizes in bytes.
    dropped: BTreeMap<(String, usize), u64>,
    /// Transcripts that were left as they were, with the bytes of their output.
    left: BTreeMap<(String, Option<usize>), u64>,
}

/// Record of one transcript.
struct Entry {
    /// Size of the original in bytes.
    bytes: u64,
    /// The kept tail.
    tail: Option<KeptTail>,
    /// A summary was written.
    summarized: bool,
}

/// A line of `report.jsonl`; other keys are ignored.
#[derive(Deserialize)]
struct Told {
    path: String,
    line: Option<usize>,
    output: Option<String>,
    outcome: Outcome,
    #[serde(default)]
    failed_row: Option<FailedRow>,
    #[serde(default)]
    part: Option<serde_json::Value>,
    bytes: Bytes,
    tail: Option<Tail>,
    #[serde(default)]
    tokens: Tokens,
}

#[derive(Default, Deserialize)]
struct Tokens {
    /// Tokens of the summary; 0 if messages are dropped without one.
    summary: u64,
}

#[derive(Deserialize)]
struct Bytes {
    before: u64,
    #[serde(default)]
    after: u64,
}

#[derive(Deserialize)]
struct Tail {
    messages: usize,
    first: usize,
    last: usize,
}

impl Recorded {
    pub(super) fn of(folder: &Path) -> Self {
        let mut all = Self::default();
        for file in report_folders(folder).into_iter().filter_map(|own| File::open(own.join(LINES)).ok()) {
            let lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
            for told in lines.filter_map(|line| serde_json::from_slice::<Told>(&line).ok()) {
                if let (Some(FailedRow::Dropped), Some(line)) = (told.failed_row, told.line) {
                    all.dropped.insert((told.output.unwrap_or(told.path), line), told.bytes.before);
                    continue;
                }
                if told.outcome != Outcome::Compacted {
                    all.left.insert((told.output.unwrap_or(told.path), told.line), told.bytes.after);
                    continue;
                }
                // Line numbers of a part of a file count from the start of the part.
                if told.part.is_some() {
                    continue;
                }
                let (bytes, summarized) = (told.bytes.before, told.tokens.summary > 0);
                let tail = told.tail.map(|tail| KeptTail { messages: tail.messages, lines: tail.first..=tail.last });
                all.compacted.insert((told.output.unwrap_or(told.path), told.line), Entry { bytes, tail, summarized });
            }
        }
        all
    }

    /// The tail of the transcript at this place, if its original has the recorded size in bytes.
    pub(super) fn tail(&self, place: (&Path, Option<usize>), bytes: usize) -> Option<&KeptTail> {
        self.entry(place, bytes)?.tail.as_ref()
    }

    /// Whether a summary was written for the transcript at this place, if its original has the recorded size in bytes.
    pub(super) fn is_summarized(&self, place: (&Path, Option<usize>), bytes: usize) -> bool {
        self.entry(place, bytes).is_some_and(|entry| entry.summarized)
    }

    /// Whether the row at this place was left out, if it has the recorded size in bytes.
    pub(super) fn is_dropped(&self, (relative, line): (&Path, usize), bytes: usize) -> bool {
        !self.dropped.is_empty() && self.dropped.get(&(report_path(relative), line)) == Some(&(bytes as u64))
    }

    /// Whether the run left the transcript at this place as it was, if its output has the recorded size in bytes.
    pub(super) fn is_left(&self, (relative, row): (&Path, Option<usize>), bytes: u64) -> bool {
        !self.left.is_empty() && self.left.get(&(report_path(relative), row)) == Some(&bytes)
    }

    fn entry(&self, (relative, row): (&Path, Option<usize>), bytes: usize) -> Option<&Entry> {
        self.compacted.get(&(report_path(relative), row)).filter(|entry| entry.bytes == bytes as u64)
    }
}
