//! Writes OpenAI messages: new ones, and the mark of pruned results.

use super::super::shared::array::Members;
use super::super::shared::json::{Json, quoted};
use super::super::shared::marks;
use super::super::shared::new::New;
use super::super::shared::part_edits::{json_of, stub};
use super::super::shared::speakers;
use super::super::shared::weights::untrained;
use crate::transcript::{Change, EditScript, InsertKind, Patch, PatchKind, Role, Transcript};
use std::borrow::Cow;

/// The patches that mark the results of a message that become stubs with the time of pruning.
pub(crate) fn marks(transcript: &Transcript<'_>, script: &EditScript, index: usize, at: i64) -> Vec<Patch> {
    let message = &transcript.messages[index];
    let stubbed = script.changes_of(index).iter().any(|edit| {
        let part = message.parts.get(edit.part);
        matches!(edit.change, Change::Stub(_)) && part.is_some_and(|part| part.is_result())
    });
    let json = json_of(transcript, index).filter(|_| stubbed);
    json.map(|json| mark(transcript.source, json, at)).unwrap_or_default()
}

/// The patch that sets `metadata.time.compacted`, creating missing objects on the way.
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

/// The form of a file's messages besides role and text, which new messages follow: columns must have one type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Style<'a> {
    /// They may have epitome's own keys.
    room: bool,
    /// Contents are arrays of blocks, which keep their text under this key.
    blocks: Option<&'static str>,
    /// Messages have a `loss_weight`.
    weighted: bool,
    /// The fields that exclude an answer from training.
    untrained: String,
    /// The role names in use.
    names: Vec<Cow<'a, str>>,
}

impl<'a> Style<'a> {
    /// The style of these messages, without room for epitome's keys.
    pub(super) fn of(messages: &[Json<'a>]) -> Self {
        let messages: Vec<_> = messages.iter().filter_map(|message| message.object()).collect();
        let contents: Vec<_> = messages.iter().filter_map(|message| message.get("content")).collect();
        let blocks = contents.iter().filter_map(|content| content.array()).flatten().filter_map(Json::object);
        let blocks: Vec<_> = blocks.filter(|block| !block.has("text")).collect();
        let texts = |key: &str| blocks.iter().any(|block| block.has("type") && block.text(key).is_some());
        let strings = contents.iter().any(|content| content.is_string());
        let arrays = contents.iter().any(|content| content.raw().starts_with('['));
        let key = ["value", "content"].into_iter().find(|key| texts(key)).unwrap_or("text");
        let weighted = messages.iter().any(|message| message.has("loss_weight"));
        let names = messages.iter().filter_map(|message| message.text("role")).collect();
        let untrained = untrained(&messages);
        Self { room: false, blocks: (arrays && !strings).then_some(key), weighted, untrained, names }
    }
}

/// The JSON of the messages that an insertion adds; with `room` they may have epitome's keys.
pub(crate) fn new_messages(kind: &InsertKind, room: bool) -> Vec<String> {
    styled_messages(kind, &Style { room, ..Style::default() })
}

/// The JSON of the messages that an insertion adds.
pub(super) fn styled_messages(kind: &InsertKind, style: &Style<'_>) -> Vec<String> {
    let message = |(role, text, marks): (Role, &str, &str)| message(role.name(), text, marks, style);
    marks::turns(kind).into_iter().map(message).collect()
}

fn message(role: &str, text: &str, metadata: &str, style: &Style<'_>) -> String {
    let content = match style.blocks {
        Some(key) => format!(r#"[{{"type":"text","{key}":{}}}]"#, quoted(text)),
        None => quoted(text),
    };
    let metadata =
        if metadata.is_empty() || !style.room { String::new() } else { format!(r#","metadata":{{{metadata}}}"#) };
    let weight = match role {
        "assistant" => &*style.untrained,
        _ if style.weighted => r#","loss_weight":0.0"#,
        _ => "",
    };
    let role = quoted(&speakers::name_like(&style.names, role));
    format!(r#"{{"role":{role},"content":{content}{weight}{metadata}}}"#)
}
