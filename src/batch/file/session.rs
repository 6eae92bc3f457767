//! Processes a file that is one transcript: it is read as a whole.

use super::{Ended, Task};
use crate::batch::Done;
use crate::batch::digest::sizes;
use crate::batch::error::FileError;
use crate::batch::inputs::source::Source;
use crate::format::Format;
use crate::reason::Reason;
use crate::report::Outcome;

/// Processes a session file. A failure reported by the work is recorded and not an error here.
pub(in crate::batch) fn run<'a>(
    task: &mut Task<'a>,
    format: &'static dyn Format,
    source: Source<'a>,
) -> Result<Ended, FileError> {
    let meta = source.meta.clone();
    let mut packed = source.packed.clone();
    let bytes = task.whole(source)?;
    // If this is the only file, another core can measure it meanwhile.
    let (done, measured) = rayon::join(|| task.work(format, &bytes, 1), || task.measure(packed.as_mut(), &bytes));
    let (Done { mut line, patches, plan }, (before, before_zstd)) = (done?, measured?);
    line.bytes.before = before.size;
    if line.outcome == Outcome::Failed {
        task.record(line, &plan)?;
        return Ok(Ended::failed());
    }
    if line.outcome == Outcome::Skipped && task.context.work.conversion().is_some() {
        // In another format it would be no row. What was named is to be there afterwards.
        if task.input.named {
            let meaning = line.reason.as_deref().and_then(Reason::by_name).map(|reason| reason.meaning().to_owned());
            (line.outcome, line.error) = (Outcome::Failed, line.error.or(meaning));
        }
        task.record(line, &plan)?;
        return Ok(if task.input.named { Ended::failed() } else { Ended { before: Some(before), ..Ended::default() } });
    }
    let is_kept = patches.is_empty() && packed.is_none();
    let mut rewrite = task.rewrite(packed)?;
    if is_kept {
        rewrite = rewrite.known((before.clone(), before_zstd));
    }
    rewrite.edit(&bytes, patches.iter().map(|patch| (0, patch)))?;
    let written = task.finish(rewrite, before.clone(), meta.as_ref())?;
    line.bytes = sizes((&before, before_zstd), (&written.after, written.zstd));
    task.record(line, &plan)?;
    Ok(Ended::done(before, before_zstd, written))
}
