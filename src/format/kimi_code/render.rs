//! Renders an edit script over a journal as patches: drops lines, and adds a compaction after the kept ones.

use super::read;
use crate::format::ReadOptions;
use crate::format::shared::json::{Json, quoted};
use crate::format::shared::new::New;
use crate::format::shared::part_edits;
use crate::format::shared::record_lines;
use crate::format::shared::session_lines::fields;
use crate::transcript::{Class, EditScript, Insert, InsertKind, Patch, PatchKind, Transcript};
use std::collections::{HashMap, HashSet};

/// The patches that carry out a script. New events always go to the end, whatever place the script gives them: a
/// compaction event states how many of the messages before it are summarized, and the tokens left.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
    let end = transcript.records.len();
    let envelope = envelope(transcript, script);
    let new = script.inserts.iter().flat_map(|insert| events(transcript, script, insert, &envelope));
    let new: Vec<_> = new.map(|text| New { before: end, text }).collect();
    let keep = with_steps(transcript, script);
    let mut patches = record_lines::patches(transcript.source, &transcript.records, &keep, &new);
    for (index, message) in transcript.messages.iter().enumerate() {
        if script.keeps(message.record) && !script.changes_of(index).is_empty() {
            let own = fields(transcript, transcript.record_of(index)).get("message");
            let mut changes = part_edits::patches_in(transcript, script, index, own);
            patches.extend(own.into_iter().flat_map(|own| copies(transcript, message.record, own, &changes)));
            patches.append(&mut changes);
        }
    }
    Patch::in_order(patches)
}

/// The script's flags for kept records, where the records that begin and end a step stay as long as one of its pieces
/// does: they belong to its last piece, which may go alone when a call is mended.
fn with_steps(transcript: &Transcript<'_>, script: &EditScript) -> Vec<bool> {
    let kept = transcript.messages.iter().filter(|message| script.keeps(message.record));
    let kept: HashSet<&str> = kept.filter_map(|message| message.group.as_deref()).collect();
    let steps: HashMap<usize, &str> =
        transcript.messages.iter().filter_map(|it| Some((it.record, it.group.as_deref()?))).collect();
    let stays = |class: &Class<'_>| matches!(class, Class::With(owner) if steps.get(owner).is_some_and(|step| kept.contains(step)));
    let records = transcript.records.iter().zip(&script.keep);
    records.map(|(record, keep)| *keep || stays(&record.class)).collect()
}

/// The same patches in the event that recorded the user's input, which repeats the content byte for byte.
fn copies(transcript: &Transcript<'_>, record: usize, message: Json<'_>, changes: &[Patch]) -> Vec<Patch> {
    let source = transcript.source;
    let prompt = transcript.records.iter().take(record).rfind(|it| it.class == Class::With(record));
    let input = prompt.and_then(|prompt| fields(transcript, prompt).get("input"));
    let content = message.object().and_then(|message| message.get("content"));
    let Some((input, content)) = input.zip(content).filter(|(input, content)| input.raw() == content.raw()) else {
        return Vec::new();
    };
    let (from, to) = (content.span_in(source), input.span_in(source).start);
    let inside = changes.iter().filter(|patch| from.start <= patch.span.start && patch.span.end <= from.end);
    let moved = |at: usize| at - from.start + to;
    inside
        .map(|patch| Patch {
            span: moved(patch.span.start)..moved(patch.span.end),
            with: patch.with.clone(),
            kind: PatchKind::UiCopy,
        })
        .collect()
}

/// The agent id and time of the newest kept event, as fields for a new event.
fn envelope(transcript: &Transcript<'_>, script: &EditScript) -> String {
    let kept = transcript.records.iter().enumerate().rev().filter(|(at, _)| script.keeps(*at));
    let mut kept = kept.map(|(_, record)| fields(transcript, record)).filter(|fields| fields.has("time"));
    let last = kept.next().unwrap_or_default();
    let field = |key: &str| last.get(key).map(|value| format!(r#","{key}":{}"#, value.raw())).unwrap_or_default();
    field("agentId") + &field("time")
}

/// The events of a new message.
fn events(transcript: &Transcript<'_>, script: &EditScript, insert: &Insert, envelope: &str) -> Vec<String> {
    let event = |kind: &str, fields: &str| format!(r#"{{"type":"{kind}"{fields}{envelope}}}"#);
    match &insert.kind {
        InsertKind::Summary { text, tokens_before, tokens_after, .. } => {
            let count = if script.appended.is_some() { before(transcript, insert.before) } else { 0 };
            let context = quoted(&format!("{}\n{text}", super::PREFACE));
            let applied = format!(
                r#","summary":{},"contextSummary":{context},"compactedCount":{count},"tokensBefore":{tokens_before},"tokensAfter":{tokens_after}"#,
                quoted(text)
            );
            vec![
                event("full_compaction.begin", r#","source":"manual""#),
                event("context.apply_compaction", &applied),
                event("full_compaction.complete", ""),
            ]
        }
        InsertKind::Continuation { text, .. } => {
            let content = format!(r#"[{{"type":"text","text":{}}}]"#, quoted(text));
            let message = format!(
                r#","message":{{"role":"user","content":{content},"toolCalls":[],"origin":{{"kind":"user"}}}}"#
            );
            vec![event("context.append_message", &message)]
        }
    }
}

/// Number of loaded messages before the first one at or after a record.
fn before(transcript: &Transcript<'_>, record: usize) -> usize {
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    let first = transcript.messages.iter().position(|message| message.record >= record && message.live);
    let history = read::read(transcript.source, options).map(|(_, history)| history).unwrap_or_default();
    history.before(first.unwrap_or(transcript.messages.len()))
}
