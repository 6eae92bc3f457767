//! Every rule has a transcript that breaks it and one that does not; what can be mended is mended, and nothing else.

use super::*;
use crate::batch::Checker;
use crate::check::{Choice, RULES, Scope};
use crate::format::{by_name, detect, elements, lines};
use crate::summary::Template;
use crate::transcript::{apply, new_faults};
use rayon::prelude::*;
use std::collections::BTreeSet;

const OPENAI: &str = r#"{"role":"system","content":"s"}
{"role":"user","content":"u"}
{"role":"assistant","content":"w","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]}
{"role":"tool","tool_call_id":"a","content":"r"}
{"role":"assistant","content":"x"}
{"role":"user","content":"thanks"}
"#;
const CHAT: &str =
    r#"{"messages":[{"role":"user","content":"<image>u"},{"role":"assistant","content":"x"}],"images":["1"]}"#;
const PAIR: &str = r#"{"input":{"messages":[{"role":"user","content":"u"}]},"preferred_output":[{"role":"assistant","content":"x"}],"non_preferred_output":[{"role":"assistant","content":"y"}]}"#;
const SHAREGPT: &str = r#"{"conversations":[{"from":"human","value":"u"},{"from":"gpt","value":"x"}]}"#;
const ANTHROPIC: &str = r#"{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"text","text":"w"},{"type":"tool_use","id":"a","name":"ls","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"},{"type":"text","text":"go on"}]},{"role":"assistant","content":[{"type":"thinking","thinking":"h","signature":"s"},{"type":"text","text":"x"}]}]}"#;
const CLAUDE: &str = r#"{"type":"summary","summary":"Title","leafUuid":"u3"}
{"type":"file-history-snapshot","messageId":"u1","snapshot":{}}
{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"role":"user","content":"u"}}
{"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":"s","timestamp":"2026-01-01T00:00:02Z","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"a","name":"Read","input":{}}]}}
{"type":"user","uuid":"u3","parentUuid":"u2","sessionId":"s","timestamp":"2026-01-01T00:00:03Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]}}
{"type":"system","subtype":"compact_boundary","uuid":"u4","parentUuid":null,"logicalParentUuid":"u3","sessionId":"s","timestamp":"2026-01-01T00:00:04Z"}
{"type":"user","uuid":"u5","parentUuid":"u4","sessionId":"s","isCompactSummary":true,"timestamp":"2026-01-01T00:00:05Z","message":{"role":"user","content":"so far"}}
{"type":"assistant","uuid":"u6","parentUuid":"u5","sessionId":"s","timestamp":"2026-01-01T00:00:06Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"x"}]}}
{"type":"user","uuid":"u7","parentUuid":"u6","sessionId":"s","timestamp":"2026-01-01T00:00:07Z","message":{"role":"user","content":"thanks"}}
"#;
const CODEX: &str = r#"{"timestamp":"1","ordinal":1,"type":"session_meta","payload":{"id":"a"}}
{"timestamp":"1","ordinal":2,"type":"event_msg","payload":{"type":"user_message","message":"u"}}
{"timestamp":"1","ordinal":3,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"u"}]}}
{"timestamp":"1","ordinal":4,"type":"response_item","payload":{"type":"reasoning","summary":[],"encrypted_content":"x"}}
{"timestamp":"1","ordinal":5,"type":"response_item","payload":{"type":"function_call","name":"f","arguments":"{}","call_id":"a"}}
{"timestamp":"1","ordinal":6,"type":"response_item","payload":{"type":"function_call_output","call_id":"a","output":"r"}}
{"timestamp":"1","ordinal":7,"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"v"}]}}
"#;
const PI: &str = r#"{"type":"session","version":3,"id":"s","cwd":"/"}
{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":[{"type":"text","text":"u"}]}}
{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"f","arguments":{}}]}}
{"type":"message","id":"c","parentId":"b","message":{"role":"toolResult","toolCallId":"c","content":[{"type":"text","text":"r"}]}}
{"type":"label","id":"d","parentId":"c","targetId":"a"}
{"type":"compaction","id":"e","parentId":"d","summary":"s","firstKeptEntryId":"c","tokensBefore":1}
{"type":"message","id":"f","parentId":"e","message":{"role":"user","content":[{"type":"text","text":"v"}]}}
"#;
const OPENCODE: &str = r#"{"info":{"id":"s"},"messages":[
{"info":{"id":"m1","role":"user","time":{"created":1}},"parts":[{"id":"p1","messageID":"m1","type":"text","text":"u"}]},
{"info":{"id":"m2","role":"assistant","parentID":"m1","time":{"created":2},"finish":"stop"},"parts":[{"id":"p2","messageID":"m2","type":"text","text":"x"}]},
{"info":{"id":"m3","role":"user","time":{"created":3}},"parts":[{"id":"p3","messageID":"m3","type":"compaction","tail_start_id":"m2"}]},
{"info":{"id":"m4","role":"assistant","parentID":"m3","time":{"created":4},"summary":true,"finish":"stop"},"parts":[{"id":"p4","messageID":"m4","type":"text","text":"so far"}]},
{"info":{"id":"m5","role":"user","time":{"created":5}},"parts":[{"id":"p5","messageID":"m5","type":"text","text":"v"}]}
]}"#;
const GEMINI: &str = r#"{"sessionId":"s","projectHash":"p"}
{"id":"a","type":"user","content":"u"}
{"id":"b","type":"gemini","content":"g"}
{"$rewindTo":"b"}
{"id":"c","type":"gemini","content":"h"}
"#;
const GOOSE: &str = r#"{"working_dir":"/w","message_count":2,"conversation":[
{"role":"user","created":1,"content":[{"type":"text","text":"u"}]},
{"role":"assistant","created":2,"content":[{"type":"text","text":"x"}]}]}"#;
const ATIF: &str = r#"{"schema_version":"ATIF-v1.6","steps":[
{"step_id":1,"source":"user","message":"u"},
{"step_id":2,"source":"agent","message":"w","tool_calls":[{"tool_call_id":"a","function_name":"f","arguments":{}}],"observation":{"results":[{"source_call_id":"a","content":"r"}]}}]}"#;
const STS: &str = r#"{"type":"session","harness":"h","id":"s"}
{"type":"message","message":{"role":"user","content":"u"}}
{"type":"message","message":{"role":"assistant","content":"a","toolCalls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}}
{"type":"message","message":{"role":"tool","content":"r","toolCallId":"c"}}
{"type":"message","message":{"role":"user","content":"v"}}
"#;
const OTEL: &str = r#"[{"role":"user","parts":[{"type":"text","content":"u"}]},{"role":"assistant","parts":[{"type":"text","content":"x"}]}]"#;
const EVENTS: &str = r#"[{"id":0,"source":"user","action":"message","args":{"content":"u"}},
{"id":1,"source":"agent","action":"run","args":{"command":"ls","thought":"look"}},
{"id":2,"source":"agent","cause":1,"observation":"run","content":"r","extras":{"command":"ls","metadata":{"exit_code":0}}},
{"id":3,"source":"agent","action":"condensation","args":{"forgotten_events_start_id":1,"forgotten_events_end_id":2,"summary":"s","summary_offset":1}},
{"id":4,"source":"user","action":"message","args":{"content":"v"}}]"#;
const SDK: &str = r#"{"id":"a","source":"agent","system_prompt":{"type":"text","text":"s"},"kind":"SystemPromptEvent"}
{"id":"b","parent_id":"a","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"u"}]},"kind":"MessageEvent"}
{"id":"c","parent_id":"b","source":"agent","thought":[],"tool_call":{"id":"t","name":"f","arguments":"{}"},"tool_call_id":"t","tool_name":"f","action":{"kind":"X"},"llm_response_id":"r","kind":"ActionEvent"}
{"id":"d","parent_id":"c","source":"environment","tool_call_id":"t","tool_name":"f","action_id":"c","observation":{"content":[{"type":"text","text":"r"}]},"kind":"ObservationEvent"}
{"id":"e","parent_id":"d","source":"environment","forgotten_event_ids":["c","d"],"summary":"s","summary_offset":1,"llm_response_id":"r","kind":"Condensation"}
{"id":"f","parent_id":"e","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"v"}]},"kind":"MessageEvent"}
"#;
const OURS: &str = r###"{"role":"user","content":"u"}
{"role":"system","content":"<prior-conversation-summary>\n## Goal\n- a\n\n## Instructions\n(none)\n\n## Discoveries\n- b\n\n## Accomplished\n- c\n\n## Relevant files\n- d\n</prior-conversation-summary>"}
{"role":"assistant","content":"x"}
"###;

/// A rule, a format with a transcript that keeps it, and the words in that to replace so that it breaks it.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str);

const CASES: &[Case] = &[
    ("invalid_line", "openai-messages", OPENAI, r#"{"role":"user","content":"thanks"}"#, r#"{"role":"user","con"#),
    ("invalid_line", "claude-code", CLAUDE, r#"{"type":"file-history-snapshot""#, "\0"),
    ("invalid_line", "opencode", OPENCODE, r#""text":"u"}]}"#, r#""text":"u"}]"#),
    ("unknown_shape", "openai-chat", CHAT, "messages", "massages"),
    ("wrong_format", "claude-code", CLAUDE, "\"type\"", "\"kind\""),
    ("orphan_result", "openai-messages", OPENAI, r#""tool_call_id":"a""#, r#""tool_call_id":"b""#),
    ("orphan_result", "claude-code", CLAUDE, r#""id":"a""#, r#""id":"b""#),
    ("orphan_result", "pi", PI, r#""toolCallId":"c""#, r#""toolCallId":"d""#),
    (
        "orphan_result",
        "codex",
        CODEX,
        r#""function_call_output","call_id":"a""#,
        r#""function_call_output","call_id":"b""#,
    ),
    ("orphan_result", "hf-sts", STS, r#""toolCallId":"c""#, r#""toolCallId":"d""#),
    ("orphan_result", "atif", ATIF, r#""source_call_id":"a""#, r#""source_call_id":"b""#),
    ("unanswered_call", "openai-messages", OPENAI, r#"{"role":"tool","tool_call_id":"a","content":"r"}"#, ""),
    (
        "unanswered_call",
        "anthropic-messages",
        ANTHROPIC,
        r#"{"type":"tool_result","tool_use_id":"a","content":"r"},"#,
        "",
    ),
    ("unanswered_call", "codex", CODEX, r#""function_call_output""#, r#""nothing""#),
    (
        "duplicate_result",
        "openai-messages",
        OPENAI,
        r#"{"role":"tool","tool_call_id":"a","content":"r"}"#,
        "{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"r\"}\n{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"q\"}",
    ),
    (
        "duplicate_call_id",
        "openai-messages",
        OPENAI,
        r#""tool_calls":["#,
        r#""tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}},"#,
    ),
    (
        "interrupted_results",
        "openai-messages",
        OPENAI,
        "{\"role\":\"tool\"",
        "{\"role\":\"user\",\"content\":\"?\"}\n{\"role\":\"tool\"",
    ),
    ("empty_content", "openai-messages", OPENAI, r#""content":"x""#, r#""content":"""#),
    (
        "empty_content",
        "anthropic-messages",
        ANTHROPIC,
        r#"{"type":"text","text":"x"}"#,
        r#"{"type":"text","text":""},{"type":"text","text":"x"}"#,
    ),
    (
        "assistant_media",
        "openai-messages",
        OPENAI,
        r#""content":"x""#,
        r#""content":[{"type":"image_url","image_url":{"url":"data:,"}}]"#,
    ),
    ("no_assistant", "openai-chat", CHAT, r#""role":"assistant""#, r#""role":"user""#),
    (
        "prompt_ends_on_answer",
        "openai-preference",
        PAIR,
        r#"{"role":"user","content":"u"}"#,
        r#"{"role":"user","content":"u"},{"role":"assistant","content":"x"}"#,
    ),
    ("media_count", "openai-chat", CHAT, r#"["1"]"#, r#"["1","2"]"#),
    ("wrong_order", "sharegpt", SHAREGPT, r#""gpt""#, r#""human""#),
    ("first_not_user", "anthropic-messages", ANTHROPIC, r#"{"role":"user","content":"u"},"#, ""),
    (
        "same_role_twice",
        "anthropic-messages",
        ANTHROPIC,
        r#"{"role":"user","content":"u"},"#,
        r#"{"role":"user","content":"u"},{"role":"user","content":"v"},"#,
    ),
    ("ends_in_thinking", "anthropic-messages", ANTHROPIC, r#",{"type":"text","text":"x"}]"#, "]"),
    (
        "results_not_first",
        "anthropic-messages",
        ANTHROPIC,
        r#"[{"type":"tool_result""#,
        r#"[{"type":"text","text":"v"},{"type":"tool_result""#,
    ),
    ("duplicate_uuid", "claude-code", CLAUDE, "{\"type\":\"system\"", TWICE),
    ("dangling_parent", "claude-code", CLAUDE, r#""parentUuid":"u6""#, r#""parentUuid":"gone""#),
    ("dangling_parent", "pi", PI, r#""parentId":"a""#, r#""parentId":"gone""#),
    ("dangling_parent", "opencode", OPENCODE, r#""parentID":"m1""#, r#""parentID":"gone""#),
    ("dangling_leaf", "claude-code", CLAUDE, r#""leafUuid":"u3""#, r#""leafUuid":"gone""#),
    ("dangling_snapshot", "claude-code", CLAUDE, r#""messageId":"u1""#, r#""messageId":"gone""#),
    ("summary_without_boundary", "claude-code", CLAUDE, r#""parentUuid":"u4""#, r#""parentUuid":"u3""#),
    ("parent_cycle", "claude-code", CLAUDE, r#""parentUuid":"u6""#, r#""parentUuid":"u7""#),
    ("parent_cycle", "pi", PI, r#""id":"f","parentId":"e""#, r#""id":"f","parentId":"f""#),
    ("time_goes_back", "claude-code", CLAUDE, "00:00:06", "00:00:01"),
    ("time_goes_back", "opencode", OPENCODE, r#""created":5"#, r#""created":1"#),
    ("no_session_meta", "codex", CODEX, "session_meta", "turn_context"),
    ("no_user_message", "codex", CODEX, "user_message", "agent_message"),
    ("reasoning_without_item", "codex", CODEX, r#""function_call","#, r#""nothing","#),
    ("ordinal_goes_back", "codex", CODEX, r#""ordinal":5"#, r#""ordinal":4"#),
    ("no_header", "pi", PI, r#""type":"session""#, r#""type":"started""#),
    ("dangling_label", "pi", PI, r#""targetId":"a""#, r#""targetId":"gone""#),
    ("first_kept_not_on_path", "pi", PI, r#""firstKeptEntryId":"c""#, r#""firstKeptEntryId":"gone""#),
    ("no_id", "opencode", OPENCODE, r#""info":{"id":"m5""#, r#""info":{"id":"""#),
    ("no_id", "gemini-cli", GEMINI, r#""id":"c""#, r#""id":"""#),
    ("duplicate_id", "opencode", OPENCODE, r#""id":"p5""#, r#""id":"p1""#),
    ("duplicate_id", "pi", PI, "{\"type\":\"compaction\"", PI_TWICE),
    ("dangling_rewind", "gemini-cli", GEMINI, r#"{"$rewindTo":"b"}"#, r#"{"$rewindTo":"gone"}"#),
    ("no_parts", "opencode", OPENCODE, r#"[{"id":"p5","messageID":"m5","type":"text","text":"v"}]"#, "[]"),
    ("no_parts", "otel-genai", OTEL, r#"[{"type":"text","content":"x"}]"#, "[]"),
    ("part_of_another_message", "opencode", OPENCODE, r#""messageID":"m5""#, r#""messageID":"m1""#),
    ("dangling_tail_start", "opencode", OPENCODE, r#""tail_start_id":"m2""#, r#""tail_start_id":"gone""#),
    ("message_count_off", "goose", GOOSE, r#""message_count":2"#, r#""message_count":7"#),
    ("duplicate_id", "openhands", EVENTS, r#""id":4"#, r#""id":3"#),
    ("ids_out_of_order", "openhands", EVENTS, r#""id":0"#, r#""id":9"#),
    ("cause_without_target", "openhands", EVENTS, r#""cause":1"#, r#""cause":9"#),
    ("action_without_target", "openhands", SDK, r#""action_id":"c""#, r#""action_id":"gone""#),
    ("parent_without_target", "openhands", SDK, r#""parent_id":"e""#, r#""parent_id":"gone""#),
    (
        "not_one_of_action_and_observation",
        "openhands",
        EVENTS,
        r#""action":"message","args":{"content":"v"}"#,
        r#""args":{"content":"v"}"#,
    ),
    ("invalid_condensation", "openhands", EVENTS, r#""summary":"s","#, ""),
    (
        "condensation_without_response",
        "openhands",
        SDK,
        r#""llm_response_id":"r","kind":"Condensation""#,
        r#""kind":"Condensation""#,
    ),
    (
        "no_steps",
        "atif",
        "{\"schema_version\":\"ATIF-v1.6\",\"steps\":[{\"step_id\":1,\"source\":\"user\",\"message\":\"u\"}]}",
        r#"[{"step_id":1,"source":"user","message":"u"}]"#,
        "[]",
    ),
    ("step_ids_not_sequential", "atif", ATIF, r#""step_id":2"#, r#""step_id":5"#),
    ("agent_only_field", "atif", ATIF, r#""source":"user""#, r#""source":"user","model_name":"m""#),
    ("unknown_source_call", "atif", ATIF, r#""source_call_id":"a""#, r#""source_call_id":"b""#),
    ("content_not_text", "hf-sts", STS, r#""content":"v""#, r#""content":7"#),
    ("section_missing", "openai-messages", OURS, r"## Discoveries\n", ""),
    ("section_duplicate", "openai-messages", OURS, r"- d\n", r"- d\n## Goal\n- e\n"),
    (
        "section_out_of_order",
        "openai-messages",
        OURS,
        r"## Goal\n- a\n\n## Instructions\n(none)\n",
        r"## Instructions\n(none)\n\n## Goal\n- a\n",
    ),
    ("section_empty", "openai-messages", OURS, r"- c\n", ""),
    ("section_unknown", "openai-messages", OURS, r"- d\n", r"- d\n## Mood\n- e\n"),
];

const TWICE: &str = "{\"type\":\"user\",\"uuid\":\"u3\",\"parentUuid\":\"u2\",\"sessionId\":\"s\",\"timestamp\":\"2026-01-01T00:00:03Z\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"a\",\"content\":\"r\"}]}}\n{\"type\":\"system\"";
const PI_TWICE: &str =
    "{\"type\":\"label\",\"id\":\"d\",\"parentId\":\"c\",\"targetId\":\"a\"}\n{\"type\":\"compaction\"";

/// Rules whose fault in [`CASES`] is one of those that can't be mended though the rule can be.
const LEFT: &[(&str, &str)] =
    &[("invalid_line", "opencode"), ("duplicate_id", "opencode"), ("duplicate_id", "openhands")];

fn checker(fix: bool) -> Checker {
    Checker { rules: Choice::default(), template: Template::default(), fix, from: None }
}

fn checked(work: &Checker, format: &str, source: &[u8]) -> Done {
    work.run(by_name(format).unwrap(), source, 1)
}

fn rules(done: &Done) -> BTreeSet<String> {
    done.line.findings.iter().map(|finding| finding.rule.clone()).collect()
}

/// What is not as it should be with a case before anything is mended.
fn misjudged((rule, format, good, from, to): &Case) -> Option<String> {
    let work = Checker { from: by_name(format), ..checker(false) };
    let kept = rules(&checked(&work, format, good.as_bytes()));
    let broken = if *rule == "wrong_format" { good.replace(from, to) } else { good.replacen(from, to, 1) };
    let found = rules(&checked(&work, format, broken.as_bytes()));
    let right = kept.is_empty() && broken != *good && found.contains(*rule);
    (!right).then(|| format!("{rule}: {format}: {kept:?}, then {found:?}"))
}

#[test]
fn every_rule_is_broken_by_one_transcript_and_kept_by_another() {
    assert_eq!(CASES.iter().filter_map(misjudged).collect::<Vec<_>>(), [""; 0]);
    let tried: BTreeSet<_> = CASES.iter().map(|(rule, ..)| *rule).collect();
    let of_files = |rule: &&crate::check::Rule| rule.scope == Scope::Files;
    let untried: Vec<_> =
        RULES.iter().filter(|rule| !of_files(rule) && !tried.contains(rule.name)).map(|rule| rule.name).collect();
    assert_eq!(untried, [""; 0]);
}

/// What is not as it should be when a case is mended.
fn mismended((rule, format, good, from, to): &Case) -> Option<String> {
    let broken = good.replacen(from, to, 1);
    let done = checked(&checker(true), format, broken.as_bytes());
    let out = apply(broken.as_bytes(), &done.patches).into_owned();
    let after = rules(&checked(&checker(false), format, &out));
    let mends = crate::check::rule(rule).unwrap().mend.is_some() && !LEFT.contains(&(rule, format));
    let left = done.line.findings.iter().filter(|finding| !finding.mended).map(|finding| finding.rule.clone());
    let left: BTreeSet<_> = left.collect();
    let again = checked(&checker(true), format, &out);
    let as_wanted = after.contains(*rule) != (mends || *rule == "unknown_source_call");
    let right = as_wanted && left == after && again.patches.is_empty();
    (!right).then(|| format!("{rule}: {format}: left {left:?}, has {after:?} in {}", String::from_utf8_lossy(&out)))
}

#[test]
fn what_can_be_mended_is_mended_and_the_rest_left() {
    let cases = CASES.iter().filter(|(rule, ..)| *rule != "wrong_format");
    assert_eq!(cases.filter_map(mismended).collect::<Vec<_>>(), [""; 0]);
}

fn mended(format: &str, source: &str) -> String {
    let done = checked(&checker(true), format, source.as_bytes());
    String::from_utf8(apply(source.as_bytes(), &done.patches).into_owned()).unwrap()
}

#[test]
fn a_message_with_words_keeps_them_when_its_call_goes() {
    let source = OPENAI.replacen("{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":\"r\"}\n", "", 1);
    let call = r#","tool_calls":[{"id":"a","type":"function","function":{"name":"ls","arguments":"{}"}}]"#;
    assert_eq!(mended("openai-messages", &source), source.replacen(call, "", 1));
    let wordless = source.replacen(r#""content":"w""#, r#""content":null"#, 1);
    let gone = format!("{{\"role\":\"assistant\",\"content\":null{call}}}\n");
    assert_eq!(mended("openai-messages", &wordless), wordless.replacen(&gone, "", 1));
}

#[test]
fn the_call_that_a_live_session_ends_on_stays() {
    let end = OPENAI.find("{\"role\":\"tool\"").unwrap();
    assert_eq!(rules(&checked(&checker(false), "openai-messages", &OPENAI.as_bytes()[..end])), BTreeSet::new());
    assert_eq!(mended("openai-messages", &OPENAI[..end]), &OPENAI[..end]);
}

#[test]
fn a_result_before_its_call_is_left_since_it_would_have_to_move() {
    let lines: Vec<_> = OPENAI.lines().collect();
    let swapped = [0, 1, 3, 2, 4, 5].map(|at| lines[at]).join("\n");
    assert_eq!(mended("openai-messages", &swapped), swapped);
}

#[test]
fn reasoning_goes_with_the_call_that_it_led_to() {
    let source = CODEX.replacen("\"function_call_output\"", "\"nothing\"", 1);
    let out = mended("codex", &source);
    assert!(!out.contains("encrypted_content") && !out.contains("\"function_call\""), "{out}");
    assert!(out.contains("\"nothing\""), "what has no name stays: {out}");
}

#[test]
fn a_torn_last_line_goes_and_the_newline_before_it_stays() {
    let torn = format!("{OPENAI}{{\"role\":\"assis");
    assert_eq!(mended("openai-messages", &torn), OPENAI);
    let torn = format!("{CLAUDE}{{\"type\":\"assis");
    assert_eq!(mended("claude-code", &torn), CLAUDE);
}

#[test]
fn children_of_an_exact_copy_keep_their_link() {
    let source = CLAUDE.replacen("{\"type\":\"system\"", TWICE, 1);
    assert_eq!(mended("claude-code", &source), CLAUDE);
}

#[test]
fn a_record_without_parent_follows_the_one_before_it() {
    let source = CLAUDE.replacen(r#""parentUuid":"u6""#, r#""parentUuid":"gone""#, 1);
    assert_eq!(mended("claude-code", &source), CLAUDE);
    let first = CLAUDE.replacen(r#""uuid":"u1","parentUuid":null"#, r#""uuid":"u1","parentUuid":"gone""#, 1);
    assert_eq!(mended("claude-code", &first), CLAUDE);
}

#[test]
fn what_would_bring_a_new_fault_is_not_done() {
    let source = SHAREGPT.replacen(
        r#"{"from":"gpt","value":"x"}"#,
        r#"{"from":"function_call","value":"{\"name\":\"f\"}"},{"from":"human","value":"v"},{"from":"gpt","value":"x"}"#,
        1,
    );
    let done = checked(&checker(true), "sharegpt", source.as_bytes());
    assert!(rules(&done).contains("unanswered_call") && done.patches.is_empty(), "the sides would not alternate");
}

#[test]
fn only_rules_that_are_wanted_are_mended() {
    let source = OPENAI.replacen(r#""tool_call_id":"a""#, r#""tool_call_id":"b""#, 1);
    let choice = Choice { select: vec!["orphan_result".into()], ignore: Vec::new() };
    let done = checked(&Checker { rules: choice, ..checker(true) }, "openai-messages", source.as_bytes());
    assert_eq!(rules(&done), BTreeSet::from(["orphan_result".to_owned()]));
    let out = String::from_utf8(apply(source.as_bytes(), &done.patches).into_owned()).unwrap();
    assert!(out.contains("tool_calls") && !out.contains("tool_call_id"));
}

#[test]
fn every_invalid_line_is_named_with_its_place() {
    let source = format!("{{\"a\n{OPENAI}\u{feff}x\n");
    let done = checked(&checker(false), "openai-messages", source.as_bytes());
    let places: Vec<_> = done.line.findings.iter().map(|it| (it.rule.as_str(), it.line, it.column)).collect();
    assert_eq!(places, [("invalid_line", 1, Some(3)), ("invalid_line", 8, Some(1))]);
}

#[test]
fn samples_break_no_rule_but_those_that_say_so() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let files = walkdir::WalkDir::new(&root).sort_by_file_name().into_iter().map(Result::unwrap);
    let mut found = Vec::new();
    for file in files.filter(|file| file.file_type().is_file()) {
        let bytes = fs::read(file.path()).unwrap();
        let Ok(Detected { format: Some(format), layout, .. }) = detect(&bytes, true) else { continue };
        for (line, source) in sources(layout, &bytes) {
            let done = checker(false).run(format, source, line);
            let path = file.path().strip_prefix(&root).unwrap().display().to_string();
            found.extend(done.line.findings.iter().map(|it| format!("{path}:{} {} {}", it.line, it.rule, it.subject)));
        }
    }
    assert_eq!(found, EXPECTED);
}

/// What samples break on purpose.
const EXPECTED: &[&str] = &[];

/// The transcripts of a file, with the number of their first line.
fn sources(layout: Layout, bytes: &[u8]) -> Vec<(usize, &[u8])> {
    match layout {
        Layout::Session => vec![(1, bytes)],
        Layout::PerLine => lines::lines(bytes).map(|line| (line.number, &bytes[line.span])).collect(),
        Layout::PerElement(key) => match elements(bytes, key) {
            Ok(all) => all.into_iter().map(|it| (it.line, &bytes[it.span])).collect(),
            Err(_) => Vec::new(),
        },
    }
}

/// What is wrong with the mended form of a transcript.
fn wrong(format: &'static dyn Format, source: &[u8], line: usize) -> Option<String> {
    let done = checker(true).run(format, source, line);
    if done.patches.is_empty() {
        return done.line.findings.iter().any(|it| it.mended).then(|| "mended without a change".to_owned());
    }
    let out = apply(source, &done.patches);
    if out.is_empty() {
        return None;
    }
    let before = checker(false).judge(format, source, line).faults;
    let after = checker(false).judge(format, &out, line).faults;
    let new = new_faults(&before, &after);
    let left = done.line.findings.iter().filter(|it| !it.mended).count();
    let unlike = (left != after.len()).then(|| format!("{left} are said to be left, and there are {}", after.len()));
    new.first().map(|fault| format!("new: {fault:?}")).or(unlike)
}

#[test]
fn nothing_that_is_mended_in_the_corpus_gets_a_new_fault() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let Ok(manifest) = fs::read_to_string(corpus.join("MANIFEST.tsv")) else { return };
    let files: Vec<_> = manifest.lines().skip(1).filter_map(|row| row.split('\t').next()).collect();
    let judge = |local: &&str| {
        let bytes = fs::read(corpus.join(local)).unwrap();
        let Ok(Detected { format: Some(format), layout, .. }) = detect(&bytes, true) else { return Vec::new() };
        let found = sources(layout, &bytes).into_iter();
        found.filter_map(|(line, source)| Some(format!("{local}:{line}: {}", wrong(format, source, line)?))).collect()
    };
    let found: Vec<String> = files.par_iter().flat_map_iter(judge).collect();
    assert!(found.is_empty(), "{} wrong:\n{}", found.len(), found.join("\n"));
}
