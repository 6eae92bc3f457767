//! An output while it is written: every byte is kept or replaced, measured, and noted for the undo store.

use super::digest::{Compressed, Digest, Gauge};
use super::error::{BatchError, FileError};
use super::packing::{Packer, Stored};
use super::pending::{Ending, Pending};
use super::source::Shared;
use super::undo::Draft;
use super::write::Replacement;
use crate::transcript::Patch;
use std::io::{self, BufWriter, Write};

/// Where the bytes go.
pub(super) enum Sink<'a> {
    File(Replacement),
    Stdout(BufWriter<Shared<'a, dyn Write + Send>>),
    Nothing,
}

/// An output in the making; dropped before [`Rewrite::finish`], it leaves nothing.
pub(super) struct Rewrite<'a> {
    out: Output<'a>,
    /// Where the content goes first, if it is compressed.
    packer: Option<Packer>,
    /// A compressed input as it is stored.
    stored: Option<Stored<'a>>,
    /// The output is compressed otherwise than the input.
    repacks: bool,
    changed: bool,
}

/// What is stored, with what is measured and noted of it.
struct Output<'a> {
    sink: Sink<'a>,
    gauge: Measured,
    undo: Option<Draft>,
}

/// The measures of an output.
enum Measured {
    /// They are taken while it is written.
    Now(Gauge),
    /// They are known: it is written as it was read.
    Before((Digest, Option<Compressed>)),
}

/// An output that is done.
pub(super) struct Written {
    pub(super) after: Digest,
    pub(super) zstd: Option<Compressed>,
    /// Whether it stands in its place, or will; false if there was no need, or no place.
    pub(super) published: bool,
    /// It stands there once this is done.
    pub(super) pending: Option<Pending>,
}

impl Written {
    /// So many bytes that stand elsewhere.
    pub(super) fn nothing(size: u64) -> Self {
        Self { after: Digest { size, sha256: String::new() }, zstd: None, published: false, pending: None }
    }
}

impl<'a> Rewrite<'a> {
    pub(super) fn new(sink: Sink<'a>, undo: Option<Draft>, gauge: Gauge) -> Self {
        let out = Output { sink, gauge: Measured::Now(gauge), undo };
        Self { out, packer: None, stored: None, repacks: false, changed: false }
    }

    /// Takes the measures of what will be written, if it is known already: what was read, unless it is compressed.
    pub(super) fn known(mut self, measures: (Digest, Option<Compressed>)) -> Self {
        if self.packer.is_none() && !self.repacks {
            self.out.gauge = Measured::Before(measures);
        }
        self
    }

    /// Compresses what is written from here on, which is another kind than the input's if it `repacks`; what was not
    /// changed in the end is stored as it was, unless that is another kind.
    pub(super) fn packed(self, stored: Option<Stored<'a>>, packer: Option<Packer>, repacks: bool) -> Self {
        Self { stored, packer, repacks, ..self }
    }

    /// Copies bytes of the input.
    pub(super) fn keep(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        if self.packer.is_none() && !self.repacks { self.out.keep(bytes) } else { self.pack(bytes, bytes) }
    }

    /// Copies a piece of the input with patches applied, which are ordered and within it.
    pub(super) fn edit<'p>(
        &mut self,
        source: &[u8],
        patches: impl Iterator<Item = (usize, &'p Patch)>,
    ) -> Result<(), FileError> {
        let mut at = 0;
        for (offset, patch) in patches {
            let (start, end) = (offset + patch.span.start, offset + patch.span.end);
            self.keep(&source[at..start])?;
            self.replace(&source[start..end], &patch.with)?;
            at = end;
        }
        self.keep(&source[at..])
    }

    /// The digest of what was written up to here.
    pub(super) fn so_far(&self) -> Digest {
        match &self.out.gauge {
            Measured::Now(gauge) => gauge.so_far(),
            Measured::Before((digest, _)) => digest.clone(),
        }
    }

    /// Writes something else for bytes of the input.
    pub(super) fn replace(&mut self, old: &[u8], new: &[u8]) -> Result<(), FileError> {
        self.changed |= old != new;
        if self.packer.is_none() && !self.repacks { self.out.replace(old, new) } else { self.pack(old, new) }
    }

    /// Writes what is not stored as the input is. No byte of an input that is not compressed stands in the output then;
    /// those of one that is are noted at the end.
    fn pack(&mut self, old: &[u8], new: &[u8]) -> Result<(), FileError> {
        match &mut self.packer {
            Some(packer) => packer.write_all(new).map_err(FileError::Write)?,
            None => self.out.replace(&[], new)?,
        }
        if self.stored.is_none() { self.out.replace(old, &[]) } else { Ok(()) }
    }

    /// Writes out all; a file is left to be put in its place.
    pub(super) fn finish(mut self, ending: Ending) -> Result<Written, FileError> {
        match (self.stored.take(), self.packer.take()) {
            (Some(mut stored), _) if !self.changed && !self.repacks => {
                stored.each(FileError::Read, |piece| self.out.keep(piece))?;
            }
            (mut stored, packer) => {
                if let Some(stored) = stored.as_mut().filter(|_| self.out.undo.is_some()) {
                    stored.each(FileError::Read, |piece| self.out.replace(piece, &[]))?;
                }
                if let Some(packer) = packer {
                    packer.finish(stored.as_mut(), FileError::Write, |piece| self.out.replace(&[], piece))?;
                }
            }
        }
        let wanted = self.changed || ending.unchanged_too;
        self.out.finish(ending, wanted)
    }
}

impl Output<'_> {
    fn keep(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.write(bytes)?;
        self.undo.as_mut().map_or(Ok(()), |undo| undo.keep(bytes.len())).map_err(FileError::Undo)
    }

    fn replace(&mut self, old: &[u8], new: &[u8]) -> Result<(), FileError> {
        self.write(new)?;
        self.undo.as_mut().map_or(Ok(()), |undo| undo.replace(old, new.len())).map_err(FileError::Undo)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        if let Measured::Now(gauge) = &mut self.gauge {
            gauge.write_all(bytes).map_err(FileError::Write)?;
        }
        match &mut self.sink {
            Sink::File(file) => file.write_all(bytes).map_err(FileError::Write),
            Sink::Stdout(out) => out.write_all(bytes).map_err(stdout),
            Sink::Nothing => Ok(()),
        }
    }

    fn finish(self, ending: Ending, wanted: bool) -> Result<Written, FileError> {
        let (after, zstd) = match self.gauge {
            Measured::Now(gauge) => gauge.finish().map_err(FileError::Write)?,
            Measured::Before(measures) => measures,
        };
        let mut written = Written { after, zstd, published: true, pending: None };
        match self.sink {
            Sink::File(mut file) if wanted => {
                file.flush().map_err(FileError::Write)?;
                written.pending = Some(Pending { file, undo: self.undo, ending, after: written.after.clone() });
            }
            Sink::Stdout(mut out) => {
                out.flush().map_err(stdout)?;
                ending.commit(self.undo, &written.after)?;
            }
            Sink::File(_) | Sink::Nothing => written.published = false,
        }
        Ok(written)
    }
}

fn stdout(err: io::Error) -> FileError {
    FileError::Fatal(BatchError::Stdout(err))
}
