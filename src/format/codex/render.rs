//! Renders an edit script over a rollout as patches: drops and inserts lines, and updates the UI copies of results.

use super::PREFACE;
use super::faults::ordinal;
use crate::format::Marks;
use crate::format::shared::array::Members;
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::new::New;
use crate::format::shared::part_edits::{copies_of, replacement_by};
use crate::format::shared::record_lines;
use crate::format::shared::session_lines::fields;
use crate::transcript::{
    Author, Class, EditScript, Insert, InsertKind, Message, Part, Patch, PatchKind, Record, Role, Transcript, UiCopies,
    apply,
};

/// Fields of events that repeat a tool's output.
const OUTPUTS: &[&str] = &["stdout", "stderr", "aggregated_output", "formatted_output"];

/// The patches that carry out a script.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
    let keep = keep(transcript, script);
    let mut rendering = Rendering {
        transcript,
        script,
        stub: marks.stub,
        ordinals: Ordinals::of(transcript, script, &keep),
        keep: &keep,
        lines: Vec::new(),
        changes: Vec::new(),
        left: tokens_left(script),
    };
    let mut inserts = script.inserts.iter().peekable();
    for (at, record) in transcript.records.iter().enumerate() {
        while let Some(insert) = inserts.next_if(|insert| script.place(insert) <= at) {
            rendering.insert(insert);
        }
        if keep.get(at).copied().unwrap_or(true) {
            rendering.record(at, record);
        }
    }
    inserts.for_each(|insert| rendering.insert(insert));
    record_lines::edited(transcript, &keep, &rendering.lines, rendering.changes)
}

/// For each record, whether it is kept: dropped ones, and UI copies if those are to be dropped. Events of user
/// messages stay, since only they show those messages.
fn keep(transcript: &Transcript<'_>, script: &EditScript) -> Vec<bool> {
    let is_copy = |record: &Record<'_>| {
        matches!(record.class, Class::With(_)) && !payload(transcript, record).is("type", "user_message")
    };
    let goes = |record: &Record<'_>| script.ui_copies == UiCopies::Drop && is_copy(record);
    transcript.records.iter().zip(&script.keep).map(|(record, keep)| *keep && !goes(record)).collect()
}

/// Estimate of the tokens that a resume will load after the compaction.
fn tokens_left(script: &EditScript) -> Option<u64> {
    script.inserts.iter().find_map(|insert| match &insert.kind {
        InsertKind::Summary { text, tokens_after, .. } => Some(tokens_after + text.len() as u64 / 4),
        InsertKind::Continuation { .. } => None,
    })
}

/// The payload of a record; for a bare item, its own fields.
fn payload<'t>(transcript: &Transcript<'t>, record: &Record<'_>) -> Object<'t> {
    let fields = fields(transcript, record);
    fields.object("payload").unwrap_or(fields)
}

struct Rendering<'r, 't> {
    transcript: &'r Transcript<'t>,
    script: &'r EditScript,
    keep: &'r [bool],
    stub: &'r str,
    ordinals: Option<Ordinals>,
    lines: Vec<New>,
    changes: Vec<Patch>,
    left: Option<u64>,
}

impl Rendering<'_, '_> {
    fn record(&mut self, at: usize, record: &Record<'_>) {
        if self.ordinals.is_some() {
            self.relink_ordinal(at, record);
        }
        match record.class {
            _ if self.script.appended.is_some() => {}
            Class::Message(message) => self.change_parts(message, record),
            Class::With(owner) => self.ui_copy(owner, record),
            Class::Session(ref kind) if kind == "token_count" => self.relink_usage(record),
            _ => {}
        }
    }

    fn insert(&mut self, insert: &Insert) {
        let before = self.script.place(insert);
        let ordinal = self.new_ordinal(before);
        let line = |kind: &str, payload: String| self.line(before, ordinal, (kind, payload));
        let text = match &insert.kind {
            InsertKind::Summary { text, .. } if self.transcript.traits.native_summary => {
                let text = format!("{PREFACE}\n{text}");
                let (leading, others) = self.loaded(before);
                let items: Vec<_> = leading.into_iter().chain([user_item(&text)]).chain(others).collect();
                let history = items.join(",");
                line("compacted", format!(r#"{{"message":{},"replacement_history":[{history}]}}"#, quoted(&text)))
            }
            InsertKind::Summary { text, .. } => user_item(&format!("{PREFACE}\n{text}")),
            InsertKind::Continuation { text, .. } if self.transcript.traits.native_summary => {
                line("response_item", user_item(text))
            }
            InsertKind::Continuation { text, .. } => user_item(text),
        };
        self.lines.push(New { before, text });
        let usage = matches!(insert.kind, InsertKind::Summary { .. }) && self.script.appended.is_some();
        if let Some(payload) = usage.then(|| self.usage_event()).flatten() {
            let ordinal = self.new_ordinal(before);
            let text = self.line(before, ordinal, ("event_msg", payload));
            self.lines.push(New { before, text });
        }
    }

    fn new_ordinal(&mut self, before: usize) -> Option<u64> {
        self.ordinals.as_mut().map(|ordinals| ordinals.new_before(before))
    }

    /// A new line around a payload, with the timestamp of the next kept record, or else of the last one before.
    fn line(&self, before: usize, ordinal: Option<u64>, (kind, payload): (&str, String)) -> String {
        let time = |at: usize| Some(fields(self.transcript, &self.transcript.records[at]).get("timestamp")?.raw());
        let kept = |at: &usize| self.keep.get(*at).copied().unwrap_or(true);
        let count = self.transcript.records.len();
        let next = (before..count).filter(kept).find_map(time);
        let time = next.or_else(|| (0..before.min(count)).rev().filter(kept).find_map(time));
        let time = time.map(|time| format!(r#""timestamp":{time},"#)).unwrap_or_default();
        let ordinal = ordinal.map(|ordinal| format!(r#""ordinal":{ordinal},"#)).unwrap_or_default();
        format!(r#"{{{time}{ordinal}"type":"{kind}","payload":{payload}}}"#)
    }

    /// The items of a compaction before and after its summary: all that a resume loads of the history before the
    /// `compacted` record. In a rewritten file the tail follows that record as records of its own.
    fn loaded(&self, before: usize) -> (Vec<String>, Vec<String>) {
        let messages = &self.transcript.messages;
        let Some(loaded) = &self.script.appended else {
            let kept = |message: &&Message<'_>| {
                message.record < before
                    && self.keep.get(message.record) == Some(&true)
                    && message.author != Author::Summary
            };
            return (messages.iter().filter(kept).filter_map(|message| self.item(message)).collect(), Vec::new());
        };
        let loaded: Vec<_> = loaded.iter().filter_map(|&index| messages.get(index)).collect();
        let preamble = loaded.partition_point(|message| message.author == Author::System);
        let items = |messages: &[&Message<'_>]| messages.iter().filter_map(|message| self.item(message)).collect();
        let (preamble, others) = loaded.split_at(preamble);
        (items(preamble), items(others))
    }

    /// The stored item of a message.
    fn item(&self, message: &Message<'_>) -> Option<String> {
        let record = self.transcript.records.get(message.record)?;
        Some(fields(self.transcript, record).get("payload")?.raw().to_owned())
    }

    /// A copy of the newest usage event, adjusted to what the next request will hold. An appended compaction needs
    /// one, since a resume reads the newest.
    fn usage_event(&mut self) -> Option<String> {
        let is_usage = |record: &&Record<'_>| record.class == Class::Session("token_count".into());
        let record = self.transcript.records.iter().rfind(is_usage)?;
        let payload = fields(self.transcript, record).get("payload")?;
        let earlier = self.changes.len();
        self.relink_usage(record);
        let start = payload.span_in(self.transcript.source).start;
        let mut changes = Patch::in_order(self.changes.split_off(earlier));
        changes.iter_mut().for_each(|patch| patch.span = patch.span.start - start..patch.span.end - start);
        Some(String::from_utf8_lossy(&apply(payload.raw().as_bytes(), &changes)).into_owned())
    }

    fn relink_ordinal(&mut self, at: usize, record: &Record<'_>) {
        let Some(new) = self.ordinals.as_mut().and_then(|ordinals| ordinals.kept(at)) else { return };
        if let Some(value) = fields(self.transcript, record).get("ordinal") {
            self.changes.push(self.relink(value, new));
        }
    }

    fn relink(&self, value: Json<'_>, with: u64) -> Patch {
        let span = value.span_in(self.transcript.source);
        Patch { span, with: with.to_string().into_bytes(), kind: PatchKind::Relink }
    }

    /// Sets the usage to what the next request will hold, as Codex does: otherwise it would compact again at once.
    fn relink_usage(&mut self, record: &Record<'_>) {
        let Some(left) = self.left else { return };
        let info = payload(self.transcript, record).object("info");
        let Some(last) = info.and_then(|info| info.object("last_token_usage")) else { return };
        for (key, value) in last.fields().iter().filter(|(_, value)| value.whole().is_some()) {
            let new = if key == "total_tokens" { left } else { 0 };
            if value.whole() != Some(new) {
                self.changes.push(self.relink(*value, new));
            }
        }
    }

    fn change_parts(&mut self, message: usize, record: &Record<'_>) {
        let edits = self.script.changes_of(message);
        let Some(read) = self.transcript.messages.get(message).filter(|_| !edits.is_empty()) else { return };
        let kind = if read.role == Role::Assistant { "output_text" } else { "input_text" };
        let changes = edits.iter().filter_map(|edit| replacement_by(read.parts.get(edit.part)?, &edit.change, kind));
        self.changes.extend(changes);
        let content = payload(self.transcript, record).get("content");
        if let Some((content, blocks)) = content.and_then(|content| Some((content, content.array()?)))
            && blocks.len() == read.parts.len()
        {
            let members = Members::of_array(self.transcript.source, content, &blocks);
            self.changes.extend(members.patches(|part| !self.script.removes(message, part), &[], PatchKind::Stub));
        }
    }

    /// Stubs the copies of a stubbed result in an event.
    fn ui_copy(&mut self, owner: usize, record: &Record<'_>) {
        if self.script.ui_copies != UiCopies::Stub || !self.is_shortened(owner) {
            return;
        }
        let fields = payload(self.transcript, record);
        let inner = fields.object("item");
        let outputs = OUTPUTS.iter().flat_map(|key| [fields.get(key), inner.as_ref().and_then(|item| item.get(key))]);
        let outputs: Vec<_> = outputs.flatten().chain(contents(&fields)).collect();
        let stub = quoted(self.stub_of(owner));
        for value in outputs.into_iter().filter(|value| value.is_string() && value.raw().len() > stub.len()) {
            let span = value.span_in(self.transcript.source);
            self.changes.push(Patch { span, with: stub.clone().into_bytes(), kind: PatchKind::UiCopy });
        }
    }

    /// The stub for copies of the results in a record.
    fn stub_of(&self, owner: usize) -> &str {
        match self.transcript.records.get(owner).map(|record| &record.class) {
            Some(Class::Message(message)) => copies_of(self.transcript, self.script, (*message, self.stub)),
            _ => self.stub,
        }
    }

    /// Whether a result in this record is stubbed or shortened.
    fn is_shortened(&self, owner: usize) -> bool {
        let Some(Class::Message(message)) = self.transcript.records.get(owner).map(|record| &record.class) else {
            return false;
        };
        let parts = &self.transcript.messages[*message].parts;
        let is_result = |part: usize| parts.get(part).is_some_and(Part::is_result);
        self.script.changes_of(*message).iter().any(|edit| is_result(edit.part))
    }
}

/// The texts that an MCP or dynamic tool returned, as repeated by an event.
fn contents<'a>(event: &Object<'a>) -> Vec<Json<'a>> {
    let result = event.object("result");
    let inner = result.as_ref().and_then(|result| result.object("Ok")).or(result);
    let blocks = inner.and_then(|result| result.array("content")).or_else(|| event.array("content_items"));
    blocks.unwrap_or_default().into_iter().filter_map(|block| block.object()?.get("text")).collect()
}

/// A message item with role user.
fn user_item(text: &str) -> String {
    format!(r#"{{"type":"message","role":"user","content":[{{"type":"input_text","text":{}}}]}}"#, quoted(text))
}

/// Line numbers (`ordinal`), which have to ascend if they did in the input.
struct Ordinals {
    /// The ordinals of kept records.
    stated: Vec<Option<u64>>,
    last: Option<u64>,
}

impl Ordinals {
    /// The ordinals of a file in which they ascend; `None` if they don't, or nothing is inserted.
    fn of(transcript: &Transcript<'_>, script: &EditScript, keep: &[bool]) -> Option<Self> {
        if script.inserts.is_empty() {
            return None;
        }
        let records = transcript.records.iter().zip(keep);
        let stated: Vec<_> = records.map(|(record, keep)| ordinal(transcript, record).filter(|_| *keep)).collect();
        let all: Vec<_> = stated.iter().flatten().collect();
        (!all.is_empty() && all.is_sorted_by(|a, b| a < b)).then_some(Self { stated, last: None })
    }

    /// The ordinal for a new line before a record: just below the next one if there is room, else just above the last.
    fn new_before(&mut self, before: usize) -> u64 {
        let least = self.last.map_or(0, |last| last + 1);
        let next = self.stated.get(before..).and_then(|rest| rest.iter().flatten().next());
        let new = next.map_or(least, |next| next.saturating_sub(1).max(least));
        self.last = Some(new);
        new
    }

    /// The new ordinal of a kept record, if it needs another one.
    fn kept(&mut self, at: usize) -> Option<u64> {
        let own = self.stated.get(at).copied().flatten()?;
        let new = own.max(self.last.map_or(0, |last| last + 1));
        self.last = Some(new);
        (new != own).then_some(new)
    }
}
