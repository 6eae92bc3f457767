//! Validity rules of a rollout (FORMATS §18); pairing of calls and results is checked for all formats alike.

use crate::format::Fault;
use crate::format::shared::json::{Json, Object};
use crate::format::shared::response_items::lone_reasoning;
use crate::format::shared::session_lines::fields;
use crate::transcript::{Class, Message, PartKind, Record, Transcript};
use std::borrow::Cow;

/// Returns the faults of a rollout.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let binds = |index: usize| is_signed(&transcript.messages[index]);
    let mut faults = lone_reasoning(transcript, &binds);
    if transcript.traits.native_summary {
        faults.extend(no_meta(transcript));
        faults.extend(no_user_event(transcript));
        faults.extend(ordinals_going_back(transcript));
        faults.extend(other_summaries(transcript));
    }
    faults
}

fn fault(record: &Record<'_>, rule: &'static str) -> Fault {
    Fault::new(record.line, rule, "")
}

/// A resume needs the thread's metadata as the first line.
fn no_meta(transcript: &Transcript<'_>) -> Option<Fault> {
    let first = transcript.records.first()?;
    let is_meta = fields(transcript, first).is("type", "session_meta");
    (!is_meta).then(|| fault(first, "no_session_meta"))
}

/// The list of sessions only shows those with an event of a user message.
fn no_user_event(transcript: &Transcript<'_>) -> Option<Fault> {
    let is_event = |record: &Record<'_>| matches!(&record.class, Class::Session(kind) if kind == "first user_message");
    let first = transcript.records.first()?;
    (!transcript.records.iter().any(is_event)).then(|| fault(first, "no_user_message"))
}

/// Whether a message is signed reasoning, which a request may only hold together with its item.
fn is_signed(message: &Message<'_>) -> bool {
    message.parts.iter().any(|part| part.kind == PartKind::Reasoning { signed: true })
}

/// A compaction stores its summary twice: as a message, and in the history that is loaded.
fn other_summaries(transcript: &Transcript<'_>) -> Vec<Fault> {
    let is_other = |record: &&Record<'_>| {
        let starts = || memchr::memmem::find(beginning(transcript, record)?, b"\"compacted\"");
        let read = || starts().map(|_| fields(transcript, record)).filter(|fields| fields.is("type", "compacted"));
        read().and_then(|fields| fields.object("payload")).is_some_and(|payload| told_otherwise(&payload))
    };
    transcript.records.iter().filter(is_other).map(|record| fault(record, "other_summary")).collect()
}

/// Whether the message of a compaction says something, and no item of its history says it, space aside, or at least its
/// second half. What an encrypted history or one without items says is unknown.
fn told_otherwise(payload: &Object<'_>) -> bool {
    let (Some(message), Some(history)) = (payload.text("message"), payload.array("replacement_history")) else {
        return false;
    };
    let items: Vec<Object<'_>> = history.into_iter().filter_map(Json::object).collect();
    let message = unspaced(&message);
    let says = |item: &Object<'_>| {
        let said = unspaced(&texts(item));
        said.contains(&message) || said.len() * 2 >= message.len() && message.ends_with(&said)
    };
    let is_hidden = |item: &Object<'_>| item.has("encrypted_content");
    !message.is_empty() && !items.is_empty() && !items.iter().any(|item| is_hidden(item) || says(item))
}

/// The texts of a message in a row.
fn texts(item: &Object<'_>) -> String {
    let Some(content) = item.get("content") else { return String::new() };
    let parts = content.array().unwrap_or_default().into_iter().filter_map(Json::object);
    content
        .text()
        .into_iter()
        .map(Cow::into_owned)
        .chain(parts.filter_map(|part| Some(part.text("text")?.into_owned())))
        .collect()
}

fn unspaced(text: &str) -> String {
    text.split_whitespace().collect()
}

fn ordinals_going_back(transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut newest = None;
    let mut faults = Vec::new();
    for record in &transcript.records {
        let Some(ordinal) = ordinal(transcript, record) else { continue };
        if newest.is_some_and(|newest| ordinal <= newest) {
            faults.push(fault(record, "ordinal_goes_back"));
        }
        newest = newest.max(Some(ordinal));
    }
    faults
}

/// The ordinal of a record. It is near the record's beginning, so most records without one need not be parsed.
pub(super) fn ordinal(transcript: &Transcript<'_>, record: &Record<'_>) -> Option<u64> {
    memchr::memmem::find(beginning(transcript, record)?, b"\"ordinal\"")?;
    fields(transcript, record).whole("ordinal")
}

/// The first bytes of a record, which hold its type and ordinal.
fn beginning<'t>(transcript: &Transcript<'t>, record: &Record<'_>) -> Option<&'t [u8]> {
    let bytes = transcript.source.get(record.span.clone())?;
    Some(bytes.get(..160).unwrap_or(bytes))
}
