//! Events: reading, compaction, and validity rules.
#![expect(clippy::unwrap_used, reason = "tests")]

mod sdk;

use super::OpenHands;
use crate::format::detect;
use crate::format::shared::json::{Json, Object};
use crate::format::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
use crate::format::{Format, Layout};
use crate::transcript::{Author, Class, EditScript, PartKind, Status, SummaryRole, Transcript, UiCopies, units};

const ARRAY: &str = include_str!("../../../../samples/openhands/a-condensation-and-two-calls-at-once.json");
const ROWS: &str = include_str!("../../../../samples/openhands/rows-of-events-and-of-pairs.jsonl");
const LINES: &str = include_str!("../../../../samples/openhands/calls-of-one-answer.jsonl");
const TREE: &str = include_str!("../../../../samples/openhands/a-tree-with-a-condensation.jsonl");

/// An array of V0 events, with ids in order.
fn array(events: &[&str]) -> String {
    let events: Vec<_> = events.iter().enumerate().map(|(id, event)| format!(r#"{{"id":{id},{event}}}"#)).collect();
    format!("[{}]", events.join(",\n"))
}

const ASK: &str = r#""source":"user","action":"message","args":{"content":"ask"}"#;
const RUN: &str = r#""source":"agent","action":"run","args":{"command":"ls","thought":"look"}"#;

fn ran(cause: usize, content: &str) -> String {
    format!(
        r#""source":"agent","cause":{cause},"observation":"run","content":"{content}","extras":{{"command":"ls","metadata":{{"exit_code":0}}}}"#
    )
}

/// The cut that a compaction would make.
fn cut(transcript: &Transcript<'_>, script: &mut EditScript, start: usize) {
    for (at, record) in transcript.records.iter().enumerate() {
        let owner = if let Class::With(owner) = record.class { owner } else { at };
        script.keep[at] = match record.class {
            Class::Message(message) => {
                let author = transcript.messages[message].author;
                author == Author::System || at >= start && author != Author::Summary
            }
            Class::Session(_) | Class::Opaque => true,
            Class::Abandoned => false,
            _ => owner >= start,
        };
    }
    script.inserts = vec![summary(start, SummaryRole::System, "it"), continuation(transcript.records.len())];
}

fn compacted(source: &str, words: &str) -> String {
    edited(&OpenHands, source, |transcript, script| {
        let start = transcript.messages.iter().find(|message| message.text().starts_with(words)).unwrap().record;
        cut(transcript, script, start);
    })
}

fn elements(text: &str) -> Vec<Object<'_>> {
    Json::parse(text).unwrap().array().unwrap().into_iter().map(|event| event.object().unwrap()).collect()
}

fn live(source: &str) -> Vec<String> {
    let transcript = read(&OpenHands, source);
    let live = transcript.messages.iter().filter(|message| message.live);
    live.map(|message| message.text().chars().take(12).collect()).collect()
}

#[test]
fn what_is_not_edited_keeps_its_bytes() {
    for source in [ARRAY, LINES, TREE].into_iter().chain(ROWS.lines()) {
        assert_eq!(edited(&OpenHands, source, |_, _| {}), source);
        assert_eq!(faults(&OpenHands, source), []);
        assert_eq!(crate::check::faults(&read(&OpenHands, source)), []);
        let found = detect(source.as_bytes()).unwrap();
        assert_eq!(found.name, "openhands");
    }
}

#[test]
fn rows_and_sessions_are_told_apart() {
    let layout = |text: &str| detect(text.as_bytes()).map(|found| (found.name, found.layout));
    assert_eq!(layout(ROWS), Ok(("openhands", Layout::PerLine)));
    assert_eq!(layout(LINES), Ok(("openhands", Layout::Session)));
    let sdk = r#"{"instance_id":"i","history":[{"kind":"MessageEvent","id":"a","source":"user","llm_message":{}}]}"#;
    assert_eq!(layout(sdk), Ok(("openhands", Layout::PerLine)));
    assert_eq!(layout(&format!("[{sdk}]")), Ok(("openhands", Layout::PerElement(None))));
    let messages = r#"{"history":[{"role":"assistant","action":"ls","content":"t"}]}"#;
    assert!(layout(messages).is_err());
}

#[test]
fn what_the_model_is_sent_are_messages() {
    use Author::{Harness, Model, Person, Summary, System, Tool};
    let transcript = read(&OpenHands, ARRAY);
    let told = authors(&transcript);
    assert_eq!(told[..9], [System, Person, Harness, Model, Model, Tool, Tool, Model, Tool]);
    assert_eq!(told[9], Harness, "an error that answers no call");
    assert_eq!(told[14], Summary);
    assert_eq!(transcript.messages[2].parts.len(), 2, "instructions of the repository, and what is known");
    assert_eq!(transcript.records[1].class, Class::Place);
    let recall = transcript.messages[2].record;
    assert_eq!(transcript.records[recall - 1].class, Class::With(recall));
    assert!(matches!(transcript.messages[8].parts[0].kind, PartKind::Result { error: true, .. }));
    let browse = transcript.messages.iter().find(|message| message.text().starts_with("Now the page")).unwrap();
    assert_eq!(browse.usage.unwrap().total().0, 5270);
    assert_eq!(browse.model.as_deref(), Some("stellar-large-2"));
}

#[test]
fn calls_of_one_answer_stay_together_and_its_words_are_read_once() {
    for source in [ARRAY, LINES] {
        let transcript = read(&OpenHands, source);
        let first = transcript.messages.iter().position(|message| message.author == Author::Model).unwrap();
        let unit = units(&transcript, |_, _| true).into_iter().find(|unit| unit.messages.contains(&first)).unwrap();
        assert_eq!(unit.messages, [first, first + 1, first + 2, first + 3]);
        assert!(!transcript.messages[first].text().is_empty() && transcript.messages[first + 1].text().is_empty());
        assert_eq!(transcript.messages[first + 1].usage, None);
    }
}

#[test]
fn a_picture_that_the_model_saw_is_media() {
    let transcript = read(&OpenHands, ARRAY);
    let media = |acted: &str| {
        let source = ARRAY.replace(r#""trigger_by_action": "browse_interactive""#, acted);
        let transcript = read(&OpenHands, &source);
        let mut parts = transcript.messages.iter().flat_map(|message| &message.parts);
        parts.any(|part| matches!(&part.kind, PartKind::Result { media, .. } if !media.is_empty()))
    };
    assert!(media(r#""trigger_by_action": "browse_interactive""#) && !media(r#""trigger_by_action": "browse""#));
    assert!(!transcript.messages.iter().any(|message| message.has_media()));
}

#[test]
fn the_kernel_of_a_notebook_tells_how_a_cell_ended() {
    let cell = r#""source":"agent","action":"run_ipython","args":{"code":"moor()"}"#;
    let told = |printed: &str| {
        let shown =
            format!(r#""source":"agent","cause":1,"observation":"run_ipython","content":"{printed}","extras":{{}}"#);
        let source = array(&[ASK, cell, &shown]);
        read(&OpenHands, &source).messages[2].parts[0].status
    };
    assert_eq!(told(r"----\nNameError   Traceback (most recent call last)\nNameError: no quay"), Some(Status::Exit(1)));
    assert_eq!(told("moored"), Some(Status::Exit(0)));
    assert_eq!(told(r"  Cell In[1], line 1\nSyntaxError: no quay"), None, "the program may have printed it");
    let of_shell = |code: &str, printed: &str| {
        let shown = format!(
            r#""source":"agent","cause":1,"observation":"run_ipython","content":"{printed}","extras":{{"code":"{code}"}}"#
        );
        let source = array(&[ASK, cell, &shown]);
        read(&OpenHands, &source).messages[2].parts[0].status
    };
    assert_eq!(of_shell("%pip install quay", "/bin/python3: No module named pip"), None, "the kernel does not know");
    assert_eq!(of_shell("moor()\\n!make quay", "make: *** No rule"), None);
    assert_eq!(of_shell("%pip install quay", r"Collecting quay\nSuccessfully installed quay-7"), Some(Status::Exit(0)));
    assert_eq!(of_shell("moor()", "moored"), Some(Status::Exit(0)));
    let typed = |given: &str| {
        let call = format!(r#""source":"agent","action":"run","args":{{"command":"north","is_input":"{given}"}}"#);
        let source = array(&[ASK, &call]);
        read(&OpenHands, &source).messages[1].parts[0].text.contains("is_input")
    };
    assert!(typed("true") && !typed("false"), "what is typed into a program is no command");
}

#[test]
fn a_result_finds_its_call_by_its_cause_alone() {
    let source = array(&[ASK, RUN, RUN, &ran(2, "second"), &ran(1, "first")]);
    let transcript = read(&OpenHands, &source);
    assert_eq!(crate::check::faults(&transcript), []);
    let units = units(&transcript, |_, _| true);
    let pairs: Vec<_> = units.iter().map(|unit| unit.messages.clone()).collect();
    assert_eq!(pairs, [vec![0], vec![1, 4], vec![2, 3]]);
    assert_eq!(transcript.messages[1].parts[1].text, r#"{"command": "ls"}"#);
}

#[test]
fn an_id_that_a_provider_uses_again_is_another_call() {
    let with = |id: usize| {
        format!(
            r#"{RUN},"tool_call_metadata":{{"function_name":"bash","tool_call_id":"call_0","model_response":{{"id":"r{id}"}},"total_calls_in_response":1}}"#
        )
    };
    let source = array(&[ASK, &with(1), &ran(1, "one"), &with(2), &ran(3, "two")]);
    let transcript = read(&OpenHands, &source);
    assert_eq!(crate::check::faults(&transcript), []);
    let ids: Vec<_> = transcript.messages.iter().flat_map(|message| message.calls()).collect();
    assert_eq!(ids, ["call_0", "#2 call_0"]);
}

#[test]
fn what_a_person_or_the_harness_does_is_not_the_models() {
    let user = RUN.replace("agent", "user");
    let hidden = RUN.replace(r#""thought""#, r#""hidden":true,"thought""#);
    let null = r#""source":"user","cause":0,"observation":"null","content":"","extras":{}"#;
    let source = array(&[ASK, &user, &ran(1, "a.txt"), null, &hidden, &RUN.replace("agent", "environment")]);
    let transcript = read(&OpenHands, &source);
    assert_eq!(authors(&transcript), [Author::Person, Author::Harness, Author::Harness]);
    assert_eq!(transcript.messages[2].results().count(), 1);
    assert_eq!(transcript.records[3].class, Class::With(0));
    assert_eq!((&transcript.records[4].class, &transcript.records[5].class), (&Class::Place, &Class::Place));
}

#[test]
fn events_of_a_delegate_go_with_its_call() {
    let delegate = r#""source":"agent","action":"delegate","args":{"agent":"Browser","inputs":{"task":"t"}}"#;
    let back = r#""source":"agent","observation":"delegate","content":"","extras":{"outputs":{"content":"found"}}"#;
    let source = array(&[ASK, delegate, ASK, RUN, &ran(3, "x"), back, RUN]);
    let transcript = read(&OpenHands, &source);
    let inside: Vec<_> = transcript.records[2..5].iter().map(|record| record.class.clone()).collect();
    assert_eq!(inside, vec![Class::Sidechain(Some(1)); 3]);
    assert_eq!(transcript.messages[2].parts[0].text, "found");
    assert_eq!(transcript.messages.len(), 4);
}

#[test]
fn an_earlier_condensation_says_what_is_live() {
    let transcript = read(&OpenHands, ARRAY);
    assert_eq!(live(ARRAY)[..4], ["You are Open", "The planner ", "Run `make ch", "Paranal lies"]);
    let kept = transcript.messages.iter().find(|message| message.text().starts_with("Paranal")).unwrap();
    assert_eq!(transcript.traits.kept_from, Some(kept.record));
    assert!(kept.stale_usage && kept.usage.is_some());
    assert!(!transcript.messages.iter().rfind(|message| message.usage.is_some()).unwrap().stale_usage);
}

#[test]
fn a_pair_of_which_a_condensation_forgets_half_is_forgotten() {
    let condensed = |first: usize, last: usize| {
        let condensation = format!(
            r#""source":"agent","action":"condensation","args":{{"forgotten_event_ids":null,"forgotten_events_start_id":{first},"forgotten_events_end_id":{last},"summary":"it","summary_offset":1}}"#
        );
        array(&[ASK, RUN, &ran(1, "one"), RUN, &ran(3, "two"), RUN, &ran(5, "three"), &condensation, ASK])
    };
    let kept = ["ask", "look", "", "it", "ask"];
    for (first, last) in [(1, 3), (2, 3), (2, 4)] {
        let source = condensed(first, last);
        assert_eq!(live(&source), kept, "{first} to {last}");
        assert_eq!(read(&OpenHands, &source).traits.kept_from, Some(5));
    }
}

#[test]
fn a_condensation_stands_at_the_end_and_says_where_its_summary_goes() {
    let out = compacted(ARRAY, "Good. Add");
    let events = elements(&out);
    let added = &events[events.len() - 2..];
    let newest = elements(ARRAY).last().and_then(|event| event.whole("id")).unwrap();
    assert_eq!((added[0].whole("id"), added[1].whole("id")), (Some(newest + 1), Some(newest + 2)));
    assert_eq!(added[0].get("timestamp").unwrap().raw(), events[events.len() - 3].get("timestamp").unwrap().raw());
    let args = added[0].object("args").unwrap();
    assert_eq!((args.get("forgotten_event_ids").unwrap().raw(), args.whole("summary_offset")), ("[]", Some(1)));
    assert_eq!(faults(&OpenHands, &out), []);
    assert_eq!(out.matches(r#"condensation""#).count(), 1, "the earlier one went");
    let transcript = read(&OpenHands, &out);
    use Author::{Continuation, Model, Person, Summary, System, Tool};
    assert_eq!(authors(&transcript), [System, Person, Model, Tool, Model, Tool, Model, Summary, Continuation]);
    assert!(transcript.messages.iter().all(|message| message.live));
    assert_eq!(transcript.traits.kept_from, Some(1));
}

#[test]
fn a_row_keeps_its_columns_and_a_pair_stays_one() {
    let pairs = ROWS.lines().nth(1).unwrap();
    let transcript = read(&OpenHands, pairs);
    assert_eq!(transcript.messages[1].calls().count() + transcript.messages[1].results().count(), 2);
    let out = compacted(pairs, "The ratio of");
    assert!(out.ends_with(r#", "metrics": {"accumulated_cost": 0.1}, "error": null}"#), "{out}");
    let row = Json::parse(&out).unwrap().object().unwrap();
    let history = row.array("history").unwrap();
    assert!(history.iter().all(|pair| pair.array().is_some_and(|pair| pair.len() == 2)));
    let added = history[history.len() - 2].array().unwrap()[0].object().unwrap();
    assert_eq!(added.text("action").as_deref(), Some("condensation"));
    assert_eq!(faults(&OpenHands, &out), []);
}

#[test]
fn events_without_ids_know_no_condensation() {
    let flat = r#"{"history":[{"content":"task","wait_for_response":false,"action":"message"},{"command":"ls","thought":"look","action":"run"},{"content":"a","exit_code":1,"observation":"run"},{"content":"which?","action":"message"},{"content":"this","action":"message"},{"outputs":{},"thought":"bye","action":"finish"}]}"#;
    let transcript = read(&OpenHands, flat);
    use Author::{Model, Person, Summary, Tool};
    assert_eq!(authors(&transcript), [Person, Model, Tool, Model, Person, Model]);
    assert!(matches!(transcript.messages[2].parts[0].kind, PartKind::Result { error: true, .. }));
    assert!(!transcript.traits.native_summary);
    let out = edited(&OpenHands, flat, |transcript, script| cut(transcript, script, 4));
    assert!(out.starts_with(r#"{"history":[{"content":"<prior-conversation-summary>"#), "{out}");
    let authors = authors(&read(&OpenHands, &out));
    assert_eq!(authors[..3], [Summary, Person, Model]);
}

#[test]
fn copies_follow_their_result_and_a_picture_becomes_none() {
    let stub = |source: &str, copies: UiCopies| {
        edited(&OpenHands, source, |transcript, script| {
            script.ui_copies = copies;
            stub_results(transcript, script);
        })
    };
    let out = stub(ARRAY, UiCopies::Stub);
    assert!(out.contains(r#""screenshot": "", "set_of_marks": """#), "{out}");
    assert!(out.contains(r#""old_content": "<stub />", "new_content": "<stub />""#), "{out}");
    assert!(out.contains(r#""message": "Running run", "action""#) && out.contains(r#""message": "Result of run""#));
    let dropped = stub(ARRAY, UiCopies::Drop);
    assert!(!dropped.contains(r#""message": "Running"#) && !dropped.contains(r#""message": "Result"#), "{dropped}");
    assert_eq!((faults(&OpenHands, &out), faults(&OpenHands, &dropped)), (vec![], vec![]));
    let long = "f".repeat(300);
    let back = format!(
        r#""source":"agent","observation":"delegate","content":"","extras":{{"outputs":{{"content":"{long}"}}}}"#
    );
    let delegated = array(&[r#""source":"agent","action":"delegate","args":{"agent":"B"}"#, &back]);
    for copies in [UiCopies::Stub, UiCopies::Drop] {
        assert!(stub(&delegated, copies).ends_with(r#""extras":{"outputs":{"content":"<stub />"}}}]"#));
    }
    let lines = stub(LINES, UiCopies::Stub);
    assert!(lines.contains(r#""observation":{"content":[{"type":"text","text":"<stub />"}],"is_error":false"#));
    assert!(lines.contains(r#""error":"<stub />""#));
}

#[test]
fn rules_are_named() {
    let rules = |source: &str| faults(&OpenHands, source).into_iter().map(|(rule, _)| rule).collect::<Vec<_>>();
    let neither = r#"[{"id":0,"source":"user","action":"message","args":{}},{"id":1,"source":"agent"},{"id":2,"action":"run","observation":"run"}]"#;
    assert_eq!(rules(neither), ["not_one_of_action_and_observation"; 2]);
    let order = r#"[{"id":3,"source":"user","action":"null","args":{}},{"id":1,"cause":9,"source":"user","action":"null","args":{}},{"id":3,"source":"user","action":"null","args":{}}]"#;
    assert_eq!(rules(order), ["ids_out_of_order", "cause_without_target", "duplicate_id"]);
    let condensation = |args: &str| array(&[&format!(r#""source":"agent","action":"condensation","args":{{{args}}}"#)]);
    assert_eq!(rules(&condensation(r#""forgotten_event_ids":[1]"#)), [""; 0]);
    assert_eq!(rules(&condensation(r#""summary":"s","summary_offset":1"#)), ["invalid_condensation"]);
    assert_eq!(rules(&condensation(r#""forgotten_event_ids":[],"summary":"s""#)), ["invalid_condensation"]);
    let sdk = "{\"id\":\"a\",\"action_id\":\"x\",\"parent_id\":\"y\",\"kind\":\"ObservationEvent\"}\n{\"id\":\"b\",\"parent_id\":\"__root__\",\"kind\":\"Condensation\"}";
    assert_eq!(rules(sdk), ["action_without_target", "parent_without_target", "condensation_without_response"]);
}

#[test]
fn what_is_broken_is_named_by_its_place() {
    let place =
        |text: &str| OpenHands.read(text.as_bytes(), crate::format::ReadOptions::default()).map(|_| ()).unwrap_err();
    let torn = LINES.replacen("\"kind\"", "kind", 1);
    assert_eq!(place(&torn).line, 1);
    assert_eq!(place("[\n{\"id\":0},\n{\"id\"]").line, 3);
    assert_eq!(place("{\n \"history\": 1\n}").reason, "no `history` array");
    let lenient = crate::format::ReadOptions { lenient: true, first_line: 1 };
    let transcript = OpenHands.read(torn.as_bytes(), lenient).unwrap();
    assert_eq!((transcript.records.len(), &transcript.records[0].class), (LINES.lines().count(), &Class::Opaque));
}
