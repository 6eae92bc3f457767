//! ATIF trajectories: reading, rendering, and validity rules.

#![expect(clippy::unwrap_used, reason = "tests")]

use super::super::tests::support::{authors, continuation, edited, faults, marked_ends, read, stub_results, summary};
use super::*;
use crate::transcript::{Author, Message, PartKind, SummaryRole};

const FORMAT: Atif = Atif;
const STEPS: [&str; 4] = [
    r#"{"step_id": 1, "source": "user", "message": "ask", "timestamp": "2031-01-01T00:00:00Z"}"#,
    r#"{"step_id": 2, "source": "agent", "message": "", "reasoning_content": "why", "tool_calls": [{"tool_call_id": "c", "function_name": "ls", "arguments": {"p": 1}}], "observation": {"results": [{"source_call_id": "c", "content": "long"}, {"content": "seen"}]}, "metrics": {"prompt_tokens": 9, "cached_tokens": 4, "completion_tokens": 2}}"#,
    r#"{"step_id": 3, "source": "agent", "message": [{"type": "text", "text": "again"}, {"type": "image", "source": {"path": "a.png"}}], "tool_calls": [{"tool_call_id": "c", "function_name": "ls", "arguments": {}}], "observation": {"results": [{"source_call_id": "c", "content": [{"type": "text", "text": "longer"}]}]}}"#,
    r#"{"step_id": 4, "source": "agent", "message": "done"}"#,
];

fn trajectory() -> String {
    let steps = STEPS.join(", ");
    format!(
        r#"{{"schema_version": "ATIF-v1.6", "agent": {{"name": "x", "version": "1"}}, "steps": [{steps}], "final_metrics": {{"total_steps": 4}}}}"#
    )
}

#[test]
fn trajectories_may_lie_in_rows() {
    let (one, layout) = (trajectory(), |text: &str| {
        let found = crate::format::detect(text.as_bytes()).unwrap();
        assert_eq!(found.name, "atif");
        found.layout
    });
    assert_eq!(layout(&one), Layout::Session);
    assert_eq!(layout(&one.replace("ATIF-v1.6", "1.5")), Layout::Session, "a writer that leaves out the name");
    assert_eq!(layout(&one.replace(", ", ",\n")), Layout::Session);
    assert_eq!(layout(&format!("{one}\n{one}\n")), Layout::PerLine);
    assert_eq!(layout(&format!("[{one},\n{one}]")), Layout::PerElement(None));
}

#[test]
fn a_step_holds_its_calls_and_results() {
    let source = trajectory();
    let transcript = read(&FORMAT, &source);
    assert_eq!(authors(&transcript), [Author::Person, Author::Model, Author::Model, Author::Model]);
    let texts: Vec<_> = transcript.messages[1].parts.iter().map(|part| &*part.text).collect();
    assert_eq!(texts, ["why", r#"{"p": 1}"#, "long", "seen"]);
    assert_eq!(transcript.messages[2].calls().collect::<Vec<_>>(), ["#2 c"]);
    assert!(transcript.messages[2].parts[1].is_media());
    assert_eq!(transcript.messages[1].usage.unwrap().total().0, 11);
    assert_eq!((faults(&FORMAT, &source), crate::check::faults(&transcript)), (vec![], vec![]));
    assert_eq!(edited(&FORMAT, &source, |_, _| {}), source);
}

#[test]
fn an_added_step_says_what_it_is() {
    assert_eq!(marked_ends(&FORMAT, &trajectory(), 4), [Author::Person, Author::Continuation]);
}

#[test]
fn steps_are_numbered_anew_and_a_note_explains_the_metrics() {
    let out = edited(&FORMAT, &trajectory(), |transcript, script| {
        script.keep[1] = false;
        script.inserts = vec![summary(0, SummaryRole::System, "it"), continuation(4)];
        stub_results(transcript, script);
    });
    let transcript = read(&FORMAT, &out);
    use Author::{Continuation, Model, Person, Summary};
    assert_eq!(authors(&transcript), [Summary, Person, Model, Model, Continuation]);
    assert!(out.contains(r#""content": [{"type":"text","text":"<stub />"}]"#), "{out}");
    assert!(out.contains(&format!(r#""final_metrics": {{"total_steps": 4}}, "notes":"{}""#, render::NOTE)), "{out}");
    assert_eq!(faults(&FORMAT, &out), []);
    let again = edited(&FORMAT, &out, |_, script| script.keep[2] = false);
    assert_eq!(again.matches(render::NOTE).count(), 1);
}

#[test]
fn broken_steps_are_faults() {
    let source = r#"{"schema_version":"ATIF-v1.4","steps":[{"step_id":1,"source":"user","message":"x","model_name":"m"},{"step_id":3,"source":"agent","message":"","observation":{"results":[{"source_call_id":"z"}]}}]}"#;
    let rules: Vec<_> =
        faults(&FORMAT, source).into_iter().map(|(rule, subject)| format!("{rule} {subject}")).collect();
    assert_eq!(rules, ["agent_only_field model_name", "step_ids_not_sequential ", "unknown_source_call z"]);
}

/// A trajectory of Terminus whose agent made these steps.
fn terminus(steps: &[&str]) -> String {
    let ask = r#"{"step_id":1,"source":"user","message":"ask"}"#.to_owned();
    let own = |(at, step): (usize, &&str)| format!(r#"{{"step_id":{},"source":"agent",{step}}}"#, at + 2);
    let steps: Vec<_> = std::iter::once(ask).chain(steps.iter().enumerate().map(own)).collect();
    format!(r#"{{"schema_version":"ATIF-v1.6","steps":[{}]}}"#, steps.join(","))
}

const TWO: &str = r#""tool_calls":[{"tool_call_id":"a","function_name":"bash_command","arguments":{"keystrokes":"ls"}},{"tool_call_id":"b","function_name":"bash_command","arguments":{"keystrokes":"cat"}}]"#;

#[test]
fn results_that_name_no_call_have_the_place_of_theirs() {
    let one = r#""message":"x","tool_calls":[{"tool_call_id":"c","function_name":"bash_command","arguments":{}}],"observation":{"results":[{"content":"long"}]}"#;
    let shared =
        format!(r#""message":"y",{TWO},"observation":{{"results":[{{"source_call_id":null,"content":"long"}}]}}"#);
    let own =
        format!(r#""message":"z",{TWO},"observation":{{"results":[{{"content":"long"}},{{"content":"longer"}}]}}"#);
    let source = terminus(&[one, &shared, &own.replace(r#""a""#, r#""d""#).replace(r#""b""#, r#""e""#)]);
    let transcript = read(&FORMAT, &source);
    let results: Vec<Vec<_>> = transcript.messages.iter().map(|it| it.results().collect()).collect();
    assert_eq!(results, [vec![], vec!["c"], vec!["a", "b"], vec!["d", "e"]]);
    assert_eq!((faults(&FORMAT, &source), crate::check::faults(&transcript)), (vec![], vec![]));
    assert_eq!(edited(&FORMAT, &source, |_, _| {}), source);
    let stubbed = edited(&FORMAT, &source, stub_results);
    assert_eq!(stubbed, source.replace(r#""long""#, r#""<stub />""#).replace(r#""longer""#, r#""<stub />""#));
}

#[test]
fn calls_of_a_step_with_one_id_or_none_have_results_of_their_own() {
    for (id, named) in [(r#""tool_call_id":"a","#, r#""source_call_id":"a","#), ("", "")] {
        let call = |name: &str| format!(r#"{{{id}"function_name":"{name}","arguments":{{}}}}"#);
        let result = |text: &str| format!(r#"{{{named}"content":"{text}"}}"#);
        let calls = format!(r#""tool_calls":[{},{}]"#, call("ls"), call("cat"));
        let results = format!(r#""observation":{{"results":[{},{}]}}"#, result("long"), result("longer"));
        let source = terminus(&[&format!(r#""message":"x",{calls},{results}"#)]);
        let transcript = read(&FORMAT, &source);
        let tools = transcript.messages[1].parts.iter().filter_map(|part| match &part.kind {
            PartKind::Result { id, tool, .. } => Some((&**id, tool.as_deref())),
            _ => None,
        });
        let tools: Vec<_> = tools.collect();
        assert_eq!(tools.iter().map(|(_, tool)| *tool).collect::<Vec<_>>(), [Some("ls"), Some("cat")]);
        assert_ne!(tools[0].0, tools[1].0);
        assert_eq!(crate::check::faults(&transcript), []);
    }
}

#[test]
fn where_numbers_leave_a_doubt_what_was_observed_answers_nothing() {
    let three = r#"{"content":"long"},{"content":"longer"},{"content":"longest"}"#;
    let source = terminus(&[&format!(r#""message":"x",{TWO},"observation":{{"results":[{three}]}}"#)]);
    let message = &read(&FORMAT, &source).messages[1];
    assert_eq!((message.results().count(), &*message.text()), (0, "x\nlong\nlonger\nlongest"));
    let named = r#"{"source_call_id":"a","content":"long"},{"content":"longer"}"#;
    let source = terminus(&[&format!(r#""message":"x",{TWO},"observation":{{"results":[{named}]}}"#)]);
    assert_eq!(read(&FORMAT, &source).messages[1].results().collect::<Vec<_>>(), ["a", "b"], "the one is left");
}

#[test]
fn screens_stored_as_words_of_the_user_are_results() {
    let answer =
        r#"```json\n{\"analysis\":\"Low tide.\",\"plan\":\"Look.\",\"commands\":[{\"keystrokes\":\"ls\"}]}\n```"#;
    let step = |at: usize, source: &str, message: &str| {
        format!(r#"{{"step_id":{at},"source":"{source}","message":"{message}"}}"#)
    };
    let screen = r"New Terminal Output:\nquay.md";
    let steps = [
        step(1, "user", "Mend the quay."),
        step(2, "agent", r#"{\"load_skill\": \"quay\"}"#),
        step(3, "user", r"Loaded skill: quay\n---\nname: quay"),
        step(4, "agent", answer),
        step(5, "user", screen),
        step(6, "agent", answer),
        step(7, "user", screen),
    ];
    let source =
        format!(r#"{{"schema_version":"ATIF-v1.2","agent":{{"name":"terminus"}},"steps":[{}]}}"#, steps.join(","));
    let transcript = read(&FORMAT, &source);
    let results: Vec<_> = transcript.messages.iter().flat_map(Message::results).collect();
    assert_eq!(results, ["#action 4.0", "#action 6.0"]);
    let authors: Vec<_> = transcript.messages.iter().map(|message| message.author).collect();
    assert_eq!(authors[..3], [Author::Person, Author::Model, Author::Harness]);
    assert_eq!((faults(&FORMAT, &source), crate::check::faults(&transcript)), (vec![], vec![]));
    assert_eq!(edited(&FORMAT, &source, |_, _| {}), source);
    assert_eq!(edited(&FORMAT, &source, stub_results), source.replace(screen, "<stub />"));
}

#[test]
fn commands_that_an_answer_writes_down_are_calls() {
    let answer = r#"{\"analysis\":\"Low tide.\",\"plan\":\"Look.\",\"commands\":[{\"keystrokes\":\"ls\"}]}"#;
    let observed = r#""observation":{"results":[{"content":"long"}]}"#;
    let source = terminus(&[
        &format!(r#""message":"{answer}","tool_calls":null,{observed}"#),
        &format!(r#""message":"so",{observed}"#),
    ]);
    let transcript = read(&FORMAT, &source);
    assert_eq!(transcript.messages[1].text(), "Analysis: Low tide.\nPlan: Look.");
    assert_eq!(transcript.messages[1].results().collect::<Vec<_>>(), ["#action 1.0"]);
    assert_eq!((transcript.messages[2].results().count(), &*transcript.messages[2].text()), (0, "so\nlong"));
    assert_eq!((faults(&FORMAT, &source), crate::check::faults(&transcript)), (vec![], vec![]));
    assert_eq!(edited(&FORMAT, &source, |_, _| {}), source);
    let stubbed = source.replacen(r#""long""#, r#""<stub />""#, 1);
    assert_eq!(edited(&FORMAT, &source, stub_results), stubbed);
}
