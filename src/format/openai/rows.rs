//! Conversations of OpenAI messages in a field of a row: one implementation for all formats, which differ in the field.
//!
//! Trainers read rows, so no keys of epitome are added, and fields beside the messages are kept.

use super::super::detect::Evidence;
use super::super::shared::array::Members;
use super::super::shared::elements;
use super::super::shared::json::{Json, Object};
use super::super::shared::lines::LineNumbers;
use super::super::shared::new::New;
use super::super::shared::{document, media_columns, message_columns, part_edits, rows, speakers};
use super::super::{Fault, Format, Layout, Marks, ReadError, ReadOptions, Sample};
use super::prompt::{self, Places, Prompt};
use super::render::{Style, styled_messages};
use super::{Reader, faults, mend};
use crate::format::shared::message_columns::Columns;
use crate::reason::Reason;
use crate::transcript::columns::answers_of;
use crate::transcript::{
    Class, EditScript, InsertKind, Message, Patch, PatchKind, Record, Role, SummaryRole, Traits, Transcript,
};
use std::borrow::Cow;

/// A format that stores conversations in rows.
pub(crate) struct ChatRows {
    /// Its stable name.
    pub(crate) name: &'static str,
    /// The field that must be there, for the error message.
    pub(crate) key: &'static str,
    /// The field of a document that may hold the rows.
    pub(crate) within: Option<&'static str>,
    /// Returns the evidence that a file is of this format.
    pub(crate) evidence: fn(&Sample<'_>) -> Option<Evidence>,
    /// Finds the conversation among the fields of a row.
    pub(crate) find: for<'a> fn(Object<'a>) -> Option<Content<'a>>,
}

/// The conversation of a row.
pub(crate) enum Content<'a> {
    /// Messages.
    Turns(Turns<'a>),
    /// Texts that are not divided into messages, and the reason for not editing them.
    Flat(Vec<(Role, Json<'a>)>, Reason),
}

/// The messages of a row that may be edited.
pub(crate) struct Turns<'a> {
    /// The fields of the row.
    fields: Object<'a>,
    /// The array that is read, followed by others that begin with the same messages and must continue to.
    arrays: Vec<Array<'a>>,
    /// How many of the messages may be edited.
    count: usize,
    /// The answers to them are stored elsewhere in the row.
    prompt: bool,
}

struct Array<'a> {
    value: Json<'a>,
    elements: Vec<Json<'a>>,
}

impl<'a> Array<'a> {
    fn new(value: Json<'a>) -> Option<Self> {
        Some(Self { value, elements: value.array()? })
    }

    /// Whether a message answers an earlier call, or continues the calls there.
    fn goes_on_with_calls(&self, index: usize) -> bool {
        let name = |index: usize| self.elements.get(index)?.object()?.text("role").map(Cow::into_owned);
        let role = |index: usize| speakers::role(&name(index)?);
        let calls = || name(index).is_some_and(|name| speakers::makes_calls(&name));
        let behind_answer = || index.checked_sub(1).and_then(role) == Some(Role::Assistant);
        role(index) == Some(Role::Tool) || (calls() && behind_answer())
    }
}

impl<'a> Turns<'a> {
    /// All messages of one array.
    pub(crate) fn all(fields: Object<'a>, array: Json<'a>) -> Option<Self> {
        let array = Array::new(array)?;
        Some(Self { fields, count: array.elements.len(), arrays: vec![array], prompt: false })
    }

    /// The messages of a prompt, except calls that are answered only in one of the answers that rows of the `format` have.
    pub(crate) fn prompt(fields: Object<'a>, array: Json<'a>, format: &str) -> Option<Self> {
        let mut answers = answers_of(format).filter_map(|column| Array::new(fields.get(column.name)?));
        let goes_on = answers.any(|answer| answer.goes_on_with_calls(0));
        let mut turns = Self { prompt: true, ..Self::all(fields, array)? };
        if goes_on {
            turns.count = turns.before_open_call(turns.count.saturating_sub(1));
        }
        Some(turns)
    }

    /// The messages with which several arrays all begin; at least one message of each is its answer.
    pub(crate) fn shared(fields: Object<'a>, keys: &[&str]) -> Option<Self> {
        let arrays: Vec<_> = keys.iter().map(|key| Array::new(fields.get(key)?)).collect::<Option<_>>()?;
        let most = arrays.iter().map(|array| array.elements.len()).min()?.saturating_sub(1);
        let raw = |array: &Array<'a>, at: usize| array.elements.get(at).map(|element| element.raw());
        let (first, others) = arrays.split_first()?;
        let same = (0..most).take_while(|&at| others.iter().all(|other| raw(other, at) == raw(first, at))).count();
        let mut turns = Self { fields, arrays, count: same, prompt: true };
        turns.count = turns.before_open_call(same);
        Some(turns)
    }

    /// The messages of a file that is a bare array.
    pub(crate) fn bare(source: &'a [u8]) -> Option<Self> {
        let start = source
            .iter()
            .position(|byte| !byte.is_ascii_whitespace() && !super::super::shared::lines::BOM.contains(byte));
        let opens = start.and_then(|at| source.get(at)) == Some(&b'[');
        Self::all(Object::default(), opens.then(|| elements::document(source, 1).ok()).flatten()?)
    }

    /// The last place up to `count` that is not followed by results of earlier calls, or by more calls of one answer.
    fn before_open_call(&self, mut count: usize) -> usize {
        while count > 0 && self.arrays.iter().any(|array| array.goes_on_with_calls(count)) {
            count -= 1;
        }
        count
    }

    fn elements(&self) -> &[Json<'a>] {
        let all = self.arrays.first().map(|array| &array.elements[..]).unwrap_or_default();
        all.get(..self.count).unwrap_or(all)
    }

    /// Reads the messages.
    ///
    /// # Errors
    /// One of them has calls or results in another format's form.
    pub(crate) fn read(
        &self,
        source: &'a [u8],
        first_line: usize,
        traits: Traits,
    ) -> Result<Transcript<'a>, ReadError> {
        let mut reader = Reader::new(source);
        let mut lines = LineNumbers::new(source, first_line);
        let mut records = Vec::with_capacity(self.count);
        let mut prompt = Prompt::find(source, self.elements());
        for (index, &value) in self.elements().iter().enumerate() {
            if let Some(prompt) = prompt.take_if(|prompt| prompt.at == index) {
                let line = lines.line_at(value.span_in(source).start);
                for piece in [Some(prompt.instructions), prompt.summary].into_iter().flatten() {
                    let class = Class::Message(reader.add(piece.message, records.len()));
                    records.push(Record { line, span: piece.span, class, id: None, parent: None });
                }
                continue;
            }
            let class = reader.read(value, records.len()).map_or(Class::Opaque, Class::Message);
            let span = value.span_in(source);
            records.push(Record { line: lines.line_at(span.start), span, class, id: None, parent: None });
        }
        if let Some(foreign) = reader.foreign() {
            let line = records.get(foreign.record).map_or(first_line, |record: &Record<'_>| record.line);
            return Err(foreign.error(line));
        }
        let unread = reader.obstacle();
        let mut messages = reader.finish();
        if let [array] = &self.arrays[..] {
            let row = Columns { fields: &self.fields, conversation: array.value, elements: &array.elements };
            message_columns::set_untrained(source, (&mut messages, &records), row);
        }
        let unknown = traits.training_row && speakers::any_unknown(self.elements(), "role", self.prompt);
        let unknown = unknown.then_some(Reason::UnknownSpeaker);
        let fixed = unknown.or(unread).or_else(|| media_columns::obstacle(&messages, &self.fields));
        let arrays = || self.arrays.iter().map(|array| (array.value, array.elements.len())).collect::<Vec<_>>();
        let fixed = fixed.or_else(|| message_columns::obstacle(&self.fields, &arrays()));
        let places = media_columns::placeholders(&self.fields);
        let traits = Traits { fixed, answered_beside: self.prompt, places, ..traits };
        Ok(Transcript { source, records, messages, traits })
    }

    /// Why the row may not be edited: another column holds the same conversation once more.
    fn repeated(&self, messages: &[Message<'_>]) -> Option<Reason> {
        let own: Vec<_> = self.arrays.iter().map(|array| array.value).collect();
        message_columns::repeated(&self.fields, &own, messages)
    }

    /// Turns an edit script into patches.
    pub(crate) fn render(&self, transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
        let at = Places::of(transcript.source, self.elements());
        let keeps = |record: usize| script.keeps(record);
        let stays = |index: usize| index >= self.count || keeps(at.record(index));
        let (new, in_prompt) = self.new_messages(transcript, script, at);
        let mut patches = media_columns::patches(transcript, &self.fields, &script.keep);
        if let [array] = &self.arrays[..] {
            let row = Columns { fields: &self.fields, conversation: array.value, elements: &array.elements };
            patches.extend(message_columns::patches(transcript.source, row, stays, &new));
        }
        for array in &self.arrays {
            let members = Members::of_array(transcript.source, array.value, &array.elements);
            patches.extend(members.patches(stays, &new, PatchKind::Drop));
            let editable = array.elements.get(..self.count).unwrap_or_default();
            patches.extend(prompt::patches(transcript.source, editable, (script, in_prompt.as_deref())));
            for (index, message) in transcript.messages.iter().enumerate().filter(|(_, message)| keeps(message.record))
            {
                let element = array.elements.get(at.message(message.record));
                let here = element.map(|element| element.span_in(transcript.source).start);
                let there = transcript.record_of(index).span.start;
                let parts = part_edits::patches(transcript, script, index).into_iter();
                patches.extend(parts.filter_map(|patch| moved(patch, there, here?)));
            }
        }
        Patch::in_order(patches)
    }

    /// The messages that a script adds, and the text that it appends to the system prompt.
    fn new_messages(&self, transcript: &Transcript<'_>, script: &EditScript, at: Places) -> (Vec<New>, Option<String>) {
        let style = Style::of(self.elements());
        let (mut new, mut in_prompt) = (Vec::new(), None);
        for insert in &script.inserts {
            let mut kind = self.without_places(&insert.kind);
            if let InsertKind::Summary { text, role: role @ (SummaryRole::Auto | SummaryRole::User), .. } = &mut kind {
                let mut kept = transcript.messages.iter().filter(|it| script.keeps(it.record));
                let next = kept.find(|message| message.record >= insert.before);
                let answered = next.is_some_and(|next| next.role == Role::Assistant);
                *role = if answered { SummaryRole::User } else { SummaryRole::System };
                if !answered && prompt::holds(transcript.source, self.elements(), script) {
                    in_prompt = Some(std::mem::take(text));
                    continue;
                }
            }
            let texts = styled_messages(&kind, &style).into_iter();
            new.extend(texts.map(|text| New { before: at.message(insert.before), text }));
        }
        (new, in_prompt)
    }

    fn without_places(&self, kind: &InsertKind) -> InsertKind {
        let mut kind = kind.clone();
        let (InsertKind::Summary { text, .. } | InsertKind::Continuation { text, .. }) = &mut kind;
        *text = media_columns::without_places(text, &self.fields);
        kind
    }
}

/// Moves a patch inside the message at offset `from` to the same message at offset `to`.
fn moved(patch: Patch, from: usize, to: usize) -> Option<Patch> {
    let place = |at: usize| at.checked_sub(from).map(|inside| inside + to);
    Some(Patch { span: place(patch.span.start)?..place(patch.span.end)?, ..patch })
}

/// The fault of a prompt that ends with an answer.
fn ends_on_answer(transcript: &Transcript<'_>) -> Option<Fault> {
    let last = transcript.messages.last().filter(|last| last.role == Role::Assistant)?;
    Some(transcript.fault(last.record, "prompt_ends_on_answer", ""))
}

impl ChatRows {
    fn content<'a>(&self, source: &'a [u8], line: usize) -> Result<Content<'a>, ReadError> {
        (self.find)(rows::fields(source, line)?).ok_or_else(|| rows::missing(line, self.key))
    }

    /// The conversation of a row that was read.
    fn known_content<'a>(&self, transcript: &Transcript<'a>) -> Option<Content<'a>> {
        // Only of a row without messages it is open whether it could be parsed.
        if transcript.messages.is_empty() {
            return self.content(transcript.source, 1).ok();
        }
        (self.find)(elements::known_fields(transcript.source)?)
    }
}

impl Format for ChatRows {
    fn name(&self) -> &'static str {
        self.name
    }

    fn layout(&self) -> Layout {
        Layout::PerLine
    }

    fn layout_of(&self, sample: &Sample<'_>) -> Layout {
        let outer = self.key.split('.').next().unwrap_or(self.key);
        let is_row = |fields: &Object<'_>| fields.has(outer);
        if self.within.is_some() && sample.fields.as_ref().is_some_and(|fields| !is_row(fields)) {
            return Layout::PerElement(self.within);
        }
        rows::layout(sample, |row| row.has(outer) || !row.has("role"))
    }

    fn evidence(&self, sample: &Sample<'_>) -> Option<Evidence> {
        (self.evidence)(sample)
    }

    fn read<'a>(&self, source: &'a [u8], options: ReadOptions) -> Result<Transcript<'a>, ReadError> {
        let traits = Traits { training_row: true, ..Traits::default() };
        let read = self.content(source, options.first_line).and_then(|content| match content {
            Content::Turns(turns) => {
                let mut read = turns.read(source, options.first_line, traits.clone())?;
                read.traits.fixed = read.traits.fixed.or_else(|| turns.repeated(&read.messages));
                Ok(read)
            }
            Content::Flat(texts, reason) => Ok(rows::fixed_row(source, options.first_line, &texts, reason)),
        });
        Ok(options.forgive(read)?.unwrap_or_else(|| document::opaque(source, options, traits)))
    }

    fn render(&self, transcript: &Transcript<'_>, script: &EditScript, _: &Marks<'_>) -> Vec<Patch> {
        match self.known_content(transcript) {
            Some(Content::Turns(turns)) if transcript.traits.fixed.is_none() => turns.render(transcript, script),
            _ => Vec::new(),
        }
    }

    fn faults(&self, transcript: &Transcript<'_>) -> Vec<Fault> {
        if transcript.traits.fixed == Some(Reason::FlatText) {
            return Vec::new();
        }
        let mut faults = faults(transcript);
        if let Some(Content::Turns(turns)) = self.known_content(transcript) {
            faults.extend(media_columns::faults(transcript, &turns.fields));
            if turns.prompt {
                faults.retain(|fault| fault.rule != "no_assistant");
            }
            // The common beginning of two conversations may end anywhere.
            let is_whole = turns.arrays.iter().all(|array| array.elements.len() == turns.count);
            if turns.prompt && turns.arrays.len() == 1 && is_whole {
                faults.extend(ends_on_answer(transcript));
            }
        }
        faults.sort();
        faults
    }

    fn mend(&self, transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
        mend(transcript, faults, script);
        Vec::new()
    }
}
