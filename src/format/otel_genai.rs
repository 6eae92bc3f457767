//! The format `otel-genai`: an array of messages as recorded by OpenTelemetry's GenAI conventions (FORMATS §15).
//!
//! A message is a role and parts; a tool result may be any JSON value, and becomes a string when pruned.

use super::detect::Evidence;
use super::shared::document::{self, Document};
use super::shared::json::{Json, Object, quoted};
use super::shared::marks;
use super::shared::mending::{self, Wanted};
use super::shared::new::New;
use super::shared::part_edits;
use super::shared::slot;
use super::shared::synthetic;
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{
    Author, Change, EditScript, InsertKind, Media, Message, Part, PartKind, Patch, PatchKind, Role, Shape, Traits,
    Transcript,
};
use std::borrow::Cow;
use std::collections::HashMap;

/// The `otel-genai` format.
pub(super) struct OtelGenAi;

impl Format for OtelGenAi {
    fn name(&self) -> &'static str {
        "otel-genai"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn opens(&self, _: &str) -> bool {
        true
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let is_part = |part: Json<'_>| part.object().is_some_and(|part| part.has("type") && !part.has("text"));
        let is_message = |message: &Object<'_>| {
            let role = message.text("role").is_some_and(|role| role != "model") && !message.has("content");
            role && message.array("parts").is_some_and(|parts| parts.into_iter().all(is_part))
        };
        let found = sample.elements.as_ref().is_some_and(|all| !all.is_empty() && all.iter().all(is_message));
        found.then(|| Evidence::certain("messages with `role` and `parts` that have a `type`"))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let traits = Traits::default();
        let Some(document) = options.forgive(Document::read(source, options.first_line, "messages"))? else {
            return Ok(document::opaque(source, options, traits));
        };
        let mut transcript = document.transcript(options.first_line, traits);
        let mut tools = HashMap::new();
        let mut found = Vec::new();
        for (at, element) in document.elements.iter().enumerate() {
            let fields = element.object().unwrap_or_default();
            if let Some(message) = message(source, &fields, &mut tools) {
                found.push(marks::read(&fields));
                document::push(&mut transcript, at, message);
            }
        }
        synthetic::classify(&mut transcript.messages, &found);
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let Ok(document) = Document::read(transcript.source, 1, "messages") else { return Vec::new() };
        let new = New::all(script, |insert| inserted(&insert.kind));
        let keeps = |record: usize| script.keeps(record);
        let kept = transcript.messages.iter().enumerate().filter(|(_, message)| keeps(message.record));
        let inside = kept.flat_map(|(index, message)| {
            let element = document.elements[message.record];
            inside(transcript, script, index, element)
        });
        document.patches(script, &new, inside.collect())
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let empty = transcript.messages.iter().filter(|message| message.parts.is_empty());
        empty.map(|message| transcript.fault(message.record, "no_parts", message.role.name())).collect()
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        let wanted = Wanted::of(faults);
        mending::drop_empty(transcript, (&wanted, "no_parts"), script, |message| message.parts.is_empty());
        Vec::new()
    }
}

type Tools<'a> = HashMap<Cow<'a, str>, Cow<'a, str>>;

fn message<'a>(source: &[u8], fields: &Object<'a>, tools: &mut Tools<'a>) -> Option<Message<'a>> {
    let (role, author) = match &*fields.text("role")? {
        "system" | "developer" => (Role::System, Author::System),
        "user" => (Role::User, Author::Person),
        "assistant" => (Role::Assistant, Author::Model),
        "tool" => (Role::Tool, Author::Tool),
        _ => return None,
    };
    let parts: Vec<_> = fields.array("parts")?.into_iter().map(|value| part(source, value, tools)).collect();
    let results = !parts.is_empty() && parts.iter().all(Part::is_result);
    let author = if role == Role::User && results { Author::Tool } else { author };
    let cut_off = fields.is("finish_reason", "length");
    Some(Message { role, author, parts, live: true, cut_off, ..Message::default() })
}

fn part<'a>(source: &[u8], value: Json<'a>, tools: &mut Tools<'a>) -> Part<'a> {
    let fields = value.object().unwrap_or_default();
    let text = |key: &str| fields.text(key).unwrap_or_default();
    let (kind, words, content) = match &*text("type") {
        "text" => (PartKind::Text, text("content"), fields.get("content")),
        "reasoning" => (PartKind::Reasoning { signed: false }, text("content"), None),
        "tool_call" | "server_tool_call" => {
            let (id, name) = (text("id"), text("name"));
            tools.insert(id.clone(), name.clone());
            let arguments = fields.get("arguments");
            let slot = slot::arguments(source, value, arguments);
            return slot::part(PartKind::Call { id, name }, arguments.map(Json::spelled).unwrap_or_default(), slot);
        }
        "tool_call_response" | "server_tool_call_response" => {
            let response = fields.get("response").or_else(|| fields.get("result"));
            let words = response.map(Json::spelled).unwrap_or_default();
            let id = text("id");
            let tool = tools.get(&id).cloned();
            let pruned = synthetic::is_stub(&words);
            (PartKind::Result { id, tool, error: false, pruned, media: Vec::new() }, words, response)
        }
        "blob" | "uri" | "file" => (PartKind::Media(medium(&text("modality"))), Cow::Borrowed(""), None),
        _ => (PartKind::Opaque, Cow::Borrowed(""), None),
    };
    slot::part(kind, words, slot::within(source, value, content.map(|content| (content, Shape::Text))))
}

fn medium(modality: &str) -> Media {
    match modality {
        "image" => Media::Image,
        "audio" => Media::Audio,
        _ => Media::Other,
    }
}

fn inserted(kind: &InsertKind) -> Vec<String> {
    let message = |(role, text, marks): (Role, &str, &str)| {
        let marks = if marks.is_empty() { String::new() } else { format!(",{marks}") };
        format!(r#"{{"role":"{}","parts":[{{"type":"text","content":{}}}]{marks}}}"#, role.name(), quoted(text))
    };
    marks::turns(kind).into_iter().map(message).collect()
}

/// The patches inside a kept message.
fn inside(transcript: &Transcript<'_>, script: &EditScript, index: usize, element: Json<'_>) -> Vec<Patch> {
    let gone = document::removed(transcript, script, index);
    let parts = &transcript.messages[index].parts;
    let stays = |part: &&Part<'_>| !gone.contains(&part.slot.part);
    let changes = script.changes_of(index).iter().filter_map(|edit| Some((parts.get(edit.part)?, &edit.change)));
    let mut patches: Vec<_> =
        changes.filter(|(part, _)| stays(part)).filter_map(|(part, change)| replacement(part, change)).collect();
    let array = element.object().and_then(|fields| fields.get("parts"));
    patches.extend(array.map(|array| document::without(transcript.source, array, &gone)).unwrap_or_default());
    patches
}

fn replacement(part: &Part<'_>, change: &Change) -> Option<Patch> {
    let text = change.text()?;
    let (span, with) = match part.kind {
        PartKind::Media(_) => (&part.slot.part, format!(r#"{{"type":"text","content":{}}}"#, quoted(text))),
        _ if part.slot.content.is_empty() => return None,
        PartKind::Call { .. } if part.slot.shape == Shape::Json => {
            (&part.slot.content, part_edits::object(text).to_owned())
        }
        _ => (&part.slot.content, quoted(text)),
    };
    Some(Patch { span: span.clone(), with: with.into_bytes(), kind: PatchKind::Stub })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::tests::support::{
        authors, continuation, edited, faults, marked_ends, read, stub_results, summary,
    };
    use super::*;
    use crate::transcript::SummaryRole;

    const FORMAT: OtelGenAi = OtelGenAi;
    const SPAN: &str = r#"[{"role": "system", "parts": [{"type": "text", "content": "s"}]}, {"role": "user", "parts": [{"type": "text", "content": "u"}, {"type": "blob", "modality": "image", "content": "iVBO"}]}, {"role": "assistant", "parts": [{"type": "tool_call", "id": "a", "name": "f", "arguments": {"k": 1}}]}, {"role": "tool", "parts": [{"type": "tool_call_response", "id": "a", "response": {"rows": [1, 2]}}]}, {"role": "assistant", "parts": [{"type": "text", "content": "x"}], "finish_reason": "stop"}]"#;

    #[test]
    fn parts_are_read_and_written() {
        let transcript = read(&FORMAT, SPAN);
        use Author::{Model, Person, System, Tool};
        assert_eq!(authors(&transcript), [System, Person, Model, Tool, Model]);
        assert_eq!(transcript.messages[1].parts[1].text, "");
        assert_eq!(transcript.messages[3].parts[0].text, r#"{"rows": [1, 2]}"#);
        assert_eq!((faults(&FORMAT, SPAN), crate::check::faults(&transcript)), (vec![], vec![]));
        assert_eq!(edited(&FORMAT, SPAN, |_, _| {}), SPAN);
        assert_eq!(super::super::detect(SPAN.as_bytes()).unwrap().name, "otel-genai");
    }

    #[test]
    fn an_added_message_says_what_it_is() {
        assert_eq!(marked_ends(&FORMAT, SPAN, 5), [Author::Person, Author::Continuation]);
    }

    #[test]
    fn the_head_becomes_a_summary_and_a_response_a_string() {
        let out = edited(&FORMAT, SPAN, |transcript, script| {
            script.keep[1] = false;
            script.inserts = vec![summary(2, SummaryRole::System, "it"), continuation(5)];
            stub_results(transcript, script);
        });
        assert!(out.contains(r#""id": "a", "response": "<stub />"}"#), "{out}");
        use Author::{Continuation, Model, Summary, System, Tool};
        assert_eq!(authors(&read(&FORMAT, &out)), [System, Summary, Model, Tool, Model, Continuation]);
        assert_eq!(faults(&FORMAT, &out), []);
    }
}
