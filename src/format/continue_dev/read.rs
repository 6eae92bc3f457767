//! Reads a session as records and messages.

use super::HISTORY;
use super::item::{Item, State};
use crate::format::shared::document::{self, Document};
use crate::format::shared::json::{Json, Object};
use crate::format::shared::lines::LineNumbers;
use crate::format::shared::slot::{arguments, fixed, part, string};
use crate::format::shared::{session_lines, synthetic};
use crate::format::{ReadError, ReadOptions, openai};
use crate::transcript::fixed_texts::SUMMARY_OPEN;
use crate::transcript::{
    Author, Class, Media, Message, Part, PartKind, Record, Role, Shape, Slot, Tokens, Traits, Transcript, Usage,
};
use foldhash::{HashMap, HashSet};
use std::borrow::Cow;

/// Statuses of calls that failed or that the user did not allow.
const FAILED: [&str; 2] = ["errored", "canceled"];

/// Reads a session.
pub(super) fn read(source: &[u8], options: ReadOptions) -> Result<Transcript<'_>, ReadError> {
    let traits = Traits { native_summary: true, ..Traits::default() };
    let Some(document) = options.forgive(Document::read(source, options.first_line, HISTORY))? else {
        return Ok(document::opaque(source, options, traits));
    };
    let items: Vec<_> = document.elements.iter().map(|element| Item::new(*element)).collect();
    let mut reading = Reading::new(source, traits, &items);
    let mut lines = LineNumbers::new(source, options.first_line);
    for (at, item) in items.iter().enumerate() {
        let first = reading.transcript.records.len();
        for span in item.spans(source) {
            let line = lines.line_at(span.start);
            reading.transcript.records.push(Record { span, line, class: Class::Opaque, id: None, parent: None });
        }
        reading.item((at, first), item);
    }
    Ok(reading.finish())
}

struct Reading<'a> {
    source: &'a [u8],
    transcript: Transcript<'a>,
    /// Ids of calls answered by an item of role `tool`.
    told: HashSet<Cow<'a, str>>,
    /// Record of the item whose state holds the output, by call id.
    answered: HashMap<Cow<'a, str>, usize>,
    /// Index of the last item not of role `tool`: its calls may still be open.
    last: Option<usize>,
    /// The group of the reasoning before the next item.
    thought: Option<Cow<'a, str>>,
}

impl<'a> Reading<'a> {
    fn new(source: &'a [u8], traits: Traits, items: &[Item<'a>]) -> Self {
        let tools = items.iter().filter(|item| item.role() == "tool");
        Self {
            source,
            transcript: Transcript { source, traits, ..Transcript::default() },
            told: tools.filter_map(|item| item.message.text("toolCallId")).collect(),
            answered: HashMap::default(),
            last: items.iter().rposition(|item| item.role() != "tool"),
            thought: None,
        }
    }

    fn item(&mut self, (at, record): (usize, usize), item: &Item<'a>) {
        let thought = self.thought.take();
        let message = match &*item.role() {
            "system" => self.own_message(Role::System, item),
            "user" => self.asked(item),
            "assistant" => Message { group: thought, ..self.answer((at, record), item) },
            "thinking" => {
                self.thought = Some(thought.unwrap_or_else(|| Cow::Owned(format!("#{at}"))));
                Message { group: self.thought.clone(), ..self.thinking(item) }
            }
            "tool" => match item.message.text("toolCallId").and_then(|id| self.answered.get(&id)) {
                Some(owner) => return self.transcript.records[record].class = Class::With(*owner),
                None => self.result_item(item),
            },
            _ => return,
        };
        let author = if item.is_summary() { Author::Summary } else { message.author };
        document::push(&mut self.transcript, record, Message { author, live: true, ..message });
        if let Some(summary) = item.summary_beside() {
            let parts = vec![part(PartKind::Text, summary.text().unwrap_or_default(), string(self.source, summary))];
            let (role, author) = (Role::System, Author::Summary);
            let message = Message { role, author, parts, live: true, ..Message::default() };
            document::push(&mut self.transcript, record + 1, message);
        }
    }

    fn own_message(&self, role: Role, item: &Item<'a>) -> Message<'a> {
        let author = if role == Role::System { Author::System } else { Author::Model };
        Message { role, author, parts: content(self.source, &item.message), ..Message::default() }
    }

    /// A user message after its attachments, which are opaque: not the user's words.
    fn asked(&self, item: &Item<'a>) -> Message<'a> {
        let said = content(self.source, &item.message);
        let author = synthetic::user_author(&said);
        let attached = item.fields.array("contextItems").unwrap_or_default().into_iter().filter_map(|value| {
            let text = value.object()?.text("content").filter(|text| !text.trim().is_empty())?;
            Some(part(PartKind::Opaque, text, fixed(self.source, value)))
        });
        Message { role: Role::User, author, parts: attached.chain(said).collect(), ..Message::default() }
    }

    fn thinking(&self, item: &Item<'a>) -> Message<'a> {
        let holds = |key: &str| item.message.text(key).is_some_and(|text| !text.is_empty());
        let signed = holds("signature") || holds("redactedThinking");
        let texts = content(self.source, &item.message).into_iter().map(|part| part.text).collect::<Vec<_>>();
        let text = Cow::Owned(texts.join("\n"));
        let whole = item.fields.get("message").unwrap_or(item.value);
        let parts = vec![part(PartKind::Reasoning { signed }, text, fixed(self.source, whole))];
        Message { role: Role::Assistant, author: Author::Model, parts, ..Message::default() }
    }

    /// An answer of the model: text, calls, and their results.
    fn answer(&mut self, (at, record): (usize, usize), item: &Item<'a>) -> Message<'a> {
        let mut message = self.own_message(Role::Assistant, item);
        message.parts.retain(|part| part.kind != PartKind::Text || !part.text.is_empty());
        let states = item.states();
        let calls = item.message.array("toolCalls").unwrap_or_default();
        let of_states = || states.iter().filter_map(|state| state.fields.get("toolCall")).collect::<Vec<_>>();
        let calls = if calls.is_empty() { of_states() } else { calls };
        message.parts.extend(calls.into_iter().map(|call| self.call(call)));
        for state in &states {
            let id = state.id();
            let elsewhere = self.told.contains(&id) && (state.lone || state.output().is_none());
            let open = state.output().is_none() && state.is_open() && Some(at) == self.last;
            if elsewhere || open || !message.calls().any(|call| call == id) {
                continue;
            }
            message.parts.push(self.result(state));
            self.answered.insert(id, record);
        }
        Message { usage: item.message.object("usage").and_then(|usage| self::usage(&usage)), ..message }
    }

    fn call(&self, value: Json<'a>) -> Part<'a> {
        let fields = value.object().unwrap_or_default();
        let function = fields.object("function").unwrap_or_default();
        let given = function.get("arguments");
        let text = given.map(Json::spelled).unwrap_or_default();
        let (id, name) = (fields.text("id").unwrap_or_default(), function.text("name").unwrap_or_default());
        part(PartKind::Call { id, name }, text, arguments(self.source, value, given))
    }

    /// The output of a state; without one, a fixed text is sent that is not stored.
    fn result(&self, state: &State<'a>) -> Part<'a> {
        let whole = state.value.span_in(self.source);
        let (mut texts, mut slot) = (Vec::new(), fixed(self.source, state.value));
        if let Some((list, members)) = state.output() {
            let contents = members.iter().filter_map(|member| member.object()?.get("content"));
            let contents: Vec<_> = contents.filter(|content| content.is_string()).collect();
            texts.extend(contents.iter().filter_map(|content| content.text()));
            slot = match (&contents[..], members.len()) {
                ([content], 1) => Slot { part: whole, content: content.span_in(self.source), shape: Shape::Text },
                _ => Slot { part: whole, content: list.span_in(self.source), shape: Shape::TextBlocks },
            };
        }
        let text = if texts.len() == 1 { texts.remove(0) } else { Cow::Owned(texts.join("\n\n")) };
        let error = state.fields.text("status").is_some_and(|status| FAILED.contains(&&*status));
        let pruned = synthetic::is_stub(&text);
        part(PartKind::Result { id: state.id(), tool: None, error, pruned, media: Vec::new() }, text, slot)
    }

    fn result_item(&self, item: &Item<'a>) -> Message<'a> {
        let content = item.message.get("content");
        let read = content.map(|content| openai::result(self.source, content));
        let (text, media, slot) = read.unwrap_or_else(|| (Cow::default(), Vec::new(), fixed(self.source, item.value)));
        let id = item.message.text("toolCallId").unwrap_or_default();
        let kind = PartKind::Result { id, tool: None, error: false, pruned: synthetic::is_stub(&text), media };
        Message { role: Role::Tool, author: Author::Tool, parts: vec![part(kind, text, slot)], ..Message::default() }
    }

    fn finish(mut self) -> Transcript<'a> {
        let messages = &mut self.transcript.messages;
        session_lines::name_tools(messages);
        synthetic::classify(messages, &[]);
        // After a summary by epitome come the kept messages, with usage from before it.
        if let Some(newest) = messages.iter().rposition(|message| message.author == Author::Summary) {
            let ours = messages[newest].text().starts_with(SUMMARY_OPEN);
            let stale = messages.iter_mut().enumerate().filter(|(at, _)| ours || *at < newest);
            stale.for_each(|(_, message)| message.stale_usage = true);
        }
        self.transcript
    }
}

/// Reads a content: text, or blocks of text and images.
fn content<'a>(source: &'a [u8], message: &Object<'a>) -> Vec<Part<'a>> {
    let Some(content) = message.get("content") else { return Vec::new() };
    let is_image = |block: &Json<'_>| block.object().and_then(|it| it.text("type")).is_some_and(|it| it == "imageUrl");
    let Some(blocks) = content.array().filter(|blocks| blocks.iter().any(is_image)) else {
        return openai::parts(source, content);
    };
    let block = |block: Json<'a>| match is_image(&block) {
        true => vec![part(PartKind::Media(Media::Image), Cow::default(), fixed(source, block))],
        false => match block.object().and_then(|fields| fields.get("text")).filter(|text| text.is_string()) {
            Some(text) => {
                let slot = Slot { part: block.span_in(source), content: text.span_in(source), shape: Shape::Text };
                vec![part(PartKind::Text, text.text().unwrap_or_default(), slot)]
            }
            None => vec![part(PartKind::Opaque, Cow::default(), fixed(source, block))],
        },
    };
    blocks.into_iter().flat_map(block).collect()
}

/// Reads usage. Cached tokens are part of the prompt, unless they exceed it.
fn usage(usage: &Object<'_>) -> Option<Usage> {
    let prompt = usage.whole("promptTokens")?;
    let details = usage.object("promptTokensDetails").unwrap_or_default();
    let [read, write] = ["cachedTokens", "cacheWriteTokens"].map(|key| details.whole(key).unwrap_or_default());
    let input = prompt.checked_sub(read.saturating_add(write)).unwrap_or(prompt);
    Some(Usage {
        input: Tokens(input),
        cache_read: Tokens(read),
        cache_write: Tokens(write),
        output: Tokens(usage.whole("completionTokens").unwrap_or_default()),
    })
}
