//! Outcomes of calls behind the head whose results become stubs or are shortened. The summary names them, as an agent
//! that does not know of a failure would repeat it.

use super::accomplished::{NEWEST, replied};
use super::called::{Among, Calls, instead};
use super::discoveries;
use super::plans::Decided;
use super::runs;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::session::endings::Endings;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::items::Item;
use crate::summary::stubbed::Stubbed;
use crate::summary::text::fold;
use crate::transcript::InTurn;

/// Maximum number of steps, the newest: the calls themselves are kept.
const STEPS: usize = 10;

/// How much lower the oldest ranks than the newest.
const OLDEST: i64 = NEWEST / 3;

/// The items about calls whose results are lost.
#[derive(Default)]
pub(in crate::summary::extractive) struct LostReport {
    /// Outcomes of calls, and the user's answers and approvals.
    pub(in crate::summary::extractive) steps: Vec<Item>,
    /// Other findings in the results, and reports of other agents.
    pub(in crate::summary::extractive) findings: Vec<Item>,
    /// The commands that the steps are about, as they are compared.
    pub(in crate::summary::extractive) ran: Vec<String>,
}

impl LostReport {
    /// Collects the items for the results that are `stubbed` in the turns behind a head of `head` messages.
    pub(in crate::summary::extractive) fn of(turns: &[Turn<'_>], stubbed: &Stubbed<'_>, head: usize) -> Self {
        if stubbed.calls.is_empty() && stubbed.cut.is_empty() {
            return Self::default();
        }
        let acts = || turns.iter().flat_map(|turn| &turn.acts);
        // A command that ran again with a visible outcome needs no line here.
        let all = Turn { acts: acts().cloned().collect(), ..Turn::default() };
        let endings = Endings::of(std::slice::from_ref(&all), &[]);
        let gone = acts().filter(|act| is_gone(act, stubbed) && tells(act)).cloned().collect();
        let ended = Turn { acts: gone, ..Turn::default() };
        let mut steps = steps(&ended, &endings);
        let told = |act: &&Act<'_>| steps.iter().any(|step| step.origin == Some(act.message));
        let ran = ended.acts.iter().filter(told).filter_map(|act| match &act.action {
            Action::Run(command) => Some(command.key().to_owned()),
            _ => None,
        });
        let ran = ran.collect();
        let last = acts().map(|act| act.message).max().unwrap_or(0).max(1);
        steps.iter_mut().for_each(|step| step.rank -= age(step.origin, last));
        steps.extend(by_user(turns, stubbed));
        steps.sort_by_key(|item| item.origin);
        let mut findings = discoveries::items(&[heard(turns, stubbed)], &endings, &InTurn);
        for item in steps.iter_mut().chain(&mut findings) {
            item.origin = item.origin.map(|origin| head + origin);
        }
        Self { steps, findings, ran }
    }
}

/// Lines about the outcomes of commands and other calls: the newest [`STEPS`].
fn steps(ended: &Turn<'_>, endings: &Endings) -> Vec<Item> {
    let mut steps = runs::items(ended, 0, endings, NEWEST);
    let calls = Calls { among: Among::Changes, endings };
    steps.extend(ended.acts.iter().filter_map(|act| calls.told(act, None, NEWEST)));
    steps.sort_by_key(|item| item.origin);
    steps.drain(..steps.len().saturating_sub(STEPS));
    steps
}

/// Whether the result with a call's outcome is a stub, or shortened so that the outcome is lost.
fn is_gone(act: &Act<'_>, stubbed: &Stubbed<'_>) -> bool {
    let teller = act.ended_by.unwrap_or((act.message, act.call));
    let shows = |left: &&str| match &act.outcome {
        CallOutcome::Done(detail) | CallOutcome::Failed(detail) => fold(left).contains(detail.as_str()),
        _ => true,
    };
    stubbed.calls.contains(&teller) || stubbed.cut.get(&teller).is_some_and(|left| !shows(left))
}

fn tells(act: &Act<'_>) -> bool {
    match &act.outcome {
        CallOutcome::Done(detail) => !detail.is_empty(),
        CallOutcome::Failed(_) | CallOutcome::Running => true,
        CallOutcome::Unknown | CallOutcome::Ended | CallOutcome::Refused => false,
    }
}

/// Items about the user's answers, approvals, and refusals of calls, from results that become stubs.
fn by_user<'i>(turns: &'i [Turn<'_>], stubbed: &'i Stubbed<'_>) -> impl Iterator<Item = Item> + 'i {
    let decided = Decided::of(turns.iter().flat_map(|turn| &turn.plans));
    turns.iter().flat_map(move |turn| {
        let is_lost = |message: usize| stubbed.results.contains(&message);
        let replies = turn.replies.iter().filter(move |reply| is_lost(reply.message)).map(|it| replied(it, NEWEST));
        let plans = turn.plans.iter().filter(move |plan| is_lost(plan.message));
        let refused = turn.acts.iter().filter(|act| stubbed.calls.contains(&(act.message, act.call)));
        let refused = refused.filter_map(|act| instead(act, NEWEST));
        let plans: Vec<_> = plans.flat_map(|plan| decided.items(plan, true, NEWEST)).collect();
        replies.chain(plans).chain(refused)
    })
}

/// A turn made of the calls whose results become stubs, and of the reports of agents in such results.
fn heard<'t>(turns: &[Turn<'t>], stubbed: &Stubbed<'_>) -> Turn<'t> {
    let acts = turns.iter().flat_map(|turn| &turn.acts);
    let acts = acts.filter(|act| stubbed.calls.contains(&(act.message, act.call))).cloned();
    let said = turns.iter().flat_map(|turn| &turn.said).filter(|said| stubbed.results.contains(&said.message));
    let said = said.map(|said| Said::new(said.message, said.sentence.clone()).of_another());
    Turn { acts: acts.collect(), said: said.collect(), ..Turn::default() }
}

/// The rank that a step loses for its age: from 0 at the message `last` to [`OLDEST`] at the first one.
fn age(origin: Option<usize>, last: usize) -> i64 {
    let before = last.saturating_sub(origin.unwrap_or(last));
    i64::try_from(before * 1_000 / last).unwrap_or(0) * OLDEST / 1_000
}
