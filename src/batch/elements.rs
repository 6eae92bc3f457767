//! A file that is one array of transcripts, or holds one: read whole, its elements done in parallel, written in order.
//!
//! Elements are worked on in groups of bounded size, so that what is found out about them does not pile up.

use super::error::FileError;
use super::file::{Ended, Task};
use super::judge::Judge;
use super::many::Many;
use super::source::Source;
use super::{Done, Limits};
use crate::format::{Element, Format, elements};
use crate::report::FailedRow;
use crate::transcript::{Patch, PatchKind};
use rayon::prelude::*;

/// Does an array of conversations. An element that fails is copied as it is, or left out, and is on the record.
pub(super) fn run<'a>(
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
    let (mut rest, mut at) = (&all[..], all.first().map_or(0, |first| first.span.start));
    let mut any_kept = false;
    out.around(&bytes[..at], &task.around(&bytes[..at]).patches)?;
    while !rest.is_empty() {
        task.check_stopped()?;
        let (group, others) = rest.split_at(group_size(rest, limits));
        let end = group.last().map_or(at, |last| last.span.end);
        let mut results = judge(&Judge { task, format }, (group, at), &bytes);
        if task.context.batch.drop_failed {
            take_commas(&mut results, group, (at, &mut any_kept));
        }
        out.piece(&bytes[at..end], &mut results)?;
        for (_, done) in results {
            task.record(done.line, &done.plan)?;
        }
        task.advance((end - at) as u64);
        (rest, at) = (others, end);
    }
    out.around(&bytes[at..], &task.around(&bytes[at..]).patches)?;
    out.finish(task, (before, zstd), meta.as_ref())
}

/// How many of the elements are worked on together; by bytes and number only, never by the number of threads.
fn group_size(elements: &[Element], limits: Limits) -> usize {
    let mut bytes = 0;
    let full = elements.iter().take(limits.batch_lines.max(1)).position(|element| {
        bytes += element.span.len() as u64;
        bytes >= limits.batch
    });
    full.map_or(elements.len().min(limits.batch_lines.max(1)), |last| last + 1)
}

/// What became of each element of a group, in order, with its offset from `start`.
fn judge(judge: &Judge<'_, '_>, (group, start): (&[Element], usize), bytes: &[u8]) -> Vec<(usize, Done)> {
    let done = group
        .par_iter()
        .map(|element| (element.span.start - start, judge.transcript(&bytes[element.span.clone()], element.line)));
    done.collect()
}

/// Takes what parts elements along with those that are left out: what stands before each, and before the first that stays
/// what stands behind those that do not. `start` is where the results count from, the end of the element before them.
fn take_commas(results: &mut [(usize, Done)], group: &[Element], (start, any_kept): (usize, &mut bool)) {
    let mut end = start;
    for ((at, done), element) in results.iter_mut().zip(group) {
        let gap = element.span.start - end;
        let drops = done.line.failed_row == Some(FailedRow::Dropped);
        if gap > 0 && (drops || !*any_kept) {
            *at -= gap;
            for patch in &mut done.patches {
                patch.span = patch.span.start + gap..patch.span.end + gap;
            }
            done.patches.insert(0, Patch { span: 0..gap, with: Vec::new(), kind: PatchKind::Drop });
        }
        *any_kept |= !drops;
        end = element.span.end;
    }
}
