//! Request and response formats of the interfaces, one file each; their types stay private to it.

mod anthropic;
mod completions;
mod gemini;
mod responses;

use super::{Answer, Endpoint, Finish, Kind, Prompt, Usage, sse};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// Number of tokens from which billing data are invalid.
const TOO_MANY: u64 = 1 << 40;

/// An interface.
pub(super) trait Wire: Sync {
    /// The body of a request.
    fn body(&self, endpoint: &Endpoint, prompt: &Prompt) -> serde_json::Result<String>;

    /// Name of the key's header, and the prefix of its value.
    fn key_header(&self) -> (&'static str, &'static str) {
        ("authorization", "Bearer ")
    }

    /// Additional headers.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Parses a whole answer; `None` if it has another shape.
    fn read(&self, body: &str) -> Option<Answer>;

    /// Adds an event's data to a streamed answer; `None` if it has another shape.
    fn event(&self, answer: &mut Answer, data: &str) -> Option<Stage>;
}

/// How far a streamed answer has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// More of it is to come.
    Open,
    /// It is complete, though its bill may follow.
    Complete,
    /// This was the last event.
    Over,
}

/// The interface of a kind.
pub(super) fn wire(kind: Kind) -> &'static dyn Wire {
    match kind {
        Kind::Openai => &completions::OpenaiChat,
        Kind::OpenaiResponses => &responses::OpenaiResponses,
        Kind::Anthropic => &anthropic::Anthropic,
        Kind::Gemini => &gemini::Gemini,
    }
}

/// Reasons why a body is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unread {
    /// It is not JSON.
    NotJson,
    /// It is JSON of another shape.
    NotAnAnswer,
    /// It reports an error.
    Failed {
        /// The message.
        said: String,
        /// The whole error object as JSON.
        error: String,
    },
    /// The stream is incomplete; what it told of its bill.
    Torn(Usage),
}

/// Parses a body, streamed or not.
pub(super) fn read(wire: &dyn Wire, content_type: &str, body: &str) -> Result<Answer, Unread> {
    if sse::is_stream(content_type, body) {
        return stream(wire, body);
    }
    if serde_json::from_str::<serde::de::IgnoredAny>(body).is_err() {
        return Err(Unread::NotJson);
    }
    match error(body) {
        Some(failed) => Err(failed),
        None => wire.read(body).ok_or(Unread::NotAnAnswer),
    }
}

/// Whether a body that broke off is a streamed answer that had come to its end.
pub(super) fn is_whole_stream(content_type: &str, read: &Result<Answer, Unread>) -> bool {
    content_type.starts_with("text/event-stream") && read.is_ok()
}

fn stream(wire: &dyn Wire, body: &str) -> Result<Answer, Unread> {
    let (mut answer, mut complete) = (Answer::default(), false);
    for data in sse::events(body) {
        if data.trim() == "[DONE]" {
            return Ok(answer);
        }
        if let Some(failed) = error(&data) {
            return Err(failed);
        }
        match wire.event(&mut answer, &data) {
            Some(Stage::Over) => return Ok(answer),
            Some(stage) => complete |= stage == Stage::Complete,
            None if serde_json::from_str::<serde::de::IgnoredAny>(&data).is_err() => return Err(Unread::NotJson),
            None => return Err(Unread::NotAnAnswer),
        }
    }
    // Not every server marks the end.
    if complete { Ok(answer) } else { Err(Unread::Torn(answer.usage)) }
}

/// The error that a body reports with a success status, as a server must once it streams. All interfaces have an
/// `error`, some within an event's response; OpenAI's event of that name has the message itself.
fn error(json: &str) -> Option<Unread> {
    if !json.contains("\"error\"") {
        return None;
    }
    let whole: Value = serde_json::from_str(json).ok()?;
    let named = [&whole["error"], &whole["response"]["error"]].into_iter().find(|error| !is_blank(error));
    let named = named.or_else(|| (whole["type"] == "error").then_some(&whole))?;
    let text = [&named["message"], named].into_iter().find_map(Value::as_str);
    let error = named.to_string();
    Some(Unread::Failed { said: text.map_or_else(|| error.clone(), str::to_owned), error })
}

fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// Billing data, or `None` if they can't be parsed: an answer must not be lost for that.
fn readable<'de, D: Deserializer<'de>, T: for<'a> Deserialize<'a>>(from: D) -> Result<Option<T>, D::Error> {
    let text = Option::<Box<RawValue>>::deserialize(from)?;
    Ok(text.and_then(|text| serde_json::from_str(text.get()).ok()))
}

/// Sums billed tokens; zero if a number is implausible.
fn usage<const I: usize, const O: usize>(input: [u64; I], output: [u64; O]) -> Usage {
    if input.iter().chain(&output).any(|tokens| *tokens >= TOO_MANY) {
        return Usage::default();
    }
    Usage { input: input.iter().sum(), output: output.iter().sum() }
}

/// Maps an interface's stop reason.
fn finish(word: &str) -> Finish {
    match word {
        "length" | "max_tokens" | "MAX_TOKENS" | "max_output_tokens" | "model_context_window_exceeded" => {
            Finish::Length
        }
        "content_filter" | "refusal" | "SAFETY" | "PROHIBITED_CONTENT" | "BLOCKLIST" | "SPII" | "RECITATION" => {
            Finish::Refused
        }
        "tool_calls" | "function_call" | "tool_use" | "MALFORMED_FUNCTION_CALL" => Finish::ToolCall,
        _ => Finish::Stop,
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::model::Usage;

    fn prompt() -> Prompt {
        Prompt { system: "Be brief.".into(), user: "Why?".into(), max_tokens: 9, tokens: 3 }
    }

    fn body(kind: Kind, base: Option<&str>) -> serde_json::Value {
        let endpoint = Endpoint { temperature: Some(0.0), ..Endpoint::new(kind, base, "m").unwrap() };
        serde_json::from_str(&wire(kind).body(&endpoint, &prompt()).unwrap()).unwrap()
    }

    #[test]
    fn a_bill_that_cannot_be_meant_is_none() {
        let usage = r#"{"input_tokens":18446744073709551615,"cache_read_input_tokens":1,"output_tokens":7}"#;
        let answer = wire(Kind::Anthropic).read(&format!(r#"{{"content":[],"usage":{usage}}}"#)).unwrap();
        let mut usage = answer.usage;
        usage += answer.usage;
        assert_eq!((answer.usage.input, usage.total()), (0, 0));
    }

    #[test]
    fn each_interface_is_sent_what_it_wants() {
        let local = body(Kind::Openai, Some("http://localhost:1"));
        assert_eq!(local["messages"][0], serde_json::json!({"role": "system", "content": "Be brief."}));
        assert_eq!((&local["max_tokens"], &local["max_completion_tokens"]), (&9.into(), &serde_json::Value::Null));
        let own = body(Kind::Openai, None);
        assert_eq!((&own["max_completion_tokens"], &own["max_tokens"]), (&9.into(), &serde_json::Value::Null));
        let responses = body(Kind::OpenaiResponses, None);
        assert_eq!((&responses["instructions"], &responses["input"]), (&"Be brief.".into(), &"Why?".into()));
        assert_eq!((&responses["max_output_tokens"], &responses["store"]), (&9.into(), &false.into()));
        let anthropic = body(Kind::Anthropic, None);
        assert_eq!((&anthropic["system"], &anthropic["max_tokens"]), (&"Be brief.".into(), &9.into()));
        let gemini = body(Kind::Gemini, None);
        assert_eq!(gemini["systemInstruction"]["parts"][0]["text"], "Be brief.");
        assert_eq!(gemini["generationConfig"]["maxOutputTokens"], 9);
    }

    fn outcome(kind: Kind, body: &str) -> String {
        match read(wire(kind), "", body) {
            Ok(answer) => {
                let Usage { input, output } = answer.usage;
                format!("{} `{}` {input}+{output}", answer.outcome().name(), answer.text)
            }
            Err(unread) => format!("{unread:?}"),
        }
    }

    #[test]
    fn answers_of_chat_completions_have_names() {
        let of = |message: &str, finish: &str| {
            let choice = format!(r#"{{"message":{message},"finish_reason":"{finish}"}}"#);
            let usage = r#"{"prompt_tokens":5,"completion_tokens":2}"#;
            outcome(Kind::Openai, &format!(r#"{{"choices":[{choice}],"usage":{usage}}}"#))
        };
        assert_eq!(of(r#"{"content":"yes"}"#, "stop"), "answered `yes` 5+2");
        assert_eq!(
            of(r#"{"content":[{"type":"text","text":"y"},{"type":"text","text":"es"}]}"#, "stop"),
            "answered `yes` 5+2"
        );
        assert_eq!(of(r#"{"content":null,"reasoning_content":"hm"}"#, "stop"), "reasoning_only `` 5+2");
        assert_eq!(of(r#"{"content":"","refusal":"no"}"#, "stop"), "refused `` 5+2");
        assert_eq!(of(r#"{"content":"x","tool_calls":[{}]}"#, "stop"), "tool_calling `x` 5+2");
        assert_eq!(of(r#"{"content":"half"}"#, "length"), "length_cut `half` 5+2");
        assert_eq!(of(r#"{"content":""}"#, "content_filter"), "refused `` 5+2");
        assert_eq!(outcome(Kind::Openai, "<html>"), "NotJson");
        assert_eq!(outcome(Kind::Openai, r#"{"choices":[]}"#), "NotAnAnswer");
        assert_eq!(of(r#"{"content":"yes","reasoning":"hm","reasoning_content":"hm"}"#, "stop"), "answered `yes` 5+2");
        assert_eq!(of(r#"{"content":"","reasoning":[{}],"reasoning_content":null}"#, "stop"), "reasoning_only `` 5+2");
        let both = r#"{"choices":[{"message":{"content":"yes"},"delta":{"content":"yes"},"finish_reason":"stop"}]}"#;
        assert_eq!(outcome(Kind::Openai, both), "answered `yes` 0+0");
        let null = r#"{"choices":[{"message":null,"delta":{"content":"yes"}}],"error":null}"#;
        assert_eq!(outcome(Kind::Openai, null), "answered `yes` 0+0");
    }

    #[test]
    fn a_bill_that_cannot_be_read_is_none() {
        for number in ["1e30", "-5", "null", "\"many\"", "99999999999999999", "1000000000000000000000"] {
            let bodies = [
                (Kind::Openai, r#"{"choices":[{"message":{"content":"yes"}}],"usage":{"prompt_tokens":N}}"#),
                (
                    Kind::OpenaiResponses,
                    r#"{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"yes"}]}],"usage":{"input_tokens":N}}"#,
                ),
                (Kind::Anthropic, r#"{"content":[{"type":"text","text":"yes"}],"usage":{"input_tokens":N}}"#),
                (
                    Kind::Gemini,
                    r#"{"candidates":[{"content":{"parts":[{"text":"yes"}]}}],"usageMetadata":{"promptTokenCount":N}}"#,
                ),
            ];
            for (kind, body) in bodies {
                assert_eq!(outcome(kind, &body.replace('N', number)), "answered `yes` 0+0", "{kind:?} {number}");
            }
        }
    }

    #[test]
    fn what_a_server_says_went_wrong_is_told() {
        let start = r#"{"choices":[{"delta":{"content":"ye"}}]}"#;
        let cases = [
            (Kind::Openai, format!("data: {start}\n\ndata: {{\"error\":{{\"message\":\"overloaded\"}}}}\n\n")),
            (Kind::Openai, r#"{"error":"overloaded","choices":[]}"#.into()),
            (Kind::OpenaiResponses, r#"{"status":"failed","output":[],"error":{"message":"overloaded"}}"#.into()),
            (
                Kind::OpenaiResponses,
                "data: {\"type\":\"response.failed\",\"response\":{\"error\":{\"message\":\"overloaded\"}}}\n\n".into(),
            ),
            (Kind::OpenaiResponses, "data: {\"type\":\"error\",\"message\":\"overloaded\"}\n\n".into()),
            (
                Kind::Anthropic,
                "data: {\"type\":\"error\",\"error\":{\"type\":\"x\",\"message\":\"overloaded\"}}\n\n".into(),
            ),
            (Kind::Gemini, r#"{"error":{"code":503,"message":"overloaded"}}"#.into()),
        ];
        for (kind, body) in cases {
            assert!(outcome(kind, &body).starts_with("Failed { said: \"overloaded\", "), "{body}");
        }
    }

    #[test]
    fn answers_of_the_other_interfaces_have_the_same_names() {
        let of = |kind, cases: &[(&str, &str)]| {
            for (body, expected) in cases {
                assert_eq!(outcome(kind, body), *expected, "{body}");
            }
        };
        of(
            Kind::OpenaiResponses,
            &[
                (
                    r#"{"status":"completed","output":[{"type":"reasoning"},{"type":"message","content":[{"type":"output_text","text":"yes"}]}],"usage":{"input_tokens":5,"output_tokens":2}}"#,
                    "answered `yes` 5+2",
                ),
                (r#"{"status":"completed","output":[{"type":"reasoning"}]}"#, "reasoning_only `` 0+0"),
                (
                    r#"{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{"type":"message","content":[{"type":"output_text","text":"ha"}]}]}"#,
                    "length_cut `ha` 0+0",
                ),
                (
                    r#"{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"no"}]}]}"#,
                    "refused `` 0+0",
                ),
                (r#"{"status":"completed","output":[{"type":"function_call"}]}"#, "tool_calling `` 0+0"),
                (r#"{"status":"failed","output":[]}"#, "NotAnAnswer"),
            ],
        );
        of(
            Kind::Anthropic,
            &[
                (
                    r#"{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"yes"}],"stop_reason":"end_turn","usage":{"input_tokens":3,"cache_read_input_tokens":2,"output_tokens":2}}"#,
                    "answered `yes` 5+2",
                ),
                (
                    r#"{"content":[{"type":"thinking","thinking":"hm"}],"stop_reason":"max_tokens"}"#,
                    "reasoning_only `` 0+0",
                ),
                (r#"{"content":[],"stop_reason":"refusal"}"#, "refused `` 0+0"),
                (r#"{"content":[{"type":"tool_use"}],"stop_reason":"tool_use"}"#, "tool_calling `` 0+0"),
                (r#"{"type":"ping"}"#, "NotAnAnswer"),
            ],
        );
        of(
            Kind::Gemini,
            &[
                (
                    r#"{"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"yes"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":1,"thoughtsTokenCount":1}}"#,
                    "answered `yes` 5+2",
                ),
                (r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#, "refused `` 0+0"),
                (r#"{"candidates":[{"finishReason":"SAFETY"}]}"#, "refused `` 0+0"),
                (
                    r#"{"candidates":[{"content":{"parts":[{"functionCall":{}}]},"finishReason":"STOP"}]}"#,
                    "tool_calling `` 0+0",
                ),
                (r#"{"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}]}"#, "empty `` 0+0"),
                (r#"{}"#, "NotAnAnswer"),
            ],
        );
    }

    #[test]
    fn streams_give_the_same_answers_and_are_torn_without_their_end() {
        let chat = "data: {\"choices\":[{\"delta\":{\"content\":\"ye\"}}]}\n\n\
                    data: {\"choices\":[{\"delta\":{\"content\":\"s\"},\"finish_reason\":\"stop\"}]}\n\n\
                    data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2}}\n\n";
        assert_eq!(outcome(Kind::Openai, &format!("{chat}data: [DONE]\n\n")), "answered `yes` 5+2");
        assert_eq!(outcome(Kind::Openai, chat), "answered `yes` 5+2", "its stop reason says that it is complete");
        let torn = chat.replace("\"stop\"", "null");
        assert_eq!(outcome(Kind::Openai, &torn), "Torn(Usage { input: 5, output: 2 })");
        let empty = chat.replacen("\"content\":\"ye\"}", "\"content\":\"ye\"},\"finish_reason\":\"\"", 1);
        assert_eq!(outcome(Kind::Openai, &empty), "answered `yes` 5+2");
        assert_eq!(
            outcome(Kind::Openai, &empty.replace("\"stop\"", "\"\"")),
            "Torn(Usage { input: 5, output: 2 })",
            "an empty reason is none"
        );
        assert_eq!(outcome(Kind::Openai, "data: {\"cho\n\n"), "NotJson");
        let responses = "data: {\"type\":\"response.output_text.delta\",\"delta\":\"ye\"}\n\n\
            data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"yes\"}]}]}}\n\n";
        assert_eq!(outcome(Kind::OpenaiResponses, responses), "answered `yes` 0+0");
        let anthropic = "data: {\"type\":\"message_start\",\"message\":{\"model\":\"m\",\"usage\":{\"input_tokens\":5,\"output_tokens\":1}}}\n\n\
            data: {\"type\":\"content_block_start\",\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n\
            data: {\"type\":\"ping\"}\n\n\
            data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"yes\"}}\n\n\
            data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":2}}\n\n";
        assert_eq!(outcome(Kind::Anthropic, anthropic), "answered `yes` 5+2", "its stop reason says the same");
        let torn = anthropic.replace("\"end_turn\"", "null");
        assert_eq!(outcome(Kind::Anthropic, &torn), "Torn(Usage { input: 5, output: 2 })");
        let whole = format!("{anthropic}data: {{\"type\":\"message_stop\"}}\n\n");
        assert_eq!(outcome(Kind::Anthropic, &whole), "answered `yes` 5+2");
        let gemini = "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"ye\"}]}}]}\n\n\
            data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"s\"}]},\"finishReason\":\"STOP\"}]}\n\n";
        assert_eq!(outcome(Kind::Gemini, gemini), "answered `yes` 0+0");
    }
}
