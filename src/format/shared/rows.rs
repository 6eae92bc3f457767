//! Rows: lines, array elements, or whole documents that hold a conversation in one of their fields.

use super::elements::{document, document_fields};
use super::json::{Json, Object};
use super::message_columns::Columns;
use super::slot;
use crate::format::{Layout, ReadError, Sample};
use crate::reason::Reason;
use crate::transcript::{Author, Class, Message, PartKind, Record, Role, Traits, Transcript};

/// One row with its array of messages.
pub(in crate::format) struct Row<'a> {
    /// The row's whole JSON value.
    pub(in crate::format) whole: Json<'a>,
    /// Its fields; empty for a bare array.
    pub(in crate::format) fields: Object<'a>,
    /// The array of messages.
    pub(in crate::format) array: Json<'a>,
    /// The elements of the array.
    pub(in crate::format) elements: Vec<Json<'a>>,
}

impl<'a> Row<'a> {
    /// Whether the row is a bare array of messages.
    pub(in crate::format) fn is_bare(&self) -> bool {
        self.whole.raw().starts_with('[')
    }

    /// What its columns are read from.
    pub(in crate::format) fn columns(&self) -> Columns<'_, 'a> {
        Columns { fields: &self.fields, conversation: self.array, elements: &self.elements }
    }
}

/// Reads a row with a `messages` array, or a bare array of messages. `number` is the line at which `source` starts.
pub(in crate::format) fn row(source: &[u8], number: usize) -> Result<Row<'_>, ReadError> {
    let whole = document(source, number)?;
    let fields = whole.object();
    let array = fields.as_ref().map_or(Some(whole), |fields| fields.get("messages"));
    let fields = fields.unwrap_or_default();
    match array.and_then(|array| Some((array, array.array()?))) {
        Some((array, elements)) => Ok(Row { whole, fields, array, elements }),
        None => Err(missing(number, "messages")),
    }
}

/// Returns the fields of a row. `number` is the line number at which `source` starts.
pub(in crate::format) fn fields(source: &[u8], number: usize) -> Result<Object<'_>, ReadError> {
    document_fields(source, number)
}

/// The error for a row without the array in which its format stores conversations.
pub(in crate::format) fn missing(line: usize, key: &str) -> ReadError {
    ReadError { line, column: 1, reason: format!("no `{key}` array") }
}

/// The layout of a file of rows; `is` tells whether an object is a row.
pub(in crate::format) fn layout(sample: &Sample<'_>, is: impl Fn(&Object<'_>) -> bool) -> Layout {
    match &sample.elements {
        Some(elements) if elements.iter().any(is) => Layout::PerElement(None),
        Some(_) => Layout::Session,
        None if sample.fields.is_some() && sample.records.is_empty() => Layout::Session,
        None => Layout::PerLine,
    }
}

/// The transcript of a row of plain texts that must not be edited, for this `reason`: its texts are only counted and
/// validated.
pub(in crate::format) fn fixed_row<'a>(
    source: &'a [u8],
    line: usize,
    texts: &[(Role, Json<'a>)],
    reason: Reason,
) -> Transcript<'a> {
    let traits = Traits { training_row: true, fixed: Some(reason), ..Traits::default() };
    let mut transcript = Transcript { source, traits, ..Transcript::default() };
    for &(role, value) in texts {
        let index = transcript.records.len();
        let span = value.span_in(source);
        let text = value.text().unwrap_or_default();
        let parts = vec![slot::part(PartKind::Text, text, slot::fixed_at(span.clone()))];
        let author = match role {
            Role::System => Author::System,
            Role::User => Author::Person,
            Role::Assistant => Author::Model,
            Role::Tool => Author::Tool,
        };
        transcript.messages.push(Message { role, author, parts, record: index, live: true, ..Message::default() });
        transcript.records.push(Record { span, line, class: Class::Message(index), id: None, parent: None });
    }
    transcript
}
