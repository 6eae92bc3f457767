//! Rules of OpenAI's API and of trainers for messages (FORMATS §18).
//!
//! Subjects are ids or roles, never positions, so that the faults before and after an edit can be compared.

use super::super::Fault;
use super::super::shared::json::Json;
use super::super::shared::mending::{self, Wanted};
use super::super::shared::speakers;
use crate::reason::Reason;
use crate::transcript::{EditScript, Message, Part, PartKind, Role, Transcript, stored_id};
use foldhash::{HashMap, HashSet};

/// Returns all faults of a transcript.
pub(crate) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut pairs = Pairs::default();
    for message in &transcript.messages {
        pairs.record = message.record;
        pairs.read(message);
        pairs.broken.extend(faults_of(message).map(|(rule, subject)| (message.record, rule, subject)));
    }
    let broken = pairs.finish().into_iter();
    let mut faults: Vec<_> = broken.map(|(record, rule, subject)| transcript.fault(record, rule, subject)).collect();
    faults.extend(speakers::unknown_in(transcript, "role"));
    faults.extend(unread_calls(transcript));
    faults.extend(no_json(transcript));
    let answered = transcript.messages.iter().any(|message| message.role == Role::Assistant);
    if !answered && transcript.traits.training_row && !transcript.messages.is_empty() {
        let line = transcript.first_line();
        faults.push(Fault::new(line, "no_assistant", ""));
    }
    faults.sort();
    faults
}

/// The fault of a transcript that is left as it is for calls that were not read.
fn unread_calls(transcript: &Transcript<'_>) -> Option<Fault> {
    let reason = transcript.traits.fixed.filter(|reason| *reason == Reason::UnreadableCalls)?;
    let nameless = |message: &Message<'_>| {
        message.parts.iter().any(|part| matches!(&part.kind, PartKind::Call { name, .. } if name.is_empty()))
    };
    let whole = || Fault::new(transcript.first_line(), reason.name(), "");
    let found = transcript.messages.iter().find(|message| nameless(message));
    Some(found.map_or_else(whole, |message| transcript.fault(message.record, reason.name(), "")))
}

/// The calls whose arguments are a string that is no JSON.
fn no_json(transcript: &Transcript<'_>) -> Vec<Fault> {
    let is_torn = |part: &Part<'_>| {
        let call = Json::at(transcript.source, &part.slot.part).and_then(Json::object)?;
        let arguments = call.object("function").unwrap_or(call).text("arguments")?;
        Some(!arguments.trim().is_empty() && Json::parse(&arguments).is_err())
    };
    let of_message = |message: &Message<'_>| {
        let record = message.record;
        let subjects = message.parts.iter().filter_map(|part| match &part.kind {
            PartKind::Call { id, name } => is_torn(part).unwrap_or_default().then(|| subject(id, name)),
            _ => None,
        });
        subjects.map(|subject| transcript.fault(record, "no_json_arguments", subject)).collect::<Vec<_>>()
    };
    transcript.messages.iter().flat_map(of_message).collect()
}

/// The faults of stored messages that need not be a training row, and whose model may have drawn an image.
pub(crate) fn faults_of_stored(transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut faults = faults(transcript);
    faults.retain(|fault| !["assistant_media", "no_assistant"].contains(&fault.rule));
    faults
}

/// Like [`faults_of_stored`], for formats whose messages have a `type` instead of a speaker's name.
pub(crate) fn faults_of_typed(transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut faults = faults_of_stored(transcript);
    faults.retain(|fault| fault.rule != Reason::UnknownSpeaker.name());
    faults.extend(speakers::unknown_types(transcript));
    faults.sort();
    faults
}

/// Drops messages without content.
pub(crate) fn mend(transcript: &Transcript<'_>, faults: &[Fault], script: &mut EditScript) {
    let wanted = Wanted::of(faults);
    mending::drop_empty(transcript, (&wanted, "empty_content"), script, mending::says_nothing);
}

/// Faults of a single message.
fn faults_of(message: &Message<'_>) -> impl Iterator<Item = (&'static str, String)> + use<> {
    let role = message.role.name().to_owned();
    let media = message.role == Role::Assistant && message.has_media();
    let empty = message.role != Role::Tool && mending::says_nothing(message);
    let media = media.then(|| ("assistant_media", role.clone()));
    media.into_iter().chain(empty.then_some(("empty_content", role)))
}

/// Index of a record, the rule that it breaks, and the subject.
type Broken = (usize, &'static str, String);

/// Checks the order of calls and results.
#[derive(Default)]
struct Pairs {
    /// Index of the record of the newest message.
    record: usize,
    /// Broken rules so far, each with the index of its record, and its subject.
    broken: Vec<Broken>,
    /// The group of the newest message that is not a tool's.
    group: Option<String>,
    /// Calls of the newest assistant message while no other message has followed, with a flag whether each is answered.
    open: HashMap<String, bool>,
    /// Unanswered calls after which another message came, with record and subject of the call.
    late: HashMap<String, (usize, String)>,
    /// All calls so far, with their records and subjects.
    calls: HashMap<String, (usize, String)>,
    answered: HashSet<String>,
}

impl Pairs {
    fn read(&mut self, message: &Message<'_>) {
        if message.role != Role::Tool {
            // Pieces of one answer may come between a piece and its results.
            if message.group.is_none() || message.group.as_deref() != self.group.as_deref() {
                self.close();
            }
            self.group = message.group.as_deref().map(str::to_owned);
        }
        for part in &message.parts {
            match &part.kind {
                PartKind::Call { id, name } => self.call(id, name),
                PartKind::Result { id, tool, .. } => self.result(id, tool.as_deref().unwrap_or_default()),
                _ => {}
            }
        }
    }

    /// Unanswered calls are late from now on: a result comes too late, or never.
    fn close(&mut self) {
        for (id, answered) in self.open.drain() {
            if !answered {
                let call = self.calls.get(&id).cloned().unwrap_or_default();
                self.late.insert(id, call);
            }
        }
    }

    fn call(&mut self, id: &str, name: &str) {
        if self.calls.insert(id.to_owned(), (self.record, subject(id, name))).is_some() {
            self.fault("duplicate_call_id", subject(id, name));
        }
        self.open.insert(id.to_owned(), false);
    }

    fn result(&mut self, id: &str, tool: &str) {
        let rule = match self.open.get_mut(id) {
            Some(answered) if !*answered => {
                *answered = true;
                None
            }
            Some(_) => Some("duplicate_result"),
            None if self.late.remove(id).is_some() => Some("interrupted_results"),
            None if self.answered.contains(id) => Some("duplicate_result"),
            None => Some("orphan_result"),
        };
        self.answered.insert(id.to_owned());
        if let Some(rule) = rule {
            self.fault(rule, subject(id, tool));
        }
    }

    fn fault(&mut self, rule: &'static str, subject: String) {
        self.broken.push((self.record, rule, subject));
    }

    /// Calls of the last message may still be waiting for their results.
    fn finish(mut self) -> Vec<Broken> {
        let late = self.late.into_values();
        self.broken.extend(late.map(|(record, subject)| (record, "unanswered_call", subject)));
        self.broken
    }
}

/// The stored id of a call; for an id synthesized from a position, the tool's name.
fn subject(id: &str, tool: &str) -> String {
    stored_id(id).unwrap_or(tool).to_owned()
}
