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
    let places = places(transcript, script, row.array.raw().len() == row.whole.raw().len());
    let new: Vec<_> = places.iter().flat_map(|place| place.messages(before)).collect();
    let members = Members::of_array(transcript.source, row.array, &row.elements);
    let mut patches = members.patches(|index| keeps(index + before), &new, PatchKind::Drop);

    let drops = system.summary.is_some() && !keeps(before - 1);
    let texts: Vec<_> = places.iter().filter(|place| place.form == Form::System).map(Place::text).collect();
    let text = (!texts.is_empty()).then(|| texts.join("\n\n"));
    patches.extend(system.patches(&row, transcript.source, (drops, text.as_deref())));
    // The preamble stays word for word, so only the messages themselves are edited.
    let edited = |record: usize| record >= before && keeps(record);
    for (index, _) in transcript.messages.iter().enumerate().filter(|(_, message)| edited(message.record)) {
        patches.extend(part_edits::patches(transcript, script, index));
    }
    patches.sort_by_key(|patch| patch.span.start);
    patches
}

/// An insertion and the form that it takes.
struct Place<'s> {
    insert: &'s Insert,
    form: Form,
}

/// What an insertion becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A question of the user and the answer of the model.
    Answer,
    /// A user message.
    User,
    /// The end of the `system` field.
    System,
}

impl Form {
    /// First and last role of what it adds to the messages.
    fn roles(self) -> Option<(Role, Role)> {
        match self {
            Self::Answer => Some((Role::User, Role::Assistant)),
            Self::User => Some((Role::User, Role::User)),
            Self::System => None,
        }
    }

    /// The forms that an insertion may take, the wanted one first; a bare array of messages has no `system`.
    fn choices(kind: &InsertKind, bare: bool) -> &'static [Self] {
        match kind {
            InsertKind::Summary { .. } if bare => &[Self::User, Self::Answer],
            InsertKind::Summary { role: SummaryRole::Assistant, .. } => &[Self::Answer, Self::User, Self::System],
            InsertKind::Summary { .. } => &[Self::User, Self::System],
            InsertKind::Continuation { .. } => &[Self::User],
        }
    }
}

impl Place<'_> {
    fn text(&self) -> &str {
        let (InsertKind::Summary { text, .. } | InsertKind::Continuation { text, .. }) = &self.insert.kind;
        text
    }

    /// The messages that it adds, each with its place among the elements of `messages`.
    fn messages(&self, system_records: usize) -> impl Iterator<Item = New> + use<> {
        let before = self.insert.before.saturating_sub(system_records);
        let texts = match self.form {
            Form::Answer => vec![message("user", QUESTION), message("assistant", self.text())],
            Form::User => vec![message("user", self.text())],
            Form::System => Vec::new(),
        };
        texts.into_iter().map(move |text| New { before, text })
    }
}

fn message(role: &str, text: &str) -> String {
    format!(r#"{{"role":"{role}","content":{}}}"#, quoted(text))
}

/// Decides the form of every insertion. Where roles have to alternate, a form that would break that is passed over; a
/// continuation for which none is left is left out: no rule of the format may be broken for it.
fn places<'s>(transcript: &Transcript<'_>, script: &'s EditScript, bare: bool) -> Vec<Place<'s>> {
    let keeps = |record: usize| script.keep.get(record).copied().unwrap_or(true);
    let kept = transcript.messages.iter().filter(|message| message.role != Role::System && keeps(message.record));
    let mut kept = kept.peekable();
    let mut places = Vec::new();
    let mut last = None;
    let mut inserts = script.inserts.iter().peekable();
    while let Some(insert) = inserts.next() {
        while let Some(message) = kept.next_if(|message| message.record < insert.before) {
            last = Some(message.role);
        }
        let next = kept.peek();
        let beside = inserts.peek().filter(|other| next.is_none_or(|next| other.before <= next.record));
        let follows = beside.map(|_| Role::User).or(next.map(|message| message.role));
        let fits = |form: &&Form| {
            let free = !transcript.traits.alternates;
            free || form.roles().is_none_or(|(first, end)| last != Some(first) && follows != Some(end))
        };
        if let Some(&form) = Form::choices(&insert.kind, bare).iter().find(fits) {
            last = form.roles().map(|(_, end)| end).or(last);
            places.push(Place { insert, form });
        }
    }
    places
}
