//! Rows: lines that hold a whole conversation in `messages`.

use super::json::{Json, Object};
use super::{ReadError, ReadOptions, lines, read_line};
use crate::transcript::{Class, Record, Traits, Transcript};

/// The messages of one line.
pub(super) struct Row<'a> {
    /// The whole line.
    pub(super) whole: Json<'a>,
    /// Its fields.
    pub(super) fields: Object<'a>,
    /// The array.
    pub(super) array: Json<'a>,
    /// Its elements.
    pub(super) elements: Vec<Json<'a>>,
}

/// Reads a line of which `number` is the number.
pub(super) fn row(source: &[u8], number: usize) -> Result<Row<'_>, ReadError> {
    let start = if source.starts_with(lines::BOM) { lines::BOM.len() } else { 0 };
    let whole = read_line(source, &lines::Line { number: 1, span: start..source.len() }, number)?;
    let fields = whole.object().unwrap_or_default();
    match fields.get("messages").and_then(|array| Some((array, array.array()?))) {
        Some((array, elements)) => Ok(Row { whole, fields, array, elements }),
        None => Err(ReadError { line: number, column: 1, reason: "no `messages` array".into() }),
    }
}

/// A line that could not be read, as one record that stays.
pub(super) fn opaque_row(source: &[u8], options: ReadOptions, traits: Traits) -> Transcript<'_> {
    let record =
        Record { span: 0..source.len(), line: options.first_line, class: Class::Opaque, id: None, parent: None };
    Transcript { source, records: vec![record], messages: Vec::new(), traits }
}
