//! Items of the Responses API: reading with pairs and responses, compaction, and detection.

use super::*;
use crate::format::tests::support::{authors, continuation, detected, edited, faults, read, stub_results, summary};
use crate::reason::Reason;
use crate::transcript::{Author, Change, PartEdit, SummaryRole};

const FORMAT: OpenAiResponses = OpenAiResponses;
const SESSION: &str = include_str!("../../../samples/openai-responses/kiln-agents-session.jsonl");
const EVERY: &str = include_str!("../../../samples/openai-responses/harbour-every-item.json");
const REQUEST: &str = include_str!("../../../samples/openai-responses/orchard-request-and-response.json");
const ROWS: &str = include_str!("../../../samples/openai-responses/mill-responses.jsonl");

const ASKED: &str = r#"{"role":"user","content":"old"}"#;
const THOUGHT: &str = r#"{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"why"}]}"#;
const CALL: &str = r#"{"type":"function_call","id":"fc_1","call_id":"a","name":"f","arguments":"{\"p\":1}"}"#;
const OUTPUT: &str = r#"{"type":"function_call_output","call_id":"a","output":"long"}"#;
const ANSWER: &str =
    r#"{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"x"}]}"#;

/// All items in one array, and one per line.
fn both(items: &[&str]) -> [String; 2] {
    [format!("[{}]", items.join(",\n ")), items.iter().map(|item| format!("{item}\n")).collect()]
}

#[test]
fn items_are_read_however_they_are_stored() {
    for source in [SESSION, EVERY, REQUEST].into_iter().chain(ROWS.lines()) {
        assert_eq!(detected(source), Ok("openai-responses"));
        assert_eq!(edited(&FORMAT, source, |_, _| {}), source);
        assert_eq!(faults(&FORMAT, source), []);
        assert_eq!(crate::check::faults(&read(&FORMAT, source)), []);
    }
    use Author::{Model, Person, System, Tool};
    for source in both(&[ASKED, THOUGHT, CALL, OUTPUT, ANSWER]) {
        assert_eq!(authors(&read(&FORMAT, &source)), [Person, Model, Model, Tool, Model]);
    }
    let request = read(&FORMAT, REQUEST);
    assert_eq!(authors(&request)[..3], [System, Person, Model]);
    let last = request.messages.last().unwrap();
    assert_eq!(
        (last.usage.map(|usage| usage.cache_read.0), last.model.as_deref()),
        (Some(1024), Some("gpt-5-2025-08-07"))
    );
    assert!(request.traits.training_row && !read(&FORMAT, SESSION).traits.training_row);
}

#[test]
fn every_kind_of_call_has_its_result() {
    let transcript = read(&FORMAT, EVERY);
    let parts = || transcript.messages.iter().flat_map(|message| &message.parts);
    let calls: Vec<_> = parts()
        .filter_map(|part| match &part.kind {
            PartKind::Call { id, name } => Some(format!("{name} {id}")),
            _ => None,
        })
        .collect();
    let expected = [
        "soundings_of mcp_21",
        "code_interpreter ci_22",
        "ledger call_22",
        "computer call_23",
        "local_shell call_24",
        "shell call_25",
    ];
    assert_eq!(calls, expected);
    let results = parts().filter(|part| matches!(&part.kind, PartKind::Result { tool: Some(_), .. }));
    let short: Vec<_> = results.map(|part| part.text.split('\n').next().unwrap_or_default().len()).collect();
    assert_eq!(short.len(), 6);
    assert!(short.iter().filter(|length| **length > 0).count() == 5, "all but the screenshot say something");
    assert!(transcript.messages[2].text().is_empty() && transcript.messages[2].author == Author::Model);
}

#[test]
fn the_items_of_a_response_stay_together() {
    let items = [ASKED, THOUGHT, CALL, OUTPUT, THOUGHT, ANSWER];
    for source in both(&items) {
        let transcript = read(&FORMAT, &source);
        let groups: Vec<_> = transcript.messages.iter().map(|message| message.group.as_deref()).collect();
        assert_eq!(groups, [None, Some("#1"), Some("#1"), None, Some("#2"), Some("#2")]);
    }
    let lone = [ASKED, THOUGHT, ASKED].join("\n");
    assert_eq!(faults(&FORMAT, &lone), [("reasoning_without_item", String::new())]);
    let unbound = lone.replace(r#""id":"rs_1","#, "");
    assert_eq!(faults(&FORMAT, &unbound), []);
}

#[test]
fn the_head_becomes_an_instruction_and_results_become_stubs() {
    for source in both(&[ASKED, THOUGHT, CALL, OUTPUT, ANSWER]) {
        let out = edited(&FORMAT, &source, |transcript, script| {
            script.keep[0] = false;
            script.inserts = vec![summary(1, SummaryRole::Auto, "it"), continuation(5)];
            stub_results(transcript, script);
        });
        let wrapped = r"<prior-conversation-summary>\nit\n</prior-conversation-summary>";
        let item = |role: &str, text: &str| {
            format!(r#"{{"type":"message","role":"{role}","content":[{{"type":"input_text","text":"{text}"}}]}}"#)
        };
        let stubbed = OUTPUT.replace("long", "<stub />");
        let expected = both(&[&item("system", wrapped), THOUGHT, CALL, &stubbed, ANSWER, &item("user", "continue")]);
        assert!(expected.iter().any(|it| it.replace("\n ", "") == out.replace("\n ", "")), "{out}");
        use Author::{Continuation, Model, Summary, Tool};
        assert_eq!(authors(&read(&FORMAT, &out)), [Summary, Model, Model, Tool, Model, Continuation]);
        assert_eq!(detected(&out), Ok("openai-responses"));
    }
}

#[test]
fn a_summary_is_a_developers_where_instructions_are() {
    let developer = r#"{"role":"developer","content":"be"}"#;
    let put = |source: &str, role: SummaryRole| {
        edited(&FORMAT, source, |_, script| script.inserts = vec![summary(1, role, "it")])
    };
    let source = [developer, ASKED, ANSWER].join("\n");
    assert!(put(&source, SummaryRole::Auto).contains(r#"{"type":"message","role":"developer","content":[{"type""#));
    assert!(put(&source, SummaryRole::User).contains(r#"{"type":"message","role":"user","content":[{"type""#));
    let answered = put(&source, SummaryRole::Assistant);
    assert!(answered.contains(r#"{"type":"message","role":"assistant","content":"<prior"#), "{answered}");
    use Author::{Continuation, Model, Person, Summary, System};
    assert_eq!(authors(&read(&FORMAT, &answered)), [System, Continuation, Summary, Person, Model]);
    let row = format!(r#"{{"instructions":"be","input":[{ASKED},{ANSWER}]}}"#);
    let out = edited(&FORMAT, &row, |_, script| {
        script.keep[1] = false;
        script.inserts = vec![summary(2, SummaryRole::Auto, "it")];
    });
    assert!(out.starts_with(r#"{"instructions":"be","input":[{"type":"message","role":"user","#), "{out}");
}

#[test]
fn what_loses_its_reasoning_loses_its_id() {
    for source in both(&[ASKED, THOUGHT, CALL, OUTPUT, THOUGHT, ANSWER]) {
        let out = edited(&FORMAT, &source, |_, script| script.keep[1] = false);
        assert!(out.contains(&CALL.replace(r#""id":"fc_1","#, "")) && out.contains(ANSWER), "{out}");
        let both = edited(&FORMAT, &source, |_, script| script.keep[1..4].fill(false));
        assert!(both.contains(THOUGHT) && both.contains(ANSWER) && !both.contains("fc_1"), "{both}");
    }
}

#[test]
fn a_response_is_never_edited() {
    let answer = |out: &str| out.split(r#""response""#).nth(1).map(str::to_owned);
    let out = edited(&FORMAT, REQUEST, |transcript, script| {
        script.keep.fill(false);
        for (message, read) in transcript.messages.iter().enumerate() {
            let parts = 0..read.parts.len();
            script.parts.extend(parts.map(|part| PartEdit { message, part, change: Change::Stub("{}".into()) }));
        }
    });
    let bare = out.split_whitespace().collect::<String>();
    assert!(bare.contains(r#""input":[],"response""#), "{out}");
    assert_eq!(answer(&out), answer(REQUEST));
    assert!(out.contains("You plan the work of an orchard."));
}

#[test]
fn outputs_of_several_kinds_are_pruned_in_their_place() {
    let out = edited(&FORMAT, EVERY, stub_results);
    for kept in [r#""output": "<stub />""#, r#""logs": "<stub />""#, r#""stdout": "<stub />""#] {
        assert!(out.contains(kept), "{kept}");
    }
    assert!(out.contains(r#""type": "computer_screenshot""#));
    let request = edited(&FORMAT, REQUEST, stub_results);
    assert!(request.contains(r#""output": [{"type":"input_text","text":"<stub />"}]"#), "{request}");
    let images =
        r#"{"role":"user","content":[{"type":"input_text","text":"u"},{"type":"input_image","image_url":"x"}]}"#;
    let out = edited(&FORMAT, &format!("[{images},{ANSWER}]"), |_, script| {
        script.parts = vec![PartEdit { message: 0, part: 1, change: Change::Remove }];
    });
    assert!(out.starts_with(r#"[{"role":"user","content":[{"type":"input_text","text":"u"}]},"#), "{out}");
}

#[test]
fn a_compaction_stays_and_references_hold_everything_back() {
    let compaction = r#"{"type":"compaction","id":"cmp_1","encrypted_content":"gA"}"#;
    let source = [ASKED, compaction, CALL, OUTPUT].join("\n");
    let transcript = read(&FORMAT, &source);
    assert_eq!((transcript.messages.len(), transcript.records.len()), (3, 4));
    assert_eq!(transcript.records[1].class, crate::transcript::Class::Opaque);
    let reference = [ASKED, r#"{"type":"item_reference","id":"fc_1"}"#, OUTPUT].join("\n");
    let later = format!(r#"{{"previous_response_id":"resp_1","input":[{OUTPUT}]}}"#);
    for source in [reference, later] {
        assert_eq!(read(&FORMAT, &source).traits.fixed, Some(Reason::StoredElsewhere));
        assert_eq!(edited(&FORMAT, &source, |_, script| script.keep[0] = false), source);
        assert_eq!(detected(&source), Ok("openai-responses"));
    }
}

#[test]
fn files_of_others_are_theirs() {
    let chat = r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
    assert_eq!(detected(&both(&[ASKED, chat])[0]), Ok("openai-messages"));
    assert_eq!(detected(&both(&[ASKED, r#"{"role":"assistant","content":"x"}"#])[1]), Ok("openai-messages"));
    let codex = format!(r#"{{"type":"response_item","payload":{CALL}}}"#);
    assert_eq!(detected(&both(&[&codex, &codex])[1]), Ok("codex"));
    let header = r#"{"id":"1","timestamp":"t","instructions":null}"#;
    assert_eq!(detected(&both(&[header, CALL, OUTPUT])[1]), Ok("codex"));
    assert!(detected(r#"{"input":[{"role":"user","content":"u"}],"ideal":"x"}"#).is_err());
    let input = r#"{"input":{"messages":[{"role":"user","content":"u"}]},"preferred_output":[{"role":"assistant","content":"a"}],"non_preferred_output":[{"role":"assistant","content":"b"}]}"#;
    assert_eq!(detected(input), Ok("openai-preference"));
}

#[test]
fn broken_documents_and_lines_are_named_by_their_place() {
    let fail = |source: &str| FORMAT.read(source.as_bytes(), ReadOptions::default()).unwrap_err();
    let lines = fail(&format!("{ASKED}\n{{\"type\" 1}}\n"));
    assert_eq!((lines.line, lines.column), (2, 9));
    assert_eq!(fail(r#"{"a":1}"#).reason, "no `input` array");
    let lenient = ReadOptions { lenient: true, first_line: 1 };
    assert!(FORMAT.read(b"{\"a\":1}", lenient).unwrap().messages.is_empty());
}
