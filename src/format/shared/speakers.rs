//! Maps the speaker names of message collections to roles, and picks the name for a new turn.

use super::json::Json;
use crate::format::Fault;
use crate::transcript::{Class, Role, Transcript};
use std::borrow::Cow;

/// Reason why a row is not edited: one of its turns has an unknown speaker.
pub(crate) const UNKNOWN: &str = "unknown_speaker";

/// Maps a speaker's name to a role; some collections capitalize names.
pub(in crate::format) fn role(name: &str) -> Option<Role> {
    Some(match name {
        "system" | "developer" => Role::System,
        "human" | "user" | "prompter" => Role::User,
        "gpt" | "assistant" | "model" | "ai" | "agent" | "bot" | "chatbot" | "chatgpt" | "bard" => Role::Assistant,
        "function_call" | "tool_call" => Role::Assistant,
        "tool" | "function" | "function_response" | "tool_response" => Role::Tool,
        _ if is_environment(name) => Role::Tool,
        _ if name.bytes().any(|byte| byte.is_ascii_uppercase()) => return role(&name.to_ascii_lowercase()),
        _ => return name.split_once('-').and_then(|(side, _)| one_of_several(side)),
    })
}

/// The role of one of several speakers on a side: `assistant-subagent-7`, `user-2`.
fn one_of_several(side: &str) -> Option<Role> {
    matches!(side, "assistant" | "user").then(|| role(side)).flatten()
}

/// Whether a speaker name is used only in collections of conversations, not by APIs.
pub(in crate::format) fn is_of_collections(name: &str) -> bool {
    matches!(&*name.to_ascii_lowercase(), "agent" | "bot" | "chatbot" | "chatgpt" | "bard" | "prompter" | "gpt")
}

/// Whether a turn that others follow has an unknown speaker, so that no turn can be removed safely. `key` is the
/// field with the speaker's name. In a `prompt` the answer is stored elsewhere, so its last turn counts, too.
pub(in crate::format) fn any_unknown(turns: &[Json<'_>], key: &str, prompt: bool) -> bool {
    let last = turns.len().saturating_sub(usize::from(!prompt));
    let mut names = turns.iter().take(last).filter_map(|turn| turn.object()?.text(key));
    names.any(|name| role(&name).is_none())
}

/// Faults for the unknown speakers of such a row; the subject is the name. The speaker of the last turn may be
/// unknown, unless the answer is stored elsewhere.
pub(in crate::format) fn unknown_in(transcript: &Transcript<'_>, key: &str) -> Vec<Fault> {
    if transcript.traits.fixed != Some(UNKNOWN) {
        return Vec::new();
    }
    let last = transcript.records.len().saturating_sub(usize::from(!transcript.traits.answered_beside));
    let unread = transcript.records.iter().take(last).filter(|record| record.class == Class::Opaque);
    let fault = |record: &crate::transcript::Record<'_>| {
        let name = Json::at(transcript.source, &record.span)?.object()?.text(key)?;
        role(&name).is_none().then(|| Fault { line: record.line, rule: UNKNOWN, subject: name.into_owned() })
    };
    unread.filter_map(fault).collect()
}

/// Whether the turns of a speaker with this name hold only calls.
pub(in crate::format) fn makes_calls(name: &str) -> bool {
    name.ends_with("_call")
}

/// Whether turns of a speaker with this name may also answer something else than a call, such as code in a text.
pub(in crate::format) fn is_environment(name: &str) -> bool {
    matches!(name, "observation" | "ipython" | "environment")
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
    fn names_are_known_with_capitals_too() {
        assert_eq!(["Human", "GPT", "System"].map(role), [Role::User, Role::Assistant, Role::System].map(Some));
        assert_eq!(["prompter", "model", "ipython"].map(role), [Role::User, Role::Assistant, Role::Tool].map(Some));
        assert_eq!(role("agent"), Some(Role::Assistant), "as opposed to a user");
        assert_eq!(role("assistant-subagent-a52"), Some(Role::Assistant), "one of several");
        assert_eq!(["judge", "", "Exit", "post-user"].map(role), [None; 4]);
    }

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
