//! What no interface would read: turns of unknown speakers, calls that are no list, content that is no block, and more
//! than one answer of a tool.

use super::*;

#[test]
fn a_turn_of_an_unknown_speaker_is_not_left_out_wherever_it_stands() {
    let keeper = r#"{"role":"keeper","content":"Mind the tide."}"#;
    let list = format!("[{USER},{keeper},{ANSWER}]");
    assert_eq!(refused("openai-messages", &list, "openai-chat"), Refusal::UnknownSpeaker(2));
    let lines = format!("{USER}\n{ANSWER}\n{keeper}\n");
    assert_eq!(refused("anthropic-messages", &lines, "openai-chat"), Refusal::UnknownSpeaker(3));
    for format in ["openai-chat", "anthropic-messages"] {
        assert_eq!(refused(format, &chat(&[USER, ANSWER, keeper]), "trl"), Refusal::UnknownSpeaker(3), "{format}");
    }
}

#[test]
fn what_a_tool_stored_as_it_is_keeps_its_words() {
    let call = r#"{"role":"assistant","content":"so","tool_calls":[{"id":"a.1","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
    for content in [r#"{"quay": [1, 2.0]}"#, r#"["lamp","quay"]"#] {
        let result = FIRST.replace(r#""one""#, content);
        let (out, losses) = converted("openai-chat", &chat(&[USER, call, &result, ANSWER]), "openai-messages");
        assert!(out.contains(&crate::format::json::quoted(content)) && !losses.contains("empty"), "{out} {losses}");
    }
    let said = r#"{"role":"assistant","content":["Mind","the tide."]}"#;
    let (out, _) = converted("openai-chat", &chat(&[USER, said]), "openai-messages");
    assert!(out.contains("Mind") && out.contains("the tide."), "{out}");
    let said = r#"{"role":"assistant","content":{"content":"the tide"}}"#;
    let (out, _) = converted("openai-chat", &chat(&[USER, said]), "openai-messages");
    assert_eq!(out.matches("assistant").count(), 1, "it is no result: {out}");
}

#[test]
fn calls_that_are_no_list_are_not_left_out() {
    let call = r#"{"role":"assistant","content":"so","tool_calls":{"id":"a","function":{"name":"f"}}}"#;
    assert_eq!(refused("openai-chat", &chat(&[USER, call, ANSWER]), "trl"), Refusal::UnreadableCalls);
    let nameless = r#"{"role":"assistant","content":"so","tool_calls":[{"id":"a","tool":"f"}]}"#;
    assert_eq!(refused("openai-chat", &chat(&[USER, nameless, ANSWER]), "sharegpt"), Refusal::UnreadableCalls);
    let none = r#"{"role":"assistant","content":"so","tool_calls":{}}"#;
    assert!(converted("openai-chat", &chat(&[USER, none]), "trl").0.contains("so"));
}

#[test]
fn what_else_a_tool_said_goes_to_its_result() {
    let node = |id: &str, parent: &str, next: &str, message: &str| {
        format!(r#""{id}":{{"id":"{id}","parent":{parent},"children":[{next}],"message":{message}}}"#)
    };
    let said = |role: &str, more: &str, text: &str| {
        format!(r#"{{"author":{{"role":"{role}"}}{more},"content":{{"content_type":"text","parts":["{text}"]}}}}"#)
    };
    let nodes = [
        node("a", "null", r#""b""#, &said("user", "", "Look it up.")),
        node("b", r#""a""#, r#""c""#, &said("assistant", r#","recipient":"browser""#, "search()")),
        node("c", r#""b""#, r#""d""#, &said("tool", "", "The first page.")),
        node("d", r#""c""#, r#""e""#, &said("tool", "", "The second page.")),
        node("e", r#""d""#, "", &said("assistant", "", "Found.")),
    ];
    let tree = format!(r#"{{"mapping":{{{}}},"current_node":"e"}}"#, nodes.join(","));
    let (out, losses) = converted("chatgpt-export", &tree, "openai-chat");
    assert!(out.contains(r#""content":"The first page.\nThe second page.""#), "{out}");
    assert_eq!((out.matches(r#""role":"user""#).count(), losses.contains("results_as_text")), (1, false), "{out}");
}

#[test]
fn what_stands_beside_the_turns_and_is_not_read_is_counted() {
    let row = format!(r#"{{"messages":[{USER},{ANSWER}],"tools":"tide(at): tells the tide"}}"#);
    assert_eq!(converted("openai-chat", &row, "trl").1, "tool_schemas 1");
    let turn = |from: &str| format!(r#"{{"from":"{from}","value":"x"}}"#);
    let lost = |first: &str| {
        let turns = [turn(first), turn("human"), turn("gpt")].join(",");
        let row = format!(r#"{{"system":"Answer in Dutch.","conversations":[{turns}]}}"#);
        converted("sharegpt", &row, "trl")
    };
    assert_eq!(lost("system").1, "other_fields 1");
    let (out, losses) = lost("human");
    assert!(out.contains("Answer in Dutch.") && !losses.contains("other_fields"), "{out} {losses}");
}
