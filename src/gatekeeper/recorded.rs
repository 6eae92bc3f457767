//! What the reports of a folder say of its transcripts: which messages each one kept.

use super::stated::report_folders;
use crate::batch::{LINES, report_path};
use crate::gates::KeptTail;
use crate::report::Outcome;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// What was kept of the transcripts of a folder, by path and row.
#[derive(Default)]
pub(super) struct Recorded(BTreeMap<(String, Option<usize>), Entry>);

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
                if told.outcome != Outcome::Compacted || told.part.is_some() {
                    continue;
                }
                let (bytes, summarized) = (told.bytes.before, told.tokens.summary > 0);
                let tail = told.tail.map(|tail| KeptTail { messages: tail.messages, lines: tail.first..=tail.last });
                all.0.insert((told.output.unwrap_or(told.path), told.line), Entry { bytes, tail, summarized });
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

    fn entry(&self, (relative, row): (&Path, Option<usize>), bytes: usize) -> Option<&Entry> {
        self.0.get(&(report_path(relative), row)).filter(|entry| entry.bytes == bytes as u64)
    }
}
