//! The format `droid-stream-json`: the output of `droid exec --output-format stream-json`: messages as plain texts,
//! calls and results as records of their own, and a `completion` at the end.
//!
//! The `completion` repeats the last message; if there was none, it is the answer.

use super::log::{Log, State, copied};
use super::output::CallOutput;
use super::{Dialect, Sample};
use crate::format::shared::document::uuid;
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::slot::{self, arguments, part};
use crate::format::shared::synthetic::{is_summary, user_author};
use crate::transcript::{Author, Class, Message, Part, PartKind, Role, Transcript};
use std::borrow::Cow;

/// Types of records.
const TYPES: [&str; 7] = ["system", "message", "reasoning", "tool_call", "tool_result", "completion", "error"];
/// Fields of which every stream has at least one.
const OWN: [&str; 4] = ["role", "toolName", "toolId", "finalText"];
/// Names of the field with the session id.
const SESSIONS: [&str; 2] = ["session_id", "sessionId"];

/// The `droid-stream-json` format.
pub(in crate::format) struct DroidStream;

impl Dialect for DroidStream {
    const NAME: &'static str = "droid-stream-json";
    const WHY: &'static str = "a stream with `toolName` and `finalText`";

    fn is(sample: &Sample<'_>) -> bool {
        let of_stream = |record: &Object<'_>| {
            record.text("type").is_some_and(|kind| TYPES.contains(&&*kind))
                && SESSIONS.iter().any(|key| record.has(key))
                && !["uuid", "message_id", "call_id"].iter().any(|key| record.has(key))
        };
        // Logs of other programs also have session ids.
        let tells = |record: &Object<'_>| OWN.iter().any(|key| record.has(key));
        sample.most_rows(of_stream) && sample.rows().0.iter().any(tells)
    }

    fn record<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>, value: Json<'a>) -> Class<'a> {
        let source = log.source();
        match &*fields.text("type").unwrap_or_default() {
            "system" => {
                log.state.folder = fields.text("cwd").or(log.state.folder.take());
                log.state.model = fields.text("model").or(log.state.model.take());
                log.session("system")
            }
            kind @ ("message" | "reasoning") => message_or_reasoning(log, fields, kind == "message"),
            "tool_call" => {
                let name = fields.text("toolName").or_else(|| fields.text("toolId")).unwrap_or_default();
                let given = fields.get("parameters");
                let slot = arguments(source, value, given);
                let call = PartKind::Call { id: call_id(fields), name };
                log.add_message(
                    fields,
                    Author::Model,
                    vec![part(call, given.map(Json::spelled).unwrap_or_default(), slot)],
                )
            }
            "tool_result" => {
                let result = result(log, fields);
                log.add_message(fields, Author::Tool, vec![result])
            }
            "completion" => {
                log.state.ended = Some(log.at);
                log.session("completion")
            }
            "error" => Class::Place,
            _ => Class::Opaque,
        }
    }

    fn finish<'a>(transcript: &mut Transcript<'a>, state: &mut State<'a>) {
        // If there is a summary, the message that the completion repeats may have been dropped with the head, so that
        // only the user's request is left.
        let summed_up = transcript.messages.iter().any(|message| is_summary(&message.text()));
        let told = |last: &Message<'_>| last.role == Role::Assistant && !last.text().is_empty();
        let answered = |last: &Message<'_>| told(last) || summed_up && last.role == Role::User;
        let behind = |at: &usize| transcript.messages.last().is_some_and(|last| last.record < *at && !answered(last));
        let Some(at) = state.ended.filter(behind) else { return };
        let span = transcript.records.get(at).map(|record| record.span.clone()).unwrap_or_default();
        let fields = Json::at(transcript.source, &span).and_then(Json::object).unwrap_or_default();
        let said = fields.get("finalText").filter(|text| text.text().is_some_and(|text| !text.is_empty()));
        let Some(said) = said else { return };
        let mut log = Log { transcript, at, state };
        let parts = vec![words(log.source(), said)];
        let class = log.add_message(&fields, Author::Model, parts);
        transcript.records[at].class = class;
    }

    fn new_record(beside: &Object<'_>, text: &str) -> String {
        let id = beside
            .get("id")
            .map(Json::raw)
            .map(|beside| format!(r#","id":"{}""#, uuid(&[DroidStream::NAME, beside, text])));
        format!(
            r#"{{"type":"message"{}{}{},"role":"user","text":{}{}}}"#,
            copied(beside, SESSIONS[0]),
            copied(beside, SESSIONS[1]),
            copied(beside, "timestamp"),
            quoted(text),
            id.unwrap_or_default(),
        )
    }
}

fn text<'a>(fields: &Object<'a>) -> Option<Json<'a>> {
    ["text", "content"].iter().find_map(|key| fields.get(key)).filter(|text| text.is_string())
}

fn words<'a>(source: &'a [u8], text: Json<'a>) -> Part<'a> {
    part(PartKind::Text, text.spelled(), slot::string(source, text))
}

/// The id of a call, also in its result.
fn call_id<'a>(fields: &Object<'a>) -> Cow<'a, str> {
    ["toolCallId", "tool_call_id", "id"].iter().find_map(|key| fields.text(key)).unwrap_or_default()
}

fn result<'a>(log: &Log<'_, 'a>, fields: &Object<'a>) -> Part<'a> {
    let value =
        ["value", "result", "output", "error"].iter().find_map(|key| fields.get(key).filter(|it| !it.is_null()));
    let said = value.map_or_else(|| CallOutput::nothing(log.whole().part), |value| CallOutput::of(log.source(), value));
    let error = fields.is_true("isError") || fields.get("error").is_some_and(|error| !error.is_null());
    let tool = fields.text("toolName").or_else(|| fields.text("toolId"));
    let status = said.status.or_else(|| fields.status_by_flag("isError"));
    CallOutput { error, status, ..said }.part(call_id(fields), tool)
}

/// The text of the previous message if it is the same one: streams repeat messages, or print them again as they grow.
fn told_before<'a>(log: &Log<'_, 'a>, fields: &Object<'a>) -> Option<Option<Cow<'a, str>>> {
    let last = log.transcript.messages.last().filter(|_| fields.has("id"))?;
    let record = log.transcript.records.get(last.record)?;
    let before = Json::at(log.transcript.source, &record.span).and_then(Json::object)?;
    let same = |key: &str| before.get(key).map(Json::raw) == fields.get(key).map(Json::raw);
    ["id", "type"].into_iter().all(same).then(|| text(&before).and_then(Json::text))
}

/// A message or reasoning. A repetition, or an earlier, shorter version of a message, is only for display.
fn message_or_reasoning<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>, aloud: bool) -> Class<'a> {
    let (before, now) = (told_before(log, fields), text(fields));
    if before.is_some() && before == Some(now.and_then(Json::text)) {
        return Class::Ui;
    }
    if !aloud {
        let thought = |text: Json<'a>| part(PartKind::Reasoning { signed: false }, text.spelled(), log.whole());
        let parts = now.map(thought).into_iter().collect();
        return log.add_message(fields, Author::Model, parts);
    }
    let grew = before.flatten().zip(now.and_then(Json::text)).is_some_and(|(before, now)| now.starts_with(&*before));
    if let Some(shorter) = if grew { log.transcript.messages.pop() } else { None } {
        log.transcript.records[shorter.record].class = Class::Ui;
    }
    let parts: Vec<_> = now.map(|text| words(log.source(), text)).into_iter().collect();
    let answers = fields.is("role", "assistant");
    let author = if answers { Author::Model } else { user_author(&parts) };
    log.add_message(fields, author, parts)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::StepLog;
    use super::*;
    use crate::format::detect;
    use crate::format::tests::support::{authors, edited, faults, read, stub_results, summary};
    use crate::transcript::{Status, SummaryRole};

    const SAMPLE: &str = include_str!("../../../samples/droid-stream-json/level-crossing.jsonl");
    const STORED: &str = include_str!("../../../samples/droid/mill-scale.jsonl");
    const FORMAT: StepLog<DroidStream> = StepLog::new();

    fn line(kind: &str, more: &str) -> String {
        format!(r#"{{"type":"{kind}","session_id":"s",{more}}}"#)
    }

    #[test]
    fn a_stream_is_read_and_comes_back_as_it_was() {
        assert_eq!(detect(SAMPLE.as_bytes()).map(|found| found.name), Ok(DroidStream::NAME));
        assert_eq!(detect(STORED.as_bytes()).map(|found| found.name), Ok("droid"));
        assert_eq!(edited(&FORMAT, SAMPLE, |_, _| {}), SAMPLE);
        let transcript = read(&FORMAT, SAMPLE);
        assert_eq!((faults(&FORMAT, SAMPLE), crate::check::faults(&transcript)), (vec![], vec![]));
        use Author::{Model, Person, Tool};
        assert_eq!(authors(&transcript)[..5], [Person, Model, Model, Model, Tool]);
        let said = &transcript.messages[1..4];
        assert!(said.iter().all(|message| message.group == said[0].group && message.model.is_some()), "one answer");
        let count = |is: &dyn Fn(&Class<'_>) -> bool| transcript.records.iter().filter(|it| is(&it.class)).count();
        assert_eq!(count(&|class| matches!(class, Class::Session(_))), 3, "the head and two completions");
        assert_eq!((count(&|class| *class == Class::Ui), count(&|class| *class == Class::Place)), (1, 1));
    }

    #[test]
    fn results_of_every_shape_answer_their_calls() {
        let transcript = read(&FORMAT, SAMPLE);
        let results: Vec<_> =
            transcript.messages.iter().flat_map(|it| &it.parts).filter(|part| part.is_replaceable_result()).collect();
        assert_eq!(results.len(), 6);
        assert_eq!(&*results[3].text, "The file was edited.");
        assert_eq!((results[4].status, results[3].status), (Some(Status::Exit(0)), Some(Status::Unflagged)));
        assert!(
            matches!(&results[2].kind, PartKind::Result { error: true, tool: Some(tool), .. } if tool == "Execute")
        );
        let out = edited(&FORMAT, SAMPLE, stub_results);
        assert!(
            out.contains(r#""value":"<stub />""#) && out.contains(r#""value":{"stdout":"<stub />","exitCode":0}"#),
            "{out}"
        );
    }

    #[test]
    fn calls_of_older_streams_have_an_id_of_their_own() {
        let call =
            line("tool_call", r#""toolCallId":"c1","id":"tc1","toolName":"Shell","parameters":{"command":"ls"}"#);
        let result = line("tool_result", r#""toolCallId":"c1","id":"tr1","value":{"stdout":"quay\n","exitCode":0}"#);
        let source = [call, result].join("\n");
        assert_eq!(crate::check::faults(&read(&FORMAT, &source)), []);
    }

    #[test]
    fn the_completion_is_the_answer_where_no_message_is() {
        let asked = line("message", r#""role":"user","text":"Moor.""#);
        let done = line("completion", r#""finalText":"Moored.""#);
        let said = line("message", r#""role":"assistant","text":"Moored.""#);
        let transcript = |lines: &[&str]| authors(&read(&FORMAT, &lines.join("\n")));
        assert_eq!(transcript(&[&asked, &done]), [Author::Person, Author::Model]);
        assert_eq!(transcript(&[&asked, &said, &done]), [Author::Person, Author::Model]);
        assert_eq!(transcript(&[&asked, &done, &asked]), [Author::Person, Author::Person], "only at the end");
        let summary =
            line("message", r#""role":"user","text":"<prior-conversation-summary>\nx\n</prior-conversation-summary>""#);
        assert_eq!(transcript(&[&summary, &done]), [Author::Summary], "the answer may have gone behind it");
        assert_eq!(transcript(&[&summary, &asked, &done]), [Author::Summary, Author::Person], "so may that");
        let given = line("tool_result", r#""id":"c1","toolId":"Execute","value":"ok""#);
        assert_eq!(transcript(&[&summary, &given, &done]), [Author::Summary, Author::Tool, Author::Model]);
    }

    #[test]
    fn a_message_that_is_told_again_counts_once_and_another_one_stays() {
        let say = |text: &str| line("message", &format!(r#""id":"m1","role":"assistant",{text}"#));
        let told = |first: &str, then: &str| {
            let source = [say(first), say(then)].join("\n");
            let texts = |transcript: crate::transcript::Transcript<'_>| -> Vec<String> {
                transcript.messages.iter().map(|message| message.text().into_owned()).collect()
            };
            texts(read(&FORMAT, &source))
        };
        assert_eq!(told(r#""text":"Moored.""#, r#""text":"Moored.""#), ["Moored."]);
        assert_eq!(told(r#""text":"Moored.""#, r#""text":"Moored. All well.""#), ["Moored. All well."]);
        assert_eq!(told(r#""content":"Moored.""#, r#""content":"And painted.""#), ["Moored.", "And painted."]);
    }

    #[test]
    fn logs_of_other_programs_are_none() {
        let log = line("error", r#""text":"no quay","level":"warn""#);
        assert_ne!(detect([&*log, &log].join("\n").as_bytes()).map(|found| found.name), Ok(DroidStream::NAME));
    }

    #[test]
    fn the_summary_is_a_users_message_of_the_stream() {
        let out = edited(&FORMAT, SAMPLE, |transcript, script| {
            let start = transcript.messages[transcript.last_real_user().unwrap()].record;
            for (at, record) in transcript.records.iter().enumerate().take(start) {
                script.keep[at] = matches!(record.class, Class::Session(_));
            }
            script.inserts = vec![summary(start, SummaryRole::System, "it")];
        });
        let added = out.lines().nth(2).unwrap();
        assert!(added.starts_with(r#"{"type":"message","session_id":"c7a1de90-"#), "{out}");
        assert!(added.contains(r#""role":"user","text":"<prior"#) && added.contains(r#","id":""#), "{out}");
        use Author::{Model, Person, Summary, Tool};
        assert_eq!(authors(&read(&FORMAT, &out)), [Summary, Person, Model, Tool, Model]);
    }
}
