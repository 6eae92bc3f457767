//! Reads a transcript as a conversation: the live messages in the order in which they are loaded, with the parts of
//! one API message as one unit, and every result in the unit of its call.

use super::conversation::{self, Call, Conversation, Reasoning, Session, ToolResult, Unit};
use super::ids::Ids;
use super::joined_results::{listed, parted};
use super::losses::{Loss, Losses};
use super::medium::Medium;
use super::source::Source;
use super::{beside, time, tools};
use crate::format::inline_runs;
use crate::format::json::Json;
use crate::transcript::speakers;
use crate::transcript::{Author, Message, Part, PartKind, Role, Transcript, hex};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Text of a result that was never recorded.
pub(super) const NO_RESULT: &str = "[no result was recorded]";

/// Reads the conversation of a transcript.
pub(super) fn walk<'t>(source: &'t Source<'_, '_>, losses: &mut Losses) -> Conversation<'t> {
    let transcript = source.transcript;
    beside::count(source, losses);
    let ids = Ids::of(transcript);
    let places = beside::places(source);
    let mut walk = Walk { transcript, losses, ids, places, units: Vec::new(), calls: HashMap::new() };
    let mut groups = HashMap::new();
    for index in loaded(transcript) {
        walk.message(&transcript.messages[index], &mut groups);
    }
    walk.answer_all();
    let hash = hex(&Sha256::digest(transcript.source));
    let folder = beside::folder(source);
    let tools = tools::tools(source, walk.losses);
    let session = Session { format: source.format.name(), folder, hash, row: transcript.traits.training_row };
    Conversation { units: walk.units, tools, session }
}

/// Indices of the live messages in the order in which they are loaded: messages kept by a compaction come after its
/// summary, though they are stored before it.
fn loaded(transcript: &Transcript<'_>) -> Vec<usize> {
    let all = &transcript.messages;
    let live = |index: &usize| all.get(*index).is_some_and(|message| message.is_loaded());
    let mut live: Vec<_> = (0..all.len()).filter(live).collect();
    let newest = live.iter().rposition(|index| all[*index].author == Author::Summary);
    if let (Some(newest), Some(from)) = (newest, transcript.traits.kept_from) {
        let is_kept = |index: &usize| all[*index].record >= from && all[*index].author != Author::System;
        let kept = live.iter().take(newest).position(is_kept).unwrap_or(newest);
        if let Some(range) = live.get_mut(kept..=newest) {
            range.rotate_right(1);
        }
    }
    live
}

/// The calls of one id in one unit, and how many of them have a result: they get theirs in order.
#[derive(Default)]
struct Calls<'t> {
    places: Vec<Place<'t>>,
    answered: usize,
}

/// A call in the conversation: its unit, its id, and the text of its first result.
struct Place<'t> {
    unit: usize,
    id: Cow<'t, str>,
    result: Option<Cow<'t, str>>,
}

struct Walk<'t, 'a, 'l> {
    transcript: &'t Transcript<'a>,
    losses: &'l mut Losses,
    ids: Ids<'t>,
    /// Placeholders of media columns in texts, and the words that replace them.
    places: Vec<(&'static str, &'static str)>,
    units: Vec<Unit<'t>>,
    /// The newest call by its id in the source, and those of the same unit that have this id, too.
    calls: HashMap<&'t str, Calls<'t>>,
}

/// The state of converting one message.
#[derive(Default)]
struct MessageState<'t> {
    /// Index of the unit for its content.
    unit: Option<usize>,
    /// Whether that unit has results of its own calls.
    answered: bool,
    /// Whether anything of the message was written.
    written: bool,
    /// The texts of joined results that are still to be assigned, in reverse order.
    results: Vec<Cow<'t, str>>,
    /// Whether it has several results, stored in one text.
    shared: bool,
}

impl<'t> Walk<'t, '_, '_> {
    fn message(&mut self, message: &'t Message<'_>, groups: &mut HashMap<&'t str, usize>) {
        let group = message.group.as_deref().filter(|_| message.role == Role::Assistant);
        self.losses.add(Loss::ResultsAsText, usize::from(self.is_of_environment(message)));
        let unit = group.and_then(|group| groups.get(group).copied());
        let (shared, mut results) = self.joined(message);
        results.reverse();
        let mut spread = MessageState { unit, results, shared, ..MessageState::default() };
        for part in &message.parts {
            self.part(message, part, &mut spread);
        }
        if let (Some(group), Some(unit)) = (group, spread.unit) {
            groups.insert(group, unit);
        }
        if let (Some(unit), Some(usage)) = (spread.unit.and_then(|unit| self.units.get_mut(unit)), message.usage) {
            unit.usage = Some(usage).filter(|_| !message.stale_usage).or(unit.usage);
        }
        self.losses.add(Loss::EmptyMessages, usize::from(!spread.written));
    }

    /// Whether a message has several results in one text that can't be told apart; else their texts in order. A single
    /// result that does not state whose it is may stand between tags.
    fn joined(&self, message: &'t Message<'_>) -> (bool, Vec<Cow<'t, str>>) {
        let results = || message.parts.iter().filter(|part| part.is_result());
        let Some(first) = results().next() else { return (false, Vec::new()) };
        let count = results().count();
        let shared = count > 1 && results().all(|part| part.slot.part == first.slot.part);
        let alone = count == 1 && message.results().all(|id| id.starts_with('#'));
        let texts = (shared || alone).then(|| parted(&first.text, count)).flatten();
        let listed = || listed(&first.text, count).filter(|_| shared && self.answers_one_tool(message, count));
        let texts = texts.or_else(listed);
        (shared && texts.is_none(), texts.unwrap_or_default())
    }

    /// Whether the results of a message are those of all calls of a unit, which call one tool: a list is then one of
    /// their results, not what a single one found.
    fn answers_one_tool(&self, message: &Message<'_>, count: usize) -> bool {
        let unit = message.results().next().and_then(|id| self.calls.get(id)?.places.first());
        let Some(unit) = unit.and_then(|place| self.units.get(place.unit)) else { return false };
        let tool = unit.calls().next().map(|call| call.name);
        unit.results.is_empty() && unit.calls().count() == count && unit.calls().all(|call| Some(call.name) == tool)
    }

    /// Whether a message of the user's side is what the environment said.
    fn is_of_environment(&self, message: &Message<'_>) -> bool {
        let record = self.transcript.records.get(message.record);
        let fields = || Json::at(self.transcript.source, &record?.span)?.object();
        let named = || fields()?.text("role").map(|name| speakers::is_environment(&name));
        message.author == Author::Harness && message.role == Role::User && named().unwrap_or_default()
    }

    fn part(&mut self, message: &'t Message<'_>, part: &'t Part<'_>, spread: &mut MessageState<'t>) {
        if part.kind == PartKind::Text && self.add_to_result(message, part) {
            spread.written = true;
            return;
        }
        let block = || Json::at(self.transcript.source, &part.slot.part);
        let said = match &part.kind {
            PartKind::Result { .. } => return self.result(message, part, spread),
            PartKind::Call { id, name } => return self.call(message, (id, name, &part.text), spread),
            PartKind::Text if part.text.is_empty() => return,
            PartKind::Text if is_observation(message, part, block()) => return self.observed(message, part, spread),
            PartKind::Text => {
                let calls = message.author == Author::Model && inline_runs::calls(&part.text);
                self.losses.add(Loss::CallsAsText, usize::from(calls));
                conversation::Part::Text(self.words(&*part.text))
            }
            PartKind::Reasoning { signed } if part.text.is_empty() && !signed => return,
            PartKind::Reasoning { signed } => conversation::Part::Reasoning(reasoning(part, *signed, block())),
            PartKind::Media(kind) => conversation::Part::Medium(match block() {
                Some(block) => Medium::read(*kind, block),
                None => Medium { kind: *kind, content: None },
            }),
            // Parts without a known type only become text if the reader found one, and not in assistant messages.
            PartKind::Opaque if message.role != Role::Assistant && !part.text.is_empty() => {
                conversation::Part::Text(Cow::Borrowed(&part.text))
            }
            PartKind::Opaque if is_bookkeeping(block()) => {
                spread.written = true;
                return;
            }
            PartKind::Opaque => {
                spread.written = true;
                return self.losses.add(Loss::UnknownPart, 1);
            }
        };
        self.say(message, said, spread);
    }

    /// Adds a part to the unit of its message. Content after a result in the same message starts a new unit.
    fn say(&mut self, message: &'t Message<'_>, said: conversation::Part<'t>, spread: &mut MessageState<'t>) -> usize {
        let goes_on = spread.unit.filter(|_| !spread.answered || matches!(said, conversation::Part::Call(_)));
        let at = goes_on.unwrap_or_else(|| self.open(message));
        if goes_on.is_none() {
            *spread = MessageState { unit: Some(at), ..MessageState::default() };
        }
        spread.written = true;
        if let Some(unit) = self.units.get_mut(at) {
            unit.parts.push(said);
        }
        at
    }

    fn open(&mut self, message: &'t Message<'_>) -> usize {
        self.units.push(Unit {
            role: match (message.author, message.role) {
                (Author::Summary, Role::Assistant) | (_, Role::Tool) => Role::User,
                (_, role) => role,
            },
            summary: message.author == Author::Summary,
            harness: message.author == Author::Harness || message.role == Role::Tool,
            model: message.model.as_deref().map(Cow::Borrowed),
            time: time::millis(message.timestamp.as_deref()),
            ..Unit::default()
        });
        self.units.len() - 1
    }

    fn call(
        &mut self,
        message: &'t Message<'_>,
        (id, name, text): (&'t str, &'t str, &'t str),
        spread: &mut MessageState<'t>,
    ) {
        if message.role != Role::Assistant {
            spread.written = true;
            return self.losses.add(Loss::UnknownPart, 1);
        }
        let (own, made_up) = self.ids.give(id);
        self.losses.add(Loss::CallIdsMadeUp, usize::from(made_up));
        let call = Call { id: own.clone(), name, arguments: text };
        let unit = self.say(message, conversation::Part::Call(call), spread);
        let same = self.calls.entry(id).or_default();
        if same.places.first().is_some_and(|place| place.unit != unit) {
            *same = Calls::default();
        }
        same.places.push(Place { unit, id: own, result: None });
    }

    fn result(&mut self, message: &'t Message<'_>, part: &'t Part<'_>, spread: &mut MessageState<'t>) {
        let PartKind::Result { id, tool, error, media, .. } = &part.kind else { return };
        spread.written = true;
        let text = spread.results.pop().unwrap_or(Cow::Borrowed(&part.text));
        self.losses.add(Loss::ResultsShared, usize::from(spread.shared && text.is_empty()));
        let time = time::millis(message.timestamp.as_deref());
        let media = Medium::of_result(media, Json::at(self.transcript.source, &part.slot.content));
        let Some(Calls { places, answered }) = self.calls.get_mut(&**id) else {
            self.losses.add(Loss::ResultsAsText, 1);
            return self.add_harness_message(text, media, time);
        };
        let at = if *answered < places.len() { *answered } else { 0 };
        let Some(place) = places.get_mut(at) else { return };
        if let Some(first) = &place.result {
            let copy = *first == text;
            self.losses.add(if copy { Loss::DuplicateResults } else { Loss::ResultsAsText }, 1);
            if !copy {
                self.add_harness_message(text, media, time);
            }
            return;
        }
        place.result = Some(text.clone());
        *answered += 1;
        let (unit, id) = (place.unit, place.id.clone());
        spread.answered |= spread.unit == Some(unit);
        self.losses.add(Loss::ResultsMoved, usize::from(unit + 1 < self.units.len()));
        let tool = tool.as_deref().unwrap_or_default();
        let words = self.words(text);
        if let Some(unit) = self.units.get_mut(unit) {
            unit.results.push(ToolResult { id, tool, text: words, media, error: *error, time });
        }
    }

    /// Adds a further text of a tool's to the result of the call that it belongs to, if nothing was said since; returns
    /// whether it did.
    fn add_to_result(&mut self, message: &'t Message<'_>, part: &'t Part<'_>) -> bool {
        let call = message.belongs_to.as_deref().filter(|_| message.role == Role::Tool);
        let is_last = |place: &&Place<'_>| place.unit + 1 == self.units.len();
        let Some(place) = call.and_then(|id| self.calls.get(id)?.places.first()).filter(is_last) else { return false };
        let results = self.units.get_mut(place.unit).map(|unit| &mut unit.results);
        let result = results.and_then(|results| results.iter_mut().find(|result| result.id == place.id));
        let Some(result) = result else { return false };
        result.text.to_mut().extend(["\n", &part.text]);
        true
    }

    /// A text with placeholders of media columns replaced by words.
    fn words(&self, text: impl Into<Cow<'t, str>>) -> Cow<'t, str> {
        let said = |text: Cow<'t, str>, (place, word): &(&str, &str)| match text.contains(place) {
            true => Cow::Owned(text.replace(place, word)),
            false => text,
        };
        self.places.iter().fold(text.into(), said)
    }

    /// Adds an observation without a call as a harness message.
    fn observed(&mut self, message: &'t Message<'_>, part: &'t Part<'_>, spread: &mut MessageState<'t>) {
        spread.written = true;
        self.add_harness_message(&*part.text, Vec::new(), time::millis(message.timestamp.as_deref()));
    }

    /// Adds a harness message with the role user.
    fn add_harness_message(&mut self, text: impl Into<Cow<'t, str>>, media: Vec<Medium<'t>>, time: Option<i64>) {
        let text = text.into();
        let text = (!text.is_empty()).then(|| conversation::Part::Text(self.words(text)));
        let parts: Vec<_> = text.into_iter().chain(media.into_iter().map(conversation::Part::Medium)).collect();
        if parts.is_empty() {
            return self.losses.add(Loss::EmptyMessages, 1);
        }
        self.units.push(Unit::of_user(true, parts, time));
    }

    /// Adds a result to every call without one, except in the last unit if that has no results at all.
    fn answer_all(&mut self) {
        let last = self.units.len().saturating_sub(1);
        for (at, unit) in self.units.iter_mut().enumerate() {
            if at == last && unit.results.is_empty() {
                continue;
            }
            let answered: HashSet<&str> = unit.results.iter().map(|result| &*result.id).collect();
            let missing = unit.calls().filter(|call| !answered.contains(&*call.id)).map(|call| ToolResult {
                id: call.id.clone(),
                tool: call.name,
                text: NO_RESULT.into(),
                media: Vec::new(),
                error: true,
                time: unit.time,
            });
            let missing: Vec<_> = missing.collect();
            self.losses.add(Loss::ResultsMadeUp, missing.len());
            unit.results.extend(missing);
        }
    }
}

fn reasoning<'t>(part: &'t Part<'_>, signed: bool, block: Option<Json<'t>>) -> Reasoning<'t> {
    let anthropic = |block: &Json<'t>| {
        let fields = block.object().unwrap_or_default();
        let says = |key: &str| fields.text(key).is_some_and(|text| !text.is_empty());
        match &*fields.text("type").unwrap_or_default() {
            "thinking" => says("signature"),
            "redacted_thinking" => says("data"),
            _ => false,
        }
    };
    Reasoning { text: Cow::Borrowed(&part.text), block: block.filter(anthropic).map(Json::raw), signed }
}

/// Part types in which opencode records its steps; the model does not see them (OPENCODE §1.8).
const BOOKKEEPING: [&str; 5] = ["step-start", "step-finish", "snapshot", "patch", "retry"];

/// Whether a part is for bookkeeping only, so that leaving it out is no loss.
fn is_bookkeeping(block: Option<Json<'_>>) -> bool {
    let kind = block.and_then(Json::object).and_then(|fields| fields.text("type"));
    kind.is_some_and(|kind| BOOKKEEPING.contains(&&*kind))
}

/// Whether a text in an assistant message is in fact a result without a call, as in ATIF. An object that is said as it
/// is stored is none.
fn is_observation(message: &Message<'_>, part: &Part<'_>, block: Option<Json<'_>>) -> bool {
    let block = block.filter(|block| message.role == Role::Assistant && block.raw() != part.text);
    let fields = block.and_then(Json::object);
    fields.is_some_and(|fields| fields.has("content") && !fields.has("type") && !fields.has("text"))
}
