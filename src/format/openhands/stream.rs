//! Where the events are stored: as elements of an array, or one per line.

use super::HISTORY;
use crate::format::shared::document::{self, Document};
use crate::format::shared::json::{Json, Object};
use crate::format::shared::lines;
use crate::format::shared::new::New;
use crate::format::shared::record_lines;
use crate::format::{ReadError, ReadOptions, read_line};
use crate::transcript::{Class, EditScript, Patch, Record, Traits, Transcript};

/// Reads the records of a source, all opaque so far, with their values; a line that is not JSON has no value.
///
/// # Errors
/// The document or a line is not JSON, unless `options` are lenient.
pub(super) fn read(source: &[u8], options: ReadOptions) -> Result<(Transcript<'_>, Vec<Option<Json<'_>>>), ReadError> {
    if !is_document(source) {
        return lines_of(source, options);
    }
    match options.forgive(Document::read(source, options.first_line, HISTORY))? {
        Some(document) => {
            let transcript = document.transcript(options.first_line, Traits::default());
            Ok((transcript, document.elements.into_iter().map(Some).collect()))
        }
        None => Ok((document::opaque(source, options, Traits::default()), vec![None])),
    }
}

fn lines_of(source: &[u8], options: ReadOptions) -> Result<(Transcript<'_>, Vec<Option<Json<'_>>>), ReadError> {
    let mut transcript = Transcript { source, ..Transcript::default() };
    let mut values = Vec::new();
    for line in lines::lines(source) {
        values.push(options.forgive(read_line(source, &line, options.first_line))?);
        let number = line.number + options.first_line - 1;
        let record = Record { span: line.span, line: number, class: Class::Opaque, id: None, parent: None };
        transcript.records.push(record);
    }
    Ok((transcript, values))
}

/// The patches that carry out a script: dropped records, new ones, and the patches `inside` kept ones.
pub(super) fn patches(
    transcript: &Transcript<'_>,
    script: &EditScript,
    new: Vec<New>,
    inside: Vec<Patch>,
) -> Vec<Patch> {
    let source = transcript.source;
    if is_document(source) {
        let document = Document::read(source, 1, HISTORY);
        return document.map(|document| document.patches(script, &new, inside)).unwrap_or_default();
    }
    record_lines::edited(transcript, &script.keep, &new, inside)
}

/// The events of one record: the record itself, or those of a pair.
pub(super) fn events(value: Json<'_>) -> Vec<Object<'_>> {
    match value.array() {
        Some(pair) => pair.into_iter().filter_map(Json::object).collect(),
        None => value.object().into_iter().collect(),
    }
}

/// Whether the source is a single event: neither a row nor an array.
pub(super) fn is_lone_event(source: &[u8], transcript: &Transcript<'_>) -> bool {
    transcript.records.len() == 1 && !is_document(source)
}

/// Whether the source is one value: an array, a row, or a value over several lines.
fn is_document(source: &[u8]) -> bool {
    let mut lines = lines::lines(source);
    let Some(first) = lines.next() else { return false };
    let value = |line: &lines::Line| Json::at(source, &line.span);
    let second = lines.next();
    match value(&first) {
        _ if source.get(first.span.start) == Some(&b'[') => true,
        Some(value) => second.is_none() && value.object().is_some_and(|fields| fields.has(HISTORY)),
        None => second.is_none_or(|second| value(&second).is_none()),
    }
}
