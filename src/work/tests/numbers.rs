//! In a row, and in a document on one line, a finding names the message, as its line does not tell.

use super::check_cases::{CASES, Case};
use super::checks::{checked, checker};
use super::*;
use crate::format::by_name;
use serde_json::Value;

/// The findings of a source, each with its format, its rule and the number of its message, or `-`.
fn told(format: &str, source: &str) -> Vec<String> {
    let work = Checker { from: by_name(format), ..checker(false) };
    let number = |message: Option<usize>| message.map_or_else(|| "-".to_owned(), |number| number.to_string());
    let findings = checked(&work, format, source.as_bytes()).line.findings.into_iter();
    findings.map(|finding| format!("{format} {} {}", finding.rule, number(finding.message))).collect()
}

/// What is told of a case that is one JSON document, on one line; `None` for other cases.
fn numbered((rule, format, good, from, to): &Case) -> Option<String> {
    let broken = good.replacen(from, to, 1).replace('\n', "");
    serde_json::from_str::<Value>(&broken).ok()?;
    told(format, &broken).into_iter().find(|told| told.split(' ').nth(1) == Some(rule))
}

#[test]
fn where_a_line_holds_several_messages_a_finding_names_the_message() {
    let found: Vec<String> = CASES.iter().filter_map(numbered).collect();
    assert_eq!(found, NUMBERED);
    let others: Vec<String> = OTHERS.iter().flat_map(|(format, source, _)| told(format, source)).collect();
    let wanted: Vec<String> = OTHERS.iter().map(|(format, _, wanted)| format!("{format} {wanted}")).collect();
    assert_eq!(others, wanted);
}

#[test]
fn where_each_message_has_a_line_the_line_is_enough() {
    for (rule, format, good, from, to) in CASES.iter().filter(|case| case.2.lines().count() > 1) {
        let told = told(format, &good.replacen(from, to, 1));
        assert!(told.iter().all(|told| told.ends_with(" -")), "{format} {rule}: {told:?}");
    }
}

#[test]
fn of_messages_that_break_a_rule_alike_the_first_is_named() {
    let row = r#"{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":""},{"role":"user","content":"v"},{"role":"assistant","content":""}]}"#;
    assert_eq!(told("openai-chat", row), ["openai-chat empty_content 2"]);
}

/// What is told of the cases of each rule that are one document.
const NUMBERED: &[&str] = &[
    "openai-chat unknown_shape -",
    "atif orphan_result 2",
    "anthropic-messages unanswered_call 2",
    "anthropic-messages empty_content 4",
    "openai-chat unknown_speaker 1",
    "anthropic-messages unknown_speaker 1",
    "openai-chat unreadable_calls 2",
    "openai-chat no_assistant -",
    "openai-preference prompt_ends_on_answer 2",
    "openai-chat media_count -",
    "sharegpt wrong_order 2",
    "anthropic-messages first_not_user 1",
    "anthropic-messages same_role_twice 2",
    "anthropic-messages ends_in_thinking 4",
    "anthropic-messages results_not_first 3",
    "opencode dangling_parent 2",
    "inspect lost_attachment -",
    "amp id_not_below_next 2",
    "hermes message_count_off -",
    "chatgpt-export broken_tree 3",
    "chatgpt-export parent_cycle 1",
    "chatgpt-export unknown_speaker 3",
    "open-webui broken_tree 2",
    "open-webui parent_cycle 1",
    "open-webui unknown_speaker 2",
    "librechat broken_tree 3",
    "librechat parent_cycle 3",
    "claude-ai-export broken_tree 2",
    "claude-ai-export parent_cycle 1",
    "claude-ai-export unknown_speaker 2",
    "roo condense_parent_missing 1",
    "roo truncation_parent_missing 2",
    "opencode time_goes_back 5",
    "opencode no_id 5",
    "opencode duplicate_id 5",
    "opencode no_parts 5",
    "otel-genai no_parts 2",
    "opencode part_of_another_message 5",
    "opencode dangling_tail_start 3",
    "goose message_count_off -",
    "openhands duplicate_id 5",
    "openhands ids_out_of_order 2",
    "openhands cause_without_target 3",
    "openhands not_one_of_action_and_observation 5",
    "openhands invalid_condensation 4",
    "atif no_steps -",
    "atif step_ids_not_sequential 2",
    "atif agent_only_field 1",
    "atif unknown_source_call 2",
];

/// Formats of which no case above is one document: each with a source and what is told of it. A system prompt beside the
/// messages is none of them.
const OTHERS: &[(&str, &str, &str)] = &[
    (
        "sharegpt",
        r#"{"system":"s","conversations":[{"from":"human","value":"u"},{"from":"human","value":"v"},{"from":"gpt","value":"x"}]}"#,
        "wrong_order 2",
    ),
    (
        "trl",
        r#"{"prompt":[{"role":"user","content":"u"},{"role":"tool","content":"r","tool_call_id":"z"}],"completion":[{"role":"assistant","content":"x"}]}"#,
        "orphan_result 2",
    ),
    (
        "gemini-contents",
        r#"{"systemInstruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"text":"u"}]},{"role":"user","parts":[{"text":"v"}]}]}"#,
        "same_role_twice 2",
    ),
    (
        "bedrock-converse",
        r#"{"system":[{"text":"s"}],"messages":[{"role":"user","content":[{"text":"u"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"d","name":"f","input":{}}}]},{"role":"user","content":[{"text":"v"}]}]}"#,
        "unanswered_call 2",
    ),
    (
        "openai-responses",
        r#"{"instructions":"s","input":[{"type":"message","role":"user","content":"u"},{"type":"function_call_output","call_id":"z","output":"r"}]}"#,
        "orphan_result 2",
    ),
    (
        "swe-agent",
        r#"{"trajectory":[],"history":[{"role":"system","content":"s"},{"role":"user","content":"u"},{"role":"assistant","content":""},{"role":"user","content":"v"}],"info":{}}"#,
        "empty_content 3",
    ),
    (
        "langchain",
        r#"[{"type":"human","data":{"content":"u","type":"human"}},{"type":"ai","data":{"content":"","type":"ai"}}]"#,
        "empty_content 2",
    ),
    (
        "cline",
        r#"[{"role":"user","content":[{"type":"text","text":"u"}],"ts":1},{"role":"user","content":[{"type":"text","text":"v"}],"ts":2}]"#,
        "same_role_twice 2",
    ),
    (
        "gemini-cli",
        r#"{"sessionId":"s","projectHash":"p","messages":[{"id":"a","type":"user","content":"u"},{"id":"","type":"gemini","content":"g"}]}"#,
        "no_id 2",
    ),
    (
        "inspect",
        r#"{"id":1,"epoch":1,"messages":[{"id":"a","role":"user","content":"u"},{"id":"a","role":"assistant","content":"x"}]}"#,
        "duplicate_id 2",
    ),
    (
        "hermes",
        r#"{"session_id":"s","message_count":2,"messages":[{"role":"user","content":"u"},{"role":"assistant","content":""}]}"#,
        "empty_content 2",
    ),
];
