//! The format `claude-stream-json`: the output of `claude -p --output-format stream-json`, and the array that the
//! SDK's programs and Claude Code's action for CI make of it; Cursor's and Qwen's command lines print the same form.
//!
//! Messages are in `message`, in the API's form. A prompt given as an argument is not in the stream. Messages of
//! subagents name the call that they belong to. Records about the run (`init`, `result`) are not messages.

use super::log::{Log, State, Step, copied, left};
use super::output::CallOutput;
use super::{Dialect, Sample};
use crate::format::anthropic_messages;
use crate::format::claude_code::author;
use crate::format::shared::document::uuid;
use crate::format::shared::harness_texts::is_continued;
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::slot;
use crate::format::shared::synthetic::says_continue;
use crate::transcript::{Author, Class, Message, Part, PartKind, Role, Transcript};
use std::borrow::Cow;

/// Types of records that accompany messages or describe the run.
const TYPES: [&str; 12] = [
    "system",
    "assistant",
    "user",
    "result",
    "stream_event",
    "rate_limit_event",
    "tool_progress",
    "tool_use_summary",
    "auth_status",
    "prompt_suggestion",
    "control_request",
    "control_response",
];
/// Suffix of the key of a call in Cursor's streams.
const CURSORS: &str = "ToolCall";

/// The `claude-stream-json` format.
pub(in crate::format) struct ClaudeStream;

impl Dialect for ClaudeStream {
    const NAME: &'static str = "claude-stream-json";
    const WHY: &'static str = "records with `session_id` and an `init`";
    const COPY: Option<&'static str> = Some("tool_use_result");

    fn is(sample: &Sample<'_>) -> bool {
        let of = |record: &Object<'_>, kinds: &[&str]| record.text("type").is_some_and(|kind| kinds.contains(&&*kind));
        let stream = |record: &Object<'_>| {
            record.has("session_id") && (of(record, &TYPES) || is_cursors(record)) && !is_session(record)
        };
        let tells = |record: &Object<'_>| {
            of(record, &["system", "result"]) && record.has("subtype") && !record.has("uuid")
                || record.has("apiKeySource")
                || record.has("parent_tool_use_id") && of(record, &["assistant", "user", "stream_event"])
        };
        sample.most_rows(stream) && sample.rows().0.iter().any(|record| stream(record) && tells(record))
    }

    fn record<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>, value: Json<'a>) -> Class<'a> {
        match &*fields.text("type").unwrap_or_default() {
            kind @ ("user" | "assistant") => {
                let boundary = std::mem::take(&mut log.state.boundary);
                spoken(log, fields, kind == "user", boundary)
            }
            "system" => system(log, fields),
            "result" => log.session("result"),
            "tool_call" => cursors_call(log, fields, value),
            "stream_event" | "tool_progress" | "thinking" => Class::Ui,
            kind if TYPES.contains(&kind) => Class::Place,
            _ => Class::Opaque,
        }
    }

    /// A Cursor call that was running when the stream ended only has its start record.
    fn finish<'a>(transcript: &mut Transcript<'a>, state: &mut State<'a>) {
        for (at, value, _) in left(transcript, state).into_iter().filter(|(.., is_last)| *is_last) {
            let mut log = Log { transcript, at, state };
            let class = made_by_cursor(&mut log, &value.object().unwrap_or_default(), value, true);
            transcript.records[at].class = class;
        }
    }

    fn inner<'a>(fields: &Object<'a>) -> Option<Json<'a>> {
        fields.get("message")
    }

    /// A user message marked as synthetic, as the SDK does.
    fn new_record(beside: &Object<'_>, text: &str) -> String {
        let id = beside
            .get("uuid")
            .map(Json::raw)
            .map(|beside| format!(r#","uuid":"{}""#, uuid(&[ClaudeStream::NAME, beside, text])));
        format!(
            r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"text","text":{}}}]}},"parent_tool_use_id":{}{}{}{},"isSynthetic":true}}"#,
            quoted(text),
            beside.get("parent_tool_use_id").map_or("null", Json::raw),
            copied(beside, "session_id"),
            id.unwrap_or_default(),
            copied(beside, "timestamp"),
        )
    }
}

/// Whether a record belongs to a stored session, which has other fields for its session and parent.
fn is_session(record: &Object<'_>) -> bool {
    ["sessionId", "parentUuid"].iter().any(|key| record.has(key))
}

/// Whether a record is of a kind that only Cursor's streams have.
fn is_cursors(record: &Object<'_>) -> bool {
    let kind = record.text("type").unwrap_or_default();
    kind == "tool_call" && record.has("call_id") && record.has("subtype") || kind == "thinking" && record.has("subtype")
}

/// A system record. The first `init` describes the run; later turns may repeat it.
fn system<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>) -> Class<'a> {
    match &*fields.text("subtype").unwrap_or_default() {
        "init" => {
            log.state.folder = fields.text("cwd").or(log.state.folder.take());
            if std::mem::replace(&mut log.state.headed, true) { Class::Place } else { log.session("init") }
        }
        "compact_boundary" => {
            log.state.boundary = true;
            Class::Place
        }
        _ => Class::Place,
    }
}

/// A user or assistant message; `boundary` if a compaction boundary comes right before it. Messages of subagents are
/// sidechains, unless the whole log is a subagent's.
fn spoken<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>, user: bool, boundary: bool) -> Class<'a> {
    let envelope = fields.object("message").unwrap_or_default();
    let owner = fields.text("parent_tool_use_id").filter(|id| !id.is_empty());
    if let Some(owner) = owner.filter(|_| !log.state.alone) {
        return Class::Sidechain(log.state.calls.get(&owner).copied());
    }
    let role = if user { Role::User } else { Role::Assistant };
    let source = log.source();
    let read = anthropic_messages::read::message(source, &envelope, &mut log.state.tools).unwrap_or_else(|| {
        let content = envelope.get("content");
        let parts = content.map(|content| anthropic_messages::parts(source, content, &mut log.state.tools));
        anthropic_messages::read::plain(role, parts.unwrap_or_default())
    });
    let parts = &read.parts;
    let author = if user { user_author(fields, parts, boundary) } else { author::of_answer(&envelope, parts) };
    let group = envelope.text("id").filter(|_| !user);
    if !user {
        join_pieces(log, fields, parts);
    }
    log.message(fields, Message { role, author, group, ..read })
}

/// Joins pieces of an answer: Cursor prints it in pieces, each with a time, and then whole, without one. The pieces
/// are then only for display.
fn join_pieces<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>, parts: &[Part<'a>]) {
    if fields.get("timestamp_ms").is_some_and(|time| !time.is_null()) {
        log.state.pieces.push(log.at);
        return;
    }
    let pieces = std::mem::take(&mut log.state.pieces);
    if pieces.is_empty() {
        return;
    }
    let text: String = parts.iter().filter(|part| part.kind == PartKind::Text).map(|part| &*part.text).collect();
    let messages = &mut log.transcript.messages;
    let first = messages.len().saturating_sub(pieces.len());
    let all: String = messages[first..].iter().map(Message::text).collect();
    if all == text && messages[first..].iter().map(|piece| piece.record).eq(pieces) {
        for piece in messages.drain(first..) {
            log.transcript.records[piece.record].class = Class::Ui;
        }
    }
}

fn user_author(fields: &Object<'_>, parts: &[Part<'_>], boundary: bool) -> Author {
    let said = parts.iter().find(|part| part.kind == PartKind::Text).map(|part| part.text.trim_start());
    match author::author(fields, parts) {
        Author::Person if boundary && said.is_some_and(is_continued) => Author::Summary,
        // Texts that set an agent going again are recognized by their wording elsewhere.
        Author::Person if fields.is_true("isSynthetic") && !said.is_some_and(says_continue) => Author::Harness,
        author => author,
    }
}

/// A start or end record of a Cursor call.
fn cursors_call<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>, value: Json<'a>) -> Class<'a> {
    let id = fields.text("call_id").unwrap_or_default();
    match &*fields.text("subtype").unwrap_or_default() {
        "completed" => {
            log.state.begun.remove(&id);
            made_by_cursor(log, fields, value, false)
        }
        "started" => {
            log.state.begun.insert(id, log.at);
            Class::Ui
        }
        _ => Class::Ui,
    }
}

/// A Cursor call with its result, unless it is `open` (still running): `{"shellToolCall":{"args":…,"result":…}}`.
fn made_by_cursor<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>, value: Json<'a>, open: bool) -> Class<'a> {
    let call = fields.object("tool_call").unwrap_or_default();
    let Some((key, inner)) = call.fields().iter().find_map(|(key, value)| Some((key, value.object()?))) else {
        return Class::Place;
    };
    let name = inner.text("name").unwrap_or_else(|| Cow::Owned(key.strip_suffix(CURSORS).unwrap_or(key).to_owned()));
    let arguments = inner.get("args").or_else(|| inner.get("arguments"));
    let result = inner.get("result").map(|result| {
        let fields = result.object().unwrap_or_default();
        let error = ["error", "failure", "rejected"].iter().any(|key| fields.has(key));
        CallOutput { error, ..CallOutput::of(log.source(), result) }
    });
    let step = Step {
        name,
        arguments: arguments.map(Json::spelled).unwrap_or_default(),
        slot: slot::arguments(log.source(), value, arguments),
        result: (!open).then(|| result.unwrap_or_else(|| CallOutput::nothing(log.whole().part))),
    };
    log.step(fields, step)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::StepLog;
    use super::*;
    use crate::format::detect;
    use crate::format::shared::json;
    use crate::format::tests::support::{authors, edited, faults, read, stub_results, summary};
    use crate::transcript::{SummaryRole, UiCopies};

    const LONG: &str = include_str!("../../../samples/claude-stream-json/nightly-with-partials.jsonl");
    const ARRAY: &str = include_str!("../../../samples/claude-stream-json/review-of-an-action.json");
    const FORMAT: StepLog<ClaudeStream> = StepLog::new();

    fn name(source: &str) -> String {
        detect(source.as_bytes()).map_or_else(|error| error.to_string(), |found| found.name.to_owned())
    }

    fn line(kind: &str, content: &str, more: &str) -> String {
        format!(r#"{{"type":"{kind}","message":{{"role":"{kind}","content":{content}}},"session_id":"s"{more}}}"#)
    }

    #[test]
    fn streams_are_read_and_come_back_as_they_were() {
        for source in [LONG, ARRAY] {
            assert_eq!(name(source), ClaudeStream::NAME);
            assert_eq!(edited(&FORMAT, source, |_, _| {}), source);
            assert_eq!((faults(&FORMAT, source), crate::check::faults(&read(&FORMAT, source))), (vec![], vec![]));
        }
        let transcript = read(&FORMAT, LONG);
        use Author::{Model, Person, Tool};
        assert_eq!(authors(&transcript)[..4], [Person, Model, Model, Tool]);
        let count = |is: &dyn Fn(&Class<'_>) -> bool| transcript.records.iter().filter(|it| is(&it.class)).count();
        assert_eq!(count(&|class| matches!(class, Class::Session(_))), 3, "the first init and both results");
        assert_eq!(count(&|class| matches!(class, Class::Sidechain(Some(_)))), 4);
        assert_eq!(count(&|class| *class == Class::Ui), LONG.matches(r#"{"type":"stream_event""#).count());
        assert_eq!(count(&|class| *class == Class::Opaque), 0);
        let first = transcript.messages.iter().find(|message| message.role == Role::Assistant).unwrap();
        assert_eq!(first.model.as_deref(), Some("claude-sonnet-4-5-20250929"));
        assert_eq!(first.folder.as_deref(), Some("/home/runner/work/tidegate/tidegate"));
        assert!(first.usage.is_some() && first.group.is_some());
    }

    #[test]
    fn a_compaction_of_the_programs_own_is_a_summary() {
        let transcript = read(&FORMAT, ARRAY);
        let at = authors(&transcript).iter().position(|author| *author == Author::Summary).unwrap();
        assert!(transcript.messages[..at].iter().all(|message| !message.live));
        assert!(transcript.messages[at..].iter().all(|message| message.live));
        let unmarked = ARRAY.replace("compact_boundary", "other_note");
        assert!(!authors(&read(&FORMAT, &unmarked)).contains(&Author::Summary));
    }

    #[test]
    fn what_hooks_say_at_a_compaction_does_not_hide_its_summary() {
        let note = |subtype: &str| format!(r#"{{"type":"system","subtype":"{subtype}","session_id":"s"}}"#);
        let said = r#""This session is being continued from a previous conversation that ran out of context. The quay is dry.""#;
        let source = |subtype: &str| {
            [line("assistant", r#""Dry.""#, ""), note(subtype), note("status"), line("user", said, "")].join("\n")
        };
        assert_eq!(authors(&read(&FORMAT, &source("compact_boundary")))[1], Author::Summary);
        assert_ne!(authors(&read(&FORMAT, &source("hook")))[1], Author::Summary);
    }

    #[test]
    fn a_file_of_a_subagent_alone_is_a_transcript() {
        let side = r#","parent_tool_use_id":"toolu_1""#;
        let source =
            [line("user", r#""Look at the quay.""#, side), line("assistant", r#""It is dry.""#, side)].join("\n");
        assert_eq!(authors(&read(&FORMAT, &source)), [Author::Person, Author::Model]);
        let out = edited(&FORMAT, &source, |_, script| {
            script.keep[0] = false;
            script.inserts = vec![summary(1, SummaryRole::User, "it")];
        });
        assert_eq!(authors(&read(&FORMAT, &out)), [Author::Summary, Author::Model], "{out}");
    }

    #[test]
    fn pieces_of_an_answer_that_comes_whole_are_for_who_watches() {
        let say = |text: &str, more: &str| line("assistant", &format!(r#"[{{"type":"text","text":"{text}"}}]"#), more);
        let timed = r#","timestamp_ms":1"#;
        let told = |last: &str| {
            let source =
                [say("The quay ", timed), say("is dry.", timed), say(last, r#","timestamp_ms":null"#)].join("\n");
            let transcript = read(&FORMAT, &source);
            transcript.messages.iter().map(|message| message.text().into_owned()).collect::<Vec<_>>()
        };
        assert_eq!(told("The quay is dry."), ["The quay is dry."]);
        assert_eq!(told("And the pier?").len(), 3);
    }

    #[test]
    fn a_call_of_cursors_that_ran_at_the_end_is_open() {
        let call = |subtype: &str| {
            let inner = r#"{"shellToolCall":{"args":{"command":"moor"},"result":{"success":{"stdout":"ok"}}}}"#;
            format!(
                r#"{{"type":"tool_call","subtype":"{subtype}","call_id":"c1","tool_call":{inner},"session_id":"s"}}"#
            )
        };
        let parts = |subtypes: &[&str]| {
            let source: Vec<_> = subtypes.iter().map(|subtype| call(subtype)).collect();
            read(&FORMAT, &source.join("\n")).messages.iter().map(|message| message.parts.len()).collect::<Vec<_>>()
        };
        assert_eq!(parts(&["started"]), [1]);
        assert_eq!(parts(&["started", "completed"]), [2]);
    }

    #[test]
    fn who_speaks_in_the_users_name() {
        let author = |content: &str, more: &str| {
            let source =
                [line("assistant", r#"[{"type":"text","text":"x"}]"#, ""), line("user", content, more)].join("\n");
            authors(&read(&FORMAT, &source))[1]
        };
        assert_eq!(author(r#""Mend it.""#, ""), Author::Person);
        assert_eq!(author(r#""Mend it.""#, r#","isReplay":true"#), Author::Person);
        assert_eq!(author(r#""Mend it.""#, r#","isSynthetic":true"#), Author::Harness);
        assert_eq!(author(r#""[Request interrupted by user]""#, ""), Author::Harness);
        assert_eq!(author(r#"[{"type":"tool_result","tool_use_id":"a","content":"r"}]"#, ""), Author::Tool);
        let summary = "\"<prior-conversation-summary>\\nx\\n</prior-conversation-summary>\"";
        assert_eq!(author(summary, r#","isSynthetic":true"#), Author::Summary);
    }

    #[test]
    fn the_summary_is_a_users_message_of_the_stream() {
        for source in [LONG, ARRAY] {
            let out = edited(&FORMAT, source, |transcript, script| {
                let last = transcript.messages.len() - 3;
                let start = transcript.messages[last].record;
                for (at, record) in transcript.records.iter().enumerate().take(start) {
                    script.keep[at] = matches!(record.class, Class::Session(_));
                }
                script.inserts = vec![summary(start, SummaryRole::System, "it")];
            });
            let again = read(&FORMAT, &out);
            assert_eq!(authors(&again)[0], Author::Summary, "{out}");
            let record = json::Json::at(out.as_bytes(), &again.record_of(0).span).and_then(Json::object).unwrap();
            let first = json::Json::at(out.as_bytes(), &again.records[0].span).and_then(Json::object).unwrap();
            assert_eq!(first.text("subtype").as_deref(), Some("init"));
            assert_eq!(record.text("session_id"), first.text("session_id"));
            assert!(record.text("uuid").is_some_and(|id| id.len() == 36) && record.is_true("isSynthetic"));
            assert_eq!((name(&out), again.messages.len()), (ClaudeStream::NAME.to_owned(), 4));
        }
    }

    #[test]
    fn copies_of_results_follow_them() {
        let result = r#"[{"type":"tool_result","tool_use_id":"a","content":"a long tide table"}]"#;
        let call = r#"[{"type":"tool_use","id":"a","name":"Read","input":{}}]"#;
        let copy = r#","tool_use_result":{"stdout":"a long tide table","n":1}"#;
        let source = [line("assistant", call, ""), line("user", result, copy)].join("\n");
        let out = edited(&FORMAT, &source, |transcript, script| {
            stub_results(transcript, script);
            script.ui_copies = UiCopies::Stub;
        });
        assert!(out.contains(r#""content":"<stub />"}]"#) && out.contains(r#"{"stdout":"<stub />","n":1}"#), "{out}");
        let out = edited(&FORMAT, &source, |_, script| script.ui_copies = UiCopies::Drop);
        assert!(!out.contains("tool_use_result") && out.contains("a long tide table"), "{out}");
    }

    #[test]
    fn only_streams_are_detected() {
        let init = r#"{"type":"system","subtype":"init","session_id":"s","apiKeySource":"none","uuid":"u"}"#;
        let text = r#"[{"type":"text","text":"x"}]"#;
        let said = line("assistant", text, r#","parent_tool_use_id":null,"uuid":"u""#);
        assert_eq!(name(&[init, &said].join("\n")), ClaudeStream::NAME);
        assert_eq!(name(&said), ClaudeStream::NAME, "a piece without its head");
        assert_eq!(name(&format!("[\n{init},\n{said}\n]")), ClaudeStream::NAME);
        let stored =
            said.replace("session_id", "sessionId").replace(r#""parent_tool_use_id":null"#, r#""parentUuid":null"#);
        assert_eq!(name(&stored), "claude-code");
    }

    #[test]
    fn a_call_of_cursors_holds_its_result() {
        let init = r#"{"type":"system","subtype":"init","apiKeySource":"login","cwd":"/w","session_id":"s"}"#;
        let call = |subtype: &str, result: &str| {
            format!(
                r#"{{"type":"tool_call","subtype":"{subtype}","call_id":"c","tool_call":{{"shellToolCall":{{"args":{{"command":"moor"}}{result}}}}},"session_id":"s"}}"#
            )
        };
        let result = r#","result":{"success":{"exitCode":0,"stdout":"moored at berth six","stderr":""}}"#;
        let source = [init, &call("started", ""), &call("completed", result)].join("\n");
        assert_eq!(name(&source), ClaudeStream::NAME);
        let transcript = read(&FORMAT, &source);
        let parts = &transcript.messages[0].parts;
        assert!(matches!(&parts[0].kind, PartKind::Call { name, .. } if name == "shell"));
        assert_eq!((&*parts[0].text, &*parts[1].text), (r#"{"command":"moor"}"#, "moored at berth six"));
        assert!(edited(&FORMAT, &source, stub_results).contains(r#""stdout":"<stub />""#));
    }
}
