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

/// The tails of the transcripts of a folder, by path and row; each with the bytes of what it is the tail of.
#[derive(Default)]
pub(super) struct Recorded(BTreeMap<(String, Option<usize>), (u64, KeptTail)>);

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
                let Some(tail) = told.tail.filter(|_| told.outcome == Outcome::Compacted && told.part.is_none()) else {
                    continue;
                };
                let tail = KeptTail { messages: tail.messages, lines: tail.first..=tail.last };
                all.0.insert((told.output.unwrap_or(told.path), told.line), (told.bytes.before, tail));
            }
        }
        all
    }

    /// The tail of the transcript at this place, if it is one of an original of so many bytes.
    pub(super) fn tail(&self, relative: &Path, row: Option<usize>, bytes: usize) -> Option<&KeptTail> {
        let (before, tail) = self.0.get(&(report_path(relative), row))?;
        (*before == bytes as u64).then_some(tail)
    }
}
