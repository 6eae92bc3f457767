//! Writing a row of Anthropic messages: which message stands where, and when a summary goes into `system` instead.

use super::super::array::{Members, New};
use super::super::json::quoted;
use super::super::part_edits;
use super::super::rows::row;
use super::super::synthetic::QUESTION;
use super::system::System;
use crate::transcript::{EditScript, Insert, InsertKind, Patch, PatchKind, Role, SummaryRole, Transcript};

/// Turns an edit script into patches.
pub(super) fn render(transcript: &Transcript<'_>, script: &EditScript) -> Vec<Patch> {
    let Ok(row) = row(transcript.source, 1) else { return Vec::new() };
    let system = System::read(transcript.source, &row.fields);
    let before = system.records();
    let keeps = |record: usize| script.keep.get(record).copied().unwrap_or(true);
    let places = places(transcript, script);
    let new: Vec<_> = places.iter().filter(|place| !place.in_system).flat_map(|place| place.messages(before)).collect();
    let members = Members::of_array(transcript.source, row.array, &row.elements);
    let mut patches = members.patches(|index| keeps(index + before), &new, PatchKind::Drop);

    let drops = system.summary.is_some() && !keeps(before - 1);
    let texts: Vec<_> = places.iter().filter(|place| place.in_system).filter_map(Place::summary).collect();
    let text = (!texts.is_empty()).then(|| texts.join("\n\n"));
    patches.extend(system.patches(&row, transcript.source, (drops, text.as_deref())));
    for (index, _) in transcript.messages.iter().enumerate().filter(|(_, message)| keeps(message.record)) {
        patches.extend(part_edits::patches(transcript, script, index));
    }
    patches.sort_by_key(|patch| patch.span.start);
    patches
}

/// Where an insertion goes.
struct Place<'s> {
    insert: &'s Insert,
    in_system: bool,
}

impl Place<'_> {
    fn summary(&self) -> Option<&str> {
        match &self.insert.kind {
            InsertKind::Summary { text, .. } => Some(text),
            InsertKind::Continuation { .. } => None,
        }
    }

    /// The messages that it adds, each with its place among the elements of `messages`.
    fn messages(&self, system_records: usize) -> impl Iterator<Item = New> + use<> {
        let before = self.insert.before.saturating_sub(system_records);
        let texts = match &self.insert.kind {
            InsertKind::Summary { text, role: SummaryRole::Assistant, .. } => {
                vec![message("user", QUESTION), message("assistant", text)]
            }
            InsertKind::Summary { text, .. } | InsertKind::Continuation { text, .. } => vec![message("user", text)],
        };
        texts.into_iter().map(move |text| New { before, text })
    }
}

/// First and last role of what an insertion adds.
fn roles(kind: &InsertKind) -> (Role, Role) {
    match kind {
        InsertKind::Summary { role: SummaryRole::Assistant, .. } => (Role::User, Role::Assistant),
        _ => (Role::User, Role::User),
    }
}

fn message(role: &str, text: &str) -> String {
    format!(r#"{{"role":"{role}","content":{}}}"#, quoted(text))
}

/// Decides for every insertion where it goes. Where roles have to alternate, a summary that would break that goes into
/// `system`, and a continuation that would is left out: no rule of the format may be broken for it.
fn places<'s>(transcript: &Transcript<'_>, script: &'s EditScript) -> Vec<Place<'s>> {
    let mut places = Vec::new();
    let mut kept = transcript
        .messages
        .iter()
        .filter(|message| message.role != Role::System && script.keep.get(message.record).copied().unwrap_or(true));
    let mut next = kept.next();
    let mut last = None;
    for (index, insert) in script.inserts.iter().enumerate() {
        while let Some(message) = next.filter(|message| message.record < insert.before) {
            last = Some(message.role);
            next = kept.next();
        }
        let beside = script.inserts.get(index + 1).filter(|other| next.is_none_or(|next| other.before <= next.record));
        let follows = beside.map(|other| roles(&other.kind).0).or(next.map(|message| message.role));
        let (first, end) = roles(&insert.kind);
        let breaks = transcript.traits.alternates && (last == Some(first) || follows == Some(end));
        let in_system = breaks && matches!(insert.kind, InsertKind::Summary { .. });
        if !breaks {
            last = Some(end);
        }
        if in_system || !breaks {
            places.push(Place { insert, in_system });
        }
    }
    places
}
