//! Reads the lines of a session as records, and applies an edit script to them: drops records, inserts new ones.
//!
//! The file keeps its kind of newline, its blank lines, and the presence or absence of a newline at its end.

use super::json::Json;
use super::lines;
use super::new::New;
use crate::format::{ReadError, ReadOptions, read_line};
use crate::transcript::{Class, Patch, PatchKind, Record, Traits, Transcript};
use std::ops::Range;

/// Reads every line as a record, opaque until `look` classifies it. `look` receives the transcript so far, the index
/// of the record, and its JSON value.
///
/// # Errors
/// A line is not JSON; with `lenient` it stays opaque.
pub(in crate::format) fn read<'a>(
    source: &'a [u8],
    options: ReadOptions,
    traits: Traits,
    look: &mut dyn FnMut(&mut Transcript<'a>, usize, Json<'a>),
) -> Result<Transcript<'a>, ReadError> {
    let mut transcript = Transcript { source, traits, ..Transcript::default() };
    for line in lines::lines(source) {
        let value = read_line(source, &line, options.first_line);
        let number = line.number + options.first_line - 1;
        let at = transcript.records.len();
        transcript.records.push(Record { span: line.span, line: number, class: Class::Opaque, id: None, parent: None });
        if let Some(value) = options.forgive(value)? {
            look(&mut transcript, at, value);
        }
    }
    Ok(transcript)
}

/// The patches that drop the records for which `keep` is false and insert the lines in `new`, sorted by place.
pub(in crate::format) fn patches(source: &[u8], records: &[Record<'_>], keep: &[bool], new: &[New]) -> Vec<Patch> {
    let newline = lines::newline(source);
    let kept = |index: usize| keep.get(index).copied().unwrap_or(true);
    let mut new = new.iter().peekable();
    let mut patches = Vec::new();
    for (index, record) in records.iter().enumerate() {
        let line = lines::whole(source, &record.span);
        while let Some(member) = new.next_if(|member| member.before <= index) {
            patches.push(insert(line.start, format!("{}{newline}", member.text)));
        }
        if !kept(index) {
            patches.push(Patch { span: line, with: Vec::new(), kind: PatchKind::Drop });
        }
    }
    let last = records.last().map(|record| lines::whole(source, &record.span)).unwrap_or(source.len()..source.len());
    let open = !source[last.clone()].is_empty() && !source[last.clone()].ends_with(b"\n");
    let last_kept = kept(records.len().saturating_sub(1));
    for member in new {
        let text = if open && last_kept { [newline, &member.text].concat() } else { [&member.text, newline].concat() };
        patches.push(insert(last.end, text));
    }
    if open && !last_kept {
        leave_open(source, &mut patches, newline);
    }
    patches
}

/// The patches that carry out an edit script over lines: those of [`patches`], and the patches `inside` kept lines.
pub(in crate::format) fn edited(
    transcript: &Transcript<'_>,
    keep: &[bool],
    new: &[New],
    mut inside: Vec<Patch>,
) -> Vec<Patch> {
    let mut patches = patches(transcript.source, &transcript.records, keep, new);
    patches.append(&mut inside);
    Patch::in_order(patches)
}

fn insert(at: usize, text: String) -> Patch {
    Patch { span: at..at, with: text.into_bytes(), kind: PatchKind::Insert }
}

/// Removes the newline of the new last line, as the original last line had none and was dropped.
fn leave_open(source: &[u8], patches: &mut Vec<Patch>, newline: &str) {
    let mut end = source.len();
    for index in (0..patches.len()).rev() {
        let Some(patch) = patches.get_mut(index).filter(|patch| patch.span.end == end) else { break };
        if !patch.with.is_empty() {
            patch.with.truncate(patch.with.len() - newline.len());
            return;
        }
        end = patch.span.start;
    }
    let span = last_newline(source, end);
    if !span.is_empty() {
        let at = patches.partition_point(|patch| patch.span.start < span.start);
        patches.insert(at, Patch { span, with: Vec::new(), kind: PatchKind::Glue });
    }
}

/// The range of the newline that ends at `end`; empty if there is none.
fn last_newline(source: &[u8], end: usize) -> Range<usize> {
    let before = source.get(..end).unwrap_or_default();
    let length =
        [&b"\r\n"[..], b"\n"].iter().find(|newline| before.ends_with(newline)).map_or(0, |newline| newline.len());
    end - length..end
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::transcript::apply;
    use proptest::prelude::*;

    fn written(source: &str, keep: &[bool], new: &[(usize, &str)]) -> String {
        let records: Vec<_> = lines::lines(source.as_bytes()).map(|line| line.record(Class::Opaque)).collect();
        let new: Vec<_> = new.iter().map(|&(before, text)| New { before, text: text.into() }).collect();
        let patches = patches(source.as_bytes(), &records, keep, &new);
        String::from_utf8(apply(source.as_bytes(), &patches).into_owned()).unwrap()
    }

    #[test]
    fn the_end_stays_as_it_was() {
        assert_eq!(written("1\n2\n", &[true, true], &[(2, "3")]), "1\n2\n3\n");
        assert_eq!(written("1\n2", &[true, true], &[(2, "3")]), "1\n2\n3");
        assert_eq!(written("1\r\n2", &[true, false], &[(2, "3")]), "1\r\n3");
        assert_eq!(written("1\r\n2", &[true, false], &[]), "1");
        assert_eq!(written("1\n2", &[false, false], &[(0, "8"), (1, "9")]), "8\n9");
    }

    #[test]
    fn blank_lines_and_the_mark_at_the_start_stay() {
        assert_eq!(written("\u{feff}1\n\n2\n", &[false, true], &[(0, "0")]), "\u{feff}0\n\n2\n");
        assert_eq!(written("1\n\n\n2", &[true, false], &[]), "1\n\n");
    }

    proptest! {
        #[test]
        fn the_result_has_the_lines_that_were_asked_for(
            keep in prop::collection::vec(any::<bool>(), 1..6),
            new in prop::collection::vec((0usize..7, 100u32..999), 0..4),
            crlf in any::<bool>(),
            ends in any::<bool>(),
        ) {
            let newline = if crlf { "\r\n" } else { "\n" };
            let texts: Vec<_> = (0..keep.len()).map(|n| n.to_string()).collect();
            let source = format!("\u{feff}{}{}", texts.join(newline), if ends { newline } else { "" });
            let mut new: Vec<_> = new.into_iter().map(|(at, n)| (at.min(keep.len()), n.to_string())).collect();
            new.sort();
            let inserts: Vec<_> = new.iter().map(|(at, text)| (*at, text.as_str())).collect();
            let out = written(&source, &keep, &inserts);
            let mut expected = Vec::new();
            for (index, text) in texts.iter().map(Some).chain([None]).enumerate() {
                expected.extend(new.iter().filter(|(at, _)| *at == index).map(|(_, text)| text.as_str()));
                expected.extend(text.filter(|_| keep[index]).map(String::as_str));
            }
            // A file of one line without a newline does not show its kind of newline.
            let newline = if keep.len() > 1 || ends { newline } else { "\n" };
            let end = if ends && !expected.is_empty() { newline } else { "" };
            prop_assert_eq!(out, format!("\u{feff}{}{}", expected.join(newline), end));
        }
    }
}
