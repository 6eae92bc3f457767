//! Messages of LangChain in all their forms: reading, detection, edits of calls and of their copies, new messages.

use super::*;
use crate::format::tests::support::{
    all_ways, authors, continuation, detected, edited, faults, read, stub_results, summary,
};
use crate::reason::Reason;
use crate::transcript::{Author, Change, PartEdit, PartKind, Status, SummaryRole};

const FORMAT: LangChain = LangChain;
const STATE: &str = include_str!("../../../samples/langchain/kelpwick-state.json");
const HISTORY: &str = include_str!("../../../samples/langchain/bakery-history.json");
const ROWS: &str = include_str!("../../../samples/langchain/lock-constructors.jsonl");
const LINES: &str = include_str!("../../../samples/langchain/moor-one-a-line.jsonl");

const REQUESTS: [&str; 2] = [r#"{"messages":MESSAGES,"step":3}"#, r#"{"values":{"messages":MESSAGES},"next":[]}"#];
const ASKED: &str = r#""content":"old""#;
const CALL: &str = r#""content":[{"type":"text","text":"why"},{"type":"tool_use","id":"a","name":"f","input":{"p": 1}}],"additional_kwargs":{"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"p\": 1}"}}]},"tool_calls":[{"name":"f","args":{"p": 1},"id":"a","type":"tool_call"}]"#;
const RESULT: &str = r#""content":"long","tool_call_id":"a","status":"error""#;
const ANSWER: &str = r#""content":"x""#;

/// A message of this kind, in each of the forms.
fn forms(kind: &str, class: &str, fields: &str) -> [String; 4] {
    [
        format!(r#"{{"type":"{kind}",{fields}}}"#),
        format!(r#"{{"type":"{class}",{fields}}}"#),
        format!(r#"{{"type":"{kind}","data":{{{fields},"type":"{kind}"}}}}"#),
        format!(
            r#"{{"lc":1,"type":"constructor","id":["langchain","schema","messages","{class}"],"kwargs":{{{fields},"type":"{kind}"}}}}"#
        ),
    ]
}

/// A question, a call, its result, and an answer, in each of the forms.
fn conversations() -> Vec<Vec<String>> {
    let all = [
        forms("human", "HumanMessage", ASKED),
        forms("ai", "AIMessage", CALL),
        forms("tool", "ToolMessage", RESULT),
        forms("ai", "AIMessage", ANSWER),
    ];
    (0..4).map(|form| all.iter().map(|message| message[form].clone()).collect()).collect()
}

/// All conversations, stored in all ways.
fn sources() -> Vec<String> {
    let ways = |messages: Vec<String>| {
        let messages: Vec<_> = messages.iter().map(String::as_str).collect();
        all_ways(&messages, &REQUESTS)
    };
    conversations().into_iter().flat_map(ways).collect()
}

/// A conversation in one array, bare.
fn array(messages: &[&str]) -> String {
    format!("[{}]", messages.join(","))
}

fn kinds(source: &str, message: usize) -> Vec<&'static str> {
    read(&FORMAT, source).messages[message].parts.iter().map(|part| part.kind.name()).collect()
}

#[test]
fn messages_are_read_in_every_form_however_they_are_stored() {
    for source in [STATE, HISTORY, LINES].into_iter().chain(ROWS.lines()) {
        assert_eq!(detected(source), Ok("langchain"));
        assert_eq!(edited(&FORMAT, source, |_, _| {}), source);
        assert_eq!((faults(&FORMAT, source), crate::check::faults(&read(&FORMAT, source))), (vec![], vec![]));
    }
    assert_eq!(detected(ROWS), Ok("langchain"));
    use Author::{Model, Person, Tool};
    for source in sources() {
        assert_eq!(detected(&source), Ok("langchain"), "{source}");
        let transcript = read(&FORMAT, &source);
        assert_eq!(authors(&transcript), [Person, Model, Tool, Model]);
        assert_eq!(kinds(&source, 1), ["text", "tool_call"], "a call that the content repeats is one");
        let result = &transcript.messages[2].parts[0].kind;
        assert!(matches!(result, PartKind::Result { tool: Some(tool), error: true, .. } if tool == "f"));
        assert_eq!((faults(&FORMAT, &source), crate::check::faults(&transcript)), (vec![], vec![]));
    }
}

#[test]
fn usage_model_and_status_are_read() {
    let transcript = read(&FORMAT, STATE);
    let usage = transcript.messages[4].usage.unwrap();
    assert_eq!((usage.input.0, usage.cache_read.0, usage.output.0), (678, 812, 48));
    assert_eq!(transcript.messages[4].model.as_deref(), Some("claude-sonnet-4-5"));
    let status = |message: usize| transcript.messages[message].parts[0].status;
    assert_eq!((status(3), status(9)), (Some(Status::Unflagged), None));
    assert_eq!(kinds(STATE, 8), ["reasoning", "tool_call"]);
}

#[test]
fn calls_are_where_libraries_left_them() {
    let ai = |fields: &str| array(&[&format!(r#"{{"type":"ai","content":"",{fields}}}"#)]);
    let made = |source: &str| read(&FORMAT, source).messages[0].calls().map(str::to_owned).collect::<Vec<_>>();
    let old = r#""additional_kwargs":{"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},"tool_calls":[]"#;
    assert_eq!(made(&ai(old)), ["a"]);
    assert_eq!(
        made(&ai(r#""tool_calls":[],"invalid_tool_calls":[{"id":"b","name":"f","args":"{\"p\":","error":"e"}]"#)),
        ["b"]
    );
    let block = |block: &str| array(&[&format!(r#"{{"type":"ai","content":[{block}],"tool_calls":[]}}"#)]);
    assert_eq!(made(&block(r#"{"type":"tool_use","id":"c","name":"f","input":{}}"#)), ["c"]);
    assert_eq!(
        made(&block(r#"{"type":"function_call","id":"fc_1","call_id":"d","name":"f","arguments":"{}"}"#)),
        ["d"]
    );
    let lone =
        r#"{"type":"ai","content":"","additional_kwargs":{"function_call":{"name":"f","arguments":"{\"p\": 1}"}}}"#;
    let both = array(&[lone, r#"{"type":"function","name":"f","content":"long"}"#]);
    assert_eq!(crate::check::faults(&read(&FORMAT, &both)), []);
    assert_eq!(read(&FORMAT, &both).messages[0].parts[0].text, r#"{"p": 1}"#);
}

#[test]
fn a_result_in_a_humans_blocks_answers_its_call() {
    let call = r#"{"type":"ai","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}"#;
    let result = r#"{"type":"human","content":[{"type":"tool_result","tool_use_id":"a","content":"r"}]}"#;
    let source = array(&[call, result, r#"{"type":"ai","content":"x"}"#]);
    assert_eq!((faults(&FORMAT, &source), crate::check::faults(&read(&FORMAT, &source))), (vec![], vec![]));
    assert_eq!(authors(&read(&FORMAT, &source))[1], Author::Tool);
}

#[test]
fn reasoning_is_known_with_its_seal_and_what_is_bound_stays() {
    let block = |block: &str| {
        let source = array(&[&format!(r#"{{"type":"ai","content":[{block}]}}"#)]);
        let part = &read(&FORMAT, &source).messages[0].parts[0];
        let signed = matches!(part.kind, PartKind::Reasoning { signed: true });
        (part.kind.name(), signed, part.text.to_string())
    };
    let of = |signed, text: &str| ("reasoning", signed, text.to_owned());
    assert_eq!(block(r#"{"type":"thinking","thinking":"why","signature":"s"}"#), of(true, "why"));
    assert_eq!(block(r#"{"type":"redacted_thinking","data":"d"}"#), of(true, ""));
    assert_eq!(block(r#"{"type":"reasoning","reasoning":"why","extras":{"signature":"s"}}"#), of(true, "why"));
    assert_eq!(block(r#"{"type":"reasoning_content","reasoning_content":{"text":"why"}}"#), of(false, "why"));
    let bound = block(r#"{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"why"}]}"#);
    assert_eq!(bound, ("opaque", false, "why".to_owned()));
}

#[test]
fn the_head_becomes_a_humans_message_in_the_form_of_the_others() {
    let wrapped = r#""content":"<prior-conversation-summary>\nit\n</prior-conversation-summary>""#;
    for source in sources() {
        let out = edited(&FORMAT, &source, |_, script| {
            script.keep[..3].fill(false);
            script.inserts = vec![summary(3, SummaryRole::Auto, "it"), continuation(4)];
        });
        let heads = forms("human", "HumanMessage", wrapped);
        assert!(heads.iter().any(|head| out.contains(head)), "{out}");
        assert!(out.contains(ANSWER) && !out.contains("old"), "{out}");
        assert_eq!((faults(&FORMAT, &out), detected(&out)), (vec![], Ok("langchain")));
        use Author::{Continuation, Model, Summary};
        assert_eq!(authors(&read(&FORMAT, &out)), [Summary, Model, Continuation]);
    }
    let js = r#"{"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessage"],"kwargs":{"content":"x"}}"#;
    let out = edited(&FORMAT, &array(&[js]), |_, script| script.inserts = vec![continuation(0)]);
    let new = js.replace("AIMessage", "HumanMessage").replace(r#""x""#, r#""continue""#);
    assert_eq!(out, array(&[&new, js]));
}

#[test]
fn arguments_are_cleared_wherever_they_stand_and_nothing_else_changes() {
    for source in sources() {
        let out = edited(&FORMAT, &source, |_, script| {
            let change = Change::Stub(r#"{"cleared":true}"#.into());
            script.parts = vec![PartEdit { message: 1, part: 1, change }];
        });
        let text = r#""arguments":"{\"cleared\":true}""#;
        let expected =
            source.replace(r#"{"p": 1}"#, r#"{"cleared":true}"#).replace(r#""arguments":"{\"p\": 1}""#, text);
        assert_eq!(out, expected);
    }
}

#[test]
fn a_call_that_goes_takes_its_copies_along() {
    for source in sources() {
        let out = edited(&FORMAT, &source, |_, script| {
            script.keep[2] = false;
            script.parts = vec![PartEdit { message: 1, part: 1, change: Change::Remove }];
        });
        let left = r#""content":[{"type":"text","text":"why"}],"additional_kwargs":{},"tool_calls":[]"#;
        assert!(out.contains(left), "{out}");
        assert_eq!((faults(&FORMAT, &out), kinds(&out, 1)), (vec![], vec!["text"]));
    }
}

#[test]
fn results_are_stubs_in_their_own_type() {
    for source in sources() {
        assert_eq!(edited(&FORMAT, &source, stub_results), source.replace(r#""long""#, r#""<stub />""#));
    }
    let blocks = |text: &str| {
        let result = format!(r#"{{"type":"tool","content":[{{"type":"text","text":"{text}"}}],"tool_call_id":"a"}}"#);
        array(&[&forms("ai", "AIMessage", CALL)[0], &result])
    };
    assert_eq!(edited(&FORMAT, &blocks("long"), stub_results), blocks("<stub />"));
}

#[test]
fn a_summary_of_langchains_own_ends_what_was_sent_before() {
    let source = |fields: &str| {
        let ways = [
            r#"{"type":"human","content":"old"}"#,
            &format!(r#"{{"type":"human",{fields}}}"#),
            r#"{"type":"ai","content":"x"}"#,
        ];
        array(&ways)
    };
    let marked = source(r#""content":"so far","additional_kwargs":{"lc_source":"summarization"}"#);
    for source in
        [marked, source(&format!(r#""content":"{} so far""#, "Here is a summary of the conversation to date:"))]
    {
        let transcript = read(&FORMAT, &source);
        assert_eq!(authors(&transcript)[1], Author::Summary);
        assert_eq!(transcript.messages.iter().map(|message| message.live).collect::<Vec<_>>(), [false, true, true]);
    }
    assert_eq!(authors(&read(&FORMAT, &source(r#""content":"so far""#)))[1], Author::Person);
}

#[test]
fn a_message_of_an_unknown_kind_that_says_something_holds_the_others() {
    let source = |odd: &str| array(&[r#"{"type":"human","content":"u"}"#, odd, r#"{"type":"ai","content":"x"}"#]);
    let keeper = source(r#"{"type":"keeper","content":"The quay is full."}"#);
    assert_eq!(read(&FORMAT, &keeper).traits.fixed, Some(Reason::UnknownSpeaker));
    assert_eq!(faults(&FORMAT, &keeper), [("unknown_speaker", "keeper".to_owned())]);
    let developer = source(r#"{"type":"developer","content":"The quay is full."}"#);
    assert_eq!(faults(&FORMAT, &developer), [("unknown_speaker", "developer".to_owned())], "a role, and no type");
    assert_eq!(read(&FORMAT, &source(r#"{"type":"remove","content":"","id":"m"}"#)).traits.fixed, None);
    let plain = source(r#"{"role":"assistant","content":"x"}"#);
    assert_eq!(authors(&read(&FORMAT, &plain))[1], Author::Model, "LangChain takes it among its own");
    assert_eq!(detected(&plain), Ok("langchain"));
    let chat = source(r#"{"type":"chat","role":"assistant","content":"x"}"#);
    assert_eq!(authors(&read(&FORMAT, &chat))[1], Author::Model);
}

#[test]
fn a_stream_that_ends_in_the_state_stays() {
    let all = [r#"{"type":"human","content":"u"}"#, r#"{"type":"ai","content":"x"}"#];
    let lines = all.join("\n");
    assert_eq!(read(&FORMAT, &lines).traits.fixed, None);
    let state = format!("{lines}\n{{\"values\":{{\"messages\":[{}]}}}}\n", all.join(","));
    assert_eq!(read(&FORMAT, &state).traits.fixed, Some(Reason::ConversationTwice));
}

#[test]
fn a_new_message_tells_the_format_and_has_a_role_where_others_do() {
    let out = |source: &str| {
        edited(&FORMAT, source, |_, script| {
            script.keep[..2].fill(false);
            script.inserts = vec![summary(2, SummaryRole::Auto, "it")];
        })
    };
    let plain = [r#"{"role":"user","content":"v"}"#, r#"{"role":"assistant","content":"y"}"#];
    let typed = [r#"{"type":"human","content":"u"}"#, r#"{"type":"ai","content":"x"}"#];
    let mixed = out(&REQUESTS[1].replace("MESSAGES", &array(&[typed[0], plain[1], plain[0], plain[1]])));
    assert!(mixed.contains(r#"[{"type":"human","content":"<prior"#), "{mixed}");
    assert_eq!(detected(&mixed), Ok("langchain"));
    let both = typed.map(|message| message.replace("\",\"content", "\",\"role\":\"user\",\"content"));
    let both = out(&array(&[&both[0], &both[1], &both[0], &both[1]]));
    assert!(both.contains(r#"[{"type":"human","role":"user","content":"<prior"#), "{both}");
}

#[test]
fn types_that_other_programs_have_too_are_none() {
    assert_ne!(detected(r#"[{"type":"system","content":"u"},{"type":"tool","content":"x"}]"#), Ok("langchain"));
    assert_ne!(detected(r#"{"type":"ai","text":"x"}"#), Ok("langchain"));
    let (asked, info) = (r#"{"type":"human","content":"u"}"#, r#"{"type":"info","content":"x"}"#);
    let answer = r#"{"type":"ai","content":"x","level":2}"#;
    assert_ne!(detected(&[asked, asked, info].join("\n")), Ok("langchain"));
    assert_ne!(detected(&[asked, answer].join("\n")), Ok("langchain"));
    let called = r#"{"type":"ai","content":"x","tool_calls":[]}"#;
    assert_eq!(detected(&[asked, called, info].join("\n")), Ok("langchain"));
    assert_ne!(detected(r#"{"messages":[{"role":"human","content":"u"}]}"#), Ok("langchain"));
}
