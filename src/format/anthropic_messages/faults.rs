//! The rules that Anthropic's API holds the messages of a request to (FORMATS §18).
//!
//! Subjects are ids or roles, never places, so that the faults of a transcript can be compared before and after.

use super::super::Fault;
use crate::transcript::{Message, PartKind, Role};
use std::collections::HashSet;

/// All faults of the messages of a transcript whose first record stands in `line`.
pub(super) fn faults(messages: &[Message<'_>], line: usize) -> Vec<Fault> {
    let mut faults = pairing(messages, line);
    faults.extend(order(messages, line));
    faults.sort();
    faults
}

/// Faults of the roles: what comes first, what repeats.
pub(in crate::format) fn order(messages: &[Message<'_>], line: usize) -> Vec<Fault> {
    let mut rules = Rules { line, faults: Vec::new() };
    if turns(messages).next().is_some_and(|first| first.role != Role::User) {
        rules.fault("first_not_user", "");
    }
    if !alternates(messages) {
        rules.fault("same_role_twice", "");
    }
    rules.faults
}

/// Faults of contents, and of calls and their results.
fn pairing(messages: &[Message<'_>], line: usize) -> Vec<Fault> {
    let messages: Vec<_> = turns(messages).collect();
    let runs: Vec<_> = messages.chunks(1).collect();
    checked(&messages, &runs, line)
}

/// The same where a harness merges messages of one role that follow each other before it sends them.
pub(in crate::format) fn pairing_of_runs<'m, 'a: 'm>(
    messages: impl IntoIterator<Item = &'m Message<'a>>,
    line: usize,
) -> Vec<Fault> {
    let messages: Vec<_> = turns(messages).collect();
    let runs: Vec<_> = messages.chunk_by(|one, next| one.role == next.role).collect();
    checked(&messages, &runs, line)
}

fn checked(messages: &[&Message<'_>], runs: &[&[&Message<'_>]], line: usize) -> Vec<Fault> {
    let mut rules = Rules { line, faults: Vec::new() };
    let last = messages.last().filter(|last| last.role == Role::Assistant);
    if last.and_then(|last| last.parts.last()).is_some_and(|part| matches!(part.kind, PartKind::Reasoning { .. })) {
        rules.fault("ends_in_thinking", "");
    }
    rules.content(messages);
    rules.pairs(runs);
    rules.faults.sort();
    rules.faults
}

/// Whether no role comes twice in a row.
pub(in crate::format) fn alternates(messages: &[Message<'_>]) -> bool {
    let mut last = None;
    turns(messages).all(|message| last.replace(message.role) != Some(message.role))
}

/// The messages but for those of the system.
fn turns<'m, 'a: 'm>(messages: impl IntoIterator<Item = &'m Message<'a>>) -> impl Iterator<Item = &'m Message<'a>> {
    messages.into_iter().filter(|message| message.role != Role::System)
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

    /// Every call is answered in the very next run of messages; each of them starts with its results.
    fn pairs(&mut self, runs: &[&[&Message<'_>]]) {
        let mut called = HashSet::new();
        let mut answered = HashSet::new();
        let mut open: HashSet<&str> = HashSet::new();
        for run in runs {
            let results: HashSet<_> = run.iter().flat_map(|message| message.results()).collect();
            for id in open.iter().filter(|id| !results.contains(*id)) {
                self.fault("unanswered_call", id);
            }
            for id in run.iter().flat_map(|message| message.results()) {
                if !answered.insert(id) {
                    self.fault("duplicate_result", id);
                } else if !open.contains(id) {
                    self.fault("orphan_result", id);
                }
            }
            for late in run.iter().filter_map(|message| result_behind_other(message)) {
                self.fault("results_not_first", late);
            }
            for id in run.iter().flat_map(|message| message.calls()).filter(|id| !called.insert(*id)) {
                self.fault("duplicate_call_id", id);
            }
            open = run.iter().flat_map(|message| message.calls()).collect();
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
