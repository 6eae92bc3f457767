//! Edits the members of a JSON array or object: drops some, inserts others, and keeps the commas correct.
//!
//! A kept member keeps its bytes. A dropped member takes the separator before it along, or the one after it if no
//! kept member precedes it, so that no comma is left over or missing.

use super::json::{Json, Object};
use super::new::New;
use crate::transcript::{Patch, PatchKind};
use std::ops::Range;

/// The members of one array (its elements) or object (its fields, key and value together).
#[derive(Debug)]
pub(in crate::format) struct Members<'a> {
    source: &'a [u8],
    inside: Range<usize>,
    spans: Vec<Range<usize>>,
}

impl<'a> Members<'a> {
    /// The elements of an array within `source`.
    pub(in crate::format) fn of_array(source: &'a [u8], array: Json<'_>, elements: &[Json<'_>]) -> Self {
        let spans = elements.iter().map(|element| element.span_in(source)).collect();
        Self { source, inside: inside(source, array), spans }
    }

    /// The fields of an object within `source`.
    pub(in crate::format) fn of_object(source: &'a [u8], value: Json<'_>, object: &Object<'_>) -> Self {
        let inside = inside(source, value);
        let mut at = inside.start;
        let spans = object.fields().iter().map(|(_, value)| {
            let value = value.span_in(source);
            let key = skip(source, at..value.start, |byte| byte == b',' || byte.is_ascii_whitespace());
            at = value.end;
            key..value.end
        });
        Self { source, spans: spans.collect(), inside }
    }

    /// The byte offsets at which the members start.
    pub(in crate::format) fn starts(&self) -> Vec<usize> {
        self.spans.iter().map(|span| span.start).collect()
    }

    /// The patches that drop the members for which `keep` is false and insert those in `new`, which must be sorted by
    /// place. The patches are sorted, and none touches a kept member.
    pub(in crate::format) fn patches(&self, keep: impl Fn(usize) -> bool, new: &[New], gone: PatchKind) -> Vec<Patch> {
        let first = (0..self.spans.len()).find(|&index| keep(index));
        let mut patches = Vec::new();
        let mut new = new.iter().peekable();
        let mut placed = false;
        for index in 0..=self.spans.len() {
            while let Some(member) = new.next_if(|member| member.before <= index || index == self.spans.len()) {
                patches.push(self.insertion(index, member, (first, placed)));
                placed = true;
            }
            if index < self.spans.len() && !keep(index) {
                patches.push(Patch { span: self.removal(index, first), with: Vec::new(), kind: gone });
            }
        }
        patches
    }

    /// The range to remove for a dropped member: with the separator before it, or after it if no kept member precedes.
    fn removal(&self, index: usize, first: Option<usize>) -> Range<usize> {
        match first {
            Some(first) if first < index => self.end(index - 1)..self.end(index),
            _ => self.start(index)..self.start(index + 1),
        }
    }

    fn insertion(&self, index: usize, member: &New, (first, placed): (Option<usize>, bool)) -> Patch {
        let separator = self.separator();
        let (at, text) = match first {
            Some(first) if first < index => (self.end(index - 1), separator + &member.text),
            Some(_) => (self.start(index), member.text.clone() + &separator),
            None if placed => (self.start(index), separator + &member.text),
            None => (self.start(index), member.text.clone()),
        };
        Patch { span: at..at, with: text.into_bytes(), kind: PatchKind::Insert }
    }

    /// The start of a member; for the index after the last one, the end of the last.
    fn start(&self, index: usize) -> usize {
        let after_last = || self.spans.last().map_or(self.inside.start, |last| last.end);
        self.spans.get(index).map_or_else(after_last, |span| span.start)
    }

    fn end(&self, index: usize) -> usize {
        self.spans.get(index).map_or(self.inside.start, |span| span.end)
    }

    /// The separator to use: the one between the first two members, else one in the style of the surrounding text.
    fn separator(&self) -> String {
        let text = |span: Range<usize>| self.source.get(span).map(String::from_utf8_lossy).unwrap_or_default();
        match &self.spans[..] {
            [first, second, ..] => text(first.end..second.start).into_owned(),
            [only] => {
                let lead = text(self.inside.start..only.start);
                let member = text(only.clone());
                let colon = member.split_once("\":").is_some_and(|(_, rest)| rest.starts_with(' '));
                let spaced = lead.is_empty() && colon;
                format!(",{}", if spaced { " " } else { &lead })
            }
            [] => ",".to_owned(),
        }
    }
}

/// The range between the brackets of a value.
fn inside(source: &[u8], value: Json<'_>) -> Range<usize> {
    let span = value.span_in(source);
    span.start + 1..span.end.saturating_sub(1)
}

fn skip(source: &[u8], span: Range<usize>, over: impl Fn(u8) -> bool) -> usize {
    let bytes = source.get(span.clone()).unwrap_or_default();
    span.start + bytes.iter().take_while(|&&byte| over(byte)).count()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::transcript::apply;
    use proptest::prelude::*;
    use serde_json::Value;

    fn edited(source: &str, keep: &[bool], new: &[(usize, &str)]) -> String {
        let value = Json::parse(source).unwrap();
        let members = match value.object() {
            Some(object) => Members::of_object(source.as_bytes(), value, &object),
            None => Members::of_array(source.as_bytes(), value, &value.array().unwrap()),
        };
        let new: Vec<_> = new.iter().map(|&(before, text)| New { before, text: text.into() }).collect();
        let patches = members.patches(|index| keep[index], &new, PatchKind::Drop);
        String::from_utf8(apply(source.as_bytes(), &patches).into_owned()).unwrap()
    }

    #[test]
    fn commas_go_with_dropped_elements() {
        assert_eq!(edited("[ 1, 2, 3 ]", &[false, true, true], &[]), "[ 2, 3 ]");
        assert_eq!(edited("[ 1, 2, 3 ]", &[true, false, true], &[]), "[ 1, 3 ]");
        assert_eq!(edited("[ 1, 2, 3 ]", &[true, true, false], &[]), "[ 1, 2 ]");
        assert_eq!(edited("[ 1, 2, 3 ]", &[false, false, false], &[]), "[  ]");
    }

    #[test]
    fn inserts_take_the_separator_of_the_original() {
        assert_eq!(edited("[1, 2]", &[true, true], &[(0, "0"), (2, "3")]), "[0, 1, 2, 3]");
        assert_eq!(edited("[1,2]", &[true, true], &[(1, "8"), (1, "9")]), "[1,8,9,2]");
        assert_eq!(edited("[\n  1\n]", &[true], &[(1, "2")]), "[\n  1,\n  2\n]");
        assert_eq!(edited("[1, 2]", &[false, false], &[(1, "8"), (2, "9")]), "[8, 9]");
        assert_eq!(edited("[]", &[], &[(0, "8"), (0, "9")]), "[8,9]");
        assert_eq!(edited(r#"[{"a": 1}]"#, &[true], &[(0, "0")]), r#"[0, {"a": 1}]"#);
    }

    #[test]
    fn fields_are_members_too() {
        let source = r#"{ "a,": 1, "b": [2], "c":3 }"#;
        assert_eq!(edited(source, &[false, true, false], &[]), r#"{ "b": [2] }"#);
        assert_eq!(edited("{}", &[], &[(0, r#""a":1"#)]), r#"{"a":1}"#);
    }

    proptest! {
        #[test]
        fn the_result_is_the_list_that_was_asked_for(
            members in prop::collection::vec(("[ \n]{0,2}", 0u32..99, "[ \n]{0,2}", any::<bool>()), 0..7),
            new in prop::collection::vec((0usize..9, 100u32..999), 0..5),
        ) {
            let texts: Vec<_> = members.iter().map(|(lead, n, trail, _)| format!("{lead}{n}.0{trail}")).collect();
            let source = format!("[{}]", texts.join(","));
            let mut new: Vec<_> = new.into_iter().map(|(at, n)| (at.min(members.len()), n.to_string())).collect();
            new.sort();
            let inserts: Vec<_> = new.iter().map(|(at, text)| (*at, text.as_str())).collect();
            let keep: Vec<_> = members.iter().map(|member| member.3).collect();
            let out = edited(&source, &keep, &inserts);

            let mut expected = Vec::new();
            for index in 0..=members.len() {
                expected.extend(new.iter().filter(|(at, _)| *at == index).map(|(_, text)| text.clone()));
                expected.extend(members.get(index).filter(|member| member.3).map(|member| format!("{}.0", member.1)));
            }
            let found: Value = serde_json::from_str(&out).unwrap();
            let wanted: Value = serde_json::from_str(&format!("[{}]", expected.join(","))).unwrap();
            prop_assert_eq!(found, wanted);
            let out: Vec<_> = out.split(|c: char| !c.is_ascii_digit() && c != '.').filter(|t| !t.is_empty()).collect();
            prop_assert_eq!(out, expected);
        }
    }
}
