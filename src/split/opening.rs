//! The opening: messages at the beginning of a conversation that are kept before its summary.

use super::SplitRules;
use crate::transcript::{Role, Transcript, Unit};

/// Number of further units searched for one that a user message may follow.
const REACH: usize = 4;

/// The number of leading units that stay: enough for `keep_first` messages, or all before the first answer; units
/// are never split. `counted` messages come before them and count: system messages, as far as the settings say so, and
/// carried ones that come first in the result, since another run takes them for the opening.
pub(super) fn opening(
    transcript: &Transcript<'_>,
    units: &[Unit],
    SplitRules { split: settings, role, .. }: SplitRules<'_>,
    counted: usize,
) -> usize {
    let answers = |unit: &Unit| transcript.messages[unit.first()].role == Role::Assistant;
    let mut messages = counted;
    // Where a user message cannot be carried, the pinned first one stays with everything before it.
    let pinned = settings.pin_first_user && transcript.traits.takes_user_summary(role);
    let pinned = transcript.first_real_user().filter(|_| pinned);
    let pinned = units.iter().position(|unit| unit.holds(pinned)).map_or(0, |at| at + 1);
    let enough = |unit: &&Unit| {
        let short = messages < settings.keep_first;
        messages += unit.messages.len();
        short
    };
    let first = units.iter().take_while(enough).count();
    let answer = if settings.keep_opening { units.iter().position(answers).unwrap_or(units.len()) } else { 0 };
    let kept = first.max(answer).max(pinned);
    if kept == 0 || !transcript.traits.takes_user_summary(role) {
        return kept;
    }
    // After the opening comes a summary with role user: the opening must end with an assistant message.
    let ends = |at: &usize| {
        transcript.messages[units[at - 1].messages[units[at - 1].messages.len() - 1]].role == Role::Assistant
    };
    (kept..=units.len().min(kept + REACH)).find(ends).unwrap_or(0)
}
