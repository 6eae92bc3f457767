//! Sessions of Claude Code in which the line of a result stands before that of its call.

use super::*;
use crate::format::by_name;
use crate::preset::{Mode, When};
use serde_json::{Value, json};

/// A session whose result in record 6 stands before its call in record 5.
fn session() -> String {
    let call =
        |id: u8, name: &str, input: Value| json!([{"type":"tool_use","id":format!("t{id}"),"name":name,"input":input}]);
    let result = |id: u8, text: &str| json!([{"type":"tool_result","tool_use_id":format!("t{id}"),"content":text}]);
    let tides = "the ferry leaves the quay at high tide and rests at low tide\n".repeat(60);
    let edit = json!({"file_path":"/quay/lamps.md","old_string":"oil","new_string":"gas"});
    let mut records: Vec<String> = [
        ("user", json!("Read the tide table.")),
        ("assistant", call(2, "Read", json!({"file_path":"/quay/tides.md"}))),
        ("user", result(2, &tides)),
        ("assistant", json!([{"type":"text","text":"I look."}])),
        ("assistant", call(5, "Edit", edit)),
        ("user", result(5, "The file /quay/lamps.md has been updated successfully.")),
        ("assistant", call(7, "Bash", json!({"command":"make"}))),
        ("user", result(7, &"lit\n".repeat(30))),
        ("assistant", json!([{"type":"text","text":"The lamps burn gas now."}])),
        ("user", json!("Which pier?")),
        ("assistant", json!([{"type":"text","text":"The northern one."}])),
    ]
    .into_iter()
    .zip(1..)
    .map(|((role, content), at)| {
        let parent = if at == 1 { Value::Null } else { json!(format!("r{}", at - 1)) };
        let message = json!({"id":format!("m{at}"),"role":role,"content":content});
        let time = format!("2026-01-01T00:00:{at:02}.000Z");
        json!({"type":role,"uuid":format!("r{at}"),"parentUuid":parent,"sessionId":"s","isSidechain":false,"timestamp":time,"message":message})
            .to_string()
    })
    .collect();
    records.swap(4, 5);
    records.join("\n") + "\n"
}

#[test]
fn a_tail_that_begins_with_such_a_pair_is_kept_behind_the_summary() {
    let source = session();
    for (mode, tail) in
        [Mode::Rewrite, Mode::Append].into_iter().flat_map(|mode| (20..200).step_by(10).map(move |tail| (mode, tail)))
    {
        let compactor = opencode(|settings| {
            settings.overflow.when = When::Always;
            settings.split.tail_tokens = Some(tail);
            settings.output.mode = mode;
            settings.output.min_gain = 0.0;
        });
        let done = compactor.run(by_name("claude-code").unwrap(), source.as_bytes(), 1);
        assert_eq!((done.line.outcome, done.line.reason), (Outcome::Compacted, None), "{mode:?} {tail}");
    }
}
