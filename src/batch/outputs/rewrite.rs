//! An output being written: every byte is kept or replaced, measured, and recorded for the undo store.

use super::pending::{Ending, Pending};
use super::write::Replacement;
use crate::batch::digest::{Compressed, Digest, Gauge};
use crate::batch::error::{BatchError, FileError};
use crate::batch::inputs::source::Shared;
use crate::batch::packing::{Packer, Stored};
use crate::batch::undo::Draft;
use crate::transcript::Patch;
use std::io::{self, BufWriter, Write};

/// The destination of the bytes.
pub(in crate::batch) enum Sink<'a> {
    File(Replacement),
    Stdout(BufWriter<Shared<'a, dyn Write + Send>>),
    Nothing,
}

/// An output being written; if dropped before [`Rewrite::finish`], it leaves nothing behind.
pub(in crate::batch) struct Rewrite<'a> {
    out: Output<'a>,
    /// Compresses the content, if the output is compressed.
    packer: Option<Packer>,
    /// The stored bytes of a compressed input.
    stored: Option<Stored<'a>>,
    /// Whether the output is compressed differently than the input.
    repacks: bool,
    changed: bool,
}

/// The stored output, with its measures and its undo record.
struct Output<'a> {
    sink: Sink<'a>,
    gauge: Measured,
    undo: Option<Draft>,
}

/// Size and hash of an output.
enum Measured {
    /// Measured while it is written.
    Now(Gauge),
    /// Known in advance, since it is equal to the input.
    Before((Digest, Option<Compressed>)),
}

/// A completely written output.
pub(in crate::batch) struct Written {
    pub(in crate::batch) after: Digest,
    pub(in crate::batch) zstd: Option<Compressed>,
    /// Whether it is, or will be, in its place; false if it was not needed or has no place.
    pub(in crate::batch) published: bool,
    /// The step that moves it to its place, if that is deferred.
    pub(in crate::batch) pending: Option<Pending>,
}

impl Written {
    /// Creates the result for outputs of this size that were written elsewhere.
    pub(in crate::batch) fn nothing(size: u64) -> Self {
        Self { after: Digest { size, sha256: String::new() }, zstd: None, published: false, pending: None }
    }
}

impl<'a> Rewrite<'a> {
    pub(in crate::batch) fn new(sink: Sink<'a>, undo: Option<Draft>, gauge: Gauge) -> Self {
        let out = Output { sink, gauge: Measured::Now(gauge), undo };
        Self { out, packer: None, stored: None, repacks: false, changed: false }
    }

    /// Sets the measures of an output equal to its input; ignored for compressed outputs.
    pub(in crate::batch) fn known(mut self, measures: (Digest, Option<Compressed>)) -> Self {
        if self.packer.is_none() && !self.repacks {
            self.out.gauge = Measured::Before(measures);
        }
        self
    }

    /// Compresses what follows; `repacks`: differently than the input. If nothing is changed and the compression stays,
    /// the stored bytes are written as they were.
    pub(in crate::batch) fn packed(self, stored: Option<Stored<'a>>, packer: Option<Packer>, repacks: bool) -> Self {
        Self { stored, packer, repacks, ..self }
    }

    /// Copies bytes of the input.
    pub(in crate::batch) fn keep(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        if self.packer.is_none() && !self.repacks { self.out.keep(bytes) } else { self.pack(bytes, bytes) }
    }

    /// Copies a piece of the input with patches, which are in order and inside it; each comes with an offset to add.
    pub(in crate::batch) fn edit<'p>(
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

    /// The digest of the bytes written so far.
    pub(in crate::batch) fn so_far(&self) -> Digest {
        match &self.out.gauge {
            Measured::Now(gauge) => gauge.so_far(),
            Measured::Before((digest, _)) => digest.clone(),
        }
    }

    /// Replaces bytes of the input.
    pub(in crate::batch) fn replace(&mut self, old: &[u8], new: &[u8]) -> Result<(), FileError> {
        self.changed |= old != new;
        if self.packer.is_none() && !self.repacks { self.out.replace(old, new) } else { self.pack(old, new) }
    }

    /// Writes content that is stored differently than the input. For the undo store, all bytes of an uncompressed input
    /// are then removed; those of a compressed one are recorded at the end.
    fn pack(&mut self, old: &[u8], new: &[u8]) -> Result<(), FileError> {
        match &mut self.packer {
            Some(packer) => packer.write_all(new).map_err(FileError::Write)?,
            None => self.out.replace(&[], new)?,
        }
        if self.stored.is_none() { self.out.replace(old, &[]) } else { Ok(()) }
    }

    /// Writes everything out; moving a file to its place is left to [`Pending`].
    pub(in crate::batch) fn finish(mut self, ending: Ending) -> Result<Written, FileError> {
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
