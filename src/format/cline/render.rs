//! Writes the array or the store: new messages with timestamps near their neighbors', and the store's own summary.

use super::author::SUMMARY;
use super::{MESSAGES, is_store};
use crate::format::Marks;
use crate::format::anthropic_messages::order;
use crate::format::shared::document::{self, Document};
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::new::New;
use crate::format::shared::part_edits;
use crate::transcript::fixed_texts::PREFACES;
use crate::transcript::{EditScript, Insert, InsertKind, Patch, Transcript};

/// Turns an edit script into patches.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
    let new = match is_store(transcript.source) {
        true => New::all(script, |insert| [stored(transcript, script, marks, insert)]),
        false => order::messages(transcript, script, &|role, text, before| {
            message(role, text, &stamp(transcript, script, before))
        }),
    };
    write(transcript, script, &new, Vec::new())
}

/// The patches that carry out a script, given the new messages and more patches `inside` the others.
pub(in crate::format) fn write(
    transcript: &Transcript<'_>,
    script: &EditScript,
    new: &[New],
    mut inside: Vec<Patch>,
) -> Vec<Patch> {
    let Ok(document) = Document::read(transcript.source, 1, MESSAGES) else { return Vec::new() };
    inside.append(&mut part_edits::of_kept(transcript, script));
    document.patches(script, new, inside)
}

/// A message with a text block and further fields, which begin with a comma.
pub(in crate::format) fn message(role: &str, text: &str, fields: &str) -> String {
    format!(r#"{{"role":"{role}","content":[{{"type":"text","text":{}}}]{fields}}}"#, quoted(text))
}

/// The `ts` field for a message placed before a record: just before the time of the next kept record, or just after
/// the last one's; empty if that has none.
pub(in crate::format) fn stamp(transcript: &Transcript<'_>, script: &EditScript, before: usize) -> String {
    let keeps = |record: &usize| script.keeps(*record);
    let time = |record: usize| fields(transcript, record).get("ts").and_then(|ts| ts.raw().parse::<i64>().ok());
    let next = (before..transcript.records.len()).find(keeps).map(|next| time(next).map(|ts| ts.saturating_sub(1)));
    let last = || (0..before.min(transcript.records.len())).rfind(keeps).and_then(time).map(|ts| ts.saturating_add(1));
    next.unwrap_or_else(last).map(|ts| format!(r#","ts":{ts}"#)).unwrap_or_default()
}

/// The fields of a record.
pub(in crate::format) fn fields<'t>(transcript: &Transcript<'t>, record: usize) -> Object<'t> {
    let record = transcript.records.get(record);
    record.and_then(|it| Json::at(transcript.source, &it.span)).and_then(Json::object).unwrap_or_default()
}

/// A new message for the store.
fn stored(transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>, insert: &Insert) -> String {
    let before = insert.before;
    let (text, more) = match &insert.kind {
        InsertKind::Continuation { text, .. } => (text.clone(), stamp(transcript, script, before)),
        InsertKind::Summary { text, tokens_before, .. } => {
            let (span, at) = (runs(transcript, script, before), marks.compacted_at.unwrap_or_default());
            let quoted = quoted(text);
            let own = format!(
                r#","metadata":{{"kind":"{SUMMARY}","displayRole":"system","userRunSpan":{span},"summary":{quoted},"details":{{"readFiles":[],"modifiedFiles":[]}},"tokensBefore":{tokens_before},"generatedAt":{at}}}"#
            );
            (format!("{}\n\n{text}", PREFACES[2]), own)
        }
    };
    let has_ids = transcript.records.iter().any(|record| record.id.is_some());
    let session = transcript.records.first().and_then(|record| record.id.as_deref()).unwrap_or_default();
    let id = || format!(r#","id":"msg_{}""#, &document::hash(&["cline", session, &text])[..16]);
    message("user", &text, &(more + &has_ids.then(id).unwrap_or_default()))
}

/// The number of a person's prompts in the dropped messages before a record: Cline's checkpoints count them.
fn runs(transcript: &Transcript<'_>, script: &EditScript, before: usize) -> u64 {
    let goes = |record: usize| record < before && !script.keeps(record);
    let gone = transcript.messages.iter().filter(|message| goes(message.record));
    let span = |record: usize| fields(transcript, record).object("metadata")?.whole("userRunSpan");
    gone.map(|message| span(message.record).unwrap_or(u64::from(message.is_real_user()))).fold(0, u64::saturating_add)
}
