//! The format `gemini-stream-json`: the output of `gemini -p … --output-format stream-json`: an `init`, messages, calls
//! and their results, and a `result` at the end (google-gemini/gemini-cli, `packages/core/src/output/types.ts`).
//!
//! An answer is printed in pieces (`delta`) as it comes; nothing repeats it as a whole, so each piece is a message of
//! one answer.

use super::log::{Log, copied};
use super::output::{CallOutput, failed};
use super::{Dialect, Sample};
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::slot::{arguments, part};
use crate::format::shared::synthetic::user_author;
use crate::transcript::{Author, Class, PartKind, Status};

/// Types of records.
const TYPES: [&str; 6] = ["init", "message", "tool_use", "tool_result", "error", "result"];

/// The `gemini-stream-json` format.
pub(in crate::format) struct GeminiStream;

impl Dialect for GeminiStream {
    const NAME: &'static str = "gemini-stream-json";
    const WHY: &'static str =
        "a stream of `init`, calls with `tool_name` and `tool_id`, pieces of messages, and a `result` with `stats`";

    fn is(sample: &Sample<'_>) -> bool {
        let kind = |record: &Object<'_>, kinds: &[&str]| record.text("type").is_some_and(|it| kinds.contains(&&*it));
        let of_stream = |record: &Object<'_>| kind(record, &TYPES) && !record.has("uuid") && !record.has("part");
        let begins = |record: &Object<'_>| kind(record, &["init"]) && record.has("session_id") && record.has("model");
        let calls =
            |record: &Object<'_>| kind(record, &["tool_use"]) && record.has("tool_name") && record.has("tool_id");
        let pieces = |record: &Object<'_>| {
            kind(record, &["message"]) && record.is_true("delta") && record.is("role", "assistant")
        };
        let ends =
            |record: &Object<'_>| kind(record, &["result"]) && record.has("status") && record.object("stats").is_some();
        let own = |record: &Object<'_>| begins(record) || calls(record) || pieces(record) || ends(record);
        sample.most(of_stream) && sample.any(own)
    }

    fn record<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>, value: Json<'a>) -> Class<'a> {
        let source = log.source();
        let text = |key: &str| fields.text(key).unwrap_or_default();
        match &*text("type") {
            "init" => {
                log.state.model = fields.text("model").or(log.state.model.take());
                log.session("init")
            }
            "message" => {
                let parts: Vec<_> = log.words(fields, &["content"]).into_iter().collect();
                let answers = text("role") == "assistant";
                let author = if answers { Author::Model } else { user_author(&parts) };
                log.add_message(fields, author, parts)
            }
            "tool_use" => {
                let given = fields.get("parameters");
                let call = PartKind::Call { id: text("tool_id"), name: text("tool_name") };
                let slot = arguments(source, value, given);
                let call = part(call, given.map(Json::spelled).unwrap_or_default(), slot);
                log.add_message(fields, Author::Model, vec![call])
            }
            "tool_result" => {
                let said = said(fields).0;
                let error = failed(fields);
                let status = (!error).then_some(Status::Unflagged);
                let result = CallOutput { error, status, ..log.outcome(said) }.part(text("tool_id"), None);
                log.add_message(fields, Author::Tool, vec![result])
            }
            "result" => log.session("result"),
            "error" => Class::Place,
            _ => Class::Opaque,
        }
    }

    fn again<'a>(fields: &Object<'a>) -> Option<Json<'a>> {
        said(fields).1.filter(|it| it.is_string())
    }

    fn new_record(beside: &Object<'_>, text: &str) -> String {
        let time = copied(beside, "timestamp");
        format!(r#"{{"type":"message"{time},"role":"user","content":{}}}"#, quoted(text))
    }
}

/// What a call's result says: its output or the message of its error, and the shorter of the two if it has both, as one
/// mostly repeats the other.
fn said<'a>(fields: &Object<'a>) -> (Option<Json<'a>>, Option<Json<'a>>) {
    let (output, error) = (fields.get("output"), fields.get("error"));
    let message = error.and_then(Json::object).and_then(|error| error.get("message")).or(error);
    let says = |value: Option<Json<'a>>| value.filter(|value| value.holds_something());
    match (says(output), says(message)) {
        (Some(output), Some(message)) if message.raw().len() > output.raw().len() => (Some(message), Some(output)),
        (None, None) => (output.or(message).filter(|value| !value.is_null()), None),
        (Some(output), message) => (Some(output), message),
        (None, message) => (message, None),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::StepLog;
    use super::*;
    use crate::format::tests::support::{authors, detected, edited, faults, read, stub_results, summary};
    use crate::transcript::SummaryRole;

    const SAMPLE: &str = include_str!("../../../samples/gemini-stream-json/windmill-sails.jsonl");
    const FORMAT: StepLog<GeminiStream> = StepLog::new();

    #[test]
    fn a_stream_is_read_and_comes_back_as_it_was() {
        assert_eq!(detected(SAMPLE), Ok(GeminiStream::NAME));
        assert_eq!(edited(&FORMAT, SAMPLE, |_, _| {}), SAMPLE);
        let transcript = read(&FORMAT, SAMPLE);
        assert_eq!((faults(&FORMAT, SAMPLE), crate::check::faults(&transcript)), (vec![], vec![]));
        use Author::{Model, Person, Tool};
        assert_eq!(authors(&transcript)[..6], [Person, Model, Model, Model, Tool, Model]);
        let answer = &transcript.messages[1..4];
        assert!(answer.iter().all(|piece| piece.group == answer[0].group && piece.model.is_some()), "one answer");
        let ends = |record: usize| matches!(transcript.records[record].class, Class::Session(_));
        assert!(ends(0) && ends(transcript.records.len() - 1));
    }

    #[test]
    fn results_say_whether_their_call_failed() {
        let transcript = read(&FORMAT, SAMPLE);
        let results = transcript.messages.iter().flat_map(|it| &it.parts).filter_map(|part| match &part.kind {
            PartKind::Result { tool, error, .. } => Some((tool.as_deref().unwrap(), *error, part.status.is_some())),
            _ => None,
        });
        let expected =
            [("read_file", false, true), ("run_shell_command", true, false), ("run_shell_command", false, true)];
        assert_eq!(results.collect::<Vec<_>>(), expected);
        let out = edited(&FORMAT, SAMPLE, stub_results);
        assert!(out.contains(r#""output":"<stub />"}"#) && out.contains(r#""message":"<stub />"}"#), "{out}");
    }

    #[test]
    fn an_error_that_repeats_the_output_is_shortened_with_it() {
        let long = "no rope is long enough for the third sail";
        let call = r#"{"type":"tool_use","tool_name":"f","tool_id":"a","parameters":{}}"#;
        let failed = |output: &str, message: &str| {
            let error = format!(r#""output":"{output}","error":{{"type":"e","message":"{message}"}}"#);
            format!("{call}\n{{\"type\":\"tool_result\",\"tool_id\":\"a\",\"status\":\"error\",{error}}}\n")
        };
        let stub = "<stub />";
        for (output, message, out) in [(long, long, [stub, stub]), ("", long, ["", stub]), ("x", long, ["x", stub])] {
            let source = failed(output, message);
            assert_eq!(read(&FORMAT, &source).messages[1].parts[0].text, long);
            assert_eq!(edited(&FORMAT, &source, stub_results), failed(out[0], out[1]));
        }
    }

    #[test]
    fn a_stream_without_its_beginning_is_one() {
        let asked = r#"{"type":"message","role":"user","content":"u"}"#;
        let piece = r#"{"type":"message","role":"assistant","content":"x","delta":true}"#;
        let end = r#"{"type":"result","status":"success","stats":{}}"#;
        assert_eq!(detected(&format!("{asked}\n{piece}\n")), Ok(GeminiStream::NAME));
        assert_eq!(detected(&format!("{asked}\n{end}\n")), Ok(GeminiStream::NAME));
    }

    #[test]
    fn the_summary_is_a_users_message_of_the_stream() {
        let out = edited(&FORMAT, SAMPLE, |transcript, script| {
            let last = transcript.messages.last().unwrap().record;
            script.keep[1..last].fill(false);
            script.inserts = vec![summary(last, SummaryRole::Auto, "it")];
        });
        assert!(out.lines().nth(1).unwrap().contains(r#""role":"user","content":"<prior"#), "{out}");
        assert_eq!(authors(&read(&FORMAT, &out)), [Author::Summary, Author::Model]);
        assert_eq!(detected(&out), Ok(GeminiStream::NAME));
    }

    #[test]
    fn streams_of_others_are_none() {
        let opencode = r#"{"type":"tool_use","timestamp":1,"sessionID":"s","part":{"type":"tool","tool":"read"}}"#;
        let claude = r#"{"type":"result","subtype":"success","session_id":"s","uuid":"u","result":"x"}"#;
        for source in [opencode, claude, r#"{"type":"message","role":"user","content":"u"}"#] {
            assert_ne!(detected(source), Ok(GeminiStream::NAME));
        }
    }
}
