//! Originals without a compacted transcript, which gates over a folder of results would not notice.

use super::stated::{Reports, Stated, written_folder};
use crate::batch::{
    Batch, BatchError, Filter, Found, Input, Search, Shard, counterpart, is_detected, packed_or_not, report_path,
};
use crate::report::{Line, Outcome};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Transcripts of the originals' folder that are missing in the inputs, each with a reason. If inputs are named or
/// listed, only their originals are compared. The reports of the run may lie in a folder `elsewhere`.
pub(super) fn lost(
    batch: &Batch,
    found: &Found,
    (originals, elsewhere): (&Path, Option<&Path>),
) -> Result<Vec<(String, String)>, BatchError> {
    if !originals.is_dir() || batch.filters.files_from.is_some() {
        return Ok(Vec::new());
    }
    let filter = Filter::new(&batch.filters, batch.now)?;
    let never: Vec<PathBuf> = found.folders.iter().filter_map(|folder| folder.canonicalize().ok()).collect();
    let search = Search { inputs: &batch.inputs, list: None, filter: &filter, never: &never, mirrored: false };
    let mut lost = Vec::new();
    for (folder, Found { inputs, problems, .. }) in search.counterparts(originals)? {
        let failed = problems.into_iter().filter(|problem| problem.outcome == Outcome::Failed);
        lost.extend(failed.map(|it| (it.path.display().to_string(), format!("among the originals: {}", it.error))));
        let (left_out, mut parts) = (LeftOut::of(&folder, elsewhere), Parts::default());
        let own = |input: &Input| batch.shard.is_none_or(|shard| shard.owns(&input.relative));
        for input in &inputs {
            let place = input.path.strip_prefix(&input.root).unwrap_or(&input.relative);
            let in_parts = parts.missing(&folder.join(place), batch.shard);
            if let Some(missing) = in_parts {
                lost.extend(missing.into_iter().map(|part| (part.display().to_string(), NO_PART.to_owned())));
                continue;
            }
            if !own(input) {
                continue;
            }
            let there = counterpart(&input.path, &folder.join(place)).is_some();
            if !there && !left_out.has(place) && is_detected(&input.path) {
                let original = input.path.display();
                let what = format!("not comparable: it is not there, and its original {original} is a transcript");
                let reason = what + "; compact it, or leave it out with --exclude";
                lost.push((folder.join(place).display().to_string(), reason));
            }
        }
    }
    Ok(lost)
}

/// Why a part of a file is not judged.
const NO_PART: &str =
    "not comparable: other parts of its file are there, and it is not; run its job, or judge only one with --shard";

/// Parts of files in folders: for each folder and each whole file, the shards whose part is there.
#[derive(Default)]
struct Parts(BTreeMap<PathBuf, BTreeMap<PathBuf, Vec<Shard>>>);

impl Parts {
    /// The parts of a file that are missing beside those that are there, of this shard or of all; `None` if none is
    /// there. Each folder is read once.
    fn missing(&mut self, whole: &Path, only: Option<Shard>) -> Option<Vec<PathBuf>> {
        let folder = whole.parent()?;
        let known = self.0.entry(folder.to_owned()).or_insert_with(|| parts_in(folder));
        let there = packed_or_not(whole).find_map(|path| known.get(&path))?;
        let all = there.first()?.all().filter(|shard| only.is_none_or(|only| only == *shard));
        Some(all.filter(|shard| !there.contains(shard)).map(|shard| shard.part_of(whole)).collect())
    }
}

fn parts_in(folder: &Path) -> BTreeMap<PathBuf, Vec<Shard>> {
    let mut parts: BTreeMap<PathBuf, Vec<Shard>> = BTreeMap::new();
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    for (shard, whole) in entries.filter_map(|entry| Shard::of_part(&entry.path())) {
        parts.entry(whole).or_default().push(shard);
    }
    parts.values_mut().for_each(|there| there.sort_by_key(|shard| shard.name()));
    parts
}

/// Files that the run which wrote a folder left out on purpose (`--changed-only`), by its reports.
#[derive(Default)]
struct LeftOut {
    /// Path of the folder below the one with the reports.
    below: PathBuf,
    all: BTreeMap<String, bool>,
}

impl LeftOut {
    fn of(folder: &Path, elsewhere: Option<&Path>) -> Self {
        let written = written_folder(folder);
        let below = folder.strip_prefix(written).unwrap_or(Path::new("")).to_owned();
        let mut left = Self { below, all: BTreeMap::new() };
        let reports = elsewhere.map_or_else(|| Reports::of(written), Reports::elsewhere);
        if !Stated::of(&reports).is_some_and(|stated| stated.leaves_unchanged()) {
            return left;
        }
        let texts = reports.lines().filter_map(|lines| fs::read(lines).ok());
        for text in texts {
            let lines = text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Line>(line).ok());
            for Line { path, outcome, .. } in lines {
                let unchanged = matches!(outcome, Outcome::Unchanged | Outcome::Skipped);
                left.all.entry(path).and_modify(|before| *before &= unchanged).or_insert(unchanged);
            }
        }
        left
    }

    fn has(&self, place: &Path) -> bool {
        self.all.get(&report_path(&self.below.join(place))).copied().unwrap_or_default()
    }
}
