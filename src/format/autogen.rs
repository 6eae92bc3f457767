//! The format `autogen`: messages and events of AutoGen's AgentChat (0.4 and later) as `model_dump` writes them: in the
//! `messages` of a task's result, as a bare array, or one per line; the messages for a model in the saved state of an
//! agent (`llm_context`, `autogen_core/models/_types.py`); and the saved state of a team (`agent_states`,
//! `autogen_agentchat/state/_states.py`), in which each agent has its own of these, and the manager of the chat its
//! `message_thread`: each is a transcript of its own.
//!
//! Each has a `source`, the agent or user that sent it, and a `type` (microsoft/autogen, `autogen_agentchat/messages.py`).
//! One event makes calls, the next one has their results, with the ids of the calls; the `ToolCallSummaryMessage` behind
//! them tells the other agents what came of them. Pieces of an answer that is told later, and signs that someone is to
//! speak, are nothing that a model reads.

use super::detect::Evidence;
use super::openai;
use super::shared::document;
use super::shared::elements;
use super::shared::held::{Holder, array_at, is_request, messages};
use super::shared::json::{Json, Object, quoted};
use super::shared::new::New;
use super::shared::part_edits;
use super::shared::slot::{arguments, fixed, part, string, within};
use super::shared::synthetic::{self, turns};
use super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use crate::transcript::{
    Author, Class, EditScript, Media, Message, Part, PartKind, Patch, Record, Role, Shape, Status, Traits, Transcript,
    Usage,
};
use std::borrow::Cow;

/// The `autogen` format.
pub(super) struct AutoGen;

/// How its messages are stored.
const MESSAGES: Holder = Holder {
    keys: &["messages", CONTEXT, INNER, THREAD, EARLY, EARLY_INNER],
    system: |_| None,
    is_message,
    is_request: |row| is_request(row) || is_state(row),
    columns: true,
};
/// Where the state of an agent has its messages, and their types.
const CONTEXT: &str = "llm_context.messages";
/// The same in the state of a team's agent, and where the manager of a team has what was said.
const INNER: &str = "agent_state.llm_context.messages";
const THREAD: &str = "message_thread";
/// Where the first versions had them.
const EARLY: &str = "llm_messages";
const EARLY_INNER: &str = "agent_state.llm_messages";
/// The states of the agents of a team, by their names, and these states as elements.
const TEAM: &str = "agent_states";
const STATES: &str = "agent_states.*";
const OF_MODELS: [&str; 4] = [SYSTEM, ASKED, ANSWER, RETURNED];
const SYSTEM: &str = "SystemMessage";
const ASKED: &str = "UserMessage";
const ANSWER: &str = "AssistantMessage";
const RETURNED: &str = "FunctionExecutionResultMessage";

/// Types of what says something to a model; a `StructuredMessage` has the name of its class behind it.
const SAID: [&str; 7] = [
    "TextMessage",
    "MultiModalMessage",
    "StopMessage",
    "HandoffMessage",
    SUMMARY,
    "CodeGenerationEvent",
    "StructuredMessage",
];
const SUMMARY: &str = "ToolCallSummaryMessage";
const CALLS: &str = "ToolCallRequestEvent";
const RESULTS: &str = "ToolCallExecutionEvent";
const THOUGHT: &str = "ThoughtEvent";
const EXECUTED: &str = "CodeExecutionEvent";
/// Types of what a model does not read.
const SHOWN: [&str; 5] = [
    "ModelClientStreamingChunkEvent",
    "UserInputRequestedEvent",
    "SelectSpeakerEvent",
    "SelectorEvent",
    "MemoryQueryEvent",
];

impl Format for AutoGen {
    fn name(&self) -> &'static str {
        "autogen"
    }

    fn layout(&self) -> Layout {
        Layout::PerLine
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        let is_team = sample.fields.as_ref().is_some_and(is_team);
        if is_team { Layout::PerElement(Some(STATES)) } else { MESSAGES.layout(sample) }
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        let tells = |row: &Object<'_>| is_state(row) || is_message(row) && (!is_of(row, &OF_MODELS) || is_sent(row));
        let is_team = sample.fields.as_ref().is_some_and(is_team);
        let found = is_team || MESSAGES.is_told(sample, tells, |row| is_result(row) || is_state(row));
        let why =
            "messages of AutoGen: a `source` and a `type` such as `TextMessage`, or the state of an agent or team"
                .to_owned();
        found.then_some(Evidence::certain(why))
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let traits = || Traits { user_summary: true, ..Traits::default() };
        let mut answered = None;
        let read = MESSAGES.read(source, (options, traits()), &mut |_, value| message(source, value, &mut answered));
        let mut transcript = match read {
            Err(_) if is_state_without_messages(source, options.first_line) => {
                document::opaque(source, options, traits())
            }
            read => read?,
        };
        for record in transcript.records.iter_mut().filter(|record| record.class == Class::Opaque) {
            let fields = Json::at(source, &record.span).and_then(Json::object).unwrap_or_default();
            record.class = if is_of(&fields, &SHOWN) { Class::Ui } else { Class::Opaque };
        }
        MESSAGES.complete_typed(&mut transcript);
        Ok(transcript)
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        // A state without messages has no place for new ones.
        if transcript.messages.is_empty() && is_state_without_messages(transcript.source, 1) {
            return Vec::new();
        }
        let fields = |record: &Record<'_>| Json::at(transcript.source, &record.span).and_then(Json::object);
        let of_models = transcript.records.iter().filter_map(fields).any(|fields| is_of(&fields, &OF_MODELS));
        let new = New::all(script, |insert| {
            turns(&insert.kind).into_iter().map(|(role, text)| match of_models {
                true => new_for_model(role, text),
                false => new_message(role, text),
            })
        });
        MESSAGES.places(transcript).render(transcript, script, (new, "content", &part_edits::replacement))
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        openai::faults_of_typed(transcript)
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        openai::mend(transcript, faults, script);
        Vec::new()
    }
}

/// Whether an object has one of these types.
fn is_of(fields: &Object<'_>, kinds: &[&str]) -> bool {
    fields.text("type").is_some_and(|kind| kinds.contains(&kind.split('[').next().unwrap_or_default()))
}

/// Whether an object is a message or an event.
fn is_message(record: &Object<'_>) -> bool {
    let known = is_of(record, &SAID) || is_of(record, &SHOWN) || is_of(record, &[CALLS, RESULTS, THOUGHT, EXECUTED]);
    known && record.text("source").is_some() || is_of(record, &OF_MODELS) && record.has("content")
}

/// Whether an object is a message of a user to a model, with its sender.
fn is_sent(message: &Object<'_>) -> bool {
    is_of(message, &[ASKED]) && message.text("source").is_some()
}

/// Whether an object is the state of an agent, alone or in a team, or of the manager of a team.
fn is_state(row: &Object<'_>) -> bool {
    let paths = [CONTEXT, INNER, THREAD, EARLY, EARLY_INNER];
    let all = paths.iter().find_map(|path| array_at(row, path)).unwrap_or_default();
    let known = all.iter().filter_map(|value| value.object()).filter(is_message).count();
    !all.is_empty() && 2 * known >= all.len()
}

/// Whether an object is the state of a team, of which at least one agent has messages.
fn is_team(row: &Object<'_>) -> bool {
    let states = row.object(TEAM).unwrap_or_default();
    states.fields().iter().filter_map(|(_, state)| state.object()).any(|state| is_state(&state))
}

/// Whether a source is one object without anything where messages would be, as the state of a user, or of an agent of
/// another class: what it holds is unknown, and stays.
fn is_state_without_messages(source: &[u8], first_line: usize) -> bool {
    let whole = elements::document(source, first_line).ok();
    let Some(fields) = whole.and_then(Json::object) else { return false };
    !is_message(&fields) && !MESSAGES.keys.iter().any(|path| holds_at(&fields, path))
}

/// Whether there is a value, other than `null`, at a path of keys.
fn holds_at(fields: &Object<'_>, path: &str) -> bool {
    match path.split_once('.') {
        Some((outer, inner)) => fields.object(outer).is_some_and(|fields| holds_at(&fields, inner)),
        None => fields.get(path).is_some_and(|value| !value.is_null()),
    }
}

/// Whether an object is a result of a task; its last message may be cut off.
fn is_result(row: &Object<'_>) -> bool {
    let messages = messages(row);
    !messages.is_empty() && 2 * messages.iter().filter(|message| is_message(message)).count() >= messages.len()
}

/// Reads a message; `answered` is the newest call that was answered, to which the summary of its result belongs.
fn message<'a>(source: &[u8], value: Json<'a>, answered: &mut Option<Cow<'a, str>>) -> Option<Message<'a>> {
    let fields = value.object().filter(is_message)?;
    let kind = fields.text("type")?;
    let told = |content: &'static str| fields.get(content).map(|content| said(source, content)).unwrap_or_default();
    let inside = || fields.array("content").unwrap_or_default().into_iter();
    let parts: Vec<_> = match &*kind {
        CALLS => inside().map(|value| call(source, value)).collect(),
        RESULTS | RETURNED => inside().map(|value| result(source, value)).collect(),
        ANSWER => answer(source, &fields),
        THOUGHT => told("content").into_iter().map(thought).collect(),
        EXECUTED => told("result"),
        _ if is_of(&fields, &SAID) || is_of(&fields, &OF_MODELS) => told("content"),
        _ => return None,
    };
    let is_users = is_users(&fields);
    let (role, author) = match &*kind {
        RESULTS | RETURNED => (Role::Tool, Author::Tool),
        EXECUTED => (Role::User, Author::Harness),
        SYSTEM => (Role::System, Author::System),
        ANSWER => (Role::Assistant, Author::Model),
        _ if is_users => (Role::User, synthetic::user_author(&parts)),
        // What another agent says is a user's message to the model.
        _ if is_of(&fields, &OF_MODELS) => (Role::User, Author::Harness),
        _ => (Role::Assistant, Author::Model),
    };
    if let Some(id) = parts.iter().rev().find_map(|part| part.kind.call()).filter(|_| kind == RESULTS) {
        *answered = Some(Cow::Owned(id.to_owned()));
    }
    let belongs_to = answered.clone().filter(|_| kind == SUMMARY);
    let usage = fields.object("models_usage").and_then(|usage| openai::usage(&usage)).filter(has_tokens);
    let timestamp = fields.text("created_at");
    Some(Message { role, author, parts, belongs_to, usage, timestamp, ..Message::default() })
}

/// Whether a message is a user's: no model was paid for it, and its agent is called like AutoGen's for users.
fn is_users(fields: &Object<'_>) -> bool {
    let answered = fields.get("models_usage").is_some_and(Json::holds_something);
    let name = fields.text("source").unwrap_or_default().to_ascii_lowercase();
    let words: Vec<_> = name.split(|char: char| !char.is_ascii_alphabetic()).filter(|word| !word.is_empty()).collect();
    let called = words == ["user"] || words.windows(2).any(|two| two == ["user", "proxy"]);
    !answered && (called || words.iter().any(|word| matches!(*word, "userproxy" | "userproxyagent")))
}

fn has_tokens(usage: &Usage) -> bool {
    usage.total().0 > 0
}

/// What a message says: a text, a list of texts and pictures, or an object of some class.
fn said<'a>(source: &[u8], content: Json<'a>) -> Vec<Part<'a>> {
    let element = |value: Json<'a>| match value.is_string() {
        true => part(PartKind::Text, value.spelled(), string(source, value)),
        false => part(PartKind::Media(Media::Image), Cow::default(), fixed(source, value)),
    };
    content.array().map_or_else(|| openai::parts(source, content), |all| all.into_iter().map(element).collect())
}

/// What a model answered: its thought, and its words or calls.
fn answer<'a>(source: &[u8], fields: &Object<'a>) -> Vec<Part<'a>> {
    let thoughts = fields.get("thought").filter(|thought| thought.says());
    let mut parts: Vec<_> =
        thoughts.into_iter().map(|it| thought(part(PartKind::Text, it.spelled(), fixed(source, it)))).collect();
    match fields.array("content") {
        Some(calls) => parts.extend(calls.into_iter().map(|value| call(source, value))),
        None => parts.extend(fields.get("content").map(|content| said(source, content)).unwrap_or_default()),
    }
    parts
}

fn thought(said: Part<'_>) -> Part<'_> {
    Part { kind: PartKind::Reasoning { signed: false }, ..said }
}

fn call<'a>(source: &[u8], value: Json<'a>) -> Part<'a> {
    let fields = value.object().unwrap_or_default();
    let text = |key: &str| fields.text(key).unwrap_or_default();
    let kind = PartKind::Call { id: text("id"), name: text("name") };
    part(kind, text("arguments"), arguments(source, value, fields.get("arguments")))
}

fn result<'a>(source: &[u8], value: Json<'a>) -> Part<'a> {
    let fields = value.object().unwrap_or_default();
    let content = fields.get("content").filter(|content| content.is_string());
    let text = content.map(Json::spelled).unwrap_or_default();
    let error = fields.is_true("is_error");
    let (id, tool) = (fields.text("call_id").unwrap_or_default(), fields.text("name"));
    let kind = PartKind::Result { id, tool, error, pruned: synthetic::is_stub(&text), media: Vec::new() };
    let slot = within(source, value, content.map(|content| (content, Shape::Text)));
    Part { status: fields.status_by_flag("is_error").filter(|it| *it == Status::Unflagged), ..part(kind, text, slot) }
}

/// The JSON of a new message.
fn new_message(role: Role, text: &str) -> String {
    let source = if role == Role::Assistant { "assistant" } else { "user" };
    let text = quoted(text);
    format!(r#"{{"source":"{source}","models_usage":null,"metadata":{{}},"content":{text},"type":"TextMessage"}}"#)
}

/// The JSON of a new message for a model.
fn new_for_model(role: Role, text: &str) -> String {
    let text = quoted(text);
    match role {
        Role::System => format!(r#"{{"content":{text},"type":"{SYSTEM}"}}"#),
        Role::Assistant => format!(r#"{{"content":{text},"thought":null,"source":"assistant","type":"{ANSWER}"}}"#),
        Role::User | Role::Tool => format!(r#"{{"content":{text},"source":"user","type":"UserMessage"}}"#),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::tests::support::{
        all_ways, authors, continuation, detected, edited, faults, read, stub_results, summary,
    };
    use super::*;
    use crate::reason::Reason;
    use crate::transcript::{SummaryRole, units};

    const FORMAT: AutoGen = AutoGen;
    const SAMPLE: &str = include_str!("../../samples/autogen/salt-works-result.json");
    const REQUEST: &str = r#"{"messages":MESSAGES,"stop_reason":null}"#;
    const ASKED: &str = r#"{"source":"user","content":"old","type":"TextMessage"}"#;
    const CALL: &str = r#"{"source":"clerk","content":[{"id":"a","arguments":"{\"p\": 1}","name":"f"}],"type":"ToolCallRequestEvent"}"#;
    const RESULT: &str = r#"{"source":"clerk","content":[{"content":"long","name":"f","call_id":"a","is_error":true}],"type":"ToolCallExecutionEvent"}"#;
    const ANSWER: &str = r#"{"source":"clerk","content":"x","type":"TextMessage"}"#;

    #[test]
    fn what_came_of_calls_may_repeat_them() {
        let told = r#"{"source":"clerk","content":"long","type":"ToolCallSummaryMessage","tool_calls":[{"id":"a","arguments":"{\"p\": 1}","name":"f"}],"results":[{"content":"long","name":"f","call_id":"a","is_error":true}]}"#;
        let source = REQUEST.replace("MESSAGES", &format!("[{ASKED},{CALL},{RESULT},{told}]"));
        assert_eq!(read(&FORMAT, &source).messages.len(), 4);
    }

    #[test]
    fn messages_are_read_however_they_are_stored() {
        assert_eq!((detected(SAMPLE), edited(&FORMAT, SAMPLE, |_, _| {})), (Ok("autogen"), SAMPLE.to_owned()));
        let transcript = read(&FORMAT, SAMPLE);
        assert_eq!((faults(&FORMAT, SAMPLE), crate::check::faults(&transcript)), (vec![], vec![]));
        use Author::{Model, Person, Tool};
        assert_eq!(authors(&transcript)[..6], [Person, Model, Model, Tool, Model, Model]);
        for source in all_ways(&[ASKED, CALL, RESULT, ANSWER], &[REQUEST]) {
            let transcript = read(&FORMAT, &source);
            assert_eq!((detected(&source), authors(&transcript)), (Ok("autogen"), vec![Person, Model, Tool, Model]));
            let kind = &transcript.messages[2].parts[0].kind;
            assert!(matches!(kind, PartKind::Result { error: true, tool: Some(tool), .. } if tool == "f"));
        }
    }

    #[test]
    fn the_state_of_an_agent_holds_messages_for_its_model() {
        let all = [
            r#"{"content":"old","source":"user","type":"UserMessage"}"#,
            r#"{"content":[{"id":"a","arguments":"{\"p\": 1}","name":"f"}],"thought":"look","source":"clerk","type":"AssistantMessage"}"#,
            r#"{"content":[{"content":"long","name":"f","call_id":"a","is_error":false}],"type":"FunctionExecutionResultMessage"}"#,
            r#"{"content":"x","thought":null,"source":"clerk","type":"AssistantMessage"}"#,
            r#"{"content":"y","source":"miller","type":"UserMessage"}"#,
        ];
        let source =
            format!(r#"{{"type":"AssistantAgentState","llm_context":{{"messages":[{}]}},"n":1.0}}"#, all.join(","));
        assert_eq!((detected(&source), edited(&FORMAT, &source, |_, _| {})), (Ok("autogen"), source.clone()));
        let transcript = read(&FORMAT, &source);
        use Author::{Harness, Model, Person, Tool};
        assert_eq!(authors(&transcript), [Person, Model, Tool, Model, Harness]);
        assert_eq!(transcript.messages[1].parts[0].kind, PartKind::Reasoning { signed: false });
        assert_eq!(faults(&FORMAT, &source), []);
        let out = edited(&FORMAT, &source, |transcript, script| {
            script.keep[0] = false;
            script.inserts = vec![summary(1, SummaryRole::Auto, "it")];
            stub_results(transcript, script);
        });
        let new = r#"{"content":"<prior-conversation-summary>\nit\n</prior-conversation-summary>","source":"user","type":"UserMessage"}"#;
        assert_eq!(out, source.replace(all[0], new).replace("\"long\"", "\"<stub />\""));
    }

    #[test]
    fn recorded_calls_of_a_model_are_rows_of_messages() {
        let row = r#"{"mode":"create","messages":[{"content":"Be short.","type":"SystemMessage"},{"content":["Light","the lamp."],"source":"User","type":"UserMessage"}],"response":{"content":"Lit."}}"#;
        for source in [format!("[{row},{row}]"), format!("{row}\n{row}\n"), row.to_owned()] {
            assert_eq!(detected(&source), Ok("autogen"), "{source}");
        }
        assert_eq!(authors(&read(&FORMAT, row)), [Author::System, Author::Person]);
    }

    #[test]
    fn the_state_of_a_team_holds_a_transcript_for_each_agent() {
        let said = r#"{"content":"old","source":"user","type":"UserMessage"},{"content":"x","thought":null,"source":"clerk","type":"AssistantMessage"}"#;
        let agent = format!(
            r#"{{"type":"ChatAgentContainerState","version":"1.0.0","agent_state":{{"type":"AssistantAgentState","llm_context":{{"messages":[{said}]}}}},"message_buffer":[]}}"#
        );
        let person = r#"{"type":"ChatAgentContainerState","agent_state":{"type":"BaseState"},"message_buffer":[]}"#;
        let manager =
            format!(r#"{{"type":"RoundRobinManagerState","message_thread":[{ASKED},{ANSWER}],"current_turn":2}}"#);
        let team =
            format!(r#"{{"type":"TeamState","agent_states":{{"clerk":{agent},"me":{person},"Manager":{manager}}}}}"#);
        let found = super::super::detect(team.as_bytes()).unwrap();
        assert_eq!((found.name, found.layout), ("autogen", Layout::PerElement(Some(STATES))));
        use Author::{Model, Person};
        let all = super::super::elements(team.as_bytes(), Some(STATES)).unwrap();
        let all: Vec<_> = all.into_iter().map(|element| authors(&read(&FORMAT, &team[element.span]))).collect();
        assert_eq!(all, [vec![Person, Model], vec![], vec![Person, Model]]);
        let summed = |source: &str| {
            edited(&FORMAT, source, |_, script| {
                script.keep[0] = false;
                script.inserts = vec![summary(1, SummaryRole::Auto, "it")];
            })
        };
        assert!(summed(&agent).contains(r#""llm_context":{"messages":[{"content":"<prior"#));
        assert!(summed(&manager).contains(r#""message_thread":[{"source":"user","models_usage":null"#));
        let snapshot = r#"{"agent_states":{"clerk":{"status":"idle"}}}"#;
        assert!(detected(snapshot).is_err());
    }

    #[test]
    fn a_state_without_messages_is_kept_whatever_it_is() {
        for state in ["{}", r#"{"type":"TideState","notes":[{"at":6}]}"#, r#"{"agent_state":{},"message_buffer":[]}"#] {
            let transcript = read(&FORMAT, state);
            let classes: Vec<_> = transcript.records.iter().map(|record| record.class.clone()).collect();
            assert_eq!((transcript.messages.len(), classes), (0, vec![Class::Opaque]), "{state}");
            let spread = state.replace(',', ",\n").replace('{', "{\n");
            let out = edited(&FORMAT, &spread, |_, script| {
                script.keep[0] = false;
                script.inserts = vec![summary(1, SummaryRole::Auto, "it")];
            });
            assert_eq!(out, spread);
        }
        for odd in ["7", r#"{"messages":7}"#, r#"{"type":"TideState","llm_context":{"messages":{"a":1}}}"#] {
            assert!(FORMAT.read(odd.as_bytes(), ReadOptions::default()).is_err(), "{odd}");
        }
        let said = r#"[{"content":"old","source":"user","type":"UserMessage"},{"content":"x","source":"clerk","type":"AssistantMessage"}]"#;
        let early = format!(r#"{{"type":"AssistantAgentState","version":"1.0.0","llm_messages":{said}}}"#);
        let inner = format!(r#"{{"type":"ChatAgentContainerState","agent_state":{early},"message_buffer":[]}}"#);
        for state in [&early, &inner] {
            assert_eq!(authors(&read(&FORMAT, state)), [Author::Person, Author::Model]);
            let team = format!(r#"{{"agent_states":{{"clerk":{state},"me":{{}}}}}}"#);
            assert_eq!(detected(&team), Ok("autogen"));
        }
    }

    #[test]
    fn what_came_of_calls_is_not_parted_from_them() {
        let transcript = read(&FORMAT, SAMPLE);
        let first = units(&transcript, |_, _| true).into_iter().find(|unit| unit.messages.contains(&2)).unwrap();
        assert_eq!(first.messages, [2, 3, 4], "the calls, their results, and what tells of them");
        let ui = transcript.records.iter().filter(|record| record.class == Class::Ui).count();
        assert_eq!(ui, 2, "pieces of an answer and a request for input");
    }

    #[test]
    fn the_head_becomes_a_users_message_and_results_are_stubs() {
        for source in all_ways(&[ASKED, CALL, RESULT, ANSWER], &[REQUEST]) {
            let out = edited(&FORMAT, &source, |transcript, script| {
                script.keep[0] = false;
                script.inserts = vec![summary(1, SummaryRole::Auto, "it"), continuation(4)];
                stub_results(transcript, script);
            });
            let head = r#"{"source":"user","models_usage":null,"metadata":{},"content":"<prior"#;
            assert!(out.contains(head) && out.contains(CALL) && out.contains(ANSWER), "{out}");
            assert!(out.contains(&RESULT.replace("long", "<stub />")), "{out}");
            assert_eq!((faults(&FORMAT, &out), detected(&out)), (vec![], Ok("autogen")));
            use Author::{Continuation, Model, Summary, Tool};
            assert_eq!(authors(&read(&FORMAT, &out)), [Summary, Model, Tool, Model, Continuation]);
        }
    }

    #[test]
    fn calls_and_results_go_one_by_one() {
        let two = CALL.replace("}]", r#"},{"id":"b","arguments":"{}","name":"g"}]"#);
        assert_eq!(faults(&FORMAT, &format!("[{two},{RESULT},{ANSWER}]")), [("unanswered_call", "b".to_owned())]);
        let source = format!("[{two},{RESULT},{ANSWER}]");
        let out = edited(&FORMAT, &source, |_, script| {
            let change = crate::transcript::Change::Remove;
            script.parts = vec![crate::transcript::PartEdit { message: 0, part: 1, change }];
        });
        assert_eq!(out, format!("[{CALL},{RESULT},{ANSWER}]"));
    }

    #[test]
    fn a_message_of_an_unknown_class_holds_the_others() {
        let odd = r#"{"source":"clerk","content":"The quay is full.","type":"QuayMessage"}"#;
        let source = format!("[{ASKED},{odd},{ANSWER}]");
        assert_eq!(read(&FORMAT, &source).traits.fixed, Some(Reason::UnknownSpeaker));
        assert_eq!(faults(&FORMAT, &source), [("unknown_speaker", "QuayMessage".to_owned())]);
    }

    #[test]
    fn a_result_with_a_message_that_is_cut_off_or_unknown_is_one() {
        let odd = r#"{"source":"clerk","content":"The quay is full.","type":"QuayMessage"}"#;
        let cut = REQUEST.replace("MESSAGES", &format!("[{ASKED},{ANSWER},{{\"source\":\"clerk\"}}]"));
        let unknown = REQUEST.replace("MESSAGES", &format!("[{ASKED},{odd},{ANSWER}]"));
        assert_eq!([detected(&cut), detected(&unknown)], [Ok("autogen"), Ok("autogen")]);
        assert_eq!(read(&FORMAT, &unknown).traits.fixed, Some(Reason::UnknownSpeaker));
        let role = format!("[{ASKED},{ANSWER},{}]", odd.replace("QuayMessage", "assistant"));
        assert_eq!(faults(&FORMAT, &role), [("unknown_speaker", "assistant".to_owned())]);
    }

    #[test]
    fn users_are_known_by_the_whole_name_and_cost_nothing() {
        let author = |name: &str, usage: &str| {
            let said = ASKED.replace(r#""source":"user""#, &format!(r#""models_usage":{usage},"source":"{name}""#));
            authors(&read(&FORMAT, &format!("[{said},{ANSWER}]")))[0]
        };
        for name in ["user", "User", "user_2", "user_proxy", "UserProxy", "web_user_proxy_1"] {
            assert_eq!(author(name, "null"), Author::Person, "{name}");
        }
        for name in ["userland_clerk", "user_researcher", "superuser"] {
            assert_eq!(author(name, "null"), Author::Model, "{name}");
        }
        assert_eq!(author("user", r#"{"prompt_tokens":3,"completion_tokens":4}"#), Author::Model);
    }

    #[test]
    fn a_stream_that_ends_in_its_result_stays() {
        let lines = format!("{ASKED}\n{ANSWER}\n");
        let all = REQUEST.replace("MESSAGES", &format!("[{ASKED},{ANSWER}]"));
        assert_eq!(read(&FORMAT, &lines).traits.fixed, None);
        assert_eq!(read(&FORMAT, &format!("{lines}{all}\n")).traits.fixed, Some(Reason::ConversationTwice));
    }

    #[test]
    fn events_of_others_are_none() {
        let event = r#"{"type":"Event","x":1}"#;
        assert_ne!(detected(&format!("{ASKED}\n{event}\n{event}\n")), Ok("autogen"));
        assert_ne!(detected(r#"{"source":"user","type":"message","content":"u"}"#), Ok("autogen"));
        assert_ne!(detected(r#"{"messages":[{"role":"user","content":"u"}]}"#), Ok("autogen"));
        assert_ne!(detected(r#"{"messages":[]}"#), Ok("autogen"));
    }
}
