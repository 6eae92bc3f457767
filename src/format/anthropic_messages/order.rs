//! Chooses the form of new messages among Anthropic's, so that roles keep alternating if they did.

use super::super::shared::json::quoted;
use super::super::shared::new::New;
use super::super::shared::synthetic::QUESTION;
use crate::transcript::{EditScript, Insert, InsertKind, Role, SummaryRole, Transcript};

/// Writes a message as JSON; arguments: role, text, index of the record before which it is placed.
pub(in crate::format) type Writer<'w> = &'w dyn Fn(&str, &str, usize) -> String;

/// An insertion and its form.
pub(super) struct Place<'s> {
    insert: &'s Insert,
    pub(super) form: Form,
}

/// The form of an insertion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A user question and the assistant's answer.
    Answer,
    /// A user message.
    User,
    /// Text at the end of the `system` field.
    System,
}

impl Form {
    /// The first and last role of the messages that this form adds, if any.
    fn roles(self) -> Option<(Role, Role)> {
        match self {
            Self::Answer => Some((Role::User, Role::Assistant)),
            Self::User => Some((Role::User, Role::User)),
            Self::System => None,
        }
    }

    /// The forms that an insertion may take, the preferred one first; a bare list of messages has no `system`.
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
    pub(super) fn text(&self) -> &str {
        self.insert.kind.text()
    }

    /// The messages that it adds, each with the record before which it is placed.
    pub(super) fn messages(&self, write: Writer<'_>) -> Vec<New> {
        let before = self.insert.before;
        let message = |role: &str, text: &str| New { before, text: write(role, text, before) };
        match self.form {
            Form::Answer => vec![message("user", QUESTION), message("assistant", self.text())],
            Form::User => vec![message("user", self.text())],
            Form::System => Vec::new(),
        }
    }
}

/// The writer for new messages of a transcript: with a text block if other messages use blocks.
pub(super) fn writer(transcript: &Transcript<'_>) -> Writer<'static> {
    let messages = transcript.messages.iter().filter(|message| message.role != Role::System);
    let starts = messages.flat_map(|message| &message.parts).map(|part| transcript.source.get(part.slot.part.start));
    if starts.into_iter().any(|start| start == Some(&b'{')) { &block } else { &plain }
}

/// Writes a message with only a role and a string.
fn plain(role: &str, text: &str, _: usize) -> String {
    format!(r#"{{"role":"{role}","content":{}}}"#, quoted(text))
}

/// Writes a message with the text in a block. The API's own key `citations`, which may be null, distinguishes it from
/// OpenAI's blocks: after compaction it may be the only sign left of whose format this is.
fn block(role: &str, text: &str, _: usize) -> String {
    format!(r#"{{"role":"{role}","content":[{{"type":"text","text":{},"citations":null}}]}}"#, quoted(text))
}

/// The messages that a script adds to a bare list of messages.
pub(in crate::format) fn messages(transcript: &Transcript<'_>, script: &EditScript, write: Writer<'_>) -> Vec<New> {
    places(transcript, script, true).iter().flat_map(|place| place.messages(write)).collect()
}

/// Chooses the form of every insertion. Where roles must alternate, forms that would break that are skipped; a
/// continuation for which no form is left is omitted rather than breaking a rule of the format.
pub(super) fn places<'s>(transcript: &Transcript<'_>, script: &'s EditScript, bare: bool) -> Vec<Place<'s>> {
    let keeps = |record: usize| script.keeps(record);
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
