//! Reads the messages of a conversation.

use super::{LEAF, PARENT, ROOT};
use crate::format::openai::Waiting;
use crate::format::shared::document::{self, Document};
use crate::format::shared::json::{Json, Object};
use crate::format::shared::links::{by_id, in_order, on_path};
use crate::format::shared::slot::{arguments, fixed, joined, part, string, within};
use crate::format::shared::{server_tools, synthetic};
use crate::reason::Reason;
use crate::transcript::{
    Author, Class, Media, Message, Part, PartKind, Record, Role, Shape, Traits, Transcript, repeated_id,
};
use foldhash::{HashMap, HashSet};
use std::borrow::Cow;

/// Blocks for the user interface, which say nothing to a model.
const BESIDE: [&str; 2] = ["token_budget", "flag"];
/// Endings of the names of pictures.
const PICTURES: [&str; 5] = [".png", ".jpg", ".jpeg", ".gif", ".webp"];

/// Reads a conversation.
pub(super) fn read<'a>(
    source: &'a [u8],
    document: &Document<'a>,
    (first_line, traits): (usize, Traits),
) -> Transcript<'a> {
    let mut transcript = document.transcript(first_line, traits);
    let whole = document.whole.object().unwrap_or_default();
    let order = order(document);
    transcript.records = order.iter().map(|element| transcript.records[*element].clone()).collect();
    let all: Vec<_> = order.iter().map(|at| document.elements[*at].object().unwrap_or_default()).collect();
    for (record, fields) in transcript.records.iter_mut().zip(&all) {
        record.id = fields.text("uuid");
        record.parent = fields.text(PARENT).filter(|parent| !parent.is_empty() && parent != ROOT);
    }
    let leaf = whole.text(LEAF).and_then(|leaf| by_id(&transcript).get(&leaf).copied());
    let on_path = on_path(&transcript, leaf);
    let (mut told, mut aside) = (Reader::new(source), Reader::new(source));
    for (at, fields) in all.iter().enumerate() {
        let live = on_path[at];
        let message = if live { told.message(at, fields) } else { aside.message(at, fields) };
        let Some(message) = message else { continue };
        let model = fields.text("model").or_else(|| whole.text("model")).filter(|_| message.role == Role::Assistant);
        let says = !message.parts.is_empty();
        if says {
            document::push(&mut transcript, at, Message { live, abandoned: !live, model, ..message });
        }
        match (live, says) {
            (false, _) => transcript.records[at].class = Class::Abandoned,
            (true, false) => transcript.records[at].class = Class::Place,
            (true, true) => {}
        }
    }
    stop(&mut transcript.messages);
    let unread = |record: &Record<'_>| record.class == Class::Opaque && unheard(source, record).is_some();
    let unknown = transcript.records.iter().any(unread).then_some(Reason::UnknownSpeaker);
    let disordered = (!in_order(&transcript, &on_path)).then_some(Reason::UnknownShape);
    transcript.traits.fixed = transcript.traits.fixed.or(unknown).or(disordered);
    transcript
}

/// The elements of a conversation in the order in which they were said: some exports have them in any order, so their
/// times tell, unless each stands behind the one that it names.
pub(super) fn order(document: &Document<'_>) -> Vec<usize> {
    let all: Vec<_> = document.elements.iter().map(|element| element.object().unwrap_or_default()).collect();
    let ids = all.iter().enumerate().rev().filter_map(|(at, fields)| Some((fields.text("uuid")?, at)));
    let places: HashMap<_, _> = ids.collect();
    let named = |fields: &Object<'_>| places.get(&fields.text(PARENT)?).copied();
    let links: Vec<_> = all.iter().enumerate().filter_map(|(at, fields)| Some((named(fields)?, at))).collect();
    let is_told = !links.is_empty() && links.iter().all(|(parent, at)| parent < at);
    let time = |fields: &Object<'_>| fields.text("created_at")?.parse::<jiff::Timestamp>().ok();
    let times: Vec<_> = all.iter().map(time).collect();
    let mut order: Vec<_> = (0..times.len()).collect();
    if !is_told && times.iter().all(Option::is_some) {
        order.sort_by_key(|element| times[*element]);
    }
    order
}

/// Marks the answers that were stopped: they end in a call without a result, though the conversation goes on.
fn stop(messages: &mut [Message<'_>]) {
    let answered: HashSet<_> = messages.iter().flat_map(Message::results).map(str::to_owned).collect();
    let last = messages.iter().rposition(|message| message.live).unwrap_or_default();
    for message in messages.iter_mut().take(last).filter(|message| message.role == Role::Assistant) {
        let end = message.parts.last().and_then(|part| part.kind.call());
        message.aborted = end.is_some_and(|id| !answered.contains(id));
    }
}

/// The sender of a message that was not read though it says something.
pub(super) fn unheard<'a>(source: &'a [u8], record: &Record<'_>) -> Option<Cow<'a, str>> {
    let fields = Json::at(source, &record.span)?.object()?;
    let says = ["text", "content"].iter().any(|key| fields.get(key).is_some_and(Json::holds_something));
    fields.text("sender").filter(|_| says)
}

/// Reads messages in the order in which they were said.
struct Reader<'a> {
    source: &'a [u8],
    /// Calls that have no result yet.
    waiting: Waiting<'a>,
    /// The number of calls so far.
    count: usize,
    /// The id that a call has here, by its stored one.
    ids: HashMap<Cow<'a, str>, Cow<'a, str>>,
}

impl<'a> Reader<'a> {
    fn new(source: &'a [u8]) -> Self {
        Self { source, waiting: Waiting::default(), count: 0, ids: HashMap::default() }
    }

    /// The message of a record, without parts if it says nothing; `None` if its sender is unknown.
    fn message(&mut self, at: usize, fields: &Object<'a>) -> Option<Message<'a>> {
        let role = match &*fields.text("sender")? {
            "human" | "user" => Role::User,
            "assistant" => Role::Assistant,
            "system" => Role::System,
            _ => return None,
        };
        let said = self.said(at, fields);
        let (attached, files) = (self.attached(fields, said.is_empty()), self.files(fields));
        let parts: Vec<_> = attached.into_iter().chain(files).chain(said).collect();
        let author = match role {
            Role::User if parts.iter().any(|part| part.kind == PartKind::Opaque) => Author::Person,
            Role::User => synthetic::user_author(&parts),
            Role::Assistant => Author::Model,
            _ => Author::System,
        };
        if author == Author::Person {
            self.waiting = Waiting::default();
        }
        let timestamp = fields.text("created_at");
        let cut_off = fields.is("stop_reason", "max_tokens");
        Some(Message { role, author, parts, timestamp, cut_off, ..Message::default() })
    }

    /// What the sender said: the blocks of `content`, or else `text`.
    fn said(&mut self, at: usize, fields: &Object<'a>) -> Vec<Part<'a>> {
        let content = fields.get("content");
        if let Some(text) = content.filter(|text| text.says()) {
            return vec![self.whole(text)];
        }
        let blocks = content.and_then(Json::array).unwrap_or_default();
        let parts = blocks.into_iter().enumerate().filter_map(|(number, block)| self.block((at, number), block));
        let parts: Vec<_> = parts.collect();
        if !parts.is_empty() {
            return parts;
        }
        fields.get("text").filter(|text| text.says()).map(|text| self.whole(text)).into_iter().collect()
    }

    fn whole(&self, text: Json<'a>) -> Part<'a> {
        part(PartKind::Text, text.spelled(), string(self.source, text))
    }

    /// A block of `content` at a place: the record, and the number of the block in it. Empty ones say nothing.
    fn block(&mut self, place: (usize, usize), value: Json<'a>) -> Option<Part<'a>> {
        let fields = value.object()?;
        let alone = |kind, text| Some(part(kind, text, fixed(self.source, value)));
        match &*fields.text("type").unwrap_or_default() {
            kind if BESIDE.contains(&kind) => None,
            kind if kind == "tool_use" || server_tools::is_call(kind) => Some(self.call(place, value, &fields)),
            kind if kind == "tool_result" || server_tools::is_result(kind) => Some(self.result(place, value, &fields)),
            "thinking" | "redacted_thinking" => {
                let signed = ["signature", "data"].iter().any(|key| fields.get(key).is_some_and(Json::holds_something));
                let text = fields.text("thinking").unwrap_or_default();
                if text.is_empty() && !signed { None } else { alone(PartKind::Reasoning { signed }, text) }
            }
            "image" => alone(PartKind::Media(Media::Image), Cow::default()),
            "document" | "file" => alone(PartKind::Media(Media::Document), Cow::default()),
            kind => match fields.get("text").filter(|text| text.is_string()) {
                Some(text) if text.says() => {
                    Some(part(PartKind::Text, text.spelled(), within(self.source, value, Some((text, Shape::Text)))))
                }
                None if kind != "text" => alone(PartKind::Opaque, Cow::default()),
                _ => None,
            },
        }
    }

    /// A call. One without an id gets one from its place.
    fn call(&mut self, (at, number): (usize, usize), value: Json<'a>, fields: &Object<'a>) -> Part<'a> {
        let stored = fields.text("id").filter(|id| !id.is_empty());
        let id = match &stored {
            Some(stored) if self.ids.contains_key(stored) => Cow::Owned(repeated_id(self.count, stored)),
            Some(stored) => stored.clone(),
            None => Cow::Owned(format!("#{at}.{number}")),
        };
        self.ids.extend(stored.map(|stored| (stored, id.clone())));
        self.count += 1;
        let name = fields.text("name").unwrap_or_default();
        self.waiting.add(id.clone(), name.clone());
        let input = fields.get("input");
        let text = Cow::Borrowed(input.map(Json::raw).unwrap_or_default());
        part(PartKind::Call { id, name }, text, arguments(self.source, value, input))
    }

    /// A result. One that does not name its call answers the first of its tool's that waits for one.
    fn result(&mut self, (at, number): (usize, usize), value: Json<'a>, fields: &Object<'a>) -> Part<'a> {
        let tool = fields.text("name").filter(|name| !name.is_empty());
        let id = match fields.text("tool_use_id").filter(|id| !id.is_empty()) {
            Some(stored) => {
                let id = self.ids.get(&stored).cloned().unwrap_or(stored);
                self.waiting.answer(id.clone());
                id
            }
            None => {
                let taken = self.waiting.take(tool.as_deref());
                taken.unwrap_or_else(|| Cow::Owned(format!("#{at}.{number}")))
            }
        };
        let content = fields.get("content");
        let (text, media) = content.map(returned).unwrap_or_default();
        let editable = content.and_then(|content| {
            let shape = if content.is_string() { Shape::Text } else { Shape::TextBlocks };
            (content.is_string() || content.array().is_some()).then_some((content, shape))
        });
        let (error, pruned) = (fields.is_true("is_error"), synthetic::is_stub(&text));
        let kind = PartKind::Result { id, tool, error, pruned, media };
        let status = fields.status_by_flag("is_error");
        Part { status, ..part(kind, text, within(self.source, value, editable)) }
    }

    /// What was taken from the files that the user attached: not his words, unless the message has no others and the
    /// file no name. So what is pasted is stored if it is long.
    fn attached(&self, fields: &Object<'a>, silent: bool) -> Vec<Part<'a>> {
        let attachments = fields.array("attachments").unwrap_or_default().into_iter();
        let parts = attachments.filter_map(|value| {
            let attachment = value.object()?;
            let text = attachment.get("extracted_content").filter(|text| text.says())?;
            let pasted = silent && attachment.text("file_name").is_none_or(|name| name.is_empty());
            let kind = if pasted { PartKind::Text } else { PartKind::Opaque };
            Some(part(kind, text.spelled(), within(self.source, value, Some((text, Shape::Text)))))
        });
        parts.collect()
    }

    /// Files that a message shows, of which the export has only the names; those whose text was taken stand among the
    /// attachments, too.
    fn files(&self, fields: &Object<'a>) -> Vec<Part<'a>> {
        let named = |list: &str| fields.array(list).unwrap_or_default().into_iter().filter_map(Json::object);
        let read: Vec<_> = named("attachments").filter_map(|attachment| attachment.text("file_name")).collect();
        let files = fields.array("files").unwrap_or_default().into_iter();
        let medium = |value: Json<'a>| {
            let file = value.object().unwrap_or_default();
            let name = file.text("file_name").unwrap_or_default();
            if !name.is_empty() && read.contains(&name) {
                return None;
            }
            let name = name.to_ascii_lowercase();
            let is_picture = PICTURES.iter().any(|ending| name.ends_with(ending));
            let is_picture = is_picture || file.is("file_kind", "image");
            let kind = if is_picture { Media::Image } else { Media::Document };
            Some(part(PartKind::Media(kind), Cow::default(), fixed(self.source, value)))
        };
        files.filter_map(medium).collect()
    }
}

/// The text that a model reads of what a tool returned, and its media.
fn returned(content: Json<'_>) -> (Cow<'_, str>, Vec<Media>) {
    let Some(blocks) = content.array() else {
        let text = if content.holds_something() { content.spelled() } else { Cow::default() };
        return (text, Vec::new());
    };
    let (mut texts, mut media) = (Vec::new(), Vec::new());
    for block in blocks {
        let Some(fields) = block.object() else {
            texts.extend(block.text());
            continue;
        };
        if fields.is("type", "image") {
            media.push(Media::Image);
        }
        // What was found on the web or in a project has a title, a place and a text; a file that was made has a path.
        let told = ["title", "url", "file_path", "text"].into_iter().filter_map(|key| fields.text(key));
        texts.extend(told.filter(|text| !text.is_empty()));
    }
    (if texts.is_empty() { Cow::default() } else { joined(texts) }, media)
}
