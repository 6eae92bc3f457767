//! Repairs of invalid lines.
//!
//! Records on one line: complete objects in a row, whose writer was interrupted or left out a line break; inserting it
//! loses and invents nothing. Backslashes that begin no escape: some tool replaced text in the file without escaping
//! it; doubling them keeps the meaning. Where neither makes a line readable, whole records in it that surely are none of
//! another's text are kept, and what is torn is dropped.

use super::checker::Judged;
use crate::transcript::{Fault, Patch, PatchKind, apply};
use serde::de::IgnoredAny;
use std::ops::Range;

/// A repair of invalid lines.
pub(super) struct Repair {
    /// The rule that such a line breaks.
    pub(super) rule: &'static str,
    /// The patches of an invalid line; empty if they would not make it readable.
    repair: fn(&[u8]) -> Vec<Patch>,
    /// Whether it may part lines.
    pub(super) adds_lines: bool,
}

/// All repairs, in the order in which they are tried.
pub(super) const REPAIRS: &[Repair] = &[
    Repair { rule: "glued_records", repair: parted, adds_lines: true },
    Repair { rule: "invalid_escape", repair: unescaped, adds_lines: false },
];

impl Repair {
    /// The repair of an invalid line, if there is one.
    pub(super) fn of(line: &[u8]) -> Option<&'static Self> {
        REPAIRS.iter().find(|repair| !(repair.repair)(line).is_empty())
    }

    /// Whether there is a line to be repaired.
    pub(super) fn is_due(&self, faults: &[Fault]) -> bool {
        faults.iter().any(|fault| fault.rule == self.rule)
    }

    /// The repair of all invalid lines of a transcript, as patches of its source.
    pub(super) fn patches(&self, judged: &Judged<'_>) -> Vec<Patch> {
        let transcript = &judged.transcript;
        let spans = judged.invalid.iter().filter_map(|&at| Some(transcript.records.get(at)?.span.clone()));
        let patches = spans.flat_map(|span| {
            let line = transcript.source.get(span.clone()).unwrap_or_default();
            (self.repair)(line)
                .into_iter()
                .map(move |patch| Patch { span: span.start + patch.span.start..span.start + patch.span.end, ..patch })
        });
        patches.collect()
    }
}

fn insertion(at: usize, with: &[u8]) -> Patch {
    Patch { span: at..at, with: with.to_vec(), kind: PatchKind::Glue }
}

/// The patches that leave the whole objects of an invalid line, each on a line of its own. What is torn is dropped if
/// nothing else makes it readable. Empty if there is no object, or another JSON value, or the text is several lines.
fn parted(line: &[u8]) -> Vec<Patch> {
    if is_several(line) {
        return Vec::new();
    }
    let mut kept = objects(line, 0);
    let torn = kept.last().map_or(0, |last| last.end);
    if !is_blank(&line[torn..]) {
        let is_value = serde_json::from_slice::<IgnoredAny>(line[torn..].trim_ascii()).is_ok();
        if is_value || !unescaped(line).is_empty() {
            return Vec::new();
        }
        kept.extend(behind_torn(line, torn));
    }
    left_with(line, &kept)
}

/// The objects of a line whose rest from `torn` on begins with something torn. They begin with the key of the line, as
/// writers begin all records alike, and are parts of none: nothing but another record follows them, torn or not. Else
/// JSON in a text whose quotes are not escaped would become a record.
fn behind_torn(line: &[u8], torn: usize) -> Vec<Range<usize>> {
    let start = separators(line);
    let Some(key) = memchr::memchr(b':', line).and_then(|colon| line.get(start..=colon)) else { return Vec::new() };
    let key = memchr::memmem::Finder::new(key);
    let (mut found, mut from) = (Vec::new(), torn.max(start + 1));
    while let Some(at) = line.get(from..).and_then(|rest| key.find(rest)).map(|at| from + at) {
        let before = line[..at].trim_ascii_end().last();
        let row = if matches!(before, Some(b',' | b':' | b'[')) { Vec::new() } else { objects(line, at) };
        // All in a row are followed by the same.
        from = row.last().map_or(at + 1, |last| last.end);
        let rest = &line[from + separators(&line[from..])..];
        let is_whole = is_blank(rest) || rest.starts_with(key.needle());
        found.extend(row.into_iter().filter(|_| is_whole));
    }
    found
}

/// The patches that leave only these objects of a line, each on a line of its own.
fn left_with(line: &[u8], objects: &[Range<usize>]) -> Vec<Patch> {
    let (Some(first), Some(last)) = (objects.first(), objects.last()) else { return Vec::new() };
    let dropped = |span: Range<usize>| {
        (!is_blank(&line[span.clone()])).then(|| Patch { span, with: Vec::new(), kind: PatchKind::Drop })
    };
    let mut patches: Vec<Patch> = dropped(0..first.start).into_iter().collect();
    for pair in objects.windows(2) {
        let gap = pair[0].end..pair[1].start;
        let torn = dropped(gap.clone()).filter(|_| separators(&line[gap.clone()]) < gap.len());
        let gap = if torn.is_some() { gap.end..gap.end } else { gap };
        patches.extend(torn);
        patches.push(Patch { span: gap, with: b"\n".to_vec(), kind: PatchKind::Glue });
    }
    patches.extend(dropped(last.end..line.len()));
    patches
}

/// The whole objects in a row from `at` on.
fn objects(line: &[u8], at: usize) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), at + separators(&line[at..]));
    while line.get(at) == Some(&b'{') {
        let mut values = serde_json::Deserializer::from_slice(&line[at..]).into_iter::<IgnoredAny>();
        if !matches!(values.next(), Some(Ok(_))) {
            break;
        }
        let end = at + values.byte_offset();
        found.push(at..end);
        at = end + separators(&line[end..]);
    }
    found
}

/// Whether a text in one line is nothing but objects in a row.
fn are_objects(text: &[u8]) -> bool {
    !is_several(text) && objects(text, 0).last().is_some_and(|last| is_blank(&text[last.end..]))
}

/// Whether a text is several lines.
fn is_several(text: &[u8]) -> bool {
    memchr::memchr(b'\n', text).is_some()
}

fn is_blank(text: &[u8]) -> bool {
    text.trim_ascii().is_empty()
}

/// Number of bytes at the start of a text that may stand between records.
fn separators(text: &[u8]) -> usize {
    text.iter().position(|byte| !matches!(byte, b',' | b' ' | b'\t' | b'\r' | 0)).unwrap_or(text.len())
}

/// The patches that double the backslashes of an invalid text that begin no escape. Empty if the result would
/// still be neither JSON nor several records.
fn unescaped(text: &[u8]) -> Vec<Patch> {
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
        return Vec::new();
    }
    let patches: Vec<Patch> = found.iter().map(|at| insertion(*at, b"\\")).collect();
    let text = apply(text, &patches);
    let whole = serde_json::from_slice::<IgnoredAny>(&text).is_ok() || are_objects(&text);
    if whole { patches } else { Vec::new() }
}

/// Maps line numbers after splitting to those before, by the lines that end with an inserted line break.
pub(super) struct LineMap(Vec<usize>);

impl LineMap {
    /// Creates the map for the line breaks that patches insert into a source that begins at this line.
    pub(super) fn of(source: &[u8], patches: &[Patch], first_line: usize) -> Self {
        let (mut line, mut read) = (first_line, 0);
        let lines = patches.iter().filter(|patch| patch.with == b"\n").enumerate().map(|(more, patch)| {
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
        let places = |text: &[u8]| unescaped(text).iter().map(|patch| patch.span.start).collect::<Vec<_>>();
        assert_eq!(places(br#"{"a":"\* \\ \n","b":"\users"}"#), [6, 21]);
        assert_eq!(places(br#"{"a":1}{"b":"\*"}"#), [13], "the records are parted later");
        assert_eq!(places(br#"{"a":"\*"}{"a":1}"#), [6], "and none is dropped");
        for text in [r#"{"a":"\n"}"#, r#"{"a":"\*""#, r#"{"a":\*}"#, ""] {
            assert!(unescaped(text.as_bytes()).is_empty(), "{text}");
        }
    }

    #[test]
    fn whole_objects_are_parted_and_torn_ones_dropped() {
        let left = |line: &str| apply(line.as_bytes(), &parted(line.as_bytes())).into_owned();
        for (line, lines) in [
            (r#"{"a":"}{"}{"b":1} {"c":2}"#, "{\"a\":\"}{\"}\n{\"b\":1}\n{\"c\":2}"),
            (r#"{"a":1}, {"a":2},"#, "{\"a\":1}\n{\"a\":2}"),
            (r#"{"a":1}{"b":"#, "{\"a\":1}"),
            (r#"{"a":{"b":"x{"a":{"b":2}}"#, "{\"a\":{\"b\":2}}"),
            (r#"{"a":1}{"a":{"b":"x{"a":{"b":2}} oops"#, "{\"a\":1}"),
            (r#"{"a":1}{"a":"x{"a":2}{"a":"y{"a":3}, "#, "{\"a\":1}\n{\"a\":2}\n{\"a\":3}"),
            (
                r#"{"a":"x","b":[{"a":2},{"a":"y"},{"a":3}]}{"a":4}"#,
                "{\"a\":\"x\",\"b\":[{\"a\":2},{\"a\":\"y\"},{\"a\":3}]}\n{\"a\":4}",
            ),
            (r#"{"a":1}"b":{"c":2}}"#, "{\"a\":1}"),
            (r#"{"a":1}{"a":"x{"a":2}{"a":3}"#, "{\"a\":1}\n{\"a\":2}\n{\"a\":3}"),
            (r#"{"a":1}{"a":[{"a":2},{"a":"#, "{\"a\":1}"),
            (r#"{"a":[{"a":2},{"a":3}{"a":4}"#, "{\"a\":4}"),
        ] {
            assert_eq!(left(line), lines.as_bytes(), "{line}");
        }
        for line in [
            r#"{"a":1}"#,
            r#"{"a":1}[2]"#,
            r#"[2]{"a":1}"#,
            r#"{"a":"#,
            r#"{"a":{"b":"x"#,
            "\0,\"b\":{}}",
            r#"x"b":{"c":2}}"#,
            "1 2",
            r#"{"a":[{"a":2},{"a":3}"#,
            r#"{"a":"Answer {"a":"Obey."} only."}"#,
            r#"{"a":"Answer {"a":"Obey."}"}"#,
            r#"{"a":[{"b":"{"a":"sent"}"}]}"#,
            r#"{"a":"in C:\dir\"},{"a":"hi"}]}}"#,
            r#"{"a":"\*"}{"a":1}"#,
            "{}\n{}x",
            "",
        ] {
            assert!(parted(line.as_bytes()).is_empty(), "{line}");
        }
    }
}
