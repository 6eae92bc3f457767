//! A preset as a whole: what `compact` would leave of the messages before a cut, and what a model would be asked for
//! it.

use crate::evaluate::context::Context;
use crate::evaluate::cut::Cut;
use crate::pipeline::{self, Compaction, Tools};
use crate::preset::{Mode, PruneScope, Settings, SummarizerKind, When};
use crate::report::ModelUse;
use crate::summary::{Severity, Template};
use crate::transcript::{Class, Transcript};
use std::collections::BTreeMap;

/// A preset, with everything that `compact` takes from it.
#[derive(Debug, Clone)]
pub struct Whole {
    /// Name.
    pub name: String,
    /// Settings.
    pub settings: Settings,
    /// Template of its summaries.
    pub template: Template,
    /// Whether a model writes the summary in the system that it is named after.
    pub asks_model: bool,
}

/// What the preset leaves at a cut, compacted regardless of its trigger. At a recorded compaction, the summary has the
/// size of the recorded one. If it refuses, everything stays, which counts as a fault.
pub(super) fn context(
    transcript: &Transcript<'_>,
    (whole, cut): (&Whole, &Cut),
    size: u64,
    tools: Tools<'_>,
) -> Context {
    let before = prefix(transcript, cut);
    let mut settings = whole.settings.clone();
    settings.overflow.when = When::Always;
    settings.output.mode = Mode::Rewrite;
    settings.output.min_gain = 0.0;
    if cut.recorded.is_some() {
        settings.summary.tokens = size;
    }
    let all = Context { kept: cut.before.clone(), unchanged: true, ..Context::default() };
    let tools = Tools { template: &whole.template, ..tools };
    let Ok(done) = pipeline::compact(&before, &settings, tools) else { return Context { faults: 1, ..all } };
    let Some(script) = &done.script else { return all };
    let keeps = |index: &usize| script.keeps(transcript.messages[*index].record);
    let kept: Vec<usize> = cut.before.iter().copied().filter(keeps).collect();
    let changed = script.parts.iter().map(|edit| {
        let text = edit.change.text().unwrap_or_default().to_owned();
        ((edit.message, edit.part), text)
    });
    let changed = changed.collect();
    let summary = done.summary.as_ref().filter(|_| settings.summary.by != SummarizerKind::None);
    let origins = summary.map(|summary| summary.origins()).unwrap_or_default();
    let place = |origin: &usize| cut.before.binary_search(&done.split.as_ref()?.message(*origin)?).ok();
    let origins = origins.iter().filter_map(place).collect();
    let broken = |summary: &&crate::summary::Summary| {
        summary.faults.iter().filter(|fault| fault.severity() == Severity::Error).count() as u64
    };
    Context {
        kept,
        changed,
        origins,
        faults: summary.as_ref().map_or(0, broken),
        model: summary.filter(|_| whole.asks_model).map(|_| model_use(transcript, (&done, cut), &settings, tools)),
        summary: summary.map(|summary| summary.text.clone()).unwrap_or_default(),
        ..Context::default()
    }
}

/// Tokens of the model in the original system: it reads the pruned head and the earlier summary, and writes a summary
/// as long as the one used here. System prompt and instructions are not counted.
fn model_use(
    transcript: &Transcript<'_>,
    (done, cut): (&Compaction, &Cut),
    settings: &Settings,
    tools: Tools<'_>,
) -> ModelUse {
    let pruned = done.stubs.iter().filter(|_| settings.prune.scope == PruneScope::All);
    let pruned: BTreeMap<(usize, usize), u64> = pruned.map(|stub| ((stub.message, stub.part), stub.tokens.0)).collect();
    let head = done.split.as_ref().map(|split| split.head.as_slice()).unwrap_or_default();
    let size = |message: usize| -> u64 {
        let parts = transcript.messages[message].parts.iter().enumerate();
        parts.map(|(at, part)| pruned.get(&(message, at)).copied().unwrap_or(part.tokens.0)).sum()
    };
    let read: u64 = head.iter().map(|&message| size(message)).sum();
    let read = settings.summary.sees.map_or(read, |most| read.min(most));
    let earlier: u64 = cut.earlier.iter().map(|&message| (tools.count)(&transcript.messages[message].text()).0).sum();
    ModelUse { input: read + earlier, output: done.summary_tokens.0, cost_micros: None }
}

/// The transcript as it was at the cut: nothing after its last message is known, above all no compaction.
pub(super) fn prefix<'t>(transcript: &Transcript<'t>, cut: &Cut) -> Transcript<'t> {
    let mut before = transcript.clone();
    before.messages.truncate(cut.at);
    before.traits.kept_from = None;
    before.traits.fixed = None;
    for (index, message) in before.messages.iter_mut().enumerate() {
        message.live = cut.before.binary_search(&index).is_ok() || cut.preamble.binary_search(&index).is_ok();
        message.abandoned = !message.live;
    }
    // Later records stay, as opaque ones, since other records refer to their owner by position.
    let behind = before.messages.iter().map(|message| message.record + 1).max().unwrap_or(0);
    before.records.iter_mut().skip(behind).for_each(|record| record.class = Class::Opaque);
    before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::cut::{Wanted, cuts};
    use crate::transcript::sketch::sketch;

    #[test]
    fn a_compaction_behind_the_cut_is_not_known_at_it_and_one_before_it_is() {
        let mut transcript = sketch("u a S u a u a S u");
        // A harness writes its boundary first, then the summary.
        let boundary = crate::transcript::Record { class: Class::Boundary, ..transcript.records[2].clone() };
        transcript.records.insert(7, boundary.clone());
        transcript.messages[7..].iter_mut().for_each(|message| message.record += 1);
        let known = |transcript: &Transcript<'_>| {
            let found = cuts(transcript, Wanted::Recorded);
            found.iter().map(|cut| prefix(transcript, cut).newest_compaction()).collect::<Vec<_>>()
        };
        assert_eq!(known(&transcript), [None, None], "earlier summaries are abandoned, later boundaries unknown");
        transcript.records[2] = boundary;
        assert_eq!(known(&transcript), [None, Some(2)]);
    }
}
