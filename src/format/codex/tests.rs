//! Rollouts: reading, compaction, and validity rules.

use super::super::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
use super::Codex;
use crate::format::shared::json::{Json, Object};
use crate::transcript::{Author, Change, Class, EditScript, PartEdit, SummaryRole, Transcript, UiCopies, units};

const LONG: &str = include_str!("../../../samples/codex/long-with-parallel-calls.jsonl");
const FORKED: &str = include_str!("../../../samples/codex/forked-rolled-back-compacted.jsonl");
const BARE: &str = include_str!("../../../samples/codex/bare-items-of-an-old-version.jsonl");

/// The cut that a compaction would make: instructions, a summary, and the tail from the message `from`.
fn cut(transcript: &Transcript<'_>, script: &mut EditScript, from: usize) {
    let start = transcript.messages[from].record;
    let newest = |kind: &str| {
        transcript.records.iter().rposition(|record| matches!(&record.class, Class::Session(own) if own == kind))
    };
    for (at, record) in transcript.records.iter().enumerate() {
        script.keep[at] = match &record.class {
            Class::Message(message) => at >= start || transcript.messages[*message].author == Author::System,
            Class::Session(kind) => newest(kind) == Some(at),
            Class::With(owner) => script.keep.get(*owner) == Some(&true) && *owner >= start,
            Class::Abandoned => false,
            Class::Opaque => true,
            _ => at > start,
        };
    }
    script.inserts = vec![summary(start, SummaryRole::System, "it"), continuation(transcript.records.len())];
}

#[test]
fn another_thread_behind_what_was_said_is_another_session_unless_this_one_was_forked() {
    let meta = |id: &str, more: &str| {
        format!(r#"{{"type":"session_meta","payload":{{"id":"0195a000-0000-7000-8000-{id}"{more}}}}}"#)
    };
    let said = r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"u"}]}}"#;
    let (own, other) = (meta("000000000001", ""), meta("000000000002", ""));
    let found = |lines: &[&str]| read(&Codex, &lines.join("\n")).traits.other_session;
    assert_eq!(found(&[&own, said, &other, said]), Some(2));
    assert_eq!(found(&[&own, &other, said, &other, said]), None, "it goes on from the other");
    assert_eq!(found(&[&own, said, &own, said]), None, "resumed");
    let forked = meta("000000000001", r#","forked_from_id":"x""#);
    assert_eq!(found(&[&forked, said, &other, said]), None);
    assert_eq!(found(&[&own, said, r#"{"uuid":"a","sessionId":"s","message":{}}"#]), Some(2), "of another harness");
    assert_eq!(read(&Codex, FORKED).traits.fixed, None);
}

#[test]
fn an_old_file_with_more_states_than_items_is_known() {
    let state = "{\"record_type\":\"state\"}\n";
    let (header, item) = BARE.split_once('\n').unwrap();
    let item = item.lines().find(|line| line.contains("\"message\"")).unwrap();
    let text = format!("{header}\n{state}{item}\n{state}{state}");
    assert_eq!(crate::format::detect(text.as_bytes()).unwrap().name, "codex");
    assert!(crate::format::detect(format!("{header}\n{state}").as_bytes()).is_err(), "nothing is said there");
}

fn object(line: &str) -> Object<'_> {
    Json::parse(line).unwrap().object().unwrap()
}

fn line_with<'t>(text: &'t str, kind: &str) -> Object<'t> {
    text.lines().map(object).find(|line| line.is("type", kind)).unwrap()
}

#[test]
fn what_is_not_edited_keeps_its_bytes() {
    for source in [LONG, FORKED, BARE] {
        assert_eq!(edited(&Codex, source, |_, _| {}), source);
        assert_eq!(faults(&Codex, source), []);
    }
}

#[test]
fn leading_instructions_are_no_words_of_a_person() {
    use Author::{Model, Person, System, Tool};
    let transcript = read(&Codex, LONG);
    assert_eq!(authors(&transcript)[..8], [System, System, Person, Model, Model, Model, Model, Tool]);
    assert_eq!(transcript.last_real_user().map(|user| transcript.messages[user].text()).unwrap(), "Run the checks.");
}

#[test]
fn reasoning_and_parallel_calls_of_a_response_are_one_unit() {
    let transcript = read(&Codex, LONG);
    let units = units(&transcript, |_, _| true);
    assert_eq!(units[3].messages, [3, 4, 5, 6, 7, 8]);
    assert_eq!(units[4].messages.len(), 3, "the next response, after its tokens were counted");
}

#[test]
fn events_go_with_what_they_repeat() {
    let transcript = read(&Codex, LONG);
    let class_of = |text: &str| {
        let at = LONG.lines().position(|line| line.contains(text)).unwrap();
        transcript.records[at].class.clone()
    };
    let result = |id: &str| {
        let found = transcript.messages.iter().find(|message| message.results().any(|own| own == id)).unwrap();
        found.record
    };
    assert_eq!(class_of(r#""exec_command_end","call_id":"call_12""#), Class::With(result("call_12")));
    assert_eq!(class_of(r#""patch_apply_end""#), Class::With(result("call_patch1")));
    assert_eq!(class_of(r#""user_message","message":"The checkout"#), Class::Session("first user_message".into()));
    let said = transcript.messages.iter().find(|message| message.text().starts_with("All eleven")).unwrap();
    assert_eq!(class_of(r#""agent_message","message":"All eleven"#), Class::With(said.record));
    let thought = transcript.messages[3].record;
    assert_eq!(class_of(r#""agent_reasoning","text":"Looking"#), Class::With(thought));
}

#[test]
fn a_turn_that_was_rolled_back_and_what_a_compaction_replaced_are_not_loaded() {
    let transcript = read(&Codex, FORKED);
    let loaded: Vec<_> = transcript.messages.iter().filter(|message| message.live).map(|m| m.author).collect();
    use Author::{Model, Person, Summary, System, Tool};
    let tail = [Person, Model, Model, Model, Tool, Tool, Model, Person, Model, Tool, Model];
    assert_eq!(loaded[..4], [System, System, Person, Summary]);
    assert_eq!(loaded[4..], tail);
    let gone: Vec<_> = transcript.messages.iter().filter(|message| message.abandoned).map(|m| m.text()).collect();
    assert_eq!(gone, ["Use a shelve file for the cache.", "Done with shelve in src/cache.py."]);
    assert_eq!(transcript.records[1].class, Class::Place, "of the thread that it was forked from");
    let usage = transcript.messages.iter().rev().find_map(|message| message.usage).unwrap();
    assert_eq!((usage.input.0, usage.cache_read.0, usage.total().0), (4000, 4000, 8040));
}

#[test]
fn a_compaction_is_what_codex_would_resume_from() {
    let out = edited(&Codex, LONG, |transcript, script| cut(transcript, script, 18));
    assert_eq!(out.lines().next(), LONG.lines().next());
    let compacted = line_with(&out, "compacted").object("payload").unwrap();
    let history = compacted.array("replacement_history").unwrap();
    assert_eq!(history.len(), 3);
    let stated = LONG.lines().find(|line| line.contains("\"developer\"")).unwrap();
    assert!(stated.contains(history[0].raw()), "the instructions as they were");
    let text = history[2].object().unwrap().array("content").unwrap()[0].object().unwrap().text("text").unwrap();
    assert!(text.starts_with(super::PREFACE) && text.ends_with("\nit\n</prior-conversation-summary>"));
    assert!(out.contains(r#""last_token_usage":{"input_tokens":0,"cached_input_tokens":0,"output_tokens":0,"#));
    let again = read(&Codex, &out);
    use Author::{Continuation, Summary, System};
    assert_eq!(authors(&again)[..3], [System, System, Summary]);
    assert_eq!(authors(&again).last(), Some(&Continuation));
    assert!(again.messages.iter().all(|message| message.live));
    assert_eq!(again.messages[2].parts.len(), 1, "copies count once");
    assert_eq!(faults(&Codex, &out), []);
}

#[test]
fn ordinals_go_on_rising() {
    let out = edited(&Codex, FORKED, |transcript, script| cut(transcript, script, transcript.messages.len() - 4));
    let ordinals: Vec<_> = out.lines().map(|line| object(line).whole("ordinal").unwrap()).collect();
    assert!(ordinals.is_sorted_by(|a, b| a < b), "{ordinals:?}");
    assert_eq!(faults(&Codex, &out), []);
    assert!(!out.contains("thread_rolled_back"));
}

#[test]
fn a_stubbed_result_keeps_its_type_and_takes_its_copies_along() {
    let stubbed = edited(&Codex, LONG, |transcript, script| {
        script.ui_copies = UiCopies::Stub;
        stub_results(transcript, script);
    });
    let end = stubbed.lines().find(|line| line.contains("exec_command_end")).map(object).unwrap();
    let end = end.object("payload").unwrap();
    assert_eq!(end.text("aggregated_output").unwrap(), "<stub />");
    assert_eq!(end.text("cwd").unwrap(), "/srv/shop");
    let blocks = r#"{"timestamp":"t","type":"response_item","payload":{"type":"function_call_output","call_id":"a","output":[{"type":"input_text","text":"long"},{"type":"input_image","image_url":"data:"}]}}"#;
    assert!(edited(&Codex, blocks, stub_results).contains(r#""output":[{"type":"input_text","text":"<stub />"}]}"#));
    let object = r#"{"type":"response_item","payload":{"type":"function_call_output","call_id":"a","output":{"type":"input_text","text":"long"}}}"#;
    assert!(edited(&Codex, object, stub_results).contains(r#""output":{"type":"input_text","text":"<stub />"}"#));
}

#[test]
fn copies_for_the_eye_go_when_they_are_not_wanted() {
    let out = edited(&Codex, LONG, |_, script| script.ui_copies = UiCopies::Drop);
    assert!(!out.contains("exec_command_end") && !out.contains("\"agent_message\""));
    assert_eq!(out.matches("\"user_message\"").count(), 3);
}

#[test]
fn an_image_of_the_user_is_taken_out_and_the_text_stays() {
    let source = r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"see"},{"type":"input_image","image_url":"data:"}]}}"#;
    let out = edited(&Codex, source, |_, script| {
        script.parts = vec![PartEdit { message: 0, part: 1, change: Change::Remove }];
    });
    assert!(out.contains(r#""content":[{"type":"input_text","text":"see"}]"#), "{out}");
}

#[test]
fn instructions_are_no_words_of_a_person_wherever_they_stand() {
    let line = |texts: &[&str]| {
        let texts: Vec<_> = texts.iter().map(|text| serde_json::json!({"type": "input_text", "text": text})).collect();
        let item = serde_json::json!({"type": "message", "role": "user", "content": texts});
        format!("{}\n", serde_json::json!({"type": "response_item", "payload": item}))
    };
    let rules = "# Quay rules\n\n- Never light the pier by day.\n- Always name the lamp.";
    let file = format!("# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\n{rules}\n</INSTRUCTIONS>");
    let plugins = "<recommended_plugins>\nUse them.\n</recommended_plugins>";
    let source =
        [line(&[plugins, &file]), line(&[rules, "Explain the quay."]), line(&["Which lamp?", "That one."])].concat();
    let transcript = read(&Codex, &source);
    assert_eq!(authors(&transcript), [Author::System, Author::Person, Author::Person]);
    assert_eq!(transcript.messages[1].said(), "Explain the quay.");
    assert_eq!(transcript.messages[2].said(), "Which lamp?\nThat one.");
}

#[test]
fn a_message_may_leave_out_its_type() {
    let line = |role: &str| {
        format!(
            r#"{{"type":"response_item","payload":{{"role":"{role}","content":[{{"type":"input_text","text":"ebb"}}]}}}}"#
        )
    };
    let source = format!("{}\n{}\n", line("user"), line("assistant"));
    assert_eq!(authors(&read(&Codex, &source)), [Author::Person, Author::Model]);
    let unknown = r#"{"type":"response_item","payload":{"role":"user"}}"#;
    assert_eq!(authors(&read(&Codex, unknown)), []);
}

#[test]
fn an_old_file_gets_a_message_where_it_has_no_record_for_a_compaction() {
    let out = edited(&Codex, BARE, |transcript, script| cut(transcript, script, transcript.messages.len() - 4));
    let again = read(&Codex, &out);
    assert_eq!(authors(&again)[..2], [Author::System, Author::Summary]);
    assert!(again.messages.iter().all(|message| message.live) && !out.ends_with('\n'));
    assert_eq!(faults(&Codex, &out), []);
}

#[test]
fn rules_of_a_rollout() {
    let user = r#"{"ordinal":5,"type":"event_msg","payload":{"type":"user_message","message":"u"}}"#;
    let meta = r#"{"ordinal":7,"type":"session_meta","payload":{"id":"a"}}"#;
    let reasoning = r#"{"type":"response_item","payload":{"type":"reasoning","summary":[],"encrypted_content":"x"}}"#;
    let words = r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[]}}"#;
    let rules = |lines: &[&str]| faults(&Codex, &lines.join("\n")).into_iter().map(|fault| fault.0).collect::<Vec<_>>();
    assert_eq!(rules(&[meta]), ["no_user_message"]);
    assert_eq!(rules(&[user]), ["no_session_meta"]);
    assert_eq!(rules(&[meta, user]), ["ordinal_goes_back"]);
    let compacted = |content: &str| {
        let item = format!(r#"{{"type":"message","role":"user","content":{content}}}"#);
        format!(r#"{{"type":"compacted","payload":{{"message":"so far","replacement_history":[{item}]}}}}"#)
    };
    for (content, told) in [
        (r#""Summary: so far""#, true),
        (r#"[{"type":"input_text","text":"so far, so good"}]"#, true),
        (r#"[{"type":"input_text","text":"so"},{"type":"input_text","text":" far"}]"#, true),
        (r#""far""#, true),
        (r#""x","encrypted_content":"gAAA""#, true),
        (r#""r""#, false),
        (r#""nothing""#, false),
        (r#""""#, false),
    ] {
        assert_eq!(rules(&[meta, &compacted(content)]).contains(&"other_summary"), !told, "{content}");
    }
    let empty = r#"{"type":"compacted","payload":{"message":"so far","replacement_history":[]}}"#;
    assert!(!rules(&[meta, empty]).contains(&"other_summary"), "no item");
    assert_eq!(rules(&[meta, reasoning, words, user])[0], "reasoning_without_item");
    let agent = r#"{"type":"response_item","payload":{"type":"agent_message","author":"/root/b","content":[]}}"#;
    let call =
        r#"{"type":"response_item","payload":{"type":"function_call","name":"wait","arguments":"{}","call_id":"c"}}"#;
    assert!(!rules(&[meta, user, reasoning, agent, call]).contains(&"reasoning_without_item"));
}

#[test]
fn the_task_of_a_subagent_is_its_request() {
    let of = |kind: &str| {
        let content = format!(
            r#"[{{"type":"input_text","text":"Message Type: {kind}\nSender: /root\nPayload:\n"}},{{"type":"encrypted_content","encrypted_content":"x"}}]"#
        );
        let agent = format!(
            r#"{{"type":"response_item","payload":{{"type":"agent_message","author":"/root","content":{content}}}}}"#
        );
        read(&Codex, &agent).messages[0].author
    };
    assert_eq!(of("NEW_TASK"), Author::Person);
    assert_eq!(of("MESSAGE"), Author::Harness);
}

#[test]
fn an_encrypted_summary_is_no_copy_of_encrypted_reasoning() {
    let reasoning = r#"{"type":"response_item","payload":{"type":"reasoning","summary":[],"encrypted_content":"x"}}"#;
    let words = r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"u"}]}}"#;
    let compacted = r#"{"type":"compacted","payload":{"message":"","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"u"}]},{"type":"compaction","encrypted_content":"y"}]}}"#;
    let source = [words, reasoning, compacted].join("\n");
    let live: Vec<_> = read(&Codex, &source).messages.iter().map(|message| message.live).collect();
    assert_eq!(live, [true, false, true]);
}

#[test]
fn messages_know_folder_and_branch() {
    let meta = r#"{"type":"session_meta","payload":{"id":"t","cwd":"/quay","git":{"branch":"lamp"}}}"#;
    let said = r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Mend it."}]}}"#;
    let source = format!("{meta}\n{said}\n");
    let message = &read(&Codex, &source).messages[0];
    assert_eq!((message.folder.as_deref(), message.branch.as_deref()), (Some("/quay"), Some("lamp")));
}

#[test]
fn what_leads_a_compaction_is_what_was_given_first() {
    let item = |role: &str, text: &str| {
        format!(r#"{{"type":"message","role":"{role}","content":[{{"type":"input_text","text":"{text}"}}]}}"#)
    };
    let (rules, asked) = (item("developer", "Ask first."), item("user", "Mend the lamp."));
    let place = item("user", "<environment_context>/w</environment_context>");
    let line = |item: &String| format!(r#"{{"type":"response_item","payload":{item}}}"#);
    let summary = item("user", &format!("{}\\nit", super::PREFACE));
    let compacted = format!(
        r#"{{"type":"compacted","payload":{{"message":"it","replacement_history":[{rules},{place},{summary},{asked}]}}}}"#
    );
    let live = |lines: &[String]| -> Vec<bool> {
        let source = lines.join("\n");
        read(&Codex, &source).messages.iter().map(|message| message.live).collect()
    };
    let turn = || [&rules, &place, &asked].map(line);
    let twice = [&turn()[..], &turn(), std::slice::from_ref(&compacted)].concat();
    assert_eq!(live(&twice), [true, true, false, false, false, true, true]);
    let back = r#"{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}"#.to_owned();
    let begun = r#"{"type":"event_msg","payload":{"type":"task_started"}}"#.to_owned();
    let again = [&[begun][..], &turn(), &[back], &turn(), &[compacted]].concat();
    assert_eq!(live(&again), [false, false, false, true, true, true, true], "the first turn is gone");
}
