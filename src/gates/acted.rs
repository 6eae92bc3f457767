//! Calls that an agent wrote in its words, and answers in the user's name: no mark says that these are answers. Where a
//! policy put a word of its own in place of one, only the original still tells what it is.

use crate::transcript::{Author, Message, Part, PartKind, Role, Transcript, stored_id};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The messages of a compacted transcript. What an agent says in it letter by letter as in the original is the same calls,
/// and what a user says next answers them, if the user never said so in the original.
pub(super) fn read_alike<'m>(compacted: &'m Transcript<'_>, original: &'m Transcript<'_>) -> Cow<'m, [Message<'m>]> {
    let mut acts = acts(original);
    if acts.is_empty() {
        return Cow::Borrowed(&compacted.messages);
    }
    let persons = original.messages.iter().filter(|message| message.is_real_user());
    let persons: HashSet<Cow<'_, str>> = persons.map(Message::text).collect();
    let mut messages: Vec<Message<'m>> = compacted.messages.clone();
    // The newest first: what is said again and again is kept from its last time on.
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

/// A message and what answers it.
type Pair<'m> = (&'m Message<'m>, &'m Message<'m>);
/// The messages whose calls stand in their words, by these as they are written, each with what answers it.
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

/// The last of the messages that were written like this one and were not taken.
fn taken<'m>(acts: &mut Acts<'m>, compacted: &'m Transcript<'_>, actor: &Message<'_>) -> Option<Pair<'m>> {
    let words = actor.parts.last().filter(|_| actor.role == Role::Assistant)?;
    let all = acts.get_mut(spelled(compacted, words)?)?;
    if all.len() > 1 { all.pop() } else { all.first().copied() }
}

/// A part as it is written.
fn spelled<'m>(transcript: &'m Transcript<'_>, part: &Part<'_>) -> Option<&'m [u8]> {
    transcript.source.get(part.slot.part.clone()).filter(|written| !written.is_empty())
}

/// Whether two messages tell of the same calls but for a path: that of the file that is open is told by the answer alone.
fn only_paths_differ(one: &Message<'_>, other: &Message<'_>) -> bool {
    let bare = |part: &Part<'_>| {
        let name = if let PartKind::Call { name, .. } = &part.kind { name.to_string() } else { String::new() };
        let mut value = serde_json::from_str(&part.text).unwrap_or_else(|_| Value::from(&*part.text));
        value.as_object_mut().map(|fields| fields.remove("path"));
        (name, value)
    };
    one.parts.iter().map(bare).eq(other.parts.iter().map(bare))
}

/// Reads the last words of a message as what they do.
fn act<'m>(actor: &mut Message<'m>, acted: &'m Message<'m>) {
    let (Some(own), Some(slot)) = (actor.parts.last(), acted.parts.last()) else { return };
    let (own, slot) = (own.slot.part.clone(), &slot.slot.part);
    actor.parts.retain(|part| part.slot.part != own);
    actor.parts.extend(acted.parts.iter().filter(|part| part.slot.part == *slot).cloned());
}

/// Reads a message as what came of a call.
fn observe<'m>(answer: &mut Message<'m>, answered: &'m Message<'m>) {
    let Some((result, more)) = answered.parts.split_first() else { return };
    answer.parts[0].kind = result.kind.clone();
    answer.parts.extend(more.iter().cloned());
    (answer.role, answer.author) = (answered.role, answered.author);
}
