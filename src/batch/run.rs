//! A run: finds the inputs, checks the output, processes the files on all cores, and writes journal and reports.

use super::digest::sha256;
use super::error::BatchError;
use super::file::Context;
use super::inputs::discover::{Found, Input, STDIN, Search};
use super::inputs::filter::Filter;
use super::inputs::identify::is_transcript;
use super::inputs::listed::read_list;
use super::inputs::open_files::OpenFiles;
use super::inputs::source::Shared;
use super::journal::{self, Header, Journal, differing};
use super::outputs::naming::Naming;
use super::outputs::placement;
use super::outputs::write::{
    leftovers, private_folder, remove_if_old, remove_leftovers, remove_old_beside, size_below, sync_below, sync_name,
    temporary_prefix, try_in,
};
use super::reports::record::{ByLine, Spool, report_path};
use super::schedule::memory::Memory;
use super::schedule::{Finished, Item, Schedule};
use super::shard::Shard;
use super::undo::undo_store_of;
use super::{Batch, Progress, Target, Work, reports, shard};
use crate::report::{Failures, Line, MemoryReport, Planned, Report, Totals};
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The result of a run.
pub struct RunResult {
    /// Sum of all report lines.
    pub totals: Totals,
    /// The first failures, in input order.
    pub failures: Failures,
    /// The same with the paths as typed or found, for messages.
    pub failures_as_named: Failures,
    /// Whether it was canceled before all files were done.
    pub canceled: bool,
    /// Number of files reused from an earlier run.
    pub reused: u64,
    /// Size of the undo stores in bytes, including earlier runs, if there are any.
    pub undo_bytes: Option<u64>,
    /// Formats of outputs with a single transcript per file, for programs that read only one.
    pub sessions: BTreeSet<String>,
    /// The memory limit and the largest estimate.
    pub memory: Option<MemoryReport>,
    lines: Spool,
    plans: Spool,
    /// By file, in input order.
    reported: Vec<Reported>,
}

/// What a run reports about a file.
struct Reported {
    /// Byte range of its lines.
    lines: Range<u64>,
    /// Byte range of its plan.
    plan: Range<u64>,
    /// Its path as typed or found.
    path: PathBuf,
}

impl RunResult {
    /// The content of `report.json`.
    pub fn report<'s>(&'s self, batch: &'s Batch) -> Report<'s> {
        Report {
            shard: batch.shard.map(Shard::name),
            memory: self.memory,
            stopped: self.canceled,
            ..Report::new(batch.stated(), &self.totals, &self.failures)
        }
    }

    /// Writes all report lines, as in `report.jsonl`.
    ///
    /// # Errors
    /// The writer or the temporary file failed.
    pub fn write_lines(&self, out: &mut dyn Write) -> io::Result<()> {
        self.reported.iter().try_for_each(|file| self.lines.copy(&file.lines, out))
    }

    /// Writes the plans: for each transcript `path` or `path:line`, then its units, indented.
    ///
    /// # Errors
    /// The writer or the temporary file failed.
    pub fn write_plans(&self, out: &mut dyn Write) -> io::Result<()> {
        self.reported.iter().try_for_each(|file| self.plans.copy(&file.plan, out))
    }

    /// The plans for machines: for each transcript its outcome, its decision and its units, in input order.
    ///
    /// # Errors
    /// The temporary file failed, or holds something else.
    pub fn planned(&self) -> io::Result<Vec<Planned>> {
        let mut all = Vec::new();
        for Reported { lines, plan, .. } in &self.reported {
            let mut text = Vec::new();
            self.plans.copy(plan, &mut text)?;
            let text = String::from_utf8_lossy(&text);
            let mut told = text.lines().peekable();
            let see = |line: &[u8]| {
                let line: Line = serde_json::from_slice(line)?;
                let mut units = Vec::new();
                if told.next_if(|own| *own == Planned::heading(&line)).is_some() {
                    units.extend(std::iter::from_fn(|| told.next_if(|own| own.starts_with("  "))));
                }
                all.push(Planned::of(line, units.into_iter().map(|unit| unit.trim_start().to_owned()).collect()));
                Ok(())
            };
            self.lines.copy(lines, &mut ByLine { open: Vec::new(), see })?;
        }
        Ok(all)
    }

    /// Passes on the report lines file by file, ordered by path as typed or found.
    ///
    /// # Errors
    /// Errors of `see` and of the temporary file.
    pub fn each_line(&self, mut see: impl FnMut(&Path, Line) -> io::Result<()>) -> io::Result<()> {
        let mut reported: Vec<_> = self.reported.iter().collect();
        reported.sort_by(|a, b| a.path.cmp(&b.path));
        reported.into_iter().try_for_each(|Reported { lines, path, .. }| {
            let see = |line: &[u8]| see(path, serde_json::from_slice(line)?);
            self.lines.copy(lines, &mut ByLine { open: Vec::new(), see })
        })
    }

    /// Whether any file or line failed.
    pub fn has_failures(&self) -> bool {
        self.totals.outcomes.failed > 0
    }
}

/// Runs a batch.
pub(super) fn run(batch: &Batch, work: &dyn Work, progress: &dyn Progress) -> Result<RunResult, BatchError> {
    let found = find(batch, work)?;
    let memory = Memory::of(batch)?;
    if let (Some(undo), false) = (&batch.undo, matches!(batch.target, Target::DryRun { .. })) {
        private_folder(undo, undo)
            .and_then(|()| try_in(undo))
            .map_err(BatchError::io("writing the undo store", undo))?;
    }
    let journal = claim(batch, &found)?;
    let reports = reports::folder(batch, &found)?;
    let _lock = reports::lock(batch, &found)?;
    remove_old_temporaries(batch, &found)?;
    let (lines, plans, stop) = (Spool::new(), Spool::new(), AtomicBool::new(false));
    let limits = memory.map_or(batch.limits, |memory| memory.limits(batch.limits));
    let stores = undo_stores(batch, &found);
    let items = items(found);
    let context = Context {
        batch,
        limits,
        memory,
        work,
        progress,
        lines: &lines,
        plans: &plans,
        stop: &stop,
        alone: items.len() == 1,
        open_files: OpenFiles::default(),
    };
    progress.start(items.len() as u64, items.iter().map(Item::size).sum());
    let (finished, most) = Schedule { context: &context, journal: journal.as_ref(), items: &items }.run()?;
    match &batch.target {
        Target::Dir(folder) => sync_below(folder),
        Target::File(file) => sync_name(file),
        _ => {}
    }
    let paths = items.into_iter().map(Item::path);
    let mut result = result_of(finished.into_iter().zip(paths).collect(), lines, plans);
    result.memory = memory.map(|memory| MemoryReport { limit: memory.limit, largest: most });
    // Jobs that run in parallel may share a store.
    let stores = stores.iter().filter(|_| batch.shard.is_none());
    result.undo_bytes = Some(stores.map(|store| size_below(store)).sum()).filter(|bytes| *bytes > 0);
    if let Some(journal) = journal {
        journal.finish(&result.lines)?;
    }
    reports.map_or(Ok(()), |folder| reports::write(batch, &result, &folder))?;
    Ok(result)
}

/// Finds the inputs of a batch.
pub(crate) fn find(batch: &Batch, work: &dyn Work) -> Result<Found, BatchError> {
    if batch.target.is_in_place() && batch.compress.is_some() {
        return Err(BatchError::CompressInPlace);
    }
    placement::check_folders(batch)?;
    let list = batch.filters.files_from.as_deref().map(|path| list(batch, path)).transpose()?;
    let filter = Filter::new(&batch.filters, batch.now)?;
    let never = placement::never_read(batch);
    let mirrored = !batch.reads_only && !batch.target.is_in_place();
    let search = Search { inputs: &batch.inputs, list: list.as_deref(), filter: &filter, never: &never, mirrored };
    let mut found = search.run()?;
    if batch.target.is_in_place() {
        let mut known = BTreeSet::new();
        found.inputs.retain(|input| known.insert(placement::real(&input.path)));
    }
    let naming = Naming::of(batch, work);
    naming.check(&found.inputs, &|input| naming.conversion.is_none() || is_transcript(&input.path, work))?;
    placement::check_count(batch, &found)?;
    shard::take(batch, work, &mut found)?;
    placement::check_files(batch, &found, naming)?;
    Ok(found)
}

fn list(batch: &Batch, path: &Path) -> Result<Vec<PathBuf>, BatchError> {
    let text = if path.as_os_str() == STDIN {
        let mut text = Vec::new();
        Shared(&batch.streams.stdin).read_to_end(&mut text).map(|_| text)
    } else {
        fs::read(path)
    };
    let text = text.map_err(BatchError::io("reading the list of files", path))?;
    if !batch.filters.null && text.contains(&0) {
        return Err(BatchError::NulInList { path: path.to_owned() });
    }
    read_list(&text, batch.filters.null).map_err(BatchError::io("reading the list of files", path))
}

/// Claims the output folder and opens its journal.
fn claim(batch: &Batch, found: &Found) -> Result<Option<Journal>, BatchError> {
    let Target::Dir(folder) = &batch.target else { return Ok(None) };
    let others = placement::claim(folder, batch)?;
    let mut settings = serde_json::json!({
        "settings": batch.stated(),
        "measure_zstd": batch.measure_zstd,
        "undo": batch.undo.is_some(),
    });
    if let Some(compress) = batch.compress {
        settings["compress"] = compress.extension().into();
    }
    let settings = sha256(&settings.to_string());
    if others.iter().any(|other| !journal::is_of(other, &settings)) {
        return Err(differing::told(BatchError::other_settings(folder), batch));
    }
    let path = placement::own_folder(folder, batch.shard).join(journal::NAME);
    let journal = Journal::open(path, Header::new(settings, roots(batch, found)), batch.force);
    let journal = journal.map_err(|error| differing::told(error, batch))?;
    let moved = |input: &Input| {
        let earlier = journal.reusable(&report_path(&input.relative));
        earlier.is_some_and(|entry| entry.input.size == input.size && entry.input.size > 0)
    };
    let is_known = || found.inputs.iter().filter(|input| moved(input)).count() * 2 >= found.inputs.len().max(1);
    if journal.is_of_others() && !batch.force && !is_known() {
        return Err(BatchError::OtherInputs { path: folder.to_owned() });
    }
    Ok(Some(journal))
}

/// Digests of the input folders, so that the journal does not name them. For a list of files there are none, as it may
/// name files anywhere, all with different output paths.
fn roots(batch: &Batch, found: &Found) -> BTreeSet<String> {
    if batch.inputs.is_empty() {
        return BTreeSet::new();
    }
    let inputs: BTreeSet<&Path> = found.inputs.iter().map(|input| &*input.root).collect();
    let all: BTreeSet<&Path> = found.folders.iter().map(|folder| &**folder).chain(inputs).collect();
    let digest = |root: &Path| sha256(&placement::real(root).to_string_lossy()).chars().take(16).collect();
    all.into_iter().map(digest).collect()
}

/// The undo stores that a run writes to.
fn undo_stores(batch: &Batch, found: &Found) -> Vec<PathBuf> {
    if matches!(batch.target, Target::DryRun { .. }) {
        return Vec::new();
    }
    let in_place = batch.target == Target::InPlace && batch.undo.is_none();
    let roots: BTreeSet<&Path> = found.inputs.iter().filter(|_| in_place).map(|input| &*input.root).collect();
    batch.undo.iter().cloned().chain(roots.into_iter().map(undo_store_of)).collect()
}

/// Removes leftovers of interrupted runs: all of them in an output folder of epitome's (or those of this shard).
/// Elsewhere, such as in undo stores, another run may be active, so only those that were not written to for a while.
fn remove_old_temporaries(batch: &Batch, found: &Found) -> Result<(), BatchError> {
    if matches!(batch.target, Target::DryRun { .. }) {
        return Ok(());
    }
    let remove = |path: &PathBuf| {
        let removed = remove_if_old(path, batch.now, batch.min_age);
        removed.map_err(BatchError::io("removing a temporary file", path))
    };
    let all = undo_stores(batch, found).into_iter().flat_map(|store| leftovers(&store));
    all.collect::<Vec<_>>().iter().try_for_each(remove)?;
    match &batch.target {
        Target::Dir(folder) => {
            let own = remove_leftovers(&placement::own_folder(folder, batch.shard), &temporary_prefix(None));
            let all = own.and_then(|()| remove_leftovers(folder, &temporary_prefix(batch.shard)));
            all.map_err(BatchError::io("removing temporary files", folder))
        }
        Target::InPlace => found.leftovers.iter().try_for_each(remove),
        Target::File(file) => {
            remove_old_beside(file, batch.now);
            Ok(())
        }
        Target::Stdout | Target::DryRun { .. } => Ok(()),
    }
}

fn result_of(finished: Vec<(Option<Finished>, PathBuf)>, lines: Spool, plans: Spool) -> RunResult {
    let canceled = finished.iter().any(|(file, _)| file.is_none());
    let (mut totals, mut failures, mut as_named) = (Totals::default(), Failures::default(), Failures::default());
    let mut reported = Vec::with_capacity(finished.len());
    let (mut reused, mut sessions) = (0, BTreeSet::new());
    for (file, path) in finished.into_iter().filter_map(|(file, path)| Some((file?, path))) {
        totals += &file.totals;
        as_named.append(file.failures.clone().named(&path.to_string_lossy()));
        failures.append(file.failures);
        sessions.extend(file.sessions);
        reused += u64::from(file.reused);
        reported.push(Reported { lines: file.lines, plan: file.plan, path });
    }
    RunResult {
        totals,
        failures,
        failures_as_named: as_named,
        canceled,
        reused,
        undo_bytes: None,
        sessions,
        memory: None,
        lines,
        plans,
        reported,
    }
}

fn items(found: Found) -> Vec<Item> {
    let files = found.inputs.into_iter().map(Item::File);
    let mut items: Vec<_> = files.chain(found.problems.into_iter().map(Item::Problem)).collect();
    items.sort_by(|a, b| a.relative().cmp(b.relative()));
    items
}
