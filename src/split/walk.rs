//! The walk from the newest unit back, until the tail is full.

use crate::preset::Walk;
use crate::transcript::Tokens;

/// What the tail may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Tokens.
    pub tokens: Tokens,
    /// Units that it has whatever they cost.
    pub least: usize,
}

/// Index of the first unit of the tail; `tokens` are those of each unit.
pub(super) fn cut(tokens: &[Tokens], walk: Walk, budget: Budget) -> usize {
    match walk {
        Walk::Fit => fit(tokens, budget),
        Walk::AddThenTest => add_then_test(tokens, budget),
        Walk::None => tokens.len(),
    }
}

/// Adds units while the sum stays within the budget.
fn fit(tokens: &[Tokens], budget: Budget) -> usize {
    let mut sum = Tokens::default();
    let fits = |(taken, tokens): &(usize, &Tokens)| {
        sum += **tokens;
        sum <= budget.tokens || *taken < budget.least
    };
    tokens.len() - tokens.iter().rev().enumerate().take_while(fits).count()
}

/// The seed's walk: adds a unit, then tests whether the tail is full; a walk that never fills it cuts nothing.
fn add_then_test(tokens: &[Tokens], budget: Budget) -> usize {
    let mut sum = Tokens::default();
    let full = tokens.iter().rev().enumerate().position(|(taken, tokens)| {
        sum += *tokens;
        sum >= budget.tokens && taken + 1 >= budget.least
    });
    full.map_or(0, |newest| tokens.len() - 1 - newest)
}
