//! Actions of agents that answer with one JSON object: an action beside the agent's thoughts, as LangChain's structured
//! chat (`action`, `action_input`), AutoGPT (`thoughts`, `command`), browser-use (`current_state`, `action`), Notte
//! (`state`, `actions`) and Terminus (`analysis`, `plan`, `commands`) ask for.

use super::call_text::{Call, named};
use super::json::{Json, Object, quoted};
use crate::transcript::unfenced;
use std::borrow::Cow;

/// Keys of an action, of a name in one, and of its arguments.
const ACTIONS: [&str; 8] = ["action", "actions", "tool", "tool_name", "command", "commands", "function", "tool_call"];
const NAMES: [&str; 7] = ["name", "action", "tool", "tool_name", "type", "function", "action_type"];
const ARGUMENTS: [&str; 11] = [
    "action_input",
    "arguments",
    "args",
    "parameters",
    "params",
    "input",
    "tool_input",
    "action_args",
    "tool_args",
    "kwargs",
    "inputs",
];
/// Keys of thoughts.
const THOUGHTS: [&str; 22] = [
    "analysis",
    "critique",
    "criticism",
    "current_state",
    "evaluation_previous_goal",
    "explanation",
    "memory",
    "next_goal",
    "note",
    "observation",
    "plan",
    "rationale",
    "reason",
    "reasoning",
    "reflection",
    "speak",
    "state_analysis",
    "summary",
    "text",
    "thinking",
    "thought",
    "thoughts",
];
/// A key of thoughts only if some are below it (Notte).
const STATE: &str = "state";
/// What opens the fence around an object behind other words.
const FENCE: &str = "\n```json\n";
/// The tool of a command that is a text or keystrokes.
const SHELL: &str = "bash";

/// Reads a text that is one object with an action, or ends in one that is fenced and has thoughts. Returns what is said
/// and its thoughts, a paragraph each, and its calls.
pub(super) fn read(text: &str) -> Option<(String, Vec<Call>)> {
    alone(text).or_else(|| {
        let start = text.rfind(FENCE)?;
        let (thoughts, calls) = alone(&text[start + 1..]).filter(|(thoughts, _)| !thoughts.is_empty())?;
        Some((format!("{}\n\n{thoughts}", text[..start].trim()), calls))
    })
}

/// Reads a text that is one object with an action.
fn alone(text: &str) -> Option<(String, Vec<Call>)> {
    let object = Object::parse(unfenced(text))?;
    let (key, action) = ACTIONS.iter().find_map(|key| Some((*key, object.get(key)?)))?;
    let calls = match action.array() {
        Some(all) => all.into_iter().map(|it| of_value(key, it)).collect::<Option<Vec<_>>>()?,
        None => vec![beside(&object, key, action)?],
    };
    let before = thoughts(&object);
    (!calls.is_empty() && (!before.is_empty() || has_arguments(&object))).then_some((before, calls))
}

/// A call that is an object: with a name, or with the name as its only key.
pub(super) fn call(text: &str) -> Option<Call> {
    of_object(&Object::parse(text)?)
}

fn has_arguments(object: &Object<'_>) -> bool {
    ARGUMENTS.iter().any(|key| object.has(key))
}

/// The call whose name is in a field, with its arguments in another, or in all others that are no thoughts.
fn beside(object: &Object<'_>, key: &str, action: Json<'_>) -> Option<Call> {
    let Some(name) = action.text() else { return of_value(key, action) };
    if key == "command" && !has_arguments(object) {
        return Some((SHELL.to_owned(), named(&[("command", &name)])));
    }
    let is_name = !name.trim().is_empty() && !name.contains('\n');
    is_name.then(|| (name.trim().to_owned(), rest(object, key)))
}

fn of_value(key: &str, value: Json<'_>) -> Option<Call> {
    let object = value.object()?;
    if key == "commands"
        && let Some(keys) = object.text("keystrokes")
    {
        return Some((SHELL.to_owned(), named(&[("command", keys.trim_end())])));
    }
    of_object(&object)
}

fn of_object(object: &Object<'_>) -> Option<Call> {
    if let Some((key, name)) = NAMES.iter().find_map(|key| Some((*key, object.text(key)?))) {
        return Some((name.into_owned(), rest(object, key)));
    }
    match object.fields() {
        [(name, arguments)] => Some((name.clone().into_owned(), spelled(*arguments))),
        _ => None,
    }
}

/// The arguments in an object beside its name.
fn rest(object: &Object<'_>, name: &str) -> String {
    if let Some(arguments) = ARGUMENTS.iter().find_map(|key| object.get(key)) {
        return spelled(arguments);
    }
    let is_own = |(key, value): &&(Cow<'_, str>, Json<'_>)| key != name && !is_thought(key, value);
    let fields = object.fields().iter().filter(is_own);
    let fields: Vec<_> = fields.map(|(key, value)| format!("{}:{}", quoted(key), value.raw())).collect();
    format!("{{{}}}", fields.join(","))
}

/// Arguments as JSON: the object that they are, also inside of a string, or the value as one argument.
fn spelled(value: Json<'_>) -> String {
    let text = value.text().unwrap_or(Cow::Borrowed(value.raw()));
    if Object::parse(&text).is_some() { text.into_owned() } else { named(&[("input", &text)]) }
}

/// Whether a field holds thoughts, or a state with thoughts in it.
fn is_thought(key: &str, value: &Json<'_>) -> bool {
    let thinks = || value.object().is_some_and(|below| THOUGHTS.iter().any(|key| below.has(key)));
    THOUGHTS.contains(&key) || key == STATE && thinks()
}

/// The thoughts of an object, a paragraph each; those below one key are read too.
fn thoughts(object: &Object<'_>) -> String {
    let mut said: Vec<String> = Vec::new();
    for (key, value) in object.fields().iter().filter(|(key, value)| is_thought(key, value)) {
        match value.object() {
            Some(below) => {
                let texts = below.fields().iter().filter_map(|(_, it)| it.text());
                // A word alone is a state: “success”.
                let tells = |text: &Cow<'_, str>| key != STATE || text.trim().contains(' ') || !text.is_ascii();
                said.extend(texts.filter(tells).map(Cow::into_owned));
            }
            None => said.extend(value.text().map(Cow::into_owned)),
        }
    }
    said.retain(|text| !text.trim().is_empty());
    said.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::read;

    fn calls(text: &str) -> Option<(String, Vec<String>)> {
        let (before, calls) = read(text)?;
        Some((before, calls.into_iter().map(|(name, arguments)| format!("{name} {arguments}")).collect()))
    }

    #[test]
    fn an_object_with_thoughts_and_an_action_is_a_call() {
        let said = "The quay is wet.";
        for (object, all) in [
            (r#"{"thought":"The quay is wet.","action":"click","element":7}"#, vec![r#"click {"element":7}"#]),
            (r#"{"thought":"The quay is wet.","action":{"name":"go","args":{"quay":4}}}"#, vec![r#"go {"quay":4}"#]),
            (r#"{"reasoning":"The quay is wet.","tool":"go","tool_input":"quay 4"}"#, vec![r#"go {"input":"quay 4"}"#]),
            (r#"{"thoughts":{"text":"The quay is wet."},"command":{"name":"go","args":{}}}"#, vec!["go {}"]),
            (r#"{"thought":"The quay is wet.","command":"ls -l"}"#, vec![r#"bash {"command":"ls -l"}"#]),
            (
                r#"{"current_state":{"memory":"The quay is wet."},"action":[{"click":{"index":7}},{"wait":{}}]}"#,
                vec![r#"click {"index":7}"#, "wait {}"],
            ),
            (
                r#"{"state":{"status":"open","memory":"The quay is wet."},"actions":[{"click":{"id":"L7"}}]}"#,
                vec![r#"click {"id":"L7"}"#],
            ),
            (
                r#"{"analysis":"The quay is wet.","commands":[{"keystrokes":"ls -l\n","duration":0.1}]}"#,
                vec![r#"bash {"command":"ls -l"}"#],
            ),
        ] {
            let expected = Some((said.to_owned(), all.into_iter().map(str::to_owned).collect()));
            assert_eq!(calls(object), expected, "{object}");
            assert_eq!(calls(&format!("```json\n{object}\n```")), expected, "{object}");
            let behind = calls(&format!("It is low tide.\n\n```json\n{object}\n```\n"));
            let expected = expected.map(|(_, all)| (format!("It is low tide.\n\n{said}"), all));
            assert_eq!(behind, expected, "{object}");
        }
    }

    #[test]
    fn other_objects_are_text() {
        for text in [
            r#"{"action":"approve"}"#,
            r#"{"thought":"The quay is wet."}"#,
            r#"{"thought":"x","action":""}"#,
            r#"{"thought":"x","action":["go"]}"#,
            r#"{"analysis":"All is done.","commands":[]}"#,
            r#"I say {"thought":"x","action":"go"}"#,
            "Take this:\n```json\n{\"action\":\"go\",\"args\":{}}\n```",
            "{",
            "",
        ] {
            assert_eq!(calls(text), None, "{text}");
        }
    }
}
