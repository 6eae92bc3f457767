//! Calls that an agent wrote as plain text, and tool answers stored under the role `user`. Nothing in the format marks
//! such messages. Where a compaction stubbed the answer, only the original shows what the messages are.

use crate::transcript::{Author, Message, Part, PartKind, Role, Transcript, stored_id};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Returns the messages of a compacted transcript, with calls in plain text and their answers read as in the original.
/// An assistant message spelled byte for byte as in the original makes the same calls; the user message after it is
/// their answer, unless a user wrote that text in the original. Borrows the messages if the original has no such calls.
pub(super) fn read_alike<'m>(compacted: &'m Transcript<'_>, original: &'m Transcript<'_>) -> Cow<'m, [Message<'m>]> {
    let mut acts = acts(original);
    if acts.is_empty() {
        return Cow::Borrowed(&compacted.messages);
    }
    let persons = original.messages.iter().filter(|message| message.is_real_user());
    let persons: HashSet<Cow<'_, str>> = persons.map(Message::text).collect();
    let mut messages: Vec<Message<'m>> = compacted.messages.clone();
    // From the newest back: of repeated messages, a compaction keeps the last ones.
    for at in (1..messages.len()).rev() {
        let (before, after) = messages.split_at_mut(at);
        let (Some(actor), [answer, ..]) = (before.last_mut(), after) else { continue };
        let Some((acted, answered)) = taken(&mut acts, compacted, actor) else { continue };
        let only_words = matches!(answer.parts[..], [Part { kind: PartKind::Text, .. }]);
        let speaks = matches!(actor.parts.last(), Some(Part { kind: PartKind::Text, .. }));
        if speaks && only_words && answer.is_real_user() && !persons.contains(&answer.text()) {
            act(actor, acted);
            observe(answer, answered);
        } else if answer.author == Author::Tool && only_paths_differ(actor, acted) {
            act(actor, acted);
        }
    }
    Cow::Owned(messages)
}

/// A message with calls, and the message that answers it.
type Pair<'m> = (&'m Message<'m>, &'m Message<'m>);
/// Messages with calls in plain text, each with its answer: bytes of the text in the source → pairs in order.
type Acts<'m> = HashMap<&'m [u8], Vec<Pair<'m>>>;

fn acts<'m>(original: &'m Transcript<'_>) -> Acts<'m> {
    let written = |message: &Message<'_>| {
        message.calls().next().is_some() && message.calls().all(|call| stored_id(call).is_none())
    };
    let mut acts = Acts::new();
    for pair in original.messages.windows(2) {
        let [actor, answer] = pair else { continue };
        if answer.author == Author::Tool && written(actor) {
            let words = actor.parts.last().and_then(|part| spelled(original, part));
            words.into_iter().for_each(|words| acts.entry(words).or_default().push((actor, answer)));
        }
    }
    acts
}

/// Returns the newest original message spelled like this one and not used yet; the oldest can be used again.
fn taken<'m>(acts: &mut Acts<'m>, compacted: &'m Transcript<'_>, actor: &Message<'_>) -> Option<Pair<'m>> {
    let words = actor.parts.last().filter(|_| actor.role == Role::Assistant)?;
    let all = acts.get_mut(spelled(compacted, words)?)?;
    if all.len() > 1 { all.pop() } else { all.first().copied() }
}

/// Bytes of a part in the source of the transcript; `None` if it has none there.
fn spelled<'m>(transcript: &'m Transcript<'_>, part: &Part<'_>) -> Option<&'m [u8]> {
    transcript.source.get(part.slot.part.clone()).filter(|written| !written.is_empty())
}

/// Whether two messages make the same calls except for the path: only the answer names the file that is open.
fn only_paths_differ(one: &Message<'_>, other: &Message<'_>) -> bool {
    let bare = |part: &Part<'_>| {
        let name = if let PartKind::Call { name, .. } = &part.kind { name.to_string() } else { String::new() };
        let mut value = serde_json::from_str(&part.text).unwrap_or_else(|_| Value::from(&*part.text));
        value.as_object_mut().map(|fields| fields.remove("path"));
        (name, value)
    };
    one.parts.iter().map(bare).eq(other.parts.iter().map(bare))
}

/// Replaces the last part of `actor` by the parts that the original read from the same text: the text and its calls.
fn act<'m>(actor: &mut Message<'m>, acted: &'m Message<'m>) {
    let (Some(own), Some(slot)) = (actor.parts.last(), acted.parts.last()) else { return };
    let (own, slot) = (own.slot.part.clone(), &slot.slot.part);
    actor.parts.retain(|part| part.slot.part != own);
    actor.parts.extend(acted.parts.iter().filter(|part| part.slot.part == *slot).cloned());
}

/// Turns `answer` into the tool result that it is in the original, with its role and author.
fn observe<'m>(answer: &mut Message<'m>, answered: &'m Message<'m>) {
    let Some((result, more)) = answered.parts.split_first() else { return };
    answer.parts[0].kind = result.kind.clone();
    answer.parts.extend(more.iter().cloned());
    (answer.role, answer.author) = (answered.role, answered.author);
}
