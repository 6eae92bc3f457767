//! Constraints and requests that differ from another of the user's in a word or two: “the production database”, “the
//! staging database”. A line that states the other does not state both, though it has most of the words.

use super::forbidding::FORBIDS_ANY;
use super::stems::stems;
use crate::measure::constraints::{Constraint, holds};
use std::borrow::Cow;
use std::collections::HashSet;

/// A sentence of the user with its words.
struct Twin<'c> {
    one: &'c Constraint,
    bans: bool,
    words: HashSet<String>,
}

/// All constraints, with their words.
pub(super) struct Twins<'c>(Vec<Twin<'c>>);

impl<'c> Twins<'c> {
    pub(super) fn of(all: impl Iterator<Item = &'c Constraint>) -> Self {
        let twin = |one: &'c Constraint| Twin { one, bans: FORBIDS_ANY.is_match(&one.text), words: stems(&one.text) };
        Self(all.map(twin).collect())
    }

    /// The lines without those that state another constraint in its own words and lack a word of this one. Two bans hold
    /// side by side; an order may be replaced by a later one, so for it only lines with earlier ones are left out.
    pub(super) fn own_lines<'l, 's>(&self, text: &str, message: usize, lines: &'l [&'s str]) -> Cow<'l, [&'s str]> {
        let (words, bans) = (stems(text), FORBIDS_ANY.is_match(text));
        let stands_beside = |twin: &&Twin<'_>| bans && twin.bans || !bans && !twin.bans && twin.one.message < message;
        let differs = |twin: &&Twin<'_>| differ(&twin.words, &words) && !is_same(&twin.one.text, text);
        let others: Vec<_> = self.0.iter().filter(stands_beside).filter(differs).collect();
        if others.is_empty() {
            return Cow::Borrowed(lines);
        }
        let is_others = |line: &&str| {
            let lacks = || !words.is_subset(&stems(line));
            others.iter().any(|twin| line.contains(bare(&twin.one.text))) && lacks()
        };
        lines.iter().copied().filter(|line| !is_others(line)).collect()
    }
}

/// Whether two sets of words are nearly the same, and each has one of its own.
pub(super) fn differ(one: &HashSet<String>, other: &HashSet<String>) -> bool {
    holds(one, other) && holds(other, one) && !one.is_subset(other) && !other.is_subset(one)
}

/// Whether one of two texts is a part of the other.
fn is_same(one: &str, other: &str) -> bool {
    one.contains(bare(other)) || other.contains(bare(one))
}

/// A sentence without its last sign.
fn bare(text: &str) -> &str {
    text.trim_end_matches(['.', '!', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "- Never write to the staging database of the harbour office.";

    fn left(all: &[&str], of: usize) -> usize {
        let constraint = |(message, text): (usize, &&str)| Constraint { message, text: (*text).to_owned() };
        let all: Vec<Constraint> = all.iter().enumerate().map(constraint).collect();
        let lines = [LINE, "- Use tabs in all files of the quay, please."];
        Twins::of(all.iter()).own_lines(&all[of].text, all[of].message, &lines).len()
    }

    #[test]
    fn a_line_that_states_another_ban_states_not_this_one() {
        let staging = LINE.trim_start_matches("- ");
        let production = staging.replace("staging", "production");
        assert_eq!(left(&[&production, staging], 0), 1);
        assert_eq!(left(&[&production, staging], 1), 2, "its own line");
        assert_eq!(left(&["Never write to a database of the harbour office.", staging], 0), 2, "it says no more");
        assert_eq!(left(&[&production], 0), 2, "the user said nothing else");
    }

    #[test]
    fn an_order_may_be_replaced_by_a_later_one() {
        let (tabs, spaces) =
            ("Use tabs in all files of the quay, please.", "Use spaces in all files of the quay, please.");
        assert_eq!((left(&[spaces, tabs], 0), left(&[tabs, spaces], 1)), (2, 1));
    }
}
