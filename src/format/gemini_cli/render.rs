//! Renders an edit script over a chat as patches.

use super::read::checkpoint;
use super::{MESSAGES, copies};
use crate::format::Marks;
use crate::format::shared::array::Members;
use crate::format::shared::document::{self, Document, hash};
use crate::format::shared::gemini_parts::replacement;
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::new::New;
use crate::format::shared::part_edits::copy_of;
use crate::format::shared::record_lines;
use crate::format::shared::synthetic::turns;
use crate::transcript::{
    Class, EditScript, Insert, InsertKind, Part, Patch, PatchKind, Record, Role, Transcript, UiCopies, apply,
};
use std::ops::Range;

/// The patches that carry out a script.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript, marks: &Marks<'_>) -> Vec<Patch> {
    let script = &*copies::left_out(transcript, script);
    let rendering = Rendering { transcript, script, marks };
    if let Some(loaded) = &script.appended {
        return rendering.checkpoint(loaded);
    }
    let new = New::all(script, |insert| rendering.insert(insert));
    let mut inside = rendering.inside();
    if let Ok(document) = Document::read(transcript.source, 1, MESSAGES) {
        return document.patches(script, &new, inside);
    }
    let checkpoint = checkpoint(transcript.source);
    let mut patches = match checkpoint.filter(|(_, messages)| !messages.array().unwrap_or_default().is_empty()) {
        None => record_lines::patches(transcript.source, &transcript.records, &script.keep, &new),
        Some((line, messages)) => rendering.with_checkpoint((line, messages), new, &mut inside),
    };
    patches.append(&mut inside);
    Patch::in_order(patches)
}

struct Rendering<'r, 't> {
    transcript: &'r Transcript<'t>,
    script: &'r EditScript,
    marks: &'r Marks<'r>,
}

impl Rendering<'_, '_> {
    fn fields(&self, record: usize) -> Object<'_> {
        let span = self.transcript.records.get(record).map(|record| record.span.clone()).unwrap_or_default();
        let text = std::str::from_utf8(self.transcript.source.get(span).unwrap_or_default()).unwrap_or_default();
        Json::parse(text).ok().and_then(Json::object).unwrap_or_default()
    }

    /// Appends a line that replaces all messages by the new ones and those that stay loaded.
    fn checkpoint(&self, loaded: &[usize]) -> Vec<Patch> {
        let end = self.transcript.records.len();
        let new = |is: fn(&InsertKind) -> bool| {
            let inserts = self.script.inserts.iter().filter(move |insert| is(&insert.kind));
            inserts.flat_map(|insert| self.insert(insert)).collect::<Vec<_>>()
        };
        let record = |index: &usize| {
            let span = self.transcript.records[self.transcript.messages.get(*index)?.record].span.clone();
            Some(String::from_utf8_lossy(self.transcript.source.get(span)?).into_owned())
        };
        let summary = new(|kind| matches!(kind, InsertKind::Summary { .. }));
        let continuation = new(|kind| matches!(kind, InsertKind::Continuation { .. }));
        let messages: Vec<_> =
            summary.into_iter().chain(loaded.iter().filter_map(record)).chain(continuation).collect();
        let text = format!(r#"{{"$set":{{"messages":[{}]}}}}"#, messages.join(","));
        let new = [New { before: end, text }];
        record_lines::patches(self.transcript.source, &self.transcript.records, &self.script.keep, &new)
    }

    /// The patches for a file whose line `line` holds a checkpoint. With a new summary the checkpoint's messages
    /// become lines of their own, since nothing before that line would be loaded; otherwise only its members change.
    fn with_checkpoint(
        &self,
        (line, messages): (Range<usize>, Json<'_>),
        new: Vec<New>,
        inside: &mut Vec<Patch>,
    ) -> Vec<Patch> {
        let source = self.transcript.source;
        let records = &self.transcript.records;
        let held = records.partition_point(|record| record.span.start < line.start)
            ..records.partition_point(|record| record.span.start < line.end);
        let mut whole: Vec<_> = records[..held.start].to_vec();
        whole.extend(records.get(held.start).map(|record| Record { span: line.clone(), ..record.clone() }));
        whole.extend_from_slice(&records[held.end..]);
        let unfolds = self.script.inserts.iter().any(|insert| matches!(insert.kind, InsertKind::Summary { .. }));
        let mut keep: Vec<_> = (0..records.len()).map(|at| self.script.keeps(at)).collect();
        keep.splice(held.clone(), [!unfolds]);
        let outside = |at: usize| if at <= held.start { at } else { at + 1 - held.len() };
        let is_held =
            |new: &New| held.contains(&new.before) && new.before > held.start || unfolds && new.before == held.start;
        let (within, mut lines): (Vec<_>, Vec<_>) = new.into_iter().partition(is_held);
        lines.iter_mut().for_each(|new| new.before = outside(new.before));
        let mut patches = Vec::new();
        if unfolds {
            let texts = self.unfolded(&held, &within, inside).into_iter();
            lines.extend(texts.map(|text| New { before: held.start, text }));
            lines.sort_by_key(|new| new.before);
        } else {
            let within: Vec<_> = within.into_iter().map(|new| New { before: new.before - held.start, ..new }).collect();
            let elements = messages.array().unwrap_or_default();
            let keeps = |at: usize| self.script.keeps(held.start + at);
            patches = Members::of_array(source, messages, &elements).patches(keeps, &within, PatchKind::Drop);
        }
        patches.extend(record_lines::patches(source, &whole, &keep, &lines));
        patches
    }

    /// The messages of a checkpoint as lines, including new ones among them and the patches inside them.
    fn unfolded(&self, held: &Range<usize>, new: &[New], inside: &mut Vec<Patch>) -> Vec<String> {
        let mut texts = Vec::new();
        for at in held.clone() {
            texts.extend(new.iter().filter(|new| new.before == at).map(|new| new.text.clone()));
            let span = &self.transcript.records[at].span;
            let own = inside.extract_if(.., |patch| patch.span.start >= span.start && patch.span.end <= span.end);
            let mut own = Patch::in_order(own.collect());
            if self.script.keeps(at) {
                own.iter_mut().for_each(|patch| {
                    patch.span = patch.span.start - span.start..patch.span.end - span.start;
                });
                let bytes = self.transcript.source.get(span.clone()).unwrap_or_default();
                texts.push(String::from_utf8_lossy(&apply(bytes, &own)).into_owned());
            }
        }
        texts
    }

    fn insert(&self, insert: &Insert) -> Vec<String> {
        let count = self.transcript.records.len();
        let ahead = (insert.before..count).chain((0..insert.before.min(count)).rev());
        let time = ahead.map(|at| self.fields(at)).find_map(|fields| Some(fields.get("timestamp")?.raw().to_owned()));
        let message = |kind: &str, text: &str| {
            let id = hash(&["gemini-cli", kind, time.as_deref().unwrap_or_default(), text]);
            let id = [&id[..8], &id[8..12], &id[12..16], &id[16..20], &id[20..32]].join("-");
            let time = time.as_ref().map(|time| format!(r#""timestamp":{time},"#)).unwrap_or_default();
            format!(r#"{{"id":"{id}",{time}"type":"{kind}","content":{}}}"#, quoted(text))
        };
        let message = |(role, text)| message(if role == Role::Assistant { "gemini" } else { "user" }, text);
        turns(&insert.kind.without_system()).into_iter().map(message).collect()
    }

    /// The patches inside kept records.
    fn inside(&self) -> Vec<Patch> {
        let messages = self.transcript.messages.iter().enumerate();
        let kept = messages.filter(|(_, message)| self.script.keeps(message.record));
        let mut patches: Vec<_> = kept.flat_map(|(index, _)| self.parts(index)).collect();
        for (at, record) in self.transcript.records.iter().enumerate().filter(|(at, _)| self.script.keeps(*at)) {
            if let Class::With(owner) = record.class {
                patches.extend(copies::patches(self.transcript, self.script, (&self.fields(at), owner)));
            }
        }
        patches
    }

    fn parts(&self, index: usize) -> Vec<Patch> {
        let changes = self.script.changes_of(index);
        let drops = self.script.ui_copies == UiCopies::Drop;
        if changes.is_empty() && !drops {
            return Vec::new();
        }
        let source = self.transcript.source;
        let message = &self.transcript.messages[index];
        let gone = document::removed(self.transcript, self.script, index);
        let fields = self.fields(message.record);
        let arrays = ["thoughts", "content", "toolCalls"].iter().filter_map(|key| fields.get(key));
        let mut patches: Vec<_> = arrays.flat_map(|array| document::without(source, array, &gone)).collect();
        for (at, part) in message.parts.iter().enumerate().filter(|(_, part)| !gone.contains(&part.slot.part)) {
            let change = self.script.change(index, at);
            patches.extend(change.and_then(|change| replacement(part, change)));
            if part.is_result() && (change.is_some() || drops) {
                patches.extend(self.display(part, copy_of(change, self.marks.stub)));
            }
        }
        patches
    }

    /// The patches for the copy of a result that is only displayed.
    fn display(&self, part: &Part<'_>, stub: &str) -> Vec<Patch> {
        let source = self.transcript.source;
        let text = source.get(part.slot.part.clone()).and_then(|text| std::str::from_utf8(text).ok());
        let call = text.and_then(|text| Json::parse(text).ok());
        let display = call.and_then(Json::object).and_then(|fields| fields.get("resultDisplay"));
        match (self.script.ui_copies, call, display) {
            (UiCopies::Drop, Some(call), _) => document::unset_field(source, call, "resultDisplay", PatchKind::UiCopy),
            (UiCopies::Stub, _, Some(display)) => document::stub_copies(source, display, stub),
            _ => Vec::new(),
        }
    }
}
