//! The speakers of message collections, and the name for a new turn.

use super::json::{Json, Object};
use crate::format::Fault;
use crate::reason::Reason;
pub(in crate::format) use crate::transcript::speakers::{is_environment, role};
use crate::transcript::{Class, Record, Role, Transcript};
use std::borrow::Cow;

/// Whether a speaker name is used only in collections of conversations, not by APIs.
pub(in crate::format) fn is_of_collections(name: &str) -> bool {
    matches!(&*name.to_ascii_lowercase(), "agent" | "bot" | "chatbot" | "chatgpt" | "bard" | "prompter" | "gpt")
}

/// Who speaks in a message of a row.
pub(in crate::format) fn speaker(message: &Object<'_>) -> Option<Role> {
    role(&["role", "from"].iter().find_map(|key| message.text(key))?)
}

/// Whether a turn that others follow has an unknown speaker or none, so that no turn can be removed safely. `key` is the
/// field with the speaker's name. In a `prompt` the answer is stored elsewhere, so its last turn counts, too.
pub(in crate::format) fn any_unknown(turns: &[Json<'_>], key: &str, prompt: bool) -> bool {
    let last = turns.len().saturating_sub(usize::from(!prompt));
    let unknown = |turn: &Json<'_>| {
        let Some(turn) = turn.object() else { return true };
        turn.text(key).map_or_else(|| is_nobodys(&turn), |name| role(&name).is_none())
    };
    turns.iter().take(last).any(unknown)
}

/// Keys that say who speaks; an object without one is a note of some tool, not a turn.
const SPEAKERS: [&str; 4] = ["role", "from", "speaker", "author"];
/// Those of which none is usual for notes, such as the author of a commit.
const NAMES: [&str; 3] = ["role", "from", "speaker"];
/// Keys that may hold what a turn says.
const WORDS: [&str; 5] = ["content", "value", "text", "message", "parts"];

/// The keys of a message that nothing but a speaker is missing from.
const BARE: [&str; 6] = ["content", "value", "name", "weight", "train", "tool_calls"];
/// In place of the name of a speaker that a message does not have.
const NOBODY: &str = "no speaker";

/// Whether an object is a message without a speaker, and not a note.
fn is_nobodys(turn: &Object<'_>) -> bool {
    let named = SPEAKERS.iter().any(|key| turn.get(key).is_some_and(Json::holds_something));
    let bare = |(key, _): &(Cow<'_, str>, Json<'_>)| BARE.contains(&&**key) || SPEAKERS.contains(&&**key);
    !named && (turn.has("content") || turn.has("value")) && turn.fields().iter().all(bare)
}

/// What a turn says, whoever speaks: what stands under a key for words, as JSON unless it is a string. `None` for a
/// note, which nobody says.
pub(in crate::format) fn words<'a>(turn: &Object<'a>) -> Option<Cow<'a, str>> {
    if !SPEAKERS.iter().any(|key| turn.has(key)) && !is_nobodys(turn) {
        return None;
    }
    let said = WORDS.iter().find_map(|key| turn.get(key).filter(|value| !value.is_null()))?;
    Some(said.spelled())
}

/// Reason to leave a transcript as it is: a turn that was not read says something, and without the turns around it, it
/// would say something else. The last turn of a row may be unknown, unless the answer is stored elsewhere.
pub(in crate::format) fn obstacle(transcript: &Transcript<'_>) -> Option<Reason> {
    let traits = &transcript.traits;
    let last = usize::from(traits.training_row && !traits.answered_beside);
    let before = transcript.records.len().saturating_sub(last);
    let mut unread = transcript.records.iter().take(before).filter(|record| record.class == Class::Opaque);
    unread.any(|record| unheard(transcript, record).is_some()).then_some(Reason::UnknownSpeaker)
}

/// Like [`obstacle`], for formats whose messages have a `type` instead of a speaker's name.
pub(in crate::format) fn obstacle_of_types(transcript: &Transcript<'_>) -> Option<Reason> {
    let mut unread = transcript.records.iter().filter(|record| record.class == Class::Opaque);
    unread.any(|record| type_unheard(transcript, record).is_some()).then_some(Reason::UnknownSpeaker)
}

/// The type of a message that was not read though it says something.
fn type_unheard<'a>(transcript: &Transcript<'a>, record: &Record<'_>) -> Option<Cow<'a, str>> {
    let fields = Json::at(transcript.source, &record.span)?.object()?;
    let kind = fields.get("type")?.spelled();
    fields.get("content").is_some_and(Json::holds_something).then_some(kind)
}

/// The speaker of a turn that was not read though it says something; a value that is no message has none.
fn unheard<'a>(transcript: &Transcript<'a>, record: &Record<'_>) -> Option<Cow<'a, str>> {
    let alone = Json::at(transcript.source, &record.span)?;
    if alone.object().is_none() {
        return Some(Cow::Borrowed(NOBODY));
    }
    let turn = turn(transcript, record)?;
    let named = NAMES.iter().find_map(|key| turn.text(key)).filter(|name| role(name).is_none());
    let name = named.or_else(|| is_nobodys(&turn).then_some(Cow::Borrowed(NOBODY)))?;
    words(&turn).filter(|words| !matches!(&**words, "" | "[]" | "{}")).map(|_| name)
}

/// The fields of a turn, which may stand in a `message` of their own.
pub(in crate::format) fn turn<'a>(transcript: &Transcript<'a>, record: &Record<'_>) -> Option<Object<'a>> {
    let fields = Json::at(transcript.source, &record.span)?.object()?;
    let inside = fields.object("message").filter(|inside| !fields.has("role") && inside.has("role"));
    Some(inside.unwrap_or(fields))
}

/// Faults for the unknown speakers of a transcript that is left as it is for them; the subject is the name. `key` is
/// the field with the speaker's name.
pub(in crate::format) fn unknown_in(transcript: &Transcript<'_>, key: &str) -> Vec<Fault> {
    unknown(transcript, &|record| named(transcript, record, key))
}

/// Like [`unknown_in`], for formats whose messages have a `type` instead of a speaker's name.
pub(in crate::format) fn unknown_types(transcript: &Transcript<'_>) -> Vec<Fault> {
    unknown(transcript, &|record| type_unheard(transcript, record).or_else(|| named(transcript, record, "type")))
}

fn named<'a>(transcript: &Transcript<'a>, record: &Record<'_>, key: &str) -> Option<Cow<'a, str>> {
    let nameless = || turn(transcript, record)?.text(key).filter(|name| role(name).is_none());
    unheard(transcript, record).or_else(nameless)
}

/// Faults for the unread records of a transcript that is left as it is for a speaker, with what `name` calls them.
pub(in crate::format) fn unknown<'a>(
    transcript: &Transcript<'a>,
    name: &dyn Fn(&Record<'_>) -> Option<Cow<'a, str>>,
) -> Vec<Fault> {
    if transcript.traits.fixed != Some(Reason::UnknownSpeaker) {
        return Vec::new();
    }
    let unread = transcript.records.iter().enumerate().filter(|(_, record)| record.class == Class::Opaque);
    let fault =
        |(at, record): (usize, &Record<'_>)| Some(transcript.fault(at, Reason::UnknownSpeaker.name(), name(record)?));
    unread.filter_map(fault).collect()
}

/// Whether the turns of a speaker with this name hold only calls.
pub(in crate::format) fn makes_calls(name: &str) -> bool {
    name.ends_with("_call")
}

/// The name for a new turn: the one that other turns of this side have, or else `side`, capitalized if all names are.
pub(in crate::format) fn name_like<'n>(names: &'n [Cow<'_, str>], side: &'n str) -> Cow<'n, str> {
    let wanted = role(side);
    let mut own = names.iter().filter(|name| !makes_calls(name) && role(name) == wanted);
    let found = if names.iter().any(|name| name == side) { None } else { own.next() };
    let capitals = !names.is_empty() && names.iter().all(|name| name.starts_with(|char: char| char.is_uppercase()));
    match (found, side.split_at_checked(1)) {
        (Some(name), _) => Cow::Borrowed(name),
        (None, Some((first, rest))) if capitals => Cow::Owned(first.to_ascii_uppercase() + rest),
        (None, _) => Cow::Borrowed(side),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_turn_is_called_like_the_others() {
        let like = |names: &[&str], side: &str| {
            name_like(&names.iter().map(|&name| name.into()).collect::<Vec<_>>(), side).into_owned()
        };
        assert_eq!(like(&["prompter", "model"], "user"), "prompter");
        assert_eq!(like(&["tool_call", "model"], "assistant"), "model");
        assert_eq!(like(&["human", "user"], "user"), "user");
        assert_eq!([like(&["User", "GPT"], "system"), like(&["User", "gpt"], "system")], ["System", "system"]);
        assert_eq!(like(&[], "user"), "user");
    }
}
