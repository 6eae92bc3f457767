//! Reads the elements of an export as records and messages.

use super::live::{self, Entry};
use super::parts;
use crate::format::shared::answered_inside;
use crate::format::shared::document::{self, Document};
use crate::format::shared::json::{Json, Object};
use crate::format::{ReadError, ReadOptions};
use crate::transcript::{Append, Author, Class, Message, Part, PartKind, Role, Tokens, Traits, Transcript, Usage};

/// Types of parts in a failed message that do not make it an answer.
const NO_ANSWER: [&str; 2] = ["step-start", "reasoning"];

/// Reads a session.
pub(super) fn read(source: &[u8], options: ReadOptions) -> Result<Transcript<'_>, ReadError> {
    let traits = Traits { native_summary: true, append: Append::From, ..Traits::default() };
    let Some(document) = options.forgive(super::document(source, options.first_line))? else {
        return Ok(document::opaque(source, options, traits));
    };
    let mut transcript = document.transcript(options.first_line, traits);
    let mut entries = Vec::with_capacity(document.elements.len());
    for (at, element) in document.elements.iter().enumerate() {
        let (entry, message) = element.object().map(|fields| entry(source, &fields)).unwrap_or_default();
        transcript.records[at].id = entry.id.clone();
        transcript.records[at].parent = entry.parent.clone();
        match message {
            Some(message) => document::push(&mut transcript, at, message),
            None if entry.id.is_some() => transcript.records[at].class = Class::Place,
            None => {}
        }
        entries.push(entry);
    }
    let kept = reverted(&document, &entries);
    live::resolve(&mut transcript, entries.get(..kept).unwrap_or(&entries));
    answered_inside::tell_apart(&mut transcript.messages);
    Ok(transcript)
}

/// Number of elements that are not reverted: those before the message to which the session was reverted. Reverted
/// ones stay stored until the next prompt. A message of which only parts were reverted counts as kept.
fn reverted(document: &Document<'_>, entries: &[Entry<'_>]) -> usize {
    let revert = || document.whole.object()?.object("info")?.object("revert");
    let Some(revert) = revert() else { return entries.len() };
    let target = revert.text("messageID").filter(|id| !id.is_empty());
    let at = target.and_then(|target| entries.iter().position(|entry| entry.id.as_ref() == Some(&target)));
    at.map_or(entries.len(), |at| at + usize::from(revert.has("partID")))
}

/// Reads one element: its links, and its message if it has content.
fn entry<'a>(source: &'a [u8], fields: &Object<'a>) -> (Entry<'a>, Option<Message<'a>>) {
    let info = fields.object("info").unwrap_or_default();
    let stored: Vec<_> = fields.array("parts").unwrap_or_default();
    let objects: Vec<_> = stored.iter().filter_map(|part| part.object()).collect();
    let marker = objects.iter().find(|part| part.is("type", "compaction"));
    let mut parts: Vec<_> = stored.iter().flat_map(|part| parts::read(source, *part)).collect();
    let says = parts.iter().any(|part| part.kind == PartKind::Text && !part.text.trim().is_empty());
    let failed = info.get("error").is_some_and(|error| !error.is_null());
    let finished = info.text("finish").is_some() && !failed;
    let entry = Entry {
        id: info.text("id"),
        parent: info.text("parentID"),
        marker: marker.is_some(),
        tail: marker.and_then(|marker| marker.text("tail_start_id")),
        summary: info.is_true("summary"),
        completed: finished && says,
        dropped: failed && !is_partial_answer(&info, &objects),
    };
    let author = match &*info.text("role").unwrap_or_default() {
        _ if entry.marker || parts.is_empty() => return (entry, None),
        "user" => author(&objects, &parts),
        "assistant" => Author::Model,
        _ => return (entry, None),
    };
    if author == Author::Person {
        set_synthetic_aside(source, &mut parts);
    }
    let role = if author == Author::Model { Role::Assistant } else { Role::User };
    (entry, Some(Message { role, author, parts, ..described(&info) }))
}

/// Whether an aborted message has content, so that it is still sent to the model.
fn is_partial_answer(info: &Object<'_>, parts: &[Object<'_>]) -> bool {
    let aborted = info.object("error").is_some_and(|error| error.is("name", "MessageAbortedError"));
    aborted && parts.iter().any(|part| part.text("type").is_some_and(|kind| !NO_ANSWER.contains(&&*kind)))
}

/// The author of a user message: a person, unless all its text is marked as synthetic.
fn author(stored: &[Object<'_>], parts: &[Part<'_>]) -> Author {
    let words = |part: &&Object<'_>| {
        let text = part.is("type", "text") && !part.is_true("ignored");
        text && part.text("text").is_some_and(|text| !text.trim().is_empty())
    };
    let marked = |part: &Object<'_>, key: &str| part.object("metadata").is_some_and(|metadata| metadata.is_true(key));
    let continues = |part: &Object<'_>| marked(part, "compaction_continue") && !marked(part, "replayed");
    let own = |part: &Object<'_>| !part.is_true("synthetic") && !continues(part);
    let media = parts.iter().any(Part::is_media);
    if media || stored.iter().any(|part| part.is("type", "subtask")) || stored.iter().filter(words).any(own) {
        Author::Person
    } else if stored.iter().filter(words).any(continues) {
        Author::Continuation
    } else {
        Author::Harness
    }
}

/// Makes synthetic texts beside a person's words opaque: contents of referenced files, reminders.
fn set_synthetic_aside(source: &[u8], parts: &mut [Part<'_>]) {
    let synthetic = |part: &Part<'_>| {
        Json::at(source, &part.slot.part).and_then(Json::object).is_some_and(|it| it.is_true("synthetic"))
    };
    for part in parts.iter_mut().filter(|part| part.kind == PartKind::Text && synthetic(part)) {
        part.kind = PartKind::Opaque;
    }
}

/// The fields of a message that its info states.
fn described<'a>(info: &Object<'a>) -> Message<'a> {
    let time = info.object("time").unwrap_or_default();
    let millis = ["completed", "created"].iter().find_map(|key| time.get(key)?.raw().parse().ok());
    Message {
        model: info.text("modelID"),
        usage: info.object("tokens").map(|tokens| usage(&tokens)),
        timestamp: millis.and_then(document::time_of_millis).map(Into::into),
        folder: info.object("path").and_then(|path| path.text("cwd")),
        cut_off: info.is("finish", "length"),
        ..Message::default()
    }
}

fn usage(tokens: &Object<'_>) -> Usage {
    let number = |object: &Object<'_>, key: &str| Tokens(object.whole(key).unwrap_or_default());
    let cache = tokens.object("cache").unwrap_or_default();
    Usage {
        input: number(tokens, "input"),
        cache_read: number(&cache, "read"),
        cache_write: number(&cache, "write"),
        output: number(tokens, "output"),
    }
}
