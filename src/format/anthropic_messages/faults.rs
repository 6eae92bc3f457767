//! The rules that Anthropic's API holds the messages of a request to (FORMATS §18).
//!
//! Subjects are ids or roles, never places, so that the faults of a transcript can be compared before and after.

use super::super::Fault;
use crate::transcript::{Message, PartKind, Role, Transcript};
use std::collections::HashSet;

/// All faults of a transcript.
pub(super) fn faults(transcript: &Transcript<'_>) -> Vec<Fault> {
    let line = transcript.records.first().map_or(1, |record| record.line);
    let messages: Vec<_> = transcript.messages.iter().filter(|message| message.role != Role::System).collect();
    let mut rules = Rules { line, faults: Vec::new() };
    if messages.first().is_some_and(|first| first.role != Role::User) {
        rules.fault("first_not_user", "");
    }
    if !alternate(messages.iter().map(|message| message.role)) {
        rules.fault("same_role_twice", "");
    }
    let last = messages.last().filter(|last| last.role == Role::Assistant);
    if last.and_then(|last| last.parts.last()).is_some_and(|part| matches!(part.kind, PartKind::Reasoning { .. })) {
        rules.fault("ends_in_thinking", "");
    }
    rules.content(&messages);
    rules.pairs(&messages);
    rules.faults.sort();
    rules.faults
}

/// Whether no role comes twice in a row.
pub(super) fn alternate(roles: impl Iterator<Item = Role>) -> bool {
    let mut last = None;
    roles.into_iter().all(|role| last.replace(role) != Some(role))
}

struct Rules {
    line: usize,
    faults: Vec<Fault>,
}

impl Rules {
    fn fault(&mut self, rule: &'static str, subject: &str) {
        self.faults.push(Fault { line: self.line, rule, subject: subject.to_owned() });
    }

    fn content(&mut self, messages: &[&Message<'_>]) {
        for message in messages {
            let empty = |part: &crate::transcript::Part<'_>| part.kind == PartKind::Text && part.text.is_empty();
            if message.parts.is_empty() || message.parts.iter().any(empty) {
                self.fault("empty_content", message.role.name());
            }
        }
    }

    /// Every call is answered in the very next message, which starts with the results and has all of them.
    fn pairs(&mut self, messages: &[&Message<'_>]) {
        let mut called = HashSet::new();
        let mut answered = HashSet::new();
        let mut open: HashSet<&str> = HashSet::new();
        for message in messages {
            let results: HashSet<_> = message.results().collect();
            for id in open.iter().filter(|id| !results.contains(*id)) {
                self.fault("unanswered_call", id);
            }
            for id in message.results() {
                if !answered.insert(id) {
                    self.fault("duplicate_result", id);
                } else if !open.contains(id) {
                    self.fault("orphan_result", id);
                }
            }
            if let Some(late) = result_behind_other(message) {
                self.fault("results_not_first", late);
            }
            for id in message.calls().filter(|id| !called.insert(*id)) {
                self.fault("duplicate_call_id", id);
            }
            open = message.calls().collect();
        }
    }
}

/// The id of a result that stands behind a part that is none.
fn result_behind_other<'m>(message: &'m Message<'_>) -> Option<&'m str> {
    let mut behind = message.parts.iter().skip_while(|part| matches!(part.kind, PartKind::Result { .. }));
    behind.find_map(|part| match &part.kind {
        PartKind::Result { id, .. } => Some(&**id),
        _ => None,
    })
}
