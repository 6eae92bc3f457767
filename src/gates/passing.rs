//! Claims that all tests, or one by name, pass: compared with the last failed run and the runs after it.

use super::claims::{counts_of, printed};
use super::verdicts::Verdicts;
use super::{Finding, Level};
use crate::measure::{Line, Source, claims, pattern};
use crate::summary::{Deed, DeedKind, reports};
use crate::transcript::Author;
use regex::Regex;
use std::cell::LazyCell;
use std::collections::HashSet;
use std::sync::LazyLock;

/// A sentence about all tests: “All 12 tests pass now”, “Everything is green”, “No tests fail”, “There are no
/// failures”.
static ALL: LazyLock<Regex> = LazyLock::new(|| {
    let start = r"^(?:(?:now|and|so|finally|with this|after this|ok|done),? )*";
    let good = r"(?:now |again |still )?(?:pass(?:es|ed)?|(?:is|are) (?:now |all )?(?:passing|green))";
    let tests = r"all (?:of )?(?:the )?(?:\d+ )?(?:unit |integration |other )?(?:tests?|checks|specs)";
    let suite = r"the (?:whole|full|entire|complete) (?:test )?suite";
    let fail = r"(?:still |now )?(?:fails?|failed|(?:is|are) (?:still |now )?(?:failing|broken|red))";
    let none = r"(?:there are |there is )?no (?:test )?(?:failures?|failing tests?)(?: left| remaining| remain)?";
    let end = r"(?: now| again| locally| any ?more)?$";
    let ran = r"(?:i |we )?(?:have )?(?:re-?)?ran (?:all )?(?:of )?the (?:whole |full )?(?:tests?|test suite|suite)(?: again)?,? and (?:they|it|all|everything)(?: all)?";
    pattern(&format!(
        r"(?i){start}(?:(?:{tests}|{suite}|everything|all|{ran}) {good}|all green|(?:no tests?|none of the tests|nothing) {fail}|{none}){end}"
    ))
});
/// A sentence about all tests of a folder or file: “All tests in src/net pass”.
static WITHIN: LazyLock<Regex> = LazyLock::new(|| {
    let tests = r"all (?:of )?(?:the )?(?:\d+ )?(?:unit |integration |other )?(?:tests?|checks|specs)";
    let good = r"(?:now |again |still )?(?:pass(?:es|ed)?|(?:is|are) (?:now |all )?(?:passing|green))(?: now| again)?";
    pattern(&format!(r"(?i)^(?:now,? )?{tests} (?:in|of|under) `?([\w./-]+)`? {good}$"))
});
/// A test by name that passes: “`test_login` passes”, “tests/test_a.py::TestLogin is green”.
static ONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:^|[\s`(])([\w./:\[\]-]*test[\w./:\[\]-]*)(?:\(\))?`? (?:now |is |again )*(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed))\b",
    )
});
/// Words that make a sentence no claim.
static UNSURE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:not|cannot|\w+n['’]t|never|no longer|until|unless|should|must|ensure|sure|check|confirm|if|when|once|whether|so that|to make|would|will|can|verif\w*|need\w*|fail\w*|before|after|except|but|only|partly)\b|\?",
    )
});
/// Options that take the name of a test, folder or package to run.
const SELECTS: &[&str] =
    &["-k", "-t", "-g", "-m", "-p", "-run", "--run", "--test", "--package", "--filter", "--grep", "-Dtest"];
/// Options that rerun failed tests.
const RETRIES: &[&str] = &["--lf", "--last-failed", "--onlyFailures", "--only-failures", "--rerun-failed"];

const FAILED: &str = "tests are said to pass, and their last run failed";
const SOME: &str = "tests are said to pass, and since they failed only some of them ran";
const TEST: &str = "a test is said to pass, and its last run failed";

/// The last failed run of tests, unless a later run covered as many tests.
pub(super) struct Passing<'d> {
    source: &'d Source<'d>,
    failed: Option<&'d Deed>,
    /// Later runs, which covered less: for each, the words that select its tests.
    since: Vec<Vec<&'d str>>,
    /// An earlier summary or reports of subagents are there: other runs may have happened.
    unseen: bool,
}

impl<'d> Passing<'d> {
    /// Collects the runs that the summary covers (their calls are not kept).
    pub(super) fn of(all: &'d [Deed], source: &'d Source<'d>, is_kept: &dyn Fn(usize) -> bool) -> Self {
        let is_test = |deed: &&Deed| matches!(deed.kind, DeedKind::Ran { tests: true, .. }) && deed.failed.is_some();
        let mut runs = all.iter().filter(is_test).filter(|deed| !is_kept(deed.message)).rev();
        let mut later = Vec::new();
        let failed = runs.find(|deed| {
            let failed = deed.failed == Some(true);
            if !failed {
                later.push(*deed);
            }
            failed
        });
        let since = failed.and_then(|failed| later.into_iter().map(|run| less(run, failed, source)).collect());
        let messages = source.messages();
        let unseen = messages.iter().any(|message| message.author == Author::Summary) || !reports(messages).is_empty();
        Self { source, failed: failed.filter(|_| since.is_some()), since: since.unwrap_or_default(), unseen }
    }

    /// Returns a finding for each sentence of a text that says tests pass which did not.
    pub(super) fn refuted(&self, text: &str, line_of_text: usize) -> Vec<Finding> {
        let Some(failed) = self.failed else { return Vec::new() };
        let DeedKind::Ran { shown, .. } = &failed.kind else { return Vec::new() };
        let verdicts = LazyCell::new(|| Verdicts::of(printed(self.source, failed)));
        let lines: Vec<Line<'_>> = claims(text).filter(Line::tells).collect();
        // From the last line back: later lines may mention the failure.
        let (mut later, mut findings) = (Vec::new(), Vec::new());
        for line in lines.iter().rev() {
            for sentence in sentences(line.text) {
                let found = match () {
                    () if ALL.is_match(sentence) => self.all(line, sentence, &verdicts).filter(|_| later.is_empty()),
                    () => {
                        let folder =
                            WITHIN.captures(sentence).and_then(|found| found.get(1)).map(|found| found.as_str());
                        let within = folder.filter(|_| later.is_empty()).and_then(|it| self.within(it, &verdicts));
                        within.or_else(|| self.one(sentence, &later, &verdicts))
                    }
                };
                findings.extend(found.map(|(what, level)| Finding {
                    level,
                    ..Finding::new(line_of_text, what).at(line.number).about(shown.clone())
                }));
            }
            if line.text.contains("fail") && !ALL.is_match(line.text.trim_end_matches(['.', '!', '…'])) {
                later.push(line.text);
            }
        }
        findings.reverse();
        findings
    }

    /// Checks a sentence that says all tests pass.
    fn all(&self, line: &Line<'_>, sentence: &str, verdicts: &Verdicts<'_>) -> Option<(&'static str, Level)> {
        if self.since.is_empty() {
            return Some((FAILED, Level::Error));
        }
        let said = || self.source.has(line.text.trim_end_matches(['.', '…'])) || self.source.has(sentence);
        let mut names = verdicts.names().peekable();
        let level = if names.peek().is_some() { Level::Error } else { Level::Warn };
        let redone = level == Level::Error && names.all(|name| self.is_redone(name));
        (!self.unseen && !redone && !said()).then_some((SOME, level))
    }

    /// Checks a sentence that says all tests of a folder or file pass: wrong if one with this name in its own failed.
    fn within(&self, folder: &str, verdicts: &Verdicts<'_>) -> Option<(&'static str, Level)> {
        let last = folder.trim_end_matches('/').rsplit('/').next()?;
        let stem = last.split('.').next().filter(|stem| !stem.is_empty())?;
        let is_in = |name: &str| name.split(['/', ':', '.']).any(|piece| piece == stem);
        let fails = verdicts.names().any(|name| is_in(name) && !self.is_redone(name));
        fails.then_some((FAILED, Level::Error))
    }

    /// Checks a sentence that says one test passes: wrong if it failed in the last run that included it.
    fn one(&self, sentence: &str, later: &[&str], verdicts: &Verdicts<'_>) -> Option<(&'static str, Level)> {
        let name = ONE.captures(sentence).filter(|_| !UNSURE.is_match(sentence))?.get(1)?.as_str();
        let is_redone = || self.is_redone(verdicts.named(name).unwrap_or(name));
        let refuted = verdicts.failed(name) && !is_redone() && !later.iter().any(|line| line.contains(name));
        refuted.then_some((TEST, Level::Error))
    }

    /// Whether a later run may have included the test.
    fn is_redone(&self, test: &str) -> bool {
        let is_of = |word: &str| {
            let word = word.trim_matches(['\'', '"', '*']).trim_end_matches('/');
            let own = word.rsplit(['/', ':']).next().unwrap_or(word);
            let stem = own.split('.').next().unwrap_or(own);
            RETRIES.contains(&word)
                || test.contains(own)
                || !stem.is_empty() && test.contains(stem)
                || own.contains(test)
        };
        // If the test's own file is not known, a run of any file may include it.
        let is_bare = |word: &str| word.contains(['/', '.']) && !test.contains(['/', '.', ':']);
        self.since.iter().any(|words| words.iter().any(|word| is_of(word) || is_bare(word)))
    }
}

/// The words of a run that select fewer tests than the run `more` did; `None` if it may have run as many.
fn less<'d>(run: &'d Deed, more: &Deed, source: &'d Source<'d>) -> Option<Vec<&'d str>> {
    let (DeedKind::Ran { shown: own, .. }, DeedKind::Ran { shown: other, .. }) = (&run.kind, &more.kind) else {
        return None;
    };
    let all: HashSet<&str> = other.split_whitespace().collect();
    let words: Vec<&str> = own.split_whitespace().collect();
    let known: HashSet<&str> = words.iter().copied().collect();
    let is_new = |word: &str| !all.contains(word);
    let names = |at: usize| {
        let before = at.checked_sub(1).map_or("", |before| words[before]);
        let is_option = before.starts_with('-') && is_new(before);
        let is_name = !words[at].starts_with('-') && words[at].contains(char::is_alphabetic);
        is_name && (!is_option || SELECTS.contains(&before) || words[at].contains(['/', ':']))
            || RETRIES.contains(&words[at])
    };
    let operators = ["&&", "||", ";", "|"];
    let new: Vec<usize> = (0..words.len()).filter(|at| is_new(words[*at])).collect();
    let is_less = all.is_subset(&known)
        && new.iter().any(|at| names(*at))
        && !new.iter().any(|at| operators.contains(&words[*at]))
        && passed(run, source, false).zip(passed(more, source, true)).is_none_or(|(some, all)| some < all);
    is_less.then(|| new.into_iter().map(|at| words[at]).collect())
}

/// Number of tests that passed in a run, or that passed and failed; `None` if it prints no count.
fn passed<'d>(run: &Deed, source: &'d Source<'d>, failed_too: bool) -> Option<u64> {
    let all = counts_of(source, run);
    let wanted = all.iter().filter(|[_, what]| failed_too || what.to_lowercase().starts_with("pass"));
    let numbers: Vec<u64> = wanted.filter_map(|[number, _]| number.parse().ok()).collect();
    (!numbers.is_empty()).then(|| numbers.iter().fold(0_u64, |sum, number| sum.saturating_add(*number)))
}

/// Splits a line into sentences, without their closing marks.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let pieces = line.split(". ").flat_map(|piece| piece.split("; ")).flat_map(|piece| piece.split("! "));
    pieces.map(|piece| piece.trim().trim_end_matches(['.', '!', '…', '*']).trim_start_matches('*').trim())
}
