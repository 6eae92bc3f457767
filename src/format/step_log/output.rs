//! The outcome of a call in any form that logs use: a text, blocks, or an object around one of these.

use crate::format::openai;
use crate::format::shared::json::{Json, Object};
use crate::format::shared::slot::{fixed, fixed_at};
use crate::transcript::{Media, Slot, Status};
use std::borrow::Cow;
use std::ops::Range;

/// Fields that may hold a tool's output; of several the longest is used.
const SAID: [&str; 12] = [
    "output", "stdout", "stderr", "content", "result", "results", "text", "summary", "response", "success", "error",
    "message",
];
/// Statuses of calls that failed or were not allowed, in any case.
const FAILED: [&str; 9] =
    ["error", "errored", "failed", "declined", "canceled", "cancelled", "rejected", "denied", "aborted"];
/// How deep nested objects are searched.
const DEEP: usize = 3;

/// The outcome of a call.
pub(super) struct CallOutput<'a> {
    /// The tool's output.
    pub(super) text: Cow<'a, str>,
    /// Media in it.
    pub(super) media: Vec<Media>,
    /// Its slot.
    pub(super) slot: Slot,
    /// The call failed.
    pub(super) error: bool,
    /// How it ended, if that is stored.
    pub(super) status: Option<Status>,
}

impl<'a> CallOutput<'a> {
    /// Reads the outcome in a value.
    pub(super) fn of(source: &'a [u8], value: Json<'a>) -> Self {
        let (text, media, slot) = content(source, value, DEEP);
        Self { text, media, slot, error: false, status: value.object().and_then(|fields| exit(&fields)) }
    }

    /// The outcome of a call that ended without a known result.
    pub(super) fn nothing(at: Range<usize>) -> Self {
        Self { text: Cow::Borrowed(""), media: Vec::new(), slot: fixed_at(at), error: false, status: None }
    }
}

/// The exit status of a command in a field of an object.
pub(super) fn exit(fields: &Object<'_>) -> Option<Status> {
    let code = ["exit_code", "exitCode"].iter().find_map(|key| fields.get(key))?;
    code.raw().parse().ok().map(Status::Exit)
}

/// Whether the status of a call means that it failed or was not allowed.
pub(super) fn failed(fields: &Object<'_>) -> bool {
    fields.text("status").is_some_and(|status| FAILED.iter().any(|word| status.eq_ignore_ascii_case(word)))
}

fn content<'a>(source: &'a [u8], value: Json<'a>, deep: usize) -> (Cow<'a, str>, Vec<Media>, Slot) {
    let whole = || (Cow::Borrowed(value.raw()), Vec::new(), fixed(source, value));
    if let Some(elements) = value.array() {
        let block = |element: &Json<'_>| element.object().is_some_and(|fields| fields.has("type"));
        return if elements.iter().all(block) { openai::result(source, value) } else { whole() };
    }
    let Some(fields) = value.object() else { return openai::result(source, value) };
    let holds = |value: &Json<'_>| value.raw().starts_with(['"', '[', '{']);
    let found = SAID.iter().filter_map(|key| fields.get(key)).filter(holds);
    match found.max_by_key(|value| value.raw().len()) {
        Some(inner) if deep > 0 => content(source, inner, deep - 1),
        _ => whole(),
    }
}

/// The field of an object with the output of the call that its other fields describe.
pub(super) fn field<'f, 'a>(fields: &'f Object<'a>) -> Option<(&'f str, Json<'a>)> {
    let holds = |value: &Json<'_>| value.raw().starts_with(['"', '[', '{']);
    let found = fields.fields().iter().filter(|(key, value)| SAID.contains(&&**key) && holds(value));
    found.max_by_key(|(_, value)| value.raw().len()).map(|(key, value)| (&**key, *value))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn outcome(text: &str) -> (String, String, Option<Status>) {
        let outcome = CallOutput::of(text.as_bytes(), Json::parse(text).unwrap());
        (outcome.text.into_owned(), text[outcome.slot.content].to_owned(), outcome.status)
    }

    #[test]
    fn what_a_tool_said_is_found_in_every_shape() {
        let all = [
            (r#""quay""#, "quay", r#""quay""#),
            (r#"{"stdout":"quay","stderr":"","exitCode":0}"#, "quay", r#""quay""#),
            (r#"{"success":{"content":"quay","totalLines":1}}"#, "quay", r#""quay""#),
            (r#"{"content":[{"type":"text","text":"quay"}]}"#, "quay", r#"[{"type":"text","text":"quay"}]"#),
            (r#"{"error":{"message":"no quay"}}"#, "no quay", r#""no quay""#),
            (r#"[{"name":"quay"}]"#, r#"[{"name":"quay"}]"#, ""),
            (r#"{"depth":6}"#, r#"{"depth":6}"#, ""),
            ("6", "6", ""),
        ];
        for (value, text, place) in all {
            let (said, content, _) = outcome(value);
            assert_eq!((said.as_str(), content.as_str()), (text, place), "{value}");
        }
        assert_eq!(outcome(r#"{"stdout":"x","exitCode":3}"#).2, Some(Status::Exit(3)));
        assert_eq!(outcome(r#"{"stdout":"x","exitCode":null}"#).2, None);
    }

    #[test]
    fn the_longest_field_that_says_something_is_the_output() {
        let fields = Object::parse(r#"{"command":"ls","output":"a long list","text":"x","exit_code":0}"#).unwrap();
        assert_eq!(field(&fields).map(|(key, _)| key), Some("output"));
        assert!(field(&Object::parse(r#"{"path":"/quay","total_results":3}"#).unwrap()).is_none());
    }
}
