//! Calls and results in another interface's form. A reader that does not know that form would not see them: messages
//! that belong together would be parted, so such a transcript is an error.

use super::json::{Json, Object};
use super::speakers;
use crate::format::ReadError;
use crate::transcript::{Message, Part, PartKind, Role};

/// A record that says something where its format's reader does not look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::format) struct Foreign {
    /// The record's index.
    pub(in crate::format) record: usize,
    /// What is said, and where.
    pub(in crate::format) form: Form,
}

/// What stands where a format's reader does not look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::format) enum Form {
    /// Calls or results in the form of the format with this name.
    Of(&'static str),
    /// The words of a message, under this key.
    Words(&'static str),
    /// The words of a block of text, under no key that is known.
    Block,
}

impl Foreign {
    /// The error for a transcript with this record, which is on this `line`.
    pub(in crate::format) fn error(self, line: usize) -> ReadError {
        let reason = match self.form {
            Form::Of(name) => return error(name, line),
            Form::Words(key) => format!("a message has its words in `{key}`: write them to `content` first"),
            Form::Block => "a block of text has no `text`: write its words there first".to_owned(),
        };
        ReadError { line, column: 1, reason }
    }
}

/// The error for a transcript with a message on this `line` that has calls or results in the form of the format `name`.
pub(in crate::format) fn error(name: &str, line: usize) -> ReadError {
    let reason = format!(
        "turns with calls in the form of {name}: read it with `--from {name}`, in a file of its own if other rows have \
         another form"
    );
    ReadError { line, column: 1, reason }
}

/// The format of a call or result among the parts of a message whose form is not known there.
pub(in crate::format) fn of_parts(source: &[u8], parts: &[Part<'_>]) -> Option<&'static str> {
    let unread = |part: &&Part<'_>| part.kind == PartKind::Opaque && part.text.is_empty();
    parts.iter().filter(unread).find_map(|part| of_block(&Json::at(source, &part.slot.part)?.object()?))
}

/// Keys that may hold the words of a message that has no content; those behind the first may also show what it calls.
const WORDS: [&str; 5] = ["text", "value", "message", "parts", "tool_results"];

/// The key under which a message without a content of its own has what it says. `parts` are what was read of it.
pub(in crate::format) fn words_elsewhere(message: &Object<'_>, parts: &[Part<'_>]) -> Option<&'static str> {
    let nothing = !message.get("content").is_some_and(Json::holds_something) && !message.has("tool_call_id");
    let calls = parts.iter().any(Part::is_call);
    let keys = if calls { &WORDS[..1] } else { &WORDS };
    keys.iter().copied().find(|key| nothing && message.get(key).is_some_and(Json::holds_something))
}

/// The format that writes calls or results as blocks like this one.
pub(in crate::format) fn of_block(block: &Object<'_>) -> Option<&'static str> {
    match block.text("type").as_deref() {
        Some("tool_use" | "tool_result") => Some("anthropic-messages"),
        Some("tool-call" | "tool-result") => Some("ai-sdk"),
        None if block.has("toolUse") || block.has("toolResult") => Some("bedrock-converse"),
        _ => None,
    }
}

/// The format of a message whose calls or results are in a form that its reader does not know, as Anthropic's knows no
/// role `tool` and no `tool_calls`. `read` is what was read of it; `alone` tells whether it is no part of a row.
pub(in crate::format) fn of_message(
    source: &[u8],
    fields: &Object<'_>,
    (read, alone): (Option<&Message<'_>>, bool),
) -> Option<&'static str> {
    let openais = if alone { "openai-messages" } else { "openai-chat" };
    let Some(message) = read else {
        let answers = || fields.text("role").and_then(|role| speakers::role(&role)) == Some(Role::Tool);
        return answers().then_some(openais);
    };
    let called = || message.calls().next().is_some();
    // AutoGen's messages, which have no role, repeat calls beside what came of them.
    let calls = |key: &&str| fields.has("role") && fields.get(key).is_some_and(Json::holds_something);
    match ["tool_calls", "function_call"].iter().any(calls) && !called() {
        true => Some(openais),
        false => of_parts(source, &message.parts),
    }
}
