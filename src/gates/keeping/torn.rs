//! Rules of which a summary tells only a part: one of several clauses is gone, or a line has the words of a ban, and the
//! word that forbids stands in another clause of it.

use super::Lost;
use super::clauses;
use super::compound::BINDS;
use super::forbidding::FORBIDS;
use super::stems::stems;
use crate::gates::{Finding, View};
use crate::measure::constraints::{Constraint, holds, split};
use crate::measure::pattern;
use crate::summary::is_firm;
use regex::Regex;
use std::cell::LazyCell;
use std::collections::HashSet;
use std::sync::LazyLock;

/// What stands between two clauses of a line.
static BETWEEN: LazyLock<Regex> = LazyLock::new(|| pattern(r"[;,] |\b(?:and|but|while|whereas) "));
/// Least number of stems of a ban that a clause is compared with.
const LEAST: usize = 3;

impl View<'_> {
    /// Findings for rules that a line seems to tell: a clause of them is gone, or nothing in its clause forbids.
    pub(super) fn torn(&self, lost: &[Lost]) -> Vec<Finding> {
        let (lines, places) = (self.summary_lines(), self.loaded_places());
        let lines: LazyCell<Vec<Told<'_>>, _> = LazyCell::new(|| lines.iter().map(|line| Told::of(line)).collect());
        let found = |one: Constraint| {
            let at = *places.get(one.message)?;
            let told = lost.iter().any(|lost| lost.message == at && lost.text == one.text);
            if told || self.kept.originals.contains(&at) || !is_firm(&one.text) {
                return None;
            }
            let clause = || Some(("a clause of a constraint of the user is not kept", lost_clause(&one.text, &lines)?));
            let found = || Some(("a line may say the opposite of a constraint of the user", freed(&one.text, &lines)?));
            let (what, text) = clause().or_else(found)?;
            let original = self.original_spot(at);
            Some(Finding { original, ..Finding::new(self.summary_line(), what).about(text).warning() })
        };
        self.binding().into_iter().filter(|(_, of_plan)| !of_plan).filter_map(|(one, _)| found(one)).collect()
    }
}

/// A line with the stems of its words, and of each of its clauses.
struct Told<'l> {
    line: &'l str,
    lower: String,
    stems: HashSet<String>,
    clauses: Vec<(&'l str, HashSet<String>)>,
}

impl<'l> Told<'l> {
    fn of(line: &'l str) -> Self {
        Self { line, lower: line.to_lowercase(), stems: stems(line), clauses: clauses_of(line) }
    }
}

/// The clause of a rule that no clause of the lines tells with its limiting word; `None` if the rule has only one.
fn lost_clause<'r>(rule: &'r str, lines: &[Told<'_>]) -> Option<&'r str> {
    let clauses = clauses::rules(rule);
    if clauses.len() < 2 {
        return None;
    }
    clauses.into_iter().find(|clause| {
        let (wanted, binds) = (stems(clause), BINDS.is_match(clause));
        let bare = clause.trim_end_matches(['.', '!', ' ']).to_lowercase();
        let tells = |(own, stems): &(&str, HashSet<String>)| holds(stems, &wanted) && (!binds || BINDS.is_match(own));
        !lines.iter().any(|told| told.lower.contains(&bare) || told.clauses.iter().any(tells))
    })
}

/// A line with the words of a ban, in whose clauses nothing forbids them: “mock the lamp; only then sail” for “never mock
/// the lamp”. `None` if another line tells the ban.
fn freed<'l>(rule: &str, lines: &[Told<'l>]) -> Option<&'l str> {
    let wanted = stems(rule);
    if FORBIDS.find_iter(rule).count() != 1 || wanted.len() < LEAST || BETWEEN.is_match(rule) {
        return None;
    }
    let mut found = None;
    for Told { line, stems, clauses, .. } in lines {
        let Some((at, (own, _))) = clauses.iter().enumerate().find(|(_, (_, stems))| wanted.is_subset(stems)) else {
            // Part of its words: it may be told there.
            if BINDS.is_match(line) && holds(stems, &wanted) {
                return None;
            }
            continue;
        };
        let others = clauses.iter().enumerate().filter(|(other, _)| *other != at);
        let beside = |(_, (_, stems)): (usize, &(&str, HashSet<String>))| stems.is_disjoint(&wanted);
        if BINDS.is_match(own) || own.ends_with('?') || !others.clone().all(beside) {
            return None;
        }
        // What stands alone is judged by the measure.
        found = (clauses.len() > 1).then_some(*line).or(found);
    }
    found
}

/// The clauses of a line, with the stems of their words.
fn clauses_of(line: &str) -> Vec<(&str, HashSet<String>)> {
    let clauses = split(line).flat_map(|sentence| BETWEEN.split(sentence)).map(str::trim);
    clauses.filter(|clause| !clause.is_empty()).map(|clause| (clause, stems(clause))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost_clause<'r>(rule: &'r str, lines: &[&str]) -> Option<&'r str> {
        super::lost_clause(rule, &lines.iter().map(|line| Told::of(line)).collect::<Vec<_>>())
    }

    fn freed<'l>(rule: &str, lines: &[&'l str]) -> Option<&'l str> {
        super::freed(rule, &lines.iter().map(|line| Told::of(line)).collect::<Vec<_>>())
    }

    const RULE: &str = "Keep the public tables unchanged, never touch lamps/, use oil only through the old pump.";

    #[test]
    fn each_clause_of_a_rule_is_told_with_its_limiting_word() {
        for line in [
            RULE,
            "- The public tables must stay unchanged, nothing under lamps/ may be touched, oil only through the old pump.",
        ] {
            assert_eq!(lost_clause(RULE, &[line]), None, "{line}");
        }
        assert_eq!(
            lost_clause(
                RULE,
                &["Keep the public tables unchanged", "Never touch lamps/", "Oil only through the old pump"]
            ),
            None
        );
        for (line, lost) in [
            ("Keep the public tables unchanged, use oil only through the old pump.", "never touch lamps/"),
            (
                "Keep the public tables unchanged, files in lamps/ may be touched, use oil only through the old pump.",
                "never touch lamps/",
            ),
            (
                "The public tables may be changed, never touch lamps/, use oil only through the old pump.",
                "Keep the public tables unchanged",
            ),
        ] {
            assert_eq!(lost_clause(RULE, &[line]), Some(lost), "{line}");
        }
        assert_eq!(lost_clause("Never touch lamps/.", &[]), None);
    }

    #[test]
    fn a_word_that_forbids_in_another_clause_forbids_nothing_in_this_one() {
        let rule = "Don't mock the lamp in the night tests.";
        for line in [
            "The lamp is to be mocked in the night tests; sailing only starts when all is green.",
            "Mock the lamp in the night tests, and nothing is deployed",
        ] {
            assert_eq!(freed(rule, &[line]), Some(line), "{line}");
            assert_eq!(freed(rule, &[line, "The lamp in the night tests is not mocked."]), None, "{line}");
        }
        for line in [
            "Don't mock the lamp in the night tests; sail when all is green.",
            "Night tests, mocking the lamp: never",
            "The lamp in the night tests: leave it, mock nothing",
            "Is the lamp mocked in the night tests? Only then sail",
            "The lamp is mocked in the night tests, which is not what we want of the lamp",
        ] {
            assert_eq!(freed(rule, &[line]), None, "{line}");
        }
    }
}
