//! Sessions: reading, compaction, and validity rules.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::super::tests::support::{authors, continuation, edited, faults, read, stub_results, summary};
use super::Pi;
use crate::format::Confidence;
use crate::format::shared::json::{Json, Object};
use crate::transcript::{Author, Class, EditScript, PartKind, Status, SummaryRole, Transcript, UiCopies};

const BRANCHES: &str = include_str!("../../../samples/pi/branches-and-labels.jsonl");
const COMPACTED: &str = include_str!("../../../samples/pi/compacted-before.jsonl");
const LINES: &str = include_str!("../../../samples/pi/lines-without-ids.jsonl");

/// The cut that a compaction would make, with a summary and a continuation.
fn cut(transcript: &Transcript<'_>, script: &mut EditScript, start: usize) {
    for (at, record) in transcript.records.iter().enumerate() {
        let owner = if let Class::With(owner) = record.class { owner } else { at };
        script.keep[at] = match record.class {
            Class::Message(message) => at >= start && transcript.messages[message].author != Author::Summary,
            Class::Session(_) | Class::Opaque => true,
            Class::Abandoned => false,
            _ => owner >= start,
        };
    }
    script.inserts = vec![summary(start, SummaryRole::System, "it"), continuation(transcript.records.len())];
}

fn compacted(source: &str, words: &str) -> String {
    edited(&Pi, source, |transcript, script| {
        let start = transcript.messages.iter().find(|message| message.text() == words).unwrap().record;
        cut(transcript, script, start);
    })
}

fn object(line: &str) -> Object<'_> {
    Json::parse(line).unwrap().object().unwrap()
}

#[test]
fn what_is_not_edited_keeps_its_bytes() {
    for source in [BRANCHES, COMPACTED, LINES] {
        assert_eq!(edited(&Pi, source, |_, _| {}), source);
        assert_eq!(faults(&Pi, source), []);
    }
}

#[test]
fn a_session_may_lack_its_header_or_parts_of_it() {
    let found = |text: &str| crate::format::detect(text.as_bytes()).ok().map(|it| (it.name, it.evidence.confidence));
    let (header, entries) = COMPACTED.split_once('\n').unwrap();
    let assumed = Some(("pi", Confidence::Assumed));
    assert_eq!(found(COMPACTED), Some(("pi", Confidence::Certain)));
    assert_eq!(found(entries), assumed);
    assert_eq!(authors(&read(&Pi, entries)), authors(&read(&Pi, COMPACTED)));
    let bare = header.replace(r#""version":3,"#, "").replace(r#","cwd":"/srv/stock""#, "");
    assert_eq!(found(&format!("{bare}\n{entries}")), assumed);
    let droid = entries.replace("toolCall", "tool_use").replace("toolResult", "user").replace("stopReason", "end");
    assert_ne!(found(&droid), assumed, "links alone are not pi's");
}

#[test]
fn a_branch_that_was_left_is_no_part_of_the_story() {
    let transcript = read(&Pi, BRANCHES);
    let gone: Vec<_> = transcript.messages.iter().filter(|message| message.abandoned).map(|m| m.author).collect();
    assert_eq!(gone, [Author::Person, Author::Model, Author::Tool]);
    use Author::{Harness, Model, Person, Tool};
    let told: Vec<_> = transcript.messages.iter().filter(|message| message.live).map(|m| m.author).collect();
    assert_eq!(told[..8], [Person, Model, Tool, Tool, Model, Harness, Person, Harness]);
    let label = BRANCHES.lines().position(|line| line.contains("\"label\"")).unwrap();
    assert_eq!(transcript.records[label].class, Class::With(label - 1));
}

#[test]
fn an_entry_that_names_no_parent_follows_the_one_before() {
    let header = r#"{"type":"session","version":3,"id":"s","cwd":"/"}"#;
    let entry = |id: &str, text: &str| {
        format!(r#"{{"type":"message","id":"{id}","message":{{"role":"user","content":"{text}"}}}}"#)
    };
    let source = format!("{header}\n{}\n{}\n{}\n", entry("a", "ebb"), entry("b", "slack"), entry("c", "flood"));
    let transcript = read(&Pi, &source);
    assert_eq!(transcript.messages.iter().filter(|message| message.live && !message.abandoned).count(), 3);
    let out = compacted(&source, "flood");
    assert_eq!((faults(&Pi, &out), read(&Pi, &out).messages.iter().filter(|it| it.abandoned).count()), (vec![], 0));
}

#[test]
fn a_status_goes_before_the_flag_that_says_of_no_error() {
    let header = r#"{"type":"session","version":3,"id":"s","cwd":"/"}"#;
    let told = |tool: &str, text: &str, more: &str| {
        let text = serde_json::json!(text).to_string();
        let source = format!(
            r#"{header}
{{"type":"message","id":"a","parentId":null,"message":{{"role":"toolResult","toolCallId":"c","toolName":"{tool}","content":[{{"type":"text","text":{text}}}],"isError":false{more}}}}}
"#
        );
        let transcript = read(&Pi, &source);
        let part = &transcript.messages[0].parts[0];
        let PartKind::Result { error, .. } = part.kind else { return (false, None) };
        (error, part.status)
    };
    let exit = |code| (false, Some(Status::Exit(code)));
    assert_eq!(told("exec", "no oil\n\n(Command exited with code 2)", ""), exit(2));
    assert_eq!(told("process", "no oil\n\nProcess exited with code 1.", ""), exit(1));
    assert_eq!(told("exec", "no oil", r#","details":{"status":"completed","exitCode":3}"#), exit(3));
    assert_eq!(told("read", "no oil\n\n(Command exited with code 2)", ""), (false, Some(Status::Unflagged)));
    let refused = "{\n  \"status\": \"error\",\n  \"tool\": \"exec\",\n  \"error\": \"denied\"\n}";
    assert_eq!(told("exec", refused, ""), (true, None));
    assert_eq!(told("fetch", "no oil", r#","details":{"status":"error"}"#), (true, None));
    assert_eq!(told("exec", "lit", ""), (false, Some(Status::Unflagged)));
}

#[test]
fn what_the_gateway_says_is_no_persons() {
    let header = r#"{"type":"session","version":3,"id":"s","cwd":"/"}"#;
    let said = |text: &str| {
        format!(r#"{{"type":"message","id":"{0}","message":{{"role":"user","content":"{text}"}}}}"#, text.len())
    };
    let asked = said("[Mon 2026-06-01 06:48 UTC] Light the pier.");
    let source = format!("{header}\n{asked}\n{}\n", said("Read HEARTBEAT.md if it exists. Follow it."));
    assert_eq!(authors(&read(&Pi, &source)), [Author::Person, Author::Harness]);
    let used_up =
        said("Tool budget soft limit reached after 18 tool calls (soft 18, hard 28). Stop starting new work.");
    assert_eq!(authors(&read(&Pi, &format!("{header}\n{asked}\n{used_up}\n"))), [Author::Person, Author::Harness]);
}

#[test]
fn what_a_compaction_kept_is_loaded_and_its_usage_is_stale() {
    for (source, loaded) in [(COMPACTED, 7), (LINES, 10)] {
        let transcript = read(&Pi, source);
        assert_eq!(transcript.messages.iter().filter(|message| message.live).count(), loaded);
        assert_eq!(transcript.loaded_from(), if loaded == 7 { 5 } else { 4 });
    }
    let transcript = read(&Pi, COMPACTED);
    assert!(transcript.messages[3].usage.is_some() && transcript.messages[7].usage.is_none());
    assert_eq!(transcript.messages[10].usage.unwrap().total().0, 700 * 3 + 30);
}

#[test]
fn a_compaction_stands_at_the_end_and_names_what_it_keeps() {
    let out = compacted(BRANCHES, "Sort it by shelf.");
    let lines: Vec<_> = out.lines().map(object).collect();
    let compaction = lines.iter().position(|line| line.is("type", "compaction")).unwrap();
    assert_eq!(compaction + 2, lines.len());
    let kept = lines.iter().find(|line| line.text("id") == lines[compaction].text("firstKeptEntryId")).unwrap();
    assert_eq!(kept.object("message").unwrap().text("role").unwrap(), "user");
    assert_eq!(lines[compaction].get("tokensBefore").unwrap().whole(), Some(9));
    assert_eq!(lines[compaction + 1].text("parentId"), lines[compaction].text("id"));
    assert_eq!(lines[compaction].text("timestamp"), lines[compaction - 1].text("timestamp"));
    assert_eq!(faults(&Pi, &out), []);
    let again = read(&Pi, &out);
    assert!(again.messages.iter().all(|message| message.live && !message.abandoned));
    use Author::{Continuation, Model, Person, Summary, Tool};
    assert_eq!(authors(&again), [Person, Model, Tool, Model, Person, Model, Summary, Continuation]);
    assert!(!out.contains("\"label\""), "it named an entry of the head");
}

#[test]
fn links_lead_to_the_nearest_entry_that_stays() {
    let out = edited(&Pi, BRANCHES, |transcript, script| {
        for (at, record) in transcript.records.iter().enumerate() {
            script.keep[at] = record.class != Class::Abandoned;
        }
    });
    assert_eq!(faults(&Pi, &out), []);
    let summary = out.lines().find(|line| line.contains("branch_summary")).map(object).unwrap();
    assert_eq!(summary.text("fromId"), summary.text("parentId"));
}

#[test]
fn a_second_compaction_takes_the_place_of_the_first() {
    for source in [COMPACTED, LINES] {
        let words = if source == LINES { "Run the tests." } else { "Add both up." };
        let out = compacted(source, words);
        assert_eq!(out.matches("\"compaction\"").count(), 1);
        assert_eq!(faults(&Pi, &out), []);
        assert!(read(&Pi, &out).messages.iter().all(|message| message.live));
        assert_eq!(out.ends_with('\n'), source.ends_with('\n'));
    }
    let line = compacted(LINES, "Run the tests.");
    assert!(line.contains(r#""firstKeptEntryIndex":1,"#), "{line}");
}

#[test]
fn details_follow_their_result() {
    let stubbed = edited(&Pi, BRANCHES, |transcript, script| {
        script.ui_copies = UiCopies::Stub;
        stub_results(transcript, script);
    });
    assert!(stubbed.contains(r#""details":{"truncation":{"content":"<stub />","lines":60}}"#));
    assert!(stubbed.contains(r#""content":[{"type":"text","text":"<stub />"}]"#));
    let dropped = edited(&Pi, BRANCHES, |_, script| script.ui_copies = UiCopies::Drop);
    assert!(!dropped.contains("details") && faults(&Pi, &dropped).is_empty());
}

#[test]
fn details_of_an_extension_stay_as_they_are() {
    let own = r#""details":{"todos":[{"text":"Fill the lamps of the north pier with oil, and trim every wick."}]}"#;
    let line = BRANCHES.lines().find(|line| line.contains("\"details\"")).unwrap();
    let start = line.find("\"details\"").unwrap();
    let todo = format!(r#"{}{own},"timestamp":1769940005000}}}}"#, &line[..start])
        .replace(r#""toolName":"read""#, r#""toolName":"todo""#);
    let session = BRANCHES.replace(line, &todo);
    assert!(todo.contains("\"todo\"") && faults(&Pi, &session).is_empty());
    for how in [UiCopies::Stub, UiCopies::Drop] {
        let out = edited(&Pi, &session, |transcript, script| {
            script.ui_copies = how;
            stub_results(transcript, script);
        });
        assert!(out.contains(own), "{out}");
    }
}

#[test]
fn rules_of_a_session() {
    let header = r#"{"type":"session","version":3,"id":"s","cwd":"/"}"#;
    let entry = |id: &str, parent: &str| {
        format!(r#"{{"type":"message","id":"{id}","parentId":{parent},"message":{{"role":"user","content":"u"}}}}"#)
    };
    let rules = |lines: &[&str]| faults(&Pi, &lines.join("\n")).into_iter().map(|fault| fault.0).collect::<Vec<_>>();
    assert_eq!(rules(&[header, &entry("a", "null"), &entry("b", "\"a\"")]), [""; 0]);
    // Concerns the whole session: the fault is the same if another record comes first.
    assert_eq!(faults(&Pi, &entry("a", "null")), [("no_header", String::new())]);
    assert_eq!(rules(&[header, &entry("a", "\"x\"")]), ["dangling_parent"]);
    assert_eq!(rules(&[header, &entry("a", "null"), &entry("a", "null")]), ["duplicate_id"]);
    assert_eq!(rules(&[header, &entry("a", "\"b\""), &entry("b", "\"a\"")]), ["parent_cycle"]);
    let lost = r#"{"type":"compaction","id":"c","parentId":"a","summary":"s","firstKeptEntryId":"x"}"#;
    assert_eq!(rules(&[header, &entry("a", "null"), lost]), ["first_kept_not_on_path"]);
    let label = r#"{"type":"label","id":"c","parentId":"a","targetId":"x","label":"l"}"#;
    assert_eq!(rules(&[header, &entry("a", "null"), label]), ["dangling_label"]);
}

#[test]
fn a_turn_that_was_stopped_or_failed_is_known() {
    let header = r#"{"type":"session","version":3,"id":"s","cwd":"/"}"#;
    let aborted = |reason: &str| {
        let answer = format!(
            r#"{{"type":"message","id":"a","parentId":null,"message":{{"role":"assistant","content":[],"stopReason":"{reason}"}}}}"#
        );
        read(&Pi, &format!("{header}\n{answer}")).messages[0].aborted
    };
    assert_eq!(["aborted", "error", "stop", "toolUse"].map(aborted), [true, true, false, false]);
}
