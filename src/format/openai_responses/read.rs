//! Reads items of the Responses API as records and messages.

use super::ITEMS;
use crate::format::openai::usage_by;
use crate::format::shared::held::{Held, add};
use crate::format::shared::json::{Json, Object};
use crate::format::shared::lines::LineNumbers;
use crate::format::shared::response_items::{self, Item};
use crate::format::shared::session_lines::name_tools;
use crate::format::shared::slot::{self, fixed, part};
use crate::format::shared::synthetic;
use crate::format::{ReadError, ReadOptions};
use crate::reason::Reason;
use crate::transcript::{Author, Message, PartKind, Role, Traits, Transcript};
use std::borrow::Cow;

/// Keys of a response's usage: input tokens, their details, output tokens.
const USAGE: [&str; 3] = ["input_tokens", "input_tokens_details", "output_tokens"];

/// Reads a document of items, or items stored one per line.
pub(super) fn read(source: &[u8], options: ReadOptions) -> Result<Transcript<'_>, ReadError> {
    let traits = Traits::default();
    let mut responses = Responses::default();
    let mut transcript = ITEMS.read(source, (options, traits), &mut |is_system, value| match is_system {
        true => Some(system(source, value)),
        false => responses.item(source, value),
    })?;
    if let Ok(held) = ITEMS.held(source, options.first_line) {
        responses.elsewhere |= goes_on(&held.fields);
        add_answer(&mut transcript, (&held, options.first_line), &mut responses);
    }
    name_tools(&mut transcript.messages);
    synthetic::classify(&mut transcript.messages, &[]);
    transcript.traits.fixed = responses.elsewhere.then_some(Reason::StoredElsewhere);
    let compacted = transcript.messages.iter().any(|message| message.author == Author::Summary);
    transcript.messages.iter_mut().for_each(|message| message.stale_usage = compacted);
    Ok(transcript)
}

/// The items of the response to a request.
pub(super) fn answers<'a>(request: &Object<'a>) -> Vec<Json<'a>> {
    let inside = request.object("response").and_then(|response| response.array("output"));
    inside.or_else(|| request.array("output")).unwrap_or_default()
}

/// Whether the server has more of the conversation than the request holds.
fn goes_on(request: &Object<'_>) -> bool {
    let keys = ["previous_response_id", "conversation"];
    keys.iter().any(|key| request.get(key).is_some_and(|value| !value.is_null()))
}

fn system<'a>(source: &[u8], value: Json<'a>) -> Message<'a> {
    let parts = vec![part(PartKind::Text, value.text().unwrap_or_default(), fixed(source, value))];
    Message { role: Role::System, author: Author::System, parts, ..Message::default() }
}

/// Adds the items of a response, which is in the field `response` of the request, or in the same object.
fn add_answer<'a>(transcript: &mut Transcript<'a>, (held, line): (&Held<'a>, usize), responses: &mut Responses) {
    let response = held.fields.object("response").unwrap_or_else(|| held.fields.clone());
    let mut lines = LineNumbers::new(transcript.source, line);
    let asked = transcript.messages.len();
    for value in answers(&held.fields) {
        let line = lines.line_at(value.span_in(transcript.source).start);
        let message = responses.item(transcript.source, value).map(slot::untouchable);
        let model = response.text("model");
        add(transcript, (value, line), message.map(|message| Message { model, ..message }));
    }
    if let Some(last) = transcript.messages.get_mut(asked..).and_then(<[_]>::last_mut) {
        last.usage = response.object("usage").and_then(|usage| usage_by(&usage, USAGE));
        let reason = response.object("incomplete_details").and_then(|details| details.text("reason"));
        last.cut_off = reason.is_some_and(|reason| reason == "max_output_tokens");
    }
}

/// Groups the model's items into responses.
#[derive(Default)]
struct Responses {
    count: usize,
    /// Whether the last response may continue.
    open: bool,
    /// Whether an item refers to one on a server.
    elsewhere: bool,
}

impl Responses {
    /// Reads an item as a message; `None` for a compaction, which must be kept, and for unknown items.
    fn item<'a>(&mut self, source: &[u8], value: Json<'a>) -> Option<Message<'a>> {
        let kind = value.object().and_then(|fields| fields.text("type")).unwrap_or_default();
        self.elsewhere |= kind == "item_reference";
        let item = response_items::read(source, value, &|parts| synthetic::user_author(parts));
        let Item::Message(message) = item else { return None };
        if kind == "compaction" {
            return None;
        }
        let answers = message.role == Role::Assistant;
        self.count += usize::from(answers && !self.open);
        // After a result in the same item the model continues with a new response, as after a separate result.
        self.open = answers && message.results().next().is_none();
        let group = answers.then(|| Cow::Owned(format!("#{}", self.count)));
        Some(Message { group, ..message })
    }
}
