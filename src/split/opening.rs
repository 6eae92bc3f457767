//! What is kept of the beginning of a conversation, before its summary.

use super::Rules;
use crate::transcript::{Role, Transcript, Unit};

/// Units that are looked at to find one behind which a user's message may stand.
const REACH: usize = 4;

/// How many of these units stay: so many messages (behind `preamble` system messages), or all before the first answer, a
/// unit never parted. `ahead` messages that are carried stand first in the result: another run takes them for its opening.
pub(super) fn opening(
    transcript: &Transcript<'_>,
    units: &[Unit],
    Rules { split: settings, role, .. }: Rules<'_>,
    (preamble, ahead): (usize, usize),
) -> usize {
    let counted = ahead + if settings.first_counts_preamble { preamble } else { 0 };
    let answers = |unit: &Unit| transcript.messages[unit.first()].role == Role::Assistant;
    let mut messages = counted;
    // Where a user's message cannot be carried, it stays with all that stands before it.
    let pinned = settings.pin_first_user && transcript.traits.takes_user_summary(role);
    let pinned = transcript.first_real_user().filter(|_| pinned);
    let holds = |unit: &Unit| pinned.is_some_and(|message| unit.messages.contains(&message));
    let pinned = units.iter().position(holds).map_or(0, |at| at + 1);
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
    // The summary is a user's message: an assistant's has to stand before it.
    let ends = |at: &usize| {
        transcript.messages[units[at - 1].messages[units[at - 1].messages.len() - 1]].role == Role::Assistant
    };
    (kept..=units.len().min(kept + REACH)).find(ends).unwrap_or(0)
}
