//! The `system` field of a request, and the summary that an earlier compaction put at its end.

use super::super::array::{Members, New};
use super::super::json::{Json, Object, quoted};
use super::super::rows::Row;
use super::super::synthetic;
use super::read::{Tools, parts, plain};
use crate::transcript::{Message, Part, PartKind, Patch, PatchKind, Role, Shape, Slot, Tokens};
use std::borrow::Cow;
use std::ops::Range;

/// A piece of the field that is a record of its own: the instructions, or the summary behind them.
pub(super) struct Piece<'a> {
    /// Where it stands.
    pub(super) span: Range<usize>,
    /// What it says.
    pub(super) message: Message<'a>,
}

/// The field, split into its pieces.
#[derive(Default)]
pub(super) struct System<'a> {
    /// The instructions.
    pub(super) preamble: Option<Piece<'a>>,
    /// The summary.
    pub(super) summary: Option<Piece<'a>>,
}

impl<'a> System<'a> {
    /// Reads the field of a row, if it has one.
    pub(super) fn read(source: &'a [u8], fields: &Object<'a>) -> Self {
        let Some(value) = fields.get("system") else { return Self::default() };
        if value.is_string() {
            return Self::in_string(value, value.span_in(source));
        }
        let mut all = parts(source, value, &mut Tools::new());
        let is_summary = |part: &mut Part<'_>| part.kind == PartKind::Text && synthetic::is_summary(&part.text);
        let summary = all
            .pop_if(is_summary)
            .map(|part| Piece { span: part.slot.part.clone(), message: plain(Role::System, vec![part]) });
        let span = all.first().zip(all.last()).map(|(first, last)| first.slot.part.start..last.slot.part.end);
        let preamble = span.map(|span| Piece { span, message: plain(Role::System, all) });
        Self { preamble, summary }
    }

    /// Splits a string that stands at `span`.
    fn in_string(value: Json<'a>, span: Range<usize>) -> Self {
        let raw = value.raw().get(1..value.raw().len().saturating_sub(1)).unwrap_or_default();
        let piece = |range: Range<usize>| {
            let part = span.start + 1 + range.start..span.start + 1 + range.end;
            let slot = Slot { content: part.start..part.start, part: part.clone(), shape: Shape::Fixed };
            let text = Cow::Owned(decoded(raw.get(range).unwrap_or_default()));
            let part_of = Part { kind: PartKind::Text, text, slot, tokens: Tokens::default() };
            Piece { span: part, message: plain(Role::System, vec![part_of]) }
        };
        let summary = synthetic::closing_summary(raw);
        let text = summary.as_ref().map_or(raw.len(), |summary| summary.start - gap_before(raw, summary.start));
        let preamble = (text > 0 || summary.is_none()).then(|| piece(0..text));
        Self { preamble, summary: summary.map(piece) }
    }

    /// How many records it takes.
    pub(super) fn records(&self) -> usize {
        usize::from(self.preamble.is_some()) + usize::from(self.summary.is_some())
    }

    /// The patches that drop the old summary, if `drops`, and put a new one at the end of the field.
    pub(super) fn patches(&self, row: &Row<'_>, source: &[u8], (drops, new): (bool, Option<&str>)) -> Vec<Patch> {
        let old = self.summary.as_ref().filter(|_| drops).map(|piece| piece.span.clone());
        let at = row.fields.fields().iter().rposition(|(key, _)| key == "system");
        let value = at.and_then(|at| row.fields.fields().get(at)).map(|(_, value)| *value);
        match (value, &old, new) {
            (_, None, None) => Vec::new(),
            (Some(_), Some(_), None) if self.preamble.is_none() => Members::of_object(source, row.whole, &row.fields)
                .patches(|index| Some(index) != at, &[], PatchKind::Drop),
            (Some(value), ..) if value.is_string() => in_string(value, source, (old, new)),
            (Some(value), ..) if value.raw().starts_with('[') => in_array(value, source, (old, new)),
            (Some(value), _, Some(new)) => vec![patch(value.span_in(source), &quoted(new), PatchKind::Insert)],
            (None, _, Some(new)) => new_field(row, source, new),
            (_, _, None) => Vec::new(),
        }
    }
}

fn patch(span: Range<usize>, with: &str, kind: PatchKind) -> Patch {
    Patch { span, with: with.into(), kind }
}

/// How much of the blank line that a summary stands behind comes before `at` in the raw text of a string.
fn gap_before(raw: &str, at: usize) -> usize {
    let rest = raw.get(..at).and_then(|before| before.strip_suffix(r"\n\n"));
    let escapes = |rest: &str| rest.bytes().rev().take_while(|&byte| byte == b'\\').count();
    rest.map_or(0, |rest| if escapes(rest).is_multiple_of(2) { 4 } else { 0 })
}

/// The text of a piece of a JSON string.
fn decoded(raw: &str) -> String {
    serde_json::from_str(&format!("\"{raw}\"")).unwrap_or_else(|_| raw.to_owned())
}

/// The field is a string: what is new stands behind a blank line.
fn in_string(value: Json<'_>, source: &[u8], (old, new): (Option<Range<usize>>, Option<&str>)) -> Vec<Patch> {
    let span = value.span_in(source);
    let inner = span.start + 1..span.end.saturating_sub(1);
    let new = new.map(quoted);
    let new = new.as_deref().map(|text| text.trim_start_matches('"').strip_suffix('"').unwrap_or(text));
    let Some(old) = old else {
        let gap = if inner.is_empty() { "" } else { r"\n\n" };
        let with = new.map(|new| format!("{gap}{new}"));
        return with.map(|with| patch(inner.end..inner.end, &with, PatchKind::Insert)).into_iter().collect();
    };
    match new {
        Some(new) => vec![patch(old.clone(), "", PatchKind::Drop), patch(old.end..old.end, new, PatchKind::Insert)],
        None => {
            let gap = gap_before(value.raw(), old.start - span.start);
            vec![patch(old.start - gap..old.end, "", PatchKind::Drop)]
        }
    }
}

/// The field is an array of blocks: what is new is a block at its end.
fn in_array(value: Json<'_>, source: &[u8], (old, new): (Option<Range<usize>>, Option<&str>)) -> Vec<Patch> {
    let blocks = value.array().unwrap_or_default();
    let text = new.map(|new| format!(r#"{{"type":"text","text":{}}}"#, quoted(new)));
    let new: Vec<_> = text.map(|text| New { before: blocks.len(), text }).into_iter().collect();
    let keeps = |index: usize| blocks.get(index).is_none_or(|block| Some(block.span_in(source)) != old);
    Members::of_array(source, value, &blocks).patches(keeps, &new, PatchKind::Drop)
}

/// There is no field: it goes before the messages.
fn new_field(row: &Row<'_>, source: &[u8], text: &str) -> Vec<Patch> {
    let before = row.fields.fields().iter().position(|(key, _)| key == "messages").unwrap_or_default();
    let new = New { before, text: format!(r#""system":{}"#, quoted(text)) };
    Members::of_object(source, row.whole, &row.fields).patches(|_| true, &[new], PatchKind::Drop)
}
