//! Lines of a JSONL file: their spans without newline, BOM, and surrounding white space.

use crate::transcript::{Class, Record};
use std::ops::Range;

/// The UTF-8 byte order mark, accepted at the start of a file and kept.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// One non-blank line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Line number in the file, from 1; blank lines count.
    pub number: usize,
    /// Byte range of its text, without newline and surrounding white space.
    pub span: Range<usize>,
}

impl Line {
    /// The line as a record without id and parent.
    pub(in crate::format) fn record<'a>(&self, class: Class<'a>) -> Record<'a> {
        Record { span: self.span.clone(), line: self.number, class, id: None, parent: None }
    }
}

/// Iterates over the non-blank lines of `bytes`.
pub fn lines(bytes: &[u8]) -> impl Iterator<Item = Line> + '_ {
    lines_of(bytes, 0..bytes.len())
}

/// Iterates over the non-blank lines of a piece: line numbers relative to the piece, spans relative to `bytes`.
pub(in crate::format) fn lines_of(bytes: &[u8], piece: Range<usize>) -> impl Iterator<Item = Line> + '_ {
    let mut at = piece.start;
    if at == 0 && bytes.starts_with(BOM) {
        at = BOM.len();
    }
    let own = &bytes[piece.clone()];
    let open = (own.last() != Some(&b'\n')).then_some(piece.end);
    let ends = memchr::memchr_iter(b'\n', own).map(move |end| piece.start + end).chain(open);
    ends.enumerate().filter_map(move |(index, end)| {
        let from = std::mem::replace(&mut at, end + 1).min(end);
        let span = trimmed(bytes, from..end);
        (!span.is_empty()).then_some(Line { number: index + 1, span })
    })
}

/// Splits `bytes` into pieces of whole lines, each of at least `least` bytes except the last.
pub(in crate::format) fn pieces(bytes: &[u8], least: usize) -> Vec<Range<usize>> {
    let (mut pieces, mut start) = (Vec::new(), 0);
    while start < bytes.len() {
        let ends_at = |at: usize| memchr::memchr(b'\n', bytes.get(at..)?).map(|newline| at + newline + 1);
        let end = ends_at(start + least.max(1) - 1).unwrap_or(bytes.len());
        pieces.push(start..end);
        start = end;
    }
    pieces
}

/// The range of the whole line that contains `span`, including its newline.
pub fn whole(bytes: &[u8], span: &Range<usize>) -> Range<usize> {
    let start = memchr::memrchr(b'\n', &bytes[..span.start]).map_or(0, |newline| newline + 1);
    let end = memchr::memchr(b'\n', &bytes[span.end..]).map_or(bytes.len(), |newline| span.end + newline + 1);
    let bom = if start == 0 && bytes.starts_with(BOM) { BOM.len() } else { 0 };
    start + bom..end
}

/// The newline used by the file, judged by its first line.
pub fn newline(bytes: &[u8]) -> &'static str {
    match memchr::memchr(b'\n', bytes) {
        Some(at) if at > 0 && bytes[at - 1] == b'\r' => "\r\n",
        _ => "\n",
    }
}

fn trimmed(bytes: &[u8], span: Range<usize>) -> Range<usize> {
    let text = &bytes[span.clone()];
    let lead = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let trail = text[lead..].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    span.start + lead..span.end - trail
}

/// Converts ascending byte offsets to line numbers, in one pass.
pub(in crate::format) struct LineNumbers<'a> {
    source: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> LineNumbers<'a> {
    /// Starts at the beginning of `source`, whose first line has the number `first_line`.
    pub(in crate::format) fn new(source: &'a [u8], first_line: usize) -> Self {
        Self { source, at: 0, line: first_line }
    }

    /// The number of the line that contains `offset`; an offset before an earlier one gives that one's line.
    pub(in crate::format) fn line_at(&mut self, offset: usize) -> usize {
        let passed = self.source.get(self.at..offset).unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', passed).count();
        self.at = self.at.max(offset);
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_count_but_are_not_given() {
        let found: Vec<_> = lines(b"\xef\xbb\xbf a\r\n\n b").map(|line| (line.number, line.span)).collect();
        assert_eq!(found, [(1, 4..5), (3, 9..10)]);
        assert_eq!(lines(b"a\n").count(), 1);
        assert_eq!(lines(b"").count(), 0);
    }

    #[test]
    fn pieces_are_whole_lines_with_numbers_of_their_own() {
        let bytes = b"\xef\xbb\xbfa\nb\n\n\xef\xbb\xbfc\nd";
        for least in 0..=bytes.len() {
            let (mut found, mut before) = (Vec::new(), 0);
            for piece in pieces(bytes, least) {
                let own = lines_of(bytes, piece.clone());
                found.extend(own.map(|line| Line { number: line.number + before, ..line }));
                before += bytes[piece].iter().filter(|byte| **byte == b'\n').count();
            }
            assert_eq!(found, lines(bytes).collect::<Vec<_>>(), "{least}");
        }
    }

    #[test]
    fn a_whole_line_has_its_newline_and_not_the_bom() {
        let bytes = b"\xef\xbb\xbfa\r\nb";
        assert_eq!(whole(bytes, &(3..4)), 3..6);
        assert_eq!(whole(bytes, &(6..7)), 6..7);
        assert_eq!(newline(bytes), "\r\n");
    }
}
