//! Compacts a transcript several times in a row, as in a long session, to compare what the first and the third keep.

use super::pairs::Gatekeeper;
use super::stated::add_stubs;
use crate::batch::Work;
use crate::format::Format;
use crate::gates::{Chain, Side, Stubs, View};
use crate::preset::{Mode, Settings, Stages, SummarizerKind, When};
use crate::report::Outcome;
use crate::work::Compactor;

/// Number of compactions.
const TIMES: usize = 3;
/// Most halvings of the tail; a shorter one leaves nothing to compact.
const HALVES: u32 = 8;

/// Compacts an original three times in a row, each time with a shorter tail, and counts what is kept. `None` if there
/// is not enough to compact so often.
pub(super) fn measure(keeper: &Gatekeeper, format: &'static dyn Format, source: &[u8], line: usize) -> Option<Chain> {
    let original = keeper.read(format, source, line);
    let all = original.transcript.tokens().0;
    let mut bytes = source.to_vec();
    let mut stubs = Stubs::default();
    add_stubs(&mut stubs, &keeper.compactor.settings.prune);
    let mut kept = Vec::new();
    for halves in 0..HALVES {
        let compactor = forced(&keeper.compactor, all, halves);
        let Some(next) = compacted(&compactor, format, &bytes, line) else { continue };
        bytes = next;
        let after = keeper.read(format, &bytes, line);
        let side = Side { transcript: &original.transcript, faults: &original.faults };
        let view = View::new(Some(side), Side { transcript: &after.transcript, faults: &after.faults }, &stubs);
        kept.push((view.constraints().0, view.files().0));
        if kept.len() == TIMES {
            break;
        }
    }
    let (first, third) = (kept.first()?, kept.get(TIMES - 1)?);
    Some(Chain { constraints: (first.0, third.0), files: (first.1, third.1) })
}

fn compacted(work: &Compactor<'_>, format: &'static dyn Format, source: &[u8], line: usize) -> Option<Vec<u8>> {
    let done = work.run(format, source, line);
    (done.line.outcome == Outcome::Compacted).then(|| crate::transcript::apply(source, &done.patches).into_owned())
}

/// The compactor with settings that leave something to compact: the tail has at most half of the tokens, halved once
/// more for each of `halves`.
fn forced(compactor: &Compactor<'_>, all: u64, halves: u32) -> Compactor<'static> {
    let mut settings: Settings = compactor.settings.clone();
    let own = settings.split.tail_tokens.unwrap_or(settings.split.tail_cap);
    settings.split.tail_tokens = Some(own.min(all / 2) >> halves);
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
