//! Renders an edit script over a session as patches: drops and inserts lines, repairs links, updates UI copies.

use super::append;
use super::ids::Ids;
use super::new_parents::NewParents;
use super::new_records::Envelope;
use crate::format::Marks;
use crate::format::shared::array::Members;
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::new::New;
use crate::format::shared::part_edits::{copies_of, replacement};
use crate::format::shared::record_lines;
use crate::format::shared::session_lines::{fields, stub_strings, without_field};
use crate::transcript::{Class, EditScript, Insert, InsertKind, Patch, PatchKind, Record, Transcript, UiCopies};

/// The patches that carry out a script.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
    if script.appended.is_some() {
        return append::render(transcript, script);
    }
    let mut rendering = Rendering {
        transcript,
        script,
        stub: marks.stub,
        ids: Ids::of(transcript),
        nearest: vec![None; transcript.records.len()],
        lines: Vec::new(),
        changes: Vec::new(),
        leaf: last_kept_message(transcript, script),
        root: None,
        newest: None,
        new_parents: NewParents::default(),
        unlinked: false,
    };
    let mut inserts = script.inserts.iter().peekable();
    for (at, record) in transcript.records.iter().enumerate() {
        while let Some(insert) = inserts.next_if(|insert| insert.before <= at) {
            rendering.insert(insert, Some(record));
        }
        if script.keep[at] {
            rendering.record(at, record);
        }
    }
    inserts.for_each(|insert| rendering.insert(insert, None));
    record_lines::edited(transcript, &script.keep, &rendering.lines, rendering.changes)
}

/// The id of the kept message that is read last: the new target of titles and prompts whose own target is dropped.
fn last_kept_message(transcript: &Transcript<'_>, script: &EditScript) -> Option<String> {
    let mut records = transcript.messages.iter().rev().map(|message| message.record);
    let ends = |record: &Record<'_>| is_read(record) && record.id.is_some();
    let last = records.find(|&record| script.keep[record] && ends(&transcript.records[record]))?;
    transcript.records[last].id.as_deref().map(str::to_owned)
}

/// Whether a record has a message that is not abandoned.
fn is_read(record: &Record<'_>) -> bool {
    matches!(record.class, Class::Message(_))
}

/// The newest kept message record after the new summary, or a continuation behind it.
struct Newest {
    id: String,
    /// The record itself, or the one that the continuation follows.
    record: Option<usize>,
}

struct Rendering<'r, 't> {
    transcript: &'r Transcript<'t>,
    script: &'r EditScript,
    stub: &'r str,
    ids: Ids<'t>,
    /// Cache of the nearest kept ancestor, for records looked up before.
    nearest: Vec<Option<Option<usize>>>,
    lines: Vec<New>,
    changes: Vec<Patch>,
    leaf: Option<String>,
    /// The id of the new summary, and the index of the record before which it is placed.
    root: Option<(String, usize)>,
    newest: Option<Newest>,
    new_parents: NewParents,
    /// Whether the last kept message record has no id.
    unlinked: bool,
}

impl<'t> Rendering<'_, 't> {
    fn record(&mut self, at: usize, record: &Record<'_>) {
        let fields = fields(self.transcript, record);
        let mut changes = Vec::new();
        self.relink_parent(at, &fields, &mut changes);
        self.relink_leaf(&fields, &mut changes);
        if let Class::Message(message) = record.class {
            self.change_parts(message, &fields, &mut changes);
            if self.root.is_some() {
                let newest = record.id.as_deref().map(|id| Newest { id: id.to_owned(), record: Some(at) });
                self.newest = newest.or(self.newest.take());
            }
            // A queued message is on no chain.
            self.unlinked = record.id.is_none() && !fields.has("operation");
        }
        self.ui_copy(record, &fields, &mut changes);
        self.changes.append(&mut changes);
    }

    fn insert(&mut self, insert: &Insert, next: Option<&Record<'_>>) {
        let next = next.map(|next| self.read_first(insert.before).filter(|_| is_read(next)).unwrap_or(next));
        let neighbor = next.or_else(|| {
            let kept = self.transcript.records.iter().zip(&self.script.keep).rev();
            let mut kept = kept.filter(|(record, keep)| **keep && record.id.is_some()).map(|(record, _)| record);
            kept.next().or_else(|| self.transcript.records.iter().rfind(|record| record.id.is_some()))
        });
        let envelope = Envelope::of(&neighbor.map(|record| fields(self.transcript, record)).unwrap_or_default());
        let kept = self.transcript.messages.iter().filter(|message| self.script.keep[message.record]);
        let follows = kept.clone().find(|message| message.record >= insert.before);
        // The neighbor has an id, which a queued message before it lacks.
        let queued = follows.filter(|message| self.transcript.records[message.record].id.is_none());
        let envelope = envelope.ahead(queued).behind(kept.filter(|message| message.record < insert.before));
        let before = insert.before;
        let new = |text: String| New { before, text };
        match &insert.kind {
            InsertKind::Summary { text, tokens_before, tokens_after, .. } => {
                let (boundary, id) = envelope.boundary(text, (*tokens_before, *tokens_after), None);
                let (summary, root) = envelope.summary(&id, text);
                self.lines.extend([new(boundary), new(summary)]);
                self.root = Some((root, insert.before));
                self.nearest.fill(None);
            }
            InsertKind::Continuation { text, replayed, .. } => {
                let newest = self.newest.as_ref().map(|newest| self.read_last(before).unwrap_or(&newest.id));
                let parent = newest.or(self.root.as_ref().map(|(root, _)| &**root)).or(self.leaf.as_deref());
                let parent = (!self.unlinked).then(|| parent.unwrap_or_default());
                let (line, id) = envelope.continuation(parent, text, !replayed);
                self.lines.push(new(line));
                if !self.unlinked {
                    self.newest = Some(Newest { id, record: self.newest.take().and_then(|newest| newest.record) });
                }
            }
        }
    }

    /// The kept message that is read first of those from this record on, if it can be one with an id (queued ones have
    /// none). Its line may stand behind that of its result.
    fn read_first(&self, from: usize) -> Option<&Record<'t>> {
        let records = self.transcript.messages.iter().map(|message| message.record);
        let kept = records.filter(|&record| record >= from && self.script.keep[record]);
        let kept = kept.map(|record| &self.transcript.records[record]);
        kept.clone().find(|record| record.id.is_some()).or_else(|| kept.clone().next())
    }

    /// The id of the message with an id that is read last of those kept between the new summary and this record.
    fn read_last(&self, before: usize) -> Option<&str> {
        let stands = |record: usize| record < before && self.stays(record) && is_read(&self.transcript.records[record]);
        let mut messages = self.transcript.messages.iter().rev().filter(|message| stands(message.record));
        messages.find_map(|message| self.transcript.records[message.record].id.as_deref())
    }

    /// Points `parentUuid` to the nearest kept ancestor, or else to the message that now precedes the record.
    fn relink_parent(&mut self, at: usize, fields: &Object<'_>, changes: &mut Vec<Patch>) {
        let Some(value) = fields.get("parentUuid") else { return };
        let side = matches!(self.transcript.records[at].class, Class::Sidechain(_));
        let parent = self.ids.parent(self.transcript, at);
        match parent {
            Some(parent) if (self.stays(parent) || self.copy_stays(parent, at)) && !self.closes(parent, at) => {
                return self.new_parents.kept(at, parent);
            }
            None if side || self.root.is_none() => return,
            _ => {}
        }
        let ancestor = parent.and_then(|parent| self.ancestor(parent));
        // An ancestor after its descendant is reached through a later copy only, and linking to it would make a cycle.
        let ancestor = ancestor.filter(|ancestor| *ancestor < at || parent > Some(at));
        let ancestor = ancestor.filter(|ancestor| !self.leads(*ancestor, at));
        let newest = self.newest.as_ref().filter(|_| !side);
        let newest = newest.filter(|newest| !newest.record.is_some_and(|record| self.leads(record, at)));
        self.new_parents.changed(at, ancestor.or(newest.and_then(|newest| newest.record)));
        let ancestor = ancestor.and_then(|record| self.transcript.records[record].id.as_deref());
        let root = self.root.as_ref().map(|(id, _)| id.as_str()).filter(|_| !side);
        let new = ancestor.or(newest.map(|newest| newest.id.as_str())).or(root);
        let new = new.map_or_else(|| "null".to_owned(), quoted);
        if new != value.raw() {
            changes.push(self.relink(value, new));
        }
    }

    /// Whether a link that is kept would close a cycle with new ones.
    fn closes(&self, parent: usize, at: usize) -> bool {
        !self.new_parents.are_old() && self.leads(parent, at)
    }

    /// Whether the new links lead from a record to another one.
    fn leads(&self, from: usize, to: usize) -> bool {
        self.new_parents.lead(from, to, |record| self.ids.parent(self.transcript, record))
    }

    /// Whether a record is kept and comes after the new summary, if there is one.
    fn stays(&self, record: usize) -> bool {
        self.script.keep[record] && self.root.as_ref().is_none_or(|(_, cut)| record >= *cut)
    }

    /// Whether another record with the same id is kept on the same side of `follower`: if only a later copy were
    /// left, the link would lead forward and make a cycle.
    fn copy_stays(&self, record: usize, follower: usize) -> bool {
        let id = self.transcript.records[record].id.as_deref();
        let copies = id.map(|id| self.ids.all(id)).unwrap_or_default().iter();
        copies.copied().any(|copy| self.stays(copy) && (copy < follower || record > follower))
    }

    /// The nearest kept record, from this one upwards. Each record is walked once.
    fn ancestor(&mut self, from: usize) -> Option<usize> {
        let mut passed = Vec::new();
        let mut at = Some(from);
        let found = loop {
            let Some(record) = at else { break None };
            if self.stays(record) {
                break Some(record);
            }
            if let Some(known) = self.nearest[record] {
                break known;
            }
            self.nearest[record] = Some(None); // a circle ends here
            passed.push(record);
            at = self.ids.parent(self.transcript, record);
        };
        passed.into_iter().for_each(|record| self.nearest[record] = Some(found));
        found
    }

    /// Redirects `leafUuid` of a title or prompt and `logicalParentUuid` of a kept boundary if their target is dropped.
    fn relink_leaf(&self, fields: &Object<'_>, changes: &mut Vec<Patch>) {
        for key in ["leafUuid", "logicalParentUuid"] {
            let Some(value) = fields.get(key) else { continue };
            let Some(id) = value.text() else { continue };
            if self.ids.get(&id).is_some_and(|target| !self.script.keep[target]) {
                let leaf = self.leaf.as_deref().filter(|_| key == "leafUuid");
                changes.push(self.relink(value, leaf.map_or_else(|| "null".to_owned(), quoted)));
            }
        }
    }

    fn relink(&self, value: Json<'_>, with: String) -> Patch {
        Patch { span: value.span_in(self.transcript.source), with: with.into_bytes(), kind: PatchKind::Relink }
    }

    fn change_parts(&self, message: usize, fields: &Object<'_>, changes: &mut Vec<Patch>) {
        let parts = &self.transcript.messages[message].parts;
        let edits = self.script.changes_of(message);
        changes.extend(edits.iter().filter_map(|edit| replacement(&parts[edit.part], &edit.change)));
        let content = fields.object("message").and_then(|message| message.get("content"));
        let content = content.or_else(|| fields.object("attachment").and_then(|attachment| attachment.get("prompt")));
        let content = content.or_else(|| fields.get("content"));
        if let Some((content, blocks)) = content.and_then(|content| Some((content, content.array()?))) {
            let members = Members::of_array(self.transcript.source, content, &blocks);
            changes.extend(members.patches(|part| !self.script.removes(message, part), &[], PatchKind::Stub));
        }
    }

    /// Keeps, drops or stubs `toolUseResult`, which no model reads, according to the settings.
    fn ui_copy(&self, record: &Record<'_>, fields: &Object<'_>, changes: &mut Vec<Patch>) {
        let Some(copy) = fields.get("toolUseResult") else { return };
        match self.script.ui_copies {
            UiCopies::Keep => {}
            UiCopies::Drop => changes.extend(without_field(self.transcript.source, copy)),
            UiCopies::Stub if self.is_shortened(record) => {
                let stub = match record.class {
                    Class::Message(message) => copies_of(self.transcript, self.script, (message, self.stub)),
                    _ => self.stub,
                };
                changes.extend(stub_strings(self.transcript.source, copy, stub));
            }
            UiCopies::Stub => {}
        }
    }

    /// Whether the record has a result that is stubbed or shortened.
    fn is_shortened(&self, record: &Record<'_>) -> bool {
        let Class::Message(message) = record.class else { return false };
        let parts = &self.transcript.messages[message].parts;
        self.script.changes_of(message).iter().any(|edit| parts[edit.part].is_result())
    }
}
