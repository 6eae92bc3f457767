//! The format `antigravity`: transcripts of Google's Antigravity, one step (`source`, `type`, `status`) per line.
//!
//! A `PLANNER_RESPONSE` holds the model's text and calls; the results follow in steps of the tool's own type, in the
//! order of the calls and without ids. A step for which no call waits is read as call and result in one, since logs
//! may lack steps. A `CHECKPOINT` holds the text that the program wrote when it shortened its context.

use super::log::{Log, Step, Waiting, copied, object_of};
use super::output::{self, CallOutput};
use super::{Dialect, Sample};
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::slot::{self, arguments, part};
use crate::format::shared::synthetic::user_author;
use crate::transcript::{Author, Class, PartKind};
use std::borrow::Cow;

/// Types of steps written by the program, whatever their source.
const NOTES: [&str; 6] =
    ["SYSTEM_MESSAGE", "SYSTEM", CHECKPOINT, "CONVERSATION_HISTORY", "EPHEMERAL_MESSAGE", "KNOWLEDGE_ARTIFACTS"];
/// The type of the step that summarizes shortened context.
const CHECKPOINT: &str = "CHECKPOINT";
/// The type of an error step.
const ERROR: &str = "ERROR_MESSAGE";
/// Sources of steps.
const SOURCES: [&str; 4] = ["MODEL", "SYSTEM", "USER_EXPLICIT", "USER_IMPLICIT"];
/// Statuses of a step that has not ended.
const RUNS: [&str; 3] = ["RUNNING", "PENDING", "GENERATING"];
/// Types of steps in every conversation; a file without known sources must have one of them.
const SPOKEN: [&str; 2] = ["USER_INPUT", "PLANNER_RESPONSE"];
/// Fields of steps besides type and source.
const OWN: [&str; 3] = ["step_index", "created_at", "status"];

/// The `antigravity` format.
pub(in crate::format) struct Antigravity;

impl Dialect for Antigravity {
    const NAME: &'static str = "antigravity";
    const WHY: &'static str = "steps with a `source` and a `type`";

    fn is(sample: &Sample<'_>) -> bool {
        let is = |record: &Object<'_>| {
            let known = record.text("source").is_some_and(|source| SOURCES.contains(&&*source));
            record.has("type")
                && record.has("source")
                && (record.has("step_index") || known)
                && OWN.iter().any(|key| record.has(key))
        };
        let known = |record: &Object<'_>| {
            record.text("type").is_some_and(|kind| SPOKEN.contains(&&*kind) || NOTES.contains(&&*kind))
        };
        sample.most_rows(is) && sample.rows().0.iter().any(known)
    }

    fn record<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>, value: Json<'a>) -> Class<'a> {
        let kind = fields.text("type").unwrap_or_default();
        let system = fields.is("source", "SYSTEM");
        match &*kind {
            "USER_INPUT" => {
                log.give_up_waiting();
                let parts: Vec<_> = log.words(fields, &["content"]).into_iter().collect();
                log.add_message(fields, user_author(&parts), parts)
            }
            "PLANNER_RESPONSE" => {
                log.give_up_waiting();
                planned(log, fields)
            }
            ERROR if log.state.waiting.is_empty() => program_text(log, fields),
            kind if system && kind != ERROR || NOTES.contains(&kind) => program_text(log, fields),
            "" => Class::Opaque,
            kind => acted(log, fields, (kind, value)),
        }
    }

    /// A checkpoint that takes the place of the last dropped step.
    fn new_record(beside: &Object<'_>, text: &str) -> String {
        let index =
            beside.get("step_index").map_or_else(String::new, |index| format!(r#""step_index":{},"#, index.raw()));
        let (at, text) = (copied(beside, "created_at"), quoted(text));
        format!(r#"{{{index}"source":"SYSTEM","type":"CHECKPOINT","status":"DONE"{at},"content":{text}}}"#)
    }
}

/// A text of the program; most of it goes to the model as user text.
fn program_text<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>) -> Class<'a> {
    let parts: Vec<_> = log.words(fields, &["content"]).into_iter().collect();
    // A checkpoint of one line only says that there was one.
    let sums_up = fields.is("type", CHECKPOINT) && parts.first().is_some_and(|part| part.text.trim().contains('\n'));
    log.add_message(fields, if sums_up { Author::Summary } else { Author::Harness }, parts)
}

/// The model's reasoning, text and calls.
fn planned<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>) -> Class<'a> {
    let source = log.source();
    // It is a complete answer, not a continuation.
    log.state.group = None;
    let thought = fields.get("thinking").filter(|text| text.is_string() && text.raw() != r#""""#);
    let mut parts: Vec<_> = thought
        .map(|text| part(PartKind::Reasoning { signed: false }, text.spelled(), slot::fixed(source, text)))
        .into_iter()
        .chain(log.words(fields, &["content"]))
        .collect();
    for (number, call) in fields.array("tool_calls").unwrap_or_default().into_iter().enumerate() {
        let inner = call.object().unwrap_or_default();
        let (id, name) = (log.made_up_id(number), inner.text("name").unwrap_or_default());
        let (text, given) = given(&inner);
        let slot = arguments(source, call, given);
        let (at, message) = (slot.part.clone(), log.transcript.messages.len());
        parts.push(part(PartKind::Call { id: id.clone(), name: name.clone() }, text, slot));
        log.state.waiting.push_back(Waiting { id, name, message, at });
    }
    log.add_message(fields, Author::Model, parts)
}

/// A tool step: the result of the first waiting call of that name, or else of the oldest; or a call with its result.
fn acted<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>, (kind, value): (&str, Json<'a>)) -> Class<'a> {
    if !log.state.waiting.is_empty() && fields.text("status").is_some_and(|status| RUNS.contains(&&*status)) {
        return Class::Ui;
    }
    let said = log.outcome(fields.get("content").filter(|said| !said.is_null()));
    let result = CallOutput { error: kind == ERROR || output::failed(fields), ..said };
    let waiting = &mut log.state.waiting;
    let meant = waiting.iter().position(|call| call.name.eq_ignore_ascii_case(kind)).unwrap_or_default();
    if let Some(Waiting { id, name, .. }) = waiting.remove(meant) {
        return log.add_message(fields, Author::Tool, vec![result.part(id, Some(name))]);
    }
    let call = fields.array("tool_calls").and_then(|calls| calls.into_iter().next());
    let inner = call.and_then(Json::object).unwrap_or_default();
    let (arguments_text, given) = given(&inner);
    let step = Step {
        name: inner.text("name").unwrap_or_else(|| Cow::Owned(kind.to_lowercase())),
        arguments: arguments_text,
        slot: arguments(log.source(), value, given),
        result: Some(result),
    };
    log.step(fields, step)
}

/// The arguments of a call, and the value that holds them. Antigravity writes each argument as JSON in a string.
fn given<'a>(call: &Object<'a>) -> (Cow<'a, str>, Option<Json<'a>>) {
    let Some(value) = ["args", "arguments"].iter().find_map(|key| call.get(key)) else {
        return (Cow::Borrowed("{}"), None);
    };
    let fields = value.object().unwrap_or_default();
    let inside = fields.fields().iter().map(|(key, value)| {
        let text = value.text()?;
        Json::parse(&text).is_ok().then_some((key, text))
    });
    match inside.collect::<Option<Vec<_>>>().filter(|inside| !inside.is_empty()) {
        Some(inside) => {
            let fields = inside.iter().map(|(key, text)| (&***key, &**text));
            (Cow::Owned(object_of(fields)), Some(value))
        }
        None => (value.spelled(), Some(value)),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::StepLog;
    use super::*;
    use crate::format::detect;
    use crate::format::tests::support::{authors, edited, faults, read, stub_results, summary};
    use crate::transcript::SummaryRole;

    const SAMPLE: &str = include_str!("../../../samples/antigravity/knots.jsonl");
    const FORMAT: StepLog<Antigravity> = StepLog::new();

    fn step(source: &str, kind: &str, more: &str) -> String {
        format!(r#"{{"step_index":0,"source":"{source}","type":"{kind}","status":"DONE"{more}}}"#)
    }

    fn planned(names: &[&str]) -> String {
        let calls: Vec<_> = names.iter().map(|name| format!(r#"{{"name":"{name}","args":{{}}}}"#)).collect();
        step("MODEL", "PLANNER_RESPONSE", &format!(r#","tool_calls":[{}]"#, calls.join(",")))
    }

    #[test]
    fn a_transcript_is_read_and_comes_back_as_it_was() {
        assert_eq!(detect(SAMPLE.as_bytes()).map(|found| found.name), Ok(Antigravity::NAME));
        assert_eq!(edited(&FORMAT, SAMPLE, |_, _| {}), SAMPLE);
        let transcript = read(&FORMAT, SAMPLE);
        assert_eq!((faults(&FORMAT, SAMPLE), crate::check::faults(&transcript)), (vec![], vec![]));
        use Author::{Harness, Model, Person, Tool};
        assert_eq!(authors(&transcript)[..5], [Person, Model, Tool, Tool, Model]);
        assert!(authors(&transcript).contains(&Harness));
        assert_eq!(transcript.records[1].class, Class::Place, "a step that says nothing");
        assert_eq!(transcript.messages[1].parts[0].kind, PartKind::Reasoning { signed: false });
        assert_eq!(
            &*transcript.messages[1].parts[1].text,
            r#"{"DirectoryPath":"/home/keeper/lighthouse","toolSummary":"Listing files"}"#
        );
    }

    #[test]
    fn results_answer_calls_in_their_order() {
        let source =
            [planned(&["a", "b"]), step("MODEL", "X", r#","content":"1""#), step("MODEL", "Y", r#","content":"2""#)]
                .join("\n");
        let transcript = read(&FORMAT, &source);
        let tool = |at: usize| match &transcript.messages[at].parts[0].kind {
            PartKind::Result { tool: Some(tool), .. } => tool.to_string(),
            other => format!("{other:?}"),
        };
        assert_eq!((tool(1), tool(2)), ("a".to_owned(), "b".to_owned()));
        assert_eq!(crate::check::faults(&transcript), []);
    }

    #[test]
    fn a_result_is_that_of_the_call_of_its_name_and_a_running_step_is_none() {
        let source = |last: String| [planned(&["run_command", "view_file"]), last].join("\n");
        let viewed = source(step("MODEL", "VIEW_FILE", r#","content":"quay""#));
        let viewed = read(&FORMAT, &viewed).messages.remove(1);
        assert!(matches!(&viewed.parts[0].kind, PartKind::Result { tool: Some(tool), .. } if tool == "view_file"));
        let running = step("MODEL", "RUN_COMMAND", r#","content":"""#).replace("DONE", "RUNNING");
        assert_eq!(read(&FORMAT, &source(running)).messages.len(), 1);
        let canceled = step("MODEL", "RUN_COMMAND", r#","content":"""#).replace("DONE", "CANCELED");
        let canceled = source(canceled);
        let canceled = read(&FORMAT, &canceled).messages.remove(1);
        assert!(matches!(canceled.parts[0].kind, PartKind::Result { error: true, .. }));
    }

    #[test]
    fn steps_of_other_programs_are_none() {
        let other = step("MODEL", "request", r#","content":"GET /quay""#);
        assert_ne!(detect([&*other, &other].join("\n").as_bytes()).map(|found| found.name), Ok(Antigravity::NAME));
    }

    #[test]
    fn a_step_that_no_call_waits_for_is_both() {
        let source = [
            step("USER_EXPLICIT", "USER_INPUT", r#","content":"Go""#),
            step("MODEL", "VIEW_FILE", r#","content":"quay""#),
        ]
        .join("\n");
        let transcript = read(&FORMAT, &source);
        let parts = &transcript.messages[1].parts;
        assert!(matches!(&parts[0].kind, PartKind::Call { name, .. } if name == "view_file"));
        assert_eq!((&*parts[1].text, crate::check::faults(&transcript)), ("quay", vec![]));
        assert!(edited(&FORMAT, &source, stub_results).contains(r#""content":"<stub />""#));
    }

    #[test]
    fn calls_without_a_step_are_over_when_the_talk_goes_on() {
        let source =
            [planned(&["a"]), step("MODEL", "PLANNER_RESPONSE", r#","content":"Done.""#), planned(&["b"])].join("\n");
        let transcript = read(&FORMAT, &source);
        assert_eq!(crate::check::faults_at_rest(&transcript), []);
        let results: Vec<_> = transcript.messages.iter().map(|message| message.results().count()).collect();
        assert_eq!(results, [1, 0, 0], "the last one may still run");
    }

    #[test]
    fn what_failed_is_an_error() {
        let failed = step("MODEL", "RUN_COMMAND", r#","content":"no""#).replace("DONE", "ERROR");
        let told = step("MODEL", "ERROR_MESSAGE", r#","content":"no""#);
        for last in [&failed, &told] {
            let source = [&planned(&["a"]), last].map(String::as_str).join("\n");
            let transcript = read(&FORMAT, &source);
            assert!(matches!(transcript.messages[1].parts[0].kind, PartKind::Result { error: true, .. }), "{last}");
        }
        assert_eq!(authors(&read(&FORMAT, &told)), [Author::Harness], "no call waits");
    }

    #[test]
    fn arguments_that_are_no_json_stay_as_they_are() {
        let plain =
            step("MODEL", "PLANNER_RESPONSE", r#","tool_calls":[{"name":"a","args":{"CommandLine":"npm install"}}]"#);
        assert_eq!(&*read(&FORMAT, &plain).messages[0].parts[0].text, r#"{"CommandLine":"npm install"}"#);
    }

    #[test]
    fn the_summary_is_a_checkpoint() {
        let out = edited(&FORMAT, SAMPLE, |transcript, script| {
            let start = transcript.messages[transcript.last_real_user().unwrap()].record;
            (0..start).for_each(|at| script.keep[at] = false);
            script.inserts = vec![summary(start, SummaryRole::System, "it")];
        });
        let first = out.lines().next().unwrap();
        assert!(
            first
                .starts_with(r#"{"step_index":16,"source":"SYSTEM","type":"CHECKPOINT","status":"DONE","created_at":"#),
            "{out}"
        );
        assert_eq!(authors(&read(&FORMAT, &out))[..2], [Author::Summary, Author::Person]);
        let own = step("SYSTEM", "CHECKPOINT", r##","content":"# Resuming from a compaction""##);
        assert_eq!(authors(&read(&FORMAT, &own)), [Author::Harness]);
        let told = own.replace("compaction", "compaction\\nThe pier is mended.");
        assert_eq!(authors(&read(&FORMAT, &told)), [Author::Summary]);
        let media = step("USER_EXPLICIT", "USER_INPUT", r#","media":[{"uri":"quay.png"}]"#);
        assert_eq!(read(&FORMAT, &media).records[0].class, Class::Opaque, "it holds what is not read");
    }
}
