//! Files that are not compacted: copied, recompressed, left out or left alone.

use super::{Ended, Task};
use crate::batch::digest::sizes;
use crate::batch::error::FileError;
use crate::batch::inputs::source::Source;
use crate::batch::outputs::in_place::is_too_young;
use crate::batch::outputs::rewrite::Rewrite;
use crate::batch::packing::pieces;
use crate::batch::reports::record::bare_line;
use crate::reason::Reason;
use crate::report::{BytesReport, Line, Outcome};
use std::fs::Metadata;
use std::io::Write;
use std::time::Duration;

impl<'a> Task<'a> {
    /// Copies a file as stored, or recompresses it if the run asks for another compression.
    pub(in crate::batch) fn copy(&mut self, source: Source<'a>, mut line: Line) -> Result<Ended, FileError> {
        let packing = source.packed.as_ref().map(|(packing, _)| *packing);
        if self.context.batch.compress.is_some_and(|compress| compress.packing() != packing) {
            return self.repack(source, line);
        }
        let meta = source.meta.clone();
        let mut rewrite = self.start()?;
        match source.packed {
            Some((_, mut stored)) => stored.each(FileError::Read, |piece| self.pass(&mut rewrite, piece))?,
            None => pieces(&mut source.reader(), FileError::Read, |piece| self.pass(&mut rewrite, piece))?,
        }
        let before = rewrite.so_far();
        let written = self.finish(rewrite, before.clone(), meta.as_ref())?;
        let zstd = written.zstd;
        line.bytes = sizes((&before, zstd), (&before, zstd));
        self.record(line, &[])?;
        Ok(Ended::done(before, zstd, written))
    }

    /// Copies the content of a file with another compression.
    fn repack(&mut self, source: Source<'a>, mut line: Line) -> Result<Ended, FileError> {
        let (meta, mut packed, mut gauge) = (source.meta.clone(), source.packed.clone(), self.context.gauge());
        let failed = if packed.is_some() { FileError::Packed } else { FileError::Read };
        let mut rewrite = self.rewrite(packed.clone())?;
        pieces(&mut source.reader(), failed, |piece| {
            gauge.write_all(piece).map_err(FileError::Read)?;
            rewrite.keep(piece)?;
            self.check_stopped()
        })?;
        let (before, before_zstd) = match &mut packed {
            Some((_, stored)) => stored.measure().map_err(FileError::Read)?,
            None => gauge.finish().map_err(FileError::Read)?,
        };
        let written = self.finish(rewrite, before.clone(), meta.as_ref())?;
        let ended = Ended::done(before, before_zstd, written);
        line.bytes.clone_from(&ended.bytes);
        self.record(line, &[])?;
        Ok(ended)
    }

    /// Leaves out a file that is no transcript, since it has no place among outputs of another format.
    pub(super) fn leave_out(&mut self, mut line: Line) -> Result<Ended, FileError> {
        line.bytes.before = self.input.size;
        self.record(line, &[])?;
        Ok(Ended::default())
    }

    /// Leaves out a file that is no transcript, since it can't be searched for credentials.
    pub(super) fn leave_unsearched(&mut self, mut line: Line) -> Result<Ended, FileError> {
        line.warnings.push("left out: only transcripts can be searched for credentials (--redact)".into());
        self.leave_out(line)
    }

    fn pass(&mut self, rewrite: &mut Rewrite<'_>, bytes: &[u8]) -> Result<(), FileError> {
        rewrite.keep(bytes)?;
        self.advance(bytes.len() as u64);
        self.check_stopped()
    }

    /// Skips a file that may be in use: recently changed, or open for writing in another process; `None` if it is
    /// neither.
    pub(super) fn leave_alone(&mut self, meta: &Metadata) -> Result<Option<Ended>, FileError> {
        let min_age = self.context.batch.min_age;
        let (reason, error) = if is_too_young(meta, self.context.batch.now, min_age) {
            let seconds = min_age.as_secs();
            (Reason::TooYoung, format!("changed less than {seconds} s ago, so it may be in use; see --min-age"))
        } else if let Some(process) = self.writer().filter(|_| min_age > Duration::ZERO) {
            (Reason::InUse, format!("process {process} has it open for writing; see --min-age"))
        } else {
            return Ok(None);
        };
        let mut line = bare_line(self.context.work.blank(), Outcome::Skipped, reason, Some(error));
        line.bytes = BytesReport { before: meta.len(), after: meta.len(), ..BytesReport::default() };
        let bytes = line.bytes.clone();
        self.record(line, &[])?;
        Ok(Some(Ended { bytes, ..Ended::default() }))
    }

    /// Id of the process that has the input open for writing.
    fn writer(&self) -> Option<u32> {
        self.context.open_files.writer_of(&self.input.path.canonicalize().ok()?)
    }
}
