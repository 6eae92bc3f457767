//! T11: judges the state in which a transcript ends, and decides on the message that lets its agent continue.

use crate::preset::{ContinuationRule, ContinuationSettings, MediaInTail, Place};
use crate::transcript::fixed_texts::{MEDIA_DESCRIBED, ONLY_MEDIA, bids_wait, is_stop};
use crate::transcript::{Author, ENDING_TOOLS, Message, PartKind, Role, Transcript};
use foldhash::HashSet;

/// SWE-agent's tool to end its run. It takes no arguments; tools of that name with arguments do something else.
const SUBMIT: &str = "submit";

/// How a transcript ends, before compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The last real user message has no answer.
    Unanswered,
    /// As `Unanswered`, and the message holds media.
    Media,
    /// A call of the last assistant message has no result.
    OpenCall,
    /// The agent was working: results come last, or it stopped at its length limit.
    MidTask,
    /// The agent had finished, or the person stopped it.
    Idle,
}

impl State {
    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unanswered => "unanswered",
            Self::Media => "media",
            Self::OpenCall => "open_call",
            Self::MidTask => "mid_task",
            Self::Idle => "idle",
        }
    }
}

/// The action for a state: none, or a message that lets the agent continue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Nothing is due.
    None,
    /// The unanswered message is in the output already.
    Kept,
    /// A message with this text lets the agent continue.
    Continue(String),
    /// The unanswered message is repeated word for word.
    Replay(String),
    /// A text repeats what the message with media says; the media parts of the message with this index are removed.
    Describe(String, usize),
}

impl Action {
    /// The name used in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Kept => "kept",
            Self::Continue(_) => "continue",
            Self::Replay(_) => "replayed",
            Self::Describe(..) => "described",
        }
    }
}

/// Judges the state of a transcript before compaction.
pub fn state(transcript: &Transcript<'_>) -> State {
    let told: Vec<&Message<'_>> = transcript.messages.iter().filter(|message| is_told(message)).collect();
    let last_user = told.iter().rposition(|message| message.begins_turn());
    let answered = |from: usize| told[from + 1..].iter().any(|message| message.role == Role::Assistant);
    match last_user.filter(|&user| !answered(user)) {
        Some(user) if told[user].has_media() => return State::Media,
        Some(_) => return State::Unanswered,
        None => {}
    }
    let Some(last) = told.iter().rposition(|message| message.role == Role::Assistant) else { return State::Idle };
    if has_open_call(&told, last) {
        State::OpenCall
    } else if has_finished(&told[last..]) || is_stopped(transcript) {
        State::Idle
    } else if told[last].cut_off || told[last..].iter().any(|message| message.results().next().is_some()) {
        State::MidTask
    } else {
        State::Idle
    }
}

/// Whether a message belongs to the conversation: no summary, not synthetic, no abandoned branch, no aborted turn.
fn is_told(message: &Message<'_>) -> bool {
    message.is_content() && !message.abandoned && !message.aborted && message.author != Author::Harness
}

/// Whether a call of the assistant messages that come last, with all pieces of the same API message, has no result
/// after it. A message added there would leave the call unanswered. Ids may be reused.
fn has_open_call(told: &[&Message<'_>], last: usize) -> bool {
    let run = told[..last].iter().rposition(|message| message.role != Role::Assistant).map_or(0, |before| before + 1);
    let groups: HashSet<&str> = told[run..=last].iter().filter_map(|message| message.group.as_deref()).collect();
    let is_piece = |message: &Message<'_>| message.group.as_deref().is_some_and(|group| groups.contains(group));
    let first = told[..run].iter().position(|message| is_piece(message)).unwrap_or(run);
    let answered: HashSet<&str> = told[first..].iter().flat_map(|message| message.results()).collect();
    let pieces = told[first..=last].iter().enumerate().filter(|(at, message)| first + at >= run || is_piece(message));
    pieces.flat_map(|(_, message)| message.calls()).any(|id| !answered.contains(id))
}

/// Whether the newest call of the last assistant message (the first of `told`) ended the run and did not fail.
fn has_finished(told: &[&Message<'_>]) -> bool {
    let call = told[0].parts.iter().rev().find_map(|part| match &part.kind {
        PartKind::Call { id, name, .. } => Some((&**id, &**name, part.text.trim())),
        _ => None,
    });
    let Some((call, name, arguments)) = call else { return false };
    let ends = ENDING_TOOLS.contains(&name) || name == SUBMIT && matches!(arguments, "" | "{}");
    let refused = told.iter().flat_map(|message| &message.parts).any(|part| match &part.kind {
        PartKind::Result { id, error, .. } => *error && id == call,
        _ => false,
    });
    ends && !refused
}

/// Whether the person stopped the agent behind its last message: the next word is theirs.
fn is_stopped(transcript: &Transcript<'_>) -> bool {
    let last = transcript.messages.iter().rposition(|message| is_told(message) && message.role == Role::Assistant);
    let behind = transcript.messages[last.map_or(0, |last| last + 1)..].iter();
    behind.flat_map(|message| &message.parts).any(|part| match &part.kind {
        PartKind::Text => is_stop(&part.text),
        PartKind::Result { .. } => bids_wait(&part.text),
        _ => false,
    })
}

/// Decides on the continuation for a state; `user_is_kept`: the last real user message is in the output.
pub fn action(
    transcript: &Transcript<'_>,
    state: State,
    settings: &ContinuationSettings,
    user_is_kept: bool,
) -> Action {
    let place = settings.place;
    match settings.rule {
        _ if place == Place::None || transcript.traits.never_resumed => return Action::None,
        ContinuationRule::Always => return Action::Continue(settings.text.clone()),
        ContinuationRule::Seed => return seed(transcript, settings),
        ContinuationRule::State => {}
    }
    match state {
        State::OpenCall => Action::None,
        State::MidTask => Action::Continue(settings.text.clone()),
        State::Idle if settings.idle => Action::Continue(settings.text.clone()),
        State::Idle => Action::None,
        State::Media if settings.media == MediaInTail::Describe || !user_is_kept => describe(transcript),
        State::Unanswered if !user_is_kept => replay(transcript),
        State::Media | State::Unanswered => Action::Kept,
    }
}

/// The seed's branches, in its order: media, unanswered, otherwise the text.
fn seed(transcript: &Transcript<'_>, settings: &ContinuationSettings) -> Action {
    let last = transcript.messages.iter().rposition(|message| message.role == Role::User);
    let Some(user) = last else { return Action::Continue(settings.text.clone()) };
    if transcript.messages[user].has_media() {
        return describe(transcript);
    }
    let answered = transcript.messages[user + 1..].iter().any(|message| message.role == Role::Assistant);
    if answered { Action::Continue(settings.text.clone()) } else { replay(transcript) }
}

fn replay(transcript: &Transcript<'_>) -> Action {
    let user = transcript.last_real_user().map(|index| &transcript.messages[index]);
    user.map_or(Action::None, |message| Action::Replay(message.text().into_owned()))
}

fn describe(transcript: &Transcript<'_>) -> Action {
    let Some(index) = transcript.last_real_user() else { return Action::None };
    let text = transcript.messages[index].text();
    let described = if text.trim().is_empty() { ONLY_MEDIA.to_owned() } else { format!("{MEDIA_DESCRIBED} {text}") };
    Action::Describe(described, index)
}

/// Indices of the media parts of a message.
pub fn media_parts(message: &Message<'_>) -> Vec<usize> {
    let parts = message.parts.iter().enumerate();
    parts.filter(|(_, part)| part.is_media()).map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests;
