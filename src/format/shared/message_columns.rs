//! Columns of a training row with one entry per message, or per answer (`loss_mask`, `weights`, `rewards`). Trainers read
//! them in parallel with the messages, so entries are removed with their messages, and new messages get a neutral entry.
//! Lists with other names but as many entries are never edited, as their meaning is unknown.

use super::array::Members;
use super::json::{Json, Object};
use super::new::New;
use super::speakers;
use super::tied_columns::{has_tied, has_tokens};
use super::weights::{is_zero, zero_like};
use crate::reason::Reason;
use crate::transcript::columns::{
    Keys, MESSAGE_FIELDS, OTHER_COLUMNS, grades, holds_answers, is_of_messages, is_of_messages_alike,
    may_be_of_messages, weighs,
};
use crate::transcript::{Author, Message, Patch, PatchKind, Record, Role};
use std::borrow::Cow;

/// A column with one entry per message or per answer.
struct Column<'a> {
    name: &'a str,
    value: Json<'a>,
    entries: Vec<Json<'a>>,
    /// The messages of the entries; `None`: there is one entry per message.
    answers: Option<Vec<usize>>,
}

impl Column<'_> {
    /// The entry for a new message: 0, `false`, or `null` if all are, or if it would be a grade; `None` if it can't be
    /// determined.
    fn neutral(&self) -> Option<&'static str> {
        if self.answers.is_some() && grades(self.name) {
            return Some("null");
        }
        if !weighs(self.name) {
            return None;
        }
        let told: Vec<&str> = self.entries.iter().filter(|entry| !entry.is_null()).map(|entry| entry.raw()).collect();
        if told.is_empty() { Some("null") } else { zero_like(&told) }
    }

    /// The message of an entry.
    fn message(&self, entry: usize) -> usize {
        self.answers.as_ref().map_or(Some(entry), |answers| answers.get(entry).copied()).unwrap_or(usize::MAX)
    }

    /// The entries for new messages.
    fn added(&self, new: &[New], neutral: &str) -> Vec<New> {
        let entry = |before: usize| New { before, text: neutral.to_owned() };
        match &self.answers {
            None => new.iter().map(|new| entry(new.before)).collect(),
            Some(answers) => {
                let new = new.iter().filter(|new| Object::parse(&new.text).is_some_and(|message| is_answer(&message)));
                new.map(|new| entry(answers.partition_point(|answer| *answer < new.before))).collect()
            }
        }
    }
}

/// Whether a message or turn is the model's.
fn is_answer(message: &Object<'_>) -> bool {
    speakers::speaker(message) == Some(Role::Assistant)
}

/// The indices of the model's messages.
fn answers(conversation: Json<'_>) -> Vec<usize> {
    let all = conversation.array().unwrap_or_default().into_iter().enumerate();
    all.filter(|(_, message)| message.object().is_some_and(|message| is_answer(&message))).map(|(at, _)| at).collect()
}

/// The columns beside these conversations that have exactly one entry for each of its `messages`, or for each answer in
/// the first of them.
fn columns<'f, 'a>(fields: &'f Object<'a>, conversations: &[Json<'a>], messages: usize) -> Vec<Column<'f>>
where
    'a: 'f,
{
    let is_message = |entry: &Json<'_>| {
        entry.raw().starts_with('{')
            && entry.object().is_some_and(|fields| MESSAGE_FIELDS.iter().any(|field| fields.has(field)))
    };
    let own = |value: &Json<'_>| conversations.iter().any(|own| std::ptr::eq(own.raw(), value.raw()));
    // Lists that can't be such a column by their name are not parsed at all.
    let may_be = |name: &str| may_be_of_messages(name, messages);
    let beside =
        fields.fields().iter().filter(|(name, value)| value.raw().starts_with('[') && may_be(name) && !own(value));
    let mut said = None;
    let found = beside.filter_map(|(name, value)| {
        let entries = value.array().filter(|entries| entries.len() <= messages && !entries.iter().any(is_message))?;
        let numbers = entries.iter().all(|entry| !entry.raw().starts_with(['"', '{', '[']));
        let column = |answers| Column { name, value: *value, entries: entries.clone(), answers };
        if entries.len() == messages {
            let alike = || is_of_messages_alike(name, entries.iter().map(keys));
            return (is_of_messages(name, messages, numbers) || alike()).then(|| column(None));
        }
        // One entry per answer is only known of numbers with a telling name.
        let tells = numbers && (weighs(name) || grades(name)) && is_of_messages(name, entries.len(), true);
        let said = tells.then(|| said.get_or_insert_with(|| conversations.first().map(|it| answers(*it))).as_ref());
        let said = said.flatten().filter(|said| said.len() == entries.len());
        said.cloned().map(|said| column(Some(said)))
    });
    found.collect()
}

/// The keys of an entry that is an object.
fn keys(entry: &Json<'_>) -> Option<Keys> {
    let fields = entry.object()?;
    let numbers = fields.fields().iter().all(|(_, value)| !value.raw().starts_with(['"', '{', '[']));
    Some(Keys { names: fields.fields().iter().map(|(key, _)| key.to_string()).collect(), numbers })
}

/// A row and its only conversation.
#[derive(Clone, Copy)]
pub(in crate::format) struct Columns<'r, 'a> {
    /// The fields of the row.
    pub(in crate::format) fields: &'r Object<'a>,
    /// The one with the messages.
    pub(in crate::format) conversation: Json<'a>,
    /// The messages.
    pub(in crate::format) elements: &'r [Json<'a>],
}

/// The patches that remove the entries of dropped messages and insert those of new ones.
pub(in crate::format) fn patches(
    source: &[u8],
    Columns { fields, conversation, elements }: Columns<'_, '_>,
    keep: impl Fn(usize) -> bool,
    new: &[New],
) -> Vec<Patch> {
    let of_column = |column: Column<'_>| {
        let new = column.added(new, column.neutral()?);
        let members = Members::of_array(source, column.value, &column.entries);
        Some(members.patches(|entry| keep(column.message(entry)), &new, PatchKind::Relink))
    };
    let of_all = columns(fields, &[conversation], elements.len()).into_iter().filter_map(of_column).flatten();
    of_all.map(|patch| Patch { kind: PatchKind::Relink, ..patch }).collect()
}

/// Marks the messages that a weighing column excludes from training: its entry for them is 0 or `false`.
pub(in crate::format) fn set_untrained(
    source: &[u8],
    (messages, records): (&mut [Message<'_>], &[Record<'_>]),
    Columns { fields, conversation, elements }: Columns<'_, '_>,
) {
    let weighing = columns(fields, &[conversation], elements.len()).into_iter().filter(|column| weighs(column.name));
    let mut excluded = vec![false; elements.len()];
    for column in weighing {
        for (entry, _) in column.entries.iter().enumerate().filter(|(_, entry)| is_zero(**entry)) {
            excluded.get_mut(column.message(entry)).into_iter().for_each(|flag| *flag = true);
        }
    }
    if !excluded.contains(&true) {
        return;
    }
    let spans: Vec<_> = elements.iter().map(|element| element.span_in(source)).collect();
    for message in messages.iter_mut() {
        let start = records.get(message.record).map_or(usize::MAX, |record| record.span.start);
        let element = spans.partition_point(|span| span.end <= start);
        let within = spans.get(element).is_some_and(|span| span.contains(&start));
        message.untrained |= within && excluded.get(element) == Some(&true);
    }
}

/// The text of a turn, or of its first block; `None` if it is no turn.
fn said<'a>(turn: Json<'a>) -> Option<Cow<'a, str>> {
    let turn = turn.object().filter(|turn| turn.has("role") || turn.has("from"))?;
    let said = ["content", "value", "parts"].iter().find_map(|key| turn.get(key))?;
    let blocks = || said.array()?.into_iter().find_map(|block| block.object()?.text("text"));
    said.text().or_else(blocks)
}

/// The number of first messages of a column that are compared with those of the row.
const FIRST: usize = 4;

/// Why a row may not be edited: another column holds the same conversation once more, and would still hold all of it.
pub(in crate::format) fn repeated(fields: &Object<'_>, own: &[Json<'_>], messages: &[Message<'_>]) -> Option<Reason> {
    if is_tokenized(fields) || has_tokens(fields, messages.len()) {
        return Some(Reason::ConversationTwice);
    }
    let asked = messages.iter().find(|message| message.role == Role::User)?.text();
    let repeats = |value: &Json<'_>| {
        let turns = value.array().filter(|turns| turns.len() > 1).unwrap_or_default().into_iter().take(FIRST);
        turns.filter_map(said).any(|text| text.trim() == asked.trim())
    };
    let is_own = |value: &Json<'_>| own.iter().any(|own| std::ptr::eq(own.raw(), value.raw()));
    let lists = fields.fields().iter().filter(|(name, _)| !OTHER_COLUMNS.contains(&&**name)).map(|(_, value)| value);
    let mut lists = lists.filter(|value| value.raw().starts_with('[') && value.raw().contains('{') && !is_own(value));
    let twice = !asked.trim().is_empty() && (lists.any(repeats) || written_out(fields, own, (&asked, messages)));
    twice.then_some(Reason::ConversationTwice)
}

/// Least length in bytes of a question, and of an answer, that no column holds by chance.
const LEAST_SAID: usize = 30;

/// Whether a column holds the first question, the answer behind it, and the last one word for word, in a text or in
/// several.
fn written_out(fields: &Object<'_>, own: &[Json<'_>], (asked, messages): (&str, &[Message<'_>])) -> bool {
    let answers = messages.iter().filter(|message| message.author == Author::Model).map(Message::text);
    let mut answers = answers.into_iter().filter(|text| !text.trim().is_empty());
    let Some(first) = answers.next() else { return false };
    let last = answers.next_back();
    let (asked, answer, last) = (asked.trim(), first.trim(), last.as_deref().unwrap_or_default().trim());
    if asked.len().min(answer.len()) < LEAST_SAID {
        return false;
    }
    let is_own = |value: &Json<'_>| {
        let span = |json: &Json<'_>| json.raw().as_bytes().as_ptr_range();
        own.iter().any(|own| span(value).start <= span(own).start && span(own).end <= span(value).end)
    };
    let holds = |value: Json<'_>| {
        let mut found = [false; 3];
        visit(value, &mut |text| {
            let behind = text.find(asked).map(|at| &text[at + asked.len()..]);
            found[0] |= behind.is_some();
            found[1] |= behind.unwrap_or(text).contains(answer);
            found[2] |= text.contains(last);
        });
        found == [true; 3]
    };
    let columns = fields.fields().iter().filter(|(name, value)| !holds_answers(name) && !is_own(value));
    let mut long = columns.map(|(_, value)| *value).filter(|value| value.raw().len() >= asked.len() + answer.len());
    long.any(holds)
}

/// Passes every text inside a value to `see`.
fn visit(value: Json<'_>, see: &mut dyn FnMut(&str)) {
    if let Some(text) = value.text() {
        return see(&text);
    }
    if let Some(all) = value.array() {
        return all.into_iter().for_each(|value| visit(value, see));
    }
    value.object().unwrap_or_default().fields().iter().for_each(|(_, value)| visit(*value, see));
}

/// Whether the row holds the numbers of its tokens, which a trainer reads instead of the messages.
fn is_tokenized(fields: &Object<'_>) -> bool {
    let is_list = |key: &str| fields.get(key).is_some_and(|ids| ids.raw().starts_with('[') && ids.holds_something());
    is_list("input_ids") && ["labels", "attention_mask"].into_iter().any(is_list)
}

/// Why a row may not be edited: a column seems to have one entry per message, but no neutral entry for a new message
/// is known, or several conversations may be the one it belongs to; or a list goes with the messages in another way.
pub(in crate::format) fn obstacle(fields: &Object<'_>, conversations: &[(Json<'_>, usize)]) -> Option<Reason> {
    let all: Vec<Json<'_>> = conversations.iter().map(|(array, _)| *array).collect();
    let fixed = |&(_, messages): &(Json<'_>, usize)| {
        columns(fields, &all, messages).iter().any(|column| all.len() > 1 || column.neutral().is_none())
    };
    (conversations.iter().any(fixed) || has_tied(fields, &all)).then_some(Reason::ColumnOfMessages)
}
