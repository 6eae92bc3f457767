//! Splits a file that is one JSON array, or an object that holds one, into elements that are transcripts of their own. The
//! values of an object that maps ids to transcripts are elements, too.

use super::array::Members;
use super::json::{Json, Object};
use super::lines;
use crate::format::{ReadError, read_fields, read_line};
use std::ops::Range;

/// One element of the array, or one value of the object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// The byte offset at which it starts with what belongs to it: a value with its key.
    pub start: usize,
    /// The byte offset at which what is before it ends, of whatever kind that is; its own start if it is the first.
    pub behind: usize,
    /// Number of the line in the file on which it starts, from 1.
    pub line: usize,
    /// Its byte range in the file.
    pub span: Range<usize>,
}

/// Returns the elements of the array that fills a file (white space and a byte order mark aside), or of the array under
/// `key` of the object that fills it; empty if the object has no such field. A dot in the key descends into an object.
/// Without a key, and with one that ends in `.*`, an object may be in the place of the array: those of its values that
/// are arrays or objects are elements.
///
/// # Errors
/// The file is not JSON, or the value is neither an array nor such an object.
pub fn elements(source: &[u8], key: Option<&str>) -> Result<Vec<Element>, ReadError> {
    let whole = document(source, 1)?;
    let fail = |value: Json<'_>, reason: &str| ReadError::at(source, value.span_in(source).start, 1, reason);
    let all = match key {
        None => members(source, (whole, true)).ok_or_else(|| fail(whole, "not an array of conversations"))?,
        Some(key) => {
            let (key, by_ids) = key.strip_suffix(".*").map_or((key, false), |key| (key, true));
            let fields = whole.object().ok_or_else(|| fail(whole, "not an object with conversations"))?;
            let mut inside = key.split('.').skip(1);
            let first = fields.get(key.split('.').next().unwrap_or(key));
            let array = inside.try_fold(first, |value, key| Some(value?.object()?.get(key))).flatten();
            let array = array.filter(|array| !array.is_null());
            let other = |array: Json<'_>| fail(array, &format!("`{key}` is no array"));
            array.map_or(Ok(Vec::new()), |array| members(source, (array, by_ids)).ok_or_else(|| other(array)))?
        }
    };
    let mut lines = lines::LineNumbers::new(source, 1);
    let element = |(start, behind, value): Member<'_>| {
        let span = value.span_in(source);
        Element { start, behind, line: lines.line_at(span.start), span }
    };
    Ok(all.into_iter().map(element).collect())
}

/// The start of a member, the end of the one before it, and its value.
type Member<'a> = (usize, usize, Json<'a>);

/// The elements of an array, or, with `by_ids`, those values of an object that may be transcripts.
fn members<'a>(source: &[u8], (value, by_ids): (Json<'a>, bool)) -> Option<Vec<Member<'a>>> {
    let mut end = None;
    let mut member = |(start, value): (usize, Json<'a>)| {
        let behind = end.replace(value.span_in(source).end).unwrap_or(start);
        (start, behind, value)
    };
    if let Some(elements) = value.array() {
        let starts = elements.into_iter().map(|element| (element.span_in(source).start, element));
        return Some(starts.map(member).collect());
    }
    let object = value.object().filter(|_| by_ids)?;
    let starts = Members::of_object(source, value, &object).starts();
    let fields = starts.into_iter().zip(object.fields().iter().map(|(_, value)| *value));
    Some(fields.map(&mut member).filter(|(.., value)| holds(*value)).collect())
}

/// Whether a value is an array or an object.
pub(in crate::format) fn holds(value: Json<'_>) -> bool {
    value.raw().starts_with(['[', '{'])
}

/// Parses the one JSON value that fills a text (white space and a byte order mark aside). `first_line` is the number
/// of the text's first line.
pub(in crate::format) fn document(source: &[u8], first_line: usize) -> Result<Json<'_>, ReadError> {
    read_line(source, &only_line(source), first_line)
}

/// Like [`document`], but returns the value's fields; empty if it is not an object.
pub(in crate::format) fn document_fields(source: &[u8], first_line: usize) -> Result<Object<'_>, ReadError> {
    read_fields(source, &only_line(source), first_line)
}

/// The fields of a document that was read before: it need not be parsed again, only split.
pub(in crate::format) fn known_fields(source: &[u8]) -> Option<Object<'_>> {
    let text = std::str::from_utf8(source.get(only_line(source).span)?).ok()?;
    Json::known(text).object()
}

/// The whole text, without leading white space and byte order mark, as one line.
fn only_line(source: &[u8]) -> lines::Line {
    let bom = if source.starts_with(lines::BOM) { lines::BOM.len() } else { 0 };
    let text = source.get(bom..).unwrap_or_default();
    let blank = text.get(..text.iter().take_while(|byte| byte.is_ascii_whitespace()).count()).unwrap_or_default();
    let number = 1 + memchr::memchr_iter(b'\n', blank).count();
    lines::Line { number, span: bom + blank.len()..source.len() }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn elements_know_the_line_where_they_start() {
        let source = b"\xef\xbb\xbf\n[ {\n\"a\": 1},\n\n 2,3 ]\n";
        let found: Vec<_> = elements(source, None).unwrap().into_iter().map(|it| (it.line, &source[it.span])).collect();
        assert_eq!(found, [(2, &b"{\n\"a\": 1}"[..]), (5, b"2"), (5, b"3")]);
        assert_eq!(elements(b"[]", None).unwrap(), []);
    }

    #[test]
    fn the_array_may_stand_in_an_object() {
        let spans =
            |source: &[u8]| elements(source, Some("k")).map(|all| all.iter().map(|it| it.line).collect::<Vec<_>>());
        assert_eq!(spans(b"{\"a\": [1],\n\"k\": [2,\n3]}").unwrap(), [2, 3]);
        assert_eq!(spans(b"{\"a\": [1]}").unwrap(), [0usize; 0]);
        let deep = |source: &[u8]| elements(source, Some("k.l")).unwrap().len();
        assert_eq!([deep(b"{\"k\":{\"l\":[1,2]}}"), deep(b"{\"k\":[1]}"), deep(b"{\"l\":[1]}")], [2, 0, 0]);
        assert_eq!(spans(b"{\"k\": null}").unwrap(), [0usize; 0]);
        assert_eq!(spans(b"{\"a\":1,\n \"k\": 7}").map_err(|err| (err.line, err.column)).unwrap_err(), (2, 7));
    }

    #[test]
    fn values_by_their_ids_are_elements_and_start_with_their_key() {
        let source = br#"{"version": 1, "a": {"b": 2},
 "c" : [3], "d": "e"}"#;
        let at =
            |all: Vec<Element>| all.into_iter().map(|it| (it.line, &source[it.start..it.span.end])).collect::<Vec<_>>();
        let found = at(elements(source, None).unwrap());
        assert_eq!(found, [(1, &br#""a": {"b": 2}"#[..]), (2, br#""c" : [3]"#)]);
        assert_eq!(at(elements(source, Some("a.*")).unwrap()), []);
        let place = elements(source, Some("a")).map_err(|err| (err.line, err.column)).unwrap_err();
        assert_eq!(place, (1, 21), "an object is no array");
        assert_eq!(elements(br#"{"a": [1, 2]}"#, Some("a.*")).unwrap().len(), 2);
    }

    #[test]
    fn elements_know_the_end_of_what_is_before_them() {
        let behind = |source: &str| {
            let all = elements(source.as_bytes(), None).unwrap();
            all.into_iter().map(|it| source[it.behind..it.start].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(behind("[ 1 , 2]"), ["", " , "]);
        assert_eq!(behind(r#"{"n":1,"a":[], "m":2 ,"b":[]}"#), [",", " ,"]);
    }

    #[test]
    fn a_broken_array_is_named_by_its_place() {
        let place = |source: &[u8]| elements(source, None).map_err(|err| (err.line, err.column)).unwrap_err();
        assert_eq!(place(b"\n\n[1,\n2,]"), (4, 3));
        assert_eq!(place(b"\n7"), (2, 1));
        assert_eq!(place(b"[1,\n \xff]"), (2, 2));
        assert_eq!(place(b"[1]x"), (1, 4));
    }
}
