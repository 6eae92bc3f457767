//! What came of calls behind the head whose results are stubs: a failure that nobody tells is made again.

use super::accomplished::{NEWEST, call, replied};
use super::acts::Act;
use super::discoveries;
use super::endings::Endings;
use super::outcome::Outcome;
use super::replies::Reply;
use super::runs;
use super::turns::Turn;
use crate::summary::items::Item;
use crate::summary::lost::Stubbed;

/// So many steps are told, the newest: the calls themselves stand there.
const STEPS: usize = 10;

/// What the oldest is worth less than the newest.
const OLDEST: i64 = NEWEST / 3;

/// What is told of them.
#[derive(Default)]
pub(super) struct Told {
    /// How their commands ended, and what the user answered.
    pub(super) steps: Vec<Item>,
    /// What else they said.
    pub(super) findings: Vec<Item>,
}

impl Told {
    /// Of calls behind a head of so many messages, and of answers of the user there, those that are `stubbed`.
    pub(super) fn of((behind, replies): (&[Act<'_>], &[Reply]), stubbed: &Stubbed<'_>, head: usize) -> Self {
        if stubbed.calls.is_empty() {
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
            let acts = behind.iter().filter(|act| stubbed.calls.contains(&(act.message, act.call)) && keep(act));
            Turn { acts: acts.cloned().collect(), ..Turn::default() }
        };
        let ended = of(&tells);
        let mut steps = runs::items((&ended, 0), &endings, NEWEST);
        steps.extend(ended.acts.iter().filter_map(|act| call(act, true, NEWEST)));
        steps.sort_by_key(|item| item.origin);
        steps.drain(..steps.len().saturating_sub(STEPS));
        let last = behind.iter().map(|act| act.message).max().unwrap_or(0).max(1);
        for step in &mut steps {
            step.rank -= age(step.origin, last);
        }
        steps.extend(
            replies.iter().filter(|reply| stubbed.results.contains(&reply.message)).map(|it| replied(it, NEWEST)),
        );
        steps.sort_by_key(|item| item.origin);
        let mut findings = discoveries::items(&[of(&|_| true)], &endings);
        for item in steps.iter_mut().chain(&mut findings) {
            item.origin = item.origin.map(|origin| head + origin);
        }
        Self { steps, findings }
    }
}

/// What a step loses by its place before the last one.
fn age(origin: Option<usize>, last: usize) -> i64 {
    let before = last.saturating_sub(origin.unwrap_or(last));
    i64::try_from(before * 1_000 / last).unwrap_or(0) * OLDEST / 1_000
}
