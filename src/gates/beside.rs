//! What stands beside the messages of a training row, or says how much a trainer makes of each: the messages can all be
//! there word for word, and the row teach something else.

use super::columns::{is_conversation, row};
use super::{Finding, View};
use crate::secrets::redact;
use crate::transcript::columns::{ANSWERS, is_of_messages, weighs};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// Columns that a trainer reads, besides answers and weights.
const READ: [&str; 4] = ["tools", "functions", "label", "labels"];
/// Columns that a compaction has to change, or that are judged as messages are.
const OTHERS: [&str; 2] = ["usage", "system"];

/// The columns and weights of a row that are not what they were.
pub(super) fn altered(view: &View<'_>) -> Vec<Finding> {
    let Some(original) = view.original.as_ref().filter(|side| side.transcript.traits.training_row) else {
        return Vec::new();
    };
    let rows = || Some((row(original.transcript.source)?, row(view.compacted.transcript.source)?));
    let Some((before, after)) = rows().filter(|_| !view.unchanged()) else { return Vec::new() };
    let columns = before.iter().filter(|(key, _)| !OTHERS.contains(&&***key));
    let columns = columns.filter_map(|(key, value)| Some((key, wrong(key, value, &before, &after)?)));
    let finding = |(key, what): (&String, &'static str)| {
        let finding = Finding::new(view.first_line(), what).about(key.clone());
        let is_read =
            ANSWERS.contains(&&**key) || READ.contains(&&**key) || weighs(key) || is_conversation(before.get(key));
        if is_read { finding } else { finding.warning() }
    };
    columns.map(finding).collect()
}

/// What is wrong with a column of the original.
fn wrong(key: &str, value: &Value, before: &Map<String, Value>, after: &Map<String, Value>) -> Option<&'static str> {
    let Some(new) = after.get(key) else { return Some("a column of the original is not there") };
    if new == value || bare(new) == bare(value) {
        return None;
    }
    let is_answer = ANSWERS.contains(&key);
    match (turns(value), turns(new)) {
        _ if holds_messages(value) && !is_answer => weights_differ(value, new),
        // An answer that begins with what is compacted ends as it did.
        (Some(old), Some(new)) if is_answer && old.len() > 1 => {
            (old.last().map(bare) != new.last().map(bare)).then_some("an answer beside the messages is not what it was")
        }
        _ if is_answer => Some("an answer beside the messages is not what it was"),
        (Some(entries), Some(_)) if has_entries(key, entries.len(), before) => entries_differ(key, before, after),
        _ => Some("a column beside the messages is not what it was"),
    }
}

fn turns(value: &Value) -> Option<&Vec<Value>> {
    value.as_array()
}

/// Whether a column holds the messages, itself or in a field.
fn holds_messages(value: &Value) -> bool {
    is_conversation(Some(value))
        || value.as_object().is_some_and(|fields| fields.values().any(|field| is_conversation(Some(field))))
}

/// The same without secrets, which a compaction may take out.
fn bare(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(redact(text).0.into_owned()),
        Value::Array(all) => all.iter().map(bare).collect(),
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), bare(value))).collect(),
        other => other.clone(),
    }
}

/// A message without its weights, and those.
fn parted(message: &Value) -> (String, String) {
    let fields = message.as_object().into_iter().flatten();
    let (weights, rest): (Vec<_>, Vec<_>) = fields.partition(|(key, _)| weighs(key));
    (format!("{rest:?}"), format!("{weights:?}"))
}

/// Whether a message that is still there has another weight than before.
fn weights_differ(old: &Value, new: &Value) -> Option<&'static str> {
    let messages = |value: &Value| {
        let inner = value.as_object().and_then(|fields| fields.values().find(|field| is_conversation(Some(field))));
        inner.unwrap_or(value).as_array().into_iter().flatten().map(parted).collect::<Vec<_>>()
    };
    differ(messages(old), messages(new)).then_some("a message has another weight than it had")
}

/// Whether a column has an entry for each message of the row.
fn has_entries(key: &str, entries: usize, row: &Map<String, Value>) -> bool {
    let mut conversations = row.values().filter(|value| is_conversation(Some(value))).filter_map(turns);
    is_of_messages(key, entries, true) && conversations.any(|messages| messages.len() == entries)
}

/// Whether a message that is still there has another entry in a column than before.
fn entries_differ(key: &str, before: &Map<String, Value>, after: &Map<String, Value>) -> Option<&'static str> {
    let pairs = |row: &Map<String, Value>, messages: &str| -> Option<Vec<_>> {
        let (messages, entries) = (row.get(messages)?.as_array()?, row.get(key)?.as_array()?);
        let pairs = messages.iter().zip(entries).map(|(message, entry)| (parted(message).0, entry.to_string()));
        (messages.len() == entries.len()).then(|| pairs.collect())
    };
    let conversations = before.iter().filter(|(_, value)| is_conversation(Some(value)));
    let pairs = conversations.filter_map(|(messages, _)| Some((pairs(before, messages)?, pairs(after, messages)?)));
    let differs = pairs.into_iter().any(|(old, new)| differ(old, new));
    differs.then_some("a message has another entry in a column than it had")
}

/// Whether something that is on both sides has a mark that it never had.
fn differ(old: Vec<(String, String)>, new: Vec<(String, String)>) -> bool {
    let mut marks: HashMap<String, HashSet<String>> = HashMap::new();
    old.into_iter().for_each(|(what, mark)| {
        marks.entry(what).or_default().insert(mark);
    });
    new.iter().any(|(what, mark)| marks.get(what).is_some_and(|known| !known.contains(mark)))
}
