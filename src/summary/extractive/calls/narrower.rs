//! Whether a run of tests covers less than another one: `cargo test lamp` less than `cargo test`.

use super::failing::failing_tests;
use super::output::output;
use super::run::Command;
use super::testing::{runs_test_script, runs_tests};
use crate::summary::text::contains_any;
use crate::transcript::base_name;

/// Words by which a command runs all that there is.
const WIDE: [&str; 9] = ["--all", "--recursive", "--workspace", "-r", ".", "./", "./...", "...", "run"];
/// Words before a runner that change nothing of what it runs.
const LAUNCHERS: [&str; 12] =
    ["bunx", "env", "exec", "npx", "poetry", "pnpx", "python", "python3", "run", "sudo", "time", "uv"];
/// Options that select tests, or leave some out.
const SELECTING: [&str; 40] = [
    "--bench",
    "--bin",
    "--bins",
    "--deselect",
    "--doc",
    "--example",
    "--exclude",
    "--exclude-dir",
    "--failed",
    "--filter",
    "--grep",
    "--ignore",
    "--last-failed",
    "--lf",
    "--lib",
    "--only",
    "--only-failures",
    "--onlyFailures",
    "--package",
    "--project",
    "--run",
    "--skip",
    "--spec",
    "--test",
    "--testNamePattern",
    "--testPathPattern",
    "--tests",
    "-Dtest",
    "-E",
    "-R",
    "-g",
    "-k",
    "-m",
    "-p",
    "-pl",
    "-run",
    "-short",
    "-skip",
    "-t",
    "--suite",
];
/// Options that rerun what failed.
const RETRIES: [&str; 6] = ["--failed", "--last-failed", "--lf", "--only-failures", "--onlyFailures", "--rerun-failed"];
/// Options without a value.
const FLAGS: [&str; 15] = [
    "--",
    "--ci",
    "--locked",
    "--no-capture",
    "--nocapture",
    "--quiet",
    "--release",
    "--silent",
    "--verbose",
    "-q",
    "-qq",
    "-s",
    "-v",
    "-vv",
    "-x",
];
/// Endings of a target that runs all: `test-all` runs no less than `test`.
const ALL: [&str; 6] = ["all", "ci", "everything", "full", "run", "whole"];
/// Names of variables that select tests: `make test TESTS=lamp`.
const VARIABLES: [&str; 5] = ["CASE", "FILTER", "ONLY", "PATTERN", "TEST"];

/// Whether a run of tests covers less than another one of the same program: it has all of its words, or narrower ones,
/// and some more that select tests or leave some out.
pub(in crate::summary::extractive) fn is_narrower(run: &Command, than: &Command) -> bool {
    Selection::of(run).is_narrower(&Selection::of(than))
}

/// The words of the step of a command that runs tests, without what only launches it; none if it runs none.
#[derive(Debug)]
pub(in crate::summary::extractive) struct Selection<'c>(Vec<&'c str>);

impl<'c> Selection<'c> {
    pub(in crate::summary::extractive) fn of(command: &'c Command) -> Self {
        Self(of_tests(command))
    }

    /// That of a command without tests.
    pub(in crate::summary::extractive) fn none() -> Self {
        Self(Vec::new())
    }

    /// Whether it covers less than another one.
    pub(in crate::summary::extractive) fn is_narrower(&self, than: &Self) -> bool {
        let (own, more) = (&self.0, &than.0);
        let Some(program) = own.first().filter(|program| more.first() == Some(program)) else { return false };
        let is_new = |at: usize| !more.contains(&own[at]);
        let has = |word: &&str| {
            WIDE.contains(word) || FLAGS.contains(word) || own.contains(word) || own.iter().any(|own| is_in(own, word))
        };
        let selects = |at: usize| is_new(at) && selects(own, at, program, is_new(at - 1));
        let mut told = more.iter().filter(|word| !word.starts_with('-') || selects_by(word, program));
        told.all(has) && (1..own.len()).any(selects)
    }

    /// Whether it runs all that another one does: it has no word more, and no option less.
    pub(in crate::summary::extractive) fn covers(&self, other: &Self) -> bool {
        let is_known = |word: &&str| WIDE.contains(word) || FLAGS.contains(word) || other.0.contains(word);
        let has = |option: &&str| FLAGS.contains(option) || self.0.contains(option);
        let mut options = other.0.iter().filter(|word| word.starts_with('-') && !selects_by(word, other.0[0]));
        !self.0.is_empty() && self.0.first() == other.0.first() && self.0.iter().all(is_known) && options.all(has)
    }
}

/// Whether a narrower run had all tests that failed in another one, by the names in the result of that.
pub(in crate::summary::extractive) fn has_failed_tests(run: &Command, than: &Command, result: &str) -> bool {
    let (own, more) = (of_tests(run), of_tests(than));
    if own.iter().any(|word| RETRIES.contains(word)) {
        return true;
    }
    let Some(names) = failing_tests(&output(result)) else { return false };
    let words: Vec<&str> = own.iter().filter(|word| !more.contains(word)).map(|word| stem(word)).collect();
    let is_known = |name: &str| words.iter().any(|word| name == *word || word.len() > 1 && name.contains(*word));
    names.split("; ").all(|name| is_known(name.split(" - ").next().unwrap_or(name)))
}

/// The words of the step of a command that runs tests, without what only launches it.
fn of_tests(command: &Command) -> Vec<&str> {
    let tests = |step: &&Vec<String>| {
        let line = step.join(" ");
        runs_tests(&line) || runs_test_script(&line)
    };
    let Some(step) = command.steps().iter().find(tests) else { return Vec::new() };
    let told = step.iter().map(String::as_str).filter(|word| !word.contains(['>', '<']) && !word.starts_with('+'));
    let is_module = |word: &str| word == "-m";
    let mut words: Vec<&str> =
        told.skip_while(|word| LAUNCHERS.contains(word) || is_module(word) || word.contains('=')).collect();
    if let Some(program) = words.first_mut() {
        *program = base_name(program);
    }
    words.retain(|word| *word != "run");
    words
}

/// Whether the word at `at` selects tests; `behind_new`: the word before it is a new one, too.
fn selects(own: &[&str], at: usize, program: &str, behind_new: bool) -> bool {
    let (word, before) = (own[at], own[at - 1]);
    if word.starts_with('-') {
        return selects_by(word, program);
    }
    if let Some((name, _)) = word.split_once('=') {
        return contains_any(name, &VARIABLES) || name == "T";
    }
    if before == "-p" && program.starts_with("py") {
        return false;
    }
    let is_value = behind_new && before.starts_with('-') && !before.contains('=') && !FLAGS.contains(&before);
    !WIDE.contains(&word)
        && (!is_value || word.contains(['/', ':']) || word.contains('.') && !word.starts_with(is_digit))
}

fn is_digit(sign: char) -> bool {
    sign.is_ascii_digit()
}

fn selects_by(option: &str, program: &str) -> bool {
    let name = option.split('=').next().unwrap_or(option);
    // There it names a plugin.
    SELECTING.contains(&name) && !(name == "-p" && program.starts_with("py"))
}

/// Whether a word is a narrower one: `test-lamp` than `test`, `tests/lamp.py` than `tests`.
fn is_in(word: &str, wide: &str) -> bool {
    let rest = word.strip_prefix(wide.trim_end_matches('/'));
    rest.and_then(|rest| rest.strip_prefix(['-', ':', '_', '/']))
        .is_some_and(|rest| !rest.is_empty() && !ALL.contains(&rest.trim_start_matches(':')))
}

/// What a word selects by: the last part of a path, without its ending.
fn stem(word: &str) -> &str {
    let word = word.trim_matches(['\'', '"', '*', '^', '$']).trim_end_matches(['/', '.']);
    let own = word.rsplit(['/', ':', '=']).next().unwrap_or(word);
    own.split('.').next().unwrap_or(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_selects_tests_is_a_narrower_one() {
        for (run, than) in [
            ("cargo test lamp", "cargo test"),
            ("cd quay && cargo test --lib 2>&1 | tail -3", "cargo test --workspace"),
            ("cargo test -- --skip lamp", "cargo test"),
            ("cargo test -p quay", "RUST_BACKTRACE=1 cargo test --all"),
            ("npm test -- lamp", "npm test"),
            ("npm run test:unit", "npm test"),
            ("python -m pytest -k lamp", "pytest -q"),
            ("pytest -q tests/test_lamp.py::test_oil", "pytest -q"),
            ("pytest tests/test_lamp.py", "pytest tests"),
            ("pytest -q -m 'not slow'", "pytest -q"),
            ("go test ./lamp", "go test ./..."),
            ("go test -run TestLamp ./...", "go test -v ./..."),
            ("make test-lamp", "make test"),
            ("make test TESTS=lamp", "make test"),
            ("mvn test -Dtest=Lamp", "mvn test"),
        ] {
            assert!(is_narrower(&run.into(), &than.into()), "{run} {than}");
            assert!(!is_narrower(&than.into(), &run.into()), "{than} {run}");
        }
    }

    #[test]
    fn another_run_is_no_narrower_one() {
        for (run, than) in [
            ("cargo test -- --nocapture", "cargo test"),
            ("cargo test --release -j 4", "cargo test"),
            ("cargo +nightly test", "cargo test"),
            ("cargo test --features oil", "cargo test"),
            ("cargo nextest run", "cargo test"),
            ("cargo test --workspace 2>&1 | tail -5", "cargo test"),
            ("cargo test quay", "cargo test lamp"),
            ("npm run test", "npm test"),
            ("npm run test:all", "npm run test"),
            ("npx vitest run", "npm test"),
            ("pytest -q -n 4 --tb=short", "pytest"),
            ("pytest -p no:cacheprovider", "pytest"),
            ("go test -race -count=1 -timeout 60s ./...", "go test ./..."),
            ("make test V=1", "make test"),
            ("make all", "make test"),
        ] {
            assert!(!is_narrower(&run.into(), &than.into()), "{run} {than}");
        }
    }

    #[test]
    fn a_run_without_an_option_of_another_one_covers_it_not() {
        let covers = |run: &str, other: &str| {
            let (run, other): (Command, Command) = (run.into(), other.into());
            Selection::of(&run).covers(&Selection::of(&other))
        };
        assert!(covers("cargo test", "cargo test lamp") && covers("pytest -q", "pytest -q tests/test_lamp.py"));
        for (run, other) in [
            ("go test ./...", "go test -race ./..."),
            ("cargo test", "cargo test --features oil"),
            ("cargo test", "cargo test --no-default-features"),
            ("pytest", "pytest --runslow"),
        ] {
            assert!(!covers(run, other), "{other}");
        }
    }

    #[test]
    fn what_failed_may_have_run_again() {
        let red = "FAILED tests/test_lamp.py::test_oil - assert 1 == 2\n1 failed, 2 passed in 0.12s";
        let again = |run: &str| has_failed_tests(&run.into(), &"pytest".into(), red);
        assert!(again("pytest tests/test_lamp.py") && again("pytest -k oil") && again("pytest --lf"));
        assert!(!again("pytest tests/test_quay.py") && !again("pytest -k quay"));
    }
}
