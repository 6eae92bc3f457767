//! Renders an edit script over a session as patches: drops and inserts lines, repairs links, updates UI copies.

use super::COMPRESSION;
use crate::format::Marks;
use crate::format::shared::document::{self, uuid};
use crate::format::shared::gemini_parts::replacement;
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::links::Chain;
use crate::format::shared::new::New;
use crate::format::shared::part_edits::copies_of;
use crate::format::shared::record_lines;
use crate::format::shared::session_lines::fields;
use crate::transcript::fixed_texts::ACKNOWLEDGED;
use crate::transcript::{Class, EditScript, Insert, InsertKind, Patch, PatchKind, Record, Role, Transcript, UiCopies};

/// Envelope fields that new records copy from neighbors, in the order in which Qwen Code writes them.
const ENVELOPE: [&str; 4] = ["sessionId", "cwd", "version", "gitBranch"];

/// The patches that carry out a script.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
    let chain = Chain::new(transcript, script);
    let mut rendering = Rendering { transcript, script, stub: marks.stub, chain, newest: None, lines: Vec::new() };
    let mut changes = Vec::new();
    let mut inserts = script.inserts.iter().peekable();
    for (at, record) in transcript.records.iter().enumerate() {
        while let Some(insert) = inserts.next_if(|insert| insert.before <= at) {
            rendering.insert(insert);
        }
        if script.keeps(at) {
            changes.append(&mut rendering.record(at, record));
        }
    }
    inserts.for_each(|insert| rendering.insert(insert));
    record_lines::edited(transcript, &script.keep, &rendering.lines, changes)
}

struct Rendering<'r, 't> {
    transcript: &'r Transcript<'t>,
    script: &'r EditScript,
    stub: &'r str,
    chain: Chain<'r, 't>,
    /// The id of the newest kept or new record on the session's path.
    newest: Option<String>,
    lines: Vec<New>,
}

impl<'t> Rendering<'_, 't> {
    fn record(&mut self, at: usize, record: &Record<'_>) -> Vec<Patch> {
        let mut changes: Vec<_> = self.chain.relinked(at, "parentUuid").into_iter().collect();
        if let Class::Message(message) = record.class {
            changes.append(&mut self.parts(message));
        }
        if matches!(record.class, Class::Message(_) | Class::Place | Class::Session(_) | Class::Ui) {
            self.newest = record.id.as_deref().map(str::to_owned).or(self.newest.take());
        }
        changes
    }

    fn parts(&self, index: usize) -> Vec<Patch> {
        let source = self.transcript.source;
        let edits = self.script.changes_of(index);
        let drops = self.script.ui_copies == UiCopies::Drop;
        if edits.is_empty() && !drops {
            return Vec::new();
        }
        let fields = fields(self.transcript, self.transcript.record_of(index));
        let gone = document::removed(self.transcript, self.script, index);
        let array = fields.object("message").and_then(|message| message.get("parts"));
        let mut patches = array.map(|array| document::without(source, array, &gone)).unwrap_or_default();
        let parts = &self.transcript.messages[index].parts;
        let changed = edits.iter().filter_map(|edit| Some((parts.get(edit.part)?, &edit.change)));
        let changed: Vec<_> = changed.filter(|(part, _)| !gone.contains(&part.slot.part)).collect();
        patches.extend(changed.iter().filter_map(|(part, change)| replacement(part, change)));
        let shortened = changed.iter().any(|(part, _)| part.is_result());
        if let Some(copy) = fields.get("toolCallResult").filter(|_| shortened || drops) {
            patches.extend(self.ui_copy(copy, index));
        }
        patches
    }

    /// Keeps, drops or stubs the displayed copy of a result, which no model reads, according to the settings.
    fn ui_copy(&self, copy: Json<'_>, message: usize) -> Vec<Patch> {
        let source = self.transcript.source;
        let stub = copies_of(self.transcript, self.script, (message, self.stub));
        match self.script.ui_copies {
            UiCopies::Keep => Vec::new(),
            UiCopies::Stub => document::stub_copies(source, copy, stub),
            UiCopies::Drop => document::unset_field(source, copy, "resultDisplay", PatchKind::UiCopy),
        }
    }

    fn insert(&mut self, insert: &Insert) {
        let beside = self.beside(insert.before);
        let (what, text) = match &insert.kind {
            InsertKind::Summary { text, .. } => ("compression", text),
            InsertKind::Continuation { text, .. } => ("continuation", text),
        };
        let raw = |key: &str| beside.get(key).map(Json::raw).unwrap_or_default();
        let id = uuid(&["qwen", what, raw("sessionId"), raw("uuid"), text]);
        let at_end = insert.before >= self.transcript.records.len();
        let parent = if at_end { self.newest.clone() } else { self.chain.parent_before(insert.before) };
        let parent = parent.map_or_else(|| "null".to_owned(), |id| quoted(&id));
        let body = match &insert.kind {
            InsertKind::Summary { tokens_before, tokens_after, .. } => {
                self.chain.begin_at(&id, insert.before);
                let info = format!(
                    r#"{{"originalTokenCount":{tokens_before},"newTokenCount":{tokens_after},"compressionStatus":1}}"#
                );
                let history = self.history(insert.before, text);
                format!(
                    r#""type":"system","subtype":"{COMPRESSION}","systemPayload":{{"info":{info},"compressedHistory":[{history}]}}"#
                )
            }
            InsertKind::Continuation { .. } => format!(r#""type":"user","message":{}"#, content("user", text)),
        };
        let shared = |key: &&str| Some(format!(r#""{key}":{},"#, beside.get(key)?.raw()));
        let time = shared(&"timestamp").unwrap_or_default();
        let shared: String = ENVELOPE.iter().filter_map(shared).collect();
        let line = format!(r#"{{"uuid":"{id}","parentUuid":{parent},{time}{shared}{body}}}"#);
        self.newest = Some(id);
        self.lines.push(New { before: insert.before, text: line });
    }

    /// The summary as a history: a user message, followed by the model's answer to it if another user message follows.
    fn history(&self, before: usize, text: &str) -> String {
        let mut after =
            self.transcript.messages.iter().filter(|it| it.record >= before && self.script.keeps(it.record));
        let summary = content("user", text);
        match after.next() {
            Some(next) if next.role == Role::Assistant => summary,
            _ => format!("{summary},{}", content("model", ACKNOWLEDGED)),
        }
    }

    /// The fields of the record before which a new one is placed, or else of the last one.
    fn beside(&self, before: usize) -> Object<'t> {
        let records = &self.transcript.records;
        let after = records.iter().skip(before).find(|record| record.id.is_some());
        let record = after.or_else(|| records.iter().rfind(|record| record.id.is_some()));
        record.map(|record| fields(self.transcript, record)).unwrap_or_default()
    }
}

fn content(role: &str, text: &str) -> String {
    format!(r#"{{"role":"{role}","parts":[{{"text":{}}}]}}"#, quoted(text))
}
