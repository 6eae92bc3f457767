//! Events of the SDK: kinds, reasoning, the tree, several summaries in force.

use super::super::OpenHands;
use super::{LINES, TREE, array, compacted, live};
use crate::format::shared::json::Json;
use crate::format::tests::support::{authors, edited, faults, read};
use crate::reason::Reason;
use crate::transcript::{Author, Change, Class, PartEdit, PartKind};

#[test]
fn kinds_of_the_sdk_are_known() {
    use Author::{Model, Person, System, Tool};
    let transcript = read(&OpenHands, LINES);
    assert_eq!(authors(&transcript)[..6], [System, Person, Model, Model, Tool, Tool]);
    assert_eq!(transcript.messages[1].parts.len(), 2, "what the context adds is read, too");
    assert_eq!(transcript.records[1].class, Class::Session("execution_status".into()));
    let errors = transcript.messages.iter().flat_map(|message| &message.parts);
    let errors = errors.filter(|part| matches!(part.kind, PartKind::Result { error: true, .. }));
    assert_eq!(errors.map(|part| &*part.text).collect::<Vec<_>>(), ["Error: no such file /workspace/hives/dash.py"]);
    assert!(transcript.records.iter().any(|record| record.class == Class::Place), "a pause");
    let hook = r#"{"id":"h","source":"hook","action_id":"a","kind":"HookExecutionEvent"}"#;
    let source = format!(
        "{{\"id\":\"a\",\"source\":\"agent\",\"tool_call\":{{\"id\":\"c\",\"name\":\"f\"}},\"kind\":\"ActionEvent\"}}\n{hook}\n"
    );
    assert_eq!(read(&OpenHands, &source).records[1].class, Class::With(0));
}

#[test]
fn reasoning_is_read_once_and_may_go() {
    let action = r#"{"id":"a","source":"agent","thought":[],"reasoning_content":"why","thinking_blocks":[{"type":"thinking","thinking":"why","signature":"s"},{"type":"redacted_thinking","data":"d"}],"responses_reasoning_item":null,"kind":"ActionEvent"}"#;
    let transcript = read(&OpenHands, action);
    let texts: Vec<_> = transcript.messages[0].parts.iter().map(|part| (&*part.text, part.kind.clone())).collect();
    let signed = PartKind::Reasoning { signed: true };
    assert_eq!(texts, [("why", signed.clone()), ("", signed)]);
    let remove = |source: &str| {
        edited(&OpenHands, source, |transcript, script| {
            let parts = 0..transcript.messages[0].parts.len();
            script.parts = parts.map(|part| PartEdit { message: 0, part, change: Change::Remove }).collect();
        })
    };
    assert!(remove(action).contains(r#""thinking_blocks":[],"#));
    let plain = r#"{"id":"a","source":"agent","reasoning_content":"why","responses_reasoning_item":{"summary":["s"]},"kind":"ActionEvent"}"#;
    assert!(remove(plain).contains(r#""reasoning_content":null,"responses_reasoning_item":null,"#));
    let image = array(&[r#""source":"user","action":"message","args":{"content":"","image_urls":["data:x"]}"#]);
    assert!(remove(&image).contains(r#""image_urls":[]"#));
}

#[test]
fn a_branch_that_was_left_is_no_part_of_the_story() {
    let transcript = read(&OpenHands, TREE);
    let gone: Vec<_> = transcript.messages.iter().filter(|message| message.abandoned).map(|m| m.author).collect();
    assert_eq!(gone, [Author::Model, Author::Tool]);
    let told = live(TREE);
    assert_eq!(told[..4], ["You are Open", "Write a comm", "No Perl, ple", "Python it is"]);
}

#[test]
fn an_event_is_linked_to_the_nearest_that_stays() {
    let out = compacted(TREE, "Sort the list");
    assert_eq!(faults(&OpenHands, &out), []);
    let events: Vec<_> = out.lines().map(|line| Json::parse(line).unwrap().object().unwrap()).collect();
    let nodes = events.iter().filter(|event| event.text("kind").unwrap() != "ConversationStateUpdateEvent");
    let nodes: Vec<_> = nodes.collect();
    for (node, next) in nodes.iter().zip(&nodes[1..]) {
        assert_eq!(next.text("parent_id"), node.text("id"));
    }
    let condensation = nodes[nodes.len() - 2];
    assert_eq!(condensation.get("summary_offset").unwrap().raw(), "1");
    assert!(condensation.text("llm_response_id").is_some() && condensation.text("source").unwrap() == "environment");
    assert_eq!(authors(&read(&OpenHands, &out)).last(), Some(&Author::Continuation));
}

#[test]
fn summaries_of_the_sdk_stand_until_a_later_condensation_forgets_them() {
    let words = |id: &str| {
        format!(
            r#"{{"id":"{id}","source":"user","llm_message":{{"role":"user","content":"{id}"}},"kind":"MessageEvent"}}"#
        )
    };
    let condensation = |id: &str, forgotten: &str| {
        format!(
            r#"{{"id":"{id}","source":"environment","forgotten_event_ids":[{forgotten}],"summary":"s {id}","summary_offset":0,"llm_response_id":"r","kind":"Condensation"}}"#
        )
    };
    let source = |second: &str| {
        [words("a"), words("b"), condensation("c", "\"a\""), words("d"), condensation("e", second), words("f")]
            .join("\n")
    };
    assert_eq!(live(&source("\"b\"")), ["s c", "d", "s e", "f"]);
    assert_eq!(live(&source("\"b\",\"c-summary\"")), ["d", "s e", "f"]);
    let silent = condensation("c", "\"a\"").replace(r#","summary_offset":0"#, "");
    let transcript = read(&OpenHands, &silent);
    assert_eq!((transcript.messages.len(), &transcript.records[0].class), (0, &Class::Boundary));
}

#[test]
fn a_file_of_one_event_stays_as_it_is() {
    let event = r#"{"id":"a","source":"agent","thought":[],"tool_call":{"id":"c","name":"f","arguments":"{}"},"kind":"ActionEvent"}"#;
    assert_eq!(read(&OpenHands, event).traits.fixed, Some(Reason::LoneEvent));
    for several in [format!("{event}\n{event}\n"), format!("[{event}]")] {
        assert_eq!(read(&OpenHands, &several).traits.fixed, None);
    }
}
