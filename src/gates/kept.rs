//! What is kept: in another format no message stands there as it stood, but its calls do; and what came of a call may be cut.

use super::{Tools, View};
use crate::transcript::{Author, Message, Part, PartKind};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// Which messages of the source are kept, by their places in it: of a pair of two formats those whose calls are there too,
/// the newest first, since the same call can stand in the head and in the tail.
pub(super) fn kept(view: &View<'_>, tools: &Tools<'_>) -> Vec<bool> {
    let messages = view.source.as_ref().map(|source| source.messages()).unwrap_or_default();
    let mut kept: Vec<bool> = (0..messages.len()).map(|at| view.is_kept(at)).collect();
    if tools.converted {
        let mut left: HashMap<Called<'_>, usize> = HashMap::new();
        let loaded = view.left_loaded().into_iter().filter(|message| message.author != Author::Summary);
        loaded.flat_map(calls).for_each(|call| *left.entry(call).or_default() += 1);
        for (at, message) in messages.iter().enumerate().rev() {
            kept[at] |= calls(message).map(|call| take(&mut left, &call)).fold(false, |any, taken| any | taken);
        }
    }
    kept
}

/// Which of those that are kept show all that their calls came to; nothing where that is all of them.
pub(super) fn shown_whole(view: &View<'_>, kept: &[bool]) -> Option<Vec<bool>> {
    let messages = view.source.as_ref().map(|source| source.messages()).unwrap_or_default();
    let shortened = shortened(messages, view);
    let is_cut = |part: &Part<'_>| {
        matches!(part.kind, PartKind::Call { .. }) && part.kind.call().is_some_and(|id| shortened.contains(id))
    };
    let shown = kept.iter().zip(messages).map(|(kept, message)| *kept && !message.parts.iter().any(is_cut));
    (!shortened.is_empty()).then(|| shown.collect())
}

/// Ids of the calls whose results are shorter than they were.
fn shortened<'v>(messages: &[&Message<'_>], view: &'v View<'_>) -> HashSet<&'v str> {
    let bytes: HashMap<&str, usize> = messages.iter().flat_map(|message| results(message)).collect();
    let left = view.compacted.transcript.messages.iter().flat_map(results);
    left.filter(|(id, left)| bytes.get(id).is_some_and(|bytes| bytes > left)).map(|(id, _)| id).collect()
}

fn results<'m>(message: &'m Message<'_>) -> impl Iterator<Item = (&'m str, usize)> {
    let results = message.parts.iter().filter(|part| matches!(part.kind, PartKind::Result { .. }));
    results.filter_map(|part| Some((part.kind.call()?, part.text.len())))
}

/// A call as any format tells it: the tool, and its arguments as a value.
type Called<'c> = (&'c str, String);

fn take<'c>(left: &mut HashMap<Called<'c>, usize>, call: &Called<'c>) -> bool {
    let Some(count) = left.get_mut(call).filter(|count| **count > 0) else { return false };
    *count -= 1;
    true
}

fn calls<'m>(message: &'m Message<'_>) -> impl Iterator<Item = Called<'m>> {
    message.parts.iter().filter_map(called)
}

/// Arguments that are no object are wrapped in one where the format wants one.
fn called<'m>(part: &'m Part<'_>) -> Option<Called<'m>> {
    let PartKind::Call { name, .. } = &part.kind else { return None };
    let value = serde_json::from_str(&part.text).unwrap_or_else(|_| Value::from(&*part.text));
    let inner = |fields: &serde_json::Map<String, Value>| fields.get("input").filter(|_| fields.len() == 1).cloned();
    let value = value.as_object().and_then(inner).unwrap_or(value);
    Some((name, value.to_string()))
}
