//! The budget of requests and tokens for a whole run and all its threads.

use crate::question_outcome::QuestionOutcome;
use std::sync::{Mutex, PoisonError};

/// Limits, and what is spent so far.
#[derive(Debug, Default)]
pub struct Guard {
    /// Most requests, with retries.
    pub max_calls: Option<u64>,
    /// Most tokens of questions and answers.
    pub max_tokens: Option<u64>,
    spent: Mutex<Spent>,
}

#[derive(Debug, Default)]
struct Spent {
    calls: u64,
    tokens: u64,
}

impl Guard {
    /// A budget with these limits; `None`: unlimited.
    pub fn new(max_calls: Option<u64>, max_tokens: Option<u64>) -> Self {
        Self { max_calls, max_tokens, spent: Mutex::default() }
    }

    /// Reserves a request with at most this many tokens; if that would exceed a limit, returns which one.
    pub(super) fn reserve(&self, tokens: u64) -> Result<(), QuestionOutcome> {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        if self.max_calls.is_some_and(|most| spent.calls >= most) {
            return Err(QuestionOutcome::CallsSpent);
        }
        if self.max_tokens.is_some_and(|most| spent.tokens.saturating_add(tokens) > most) {
            return Err(QuestionOutcome::TokensSpent);
        }
        spent.calls += 1;
        spent.tokens = spent.tokens.saturating_add(tokens);
        Ok(())
    }

    /// Replaces reserved tokens by billed ones.
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
        assert_eq!(guard.reserve(60), Err(QuestionOutcome::TokensSpent));
        guard.settle(60, 10);
        assert_eq!(guard.reserve(90), Ok(()));
        assert_eq!(guard.reserve(0), Err(QuestionOutcome::CallsSpent));
    }
}
