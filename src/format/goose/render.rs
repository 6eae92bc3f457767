//! Renders an edit script over a session as patches.

use super::{CONVERSATION, COUNT, holder, message_count};
use crate::format::shared::document::{self, Document, hash};
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::new::New;
use crate::format::shared::part_edits;
use crate::format::shared::record_lines;
use crate::format::shared::synthetic::turns;
use crate::format::{Fault, Marks};
use crate::transcript::{EditScript, Insert, InsertKind, Part, Patch, PatchKind, Role, Transcript, UiCopies};
use std::ops::Range;

/// The patches that carry out a script.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
    let keeps = |record: usize| script.keeps(record);
    let new = New::all(script, |insert| inserted(transcript, insert));
    let messages = transcript.messages.iter().enumerate().filter(|(_, message)| keeps(message.record));
    let mut inside: Vec<_> = messages.flat_map(|(index, _)| parts(transcript, script, marks, index)).collect();
    let dropped = (0..transcript.records.len()).filter(|&record| !keeps(record)).count();
    if let Some(holder) = holder(transcript.source) {
        let count = document::recount(transcript.source, holder, COUNT, (dropped, new.len()));
        let goes = |patch: &Patch| {
            let holds = |span: &Range<usize>| span.start <= patch.span.start && patch.span.end <= span.end;
            transcript.records.iter().enumerate().any(|(at, record)| !keeps(at) && holds(&record.span))
        };
        inside.extend(count.filter(|patch| !goes(patch)));
    }
    if let Ok(document) = Document::read(transcript.source, 1, CONVERSATION) {
        return document.patches(script, &new, inside);
    }
    record_lines::edited(transcript, &script.keep, &new, inside)
}

/// The patch that sets the message count to the number of kept messages.
pub(super) fn mend(transcript: &Transcript<'_>, faults: &[Fault], script: &EditScript) -> Option<Patch> {
    faults.iter().find(|fault| fault.rule == "message_count_off")?;
    let stored = holder(transcript.source)?.object()?.get(COUNT)?;
    let dropped = script.keep.iter().filter(|keep| !**keep).count();
    let with = message_count(transcript).saturating_sub(dropped).to_string().into_bytes();
    Some(Patch { span: stored.span_in(transcript.source), with, kind: PatchKind::Relink })
}

fn parts(transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>, index: usize) -> Vec<Patch> {
    let mut patches = part_edits::patches(transcript, script, index);
    for edit in script.changes_of(index).iter().filter(|_| script.ui_copies != UiCopies::Keep) {
        let part = transcript.messages[index].parts.get(edit.part);
        let replaced = part.filter(|_| edit.change != crate::transcript::Change::Remove);
        patches.extend(
            replaced
                .map(|part| copies(transcript.source, part, part_edits::copy_of(Some(&edit.change), marks.stub)))
                .unwrap_or_default(),
        );
    }
    patches
}

/// The patches that stub the structured copy of a result, which is not sent to the model.
fn copies(source: &[u8], part: &Part<'_>, stub: &str) -> Vec<Patch> {
    let text = source.get(part.slot.part.clone()).and_then(|text| std::str::from_utf8(text).ok());
    let block = text.filter(|_| part.is_result()).and_then(|text| Json::parse(text).ok());
    let result = block.and_then(Json::object).and_then(|block| block.object("toolResult"));
    let copy = result.and_then(|result| result.object("value")?.get("structuredContent"));
    copy.map(|copy| document::stub_copies(source, copy, stub)).unwrap_or_default()
}

/// The messages that an insertion adds.
fn inserted(transcript: &Transcript<'_>, insert: &Insert) -> Vec<String> {
    let beside = neighbor(transcript, insert.before);
    let created = beside.get("created").map_or("0", Json::raw);
    let session = beside.text("id").unwrap_or_default();
    let shown = matches!(insert.kind, InsertKind::Continuation { replayed: true, .. });
    let message = |(role, text): (Role, &str)| {
        let role = role.name();
        let id = hash(&["goose", role, created, &session, text]);
        let id = if beside.has("id") { format!(r#""id":"msg_{}","#, &id[..24]) } else { String::new() };
        format!(
            r#"{{{id}"role":"{role}","created":{created},"content":[{{"type":"text","text":{}}}],"metadata":{{"userVisible":{shown},"agentVisible":true}}}}"#,
            quoted(text)
        )
    };
    turns(&insert.kind.without_system()).into_iter().map(message).collect()
}

/// The fields of the nearest message, whose time a new one takes.
fn neighbor<'t>(transcript: &Transcript<'t>, before: usize) -> Object<'t> {
    let at = transcript.messages.partition_point(|message| message.record < before);
    let message = if at < transcript.messages.len() { Some(at) } else { at.checked_sub(1) };
    let json = message.and_then(|message| part_edits::json_of(transcript, message));
    json.and_then(Json::object).unwrap_or_default()
}
