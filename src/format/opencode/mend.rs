//! Repairs an export: drops messages without parts, corrects links between messages and parts, takes out what was
//! printed before it.

use super::{BANNER, banner};
use crate::format::Fault;
use crate::format::shared::document::set_field;
use crate::format::shared::json::{Json, quoted};
use crate::format::shared::mending::{Wanted, id_before};
use crate::transcript::{Class, EditScript, Patch, PatchKind, Record, Role, Transcript};

/// Drops messages without parts, links stray answers to the user message before them, and parts to their message.
pub(super) fn mend(transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) -> Vec<Patch> {
    let Ok(document) = super::document(transcript.source, 1) else { return Vec::new() };
    let wanted = Wanted::of(faults);
    let id = |record: &Record<'_>| record.id.as_deref().unwrap_or_default().to_owned();
    for (at, record) in transcript.records.iter().enumerate() {
        script.keep[at] &= !wanted.has("no_parts", record, &id(record));
    }
    let printed = faults.iter().any(|fault| fault.rule == BANNER);
    let mut patches: Vec<_> = banner::without(transcript.source).filter(|_| printed).into_iter().collect();
    for (at, (record, element)) in transcript.records.iter().zip(&document.elements).enumerate() {
        if !script.keep[at] {
            continue;
        }
        if wanted.has("dangling_parent", record, &id(record)) {
            let question = id_before(transcript, at, script, |record| is_question(transcript, record));
            patches
                .extend(question.and_then(|question| set_parent(transcript, *element, question)).unwrap_or_default());
        }
        patches.extend(own_parts(transcript, record, *element, &wanted));
    }
    patches
}

fn is_question(transcript: &Transcript<'_>, record: &Record<'_>) -> bool {
    match record.class {
        Class::Message(message) => transcript.messages[message].role == Role::User,
        Class::Boundary => true,
        _ => false,
    }
}

fn set_parent(transcript: &Transcript<'_>, element: Json<'_>, parent: &str) -> Option<Vec<Patch>> {
    let info = element.object()?.get("info")?;
    Some(set_field(transcript.source, info, "parentID", &quoted(parent), PatchKind::Relink))
}

/// The patches that make parts name the message that contains them.
fn own_parts(transcript: &Transcript<'_>, record: &Record<'_>, element: Json<'_>, wanted: &Wanted<'_>) -> Vec<Patch> {
    let Some(message) = record.id.as_deref() else { return Vec::new() };
    let parts = element.object().and_then(|fields| fields.array("parts")).unwrap_or_default();
    let strays = parts.into_iter().filter(|part| {
        let id = part.object().and_then(|part| part.text("id")).unwrap_or_default();
        wanted.has("part_of_another_message", record, &id)
    });
    let set = |part| set_field(transcript.source, part, "messageID", &quoted(message), PatchKind::Relink);
    strays.flat_map(set).collect()
}
