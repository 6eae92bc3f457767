//! Failed runs of tests whose tests passed later within another command: `go build; go test ./lamp; ./light`, or by a
//! task that says so of each package.

use super::turns::Turn;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::footer::says_passed;
use crate::summary::extractive::calls::narrower::Selection;
use crate::summary::extractive::calls::outcome::{CallOutcome, ENDS};
use crate::summary::text::last_bytes;
use foldhash::HashSet;

/// The call of each such run: its message and id.
pub(super) fn closed(turns: &[Turn<'_>], behind: &[Act<'_>]) -> HashSet<(usize, String)> {
    let acts: Vec<&Act<'_>> = turns.iter().flat_map(|turn| &turn.acts).chain(behind).collect();
    let fails = |act: &&&Act<'_>| matches!(act.outcome, CallOutcome::Failed(_)) && tests(act);
    if !acts.iter().any(|act| fails(&act)) {
        return HashSet::default();
    }
    let green: Vec<(usize, Green<'_>)> =
        acts.iter().enumerate().filter_map(|(at, act)| Some((at, Green::of(act)?))).collect();
    let failed = acts.iter().enumerate().filter(|(_, act)| fails(act));
    let mended = failed.filter(|(at, act)| {
        let red = Red::of(act);
        let last = green.iter().rev().take_while(|(later, _)| later > at).find(|(_, green)| green.tells_of(&red));
        last.is_some_and(|(_, green)| green.passed(&red))
    });
    mended.map(|(_, act)| (act.message, act.call.to_owned())).collect()
}

fn tests(act: &Act<'_>) -> bool {
    matches!(&act.action, Action::Run(command) if command.runs_tests())
}

/// A failed run: its tests, and the packages of Go that failed in it.
struct Red<'a> {
    tests: Selection<'a>,
    packages: Vec<&'a str>,
}

impl<'a> Red<'a> {
    fn of(act: &'a Act<'_>) -> Self {
        let none = || Self { tests: Selection::none(), packages: Vec::new() };
        let Action::Run(command) = &act.action else { return none() };
        Self { tests: Selection::of(command), packages: packages(act.result, "FAIL").collect() }
    }
}

/// A later command with verdicts on tests in its output.
struct Green<'a> {
    tests: Selection<'a>,
    ok: Vec<&'a str>,
    failed: Vec<&'a str>,
    /// Whether it worked and says of tests that they passed.
    passed: bool,
}

impl<'a> Green<'a> {
    fn of(act: &'a Act<'_>) -> Option<Self> {
        let Action::Run(command) = &act.action else { return None };
        let (ok, failed) =
            (packages(act.result, "ok").collect::<Vec<_>>(), packages(act.result, "FAIL").collect::<Vec<_>>());
        let is_test = tests(act);
        if !is_test && ok.is_empty() {
            return None;
        }
        let passed = act.outcome.worked() && last_bytes(act.result, ENDS).lines().any(|line| says_passed(line.trim()));
        let tests = if is_test { Selection::of(command) } else { Selection::none() };
        Some(Self { tests, ok, failed, passed })
    }

    /// Whether it ran the tests of a failed run, or tells of their packages.
    fn tells_of(&self, red: &Red<'_>) -> bool {
        let names = |own: &[&str]| red.packages.iter().any(|name| own.contains(name));
        names(&self.ok) || names(&self.failed) || self.tests.covers(&red.tests)
    }

    fn passed(&self, red: &Red<'_>) -> bool {
        let all_ok = || !red.packages.is_empty() && red.packages.iter().all(|name| self.ok.contains(name));
        self.failed.iter().all(|name| !red.packages.contains(name))
            && !self.tests.is_narrower(&red.tests)
            && (all_ok() || self.passed && self.tests.covers(&red.tests))
    }
}

/// The packages with this verdict in an output of Go, also behind the name of a task: `[check] ok  \tquay/lamp\t0.3s`.
fn packages<'t>(result: &'t str, verdict: &'t str) -> impl Iterator<Item = &'t str> {
    result.lines().filter_map(move |line| {
        let line = line.trim_start();
        let line = line.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map_or(line, |(_, told)| told);
        let (_, rest) = line.strip_prefix(verdict)?.split_once('\t')?;
        rest.split(['\t', ' ']).next().filter(|name| !name.is_empty())
    })
}
