//! Mends faults without inventing content: parts that break a pairing rule are removed, and so are exact copies of
//! records.
//!
//! What only one format can mend, such as links and counters, is in its own file (`Format::mend`).

use super::pairs::{Broken, broken, open_messages};
use super::rules::rule;
use crate::reason::Reason;
use crate::transcript::{
    Author, Change, Class, EditScript, Fault, Message, PartEdit, PartKind, Role, Transcript, stored_id,
};
use foldhash::{HashMap, HashSet};
use std::ops::Range;

/// The faults among `faults` that can be mended, here or by the format.
pub fn mendable(transcript: &Transcript<'_>, faults: &[Fault], invalid: &[usize]) -> Vec<Fault> {
    let (_, planned) = plan(transcript, faults, invalid);
    let planned: HashSet<_> = planned.iter().map(Fault::identity).collect();
    let own = |fault: &&Fault| rule(fault.rule).and_then(|rule| rule.mend).is_some_and(|mend| mend.by_format);
    faults.iter().filter(|fault| planned.contains(&fault.identity()) || own(fault)).cloned().collect()
}

/// Returns a script that mends the `faults` that are mended alike in every format, and the list of these faults.
///
/// Records of `invalid` lines are dropped, too. Faults that would require moving a record are left.
pub fn plan(transcript: &Transcript<'_>, faults: &[Fault], invalid: &[usize]) -> (EditScript, Vec<Fault>) {
    let wanted: HashSet<_> = faults.iter().map(Fault::identity).collect();
    let mut script = EditScript::unchanged(transcript);
    let mut planned = Vec::new();
    let droppable = Droppable::of(transcript);
    for it in broken(transcript).iter().filter(|it| droppable.takes(it)) {
        let fault = it.fault(transcript);
        if wanted.contains(&fault.identity()) {
            script.parts.push(PartEdit { message: it.message, part: it.part, change: Change::Remove });
            planned.push(fault);
        }
    }
    let copies = copies(transcript).into_iter().chain(unreadable(transcript, invalid));
    for (record, fault) in copies.filter(|(_, fault)| wanted.contains(&fault.identity())) {
        script.keep[record] = false;
        planned.push(fault);
    }
    settle(transcript, &mut script);
    (script, planned)
}

/// Drops messages with no content left after the script's edits, and records that belong to dropped ones.
pub fn settle(transcript: &Transcript<'_>, script: &mut EditScript) {
    script.parts.sort_by_key(|edit| (edit.message, edit.part));
    script.parts.dedup_by_key(|edit| (edit.message, edit.part));
    let mut edited: Vec<_> = script.parts.iter().map(|edit| edit.message).collect();
    edited.dedup();
    for message in edited {
        if says_nothing(transcript, script, message) {
            script.keep[transcript.messages[message].record] = false;
        }
    }
    drop_lone_reasoning(transcript, script);
    for (at, record) in transcript.records.iter().enumerate() {
        if matches!(record.class, Class::With(owner) if !script.keeps(owner)) {
            script.keep[at] = false;
        }
    }
    let records: Vec<_> = transcript.messages.iter().map(|message| message.record).collect();
    script.parts.retain(|edit| records.get(edit.message).is_some_and(|record| script.keep[*record]));
}

/// Whether nothing is left of a message but reasoning and empty texts.
fn says_nothing(transcript: &Transcript<'_>, script: &EditScript, message: usize) -> bool {
    let parts = transcript.messages[message].parts.iter().enumerate();
    let mut left = parts.filter(|(part, _)| script.change(message, *part).is_none());
    left.all(|(_, part)| match part.kind {
        PartKind::Reasoning { .. } => true,
        PartKind::Text => part.text.is_empty(),
        _ => false,
    })
}

/// Drops a message of only reasoning when the call after it was dropped: APIs refuse a request in which no assistant
/// content follows reasoning. What follows in another message of the model does not count where both were pieces of one.
fn drop_lone_reasoning(transcript: &Transcript<'_>, script: &mut EditScript) {
    let messages = &transcript.messages;
    // The first message behind this one that stays.
    let mut next = None;
    for at in (1..messages.len()).rev() {
        let gone = |index: usize| !script.keep[messages[index].record];
        let spoken = |index: usize| messages[index].role == Role::Assistant;
        let only_reasoning = || messages[at - 1].parts.iter().all(|part| part.is_reasoning());
        if !gone(at) {
            next = Some(at);
        }
        if !(gone(at) && spoken(at) && !gone(at - 1) && spoken(at - 1) && only_reasoning()) {
            continue;
        }
        let group = |index: usize| messages[index].group.as_deref();
        let was_piece = group(at).is_some() && group(at - 1) == group(at);
        if next.is_none_or(|next| !spoken(next) || (was_piece && group(next) != group(at))) {
            script.keep[messages[at - 1].record] = false;
        }
    }
}

/// Decides which of the parts that break a pairing rule may be removed.
struct Droppable<'t, 's> {
    transcript: &'t Transcript<'s>,
    /// Number of calls and of results by call id.
    ids: HashMap<&'t str, (usize, usize)>,
    /// The messages that the transcript ends on; their calls may still be answered.
    open: HashSet<usize>,
    /// Messages that started a subagent, and ids of calls with which another message came in.
    owners: HashSet<usize>,
    sources: HashSet<&'t str>,
    /// Parts that are stored in the same bytes as another one of their message, by the index of the message.
    shared: HashSet<(usize, &'t Range<usize>)>,
    /// The messages that may answer calls in the words before them.
    said: HashSet<usize>,
    /// Results that find no call of their id without one.
    surplus: HashSet<(usize, usize)>,
}

impl<'t, 's> Droppable<'t, 's> {
    fn of(transcript: &'t Transcript<'s>) -> Self {
        let mut ids: HashMap<_, (usize, usize)> = HashMap::default();
        for message in &transcript.messages {
            message.calls().for_each(|id| ids.entry(id).or_default().0 += 1);
            message.results().for_each(|id| ids.entry(id).or_default().1 += 1);
        }
        let owners = transcript.records.iter().filter_map(|record| match record.class {
            Class::Sidechain(owner) => owner,
            _ => None,
        });
        let sources = transcript.messages.iter().filter_map(|message| message.belongs_to.as_deref());
        Self {
            transcript,
            ids,
            open: open_messages(transcript),
            owners: owners.collect(),
            sources: sources.collect(),
            shared: shared(transcript),
            said: behind_words(transcript),
            surplus: surplus(transcript),
        }
    }

    fn takes(&self, it: &Broken<'_>) -> bool {
        let (calls, results) = self.ids.get(it.id).copied().unwrap_or_default();
        let may = match it.rule {
            "orphan_result" => calls == 0 && !(stored_id(it.id).is_none() && self.said.contains(&it.message)),
            "duplicate_result" => self.surplus.contains(&(it.message, it.part)),
            // A result before its call would have to be moved, not removed.
            "unanswered_call" => results == 0 && !self.open.contains(&it.message) && !self.has_followers(it),
            _ => false,
        };
        may && !self.shares_its_place(it) && self.transcript.messages[it.message].author != Author::Summary
    }

    /// Whether a subagent worked for the call, or another message came in with it.
    fn has_followers(&self, it: &Broken<'_>) -> bool {
        self.owners.contains(&it.message) || self.sources.contains(it.id)
    }

    /// Whether the part is stored in the same bytes as another one.
    fn shares_its_place(&self, it: &Broken<'_>) -> bool {
        self.shared.contains(&(it.message, &self.transcript.messages[it.message].parts[it.part].slot.part))
    }
}

/// The results that come when all calls of their id so far have one, by message and part: calls of one id have a result
/// each.
fn surplus(transcript: &Transcript<'_>) -> HashSet<(usize, usize)> {
    let mut waiting: HashMap<&str, usize> = HashMap::default();
    let mut found = HashSet::default();
    for (at, message) in transcript.messages.iter().enumerate() {
        for (part, kind) in message.parts.iter().map(|part| &part.kind).enumerate() {
            match kind {
                PartKind::Call { id, .. } => *waiting.entry(id).or_default() += 1,
                PartKind::Result { id, .. } => match waiting.get_mut(&**id).filter(|calls| **calls > 0) {
                    Some(calls) => *calls -= 1,
                    None => drop(found.insert((at, part))),
                },
                _ => {}
            }
        }
    }
    found
}

/// The messages of tools behind words of the model's that has no calls: in what form such words call is not known, so
/// that an answer to them is not one to no call.
fn behind_words(transcript: &Transcript<'_>) -> HashSet<usize> {
    let mut said = false;
    let mut behind = |(at, message): (usize, &Message<'_>)| {
        if message.role == Role::Tool {
            return said.then_some(at);
        }
        said = message.role == Role::Assistant && message.calls().next().is_none();
        None
    };
    transcript.messages.iter().enumerate().filter_map(&mut behind).collect()
}

/// The places that several parts of a message share, with the index of the message.
fn shared<'t>(transcript: &'t Transcript<'_>) -> HashSet<(usize, &'t Range<usize>)> {
    let parts = transcript
        .messages
        .iter()
        .enumerate()
        .flat_map(|(at, message)| message.parts.iter().map(move |part| (at, &part.slot.part)));
    let mut seen = HashSet::default();
    parts.filter(|place| !seen.insert(*place)).collect()
}

/// Records that are byte-identical to an earlier record with the same id.
fn copies(transcript: &Transcript<'_>) -> Vec<(usize, Fault)> {
    let mut first: HashMap<&str, usize> = HashMap::default();
    let bytes = |at: usize| transcript.source.get(transcript.records[at].span.clone());
    let mut copies = Vec::new();
    for (at, record) in transcript.records.iter().enumerate() {
        let Some(id) = record.id.as_deref().filter(|id| !id.is_empty()) else { continue };
        match first.get(id) {
            Some(&earlier) if bytes(earlier) == bytes(at) => {
                copies.extend(["duplicate_uuid", "duplicate_id"].map(|rule| (at, transcript.fault(at, rule, id))));
            }
            Some(_) => {}
            None => drop(first.insert(id, at)),
        }
    }
    copies
}

/// Invalid lines, unless no line is valid.
fn unreadable(transcript: &Transcript<'_>, invalid: &[usize]) -> Vec<(usize, Fault)> {
    let all = invalid.iter().filter_map(|&at| Some((at, transcript.records.get(at)?)));
    let fault = |line| Fault::new(line, Reason::InvalidLine.name(), "");
    let all = all.filter(|_| invalid.len() < transcript.records.len());
    all.map(|(at, record)| (at, fault(record.line))).collect()
}
