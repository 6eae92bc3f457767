//! The facts in the arguments of a call.

use super::found::{Found, Sink};
use super::{Class, Fact, commands, extract_into};
use crate::transcript::{Part, parsed};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Substrings of the names of tools that run shell commands, in lower case.
const SHELLS: &[&str] = &["bash", "shell", "exec", "terminal", "command", "run_", "powershell"];

/// Returns the facts in a call, with commands if its tool is a shell.
pub fn call_facts(tool: &str, arguments: &str) -> BTreeSet<Fact> {
    let mut found = Found::default();
    call_into(tool, arguments, &mut found);
    found.settle()
}

/// Passes the facts in a call to a sink, as [`extract_into`] does.
pub(super) fn call_into(tool: &str, arguments: &str, sink: &mut dyn Sink) {
    let text = values(arguments);
    extract_into(&text, sink);
    let tool = tool.to_lowercase();
    if SHELLS.iter().any(|piece| tool.contains(piece)) {
        commands::each(&text, &mut |command| sink.add(Class::Cmd, &command));
    }
}

/// Returns the values of stored arguments, one per line; text that is no JSON object or string stays as it is.
pub fn values(arguments: &str) -> String {
    match parsed::<Value>(arguments) {
        Some(Value::Object(fields)) => fields.values().map(value).collect::<Vec<_>>().join("\n"),
        Some(Value::String(text)) => text,
        _ => arguments.to_owned(),
    }
}

/// The text of a part; of a call, the values of its arguments without JSON syntax.
pub fn readable_text<'p>(part: &'p Part<'_>) -> Cow<'p, str> {
    if part.is_call() { values(&part.text).into() } else { (&*part.text).into() }
}

fn value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(words) if words.iter().all(Value::is_string) && !words.is_empty() => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match words[..] {
                // `["bash", "-lc", "make"]` is `make`.
                [_, flag, line] if flag.starts_with('-') && flag.ends_with('c') => line.to_owned(),
                _ => words.join(" "),
            }
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::values;

    #[test]
    fn arguments_with_half_a_surrogate_pair_are_read() {
        assert_eq!(values(r#"{"command":"cat a.rs\necho \ud83d"}"#), "cat a.rs\necho \u{fffd}");
        assert_eq!(values(r#"{"command":"\ud83d"#), r#"{"command":"\ud83d"#, "no JSON");
    }
}
