//! Journals: reading, compaction, and validity rules.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::super::tests::support::{appended, authors, continuation, edited, faults, read, stub_results, summary};
use super::KimiCode;
use crate::format::shared::json::{Json, Object};
use crate::transcript::{Author, Change, Class, Part, PartEdit, PartKind, SummaryRole};

const LONG: &str = include_str!("../../../samples/kimi-code/long-with-an-undo.jsonl");
const COMPACTED: &str = include_str!("../../../samples/kimi-code/compacted-by-kimi.jsonl");

fn object(line: &str) -> Object<'_> {
    Json::parse(line).unwrap().object().unwrap()
}

fn journal(lines: &[String]) -> String {
    let head = r#"{"type":"metadata","protocol_version":"1.4","created_at":1}"#;
    let all = std::iter::once(head.to_owned()).chain(lines.iter().cloned());
    all.map(|line| line + "\n").collect()
}

fn user(text: &str) -> String {
    format!(
        r#"{{"type":"context.append_message","message":{{"role":"user","content":[{{"type":"text","text":"{text}"}}],"toolCalls":[],"origin":{{"kind":"user"}}}},"time":2}}"#
    )
}

fn event(fields: &str) -> String {
    format!(r#"{{"type":"context.append_loop_event","event":{{{fields}}},"time":3}}"#)
}

fn step(id: &str, text: &str) -> Vec<String> {
    vec![
        event(&format!(r#""type":"step.begin","uuid":"{id}""#)),
        event(&format!(
            r#""type":"content.part","uuid":"p{id}","stepUuid":"{id}","part":{{"type":"text","text":"{text}"}}"#
        )),
        event(&format!(r#""type":"step.end","uuid":"{id}","finishReason":"end_turn""#)),
    ]
}

fn compaction(more: &str) -> String {
    format!(
        r#"{{"type":"context.apply_compaction","summary":"so far","tokensBefore":9,"tokensAfter":1{more},"time":4}}"#
    )
}

/// The texts of loaded messages.
fn live(source: &str) -> Vec<String> {
    let transcript = read(&KimiCode, source);
    transcript.messages.iter().filter(|it| it.live).map(|it| it.text().into_owned()).collect()
}

/// Drops the messages before the one with this text, and adds a summary before it and a continuation at the end.
fn compacted(source: &str, words: &str) -> String {
    edited(&KimiCode, source, |transcript, script| {
        let start = transcript.messages.iter().find(|message| message.text().starts_with(words)).unwrap().record;
        for (at, record) in transcript.records.iter().enumerate() {
            let system = matches!(record.class, Class::Message(at) if transcript.messages[at].author == Author::System);
            let old = matches!(record.class, Class::Message(at) if transcript.messages[at].author == Author::Summary);
            script.keep[at] = (system || record.class == Class::Opaque || at >= start) && !old;
        }
        for (at, record) in transcript.records.iter().enumerate() {
            if let Class::With(owner) = record.class {
                script.keep[at] = script.keep[owner];
            }
        }
        script.inserts = vec![summary(start, SummaryRole::System, "it"), continuation(transcript.records.len())];
    })
}

#[test]
fn a_journal_is_read_and_comes_back_as_it_was() {
    for source in [LONG, COMPACTED] {
        assert_eq!(edited(&KimiCode, source, |_, _| {}), source);
        assert_eq!((faults(&KimiCode, source), crate::check::faults(&read(&KimiCode, source))), (vec![], vec![]));
        assert_eq!(super::super::detect(source.as_bytes()).map(|found| found.name), Ok("kimi-code"));
    }
    let transcript = read(&KimiCode, LONG);
    use Author::{Harness, Model, Person, System, Tool};
    assert_eq!(authors(&transcript)[..8], [System, Harness, Person, Model, Model, Model, Tool, Tool]);
    let group = |at: usize| transcript.messages[at].group.clone();
    assert!(group(3).is_some() && group(3) == group(5) && group(6).is_none());
    assert!(transcript.messages[5].usage.is_some_and(|usage| usage.total().0 > 9_000));
    let result = &transcript.messages[7].parts[0];
    assert!(matches!(&result.kind, PartKind::Result { tool: Some(tool), error: false, .. } if tool == "Read"));
}

#[test]
fn what_was_undone_or_cleared_is_no_part_of_the_story() {
    let transcript = read(&KimiCode, LONG);
    let gone: Vec<_> = transcript.messages.iter().filter(|it| it.abandoned).map(|it| it.text()).collect();
    assert_eq!(gone, ["Undo me: forget the labels in French.", "I had not begun with them."]);
    let clear = r#"{"type":"context.clear","time":3}"#.to_owned();
    let lines = [vec![user("a")], step("s", "b"), vec![clear, user("c")]].concat();
    assert_eq!(live(&journal(&lines)), ["c"]);
    let undo = |count: u32| format!(r#"{{"type":"context.undo","count":{count},"time":3}}"#);
    let lines =
        |count| journal(&[vec![user("a"), compaction(r#","compactedCount":1"#), user("b"), undo(count)]].concat());
    assert_eq!((live(&lines(1)), live(&lines(2))), (vec!["so far".to_owned()], vec!["so far".into(), "b".into()]));
}

#[test]
fn a_compaction_of_kimis_keeps_what_the_user_said() {
    let transcript = read(&KimiCode, COMPACTED);
    let at = transcript.messages.iter().position(|message| message.author == Author::Summary).unwrap();
    let before = transcript.messages[..at].iter().filter(|message| message.live);
    let before: Vec<_> = before.map(|message| message.author).collect();
    use Author::{Person, System};
    assert_eq!(before, [System, Person, Person, Person]);
    assert_eq!(transcript.traits.kept_from, None);
    assert!(transcript.messages[at + 1..].iter().all(|message| message.live && !message.stale_usage));
}

#[test]
fn a_system_prompt_that_is_set_again_is_no_second_message() {
    let prompt = r#"{"type":"config.update","profileName":"agent","systemPrompt":"Be brief.","time":1}"#.to_owned();
    let set_again = [vec![prompt.clone(), user("a")], step("s", "b"), vec![prompt.clone(), user("c")]].concat();
    assert_eq!(live(&journal(&set_again)), ["Be brief.", "a", "b", "c"]);
    // What a compaction leaves of it.
    assert_eq!(live(&journal(&[prompt.clone(), prompt, user("c")])), ["Be brief.", "c"]);
}

#[test]
fn one_that_only_counts_keeps_what_follows() {
    let all = [vec![user("a")], step("s", "b"), vec![user("c")], step("t", "d")].concat();
    let counts = |count: u32| {
        let end = compaction(&format!(r#","compactedCount":{count}"#));
        live(&journal(&[all.clone(), vec![end, user("e")]].concat()))
    };
    assert_eq!(counts(0), ["a", "b", "c", "d", "so far", "e"]);
    assert_eq!(counts(2), ["c", "d", "so far", "e"]);
    assert_eq!(counts(9), ["so far", "e"]);
}

#[test]
fn a_summary_is_a_compaction_behind_the_tail() {
    let out = compacted(LONG, "Where is the number");
    let lines: Vec<_> = out.lines().map(object).collect();
    let kinds: Vec<_> = lines.iter().rev().take(4).map(|line| line.text("type").unwrap()).collect();
    let expected = ["context.append_message", "full_compaction.complete", "context.apply_compaction"];
    assert_eq!((&kinds[..3], &*kinds[3]), (&expected.map(Into::into)[..], "full_compaction.begin"));
    let applied = &lines[lines.len() - 3];
    assert_eq!(applied.whole("compactedCount"), Some(0));
    assert!(!applied.has("keptUserMessageCount"), "with that the tail would not be loaded");
    assert_eq!((faults(&KimiCode, &out), crate::check::faults(&read(&KimiCode, &out))), (vec![], vec![]));
    let again = read(&KimiCode, &out);
    use Author::{Continuation, Person, Summary, System};
    let loaded: Vec<_> = again.messages.iter().map(|message| message.author).collect();
    assert_eq!((&loaded[..2], &loaded[loaded.len() - 2..]), (&[System, Person][..], &[Summary, Continuation][..]));
    assert!(again.messages.iter().all(|message| message.live));
}

#[test]
fn a_second_compaction_takes_the_place_of_the_first() {
    let out = compacted(COMPACTED, "I take it out");
    assert!(!out.contains("Next: take it out") && faults(&KimiCode, &out).is_empty());
    assert!(out.contains(r#""type":"full_compaction.complete","agentId":"main","time":1785000"#), "of the same agent");
}

#[test]
fn what_is_appended_counts_what_it_stands_for() {
    let transcript = read(&KimiCode, LONG);
    let start = transcript.messages.iter().position(|it| it.text().starts_with("Where is the number")).unwrap();
    let loaded: Vec<_> = (0..1).chain(start..transcript.messages.len()).collect();
    let out = appended(&KimiCode, LONG, &loaded);
    assert!(out.starts_with(LONG));
    let again = read(&KimiCode, &out);
    let texts: Vec<_> = again.messages.iter().filter(|message| message.live).collect();
    assert_eq!(texts.len(), loaded.len() + 2, "and a summary, and a continuation");
    assert!(texts[1].text().starts_with("Where is the number"));
}

#[test]
fn stubs_keep_the_rest_of_the_event() {
    let out = edited(&KimiCode, COMPACTED, stub_results);
    assert!(out.contains(r#""result":{"output":"<stub />","isError":true}}"#), "{out}");
}

#[test]
fn what_the_user_said_changes_in_both_events() {
    let out = edited(&KimiCode, COMPACTED, |transcript, script| {
        let at = transcript.messages.iter().position(|it| it.text().starts_with("The pond's pump")).unwrap();
        script.parts = vec![PartEdit { message: at, part: 0, change: Change::Excerpt("The pump.".into()) }];
    });
    assert_eq!(out.matches(r#""text":"The pump.""#).count(), 2);
    assert!(!out.contains("do not restart the real pump"));
}

#[test]
fn steps_stay_whole_where_their_first_piece_goes() {
    let transcript = read(&KimiCode, LONG);
    let thought = |part: &Part<'_>| part.is_reasoning();
    for message in transcript.messages.iter().filter(|message| message.parts.iter().any(thought)) {
        let begin = transcript.records[message.record - 2..message.record].iter();
        let owner = begin.filter_map(|record| if let Class::With(at) = record.class { Some(at) } else { None }).next();
        assert!(owner.is_some_and(|owner| owner > message.record), "the step goes with its last piece");
    }
}

#[test]
fn rules_of_a_journal() {
    let rules = |source: &str| faults(&KimiCode, source).into_iter().map(|fault| fault.0).collect::<Vec<_>>();
    assert_eq!(rules(&journal(&step("s", "b"))), [""; 0]);
    assert_eq!(rules(&step("s", "b").join("\n")), ["no_header"]);
    assert_eq!(rules(&journal(&step("s", "b")[1..])), ["part_without_step"]);
    assert_eq!(rules(&journal(&[compaction("")])), ["invalid_compaction"]);
}
