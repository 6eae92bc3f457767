//! Processes one of many transcripts in a file, and adds its line and size to its report.

use super::Task;
use crate::batch::Done;
use crate::batch::error::FileError;
use crate::format::Format;
use crate::report::{FailedRow, Outcome};
use crate::transcript::{Patch, PatchKind};

/// Processes the transcripts of one file, one after another.
pub(super) struct RowWorker<'a, 't> {
    pub(super) task: &'a Task<'t>,
    pub(in crate::batch) format: &'static dyn Format,
}

impl RowWorker<'_, '_> {
    /// Processes a line; one above the limit fails.
    pub(in crate::batch) fn line(&self, text: &[u8], number: usize) -> Done {
        let (line, most) = (self.task.context.limits.line, self.task.context.batch.limits.line);
        if text.len() as u64 > line {
            let memory = self.task.context.memory.filter(|_| line < most);
            let err = memory.map_or(FileError::LongLine { limit: line }, |memory| memory.of_line(line));
            return self.settle(Err(err), text, number);
        }
        self.transcript(text, number)
    }

    /// Processes a transcript that starts on line `number`.
    pub(in crate::batch) fn transcript(&self, text: &[u8], number: usize) -> Done {
        self.settle(self.task.work(self.format, text, number), text, number)
    }

    /// Completes a result. A failed transcript is copied as it is (with credentials masked if the run masks them), or
    /// left out.
    fn settle(&self, done: Result<Done, FileError>, text: &[u8], number: usize) -> Done {
        let searched = done.is_ok() && self.task.masks_failed();
        let mut done = done.unwrap_or_else(|err| {
            let mut line = self.task.failed_line(&err);
            line.format = Some(self.format.name().to_owned());
            Done { line, ..Done::default() }
        });
        // The work already masked what it could read, without touching ids; anything else is searched as text.
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

    /// Records whether a failed row is kept or dropped, and drops it if requested. Not for conversions, which never
    /// write it.
    fn place_failed(&self, done: &mut Done, length: usize) {
        let context = self.task.context;
        if context.batch.reads_only || context.work.conversion().is_some() {
            return;
        }
        if !context.batch.drop_failed {
            done.line.failed_row = Some(FailedRow::Kept);
            return;
        }
        done.line.leave_out();
        done.patches = vec![Patch { span: 0..length, with: Vec::new(), kind: PatchKind::Drop }];
    }
}
