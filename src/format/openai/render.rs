//! Writing OpenAI messages: what is new, and the mark on what was pruned.

use super::super::array::{Members, New};
use super::super::json::{Json, quoted};
use super::super::part_edits::{json_of, stub};
use super::super::synthetic::QUESTION;
use crate::transcript::{Change, EditScript, InsertKind, PartKind, Patch, PatchKind, SummaryRole, Transcript};

/// The patches that say on every result of a message that becomes a stub when that was.
pub(crate) fn marks(transcript: &Transcript<'_>, script: &EditScript, index: usize, at: i64) -> Vec<Patch> {
    let message = &transcript.messages[index];
    let stubbed = script.changes_of(index).iter().any(|edit| {
        let part = message.parts.get(edit.part);
        matches!(edit.change, Change::Stub(_)) && part.is_some_and(|part| matches!(part.kind, PartKind::Result { .. }))
    });
    let json = json_of(transcript, index).filter(|_| stubbed);
    json.map(|json| mark(transcript.source, json, at)).unwrap_or_default()
}

/// The patch that sets `metadata.time.compacted`, whatever of it is there already.
fn mark(source: &[u8], message: Json<'_>, at: i64) -> Vec<Patch> {
    let keys = ["metadata", "time", "compacted"];
    let mut value = message;
    for (depth, key) in keys.iter().enumerate() {
        let below = keys.iter().skip(depth + 1).rev();
        let nested = below.fold(at.to_string(), |inner, key| format!(r#"{{"{key}":{inner}}}"#));
        let Some(object) = value.object() else {
            let whole = format!(r#"{{"{key}":{nested}}}"#);
            return if value.is_null() { vec![stub(value.span_in(source), whole)] } else { Vec::new() };
        };
        let Some(inner) = object.get(key) else {
            let members = Members::of_object(source, value, &object);
            let new = New { before: object.fields().len(), text: format!(r#""{key}":{nested}"#) };
            let patches = members.patches(|_| true, &[new], PatchKind::Stub).into_iter();
            return patches.map(|patch| Patch { kind: PatchKind::Stub, ..patch }).collect();
        };
        value = inner;
    }
    vec![stub(value.span_in(source), at.to_string())]
}

/// The JSON of the messages that an insertion adds; `room` says that they may carry keys of ours.
pub(crate) fn new_messages(kind: &InsertKind, room: bool) -> Vec<String> {
    match kind {
        InsertKind::Summary { text, role: SummaryRole::System, .. } => vec![message("system", text, "")],
        InsertKind::Summary { text, role: SummaryRole::User, .. } => vec![message("user", text, "")],
        InsertKind::Summary { text, role: SummaryRole::Assistant, .. } => {
            let mark = if room { r#"{"compaction_continue":true}"# } else { "" };
            vec![message("user", QUESTION, mark), message("assistant", text, "")]
        }
        InsertKind::Continuation { text, had_media, replayed } => {
            let mark = match (room, replayed, had_media) {
                (false, ..) => "",
                (true, true, _) => r#"{"compaction_continue":true,"replayed":true}"#,
                (true, false, true) => r#"{"compaction_continue":true,"had_media":true}"#,
                (true, false, false) => r#"{"compaction_continue":true}"#,
            };
            vec![message("user", text, mark)]
        }
    }
}

fn message(role: &str, text: &str, metadata: &str) -> String {
    let metadata = if metadata.is_empty() { String::new() } else { format!(r#","metadata":{metadata}"#) };
    format!(r#"{{"role":"{role}","content":{}{metadata}}}"#, quoted(text))
}
