//! The beginning of a file as detection looks at it: its first records, or the one document that it is.

use super::json::{Json, Object};
use super::lines;
use std::borrow::Cow;

/// Lines that are looked at.
const LINES: usize = 40;
/// Elements of an array that are looked at.
const ELEMENTS: usize = 20;

/// The beginning of a file, parsed as far as it can be.
#[derive(Debug, Default)]
pub struct Sample<'a> {
    /// Those of the first 40 lines that are JSON objects.
    pub records: Vec<Object<'a>>,
    /// How many lines were looked at, whatever they are.
    pub lines: usize,
    /// The object or array that fills the whole file, if it is one JSON value; of a longer file its beginning.
    pub document: Option<Json<'a>>,
}

impl<'a> Sample<'a> {
    /// Looks at `text`, which is what [`beginning`] makes of a file.
    pub(super) fn new(text: &'a str) -> Self {
        let mut sample = Self::default();
        let mut values = lines::lines(text.as_bytes()).map(|line| text.get(line.span).map(Json::parse));
        let mut first = values.next().flatten();
        let only = values.next().is_none();
        if only || matches!(first, Some(Err(_))) {
            sample.document = Json::parse(text.trim_start_matches('\u{feff}')).ok().filter(|value| is_nested(*value));
        }
        if sample.document.is_some() && !only {
            return sample;
        }
        let rest = lines::lines(text.as_bytes()).skip(1).map(|line| text.get(line.span).map(Json::parse));
        for value in std::iter::once(first.take()).chain(rest).take(LINES) {
            sample.lines += 1;
            sample.records.extend(value.and_then(Result::ok).and_then(Json::object));
        }
        sample
    }

    /// Whether more than half of the lines are records that `is` accepts.
    pub fn most(&self, is: impl Fn(&Object<'_>) -> bool) -> bool {
        2 * self.records.iter().filter(|record| is(record)).count() > self.lines
    }

    /// Whether one of the records is one that `is` accepts.
    pub fn any(&self, is: impl Fn(&Object<'_>) -> bool) -> bool {
        self.records.iter().any(is)
    }

    /// The fields of the document, if it is an object.
    pub fn fields(&self) -> Option<Object<'a>> {
        self.document?.object()
    }

    /// The first elements of the document that are objects, if it is an array.
    pub fn elements(&self) -> Vec<Object<'a>> {
        let elements = self.document.and_then(Json::array).unwrap_or_default();
        elements.into_iter().take(ELEMENTS).filter_map(Json::object).collect()
    }
}

fn is_nested(value: Json<'_>) -> bool {
    value.raw().starts_with(['{', '['])
}

/// What of a file's bytes detection looks at: all of it, or its whole lines, or what stands before its last comma with
/// the brackets closed. Bytes that are no UTF-8 are replaced; reading will report them.
pub(super) fn beginning(bytes: &[u8], complete: bool) -> Cow<'_, str> {
    if complete {
        return String::from_utf8_lossy(bytes);
    }
    let whole = memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
    let first = lines::lines(bytes.get(..whole).unwrap_or_default()).next();
    let is_json = first.and_then(|line| std::str::from_utf8(bytes.get(line.span)?).ok()).is_some_and(parses);
    if is_json {
        return String::from_utf8_lossy(bytes.get(..whole).unwrap_or_default());
    }
    let text = String::from_utf8_lossy(bytes);
    Cow::Owned(closed(&text).unwrap_or_else(|| text.into_owned()))
}

fn parses(text: &str) -> bool {
    Json::parse(text).is_ok()
}

/// A JSON text that was cut somewhere, cut again at its last comma and closed there; `None` without a comma.
fn closed(text: &str) -> Option<String> {
    let (mut quoted, mut escaped) = (false, false);
    let mut open: Vec<char> = Vec::new();
    let mut cut = None;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'{' => open.push('}'),
            b'[' => open.push(']'),
            b'}' | b']' => drop(open.pop()),
            b',' => cut = Some((at, open.len())),
            _ => {}
        }
        if let Some((_, depth)) = cut
            && open.len() < depth
        {
            // The level of the last comma was closed: the closing bracket is as good a place to cut.
            cut = Some((at + 1, open.len()));
        }
    }
    let (at, depth) = cut?;
    let closing: String = open.iter().take(depth).rev().collect();
    Some(format!("{}{closing}", text.get(..at)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_per_record_and_a_document_are_told_apart() {
        let lines = Sample::new("{\"a\":1}\nno json\n\n{\"a\":2}\n");
        assert_eq!((lines.records.len(), lines.lines, lines.document.is_some()), (2, 3, false));
        let document = Sample::new("[\n{\"a\":1},\n{\"b\":2}\n]");
        assert_eq!((document.records.len(), document.elements().len()), (0, 2));
        let single = Sample::new("{\"a\":1}");
        assert_eq!((single.records.len(), single.document.is_some()), (1, true));
    }

    #[test]
    fn only_whole_lines_count_of_a_longer_file() {
        assert_eq!(beginning(b"{\"a\":1}\n{\"b\"", false), "{\"a\":1}\n");
        assert_eq!(beginning(b"{\n \"a\": [1, {\"b\": 2}],\n \"c\": \"x", false), "{\n \"a\": [1, {\"b\": 2}]}");
    }

    proptest! {
        #[test]
        fn the_beginning_of_a_document_is_json(cut in 0usize..75) {
            let text = "{\n\"a\": [1, {\"b\": \"x,\\\"]\", \"c\": [[], {}]}, 2],\n\"d\": {\"e\": null, \"f\": [3, 4]}\n}";
            if let Some(text) = closed(&text[..cut.min(text.len())]) {
                prop_assert!(parses(&text), "{}", text);
            }
        }
    }
}
