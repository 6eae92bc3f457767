//! Cline's arrays and stores: reading, rendering, and validity rules.

#![expect(clippy::unwrap_used, reason = "tests")]

use super::super::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
use super::*;
use crate::format::detect;
use crate::transcript::{Author, Change, Part, PartEdit, PartKind, SummaryRole, Tokens};

const FORMAT: Cline = Cline;
const ENVIRONMENT: &str = "<environment_details>\\nnow\\n</environment_details>";

/// A message of the array with these text blocks.
fn message(role: &str, ts: u64, texts: &[&str]) -> String {
    let blocks: Vec<_> = texts.iter().map(|text| format!(r#"{{"type":"text","text":"{text}"}}"#)).collect();
    format!(r#"{{"role":"{role}","content":[{}],"ts":{ts}}}"#, blocks.join(","))
}

fn array(messages: &[String]) -> String {
    format!("[{}]", messages.join(","))
}

fn store(messages: &[&str]) -> String {
    format!(
        r#"{{"version":1,"updated_at":"t","agent":"lead","sessionId":"s","messages":[{}],"system_prompt":"be"}}"#,
        messages.join(",")
    )
}

fn task() -> Vec<String> {
    vec![
        message("user", 10, &["<task>\\nFix it.\\n</task>", ENVIRONMENT]),
        message("assistant", 20, &["I look.\\n\\n<read_file>\\n<path>a.rs</path>\\n</read_file>"]),
        message("user", 30, &["[read_file for 'a.rs'] Result:", "long", ENVIRONMENT]),
        message("assistant", 40, &["<attempt_completion>\\n<result>Fixed.</result>\\n</attempt_completion>"]),
    ]
}

#[test]
fn calls_in_a_text_and_their_answers_are_calls_and_results() {
    let source = array(&task());
    let transcript = read(&FORMAT, &source);
    assert_eq!(authors(&transcript), [Author::Person, Author::Model, Author::Tool, Author::Model]);
    let [words, call] = &transcript.messages[1].parts[..] else { unreachable!() };
    assert_eq!((&*words.text, &*call.text), ("I look.", r#"{"path":"a.rs"}"#));
    let result = &transcript.messages[2].parts[0];
    assert!(matches!(&result.kind, PartKind::Result { tool: Some(tool), .. } if tool == "read_file"));
    assert_eq!(transcript.messages[3].parts.len(), 1, "what the model says to the person is no call");
    assert_eq!(edited(&FORMAT, &source, stub_results), source.replace("\"long\"", "\"<stub />\""));
    assert_eq!(faults(&FORMAT, &source), []);
}

#[test]
fn feedback_is_a_persons_and_other_answers_are_not() {
    let said = |texts: &[&str]| {
        let mut messages = task();
        messages.truncate(2);
        messages.push(message("user", 30, texts));
        read(&FORMAT, &array(&messages)).messages[2].author
    };
    let head = "[read_file for 'a.rs'] Result:";
    assert_eq!(said(&[head, "The user denied this operation.\\n<feedback>\\nno\\n</feedback>"]), Author::Person);
    assert_eq!(said(&[head, "see <feedback> in the file", ENVIRONMENT]), Author::Tool);
    assert_eq!(said(&["[attempt_completion] Result:", "", ENVIRONMENT]), Author::Harness);
    assert_eq!(said(&["[ERROR] You did not use a tool", ENVIRONMENT]), Author::Harness);
    let list = "\\n\\t# TODO LIST UPDATE REQUIRED - now\\n- [ ] One";
    assert_eq!(said(&["[attempt_completion] Result:", list, ENVIRONMENT]), Author::Harness);
    assert_eq!(said(&["# task_progress RECOMMENDED\\nKeep a list.", ENVIRONMENT]), Author::Harness);
    assert_eq!(said(&["go on", ENVIRONMENT]), Author::Person);
}

#[test]
fn what_the_harness_says_beside_a_persons_words_is_none_of_them() {
    let resumed = "[TASK RESUMPTION] Interrupted 2 days ago.";
    let announced = "New instructions for task continuation:\\n<user_message>\\nName the tides.\\n</user_message>";
    let progress = "\\n\\t# TODO LIST UPDATE REQUIRED - You MUST do it.";
    let joined = format!("{resumed}\\n\\n{announced}");
    for texts in [&[resumed, announced, progress][..], &[&joined, progress]] {
        let source = array(&[message("user", 10, texts)]);
        let transcript = read(&FORMAT, &source);
        assert_eq!(
            (transcript.messages[0].author, &*transcript.messages[0].text()),
            (Author::Person, "Name the tides.")
        );
        assert_eq!((faults(&FORMAT, &source), edited(&FORMAT, &source, |_, _| {})), (vec![], source.clone()));
    }
    let nothing = array(&[message("user", 10, &[resumed, "(The user did not provide a new message.)", progress])]);
    assert_eq!(read(&FORMAT, &nothing).messages[0].author, Author::Harness);
}

#[test]
fn texts_may_answer_the_blocks_of_calls() {
    let call = |id: &str, tool: &str| {
        format!(r#"{{"type":"tool_use","id":"{id}","name":"{tool}","input":{{"path":"{id}"}}}}"#)
    };
    let asks = |calls: &[String]| format!(r#"{{"role":"assistant","content":[{}],"ts":20}}"#, calls.join(","));
    let both = asks(&[call("a", "read_file"), call("b", "read_file")]);
    let files = [r#"[read_file for 'a'] Result:\n1 | \"lamp\""#, r"[read_file for 'b'] Result:\nquay", ENVIRONMENT];
    let resumed =
        "[TASK RESUMPTION] Interrupted.\\n\\nNew message to respond to:\\n<user_message>\\nGo on.\\n</user_message>";
    let source = array(&[
        task().remove(0),
        both,
        message("user", 30, &files),
        asks(&[call("c", "use_subagents")]),
        message("user", 40, &["[subagents] Result:\\nlit", ENVIRONMENT]),
        asks(&[call("d", "plan_mode_respond")]),
        message("user", 50, &[resumed]),
        asks(&[call("e", "attempt_completion"), call("f", "read_file"), call("g", "srv0mcp0lookup")]),
        message(
            "user",
            60,
            &["[read_file for '[x] Result:'] Result:\\npier", "[use_mcp_tool for 'srv'] Result:\\nmole"],
        ),
        asks(&[call("h", "attempt_completion")]),
    ]);
    assert_eq!((faults(&FORMAT, &source), edited(&FORMAT, &source, |_, _| {})), (vec![], source.clone()));
    let transcript = read(&FORMAT, &source);
    let results = |at: usize| {
        let parts = transcript.messages[at].parts.iter();
        let result = |part: &Part<'_>| match &part.kind {
            PartKind::Result { id, .. } => Some((id.to_string(), part.text.to_string())),
            _ => None,
        };
        parts.filter_map(result).collect::<Vec<_>>()
    };
    let told = |all: &[(&str, &str)]| all.iter().map(|(id, text)| ((*id).into(), (*text).into())).collect::<Vec<_>>();
    assert_eq!(results(2), told(&[("a", "1 | \"lamp\""), ("b", "quay")]));
    assert_eq!((results(4), results(6)), (told(&[("c", "lit")]), told(&[("d", "")])));
    assert_eq!(transcript.messages[6].author, Author::Person);
    let mut last = results(8);
    last.sort();
    assert_eq!(last, told(&[("e", ""), ("f", "pier"), ("g", "mole")]));
    let several = ["[read_file for 'a' and 2 more] Result:\\nquay: [read_file for 'b'] Result:", ENVIRONMENT];
    let long = array(&[task().remove(0), asks(&[call("a", "read_file")]), message("user", 30, &several)]);
    let told = read(&FORMAT, &long).messages[2].parts[0].text.to_string();
    assert_eq!(told, "quay: [read_file for 'b'] Result:");
    let empty = ["[execute_command for 'true'] Result:", "[read_file for 'b'] Result:\\nquay"];
    let both = asks(&[call("a", "execute_command"), call("b", "read_file")]);
    let quiet = array(&[task().remove(0), both, message("user", 30, &empty), asks(&[call("h", "attempt_completion")])]);
    assert_eq!(faults(&FORMAT, &quiet), []);
    assert_eq!(read(&FORMAT, &quiet).messages[2].results().collect::<Vec<_>>(), ["a", "b"]);
    let stubbed = edited(&FORMAT, &source, |transcript, script| {
        let part = transcript.messages[2].parts.iter().position(|part| part.text == "quay").unwrap();
        script.parts.push(PartEdit { message: 2, part, change: Change::Stub("so \"short\"".into()) });
    });
    assert_eq!(stubbed, source.replace("\\nquay", "\\nso \\\"short\\\""));
}

#[test]
fn a_persons_words_in_an_answer_are_told_from_what_the_harness_says() {
    let last = |messages: Vec<String>| {
        let source = array(&messages);
        assert_eq!((faults(&FORMAT, &source), edited(&FORMAT, &source, |_, _| {})), (vec![], source.clone()));
        let message = read(&FORMAT, &source).messages.pop().unwrap();
        let results = message.parts.iter().filter_map(|part| match &part.kind {
            PartKind::Result { error, .. } => Some((part.text.to_string(), *error)),
            _ => None,
        });
        (message.author, message.text().into_owned(), results.collect::<Vec<_>>())
    };
    let (denied, said) = ("The user denied this operation:", "<feedback>\\nnot so\\n</feedback>");
    let native = |tool: &str, answer: &str| {
        let call = format!(
            r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"{tool}","input":{{}}}}],"ts":20}}"#
        );
        let result = format!(r#"{{"type":"tool_result","tool_use_id":"a","content":"{answer}"}}"#);
        let user =
            format!(r#"{{"role":"user","content":[{result},{{"type":"text","text":"{ENVIRONMENT}"}}],"ts":30}}"#);
        last(vec![task().remove(0), call, user])
    };
    let environment = ENVIRONMENT.replace("\\n", "\n");
    let words = format!("not so\n{environment}");
    let refused = vec![(denied.to_owned(), true)];
    assert_eq!(native("f", &format!("{denied}\\n{said}")), (Author::Person, words.clone(), refused.clone()));
    assert_eq!(native("attempt_completion", said), (Author::Person, words.clone(), vec![(String::new(), false)]));
    for (tool, answer) in [("f", said), ("ask_followup_question", "<answer>a</answer>")] {
        assert_ne!(native(tool, answer).0, Author::Person, "{answer}");
    }
    let written = |head: &str, texts: &[&str]| {
        let texts: Vec<_> = texts.iter().copied().chain([ENVIRONMENT]).collect();
        let user = message("user", 50, &texts);
        last(task().into_iter().take(if head == "read_file" { 2 } else { 4 }).chain([user]).collect())
    };
    let head = "[read_file for 'a.rs'] Result:";
    for texts in [&[&*format!("{head}\\n{denied}\\n{said}")][..], &[head, &format!("{denied}\\n{said}")]] {
        assert_eq!(written("read_file", texts), (Author::Person, words.clone(), refused.clone()));
    }
    let done = "[attempt_completion] Result:";
    for texts in [&[&*format!("{done}\\nThe user has provided feedback.\\n{said}")][..], &[done, said]] {
        let (author, said, results) = written("", texts);
        assert_eq!((author, results), (Author::Person, vec![]));
        assert!(said.ends_with(&words) || said.starts_with("<feedback>"), "{said}");
    }
    let consider = "The user has provided feedback on the results. Consider their input to continue the task, and then attempt completion again.";
    let (author, told, _) = written("", &[done, consider, said]);
    assert_eq!(author, Author::Person);
    assert!(!told.contains("Consider"), "{told}");
}

#[test]
fn a_summary_keeps_the_roles_of_the_array_alternating() {
    let source = array(&task());
    let from = |first: usize| {
        edited(&FORMAT, &source, |_, script| {
            script.keep[..first].fill(false);
            script.inserts = vec![summary(first, SummaryRole::System, "it")];
        })
    };
    assert!(from(1).starts_with(r#"[{"role":"user","content":[{"type":"text","text":"<prior-conversation-summary>"#));
    assert!(from(1).contains(r#""ts":19},{"role":"assistant""#));
    for out in [from(0), from(1), from(3)] {
        assert_eq!(faults(&FORMAT, &out), []);
        assert_eq!(detect(out.as_bytes()).unwrap().name, "cline");
        assert_eq!(authors(&read(&FORMAT, &out)).iter().filter(|author| **author == Author::Summary).count(), 1);
    }
}

#[test]
fn usage_is_that_of_the_whole_request() {
    let with = |metrics: &str| {
        let source =
            format!(r#"[{{"role":"assistant","content":"x","metrics":{metrics},"modelInfo":{{"modelId":"m"}}}}]"#);
        let transcript = read(&FORMAT, &source);
        assert_eq!(transcript.messages[0].model.as_deref(), Some("m"));
        transcript.messages[0].usage.map(|usage| (usage.input, usage.cache_read, usage.total()))
    };
    let usage = Some((Tokens(10), Tokens(80), Tokens(95)));
    assert_eq!(with(r#"{"inputTokens":90,"outputTokens":5,"cacheReadTokens":80,"cacheWriteTokens":0}"#), usage);
    assert_eq!(with(r#"{"tokens":{"prompt":90,"completion":5,"cached":80},"cost":0.1}"#), usage);
    assert_eq!(with(r#"{"cost":0.1}"#), None);
}

const STORED: [&str; 5] = [
    r#"{"id":"m1","role":"user","content":[{"type":"text","text":"u"},{"type":"file","path":"/a","content":"abc"}],"ts":10}"#,
    r#"{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"tool_use","id":"b","name":"g","input":{}}],"ts":20}"#,
    r#"{"id":"m3","role":"user","content":[{"type":"tool_result","tool_use_id":"a","name":"f","content":[{"query":"q","result":"long","success":true}]}],"ts":30}"#,
    r#"{"id":"m4","role":"user","content":[{"type":"tool_result","tool_use_id":"b","name":"g","content":"long"}],"ts":31}"#,
    r#"{"id":"m5","role":"assistant","content":[{"type":"text","text":"x"}],"ts":40}"#,
];

#[test]
fn the_store_may_hold_results_of_one_answer_in_several_messages() {
    let source = store(&STORED);
    let transcript = read(&FORMAT, &source);
    assert_eq!(authors(&transcript), [Author::Person, Author::Model, Author::Tool, Author::Tool, Author::Model]);
    assert_eq!(transcript.messages[0].text(), "u", "a file is none of the person's words");
    assert_eq!(transcript.messages[0].parts[1].text, "abc");
    assert_eq!(transcript.messages[2].parts[0].text, "long");
    assert_eq!(faults(&FORMAT, &source), []);
    let parted = edited(&FORMAT, &source, |_, script| script.keep[3] = false);
    assert_eq!(faults(&FORMAT, &parted), [("unanswered_call", "b".to_owned())]);
}

#[test]
fn the_summary_of_the_store_is_the_one_that_cline_writes() {
    let source = store(&STORED);
    let out = edited(&FORMAT, &source, |_, script| {
        script.keep[..4].fill(false);
        script.inserts = vec![summary(4, SummaryRole::System, "it"), continuation(5)];
    });
    let text = r"<prior-conversation-summary>\nit\n</prior-conversation-summary>";
    let expected = format!(
        r#"{{"role":"user","content":[{{"type":"text","text":"Context summary:\n\n{text}"}}],"metadata":{{"kind":"compaction_summary","displayRole":"system","userRunSpan":1,"summary":"{text}","details":{{"readFiles":[],"modifiedFiles":[]}},"tokensBefore":9,"generatedAt":7}},"id":"msg_"#
    );
    assert!(out.contains(&expected), "{out}");
    let transcript = read(&FORMAT, &out);
    assert_eq!(authors(&transcript), [Author::Summary, Author::Model, Author::Continuation]);
    assert_eq!(transcript.messages[2].text(), "continue");
    assert_eq!(edited(&FORMAT, &out, |_, _| {}), out);
}

#[test]
fn later_summaries_stand_for_all_prompts_before_them() {
    let first = r#"{"role":"user","content":[{"type":"text","text":"Context summary:\n\n## Goal\nx"}],"metadata":{"kind":"compaction_summary","userRunSpan":3}}"#;
    let out = edited(&FORMAT, &store(&[first, STORED[0], STORED[4]]), |_, script| {
        script.keep[..2].fill(false);
        script.inserts = vec![summary(2, SummaryRole::System, "it")];
    });
    assert!(out.contains(r#""userRunSpan":4"#), "{out}");
}

#[test]
fn notices_are_the_harnesss_but_the_prompt_before_one_is_a_persons() {
    let by = |metadata: &str| {
        let text = r#"{"type":"text","text":"u"},{"type":"text","text":"<SYSTEM_NOTICE>\nold\n</SYSTEM_NOTICE>"}"#;
        read(&FORMAT, &store(&[&format!(r#"{{"role":"user","content":[{text}],"metadata":{{{metadata}}}}}"#)])).messages
            [0]
        .author
    };
    assert_eq!(by(r#""kind":"compaction","displayRole":"system""#), Author::Person);
    assert_eq!(by(r#""kind":"recovery_notice""#), Author::Harness);
    assert_eq!(by(r#""displayRole":"status""#), Author::Harness);
    assert_eq!(by(""), Author::Person);
}

#[test]
fn an_array_without_keys_of_cline_is_found_by_what_the_editor_shows() {
    let named = |texts: &[&str]| {
        let own = message("user", 1, texts).replace(r#","ts":1"#, "");
        let array = format!(r#"[{own},{{"role":"assistant","content":[{{"type":"text","text":"ok"}}]}}]"#);
        detect(array.as_bytes()).unwrap().name
    };
    assert_eq!(named(&["<task>\\nu\\n</task>", ENVIRONMENT]), "cline");
    assert_eq!(named(&["[read_file for 'a'] Result:", "lamp", ENVIRONMENT]), "cline");
    assert_ne!(named(&["<task>\\nu\\n</task>", "what is <environment_details>?"]), "cline");
}

#[test]
fn other_files_of_cline_are_named_and_refused() {
    let named = |text: &str| {
        let found = detect(text.as_bytes()).unwrap();
        assert!(found.format.is_none());
        found.name
    };
    assert_eq!(named(r#"[{"ts":1,"type":"say","say":"text","text":"x"}]"#), "cline-ui-messages");
    assert_eq!(named(r#"{"files_in_context":[],"model_usage":[]}"#), "cline-task-metadata");
    let state = r#"{"version":1,"updated_at":"t","source_message_count":2,"source_prefix_hash":"h","messages":[]}"#;
    assert_eq!(named(state), "cline-compaction");
}
