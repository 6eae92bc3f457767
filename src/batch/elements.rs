//! A file that is one array of transcripts, or holds one: read whole, its elements done in parallel, written in order.
//!
//! Elements are worked on in groups of bounded size, so that what is found out about them does not pile up.

use super::error::FileError;
use super::file::{Ended, Task};
use super::judge::Judge;
use super::rewrite::Rewrite;
use super::source::Source;
use super::{Done, Limits};
use crate::format::{Element, Format, elements};
use rayon::prelude::*;

/// Does an array of conversations. An element that fails is copied as it is and is on the record.
pub(super) fn run<'a>(
    task: &mut Task<'a>,
    format: &'static dyn Format,
    key: Option<&str>,
    source: Source<'a>,
) -> Result<Ended, FileError> {
    let meta = source.meta.clone();
    let limits = task.context.batch.limits;
    let mut packed = source.packed.clone();
    let bytes = source.whole(limits.session)?;
    let all = elements(&bytes, key)?;
    let (before, zstd) = task.measure(packed.as_mut(), &bytes)?;
    if all.is_empty() {
        task.record_empty(format, before.size)?;
    }
    let mut rewrite = task.rewrite(packed)?;
    let (mut rest, mut at) = (&all[..], 0);
    while !rest.is_empty() {
        task.check_stopped()?;
        let (group, others) = rest.split_at(group_size(rest, limits));
        let end = others.first().map_or(bytes.len(), |next| next.span.start);
        let results = judge(&Judge { task, format }, group, &bytes);
        write(&mut rewrite, &bytes[at..end], (at, group, &results))?;
        for done in results {
            task.record(done.line, &done.plan)?;
        }
        task.advance((end - at) as u64);
        (rest, at) = (others, end);
    }
    rewrite.keep(&bytes[at..])?;
    let written = task.finish(rewrite, before.clone(), meta.as_ref())?;
    Ok(Ended::done(before, zstd, written))
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

fn judge(judge: &Judge<'_, '_>, group: &[Element], bytes: &[u8]) -> Vec<Done> {
    let done = group.par_iter().map(|element| judge.transcript(&bytes[element.span.clone()], element.line));
    done.collect()
}

/// Writes the piece of the file that starts at `at`, with the patches of its elements in their places.
fn write(
    rewrite: &mut Rewrite<'_>,
    piece: &[u8],
    (at, group, results): (usize, &[Element], &[Done]),
) -> Result<(), FileError> {
    let patches = group.iter().zip(results).flat_map(|(element, done)| {
        let offset = element.span.start - at;
        done.patches.iter().map(move |patch| (offset, patch))
    });
    rewrite.edit(piece, patches)
}
