//! Compactions that are appended to the stored history.

use super::*;
use crate::format::by_name;
use crate::preset::Mode;
use crate::transcript::apply;

#[test]
fn secrets_of_what_is_carried_are_not_written_again() {
    let secret = format!("ghp_{}", "q7Zk29LmPx03".repeat(3));
    let entry = |id: u8, message: &str| {
        let parent = if id == 1 { "null".to_owned() } else { format!(r#""{}""#, id - 1) };
        format!(r#"{{"type":"message","id":"{id}","parentId":{parent},"message":{message}}}"#)
    };
    let said = |role: &str, text: &str| format!(r#"{{"role":"{role}","content":[{{"type":"text","text":"{text}"}}]}}"#);
    let call = format!(
        r#"{{"role":"assistant","content":[{{"type":"toolCall","id":"c","name":"skill","arguments":{{"args":"use {secret}"}}}}]}}"#
    );
    let result = format!(
        r#"{{"role":"toolResult","toolCallId":"c","toolName":"skill","content":[{{"type":"text","text":"Moor with {secret}."}}]}}"#
    );
    let words = "count the crates of every shelf in the long hall ".repeat(60);
    let header = r#"{"type":"session","version":3,"id":"s","cwd":"/quay"}"#.to_owned();
    let all = [
        said("user", &words),
        call,
        result,
        said("assistant", &words),
        said("user", "and the paint"),
        said("assistant", "Done."),
    ];
    let entries = all.iter().zip(1..).map(|(message, id)| entry(id, message));
    let source: Vec<String> = [header].into_iter().chain(entries).collect();
    let source = source.join("\n") + "\n";
    let compactor = opencode(|settings| {
        settings.split.tail_tokens = Some(60);
        settings.output.mode = Mode::Append;
    });
    let done = compactor.run(by_name("pi").unwrap(), source.as_bytes(), 1);
    let out = String::from_utf8(apply(source.as_bytes(), &done.patches).into_owned()).unwrap();
    let added = out.strip_prefix(&*source).unwrap();
    assert!(added.contains("Moor with [secret].") && !added.contains(&secret), "{added}");
}
