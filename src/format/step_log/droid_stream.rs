//! The format `droid-stream-json`: what `droid exec --output-format stream-json` prints: messages as flat texts, calls and
//! results as records of their own, and at the end a `completion`.
//!
//! The `completion` says again what the last message said; where no message did, it is the answer.

use super::log::{Log, State, spelled};
use super::output::Outcome;
use super::{Dialect, Sample};
use crate::format::document::uuid;
use crate::format::json::{Json, Object, quoted};
use crate::format::slot::{self, arguments, part};
use crate::format::synthetic::user_author;
use crate::transcript::{Author, Class, Message, Part, PartKind, Role, Transcript};
use std::borrow::Cow;

/// Types of records.
const TYPES: [&str; 7] = ["system", "message", "reasoning", "tool_call", "tool_result", "completion", "error"];
/// Names of the field that says the session.
const SESSIONS: [&str; 2] = ["session_id", "sessionId"];

/// A stream of Droid's.
pub(in crate::format) struct DroidStream;

impl Dialect for DroidStream {
    const NAME: &'static str = "droid-stream-json";
    const WHY: &'static str = "a stream with `toolName` and `finalText`";

    fn is(sample: &Sample<'_>) -> bool {
        sample.most_rows(|record| {
            record.text("type").is_some_and(|kind| TYPES.contains(&&*kind))
                && SESSIONS.iter().any(|key| record.has(key))
                && !["uuid", "message_id", "call_id"].iter().any(|key| record.has(key))
        })
    }

    fn record<'a>(log: &mut Log<'_, 'a>, fields: &Object<'a>, value: Json<'a>) -> Class<'a> {
        let source = log.source();
        match &*fields.text("type").unwrap_or_default() {
            "system" => {
                log.state.folder = fields.text("cwd").or(log.state.folder.take());
                log.state.model = fields.text("model").or(log.state.model.take());
                log.session("system")
            }
            "message" | "reasoning" if is_repeated(log, fields) => Class::Ui,
            "message" => {
                let parts: Vec<_> = text(fields).map(|text| words(source, text)).into_iter().collect();
                let answers = fields.text("role").as_deref() == Some("assistant");
                let author = if answers { Author::Model } else { user_author(&parts) };
                log.said(fields, author, parts)
            }
            "reasoning" => {
                let thought = |text| part(PartKind::Reasoning { signed: false }, spelled(text), log.whole());
                let parts = text(fields).map(thought).into_iter().collect();
                log.said(fields, Author::Model, parts)
            }
            "tool_call" => {
                let name = fields.text("toolName").or_else(|| fields.text("toolId")).unwrap_or_default();
                let given = fields.get("parameters");
                let slot = arguments(source, value, given);
                let call = PartKind::Call { id: call_id(fields), name };
                log.said(fields, Author::Model, vec![part(call, given.map(spelled).unwrap_or_default(), slot)])
            }
            "tool_result" => {
                let result = result(log, fields);
                log.said(fields, Author::Tool, vec![result])
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
        let answered = |last: &Message<'_>| last.role == Role::Assistant && !last.text().is_empty();
        let behind = |at: &usize| transcript.messages.last().is_some_and(|last| last.record < *at && !answered(last));
        let Some(at) = state.ended.filter(behind) else { return };
        let span = transcript.records.get(at).map(|record| record.span.clone()).unwrap_or_default();
        let fields = Json::at(transcript.source, &span).and_then(Json::object).unwrap_or_default();
        let said = fields.get("finalText").filter(|text| text.text().is_some_and(|text| !text.is_empty()));
        let Some(said) = said else { return };
        let mut log = Log { transcript, at, state };
        let parts = vec![words(log.source(), said)];
        let class = log.said(&fields, Author::Model, parts);
        transcript.records[at].class = class;
    }

    fn new_record(beside: &Object<'_>, text: &str) -> String {
        let raw = |key: &str| beside.get(key).map(Json::raw);
        let copied = |key: &str| raw(key).map(|value| format!(r#","{key}":{value}"#)).unwrap_or_default();
        let id = raw("id").map(|beside| format!(r#","id":"{}""#, uuid(&[DroidStream::NAME, beside, text])));
        format!(
            r#"{{"type":"message"{}{}{},"role":"user","text":{}{}}}"#,
            copied(SESSIONS[0]),
            copied(SESSIONS[1]),
            copied("timestamp"),
            quoted(text),
            id.unwrap_or_default(),
        )
    }
}

fn text<'a>(fields: &Object<'a>) -> Option<Json<'a>> {
    ["text", "content"].iter().find_map(|key| fields.get(key)).filter(|text| text.is_string())
}

fn words<'a>(source: &'a [u8], text: Json<'a>) -> Part<'a> {
    part(PartKind::Text, spelled(text), slot::string(source, text))
}

/// The id of a call; results have it, too.
fn call_id<'a>(fields: &Object<'a>) -> Cow<'a, str> {
    ["toolCallId", "tool_call_id", "id"].iter().find_map(|key| fields.text(key)).unwrap_or_default()
}

fn result<'a>(log: &Log<'_, 'a>, fields: &Object<'a>) -> Part<'a> {
    let value =
        ["value", "result", "output", "error"].iter().find_map(|key| fields.get(key).filter(|it| !it.is_null()));
    let said = value.map_or_else(|| Outcome::nothing(log.whole().part), |value| Outcome::of(log.source(), value));
    let error = fields.is_true("isError") || fields.get("error").is_some_and(|error| !error.is_null());
    let tool = fields.text("toolName").or_else(|| fields.text("toolId"));
    Outcome { error, ..said }.part(call_id(fields), tool)
}

/// Whether a record says again what the message before it said: streams repeat one that grew.
fn is_repeated(log: &Log<'_, '_>, fields: &Object<'_>) -> bool {
    let Some(last) = log.transcript.messages.last() else { return false };
    let before =
        log.transcript.records.get(last.record).and_then(|record| Json::at(log.transcript.source, &record.span));
    let before = before.and_then(Json::object).unwrap_or_default();
    let same = |key: &str| before.get(key).map(Json::raw) == fields.get(key).map(Json::raw);
    fields.has("id") && ["id", "type", "text"].into_iter().all(same)
}
