//! Renders an edit script over a trajectory as patches.

use super::STEPS;
use crate::format::shared::document::{self, Document};
use crate::format::shared::json::{Json, Object, quoted};
use crate::format::shared::marks;
use crate::format::shared::new::New;
use crate::transcript::{EditScript, Fault, Insert, Patch, PatchKind, Role, Transcript};

/// Text of `notes` if the metrics count more steps than are left.
pub(super) const NOTE: &str = "Earlier steps were replaced by a summary; final_metrics still count them.";
/// The same if steps without content were dropped.
const DROPPED: &str = "Broken steps were dropped; final_metrics still count them.";

/// The patches that carry out a script.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
    let Ok(document) = Document::read(transcript.source, 1, STEPS) else { return Vec::new() };
    let source = transcript.source;
    let keeps = |record: usize| script.keeps(record);
    let moves = !script.inserts.is_empty() || (0..transcript.records.len()).any(|record| !keeps(record));
    let mut new = Vec::new();
    let mut inside = Vec::new();
    let mut inserts = script.inserts.iter().peekable();
    let mut number = 1;
    for (at, element) in document.elements.iter().enumerate() {
        while let Some(insert) = inserts.next_if(|insert| insert.before <= at) {
            new.extend(steps(&document, insert, &mut number));
        }
        if keeps(at) {
            let id = number.to_string();
            let own = element.object().filter(|fields| moves && fields.has("step_id"));
            inside.extend(
                own.map(|_| document::set_field(source, *element, "step_id", &id, PatchKind::Relink))
                    .unwrap_or_default(),
            );
            number += 1;
        }
    }
    inserts.for_each(|insert| new.extend(steps(&document, insert, &mut number)));
    for (index, message) in transcript.messages.iter().enumerate().filter(|(_, message)| keeps(message.record)) {
        inside.extend(parts(transcript, script, index, document.elements[message.record]));
    }
    if moves {
        let text = if script.inserts.is_empty() { DROPPED } else { NOTE };
        inside.extend(note(source, document.whole, (number - 1, text)));
    }
    document.patches(script, &new, inside)
}

/// The patches that renumber the kept steps from 1.
pub(super) fn mend(transcript: &Transcript<'_>, faults: &[Fault], script: &EditScript) -> Vec<Patch> {
    let document = Document::read(transcript.source, 1, STEPS).ok();
    let document = document.filter(|_| faults.iter().any(|fault| fault.rule == "step_ids_not_sequential"));
    let elements = document.map(|document| document.elements).unwrap_or_default();
    let kept = elements.into_iter().zip(&script.keep).filter(|(_, keep)| **keep);
    let numbered = kept.zip(1usize..).flat_map(|((element, _), number)| {
        document::set_field(transcript.source, element, "step_id", &number.to_string(), PatchKind::Relink)
    });
    numbered.collect()
}

/// The steps that an insertion adds; `number` is the next step id.
fn steps(document: &Document<'_>, insert: &Insert, number: &mut usize) -> Vec<New> {
    let beside = document.elements.get(insert.before).or(document.elements.last());
    let time = beside.and_then(|element| Some(element.object()?.get("timestamp")?.raw().to_owned()));
    let time = time.map(|time| format!(r#","timestamp":{time}"#)).unwrap_or_default();
    let step = |(role, text, marks): (Role, &str, &str)| {
        let source = if role == Role::Assistant { "agent" } else { role.name() };
        let extra = if marks.is_empty() { String::new() } else { format!(r#","extra":{{{marks}}}"#) };
        let id = *number;
        *number += 1;
        let text = format!(r#"{{"step_id":{id}{time},"source":"{source}","message":{}{extra}}}"#, quoted(text));
        New { before: insert.before, text }
    };
    marks::turns(&insert.kind).into_iter().map(step).collect()
}

/// The patches inside a kept step.
fn parts(transcript: &Transcript<'_>, script: &EditScript, index: usize, element: Json<'_>) -> Vec<Patch> {
    if script.changes_of(index).is_empty() {
        return Vec::new();
    }
    let source = transcript.source;
    let gone = document::removed(transcript, script, index);
    let mut patches = document::replacements(transcript, script, index, &gone);
    let fields = element.object().unwrap_or_default();
    let reasoning = fields.get("reasoning_content").filter(|value| gone.contains(&value.span_in(source)));
    patches.extend(
        reasoning
            .map(|_| document::unset_field(source, element, "reasoning_content", PatchKind::Stub))
            .unwrap_or_default(),
    );
    let results = fields.object("observation").and_then(|observation| observation.get("results"));
    let arrays = [fields.get("message"), fields.get("tool_calls"), results].into_iter().flatten();
    patches.extend(arrays.flat_map(|array| document::without(source, array, &gone)));
    patches
}

/// The patches that explain in `notes` why the metrics count another number of steps.
fn note(source: &[u8], whole: Json<'_>, (steps, text): (usize, &str)) -> Vec<Patch> {
    let Some(fields) = whole.object() else { return Vec::new() };
    let total = fields.object("final_metrics").and_then(|metrics| metrics.whole("total_steps"));
    let Some(text) = total.filter(|&total| total != steps as u64).and_then(|_| noted(&fields, text)) else {
        return Vec::new();
    };
    document::set_field(source, whole, "notes", &quoted(&text), PatchKind::Relink)
}

/// The text of `notes` with `own` appended; `None` if it is there already or `notes` is not a string.
fn noted(fields: &Object<'_>, own: &str) -> Option<String> {
    match fields.get("notes") {
        None => Some(own.to_owned()),
        Some(notes) if notes.is_null() => Some(own.to_owned()),
        Some(notes) => {
            let old = notes.text()?;
            (!old.contains(own)).then(|| format!("{old} {own}").trim().to_owned())
        }
    }
}
