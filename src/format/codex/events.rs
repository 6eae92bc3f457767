//! Events for a user interface, matched with the messages that they repeat.

use crate::format::shared::json::Object;
use crate::transcript::{Class, Message, PartKind, Role, Tokens, Transcript, Usage};
use std::borrow::Cow;
use std::collections::HashMap;

/// Events that state something about the whole thread; the last one of each type is in force.
pub(super) const STATES: &[&str] = &["thread_name_updated", "thread_settings_applied", "thread_goal_updated"];

/// How many messages before and after an event are searched for the one that it repeats.
const NEAR: usize = 3;

/// What an event repeats.
pub(super) enum Pending<'a> {
    /// The text of a message.
    Words(Speaker, Cow<'a, str>),
    /// A call or its result.
    Call(Cow<'a, str>),
}

/// Who wrote the text that an event repeats.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Speaker {
    User,
    Model,
    Thought,
}

impl<'a> Pending<'a> {
    /// Returns what an event of this type repeats, if anything.
    pub(super) fn of(kind: &str, payload: &Object<'a>) -> Option<Self> {
        let words = |speaker, key| Some(Self::Words(speaker, payload.text(key)?));
        match kind {
            "user_message" => words(Speaker::User, "message"),
            "agent_message" => words(Speaker::Model, "message"),
            "agent_reasoning" | "agent_reasoning_raw_content" => words(Speaker::Thought, "text"),
            "item_completed" | "item_started" => Some(Self::Call(payload.object("item")?.text("id")?)),
            _ => payload.text("call_id").map(Self::Call),
        }
    }
}

/// Assigns every event to the record of the message that it repeats; events that repeat none are unchanged.
pub(super) fn resolve(transcript: &mut Transcript<'_>, pending: &[(usize, Pending<'_>)]) {
    let mut calls: HashMap<&str, usize> = HashMap::new();
    for message in &transcript.messages {
        calls.extend(message.calls().chain(message.results()).map(|id| (id, message.record)));
    }
    let owner = |record: usize, pending: &Pending<'_>| match pending {
        Pending::Call(id) => calls.get(&**id).copied(),
        Pending::Words(speaker, text) => neighbor(&transcript.messages, record, (*speaker, text)),
    };
    let owned = pending.iter().filter_map(|(record, pending)| Some((*record, owner(*record, pending)?)));
    for (record, owner) in owned.collect::<Vec<_>>() {
        transcript.records[record].class = Class::With(owner);
    }
}

/// The record of the nearest message with this text.
fn neighbor(messages: &[Message<'_>], record: usize, (speaker, text): (Speaker, &str)) -> Option<usize> {
    let at = messages.partition_point(|message| message.record < record);
    let after = messages.iter().skip(at).take(NEAR);
    let before = messages.iter().take(at).rev().take(NEAR);
    let mut near = after.chain(before).filter(|message| says(message, speaker, text.trim()));
    near.next().map(|message| message.record)
}

fn says(message: &Message<'_>, speaker: Speaker, text: &str) -> bool {
    let role = if speaker == Speaker::User { Role::User } else { Role::Assistant };
    let is_said = |kind: &PartKind<'_>| match kind {
        PartKind::Text => speaker != Speaker::Thought,
        PartKind::Reasoning { .. } => speaker == Speaker::Thought,
        _ => false,
    };
    let thought = |part: &str| speaker == Speaker::Thought && part.contains(text);
    let mut parts = message.parts.iter().filter(|part| is_said(&part.kind)).map(|part| part.text.trim());
    message.role == role && (parts.any(|part| part == text || thought(part)) || message.text().trim() == text)
}

/// The usage of one request; after a compaction Codex states only a total.
pub(super) fn usage(fields: &Object<'_>) -> Usage {
    let tokens = |key: &str| Tokens(fields.whole(key).unwrap_or_default());
    let (cached, output) = (tokens("cached_input_tokens"), tokens("output_tokens"));
    let input = tokens("input_tokens").max(tokens("total_tokens") - output);
    Usage { input: input - cached, cache_read: cached, cache_write: Tokens::default(), output }
}
