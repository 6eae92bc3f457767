//! Units: the smallest things that may be cut.

use super::{Message, Tokens, Transcript};
use std::collections::HashMap;

/// One message, or an assistant message with all results of its calls.
///
/// A unit is a set, not a range: where pieces of parallel calls and their results are interleaved with other messages
/// (Claude Code's combs) they still go together. It stands where its first message stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Indices of its messages, ascending.
    pub messages: Vec<usize>,
}

impl Unit {
    /// Index of its first message.
    pub fn first(&self) -> usize {
        self.messages[0]
    }

    /// Tokens of its messages.
    pub fn tokens(&self, transcript: &Transcript<'_>) -> Tokens {
        self.messages.iter().map(|&index| transcript.messages[index].tokens()).sum()
    }
}

/// Joins the messages that `belongs` accepts to units, in the order of their first messages.
///
/// Joined are: records of one API message, a call and its results, a call and the text that it brought in.
pub fn units(transcript: &Transcript<'_>, belongs: impl Fn(usize, &Message<'_>) -> bool) -> Vec<Unit> {
    let mut owners: HashMap<Key<'_>, usize> = HashMap::new();
    let mut units: Vec<Unit> = Vec::new();
    for (index, message) in transcript.messages.iter().enumerate() {
        if !belongs(index, message) {
            continue;
        }
        let joined: Vec<usize> = links(message).filter_map(|key| owners.get(&key).copied()).collect();
        let unit = match joined.iter().min() {
            Some(&unit) => unit,
            None => {
                units.push(Unit { messages: Vec::new() });
                units.len() - 1
            }
        };
        for &other in joined.iter().filter(|&&other| other != unit) {
            let moved = std::mem::take(&mut units[other].messages);
            units[unit].messages.extend(moved);
            owners.values_mut().filter(|owner| **owner == other).for_each(|owner| *owner = unit);
        }
        units[unit].messages.push(index);
        for key in opens(message) {
            owners.insert(key, unit);
        }
    }
    units.retain(|unit| !unit.messages.is_empty());
    units.iter_mut().for_each(|unit| unit.messages.sort_unstable());
    units.sort_by_key(Unit::first);
    units
}

#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Group(&'a str),
    Call(&'a str),
}

/// What a message can join.
fn links<'m>(message: &'m Message<'_>) -> impl Iterator<Item = Key<'m>> {
    let group = message.group.as_deref().map(Key::Group);
    let owner = message.belongs_to.as_deref().map(Key::Call);
    group.into_iter().chain(owner).chain(message.results().map(Key::Call))
}

/// What later messages can join it by.
fn opens<'m>(message: &'m Message<'_>) -> impl Iterator<Item = Key<'m>> {
    message.group.as_deref().map(Key::Group).into_iter().chain(message.calls().map(Key::Call))
}
