//! Repairs of invalid lines that have only one possible meaning.
//!
//! Records on one line: complete objects in a row, whose writer was interrupted or left out a line break; inserting it
//! loses and invents nothing. Backslashes that begin no escape: some tool replaced text in the file without escaping
//! it; doubling them keeps the meaning.

use super::checker::Judged;
use crate::transcript::{Fault, Patch, PatchKind, apply};
use serde::de::IgnoredAny;

/// A repair of invalid lines by insertions.
pub(super) struct Repair {
    /// The rule that such a line breaks.
    pub(super) rule: &'static str,
    /// The offsets of the insertions in an invalid line; empty if they would not make it readable.
    places: fn(&[u8]) -> Vec<usize>,
    insertion: &'static [u8],
}

/// All repairs, in the order in which they are tried.
pub(super) const REPAIRS: &[Repair] = &[
    Repair { rule: "glued_records", places: missing, insertion: b"\n" },
    Repair { rule: "invalid_escape", places: unescaped, insertion: b"\\" },
];

impl Repair {
    /// The repair of an invalid line, if there is one.
    pub(super) fn of(line: &[u8]) -> Option<&'static Self> {
        REPAIRS.iter().find(|repair| !(repair.places)(line).is_empty())
    }

    /// Whether it parts lines.
    pub(super) fn adds_lines(&self) -> bool {
        self.insertion == b"\n"
    }

    /// Whether there is a line to be repaired.
    pub(super) fn is_due(&self, faults: &[Fault]) -> bool {
        faults.iter().any(|fault| fault.rule == self.rule)
    }

    /// The repair of all invalid lines of a transcript, as patches of its source.
    pub(super) fn patches(&self, judged: &Judged<'_>) -> Vec<Patch> {
        let transcript = &judged.transcript;
        let spans = judged.invalid.iter().filter_map(|&at| Some(transcript.records.get(at)?.span.clone()));
        let inserted = spans.flat_map(|span| {
            let line = transcript.source.get(span.clone()).unwrap_or_default();
            (self.places)(line).into_iter().map(move |at| insertion(span.start + at, self.insertion))
        });
        inserted.collect()
    }
}

fn insertion(at: usize, with: &[u8]) -> Patch {
    Patch { span: at..at, with: with.to_vec(), kind: PatchKind::Glue }
}

/// Offsets in an invalid line at which a line break is missing: after each of its objects but the last. Empty if the
/// line has any other content, or is several lines.
fn missing(line: &[u8]) -> Vec<usize> {
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

/// Offsets in an invalid text of backslashes to double: those that begin no escape. Empty if the result would still be
/// neither JSON nor several records.
fn unescaped(text: &[u8]) -> Vec<usize> {
    let (mut found, mut quoted, mut at) = (Vec::new(), false, 0);
    while at < text.len() {
        let next = text.get(at + 1).copied().unwrap_or_default();
        match text[at] {
            b'"' => quoted = !quoted,
            b'\\' if quoted => {
                let hex = |digits: &[u8]| digits.iter().all(u8::is_ascii_hexdigit);
                let escapes =
                    b"\"\\/bfnrt".contains(&next) || next == b'u' && text.get(at + 2..at + 6).is_some_and(hex);
                if escapes {
                    at += 1;
                } else {
                    found.push(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    if found.is_empty() {
        return found;
    }
    let patches: Vec<Patch> = found.iter().map(|at| insertion(*at, b"\\")).collect();
    let text = apply(text, &patches);
    let whole = serde_json::from_slice::<IgnoredAny>(&text).is_ok() || !missing(&text).is_empty();
    if whole { found } else { Vec::new() }
}

/// Maps line numbers after splitting to those before, by the lines that end with an inserted line break.
pub(super) struct LineMap(Vec<usize>);

impl LineMap {
    /// Creates the map for line breaks inserted into a source that begins at this line.
    pub(super) fn of(source: &[u8], newlines: &[Patch], first_line: usize) -> Self {
        let (mut line, mut read) = (first_line, 0);
        let lines = newlines.iter().enumerate().map(|(more, patch)| {
            line += memchr::memchr_iter(b'\n', &source[read..patch.span.start]).count();
            read = patch.span.start;
            line + more
        });
        Self(lines.collect())
    }

    /// The line number in the source for one after splitting.
    pub(super) fn before(&self, line: usize) -> usize {
        line - self.0.partition_point(|parted| *parted < line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{RULES, RuleKind};

    #[test]
    fn every_repair_is_in_the_table_of_rules_as_one() {
        for Repair { rule, .. } in REPAIRS {
            assert_eq!(RuleKind::of(rule), RuleKind::Repairable, "{rule}");
        }
        let all = RULES.iter().filter(|rule| rule.kind == RuleKind::Repairable);
        assert_eq!(all.count(), REPAIRS.len());
    }

    #[test]
    fn lines_are_told_by_where_they_stood() {
        let newline = |at: usize| insertion(at, b"\n");
        let places = LineMap::of(b"{}{}{}\n{}\n{}{}\n{}", &[newline(2), newline(4), newline(12)], 1);
        let lines: Vec<usize> = (1..=7).map(|line| places.before(line)).collect();
        assert_eq!(lines, [1, 1, 1, 2, 3, 3, 4]);
    }

    #[test]
    fn only_backslashes_that_begin_no_escape_are_doubled() {
        assert_eq!(unescaped(br#"{"a":"\* \\ \n","b":"\users"}"#), [6, 21]);
        assert_eq!(unescaped(br#"{"a":1}{"b":"\*"}"#), [13], "the records are parted later");
        for text in [r#"{"a":"\n"}"#, r#"{"a":"\*""#, r#"{"a":\*}"#, ""] {
            assert!(unescaped(text.as_bytes()).is_empty(), "{text}");
        }
    }

    #[test]
    fn only_whole_objects_in_a_row_are_parted() {
        assert_eq!(missing(br#"{"a":"}{"}{"b":1} {"c":2}"#), [10, 17]);
        for line in [r#"{"a":1}{"b":"#, r#"{"a":1}"#, r#"{"a":1}[2]"#, r#"{"a":1}x"#, "1 2", "{}\n{}", ""] {
            assert!(missing(line.as_bytes()).is_empty(), "{line}");
        }
    }
}
