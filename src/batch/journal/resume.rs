//! Decides what a second run in a folder reuses, and removes outdated outputs.

use super::{Entry, Journal};
use crate::batch::digest::{Digest, digest};
use crate::batch::error::{BatchError, FileError};
use crate::batch::file::{Context, Ended};
use crate::batch::inputs::discover::Input;
use crate::batch::reports::record::{FileReport, Spool, report_path, spooled};
use crate::batch::undo::Store;
use crate::reason::Reason;
use crate::report::{Line, LlmReport, Outcome, SummaryOrigin};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

/// The result of an earlier run for this input, if the input has the same hash and the output the same size. Hashing
/// the outputs, too, would double the cost.
///
/// If anything can't be read, the file is processed again; that is no error.
pub(in crate::batch) fn reuse(context: &Context<'_>, journal: &Journal, input: &Input) -> Option<(Ended, FileReport)> {
    let entry = journal.reusable(&report_path(&input.relative))?;
    let output = context.output(input).ok()??;
    let stands = entry.output.as_ref().is_none_or(|digest| has_size(&output, digest.size));
    if !stands || digest_of(input, entry.input.size).ok()?? != entry.input {
        return None;
    }
    let changed = entry.output.as_ref().filter(|output| **output != entry.input);
    if changed.zip(context.batch.undo.as_deref()).is_some_and(|(output, store)| !Store(store).has_records(output)) {
        return None;
    }
    let record = recall(journal, entry, input)?;
    let (before, after) = (Some(entry.input.clone()), entry.output.clone());
    Some((Ended { before, after, bytes: entry.bytes.clone(), ..Ended::default() }, record))
}

/// The digest of an input, or of its part, if its size is right.
fn digest_of(input: &Input, size: u64) -> io::Result<Option<Digest>> {
    let mut file = File::open(&input.path)?;
    let lines = match &input.part {
        Some(part) if has_size(&input.path, part.whole) => part.lines(&mut file)?,
        None if has_size(&input.path, size) => 0..size,
        _ => return Ok(None),
    };
    file.seek(SeekFrom::Start(lines.start))?;
    digest(file.take(lines.end - lines.start)).map(Some)
}

/// Reasons of failures that may not occur again: those of a model or hook, and too little memory.
const PASSING: [Reason; 3] = [Reason::NoSummary, Reason::HookFailed, Reason::MemoryLimit];

/// Whether another run may do better: a failure may be gone, or the model for a whole file may answer. All rows of a
/// file are not asked about again because of one.
fn may_pass(line: &Line) -> bool {
    let failed = line.outcome == Outcome::Failed && PASSING.iter().any(|reason| line.is_for(*reason));
    let unasked = line.llm.as_ref().filter(|llm| line.line.is_none() && llm.outcome == SummaryOrigin::Extractive);
    failed || unasked.is_some_and(LlmReport::is_unasked)
}

/// The report lines of an earlier run; `None` if one of them may do better now.
fn recall(journal: &Journal, entry: &Entry, input: &Input) -> Option<FileReport> {
    let mut record = FileReport::new(&input.relative);
    journal.copy_lines(&entry.path, &mut record.lines).ok()?;
    record.lines.rewind().ok()?;
    let mut lines = std::mem::replace(&mut record.lines, spooled(0));
    for line in BufReader::new(lines.get_mut()).lines() {
        let line: Line = serde_json::from_str(&line.ok()?).ok()?;
        if may_pass(&line) {
            return None;
        }
        record.note(&line);
    }
    record.lines = lines;
    Some(record)
}

/// Removes the output of an earlier run if this run has none: the input failed now, or is left out. An output that was
/// changed since is kept.
pub(in crate::batch) fn remove_stale(
    context: &Context<'_>,
    journal: &Journal,
    input: &Input,
    ended: &Ended,
) -> Result<(), FileError> {
    let earlier = journal.earlier(&report_path(&input.relative)).and_then(|entry| entry.output.as_ref());
    let (Some(earlier), None, Some(output)) = (earlier, &ended.after, context.output(input)?) else { return Ok(()) };
    let is_ours = || File::open(&output).and_then(digest).is_ok_and(|now| now == *earlier);
    if !has_size(&output, earlier.size) || !is_ours() {
        return Ok(());
    }
    fs::remove_file(&output).map_err(|err| BatchError::io("removing an old output", &output)(err).into())
}

/// A finished file to be recorded in the journal.
pub(in crate::batch) struct Noted {
    pub(in crate::batch) path: String,
    /// Number of its report lines.
    pub(in crate::batch) count: u64,
    pub(in crate::batch) ended: Ended,
}

/// Records a finished file in the journal; its report lines are in the spool.
pub(in crate::batch) fn note(journal: &Journal, noted: Noted, lines: (&Spool, &Range<u64>)) -> Result<(), BatchError> {
    let Noted { path, count, ended } = noted;
    let Some(input) = ended.before.filter(|_| !ended.failed) else {
        journal.note_failed(&path);
        return Ok(());
    };
    let entry = Entry { path, input, output: ended.after, bytes: ended.bytes, lines: count };
    let (spool, range) = lines;
    journal.add(entry, spool, range.clone()).map_err(BatchError::io("writing", journal.path()))
}

fn has_size(path: &Path, size: u64) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() == size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question_outcome::QuestionOutcome;
    use crate::report::ModelCall;

    #[test]
    fn what_no_model_was_asked_for_is_asked_for_by_the_next_run() {
        let line = |outcome: SummaryOrigin, call: QuestionOutcome| {
            let calls = vec![ModelCall { outcome: call, ..ModelCall::default() }];
            let llm = LlmReport { outcome, calls, ..LlmReport::default() };
            Line { outcome: Outcome::Compacted, llm: Some(llm), ..Line::default() }
        };
        assert!(
            may_pass(&line(SummaryOrigin::Extractive, QuestionOutcome::BreakerOpen))
                && may_pass(&line(SummaryOrigin::Extractive, QuestionOutcome::Unreachable))
        );
        let refused = [
            QuestionOutcome::Unauthorized,
            QuestionOutcome::QuotaSpent,
            QuestionOutcome::HttpStatus,
            QuestionOutcome::ServerError,
            QuestionOutcome::RateLimited,
            QuestionOutcome::Redirected,
            QuestionOutcome::NotCached,
        ];
        assert!(refused.into_iter().all(|call| may_pass(&line(SummaryOrigin::Extractive, call))));
        assert!(
            !may_pass(&line(SummaryOrigin::Extractive, QuestionOutcome::Refused))
                && !may_pass(&line(SummaryOrigin::Written, QuestionOutcome::Timeout))
        );
        assert!(
            !may_pass(&Line { line: Some(3), ..line(SummaryOrigin::Extractive, QuestionOutcome::BreakerOpen) }),
            "rows cost all others, too"
        );
        let failed =
            Line { outcome: Outcome::Failed, reason: Some(Reason::HookFailed.name().into()), ..Line::default() };
        assert!(may_pass(&failed) && !may_pass(&Line { reason: Some("invalid".into()), ..failed }));
    }
}
