//! Columns of a training row beside its messages, and weights of messages: they must be as in the original. Otherwise
//! every message can be there word for word, and the row still teaches something else.

use super::columns::{is_conversation, row, speaker};
use crate::gates::{Finding, View};
use crate::secrets::redact;
use crate::summary::without_marks;
use crate::transcript::Role;
use crate::transcript::columns::{MEDIA_COLUMNS, holds_answers, is_of_messages, weighs};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// Columns that a trainer reads, besides answers and weights.
const READ: [&str; 4] = ["tools", "functions", "label", "labels"];
/// Columns that a compaction must change, or that are judged like messages.
const OTHERS: [&str; 2] = ["usage", "system"];

/// Returns a finding for each column, and each weight of a message, that differs from the original.
pub(super) fn altered(view: &View<'_>) -> Vec<Finding> {
    let Some(original) = view.original.as_ref().filter(|side| side.transcript.traits.training_row) else {
        return Vec::new();
    };
    let rows = || Some((row(original.transcript.source)?, row(view.compacted.transcript.source)?));
    let Some((before, after)) = rows().filter(|_| !view.unchanged()) else { return Vec::new() };
    let summaries = view.summary.iter().map(|summary| summary.text.trim()).filter(|text| !text.is_empty()).collect();
    let rows = Rows { talks: talks(&before, &after), before, after, summaries };
    let columns = rows.before.iter().filter(|(key, _)| !OTHERS.contains(&&***key));
    let columns = columns.filter_map(|(key, value)| Some((key, rows.wrong(key, value)?)));
    let is_read = |key: &str| holds_answers(key) || READ.contains(&key) || weighs(key);
    let new = rows.after.keys().filter(|key| is_read(key) && !rows.before.contains_key(*key));
    let added = new.map(|key| (key, "a column that the original does not have"));
    let finding = |(key, what): (&String, &'static str)| {
        let finding = Finding::new(view.first_line(), what).about(key.clone());
        if is_read(key) || rows.before.get(key).is_some_and(holds_messages) { finding } else { finding.warning() }
    };
    columns.chain(added).map(finding).collect()
}

/// A training row before and after compaction.
struct Rows<'v> {
    before: Map<String, Value>,
    after: Map<String, Value>,
    /// For each conversation of the row: its messages before and after, each split into message and weights; then only
    /// its answers.
    talks: Vec<(Vec<Parted>, Vec<Parted>)>,
    /// The texts of the new summary.
    summaries: Vec<&'v str>,
}

/// A message without its weights, and its weights.
type Parted = (String, String);

/// The conversations that a row has both before and after: all messages of each, then the answers of each, as a column
/// may have an entry for each of these.
fn talks(before: &Map<String, Value>, after: &Map<String, Value>) -> Vec<(Vec<Parted>, Vec<Parted>)> {
    let both = before.iter().filter_map(|(key, old)| Some((conversation(old)?, conversation(after.get(key)?)?)));
    let split = |messages: &[Value]| -> Vec<Parted> { messages.iter().map(parted).collect() };
    let answers =
        |messages: &[Value]| -> Vec<Parted> { messages.iter().filter(|it| is_answer(it)).map(parted).collect() };
    let whole = both.clone().map(|(old, new)| (split(old), split(new)));
    whole.chain(both.map(|(old, new)| (answers(old), answers(new)))).collect()
}

pub(super) fn is_answer(message: &Value) -> bool {
    speaker(message) == Some(Role::Assistant)
}

/// The messages of a column: the column itself, or a field in it.
pub(super) fn conversation(column: &Value) -> Option<&Vec<Value>> {
    let inner = || column.as_object()?.values().find(|field| is_conversation(Some(field)));
    let holder = if is_conversation(Some(column)) { Some(column) } else { inner() };
    holder?.as_array()
}

fn holds_messages(column: &Value) -> bool {
    conversation(column).is_some()
}

impl Rows<'_> {
    /// Says what is wrong with a column of the original, if anything is.
    fn wrong(&self, key: &str, value: &Value) -> Option<&'static str> {
        let Some(new) = self.after.get(key) else { return Some("a column of the original is not there") };
        if new == value || bare(new) == bare(value) {
            return None;
        }
        if holds_answers(key) {
            let shares = self.summaries.is_empty() || self.summaries.iter().any(|summary| says(new, summary));
            let last = |column: &Value| column.as_array().and_then(|all| all.last()).map(bare);
            // If the answer includes compacted messages, it must hold the summary (if there is one) and end as before.
            let ends = shares && last(value).is_some() && last(value) == last(new);
            return (!ends).then_some("an answer beside the messages is not what it was");
        }
        if holds_messages(value) {
            return self.of_messages(value, new);
        }
        if let (true, Some(old), Some(new)) = (MEDIA_COLUMNS.contains(&key), value.as_array(), new.as_array()) {
            // Media go with the messages that show them; the format's own rules check their number.
            return (!stood_so(new, old)).then_some("media beside the messages are not what they were");
        }
        match value.as_array().filter(|entries| self.has_entries(key, entries.len())).zip(new.as_array()) {
            Some((old, new)) => self.entries_differ(old, new),
            None => Some("a column beside the messages is not what it was"),
        }
    }

    /// Says what is wrong with a column of messages: fields beside the messages, or their weights.
    fn of_messages(&self, old: &Value, new: &Value) -> Option<&'static str> {
        let others = |column: &Value| {
            let fields = column.as_object().into_iter().flatten().filter(|(_, field)| !is_conversation(Some(field)));
            fields.map(|(name, field)| (name.clone(), bare(field))).collect::<Map<_, _>>()
        };
        if others(old) != others(new) {
            return Some("a field beside the messages is not what it was");
        }
        let differs = self.talks.iter().any(|(old, new)| differ(old, new));
        differs.then_some("a message has another weight than it had")
    }

    /// Whether a column has one entry for each message or answer of a conversation.
    fn has_entries(&self, key: &str, entries: usize) -> bool {
        is_of_messages(key, entries, true) && self.talks.iter().any(|(messages, _)| messages.len() == entries)
    }

    /// Says so if a message that is still there has another entry in a column than before.
    fn entries_differ(&self, old: &[Value], new: &[Value]) -> Option<&'static str> {
        let pairs = |messages: &[Parted], entries: &[Value]| -> Vec<Parted> {
            messages.iter().zip(entries).map(|((message, _), entry)| (message.clone(), entry.to_string())).collect()
        };
        let alike = |was: &[Parted], is: &[Parted]| was.len() == old.len() && is.len() == new.len();
        let mut talks = self.talks.iter();
        let differs = talks.any(|(was, is)| alike(was, is) && differ(&pairs(was, old), &pairs(is, new)));
        differs.then_some("a message has another entry in a column than it had")
    }
}

/// Whether the entries of `new` are a subsequence of those of `old`, secrets aside.
fn stood_so(new: &[Value], old: &[Value]) -> bool {
    let mut old = old.iter().map(bare);
    new.iter().map(bare).all(|entry| old.any(|one| one == entry))
}

/// Whether a string anywhere in a JSON value contains these words.
fn says(value: &Value, words: &str) -> bool {
    match value {
        Value::String(text) => text.contains(words) || without_marks(text).contains(words),
        Value::Array(all) => all.iter().any(|one| says(one, words)),
        Value::Object(fields) => fields.values().any(|field| says(field, words)),
        _ => false,
    }
}

/// The value without secrets, which a compaction may remove.
fn bare(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(redact(text).0.into_owned()),
        Value::Array(all) => all.iter().map(bare).collect(),
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), bare(value))).collect(),
        other => other.clone(),
    }
}

/// Splits a message into the message without its weights, and its weights.
fn parted(message: &Value) -> Parted {
    let fields = message.as_object().into_iter().flatten();
    let (weights, rest): (Vec<_>, Vec<_>) = fields.partition(|(key, _)| weighs(key));
    (format!("{rest:?}"), format!("{weights:?}"))
}

/// Whether a message of `new` that is also in `old` has a mark (weight, entry) that it never has in `old`.
fn differ(old: &[Parted], new: &[Parted]) -> bool {
    let mut marks: HashMap<&str, HashSet<&str>> = HashMap::new();
    for (what, mark) in old {
        marks.entry(what).or_default().insert(mark);
    }
    new.iter().any(|(what, mark)| marks.get(what.as_str()).is_some_and(|known| !known.contains(mark.as_str())))
}
