//! The format `grok`: chat histories of Grok's command line, one item per line: `system`, `user`, `assistant`,
//! `tool_result`, and the items before an answer: `reasoning` and `backend_tool_call`.
//!
//! Reasoning is signed and stays with the answer that follows it. A `synthetic_reason` marks a user item that no
//! person wrote. It is not known for sure how Grok itself stores a compaction, so a summary is a user item.

use super::openai;
use super::shared::json::{Json, Object, quoted};
use super::shared::new::New;
use super::shared::record_lines;
use super::shared::session_lines::{fields, name_tools};
use super::shared::slot::{arguments as arguments_slot, fixed, part};
use super::shared::{part_edits, synthetic};
use super::{Evidence, Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{Author, Class, EditScript, Message, Part, PartKind, Patch, Role, Traits, Transcript};
use std::borrow::Cow;

/// The `grok` format.
pub(super) struct Grok;

impl Format for Grok {
    fn name(&self) -> &'static str {
        "grok"
    }

    fn layout(&self) -> Layout {
        Layout::Session
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        sample.most(is_item).then(|| Evidence::certain("`type` and `content` without a message"))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let mut open: Option<usize> = None;
        let traits = Traits::default();
        let mut transcript = record_lines::read(source, options, traits, &mut |transcript, at, value| {
            let Some(mut message) = message(source, value) else { return };
            let whole = message.parts.iter().all(|part| part.slot.part == transcript.records[at].span);
            open = open.filter(|_| message.role == Role::Assistant).or((message.role == Role::Assistant).then_some(at));
            message.group = open.map(|first| Cow::Owned(format!("#{first}")));
            open = open.filter(|_| whole && !message.parts.is_empty());
            transcript.records[at].class = Class::Message(transcript.messages.len());
            transcript.messages.push(Message { record: at, live: true, ..message });
        })?;
        name_tools(&mut transcript.messages);
        synthetic::classify(&mut transcript.messages, &[]);
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let new = New::all(script, |insert| {
            [format!(r#"{{"type":"user","content":[{{"type":"text","text":{}}}]}}"#, quoted(insert.kind.text()))]
        });
        record_lines::edited(transcript, &script.keep, &new, part_edits::of_kept(transcript, script))
    }

    /// Reasoning that is not followed by an answer; pairing is checked for all formats alike.
    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let thinks = |message: &Message<'_>| message.parts.iter().any(Part::is_reasoning);
        let alone = transcript.messages.iter().enumerate().filter(|(index, message)| {
            let next = transcript.messages.get(index + 1);
            thinks(message) && next.is_some_and(|next| next.role != Role::Assistant)
        });
        let fault = |(index, _): (usize, &Message<'_>)| {
            let record = transcript.record_of(index);
            let subject = fields(transcript, record).text("id").unwrap_or_default();
            Fault::new(record.line, "reasoning_without_answer", subject)
        };
        alone.map(fault).collect()
    }
}

fn is_item(record: &Object<'_>) -> bool {
    let kind = record.text("type").unwrap_or_default();
    let bare = !["message", "uuid", "sessionId", "id", "timestamp", "agent", "v"].iter().any(|key| record.has(key));
    let said = ["system", "user", "assistant", "tool_result"].contains(&&*kind);
    record.get("content").is_some_and(is_content) && said && bare
        || kind == "reasoning" && record.has("encrypted_content")
        || kind == "backend_tool_call"
}

/// Whether a content is a text, or blocks with a `type`.
fn is_content(content: Json<'_>) -> bool {
    let typed = |block: Json<'_>| block.object().is_some_and(|block| block.has("type"));
    content.is_string() || content.array().is_some_and(|blocks| blocks.into_iter().all(typed))
}

/// The message of an item.
fn message<'a>(source: &'a [u8], value: Json<'a>) -> Option<Message<'a>> {
    let fields = value.object()?;
    let content = || fields.get("content").map(|content| openai::parts(source, content)).unwrap_or_default();
    let synthetic = fields.text("synthetic_reason").is_some_and(|reason| reason != "human");
    let (role, author, parts) = match &*fields.text("type")? {
        "system" => (Role::System, Author::System, content()),
        "user" if synthetic => (Role::User, Author::Harness, content()),
        "user" => {
            let parts = content();
            (Role::User, crate::format::shared::synthetic::user_author(&parts), parts)
        }
        "assistant" => (Role::Assistant, Author::Model, answer(source, &fields, content())),
        "tool_result" => (Role::Tool, Author::Tool, vec![result(source, &fields)?]),
        "reasoning" => (Role::Assistant, Author::Model, vec![reasoning(source, value, &fields)]),
        "backend_tool_call" => {
            let said = fields.get("kind").map(Json::raw).unwrap_or_default();
            (Role::Assistant, Author::Model, vec![part(PartKind::Opaque, Cow::Borrowed(said), fixed(source, value))])
        }
        _ => return None,
    };
    Some(Message { role, author, parts, model: fields.text("model_id"), ..Message::default() })
}

/// Text and calls. An empty text beside calls is left out.
fn answer<'a>(source: &'a [u8], fields: &Object<'a>, words: Vec<Part<'a>>) -> Vec<Part<'a>> {
    let calls = fields.array("tool_calls").unwrap_or_default();
    let mut parts = words;
    parts.retain(|part| calls.is_empty() || part.kind != PartKind::Text || !part.text.is_empty());
    for value in calls {
        let call = value.object().unwrap_or_default();
        let (id, name) = (call.text("id").unwrap_or_default(), call.text("name").unwrap_or_default());
        let arguments = call.get("arguments");
        let text = arguments.and_then(Json::text).or(arguments.map(|it| Cow::Borrowed(it.raw()))).unwrap_or_default();
        parts.push(part(PartKind::Call { id, name }, text, arguments_slot(source, value, arguments)));
    }
    parts
}

fn result<'a>(source: &'a [u8], fields: &Object<'a>) -> Option<Part<'a>> {
    let (text, media, slot) = openai::result(source, fields.get("content")?);
    let (id, pruned) = (fields.text("tool_call_id").unwrap_or_default(), synthetic::is_stub(&text));
    Some(part(PartKind::Result { id, tool: None, error: false, pruned, media }, text, slot))
}

fn reasoning<'a>(source: &'a [u8], whole: Json<'a>, fields: &Object<'a>) -> Part<'a> {
    let signed = fields.text("encrypted_content").is_some_and(|content| !content.is_empty());
    let texts = fields.array("summary").unwrap_or_default().into_iter();
    let texts: Vec<_> = texts.filter_map(|text| text.object()?.text("text")).collect();
    part(PartKind::Reasoning { signed }, Cow::Owned(texts.join("\n")), fixed(source, whole))
}

#[cfg(test)]
mod tests {
    use super::super::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
    use super::*;
    use crate::transcript::{SummaryRole, units};

    const SAMPLE: &str = include_str!("../../samples/grok/weather-mast.jsonl");

    #[test]
    fn a_history_is_read_and_comes_back_as_it_was() {
        assert_eq!(edited(&Grok, SAMPLE, |_, _| {}), SAMPLE);
        let transcript = read(&Grok, SAMPLE);
        use Author::{Harness, Model, Person, System, Tool};
        assert_eq!(authors(&transcript)[..6], [System, Harness, Person, Model, Model, Tool]);
        assert_eq!(transcript.messages[3].parts[0].kind, PartKind::Reasoning { signed: true });
        assert_eq!((faults(&Grok, SAMPLE), crate::check::faults(&transcript)), (vec![], vec![]));
    }

    #[test]
    fn reasoning_and_searches_go_with_the_answer_that_follows() {
        let transcript = read(&Grok, SAMPLE);
        let units = units(&transcript, |_, _| true);
        assert!(units.iter().any(|unit| unit.messages.starts_with(&[3, 4, 5])), "reasoning, answer, results");
        let search = transcript.messages.iter().position(|it| it.parts[0].kind == PartKind::Opaque).unwrap_or_default();
        assert_eq!(transcript.messages[search].group, transcript.messages[search + 1].group);
        let groups: Vec<_> = transcript.messages.iter().filter_map(|message| message.group.as_deref()).collect();
        assert!(groups.windows(3).all(|three| three[0] != three[2]), "{groups:?}");
    }

    #[test]
    fn new_items_look_like_the_others_and_stubs_keep_their_kind() {
        let out = edited(&Grok, SAMPLE, |transcript, script| {
            let last = transcript.last_real_user().unwrap_or_default();
            (1..last).for_each(|at| script.keep[at] = false);
            script.inserts = vec![summary(last, SummaryRole::System, "it"), continuation(transcript.records.len())];
            stub_results(transcript, script);
        });
        use Author::{Continuation, Model, Person, Summary, System, Tool};
        assert_eq!(authors(&read(&Grok, &out)), [System, Summary, Person, Model, Tool, Model, Continuation]);
        assert!(out.contains(r#""content":"<stub />""#) && faults(&Grok, &out).is_empty());
    }

    #[test]
    fn items_of_another_program_are_none() {
        let found = |lines: &str| super::super::detect(lines.as_bytes()).map(|found| found.name);
        assert_eq!(found(SAMPLE), Ok("grok"));
        let entire =
            r#"{"v":1,"agent":"Cursor","cli_version":"dev","type":"user","content":[{"text":"sound the quay"}]}"#;
        assert_eq!(found(&format!("{entire}\n{entire}\n")), Ok("entire"));
        let untyped = r#"{"type":"user","content":[{"text":"sound the quay"}]}"#;
        assert!(found(&format!("{untyped}\n{untyped}\n")).is_err());
    }

    #[test]
    fn reasoning_alone_is_a_fault() {
        let lines = [
            r#"{"type":"reasoning","id":"r","summary":[],"encrypted_content":"x"}"#,
            r#"{"type":"user","content":"u"}"#,
        ];
        assert_eq!(faults(&Grok, &lines.join("\n")), [("reasoning_without_answer", "r".to_owned())]);
    }
}
