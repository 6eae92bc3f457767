//! Renders an edit script over a session as patches.

use super::item::{Item, State};
use super::{HISTORY, SUMMARY};
use crate::format::Marks;
use crate::format::shared::document::{self, Document, hash, uuid};
use crate::format::shared::json::{Json, quoted};
use crate::format::shared::new::New;
use crate::format::shared::part_edits;
use crate::transcript::{
    Change, Class, EditScript, Insert, InsertKind, Part, PartKind, Patch, PatchKind, Shape, Transcript, UiCopies,
};

/// The patches that carry out a script.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
    let Ok(document) = Document::read(transcript.source, 1, HISTORY) else { return Vec::new() };
    let items: Vec<_> = document.elements.iter().map(|element| Item::new(*element)).collect();
    let mut rendering = Rendering { transcript, script, marks, first: Vec::new() };
    let mut records = 0;
    for item in &items {
        rendering.first.push(records);
        records += 1 + usize::from(item.summary_beside().is_some());
    }
    let keep: Vec<bool> = items.iter().enumerate().map(|(at, item)| rendering.keeps(at, item)).collect();
    let new: Vec<_> = script.inserts.iter().map(|insert| rendering.new_item(insert, &items)).collect();
    let kept = items.iter().enumerate().filter(|(at, _)| keep[*at]);
    let inside = kept.flat_map(|(at, item)| rendering.inside(at, item)).collect();
    document.patches(&EditScript { keep, ..EditScript::default() }, &new, inside)
}

struct Rendering<'r, 'a> {
    transcript: &'r Transcript<'a>,
    script: &'r EditScript,
    marks: &'r Marks<'r>,
    /// The first record of every item.
    first: Vec<usize>,
}

impl Rendering<'_, '_> {
    /// Whether an item is kept: one of its records is, and not all of its reasoning is removed.
    fn keeps(&self, at: usize, item: &Item<'_>) -> bool {
        let record = self.first[at];
        let summary = item.summary_beside().is_some() && self.script.keeps(record + 1);
        let emptied = self.message(record).is_some_and(|index| {
            let parts = &self.transcript.messages[index].parts;
            let goes = |part: usize| self.script.removes(index, part);
            item.role() == "thinking" && !parts.is_empty() && (0..parts.len()).all(goes)
        });
        (self.script.keeps(record) || summary) && !emptied
    }

    /// The index of the message that a record holds.
    fn message(&self, record: usize) -> Option<usize> {
        self.transcript.records.get(record)?.class.message()
    }

    /// The patches inside a kept item.
    fn inside(&self, at: usize, item: &Item<'_>) -> Vec<Patch> {
        let (source, record) = (self.transcript.source, self.first[at]);
        let mut patches = self.logs(item);
        if item.summary_beside().is_some() && !self.script.keeps(record + 1) {
            patches.extend(document::unset_field(source, item.value, SUMMARY, PatchKind::Drop));
        }
        match self.transcript.records.get(record).map(|record| &record.class) {
            Some(Class::With(owner)) => patches.extend(self.copy_of_result(item, *owner)),
            Some(Class::Message(index)) => patches.extend(self.parts(*index, item)),
            _ => {}
        }
        patches
    }

    fn parts(&self, index: usize, item: &Item<'_>) -> Vec<Patch> {
        let parts = &self.transcript.messages[index].parts;
        let states = item.states();
        let mut patches = Vec::new();
        for edit in self.script.changes_of(index) {
            let Some(part) = parts.get(edit.part) else { continue };
            patches.extend(replacement(part, &edit.change, item));
            let id = match &part.kind {
                PartKind::Call { id, .. } | PartKind::Result { id, .. } => id,
                _ => continue,
            };
            let state = states.iter().find(|state| state.id() == *id);
            patches.extend(state.map(|state| self.copies(state, part, &edit.change)).unwrap_or_default());
            if item.role() == "tool" {
                patches.extend(self.attached(item, &edit.change));
            }
        }
        let gone = document::removed(self.transcript, self.script, index);
        let content = item.message.get("content").filter(|content| content.raw().starts_with('['));
        patches.extend(
            content.map(|content| document::without(self.transcript.source, content, &gone)).unwrap_or_default(),
        );
        patches
    }

    /// The patches for copies that a state shows of a call or a result and that are not sent.
    fn copies(&self, state: &State<'_>, part: &Part<'_>, change: &Change) -> Vec<Patch> {
        let Change::Stub(stub) = change else { return Vec::new() };
        let source = self.transcript.source;
        if self.script.ui_copies == UiCopies::Keep {
            return Vec::new();
        }
        let fields = |keys: &[&str]| keys.iter().filter_map(|key| state.fields.get(key)).collect::<Vec<_>>();
        if part.is_result() {
            let shown = fields(&["mcpUiState"]).into_iter();
            return shown.flat_map(|value| document::stub_copies(source, value, stub)).collect();
        }
        let strings = |value: Json<'_>| document::stub_copies(source, value, self.marks.stub);
        let mut patches: Vec<_> = fields(&["parsedArgs", "processedArgs"]).into_iter().flat_map(strings).collect();
        let call = state.fields.object("toolCall").and_then(|call| call.object("function")?.get("arguments"));
        let copy = call.filter(|call| call.is_string() && call.span_in(source) != part.slot.content);
        patches.extend(copy.map(|copy| ui_copy(copy.span_in(source), stub)));
        patches
    }

    /// The patches for an item that repeats a result of another item.
    fn copy_of_result(&self, item: &Item<'_>, owner: usize) -> Vec<Patch> {
        let Some((index, id)) = self.message(owner).zip(item.message.text("toolCallId")) else { return Vec::new() };
        let is_its = |part: &Part<'_>| matches!(&part.kind, PartKind::Result { id: own, .. } if *own == id);
        let at = self.transcript.messages[index].parts.iter().position(is_its);
        let Some(change) = at.and_then(|at| self.script.change(index, at)) else { return Vec::new() };
        let Some(text) = change.text() else { return Vec::new() };
        if self.script.ui_copies == UiCopies::Keep {
            return Vec::new();
        }
        let content = item.message.get("content").filter(|content| content.is_string());
        let copy = content.map(|content| ui_copy(content.span_in(self.transcript.source), text));
        copy.into_iter().chain(self.attached(item, change)).collect()
    }

    /// The patches for copies of a result attached to its item.
    fn attached(&self, item: &Item<'_>, change: &Change) -> Vec<Patch> {
        let attached = item.fields.get("contextItems").filter(|_| self.script.ui_copies != UiCopies::Keep);
        let stub = part_edits::copy_of(Some(change), self.marks.stub);
        attached.map(|items| document::stub_copies(self.transcript.source, items, stub)).unwrap_or_default()
    }

    /// The patches for logged prompts. They repeat the earlier history, so they are stubbed if some of it is dropped.
    fn logs(&self, item: &Item<'_>) -> Vec<Patch> {
        let Some(logs) = item.fields.get("promptLogs") else { return Vec::new() };
        let cut = self.script.keep.contains(&false);
        match self.script.ui_copies {
            UiCopies::Drop => {
                document::unset_field(self.transcript.source, item.value, "promptLogs", PatchKind::UiCopy)
            }
            UiCopies::Stub if cut => document::stub_copies(self.transcript.source, logs, self.marks.stub),
            UiCopies::Stub | UiCopies::Keep => Vec::new(),
        }
    }

    /// A new item. In sessions of the editors it gets an id, and a user item a copy of its text for the input field.
    fn new_item(&self, insert: &Insert, items: &[Item<'_>]) -> New {
        let text = insert.kind.text();
        let said = quoted(text);
        let place = self.first.partition_point(|first| *first < insert.before).to_string();
        let id = items.iter().any(|item| item.message.has("id")).then(|| uuid(&[&hash(&["continue", text]), &place]));
        let id = id.map(|id| format!(r#","id":"{id}""#)).unwrap_or_default();
        let message = |role: &str| format!(r#""message":{{"role":"{role}","content":{said}{id}}},"contextItems":[]"#);
        let typed = items.iter().any(|item| item.fields.get("editorState").is_some_and(Json::is_string));
        let text = match insert.kind {
            InsertKind::Summary { .. } => format!(r#"{{{},"{SUMMARY}":{said}}}"#, message("assistant")),
            InsertKind::Continuation { .. } if typed => format!(r#"{{{},"editorState":{said}}}"#, message("user")),
            InsertKind::Continuation { .. } => format!("{{{}}}", message("user")),
        };
        New { before: self.first.partition_point(|first| *first < insert.before), text }
    }
}

fn ui_copy(span: std::ops::Range<usize>, text: &str) -> Patch {
    Patch { span, with: quoted(text).into_bytes(), kind: PatchKind::UiCopy }
}

/// Replaces a part's content; several members of a state's output become one.
fn replacement(part: &Part<'_>, change: &Change, item: &Item<'_>) -> Option<Patch> {
    let is_list = item.role() == "assistant" && part.slot.shape == Shape::TextBlocks;
    match change {
        Change::Stub(text) | Change::Excerpt(text) if is_list => {
            let one = r#""name":"Tool Result","description":"Tool execution result""#;
            Some(part_edits::stub(part.slot.content.clone(), format!(r#"[{{"content":{},{one}}}]"#, quoted(text))))
        }
        _ => part_edits::replacement(part, change),
    }
}
