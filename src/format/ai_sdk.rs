//! The format `ai-sdk`: messages of the Vercel AI SDK in the form sent to a model (`ModelMessage`, formerly
//! `CoreMessage`), as programs store them: in the `messages` of a document with the `system` prompt beside them, as a
//! bare array, or one per line.
//!
//! Content is a string or parts with a `type`; `tool-call` and `tool-result` differ from OpenAI's and Anthropic's by
//! their `toolCallId`. A result is an `output` that states its kind, or in older versions any value as `result`.
//! Models of any provider may read the messages, so a summary is a user message. It has empty `providerOptions`, the
//! SDK's own field, which may be the only sign left of whose format this is. Messages for a screen (`ai-sdk-ui`) are
//! a different format.

use super::detect::Evidence;
use super::shared::held::{Holder, content, is_request};
use super::shared::json::{Json, Object, quoted};
use super::shared::new::New;
use super::shared::slot::{arguments, fixed, joined, part, within};
use super::shared::{part_edits, session_lines, synthetic};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample, openai};
use crate::transcript::{
    Author, Change, EditScript, InsertKind, Media, Message, Part, PartKind, Patch, Role, Shape, Traits, Transcript,
};
use std::borrow::Cow;

/// The `ai-sdk` format.
pub(super) struct AiSdk;

/// How its messages are stored.
const MESSAGES: Holder = Holder { keys: &["messages"], system, is_message, is_request, columns: true };

impl Format for AiSdk {
    fn name(&self) -> &'static str {
        "ai-sdk"
    }

    fn layout(&self) -> Layout {
        Layout::PerLine
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        MESSAGES.layout(sample)
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let found = MESSAGES.is_told(sample, is_own, is_request);
        let why = "messages of the Vercel AI SDK: `toolCallId` in their parts, or `providerOptions`";
        found.then(|| Evidence::certain(why))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let traits = Traits { user_summary: true, ..Traits::default() };
        let mut transcript = MESSAGES.read(source, (options, traits), &mut |is_system, value| match is_system {
            true => Some(instructing(content(source, value, block))),
            false => message(source, value),
        })?;
        session_lines::name_tools(&mut transcript.messages);
        synthetic::classify(&mut transcript.messages, &[]);
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let new = New::all(script, |insert| inserted(&insert.kind));
        MESSAGES.places(transcript).render(transcript, script, (new, "content", &replacement))
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        openai::faults_of_stored(transcript)
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        openai::mend(transcript, faults, script);
        Vec::new()
    }
}

/// The system prompt of a document.
fn system<'a>(fields: &Object<'a>) -> Option<Json<'a>> {
    fields.get("system").filter(|value| value.is_string())
}

/// Whether an object has the form of a message, of this SDK or another API.
fn is_message(record: &Object<'_>) -> bool {
    let known = record.text("role").is_some_and(|role| ["system", "user", "assistant", "tool"].contains(&&*role));
    known && record.has("content") && !record.has("type")
}

/// Whether a message is certainly of this SDK: it has `providerOptions`, or a call or result with a `toolCallId`.
fn is_own(message: &Object<'_>) -> bool {
    let blocks = message.array("content").filter(|_| message.has("role")).unwrap_or_default();
    let kinds = ["tool-call", "tool-result"];
    let is_call =
        |block: Object<'_>| block.has("toolCallId") && block.text("type").is_some_and(|kind| kinds.contains(&&*kind));
    let marked = is_message(message) && message.object("providerOptions").is_some();
    marked || blocks.into_iter().filter_map(Json::object).any(is_call)
}

fn instructing(parts: Vec<Part<'_>>) -> Message<'_> {
    Message { role: Role::System, author: Author::System, parts, ..Message::default() }
}

fn message<'a>(source: &[u8], value: Json<'a>) -> Option<Message<'a>> {
    let fields = value.object()?;
    let parts = content(source, fields.get("content")?, block);
    let (role, author) = match &*fields.text("role")? {
        "system" => return Some(instructing(parts)),
        "user" => (Role::User, synthetic::user_author(&parts)),
        "assistant" => (Role::Assistant, Author::Model),
        "tool" => (Role::Tool, Author::Tool),
        _ => return None,
    };
    Some(Message { role, author, parts, ..Message::default() })
}

fn block<'a>(source: &[u8], value: Json<'a>) -> Part<'a> {
    let fields = value.object().unwrap_or_default();
    let text = |key: &str| fields.text(key).unwrap_or_default();
    let alone = |kind, text| part(kind, text, fixed(source, value));
    match &*text("type") {
        "text" => {
            let slot = within(source, value, fields.get("text").map(|text| (text, Shape::Text)));
            part(PartKind::Text, text("text"), slot)
        }
        "reasoning" => {
            let sealed = ["signature", "providerOptions", "providerMetadata"].iter().any(|key| fields.has(key));
            alone(PartKind::Reasoning { signed: sealed }, text("text"))
        }
        "redacted-reasoning" => alone(PartKind::Reasoning { signed: true }, Cow::default()),
        "tool-call" => {
            let input = fields.get("input").or_else(|| fields.get("args"));
            let words = Cow::Borrowed(input.map(Json::raw).unwrap_or_default());
            let kind = PartKind::Call { id: text("toolCallId"), name: text("toolName") };
            part(kind, words, arguments(source, value, input))
        }
        "tool-result" => result(source, value, &fields),
        "image" => alone(PartKind::Media(Media::Image), Cow::default()),
        "file" => {
            let kind = fields.text("mediaType").or_else(|| fields.text("mimeType")).unwrap_or_default();
            alone(PartKind::Media(Media::of_type(&kind)), Cow::default())
        }
        _ => alone(PartKind::Opaque, Cow::default()),
    }
}

/// A tool result: an `output` that states its kind, or any value as `result`.
fn result<'a>(source: &[u8], value: Json<'a>, fields: &Object<'a>) -> Part<'a> {
    let output = fields.get("output").and_then(|output| Some((output, output.object()?)));
    let (text, media, content, error) = match output {
        Some((whole, output)) => {
            let error = output.text("type").is_some_and(|kind| kind.starts_with("error"));
            let said = output.get("value").unwrap_or(whole);
            let shape = if said.is_string() { (said, Shape::Text) } else { (whole, Shape::TextBlocks) };
            let (text, media) = text_and_media(said);
            (text, media, Some(shape), error)
        }
        None => {
            let said = fields.get("result");
            let (text, media) = said.map(text_and_media).unwrap_or_default();
            (text, media, said.map(|said| (said, Shape::Json)), fields.is_true("isError"))
        }
    };
    let pruned = synthetic::is_stub(&text);
    let id = fields.text("toolCallId").unwrap_or_default();
    part(PartKind::Result { id, tool: None, error, pruned, media }, text, within(source, value, content))
}

/// The text that a model reads of a value (a string, the texts of content blocks, or raw JSON), and its media.
fn text_and_media(said: Json<'_>) -> (Cow<'_, str>, Vec<Media>) {
    let blocks: Vec<_> = said.array().unwrap_or_default().into_iter().filter_map(Json::object).collect();
    let texts: Vec<_> = blocks.iter().filter_map(|block| block.text("text").filter(|_| block.has("type"))).collect();
    let kinds = blocks.iter().filter(|block| block.has("data"));
    let kinds = kinds.filter_map(|block| block.text("mediaType").or_else(|| block.text("mimeType")));
    let media: Vec<_> = kinds.map(|kind| Media::of_type(&kind)).collect();
    match (said.text(), texts.len()) {
        (Some(text), _) => (text, media),
        (None, 0) if media.is_empty() => (Cow::Borrowed(said.raw()), media),
        (None, _) => (joined(texts), media),
    }
}

/// The patch that replaces a part's content by a stub or an excerpt.
fn replacement(part: &Part<'_>, change: &Change) -> Option<Patch> {
    let text = change.text()?;
    let content = || part.slot.content.clone();
    match (&part.kind, part.slot.shape) {
        (PartKind::Result { .. }, Shape::Json) => Some(part_edits::stub(content(), quoted(text))),
        (PartKind::Result { .. }, Shape::TextBlocks) => {
            Some(part_edits::stub(content(), format!(r#"{{"type":"text","value":{}}}"#, quoted(text))))
        }
        _ => part_edits::replacement(part, change),
    }
}

/// The JSON of the messages that an insertion adds.
fn inserted(kind: &InsertKind) -> Vec<String> {
    let message = |(role, text): (Role, &str)| {
        format!(r#"{{"role":"{}","content":{},"providerOptions":{{}}}}"#, role.name(), quoted(text))
    };
    synthetic::turns(kind).into_iter().map(message).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::tests::support::{
        all_ways, authors, continuation, detected, edited, faults, read, stub_results, summary,
    };
    use super::*;
    use crate::transcript::SummaryRole;

    const FORMAT: AiSdk = AiSdk;
    const REQUEST: &str = r#"{"system":"be","messages":MESSAGES}"#;
    const CHAT: &str = include_str!("../../samples/ai-sdk/bakery-chat.json");
    const OLDER: &str = include_str!("../../samples/ai-sdk/bakery-older-results.jsonl");

    const ASKED: &str = r#"{"role":"user","content":"old"}"#;
    const CALL: &str = r#"{"role":"assistant","content":[{"type":"reasoning","text":"why"},{"type":"tool-call","toolCallId":"a","toolName":"f","input":{"p": 1}}]}"#;
    const ANSWER: &str = r#"{"role":"assistant","content":[{"type":"text","text":"x"}]}"#;

    fn result(output: &str) -> String {
        format!(r#"{{"role":"tool","content":[{{"type":"tool-result","toolCallId":"a","toolName":"f",{output}}}]}}"#)
    }

    #[test]
    fn messages_are_read_however_they_are_stored() {
        for source in [CHAT, OLDER] {
            assert_eq!(detected(source), Ok("ai-sdk"));
            assert_eq!(edited(&FORMAT, source, |_, _| {}), source);
            assert_eq!((faults(&FORMAT, source), crate::check::faults(&read(&FORMAT, source))), (vec![], vec![]));
        }
        let returned = result(r#""output":{"type":"text","value":"long"}"#);
        use Author::{Model, Person, System, Tool};
        for source in all_ways(&[ASKED, CALL, &returned, ANSWER], &[REQUEST]) {
            let transcript = read(&FORMAT, &source);
            let system = usize::from(source.contains("system"));
            assert_eq!(authors(&transcript)[..system], [System][..system]);
            assert_eq!(authors(&transcript)[system..], [Person, Model, Tool, Model]);
        }
    }

    #[test]
    fn results_are_pruned_in_their_kind() {
        let stubbed = |output: &str| edited(&FORMAT, &format!("[{CALL},{}]", result(output)), stub_results);
        let expected = |output: &str| format!("[{CALL},{}]", result(output));
        for (output, stub) in [
            (r#""output":{"type":"text","value":"long"}"#, r#""output":{"type":"text","value":"<stub />"}"#),
            (r#""output":{"type":"error-text","value":"no"}"#, r#""output":{"type":"error-text","value":"<stub />"}"#),
            (r#""output":{"type":"json","value":{"k":1}}"#, r#""output":{"type":"text","value":"<stub />"}"#),
            (
                r#""output":{"type":"content","value":[{"type":"text","text":"long"},{"type":"media","data":"x","mediaType":"image/png"}]}"#,
                r#""output":{"type":"text","value":"<stub />"}"#,
            ),
            (r#""result":{"k":[1,2]}"#, r#""result":"<stub />""#),
            (r#""result":"long""#, r#""result":"<stub />""#),
        ] {
            assert_eq!(stubbed(output), expected(stub));
        }
        let source = format!("[{CALL},{}]", result(r#""output":{"type":"error-text","value":"no"}"#));
        let transcript = read(&FORMAT, &source);
        let part = &transcript.messages[1].parts[0];
        assert!(matches!(&part.kind, PartKind::Result { error: true, tool: Some(tool), .. } if tool == "f"));
    }

    #[test]
    fn what_is_left_without_any_tool_is_still_the_sdks() {
        let returned = result(r#""output":{"type":"text","value":"long"}"#);
        for source in all_ways(&[ASKED, CALL, &returned, ANSWER], &[REQUEST]) {
            let first = read(&FORMAT, &source).messages.iter().position(|it| it.author == Author::Person).unwrap();
            let out = edited(&FORMAT, &source, |_, script| {
                script.keep[first..first + 3].fill(false);
                script.inserts = vec![summary(first + 3, SummaryRole::Auto, "it"), continuation(first + 4)];
            });
            assert!(!out.contains("tool-") && out.contains(ANSWER), "{out}");
            assert!(out.contains(r#"{"role":"user","content":"<prior"#), "{out}");
            assert_eq!((faults(&FORMAT, &out), detected(&out)), (vec![], Ok("ai-sdk")));
            use Author::{Continuation, Model, Summary};
            assert_eq!(authors(&read(&FORMAT, &out))[first..], [Summary, Model, Continuation]);
        }
    }

    #[test]
    fn every_call_has_its_result_at_once() {
        let late = result(r#""output":{"type":"text","value":"x"}"#);
        let rules = |messages: &[&str]| faults(&FORMAT, &format!("[{}]", messages.join(",")));
        assert_eq!(rules(&[ASKED, CALL]), []);
        assert_eq!(rules(&[CALL, ASKED]), [("unanswered_call", "a".to_owned())]);
        assert_eq!(rules(&[CALL, ASKED, &late]), [("interrupted_results", "a".to_owned())]);
    }
}
