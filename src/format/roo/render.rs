//! Writes Roo's array: its own form of summary, and no links to dropped messages.

use super::links::{Links, PARENTS};
use crate::format::cline::render::{message, stamp, write};
use crate::format::shared::document::{hash, unset_field};
use crate::format::shared::json::Json;
use crate::format::shared::new::New;
use crate::transcript::fixed_texts::PREFACES;
use crate::transcript::{EditScript, Insert, InsertKind, Patch, PatchKind, Transcript, dashed};

/// Turns an edit script into patches.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
    let new = New::all(script, |insert| [new_message(transcript, script, insert)]);
    write(transcript, script, &new, unhidden(transcript, script))
}

/// The patches that remove the link of a kept message whose hiding record is dropped: it is loaded again.
fn unhidden(transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
    let keeps = |record: usize| script.keeps(record);
    if (0..transcript.records.len()).all(keeps) {
        return Vec::new();
    }
    let links = Links::of(transcript);
    let mut patches = Vec::new();
    for (at, record) in transcript.records.iter().enumerate().filter(|(at, _)| keeps(*at)) {
        for (kind, (field, _, _)) in PARENTS.iter().enumerate() {
            if links.parent(at, kind).is_some_and(|parent| !keeps(parent))
                && let Some(value) = Json::at(transcript.source, &record.span)
            {
                patches.extend(unset_field(transcript.source, value, field, PatchKind::Relink));
            }
        }
    }
    patches
}

fn new_message(transcript: &Transcript<'_>, script: &EditScript, insert: &Insert) -> String {
    let ts = stamp(transcript, script, insert.before);
    match &insert.kind {
        InsertKind::Summary { text, .. } => {
            let own = format!(r#"{ts},"isSummary":true,"condenseId":"{}""#, dashed(&hash(&["roo", &ts, text])));
            message("user", &format!("{}\n{text}", PREFACES[3]), &own)
        }
        InsertKind::Continuation { text, .. } => message("user", text, &ts),
    }
}
