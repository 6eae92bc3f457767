//! Renders an edit script over a session as patches: drops and inserts lines, repairs links, updates UI copies.

use super::path::loaded;
use crate::format::Marks;
use crate::format::shared::array::Members;
use crate::format::shared::json::{Object, quoted};
use crate::format::shared::links::Chain;
use crate::format::shared::new::New;
use crate::format::shared::part_edits::{copies_of, replacement};
use crate::format::shared::record_lines;
use crate::format::shared::session_lines::{fields, stub_strings, without_field};
use crate::transcript::{Class, EditScript, Insert, InsertKind, Patch, PatchKind, Record, Transcript, UiCopies, hex};
use sha2::{Digest, Sha256};

/// Returns the patches that carry out a script. New entries are always placed at the end, whatever place the script
/// gives them: pi appends a compaction there, which names the first entry that it keeps.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
    let chain = Chain::new(transcript, script);
    let path = loaded(transcript, &chain.index);
    let mut rendering = Rendering { transcript, script, stub: marks.stub, chain, path, lines: Vec::new(), leaf: None };
    let mut changes = Vec::new();
    for (at, record) in transcript.records.iter().enumerate().filter(|(at, _)| script.keep[*at]) {
        changes.append(&mut rendering.record(at, record));
    }
    script.inserts.iter().for_each(|insert| rendering.insert(insert));
    record_lines::edited(transcript, &script.keep, &rendering.lines, changes)
}

/// Tools of the program itself, whose `details` are copies for its screen (pi, OpenClaw).
const SHOWING: [&str; 9] = ["bash", "edit", "exec", "find", "grep", "ls", "process", "read", "write"];

struct Rendering<'r, 't> {
    transcript: &'r Transcript<'t>,
    script: &'r EditScript,
    stub: &'r str,
    chain: Chain<'r, 't>,
    /// For each record, whether pi loads it; compactions are not considered.
    path: Vec<bool>,
    lines: Vec<New>,
    /// The id of the newest kept or new entry.
    leaf: Option<String>,
}

impl Rendering<'_, '_> {
    fn record(&mut self, at: usize, record: &Record<'_>) -> Vec<Patch> {
        let mut changes = Vec::new();
        let links = record.parent.iter().any(|id| self.chain.is_gone(id));
        let message = record.class.message();
        if links || message.is_some() || matches!(record.class, Class::With(_) | Class::Place) {
            let fields = fields(self.transcript, record);
            self.relink(record, &fields, &mut changes);
            changes.extend(self.relink_first(&fields));
            if let Some(message) = message {
                self.change_parts(message, &fields, &mut changes);
            }
        }
        if self.path[at] {
            self.leaf = record.id.as_deref().map(str::to_owned).or(self.leaf.take());
        }
        changes
    }

    /// Redirects links to dropped entries to their nearest kept ancestor.
    fn relink(&self, record: &Record<'_>, fields: &Object<'_>, changes: &mut Vec<Patch>) {
        let ancestor = record.parent.as_ref().and_then(|id| self.chain.nearest_to(id));
        for (key, none) in
            [("parentId", "null"), ("fromId", "\"root\""), ("targetId", "null"), ("appendParentId", "null")]
        {
            let Some(value) = fields.get(key) else { continue };
            let Some(id) = value.text().filter(|id| self.chain.is_gone(id)) else { continue };
            let own = if key == "parentId" { ancestor.clone() } else { self.chain.nearest_to(&id) };
            let with = own.map_or_else(|| none.to_owned(), |id| quoted(&id)).into_bytes();
            changes.push(Patch { span: value.span_in(self.transcript.source), with, kind: PatchKind::Relink });
        }
    }

    /// The patch that updates the first kept entry of a kept compaction, if that entry is dropped or moves.
    fn relink_first(&self, fields: &Object<'_>) -> Option<Patch> {
        let keep = &self.script.keep;
        let (value, with) = if let Some(value) = fields.get("firstKeptEntryId") {
            let first = *self.chain.index.get(&value.text()?)?;
            let linked = |at: &usize| keep[*at] && self.transcript.records[*at].id.is_some();
            let next = (first..keep.len()).find(linked)?;
            (value, quoted(self.transcript.records[next].id.as_deref()?))
        } else {
            let value = fields.get("firstKeptEntryIndex")?;
            let line = usize::try_from(value.whole()?).ok().filter(|line| *line < keep.len())?;
            (value, keep.iter().take(line).filter(|keep| **keep).count().to_string())
        };
        let span = value.span_in(self.transcript.source);
        (with != value.raw()).then(|| Patch { span, with: with.into_bytes(), kind: PatchKind::Relink })
    }

    fn change_parts(&self, message: usize, fields: &Object<'_>, changes: &mut Vec<Patch>) {
        let parts = &self.transcript.messages[message].parts;
        let edits = self.script.changes_of(message);
        changes.extend(edits.iter().filter_map(|edit| replacement(parts.get(edit.part)?, &edit.change)));
        let inner = fields.object("message").unwrap_or_default();
        if let Some((content, blocks)) = inner.get("content").and_then(|content| Some((content, content.array()?)))
            && blocks.len() == parts.len()
        {
            let members = Members::of_array(self.transcript.source, content, &blocks);
            changes.extend(members.patches(|part| !self.script.removes(message, part), &[], PatchKind::Stub));
        }
        if parts.iter().any(|part| part.is_result()) {
            changes.append(&mut self.details(&inner, (message, !edits.is_empty())));
        }
    }

    /// Keeps, drops or stubs the `details` of a result, which no model reads, according to the settings. Those of an
    /// extension's tool stay: an extension may store its state there, and reads it when the session is resumed.
    fn details(&self, fields: &Object<'_>, (message, shortened): (usize, bool)) -> Vec<Patch> {
        let shows = fields.text("toolName").is_some_and(|tool| SHOWING.contains(&&*tool));
        let Some(details) = fields.get("details").filter(|_| shows) else { return Vec::new() };
        let stub = copies_of(self.transcript, self.script, (message, self.stub));
        match self.script.ui_copies {
            UiCopies::Drop => without_field(self.transcript.source, details).into_iter().collect(),
            UiCopies::Stub if shortened => stub_strings(self.transcript.source, details, stub),
            UiCopies::Stub | UiCopies::Keep => Vec::new(),
        }
    }

    fn insert(&mut self, insert: &Insert) {
        let (what, text) = match &insert.kind {
            InsertKind::Summary { text, .. } => ("compaction", text),
            InsertKind::Continuation { text, .. } => ("continuation", text),
        };
        let id = (!self.chain.index.is_empty()).then(|| self.new_id(what, text));
        let envelope = self.envelope(id.as_deref(), &self.last_kept(|_| true));
        let text = quoted(text);
        let line = match &insert.kind {
            InsertKind::Summary { tokens_before, .. } => {
                let kept = self.first_kept(insert.before, id.as_deref());
                format!(r#"{{"type":"compaction"{envelope},"summary":{text},{kept},"tokensBefore":{tokens_before}}}"#)
            }
            InsertKind::Continuation { .. } => {
                let last = self.last_kept(|record| matches!(record.class, Class::Message(_)));
                let at = timestamp(&last.object("message").unwrap_or_default());
                let content = format!(r#"[{{"type":"text","text":{text}}}]"#);
                format!(r#"{{"type":"message"{envelope},"message":{{"role":"user","content":{content}{at}}}}}"#)
            }
        };
        self.leaf = id.or(self.leaf.take());
        self.lines.push(New { before: self.transcript.records.len(), text: line });
    }

    /// The links and the timestamp of a new entry.
    fn envelope(&self, id: Option<&str>, last: &Object<'_>) -> String {
        let parent = self.leaf.as_deref().map_or_else(|| "null".to_owned(), quoted);
        let links = id.map(|id| format!(r#","id":"{id}","parentId":{parent}"#)).unwrap_or_default();
        links + &timestamp(last)
    }

    /// The last kept record that `is` accepts.
    fn last_kept(&self, is: impl Fn(&Record<'_>) -> bool) -> Object<'_> {
        let kept = self.transcript.records.iter().zip(&self.script.keep).rev().filter(|(_, keep)| **keep);
        let last = kept.map(|(record, _)| record).find(|record| is(record));
        last.map(|record| fields(self.transcript, record)).unwrap_or_default()
    }

    /// The first kept message at or after a place.
    fn kept_after(&self, before: usize) -> Option<usize> {
        let records = self.transcript.records.iter().enumerate().skip(before);
        let mut kept =
            records.filter(|(at, record)| self.script.keep[*at] && matches!(record.class, Class::Message(_)));
        kept.next().map(|(at, _)| at)
    }

    /// The field of a compaction that names the first entry it keeps: by id, or by its line in the output (without
    /// ids); if there is none, its own id.
    fn first_kept(&self, before: usize, own: Option<&str>) -> String {
        let first = self.kept_after(before);
        if let Some(own) = own {
            let id = first.and_then(|at| self.transcript.records[at].id.as_deref());
            return format!(r#""firstKeptEntryId":{}"#, quoted(id.unwrap_or(own)));
        }
        let end = first.unwrap_or(self.transcript.records.len());
        let line = self.script.keep.iter().take(end).filter(|keep| **keep).count();
        format!(r#""firstKeptEntryIndex":{line}"#)
    }

    /// An id of eight hex digits, derived from content, that no other entry has.
    fn new_id(&self, what: &str, text: &str) -> String {
        let leaf = self.leaf.as_deref().unwrap_or_default();
        let hex = hex(&Sha256::new().chain_update(what).chain_update(leaf).chain_update(text).finalize());
        let ids = (0..hex.len() - 8).map(|at| &hex[at..at + 8]);
        ids.into_iter().find(|id| !self.chain.index.contains_key(*id)).unwrap_or(&hex).to_owned()
    }
}

/// The `timestamp` field of a record, for use in another one.
fn timestamp(fields: &Object<'_>) -> String {
    fields.get("timestamp").map(|time| format!(r#","timestamp":{}"#, time.raw())).unwrap_or_default()
}
