//! Columns of a training row with one entry per message: a compaction that drops messages and leaves such a column as
//! it was breaks the row for its trainer, although no rule of the format is broken.

use super::tied;
use crate::gates::{Finding, View};
use crate::transcript::Role;
use crate::transcript::columns::{Keys, MESSAGE_FIELDS, is_of_messages, is_of_messages_alike};
use crate::transcript::speakers::role;
use serde_json::{Map, Value};

/// Fields that hold a message as a whole, beside its type (LangChain).
const FRAMES: [&str; 2] = ["data", "kwargs"];

/// Returns a finding for each column that had one entry per message and no longer has, or went with the messages in
/// another way and was left as it was.
pub(super) fn misfits(view: &View<'_>) -> Vec<Finding> {
    let Some(original) = view.original.as_ref().filter(|side| side.transcript.traits.training_row) else {
        return Vec::new();
    };
    let rows = || Some((row(original.transcript.source)?, row(view.compacted.transcript.source)?));
    let Some((before, after)) = rows().filter(|_| !view.unchanged()) else { return Vec::new() };
    let stale = "a list that goes with the messages is as it was, and there are fewer of them";
    let about = |what: &str, key: &str| Finding::new(view.first_line(), what).about(key.to_owned());
    let mut found: Vec<_> = tied::stale((&before, &after)).iter().map(|key| about(stale, key)).collect();
    for (conversation, (had, has)) in before.iter().filter_map(|(key, _)| Some((key, lengths(key, &before, &after)?))) {
        if !is_conversation(before.get(conversation)) {
            continue;
        }
        let columns =
            before.iter().filter(|(key, value)| is_per_message(key, value, had) && !is_conversation(Some(value)));
        for (key, _) in columns {
            if lengths(key, &before, &after).is_some_and(|(old, new)| old == had && new != has) {
                let what = "a column that had one entry for each message has another number now";
                found.push(about(what, key));
            }
        }
    }
    found
}

/// Parses a row into its fields.
pub(super) fn row(source: &[u8]) -> Option<Map<String, Value>> {
    serde_json::from_slice(source).ok()
}

/// Numbers of entries of a column in both rows.
fn lengths(key: &str, before: &Map<String, Value>, after: &Map<String, Value>) -> Option<(usize, usize)> {
    let of = |row: &Map<String, Value>| row.get(key)?.as_array().map(Vec::len);
    Some((of(before)?, of(after)?))
}

/// Whether a column of this name is one with an entry for each of so many messages.
fn is_per_message(key: &str, value: &Value, messages: usize) -> bool {
    let entries = value.as_array().into_iter().flatten();
    is_of_messages(key, messages, is_of_numbers(value)) || is_of_messages_alike(key, entries.map(keys))
}

/// The keys of an entry that is an object.
fn keys(entry: &Value) -> Option<Keys> {
    let fields = entry.as_object()?;
    Some(Keys { names: fields.keys().cloned().collect(), numbers: fields.values().all(is_number) })
}

fn is_number(value: &Value) -> bool {
    value.is_number() || value.is_boolean() || value.is_null()
}

/// Whether a value is a list of numbers and booleans.
fn is_of_numbers(value: &Value) -> bool {
    value.as_array().is_some_and(|entries| entries.iter().all(is_number))
}

/// Who speaks in a message.
pub(super) fn speaker(message: &Value) -> Option<Role> {
    ["role", "from"].iter().find_map(|key| message.get(key)?.as_str().map(role))?
}

/// Whether a value is a list of messages.
pub(super) fn is_conversation(value: Option<&Value>) -> bool {
    let framed = |entry: &Value| FRAMES.iter().any(|field| entry.get(field).is_some_and(Value::is_object));
    let is_message = |entry: &Value| {
        MESSAGE_FIELDS.iter().any(|field| entry.get(field).is_some()) || entry.get("type").is_some() && framed(entry)
    };
    value.and_then(Value::as_array).is_some_and(|entries| entries.iter().any(is_message))
}

#[cfg(test)]
mod tests {
    use super::is_conversation;
    use serde_json::json;

    #[test]
    fn messages_that_are_wrapped_with_their_type_are_a_conversation() {
        let is = |value| is_conversation(Some(&value));
        assert!(is(json!([{"role": "user", "content": "u"}])));
        assert!(is(json!([{"type": "human", "data": {"content": "u"}}])));
        assert!(is(json!([{"lc": 1, "type": "constructor", "kwargs": {"content": "u"}}])));
        assert!(is(json!([{"kind": "request", "parts": [{"content": "u", "part_kind": "user-prompt"}]}])));
        assert!(!is(json!([{"type": "lamp", "data": 7}, {"data": {"depth": 6}}])));
    }
}
