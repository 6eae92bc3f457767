//! Messages of the head that are kept verbatim: the last real user message, the newest user messages within a token
//! budget, the first real user message where it is pinned, the newest results of protected tools, and the prompt of a
//! newest slash command.

use super::{Measured, SplitRules};
use crate::preset::{ProtectedTools, PruneSettings, SplitSettings};
use crate::transcript::fixed_texts::command_name;
use crate::transcript::{Part, PartKind, Role, Shape, Tokens, Transcript, Unit};
use foldhash::HashSet;
use serde::Deserialize;
use std::collections::BTreeSet;

/// Messages kept verbatim though they fall in the head.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Carried {
    /// Message indices, ascending.
    pub messages: Vec<usize>,
    /// Calls of protected tools whose newest result did not fit: the tool with the skill's name, or with all arguments;
    /// the prompt of the newest slash command.
    pub did_not_fit: Vec<String>,
    /// The oldest carried user message and the tokens left for it, if its text must be shortened to fit.
    pub shortened: Option<(usize, Tokens)>,
}

impl Carried {
    /// Lines that the summary must contain though no message says them: calls whose protected output did not fit.
    pub fn notes(&self) -> Vec<String> {
        self.did_not_fit.iter().map(|call| format!("Load again, its output did not fit: {call}")).collect()
    }
}

/// Chooses the messages to carry out of the units of the head.
pub(super) fn carry(
    transcript: &Transcript<'_>,
    head: Measured<'_>,
    SplitRules { split: settings, prune, role, .. }: SplitRules<'_>,
) -> Carried {
    let Measured { units, tokens } = head;
    let mut carried = Carried::default();
    let pinned = transcript.last_real_user().filter(|_| settings.pin_last_user);
    let pinned = units.iter().position(|unit| unit.holds(pinned));
    let mut chosen: BTreeSet<usize> = pinned.into_iter().collect();
    let user_summary = transcript.traits.takes_user_summary(role);
    if !user_summary {
        let first = transcript.first_real_user().filter(|_| settings.pin_first_user);
        chosen.extend(units.iter().position(|unit| unit.holds(first)));
        carried.shortened = user_messages(transcript, head, Tokens(settings.user_tokens), &mut chosen);
    }
    let mut left = Tokens(if settings.pin_last_user { prune.protect_tokens } else { 0 });
    if let Some(Prompt { at, command, name }) =
        prompt(transcript, units).filter(|_| settings.pin_last_user && !user_summary)
    {
        let both = [Some(at), command.filter(|at| !chosen.contains(at))];
        let price: Tokens = both.into_iter().flatten().map(|at| tokens[at]).sum();
        if price <= left {
            left = left - price;
            chosen.extend(both.into_iter().flatten());
        } else {
            carried.did_not_fit.push(format!("the prompt of {name}"));
        }
    }
    for (at, label) in protected(transcript, units, prune).into_iter().filter(|_| settings.pin_last_user) {
        if chosen.contains(&at) {
            continue;
        }
        let before_pinned = pinned.is_some_and(|pinned| at < pinned);
        let fits = !user_summary || (!before_pinned && keeps_order(transcript, &units[at..]));
        if fits && tokens[at] <= left {
            left = left - tokens[at];
            chosen.insert(at);
        } else if !carried.did_not_fit.contains(&label) {
            carried.did_not_fit.push(label);
        }
    }
    carried.messages = chosen.into_iter().flat_map(|at| units[at].messages.iter().copied()).collect();
    carried.messages.sort_unstable();
    carried
}

/// The number of messages in the unit of the pinned user message, if it is among `units` (units that the harness does
/// not load); they come first in the result, wherever the cut is.
pub(super) fn ahead(transcript: &Transcript<'_>, units: &[Unit], settings: &SplitSettings) -> usize {
    let pinned = transcript.last_real_user().filter(|_| settings.pin_last_user);
    units.iter().find(|unit| unit.holds(pinned)).map_or(0, |unit| unit.messages.len())
}

/// Adds the user messages that fit in `budget` to `chosen`, newest first. Returns the first that does not fit, with the
/// tokens left for it, if its text can be shortened.
fn user_messages(
    transcript: &Transcript<'_>,
    Measured { units, tokens }: Measured<'_>,
    budget: Tokens,
    chosen: &mut BTreeSet<usize>,
) -> Option<(usize, Tokens)> {
    let mut left = budget;
    let users = units.iter().enumerate().rev();
    for (at, unit) in users.filter(|(_, unit)| transcript.messages[unit.first()].begins_turn()) {
        if left == Tokens::default() {
            break;
        }
        let pinned = chosen.contains(&at);
        if tokens[at] > left && !pinned {
            let cut = text_to_cut(transcript, unit).map(|message| (message, left));
            chosen.extend(cut.map(|_| at));
            return cut;
        }
        chosen.insert(at);
        left = left - tokens[at];
    }
    None
}

/// The message of a unit that consists of one editable text part. A text that starts with a tag is excluded: the cut
/// would leave the tag open, and the text would then be read as the harness's.
fn text_to_cut(transcript: &Transcript<'_>, unit: &Unit) -> Option<usize> {
    let [message] = unit.messages[..] else { return None };
    let [part] = &transcript.messages[message].parts[..] else { return None };
    let can_change = part.slot.shape != Shape::Fixed && !part.slot.content.is_empty();
    (part.kind == PartKind::Text && can_change && !part.text.trim_start().starts_with('<')).then_some(message)
}

/// Whether a unit, the first of `rest`, can be carried after a summary with role user. It must be a call with its
/// results, and the tail after `rest` must start with an assistant message.
fn keeps_order(transcript: &Transcript<'_>, rest: &[Unit]) -> bool {
    let role = |message: usize| transcript.messages[message].role;
    let answered = rest.first().is_some_and(|unit| {
        let answers = |&last: &usize| matches!(role(last), Role::User | Role::Tool);
        role(unit.first()) == Role::Assistant && unit.messages.last().is_some_and(answers)
    });
    let last = rest.last().and_then(|unit| unit.messages.last());
    let tail = last.and_then(|&last| transcript.messages.get(last + 1));
    let tail_answers = tail.is_none_or(|message| message.role == Role::Assistant);
    answered && tail_answers
}

/// A call as a reader names it: the tool with the name of the skill that it loads, or with its arguments.
fn label(tool: &str, arguments: &str) -> String {
    #[derive(Deserialize)]
    struct Loads {
        skill: Option<String>,
        name: Option<String>,
    }
    let loads = || serde_json::from_str::<Loads>(arguments).ok().and_then(|loads| loads.skill.or(loads.name));
    let loads = if tool.eq_ignore_ascii_case("skill") { loads() } else { None };
    format!("{tool} {}", loads.as_deref().unwrap_or(arguments))
}

/// The harness's prompt for a slash command.
struct Prompt {
    /// Its unit.
    at: usize,
    /// The unit of the command, if that is among the same.
    command: Option<usize>,
    /// The command: `/review`.
    name: String,
}

/// The prompt of the newest slash command, if it is among `units`, and the user said nothing since.
fn prompt(transcript: &Transcript<'_>, units: &[Unit]) -> Option<Prompt> {
    let messages = &transcript.messages;
    let newest = messages.iter().rposition(|message| message.expands && !message.abandoned)?;
    let is_last = messages[newest..].iter().all(|message| !message.is_real_user() || message.abandoned);
    let place = |message: usize| units.iter().position(|unit| unit.first() == message);
    let (at, command) = (place(newest).filter(|_| is_last)?, newest.checked_sub(1)?);
    let name = command_name(&messages[command].text())?.to_owned();
    Some(Prompt { at, command: place(command), name })
}

/// The units with the newest result of each protected call, newest first, each with its label. A call that failed
/// returned nothing that would be lost.
fn protected<'t>(transcript: &'t Transcript<'_>, units: &[Unit], prune: &PruneSettings) -> Vec<(usize, String)> {
    let protected = ProtectedTools::new(&prune.protect_tools);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (at, unit) in units.iter().enumerate().rev() {
        let parts = || unit.messages.iter().flat_map(|&index| &transcript.messages[index].parts);
        let error = |part: &'t Part<'_>| match &part.kind {
            PartKind::Result { id, error: true, .. } => Some(&**id),
            _ => None,
        };
        let failed: HashSet<&str> = parts().filter_map(error).collect();
        let calls = parts().filter_map(|part| match &part.kind {
            PartKind::Call { id, name } if protected.matches(name) && !failed.contains(&**id) => {
                Some((&**name, &*part.text))
            }
            _ => None,
        });
        let new: Vec<(&str, &str)> = calls.filter(|call| seen.insert(*call)).collect();
        if let Some((name, arguments)) = new.first() {
            found.push((at, label(name, arguments)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::sketch::sketch;

    #[test]
    fn a_skill_is_named_without_the_words_passed_to_it() {
        assert_eq!(label("Skill", r#"{"skill":"lamps","args":"Which are lit?"}"#), "Skill lamps");
        assert_eq!(label("skill", r#"{"name":"lamps"}"#), "skill lamps");
        assert_eq!(label("get_user", r#"{"name":"ann"}"#), r#"get_user {"name":"ann"}"#);
        assert_eq!(label("task", r#"{"prompt":"Light them."}"#), r#"task {"prompt":"Light them."}"#);
    }

    #[test]
    fn words_that_begin_with_a_tag_are_not_shortened() {
        let mut transcript = sketch("u");
        let unit = Unit { messages: vec![0] };
        assert_eq!(text_to_cut(&transcript, &unit), Some(0));
        transcript.messages[0].parts[0].text = "<system-reminder>Be brief.</system-reminder> Mend the map.".into();
        assert_eq!(text_to_cut(&transcript, &unit), None);
    }
}
