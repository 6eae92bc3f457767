//! The circuit breaker: when an endpoint is down, the files behind it must not wait for it one by one.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Failures in a row that open it.
const LIMIT: u32 = 5;

/// Counts failures in a row.
#[derive(Debug)]
pub(super) struct Breaker {
    rest: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    opened: Option<Instant>,
}

impl Breaker {
    /// One that stays open for so long, then lets one question through.
    pub(super) fn new(rest: Duration) -> Self {
        Self { rest, state: Mutex::default() }
    }

    /// Whether a question may be sent. Of those that come after the rest, one is.
    pub(super) fn lets_through(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match state.opened {
            Some(opened) if opened.elapsed() < self.rest => false,
            Some(_) => {
                state.opened = Some(Instant::now());
                true
            }
            None => true,
        }
    }

    /// Notes how a question ended.
    pub(super) fn note(&self, reached: bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if reached {
            *state = State::default();
            return;
        }
        state.failures += 1;
        if state.failures >= LIMIT {
            state.opened = Some(Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_opens_after_failures_in_a_row_and_one_success_closes_it() {
        let breaker = Breaker::new(Duration::from_secs(3600));
        for _ in 1..LIMIT {
            breaker.note(false);
        }
        breaker.note(true);
        for _ in 1..LIMIT {
            breaker.note(false);
        }
        assert!(breaker.lets_through());
        breaker.note(false);
        assert!(!breaker.lets_through());
    }

    #[test]
    fn after_the_rest_one_question_is_let_through() {
        let breaker = Breaker::new(Duration::ZERO);
        (0..LIMIT).for_each(|_| breaker.note(false));
        assert!(breaker.lets_through());
        let breaker = Breaker { rest: Duration::from_secs(3600), state: breaker.state };
        assert!(!breaker.lets_through(), "the others wait for how that one ends");
    }
}
