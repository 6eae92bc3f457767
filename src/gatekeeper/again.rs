//! Whether a compacted transcript is stable when it is compacted again with the same settings.

use super::pairs::Gatekeeper;
use crate::batch::Work;
use crate::check::RuleKind;
use crate::format::Format;
use crate::gates::Again;
use crate::report::Outcome;
use crate::transcript::{Author, Fault, Transcript, apply, new_faults};
use crate::work::Judged;

/// Compacts the transcript again and compares its structure.
pub(super) fn again(
    keeper: &Gatekeeper,
    work: &dyn Work,
    format: &'static dyn Format,
    (before, line): (&Judged<'_>, usize),
) -> Again {
    let source = before.transcript.source;
    let done = work.run(format, source, line);
    match done.line.outcome {
        Outcome::Failed => {
            return Again::Failed(done.line.error.or(done.line.reason).unwrap_or_default());
        }
        Outcome::Compacted => {}
        _ => return Again::Same,
    }
    let bytes = apply(source, &done.patches);
    let after = keeper.read(format, &bytes, line);
    let new = new_faults(&before.faults, &after.faults);
    let count = |of: &dyn Fn(&Fault) -> bool| new.iter().filter(|fault| of(fault)).count();
    let sections = count(&|fault| RuleKind::of(fault.rule) == RuleKind::Sections);
    Again::Other {
        summaries: summaries(&after.transcript),
        sections,
        pairs: new.len() - sections,
        dropped: messages(&before.transcript).saturating_sub(messages(&after.transcript)),
    }
}

/// Number of loaded summaries.
fn summaries(transcript: &Transcript<'_>) -> usize {
    transcript.messages.iter().filter(|message| message.live && message.author == Author::Summary).count()
}

/// Number of messages that are neither summary nor synthetic.
fn messages(transcript: &Transcript<'_>) -> usize {
    transcript.messages.iter().filter(|message| message.is_content()).count()
}
