//! Where a format allows a cut.

use super::SplitRules;
use crate::transcript::{Role, Transcript, Unit};

/// The units that can be cut apart, and how many must stay.
pub(super) struct Cuttable<'c, 't> {
    pub(super) transcript: &'c Transcript<'t>,
    pub(super) units: &'c [Unit],
    /// At least `least` of the units from `floor` on stay if the format allows it.
    pub(super) floor: usize,
    pub(super) least: usize,
}

impl Cuttable<'_, '_> {
    /// Moves a cut to where the format allows one: a training row keeps an assistant answer; after a user summary the
    /// tail starts with the assistant, or with a user where the head is dropped. 0 (no cut) if the first user message is
    /// pinned and there is none.
    pub(super) fn allowed(&self, mut cut: usize, rules: SplitRules<'_>) -> usize {
        let Self { transcript, units, floor, .. } = *self;
        if rules.split.pin_first_user && transcript.first_real_user().is_none() {
            return 0;
        }
        if transcript.traits.training_row && !transcript.traits.answered_beside {
            cut = cut.min(self.last_assistant().unwrap_or(cut));
        }
        let cut = match transcript.traits.takes_user_summary(rules.role) {
            true if rules.drops => self.last_user(cut),
            true => self.next_assistant(cut),
            false => cut,
        };
        if cut > floor && cut < units.len() { self.next_loaded(cut) } else { cut }
    }

    /// Index of the last unit up to the cut that starts with a user message.
    fn last_user(&self, cut: usize) -> usize {
        let Self { transcript, units, .. } = *self;
        let starts =
            |at: &usize| units.get(*at).is_some_and(|unit| transcript.messages[unit.first()].role == Role::User);
        (0..=cut).rev().find(starts).unwrap_or(0)
    }

    /// Index of the last unit with an assistant message that is trained on, else of the last with any: a row without
    /// one trains nothing.
    fn last_assistant(&self) -> Option<usize> {
        let Self { transcript, units, .. } = *self;
        let answers = |unit: &Unit, trained: bool| {
            let mut messages = unit.messages.iter().map(|&index| &transcript.messages[index]);
            messages.any(|message| message.role == Role::Assistant && !(trained && message.untrained))
        };
        units
            .iter()
            .rposition(|unit| answers(unit, true))
            .or_else(|| units.iter().rposition(|unit| answers(unit, false)))
    }

    /// Moves the cut so that after a user summary the tail starts with the assistant, not with a user or a tool whose
    /// result answers no call. A pinned user message stays: the summary then goes into the `system` field where roles
    /// alternate (SPEC ruling 5). If fewer than `least` units would be left, it stays where users may speak in a row,
    /// or moves back, at most to `floor`.
    fn next_assistant(&self, cut: usize) -> usize {
        let Self { transcript, units, .. } = *self;
        let pinned = transcript.last_real_user();
        let first = |unit: &Unit| &transcript.messages[unit.first()];
        let starts_with_other =
            |unit: &Unit| matches!(first(unit).role, Role::User | Role::Tool) && Some(unit.first()) != pinned;
        let next = if cut > 0 { self.behind(cut, &starts_with_other) } else { cut };
        let by_user = units.get(cut).is_some_and(|unit| first(unit).role == Role::User);
        match () {
            () if self.leaves_enough(cut, next) => next,
            () if by_user && !transcript.traits.alternates => cut,
            () => self.before(cut, &starts_with_other).unwrap_or(next),
        }
    }

    /// Moves the cut over units that only a queue has: no resume loads them before what the tail begins with. If fewer
    /// than `least` units would be left, it moves back, whatever the size of the unit there, but not to `floor`, where
    /// it would cut nothing.
    fn next_loaded(&self, cut: usize) -> usize {
        let is_queued = |unit: &Unit| unit.messages.iter().all(|&index| self.transcript.messages[index].queued);
        let next = self.behind(cut, &is_queued);
        let before = || self.before(cut, &is_queued).filter(|before| *before > self.floor);
        if self.leaves_enough(cut, next) { next } else { before().unwrap_or(next) }
    }

    /// The cut behind the units from `cut` on that may not begin the tail.
    fn behind(&self, cut: usize, may_not: &dyn Fn(&Unit) -> bool) -> usize {
        cut + self.units[cut..].iter().take_while(|unit| may_not(unit)).count()
    }

    /// The last cut before `cut`, from `floor` on, at a unit that may begin the tail.
    fn before(&self, cut: usize, may_not: &dyn Fn(&Unit) -> bool) -> Option<usize> {
        let before = self.units[..cut].iter().rposition(|unit| !may_not(unit));
        before.filter(|before| *before >= self.floor)
    }

    /// Whether a cut that moves to `next` leaves as many units as it must.
    fn leaves_enough(&self, cut: usize, next: usize) -> bool {
        next == cut || self.units.len() - next >= self.least.min(self.units.len() - cut)
    }
}
