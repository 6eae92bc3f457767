//! Records that share a line: whole objects in a row, whose writer was stopped between the two or left out a newline.
//! A newline between them loses nothing and invents nothing.

use super::checker::Judged;
use crate::transcript::{Patch, PatchKind};
use serde::de::IgnoredAny;
use std::ops::Range;

/// Where newlines are missing in a line that can't be read: behind each of its objects but the last. None where anything
/// else stands in it, or where these are several lines.
pub(super) fn missing(line: &[u8]) -> Vec<usize> {
    if memchr::memchr(b'\n', line).is_some() {
        return Vec::new();
    }
    let mut values = serde_json::Deserializer::from_slice(line).into_iter::<IgnoredAny>();
    let (mut ends, mut start) = (Vec::new(), 0);
    while let Some(value) = values.next() {
        if value.is_err() || !line[start..].trim_ascii_start().starts_with(b"{") {
            return Vec::new();
        }
        start = values.byte_offset();
        ends.push(start);
    }
    ends.pop();
    ends
}

/// The newlines that part the records of a transcript, as patches of its source.
pub(super) fn newlines(judged: &Judged<'_>) -> Vec<Patch> {
    let transcript = &judged.transcript;
    let spans = judged.invalid.iter().filter_map(|&at| Some(transcript.records.get(at)?.span.clone()));
    spans.flat_map(|span| of_line(transcript.source, span)).collect()
}

fn of_line(source: &[u8], span: Range<usize>) -> impl Iterator<Item = Patch> {
    let ends = missing(source.get(span.clone()).unwrap_or_default());
    ends.into_iter().map(move |end| Patch {
        span: span.start + end..span.start + end,
        with: b"\n".to_vec(),
        kind: PatchKind::Glue,
    })
}

/// Where lines of the parted transcript stood before: its lines that end with a newline that was put in.
pub(super) struct Places(Vec<usize>);

impl Places {
    /// Those of newlines that were put into a source that begins with this line.
    pub(super) fn of(source: &[u8], newlines: &[Patch], first_line: usize) -> Self {
        let (mut line, mut read) = (first_line, 0);
        let lines = newlines.iter().enumerate().map(|(more, patch)| {
            line += memchr::memchr_iter(b'\n', &source[read..patch.span.start]).count();
            read = patch.span.start;
            line + more
        });
        Self(lines.collect())
    }

    /// The line in the source of a line of what it became.
    pub(super) fn before(&self, line: usize) -> usize {
        line - self.0.partition_point(|parted| *parted < line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_by_where_they_stood() {
        let newline = |at: usize| Patch { span: at..at, with: b"\n".to_vec(), kind: PatchKind::Glue };
        let places = Places::of(b"{}{}{}\n{}\n{}{}\n{}", &[newline(2), newline(4), newline(12)], 1);
        let lines: Vec<usize> = (1..=7).map(|line| places.before(line)).collect();
        assert_eq!(lines, [1, 1, 1, 2, 3, 3, 4]);
    }

    #[test]
    fn only_whole_objects_in_a_row_are_parted() {
        assert_eq!(missing(br#"{"a":"}{"}{"b":1} {"c":2}"#), [10, 17]);
        for line in [r#"{"a":1}{"b":"#, r#"{"a":1}"#, r#"{"a":1}[2]"#, r#"{"a":1}x"#, "1 2", "{}\n{}", ""] {
            assert!(missing(line.as_bytes()).is_empty(), "{line}");
        }
    }
}
