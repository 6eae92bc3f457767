//! What is kept in another format: no message stands there as it stood, but its calls do.

use super::{Tools, View};
use crate::transcript::{Author, Message, Part, PartKind};
use serde_json::Value;
use std::collections::HashMap;

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
