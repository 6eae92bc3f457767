//! The report of one transcript: numbers before, the decision, and numbers after.

use super::rendered::Checked;
use super::seen::Seen;
use crate::check::{RuleKind, ends_unanswered};
use crate::continuation::Action;
use crate::convert::Losses;
use crate::pipeline::Compaction;
use crate::preset::{Limits, Settings};
use crate::reason::Reason;
use crate::report::{
    ContinuationReport, CostEstimate, Decision, Edits, KindReport, Line, LlmReport, LossReport, OriginReport, Outcome,
    RangeReport, SectionReport, SidechainReport, SummaryReport, UsageReport, cost_in_words,
};
use crate::split::usage_sum;
use crate::transcript::{
    Author, Class, EditScript, Fault, Insert, InsertKind, Message, PartKind, Patch, PatchKind, Record, Tokens,
    Transcript, tokens_left,
};
use foldhash::HashSet;
use std::collections::BTreeMap;

/// What makes a transcript smaller that is still too large for its model.
const TOO_LARGE: &str = "a smaller --tail-tokens or --summary-tokens, or --max-tokens, makes it smaller";

/// The report before anything is done; it is complete for an unchanged transcript.
pub(super) fn line(mut line: Line, before: &Seen<'_>, settings: &Settings) -> Line {
    line.tokens.before = before.tokens + before.unread.tokens;
    line.tokens.live = before.live + before.unread.tokens;
    line.tokens.after = line.tokens.before;
    line.tokens.live_after = line.tokens.live;
    line.tokens.beside = before.beside.unwrap_or_default().tokens;
    let messages = logical(&before.transcript);
    line.messages.before = messages;
    line.messages.after = messages;
    line.kinds = kinds(before);
    line.edits.kept = before.transcript.records.len() as u64;
    line.faults.before = by_rule(&before.faults);
    line.faults.after = line.faults.before.clone();
    line.sidechains = sidechains(&before.transcript);
    line.warnings = warnings(before, settings);
    line
}

/// The numbers behind the decision.
pub(super) fn decision(compaction: &Compaction) -> Decision {
    let load = &compaction.load;
    Decision {
        usable: limited(load.usable.tokens),
        formula: load.usable.formula.clone(),
        trigger: limited(load.trigger),
        counted: load.counted.0,
        recorded: load.recorded.map(|tokens| tokens.0),
        decided_by: if load.by_record { "recorded" } else { "counted" }.into(),
        overflow: load.overflow,
        tail_budget: compaction.tail_budget.0,
        summary_budget: compaction.summary_budget.0,
    }
}

/// A number of tokens; `None` if it is unlimited.
fn limited(tokens: Tokens) -> Option<u64> {
    (tokens.0 < u64::MAX).then_some(tokens.0)
}

/// Warns if what a harness would load of the result is still too large for its model. A result may have as many tokens
/// as `--max-tokens` says.
pub(super) fn overflow(line: &mut Line, compaction: &Compaction, limits: &Limits) {
    let usable = compaction.load.usable.tokens.0;
    let loaded = line.tokens.live_after;
    line.overflows = reaches(loaded, usable, limits);
    if line.overflows {
        let told = format!("the result has {loaded} tokens and still reaches the {usable} usable ones");
        line.warnings.push(format!("{told}: {TOO_LARGE}"));
    }
}

/// Warns if a transcript that is left as it is is too large for its model.
pub(super) fn left_too_large(line: &mut Line, compaction: &Compaction, limits: &Limits) {
    let load = &compaction.load;
    let (usable, tokens) = (load.usable.tokens.0, load.compared().0);
    line.overflows = reaches(tokens, usable, limits);
    if line.overflows {
        let told = format!("it is left as it is, though its {tokens} tokens reach the {usable} usable ones");
        let waits = compaction.script.is_none() && compaction.why() == Reason::BelowTrigger;
        let help = if waits { "a smaller trigger, or --when always, compacts it" } else { TOO_LARGE };
        line.warnings.push(format!("{told}: {help}"));
    }
}

fn reaches(tokens: u64, usable: u64, limits: &Limits) -> bool {
    tokens > usable || tokens == usable && limits.max_tokens.is_none()
}

fn warnings(before: &Seen<'_>, settings: &Settings) -> Vec<String> {
    let abandoned = before.transcript.messages.iter().filter(|message| message.abandoned).count();
    let mut warnings: Vec<String> = before.faults.iter().filter_map(invalid).collect();
    if abandoned > 0 && settings.summary.by != crate::preset::SummarizerKind::None {
        warnings.push(format!("{abandoned} messages stand on branches that the harness left; they are not summarized"));
    }
    warnings
}

/// A warning for a line that `--lenient` kept though it can't be read.
fn invalid(fault: &Fault) -> Option<String> {
    let unread = RuleKind::of(fault.rule).is_unread();
    unread.then(|| format!("line {} can't be read and was kept as it is", fault.line))
}

/// Completes the report of a compacted transcript.
pub(super) fn after(line: &mut Line, before: &Seen<'_>, result: &Checked<'_>, compaction: &Compaction) {
    let (transcript, Checked { patches, after }) = (&before.transcript, result);
    line.tokens.after = after.tokens + after.unread.tokens;
    line.tokens.live_after = loaded(before, after, compaction) + after.unread.tokens;
    line.messages.after = logical(&after.transcript);
    line.kinds_after(kinds(after));
    line.faults.after = by_rule(&after.faults);
    line.edits = compaction.script.as_ref().map(|script| edits(transcript, script, patches)).unwrap_or_default();
    pruned(line, compaction);
    split(line, transcript, compaction);
    if let Some(summary) = &compaction.summary {
        line.summary = Some(summary_report(summary, transcript, compaction));
        line.tokens.summary = compaction.summary_tokens.0;
    }
    line.continuation = continuation(compaction);
    if let (Some(script), Some(sides)) = (&compaction.script, &mut line.sidechains) {
        let kept = transcript.records.iter().zip(&script.keep).filter(|(record, keep)| **keep && is_side(record));
        sides.records_after = kept.count() as u64;
    }
    line.usage_dropped = usage_dropped(transcript, compaction);
}

/// Tokens that a harness would load of the output. In a plain list only text marks a summary, so messages before it
/// read back as history that is no longer loaded. Here they are known to be kept on purpose (`keep-first`,
/// `keep-opening`), and they are sent. If the input was such a list already, what was loaded of it is unknown, and the
/// number is left as read.
fn loaded(before: &Seen<'_>, after: &Seen<'_>, compaction: &Compaction) -> u64 {
    let is_summary = |insert: &Insert| matches!(insert.kind, InsertKind::Summary { .. });
    let written = |script: &EditScript| script.appended.is_none() && script.inserts.iter().any(is_summary);
    if after.transcript.traits.native_summary || !compaction.script.as_ref().is_some_and(written) {
        return after.live;
    }
    if before.transcript.messages.iter().any(|message| message.is_history()) {
        return after.live;
    }
    let sent = after.transcript.messages.iter().filter(|message| !message.abandoned);
    sent.map(Message::tokens).sum::<Tokens>().0
}

/// Completes the report of a converted transcript, which was read again in the target's format.
pub(super) fn converted(line: &mut Line, after: &Seen<'_>, target: &str, losses: &Losses) {
    line.outcome = Outcome::Converted;
    line.reason = None;
    line.to = Some(target.to_owned());
    line.tokens.live_after = after.live + after.unread.tokens;
    line.losses = losses.iter().map(|(loss, count)| LossReport { kind: loss.name().to_owned(), count }).collect();
    line.tokens.after = after.tokens + after.unread.tokens;
    line.messages.after = logical(&after.transcript);
    line.kinds_after(kinds(after));
    line.faults.after = by_rule(&after.faults);
    line.edits = Edits::default();
    line.unanswered_end = ends_unanswered(target, &after.transcript);
}

fn pruned(line: &mut Line, compaction: &Compaction) {
    line.pruned.parts = compaction.stubs.len() as u64;
    line.pruned.excerpts = compaction.excerpts.len() as u64;
    line.pruned.reasoning = compaction.dead_reasoning;
    let script = compaction.script.as_ref();
    let stubs = script
        .map(|script| script.parts.iter().filter(|edit| matches!(edit.change, crate::transcript::Change::Stub(_))));
    line.pruned.parts_in_output = stubs.map_or(0, |stubs| stubs.count() as u64);
}

fn split(line: &mut Line, transcript: &Transcript<'_>, compaction: &Compaction) {
    let tokens = |messages: &[usize]| messages.iter().map(|&index| transcript.messages[index].tokens().0).sum::<u64>();
    line.pruned.tokens =
        compaction.stubs.iter().map(|stub| transcript.messages[stub.message].parts[stub.part].tokens.0).sum();
    let Some(split) = &compaction.split else { return };
    line.tokens.head = tokens(&split.head);
    line.tokens.tail = left(transcript, compaction, &split.tail);
    line.head = range(transcript, &split.head);
    line.tail = range(transcript, &split.tail);
    line.carried.messages = whole(split.carried.messages.iter().map(|index| &transcript.messages[*index]));
    line.carried.tokens = left(transcript, compaction, &split.carried.messages);
    line.carried.did_not_fit = split.carried.did_not_fit.clone();
}

/// Tokens of messages after stubbing and shortening.
fn left(transcript: &Transcript<'_>, compaction: &Compaction, messages: &[usize]) -> u64 {
    let own = |message: usize| messages.binary_search(&message).is_ok();
    let all: Tokens =
        messages.iter().map(|&index| tokens_left(&transcript.messages[index], index, &compaction.stubs)).sum();
    let excerpts = compaction.excerpts.iter().filter(|excerpt| own(excerpt.message));
    let cut = excerpts.map(|excerpt| transcript.messages[excerpt.message].parts[excerpt.part].tokens - excerpt.tokens);
    (all - cut.sum::<Tokens>()).0
}

fn range(transcript: &Transcript<'_>, messages: &[usize]) -> Option<RangeReport> {
    let lines = || messages.iter().map(|index| transcript.record_of(*index).line as u64);
    let own = messages.iter().map(|index| &transcript.messages[*index]);
    let pieces = messages.len() as u64;
    Some(RangeReport { messages: whole(own), pieces, first: lines().min()?, last: lines().max()? })
}

fn summary_report(
    summary: &crate::summary::Summary,
    transcript: &Transcript<'_>,
    compaction: &Compaction,
) -> SummaryReport {
    let message = |origin: usize| compaction.split.as_ref()?.message(origin);
    let origins = summary.lines.iter().map(|own| {
        let message = own.origin.and_then(message);
        let line = message.map(|message| transcript.record_of(message).line);
        OriginReport { section: own.section.clone(), line, message: message.and_then(|it| transcript.number_of(it)) }
    });
    let sections = summary.sections.iter().map(|section| SectionReport {
        name: section.name.clone(),
        lines: section.lines_with_content as u64,
        faults: section.faults.iter().map(|fault| fault.name().to_owned()).collect(),
    });
    SummaryReport {
        by: summary.by.name().to_owned(),
        sections: sections.collect(),
        faults: summary.faults.iter().map(|fault| fault.name().to_owned()).collect(),
        attempts: summary.attempts,
        origins: origins.collect(),
    }
}

fn continuation(compaction: &Compaction) -> Option<ContinuationReport> {
    let (state, action) = compaction.continuation.as_ref()?;
    let inserts = &compaction.script.as_ref()?.inserts;
    let place = inserts.iter().find(|insert| matches!(insert.kind, InsertKind::Continuation { .. }));
    let records = compaction.script.as_ref().map_or(0, |script| script.keep.len());
    let place = place.map(|insert| if insert.before == records { "end" } else { "boundary" });
    let done = match (place, action) {
        (None, Action::Continue(_) | Action::Replay(_) | Action::Describe(..)) => "none",
        _ => action.name(),
    };
    Some(ContinuationReport { state: state.name().into(), action: done.into(), place: place.map(str::to_owned) })
}

/// Number of messages; pieces of one API message count as one, and so does a prompt with a summary in the same text.
fn logical(transcript: &Transcript<'_>) -> u64 {
    let joined = |pair: &&[Message<'_>]| {
        let authors = (pair[0].author, pair[1].author);
        let records = || Some((transcript.records.get(pair[0].record)?, transcript.records.get(pair[1].record)?));
        authors == (Author::System, Author::Summary)
            && records().is_some_and(|(prompt, summary)| is_of_one_string(transcript.source, prompt, summary))
    };
    let joined = transcript.messages.windows(2).filter(joined).count();
    whole(transcript.messages.iter()) - joined as u64
}

/// Number of messages, of which the pieces of one API message count as one.
fn whole<'m>(messages: impl Iterator<Item = &'m Message<'m>>) -> u64 {
    let (grouped, alone): (Vec<&Message<'_>>, Vec<_>) = messages.partition(|message| message.group.is_some());
    let groups: HashSet<&str> = grouped.iter().filter_map(|message| message.group.as_deref()).collect();
    (groups.len() + alone.len()) as u64
}

/// Whether two records are pieces of one JSON string: no quote is between them, and the second does not start an
/// object.
fn is_of_one_string(source: &[u8], first: &Record<'_>, second: &Record<'_>) -> bool {
    let between = source.get(first.span.end..second.span.start);
    between.is_some_and(|between| !between.contains(&b'"')) && source.get(second.span.start) != Some(&b'{')
}

/// Tokens and bytes by part kind; those after are set to those before. What was not read is of no known kind.
fn kinds(seen: &Seen<'_>) -> BTreeMap<String, KindReport> {
    let mut kinds: BTreeMap<&str, KindReport> = BTreeMap::new();
    let unread = seen.unread;
    let unread = (unread.count > 0).then_some((PartKind::Opaque.name(), unread.tokens, unread.bytes));
    let parts = seen.transcript.messages.iter().flat_map(Message::stored);
    let parts = parts.map(|(part, bytes)| (part.kind.name(), part.tokens.0, bytes));
    for (name, tokens, bytes) in parts.chain(unread) {
        let kind = kinds.entry(name).or_default();
        kind.tokens_before += tokens;
        kind.tokens_after += tokens;
        kind.bytes_before += bytes;
        kind.bytes_after += bytes;
    }
    kinds.into_iter().map(|(name, kind)| (name.to_owned(), kind)).collect()
}

/// Number of faults by rule.
pub(super) fn by_rule(faults: &[Fault]) -> BTreeMap<String, u64> {
    let mut rules = BTreeMap::new();
    faults.iter().for_each(|fault| *rules.entry(fault.rule.to_owned()).or_default() += 1);
    rules
}

fn is_side(record: &Record<'_>) -> bool {
    matches!(record.class, Class::Sidechain(_))
}

fn sidechains(transcript: &Transcript<'_>) -> Option<SidechainReport> {
    let records = transcript.records.iter().filter(|record| is_side(record)).count() as u64;
    (records > 0).then_some(SidechainReport { records, records_after: records })
}

/// Number of records by what was done with them.
fn edits(transcript: &Transcript<'_>, script: &EditScript, patches: &[Patch]) -> Edits {
    let mut edits = Edits::default();
    for (record, keep) in transcript.records.iter().zip(&script.keep) {
        let from = patches.partition_point(|patch| patch.span.end <= record.span.start);
        let within = || patches[from..].iter().take_while(|patch| patch.span.start < record.span.end);
        // Copies for a user interface go without the script's leave.
        let whole = |patch: &Patch| patch.span.start <= record.span.start && patch.span.end >= record.span.end;
        let goes = within().any(|patch| patch.kind == PatchKind::Drop && whole(patch));
        let changes = within().map(|patch| patch.kind).filter(|kind| *kind != PatchKind::Insert);
        let count = match changes.max_by_key(|kind| *kind != PatchKind::Relink) {
            _ if !keep || goes => &mut edits.dropped,
            None => &mut edits.kept,
            Some(PatchKind::Relink) => &mut edits.relinked,
            Some(_) => &mut edits.stubbed,
        };
        *count += 1;
    }
    edits.inserted = patches.iter().filter(|patch| patch.kind == PatchKind::Insert).count() as u64;
    edits
}

fn usage_dropped(transcript: &Transcript<'_>, compaction: &Compaction) -> Option<UsageReport> {
    let keep = &compaction.script.as_ref()?.keep;
    let (messages, sum) = usage_sum(transcript.messages.iter().filter(|message| !keep[message.record]));
    let report = UsageReport {
        messages,
        input: sum.input.0,
        cache_read: sum.cache_read.0,
        cache_write: sum.cache_write.0,
        output: sum.output.0,
    };
    (messages > 0).then_some(report)
}

/// The plan: one line per unit with what is done with it.
pub(super) fn plan(transcript: &Transcript<'_>, compaction: &Compaction) -> Vec<String> {
    let Some(script) = &compaction.script else {
        return vec![format!("unchanged: {}", compaction.why())];
    };
    let mut lines = Vec::new();
    let mut inserts = script.inserts.iter().peekable();
    for unit in crate::transcript::units(transcript, |_, _| true) {
        let first = &transcript.messages[unit.first()];
        while let Some(insert) = inserts.next_if(|insert| insert.before <= first.record) {
            lines.push(insertion(&insert.kind));
        }
        let kept = unit.messages.iter().any(|&index| script.keep[transcript.messages[index].record]);
        let stubbed = unit.messages.iter().any(|&index| !script.changes_of(index).is_empty());
        let verb = if !kept {
            "drop"
        } else if stubbed {
            "stub"
        } else {
            "keep"
        };
        let line = transcript.record_of(unit.first()).line;
        let what = format!("{} {}", first.role.name(), first.parts.first().map_or("empty", |part| part.kind.name()));
        lines.push(format!(
            "{verb:<6} line {line}: {what}, {} messages, {} tokens",
            unit.messages.len(),
            unit.tokens(transcript)
        ));
    }
    lines.extend(inserts.map(|insert| insertion(&insert.kind)));
    lines
}

/// A line for the plan with what a model would be asked.
pub(super) fn question(llm: &LlmReport) -> Option<String> {
    if let (Some(CostEstimate { calls: 0, .. }), Some(call)) = (&llm.estimate, llm.calls.last()) {
        return Some(format!("ask    the model nothing: {}", call.detail.as_deref().unwrap_or(call.outcome.name())));
    }
    let CostEstimate { calls, cached, input_tokens, output_tokens, cost_micros } = llm.estimate.as_ref()?;
    let stored = if *cached == 1 { "1 answer is stored".to_owned() } else { format!("{cached} answers are stored") };
    if *calls == 0 {
        return Some(format!("ask    the model nothing: {stored}"));
    }
    let cost = cost_micros.map(|cost| format!(", {}", cost_in_words(cost)));
    let tokens = format!("{input_tokens} + at most {output_tokens} tokens");
    let stored = if *cached > 0 { format!(", {stored}") } else { String::new() };
    Some(format!("ask    the model {calls} times: about {tokens}{}{stored}", cost.unwrap_or_default()))
}

fn insertion(kind: &InsertKind) -> String {
    match kind {
        InsertKind::Summary { .. } => "insert summary".into(),
        InsertKind::Continuation { text, .. } => {
            format!("insert continuation: {}", text.lines().next().unwrap_or_default())
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::format::{Marks, ReadOptions, by_name};
    use crate::preset::SummarizerKind;
    use crate::summary::WrittenBy;
    use crate::transcript::{UiCopies, apply};

    #[test]
    fn a_report_names_who_wrote_a_summary_as_settings_do() {
        let model = |hybrid| WrittenBy::Model { hybrid, filled: false };
        let all = [
            (WrittenBy::Drop, SummarizerKind::Drop),
            (WrittenBy::Note, SummarizerKind::Note),
            (WrittenBy::Frame, SummarizerKind::Frame),
            (WrittenBy::Extractive { prior: false }, SummarizerKind::Extractive),
            (model(false), SummarizerKind::Llm),
            (model(true), SummarizerKind::Hybrid),
        ];
        all.into_iter().for_each(|(by, kind)| assert_eq!(by.name(), kind.name()));
    }

    #[test]
    fn pieces_of_one_message_count_once_also_in_the_head() {
        let mut transcript = crate::transcript::sketch::sketch("u t r a");
        for piece in [1, 3] {
            transcript.messages[piece].group = Some("msg_1".into());
        }
        let counted = range(&transcript, &[0, 1, 2, 3]).map(|range| range.messages);
        assert_eq!((counted, logical(&transcript)), (Some(3), 3));
    }

    #[test]
    fn a_prompt_with_a_summary_behind_it_is_one_message() {
        let prompt = r"Be brief.\n\n<prior-conversation-summary>\nx\n</prior-conversation-summary>";
        let rest = r#"{"role":"user","content":"u"},{"role":"assistant","content":"a"}"#;
        let row = format!(r#"{{"messages":[{{"role":"system","content":"{prompt}"}},{rest}]}}"#);
        let transcript = by_name("openai-chat").unwrap().read(row.as_bytes(), ReadOptions::default()).unwrap();
        assert_eq!((transcript.messages.len(), logical(&transcript)), (4, 3));
        let line = |text: &str| format!("{{\"role\":\"system\",\"content\":\"{text}\"}}\n");
        let lines = line("Be brief.") + &line(&prompt[r"Be brief.\n\n".len()..]);
        let transcript = by_name("openai-messages").unwrap().read(lines.as_bytes(), ReadOptions::default()).unwrap();
        assert_eq!((transcript.messages.len(), logical(&transcript)), (2, 2), "each has a line of its own");
    }

    #[test]
    fn a_copy_that_goes_is_counted_as_dropped() {
        let source = include_str!("../../samples/codex/long-with-parallel-calls.jsonl");
        let format = by_name("codex").unwrap();
        let transcript = format.read(source.as_bytes(), ReadOptions::default()).unwrap();
        let script = EditScript { ui_copies: UiCopies::Drop, ..EditScript::unchanged(&transcript) };
        let patches = Patch::in_order(format.render(&transcript, &script, &Marks::default()));
        let left = apply(source.as_bytes(), &patches);
        let gone = source.lines().count() - left.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count();
        let edits = edits(&transcript, &script, &patches);
        assert_eq!((edits.stubbed, edits.dropped), (0, gone as u64));
        assert!(gone > 0);
    }
}
