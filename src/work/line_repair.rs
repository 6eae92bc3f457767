//! Repairs of invalid lines.
//!
//! Records on one line: complete objects in a row, whose writer was interrupted or left out a line break; inserting it
//! loses and invents nothing. Backslashes that begin no escape: some tool replaced text in the file without escaping
//! it; doubling them keeps the meaning. Records beside what is torn: they are kept where they surely are none of
//! another's text, and what is torn is dropped.

use super::checker::Judged;
use crate::reason::Reason;
use crate::transcript::{Patch, PatchKind, apply};
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
    Repair { rule: Reason::InvalidLine.name(), repair: untorn, adds_lines: true },
];

impl Repair {
    /// The repair of an invalid line, if there is one.
    pub(super) fn of(line: &[u8]) -> Option<&'static Self> {
        REPAIRS.iter().find(|repair| !(repair.repair)(line).is_empty())
    }

    /// The repair of all lines of a transcript that are to be repaired by this one, as patches of its source.
    pub(super) fn patches(&self, judged: &Judged<'_>) -> Vec<Patch> {
        let transcript = &judged.transcript;
        let records = judged.invalid.iter().filter_map(|&at| transcript.records.get(at));
        let spans = records.filter(|record| judged.is_repaired_by(self, record.line)).map(|record| record.span.clone());
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

/// The patches that put each object of a line of nothing else on a line of its own; empty if it is no such line.
fn parted(line: &[u8]) -> Vec<Patch> {
    if are_objects(line) { left_with(line, &objects(line, 0)) } else { Vec::new() }
}

/// The patches that leave the whole records of a line, each on a line of its own, and drop what is torn. Empty if there
/// is no such record, if the line may be a document (an array, or several lines), or if another JSON value ends it.
fn untorn(line: &[u8]) -> Vec<Patch> {
    let start = separators(line);
    if is_several(line) || line.get(start) == Some(&b'[') {
        return Vec::new();
    }
    let mut kept = objects(line, start);
    let torn = kept.last().map_or(start, |last| last.end + separators(&line[last.end..]));
    if serde_json::from_slice::<IgnoredAny>(&line[torn..]).is_ok() {
        return Vec::new();
    }
    kept.extend(behind_torn(line, torn));
    left_with(line, &kept)
}

/// The whole records behind a torn one at `at`, if nothing but records, torn or not, stands from the first of them to
/// the end of the line. Else JSON in a text whose quotes are not escaped would become a record.
fn behind_torn(line: &[u8], mut at: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    loop {
        let row = objects(line, at);
        let end = row.last().map_or(at, |last| last.end + separators(&line[last.end..]));
        found.extend(row);
        match Behind::of(line, end) {
            Behind::End => return found,
            Behind::Record(next) => at = next,
            Behind::Other => {
                found.clear();
                let Some(next) = next_record(line, end + 1) else { return found };
                at = next;
            }
        }
    }
}

/// What stands behind a row of whole objects.
enum Behind {
    /// Nothing, or an object that the line ends within.
    End,
    /// An object that another record cut off, which begins at this byte.
    Record(usize),
    /// Something else.
    Other,
}

impl Behind {
    fn of(line: &[u8], at: usize) -> Self {
        let rest = &line[at..];
        if rest.first().is_some_and(|byte| *byte != b'{') {
            return Self::Other;
        }
        let error = match serde_json::from_slice::<IgnoredAny>(rest) {
            Err(error) if !error.is_eof() => error,
            _ => return Self::End,
        };
        // Where a text or a key was cut off, the first quote of the next record ends it.
        let read = rest.get(1..error.column()).unwrap_or_default();
        let next = memchr::memrchr(b'{', read).map(|open| (at + 1 + open, read[open + 1..].trim_ascii_start()));
        match next {
            Some((next, [] | [b'"', _])) if opens_record(&line[next..]) => Self::Record(next),
            _ => Self::Other,
        }
    }
}

/// Where the next record from `from` on may begin: an object that is no value or element of another one.
fn next_record(line: &[u8], from: usize) -> Option<usize> {
    let inner = |at: usize| matches!(line[..at].trim_ascii_end().last(), Some(b',' | b':' | b'['));
    let all = memchr::memchr_iter(b'{', line.get(from..)?).map(|at| from + at);
    all.into_iter().find(|at| opens_record(&line[*at..]) && !inner(*at))
}

/// Whether a text begins with the brace and the first quote of an object.
fn opens_record(text: &[u8]) -> bool {
    text.strip_prefix(b"{").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""))
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
    let rest = |last: &Range<usize>| &text[last.end..];
    !is_several(text) && objects(text, 0).last().map(rest).is_some_and(|rest| separators(rest) == rest.len())
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
        let of_kind = |kind| RULES.iter().filter(move |rule| rule.kind == kind).map(|rule| rule.name);
        let repaired: Vec<&str> = REPAIRS.iter().map(|repair| repair.rule).collect();
        let lines = of_kind(RuleKind::Repairable).chain([Reason::InvalidLine.name()]);
        assert_eq!(repaired, lines.collect::<Vec<_>>());
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

    /// The rule of a line, and what its repair leaves.
    fn repaired(line: &str) -> Option<(&'static str, String)> {
        let repair = Repair::of(line.as_bytes())?;
        let left = apply(line.as_bytes(), &(repair.repair)(line.as_bytes()));
        Some((repair.rule, String::from_utf8_lossy(&left).into_owned()))
    }

    #[test]
    fn whole_objects_of_a_line_are_parted() {
        for (line, lines) in [
            (r#"{"a":"}{"}{"b":1} {"c":2}"#, "{\"a\":\"}{\"}\n{\"b\":1}\n{\"c\":2}"),
            (r#"{"a":1}, {"a":2},"#, "{\"a\":1}\n{\"a\":2}"),
            (
                r#"{"a":"x","b":[{"a":2},{"a":"y"},{"a":3}]}{"a":4}"#,
                "{\"a\":\"x\",\"b\":[{\"a\":2},{\"a\":\"y\"},{\"a\":3}]}\n{\"a\":4}",
            ),
        ] {
            assert_eq!(repaired(line), Some(("glued_records", lines.to_owned())));
        }
    }

    #[test]
    fn whole_records_beside_a_torn_one_stay() {
        for (line, lines) in [
            (r#"{"a":1}{"b":"#, "{\"a\":1}"),
            (r#"{"a":1}"b":{"c":2}}"#, "{\"a\":1}"),
            (r#"{"a":{"b":"x{"a":{"b":2}}"#, "{\"a\":{\"b\":2}}"),
            (r#"{"a":1}{"a":{"b":"x{"a":{"b":2}} oops"#, "{\"a\":1}"),
            (r#"{"a":1}{"a":"x{"a":2}{"a":"y{"a":3}, "#, "{\"a\":1}\n{\"a\":2}\n{\"a\":3}"),
            (r#"{"a":1}{"a":"x{"a":2}{"a":3}"#, "{\"a\":1}\n{\"a\":2}\n{\"a\":3}"),
            (r#"{"a":1}{"a":[{"a":2},{"a":"#, "{\"a\":1}"),
            (r#"{"a":[{"a":2},{"a":3}{"a":4}"#, "{\"a\":4}"),
            (r#"{"b":"x{"a":2}{"a":"y"#, "{\"a\":2}"),
            (r#"{"b":"x{ "a":2}"#, "{ \"a\":2}"),
            (r#"{"b":"Note:{"a":2}"#, "{\"a\":2}"),
            (r#"{"b":"one, {"a":[2]},"#, "{\"a\":[2]}"),
            (r#"{"b":1,{"a":2}"#, "{\"a\":2}"),
            (r#"{"b":tr{"a":2}"#, "{\"a\":2}"),
            (r#"{"a{"b":2}"#, "{\"b\":2}"),
            (r#"{{"b":2}"#, "{\"b\":2}"),
            (r#"is high."}{"a":2}"#, "{\"a\":2}"),
            (r#"l","b":{"c":1}}]}{"a":2}{"#, "{\"a\":2}"),
            (r#"{"a":"Say {"b":1} now"}{"a":2}"#, "{\"a\":2}"),
        ] {
            assert_eq!(repaired(line), Some(("invalid_line", lines.to_owned())), "{line}");
        }
    }

    #[test]
    fn what_may_be_a_part_of_a_record_or_of_a_text_becomes_none() {
        for line in [
            r#"{"a":1}"#,
            r#"{"a":1}[2]"#,
            r#"[2]{"a":1}"#,
            r#"[{"a":"x{"a":1}"#,
            r#"{"a":"#,
            r#"{"a":{"b":"x"#,
            "\0,\"b\":{}}",
            r#"x"b":{"c":2}}"#,
            "1 2",
            r#"{"a":{"b":2}"#,
            r#"{"a":[{"a":2},{"a":3}"#,
            r#"{"a":"Answer {"a":"Obey."} only."}"#,
            r#"{"a":"Answer {"a":"Obey."}"}"#,
            r#"{"a":"Answer: {"a":"Obey."}{"a" or so"}"#,
            r#"{"a":[{"b":"{"a":"sent"}"}]}"#,
            r#"{"a":[{"b":"[{"a":"sent"},{"a":2}]"}]}"#,
            r#"{"a":"in C:\dir\"},{"a":"hi"}]}}"#,
            r#"{"a":"\*"}{"a":1}"#,
            "{}\n{}x",
            "",
        ] {
            assert_eq!(repaired(line).filter(|(rule, _)| *rule != "invalid_escape"), None, "{line}");
        }
    }

    #[test]
    fn long_invalid_lines_take_linear_time() {
        let pieces = [
            r#"{"a":x"#,
            r#"{"a":"x"#,
            r#"x{"a":["#,
            r#"{"a":"{","b":"{","#,
            r#"{":"{",""#,
            r#"{"a":1},"#,
            r#"{"a":1}x"#,
            r#"{"a":1}{"b"x"#,
            "{",
            "{ \"",
            "x{\"",
            r#"{",":[{","x{":""#,
        ];
        for piece in pieces {
            assert!(Repair::of(piece.repeat(400_000).as_bytes()).is_none_or(|repair| !repair.rule.is_empty()));
        }
    }
}
