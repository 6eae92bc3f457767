//! Processes a file that is, or contains, one array of transcripts: it is read whole, its elements are processed in
//! parallel and written in order.
//!
//! Elements are processed in groups of bounded size, so that their results do not fill the memory.

use super::many::Many;
use super::row_worker::RowWorker;
use super::{Ended, Task};
use crate::batch::error::FileError;
use crate::batch::inputs::source::Source;
use crate::batch::{Done, Limits};
use crate::format::{Element, Format, elements};
use crate::report::FailedRow;
use crate::transcript::{Patch, PatchKind};
use rayon::prelude::*;

/// Processes an array of conversations. A failed element is copied as it is, or left out, and is reported.
pub(in crate::batch) fn run<'a>(
    task: &mut Task<'a>,
    format: &'static dyn Format,
    key: Option<&str>,
    source: Source<'a>,
) -> Result<Ended, FileError> {
    let meta = source.meta.clone();
    let limits = task.context.limits;
    let mut packed = source.packed.clone();
    let bytes = task.whole(source)?;
    let all = elements(&bytes, key)?;
    let (before, zstd) = task.measure(packed.as_mut(), &bytes)?;
    if all.is_empty() {
        task.record_empty(format, before.size)?;
    }
    let mut out = Many::new(task, packed, meta.as_ref())?;
    let (mut rest, mut at) = (&all[..], all.first().map_or(0, |first| first.behind));
    // A field that is no element, and before the first one, stays.
    let mut any_kept = all.first().is_none_or(|first| first.behind < first.start);
    out.around(&bytes[..at], &task.around(&bytes[..at]).patches)?;
    while !rest.is_empty() {
        task.check_stopped()?;
        let (group, others) = rest.split_at(group_size(rest, limits));
        let end = group.last().map_or(at, |last| last.span.end);
        let mut results = process(&RowWorker { task, format }, (group, at), &bytes);
        if task.context.batch.drop_failed {
            take_commas(&mut results, (group, &bytes), (at, &mut any_kept));
        }
        out.piece(&bytes[at..end], &mut results)?;
        for (_, done) in results {
            task.record(done.line, &done.plan)?;
        }
        task.advance((end - at) as u64);
        (rest, at) = (others, end);
    }
    if task.context.batch.drop_failed && !any_kept {
        let comma = comma(&bytes[at..]);
        out.leave_out(&bytes[at..at + comma])?;
        at += comma;
    }
    out.around(&bytes[at..], &task.around(&bytes[at..]).patches)?;
    out.finish(task, (before, zstd), meta.as_ref())
}

/// Number of elements in the next group. It depends on bytes and number only, not on the number of threads.
fn group_size(elements: &[Element], limits: Limits) -> usize {
    let mut bytes = 0;
    let full = elements.iter().take(limits.batch_lines.max(1)).position(|element| {
        bytes += element.span.len() as u64;
        bytes >= limits.batch
    });
    full.map_or(elements.len().min(limits.batch_lines.max(1)), |last| last + 1)
}

/// Processes a group. Returns each result in order, with the element's offset from `start`.
fn process(worker: &RowWorker<'_, '_>, (group, start): (&[Element], usize), bytes: &[u8]) -> Vec<(usize, Done)> {
    let done = group
        .par_iter()
        .map(|element| (element.span.start - start, worker.transcript(&bytes[element.span.clone()], element.line)));
    done.collect()
}

/// Extends the patches of dropped elements to their keys, and to the comma and white space right before them; where
/// nothing before them stays, the comma before the first thing that does goes. Fields between elements stay. Offsets
/// count from `start`, the end of the previous element.
fn take_commas(
    results: &mut [(usize, Done)],
    (group, bytes): (&[Element], &[u8]),
    (start, any_kept): (usize, &mut bool),
) {
    let mut end = start;
    for ((at, done), element) in results.iter_mut().zip(group) {
        let (lead, own) = (element.span.start - end, element.start - end);
        let behind = element.behind.saturating_sub(end);
        let drops = done.line.failed_row == Some(FailedRow::Dropped);
        let others = if behind > 0 && !*any_kept { comma(&bytes[end..element.behind]) } else { 0 };
        *any_kept |= behind > 0;
        let gone = match (drops, *any_kept) {
            (true, true) => behind..lead,
            (true, false) => 0..lead,
            (false, true) => 0..0,
            (false, false) => 0..own,
        };
        let gone: Vec<_> = [0..others, gone].into_iter().filter(|gone| !gone.is_empty()).collect();
        if !gone.is_empty() {
            *at -= lead;
            for patch in &mut done.patches {
                patch.span = patch.span.start + lead..patch.span.end + lead;
            }
            let gone = gone.into_iter().map(|span| Patch { span, with: Vec::new(), kind: PatchKind::Drop });
            done.patches.splice(0..0, gone);
        }
        *any_kept |= !drops;
        end = element.span.end;
    }
}

/// The length of the comma with which a text begins, and of the white space around it; 0 if there is none.
fn comma(text: &[u8]) -> usize {
    let white = |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let at = white(0);
    if text.get(at) == Some(&b',') { at + 1 + white(at + 1) } else { 0 }
}
