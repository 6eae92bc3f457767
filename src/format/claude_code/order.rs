//! The order of the messages of a session whose lines changed places: a result may stand before the line of its call,
//! to which it is linked. Such a result is read behind its call; the records stay as they are.

use super::ids::Ids;
use crate::transcript::{Class, Transcript};
use foldhash::{HashMap, HashSet};

/// The order in which the messages are read, by their indices: each result whose call, or the record that it is linked
/// to, stands later comes behind that call, and so does what stands between them and is linked to the result. `None` if
/// there is no such result.
pub(super) fn following_calls(transcript: &Transcript<'_>) -> Option<Vec<usize>> {
    let early = early(transcript);
    if early.is_empty() {
        return None;
    }
    let ids = Ids::of(transcript);
    let targets = with_followers(transcript, &ids, calls_behind(transcript, &ids, &early)?);
    let mut behind: HashMap<usize, Vec<usize>> = HashMap::default();
    let mut order: Vec<usize> = Vec::with_capacity(transcript.messages.len());
    let target = |at: usize| targets[transcript.messages[at].record];
    for at in 0..transcript.messages.len() {
        target(at).into_iter().for_each(|call| behind.entry(call).or_default().push(at));
    }
    for first in (0..transcript.messages.len()).filter(|at| target(*at).is_none()) {
        let mut next = vec![first];
        while let Some(at) = next.pop() {
            order.push(at);
            next.extend(behind.get(&at).into_iter().flatten().rev());
        }
    }
    Some(order)
}

/// The messages with only results, of calls that none before has.
fn early(transcript: &Transcript<'_>) -> Vec<usize> {
    let mut called: HashSet<&str> = HashSet::default();
    let mut early = Vec::new();
    for (at, message) in transcript.messages.iter().enumerate() {
        called.extend(message.calls());
        let mut results = message.results().peekable();
        if results.peek().is_some() && message.calls().next().is_none() && results.all(|id| !called.contains(id)) {
            early.push(at);
        }
    }
    early
}

/// For each record, the later message with the call behind which it is read: the first one, if the record that it is
/// linked to stands later too. `None` if there is no such record.
fn calls_behind(transcript: &Transcript<'_>, ids: &Ids<'_>, early: &[usize]) -> Option<Vec<Option<usize>>> {
    let wanted: HashSet<&str> = early.iter().flat_map(|at| transcript.messages[*at].results()).collect();
    let mut calls: HashMap<&str, usize> = HashMap::default();
    for (at, message) in transcript.messages.iter().enumerate() {
        message.calls().filter(|id| wanted.contains(id)).for_each(|id| _ = calls.entry(id).or_insert(at));
    }
    let mut targets = vec![None; transcript.records.len()];
    for at in early {
        let message = &transcript.messages[*at];
        let is_linked = ids.parent(transcript, message.record).is_some_and(|parent| parent > message.record);
        let call = message.results().filter_map(|id| calls.get(id).copied()).max();
        targets[message.record] = call.filter(|call| call > at && is_linked);
    }
    targets.iter().any(Option::is_some).then_some(targets)
}

/// The same with the records that stand before such a call and are linked to what is read behind it.
fn with_followers(transcript: &Transcript<'_>, ids: &Ids<'_>, mut targets: Vec<Option<usize>>) -> Vec<Option<usize>> {
    for at in 0..targets.len() {
        let parent = ids.parent(transcript, at).filter(|parent| *parent < at && targets[at].is_none());
        let call = parent.and_then(|parent| targets[parent]);
        targets[at] = targets[at].or(call.filter(|call| transcript.messages[*call].record > at));
    }
    targets
}

/// Puts the messages into this order of their indices.
pub(super) fn rearrange(transcript: &mut Transcript<'_>, order: &[usize]) {
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, at)| places[*at] = place);
    for record in &mut transcript.records {
        if let Class::Message(index) | Class::Sidechain(Some(index)) = &mut record.class {
            *index = places[*index];
        }
    }
    let mut messages: Vec<_> = std::mem::take(&mut transcript.messages).into_iter().zip(places).collect();
    messages.sort_by_key(|(_, place)| *place);
    transcript.messages = messages.into_iter().map(|(message, _)| message).collect();
}
