//! Renders an edit script over a session as patches: drops and inserts lines, closes the chain of parents, updates UI
//! copies of results.

use crate::format::Marks;
use crate::format::shared::array::Members;
use crate::format::shared::document::{self, hash, stub_copies};
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::links::Chain;
use crate::format::shared::new::New;
use crate::format::shared::part_edits::{copies_of, copy_of, replacement};
use crate::format::shared::record_lines;
use crate::format::shared::session_lines::{fields, stub_strings};
use crate::format::shared::synthetic::turns;
use crate::transcript::dashed;
use crate::transcript::{
    Change, Class, EditScript, Insert, Part, PartEdit, Patch, PatchKind, Record, Transcript, UiCopies,
};
use std::collections::HashMap;

/// Fields of a result that only the timeline and statistics read.
const COPIES: [&str; 4] = ["detailedContent", "contents", "structuredContent", "uiResource"];
/// Fields of an assistant message that hold its reasoning.
const REASONING: [&str; 3] = ["reasoningText", "reasoningOpaque", "encryptedContent"];

/// The patches that carry out a script.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
    let mut rendering = Rendering {
        transcript,
        script,
        stub: marks.stub,
        chain: Chain::new(transcript, script),
        shortened: shortened(transcript, script),
        lines: Vec::new(),
        newest: None,
    };
    let inserts = script.inserts.iter().map(|insert| (place(transcript, script, insert.before), insert));
    let mut inserts = inserts.peekable();
    let mut changes = Vec::new();
    for (at, record) in transcript.records.iter().enumerate() {
        while let Some((place, insert)) = inserts.next_if(|(place, _)| *place <= at) {
            rendering.insert(place, insert);
        }
        if script.keeps(at) {
            changes.append(&mut rendering.record(at, record));
        }
    }
    inserts.for_each(|(place, insert)| rendering.insert(place, insert));
    record_lines::edited(transcript, &script.keep, &rendering.lines, changes)
}

/// The place of a new event: before the events that belong to the record it was to precede (the start of a turn).
fn place(transcript: &Transcript<'_>, script: &EditScript, before: usize) -> usize {
    let gone = |at: &usize| !script.keeps(*at);
    let owned = |at: &usize| {
        let class = transcript.records.get(*at).map(|record| &record.class);
        matches!(class, Some(Class::With(owner)) if *owner >= before)
    };
    let passed = (0..before.min(transcript.records.len())).rev().take_while(|at| gone(at) || owned(at));
    passed.filter(owned).last().unwrap_or(before)
}

/// The results that are stubbed or shortened: their texts and changes.
fn shortened<'t>(transcript: &'t Transcript<'_>, script: &'t EditScript) -> HashMap<&'t str, &'t Change> {
    let part = |edit: &PartEdit| transcript.messages.get(edit.message)?.parts.get(edit.part);
    let parts = script.parts.iter().filter_map(|edit| Some((part(edit)?, &edit.change)));
    let results = parts.filter(|(part, _)| part.is_result());
    results.map(|(part, change)| (&*part.text, change)).collect()
}

struct Rendering<'r, 't> {
    transcript: &'r Transcript<'t>,
    script: &'r EditScript,
    stub: &'r str,
    chain: Chain<'r, 't>,
    shortened: HashMap<&'r str, &'r Change>,
    lines: Vec<New>,
    /// The newest inserted event: the record before which it is placed, and its id.
    newest: Option<(usize, String)>,
}

impl Rendering<'_, '_> {
    fn record(&self, at: usize, record: &Record<'_>) -> Vec<Patch> {
        let fields = fields(self.transcript, record);
        let data = fields.get("data").and_then(|value| Some((value, value.object()?)));
        let mut patches: Vec<_> = self.chain.relinked(at, "parentId").into_iter().collect();
        match (&record.class, &data) {
            (Class::Message(message), Some((value, data))) => patches.extend(self.parts(*message, *value, data)),
            (Class::Ui, Some((_, data))) => patches.extend(self.hook(data)),
            _ => {}
        }
        patches
    }

    /// The patches in a message: stubs, removed parts, and copies of results.
    fn parts(&self, message: usize, value: Json<'_>, data: &Object<'_>) -> Vec<Patch> {
        let source = self.transcript.source;
        let parts = &self.transcript.messages[message].parts;
        let edits = self.script.changes_of(message).iter();
        let edits: Vec<_> = edits.filter_map(|edit| Some((parts.get(edit.part)?, &edit.change))).collect();
        let mut patches: Vec<_> = edits.iter().filter_map(|(part, change)| replacement(part, change)).collect();
        let gone = document::removed(self.transcript, self.script, message);
        let attachments = data.get("attachments").filter(|attachments| attachments.raw().starts_with('['));
        patches.extend(attachments.map(|array| document::without(source, array, &gone)).unwrap_or_default());
        let is_gone = |(part, change): &(&Part<'_>, &Change)| **change == Change::Remove && part.is_reasoning();
        if edits.iter().any(is_gone) {
            patches.extend(without(source, value, data, (&REASONING, PatchKind::Stub)));
        }
        let shortened = edits.iter().any(|(part, _)| part.is_result());
        let stub = shortened.then(|| copies_of(self.transcript, self.script, (message, self.stub)));
        patches.extend(self.copies(value, data, stub));
        patches
    }

    /// The patches for a result's copies that only the timeline and statistics read; `stub` if it is shortened.
    fn copies(&self, value: Json<'_>, data: &Object<'_>, stub: Option<&str>) -> Vec<Patch> {
        let source = self.transcript.source;
        let result = data.get("result").and_then(|value| Some((value, value.object()?)));
        match (self.script.ui_copies, stub) {
            (UiCopies::Drop, _) => {
                let own = result.map(|(value, own)| without(source, value, &own, (&COPIES, PatchKind::UiCopy)));
                let beside = without(source, value, data, (&["toolTelemetry"], PatchKind::UiCopy));
                own.into_iter().flatten().chain(beside).collect()
            }
            (UiCopies::Stub, Some(stub)) => {
                let own = result.iter().flat_map(|(_, own)| COPIES.iter().map(|key| own.get(key)));
                own.chain([data.get("toolTelemetry")]).flatten().flat_map(|copy| self.stubbed(copy, stub)).collect()
            }
            (UiCopies::Stub | UiCopies::Keep, _) => Vec::new(),
        }
    }

    fn stubbed(&self, copy: Json<'_>, text: &str) -> Vec<Patch> {
        let stub = if copy.is_string() { stub_strings } else { stub_copies };
        stub(self.transcript.source, copy, text)
    }

    /// The patches for a shortened result in the input of a hook.
    fn hook(&self, data: &Object<'_>) -> Vec<Patch> {
        let told = data.object("input").and_then(|input| input.get("toolResult"));
        let text = told.and_then(Json::object).and_then(|result| result.text("textResultForLlm"));
        let change = text.and_then(|text| self.shortened.get(&*text).copied());
        let copy = told.filter(|_| change.is_some() && self.script.ui_copies == UiCopies::Stub);
        copy.map(|copy| stub_strings(self.transcript.source, copy, copy_of(change, self.stub))).unwrap_or_default()
    }

    fn insert(&mut self, before: usize, insert: &Insert) {
        for (role, text) in turns(&insert.kind.without_system()) {
            self.add(before, &format!("{}.message", role.name()), text);
        }
    }

    /// Adds an event, with the timestamp of the next kept one, or else of the last.
    fn add(&mut self, before: usize, kind: &str, text: &str) {
        let count = self.transcript.records.len();
        let last = (0..before.min(count)).rev().find(|at| self.script.keeps(*at));
        let beside = (before..count).find(|at| self.script.keeps(*at)).or(last);
        let beside = beside.map(|at| fields(self.transcript, &self.transcript.records[at])).unwrap_or_default();
        let time = beside.get("timestamp").map_or("\"\"", Json::raw);
        let newest = self.newest.as_ref().filter(|(place, _)| last.is_none_or(|last| last < *place));
        let parent = match (newest, last) {
            (Some((_, id)), _) => Some(id.as_str()),
            (None, Some(last)) => self.transcript.records[last].id.as_deref(),
            (None, None) => None,
        };
        let id = uuid(&[kind, parent.unwrap_or_default(), text]);
        let parent = parent.map_or_else(|| "null".to_owned(), quoted);
        let words = one_line(text);
        let data = if kind == "user.message" {
            format!(r#"{{"content":{words},"transformedContent":{words},"attachments":[]}}"#)
        } else {
            format!(r#"{{"messageId":"{}","content":{words},"toolRequests":[]}}"#, uuid(&["message", &id]))
        };
        let text = format!(r#"{{"type":"{kind}","data":{data},"id":"{id}","timestamp":{time},"parentId":{parent}}}"#);
        self.lines.push(New { before, text });
        self.chain.begin_at(&id, before);
        self.newest = Some((before, id));
    }
}

/// The patches that remove fields from an object.
fn without(source: &[u8], value: Json<'_>, object: &Object<'_>, (keys, kind): (&[&str], PatchKind)) -> Vec<Patch> {
    let stays = |at: usize| object.fields().get(at).is_none_or(|(key, _)| !keys.contains(&&**key));
    Members::of_object(source, value, object).patches(stays, &[], kind)
}

/// JSON text with U+2028, U+2029 and U+0085 escaped, as some line readers end a line at them.
fn one_line(text: &str) -> String {
    quoted(text).replace('\u{2028}', r"\u2028").replace('\u{2029}', r"\u2029").replace('\u{85}', r"\u0085")
}

/// An id in the shape of a random UUID (version 4), derived from content.
fn uuid(texts: &[&str]) -> String {
    let hash = hash(texts);
    dashed(&format!("{}4{}8{}", &hash[..12], &hash[12..15], &hash[15..30]))
}
