//! Guards of the budget: no more requests and tokens than allowed, over a whole run and all its threads.

use super::Outcome;
use std::sync::{Mutex, PoisonError};

/// What may be spent, and what is.
#[derive(Debug, Default)]
pub struct Guard {
    /// Requests that may be sent, retries included.
    pub max_calls: Option<u64>,
    /// Tokens of questions and answers.
    pub max_tokens: Option<u64>,
    spent: Mutex<Spent>,
}

#[derive(Debug, Default)]
struct Spent {
    calls: u64,
    tokens: u64,
}

impl Guard {
    /// A guard with these bounds; without one there is none.
    pub fn new(max_calls: Option<u64>, max_tokens: Option<u64>) -> Self {
        Self { max_calls, max_tokens, spent: Mutex::default() }
    }

    /// Takes one request of so many tokens at most out of the budget; else says which bound it would break.
    pub(super) fn reserve(&self, tokens: u64) -> Result<(), Outcome> {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        if self.max_calls.is_some_and(|most| spent.calls >= most) {
            return Err(Outcome::CallsSpent);
        }
        if self.max_tokens.is_some_and(|most| spent.tokens.saturating_add(tokens) > most) {
            return Err(Outcome::TokensSpent);
        }
        spent.calls += 1;
        spent.tokens = spent.tokens.saturating_add(tokens);
        Ok(())
    }

    /// Replaces what was reserved by what was billed.
    pub(super) fn settle(&self, reserved: u64, billed: u64) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.tokens = spent.tokens.saturating_sub(reserved).saturating_add(billed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_sent_beyond_a_bound() {
        let guard = Guard::new(Some(2), Some(100));
        assert_eq!(guard.reserve(60), Ok(()));
        assert_eq!(guard.reserve(60), Err(Outcome::TokensSpent));
        guard.settle(60, 10);
        assert_eq!(guard.reserve(90), Ok(()));
        assert_eq!(guard.reserve(0), Err(Outcome::CallsSpent));
    }
}
