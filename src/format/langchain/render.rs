//! Renders an edit script over messages as patches; copies of calls are changed with the calls.

use super::frame::{Frame, Framed};
use crate::format::shared::document;
use crate::format::shared::held::Places;
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::new::New;
use crate::format::shared::part_edits::{json_of, object};
use crate::format::shared::session_lines;
use crate::format::shared::synthetic::turns;
use crate::transcript::{Change, EditScript, Message, Patch, PatchKind, Role, Transcript};
use std::collections::HashSet;
use std::ops::Range;

/// Fields of `additional_kwargs` that repeat calls in the form of a provider.
const REPEATED: [&str; 2] = ["tool_calls", "function_call"];

/// The patches that carry out a script.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript, places: &Places<'_>) -> Vec<Patch> {
    let framed = |message: &Message<'_>| {
        let record = session_lines::fields(transcript, transcript.records.get(message.record)?);
        Some((Framed::new(&record)?, record))
    };
    let beside = |before: usize| {
        let behind = transcript.messages.partition_point(|message| message.record < before);
        let found = framed(transcript.messages.get(behind.saturating_sub(1))?)?;
        // Messages that only name a role do not tell that they are LangChain's.
        let mut telling = transcript.messages.iter().filter_map(framed).filter(|(framed, _)| framed.tells());
        if found.0.frame == Frame::Role { telling.next().or(Some(found)) } else { Some(found) }
    };
    let new = New::all(script, |insert| {
        let beside = beside(insert.before);
        let written = move |(role, text): (Role, &str)| match &beside {
            Some((framed, record)) => framed.like(record, role, text),
            None => format!(r#"{{"type":"human","content":{}}}"#, quoted(text)),
        };
        turns(&insert.kind).into_iter().map(written)
    });
    let kept = places.kept(transcript, script).into_iter();
    let inside = kept.flat_map(|index| inside(transcript, script, index)).collect();
    places.patches(transcript, script, (new, inside))
}

/// The patches inside a kept message.
fn inside(transcript: &Transcript<'_>, script: &EditScript, index: usize) -> Vec<Patch> {
    let edits = script.changes_of(index);
    let record = json_of(transcript, index).filter(|_| !edits.is_empty());
    let Some(framed) = record.and_then(|record| Framed::new(&record.object()?)) else { return Vec::new() };
    let message = Held { source: transcript.source, fields: framed.fields };
    let mut gone = document::removed(transcript, script, index);
    let mut patches = document::replacements(transcript, script, index, &gone);
    for edit in edits {
        let part = transcript.messages[index].parts.get(edit.part);
        let Some((part, id)) = part.and_then(|part| Some((part, part.kind.call()?))) else { continue };
        let copies = message.copies(id).into_iter().filter(|copy| copy.value.span_in(message.source) != part.slot.part);
        match &edit.change {
            Change::Remove => gone.extend(copies.map(|copy| copy.value.span_in(message.source))),
            Change::Stub(text) => patches.extend(copies.filter_map(|copy| copy.stubbed(message.source, text))),
            Change::Excerpt(_) => {}
        }
    }
    patches.extend(message.removals(&gone));
    patches
}

/// A message whose parts are edited.
struct Held<'a> {
    source: &'a [u8],
    fields: Object<'a>,
}

/// A call as it stands in some list.
struct Copy<'a> {
    value: Json<'a>,
    arguments: Option<Json<'a>>,
}

impl Copy<'_> {
    /// The patch that clears the arguments, in their JSON type.
    fn stubbed(&self, source: &[u8], text: &str) -> Option<Patch> {
        let arguments = self.arguments.filter(|it| it.is_string() || it.object().is_some())?;
        let with = if arguments.is_string() { quoted(text) } else { object(text).to_owned() };
        Some(Patch { span: arguments.span_in(source), with: with.into_bytes(), kind: PatchKind::Stub })
    }
}

impl<'a> Held<'a> {
    /// What repeats a provider's calls.
    fn more(&self) -> Option<(Json<'a>, Object<'a>)> {
        self.fields.get("additional_kwargs").and_then(|value| Some((value, value.object()?)))
    }

    /// The lists that may hold calls.
    fn lists(&self) -> Vec<Json<'a>> {
        let own = ["content", "tool_calls", "invalid_tool_calls", "tool_call_chunks"];
        let own = own.iter().filter_map(|key| self.fields.get(key));
        own.chain(self.more().and_then(|(_, more)| more.get(REPEATED[0]))).collect()
    }

    /// All places where the call with this id stands, the one that was read among them.
    fn copies(&self, id: &str) -> Vec<Copy<'a>> {
        let values = self.lists().into_iter().filter_map(Json::array).flatten();
        let copy = |value: Json<'a>| {
            let call = value.object()?;
            let is_its = ["id", "call_id"].iter().any(|key| call.is(key, id));
            let body = call.object("function").unwrap_or(call);
            let arguments = ["args", "input", "arguments"].iter().find_map(|key| body.get(key));
            is_its.then_some(Copy { value, arguments })
        };
        values.filter_map(copy).collect()
    }

    /// The patches that remove what is in `gone` from its lists. A provider refuses an empty list of calls, so the
    /// copies of calls in `additional_kwargs` go with their field.
    fn removals(&self, gone: &HashSet<Range<usize>>) -> Vec<Patch> {
        if gone.is_empty() {
            return Vec::new();
        }
        let goes = |value: &Json<'_>| gone.contains(&value.span_in(self.source));
        let mut patches = Vec::new();
        let more = self.more();
        let repeated = more.as_ref().and_then(|(_, more)| more.get(REPEATED[0]));
        let emptied = repeated.and_then(Json::array).is_some_and(|all| !all.is_empty() && all.iter().all(goes));
        let is_repeated = |list: &Json<'_>| repeated.is_some_and(|own| std::ptr::eq(own.raw(), list.raw()));
        for list in self.lists().into_iter().filter(|list| !(emptied && is_repeated(list))) {
            patches.extend(document::without(self.source, list, gone));
        }
        if let Some((value, more)) = &more {
            let left = REPEATED.iter().filter(|key| match more.get(key) {
                Some(call) => (**key == REPEATED[0] && emptied) || goes(&call),
                None => false,
            });
            patches.extend(left.flat_map(|key| document::unset_field(self.source, *value, key, PatchKind::Stub)));
        }
        patches
    }
}
