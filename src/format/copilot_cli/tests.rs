//! Sessions: reading, compaction, and validity rules.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::super::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
use super::CopilotCli;
use crate::format::shared::json::{Json, Object};
use crate::transcript::{
    Author, Change, Class, EditScript, PartEdit, PartKind, SummaryRole, Transcript, UiCopies, units,
};

const TURNS: &str = include_str!("../../../samples/copilot-cli/two-files-at-once-and-a-subagent.jsonl");
const COMPACTED: &str = include_str!("../../../samples/copilot-cli/compacted-while-it-worked.jsonl");

/// The cut that a compaction would make before the message with this text.
fn cut(transcript: &Transcript<'_>, script: &mut EditScript, words: &str) {
    let start = transcript.messages.iter().find(|message| message.text() == words).unwrap().record;
    let keeps = |at: usize| match transcript.records[at].class {
        Class::Opaque | Class::Session(_) => true,
        Class::Message(message) if transcript.messages[message].author == Author::System => true,
        Class::Boundary => false,
        Class::Sidechain(Some(message)) => transcript.messages[message].record >= start,
        _ => at >= start,
    };
    let owner = |at: usize| if let Class::With(owner) = transcript.records[at].class { owner } else { at };
    script.keep = (0..transcript.records.len()).map(|at| keeps(owner(at))).collect();
    script.inserts = vec![summary(start, SummaryRole::System, "it\u{2028}is"), continuation(transcript.records.len())];
}

fn object(line: &str) -> Object<'_> {
    Json::parse(line).unwrap().object().unwrap()
}

fn event(kind: &str, id: &str, parent: &str, data: &str) -> String {
    format!(r#"{{"type":"{kind}","data":{data},"id":"{id}","timestamp":"t","parentId":{parent}}}"#)
}

fn session(events: &[String]) -> String {
    let start = event("session.start", "s", "null", r#"{"sessionId":"x","version":1}"#);
    [&[start], events].concat().join("\n")
}

#[test]
fn a_session_is_read_and_comes_back_as_it_was() {
    for source in [TURNS, COMPACTED] {
        assert_eq!(edited(&CopilotCli, source, |_, _| {}), source);
        assert_eq!(faults(&CopilotCli, source), []);
        assert_eq!(crate::check::faults(&read(&CopilotCli, source)), []);
        assert_eq!(super::super::detect(source.as_bytes()).unwrap().name, "copilot-cli");
    }
    use Author::{Model, Person, System, Tool};
    let transcript = read(&CopilotCli, TURNS);
    assert_eq!(authors(&transcript)[..8], [System, Person, Model, Tool, Tool, Model, Tool, Model]);
    assert_eq!(units(&transcript, |_, _| true)[2].messages, [2, 3, 4]);
    let kinds: Vec<_> = transcript.messages[2].parts.iter().map(|part| part.kind.name()).collect();
    assert_eq!(kinds, ["reasoning", "text", "tool_call", "tool_call"]);
}

#[test]
fn a_second_header_with_another_id_begins_another_session() {
    let other = |kind: &str, id: &str| {
        let next = event(kind, "t", "null", &format!(r#"{{"sessionId":"{id}","version":1}}"#));
        read(&CopilotCli, &session(&[next])).traits.other_session
    };
    assert_eq!(other("session.start", "y"), Some(1));
    assert_eq!(other("session.start", "x"), None, "a repeated header");
    assert_eq!(other("session.resume", "y"), None);
}

#[test]
fn a_person_said_the_words_and_the_model_reads_the_wrapping_too() {
    let transcript = read(&CopilotCli, TURNS);
    let asked = &transcript.messages[1];
    assert!(asked.text().starts_with("The tide table for Hörnum") && asked.text().ends_with("as it is."));
    assert_eq!(asked.parts[1].kind, PartKind::Opaque);
    assert!(asked.parts[1].text.starts_with("<current_datetime>") && asked.parts[1].text.contains("system_reminder"));
    let injected = session(&[
        event("user.message", "a", "\"s\"", r#"{"content":"text of a skill","source":"skill-pdf"}"#),
        event("user.message", "b", "\"a\"", r#"{"content":"u","transformedContent":"other words"}"#),
    ]);
    let transcript = read(&CopilotCli, &injected);
    assert_eq!(authors(&transcript), [Author::Harness, Author::Person]);
    assert_eq!(transcript.messages[1].text(), "other words");
}

#[test]
fn events_belong_to_their_calls_turns_and_hooks() {
    let transcript = read(&CopilotCli, TURNS);
    let class = |kind: &str, nth: usize| {
        let of_kind = |line: &&str| object(line).is("type", kind);
        let at = TURNS.lines().position(|line| TURNS.lines().filter(of_kind).nth(nth) == Some(line)).unwrap();
        (at, transcript.records[at].class.clone())
    };
    let answer = transcript.messages[2].record;
    for kind in ["assistant.turn_start", "tool.execution_start", "assistant.turn_end"] {
        assert_eq!(class(kind, 0).1, Class::With(answer), "{kind}");
    }
    assert_eq!(class("hook.end", 0).1, Class::With(class("hook.start", 0).0));
    assert_eq!(class("subagent.started", 0).1, Class::With(transcript.messages[5].record));
    assert_eq!(class("subagent.started", 0).0 + 1, transcript.records.iter().position(is_side).unwrap());
    assert_eq!(class("system.message", 1).1, Class::Ui, "the prompt was logged again");
    assert_eq!(class("session.shutdown", 0).1, Class::Opaque);
}

fn is_side(record: &crate::transcript::Record<'_>) -> bool {
    record.class == Class::Sidechain(Some(5))
}

#[test]
fn the_chain_of_parents_closes_over_what_went() {
    let out = edited(&CopilotCli, TURNS, |transcript, script| {
        cut(transcript, script, "A bracket is left over; I fix that and run the tests again.");
    });
    let lines: Vec<_> = out.lines().map(object).collect();
    assert!(lines.windows(2).all(|pair| pair[1].text("parentId") == pair[0].text("id")));
    let kinds: Vec<_> = lines.iter().map(|line| line.text("type").unwrap().into_owned()).collect();
    let turn = ["user.message", "assistant.turn_start", "assistant.message"];
    assert_eq!(kinds[3..6], turn, "the summary stands before the turn");
    assert_eq!(kinds.last().unwrap(), "user.message");
    assert!(out.contains(r"it\u2028is") && !out.contains('\u{2028}'));
    let data = lines[3].object("data").unwrap();
    assert_eq!(data.text("content"), data.text("transformedContent"));
    assert_eq!(lines[3].text("timestamp"), lines[4].text("timestamp"));
    assert_eq!(faults(&CopilotCli, &out), []);
    use Author::{Continuation, Model, Summary, System, Tool};
    let again = read(&CopilotCli, &out);
    assert_eq!(authors(&again)[..4], [System, Summary, Model, Tool]);
    assert_eq!(*authors(&again).last().unwrap(), Continuation);
}

#[test]
fn what_came_while_a_compaction_ran_is_still_loaded() {
    let transcript = read(&CopilotCli, COMPACTED);
    let summary = transcript.messages.iter().position(|message| message.author == Author::Summary).unwrap();
    assert!(transcript.messages[summary].text().starts_with("<overview>"));
    let live: Vec<_> = transcript.messages[..summary].iter().map(|message| message.live).collect();
    assert_eq!(live, [true, false, false, false, true, true]);
    let start = transcript.traits.kept_from.unwrap() - 1;
    assert_eq!(transcript.records[start].class, Class::Boundary);
    let out = edited(&CopilotCli, COMPACTED, |transcript, script| cut(transcript, script, "Now the tests."));
    assert!(!out.contains("session.compaction") && !out.contains("<overview>"), "{out}");
    assert_eq!((faults(&CopilotCli, &out), read(&CopilotCli, &out).traits.kept_from), (vec![], None));
    let failed = COMPACTED.replace(r#""success":true,"preC"#, r#""success":false,"preC"#);
    assert!(read(&CopilotCli, &failed).messages.iter().all(|message| message.live));
}

#[test]
fn a_cleared_context_is_a_boundary() {
    let source = session(&[
        event("user.message", "a", "\"s\"", r#"{"content":"old"}"#),
        event("session.context_cleared", "b", "\"a\"", r#"{"messagesCleared":1}"#),
        event("user.message", "c", "\"b\"", r#"{"content":"new"}"#),
    ]);
    let transcript = read(&CopilotCli, &source);
    assert_eq!(transcript.records[2].class, Class::Boundary);
    assert_eq!(transcript.messages.iter().map(|message| message.live).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn copies_follow_their_result() {
    let stubbed = edited(&CopilotCli, TURNS, |transcript, script| {
        script.ui_copies = UiCopies::Stub;
        stub_results(transcript, script);
    });
    assert!(stubbed.contains(r#""result":{"content":"<stub />","detailedContent":"<stub />"}"#));
    assert!(stubbed.contains(r#""textResultForLlm":"<stub />","sessionLog":"<stub />""#));
    assert!(stubbed.contains(r#""error":{"message":"<stub />","code":"failure"}"#));
    assert!(!stubbed.contains("Höhe") && faults(&CopilotCli, &stubbed).is_empty());
    let dropped = edited(&CopilotCli, TURNS, |_, script| script.ui_copies = UiCopies::Drop);
    assert!(!dropped.contains("detailedContent") && !dropped.contains("toolTelemetry"));
    assert_eq!(read(&CopilotCli, &dropped).messages.len(), read(&CopilotCli, TURNS).messages.len());
}

#[test]
fn reasoning_and_media_go_with_their_fields() {
    let remove = |message, part| PartEdit { message, part, change: Change::Remove };
    let out = edited(&CopilotCli, TURNS, |_, script| script.parts = vec![remove(2, 0)]);
    assert!(!out.contains("reasoningText") && !out.contains("reasoningOpaque"));
    let out = edited(&CopilotCli, COMPACTED, |transcript, script| {
        let last = transcript.messages.len() - 1;
        let media = transcript.messages[last].parts.iter().position(|part| part.is_media());
        script.parts = vec![remove(last, media.unwrap())];
    });
    assert!(out.contains(r#""attachments":[],"interactionId""#) && !out.contains("iVBORw0KGgo="));
}

#[test]
fn rules_of_a_session() {
    let rules = |text: &str| faults(&CopilotCli, text).into_iter().map(|fault| fault.0).collect::<Vec<_>>();
    let user = |id: &str, parent: &str| event("user.message", id, parent, r#"{"content":"u"}"#);
    assert_eq!(rules(&session(&[user("a", "\"s\""), user("b", "\"a\"")])), [""; 0]);
    assert_eq!(rules(&user("a", "null")), ["no_header"]);
    assert_eq!(rules(&session(&[user("a", "\"x\"")])), ["dangling_parent"]);
    assert_eq!(rules(&session(&[user("a", "\"s\""), user("a", "\"s\"")])), ["duplicate_id"]);
    assert_eq!(rules(&session(&[user("a", "\"b\""), user("b", "\"a\"")])), ["parent_cycle"]);
}

#[test]
fn a_telemetry_line_with_a_dotted_type_is_no_event() {
    let line = r#"{"type":"tool.start","data":{"name":"f"},"sessionKey":"k"}"#;
    let found = super::super::detect([line; 3].join("\n").as_bytes());
    assert!(found.is_ok_and(|found| found.name == "openclaw-telemetry"));
    assert!(super::super::detect(br#"{"type":"session.x","data":{"a":1}}"#).is_err());
}
