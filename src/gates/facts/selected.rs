//! Which tests a run selects: fewer than another run, or maybe one by name.

use super::outputs::{Outputs, Run};
use crate::measure::pattern;
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Words by which a command runs all that there is.
const WIDE: [&str; 5] = ["--all", "--recursive", "--workspace", "./...", "-r"];
/// Endings of a target that runs all: `test-all` runs no less than `test`.
const ALL_OF_THEM: [&str; 4] = ["all", "ci", "everything", "full"];
/// Options that take the name of a test, folder or package to run.
const SELECTS: &[&str] =
    &["-k", "-t", "-g", "-m", "-p", "-run", "--run", "--test", "--package", "--filter", "--grep", "-Dtest"];
/// Options that take a file or package whose name is not in those of its tests.
const HOLDS: &[&str] = &["-p", "--package", "--test", "--bin", "--lib", "-m"];
/// Options that rerun failed tests.
const RETRIES: &[&str] = &["--lf", "--last-failed", "--onlyFailures", "--only-failures", "--rerun-failed"];
/// What go prints of a package whose tests failed or passed.
static PACKAGE_FAILED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^FAIL\s+(\S+)(?:\s|$)"));
static PACKAGE_OK: LazyLock<Regex> = LazyLock::new(|| pattern(r"^ok\s+(\S+)(?:\s|$)"));

/// Whether a run with these words may include a test.
pub(super) fn may_select(words: &[&str], test: &str) -> bool {
    let is_of = |word: &str| {
        let word = word.trim_matches(['\'', '"', '*']).trim_end_matches('/');
        let own = word.rsplit(['/', ':']).next().unwrap_or(word);
        let stem = own.split('.').next().unwrap_or(own);
        RETRIES.contains(&word) || test.contains(own) || !stem.is_empty() && test.contains(stem) || own.contains(test)
    };
    // If the test's own file is not known, a run of any file may include it.
    let is_bare = |word: &str| word.contains(['/', '.']) && !test.contains(['/', '.', ':']);
    let holds = |word: &str| HOLDS.contains(&word) && !test.contains('/');
    words.iter().any(|word| is_of(word) || is_bare(word) || holds(word))
}

/// The words of a run that select fewer tests than the run `more` did; `None` if it may have run as many.
pub(super) fn less<'d>(run: &Run<'d>, more: &Run<'d>, outputs: &Outputs<'d>) -> Option<Vec<&'d str>> {
    let known: HashSet<&str> = run.shown().split_whitespace().collect();
    let is_known =
        |word: &str| WIDE.contains(&word) || known.contains(word) || known.iter().any(|own| is_target_of(own, word));
    more.shown().split_whitespace().all(is_known).then(|| selected(run, more, outputs))?
}

/// Whether a word is a target for a part of what another one runs: `test-rows` of `test`.
fn is_target_of(word: &str, whole: &str) -> bool {
    let rest = word.strip_prefix(whole).and_then(|rest| rest.strip_prefix(['-', ':', '_']));
    rest.is_some_and(|rest| !rest.is_empty() && !ALL_OF_THEM.contains(&rest))
}

/// The words of a run that select its tests, and that the run `more` of the same program did not have; `None` if it may
/// have run all that `more` did.
pub(super) fn selected<'d>(run: &Run<'d>, more: &Run<'d>, outputs: &Outputs<'d>) -> Option<Vec<&'d str>> {
    let all: HashSet<&str> = more.shown().split_whitespace().collect();
    let words: Vec<&str> = run.shown().split_whitespace().collect();
    let is_new = |word: &str| !all.contains(word);
    let names = |at: usize| {
        let before = at.checked_sub(1).map_or("", |before| words[before]);
        let is_option = before.starts_with('-') && before != "--" && is_new(before);
        let is_name = !words[at].starts_with('-') && words[at].contains(char::is_alphabetic);
        is_name && (!is_option || SELECTS.contains(&before) || words[at].contains(['/', ':']))
            || RETRIES.contains(&words[at])
    };
    let operators = ["&&", "||", ";", "|"];
    let new: Vec<usize> = (0..words.len()).filter(|at| is_new(words[*at])).collect();
    let is_less = words.first().is_some_and(|program| !is_new(program))
        && new.iter().any(|at| names(*at))
        && !new.iter().any(|at| operators.contains(&words[*at]))
        && outputs.passed(run.deed, false).zip(outputs.passed(more.deed, true)).is_none_or(|(some, all)| some < all);
    is_less.then(|| new.into_iter().map(|at| words[at]).collect())
}

/// Whether packages failed in a run, and later runs name others only.
pub(super) fn are_other_packages<'r, 'd: 'r>(
    failed: &Run<'d>,
    later: impl Iterator<Item = &'r Run<'d>>,
    outputs: &Outputs<'d>,
) -> bool {
    let of = |run: &Run<'d>, verdict: &LazyLock<Regex>| -> HashSet<&'d str> {
        let found = outputs.printed(run.deed).filter_map(|line| verdict.captures(line));
        found.filter_map(|found| found.get(1)).map(|found| found.as_str()).collect()
    };
    let red = of(failed, &PACKAGE_FAILED);
    let green: HashSet<&str> = later.flat_map(|run| of(run, &PACKAGE_OK)).collect();
    !red.is_empty() && !green.is_empty() && red.is_disjoint(&green)
}
