//! One of many transcripts in a file: what became of it, with its place and size on its report.

use super::Done;
use super::error::FileError;
use super::file::Task;
use crate::format::Format;
use crate::report::{FailedRow, Outcome};
use crate::transcript::{Patch, PatchKind};

/// Works on the transcripts of one file.
pub(super) struct Judge<'a, 't> {
    pub(super) task: &'a Task<'t>,
    pub(super) format: &'static dyn Format,
}

impl Judge<'_, '_> {
    /// A line, which may be longer than is allowed.
    pub(super) fn line(&self, text: &[u8], number: usize) -> Done {
        let (line, most) = (self.task.context.limits.line, self.task.context.batch.limits.line);
        if text.len() as u64 > line {
            let memory = self.task.context.memory.filter(|_| line < most);
            let err = memory.map_or(FileError::LongLine { limit: line }, |memory| memory.of_line(line));
            return self.settle(Err(err), text, number);
        }
        self.transcript(text, number)
    }

    /// A transcript that starts in the line `number`.
    pub(super) fn transcript(&self, text: &[u8], number: usize) -> Done {
        self.settle(self.task.work(self.format, text, number), text, number)
    }

    /// One that fails is copied as it is, but for credentials where those go, or left out.
    fn settle(&self, done: Result<Done, FileError>, text: &[u8], number: usize) -> Done {
        let searched = done.is_ok() && self.task.masks_failed();
        let mut done = done.unwrap_or_else(|err| {
            let mut line = self.task.failed_line(&err);
            line.format = Some(self.format.name().to_owned());
            Done { line, ..Done::default() }
        });
        // Work that went without credentials knows which ids stay; what it could not read is searched as text.
        if done.line.outcome == Outcome::Failed && !searched {
            let masks = self.task.around(text);
            (done.patches, done.line.redacted) = (masks.patches, masks.counts);
        }
        if done.line.outcome == Outcome::Failed {
            self.place_failed(&mut done, text.len());
        }
        let removed: usize = done.patches.iter().map(|patch| patch.span.len()).sum();
        let added: usize = done.patches.iter().map(|patch| patch.with.len()).sum();
        done.line.line = Some(number);
        done.line.bytes.before = text.len() as u64;
        done.line.bytes.after = (text.len() - removed + added) as u64;
        done
    }

    /// Says where one is that failed, and takes it out where that is wanted. Conversions have no place for it.
    fn place_failed(&self, done: &mut Done, length: usize) {
        let context = self.task.context;
        if context.batch.reads_only || context.work.conversion().is_some() {
            return;
        }
        if !context.batch.drop_failed {
            done.line.failed_row = Some(FailedRow::Kept);
            return;
        }
        done.line.failed_row = Some(FailedRow::Dropped);
        done.line.redacted.clear();
        done.patches = vec![Patch { span: 0..length, with: Vec::new(), kind: PatchKind::Drop }];
    }
}
