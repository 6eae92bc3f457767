//! Calls that an agent wrote in its words, and answers in the user's name: no mark says that these are answers. Where a
//! policy put a word of its own in place of one, only the original still tells what it is.

use crate::transcript::{Author, Message, Part, PartKind, Role, Transcript, stored_id};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The messages of a compacted transcript. What an agent says in it letter by letter as in the original is the same calls,
/// and what a user says next answers them, if the user never said so in the original.
pub(super) fn read_alike<'m>(compacted: &'m Transcript<'_>, original: &'m Transcript<'_>) -> Cow<'m, [Message<'m>]> {
    let acts = acts(original);
    if acts.is_empty() {
        return Cow::Borrowed(&compacted.messages);
    }
    let persons = original.messages.iter().filter(|message| message.is_real_user());
    let persons: HashSet<Cow<'_, str>> = persons.map(Message::text).collect();
    let mut messages: Vec<Message<'m>> = compacted.messages.clone();
    for at in 1..messages.len() {
        let (before, after) = messages.split_at_mut(at);
        let (Some(actor), [answer, ..]) = (before.last_mut(), after) else { continue };
        let only_words = matches!(answer.parts[..], [Part { kind: PartKind::Text, .. }]);
        if actor.role != Role::Assistant || !answer.is_real_user() || !only_words || persons.contains(&answer.text()) {
            continue;
        }
        let written = actor.parts.last().filter(|part| part.kind == PartKind::Text);
        if let Some((acted, answered)) = written.and_then(|part| acts.get(&spelled(compacted, part)?)) {
            act(actor, answer, (acted, answered));
        }
    }
    Cow::Owned(messages)
}

/// A message and what answers it.
type Pair<'m> = (&'m Message<'m>, &'m Message<'m>);

/// The messages whose calls stand in their words, by these as they are written, each with what answers it.
fn acts<'m>(original: &'m Transcript<'_>) -> HashMap<&'m [u8], Pair<'m>> {
    let written = |message: &Message<'_>| {
        message.calls().next().is_some() && message.calls().all(|call| stored_id(call).is_none())
    };
    let pairs = original.messages.windows(2).filter_map(|pair| {
        let [actor, answer] = pair else { return None };
        let answers = answer.author == Author::Tool && written(actor);
        Some((spelled(original, actor.parts.last().filter(|_| answers)?)?, (actor, answer)))
    });
    pairs.collect()
}

/// A part as it is written.
fn spelled<'m>(transcript: &'m Transcript<'_>, part: &Part<'_>) -> Option<&'m [u8]> {
    transcript.source.get(part.slot.part.clone()).filter(|written| !written.is_empty())
}

/// Reads the last words of a message as what they do, and the next message as what came of it.
fn act<'m>(actor: &mut Message<'m>, answer: &mut Message<'m>, (acted, answered): Pair<'m>) {
    let Some(slot) = acted.parts.last().map(|part| &part.slot.part) else { return };
    let Some((result, more)) = answered.parts.split_first() else { return };
    actor.parts.pop();
    actor.parts.extend(acted.parts.iter().filter(|part| part.slot.part == *slot).cloned());
    answer.parts[0].kind = result.kind.clone();
    answer.parts.extend(more.iter().cloned());
    (answer.role, answer.author) = (answered.role, answered.author);
}
