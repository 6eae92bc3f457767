//! Which original messages are kept, also after a conversion: there they are found by their calls, whose results may be
//! cut.

use crate::gates::{Tools, View};
use crate::transcript::{Author, Message, Part, PartKind};
use serde_json::Value;
use std::collections::HashMap;

/// For each message of the source, whether it is kept. After a conversion, a message is kept if one of its calls is
/// left; calls are matched from the newest back, since the same call can be in head and tail.
pub(in crate::gates) fn kept(view: &View<'_>, tools: &Tools<'_>) -> Vec<bool> {
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

/// Which kept messages show the results of all their calls uncut; `None` if all of them do.
pub(in crate::gates) fn shown_whole(view: &View<'_>, kept: &[bool]) -> Option<Vec<bool>> {
    let messages = view.source.as_ref().map(|source| source.messages()).unwrap_or_default();
    let bytes = results(messages.iter().copied());
    let left = results(&view.compacted.transcript.messages);
    let is_cut = |call: &Called<'_>| left.get(call).zip(bytes.get(call)).is_some_and(|(left, bytes)| left < bytes);
    let shown = kept.iter().zip(messages).map(|(kept, message)| *kept && !calls(message).any(|call| is_cut(&call)));
    let shown: Vec<bool> = shown.collect();
    (shown != kept).then_some(shown)
}

/// Bytes of the last result of each call, whatever its id.
fn results<'m, 'a: 'm>(messages: impl IntoIterator<Item = &'m Message<'a>>) -> HashMap<Called<'m>, usize> {
    let (mut open, mut bytes) = (HashMap::new(), HashMap::new());
    for part in messages.into_iter().flat_map(|message| &message.parts) {
        match &part.kind {
            PartKind::Call { id, .. } => open.extend(called(part).map(|called| (&**id, called))),
            PartKind::Result { id, .. } => bytes.extend(open.remove(&**id).map(|called| (called, part.text.len()))),
            _ => {}
        }
    }
    bytes
}

/// A call independent of format: tool name, and arguments as JSON text.
type Called<'c> = (&'c str, String);

fn take<'c>(left: &mut HashMap<Called<'c>, usize>, call: &Called<'c>) -> bool {
    let Some(count) = left.get_mut(call).filter(|count| **count > 0) else { return false };
    *count -= 1;
    true
}

fn calls<'m>(message: &'m Message<'_>) -> impl Iterator<Item = Called<'m>> {
    message.parts.iter().filter_map(called)
}

/// Arguments that are no object are wrapped in `{"input": …}` by formats that require an object; the wrapper is
/// removed.
fn called<'m>(part: &'m Part<'_>) -> Option<Called<'m>> {
    let PartKind::Call { name, .. } = &part.kind else { return None };
    let value = serde_json::from_str(&part.text).unwrap_or_else(|_| Value::from(&*part.text));
    let inner = |fields: &serde_json::Map<String, Value>| fields.get("input").filter(|_| fields.len() == 1).cloned();
    let value = value.as_object().and_then(inner).unwrap_or(value);
    Some((name, value.to_string()))
}
