//! A file that is one transcript: read whole, done in memory.

use super::Done;
use super::error::FileError;
use super::file::{Ended, Task};
use super::source::Source;
use crate::format::Format;
use crate::report::Outcome;

/// Does a session file. A failure that the work reports is no error here: it is on the record.
pub(super) fn run<'a>(
    task: &mut Task<'a>,
    format: &'static dyn Format,
    source: Source<'a>,
) -> Result<Ended, FileError> {
    let meta = source.meta.clone();
    let mut packed = source.packed.clone();
    let bytes = task.whole(source)?;
    let Done { mut line, patches, plan } = task.work(format, &bytes, 1)?;
    let (before, before_zstd) = task.measure(packed.as_mut(), &bytes)?;
    line.bytes.before = before.size;
    if line.outcome == Outcome::Failed {
        task.record(line, &plan)?;
        return Ok(Ended::failed());
    }
    let mut rewrite = task.rewrite(packed)?;
    rewrite.edit(&bytes, patches.iter().map(|patch| (0, patch)))?;
    let written = task.finish(rewrite, before.clone(), meta.as_ref())?;
    (line.bytes.after, line.bytes.before_zstd, line.bytes.after_zstd) = (written.after.size, before_zstd, written.zstd);
    task.record(line, &plan)?;
    Ok(Ended::done(before, before_zstd, written))
}
