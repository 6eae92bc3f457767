//! Reads a row: its turns, its system prompt, and the content of each turn.

use super::super::shared::call_text::{self, Call};
use super::super::shared::closing::{self, Piece};
use super::super::shared::elements::document_fields;
use super::super::shared::json::{Json, Object};
use super::super::shared::lines::LineNumbers;
use super::super::shared::message_columns::Columns;
use super::super::shared::{actions, media_columns, message_columns, rows, speakers, synthetic, weights};
use super::super::{ReadError, openai};
use crate::format::shared::slot;
use crate::reason::Reason;
use crate::transcript::{Author, Class, Message, Part, PartKind, Record, Role, Shape, Traits, Transcript};
use std::borrow::Cow;
use std::collections::VecDeque;

/// A row and the positions of its pieces.
pub(super) struct Row<'a> {
    pub(super) fields: Object<'a>,
    pub(super) array: Json<'a>,
    pub(super) elements: Vec<Json<'a>>,
    /// The keys of a turn: for the speaker, and for the content.
    pub(super) keys: (&'static str, &'static str),
    /// The string that holds the system prompt, and whether it is in the first turn.
    pub(super) system: Option<(Json<'a>, bool)>,
}

/// Whether a turn of a row names its speaker in `from`.
pub(in crate::format) fn is_named(row: &Object<'_>) -> bool {
    openai::TURNS.iter().any(|key| row.array(key).is_some_and(|turns| says_from(&turns)))
}

/// Keys of turns, of messages, and of pairs of a question and its answer.
const TURN_KEYS: [&str; 7] = ["from", "value", "role", "content", "human", "user", "assistant"];

/// Those of them that hold words.
const SAID: [&str; 5] = ["value", "content", "human", "user", "assistant"];

/// Whether the elements of a row are rows themselves, and no turns.
fn are_rows(elements: &[Json<'_>]) -> bool {
    let is_row = |object: &Object<'_>| openai::TURNS.iter().any(|key| object.array(key).is_some());
    let is_turn = |object: &Object<'_>| TURN_KEYS.iter().any(|key| object.has(key));
    let mut objects = elements.iter().filter_map(|element| element.object()).peekable();
    objects.peek().is_some() && objects.all(|object| is_row(&object) && !is_turn(&object))
}

/// Whether elements could be turns, or rows that have turns: other exports keep whole conversations under the same key,
/// or turns with their words elsewhere.
pub(super) fn are_turns(elements: Vec<Json<'_>>) -> bool {
    let is_turn = |object: &Object<'_>| SAID.iter().any(|key| object.has(key));
    let is_row = |object: &Object<'_>| {
        object.array("messages").is_some() || openai::TURNS.iter().any(|key| object.array(key).is_some())
    };
    let objects: Vec<_> = elements.into_iter().filter_map(Json::object).collect();
    objects.is_empty() || objects.iter().any(|object| is_turn(object) || is_row(object))
}

fn says_from(turns: &[Json<'_>]) -> bool {
    turns.iter().filter_map(|turn| turn.object()).any(|turn| turn.has("from"))
}

/// The key of the words of turns; the usual one beside `from` or `role`, unless they only have the other one.
fn said_in(turns: &[Json<'_>], named: bool) -> &'static str {
    let (usual, other) = if named { ("value", "content") } else { ("content", "value") };
    let has = |key: &str| turns.iter().filter_map(|turn| turn.object()).any(|turn| turn.has(key));
    if !has(usual) && has(other) { other } else { usual }
}

impl<'a> Row<'a> {
    /// What its columns are read from.
    pub(super) fn columns(&self) -> Columns<'_, 'a> {
        Columns { fields: &self.fields, conversation: self.array, elements: &self.elements }
    }

    pub(super) fn read(source: &'a [u8], line: usize) -> Result<Self, ReadError> {
        let fields = document_fields(source, line)?;
        let found =
            openai::TURNS.iter().find_map(|key| fields.get(key).and_then(|array| Some((array, array.array()?))));
        let (array, elements) = found.ok_or_else(|| rows::missing(line, "conversations"))?;
        if are_rows(&elements) {
            let reason = "rows inside of a row: write each of them on a line of its own (`jq -c '.conversations[]'`)";
            return Err(ReadError { line, column: 1, reason: reason.to_owned() });
        }
        let named = says_from(&elements);
        if !named && openai::has_calls(&fields) {
            let reason = "turns with calls of OpenAI's messages: read it with `--from openai-chat`".to_owned();
            return Err(ReadError { line, column: 1, reason });
        }
        let keys = (if named { "from" } else { "role" }, said_in(&elements, named));
        let mut row = Self { fields, array, elements, keys, system: None };
        row.system = row.system_turn().map(|value| (value, true)).or_else(|| row.system_field().map(|it| (it, false)));
        Ok(row)
    }

    fn system_turn(&self) -> Option<Json<'a>> {
        let turn = self.elements.first()?.object()?;
        let is_system = turn.text(self.keys.0).is_some_and(|from| speakers::role(&from) == Some(Role::System));
        turn.get(self.keys.1).filter(|value| is_system && value.is_string())
    }

    fn system_field(&self) -> Option<Json<'a>> {
        self.fields.get("system").filter(|value| value.is_string())
    }

    /// Whether the first turn is the system prompt.
    pub(super) fn starts_with_system(&self) -> bool {
        self.system.is_some_and(|(_, is_turn)| is_turn)
    }

    /// Instructions and summary of the system prompt.
    pub(super) fn system_pieces(&self, source: &[u8]) -> (Option<Piece<'a>>, Option<Piece<'a>>) {
        let Some((value, _)) = self.system else { return (None, None) };
        let (instructions, summary) = closing::pieces(value, value.span_in(source));
        (instructions.filter(|piece| !piece.span.is_empty()), summary)
    }

    /// The turns after the system prompt.
    pub(super) fn turns(&self) -> &[Json<'a>] {
        self.elements.get(usize::from(self.starts_with_system())..).unwrap_or_default()
    }

    /// Whether the row prefers one answer to another; both are stored beside the conversation.
    pub(super) fn is_prompt(&self) -> bool {
        self.fields.has("chosen") && self.fields.has("rejected")
    }

    /// The texts of a row whose elements each hold a question and its answer.
    fn pairs(&self) -> Option<Vec<(Role, Json<'a>)>> {
        let mut texts: Vec<_> = self.system_field().map(|value| (Role::System, value)).into_iter().collect();
        for element in self.elements.iter().map(|element| element.object()) {
            let pair = element.filter(|pair| !pair.has(self.keys.0))?;
            let sides = [("human", Role::User), ("user", Role::User), ("assistant", Role::Assistant)];
            let found =
                sides.iter().filter_map(|(key, role)| Some((*role, pair.get(key).filter(|it| it.is_string())?)));
            let found: Vec<_> = found.collect();
            if found.is_empty() {
                return None;
            }
            texts.extend(found);
        }
        (!self.elements.is_empty()).then_some(texts)
    }
}

/// Reads a row.
pub(super) fn transcript(source: &[u8], first_line: usize) -> Result<Transcript<'_>, ReadError> {
    let row = Row::read(source, first_line)?;
    if let Some(texts) = row.pairs() {
        return Ok(rows::fixed_row(source, first_line, &texts, Reason::PairedTurns));
    }
    let mut lines = LineNumbers::new(source, first_line);
    let mut reader = Reader { source, keys: row.keys, messages: Vec::new(), open: VecDeque::new() };
    let mut records = Vec::new();
    let (instructions, summary) = row.system_pieces(source);
    for piece in [instructions, summary].into_iter().flatten() {
        let class = Class::Message(reader.messages.len());
        reader.messages.push(Message { record: records.len(), ..piece.message });
        records.push(Record { span: piece.span, line: first_line, class, id: None, parent: None });
    }
    let apart = if row.starts_with_system() { 0 } else { records.len() };
    for (index, &turn) in row.turns().iter().enumerate() {
        let class =
            reader.turn(turn, (records.len(), row.turns().get(index + 1))).map_or(Class::Opaque, Class::Message);
        let span = turn.span_in(source);
        records.push(Record { line: lines.line_at(span.start), span, class, id: None, parent: None });
    }
    let mut messages = reader.messages;
    synthetic::classify(&mut messages, &[]);
    actions::pair(&mut messages);
    let alternates = alternate(&messages, &records);
    let unknown = speakers::any_unknown(&row.elements, row.keys.0, row.is_prompt());
    let fixed = unknown.then_some(Reason::UnknownSpeaker).or_else(|| media_columns::obstacle(&messages, &row.fields));
    message_columns::set_untrained(source, (&mut messages, &records), row.columns());
    let turns = [(row.array, row.elements.len())];
    let fixed = fixed.or_else(|| message_columns::obstacle(&row.fields, &turns));
    let fixed = fixed.or_else(|| message_columns::repeated(&row.fields, &[row.array], &messages));
    let traits = Traits {
        alternates,
        user_summary: true,
        training_row: true,
        apart,
        answered_beside: row.is_prompt(),
        places: media_columns::placeholders(&row.fields),
        fixed,
        ..Traits::default()
    };
    Ok(Transcript { source, records, messages, traits })
}

/// Whether questions (of a human or a tool) and answers alternate, beginning with a question.
pub(super) fn alternate(messages: &[Message<'_>], records: &[Record<'_>]) -> bool {
    records.iter().all(|record| record.class != Class::Opaque) && out_of_turn(messages).is_none()
}

/// The first turn that stands where one of the other side should.
pub(super) fn out_of_turn<'m, 'a>(messages: &'m [Message<'a>]) -> Option<&'m Message<'a>> {
    let mut turns = messages.iter().filter(|message| message.role != Role::System).enumerate();
    turns.find(|(index, turn)| (turn.role == Role::Assistant) != (index % 2 == 1)).map(|(_, turn)| turn)
}

/// Reads turns in order, and tracks the calls that observations answer, as these have no ids.
struct Reader<'a> {
    source: &'a [u8],
    keys: (&'static str, &'static str),
    messages: Vec<Message<'a>>,
    /// Calls of the newest turn that wait for a result: the synthesized id and the tool of each.
    open: VecDeque<(String, String)>,
}

impl<'a> Reader<'a> {
    /// Reads a turn and returns its index; `None` if it is not a turn. `next` is the following value.
    fn turn(&mut self, turn: Json<'a>, (record, next): (usize, Option<&Json<'a>>)) -> Option<usize> {
        let fields = turn.object()?;
        let from = fields.text(self.keys.0)?;
        let role = speakers::role(&from)?;
        let value = fields.get(self.keys.1)?;
        let editable = !fields.has("train_detail");
        let parts = match role {
            Role::Tool => self.result(value, editable, self.is_result(next)),
            Role::Assistant => {
                let calls = match next {
                    _ if speakers::makes_calls(&from) => Calls::Stated,
                    None => Calls::Open,
                    Some(_) => Calls::of_answer(self.is_result(next)),
                };
                self.answer((value, editable), calls)
            }
            Role::System | Role::User => {
                self.open.clear();
                vec![self.part(PartKind::Text, spoken(value), (value, editable))]
            }
        };
        let author = match role {
            Role::System => Author::System,
            Role::User => Author::Person,
            Role::Assistant => Author::Model,
            Role::Tool => Author::Tool,
        };
        let untrained = weights::is_untrained(&fields);
        self.messages.push(Message { role, author, parts, record, untrained, live: true, ..Message::default() });
        Some(self.messages.len() - 1)
    }

    fn is_result(&self, turn: Option<&Json<'a>>) -> bool {
        let from = turn.and_then(|turn| turn.object()?.text(self.keys.0).map(Cow::into_owned));
        from.is_some_and(|from| speakers::role(&from) == Some(Role::Tool))
    }

    fn part(&self, kind: PartKind<'a>, text: Cow<'a, str>, (value, editable): (Json<'a>, bool)) -> Part<'a> {
        let content = (editable && value.is_string()).then_some((value, Shape::Text));
        slot::part(kind, text, slot::within(self.source, value, content))
    }

    /// Reads the content of a model turn: text or reasoning, calls, or both.
    fn answer(&mut self, (value, editable): (Json<'a>, bool), stated: Calls) -> Vec<Part<'a>> {
        self.open.clear();
        let text = spoken(value);
        let (words, calls) = match stated.fill(&text) {
            Some((thought, calls)) => {
                let kind = PartKind::Reasoning { signed: false };
                (thought.map(|thought| (kind, Cow::Owned(thought))), calls)
            }
            None => stated.among(&text).map_or((Some((PartKind::Text, text)), Vec::new()), |(around, calls)| {
                ((!around.is_empty()).then_some((PartKind::Text, Cow::Owned(around))), calls)
            }),
        };
        let editable = editable && calls.is_empty();
        let words = words.map(|(kind, words)| self.part(kind, words, (value, editable)));
        let calls = calls.into_iter().map(|call| self.call(call, value)).collect::<Vec<_>>();
        words.into_iter().chain(calls).collect()
    }

    fn call(&mut self, (name, arguments): Call, value: Json<'a>) -> Part<'a> {
        let id = format!("#{}.{}", self.messages.len(), self.open.len());
        self.open.push_back((id.clone(), name.clone()));
        let kind = PartKind::Call { id: Cow::Owned(id), name: Cow::Owned(name) };
        self.part(kind, Cow::Owned(arguments), (value, false))
    }

    /// Reads a tool result: the last of consecutive results answers all remaining calls.
    fn result(&mut self, value: Json<'a>, editable: bool, more: bool) -> Vec<Part<'a>> {
        let text = spoken(value);
        let first = self.open.pop_front();
        let first = first.unwrap_or_else(|| (format!("#{}", self.messages.len()), String::new()));
        let others = if more { VecDeque::new() } else { std::mem::take(&mut self.open) };
        let pruned = synthetic::is_stub(&text);
        let kind = |(id, tool): (String, String)| PartKind::Result {
            id: Cow::Owned(id),
            tool: (!tool.is_empty()).then_some(Cow::Owned(tool)),
            error: false,
            pruned,
            media: Vec::new(),
        };
        let mut parts = vec![self.part(kind(first), text, (value, editable))];
        parts.extend(others.into_iter().map(|call| self.part(kind(call), Cow::Borrowed(""), (value, false))));
        parts
    }
}

/// Whether JSON that fills a model turn is read as calls, since an answer may well be an object with a `name`.
#[derive(Clone, Copy)]
enum Calls {
    /// The turn's speaker says so: `function_call`.
    Stated,
    /// A result follows, so an object with a tool name and arguments is a call.
    Answered,
    /// Nothing follows: calls between tags may wait for their results.
    Open,
    /// It is text.
    None,
}

impl Calls {
    fn of_answer(is_answered: bool) -> Self {
        if is_answered { Self::Answered } else { Self::None }
    }

    /// Parses the calls that fill a text, and the reasoning before them.
    fn fill(self, text: &str) -> Option<(Option<String>, Vec<Call>)> {
        let plain = || Some((None, call_text::calls(text)?));
        match self {
            Self::Stated => plain().or_else(|| {
                let (thought, calls) = call_text::reasoned(text)?;
                Some(((!thought.is_empty()).then(|| thought.to_owned()), calls))
            }),
            Self::Answered => {
                let stated = plain().filter(|(_, calls)| calls.iter().all(|(_, arguments)| !arguments.is_empty()));
                stated.or_else(|| Some((None, call_text::as_code(text)?)))
            }
            Self::Open | Self::None => None,
        }
    }

    /// Splits a text into words and the calls among them. If the turn is known to call, calls with tags around each
    /// argument and a block at the end count, too.
    fn among(self, text: &str) -> Option<(String, Vec<Call>)> {
        match self {
            Self::Stated | Self::Answered => actions::of_turn(text),
            Self::Open => call_text::open(text),
            Self::None => None,
        }
    }
}

/// The content of a value of any type, as text.
fn spoken(value: Json<'_>) -> Cow<'_, str> {
    value.text().unwrap_or(Cow::Borrowed(if value.is_null() { "" } else { value.raw() }))
}
