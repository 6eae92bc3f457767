//! Distinguishes OpenAI messages from Anthropic's by their keys, never by words (FORMATS §17, rule 5).

use super::super::Sample;
use super::super::detect::{Confidence, Evidence};
use super::super::shared::json::{Json, Object};
use super::read::{CALL, RESULT, is_message};
use crate::format::shared::{server_tools, speakers};

/// Keys, roles and part types that only OpenAI's messages have, or those of trainers that extend them.
const CALLS: [&str; 2] = ["tool_calls", "function_call"];
const ROLES: [&str; 6] = ["tool", "function", "developer", "system", CALL, RESULT];
const PARTS: [&str; 3] = ["image_url", "input_audio", "refusal"];
/// Block types that only Anthropic's messages have, beside calls of the provider's own; in a text block the key
/// `citations` counts as well.
const BLOCKS: [&str; 6] = ["tool_use", "tool_result", "thinking", "redacted_thinking", "document", "compaction"];

/// The vendor whose form a message has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Vendor {
    OpenAi,
    Anthropic,
    Either,
}

/// The evidence that a file holds OpenAI messages, one per line or all in one array.
pub(crate) fn message_evidence(sample: &Sample<'_>) -> Option<Evidence> {
    let is_ours = |record: &Object<'_>| is_bare(record) && vendor_of(record) != Vendor::Anthropic;
    let clear = |records: &[Object<'_>]| records.iter().any(|it| is_ours(it) && vendor_of(it) == Vendor::OpenAi);
    match &sample.elements {
        Some(elements) => (is_array_of(elements, &is_ours) && !holds_blocks(elements))
            .then(|| evidence(clear(elements), "an array of messages with `role` and `content`")),
        None => sample
            .most(is_ours)
            .then(|| evidence(clear(&sample.records), "messages with `role` and `content`, one a line")),
    }
}

/// The evidence that a file holds OpenAI conversations in rows.
pub(crate) fn chat_evidence(sample: &Sample<'_>) -> Option<Evidence> {
    let votes = row_votes(sample)?;
    let clear = votes.0 > 0;
    let key = |row: &Object<'_>| COLUMNS.iter().find(|key| row.has(key)).copied();
    let key = sample.rows().0.iter().find_map(key).unwrap_or(COLUMNS[0]);
    (votes.0 >= votes.1).then(|| evidence(clear, &format!("a `{key}` array in every row")))
}

/// The evidence that a file holds Anthropic requests in rows, or the messages of one in an array or one per line.
pub(crate) fn anthropic_evidence(sample: &Sample<'_>) -> Option<Evidence> {
    let certain = |why: &str| Some(Evidence::certain(why));
    if row_votes(sample).is_some_and(|votes| votes.1 > votes.0) {
        return certain("a `messages` array in every row, with `system` or blocks of Anthropic's");
    }
    if are_message_lines(sample) {
        let votes = |vendor: Vendor| sample.records.iter().filter(|it| is_line(it) && vendor_of(it) == vendor).count();
        if votes(Vendor::Anthropic) > votes(Vendor::OpenAi) {
            return certain("messages with blocks of Anthropic's, one a line");
        }
    }
    let array = sample.elements.as_ref().filter(|elements| is_array_of(elements, &is_message));
    array
        .filter(|elements| holds_blocks(elements))
        .and_then(|_| certain("an array of messages with blocks of Anthropic's"))
}

/// Whether the lines of a file are messages of either vendor.
pub(crate) fn are_message_lines(sample: &Sample<'_>) -> bool {
    sample.elements.is_none() && sample.most(is_line)
}

/// Whether one line of a sample is a message.
pub(crate) fn has_message_line(sample: &Sample<'_>) -> bool {
    sample.elements.is_none() && sample.any(is_line)
}

/// Whether a line is a message, in the form of a request or of a response.
fn is_line(record: &Object<'_>) -> bool {
    let answer = || record.is("type", "message") && all_of(record, &["role", "content"]);
    (is_bare(record) || answer()) && !record.has("messages") && !record.has("message")
}

/// Whether a record by itself is a message. Outside a row's `messages`, only role names of APIs count, and a record
/// with a `kind` is an event of a log: `{"role":"agent","kind":"tool_use","content":…}`.
fn is_bare(record: &Object<'_>) -> bool {
    let known = record.text("role").is_some_and(|role| !speakers::is_of_collections(&role));
    is_message(record) && known && !record.has("kind")
}

fn all_of(record: &Object<'_>, keys: &[&str]) -> bool {
    keys.iter().all(|key| record.has(key))
}

/// Whether at least half of the elements pass `is`, and at least one does.
fn is_array_of(elements: &[Object<'_>], is: &dyn Fn(&Object<'_>) -> bool) -> bool {
    2 * elements.iter().filter(|element| is(element)).count() >= elements.len().max(1)
}

fn holds_blocks(elements: &[Object<'_>]) -> bool {
    elements.iter().any(|element| vendor_of(element) == Vendor::Anthropic)
}

fn evidence(clear: bool, what: &str) -> Evidence {
    if clear {
        return Evidence { confidence: Confidence::Certain, why: format!("{what}, with roles or calls of OpenAI's") };
    }
    Evidence {
        confidence: Confidence::Assumed,
        why: format!("{what}; plain text, which Anthropic's would look like too"),
    }
}

/// Fields in which ShareGPT rows keep their turns, and some rows of OpenAI messages, too.
pub(crate) const TURNS: [&str; 2] = ["conversations", "conversation"];

/// Columns of a row that may hold OpenAI messages, the most common first.
pub const COLUMNS: [&str; 4] = ["messages", TURNS[0], TURNS[1], "trajectory"];

/// The value of the field that holds the messages of a row.
pub(crate) fn turns<'a>(row: &Object<'a>) -> Option<Json<'a>> {
    COLUMNS.iter().find_map(|key| row.get(key))
}

/// The part of a row for evaluations that has the messages, as it has them nowhere else.
pub(crate) fn item<'a>(row: &Object<'a>) -> Option<Object<'a>> {
    row.object("item").filter(|item| turns(row).is_none() && item.array("messages").is_some())
}

/// Whether the turns of a ShareGPT-like row are OpenAI messages: with calls or results in keys of their own.
pub(crate) fn has_calls(row: &Object<'_>) -> bool {
    let turns = TURNS.iter().find_map(|key| row.array(key)).unwrap_or_default();
    turns.into_iter().filter_map(Json::object).any(|turn| calls(&turn))
}

/// Whether a turn makes calls, or answers one by its id.
fn calls(turn: &Object<'_>) -> bool {
    turn.has("role") && CALLS.iter().chain(&["tool_call_id"]).any(|key| stated(turn, key))
}

/// Whether a field holds something.
fn stated(fields: &Object<'_>, key: &str) -> bool {
    fields.get(key).is_some_and(|value| !value.is_null() && value.raw() != "[]")
}

/// Numbers of OpenAI and Anthropic rows; `None` if most rows are not rows of messages.
fn row_votes(sample: &Sample<'_>) -> Option<(usize, usize)> {
    let (rows, all) = sample.rows();
    let is_empty = |row: &&Object<'_>| {
        turns(row).is_some_and(|turns| turns.is_null() || turns.array().is_some_and(|it| it.is_empty()))
    };
    let count = all - rows.iter().filter(is_empty).count();
    let vendors: Vec<_> = rows.iter().filter_map(row_vendor).collect();
    let votes = |vendor: Vendor| vendors.iter().filter(|&&found| found == vendor).count();
    (2 * vendors.len() > count).then(|| (votes(Vendor::OpenAi), votes(Vendor::Anthropic)))
}

/// Whether the messages of a row are Anthropic's, or those of a request to its API.
pub(crate) fn is_anthropics(row: &Object<'_>) -> bool {
    row_vendor(row) == Some(Vendor::Anthropic)
}

/// The vendor of a row; `None` if it is not a row of messages.
fn row_vendor(row: &Object<'_>) -> Option<Vendor> {
    if let Some(item) = item(row) {
        return row_vendor(&item).filter(|vendor| *vendor != Vendor::Anthropic);
    }
    let messages: Vec<_> = turns(row)?.array()?.into_iter().filter_map(Json::object).collect();
    if messages.is_empty() || !messages.iter().all(|message| message.has("role")) || !messages.iter().any(is_message) {
        return None;
    }
    let votes = |vendor: Vendor| messages.iter().any(|message| vendor_of(message) == vendor);
    let schema = |key: &str| {
        row.array("tools").unwrap_or_default().into_iter().filter_map(Json::object).any(|tool| tool.has(key))
    };
    Some(match () {
        // Anthropic's messages are only known in `messages`.
        () if !row.has("messages") && votes(Vendor::Anthropic) => return None,
        () if !row.has("messages") && !votes(Vendor::OpenAi) => Vendor::Either,
        () if !row.has("messages") => Vendor::OpenAi,
        () if votes(Vendor::Anthropic) || schema("input_schema") => Vendor::Anthropic,
        () if votes(Vendor::OpenAi) || schema("function") || row.has("functions") => Vendor::OpenAi,
        () if row.has("system") => Vendor::Anthropic,
        () => Vendor::Either,
    })
}

fn vendor_of(message: &Object<'_>) -> Vendor {
    let blocks: Vec<_> = message.array("content").unwrap_or_default().into_iter().filter_map(Json::object).collect();
    let has =
        |kinds: &[&str]| blocks.iter().any(|block| block.text("type").is_some_and(|kind| kinds.contains(&&*kind)));
    let with = |key: &str, kind: &str| blocks.iter().any(|block| block.has(key) && block.is("type", kind));
    let (source, cites) = (with("source", "image"), with("citations", "text"));
    let asks_provider = blocks.iter().any(|block| block.text("type").is_some_and(|kind| server_tools::is_call(&kind)));
    let role = message.text("role").unwrap_or_default();
    let calls = calls(message);
    let made = CALLS.iter().any(|key| stated(message, key) && message.text(key).is_none_or(|text| !text.is_empty()));
    match () {
        // Calls in OpenAI's form, of which the content holds a copy in blocks.
        () if made && !has(&["tool_result"]) => Vendor::OpenAi,
        () if has(&BLOCKS) || asks_provider || source || cites => Vendor::Anthropic,
        () if ROLES.contains(&&*role) || calls || has(&PARTS) => Vendor::OpenAi,
        () => Vendor::Either,
    }
}
