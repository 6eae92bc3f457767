//! What came of calls behind the head whose results are stubs: a failure that nobody tells is made again.

use super::accomplished::{NEWEST, call};
use super::acts::Act;
use super::discoveries;
use super::endings::Endings;
use super::outcome::Outcome;
use super::runs;
use super::turns::Turn;
use crate::summary::items::Item;
use foldhash::HashSet;

/// What is told of them.
#[derive(Default)]
pub(super) struct Told {
    /// How their commands ended.
    pub(super) steps: Vec<Item>,
    /// What else they said.
    pub(super) findings: Vec<Item>,
}

impl Told {
    /// Of calls `behind` a head of so many messages, those `stubbed`.
    pub(super) fn of(behind: &[Act<'_>], stubbed: &HashSet<&str>, head: usize) -> Self {
        if stubbed.is_empty() {
            return Self::default();
        }
        // Where a command ran again and shows how it ended, that is told there.
        let all = Turn { acts: behind.to_vec(), ..Turn::default() };
        let endings = Endings::of(std::slice::from_ref(&all), &[]);
        let tells = |act: &Act<'_>| match &act.outcome {
            Outcome::Done(detail) => !detail.is_empty(),
            Outcome::Failed(_) | Outcome::Running => true,
            Outcome::Unknown | Outcome::Ended | Outcome::Refused => false,
        };
        let of = |keep: &dyn Fn(&Act<'_>) -> bool| {
            let acts = behind.iter().filter(|act| stubbed.contains(act.call) && keep(act));
            Turn { acts: acts.cloned().collect(), ..Turn::default() }
        };
        let ended = of(&tells);
        let mut steps = runs::items((&ended, 0), &endings, NEWEST);
        steps.extend(ended.acts.iter().filter_map(|act| call(act, true, NEWEST)));
        steps.sort_by_key(|item| item.origin);
        let mut findings = discoveries::items(&[of(&|_| true)], &endings);
        for item in steps.iter_mut().chain(&mut findings) {
            item.origin = item.origin.map(|origin| head + origin);
        }
        Self { steps, findings }
    }
}
