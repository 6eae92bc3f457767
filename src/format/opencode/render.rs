//! Renders an edit script over an export as patches.

use super::fresh_ids;
use super::new_messages::{Neighbors, Step};
use crate::format::Marks;
use crate::format::shared::document::{self, Document};
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::links::by_id;
use crate::format::shared::new::New;
use crate::transcript::{
    Change, Class, EditScript, Insert, InsertKind, Part, Patch, PatchKind, Role, Transcript, UiCopies,
};

/// The patches that carry out a script.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
    let Ok(document) = super::document(transcript.source, 1) else { return Vec::new() };
    let mut rendering = Rendering {
        transcript,
        script,
        marks,
        document: &document,
        new: Vec::new(),
        root: kept_marker(transcript, script),
    };
    rendering.inserts();
    let mut inside = rendering.inside();
    if marks.fresh_ids {
        rendering.rename(&mut inside);
    }
    document.patches(script, &rendering.new, inside)
}

/// The id of the newest kept marker: answers whose question is dropped can be linked to it.
fn kept_marker(transcript: &Transcript<'_>, script: &EditScript) -> Option<String> {
    let records = transcript.records.iter().enumerate().rev();
    let mut markers =
        records.filter(|(at, record)| record.class == Class::Boundary && script.keep.get(*at) == Some(&true));
    markers.next().and_then(|(_, record)| Some(record.id.as_deref()?.to_owned()))
}

struct Rendering<'r, 't> {
    transcript: &'r Transcript<'t>,
    script: &'r EditScript,
    marks: &'r Marks<'r>,
    document: &'r Document<'t>,
    new: Vec<New>,
    /// The id of the new marker, or of the newest kept one.
    root: Option<String>,
}

impl<'t> Rendering<'_, 't> {
    /// Creates the new messages. Those at the same place get steps in time, so that they sort in order.
    fn inserts(&mut self) {
        let script = self.script;
        let end = self.document.elements.len();
        for (at, insert) in script.inserts.iter().enumerate() {
            let size = |insert: &Insert| if matches!(insert.kind, InsertKind::Summary { .. }) { 2 } else { 1 };
            let place = script.place(insert);
            let beside = |range: &[Insert]| range.iter().filter(|other| script.place(other) == place).map(size).sum();
            let (earlier, later): (i64, i64) = (beside(&script.inserts[..at]), beside(&script.inserts[at..]));
            let step = if place < end { -later } else { earlier + 1 };
            self.insert(insert, place, step);
        }
    }

    fn insert(&mut self, insert: &Insert, before: usize, step: i64) {
        let neighbors = self.neighbors(before);
        match &insert.kind {
            InsertKind::Summary { text, .. } => {
                let marker = neighbors.marker(text, self.first_kept(insert.before), Step(step));
                let summary = neighbors.summary(&marker.id, text, Step(step + 1));
                self.new.extend([marker.text, summary.text].map(|text| New { before, text }));
                self.root = Some(marker.id);
            }
            InsertKind::Continuation { text, had_media, replayed } => {
                let new = neighbors.continuation(text, (*replayed, *had_media), Step(step));
                self.new.push(New { before, text: new.text });
            }
        }
    }

    /// The id of the first kept message at or after this place.
    fn first_kept(&self, before: usize) -> Option<&str> {
        let behind = self.transcript.records.iter().enumerate().skip(before);
        let mut kept =
            behind.filter(|(at, record)| self.script.keeps(*at) && matches!(record.class, Class::Message(_)));
        kept.find_map(|(_, record)| record.id.as_deref())
    }

    fn neighbors(&self, before: usize) -> Neighbors<'t> {
        let elements = &self.document.elements;
        let info = |at: usize| elements.get(at).and_then(|element| element.object()?.object("info"));
        let newest = |wanted: &str| {
            let (earlier, later) = elements.split_at(before.min(elements.len()));
            let mut all = earlier.iter().rev().chain(later);
            all.find_map(|element| element.object()?.object("info").filter(|info| info.is("role", wanted)))
        };
        Neighbors {
            beside: info(before).or_else(|| info(before.checked_sub(1)?)).unwrap_or_default(),
            user: newest("user").unwrap_or_default(),
            assistant: newest("assistant").unwrap_or_default(),
        }
    }

    /// The patches inside kept records.
    fn inside(&self) -> Vec<Patch> {
        let index = by_id(self.transcript);
        let mut patches = Vec::new();
        let mut user = None;
        for (at, record) in self.transcript.records.iter().enumerate().filter(|(at, _)| self.script.keeps(*at)) {
            let parent =
                record.parent.as_deref().and_then(|id| index.get(id)).filter(|parent| !self.script.keeps(**parent));
            if parent.is_some() {
                patches.extend(self.relink(at, self.root.as_deref().or(user)));
            }
            if let Class::Message(message) = record.class {
                patches.extend(self.parts(at, message));
                if self.transcript.messages[message].role == Role::User {
                    user = record.id.as_deref();
                }
            }
        }
        patches
    }

    /// Gives all kept and new elements new ids.
    fn rename(&mut self, inside: &mut Vec<Patch>) {
        let source = self.transcript.source;
        self.new.iter_mut().for_each(|new| new.text = fresh_ids::in_text(&new.text));
        for patch in inside.iter_mut().filter(|patch| patch.kind == PatchKind::Relink) {
            let old = String::from_utf8_lossy(&patch.with).into_owned();
            let old = Json::parse(&old).ok().and_then(|id| Some(id.text()?.into_owned()));
            patch.with = quoted(&fresh_ids::fresh(&old.unwrap_or_default())).into_bytes();
        }
        let kept = self.document.elements.iter().enumerate().filter(|(at, _)| self.script.keeps(*at));
        let mut renamed: Vec<_> = kept
            .filter_map(|(_, element)| element.object())
            .flat_map(|fields| fresh_ids::of_message(source, &fields))
            .collect();
        let info = self.document.whole.object().and_then(|fields| fields.object("info")).unwrap_or_default();
        renamed.extend(fresh_ids::of_session(source, &info));
        renamed.retain(|patch| {
            !inside.iter().any(|other| other.span.start <= patch.span.start && patch.span.end <= other.span.end)
        });
        inside.append(&mut renamed);
    }

    /// Links an answer to another user message.
    fn relink(&self, at: usize, to: Option<&str>) -> Option<Patch> {
        let parent = self.document.elements.get(at)?.object()?.object("info")?.get("parentID")?;
        let span = parent.span_in(self.transcript.source);
        Some(Patch { span, with: quoted(to?).into_bytes(), kind: PatchKind::Relink })
    }

    fn parts(&self, at: usize, message: usize) -> Vec<Patch> {
        let source = self.transcript.source;
        let changes = self.script.changes_of(message);
        let drops = self.script.ui_copies == UiCopies::Drop;
        if changes.is_empty() && !drops {
            return Vec::new();
        }
        let gone = document::removed(self.transcript, self.script, message);
        let mut patches = document::replacements(self.transcript, self.script, message, &gone);
        let fields = self.document.elements[at].object().unwrap_or_default();
        let Some(array) = fields.get("parts") else { return patches };
        patches.extend(document::without(source, array, &gone));
        let parts = &self.transcript.messages[message].parts;
        for (index, part) in parts.iter().enumerate().filter(|(_, part)| part.is_result()) {
            let change = self.script.change(message, index);
            if gone.contains(&part.slot.part) {
                continue;
            }
            match change {
                Some(Change::Stub(stub)) => patches.extend(self.pruned(part, stub)),
                None if !drops => {}
                _ => patches.extend(self.copies(part, self.marks.stub)),
            }
        }
        patches
    }

    /// The patches that mark a result as pruned with the time, and remove its attachments and copies.
    fn pruned(&self, part: &Part<'_>, stub: &str) -> Vec<Patch> {
        let source = self.transcript.source;
        let Some((state, fields)) = state(part, source) else { return Vec::new() };
        let at = self.marks.compacted_at.map(|at| at.to_string());
        let completed = fields.is("status", "completed");
        let time = fields.get("time").zip(at).filter(|_| completed);
        let mut patches = time
            .map(|(time, at)| document::set_field(source, time, "compacted", &at, PatchKind::Stub))
            .unwrap_or_default();
        patches.extend(document::unset_field(source, state, "attachments", PatchKind::Stub));
        patches.extend(self.copies(part, stub));
        patches
    }

    /// The patches that stub copies of an output shown only by a user interface.
    fn copies(&self, part: &Part<'_>, stub: &str) -> Vec<Patch> {
        let source = self.transcript.source;
        let metadata = state(part, source).and_then(|(_, fields)| fields.get("metadata"));
        let Some(metadata) = metadata.filter(|_| self.script.ui_copies != UiCopies::Keep) else { return Vec::new() };
        let mut patches = document::stub_copies(source, metadata, stub);
        patches.retain(|patch| patch.span != part.slot.content);
        patches
    }
}

/// The `state` of the tool part that contains a result.
fn state<'a>(part: &Part<'_>, source: &'a [u8]) -> Option<(Json<'a>, Object<'a>)> {
    let text = std::str::from_utf8(source.get(part.slot.part.clone())?).ok()?;
    let state = Json::parse(text).ok()?.object()?.get("state")?;
    Some((state, state.object()?))
}
