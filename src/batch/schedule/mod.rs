//! Schedules the files: all threads take from one queue, largest first; results keep the input order.

pub(super) mod memory;
mod queue;
pub(super) mod threads;

use super::error::{BatchError, FileError};
use super::file::{Context, Ended, Task, spooling};
use super::inputs::discover::{Input, Problem};
use super::journal::Journal;
use super::journal::resume;
use super::outputs::pending::Pending;
use super::outputs::settling::{self, Settling};
use super::reports::record::{FileReport, bare_line};
use crate::report::{Failures, FileTotals, Totals};
use queue::Queue;
use rayon::Scope;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use threads::{cores, pool};

/// A file to process or a problem to report, in the order of the reports.
pub(super) enum Item {
    File(Input),
    Problem(Problem),
}

impl Item {
    pub(super) fn relative(&self) -> &Path {
        match self {
            Self::File(input) => &input.relative,
            Self::Problem(problem) => &problem.relative,
        }
    }

    /// Its path, as typed or found by a walk.
    pub(super) fn path(self) -> PathBuf {
        match self {
            Self::File(input) => input.path,
            Self::Problem(problem) => problem.path,
        }
    }

    pub(super) fn size(&self) -> u64 {
        match self {
            Self::File(input) => input.size,
            Self::Problem(_) => 0,
        }
    }
}

/// The part of a finished file's result that is kept in memory.
pub(super) struct Finished {
    /// Range of its report lines in the spool.
    pub(super) lines: Range<u64>,
    /// Range of its plan in the spool.
    pub(super) plan: Range<u64>,
    pub(super) totals: Totals,
    pub(super) failures: Failures,
    /// Formats of files that were written as a single transcript.
    pub(super) sessions: BTreeSet<String>,
    /// Whether it was reused from an earlier run.
    pub(super) reused: bool,
}

/// The result for an item, whose output may not be in its place yet.
struct Attempt {
    ended: Ended,
    record: FileReport,
    reused: bool,
}

/// An item whose processing has ended.
struct Attempted {
    index: usize,
    done: Result<Attempt, FileError>,
}

/// The items and everything needed to process them.
pub(super) struct Schedule<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) journal: Option<&'a Journal>,
    pub(super) items: &'a [Item],
}

/// The results collected from the threads.
#[derive(Default)]
struct Results {
    finished: Mutex<Vec<(usize, Finished)>>,
    /// The first error that stops the run.
    error: Mutex<Option<BatchError>>,
}

impl Schedule<'_> {
    /// Processes all items; canceled ones are `None`. Also returns the largest estimated memory need in bytes.
    ///
    /// There are as many loops as threads, all taking items from one queue. A thread that waits for the lines of its
    /// file may start on another loop, but there are never more items in progress than threads. Outputs are synced on
    /// other threads, unless memory is limited. A loop ends if there is no memory for any item, since waiting could
    /// deadlock; it is started again when an item frees memory.
    pub(super) fn run(&self) -> Result<(Vec<Option<Finished>>, u64), BatchError> {
        let threads = match (self.context.batch.threads, self.context.work.waiting()) {
            (threads, 0) => threads,
            (threads, waiting) => cores(threads) + waiting,
        };
        let threads = self.context.memory.map_or(threads, |memory| cores(threads).min(memory.threads()));
        let pool = pool(threads)?;
        let needs = pool.install(|| self.needs());
        let mut order: Vec<usize> = (0..self.items.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(self.items[*index].size()));
        let (queue, results) = (Queue::new(order, &needs, self.context.memory), Results::default());
        let (queue, results_of) = (&queue, &results);
        let settle = |attempted| self.settle(attempted, results_of);
        settling::beside(self.context.memory.is_none(), &settle, |settling| {
            pool.scope(|scope| {
                for _ in 0..pool.current_num_threads() {
                    scope.spawn(|scope| self.take_all(scope, queue, settling));
                }
            });
        });
        let most = queue.most();
        Ok((results.in_order(self.items.len())?, most))
    }

    /// Estimated memory need of each item in bytes; empty without a limit.
    fn needs(&self) -> Vec<u64> {
        let Some(memory) = self.context.memory else { return Vec::new() };
        let need = |item: &Item| match item {
            Item::File(input) if !self.context.stopped() => memory.need(input, self.context.batch, self.context.work),
            _ => 0,
        };
        self.items.par_iter().map(need).collect()
    }

    fn take_all<'s>(&'s self, scope: &Scope<'s>, queue: &'s Queue<'s>, settling: &'s Settling<'s, Attempted>) {
        while let Some(index) = queue.next() {
            if self.context.stopped() {
                return;
            }
            settling.take(Attempted { index, done: self.item(&self.items[index], queue.refused(index)) });
            for _ in 0..queue.done(index) {
                scope.spawn(|scope| self.take_all(scope, queue, settling));
            }
        }
    }

    /// Keeps the result of an item after moving its output to its place.
    fn settle(&self, Attempted { index, done }: Attempted, results: &Results) {
        match done.and_then(|done| self.finish(&self.items[index], done)) {
            Ok(finished) => {
                results.keep(index, finished);
                self.context.progress.file_done();
            }
            Err(FileError::Fatal(err)) => {
                self.context.stop.store(true, Ordering::Relaxed);
                results.fail(err);
            }
            Err(_) => {}
        }
    }

    fn item(&self, item: &Item, refused: Option<FileError>) -> Result<Attempt, FileError> {
        let input = match item {
            Item::Problem(problem) => return self.problem(problem),
            Item::File(input) => input,
        };
        if let Some((ended, record)) = self.journal.and_then(|journal| resume::reuse(self.context, journal, input)) {
            self.context.progress.advance(input.size);
            return Ok(Attempt { ended, record, reused: true });
        }
        let (ended, record) = Task::new(self.context, input).run(refused)?;
        Ok(Attempt { ended, record, reused: false })
    }

    fn finish(&self, item: &Item, attempt: Attempt) -> Result<Finished, FileError> {
        let Attempt { mut ended, mut record, reused } = attempt;
        let Item::File(input) = item else { return self.close(&ended, record) };
        if reused {
            return Ok(Finished { reused, ..self.close(&ended, record)? });
        }
        if let Some(Err(err)) = ended.pending.take().map(Pending::publish) {
            (ended, record) = Task::new(self.context, input).with_part(ended.part.take()).failed(err)?;
        }
        let (path, count) = (record.path().to_owned(), record.len());
        let finished = self.close(&ended, record)?;
        if let Some(journal) = self.journal {
            resume::remove_stale(self.context, journal, input, &ended)?;
            let noted =
                resume::note(journal, resume::Noted { path, count, ended }, (self.context.lines, &finished.lines));
            noted.map_err(FileError::Fatal)?;
        }
        Ok(finished)
    }

    fn problem(&self, problem: &Problem) -> Result<Attempt, FileError> {
        let mut record = FileReport::new(&problem.relative);
        let blank = self.context.work.blank();
        let line = bare_line(blank, problem.outcome, problem.reason, Some(problem.error.clone()));
        record.add(line, &[]).map_err(spooling)?;
        Ok(Attempt { ended: Ended::failed(), record, reused: false })
    }

    /// Moves the report from memory to the spools.
    fn close(&self, ended: &Ended, mut record: FileReport) -> Result<Finished, FileError> {
        let lines = self.context.lines.append(&mut record.lines).map_err(spooling)?;
        let plan = self.context.plans.append(&mut record.plan).map_err(spooling)?;
        record.totals.files += &FileTotals { count: 1, bytes: ended.bytes.clone() };
        let FileReport { totals, failures, sessions, .. } = record;
        Ok(Finished { lines, plan, totals, failures, sessions, reused: false })
    }
}

impl Results {
    fn keep(&self, index: usize, finished: Finished) {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner).push((index, finished));
    }

    fn fail(&self, err: BatchError) {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(err);
    }

    fn in_order(self, count: usize) -> Result<Vec<Option<Finished>>, BatchError> {
        if let Some(err) = self.error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(err);
        }
        let mut ordered: Vec<Option<Finished>> = (0..count).map(|_| None).collect();
        for (index, finished) in self.finished.into_inner().unwrap_or_else(PoisonError::into_inner) {
            ordered[index] = Some(finished);
        }
        Ok(ordered)
    }
}
