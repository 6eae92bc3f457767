//! The output for a file of many transcripts: the file with its edits, or, in another format, a file of rows or one
//! file per transcript.

use super::{Ended, Task};
use crate::batch::digest::{Compressed, Digest};
use crate::batch::error::FileError;
use crate::batch::outputs::naming;
use crate::batch::outputs::rewrite::{Rewrite, Written};
use crate::batch::outputs::write::{Readers, Replacement, Settled, remove_files, temporary_prefix};
use crate::batch::packing::{Packing, Stored, packed};
use crate::batch::reports::record::report_path;
use crate::batch::{Compress, Conversion, Done, Target};
use crate::convert::Output;
use crate::report::Outcome;
use crate::transcript::Patch;
use std::collections::BTreeSet;
use std::fs::{Metadata, Permissions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A single output file with one transcript after the other.
pub(in crate::batch) struct Rows<'a> {
    rewrite: Rewrite<'a>,
    /// Number of transcripts written so far.
    written: usize,
    /// Maximum number of transcripts.
    most: usize,
    /// Whether any transcript failed.
    failed: bool,
}

impl Rows<'_> {
    /// Whether there is an output. A file without rows is written if nothing failed and it may hold many: all rows were
    /// left out for other reasons.
    fn has_output(&self) -> bool {
        self.written > 0 || !self.failed && self.most > 1
    }
}

/// The output for the transcripts of a file.
pub(super) enum Many<'a> {
    /// In their places; everything around them is kept.
    Places(Rewrite<'a>),
    /// Into one file, one after the other.
    Rows(Rows<'a>),
    /// Each into a file of its own.
    Files(Files),
}

impl<'a> Many<'a> {
    /// Starts the output for a task.
    pub(in crate::batch) fn new(
        task: &Task<'a>,
        packed: Option<(Packing, Stored<'a>)>,
        meta: Option<&Metadata>,
    ) -> Result<Self, FileError> {
        Ok(match (task.context.work.conversion(), &task.context.batch.target) {
            (None, _) => Self::Places(task.rewrite(packed)?),
            (Some(Conversion { output: Output::Rows, .. }), _) => Self::rows(task, packed, usize::MAX)?,
            (Some(_), Target::File(_) | Target::Stdout) => Self::rows(task, packed, 1)?,
            (Some(conversion), target) => Self::Files(Files::new(task, (conversion, target), meta)),
        })
    }

    fn rows(task: &Task<'a>, packed: Option<(Packing, Stored<'a>)>, most: usize) -> Result<Self, FileError> {
        Ok(Self::Rows(Rows { rewrite: task.rewrite(packed)?, written: 0, most, failed: false }))
    }

    /// Adds a piece of the input with the results for the transcripts in it, each with its offset in the piece.
    pub(in crate::batch) fn piece(&mut self, bytes: &[u8], results: &mut [(usize, Done)]) -> Result<(), FileError> {
        match self {
            Self::Places(rewrite) => {
                let patches = results.iter().flat_map(|(at, done)| done.patches.iter().map(|patch| (*at, patch)));
                rewrite.edit(bytes, patches)
            }
            Self::Rows(rows) => {
                rows.written += results.iter().filter(|(_, done)| !done.patches.is_empty()).count();
                if rows.written > rows.most {
                    return Err(FileError::ManyRows);
                }
                rows.failed |= results.iter().any(|(_, done)| done.line.outcome == Outcome::Failed);
                rows.rewrite.replace(bytes, &joined(results))
            }
            Self::Files(files) => results.iter_mut().try_for_each(|(_, done)| files.add(done)),
        }
    }

    /// Leaves out a piece of the input.
    pub(super) fn leave_out(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        match self {
            Self::Places(rewrite) => rewrite.replace(bytes, &[]),
            Self::Rows(rows) => rows.rewrite.replace(bytes, &[]),
            Self::Files(_) => Ok(()),
        }
    }

    /// Adds bytes around the transcripts, with their edits; they are only written if the transcripts keep their places.
    pub(in crate::batch) fn around(&mut self, bytes: &[u8], patches: &[Patch]) -> Result<(), FileError> {
        match self {
            Self::Places(rewrite) => rewrite.edit(bytes, patches.iter().map(|patch| (0, patch))),
            Self::Rows(rows) => rows.rewrite.replace(bytes, &[]),
            Self::Files(_) => Ok(()),
        }
    }

    /// Finishes the output. There is none if no row is left and some failed. Separate files are always written again by
    /// a second run, since checking that all still exist is not cheap.
    pub(in crate::batch) fn finish(
        self,
        task: &Task<'_>,
        (before, zstd): (Digest, Option<Compressed>),
        meta: Option<&Metadata>,
    ) -> Result<Ended, FileError> {
        let written = match self {
            Self::Places(rewrite) => task.finish(rewrite, before.clone(), meta)?,
            Self::Rows(rows) if rows.has_output() => task.finish(rows.rewrite, before.clone(), meta)?,
            Self::Rows(_) => return Ok(Ended { before: None, ..Ended::done(before, zstd, Written::nothing(0)) }),
            Self::Files(files) => {
                let written = Written::nothing(files.finish()?);
                return Ok(Ended { before: None, ..Ended::done(before, zstd, written) });
            }
        };
        Ok(Ended::done(before, zstd, written))
    }
}

/// Concatenates the new transcripts.
fn joined(results: &[(usize, Done)]) -> Vec<u8> {
    results.iter().flat_map(|(_, done)| &done.patches).flat_map(|patch| patch.with.iter().copied()).collect()
}

/// Files of one transcript each, in a folder of their own. They are removed if this is dropped before `finish`.
pub(in crate::batch) struct Files {
    /// The folder; `None` if nothing is written.
    folder: Option<PathBuf>,
    relative: PathBuf,
    extension: String,
    packing: Option<Packing>,
    /// Prefix of the names of temporary files.
    temporary: String,
    /// Permissions of the input.
    permissions: Option<Permissions>,
    count: usize,
    size: u64,
    written: BTreeSet<PathBuf>,
    finished: bool,
}

impl Files {
    fn new(task: &Task<'_>, (conversion, target): (Conversion, &Target), meta: Option<&Metadata>) -> Self {
        let relative = task.input.relative.clone();
        let folder = match target {
            Target::Dir(folder) => Some(folder.join(naming::rows_folder(&relative))),
            _ => None,
        };
        let extension = task.context.naming().row_extension(conversion.output);
        let packing = task.context.batch.compress.and_then(Compress::packing);
        let temporary = temporary_prefix(task.context.batch.shard);
        let permissions = meta.map(Metadata::permissions);
        let (count, size, written, finished) = (0, 0, BTreeSet::new(), false);
        Self { folder, relative, extension, packing, temporary, permissions, count, size, written, finished }
    }

    fn add(&mut self, done: &mut Done) -> Result<(), FileError> {
        self.count += 1;
        let Some(patch) = done.patches.first() else { return Ok(()) };
        let name = naming::row_name(&self.relative, self.count, &self.extension);
        let bytes = packed(self.packing, &patch.with).map_err(FileError::Write)?;
        self.size += bytes.len() as u64;
        if let Some(folder) = &self.folder {
            let path = folder.join(&name);
            let readers = if self.permissions.is_some() { Readers::Owner } else { Readers::Any };
            let mut file = Replacement::create_as(&path, &self.temporary, readers).map_err(FileError::Write)?;
            file.write_all(&bytes).map_err(FileError::Write)?;
            self.permissions.clone().map_or(Ok(()), |own| file.set_permissions(own)).map_err(FileError::Write)?;
            file.settle(None).and_then(Settled::publish).map_err(FileError::Write)?;
            self.written.insert(path);
        }
        done.line.output = Some(report_path(&naming::rows_folder(&self.relative).join(name)));
        Ok(())
    }

    /// Removes files of earlier runs that this run did not write. Returns the total size of the written ones.
    fn finish(mut self) -> Result<u64, FileError> {
        self.finished = true;
        if let Some(folder) = self.folder.as_ref().filter(|folder| folder.is_dir()) {
            let prefix = naming::row_prefix(&self.relative);
            let stale = |path: &Path| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let number = name.strip_prefix(&*prefix).and_then(|rest| rest.strip_suffix(&*self.extension));
                let number = number.and_then(|rest| rest.strip_suffix('.')).unwrap_or_default();
                let is_row = number.len() >= 6 && number.bytes().all(|digit| digit.is_ascii_digit());
                is_row && !self.written.contains(path)
            };
            remove_files(folder, stale).map_err(FileError::Write)?;
        }
        Ok(self.size)
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        if let Some(folder) = self.folder.as_ref().filter(|_| !self.finished) {
            let _ = remove_files(folder, |path| self.written.contains(path));
        }
    }
}
