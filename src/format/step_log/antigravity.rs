//! The format `antigravity`: transcripts of Google's Antigravity, one step a line, with `source`, `type` and `status`.
//!
//! A `PLANNER_RESPONSE` says what the model said and calls; what the tools gave follows in steps of the tool's own type, in
//! the order of the calls and without ids. A step that no call waits for is call and result in one: logs are kept with
//! steps missing. A `CHECKPOINT` holds what the program wrote when it shortened its context.

use super::log::{Log, Step, object_of, spelled};
use super::output::Outcome;
use super::{Dialect, Sample};
use crate::format::json::{Json, Object, quoted};
use crate::format::slot::{self, arguments, part};
use crate::format::synthetic::user_author;
use crate::transcript::{Author, Class, Part, PartKind};
use std::borrow::Cow;

/// Types of steps in which the program speaks, whatever their source is.
const NOTES: [&str; 6] =
    ["SYSTEM_MESSAGE", "SYSTEM", "CHECKPOINT", "CONVERSATION_HISTORY", "EPHEMERAL_MESSAGE", "KNOWLEDGE_ARTIFACTS"];
/// The type of a step that says what went wrong.
const ERROR: &str = "ERROR_MESSAGE";
/// Sources of steps.
const SOURCES: [&str; 4] = ["MODEL", "SYSTEM", "USER_EXPLICIT", "USER_IMPLICIT"];
/// What steps say of themselves beside their type and source.
const OWN: [&str; 3] = ["step_index", "created_at", "status"];

/// A transcript of Antigravity's.
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
        sample.most_rows(is)
    }

    fn record<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>, value: Json<'a>) -> Class<'a> {
        let kind = fields.text("type").unwrap_or_default();
        let system = fields.text("source").is_some_and(|source| source == "SYSTEM");
        match &*kind {
            "USER_INPUT" => {
                log.give_up_waiting();
                let parts: Vec<_> = words(log, fields).into_iter().collect();
                log.said(fields, user_author(&parts), parts)
            }
            "PLANNER_RESPONSE" => {
                log.give_up_waiting();
                planned(log, fields)
            }
            ERROR if log.state.waiting.is_empty() => told(log, fields),
            kind if system && kind != ERROR || NOTES.contains(&kind) => told(log, fields),
            "" => Class::Opaque,
            kind => acted(log, fields, (kind, value)),
        }
    }

    /// A checkpoint in the place of the step that went last.
    fn new_record(beside: &Object<'_>, text: &str) -> String {
        let copied =
            |key: &str| beside.get(key).map(|value| format!(r#","{key}":{}"#, value.raw())).unwrap_or_default();
        let index =
            beside.get("step_index").map_or_else(String::new, |index| format!(r#""step_index":{},"#, index.raw()));
        let (at, text) = (copied("created_at"), quoted(text));
        format!(r#"{{{index}"source":"SYSTEM","type":"CHECKPOINT","status":"DONE"{at},"content":{text}}}"#)
    }
}

fn words<'a>(log: &Log<'_, 'a>, fields: &Object<'a>) -> Option<Part<'a>> {
    let text = fields.get("content").filter(|text| text.is_string() && text.raw() != r#""""#)?;
    Some(part(PartKind::Text, spelled(text), slot::string(log.source(), text)))
}

/// What the program says; most of it to the model, in the user's name.
fn told<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>) -> Class<'a> {
    let parts = words(log, fields).into_iter().collect();
    log.said(fields, Author::Harness, parts)
}

/// What the model thought, said and calls.
fn planned<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>) -> Class<'a> {
    let source = log.source();
    let thought = fields.get("thinking").filter(|text| text.is_string() && text.raw() != r#""""#);
    let mut parts: Vec<_> = thought
        .map(|text| part(PartKind::Reasoning { signed: false }, spelled(text), slot::fixed(source, text)))
        .into_iter()
        .chain(words(log, fields))
        .collect();
    for (number, call) in fields.array("tool_calls").unwrap_or_default().into_iter().enumerate() {
        let inner = call.object().unwrap_or_default();
        let (id, name) = (log.made_up_id(number), inner.text("name").unwrap_or_default());
        let (text, given) = given(&inner);
        parts.push(part(PartKind::Call { id: id.clone(), name: name.clone() }, text, arguments(source, call, given)));
        log.state.waiting.push_back((id, name, log.transcript.messages.len()));
    }
    log.said(fields, Author::Model, parts)
}

/// What a tool gave: the result of the call that waits longest, or a call with its result.
fn acted<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>, (kind, value): (&str, Json<'a>)) -> Class<'a> {
    let said = fields.get("content").filter(|said| !said.is_null());
    let said = said.map_or_else(|| Outcome::nothing(log.whole().part), |said| Outcome::of(log.source(), said));
    let failed = kind == ERROR || fields.text("status").is_some_and(|status| status == "ERROR");
    let result = Outcome { error: failed, ..said };
    if let Some((id, name, _)) = log.state.waiting.pop_front() {
        return log.said(fields, Author::Tool, vec![result.part(id, Some(name))]);
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

/// The arguments of a call, and where they stand. Antigravity writes each as JSON in a string of its own.
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
        None => (spelled(value), Some(value)),
    }
}
