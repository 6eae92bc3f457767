//! All tests, or one by its name, are said to pass: held against the last run that failed, and against what ran since.

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

/// A sentence that says it of all: “All 12 tests pass now”, “Everything is green”, “No tests fail”, “There are no failures”.
static ALL: LazyLock<Regex> = LazyLock::new(|| {
    let start = r"^(?:(?:now|and|so|finally|with this|after this|ok|done),? )*";
    let good = r"(?:now |again |still )?(?:pass(?:es|ed)?|(?:is|are) (?:now |all )?(?:passing|green))";
    let tests = r"all (?:of )?(?:the )?(?:\d+ )?(?:unit |integration |other )?(?:tests?|checks|specs)";
    let suite = r"the (?:whole|full|entire|complete) (?:test )?suite";
    let fail = r"(?:still |now )?(?:fails?|failed|(?:is|are) (?:still |now )?(?:failing|broken|red))";
    let none = r"(?:there are |there is )?no (?:test )?(?:failures?|failing tests?)(?: left| remaining| remain)?";
    let end = r"(?: now| again| locally| any ?more)?$";
    pattern(&format!(
        r"(?i){start}(?:(?:{tests}|{suite}|everything|all) {good}|all green|(?:no tests?|none of the tests|nothing) {fail}|{none}){end}"
    ))
});
/// “`test_login` passes”, “tests/test_a.py::TestLogin is green”: a name, and that it passes.
static ONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?:^|[\s`(])([\w./:\[\]-]*test[\w./:\[\]-]*)(?:\(\))?`? (?:now |is |again )*(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed))\b",
    )
});
/// What makes a sentence no claim.
static UNSURE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:not|cannot|\w+n['’]t|never|no longer|until|unless|should|must|ensure|sure|check|confirm|if|when|once|whether|so that|to make|would|will|can|verif\w*|need\w*|fail\w*|before|after|except|but|only|partly)\b|\?",
    )
});
/// Options behind which a test, a folder or a package is named.
const SELECTS: &[&str] =
    &["-k", "-t", "-g", "-m", "-p", "-run", "--run", "--test", "--package", "--filter", "--grep", "-Dtest"];
/// Options that run what failed once more.
const RETRIES: &[&str] = &["--lf", "--last-failed", "--onlyFailures", "--only-failures", "--rerun-failed"];

const FAILED: &str = "tests are said to pass, and their last run failed";
const SOME: &str = "tests are said to pass, and since they failed only some of them ran";
const TEST: &str = "a test is said to pass, and its last run failed";

/// The last run of tests that failed, if no later one was of as many.
pub(super) struct Passing<'d> {
    source: &'d Source<'d>,
    failed: Option<&'d Deed>,
    /// The later ones, of less: what their commands name more.
    since: Vec<Vec<&'d str>>,
    /// Something may have run that is not there.
    unseen: bool,
}

impl<'d> Passing<'d> {
    /// Reads the runs that the summary tells of.
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

    /// What the lines of a text say to pass, and did not.
    pub(super) fn refuted(&self, text: &str, line_of_text: usize) -> Vec<Finding> {
        let Some(failed) = self.failed else { return Vec::new() };
        let DeedKind::Ran { shown, .. } = &failed.kind else { return Vec::new() };
        let verdicts = LazyCell::new(|| Verdicts::of(printed(self.source, failed)));
        let lines: Vec<Line<'_>> = claims(text).filter(Line::tells).collect();
        // From the last line on, for what is told of a failure behind a line.
        let (mut later, mut findings) = (Vec::new(), Vec::new());
        for line in lines.iter().rev() {
            for sentence in sentences(line.text) {
                let found = match () {
                    () if ALL.is_match(sentence) => self.all(line, sentence, &verdicts).filter(|_| later.is_empty()),
                    () => self.one(sentence, &later, &verdicts),
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

    /// All tests are said to pass.
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

    /// A test is said to pass that failed in the last run that was of it.
    fn one(&self, sentence: &str, later: &[&str], verdicts: &Verdicts<'_>) -> Option<(&'static str, Level)> {
        let name = ONE.captures(sentence).filter(|_| !UNSURE.is_match(sentence))?.get(1)?.as_str();
        let is_redone = || self.is_redone(verdicts.named(name).unwrap_or(name));
        let refuted = verdicts.failed(name) && !is_redone() && !later.iter().any(|line| line.contains(name));
        refuted.then_some((TEST, Level::Error))
    }

    /// Whether a later run may have been of a test.
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
        // What is named by a file of another name may be in it all the same, where the test's own file is not known.
        let is_bare = |word: &str| word.contains(['/', '.']) && !test.contains(['/', '.', ':']);
        self.since.iter().any(|words| words.iter().any(|word| is_of(word) || is_bare(word)))
    }
}

/// What a run names that another one, which was of more, does not; none if it may be of as much.
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

/// How many tests a run counts that passed, or passed and failed.
fn passed<'d>(run: &Deed, source: &'d Source<'d>, failed_too: bool) -> Option<u64> {
    let all = counts_of(source, run);
    let wanted = all.iter().filter(|[_, what]| failed_too || what.to_lowercase().starts_with("pass"));
    let numbers: Vec<u64> = wanted.filter_map(|[number, _]| number.parse().ok()).collect();
    (!numbers.is_empty()).then(|| numbers.iter().fold(0_u64, |sum, number| sum.saturating_add(*number)))
}

/// The sentences of a line, without their ends.
fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let pieces = line.split(". ").flat_map(|piece| piece.split("; ")).flat_map(|piece| piece.split("! "));
    pieces.map(|piece| piece.trim().trim_end_matches(['.', '!', '…', '*']).trim_start_matches('*').trim())
}
