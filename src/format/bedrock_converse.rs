//! The format `bedrock-converse`: messages of Bedrock's Converse API as callers store them. In the `messages` of a
//! request with `system` beside them (also Bedrock's fine-tuning rows), as a bare array, or one per line.
//!
//! A message is a role and blocks; a block is an object with one key that names its kind and no `type`, unlike
//! Anthropic's. Roles alternate, and every `toolUse` is answered in the very next message. Signed reasoning is sent
//! back unchanged, whatever the model.

use super::anthropic_messages::{faults, order};
use super::detect::Evidence;
use super::shared::held::{Holder, content, is_request, messages};
use super::shared::json::{Json, Object, quoted};
use super::shared::new::New;
use super::shared::slot::{arguments, fixed, joined, part, within};
use super::shared::{part_edits, session_lines, speakers, synthetic};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{
    Author, Change, EditScript, Media, Message, Part, PartKind, Patch, Role, Shape, Traits, Transcript,
};
use std::borrow::Cow;

/// The `bedrock-converse` format.
pub(super) struct BedrockConverse;

/// How its messages are stored.
const MESSAGES: Holder =
    Holder { keys: &["messages"], system: |fields| fields.get("system"), is_message, is_request, columns: true };

/// Keys of blocks that name their kind.
const BLOCKS: [&str; 11] = [
    "text",
    "toolUse",
    "toolResult",
    "reasoningContent",
    "image",
    "document",
    "video",
    "audio",
    "guardContent",
    "cachePoint",
    "citationsContent",
];
/// Beginning of the schema version of a fine-tuning row.
const SCHEMA: &str = "bedrock-conversation";

impl Format for BedrockConverse {
    fn name(&self) -> &'static str {
        "bedrock-converse"
    }

    fn layout(&self) -> Layout {
        Layout::PerLine
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        MESSAGES.layout(sample)
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let (rows, _) = sample.rows();
        let why = if MESSAGES.is_told(sample, calls, is_request) {
            "messages of Bedrock's Converse API: blocks with `toolUse` or `toolResult`"
        } else if !rows.is_empty() && rows.iter().all(|row| is_own(row) || is_own_request(row)) {
            "messages of Bedrock's Converse API: blocks without a `type`"
        } else {
            return None;
        };
        Some(Evidence::certain(why))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let traits = Traits { user_summary: true, ..Traits::default() };
        let mut transcript = MESSAGES.read(source, (options, traits), &mut |is_system, value| match is_system {
            true => Some(system(source, value)),
            false => message(source, value),
        })?;
        session_lines::name_tools(&mut transcript.messages);
        synthetic::classify(&mut transcript.messages, &[]);
        transcript.traits.alternates = faults::alternates(&transcript.messages);
        transcript.traits.asks = transcript.traits.alternates;
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        let new = inserted(transcript, script);
        MESSAGES.places(transcript).render(transcript, script, (new, "content", &replacement))
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        let mut faults = faults::pairing_of_runs(&transcript.messages, transcript);
        faults.retain(|fault| fault.rule != "results_not_first");
        faults.extend(faults::order(transcript));
        faults.extend(speakers::unknown_in(transcript, "role"));
        faults.sort();
        faults
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        faults::mend(transcript, faults, script);
        Vec::new()
    }
}

/// The blocks of a message.
fn blocks<'a>(message: &Object<'a>) -> Vec<Object<'a>> {
    message.array("content").unwrap_or_default().into_iter().filter_map(Json::object).collect()
}

/// Whether an object has the form of a message, of this API or another one.
fn is_message(record: &Object<'_>) -> bool {
    let known = record.text("role").is_some_and(|role| matches!(&*role, "user" | "assistant"));
    known && (record.has("content") && !record.has("type"))
}

/// Whether a message has a tool call or a tool result in this API's form.
fn calls(message: &Object<'_>) -> bool {
    let keys = ["toolUse", "toolResult"];
    let is_call =
        |block: &Object<'_>| keys.iter().filter_map(|key| block.object(key)).any(|inner| inner.has("toolUseId"));
    message.has("role") && blocks(message).iter().any(is_call)
}

/// Whether a message has blocks and all of them are in this API's form.
fn is_own(message: &Object<'_>) -> bool {
    let blocks = blocks(message);
    let own = |block: &Object<'_>| !block.has("type") && BLOCKS.iter().any(|key| block.has(key));
    is_message(message) && !blocks.is_empty() && blocks.iter().all(own)
}

fn is_own_request(row: &Object<'_>) -> bool {
    let messages = messages(row);
    let schema = row.text("schemaVersion").is_some_and(|version| version.starts_with(SCHEMA));
    is_request(row) && (schema || !messages.is_empty() && messages.iter().all(is_own))
}

fn system<'a>(source: &[u8], value: Json<'a>) -> Message<'a> {
    Message { role: Role::System, author: Author::System, parts: content(source, value, block), ..Message::default() }
}

fn message<'a>(source: &[u8], value: Json<'a>) -> Option<Message<'a>> {
    let fields = value.object()?;
    let parts = content(source, fields.get("content")?, block);
    let (role, author) = match &*fields.text("role")? {
        "assistant" => (Role::Assistant, Author::Model),
        "user" => (Role::User, synthetic::user_author(&parts)),
        "system" => (Role::System, Author::System),
        _ => return None,
    };
    Some(Message { role, author, parts, ..Message::default() })
}

fn block<'a>(source: &[u8], value: Json<'a>) -> Part<'a> {
    let fields = value.object().unwrap_or_default();
    let alone = |kind, text| part(kind, text, fixed(source, value));
    if let Some(text) = fields.get("text").filter(|text| text.is_string()) {
        let slot = within(source, value, Some((text, Shape::Text)));
        return part(PartKind::Text, text.text().unwrap_or_default(), slot);
    }
    if let Some(call) = fields.object("toolUse") {
        let text = |key: &str| call.text(key).unwrap_or_default();
        let input = call.get("input");
        let kind = PartKind::Call { id: text("toolUseId"), name: text("name") };
        let words = Cow::Borrowed(input.map(Json::raw).unwrap_or_default());
        return part(kind, words, arguments(source, value, input));
    }
    if let Some(answer) = fields.object("toolResult") {
        return result(source, value, &answer);
    }
    if let Some(thought) = fields.object("reasoningContent") {
        let text = thought.object("reasoningText").unwrap_or_default();
        let sealed = thought.has("redactedContent") || text.text("signature").is_some_and(|it| !it.is_empty());
        return alone(PartKind::Reasoning { signed: sealed }, text.text("text").unwrap_or_default());
    }
    match medium(&fields) {
        Some(medium) => alone(PartKind::Media(medium), Cow::default()),
        None => alone(PartKind::Opaque, Cow::default()),
    }
}

fn medium(block: &Object<'_>) -> Option<Media> {
    let media =
        [("image", Media::Image), ("document", Media::Document), ("audio", Media::Audio), ("video", Media::Other)];
    media.into_iter().find(|(key, _)| block.has(key)).map(|(_, medium)| medium)
}

/// A tool result with texts, JSON values, and media.
fn result<'a>(source: &[u8], value: Json<'a>, answer: &Object<'a>) -> Part<'a> {
    let content = answer.get("content");
    let blocks: Vec<_> =
        content.and_then(Json::array).unwrap_or_default().into_iter().filter_map(Json::object).collect();
    let words = |block: &Object<'a>| block.text("text").or_else(|| Some(Cow::Borrowed(block.get("json")?.raw())));
    let texts: Vec<_> = blocks.iter().filter_map(words).collect();
    let text = joined(texts);
    let kind = PartKind::Result {
        id: answer.text("toolUseId").unwrap_or_default(),
        tool: None,
        error: answer.is("status", "error"),
        pruned: synthetic::is_stub(&text),
        media: blocks.iter().filter_map(medium).collect(),
    };
    part(kind, text, within(source, value, content.map(|content| (content, Shape::TextBlocks))))
}

/// The patch that replaces a part's content by a stub or an excerpt; a result keeps its list of blocks.
fn replacement(part: &Part<'_>, change: &Change) -> Option<Patch> {
    let text = change.text()?;
    let block = || format!(r#"{{"text":{}}}"#, quoted(text));
    match (&part.kind, part.slot.shape) {
        (PartKind::Media(_), _) => Some(part_edits::stub(part.slot.part.clone(), block())),
        (_, Shape::TextBlocks) => Some(part_edits::stub(part.slot.content.clone(), format!("[{}]", block()))),
        _ => part_edits::replacement(part, change),
    }
}

/// The messages that a script adds.
fn inserted(transcript: &Transcript<'_>, script: &EditScript) -> Vec<New> {
    order::messages(transcript, script, &|role, text, _| {
        format!(r#"{{"role":"{role}","content":[{{"text":{}}}]}}"#, quoted(text))
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::tests::support::{
        all_ways, authors, continuation, detected, edited, faults, read, stub_results, summary,
    };
    use super::*;
    use crate::reason::Reason;
    use crate::transcript::{PartEdit, SummaryRole};

    const FORMAT: BedrockConverse = BedrockConverse;
    const REQUEST: &str = r#"{"system":[{"text":"be"}],"messages":MESSAGES}"#;
    const AGENT: &str = include_str!("../../samples/bedrock-converse/ferry-agent.json");
    const ARRAY: &str = include_str!("../../samples/bedrock-converse/signal-box-messages.json");
    const ROWS: &str = include_str!("../../samples/bedrock-converse/fine-tuning-rows.jsonl");
    const LINES: &str = include_str!("../../samples/bedrock-converse/dairy-one-a-line.jsonl");

    const ASKED: &str = r#"{"role":"user","content":[{"text":"old"}]}"#;
    const CALL: &str = r#"{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"why","signature":"s"}}},{"toolUse":{"toolUseId":"a","name":"f","input":{"p": 1}}}]}"#;
    const RESULT: &str =
        r#"{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"json":{"k":1}},{"text":"long"}]}}]}"#;
    const ANSWER: &str = r#"{"role":"assistant","content":[{"text":"x"}]}"#;

    #[test]
    fn rows_with_calls_of_another_interface_are_named_and_not_torn() {
        let reason = |message: &str| {
            let row = format!(r#"{{"messages":[{{"role":"user","content":[{{"text":"u"}}]}},{message}]}}"#);
            FORMAT.read(row.as_bytes(), ReadOptions::default()).err().map(|error| error.reason).unwrap_or_default()
        };
        let named = |reason: String, format: &str| reason.contains(&format!("read it with `--from {format}`"));
        let calls = r#"[{"id":"a","function":{"name":"f","arguments":"{}"}}]"#;
        let called = format!(r#"{{"role":"assistant","content":"x","tool_calls":{calls}}}"#);
        assert!(named(reason(&called), "openai-chat"));
        assert!(named(reason(r#"{"role":"tool","tool_call_id":"a","content":"r"}"#), "openai-chat"));
        let block = r#"{"type":"tool_use","id":"a","name":"f","input":{}}"#;
        assert!(named(reason(&format!(r#"{{"role":"assistant","content":[{block}]}}"#)), "anthropic-messages"));
        assert_eq!(reason(r#"{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f"}}]}"#), "");
    }

    #[test]
    fn messages_are_read_however_they_are_stored() {
        for source in [AGENT, ARRAY, LINES].into_iter().chain(ROWS.lines()) {
            assert_eq!(detected(source), Ok("bedrock-converse"));
            assert_eq!(edited(&FORMAT, source, |_, _| {}), source);
            let transcript = read(&FORMAT, source);
            assert_eq!((faults(&FORMAT, source), crate::check::faults_at_rest(&transcript)), (vec![], vec![]));
            assert!(transcript.traits.alternates);
        }
        use Author::{Model, Person, System, Tool};
        for source in all_ways(&[ASKED, CALL, RESULT, ANSWER], &[REQUEST]) {
            let transcript = read(&FORMAT, &source);
            let system = usize::from(source.contains("system"));
            assert_eq!(authors(&transcript)[system..], [Person, Model, Tool, Model]);
            assert_eq!(authors(&transcript)[..system], [System][..system]);
            let result = &transcript.messages[system + 2].parts[0];
            assert_eq!(result.text, "{\"k\":1}\nlong");
            assert!(matches!(&result.kind, PartKind::Result { tool: Some(tool), .. } if tool == "f"));
        }
    }

    #[test]
    fn the_head_becomes_a_message_and_a_result_stays_a_list() {
        let wrapped = r"<prior-conversation-summary>\nit\n</prior-conversation-summary>";
        for source in all_ways(&[ASKED, CALL, RESULT, ANSWER], &[REQUEST]) {
            let first = read(&FORMAT, &source).messages.iter().position(|it| it.author == Author::Person).unwrap();
            let out = edited(&FORMAT, &source, |transcript, script| {
                script.keep[first] = false;
                script.inserts = vec![summary(first + 1, SummaryRole::Auto, "it"), continuation(first + 4)];
                stub_results(transcript, script);
            });
            assert!(out.contains(&ASKED.replace("old", wrapped)) && out.contains(CALL), "{out}");
            assert!(out.contains(r#"{"toolUseId":"a","content":[{"text":"<stub />"}]}"#), "{out}");
            assert!(out.contains(&ASKED.replace("old", "continue")), "{out}");
            assert_eq!((faults(&FORMAT, &out), detected(&out)), (vec![], Ok("bedrock-converse")));
        }
        let out = edited(&FORMAT, &format!("[{ASKED},{ANSWER}]"), |_, script| {
            script.inserts = vec![summary(0, SummaryRole::Auto, "it")];
        });
        assert_eq!((faults(&FORMAT, &out), detected(&out)), (vec![], Ok("bedrock-converse")));
        assert!(out.contains(r#"{"role":"assistant","content":[{"text":"<prior"#), "before a user's it answers: {out}");
    }

    #[test]
    fn arguments_and_reasoning_can_go() {
        let out = edited(&FORMAT, &format!("[{ASKED},{CALL},{RESULT}]"), |_, script| {
            let change = |part, change| PartEdit { message: 1, part, change };
            script.parts = vec![change(0, Change::Remove), change(1, Change::Stub(r#"{"c":1}"#.into()))];
        });
        let call = r#"{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{"c":1}}}]}"#;
        assert_eq!(out, format!("[{ASKED},{call},{RESULT}]"));
    }

    #[test]
    fn the_rules_of_the_api_are_checked() {
        let rules = |messages: &[&str]| faults(&FORMAT, &format!("[{}]", messages.join(",")));
        assert_eq!(rules(&[ASKED, CALL]), []);
        assert_eq!(rules(&[ASKED, CALL, ASKED]), [("unanswered_call", "a".to_owned())]);
        assert_eq!(rules(&[ASKED, RESULT]).first().map(|fault| fault.0), Some("orphan_result"));
        assert_eq!(rules(&[ANSWER]), [("first_not_user", String::new())]);
        assert_eq!(rules(&[ASKED, r#"{"role":"assistant","content":[{"text":""}]}"#])[0].0, "empty_content");
    }

    #[test]
    fn a_row_that_holds_its_conversation_twice_stays() {
        let turns =
            r#"{"role":"user","content":[{"text":"Sound the quay."}]},{"role":"assistant","content":[{"text":"x"}]}"#;
        let fixed = |beside: &str| read(&FORMAT, &format!(r#"{{"messages":[{turns}]{beside}}}"#)).traits.fixed;
        let shared = r#","conversations":[{"from":"human","value":"Sound the quay."},{"from":"gpt","value":"x"}]"#;
        assert_eq!(fixed(shared), Some(Reason::ConversationTwice));
        assert_eq!(fixed(&format!(r#","raw":[{turns}]"#)), Some(Reason::ConversationTwice));
        assert_eq!(fixed(&shared.replace("Sound", "Paint")), None);
        assert_eq!(fixed(""), None);
    }

    #[test]
    fn blocks_of_others_are_theirs() {
        let typed = r#"{"role":"user","content":[{"type":"text","text":"u"}]}"#;
        assert_eq!(detected(&format!("[{typed},{typed}]")), Ok("openai-messages"));
        let anthropic = r#"{"system":"s","messages":[{"role":"user","content":[{"type":"text","text":"u"}]}]}"#;
        assert_eq!(detected(anthropic), Ok("anthropic-messages"));
        let row = format!(r#"{{"schemaVersion":"bedrock-conversation-2024","messages":[{ASKED},{ANSWER}]}}"#);
        assert_eq!(detected(&row), Ok("bedrock-converse"));
        let string = r#"{"role":"user","content":"u"}"#;
        assert_eq!(detected(&format!("{string}\n{CALL}\n{RESULT}\n")), Ok("bedrock-converse"), "as clients store it");
    }
}
