//! What the reports of a folder say of its transcripts: which messages each one kept.

use super::stated::report_folders;
use crate::batch::{LINES, report_path};
use crate::gates::KeptTail;
use crate::report::{FailedRow, Outcome};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// What was kept of the transcripts of a folder, by path and row of the original.
#[derive(Default)]
pub(super) struct Recorded {
    compacted: BTreeMap<(String, Option<usize>), Entry>,
    /// Rows that were left out since they failed, with their bytes.
    dropped: BTreeMap<(String, usize), u64>,
}

/// What was kept of one transcript.
struct Entry {
    /// The bytes of the original.
    bytes: u64,
    /// The tail.
    tail: Option<KeptTail>,
    /// A summary was written.
    summarized: bool,
}

/// A line of `report.jsonl`; other keys do not matter here.
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
    /// None where messages are dropped, and nothing stands for them.
    summary: u64,
}

#[derive(Deserialize)]
struct Bytes {
    before: u64,
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
                // Lines of one part of a file count from its start.
                if told.part.is_some() {
                    continue;
                }
                if let (Some(FailedRow::Dropped), Some(line)) = (told.failed_row, told.line) {
                    all.dropped.insert((told.output.unwrap_or(told.path), line), told.bytes.before);
                    continue;
                }
                if told.outcome != Outcome::Compacted {
                    continue;
                }
                let (bytes, summarized) = (told.bytes.before, told.tokens.summary > 0);
                let tail = told.tail.map(|tail| KeptTail { messages: tail.messages, lines: tail.first..=tail.last });
                all.compacted.insert((told.output.unwrap_or(told.path), told.line), Entry { bytes, tail, summarized });
            }
        }
        all
    }

    /// The tail of the transcript at this place, if it is one of an original of so many bytes.
    pub(super) fn tail(&self, place: (&Path, Option<usize>), bytes: usize) -> Option<&KeptTail> {
        self.entry(place, bytes)?.tail.as_ref()
    }

    /// Whether a summary was written for the transcript at this place, if it is one of an original of so many bytes.
    pub(super) fn is_summarized(&self, place: (&Path, Option<usize>), bytes: usize) -> bool {
        self.entry(place, bytes).is_some_and(|entry| entry.summarized)
    }

    /// Whether the row at this place, of so many bytes in the original, was left out.
    pub(super) fn is_dropped(&self, (relative, line): (&Path, usize), bytes: usize) -> bool {
        !self.dropped.is_empty() && self.dropped.get(&(report_path(relative), line)) == Some(&(bytes as u64))
    }

    fn entry(&self, (relative, row): (&Path, Option<usize>), bytes: usize) -> Option<&Entry> {
        self.compacted.get(&(report_path(relative), row)).filter(|entry| entry.bytes == bytes as u64)
    }
}
