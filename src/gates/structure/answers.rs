//! Which call each kept result answers: it must be the one that it answered in the original, whatever its id is now.

use crate::gates::{Finding, View};
use crate::transcript::{Message, Part, PartKind};
use serde_json::Value;
use std::cell::LazyCell;
use std::collections::HashMap;

/// Place of a call: its message, and its number among the calls of that message.
type Place = (usize, usize);

/// Returns a finding for each kept message with a result that now answers another call.
pub(super) fn exchanged(view: &View<'_>) -> Vec<Finding> {
    let Some(original) = &view.original else { return Vec::new() };
    let sides = (&*original.transcript.messages, &*view.compacted.transcript.messages);
    let (before, after) = (answered(sides.0), answered(sides.1));
    let matched: HashMap<usize, usize> = view.kept.pairs.iter().copied().collect();
    let is_other = |(was, is): (&Option<Place>, &Option<Place>)| {
        let (Some(was), Some(is)) = (*was, *is) else { return false };
        match matched.get(&is.0) {
            // Two calls of one message may be alike.
            Some(original) if *original == was.0 => was.1 != is.1,
            Some(_) => called(sides.0, was) != called(sides.1, is),
            // The call is not as it was: its arguments may have been cleared.
            None => name(sides.0, was) != name(sides.1, is),
        }
    };
    let differs = |(at, original): &&(usize, usize)| {
        let (was, is) = (&before[*original], &after[*at]);
        was.len() == is.len() && was.iter().zip(is).any(is_other)
    };
    let results = LazyCell::new(|| results(sides.0, &before));
    // Of messages that say the same, another one may have been kept.
    let is_known = |(at, original): (usize, usize)| {
        let texts = sides.1[at].parts.iter().filter(|part| is_result(part)).map(|part| &*part.text);
        texts.zip(&after[at]).all(|(text, is)| {
            let same = |(message, was): &(usize, Place)| {
                *message != original && is.is_some_and(|is| called(sides.0, *was) == called(sides.1, is))
            };
            results.get(text).is_some_and(|places| places.iter().any(same))
        })
    };
    let wrong = view.kept.pairs.iter().filter(differs).filter(|pair| !is_known(**pair));
    let finding = |&(at, original): &(usize, usize)| Finding {
        original: view.original_spot(original),
        ..Finding::new(view.spot_of(at), "a kept result answers another call than it did")
    };
    wrong.map(finding).collect()
}

/// For each message, the calls that its results answer: of calls with one id, the last one before.
fn answered(messages: &[Message<'_>]) -> Vec<Vec<Option<Place>>> {
    let mut calls: HashMap<&str, Place> = HashMap::new();
    let mut all = Vec::with_capacity(messages.len());
    for (at, message) in messages.iter().enumerate() {
        let (mut number, mut own) = (0, Vec::new());
        for part in &message.parts {
            match &part.kind {
                PartKind::Call { id, .. } => {
                    calls.insert(id, (at, number));
                    number += 1;
                }
                PartKind::Result { id, .. } => own.push(calls.get(&**id).copied()),
                _ => {}
            }
        }
        all.push(own);
    }
    all
}

/// For each text of a result, the messages with such results, and the calls that they answer.
fn results<'m>(messages: &'m [Message<'_>], answered: &[Vec<Option<Place>>]) -> HashMap<&'m str, Vec<(usize, Place)>> {
    let mut all: HashMap<&str, Vec<(usize, Place)>> = HashMap::new();
    for (at, (message, places)) in messages.iter().zip(answered).enumerate() {
        for (part, place) in message.parts.iter().filter(|part| is_result(part)).zip(places) {
            all.entry(&part.text).or_default().extend(place.map(|place| (at, place)));
        }
    }
    all
}

fn is_result(part: &Part<'_>) -> bool {
    matches!(part.kind, PartKind::Result { .. })
}

fn call<'m>(messages: &'m [Message<'_>], (at, number): Place) -> Option<&'m Part<'m>> {
    messages[at].parts.iter().filter(|part| matches!(part.kind, PartKind::Call { .. })).nth(number)
}

fn name<'m>(messages: &'m [Message<'_>], place: Place) -> Option<&'m str> {
    let PartKind::Call { name, .. } = &call(messages, place)?.kind else { return None };
    Some(name)
}

/// The name of a call, and its arguments in one spelling.
fn called<'m>(messages: &'m [Message<'_>], place: Place) -> Option<(&'m str, Value)> {
    let text = &*call(messages, place)?.text;
    let arguments = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text.trim()));
    Some((name(messages, place)?, arguments))
}
