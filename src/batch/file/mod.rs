//! Processes one file from input to output: detects what it is, hands it to the right code, and reports failures.

mod aside;
mod elements;
mod ended;
pub(super) mod fence;
mod many;
mod row_worker;
mod session;
mod stream;

use super::digest::{Compressed, Digest, Gauge, measured};
use super::error::{BatchError, FileError};
use super::inputs::discover::{Input, STDIN};
use super::inputs::open_files::OpenFiles;
use super::inputs::source::{Shared, Source};
use super::outputs::in_place::Guard;
use super::outputs::naming::{self, Naming};
use super::outputs::pending::Ending;
use super::outputs::rewrite::{Rewrite, Sink, Written};
use super::outputs::write::{Readers, Replacement, temporary_prefix};
use super::packing::{Packer, Packing, Stored};
use super::reports::record::{FileReport, Spool, bare_line, report_path};
use super::schedule::memory::Memory;
use super::undo::{Draft, undo_store_of};
use super::{Batch, Compress, Done, Limits, Progress, Target, Work};
use crate::format::{Detected, Format, Layout, ReadError, of_rows};
use crate::reason::Reason;
use crate::redact::{Masks, masks};
use crate::report::{BytesReport, Finding, Line, Outcome, PartReport};
use crate::transcript::Patch;
pub(super) use ended::Ended;
use fence::fenced;
use std::collections::BTreeSet;
use std::fs::Metadata;
use std::io::{self, BufWriter};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The state shared by all files of a run.
pub(super) struct Context<'a> {
    pub(super) batch: &'a Batch,
    /// The limits of the batch, reduced to fit its memory.
    pub(super) limits: Limits,
    pub(super) memory: Option<Memory>,
    pub(super) work: &'a dyn Work,
    pub(super) progress: &'a dyn Progress,
    pub(super) lines: &'a Spool,
    pub(super) plans: &'a Spool,
    /// Set when the run ends early: canceled, or after an error that concerns all files.
    pub(super) stop: &'a AtomicBool,
    /// Whether there is only one file: threads looking for other work then only find pieces of it.
    pub(super) alone: bool,
    pub(super) open_files: OpenFiles,
}

impl Context<'_> {
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.batch.cancel.load(Ordering::Relaxed)
    }

    /// The rules for output names.
    pub(super) fn naming(&self) -> Naming {
        Naming::of(self.batch, self.work)
    }

    pub(super) fn gauge(&self) -> Gauge {
        Gauge::new(self.batch.measure_zstd)
    }

    /// Path of the file for the output, if it is written to one.
    pub(super) fn output(&self, input: &Input) -> Result<Option<PathBuf>, FileError> {
        match &self.batch.target {
            Target::Dir(folder) => Ok(Some(folder.join(self.naming().place(&input.relative)))),
            Target::File(path) => Ok(Some(naming::file(path, input))),
            Target::InPlace => input.path.canonicalize().map(Some).map_err(FileError::Read),
            Target::Stdout | Target::DryRun { .. } => Ok(None),
        }
    }

    fn undo_store(&self, input: &Input) -> Option<PathBuf> {
        match (&self.batch.target, &self.batch.undo) {
            (Target::DryRun { .. }, _) => None,
            (Target::InPlace, None) => Some(undo_store_of(&input.root)),
            (_, undo) => undo.clone(),
        }
    }
}

/// A file being processed.
pub(super) struct Task<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) input: &'a Input,
    pub(super) record: FileReport,
    /// Work specific to this file, in place of the run's.
    own: Option<Box<dyn Work + 'a>>,
    /// The part of the input that is processed, if not all.
    part: Option<PartReport>,
    guard: Option<Guard>,
    /// Number of bytes reported to progress.
    advanced: u64,
}

impl<'a> Task<'a> {
    pub(super) fn new(context: &'a Context<'a>, input: &'a Input) -> Self {
        let own = context.work.on(input.whole(), &input.path, &input.root);
        let record = FileReport::new(&input.relative);
        Self { context, input, record, own, part: None, guard: None, advanced: 0 }
    }

    /// Restricts the task to a part of the input.
    pub(super) fn with_part(self, part: Option<PartReport>) -> Self {
        Self { part, ..self }
    }

    /// Processes the file, or fails it with `refused`. Only errors that stop the whole run are returned as errors.
    pub(super) fn run(mut self, refused: Option<FileError>) -> Result<(Ended, FileReport), FileError> {
        let attempted = refused.map_or_else(|| self.attempt(), Err);
        self.advance(self.input.size.saturating_sub(self.advanced));
        match attempted {
            Ok(ended) => Ok((Ended { part: self.part, ..ended }, self.record)),
            Err(err) => self.failed(err),
        }
    }

    /// Replaces everything recorded for the file by its failure.
    pub(super) fn failed(mut self, err: FileError) -> Result<(Ended, FileReport), FileError> {
        if let FileError::Canceled | FileError::Fatal(_) = err {
            return Err(err);
        }
        self.record.restart(&self.input.relative);
        self.record(self.failed_line(&err), &[])?;
        Ok((Ended::failed(), self.record))
    }

    fn attempt(&mut self) -> Result<Ended, FileError> {
        let mut source = Source::open(self.input, &self.context.batch.streams, self.context.gauge())?;
        if let Some(meta) = source.meta.as_ref().filter(|_| self.context.batch.target.is_in_place()) {
            if let Some(ended) = self.leave_alone(meta)? {
                return Ok(ended);
            }
            self.guard = self.context.output(self.input)?.map(|path| Guard::new(path, meta));
        }
        let verdict = self.recognize(&mut source)?;
        let source = self.cut(source, &verdict)?;
        match verdict {
            Handling::Copy(line) if self.context.work.conversion().is_some() => self.leave_out(*line),
            Handling::Copy(line) if self.context.work.redacts() && !(source.given.is_whole() && source.is_blank()) => {
                self.leave_unsearched(*line)
            }
            Handling::Copy(line) => self.copy(source, *line),
            Handling::Work(format, Layout::PerLine) => stream::run(self, format, source),
            Handling::Work(format, Layout::PerElement(key)) => elements::run(self, format, key, source),
            Handling::Work(format, Layout::Session) => session::run(self, format, source),
        }
    }

    /// Restricts a file of rows to the lines to be processed.
    fn cut(&mut self, source: Source<'a>, verdict: &Handling) -> Result<Source<'a>, FileError> {
        let Some(part) = &self.input.part else { return Ok(source) };
        let Handling::Work(_, Layout::PerLine) = verdict else { return Err(FileError::Changed) };
        let (source, Range { start, end }) = source.cut(&self.input.path, part)?;
        self.part = Some(PartReport { of: report_path(&part.of), start, end });
        Ok(source)
    }

    /// Decides how the file is processed. A file that is no transcript is copied if a walk found it, and fails if it
    /// was named.
    fn recognize(&self, source: &mut Source<'a>) -> Result<Handling, FileError> {
        let skipped = |reason: Reason, error: Option<String>| {
            Box::new(bare_line(self.context.work.blank(), Outcome::Skipped, reason, error))
        };
        if source.given.is_whole() && source.is_blank() {
            return Ok(Handling::Copy(skipped(Reason::Empty, None)));
        }
        let detected = source.detected(|bytes, given| self.context.work.detect(bytes, given))?;
        let (err, format) = match detected {
            Ok(Detected { format: Some(format), .. }) if self.is_target(format, &source.sample) => {
                (FileError::SameFormat(format.name()), Some(format.name().to_owned()))
            }
            Ok(Detected { format: Some(format), layout, .. }) => return Ok(Handling::Work(format, layout)),
            Ok(Detected { name, .. }) => (FileError::Unsupported(name), Some(name.to_owned())),
            Err(undetected) => (undetected.into(), None),
        };
        // In a stream of rows every line is written again, even if most lines are no transcripts.
        if let Some(format) = self.streams().then(|| of_rows(&source.sample)).flatten() {
            return Ok(Handling::Work(format, Layout::PerLine));
        }
        if self.input.named {
            return Err(err);
        }
        let line = skipped(err.reason(), Some(err.to_string()));
        Ok(Handling::Copy(Box::new(Line { format, ..*line })))
    }

    /// Whether standard input is written to standard output in its own format.
    fn streams(&self) -> bool {
        let from_stdin = self.input.path == Path::new(STDIN);
        from_stdin && self.context.batch.target == Target::Stdout && self.context.work.conversion().is_none()
    }

    /// Whether the file is in the target's format already, and is left out.
    fn is_target(&self, format: &dyn Format, sample: &[u8]) -> bool {
        self.context.work.conversion().is_some_and(|conversion| conversion.leaves(format.name(), sample))
    }

    /// Whether failed transcripts are written with credentials masked.
    pub(super) fn masks_failed(&self) -> bool {
        self.context.work.redacts() && self.context.work.conversion().is_none()
    }

    /// The credentials in bytes that are copied without any work, if they are to be masked.
    pub(super) fn around(&self, bytes: &[u8]) -> Masks {
        if self.masks_failed() { masks(bytes, &BTreeSet::new()) } else { Masks::default() }
    }

    /// Reads the whole input into memory.
    pub(super) fn whole(&self, source: Source<'a>) -> Result<Vec<u8>, FileError> {
        let (limit, most) = (self.context.limits.session, self.context.batch.limits.session);
        match (source.whole(limit), self.context.memory.filter(|_| limit < most)) {
            (Err(FileError::TooLarge { .. }), Some(memory)) => Err(memory.of_session()),
            (result, _) => result,
        }
    }

    /// Runs the work on one transcript. Panics and invalid patches become errors.
    pub(super) fn work(&self, format: &'static dyn Format, bytes: &[u8], line: usize) -> Result<Done, FileError> {
        let work = self.own.as_deref().unwrap_or(self.context.work);
        let mut done = fenced(|| work.run(format, bytes, line))?;
        if !are_sound(&done.patches, bytes.len()) {
            return Err(FileError::Panicked("patches that overlap or reach beyond the transcript".into()));
        }
        done.line.format.get_or_insert_with(|| format.name().to_owned());
        Ok(done)
    }

    /// Starts the output, with the requested compression or that of the input.
    pub(super) fn rewrite(&self, packed: Option<(Packing, Stored<'a>)>) -> Result<Rewrite<'a>, FileError> {
        let (from, stored) = packed.unzip();
        let to = match (self.context.batch.compress, from) {
            // Converted rows are not an archive of logs.
            (wanted, Some(Packing::Eval)) if self.context.work.conversion().is_some() => {
                wanted.and_then(Compress::packing)
            }
            (Some(_), Some(Packing::Eval)) => return Err(FileError::Archive),
            (wanted, _) => wanted.map_or(from, Compress::packing),
        };
        let packer = to.map(Packer::new).transpose().map_err(FileError::Write)?;
        Ok(self.start()?.packed(stored, packer, from != to))
    }

    /// Starts the output. In place, the temporary file is created beside the input.
    pub(super) fn start(&self) -> Result<Rewrite<'a>, FileError> {
        let sink = match (self.context.output(self.input)?, &self.context.batch.target) {
            (Some(path), _) => Sink::File(self.replacement(&path).map_err(FileError::Write)?),
            (None, Target::Stdout) => Sink::Stdout(BufWriter::new(Shared(&self.context.batch.streams.stdout))),
            (None, _) => Sink::Nothing,
        };
        let undo = self.context.undo_store(self.input).map(Draft::new);
        Ok(Rewrite::new(sink, undo, self.context.gauge()))
    }

    /// Starts a file of the output under a temporary name that identifies the job, so that leftovers can be attributed.
    /// It finally gets the permissions of the input, if that has any.
    pub(super) fn replacement(&self, path: &Path) -> io::Result<Replacement> {
        let readers = if self.input.path.as_os_str() == STDIN { Readers::Any } else { Readers::Owner };
        Replacement::create_as(path, &temporary_prefix(self.context.batch.shard), readers)
    }

    /// Finishes the output; moving it to its place is left to [`Pending`].
    pub(super) fn finish(
        &self,
        rewrite: Rewrite<'_>,
        before: Digest,
        meta: Option<&Metadata>,
    ) -> Result<Written, FileError> {
        self.check_stopped()?;
        let all = !self.context.batch.changed_only || self.input.part.is_some();
        let unchanged_too = self.context.batch.target != Target::InPlace && all;
        let path = self.record.path().to_owned();
        let output = self.place().unwrap_or_else(|| path.clone());
        let (meta, guard) = (meta.cloned(), self.guard.clone());
        rewrite.finish(Ending { path, output, before, meta, guard, unchanged_too })
    }

    /// Size and hash of the stored input; `bytes` is its content in memory. If the file is the only one, measuring
    /// yields to the work on it, and so fills the time that other cores would be idle.
    pub(super) fn measure(
        &self,
        packed: Option<&mut (Packing, Stored<'_>)>,
        bytes: &[u8],
    ) -> Result<(Digest, Option<Compressed>), FileError> {
        if let Some((_, stored)) = packed {
            return stored.measure().map_err(FileError::Read);
        }
        let between = || self.context.alone.then(rayon::yield_now);
        measured(bytes, self.context.batch.measure_zstd, between).map_err(FileError::Read)
    }

    /// Adds a line to the report, with the output path and part filled in.
    pub(super) fn record(&mut self, mut line: Line, plan: &[String]) -> Result<(), FileError> {
        let written = match self.context.work.conversion() {
            Some(_) => line.outcome == Outcome::Converted,
            None => line.outcome != Outcome::Failed || line.line.is_some(),
        };
        if line.output.is_none() && written {
            line.output = self.place();
        }
        line.part.clone_from(&self.part);
        self.record.add(line, plan).map_err(spooling)
    }

    /// The path in the output tree, if it differs from the input's.
    fn place(&self) -> Option<String> {
        let Target::Dir(_) = &self.context.batch.target else { return None };
        let naming = self.context.naming();
        let differs = naming.conversion.is_some() || naming.compress.is_some();
        let place = differs.then(|| report_path(&naming.place(&self.input.relative)))?;
        (naming.conversion.is_some() || place != self.record.path()).then_some(place)
    }

    /// Reports a file of a known format that holds no transcript.
    pub(super) fn record_empty(&mut self, format: &'static dyn Format, size: u64) -> Result<(), FileError> {
        let mut line = bare_line(self.context.work.blank(), Outcome::Skipped, Reason::NoTranscripts, None);
        line.format = Some(format.name().to_owned());
        line.bytes = BytesReport { before: size, after: size, ..BytesReport::default() };
        self.record(line, &[])
    }

    /// Reports processed bytes to progress.
    pub(super) fn advance(&mut self, bytes: u64) {
        self.advanced += bytes;
        self.context.progress.advance(bytes);
    }

    /// The report line for a file or line that failed outside the work.
    pub(super) fn failed_line(&self, err: &FileError) -> Line {
        let mut line = bare_line(self.context.work.blank(), Outcome::Failed, err.reason(), Some(err.to_string()));
        match err {
            FileError::Unsupported(name) => line.format = Some((*name).to_owned()),
            FileError::Invalid(error) => line.findings.push(invalid(error)),
            _ => {}
        }
        line
    }

    pub(super) fn check_stopped(&self) -> Result<(), FileError> {
        if self.context.stopped() { Err(FileError::Canceled) } else { Ok(()) }
    }
}

/// The finding for an array of transcripts that can't be read.
fn invalid(error: &ReadError) -> Finding {
    let (rule, detail) = (Reason::InvalidLine.name().to_owned(), Some(error.reason.clone()));
    Finding { line: error.line, column: Some(error.column), rule, detail, ..Finding::default() }
}

/// How a file is processed.
enum Handling {
    /// As transcripts in a format and layout.
    Work(&'static dyn Format, Layout),
    /// It is no transcript: copied or left out, with its report line.
    Copy(Box<Line>),
}

/// Wraps an error of the temporary files that hold the report.
pub(super) fn spooling(err: io::Error) -> FileError {
    FileError::Fatal(BatchError::io("keeping the report", Path::new("temporary file"))(err))
}

/// Whether the patches are in order, do not overlap, and are within the source.
fn are_sound(patches: &[Patch], length: usize) -> bool {
    let mut at = 0;
    patches.iter().all(|patch| {
        let fits = at <= patch.span.start && patch.span.start <= patch.span.end && patch.span.end <= length;
        at = patch.span.end;
        fits
    })
}
