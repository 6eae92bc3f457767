//! Histories of Pydantic AI: reading, rendering, and what stays as it is.

use super::super::tests::support::{authors, continuation, detected, edited, faults, read, stub_results, summary};
use super::*;
use crate::transcript::{Author, Change, Media, PartEdit, PartKind, Role, SummaryRole, units};

const FORMAT: PydanticAi = PydanticAi;
const HISTORY: &str = include_str!("../../../samples/pydantic-ai/harbour-dues.json");
const ROWS: &str = include_str!("../../../samples/pydantic-ai/weeks.jsonl");

const SYSTEM: &str = r#"{"content":"be","part_kind":"system-prompt"}"#;
const ASKED: &str = r#"{"content":"old","timestamp":"t1","part_kind":"user-prompt"}"#;
const CALL: &str = r#"{"parts":[{"content":"why","part_kind":"thinking"},{"tool_name":"f","args":{"p": 1},"tool_call_id":"a","part_kind":"tool-call"}],"kind":"response"}"#;
const RETURNED: &str = r#"{"tool_name":"f","content":{"n": [1]},"tool_call_id":"a","part_kind":"tool-return"}"#;
const ANSWER: &str =
    r#"{"parts":[{"content":"x","part_kind":"text"}],"kind":"response","model_name":"m","finish_reason":"length"}"#;

fn request(parts: &[&str], more: &str) -> String {
    format!(r#"{{"parts":[{}]{more},"kind":"request"}}"#, parts.join(","))
}

fn history() -> String {
    let new = r#"{"content":"new","part_kind":"user-prompt"}"#;
    let messages = [request(&[SYSTEM, ASKED], ""), CALL.into(), request(&[RETURNED, new], ""), ANSWER.into()];
    format!("[{}]", messages.join(","))
}

#[test]
fn a_history_is_read_and_comes_back_as_it_was() {
    assert_eq!((detected(HISTORY), edited(&FORMAT, HISTORY, |_, _| {})), (Ok("pydantic-ai"), HISTORY.to_owned()));
    let transcript = read(&FORMAT, HISTORY);
    assert_eq!((faults(&FORMAT, HISTORY), crate::check::faults(&transcript)), (vec![], vec![]));
    use Author::{Model, Person, System, Tool};
    assert_eq!(authors(&transcript)[..7], [System, System, Person, Model, Tool, Tool, Model]);
    assert_eq!(transcript.messages[2].parts[1].kind, PartKind::Media(Media::Image));
    assert_eq!(transcript.messages[3].parts[0].kind, PartKind::Reasoning { signed: true });
    let error = |at: usize| matches!(transcript.messages[at].parts[0].kind, PartKind::Result { error: true, .. });
    let errors: Vec<_> = (0..transcript.messages.len()).filter(|at| error(*at)).collect();
    assert_eq!(errors.len(), 2, "a demand to try again, and a failed call");
    assert_eq!(transcript.messages[3].usage.map(|usage| usage.total().0), Some(960));
    let lines: Vec<_> = transcript.records.iter().map(|record| record.line).collect();
    assert!(lines[1..].is_sorted() && lines[0] > lines[1], "the instructions stand behind the parts");
}

#[test]
fn rows_hold_histories_under_a_key() {
    assert_eq!(detected(ROWS), Ok("pydantic-ai"));
    let first = ROWS.lines().next().unwrap();
    let transcript = read(&FORMAT, first);
    assert!(transcript.traits.training_row && transcript.messages.len() == 7);
    for key in ["message_history", "all_messages"] {
        let row = first.replace("\"messages\"", &format!("\"{key}\""));
        assert_eq!((detected(&row), read(&FORMAT, &row).messages.len()), (Ok("pydantic-ai"), 7));
    }
    let both = format!(r#"{{"all_messages":{0},"new_messages":{0}}}"#, history());
    assert!(read(&FORMAT, &both).traits.fixed.is_some(), "told twice");
    let other = r#"[{"kind":"request","parts":[{"text":"u"}]},{"kind":"response","parts":[{"text":"x"}]}]"#;
    assert!(detected(other).is_err());
}

#[test]
fn each_part_of_a_request_is_a_message_and_results_go_with_their_call() {
    let source = history();
    let transcript = read(&FORMAT, &source);
    use Author::{Model, Person, System, Tool};
    assert_eq!(authors(&transcript), [System, Person, Model, Tool, Person, Model]);
    assert!(units(&transcript, |_, _| true).iter().any(|unit| unit.messages == [2, 3]));
    assert!(transcript.messages[5].cut_off);
    let native = HISTORY.contains("builtin-tool-return");
    let own = read(&FORMAT, HISTORY);
    let last = &own.messages[own.messages.len() - 1];
    assert!(native && last.calls().eq(last.results()) && last.calls().count() == 1);
}

#[test]
fn a_summary_takes_its_place_in_the_request_with_the_system_prompt() {
    let out = edited(&FORMAT, &history(), |transcript, script| {
        (1..4).for_each(|at| script.keep[at] = false);
        script.inserts = vec![summary(4, SummaryRole::User, "it"), continuation(transcript.records.len())];
    });
    use Author::{Continuation, Model, Person, Summary, System};
    assert_eq!(authors(&read(&FORMAT, &out)), [System, Summary, Person, Model, Continuation]);
    assert!(out.starts_with(&format!("[{{\"parts\":[{SYSTEM}],")), "the rest of the request stays: {out}");
    assert!(!out.contains("tool-return") && faults(&FORMAT, &out).is_empty());
    let before = edited(&FORMAT, &history(), |_, script| {
        script.keep[1] = false;
        script.inserts = vec![summary(1, SummaryRole::Assistant, "it")];
    });
    let read_back = read(&FORMAT, &before);
    assert_eq!(authors(&read_back)[..3], [System, Summary, Model]);
    assert_eq!(read_back.messages[1].role, Role::User, "no answer can stand inside a request");
    let after =
        edited(&FORMAT, &history(), |_, script| script.inserts = vec![summary(2, SummaryRole::Assistant, "it")]);
    assert_eq!(authors(&read(&FORMAT, &after))[2..4], [Continuation, Summary]);
    assert!(after.contains(r#""part_kind":"text"}],"timestamp":"t1","kind":"response"}"#), "{after}");
}

#[test]
fn instructions_of_the_first_request_stay_with_it() {
    let first = request(&[ASKED], r#","instructions":"be kind""#);
    let source = format!("[{first},{CALL},{},{ANSWER}]", request(&[RETURNED], r#","instructions":"be kind""#));
    let transcript = read(&FORMAT, &source);
    assert_eq!(authors(&transcript)[..2], [Author::System, Author::Person]);
    let dropped = |inserts: bool| {
        edited(&FORMAT, &source, |_, script| {
            (1..4).for_each(|at| script.keep[at] = false);
            script.inserts = if inserts { vec![summary(1, SummaryRole::User, "it")] } else { Vec::new() };
        })
    };
    assert_eq!(authors(&read(&FORMAT, &dropped(true))), [Author::System, Author::Summary, Author::Model]);
    assert!(dropped(false).starts_with(r#"[{"parts":[],"instructions":"be kind","kind":"request"},"#));
}

#[test]
fn stubs_keep_what_a_part_needs() {
    let typed = RETURNED.replace(r#""part_kind""#, r#""tool_kind":"tool-search","part_kind""#);
    let source = history();
    let out = edited(&FORMAT, &source, stub_results);
    assert_eq!(out, source.replace(r#"{"n": [1]}"#, r#""<stub />""#));
    let source = source.replace(RETURNED, &typed);
    assert_eq!(edited(&FORMAT, &source, stub_results), source, "a result of a kind of its own");
    let image = r#"{"kind":"binary","data":"iVBO","media_type":"image/png"}"#;
    let asked = format!(r#"{{"content":["look",{image}],"part_kind":"user-prompt"}}"#);
    let drawn = format!(r#"{{"parts":[{{"content":{image},"part_kind":"file"}}],"kind":"response"}}"#);
    let source = format!("[{},{drawn}]", request(&[&asked], ""));
    let out = edited(&FORMAT, &source, |_, script| {
        let stub = |message, part| PartEdit { message, part, change: Change::Stub("a boat".into()) };
        script.parts = vec![stub(0, 1), stub(1, 0)];
    });
    let text = r#"{"content":"a boat","part_kind":"text"}"#;
    let file = format!(r#"{{"content":{image},"part_kind":"file"}}"#);
    assert_eq!(out, source.replace(&file, text).replace(image, r#""a boat""#));
}

#[test]
fn a_mask_goes_with_whole_messages() {
    let source = format!(r#"{{"messages":{},"loss_mask":[0,1,0,1]}}"#, history());
    assert_eq!(read(&FORMAT, &source).traits.fixed, None);
    let out = edited(&FORMAT, &source, |_, script| {
        (1..4).for_each(|at| script.keep[at] = false);
        script.inserts = vec![summary(4, SummaryRole::User, "it")];
    });
    assert!(out.ends_with(r#""loss_mask":[0,0,1]}"#), "{out}");
}

#[test]
fn files_that_a_tool_returned_go_with_its_result() {
    let image = r#"{"kind":"binary","data":"iVBO","media_type":"image/png"}"#;
    let call = CALL.replace(r#"]"#, r#",{"tool_name":"g","args":"{}","tool_call_id":"b","part_kind":"tool-call"}]"#);
    let file = RETURNED.replace(r#"{"n": [1]}"#, r#""See file x1""#);
    let other = RETURNED.replace(r#""a""#, r#""b""#);
    let sent = format!(r#"{{"content":["This is file x1:",{image}],"part_kind":"user-prompt"}}"#);
    let first = request(&[ASKED], "");
    let source = format!("[{first},{call},{},{ANSWER}]", request(&[&file, &other, &sent], ""));
    let transcript = read(&FORMAT, &source);
    use Author::{Harness, Model, Person, Tool};
    assert_eq!(authors(&transcript), [Person, Model, Tool, Tool, Harness, Model]);
    assert_eq!(transcript.messages[4].belongs_to.as_deref(), Some("a"));
    assert!(units(&transcript, |_, _| true).iter().any(|unit| unit.messages == [1, 2, 3, 4]));
    let next = format!("[{first},{call},{},{ANSWER},{}]", request(&[&file, &other], ""), request(&[&sent], ""));
    assert_eq!(authors(&read(&FORMAT, &next)).last(), Some(&Person), "in a request of its own it is a person's");
}

#[test]
fn a_new_request_at_the_end_repeats_the_newest_instructions() {
    let (old, new) = (r#","instructions":"be old""#, r#","instructions":"be \u006bind""#);
    let messages = [request(&[ASKED], old), CALL.into(), request(&[RETURNED], new), ANSWER.into()];
    let source = format!("[{}]", messages.join(","));
    let added = |dropped: &[usize]| {
        let out = edited(&FORMAT, &source, |transcript, script| {
            dropped.iter().for_each(|at| script.keep[*at] = false);
            script.inserts = vec![continuation(transcript.records.len())];
        });
        assert!(out.starts_with("[{"));
        out.rsplit_once(r#"{"parts""#).map(|(_, last)| last.to_owned()).unwrap()
    };
    assert!(added(&[]).ends_with(r#""part_kind":"user-prompt"}],"instructions":"be \u006bind","kind":"request"}]"#));
    assert!(added(&[2, 3, 4]).ends_with(r#""instructions":"be old","kind":"request"}]"#));
    let out = edited(&FORMAT, &source, |_, script| script.inserts = vec![summary(2, SummaryRole::User, "it")]);
    assert_eq!(out.matches("instructions").count(), 2, "a request follows, with its own");
}
