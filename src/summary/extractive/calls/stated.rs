//! What the object that a tool returns states of its call: a failure, with the reason, or a success.

use super::args::Args;
use super::of_servers;
use super::outcome::{DETAIL, LARGEST_OBJECT};
use super::states::{
    BARE, BESIDE, ERROR_TEXTS, ERRORS, EXITS, GOOD, HTTP, MESSAGES, MUST, OF_CALLS, PRINTED, PROBLEMS, REFUSED_FIRST,
    REFUSED_LAST, REFUSES, REPORTS, STATES, VERDICTS,
};
use super::truncated::complete_fields;
use super::verbs;
use super::wrapped::{self, inside};
use crate::python;
use crate::summary::text::{contains_any, cut, ends_any, fold, starts_any};
use std::borrow::Cow;

/// Values of `error` if nothing failed.
const NO_ERRORS: [&str; 7] = ["", "none", "null", "false", "no", "ok", "0"];
/// Fields that are `false` after a failure, those of them that may be a number, and fields that are `true` then.
const WELL: [&str; 7] = ["success", "ok", "succeeded", "successful", "isSuccess", "is_success", "passed"];
const COUNTED: &str = "passed";
const BADLY: [&str; 4] = ["isError", "is_error", "failed", "error"];
/// Fields that only objects of failures have.
const CAUSES: [&str; 6] = ["error_type", "error_message", "error_code", "errorType", "errorMessage", "errorCode"];
/// Fields of an object that has a status of its own, such as an order or build.
const OF_THINGS: [&str; 4] = ["id", "name", "title", "number"];
/// Fields with the reason, clearest first.
const REASONS: [&str; 26] = [
    "error_message",
    "errorMessage",
    "message",
    "reason",
    "detail",
    "details",
    "msg",
    "meldung",
    "grund",
    "mensaje",
    "motivo",
    "mensagem",
    "raison",
    "消息",
    "原因",
    "Message",
    "Reason",
    "Grund",
    "reasons",
    "why",
    "理由",
    "stderr",
    "error_type",
    "errorType",
    "error_code",
    "errorCode",
];
/// Those of them that stand beside a field that is false.
const WHY: [&str; 8] = ["reason", "reasons", "why", "grund", "motivo", "raison", "原因", "理由"];
/// Start of a text that only reports a failure, and its maximum length in bytes. “Could not find …” may be the
/// requested answer.
const REFUSING: &str = "failed to ";
const LONGEST: usize = 300;
/// Maximum length of a message that says nothing but that a call failed, in characters.
const SHORT: usize = 80;
/// States that say that a tool that examines something failed itself.
const OWN_ERRORS: [&str; 4] = ["error", "errored", "exception", "internal_error"];
/// Gemini CLI's report of a failed call of a server's tool: its start, what stands before the answer in it, and what
/// stands before that answer's text.
const MCP: [&str; 4] = ["MCP tool '", "' reported tool error for function call: ", " with response: ", "\"text\":"];

/// A call, by what it does and what it passes.
#[derive(Clone, Copy)]
struct Call<'c> {
    tool: &'c str,
    args: &'c str,
}

impl<'c> Call<'c> {
    /// The call in its shown form; a text without a bracket is one that only looks.
    fn of(shown: &'c str) -> Self {
        let (tool, args) = shown.split_once('(').unwrap_or(("", ""));
        Self { tool, args }
    }

    /// Whether it changes something.
    fn acts(self) -> bool {
        verbs::changes(self.tool)
    }

    /// Whether a state may be its answer: of a tool that looks or examines, what it looked at may be invalid.
    fn may_answer(self, state: &str) -> bool {
        let of_look = || state == "invalid" || OF_CALLS.contains(&state);
        verbs::examines(self.tool) && !OWN_ERRORS.contains(&state) || verbs::looks(self.tool) && of_look()
    }

    /// Whether a message repeats a text that it passed.
    fn passes(self, message: &str) -> bool {
        let args = self.args.to_lowercase();
        let values = args.trim_end_matches(')').split(", ").filter_map(|arg| arg.split_once('='));
        let mut texts = values.map(|(_, value)| value.trim_matches(['"', '…', ' '])).filter(|text| text.contains(' '));
        args.contains(message) || texts.any(|text| message.contains(text))
    }

    /// Whether a name is that of an argument that it passed.
    fn has_argument(self, name: &str) -> bool {
        let bare = name.trim_matches(['`', '"', '\'']);
        self.args.to_lowercase().split(", ").any(|arg| arg.split('=').next() == Some(bare))
    }

    /// Whether a state is what it asked for: `denied` of `deny_claim`, or one that it passed.
    fn wants(self, state: &str) -> bool {
        let args = self.args.to_lowercase();
        let passed = args.split(|char: char| !char.is_alphanumeric() && char != '_');
        let mut passed = passed.filter(|word| !word.is_empty());
        verbs::is_done_by(self.tool, state) || passed.any(|word| word == state || verbs::is_done_by(word, state))
    }

    /// Whether a field says by its name that what it asked for is done: `is_cancelled`.
    fn is_done(self, field: &str) -> bool {
        verbs::words(field).last().is_some_and(|word| verbs::is_done_by(self.tool, word))
    }
}

/// The reason of a failed call in its shown form, if its result reports a failure; empty if it gives none.
pub(super) fn failure(shown: &str, result: &str) -> Option<String> {
    let call = Call::of(shown);
    let Some(text) = object(result) else {
        return of_server(result).or_else(|| says_so(result, shown)).or_else(|| exception(result, call));
    };
    let object = Args::read(&text);
    told(&object, |object| fails(object, call) || lists_errors(object))
        .or_else(|| inside(&object).iter().find_map(|(wraps, inner)| of_inner(*wraps, inner, call)))
        .or_else(|| of_response(&object, call))
}

/// The failure that an object inside an answer states; one that was looked up may have failed itself.
fn of_inner(wraps: bool, inner: &Args<'_>, call: Call<'_>) -> Option<String> {
    let may_tell = call.acts() || wraps && !is_of_thing(inner);
    may_tell.then(|| told(inner, |inner| fails(inner, call))).flatten()
}

/// Whether a result states that its call went well: an object by a field of it, or a word.
pub(super) fn says_well(shown: &str, result: &str) -> bool {
    let Some(text) = object(result) else { return agrees(result) };
    // What was cut off may say that it failed.
    if complete_fields(result.trim()).is_some() {
        return false;
    }
    let (object, call) = (Args::read(&text), Call::of(shown));
    let is_true = |value: String| ["true", "yes", "1"].contains(&&*value) || GOOD.contains(&&*value);
    let is_good = |state: &String| GOOD.contains(&&**state) || call.wants(state);
    let answered = || HTTP.iter().chain(&["status", "code"]).find_map(|key| plain(&object, key)?.parse::<u16>().ok());
    let ended = || EXITS.iter().any(|key| plain(&object, key).is_some_and(|code| code == "0"));
    let no_error =
        || ERROR_TEXTS.iter().chain(&BADLY[..2]).any(|key| plain(&object, key).is_some_and(|it| !is_one(&it)));
    WELL.iter().any(|key| plain(&object, key).is_some_and(is_true))
        || state(&object).as_ref().is_some_and(is_good)
        || answered().is_some_and(|code| (200..300).contains(&code))
        || object.names().any(|name| object.raw(name) == Some("true") && call.is_done(name))
        || ended()
        || no_error()
}

/// Whether a result is an object with a field that is false.
pub(super) fn denies(result: &str) -> bool {
    object(result).is_some_and(|text| {
        let object = Args::read(&text);
        object.names().any(|name| object.raw(name) == Some("false"))
    })
}

/// Answers that only say that a call worked.
const AGREES: [&str; 6] = ["done", "ok", "success", "successful", "succeeded", "true"];

/// Whether a text only says that its call worked.
pub(in crate::summary::extractive) fn agrees(text: &str) -> bool {
    let bare = text.trim().trim_end_matches(['.', '!']);
    bare.len() <= 12 && AGREES.contains(&&*bare.to_lowercase())
}

/// The object in a result, if it is not too large.
fn object(result: &str) -> Option<Cow<'_, str>> {
    Some(result).filter(|_| result.len() <= LARGEST_OBJECT).and_then(wrapped::object)
}

/// The failure that the response inside an object states, though its own error is empty (ToolBench).
fn of_response(object: &Args<'_>, call: Call<'_>) -> Option<String> {
    let response = object.text(&["response"])?;
    let response = python::json(response.trim())?;
    let inner = Args::read(&response);
    told(&inner, |inner| fails(inner, call))
}

/// The title of a problem of HTTP (RFC 7807): `{"type":"https://…","title":"Bad Request","status":400}`. Other things
/// have titles too.
fn problem(object: &Args<'_>) -> Option<String> {
    let title = object.text(&["title"]).filter(|_| has_refused(object))?;
    let is_typed = || object.text(&["type"]).is_some_and(|kind| kind.starts_with("http"));
    (is_typed() || PROBLEMS.iter().any(|own| own.eq_ignore_ascii_case(title.trim()))).then_some(title)
}

/// Whether the status of an object is one with which HTTP refuses.
fn has_refused(object: &Args<'_>) -> bool {
    let answer = object.raw("status").and_then(|raw| raw.trim_matches('"').parse::<u16>().ok());
    answer.is_some_and(refuses)
}

pub(super) fn refuses(code: u16) -> bool {
    (400..600).contains(&code)
}

/// The reason if an object refuses a request. A list of errors alone may be the answer.
pub(super) fn refusal(result: &str) -> Option<String> {
    if !result.starts_with('{') || result.len() > LARGEST_OBJECT {
        return None;
    }
    let fails =
        |object: &Args<'_>| fails(object, Call::of("")) || object.raw("data") == Some("null") && lists_errors(object);
    told(&Args::read(result), fails)
}

/// The reason that an object gives if it has an error, or fails.
fn told(object: &Args<'_>, fails: impl Fn(&Args<'_>) -> bool) -> Option<String> {
    let told = error(object).or_else(|| problem(object)).or_else(|| fails(object).then(|| reason(object)));
    told.map(|why| cut(&fold(&why), DETAIL).into_owned())
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
fn says_so(result: &str, shown: &str) -> Option<String> {
    if starts_any(result, REPORTS) {
        return result.lines().next().map(|line| cut(&fold(line), DETAIL).into_owned());
    }
    let line = result.trim();
    let begins = line.get(..REFUSING.len()).is_some_and(|start| start.eq_ignore_ascii_case(REFUSING));
    let told = (begins && line.len() <= LONGEST && !line.contains('\n')).then(|| cut(&fold(line), DETAIL).into_owned());
    told.or_else(|| of_servers::refusal(shown, line))
}

/// The exception that a text is: one line with its name and message, `NameError: name 'lamp' is not defined`. A number
/// behind such a name is a measure, and a text that was looked up may be about one.
fn exception(result: &str, call: Call<'_>) -> Option<String> {
    let text = result.trim();
    let (name, message) = text.split_once(": ").filter(|_| !text.contains('\n') && !verbs::looks(call.tool))?;
    let is_named = ["Error", "Exception"].iter().any(|end| name.len() > end.len() && name.ends_with(end));
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"._".contains(&byte);
    let is_told = message.trim_start_matches(['-', '+']).starts_with(|char: char| !char.is_ascii_digit());
    (is_named && is_told && name.bytes().all(is_name)).then(|| cut(&fold(text), DETAIL).into_owned())
}

/// The error text of an object, or the message inside its error.
fn error(object: &Args<'_>) -> Option<String> {
    let inner = |raw: &str| raw.starts_with('{').then(|| reason(&Args::read(raw)));
    let of = |key: &&str| object.text(&[key]).or_else(|| object.raw(key).and_then(inner)).filter(|error| is_one(error));
    ERROR_TEXTS.iter().find_map(of)
}

fn is_one(error: &str) -> bool {
    let error = error.trim().to_lowercase();
    !NO_ERRORS.contains(&&*error) && !error.starts_with("no error")
}

/// The value of a field that is no list or object, in lower case.
fn plain(object: &Args<'_>, key: &str) -> Option<String> {
    let raw = object.raw(key)?;
    let value = if raw.starts_with('"') { object.text(&[key])? } else { raw.to_owned() };
    (!value.starts_with(['{', '['])).then(|| value.trim().to_lowercase())
}

/// The status of an object, with `_` between its words.
fn state(object: &Args<'_>) -> Option<String> {
    let value = STATES.iter().find_map(|key| object.text(&[key]))?;
    Some(value.trim().trim_end_matches(['.', '!']).to_lowercase().replace([' ', '-'], "_"))
}

/// Whether an object is about something with a name of its own, which has its own status.
fn is_of_thing(object: &Args<'_>) -> bool {
    object.names().any(|name| OF_THINGS.contains(&name) || name.ends_with("_id") || name.ends_with("Id"))
}

fn fails(object: &Args<'_>, call: Call<'_>) -> bool {
    let is = |keys: &[&str], value: &str| keys.iter().any(|key| object.raw(key) == Some(value));
    let is_no =
        |key: &&str| plain(object, key).is_some_and(|it| it == "false" || it == "no" || it == "0" && *key != COUNTED);
    let number = |key: &&str| plain(object, key)?.parse::<u16>().ok();
    let tells = |value: &str| object.names().any(|name| object.raw(name) == Some(value) && call.is_done(name));
    let undone = || tells("false") && !tells("true");
    let exit = || EXITS.iter().find_map(number).or_else(|| number(&"exit").filter(|_| has(object, PRINTED)));
    // An API's answer: `{"message":"Not Found","status":"404"}`.
    let is_answer = || has_refused(object) && (tells_why(object) || object.text(&["status"]).is_none());
    let is_refusal = |text: String| contains_any(&text.to_lowercase(), REFUSES);
    let coded = || number(&"code").is_some_and(refuses) && object.text(MESSAGES).is_some_and(is_refusal);
    let caused = || CAUSES.iter().filter_map(|key| plain(object, key)).any(|cause| is_one(&cause));
    WELL.iter().any(is_no)
        || is(&BADLY, "true")
        || HTTP.iter().filter_map(number).any(refuses)
        || (is_answer() || coded()) && !is_of_thing(object)
        || exit().is_some_and(|code| code != 0)
        || state_fails(object, call)
        || undone()
        || caused()
        || is_refusing(object, call)
        || is_false_for_a_reason(object, call)
}

/// Whether the last word of a message is what the call asked for, or counts: “0 rejected”.
fn ends_well(message: &str, call: Call<'_>) -> bool {
    let mut words = message.rsplit(' ');
    let (last, before) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let counts = before.parse::<u64>().is_ok() || ["no", "none", "not", "never"].contains(&before);
    counts && last.ends_with("ed") || call.wants(last)
}

/// Whether an object has nothing but one field that is false, and the reason: `{"booked":false,"reason":"no seats"}`.
fn is_false_for_a_reason(object: &Args<'_>, call: Call<'_>) -> bool {
    let (flags, others): (Vec<&str>, Vec<&str>) = object.names().partition(|name| object.raw(name) == Some("false"));
    let tells =
        |name: &&str| WHY.contains(name) && !object.text(&[name]).is_some_and(|why| call.passes(&why.to_lowercase()));
    let is_step = matches!(flags[..], [flag] if flag.ends_with("ed") || call.is_done(flag));
    call.acts() && is_step && !others.is_empty() && others.iter().all(tells)
}

/// Whether the status of an object says that a call failed, not only that what was looked up did.
fn state_fails(object: &Args<'_>, call: Call<'_>) -> bool {
    let Some(state) = state(object) else { return false };
    let (is_error, is_verdict) = (ERRORS.contains(&&*state), VERDICTS.contains(&&*state));
    if !(is_error || is_verdict && call.acts()) || call.wants(&state) || call.may_answer(&state) {
        return false;
    }
    let plain = call.acts() || OF_CALLS.contains(&&*state);
    if is_of_thing(object) { call.acts() && tells_why(object) } else { plain || tells_why(object) }
}

/// Whether an object is only a short message that says that the call failed, and nothing that it passed.
fn is_refusing(object: &Args<'_>, call: Call<'_>) -> bool {
    let is_beside = |name: &str| MESSAGES.contains(&name) || BESIDE.contains(&name);
    let Some(message) = object.text(MESSAGES).filter(|_| object.names().all(is_beside)) else { return false };
    let lower = message.trim().replace('’', "'").to_lowercase();
    let bare = lower.trim_end_matches(['.', '!', '。']);
    let begins = || starts_any(bare, REFUSED_FIRST);
    let is_forbidden =
        || bare.strip_prefix("forbidden").is_some_and(|rest| !rest.starts_with(|char: char| char.is_whitespace()));
    let ends = || ends_any(bare, REFUSED_LAST) && !ends_well(bare, call);
    let must = || bare.split_once(MUST).is_some_and(|(name, _)| call.has_argument(name));
    lower.chars().count() <= SHORT && (begins() || is_forbidden() || ends() || must()) && !call.passes(bare)
}

fn has(object: &Args<'_>, keys: &[&str]) -> bool {
    keys.iter().any(|key| object.raw(key).is_some())
}

/// Whether an object gives a reason.
fn tells_why(object: &Args<'_>) -> bool {
    object.text(&REASONS).is_some() || object.raw("errors").is_some()
}

fn lists_errors(object: &Args<'_>) -> bool {
    object.raw("errors").is_some_and(|raw| raw.starts_with('[') && raw[1..].trim_start() != "]")
}

/// The reason that an object gives, or the first of the errors that it lists, or the field that says it.
fn reason(object: &Args<'_>) -> String {
    let listed = || object.objects("errors")?.first()?.text(&REASONS);
    let given = REASONS.iter().filter_map(|key| object.text(&[key])).find(|reason| !reason.trim().is_empty());
    given.or_else(listed).or_else(|| told_by_field(object)).unwrap_or_default()
}

/// The status in an object that says more than that a call failed, with the name of its field.
fn told_by_field(object: &Args<'_>) -> Option<String> {
    let refusing = |key: &&&str| plain(object, key).and_then(|code| code.parse().ok()).is_some_and(refuses);
    let coded = || HTTP.iter().chain(&["status"]).find(refusing);
    let says = |key: &&&str| {
        let state = object.text(&[key]).map(|state| state.to_lowercase().replace([' ', '-'], "_"));
        state.is_some_and(|it| (ERRORS.contains(&&*it) || VERDICTS.contains(&&*it)) && !BARE.contains(&&*it))
    };
    let exit = || EXITS.iter().find(|key| plain(object, key).is_some_and(|code| code != "0"));
    let key = coded().or_else(|| STATES.iter().find(says)).or_else(exit)?;
    let value = object.text(&[key]).or_else(|| object.raw(key).map(str::to_owned))?;
    let body = object.text(&["body"]).filter(|body| body.len() <= LONGEST && !body.trim().is_empty());
    Some(body.map_or_else(|| format!("{key} {value}"), |body| format!("{key} {value}: {body}")))
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
        let why = |result: &str| failure("book_berth(pier=north)", result).unwrap_or_else(|| "worked".into());
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
            (r#"{"status_code":404}"#, "status_code 404"),
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
            assert_eq!(failure("tide_table(pier=north)", result), None, "{result}");
        }
    }

    #[test]
    fn a_call_that_changes_something_fails_in_many_words() {
        let refused = failure("payer(ref=7)", r#"{"statut":"refusé","raison":"pas d'huile"}"#);
        assert_eq!(refused.as_deref(), Some("pas d'huile"));
        let why = |result: &str| failure("book_berth(pier=north)", result).unwrap_or_else(|| "worked".into());
        for (result, told) in [
            (r#"{"status":"declined"}"#, "status declined"),
            (r#"{"status":"not found"}"#, "status not found"),
            (r#"{"state":"FAILED","detail":"the pier is dry"}"#, "the pier is dry"),
            (r#"{"result":"failure"}"#, ""),
            (r#"{"outcome":"refused"}"#, "outcome refused"),
            (r#"{"status":"error","id":"b1","message":"the pier is dry"}"#, "the pier is dry"),
            (r#"{"success":"false"}"#, ""),
            (r#"{"success":0}"#, ""),
            (r#"{"booked":false,"reason":"the pier is dry"}"#, "the pier is dry"),
            (r#"{"moored":false,"why":"the pier is dry"}"#, "the pier is dry"),
            (r#"{"status_code":200,"result":{"success":false,"error":{"message":"dry"}}}"#, "dry"),
            (r#"{"data":{"success":false,"message":"dry"}}"#, "dry"),
            (r#"{"berth":{"state":"declined"}}"#, "state declined"),
            (r#"[{"type":"text","text":"{\"success\": false, \"error\": \"dry\"}"}]"#, "dry"),
            (r#"{"status":422,"title":"Unprocessable Entity"}"#, "Unprocessable Entity"),
            (r#"{"Status":"abgelehnt","Grund":"trocken"}"#, "trocken"),
            (r#"{"ошибка":"пусто"}"#, "пусто"),
            (r#"{"code":"NO_OIL","message":"Berth declined"}"#, "Berth declined"),
            (r#"{"data":{"tide":1},"result":{"success":false,"message":"dry"}}"#, "dry"),
            ("TideError: the tide is out", "TideError: the tide is out"),
            (r#"{"code":"NO_PIER","message":"Pier not found"}"#, "Pier not found"),
            (r#"{"msg":"Invalid pier. Ask the keeper."}"#, "Invalid pier. Ask the keeper."),
            (r#"{"errorCode":4041,"errorMessage":"no such pier"}"#, "no such pier"),
            (r#"{"http_status":403}"#, "http_status 403"),
            (r#"{"status":403,"body":"Forbidden"}"#, "status 403: Forbidden"),
            (r#"{"exit":1,"stderr":"the pier is dry"}"#, "the pier is dry"),
            (r#"{"status":"fehler","meldung":"der Pier ist trocken"}"#, "der Pier ist trocken"),
            (r#"{"erro":"cais seco"}"#, "cais seco"),
            (r#"{"状态":"失败"}"#, "状态 失败"),
            (r#"{"error":"","response":"{'message': 'pier must be an integer'}"}"#, "pier must be an integer"),
        ] {
            assert_eq!(why(result), told, "{result}");
        }
    }

    #[test]
    fn the_state_of_a_thing_says_nothing_of_the_call() {
        for (call, result) in [
            ("get_berth(id=b1)", r#"{"id":"b1","status":"declined","reason":"the pier is dry"}"#),
            ("get_claim(berth=b1)", r#"{"status":"rejected","reason":"the pier is dry"}"#),
            ("deny_claim(berth=b1)", r#"{"status":"denied"}"#),
            ("update_berth(berth=b1, status=expired)", r#"{"status":"expired"}"#),
            ("book_berth(pier=north)", r#"{"status":"pending","draft":false}"#),
            ("book_berth(pier=north)", r#"{"message":"Booked without failed payments."}"#),
            ("book_berth(pier=north)", r#"{"message":"Booked. You must be there at nine."}"#),
            ("book_berth(pier=north)", r#"{"passed":0,"failed":0}"#),
            ("decline_claim(berth=b1)", r#"{"message":"Claim declined"}"#),
            ("update_claim(status=reject)", r#"{"message":"Claim rejected"}"#),
            ("import_berths(pier=north)", r#"{"message":"12 berths imported, 0 rejected"}"#),
            ("cancel_berth(reason=no longer needed)", r#"{"closed":false,"reason":"no longer needed"}"#),
            ("send_oil(pier=north)", r#"{"partial":false,"reason":"the keeper asked twice"}"#),
            ("get_job(id=j1)", r#"{"job":{"error":"out of oil"}}"#),
            ("get_job(id=j1)", r#"{"data":{"id":"j1","error":"out of oil"}}"#),
            ("get_rules(name=TideError)", "TideError: raised when the tide is out"),
            ("fit(model=tide)", "MeanSquaredError: 0.0123"),
            ("book_berth(pier=north)", r#"{"draft":false,"pier":"north"}"#),
            ("get_berth(pier=north)", r#"{"data":{"id":"b1","status":"failed"}}"#),
            ("book_berth(pier=north)", r#"{"title":"Lamp","status":400,"id":"b1"}"#),
        ] {
            assert_eq!(failure(call, result), None, "{call} {result}");
        }
    }

    #[test]
    fn content_and_answers_of_checks_are_no_failures() {
        for (call, result) in [
            ("get_rules(pier=north)", r#"{"detail":"Landings are not allowed after nine"}"#),
            ("send_message(to=keeper)", r#"{"message":"Reminder: oil is required by Monday"}"#),
            ("post_comment(pier=7)", r#"{"message":"The lamp failed on the north pier"}"#),
            ("send_message(text=the lamp was not found)", r#"{"message":"The lamp was not found"}"#),
            ("send_message(to=keeper)", r#"{"message":"Keepers must be there at nine"}"#),
            ("validate_berth(berth=b1)", r#"{"status":"invalid","reason":"no such pier"}"#),
            ("check_lamps(pier=north)", r#"{"status":"failed","message":"2 lamps are dark"}"#),
            ("get_lamp(pier=north)", r#"{"status":"not_found","message":"no lamp"}"#),
            ("mcp__quay__verify_lamp(pier=north)", r#"{"status":"failed","reason":"it is dark"}"#),
            ("read_code(lamp=7)", r#"{"code":412,"message":"red lamp"}"#),
            ("create_berth(pier=north)", r#"{"created":true,"is_created":false}"#),
        ] {
            assert_eq!(failure(call, result), None, "{call} {result}");
        }
        let unlit = (r#"{"code":403,"message":"Access denied"}"#, "Access denied");
        for (result, why) in [(r#"{"message":"Forbidden"}"#, "Forbidden"), unlit] {
            assert_eq!(failure("get_lamp(id=7)", result).as_deref(), Some(why), "{result}");
        }
        let own = r#"{"status":"error","message":"no connection"}"#;
        assert_eq!(failure("check_lamps(pier=north)", own).as_deref(), Some("no connection"));
        let full = r#"{"status":"failed","message":"the pier is full"}"#;
        assert_eq!(failure("check_in(pier=north)", full).as_deref(), Some("the pier is full"));
    }

    #[test]
    fn a_result_says_by_a_field_or_word_that_all_went_well() {
        for result in [
            r#"{"success":true,"id":7}"#,
            r#"{"status":"confirmed"}"#,
            r#"{"booked":true}"#,
            r#"{"status":201,"body":{}}"#,
            r#"{"error":null,"berth":7}"#,
            "Done.",
            "OK",
        ] {
            assert!(says_well("book_berth(pier=north)", result), "{result}");
        }
        for result in
            [r#"{"berth":7}"#, r#"{"status":"pending"}"#, r#"{"cancelled":true}"#, "null", "", "The pier is dry."]
        {
            assert!(!says_well("book_berth(pier=north)", result), "{result}");
        }
    }
}
