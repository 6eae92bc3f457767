//! The message in the `response` of a logged call.

use crate::format::shared::json::{Json, Object};
use crate::format::shared::slot;
use crate::format::{anthropic_messages, openai};
use crate::transcript::{Author, Message, PartKind, Role};
use std::ops::Range;

/// Returns the span and the message of a log's answer: the first choice of an OpenAI response, an Anthropic message,
/// or a plain text. It can't be edited, so its slots have no content, and its reasoning counts as unsigned, which no
/// policy removes.
pub(super) fn read<'a>(source: &'a [u8], fields: &Object<'a>) -> Option<(Range<usize>, Message<'a>)> {
    let response = fields.get("response")?;
    let (value, message) = match response.text() {
        Some(text) if !text.trim().is_empty() => {
            let parts = vec![slot::part(PartKind::Text, text, slot::fixed(source, response))];
            let author = Author::Model;
            (response, Message { role: Role::Assistant, author, parts, live: true, ..Message::default() })
        }
        Some(_) => return None,
        None => response_message(source, response)?,
    };
    Some((value.span_in(source), slot::untouchable(message)))
}

/// The message of an API response.
fn response_message<'a>(source: &'a [u8], response: Json<'a>) -> Option<(Json<'a>, Message<'a>)> {
    let fields = response.object()?;
    let choice = fields.array("choices").and_then(|choices| choices.first()?.object());
    let inside = choice.as_ref().unwrap_or(&fields).get("message");
    let value = inside.filter(|message| message.object().is_some()).unwrap_or(response);
    let said = value.object()?;
    let anthropics = inside.is_none() && said.is("type", "message");
    let message = match anthropics {
        true => anthropic_messages::read::message(source, &said, &mut anthropic_messages::Tools::new()),
        false => {
            let mut reader = openai::Reader::new(source);
            reader.read(value, 0);
            reader.finish_unpaired().pop()
        }
    };
    let message = message.filter(|message| message.role == Role::Assistant)?;
    let reason = choice.as_ref().and_then(|choice| choice.text("finish_reason"));
    let message = Message {
        author: Author::Model,
        model: message.model.or_else(|| fields.text("model")),
        usage: message.usage.or_else(|| openai::usage(&fields.object("usage")?)),
        cut_off: message.cut_off || reason.is_some_and(|reason| reason == "length"),
        ..message
    };
    Some((value, message))
}
