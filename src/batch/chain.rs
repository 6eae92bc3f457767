//! A chain of compactions, as a long session has them: what the third still says of what the first one said.

use super::pairs::Gatekeeper;
use super::{Compactor, Work};
use crate::format::Format;
use crate::gates::{Chain, Side, View};
use crate::preset::{Mode, Settings, Stages, SummarizerKind, When};
use crate::report::Outcome;

/// How often it is compacted.
const TIMES: u32 = 3;

/// Compacts an original three times in a row, and counts what is kept; none where a compaction has nothing to do.
pub(super) fn of(keeper: &Gatekeeper, format: &'static dyn Format, source: &[u8], line: usize) -> Option<Chain> {
    let original = keeper.read(format, source, line);
    let all = original.transcript.tokens().0;
    let mut bytes = source.to_vec();
    let mut kept = Vec::new();
    for time in 0..TIMES {
        let compactor = forced(&keeper.compactor, all, time);
        bytes = compacted(&compactor, format, &bytes, line)?;
        let after = keeper.read(format, &bytes, line);
        let side = Side { transcript: &original.transcript, faults: &original.faults };
        let view = View::new(Some(side), Side { transcript: &after.transcript, faults: &after.faults });
        kept.push((view.constraints(), view.files()));
    }
    let (first, third) = (kept.first()?, kept.last()?);
    Some(Chain { constraints: (first.0, third.0), files: (first.1, third.1) })
}

fn compacted(work: &Compactor<'_>, format: &'static dyn Format, source: &[u8], line: usize) -> Option<Vec<u8>> {
    let done = work.run(format, source, line);
    (done.line.outcome == Outcome::Compacted).then(|| crate::transcript::apply(source, &done.patches).into_owned())
}

/// The compactor with settings by which there is something to compact: the tail has at most half of the transcript, and
/// half of that each time again.
fn forced(compactor: &Compactor<'_>, all: u64, time: u32) -> Compactor<'static> {
    let mut settings: Settings = compactor.settings.clone();
    let own = settings.split.tail_tokens.unwrap_or(settings.split.tail_cap);
    settings.split.tail_tokens = Some(own.min(all / 2) >> time);
    settings.split.min_tail = 1;
    settings.limits.max_tokens = None;
    settings.overflow.when = When::Always;
    settings.overflow.auto = true;
    settings.overflow.stages = Stages::Full;
    settings.summary.by = SummarizerKind::Extractive;
    settings.output.mode = Mode::Rewrite;
    settings.output.min_gain = 0.0;
    compactor.with(settings)
}
