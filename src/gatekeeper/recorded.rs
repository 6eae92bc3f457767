//! What became of each transcript, and which of its messages were kept, by the reports of a folder.

use super::stated::Reports;
use crate::batch::report_path;
use crate::gates::KeptTail;
use crate::report::{FailedRow, Line, Outcome, RangeReport};
use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// What became of the transcripts of a folder, by the path of their output.
#[derive(Default)]
pub(super) struct Recorded {
    files: BTreeMap<String, OfFile>,
    /// The reports don't lie in the folder with the output.
    elsewhere: bool,
}

/// What became of the transcripts of a file.
#[derive(Default)]
struct OfFile {
    /// In the order of the input.
    all: Vec<Entry>,
    /// Number of entries that are not in the output.
    dropped: usize,
    /// Number of entries that were written in another format.
    converted: usize,
    /// Whether all transcripts of this size that stand at this line of the output were left as they were.
    left: BTreeMap<(u64, usize), bool>,
}

/// In place of a line: the transcript is all of its file.
const WHOLE: usize = 0;

/// Record of one transcript.
struct Entry {
    /// Line of the original; none if it is all of its file. Of a part of a file lines count from its start.
    line: Option<usize>,
    /// Size of the original in bytes.
    bytes: u64,
    /// It was left out because it failed.
    dropped: bool,
    /// What was kept as it was.
    tail: Option<KeptTail>,
    /// A summary was written.
    summarized: bool,
}

/// Where a transcript stands in its output, and its size: of the bytes there are, or of the file as it is stored.
#[derive(Clone, Copy)]
pub(super) struct Spot<'p> {
    /// Path of the file below the folder that was written.
    pub(super) path: &'p Path,
    /// Its first line.
    pub(super) line: usize,
    /// Its size in bytes.
    pub(super) bytes: usize,
    /// The size of its file in bytes.
    pub(super) file: u64,
}

/// Where a transcript stands in its original.
#[derive(Clone, Copy)]
pub(super) struct Origin<'p> {
    /// Path of its output below the folder that was written.
    pub(super) path: &'p Path,
    /// How many transcripts of the output stand before it.
    pub(super) place: usize,
    /// Its row, if the original may have several.
    pub(super) row: Option<usize>,
    /// Its size in bytes.
    pub(super) bytes: usize,
}

/// Whether the summaries of a transcript are those that it had: nothing was compacted, or, as a conversion does not say
/// whether it was, no summary was written.
fn is_left(told: &Line) -> bool {
    match told.outcome {
        Outcome::Compacted => false,
        Outcome::Converted => told.tokens.summary == 0,
        Outcome::Mended | Outcome::Redacted | Outcome::Unchanged | Outcome::Skipped | Outcome::Failed => true,
    }
}

impl OfFile {
    /// The line at which the next transcript stands in the output.
    fn output_line(&self, next: &Line) -> usize {
        match next.line {
            None => WHOLE,
            // Rows of another format are written anew, one after the other.
            Some(_) if next.outcome == Outcome::Converted => self.converted + 1,
            // Elements of an array may share a line with those that were left out before them.
            Some(line) => line.saturating_sub(self.dropped).max(1),
        }
    }

    fn add(&mut self, told: Line) {
        let dropped = told.failed_row == Some(FailedRow::Dropped);
        if !dropped {
            let (line, left) = (self.output_line(&told), is_left(&told));
            self.left.entry((told.bytes.after, line)).and_modify(|all| *all &= left).or_insert(left);
        }
        self.dropped += usize::from(dropped);
        self.converted += usize::from(told.outcome == Outcome::Converted);
        // Tails of a part of a file count lines from the start of the part.
        let whole = told.part.is_none();
        let at = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let range = |tail: RangeReport| KeptTail::Range {
            pieces: at(tail.pieces.max(tail.messages)),
            lines: at(tail.first)..=at(tail.last),
        };
        let tail = match told.outcome {
            Outcome::Compacted if whole => told.tail.map(range),
            Outcome::Unchanged if whole => Some(KeptTail::All),
            _ => None,
        };
        let summarized = whole && told.outcome == Outcome::Compacted && told.tokens.summary > 0;
        self.all.push(Entry { line: told.line, bytes: told.bytes.before, dropped, tail, summarized });
    }
}

impl Recorded {
    pub(super) fn of(reports: &Reports) -> Self {
        let mut all = Self { elsewhere: reports.elsewhere, ..Self::default() };
        for file in reports.lines().filter_map(|lines| File::open(lines).ok()) {
            let lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
            for mut told in lines.filter_map(|line| serde_json::from_slice::<Line>(&line).ok()) {
                let path = told.output.take().unwrap_or_else(|| std::mem::take(&mut told.path));
                all.files.entry(path).or_default().add(told);
            }
        }
        all
    }

    /// What is known of a file. A single output may have any name and place if it was named to a run that reports
    /// elsewhere.
    fn file(&self, path: &Path) -> Option<&OfFile> {
        let only = || self.files.values().next().filter(|_| self.elsewhere && self.files.len() == 1);
        self.files.get(&report_path(path)).or_else(only)
    }

    /// What was kept of a transcript as it was, if its original has the recorded size in bytes.
    pub(super) fn tail(&self, origin: Origin<'_>) -> Option<&KeptTail> {
        self.entry(origin)?.tail.as_ref()
    }

    /// Whether a summary was written for a transcript, if its original has the recorded size in bytes.
    pub(super) fn is_summarized(&self, origin: Origin<'_>) -> bool {
        self.entry(origin).is_some_and(|entry| entry.summarized)
    }

    /// For each row of an original, by line and size in bytes, whether it was left out of this output.
    pub(super) fn dropped(&self, path: &Path, rows: impl Iterator<Item = (usize, usize)>) -> Vec<bool> {
        let file = self.file(path);
        // Elements of an array may share a line and a size: the first entry that nobody has yet is meant.
        let mut open: BTreeMap<(usize, u64), VecDeque<bool>> = BTreeMap::new();
        for entry in file.iter().filter(|file| file.dropped > 0).flat_map(|file| &file.all) {
            open.entry((entry.line.unwrap_or(WHOLE), entry.bytes)).or_default().push_back(entry.dropped);
        }
        let mut is_dropped = |(line, bytes)| open.get_mut(&(line, bytes as u64))?.pop_front();
        rows.map(|row| is_dropped(row).unwrap_or_default()).collect()
    }

    /// Whether the run left the summaries of a transcript as they were, if its output has the recorded size in bytes.
    /// What stands above it in an array may have other lines by now, so its size decides where nothing of that size is
    /// known of its line. Of several that it may be, all must have been left.
    pub(super) fn is_left(&self, spot: Spot<'_>) -> bool {
        let Some(file) = self.file(spot.path) else { return false };
        let bytes = spot.bytes as u64;
        let known = file.left.get(&(spot.file, WHOLE)).or_else(|| file.left.get(&(bytes, spot.line)));
        let anywhere = || {
            let mut of_size = file.left.range((bytes, WHOLE + 1)..=(bytes, usize::MAX)).map(|(_, left)| *left);
            of_size.next().is_some_and(|first| first && of_size.all(|left| left))
        };
        known.copied().unwrap_or_else(anywhere)
    }

    fn entry(&self, origin: Origin<'_>) -> Option<&Entry> {
        let file = self.file(origin.path)?;
        let is_it = |entry: &&Entry| entry.line == origin.row && entry.bytes == origin.bytes as u64;
        // Without dropped entries, and so in most files, the place is that in the report.
        let there = if file.dropped == 0 {
            file.all.get(origin.place)
        } else {
            file.all.iter().filter(|entry| !entry.dropped).nth(origin.place)
        };
        there.filter(is_it)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::batch::{LINES, OWN_FOLDER};
    use serde_json::{Value, json};

    /// What the report with these lines says of `rows.json`.
    fn recorded(lines: &[Value]) -> Recorded {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join(OWN_FOLDER);
        std::fs::create_dir_all(&own).unwrap();
        let mut text = String::new();
        for line in lines {
            let mut all = json!({ "path": "rows.json" });
            all.as_object_mut().unwrap().extend(line.as_object().unwrap().clone());
            text += &format!("{all}\n");
        }
        std::fs::write(own.join(LINES), text).unwrap();
        Recorded::of(&Reports::of(folder.path()))
    }

    fn row(line: usize, outcome: &str, bytes: (usize, usize)) -> Value {
        json!({ "line": line, "outcome": outcome, "bytes": { "before": bytes.0, "after": bytes.1 } })
    }

    fn dropped(line: usize, bytes: usize) -> Value {
        let bytes = json!({ "before": bytes, "after": 0 });
        json!({ "line": line, "outcome": "failed", "failed_row": "dropped", "bytes": bytes })
    }

    fn is_left(recorded: &Recorded, line: usize, bytes: usize) -> bool {
        recorded.is_left(Spot { path: Path::new("rows.json"), line, bytes, file: 9_000 })
    }

    #[test]
    fn a_conversion_that_compacted_left_nothing() {
        let told = |outcome: &str, summary: u64| {
            let bytes = json!({ "before": 9_500, "after": 9_000 });
            recorded(&[json!({ "outcome": outcome, "bytes": bytes, "tokens": { "summary": summary } })])
        };
        assert!(!is_left(&told("converted", 40), 1, 70));
        assert!(is_left(&told("converted", 0), 1, 70), "only its format is another");
        assert!(is_left(&told("unchanged", 0), 1, 70));
        assert!(is_left(&told("redacted", 0), 1, 70));
        assert!(!is_left(&told("compacted", 40), 1, 70));
    }

    #[test]
    fn lines_count_as_in_the_output() {
        let all = [dropped(1, 50), row(2, "unchanged", (70, 70)), dropped(3, 51), row(4, "compacted", (90, 70))];
        let told = recorded(&all);
        assert!(is_left(&told, 1, 70));
        assert!(!is_left(&told, 2, 70), "of the same size, and compacted");
        let converted = |line, after| {
            let bytes = json!({ "before": 90, "after": after });
            json!({ "line": line, "output": "rows.json", "outcome": "converted", "bytes": bytes })
        };
        let told = recorded(&[row(1, "skipped", (50, 50)), converted(3, 70), converted(5, 71)]);
        assert!(is_left(&told, 1, 70) && is_left(&told, 2, 71), "rows are written one after the other");
    }

    #[test]
    fn elements_of_an_array_are_told_apart_by_size() {
        let one_line = [dropped(1, 50), row(1, "unchanged", (70, 70)), row(1, "compacted", (90, 60))];
        let told = recorded(&one_line);
        assert!(is_left(&told, 1, 70) && !is_left(&told, 1, 60));
        let more = [&one_line[..], &[row(1, "compacted", (95, 70))]].concat();
        assert!(!is_left(&recorded(&more), 1, 70), "it may be the compacted one");
        let lines = [row(1, "compacted", (900, 60)), row(20, "unchanged", (70, 70))];
        assert!(is_left(&recorded(&lines), 5, 70), "what was compacted above it has fewer lines");
        assert!(!is_left(&recorded(&lines), 5, 71));
    }

    #[test]
    fn a_report_without_pieces_tells_of_as_many_as_there_are_messages() {
        let tail = json!({ "messages": 4, "first": 7, "last": 9 });
        let told = recorded(&[json!({ "outcome": "compacted", "tail": tail, "bytes": { "before": 90 } })]);
        let origin = Origin { path: Path::new("rows.json"), place: 0, row: None, bytes: 90 };
        assert_eq!(told.tail(origin), Some(&KeptTail::Range { pieces: 4, lines: 7..=9 }));
    }

    #[test]
    fn originals_on_one_line_have_each_their_own_entry() {
        let tail = |at: usize| {
            let tail = json!({ "pieces": at, "first": at, "last": at });
            let bytes = json!({ "before": 90, "after": 70 });
            json!({ "line": 1, "outcome": "compacted", "tail": tail, "bytes": bytes, "tokens": { "summary": at } })
        };
        let told = recorded(&[tail(1), dropped(1, 50), dropped(1, 90), tail(0), row(1, "unchanged", (90, 90))]);
        let path = Path::new("rows.json");
        let origin = |place| Origin { path, place, row: Some(1), bytes: 90 };
        let kept = |at: usize| Some(KeptTail::Range { pieces: at, lines: at..=at });
        let all: Vec<_> = (0..4).map(|place| told.tail(origin(place)).cloned()).collect();
        assert_eq!(all, [kept(1), kept(0), Some(KeptTail::All), None]);
        assert!(told.is_summarized(origin(0)) && !told.is_summarized(origin(1)) && !told.is_summarized(origin(2)));
        assert!(!told.is_summarized(Origin { bytes: 91, ..origin(0) }), "another original");
        let rows = [90, 50, 90, 90, 90].map(|bytes| (1, bytes));
        assert_eq!(told.dropped(path, rows.into_iter()), [false, true, true, false, false]);
        assert_eq!(told.dropped(path, [(2, 50)].into_iter()), [false], "of another line");
    }
}
