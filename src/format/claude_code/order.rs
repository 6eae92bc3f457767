//! The order of the messages of a session whose lines changed places: a result may stand before the line of its call,
//! to which it is linked. Such a result is read behind its call; the records stay as they are.

use super::ids::Ids;
use crate::transcript::{Class, Message, Transcript};
use foldhash::{HashMap, HashSet};

/// Moves each result whose call, or the record that it is linked to, stands later behind that call; returns whether
/// there is one.
pub(super) fn follow_calls(transcript: &mut Transcript<'_>) -> bool {
    let early = early(transcript);
    if early.is_empty() {
        return false;
    }
    let behind = behind(transcript, &early);
    if behind.is_empty() {
        return false;
    }
    let moved: HashSet<usize> = behind.values().flatten().copied().collect();
    let mut order: Vec<usize> = Vec::with_capacity(transcript.messages.len());
    for at in (0..transcript.messages.len()).filter(|at| !moved.contains(at)) {
        order.push(at);
        order.extend(behind.get(&at).into_iter().flatten());
    }
    rearrange(transcript, &order);
    true
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

/// Such messages by the later message with their call, if the record that they are linked to stands later too.
fn behind(transcript: &Transcript<'_>, early: &[usize]) -> HashMap<usize, Vec<usize>> {
    let ids = Ids::of(transcript);
    let wanted: HashSet<&str> = early.iter().flat_map(|at| transcript.messages[*at].results()).collect();
    let calls = |(at, message): (usize, &Message<'_>)| -> Vec<(String, usize)> {
        message.calls().filter(|id| wanted.contains(id)).map(|id| (id.to_owned(), at)).collect()
    };
    let calls: HashMap<String, usize> = transcript.messages.iter().enumerate().flat_map(calls).collect();
    let mut behind: HashMap<usize, Vec<usize>> = HashMap::default();
    for at in early {
        let message = &transcript.messages[*at];
        let is_linked = ids.parent(transcript, message.record).is_some_and(|parent| parent > message.record);
        let call = message.results().filter_map(|id| calls.get(id)).max().filter(|call| *call > at && is_linked);
        call.into_iter().for_each(|call| behind.entry(*call).or_default().push(*at));
    }
    behind
}

/// Puts the messages into this order of their indices.
fn rearrange(transcript: &mut Transcript<'_>, order: &[usize]) {
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
