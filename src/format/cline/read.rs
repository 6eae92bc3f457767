//! Reads the elements of Cline's or Roo's array as records and messages.

use super::{MESSAGES, author, calls, said};
use crate::format::anthropic_messages::read::{self, Tools};
use crate::format::shared::document::{self, Document};
use crate::format::shared::json::{Json, Object};
use crate::format::{ReadError, ReadOptions};
use crate::transcript::{Message, Role, Tokens, Traits, Transcript, Usage};
use std::borrow::Cow;

/// Reads the array, or the store around it.
pub(in crate::format) fn read(source: &[u8], options: ReadOptions) -> Result<Transcript<'_>, ReadError> {
    let Some(document) = options.forgive(Document::read(source, options.first_line, MESSAGES))? else {
        return Ok(document::opaque(source, options, Traits::default()));
    };
    let mut transcript = document.transcript(options.first_line, Traits::default());
    let mut tools = Tools::new();
    for (at, element) in document.elements.iter().enumerate() {
        let Some(fields) = element.object() else { continue };
        transcript.records[at].id = fields.text("id");
        if let Some(message) = message(source, *element, &fields, &mut tools) {
            document::push(&mut transcript, at, message);
        }
    }
    calls::find(&mut transcript.messages, source);
    said::find(&mut transcript.messages);
    group_reasoning(&mut transcript.messages);
    Ok(transcript)
}

/// Whether an element is reasoning stored before the answer that it belongs to (Roo with OpenAI's models).
pub(in crate::format) fn is_reasoning(fields: &Object<'_>) -> bool {
    fields.is("type", "reasoning") && !fields.has("content")
}

fn message<'a>(source: &'a [u8], element: Json<'a>, fields: &Object<'a>, tools: &mut Tools<'a>) -> Option<Message<'a>> {
    let mut message = match is_reasoning(fields) {
        true => read::plain(Role::Assistant, vec![read::reasoning(source, element)]),
        false => read::message(source, fields, tools)?,
    };
    let beside = ["reasoning_content", "reasoning_details"].iter().filter_map(|key| fields.get(key));
    message.parts.splice(0..0, beside.filter(|value| !value.is_null()).map(|value| read::reasoning(source, value)));
    let millis = fields.get("ts").and_then(|ts| ts.raw().parse().ok());
    message.timestamp = millis.and_then(document::time_of_millis).map(Cow::Owned);
    let model = fields.object("modelInfo").unwrap_or_default();
    message.model = model.text("id").or_else(|| model.text("modelId"));
    message.usage = fields.object("metrics").as_ref().and_then(usage);
    message.author = author::author(fields, &message);
    Some(message)
}

/// The usage of an answer. Total input includes tokens read from and written to a cache.
fn usage(metrics: &Object<'_>) -> Option<Usage> {
    let tokens = metrics.object("tokens");
    let keys = match &tokens {
        Some(_) => ["prompt", "cached", "", "completion"],
        None => ["inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens"],
    };
    let fields = tokens.as_ref().unwrap_or(metrics);
    let number = |key: &str| fields.whole(key).map(Tokens);
    let all = number(keys[0])?;
    let [_, cache_read, cache_write, output] = keys.map(|key| number(key).unwrap_or_default());
    Some(Usage { input: all - cache_read - cache_write, cache_read, cache_write, output })
}

/// Groups reasoning with the answer after it: a provider accepts neither without the other.
fn group_reasoning(messages: &mut [Message<'_>]) {
    let only_reasons =
        |message: &Message<'_>| message.role == Role::Assistant && message.parts.iter().all(|part| part.is_reasoning());
    for at in (1..messages.len()).rev() {
        if only_reasons(&messages[at - 1]) && messages[at].role == Role::Assistant {
            let key = messages[at].group.clone().unwrap_or_else(|| Cow::Owned(format!("answer {at}")));
            messages[at].group = Some(key.clone());
            messages[at - 1].group = Some(key);
        }
    }
}
