//! Circuit breaker: while an endpoint is down, not every file should wait for it.

use super::Failure;
use crate::question_outcome::QuestionOutcome;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Number of failures in a row that open the breaker.
const LIMIT: u32 = 5;
/// Longest time that it stays open, whatever the endpoint asks for.
const LONGEST: Duration = Duration::from_secs(86_400);

/// What a sent question shows about its endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// It is available.
    Reached,
    /// It is unavailable.
    Down,
    /// It refuses our requests: key, model or address are wrong, or the account is exhausted.
    Refused,
}

/// Counts failures in a row.
#[derive(Debug)]
pub(super) struct Breaker {
    rest: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    /// The breaker is open until then; afterwards one question at a time is let through.
    opened: Option<Instant>,
    /// Time until which the endpoint asked to wait.
    asked: Option<Instant>,
    /// Some question was answered.
    reached: bool,
    /// Outcome of the last failure.
    last: Option<QuestionOutcome>,
}

impl Reach {
    /// The verdict for a failure.
    pub(super) fn of(failure: &Failure) -> Self {
        let Failure { outcome, status, .. } = failure;
        let refused = matches!(
            outcome,
            QuestionOutcome::Unauthorized | QuestionOutcome::QuotaSpent | QuestionOutcome::Redirected
        );
        if refused || (*outcome == QuestionOutcome::HttpStatus && matches!(status, Some(404 | 405 | 407))) {
            return Self::Refused;
        }
        let down =
            outcome.is_outage() || *outcome == QuestionOutcome::RateLimited || status.is_some_and(|it| it >= 500);
        if down { Self::Down } else { Self::Reached }
    }
}

impl Breaker {
    /// A breaker that stays open for `rest`, then lets one question through.
    pub(super) fn new(rest: Duration) -> Self {
        Self { rest, state: Mutex::default() }
    }

    /// Whether a question may be sent; if not, the outcome of the last failure. After the rest, one question is let
    /// through.
    pub(super) fn lets_through(&self) -> Result<(), QuestionOutcome> {
        let mut state = self.state();
        let now = Instant::now();
        match state.opened {
            Some(until) if now < until => Err(state.last.unwrap_or(QuestionOutcome::BreakerOpen)),
            Some(_) => {
                state.opened = Some(now + self.rest);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Records the outcome of a question. A refusal before any success opens the breaker at once; a success closes it,
    /// except during a pause that the endpoint asked for, as that question may have been sent earlier.
    pub(super) fn note(&self, verdict: Reach, outcome: QuestionOutcome) {
        let mut state = self.state();
        if verdict == Reach::Reached {
            let asked = state.asked.filter(|until| Instant::now() < *until);
            *state = State { reached: true, opened: asked, asked, last: asked.and(state.last), failures: 0 };
            return;
        }
        let all = verdict == Reach::Refused && !state.reached;
        state.failures = if all { LIMIT } else { state.failures.saturating_add(1) };
        state.last = Some(outcome);
        if state.failures >= LIMIT {
            state.open(self.rest);
        }
    }

    /// Opens the breaker for as long as an endpoint asks to wait.
    pub(super) fn wait(&self, asked: Duration, outcome: QuestionOutcome) {
        let mut state = self.state();
        state.last = Some(outcome);
        state.open(asked.max(self.rest).min(LONGEST));
        state.asked = state.opened;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn open(&mut self, rest: Duration) {
        let until = Instant::now() + rest;
        self.opened = Some(self.opened.map_or(until, |opened| opened.max(until)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    fn down(breaker: &Breaker) {
        breaker.note(Reach::Down, QuestionOutcome::Timeout);
    }

    #[test]
    fn it_opens_after_failures_in_a_row_and_one_success_closes_it() {
        let breaker = Breaker::new(HOUR);
        (1..LIMIT).for_each(|_| down(&breaker));
        breaker.note(Reach::Reached, QuestionOutcome::Answered);
        (1..LIMIT).for_each(|_| down(&breaker));
        assert_eq!(breaker.lets_through(), Ok(()));
        down(&breaker);
        assert_eq!(breaker.lets_through(), Err(QuestionOutcome::Timeout));
    }

    #[test]
    fn after_the_rest_one_question_is_let_through() {
        let breaker = Breaker::new(Duration::ZERO);
        (0..LIMIT).for_each(|_| down(&breaker));
        assert_eq!(breaker.lets_through(), Ok(()));
        let breaker = Breaker { rest: HOUR, state: breaker.state };
        assert_eq!(breaker.lets_through(), Ok(()));
        assert!(breaker.lets_through().is_err(), "the others wait for how that one ends");
    }

    #[test]
    fn a_wrong_key_opens_it_at_once_unless_it_was_right_before() {
        let breaker = Breaker::new(HOUR);
        breaker.note(Reach::Refused, QuestionOutcome::Unauthorized);
        assert_eq!(breaker.lets_through(), Err(QuestionOutcome::Unauthorized));
        let breaker = Breaker::new(HOUR);
        breaker.note(Reach::Reached, QuestionOutcome::Answered);
        breaker.note(Reach::Refused, QuestionOutcome::Unauthorized);
        assert_eq!(breaker.lets_through(), Ok(()));
    }

    #[test]
    fn who_asks_to_wait_is_not_asked_before() {
        let breaker = Breaker::new(Duration::ZERO);
        breaker.wait(HOUR, QuestionOutcome::RateLimited);
        down(&breaker);
        assert_eq!(breaker.lets_through(), Err(QuestionOutcome::Timeout));
        breaker.note(Reach::Reached, QuestionOutcome::Answered);
        assert_eq!(breaker.lets_through(), Err(QuestionOutcome::Timeout), "what was sent before is answered now");
        Breaker::new(Duration::ZERO).wait(Duration::MAX, QuestionOutcome::RateLimited);
    }

    #[test]
    fn what_speaks_for_all_questions_is_told_from_what_speaks_for_one() {
        let of = |outcome, status| Reach::of(&Failure { status, ..Failure::new(outcome, "") });
        assert_eq!(of(QuestionOutcome::HttpStatus, Some(404)), Reach::Refused);
        assert_eq!(of(QuestionOutcome::HttpStatus, Some(400)), Reach::Reached);
        assert_eq!(of(QuestionOutcome::HttpStatus, Some(500)), Reach::Down);
        assert_eq!(of(QuestionOutcome::RateLimited, Some(429)), Reach::Down);
        assert_eq!(of(QuestionOutcome::ServerError, Some(200)), Reach::Down);
        assert_eq!(of(QuestionOutcome::NotJson, Some(200)), Reach::Reached);
    }
}
