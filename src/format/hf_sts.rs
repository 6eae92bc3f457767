//! The format `hf-sts`: traces as shown on the Hugging Face Hub (FORMATS §15): a header with the name of the harness,
//! then one message per line, whose content is text only.

use super::openai;
use super::shared::document;
use super::shared::json::{Json, Object};
use super::shared::lines;
use super::shared::new::New;
use super::shared::part_edits::replacement;
use super::shared::record_lines;
use super::shared::session_lines::{fields, name_tools};
use super::shared::{speakers, synthetic};
use super::{Evidence, Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample, read_line};
use crate::format::shared::array::Members;
use crate::format::shared::slot;
use crate::transcript::{
    Author, Class, EditScript, Message, Part, PartKind, Patch, PatchKind, Record, Role, Traits, Transcript,
};
use std::borrow::Cow;

/// The `hf-sts` format.
pub(super) struct HfSts;

impl Format for HfSts {
    fn name(&self) -> &'static str {
        "hf-sts"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn opens(&self, _: &str) -> bool {
        true
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let header = |record: &Object<'_>| record.is("type", "session") && record.has("harness");
        let message = |record: &Object<'_>| record.is("type", "message") && !record.has("id");
        let is = sample.any(header) && sample.most(|record| header(record) || message(record));
        is.then(|| Evidence::certain("a `session` header with `harness`"))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let mut messages: Vec<Message<'a>> = Vec::new();
        let mut records = Vec::new();
        for line in lines::lines(source) {
            let value = options.forgive(read_line(source, &line, options.first_line))?;
            let class = match value.and_then(|value| message(source, value)) {
                Some(message) => {
                    messages.push(Message { record: records.len(), ..message });
                    Class::Message(messages.len() - 1)
                }
                None => Class::Opaque,
            };
            let number = line.number + options.first_line - 1;
            records.push(Record { span: line.span, line: number, class, id: None, parent: None });
        }
        name_tools(&mut messages);
        synthetic::classify(&mut messages, &[]);
        let traits = Traits::default();
        let transcript = Transcript { source, records, messages, traits };
        let fixed = speakers::obstacle(&transcript);
        Ok(Transcript { traits: Traits { fixed, ..transcript.traits }, ..transcript })
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let wrap = |text| format!(r#"{{"type":"message","message":{text}}}"#);
        let new = New::all(script, |insert| openai::new_messages(&insert.kind, false).into_iter().map(wrap));
        let inside = script.kept(transcript).flat_map(|index| change_parts(transcript, script, index)).collect();
        record_lines::edited(transcript, &script.keep, &new, inside)
    }

    /// Content that is not text; pairing is checked for all formats alike.
    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let is_text = |record: &Record<'_>| {
            let message = fields(transcript, record).object("message").unwrap_or_default();
            message.get("content").is_some_and(Json::is_string)
        };
        let records = transcript.messages.iter().map(|message| &transcript.records[message.record]);
        let wrong = records.filter(|record| !is_text(record));
        let wrong = wrong.map(|record| Fault::new(record.line, "content_not_text", ""));
        wrong.chain(speakers::unknown_in(transcript, "role")).collect()
    }
}

/// The message of a line.
fn message<'a>(source: &[u8], line: Json<'a>) -> Option<Message<'a>> {
    let record = line.object().filter(|record| record.is("type", "message"))?;
    let fields = record.object("message")?;
    let (role, author) = match &*fields.text("role")? {
        "system" | "developer" => (Role::System, Author::System),
        "user" => (Role::User, Author::Person),
        "assistant" => (Role::Assistant, Author::Model),
        "tool" => (Role::Tool, Author::Tool),
        _ => return None,
    };
    let parts = if role == Role::Tool { vec![result(source, &fields)?] } else { parts(source, &fields) };
    Some(Message { role, author, parts, model: fields.text("model"), live: true, ..Message::default() })
}

fn result<'a>(source: &[u8], fields: &Object<'a>) -> Option<Part<'a>> {
    let (text, media, slot) = openai::result(source, fields.get("content")?);
    let pruned = synthetic::is_stub(&text);
    let id = fields.text("toolCallId").unwrap_or_default();
    Some(slot::part(PartKind::Result { id, tool: None, error: false, pruned, media }, text, slot))
}

/// Reasoning, text, and calls. Empty texts are left out.
fn parts<'a>(source: &[u8], fields: &Object<'a>) -> Vec<Part<'a>> {
    let reasoning = fields.get("reasoningContent").and_then(|value| Some((value, value.text()?)));
    let reasoning = reasoning
        .map(|(value, text)| slot::part(PartKind::Reasoning { signed: false }, text, slot::fixed(source, value)));
    let words = fields.get("content").map(|content| openai::parts(source, content)).unwrap_or_default();
    let calls = fields.array("toolCalls").unwrap_or_default().into_iter().map(|value| call(source, value));
    let words = words.into_iter().filter(|part| part.kind != PartKind::Text || !part.text.is_empty());
    reasoning.into_iter().chain(words).chain(calls).collect()
}

fn call<'a>(source: &[u8], value: Json<'a>) -> Part<'a> {
    let call = value.object().unwrap_or_default();
    let function = call.object("function").unwrap_or_default();
    let arguments = function.get("arguments");
    let text = arguments.and_then(Json::text).or(arguments.map(|arguments| Cow::Borrowed(arguments.raw())));
    let kind =
        PartKind::Call { id: call.text("id").unwrap_or_default(), name: function.text("name").unwrap_or_default() };
    slot::part(kind, text.unwrap_or_default(), slot::arguments(source, value, arguments))
}

fn change_parts(transcript: &Transcript<'_>, script: &EditScript, index: usize) -> Vec<Patch> {
    let source = transcript.source;
    let parts = &transcript.messages[index].parts;
    let edits = script.changes_of(index).iter();
    let mut patches: Vec<_> = edits.filter_map(|edit| replacement(parts.get(edit.part)?, &edit.change)).collect();
    let gone = document::removed(transcript, script, index);
    let record = fields(transcript, transcript.record_of(index));
    if let Some((value, fields)) =
        record.get("message").filter(|_| !gone.is_empty()).and_then(|value| Some((value, value.object()?)))
    {
        let goes = |value: &Json<'_>| gone.contains(&value.span_in(source));
        let emptied = |calls: Vec<Json<'_>>| !calls.is_empty() && calls.iter().all(goes);
        let keeps = |at: usize| match fields.fields().get(at) {
            Some((key, value)) if key == "toolCalls" => !value.array().is_some_and(emptied),
            Some((key, value)) if key == "reasoningContent" => !goes(value),
            _ => true,
        };
        patches.extend(Members::of_object(source, value, &fields).patches(keeps, &[], PatchKind::Stub));
        if let Some(calls) = fields.get("toolCalls").filter(|calls| !calls.array().is_some_and(emptied)) {
            patches.extend(document::without(source, calls, &gone));
        }
    }
    patches
}

#[cfg(test)]
mod tests {
    use super::super::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
    use super::*;
    use crate::transcript::{Change, PartEdit, SummaryRole};

    const SAMPLE: &str = include_str!("../../samples/hf-sts/booking-desk.jsonl");

    #[test]
    fn a_trace_is_read_and_comes_back_as_it_was() {
        use Author::{Model, Person, System, Tool};
        assert_eq!(edited(&HfSts, SAMPLE, |_, _| {}), SAMPLE);
        let transcript = read(&HfSts, SAMPLE);
        assert_eq!(authors(&transcript)[..5], [System, Person, Model, Tool, Model]);
        assert_eq!(transcript.records[0].class, Class::Opaque);
        let call = &transcript.messages[2].parts;
        assert_eq!((call.len(), call[0].kind.name(), &*call[1].text), (2, "reasoning", r#"{"day":"monday"}"#));
        assert_eq!(faults(&HfSts, SAMPLE), []);
    }

    #[test]
    fn new_messages_have_the_envelope_of_the_others() {
        let out = edited(&HfSts, SAMPLE, |transcript, script| {
            let last = transcript.records.len() - 1;
            script.keep = (0..=last).map(|at| [0, 1, last].contains(&at)).collect();
            script.inserts = vec![summary(2, SummaryRole::System, "it"), continuation(last + 1)];
        });
        let line = out.lines().nth(2).unwrap_or_default();
        assert!(line.starts_with(r#"{"type":"message","message":{"role":"system","content":"<prior"#), "{line}");
        use Author::{Continuation, Model, Summary, System};
        assert_eq!(authors(&read(&HfSts, &out)), [System, Summary, Model, Continuation]);
        assert_eq!(faults(&HfSts, &out), []);
    }

    #[test]
    fn stubs_are_texts_and_reasoning_goes_with_its_field() {
        let stubbed = edited(&HfSts, SAMPLE, stub_results);
        assert!(stubbed.contains(r#""content":"<stub />""#));
        assert_eq!(faults(&HfSts, &stubbed), []);
        let out = edited(&HfSts, SAMPLE, |_, script| {
            script.parts = vec![PartEdit { message: 2, part: 0, change: Change::Remove }];
        });
        assert_eq!(out.matches("reasoningContent").count() + 1, SAMPLE.matches("reasoningContent").count());
    }
}
