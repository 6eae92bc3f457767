//! Reads steps as records and messages.

use super::{STEPS, observed};
use crate::format::shared::document::{self, Document};
use crate::format::shared::json::{Json, Object};
use crate::format::shared::slot;
use crate::format::shared::untyped;
use crate::format::shared::{actions, marks, synthetic};
use crate::format::{ReadError, ReadOptions};
use crate::transcript::{
    Author, Media, Message, Part, PartKind, Role, Shape, Tokens, Traits, Transcript, Usage, repeated_id,
};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

/// Reads a trajectory.
pub(super) fn read(source: &[u8], options: ReadOptions) -> Result<Transcript<'_>, ReadError> {
    let traits = Traits::default();
    let Some(document) = options.forgive(Document::read(source, options.first_line, STEPS))? else {
        return Ok(document::opaque(source, options, traits));
    };
    let mut transcript = document.transcript(options.first_line, traits);
    let mut reader = Reader { source, seen: HashSet::new(), count: 0 };
    let mut found = Vec::new();
    for (at, element) in document.elements.iter().enumerate() {
        let fields = element.object().unwrap_or_default();
        let Some(message) = reader.step(at, &fields) else { continue };
        let extra = fields.object("extra").unwrap_or_default();
        found.push(marks::read(&extra));
        document::push(&mut transcript, at, message);
    }
    // Runs may store what the model wrote, and each screen as words of the user.
    if !transcript.messages.iter().any(|message| message.calls().next().is_some()) {
        actions::pair(&mut transcript.messages);
    }
    synthetic::classify(&mut transcript.messages, &found);
    Ok(transcript)
}

struct Reader<'a> {
    source: &'a [u8],
    /// Ids of the calls so far: an id only has to be unique within its step.
    seen: HashSet<Cow<'a, str>>,
    /// The number of calls so far.
    count: usize,
}

impl<'a> Reader<'a> {
    fn step(&mut self, at: usize, fields: &Object<'a>) -> Option<Message<'a>> {
        let (role, author) = match &*fields.text("source")? {
            "system" => (Role::System, Author::System),
            "user" => (Role::User, Author::Person),
            "agent" => (Role::Assistant, Author::Model),
            _ => return None,
        };
        let mut parts = Vec::new();
        if let Some(value) = fields.get("reasoning_content").filter(|value| value.is_string()) {
            let text = value.text().unwrap_or_default();
            parts.push(self.part(PartKind::Reasoning { signed: false }, text, value, None));
        }
        self.said_and_done(at, fields, &mut parts);
        Some(Message {
            role,
            author,
            parts,
            live: true,
            model: fields.text("model_name"),
            usage: fields.object("metrics").and_then(|metrics| usage(&metrics)),
            timestamp: fields.text("timestamp"),
            ..Message::default()
        })
    }

    /// Adds the text of a step, its calls, and its observations.
    fn said_and_done(&mut self, at: usize, fields: &Object<'a>, parts: &mut Vec<Part<'a>>) {
        let results = fields.object("observation").and_then(|observation| observation.array("results"));
        let (results, message) = (results.unwrap_or_default(), fields.get("message"));
        let no_calls = fields.array("tool_calls").unwrap_or_default().is_empty();
        let acts = no_calls && !results.is_empty() && fields.is("source", "agent");
        // An unanswered call would be a fault that the file does not have.
        let answered = |calls: &Calls<'_>| !observed::places(calls.in_order.len(), results.len()).is_empty();
        let written = message.filter(|_| acts).and_then(|message| self.written(at, message));
        let written = written.filter(|(_, calls)| answered(calls));
        let calls = match written {
            Some((written, calls)) => {
                parts.extend(written);
                calls
            }
            None => {
                parts.extend(message.map(|message| self.content(message)).unwrap_or_default());
                self.calls(fields, parts)
            }
        };
        self.results(&results, calls, parts);
    }

    /// Reads a message: a string, or parts of text and media.
    fn content(&self, content: Json<'a>) -> Vec<Part<'a>> {
        if let Some(text) = content.text() {
            let part = |text| self.part(PartKind::Text, text, content, Some((content, Shape::Text)));
            return if text.is_empty() { Vec::new() } else { vec![part(text)] };
        }
        match content.array() {
            Some(blocks) => blocks.into_iter().map(|value| self.block(value)).collect(),
            None if content.is_null() => Vec::new(),
            None => vec![untyped::said(self.source, content)],
        }
    }

    fn block(&self, value: Json<'a>) -> Part<'a> {
        let fields = value.object().unwrap_or_default();
        match medium(&fields) {
            Some(medium) => self.part(PartKind::Media(medium), Cow::Borrowed(""), value, None),
            None => match fields.get("text").filter(|text| text.is_string()) {
                Some(text) => {
                    let words = text.text().unwrap_or_default();
                    self.part(PartKind::Text, words, value, Some((text, Shape::Text)))
                }
                None => untyped::element(self.source, value)
                    .unwrap_or_else(|| self.part(PartKind::Opaque, Cow::Borrowed(""), value, None)),
            },
        }
    }

    /// Reads an answer of Terminus stored as JSON in the message (linear history): its text, and its commands as calls.
    fn written(&self, at: usize, message: Json<'a>) -> Option<(Vec<Part<'a>>, Calls<'a>)> {
        let written = observed::written(&message.text()?)?;
        let fixed = |kind, text| self.part(kind, Cow::Owned(text), message, None);
        let mut parts: Vec<_> = written.words.map(|words| fixed(PartKind::Text, words)).into_iter().collect();
        let mut calls = Calls::default();
        for (number, (name, arguments)) in written.calls.into_iter().enumerate() {
            let id: Cow<'_, str> = Cow::Owned(format!("#action {at}.{number}"));
            let name: Cow<'_, str> = Cow::Borrowed(name);
            parts.push(fixed(PartKind::Call { id: id.clone(), name: name.clone() }, arguments));
            calls.in_order.push((id, name));
        }
        Some((parts, calls))
    }

    /// Reads the calls of a step.
    fn calls(&mut self, fields: &Object<'a>, parts: &mut Vec<Part<'a>>) -> Calls<'a> {
        let mut calls = Calls::default();
        for value in fields.array("tool_calls").unwrap_or_default() {
            let call = value.object().unwrap_or_default();
            let stored = call.text("tool_call_id").unwrap_or_default();
            let name = call.text("function_name").unwrap_or_default();
            let same = calls.by_id.entry(stored.clone()).or_default();
            self.count += 1;
            let first = self.seen.insert(stored.clone());
            let id = if first { stored } else { Cow::Owned(repeated_id(self.count, &stored)) };
            same.push_back(calls.in_order.len());
            calls.in_order.push((id.clone(), name.clone()));
            let arguments = call.get("arguments");
            let text = arguments.map(Json::raw).unwrap_or_default();
            let object = arguments.filter(|value| value.object().is_some()).map(|value| (value, Shape::Json));
            parts.push(self.part(PartKind::Call { id, name }, Cow::Borrowed(text), value, object));
        }
        calls
    }

    /// Adds the results of a step: those with a call id answer that call; others are assigned to the remaining calls.
    fn results(&self, results: &[Json<'a>], mut calls: Calls<'a>, parts: &mut Vec<Part<'a>>) {
        let names = results.iter().map(|value| value.object()?.text("source_call_id"));
        let named: Vec<_> = names.map(|name| name.map(|name| (calls.take(&name), name))).collect();
        let answered: HashSet<_> = named.iter().flatten().filter_map(|(call, _)| *call).collect();
        let open: Vec<usize> = (0..calls.in_order.len()).filter(|at| !answered.contains(at)).collect();
        let nameless = named.iter().filter(|name| name.is_none()).count();
        let mut places = observed::places(open.len(), nameless).into_iter();
        for (value, name) in results.iter().zip(named) {
            let place = if name.is_some() { None } else { places.next() };
            let place: Vec<usize> = place.unwrap_or_default().into_iter().map(|at| open[at]).collect();
            // The screen is stored once, as the result of the last call: the others get empty, fixed results.
            let (empty, own) = place.split_at(place.len().saturating_sub(1));
            for (id, tool) in empty.iter().filter_map(|call| calls.in_order.get(*call)).cloned() {
                let kind = PartKind::Result { id, tool: Some(tool), error: false, pruned: true, media: Vec::new() };
                parts.push(self.part(kind, Cow::Borrowed(""), *value, None));
            }
            let own = own.first().and_then(|call| calls.in_order.get(*call));
            let of_call = |call: usize| of_tool(calls.in_order[call].clone());
            let stated = name.map(|(call, stored)| call.map_or((stored, None), of_call));
            parts.extend(self.result(*value, stated.or_else(|| own.cloned().map(of_tool))));
        }
    }

    /// A tool result, or, without a call, another observation as text.
    fn result(&self, value: Json<'a>, call: Option<Answered<'a>>) -> Option<Part<'a>> {
        let fields = value.object().unwrap_or_default();
        let content = fields.get("content").filter(|content| !content.is_null());
        let blocks = content.map(|content| self.content(content)).unwrap_or_default();
        let texts: Vec<_> =
            blocks.iter().filter(|part| part.kind == PartKind::Text).map(|part| part.text.clone()).collect();
        let stored = content.and_then(|content| untyped::result(self.source, content));
        let is_text = stored.is_some() || content.is_some_and(Json::is_string);
        let text = stored.map_or_else(|| slot::joined(texts), |(text, _)| text);
        let slot = content.map(|content| (content, if is_text { Shape::Text } else { Shape::TextBlocks }));
        let Some((id, tool)) = call else {
            return content.map(|_| self.part(PartKind::Text, text, value, slot));
        };
        let media = blocks.iter().filter_map(|part| match part.kind {
            PartKind::Media(medium) => Some(medium),
            _ => None,
        });
        let media = media.collect();
        let kind = PartKind::Result { id, tool, error: false, pruned: synthetic::is_stub(&text), media };
        Some(self.part(kind, text, value, slot))
    }

    fn part(
        &self,
        kind: PartKind<'a>,
        text: Cow<'a, str>,
        whole: Json<'a>,
        content: Option<(Json<'a>, Shape)>,
    ) -> Part<'a> {
        slot::part(kind, text, slot::within(self.source, whole, content))
    }
}

/// The id of a call in the transcript, and its tool.
type Call<'a> = (Cow<'a, str>, Cow<'a, str>);

/// The id of the call that a result answers, and the tool if the step has that call.
type Answered<'a> = (Cow<'a, str>, Option<Cow<'a, str>>);

fn of_tool<'a>((id, tool): Call<'a>) -> Answered<'a> {
    (id, Some(tool))
}

/// The calls of a step.
#[derive(Default)]
struct Calls<'a> {
    /// Indices of calls by stored id (empty if missing). Answered ones are removed, except the last.
    by_id: HashMap<Cow<'a, str>, VecDeque<usize>>,
    in_order: Vec<Call<'a>>,
}

impl Calls<'_> {
    /// The index of the call that a result names. Results with the same id answer the calls of that id in order;
    /// surplus results answer the last one.
    fn take(&mut self, stored: &str) -> Option<usize> {
        let places = self.by_id.get_mut(stored)?;
        if places.len() > 1 { places.pop_front() } else { places.front().copied() }
    }
}

fn medium(fields: &Object<'_>) -> Option<Media> {
    match &*fields.text("type")? {
        "image" => Some(Media::Image),
        "audio" => Some(Media::Audio),
        _ => None,
    }
}

/// Reads the usage of a step; `prompt_tokens` include the cached tokens.
fn usage(metrics: &Object<'_>) -> Option<Usage> {
    let number = |key: &str| metrics.whole(key).map(Tokens);
    let cached = number("cached_tokens").unwrap_or_default();
    let input = number("prompt_tokens")? - cached;
    Some(Usage {
        input,
        cache_read: cached,
        output: number("completion_tokens").unwrap_or_default(),
        ..Usage::default()
    })
}
