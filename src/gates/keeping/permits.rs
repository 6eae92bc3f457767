//! Permissions in a summary for what the user forbade: “the schema may be changed” for “never change the schema”.

use super::forbidding::FORBIDS;
use super::stems::stems;
use crate::measure::constraints::split;
use crate::measure::pattern;
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Words that limit a ban, so that some of it is permitted.
static LIMITED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:unless|until|till|before|after|without|except\w*|if|when\w*|once|while|yet|more than|only|just|first|for now|instead|rather|forget|hesitate)\b",
    )
});
/// Words that permit.
static PERMITS: LazyLock<Regex> = LazyLock::new(|| {
    let is = r"(?:is|are|was|were|been|be)";
    let who = r"(?:the user|user|he|she|they|you)";
    pattern(&format!(
        r"(?i)\b(?:(?:may|can) (?:now |also |freely |safely )?be|{is} (?:now |also )?(?:allowed|permitted|fine|ok|okay|free)|{who} (?:has |have )?(?:allow|permit)(?:s|ed)|(?:allowed|permitted|free|fine|ok|okay) to|(?:you|we|i) (?:may|can))\b"
    ))
});
/// Words that make a permission none.
static DENIES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:not|never|no|none|nor|neither|nothing|cannot|without|only|unless|until|except\w*|if|when\w*|once|before|after)\b|n['’]t\b|\?",
    )
});
/// Signs and words between clauses.
static BETWEEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"[,;:()—–]|\b(?:and|but)\b"));
/// Least number of words that say what is forbidden.
const LEAST: usize = 2;

/// Whether a sentence that passes a test, such as one that names what is forbidden and forbids nothing, is said later.
pub(super) type Lifts<'f> = dyn Fn(&dyn Fn(&str) -> bool) -> bool + 'f;

/// What a sentence of the user forbids: for each ban, the stems of its content words.
pub(super) struct Bans(Vec<HashSet<String>>);

impl Bans {
    /// Reads the bans without exceptions of a sentence.
    pub(super) fn of(sentence: &str) -> Self {
        let clauses = BETWEEN.split(sentence).filter(|_| !LIMITED.is_match(sentence));
        let bans = clauses.filter(|clause| FORBIDS.find_iter(clause).count() == 1).map(stems);
        Self(bans.filter(|words| words.len() >= LEAST).collect())
    }

    /// The first of these that permits what is forbidden, although the user did not lift the ban in later
    /// words, and nobody says the sentence.
    pub(super) fn permitted<'l>(
        &self,
        permissions: &[Permission<'l>],
        lifts: &Lifts<'_>,
        said: &dyn Fn(&str) -> bool,
    ) -> Option<&'l str> {
        let found = permissions.iter().find(|one| {
            let freed = self.0.iter().find(|ban| one.clauses.iter().any(|clause| ban.is_subset(clause)));
            let bare = one.sentence.trim_matches([' ', '-', '*', '>', '.', '!', '\t', '\r']);
            freed.is_some_and(|ban| {
                let again = |other: &str| !FORBIDS.is_match(other) && ban.is_subset(&stems(other));
                !said(bare) && !lifts(&again)
            })
        });
        found.map(|one| one.sentence)
    }
}

/// A sentence that permits something.
pub(super) struct Permission<'l> {
    sentence: &'l str,
    /// For each clause that permits something, the stems of its content words.
    clauses: Vec<HashSet<String>>,
}

/// The sentences of lines that permit something.
pub(super) fn permitting<'l>(lines: &[&'l str]) -> Vec<Permission<'l>> {
    let permits = |clause: &&str| PERMITS.is_match(clause) && !DENIES.is_match(clause);
    let of = |sentence| Permission { sentence, clauses: BETWEEN.split(sentence).filter(permits).map(stems).collect() };
    let all = lines.iter().flat_map(|line| split(line)).map(of);
    all.filter(|permission| !permission.clauses.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permitted(rule: &str, line: &str, later: &str) -> bool {
        let lifts = |again: &dyn Fn(&str) -> bool| again(later);
        Bans::of(rule).permitted(&permitting(&[line]), &lifts, &|sentence| later.contains(sentence)).is_some()
    }

    const RULE: &str = "Never change the public REST schema, and don't touch the database migrations.";

    #[test]
    fn what_is_forbidden_is_not_permitted() {
        for line in [
            "- The public REST schema may be changed.",
            "The public REST schema may be changed, but not the database migrations.",
            "Database migrations can be touched; the public REST schema stays.",
            "- The user allowed touching the database migrations.",
            "It is fine to change the public REST schema.",
            "You may touch the database migrations.",
        ] {
            assert!(permitted(RULE, line, ""), "{line}");
        }
        assert!(permitted("Do not touch src/billing.rs today.", "src/billing.rs may be touched today", ""));
    }

    #[test]
    fn other_words_permit_nothing() {
        for line in [
            RULE,
            "The public REST schema may not be changed.",
            "The public REST schema may be changed only by the user.",
            "The public REST schema can be read.",
            "The schema may be changed.",
            "Changed the public REST schema.",
            "May the public REST schema be changed?",
            "The tests can be changed, and the public REST schema is the same.",
        ] {
            assert!(!permitted(RULE, line, ""), "{line}");
        }
        for rule in [
            "Never change the public REST schema without asking.",
            "Don't change the public REST schema yet.",
            "Change the public REST schema.",
            "Never push.",
        ] {
            assert!(!permitted(rule, "The public REST schema may be changed.", ""), "{rule}");
        }
        let line = "The public REST schema may be changed.";
        assert!(!permitted(RULE, line, "Now change the public REST schema after all."), "the user lifts the ban");
        assert!(!permitted(RULE, line, line), "the user says so");
    }
}
