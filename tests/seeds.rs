//! The seed notes' own examples, run through the presets that follow them to the letter (SPEC rulings 7 and 8).

#![expect(clippy::unwrap_used, reason = "tests")]

use epitome::batch::Work;
use epitome::format::by_name;
use epitome::preset::Settings;
use epitome::report::Outcome;
use epitome::summary::Template;
use epitome::transcript::apply;
use epitome::work::Compactor;
use serde_json::{Value, json};

/// Compacts messages with a preset, with settings changed by `set`; returns the messages and the outcome.
fn compact(preset: &str, messages: &[Value], set: impl Fn(&mut Settings)) -> (Vec<Value>, Outcome) {
    let mut settings = Settings::of_preset(preset).unwrap();
    set(&mut settings);
    let template = match &settings.summary.template_text {
        Some(text) => Template::parse(text, &[], settings.summary.free_form).unwrap(),
        None => Template::default(),
    };
    let work = Compactor { now: Some(1_700_000_000_000), ..Compactor::new(preset, settings, template).unwrap() };
    let source: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let done = work.run(by_name("openai-messages").unwrap(), source.as_bytes(), 1);
    let output = apply(source.as_bytes(), &done.patches).into_owned();
    let lines = String::from_utf8(output).unwrap();
    (lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), done.line.outcome)
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn assistant(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

fn call(id: &str, tool: &str) -> Value {
    json!({"role": "assistant", "content": null,
           "tool_calls": [{"id": id, "type": "function", "function": {"name": tool, "arguments": "{}"}}]})
}

fn result(id: &str, tool: &str, text: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": text, "metadata": {"toolName": tool}})
}

fn roles(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|message| message["role"].as_str().unwrap()).collect()
}

/// The example of seed T9: user turns at 0, 3 and 8, `read_file` before the boundary, `skill` and `edit_file` after it.
fn t9() -> Vec<Value> {
    let long = "line of a file\n".repeat(50);
    vec![
        user("Look at the file."),
        call("c1", "read_file"),
        result("c1", "read_file", &long),
        user("Use the skill."),
        call("c2", "skill"),
        result("c2", "skill", &long),
        call("c3", "edit_file"),
        result("c3", "edit_file", &long),
        user("And now?"),
        assistant("Done."),
    ]
}

#[test]
fn t9_stubs_what_stands_before_the_second_last_user_turn() {
    let (out, outcome) = compact("opencode-seed", &t9(), |settings| {
        settings.split.tail_tokens = Some(1);
        settings.split.min_tail = 9;
    });
    assert_eq!(outcome, Outcome::Compacted);
    let results: Vec<&Value> = out.iter().filter(|message| message["role"] == "tool").collect();
    assert_eq!(results[0]["content"], "<tool-output-compacted />");
    assert_eq!(results[0]["metadata"], json!({"toolName": "read_file", "time": {"compacted": 1_700_000_000_000_u64}}));
    assert_eq!(results[1], &t9()[5], "skill is protected by the boundary");
    assert_eq!(results[2], &t9()[7], "so is everything after the boundary");
}

#[test]
fn t9_prunes_nothing_where_there_are_fewer_than_two_user_turns() {
    let long = "line of a file\n".repeat(50);
    let messages = [
        assistant("Hello."),
        user("Read."),
        call("c1", "read_file"),
        result("c1", "read_file", &long),
        assistant("Ok."),
    ];
    let (out, outcome) = compact("opencode-seed", &messages, |settings| {
        settings.split.tail_tokens = Some(1);
        settings.split.min_tail = 4;
    });
    assert_eq!(outcome, Outcome::Compacted);
    assert!(out.contains(&messages[3]), "the code of the seed protects all (S1)");
}

#[test]
fn t9_prunes_the_result_of_a_tool_without_a_name() {
    let messages = [
        assistant("Hello."),
        user("Go."),
        call("c1", ""),
        json!({"role": "tool", "tool_call_id": "c1", "content": "x ".repeat(100)}),
        user("And?"),
        user("So?"),
    ];
    let (out, _) = compact("opencode-seed", &messages, |settings| {
        settings.split.tail_tokens = Some(1);
        settings.split.min_tail = 5;
    });
    assert_eq!(out[3]["content"], "<tool-output-compacted />");
}

#[test]
fn t8_adds_before_it_tests_and_puts_the_summary_first() {
    let messages = [
        json!({"role": "system", "content": "Be brief."}),
        user("one"),
        assistant("two"),
        user("three"),
        assistant(&"a long answer ".repeat(400)),
    ];
    let (out, _) = compact("opencode-seed", &messages, |settings| settings.split.tail_tokens = Some(100));
    assert_eq!(roles(&out), ["system", "user", "assistant", "user"], "summary, two messages however long, continue");
    let summary = out[0]["content"].as_str().unwrap();
    assert!(summary.starts_with("<prior-conversation-summary>\n## Goal\n"), "{summary}");
    assert!(summary.ends_with("\n</prior-conversation-summary>"), "{summary}");
    assert_eq!(out[3]["content"], "continue");
}

#[test]
fn t8_leaves_alone_what_never_fills_the_tail() {
    let messages = [user("one"), assistant("two"), user("three")];
    let (out, outcome) = compact("opencode-seed", &messages, |_| {});
    assert_eq!((out.as_slice(), outcome), (&messages[..], Outcome::Unchanged));
}

#[test]
fn t8_that_parts_a_call_from_its_result_is_not_written() {
    let messages =
        [user("Read."), call("c1", "skill"), result("c1", "skill", "text"), assistant("Read."), user("Thanks.")];
    let (out, outcome) = compact("opencode-seed", &messages, |settings| {
        settings.split.tail_tokens = Some(1);
        settings.split.min_tail = 3;
    });
    assert_eq!((out.as_slice(), outcome), (&messages[..], Outcome::Failed), "the cut falls between the two (S4)");
}

#[test]
fn t11_has_three_branches_and_media_come_first() {
    let ended = |messages: &[Value]| {
        compact("opencode-seed", messages, |settings| settings.split.tail_tokens = Some(1)).0.pop().unwrap()
    };
    let image = json!({"role": "user", "content": [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]});
    let media = ended(&[user("one"), assistant("two"), image, assistant("A cat.")]);
    assert_eq!(media["content"], "[Continuing from compaction] What is this?");
    assert_eq!(media["metadata"], json!({"compaction_continue": true, "had_media": true}));
    let unanswered = ended(&[user("one"), assistant("two"), assistant("three"), user("four")]);
    assert_eq!(unanswered["content"], "four");
    assert_eq!(unanswered["metadata"]["replayed"], true, "a viewer must not hide it (S15)");
    let middle = ended(&[user("one"), assistant("two"), user("three"), assistant("four")]);
    assert_eq!(middle, json!({"role": "user", "content": "continue", "metadata": {"compaction_continue": true}}));
}

#[test]
fn january_summarizes_the_whole_history_on_overflow_and_always_goes_on() {
    let messages =
        [json!({"role": "system", "content": "Be brief."}), user("Fix it. Never touch x.rs."), assistant("Fixed.")];
    let (out, _) = compact("opencode-2026-01", &messages, |settings| settings.limits.usable = Some(10));
    assert_eq!(roles(&out), ["system", "user", "assistant", "user"]);
    let texts: Vec<&str> = out.iter().map(|message| message["content"].as_str().unwrap()).collect();
    assert_eq!((texts[0], texts[1]), ("Be brief.", "What did we do so far?"));
    assert!(!texts[2].contains("## "), "without headings: {}", texts[2]);
    assert_eq!(texts[3], "Continue if you have next steps");
    let (_, outcome) = compact("opencode-2026-01", &messages, |_| {});
    assert_eq!(outcome, Outcome::Unchanged);
}

#[test]
fn january_clears_old_outputs_even_without_a_summary() {
    let mut messages = vec![user("Go.")];
    for id in ["c1", "c2", "c3", "c4", "c5", "c6"] {
        messages.extend([call(id, "bash"), result(id, "bash", &"x".repeat(50_501))]);
    }
    messages.extend([user("And?"), user("So?")]);
    let (out, _) = compact("opencode-2026-01", &messages, |_| {});
    let cleared = |message: &Value| message["content"] == "[Old tool result content cleared]";
    let at: Vec<usize> = out.iter().enumerate().filter(|(_, message)| cleared(message)).map(|(at, _)| at).collect();
    assert_eq!(at, [2, 4, 6], "OPENCODE 3.3 case 19");
}

#[test]
fn t12_asks_for_exactly_the_five_sections() {
    let names: Vec<String> = Template::default().sections().iter().map(|section| section.name.clone()).collect();
    assert_eq!(names, ["Goal", "Instructions", "Discoveries", "Accomplished", "Relevant files"]);
}
