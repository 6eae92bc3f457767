//! What stands inside an answer that only wraps it: `{"status_code":200,"result":{"success":false}}`, or the text
//! blocks of MCP.

use super::args::Args;
use super::of_many;
use super::states::HTTP;
use super::truncated::complete_fields;
use crate::python;
use crate::yaml;
use std::borrow::Cow;

/// Fields whose object is the answer.
const WRAPPERS: [&str; 6] = ["data", "result", "response", "body", "output", "payload"];
/// Fields beside it that say nothing else.
const AROUND: [&str; 8] = ["ok", "success", "status", "code", "error", "message", "meta", "jsonrpc"];
/// How often an answer is unwrapped.
const DEPTH: usize = 3;

/// The object that a text holds: it is one, as JSON or as Python prints it, alone in an array, or in the content that
/// an array with one block has for the id of its call (LLaMA-Factory's rows) or as a text (MCP).
pub(in crate::summary::extractive) fn object(text: &str) -> Option<Cow<'_, str>> {
    let text = text.trim();
    if !text.starts_with('[') {
        return complete_fields(text).map(Cow::Owned).or_else(|| python::json(text));
    }
    let owned = |inner: Cow<'_, str>| Cow::Owned(inner.into_owned());
    match of_many::only(text)? {
        (_, Some(content)) => object(&content).map(owned),
        (one, None) if one.starts_with('{') => {
            let block = Args::read(one);
            let text = block.text(&["text"]).filter(|_| block.text(&["type"]).is_some_and(|kind| kind == "text"));
            text.map_or(Some(Cow::Borrowed(one)), |text| python::json(text.trim()).map(owned))
        }
        _ => None,
    }
}

/// The object that a text holds, in any of these forms or in YAML.
pub(in crate::summary::extractive) fn in_any_form(text: &str) -> Option<Cow<'_, str>> {
    object(text).or_else(|| yaml::json(text).map(Cow::Owned))
}

/// The objects inside an object, outermost first, each with whether the field that holds it wraps an answer; any other
/// field does so only if there is no second one.
pub(super) fn inside<'a>(object: &Args<'a>) -> Vec<(bool, Args<'a>)> {
    inside_to(DEPTH, object)
}

fn inside_to<'a>(depth: usize, object: &Args<'a>) -> Vec<(bool, Args<'a>)> {
    let is_alone = object.names().count() == 1;
    let holds = |name: &&str| depth > 0 && (WRAPPERS.contains(name) || is_alone);
    let inner = object.names().filter(holds).filter_map(|name| Some((name, object.raw(name)?)));
    let mut all = Vec::new();
    for (name, raw) in inner.filter(|(_, raw)| raw.starts_with('{')) {
        let inner = Args::read(raw);
        let deeper = inside_to(depth - 1, &inner);
        all.push((WRAPPERS.contains(&name), inner));
        all.extend(deeper);
    }
    all
}

/// The object that tells the news of an answer: the innermost one that has nothing else beside it.
pub(in crate::summary::extractive) fn core<'a>(object: Args<'a>) -> Args<'a> {
    let mut core = object;
    for _ in 0..DEPTH {
        let is_beside = |name: &str| WRAPPERS.contains(&name) || AROUND.contains(&name) || HTTP.contains(&name);
        let Some(inner) = inner(&core).filter(|_| core.names().count() == 1 || core.names().all(is_beside)) else {
            break;
        };
        core = Args::read(inner);
    }
    core
}

fn inner<'a>(object: &Args<'a>) -> Option<&'a str> {
    let is_object = |raw: &&str| raw.starts_with('{');
    let wrapped = WRAPPERS.iter().find_map(|key| object.raw(key).filter(is_object));
    let mut names = object.names();
    let only = || names.next().filter(|_| names.next().is_none()).and_then(|name| object.raw(name)).filter(is_object);
    wrapped.or_else(only)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_found_in_what_wraps_it() {
        let core = |text: &str| object(text).map(|object| core(Args::read(&object)).brief().join(" "));
        for (text, told) in [
            (r#"{"data":{"pier":"north"}}"#, "pier=north"),
            (r#"{"status_code":200,"result":{"ferry":{"pier":"north","oil":7}}}"#, "pier=north oil=7"),
            (r#"[{"type":"text","text":"{\"pier\": \"north\"}"}]"#, "pier=north"),
            (r#"[{"tool_call_id":"a","content":"{'pier': 'north'}"}]"#, "pier=north"),
            (r#"{"pier":"north","data":{"oil":7}}"#, "pier=north"),
            (r#"[{"pier":"north"}]"#, "pier=north"),
        ] {
            assert_eq!(core(text).as_deref(), Some(told), "{text}");
        }
        for none in ["[7]", "[]", "north", r#"[{"type":"text","text":"north"}]"#] {
            assert_eq!(core(none), None, "{none}");
        }
    }
}
