//! Rules that a summary turns round without a word of a ban: a limit, an order in time, or who alone may do something.

use super::orders::is_order;
use super::pasted::is_pasted;
use crate::gates::{Finding, View};
use crate::measure::constraints::{self, Said, content_words, has_cue, holds, split};
use crate::measure::pattern;
use crate::measure::reversal::{Saying, sayings};
use crate::summary::own_words;
use regex::Regex;
use std::sync::LazyLock;

/// Words of a limit or an order in time, of which the opposite has nearly the same words.
static LIMIT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:at (?:most|least)|(?:more|less|fewer) than|max(?:imum)?|min(?:imum)?|before|after)\b")
});
/// “Only admins may …”
static ONLY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)^(?:(?:please|and|but)[, ]+)?only (?:[\w'’-]+ ){1,4}?(?:may|can|should|must|are|is)\b")
});
/// Words with which a line leaves out the others.
static ALONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:only|nobody|nothing|no[- ]one|none|no|not|never|except|exclusive\w*|alone|just|restrict\w*|reserved|limited?|cannot|forb\w+|must be|needs?|requires?d?|unless|without)\b|n['’]t\b",
    )
});

/// How lines state a rule: one of who alone may do something is not stated by lines that do not leave out the others.
pub(super) fn limits_as_well(rule: &str, said: Said, lines: &[&str]) -> Said {
    if said != Said::AsItIs || !ONLY.is_match(rule) {
        return said;
    }
    let wanted = content_words(rule);
    let mut stating = lines.iter().filter(|line| holds(&content_words(line), &wanted));
    if stating.any(|line| ALONE.is_match(line)) { said } else { Said::Nowhere }
}

impl View<'_> {
    /// Findings for sentences of the user without a cue word that rules of the summary turn round. They may be no
    /// rules.
    pub(super) fn turned(&self, rules: &[&str]) -> Vec<Finding> {
        let Some(source) = &self.source else { return Vec::new() };
        let (loaded, places) = (self.loaded(), self.loaded_places());
        let limits = |text: &str| LIMIT.is_match(text) && !has_cue(text) && !is_order(text) && !text.ends_with('?');
        let own = |one: &constraints::Constraint| {
            loaded.get(one.message).is_some_and(|message| !is_pasted(&one.text, &own_words(&message.said())))
        };
        let limits: Vec<_> = constraints::spoken(&loaded, &limits).into_iter().filter(own).collect();
        let told = if limits.is_empty() { Vec::new() } else { sayings(rules, source) };
        let is_turned = |text: &str| {
            let saying = Saying::of(text);
            told.iter().any(|line| saying.opposes(line))
        };
        let turned = limits.into_iter().filter(|one| split(&one.text).any(is_turned));
        let finding = |one: constraints::Constraint| {
            let what = "a sentence of the user is said the other way round";
            let original = places.get(one.message).and_then(|at| self.original_spot(*at));
            Finding { original, ..Finding::new(self.summary_line(), what).about(one.text).warning() }
        };
        turned.map(finding).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_alone_may_do_something_is_told_with_it() {
        let rule = "Only admins may delete bookings.";
        for line in ["- Admins may delete bookings.", "- Deleting bookings: admins delete bookings"] {
            assert_eq!(limits_as_well(rule, Said::AsItIs, &[line]), Said::Nowhere, "{line}");
        }
        for line in [
            "- Only admins delete bookings.",
            "- Nobody but admins may delete bookings.",
            "- Admins alone delete bookings.",
        ] {
            assert_eq!(limits_as_well(rule, Said::AsItIs, &[line]), Said::AsItIs, "{line}");
        }
        let tests = "- The tests should be changed, nothing else.";
        assert_eq!(limits_as_well("Only the tests should be changed.", Said::AsItIs, &[tests]), Said::AsItIs);
        let other = "Use only the old pump for bookings.";
        assert_eq!(limits_as_well(other, Said::AsItIs, &["- Use the old pump for bookings."]), Said::AsItIs);
    }
}
