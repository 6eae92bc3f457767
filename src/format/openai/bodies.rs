//! Where a message has calls, and a call its name and its arguments.

use super::super::shared::json::{Json, Object};
use super::content;
use std::borrow::Cow;

/// The elements of a list, or the one object that stands in place of it.
pub(super) fn one_or_more(value: Json<'_>) -> Option<Vec<Json<'_>>> {
    value.array().or_else(|| value.object().map(|_| vec![value]))
}

/// The object inside a call that holds name and arguments; `None` if the call itself does.
pub(super) fn body<'a>(call: &Object<'a>) -> Option<Object<'a>> {
    call.object("function").or_else(|| call.object("custom"))
}

/// Keys of the arguments of a call: OpenAI's, that of its own kind of tools, AgentDojo's, and that of Llama's templates.
const ARGUMENTS: [&str; 4] = ["arguments", "input", "args", "parameters"];

/// The arguments of a call, with their key.
pub(super) fn arguments_of<'a>(body: &Object<'a>) -> Option<(&'static str, Json<'a>)> {
    ARGUMENTS.into_iter().find_map(|key| Some((key, body.get(key).filter(|value| !value.is_null())?)))
}

/// The tool and the arguments of a call: its `name`, or, in AgentDojo's rows, `function`.
pub(super) fn of_body<'a>(body: &Object<'a>) -> (Cow<'a, str>, Cow<'a, str>) {
    let name = body.text("name").or_else(|| body.text("function"));
    (name.unwrap_or_default(), arguments_of(body).map(|(_, value)| value.spelled()).unwrap_or_default())
}

/// The blocks of a content that are calls, each with its value.
pub(super) fn content_calls<'a>(object: &Object<'a>) -> Vec<(Json<'a>, Json<'a>)> {
    let blocks = object.get("content").and_then(Json::array).unwrap_or_default().into_iter();
    blocks.filter_map(|block| Some((block, content::call_value(&block.object()?)?))).collect()
}
