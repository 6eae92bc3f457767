//! Failures stated in the object that a tool returns, with the reason.

use super::args::Args;
use super::outcome::{DETAIL, LARGEST_OBJECT};
use super::python;
use crate::summary::text::{cut, fold};

/// Values of `error` if nothing failed.
const NO_ERRORS: [&str; 7] = ["", "none", "null", "false", "no", "ok", "0"];
/// Fields that are `false` after a failure, and fields that are `true` then.
const WELL: [&str; 4] = ["success", "ok", "succeeded", "passed"];
const BADLY: [&str; 3] = ["isError", "is_error", "failed"];
/// Values of a status field after a failure.
const STATES: [&str; 3] = ["failed", "failure", "error"];
/// Fields that only objects of failures have.
const CAUSES: [&str; 2] = ["error_type", "error_message"];
/// Fields of an object that has a status of its own, such as an order or build.
const OF_THINGS: [&str; 4] = ["id", "name", "title", "number"];
/// Fields with the reason, clearest first.
const REASONS: [&str; 8] =
    ["error_message", "message", "reason", "detail", "details", "msg", "error_type", "error_code"];
/// Start of a text that only reports a failure, and its maximum length in bytes. “Could not find …” may be the
/// requested answer.
const REFUSING: &str = "failed to ";
/// Beginnings of texts whose first line reports one: of an address that can't be read (Claude Code), of a call that
/// no tool takes (opencode), and of a path that an editor does not take (OpenHands).
const REPORTS: [&str; 5] = [
    "The server returned HTTP 4",
    "The server returned HTTP 5",
    "Request failed with status code ",
    "The arguments provided to the tool are invalid",
    "Invalid `path` parameter: ",
];
const LONGEST: usize = 300;
/// Gemini CLI's report of a failed call of a server's tool: its start, what stands before the answer in it, and what
/// stands before that answer's text.
const MCP: [&str; 4] = ["MCP tool '", "' reported tool error for function call: ", " with response: ", "\"text\":"];

/// The reason of a failed call, if its result reports a failure; empty if it gives none.
pub(super) fn failure(result: &str) -> Option<String> {
    if !result.starts_with('{') {
        return of_server(result).or_else(|| says_so(result));
    }
    if result.len() > LARGEST_OBJECT {
        return None;
    }
    let object = Args::read(result);
    told(&object, |object| fails(object) || lists_errors(object)).or_else(|| of_response(&object))
}

/// The failure that the response inside an object states, though its own error is empty (ToolBench).
fn of_response(object: &Args<'_>) -> Option<String> {
    let response = object.text(&["response"])?;
    let response = python::json(response.trim())?;
    let inner = Args::read(&response);
    // A problem of HTTP (RFC 7807): `{"type":"https://…","title":"Bad Request","status":400}`.
    let is_problem = inner.text(&["type"]).is_some_and(|kind| kind.starts_with("http")) && has_refused(&inner);
    match inner.text(&["title"]).filter(|_| is_problem) {
        Some(title) => Some(cut(&fold(&title), DETAIL).into_owned()),
        None => told(&inner, fails),
    }
}

/// Whether the status of an object is one with which HTTP refuses.
fn has_refused(object: &Args<'_>) -> bool {
    let answer = object.raw("status").and_then(|raw| raw.trim_matches('"').parse::<u16>().ok());
    answer.is_some_and(refuses)
}

fn refuses(code: u16) -> bool {
    (400..600).contains(&code)
}

/// The reason if an object refuses a request. A list of errors alone may be the answer.
pub(super) fn refusal(result: &str) -> Option<String> {
    if !result.starts_with('{') || result.len() > LARGEST_OBJECT {
        return None;
    }
    told(&Args::read(result), |object| fails(object) || object.raw("data") == Some("null") && lists_errors(object))
}

/// The reason that an object gives if it has an error, or fails.
fn told(object: &Args<'_>, fails: impl Fn(&Args<'_>) -> bool) -> Option<String> {
    error(object).or_else(|| fails(object).then(|| reason(object))).map(|why| cut(&fold(&why), DETAIL).into_owned())
}

/// The text of a failed call of a server's tool, from behind the call's own arguments.
fn of_server(result: &str) -> Option<String> {
    let [start, reported, response, text] = MCP;
    let (_, call) = result.strip_prefix(start)?.split_once(reported)?;
    let told = call.rsplit_once(response).and_then(|(_, answer)| answer.split_once(text));
    let first =
        |(_, quoted): (&str, &str)| serde_json::Deserializer::from_str(quoted).into_iter::<String>().next()?.ok();
    let why = told.and_then(first).unwrap_or_default();
    Some(cut(&fold(&why), DETAIL).into_owned())
}

/// The failure that a short text reports.
fn says_so(result: &str) -> Option<String> {
    if REPORTS.iter().any(|start| result.starts_with(start)) {
        return result.lines().next().map(|line| cut(&fold(line), DETAIL).into_owned());
    }
    let line = result.trim();
    let begins = line.get(..REFUSING.len()).is_some_and(|start| start.eq_ignore_ascii_case(REFUSING));
    (begins && line.len() <= LONGEST && !line.contains('\n')).then(|| cut(&fold(line), DETAIL).into_owned())
}

/// The error text of an object, or the message inside its error.
fn error(object: &Args<'_>) -> Option<String> {
    let inner = |raw: &str| raw.starts_with('{').then(|| reason(&Args::read(raw)));
    object.text(&["error"]).or_else(|| object.raw("error").and_then(inner)).filter(|error| is_one(error))
}

fn is_one(error: &str) -> bool {
    let error = error.trim().to_lowercase();
    !NO_ERRORS.contains(&&*error) && !error.starts_with("no error")
}

fn fails(object: &Args<'_>) -> bool {
    let is = |keys: &[&str], value: &str| keys.iter().any(|key| object.raw(key) == Some(value));
    let state = object.text(&["status"]).is_some_and(|state| STATES.contains(&&*state.to_lowercase()));
    let tells_why = || object.text(&REASONS).is_some() || object.raw("errors").is_some();
    let is_of_thing =
        || object.names().any(|name| OF_THINGS.contains(&name) || name.ends_with("_id") || name.ends_with("Id"));
    let code = ["status_code", "statusCode"].iter().find_map(|key| object.raw(key)?.parse::<u16>().ok());
    // An API's answer: `{"message":"Not Found","status":"404"}`.
    let refused = has_refused(object) && tells_why() && !is_of_thing();
    refused
        || is(&WELL, "false")
        || is(&BADLY, "true")
        || state && tells_why() && !is_of_thing()
        || code.is_some_and(refuses)
        || CAUSES.iter().filter_map(|key| object.text(&[key])).any(|cause| is_one(&cause))
}

fn lists_errors(object: &Args<'_>) -> bool {
    object.raw("errors").is_some_and(|raw| raw.starts_with('[') && raw[1..].trim_start() != "]")
}

/// The reason that an object gives, or the first of the errors that it lists.
fn reason(object: &Args<'_>) -> String {
    let listed = || object.objects("errors")?.first()?.text(&REASONS);
    object.text(&REASONS).or_else(listed).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_refuses_with_more_than_a_list_of_errors() {
        for (answer, why) in [
            (r#"{"success":false,"message":"token expired","errors":[{"code":10000}]}"#, "token expired"),
            (r#"{"message":"Validation Failed","errors":[{"field":"lamp"}],"status":"422"}"#, "Validation Failed"),
            (r#"{"errors":[{"message":"Unauthorized"}],"data":null}"#, "Unauthorized"),
        ] {
            assert_eq!(refusal(answer).as_deref(), Some(why), "{answer}");
        }
        assert_eq!(refusal(r#"{"errors":[{"lamp":7,"message":"dark"}],"total":1}"#), None, "these were asked for");
    }

    #[test]
    fn an_object_says_that_its_call_failed_and_why() {
        let why = |result: &str| failure(result).unwrap_or_else(|| "worked".into());
        for (result, told) in [
            (r#"{"error":"no such tide"}"#, "no such tide"),
            (r#"{"error":{"code":7,"message":"no such tide"}}"#, "no such tide"),
            (r#"{"status":"failed","message":"the pier is dry"}"#, "the pier is dry"),
            (r#"{"success":false,"reason":"the pier is dry"}"#, "the pier is dry"),
            (r#"{"ok": false}"#, ""),
            (r#"{"isError":true,"details":"dry"}"#, "dry"),
            (r#"{"passed":false,"error_count":3}"#, ""),
            (r#"{"errors":[{"message":"dry"},{"message":"dark"}],"data":null}"#, "dry"),
            (r#"{"errors":["dry"],"data":null}"#, ""),
            (r#"{"status_code":404}"#, ""),
            (
                r#"{"error":"","response":"{'type': 'https://quay.example/p', 'title': 'Bad Request', 'status': 400}"}"#,
                "Bad Request",
            ),
            (r#"{"error":"","response":"{'success': False, 'message': 'the pier is dry'}"}"#, "the pier is dry"),
            (r#"{"error":"","response":"{'title': 'Lamp', 'status': 400}"}"#, "worked"),
            (r#"{"message":"Not Found","status":"404"}"#, "Not Found"),
            (
                "The server returned HTTP 404 Not Found.\n\nThe body was not read.",
                "The server returned HTTP 404 Not Found.",
            ),
            (r#"{"error_type":"precondition:dry","tide":1}"#, "precondition:dry"),
            (r#"{"error_message":"the pier is dry"}"#, "the pier is dry"),
            ("Failed to connect to the harbour", "Failed to connect to the harbour"),
            (
                r#"MCP tool 'light' reported tool error for function call: {"name":"light","args":{"text":"x"}} with response: [{"functionResponse":{"response":{"error":{"content":[{"type":"text","text":"the \"pier\" is dry"}],"isError":true}}}}]"#,
                "the \"pier\" is dry",
            ),
            ("MCP tool 'light' reported tool error for function call: {}", ""),
        ] {
            assert_eq!(why(result), told, "{result}");
        }
    }

    #[test]
    fn what_went_well_says_no_failure() {
        for result in [
            r#"{"error":"None","tide":"high"}"#,
            r#"{"error":"","errors":[]}"#,
            r#"{"success":true,"status":"ok"}"#,
            r#"{"order":7,"status":"failed","total":12}"#,
            r#"{"order_id":7,"status":"failed","reason":"no oil"}"#,
            r#"{"error_code":"0","error_message":"None","error_type":"none","tide":"high"}"#,
            "Could not find a ferry that leaves at nine.",
            r#"{"status_code":200,"failed":false}"#,
            "Failed to light 2 lamps before.\nThen all were lit.",
            "The ferry leaves at nine.",
        ] {
            assert_eq!(failure(result), None, "{result}");
        }
    }
}
