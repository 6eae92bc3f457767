//! The `system` field of a request, and the summary that an earlier compaction appended to it.

use super::super::shared::array::Members;
use super::super::shared::closing::{self, Piece};
use super::super::shared::json::{Json, Object, quoted};
use super::super::shared::new::New;
use super::super::shared::rows::Row;
use super::super::shared::synthetic;
use super::read::{Tools, parts, plain};
use crate::transcript::{Part, PartKind, Patch, PatchKind, Role};
use std::ops::Range;

/// The field, split into instructions and summary.
#[derive(Default)]
pub(super) struct System<'a> {
    /// The instructions.
    pub(super) preamble: Option<Piece<'a>>,
    /// The summary.
    pub(super) summary: Option<Piece<'a>>,
}

impl<'a> System<'a> {
    /// Reads the field of a row; both pieces are `None` without one.
    pub(super) fn read(source: &'a [u8], fields: &Object<'a>) -> Self {
        let Some(value) = fields.get("system") else { return Self::default() };
        if value.is_string() {
            let (preamble, summary) = closing::pieces(value, value.span_in(source));
            return Self { preamble, summary };
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

    /// Number of records that it takes.
    pub(super) fn records(&self) -> usize {
        usize::from(self.preamble.is_some()) + usize::from(self.summary.is_some())
    }

    /// The patches that drop the old summary if `drops`, and append a new one to the field.
    pub(super) fn patches(&self, row: &Row<'_>, source: &[u8], (drops, new): (bool, Option<&str>)) -> Vec<Patch> {
        let old = self.summary.as_ref().filter(|_| drops).map(|piece| piece.span.clone());
        let at = row.fields.fields().iter().rposition(|(key, _)| key == "system");
        let value = at.and_then(|at| row.fields.fields().get(at)).map(|(_, value)| *value);
        match (value, &old, new) {
            (_, None, None) => Vec::new(),
            (Some(_), Some(_), None) if self.preamble.is_none() => Members::of_object(source, row.whole, &row.fields)
                .patches(|index| Some(index) != at, &[], PatchKind::Drop),
            (Some(value), ..) if value.is_string() => closing::edit(value, source, (old, new)),
            (Some(value), ..) if value.raw().starts_with('[') => in_array(value, source, (old, new)),
            (Some(value), _, Some(new)) => vec![closing::patch(value.span_in(source), &quoted(new), PatchKind::Insert)],
            (None, _, Some(new)) => new_field(row, source, new),
            (_, _, None) => Vec::new(),
        }
    }
}

/// The field is an array of blocks: a new summary becomes its last block.
fn in_array(value: Json<'_>, source: &[u8], (old, new): (Option<Range<usize>>, Option<&str>)) -> Vec<Patch> {
    let blocks = value.array().unwrap_or_default();
    let text = new.map(|new| format!(r#"{{"type":"text","text":{}}}"#, quoted(new)));
    let new: Vec<_> = text.map(|text| New { before: blocks.len(), text }).into_iter().collect();
    let keeps = |index: usize| blocks.get(index).is_none_or(|block| Some(block.span_in(source)) != old);
    Members::of_array(source, value, &blocks).patches(keeps, &new, PatchKind::Drop)
}

/// There is no field: adds one before the messages.
fn new_field(row: &Row<'_>, source: &[u8], text: &str) -> Vec<Patch> {
    let before = row.fields.fields().iter().position(|(key, _)| key == "messages").unwrap_or_default();
    let new = New { before, text: format!(r#""system":{}"#, quoted(text)) };
    Members::of_object(source, row.whole, &row.fields).patches(|_| true, &[new], PatchKind::Drop)
}
