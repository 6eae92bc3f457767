//! Reads the records of a history as messages.

use super::places::{Stored, places};
use super::{MESSAGES, PART_KIND, PARTS, RESPONSE, is_message};
use crate::format::shared::document;
use crate::format::shared::held;
use crate::format::shared::json::{Json, Object};
use crate::format::shared::lines::LineNumbers;
use crate::format::shared::slot::{arguments, fixed, joined, part, string, within};
use crate::format::shared::{message_columns, session_lines, synthetic};
use crate::format::{ReadError, ReadOptions};
use crate::reason::Reason;
use crate::transcript::{Author, Media, Message, Part, PartKind, Role, Shape, Tokens, Traits, Transcript, Usage};
use std::borrow::Cow;

/// Outcomes of calls that brought no result.
const FAILED: [&str; 3] = ["failed", "denied", "interrupted"];

/// Reads a history.
pub(super) fn read(source: &[u8], options: ReadOptions) -> Result<Transcript<'_>, ReadError> {
    let traits = Traits { user_summary: true, ..Traits::default() };
    let Some(held) = options.forgive(MESSAGES.held(source, options.first_line))? else {
        return Ok(document::opaque(source, options, traits));
    };
    let training_row = held.document.whole.raw().starts_with('{');
    let columns = [(held.document.array, held.document.elements.len())];
    let fixed = message_columns::obstacle(&held.fields, &columns).filter(|_| training_row);
    let traits = Traits { training_row, fixed, ..traits };
    let mut transcript = Transcript { source, traits, ..Transcript::default() };
    let mut lines = LineNumbers::new(source, options.first_line);
    let mut returned = Returned::default();
    for place in places(&held.document.elements) {
        let start = place.value.span_in(source).start;
        let (line, message) = match place.stored {
            // They stand behind the parts that they are read before.
            Stored::Instructions => {
                let said = vec![part(PartKind::Text, place.value.spelled(), string(source, place.value))];
                (LineNumbers::new(source, options.first_line).line_at(start), Some(instructing(said)))
            }
            Stored::Part(_) => {
                let message = requested(source, place.value);
                (lines.line_at(start), message.map(|message| returned.with_its_files(place.message, message)))
            }
            Stored::Whole => (lines.line_at(start), response(source, place.value)),
        };
        held::add(&mut transcript, (place.value, line), message);
    }
    session_lines::name_tools(&mut transcript.messages);
    synthetic::classify(&mut transcript.messages, &[]);
    let twice = || held.fields.fields().iter().filter(|(_, value)| are_messages(*value)).count() > 1;
    transcript.traits.fixed = fixed.or_else(|| twice().then_some(Reason::ConversationTwice));
    Ok(transcript)
}

/// How the prompt begins with which Pydantic AI sends a file that a tool returned, which the result names.
const FILE: &str = "This is file ";

/// What tools returned in a request so far.
#[derive(Default)]
struct Returned<'a> {
    /// The index of the request.
    request: usize,
    /// The ids of the calls, and the words of their results.
    results: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

impl<'a> Returned<'a> {
    /// Gives a prompt that holds a file of a result in the same request to that result.
    fn with_its_files(&mut self, request: usize, message: Message<'a>) -> Message<'a> {
        if self.request != request {
            *self = Self { request, results: Vec::new() };
        }
        if let [Part { kind: PartKind::Result { id, .. }, text, .. }] = &message.parts[..] {
            self.results.push((id.clone(), text.clone()));
        }
        let file = message.parts.first().filter(|_| message.role == Role::User && message.parts.len() > 1);
        let Some(file) = file.and_then(|first| first.text.strip_prefix(FILE)) else { return message };
        let file = file.trim_end().trim_end_matches(':');
        let names = |result: &&(Cow<'a, str>, Cow<'a, str>)| result.1.contains(file);
        match self.results.iter().rev().find(names).or(self.results.last()) {
            Some((id, _)) => Message { author: Author::Harness, belongs_to: Some(id.clone()), ..message },
            None => message,
        }
    }
}

/// Whether a field holds a history, or a piece of it.
fn are_messages(value: Json<'_>) -> bool {
    let messages = value.array().unwrap_or_default();
    !messages.is_empty() && messages.into_iter().all(|message| message.object().is_some_and(|it| is_message(&it)))
}

fn instructing(parts: Vec<Part<'_>>) -> Message<'_> {
    Message { role: Role::System, author: Author::System, parts, ..Message::default() }
}

/// The message of a part of a request; `None` if its kind is unknown, or it says nothing.
fn requested<'a>(source: &[u8], value: Json<'a>) -> Option<Message<'a>> {
    let fields = value.object()?;
    let content = || fields.get("content");
    let words = || content().map(|content| said(source, content)).unwrap_or_default();
    let returned = || vec![result(source, value, &fields)];
    let (role, author, parts) = match &*fields.text(PART_KIND)? {
        "system-prompt" => (Role::System, Author::System, words()),
        "user-prompt" => {
            let parts = words();
            (Role::User, synthetic::user_author(&parts), parts)
        }
        "speech" => (Role::User, Author::Person, vec![spoken(source, value, &fields)]),
        "tool-return" => (Role::Tool, Author::Tool, returned()),
        "retry-prompt" if fields.text("tool_name").is_some() => (Role::Tool, Author::Tool, returned()),
        "retry-prompt" => (Role::User, Author::Harness, words()),
        _ => return None,
    };
    Some(Message { role, author, parts, timestamp: fields.text("timestamp"), ..Message::default() })
}

/// The message of a response.
fn response<'a>(source: &[u8], value: Json<'a>) -> Option<Message<'a>> {
    let fields = value.object().filter(|fields| fields.text(super::KIND).as_deref() == Some(RESPONSE))?;
    let parts = fields.array(PARTS).unwrap_or_default().into_iter().map(|value| answered(source, value));
    Some(Message {
        role: Role::Assistant,
        author: Author::Model,
        parts: parts.collect(),
        model: fields.text("model_name"),
        usage: fields.object("usage").and_then(|stated| usage(&stated)),
        timestamp: fields.text("timestamp"),
        cut_off: fields.is("finish_reason", "length"),
        ..Message::default()
    })
}

/// What was spent on a response; older versions have other names for it.
fn usage(stated: &Object<'_>) -> Option<Usage> {
    let number = |keys: [&str; 2]| keys.iter().find_map(|key| stated.whole(key)).unwrap_or_default();
    let (input, output) = (number(["input_tokens", "request_tokens"]), number(["output_tokens", "response_tokens"]));
    let (read, write) = (number(["cache_read_tokens"; 2]), number(["cache_write_tokens"; 2]));
    let spent = Usage {
        input: Tokens(input.saturating_sub(read).saturating_sub(write)),
        cache_read: Tokens(read),
        cache_write: Tokens(write),
        output: Tokens(output),
    };
    (spent.total().0 > 0).then_some(spent)
}

/// A part of a response.
fn answered<'a>(source: &[u8], value: Json<'a>) -> Part<'a> {
    let fields = value.object().unwrap_or_default();
    let text = |key: &str| fields.text(key).unwrap_or_default();
    let alone = |kind, text| part(kind, text, fixed(source, value));
    match &*text(PART_KIND) {
        "text" => {
            let content = fields.get("content").filter(|content| content.is_string());
            part(PartKind::Text, text("content"), within(source, value, content.map(|it| (it, Shape::Text))))
        }
        "thinking" => {
            let sealed = ["signature", "provider_details"].iter().filter_map(|key| fields.get(key));
            let signed = sealed.into_iter().any(Json::holds_something);
            alone(PartKind::Reasoning { signed }, text("content"))
        }
        "tool-call" | "builtin-tool-call" => {
            let given = fields.get("args").filter(|args| !args.is_null());
            let words = given.map(Json::spelled).unwrap_or_default();
            let kind = PartKind::Call { id: text("tool_call_id"), name: text("tool_name") };
            part(kind, words, arguments(source, value, given))
        }
        "builtin-tool-return" => {
            let read = result(source, value, &fields);
            Part { slot: fixed(source, value), ..read }
        }
        // What the provider's own compaction left of all that is before it, which it wants back unchanged.
        "compaction" if fields.text("content").is_some() => alone(PartKind::Text, text("content")),
        "file" => {
            let kind = fields.object("content").and_then(|file| file.text("media_type")).unwrap_or_default();
            alone(PartKind::Media(Media::of_type(&kind)), Cow::default())
        }
        "speech" => spoken(source, value, &fields),
        _ => alone(PartKind::Opaque, Cow::default()),
    }
}

/// What was said aloud, which the audio beside it repeats.
fn spoken<'a>(source: &[u8], value: Json<'a>, fields: &Object<'a>) -> Part<'a> {
    match fields.text("transcript") {
        Some(text) => part(PartKind::Text, text, fixed(source, value)),
        None => part(PartKind::Media(Media::Audio), Cow::default(), fixed(source, value)),
    }
}

/// What a prompt says: a text, a list of texts and media, or the errors that are to be mended.
fn said<'a>(source: &[u8], content: Json<'a>) -> Vec<Part<'a>> {
    match content.array() {
        Some(all) if !all.iter().any(|it| it.object().is_some_and(|it| !it.has("kind"))) => {
            all.into_iter().map(|value| element(source, value)).collect()
        }
        _ if content.is_string() => vec![part(PartKind::Text, content.spelled(), string(source, content))],
        _ => vec![part(PartKind::Text, content.spelled(), fixed(source, content))],
    }
}

/// An element of what a user says.
fn element<'a>(source: &[u8], value: Json<'a>) -> Part<'a> {
    let Some(fields) = value.object() else {
        return part(PartKind::Text, value.spelled(), string(source, value));
    };
    let text = fields.get("content").filter(|text| text.is_string());
    match (medium_of(&fields), text) {
        (Some(medium), _) => part(PartKind::Media(medium), Cow::default(), fixed(source, value)),
        (None, Some(text)) => part(PartKind::Text, text.spelled(), within(source, value, Some((text, Shape::Text)))),
        (None, None) => part(PartKind::Opaque, Cow::default(), fixed(source, value)),
    }
}

/// The medium that an object is.
fn medium_of(fields: &Object<'_>) -> Option<Media> {
    match &*fields.text("kind")? {
        "image-url" => Some(Media::Image),
        "audio-url" => Some(Media::Audio),
        "document-url" => Some(Media::Document),
        "video-url" => Some(Media::Other),
        "binary" | "uploaded-file" => Some(Media::of_type(&fields.text("media_type").unwrap_or_default())),
        _ => None,
    }
}

/// What a tool returned, which may be any value, or the errors of its call.
fn result<'a>(source: &[u8], value: Json<'a>, fields: &Object<'a>) -> Part<'a> {
    let text = |key: &str| fields.text(key).unwrap_or_default();
    let content = fields.get("content");
    let (words, media) = content.map(text_and_media).unwrap_or_default();
    let error = text(PART_KIND) == "retry-prompt" || FAILED.contains(&&*text("outcome"));
    let pruned = synthetic::is_stub(&words);
    let kind = PartKind::Result { id: text("tool_call_id"), tool: fields.text("tool_name"), error, pruned, media };
    // A result of a kind of its own has to keep its form.
    let content = content.filter(|_| fields.get("tool_kind").is_none_or(Json::is_null));
    let shape = |content: Json<'_>| if content.is_string() { Shape::Text } else { Shape::Json };
    part(kind, words, within(source, value, content.map(|content| (content, shape(content)))))
}

/// The text that a model reads of a value, and the media in it.
fn text_and_media(value: Json<'_>) -> (Cow<'_, str>, Vec<Media>) {
    let medium = |value: Json<'_>| value.object().and_then(|fields| medium_of(&fields));
    if let Some(medium) = medium(value) {
        return (Cow::default(), vec![medium]);
    }
    let all = value.array().unwrap_or_default();
    let media: Vec<_> = all.iter().filter_map(|value| medium(*value)).collect();
    if media.is_empty() {
        return (value.spelled(), media);
    }
    (joined(all.into_iter().filter(|value| medium(*value).is_none()).map(Json::spelled).collect()), media)
}
