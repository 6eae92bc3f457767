//! Links of sessions with repeated records.

use super::super::tests::support::{appended, authors, continuation, edited, faults, read, summary};
use super::ClaudeCode;
use crate::transcript::{Append, Author, SummaryRole};

fn record(id: &str, parent: &str, role: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(
        r#"{{"type":"{role}","uuid":"{id}","parentUuid":{parent},"sessionId":"s","isSidechain":false,"message":{{"role":"{role}","content":"{id}"}}}}"#
    )
}

/// A session whose first `gone` records were replaced by a summary.
fn compacted(records: &[String], gone: usize) -> String {
    edited(&ClaudeCode, &records.join("\n"), |_, script| {
        script.keep[..gone].fill(false);
        script.inserts = vec![summary(gone, SummaryRole::System, "it")];
    })
}

#[test]
fn sessions_one_after_the_other_are_told_from_one_that_was_resumed_or_forked() {
    let other = |id: &str, parent: &str, role: &str| record(id, parent, role).replace(r#""s""#, r#""t""#);
    let found = |records: &[String]| {
        let source = records.join("\n");
        let traits = read(&ClaudeCode, &source).traits;
        (traits.fixed, traits.other_session)
    };
    let own = [record("a", "", "user"), record("b", "a", "assistant")];
    let with = |more: &[String]| found(&[&own[..], more].concat());
    let several = (Some("several_sessions"), Some(2));
    assert_eq!(with(&[other("c", "", "user"), other("d", "c", "assistant")]), several);
    assert_eq!(with(&[r#"{"type":"session_meta","payload":{"id":"x"}}"#.into()]), several);
    assert_eq!(with(&[other("c", "b", "user"), other("d", "c", "assistant")]), (None, None), "resumed");
    assert_eq!(with(&[record("c", "", "user")]), (None, None), "begun again in the same session");
    assert_eq!(with(&[other("c", "", "user").replace("false", "true")]), (None, None), "a subagent's");
    assert_eq!(with(&[r#"{"type":"note","payload":{}}"#.into()]), (None, None));
}

#[test]
fn a_copy_that_stands_later_is_no_parent() {
    let session = [
        record("a", "", "user"),
        record("b", "a", "assistant"),
        record("c", "b", "user"),
        record("d", "c", "assistant"),
        record("c", "b", "user"),
        record("e", "d", "user"),
    ];
    let out = compacted(&session, 3);
    assert!(!out.contains(r#""uuid":"d","parentUuid":"c""#), "{out}");
    assert!(out.ends_with(&session[5]), "{out}");
    assert_eq!(faults(&ClaudeCode, &out), []);
}

#[test]
fn what_leads_past_copies_to_a_later_record_follows_the_summary() {
    let session = [
        record("c", "b", "assistant"),
        record("d", "c", "user"),
        record("a", "", "user"),
        record("b", "a", "user"),
        record("c", "b", "assistant"),
        record("d", "c", "user"),
    ];
    let out = compacted(&session, 1);
    assert!(faults(&ClaudeCode, &out).iter().all(|(rule, _)| *rule == "duplicate_uuid"), "{out}");
}

#[test]
fn an_appended_compaction_names_a_repeated_record_once_in_the_order_of_the_chain() {
    let mut session = vec![record("a", "", "user"), record("b", "a", "assistant")];
    session.extend([record("c", "b", "user"), record("d", "c", "assistant"), record("e", "d", "user")]);
    session.extend_from_slice(&session.clone()[2..]);
    let out = appended(&ClaudeCode, &session.join("\n"), &[4, 5, 6, 7]);
    assert!(out.contains(r#""preservedSegment":{"headUuid":"c","#) && out.contains(r#""tailUuid":"e"}"#), "{out}");
    assert!(out.contains(r#""uuids":["c","d","e"],"#), "{out}");
    let transcript = read(&ClaudeCode, &out);
    let live = transcript.messages.iter().filter(|message| message.live && message.author != Author::Summary);
    assert_eq!(live.count(), 4, "three and the continuation");
}

#[test]
fn what_the_harness_answers_in_the_models_name_is_its_own() {
    let session = [record("a", "", "user"), record("b", "a", "assistant"), record("c", "b", "assistant")];
    let synthetic = session[2].replace(r#""content""#, r#""model":"<synthetic>","content""#);
    let session = [&session[0], &session[1], &synthetic].map(String::as_str).join("\n");
    let transcript = read(&ClaudeCode, &session);
    assert_eq!(authors(&transcript), [Author::Person, Author::Model, Author::Harness]);
    assert_eq!(faults(&ClaudeCode, &session), []);
}

#[test]
fn behind_records_without_ids_the_continuation_has_none() {
    let session: Vec<String> = [("a", "user"), ("b", "assistant"), ("c", "user"), ("d", "assistant")]
        .map(|(id, role)| record(id, "", role).replace(&format!(r#""uuid":"{id}","parentUuid":null,"#), ""))
        .into();
    let out = edited(&ClaudeCode, &session.join("\n"), |_, script| {
        script.keep[..2].fill(false);
        script.inserts = vec![summary(2, SummaryRole::System, "it"), continuation(4)];
    });
    let transcript = read(&ClaudeCode, &out);
    let last = transcript.messages.iter().rev().take(3);
    assert!(last.clone().count() == 3 && last.clone().all(|message| message.live), "{out}");
    assert_eq!(transcript.traits.append, Append::Never);
}
