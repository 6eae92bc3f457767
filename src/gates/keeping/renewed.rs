//! Constraints that the user gave again with another number.

use crate::measure::constraints::{Constraint, content_words, holds};
use crate::measure::renumbered::is_renumbered;
use crate::summary::has_digit;
use std::collections::HashSet;

/// Constraints with a number, each with its words.
pub(super) struct Numbered<'c>(Vec<(&'c Constraint, HashSet<String>)>);

impl<'c> Numbered<'c> {
    pub(super) fn of(all: impl Iterator<Item = &'c Constraint>) -> Self {
        let numbered = all.filter(|one| has_digit(&one.text));
        Self(numbered.map(|one| (one, content_words(&one.text))).collect())
    }

    /// Whether a later one says the same as `one` with another number.
    pub(super) fn renews(&self, one: &Constraint) -> bool {
        if !has_digit(&one.text) {
            return false;
        }
        let before = content_words(&one.text);
        let is_name = |word: &&String| word.contains(['/', '.', '_']);
        let names: Vec<&String> = before.iter().filter(is_name).collect();
        self.0.iter().any(|(later, now)| {
            one.message < later.message
                && names.iter().all(|name| now.contains(*name))
                && holds(now, &before)
                && holds(&before, now)
                && is_renumbered(&one.text, &later.text)
        })
    }
}
