//! Sessions: reading, compaction, and validity rules.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::super::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
use super::Qwen;
use crate::format::shared::json::{Json, Object};
use crate::transcript::{Author, Change, Class, PartEdit, PartKind, SummaryRole, UiCopies};

const REWOUND: &str = include_str!("../../../samples/qwen/rewound-with-hooks.jsonl");
const COMPRESSED: &str = include_str!("../../../samples/qwen/compressed-before.jsonl");

/// Drops the messages before the one with this text, and adds a summary before it and a continuation at the end.
fn compacted(source: &str, words: &str) -> String {
    edited(&Qwen, source, |transcript, script| {
        let start = transcript.messages.iter().find(|message| message.text().starts_with(words)).unwrap().record;
        for (at, record) in transcript.records.iter().enumerate() {
            script.keep[at] = matches!(record.class, Class::Session(_)) || at >= start;
        }
        script.inserts = vec![summary(start, SummaryRole::System, "it"), continuation(transcript.records.len())];
    })
}

fn object(line: &str) -> Object<'_> {
    Json::parse(line).unwrap().object().unwrap()
}

#[test]
fn what_is_not_edited_keeps_its_bytes() {
    for source in [REWOUND, COMPRESSED] {
        assert_eq!(edited(&Qwen, source, |_, _| {}), source);
        assert_eq!((faults(&Qwen, source), crate::check::faults(&read(&Qwen, source))), (vec![], vec![]));
    }
}

#[test]
fn a_branch_that_was_rewound_is_no_part_of_the_story() {
    let transcript = read(&Qwen, REWOUND);
    let gone: Vec<_> = transcript.messages.iter().filter(|message| message.abandoned).collect();
    assert_eq!((gone.len(), &*gone[0].text()), (1, "I would rewrite the CSV."));
    use Author::{Model, Person, Tool};
    assert_eq!(authors(&transcript)[..5], [Person, Model, Model, Tool, Tool]);
    let call = &transcript.messages[2];
    let kinds: Vec<_> = call.parts.iter().map(|part| part.kind.name()).collect();
    assert_eq!(kinds, ["reasoning", "text", "tool_call", "tool_call"]);
    assert_eq!(call.usage.unwrap().total().0, 2_600 + 80);
    assert!(
        matches!(&transcript.messages[3].parts[0].kind, PartKind::Result { tool: Some(tool), .. } if tool == "read_file")
    );
}

#[test]
fn what_hooks_machines_and_local_commands_say_is_no_persons() {
    let transcript = read(&Qwen, COMPRESSED);
    let last = transcript.messages.last().unwrap();
    assert_eq!((&*last.text(), last.author, last.live), ("/stats", Author::Harness, false));
    let user = |more: &str, text: &str| {
        let line = format!(
            r#"{{"uuid":"a","parentUuid":null,"sessionId":"s","type":"user"{more},"message":{{"role":"user","parts":[{{"text":"{text}"}}]}}}}"#
        );
        authors(&read(&Qwen, &line))[0]
    };
    assert_eq!(user("", "do it"), Author::Person);
    assert_eq!(user(r#","subtype":"mid_turn_user_message","provenance":"real_user""#, "do it"), Author::Person);
    assert_eq!(user(r#","subtype":"notification""#, "done"), Author::Harness);
    assert_eq!(user(r#","provenance":"goal_runtime""#, "go on"), Author::Harness);
    assert_eq!(user("", "<qwen:user-prompt-submit-context>x"), Author::Harness);
}

#[test]
fn a_compressed_history_replaces_what_stands_before_it() {
    let transcript = read(&Qwen, COMPRESSED);
    let at = transcript.messages.iter().position(|message| message.author == Author::Summary).unwrap();
    assert!(transcript.messages[at].text().starts_with("<state_snapshot>"));
    assert!(!transcript.messages[at].text().contains("Got it"), "what the model answered is no summary");
    let live = transcript.messages.iter().position(|message| message.live);
    assert_eq!(live, Some(at));
}

#[test]
fn a_summary_is_a_compression_that_the_tail_follows() {
    let out = compacted(REWOUND, "Does the export");
    let lines: Vec<_> = out.lines().map(object).collect();
    let at = lines.iter().position(|line| line.is("subtype", "chat_compression")).unwrap();
    let payload = lines[at].object("systemPayload").unwrap();
    assert_eq!(payload.object("info").unwrap().get("originalTokenCount").unwrap().whole(), Some(9));
    assert_eq!(payload.array("compressedHistory").unwrap().len(), 2, "a user's message follows, so the model answers");
    assert_eq!(lines[at + 1].text("parentUuid"), lines[at].text("uuid"));
    assert_eq!(lines[at].text("sessionId"), lines[0].text("sessionId"));
    assert_eq!(lines[lines.len() - 1].text("parentUuid"), lines[lines.len() - 2].text("uuid"));
    assert_eq!((faults(&Qwen, &out), crate::check::faults(&read(&Qwen, &out))), (vec![], vec![]));
    use Author::{Continuation, Model, Person, Summary};
    let again = read(&Qwen, &out);
    assert_eq!(authors(&again), [Summary, Person, Model, Continuation]);
    assert!(again.messages.iter().all(|message| message.live));
}

#[test]
fn the_first_request_of_a_session_follows_the_summary_of_what_it_led_to() {
    // Without the record of the model before it, the request is the root.
    let (_, session) = REWOUND.split_once('\n').unwrap();
    let root = object(session.lines().next().unwrap()).get("parentUuid").unwrap().raw();
    let out = edited(&Qwen, &session.replacen(root, "null", 1), |transcript, script| {
        let first = transcript.messages[0].record;
        let last = transcript.messages.last().unwrap().record;
        (0..script.keep.len()).for_each(|at| script.keep[at] = at == first || at >= last);
        script.inserts = vec![summary(first, SummaryRole::System, "it")];
    });
    let again = read(&Qwen, &out);
    assert_eq!(authors(&again)[..2], [Author::Summary, Author::Person]);
    assert!(again.messages.iter().all(|message| message.live) && faults(&Qwen, &out).is_empty(), "{out}");
}

#[test]
fn before_an_answer_the_summary_stands_alone() {
    let out = compacted(REWOUND, "Two places sort");
    let compression = out
        .lines()
        .map(object)
        .find(|line| line.has("systemPayload") && line.has("subtype") && { line.is("subtype", "chat_compression") });
    let history = compression.unwrap().object("systemPayload").unwrap().array("compressedHistory").unwrap();
    assert_eq!(history.len(), 1);
}

#[test]
fn a_second_compaction_takes_the_place_of_the_first() {
    let out = compacted(COMPRESSED, "Does the export");
    assert_eq!(out.matches("chat_compression").count(), 1);
    assert!(!out.contains("state_snapshot") && faults(&Qwen, &out).is_empty(), "{:?}", faults(&Qwen, &out));
}

#[test]
fn stubs_keep_the_kind_of_response_and_take_the_copy_along() {
    let out = edited(&Qwen, REWOUND, |transcript, script| {
        script.ui_copies = UiCopies::Stub;
        stub_results(transcript, script);
    });
    assert!(out.contains(r#""response":{"error":"<stub />"}"#) && out.contains(r#""response":{"output":"<stub />"}"#));
    assert!(out.contains(r#""status":"error","resultDisplay":"<stub />""#), "long copies go");
    let out = edited(&Qwen, REWOUND, |_, script| {
        script.ui_copies = UiCopies::Drop;
        script.parts = vec![PartEdit { message: 2, part: 0, change: Change::Remove }];
    });
    assert!(!out.contains("resultDisplay") && faults(&Qwen, &out).is_empty());
    assert_eq!(out.matches(r#""thought":true"#).count() + 1, REWOUND.matches(r#""thought":true"#).count());
}

#[test]
fn a_file_of_a_subagent_is_a_transcript_and_a_side_of_a_session_is_not() {
    let line = |id: &str, parent: &str, side: bool| {
        format!(
            r#"{{"uuid":"{id}","parentUuid":{parent},"sessionId":"s","type":"user","isSidechain":{side},"message":{{"role":"user","parts":[{{"text":"{id}"}}]}}}}"#
        )
    };
    let own = [line("a", "null", true), line("b", "\"a\"", true)].join("\n");
    assert!(read(&Qwen, &own).messages.iter().all(|message| message.live) && read(&Qwen, &own).messages.len() == 2);
    let mixed = [line("a", "null", false), line("b", "\"a\"", true)].join("\n");
    let transcript = read(&Qwen, &mixed);
    assert_eq!((transcript.messages.len(), &transcript.records[1].class), (1, &Class::Sidechain(None)));
}

#[test]
fn what_followed_a_record_without_its_parent_goes_on_from_the_record_before() {
    let line = |id: &str, parent: &str| {
        format!(
            r#"{{"uuid":"{id}","parentUuid":{parent},"sessionId":"s","type":"user","message":{{"role":"user","parts":[{{"text":"{id}"}}]}}}}"#
        )
    };
    let session = [line("a", "null"), line("b", "\"a\""), line("c", "\"x\""), line("d", "\"c\"")].join("\n");
    assert!(read(&Qwen, &session).messages.iter().all(|message| message.live));
    let out = edited(&Qwen, &session, |_, script| script.keep[2] = false);
    assert_eq!(out, [line("a", "null"), line("b", "\"a\""), line("d", "\"b\"")].join("\n"));
}

#[test]
fn rules_of_a_session() {
    let line = |id: &str, parent: &str, session: &str| {
        format!(
            r#"{{"uuid":"{id}","parentUuid":{parent},"sessionId":"{session}","type":"user","message":{{"role":"user","parts":[{{"text":"u"}}]}}}}"#
        )
    };
    let rules =
        |lines: &[String]| faults(&Qwen, &lines.join("\n")).into_iter().map(|fault| fault.0).collect::<Vec<_>>();
    assert_eq!(rules(&[line("a", "null", "s"), line("b", "\"a\"", "s"), line("b", "\"a\"", "s")]), [""; 0]);
    assert_eq!(rules(&[line("a", "null", "s"), line("a", "\"a\"", "s")]), ["duplicate_id"]);
    assert_eq!(rules(&[line("a", "\"x\"", "s")]), ["dangling_parent"]);
    assert_eq!(rules(&[line("a", "\"b\"", "s"), line("b", "\"a\"", "s")]), ["parent_cycle"]);
    assert_eq!(rules(&[line("a", "null", "s"), line("b", "\"a\"", "t")]), ["other_session"]);
    let empty = r#"{"uuid":"b","parentUuid":"a","sessionId":"s","type":"system","subtype":"chat_compression"}"#;
    assert_eq!(rules(&[line("a", "null", "s"), empty.to_owned()]), ["compression_without_history"]);
}
