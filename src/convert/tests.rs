//! What each step of a conversion does, on transcripts of various formats.

mod called;
mod unread;
use super::*;

/// Converts a text in a format. Returns the output, and the losses as `kind count`.
fn converted(format: &str, source: &str, to: &str) -> (String, String) {
    let format = by_name(format).unwrap();
    let transcript = format.read(source.as_bytes(), ReadOptions::default()).unwrap();
    let done = convert(format, &transcript, target(to).unwrap()).unwrap();
    let losses: Vec<_> = done.losses.iter().map(|(loss, count)| format!("{} {count}", loss.name())).collect();
    (String::from_utf8(done.bytes).unwrap(), losses.join(", "))
}

fn refused(format: &str, source: &str, to: &str) -> Refusal {
    let format = by_name(format).unwrap();
    let transcript = format.read(source.as_bytes(), ReadOptions::default()).unwrap();
    convert(format, &transcript, target(to).unwrap()).unwrap_err()
}

/// A row with these messages in OpenAI's format.
fn chat(messages: &[&str]) -> String {
    format!(r#"{{"messages":[{}]}}"#, messages.join(","))
}

const SYSTEM: &str = r#"{"role":"system","content":"s"}"#;
const USER: &str = r#"{"role":"user","content":"u"}"#;
const CALLS: &str = r#"{"role":"assistant","content":"so","tool_calls":[{"id":"a.1","type":"function","function":{"name":"f","arguments":"{\"k\": 1.0}"}},{"id":"b","type":"function","function":{"name":"g","arguments":""}}]}"#;
const FIRST: &str = r#"{"role":"tool","tool_call_id":"a.1","content":"one"}"#;
const SECOND: &str = r#"{"role":"tool","tool_call_id":"b","content":"two"}"#;
const ANSWER: &str = r#"{"role":"assistant","content":"x"}"#;

#[test]
fn a_turn_that_cannot_be_read_is_not_left_out() {
    let row = |from: &str| {
        format!(
            r#"{{"conversations":[{{"from":"human","value":"u"}},{{"from":"{from}","value":"r"}},{{"from":"gpt","value":"x"}}]}}"#
        )
    };
    assert_eq!(refused("sharegpt", &row("function-response"), "openai-chat").reason(), Reason::UnknownSpeaker);
    assert!(converted("sharegpt", &row("observation"), "openai-chat").0.contains(r#""content":"r""#));
    let lines = "{\"role\":\"user\",\"content\":\"u\"}\n{\"role\":\"keeper\",\"content\":\"r\"}\n";
    assert_eq!(refused("openai-messages", lines, "openai-chat"), Refusal::UnknownSpeaker(2));
}

#[test]
fn a_row_becomes_an_anthropic_request() {
    let (out, losses) =
        converted("openai-chat", &chat(&[SYSTEM, USER, CALLS, FIRST, SECOND, USER, ANSWER]), "anthropic-messages");
    let expected = r#"{"system":"s","messages":[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"text","text":"so"},{"type":"tool_use","id":"a_1","name":"f","input":{"k": 1.0}},{"type":"tool_use","id":"b","name":"g","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a_1","content":"one"},{"type":"tool_result","tool_use_id":"b","content":"two"},{"type":"text","text":"u"}]},{"role":"assistant","content":"x"}]}"#;
    assert_eq!(out, format!("{expected}\n"));
    assert_eq!(losses, "arguments_normalized 1, call_ids_made_up 1, tool_schemas_absent 1");
}

#[test]
fn parallel_calls_are_one_sharegpt_turn_and_their_results_another() {
    let (out, losses) =
        converted("openai-chat", &chat(&[SYSTEM, USER, CALLS, FIRST, SECOND, USER, ANSWER]), "sharegpt");
    let expected = r#"{"conversations":[{"from":"human","value":"u"},{"from":"function_call","value":"so\n<tool_call>[{\"name\":\"f\",\"arguments\":{\"k\": 1.0}},{\"name\":\"g\",\"arguments\":{}}]</tool_call>"},{"from":"observation","value":"one\n</tool_response>\n<tool_response>\ntwo\n\nu"},{"from":"gpt","value":"x"}],"system":"s","tools":"[]"}"#;
    assert_eq!(out, format!("{expected}\n"));
    let expected =
        "arguments_normalized 1, call_ids 2, parallel_results_merged 2, tool_schemas_absent 1, messages_joined 1";
    assert_eq!(losses, expected);
}

#[test]
fn calls_that_are_written_as_text_become_calls() {
    let act = r#"{"role":"assistant","content":"so\n\n<function=f>\n<parameter=k>1</parameter>\n</function>"}"#;
    let seen = r#"{"role":"user","content":"OBSERVATION:\none"}"#;
    let (out, losses) = converted("openai-chat", &chat(&[SYSTEM, USER, act, seen, ANSWER]), "anthropic-messages");
    let expected = r#"{"role":"assistant","content":[{"type":"text","text":"so"},{"type":"tool_use","id":"call_0001","name":"f","input":{"k":"1"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_0001","content":"OBSERVATION:\none"}]}"#;
    assert!(out.contains(expected), "{out}");
    assert_eq!(losses, "call_ids_made_up 1, tool_schemas_absent 1");
}

#[test]
fn reasoning_before_calls_is_a_sharegpt_turn_of_calls() {
    let call = r#"{"role":"assistant","content":null,"reasoning_content":"why","tool_calls":[{"id":"a.1","type":"function","function":{"name":"f","arguments":"{\"k\":\"</tool_call>\"}"}}]}"#;
    let (out, _) = converted("openai-chat", &chat(&[USER, call, FIRST, ANSWER]), "sharegpt");
    let turn = r#"{"from":"function_call","value":"<think>\nwhy\n</think>\n\n{\"name\":\"f\",\"arguments\":{\"k\":\"\\u003c/tool_call>\"}}"}"#;
    assert!(out.contains(turn), "{out}");
    let (back, _) = converted("sharegpt", out.trim_end(), "openai-chat");
    assert!(back.contains(r#""content":null,"reasoning_content":"why","tool_calls":[{"id":"call_0001""#), "{back}");
    let both = call.replace("null", r#""so""#);
    let (out, _) = converted("openai-chat", &chat(&[USER, &both, FIRST, ANSWER]), "sharegpt");
    assert!(out.contains(r#""value":"<think>\nwhy\n</think>\n\nso\n<tool_call>{\"name\":\"f\""#), "{out}");
}

#[test]
fn sharegpt_has_results_in_the_order_of_their_calls() {
    let (out, losses) = converted("openai-chat", &chat(&[USER, CALLS, SECOND, FIRST, ANSWER]), "sharegpt");
    assert!(losses.contains("results_moved 2"), "{losses}");
    assert!(out.contains(r#""value":"one\n</tool_response>\n<tool_response>\ntwo""#), "{out}");
}

#[test]
fn sharegpt_ends_on_an_answer_and_starts_with_a_human() {
    let (out, losses) = converted("openai-chat", &chat(&[ANSWER, ANSWER, USER]), "sharegpt");
    let start = "[the conversation starts with the assistant]";
    let expected = format!(
        r#"{{"conversations":[{{"from":"human","value":"{start}"}},{{"from":"gpt","value":"x\n\nx"}}],"system":"","tools":"[]"}}"#
    );
    assert_eq!((out.trim_end(), &*losses), (&*expected, "messages_joined 1, messages_made_up 1, unanswered_end 1"));
    assert_eq!(refused("openai-chat", &chat(&[USER]), "sharegpt"), Refusal::Unanswered);
}

#[test]
fn templates_want_objects_and_names() {
    let (out, _) = converted("openai-chat", &chat(&[USER, CALLS, FIRST, SECOND, ANSWER]), "trl");
    assert!(out.contains(r#""function":{"name":"f","arguments":{"k": 1.0}}"#), "{out}");
    assert!(out.contains(r#"{"role":"tool","tool_call_id":"b","name":"g","content":"two"}"#), "{out}");
}

#[test]
fn what_pairs_up_wrongly_is_made_valid_and_named() {
    let orphan = FIRST.replace("a.1", "z");
    let other = SECOND.replace("two", "late");
    let row = chat(&[USER, CALLS, FIRST, FIRST, &orphan, USER, SECOND, &other, ANSWER]);
    let (out, losses) = converted("openai-chat", &row, "openai-messages");
    let roles: Vec<_> = out.lines().map(|line| line.split('"').nth(3).unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "tool", "user", "user", "user", "assistant"]);
    assert_eq!(losses, "arguments_normalized 1, duplicate_results 1, results_as_text 2, results_moved 1");
    let (out, losses) = converted("openai-chat", &chat(&[USER, CALLS, FIRST, USER, ANSWER]), "openai-messages");
    assert!(out.contains(r#"{"role":"tool","tool_call_id":"b","content":"[no result was recorded]"}"#), "{out}");
    assert_eq!(losses, "arguments_normalized 1, error_flags 1, results_made_up 1");
    let (out, losses) = converted("openai-chat", &chat(&[USER, CALLS]), "openai-messages");
    assert_eq!((out.lines().count(), &*losses), (2, "arguments_normalized 1"), "calls at the end may wait");
}

#[test]
fn repeated_ids_are_told_apart() {
    let call = r#"{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}"#;
    let result = r#"{"role":"tool","tool_call_id":"a","content":"r"}"#;
    let (out, losses) = converted("openai-chat", &chat(&[USER, call, result, call, result]), "openai-messages");
    assert_eq!(out.matches("call_0001").count(), 2);
    assert_eq!(losses, "call_ids_made_up 1");
}

const IMAGE: &str = r#"{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}},{"type":"input_audio","input_audio":{"data":"x","format":"wav"}}]}"#;

#[test]
fn images_are_kept_where_both_sides_have_them() {
    let (out, losses) = converted("openai-chat", &chat(&[IMAGE, ANSWER]), "anthropic-messages");
    assert!(out.contains(r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}},{"type":"text","text":"[audio]"}"#), "{out}");
    assert_eq!(losses, "media 1");
    let (out, losses) = converted("openai-chat", &chat(&[IMAGE, ANSWER]), "hf-sts");
    assert!(out.contains(r#""content":"see\n\n[image]\n\n[audio]""#), "{out}");
    assert_eq!(losses, "media 2");
}

#[test]
fn places_of_images_are_words_where_their_column_goes() {
    let row = |images: &str| {
        format!(
            r#"{{"conversations":[{{"from":"human","value":"<image>u"}},{{"from":"gpt","value":"x"}}],"images":{images}}}"#
        )
    };
    let (out, losses) = converted("sharegpt", &row(r#"["a.png"]"#), "openai-chat");
    assert!(out.contains(r#""content":"[image]u""#) && losses == "media 1", "{out} {losses}");
    assert!(converted("sharegpt", &row("[]"), "openai-chat").0.contains("<image>u"), "a word of the user");
}

#[test]
fn an_image_in_a_result_is_kept_or_described() {
    let source = r#"{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true,"content":[{"type":"text","text":"r"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}]}]}]}"#;
    let (out, losses) = converted("anthropic-messages", source, "openai-chat");
    assert!(out.contains(r#""content":"r\n[image]""#), "{out}");
    assert_eq!(losses, "error_flags 1, media 1, tool_schemas_absent 1");
    let (out, losses) = converted("anthropic-messages", source, "pi");
    assert!(out.contains(r#"{"type":"image","data":"iVBO","mimeType":"image/png"}],"isError":true"#), "{out}");
    assert_eq!(losses, "timestamps_made_up 2");
}

#[test]
fn reasoning_is_kept_signed_tagged_or_named() {
    let thinking = r#"{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"thinking","thinking":"why","signature":"sig"},{"type":"text","text":"x"}]}]}"#;
    let to = |target: &str| converted("anthropic-messages", thinking, target);
    let (out, losses) = to("openai-chat");
    assert!(out.contains(r#""content":"x","reasoning_content":"why""#), "{out}");
    assert_eq!(losses, "reasoning_signature 1");
    let (out, losses) = to("sharegpt");
    assert!(out.contains(r#""value":"<think>\nwhy\n</think>\n\nx""#), "{out}");
    assert_eq!(losses, "reasoning_as_text 1, reasoning_signature 1");
    assert!(to("claude-code").0.contains(r#"[{"type":"thinking","thinking":"why","signature":"sig"}]"#));
    let plain = chat(&[USER, r#"{"role":"assistant","content":"x","reasoning_content":"why"}"#]);
    assert_eq!(converted("openai-chat", &plain, "anthropic-messages").1, "reasoning 1");
}

#[test]
fn reasoning_that_is_not_the_assistant_s_goes_away() {
    let summary = r#"{"role":"user","content":[{"type":"thinking","thinking":"why"},{"type":"text","text":"x"}]}"#;
    let source = format!(r#"{{"messages":[{summary},{{"role":"assistant","content":"y"}}]}}"#);
    for target in ["atif", "openai-chat", "sharegpt"] {
        let (out, losses) = converted("anthropic-messages", &source, target);
        assert!(!out.contains("why") && losses.contains("reasoning 1"), "{target}: {out} {losses}");
    }
}

#[test]
fn reasoning_alone_goes_to_the_next_message_of_the_assistant_or_away() {
    let thought = r#"{"role":"assistant","content":"","reasoning_content":"why"}"#;
    let (out, losses) =
        converted("openai-messages", &[USER, thought, ANSWER, USER, thought, USER].join("\n"), "openai-chat");
    let expected = r#"{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"x","reasoning_content":"why"},{"role":"user","content":"u"},{"role":"user","content":"u"}]}"#;
    assert_eq!(out, format!("{expected}\n"));
    assert!(losses.contains("reasoning 1"), "{losses}");
}

#[test]
fn blank_texts_are_no_blocks_of_anthropic() {
    let source = r#"{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"text","text":"\n\n"},{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]}]}"#;
    let (out, _) = converted("anthropic-messages", source, "claude-code");
    assert!(out.contains("tool_use") && !out.contains(r#""type":"text""#), "{out}");
}

#[test]
fn schemas_of_tools_go_from_words_to_words() {
    let row = r#"{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"x"}],"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object","properties":{"k":{"type":"number","minimum":1.0}}}}}]}"#;
    let (anthropic, _) = converted("openai-chat", row, "anthropic-messages");
    assert!(anthropic.contains(r#""tools":[{"name":"f","description":"d","input_schema":{"type":"object","properties":{"k":{"type":"number","minimum":1.0}}}}]"#), "{anthropic}");
    let (sharegpt, _) = converted("anthropic-messages", &anthropic, "sharegpt");
    let (back, losses) = converted("sharegpt", sharegpt.trim_end(), "openai-chat");
    assert_eq!((back.trim_end(), &*losses), (row, ""));
    assert_eq!(converted("openai-chat", row, "pi").1, "timestamps_made_up 2, tool_schemas 1");
}

#[test]
fn schemas_of_tools_may_be_strings_and_what_goes_of_them_is_counted() {
    let schema = r#"{"type":"object","properties":{}}"#;
    let tools = |tools: &str| {
        let row = format!(r#"{{"messages":[{USER},{ANSWER}],"tools":{tools}}}"#);
        let (out, losses) = converted("openai-chat", &row, "anthropic-messages");
        (out.split_once(r#""tools":"#).map(|(_, tools)| tools.trim_end().to_owned()).unwrap_or_default(), losses)
    };
    let expected = format!(r#"[{{"name":"f","input_schema":{schema}}}]}}"#);
    let plain = format!(r#"{{"type":"function","function":{{"name":"f","parameters":{schema}}}}}"#);
    let quoted = crate::format::json::quoted;
    assert_eq!(tools(&format!("[{}]", quoted(&plain))), (expected.clone(), String::new()));
    let inner = plain.replace(schema, &quoted(schema));
    assert_eq!(tools(&format!("[{inner}]")), (expected.clone(), String::new()));
    let strict = plain.replace(r#""name""#, r#""strict":true,"name""#);
    assert_eq!(tools(&format!("[{strict}]")), (expected, "other_fields 1".to_owned()));
    let others = r#"[{"type":"custom","custom":{"name":"p"}},{"type":"web_search"}]"#;
    assert_eq!(tools(others), (String::new(), "tool_schemas 2".to_owned()));
}

#[test]
fn a_later_system_message_is_the_harness_speaking() {
    let row = chat(&[SYSTEM, USER, ANSWER, SYSTEM, USER, ANSWER]);
    let (out, losses) = converted("openai-chat", &row, "anthropic-messages");
    assert!(
        out.contains(r#"{"role":"user","content":[{"type":"text","text":"s"},{"type":"text","text":"u"}]}"#),
        "{out}"
    );
    assert_eq!(losses, "roles_changed 1, messages_joined 1");
    let (out, losses) = converted("openai-chat", &row, "claude-code");
    assert_eq!((out.matches(r#""isMeta":true"#).count(), &*losses), (2, "roles_changed 2, timestamps_made_up 6"));
}

#[test]
fn a_summary_is_what_the_user_says_where_the_assistant_goes_on() {
    let summary = r#"{"role":"system","content":"<prior-conversation-summary>\nit\n</prior-conversation-summary>"}"#;
    let (out, losses) = converted("openai-chat", &chat(&[SYSTEM, summary, ANSWER]), "sharegpt");
    let turn = r#"{"from":"human","value":"<prior-conversation-summary>\nit\n</prior-conversation-summary>"}"#;
    assert!(out.starts_with(&format!(r#"{{"conversations":[{turn}"#)) && out.contains(r#""system":"s""#), "{out}");
    assert_eq!(losses, "roles_changed 1");
}

#[test]
fn one_api_message_in_several_records_is_one_message() {
    let record = |parent: &str, id: &str, kind: &str, message: &str| {
        format!(
            r#"{{"parentUuid":{parent},"uuid":"{id}","type":"{kind}","sessionId":"s","cwd":"/w","timestamp":"2031-04-02T00:00:00.000Z","toolUseResult":"copy","message":{message}}}"#
        )
    };
    let call = |id: &str| {
        format!(
            r#"{{"role":"assistant","id":"m","model":"big","content":[{{"type":"tool_use","id":"{id}","name":"f","input":{{}}}}],"usage":{{"input_tokens":3,"cache_read_input_tokens":4,"output_tokens":5}}}}"#
        )
    };
    let result = |id: &str| {
        format!(r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"r{id}"}}]}}"#)
    };
    let lines = [
        record("null", "1", "user", r#"{"role":"user","content":"u"}"#),
        record("\"1\"", "2", "assistant", &call("a")),
        record("\"2\"", "3", "user", &result("a")),
        record("\"2\"", "4", "assistant", &call("b")),
        record("\"4\"", "5", "user", &result("b")),
    ];
    let (out, losses) = converted("claude-code", &lines.join("\n"), "atif");
    let step = r#"{"step_id":2,"timestamp":"2031-04-02T00:00:00.000Z","source":"agent","model_name":"big","message":"","tool_calls":[{"tool_call_id":"a","function_name":"f","arguments":{}},{"tool_call_id":"b","function_name":"f","arguments":{}}],"observation":{"results":[{"source_call_id":"a","content":"ra"},{"source_call_id":"b","content":"rb"}]},"metrics":{"prompt_tokens":7,"completion_tokens":5,"cached_tokens":4}}"#;
    assert!(out.contains(step), "{out}");
    assert_eq!(losses, "system_prompt_absent 1, tool_schemas_absent 1, ui_copies 5");
}

#[test]
fn what_was_observed_without_a_call_is_not_what_the_agent_says() {
    let source = r#"{"schema_version":"ATIF-v1.6","agent":{"name":"n","version":"1"},"steps":[{"step_id":1,"source":"user","message":"u"},{"step_id":2,"source":"agent","message":"ls","observation":{"results":[{"content":"seen"}]}}]}"#;
    let (out, _) = converted("atif", source, "openai-messages");
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines[1..], [r#"{"role":"assistant","content":"ls"}"#, r#"{"role":"user","content":"seen"}"#]);
}

#[test]
fn what_no_target_holds_is_counted() {
    let row = r#"{"id":7,"messages":[{"role":"user","content":"u","name":"n"},{"role":"assistant","content":"x","weight":0},{"role":"assistant","content":""},{"role":"judge","content":""}]}"#;
    let (_, losses) = converted("openai-chat", row, "openai-messages");
    assert_eq!(losses, "empty_messages 1, message_fields 1, other_fields 1, unknown_record 1, weights 1");
}

#[test]
fn refusals_have_a_reason() {
    assert_eq!(refused("openai-chat", &chat(&[USER, ANSWER]), "openai-chat"), Refusal::SameFormat("openai-chat"));
    assert_eq!(refused("openai-messages", SYSTEM, "pi").reason(), Reason::NothingToConvert);
    assert_eq!(refused("openai-messages", USER, "trl"), Refusal::Unanswered);
    let calls =
        r#"{"messages":[{"role":"user","content":"u"},{"role":"assistant","content":"x","tool_calls":"[{'id'"}]}"#;
    assert_eq!(refused("openai-chat", calls, "claude-code"), Refusal::UnreadableCalls);
    let pi = |id: &str| format!(r#"{{"type":"session","version":3,"id":"{id}","cwd":"/"}}"#);
    assert_eq!(refused("pi", &[pi("s"), pi("t")].join("\n"), "codex"), Refusal::SeveralSessions);
    assert_eq!(refused("trl", r#"{"chosen":"\n\nHuman: a","rejected":"b"}"#, "sharegpt"), Refusal::FlatText);
}

#[test]
fn targets_have_readers_and_names_of_their_own() {
    for target in TARGETS {
        assert!(by_name(target.format()).is_some(), "{}", target.name());
        assert_eq!(TARGETS.iter().filter(|other| other.name() == target.name()).count(), 1);
    }
}

#[test]
fn words_that_a_target_takes_for_a_summary_are_named() {
    let said = r#"{"type":"user","uuid":"1","parentUuid":null,"sessionId":"s","isSidechain":false,"message":{"role":"user","content":"<prior-conversation-summary>x</prior-conversation-summary>"}}"#;
    let said = format!(
        "{said}\n{}",
        r#"{"type":"assistant","uuid":"2","parentUuid":"1","sessionId":"s","isSidechain":false,"message":{"role":"assistant","content":"a"}}"#
    );
    let named = |to: &str| converted("claude-code", &said, to).1.contains("reads_as_summary 1");
    assert!(named("openai-chat") && named("hf-sts") && !named("codex") && !named("pi"));
    let summary =
        chat(&[r#"{"role":"user","content":"<prior-conversation-summary>x</prior-conversation-summary>"}"#, ANSWER]);
    assert!(!converted("openai-chat", &summary, "hf-sts").1.contains("reads_as_summary"), "it was one before");
}

#[test]
fn a_session_that_another_agent_asked_for_is_announced_to_codex() {
    let record = |at: usize, kind: &str, message: &str| {
        format!(
            r#"{{"type":"{kind}","uuid":"{at}","parentUuid":null,"sessionId":"s","isSidechain":false,"message":{message}}}"#
        )
    };
    let ask =
        r#"{"role":"user","content":"<teammate-message teammate_id=\"lead\">\nChart the ebb.\n</teammate-message>"}"#;
    let answer = r#"{"role":"assistant","content":"charted"}"#;
    let (out, _) =
        converted("claude-code", &[record(1, "user", ask), record(2, "assistant", answer)].join("\n"), "codex");
    assert_eq!(out.matches(r#""type":"user_message""#).count(), 1, "{out}");
    let answer = record(2, "assistant", answer);
    let told = refused("claude-code", &answer, "codex").to_string();
    assert!(told.ends_with("no_user_message (no event of the user, so that no list shows the session)"), "{told}");
}

#[test]
fn opencodes_account_of_its_steps_is_no_loss_and_a_subtask_is_what_the_user_asked() {
    let message =
        |id: &str, role: &str, parts: &str| format!(r#"{{"info":{{"id":"{id}","role":"{role}"}},"parts":[{parts}]}}"#);
    let ask = r#"{"type":"subtask","agent":"review","prompt":"Chart the ebb.","description":"chart"}"#;
    let steps = r#"{"type":"step-start"},{"type":"text","text":"charted"},{"type":"step-finish","reason":"stop"}"#;
    let other = r#"{"type":"text","text":"so"},{"type":"tide-mark"}"#;
    let session = format!("[{},{}]", message("a", "user", ask), message("b", "assistant", steps));
    let (out, losses) = converted("opencode", &session, "openai-messages");
    assert!(out.contains(r#"{"role":"user","content":"Chart the ebb."}"#), "{out}");
    assert!(!losses.contains("unknown_part"), "{losses}");
    let session = format!("[{},{}]", message("a", "user", ask), message("b", "assistant", other));
    assert!(converted("opencode", &session, "openai-messages").1.contains("unknown_part 1"));
}
