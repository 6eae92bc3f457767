//! The format `gemini-stream-json`: the output of `gemini -p … --output-format stream-json`: an `init`, messages, calls
//! and their results, and a `result` at the end (google-gemini/gemini-cli, `packages/core/src/output/types.ts`).
//!
//! An answer is printed in pieces (`delta`) as it comes; nothing repeats it as a whole, so each piece is a message of
//! one answer.

use super::log::{Log, copied};
use super::output::{Outcome, failed};
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
        "a stream that begins with `init` and a `session_id`, or calls with `tool_name` and `tool_id`";

    fn is(sample: &Sample<'_>) -> bool {
        let kind = |record: &Object<'_>, kinds: &[&str]| record.text("type").is_some_and(|it| kinds.contains(&&*it));
        let of_stream = |record: &Object<'_>| kind(record, &TYPES) && !record.has("uuid") && !record.has("part");
        let begins = |record: &Object<'_>| kind(record, &["init"]) && record.has("session_id") && record.has("model");
        let calls =
            |record: &Object<'_>| kind(record, &["tool_use"]) && record.has("tool_name") && record.has("tool_id");
        sample.most(of_stream) && sample.any(|record| begins(record) || calls(record))
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
                let said = ["output", "error"].iter().find_map(|key| fields.get(key).filter(|it| !it.is_null()));
                let error = failed(fields);
                let status = (!error).then_some(Status::Unflagged);
                let result = Outcome { error, status, ..log.outcome(said) }.part(text("tool_id"), None);
                log.add_message(fields, Author::Tool, vec![result])
            }
            "result" => log.session("result"),
            "error" => Class::Place,
            _ => Class::Opaque,
        }
    }

    fn new_record(beside: &Object<'_>, text: &str) -> String {
        let time = copied(beside, "timestamp");
        format!(r#"{{"type":"message"{time},"role":"user","content":{}}}"#, quoted(text))
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
