//! Whether a command runs tests, by their runner or as a script of their own.

use super::command::QUOTED;
use super::quiet::is_quiet;
use crate::facts::pattern;
use crate::summary::text::all_digits;
use regex::{Captures, Regex};
use std::borrow::Cow;
use std::sync::LazyLock;

static TEST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"\b(?:pytest|py\.test|tox|nox|jest|vitest|mocha|rspec|ctest|phpunit|nextest|unittest)\b",
        r"|\b(?:cargo|go|npm|npx|pnpm|yarn|bun|deno|make|just|mvnw?|gradlew?|dotnet|mise|uv|rake|mix|swift|bazel|zig|php",
        r"|composer|stack|cabal|sbt|lein|flutter|dart|xcodebuild)\b[^|;&]*\btests?\b",
        r"|\bnode\s[^|;&]*--test\b|(?:\bmanage\.py|-m\s+django|\bdjango-admin)\s+test\b",
        r"|(?:^|[;&|]\s*)(?:(?:ba|z)?sh\s+|python3?\s+|\./)\S*\brun[_-]?tests?\.(?:sh|py)\b"
    ))
});

/// A script that is called a test.
static SCRIPT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"\b(?:python[0-9.]*|node|bun|tsx|ruby)\s+(?:-\S+\s+)*(?:\S*/)?",
        r"(?:tests?|tests?[_-][\w-]+|[\w-]+[_-]tests?)\.(?:py|m?[jt]s|rb)\b"
    ))
});
/// A step that only installs a runner of tests, or looks for it.
static INSTALL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"^\s*(?:(?:sudo|then|do|\w+=\S*)\s+)*(?:(?:which|type|whereis|command\s+-v)\s",
        r"|(?:\S*python[0-9.]*\s+-m\s+)?(?:uv\s+)?(?:\S*/)?(?:pip[0-9.]*|npm|pnpm|yarn|bun|apt(?:-get)?|brew|conda|poetry|uv|cargo)",
        r"\s+(?:add|ci|freeze|i|install|list|remove|show|uninstall)\b)"
    ))
});
/// Programs that run no tests, and first arguments of others with which they run none.
const HANDLING: [&str; 25] = [
    "apt",
    "black",
    "brew",
    "chmod",
    "clang-format",
    "cp",
    "curl",
    "docker",
    "gh",
    "git",
    "glab",
    "gofmt",
    "isort",
    "kill",
    "ln",
    "mkdir",
    "mv",
    "pip",
    "pkill",
    "prettier",
    "rm",
    "rmdir",
    "rustfmt",
    "touch",
    "wget",
];
const PREPARING: [&str; 11] =
    ["add", "ci", "fmt", "format", "freeze", "i", "install", "list", "remove", "sync", "update"];

/// Whether a command runs tests.
pub(in crate::summary::extractive) fn runs_tests(shown: &str) -> bool {
    let unquoted = unquoted(shown);
    let tests = |step: &str| TEST.is_match(step) && !INSTALL.is_match(step);
    TEST.is_match(&unquoted) && unquoted.split(['&', ';', '|']).map(str::trim).any(tests)
}

/// Whether a command runs a script that is called a test: `python test_lamp.py`.
pub(in crate::summary::extractive) fn runs_test_script(shown: &str) -> bool {
    SCRIPT.is_match(&unquoted(shown))
}

/// Whether a command may run tests under another name: one that handles files or versions does not, nor does one that
/// only formats or installs.
pub(in crate::summary::extractive) fn may_run_tests(shown: &str) -> bool {
    let unquoted = unquoted(shown);
    let mut steps = unquoted.split(['&', ';', '|', '\n']).map(str::trim);
    steps.any(|step| {
        let mut words = step.split_whitespace().skip_while(|word| word.contains('='));
        let (program, first) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        // The end of `2>&1`.
        !all_digits(program) && !HANDLING.contains(&program) && !PREPARING.contains(&first) && !is_quiet(step)
    })
}

/// A command without quoted text that is not run.
fn unquoted(shown: &str) -> Cow<'_, str> {
    QUOTED.replace_all(shown, |found: &Captures<'_>| match found.get(1) {
        Some(_) => found[0].to_owned(),
        None => String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_may_run_in_another_shell() {
        for command in [
            r#"powershell -NoProfile -Command "npx vitest run""#,
            r#"cmd /c "npm test""#,
            "ssh -p 22 quay 'cargo test'",
            "node --test",
            "python manage.py test boats",
            "./run_tests.sh",
        ] {
            assert!(runs_tests(command), "{command}");
        }
        assert!(!runs_tests(r#"echo "cargo test""#) && !runs_tests("cat run_tests.sh; chmod +x ./run_tests.sh"));
    }

    #[test]
    fn tests_may_run_under_another_name() {
        for command in ["./check.sh", "make all", "git pull && make quay", "npm run verify 2>&1 | tail -3"] {
            assert!(may_run_tests(command), "{command}");
        }
        for command in [
            "git add -A && git commit -m 'a; b'",
            "cargo fmt 2>&1",
            "mkdir quay; cp a b",
            "npm ci",
            "uv sync",
            "black .",
            "docker build -t quay .",
        ] {
            assert!(!may_run_tests(command), "{command}");
        }
    }

    #[test]
    fn tests_are_run_by_their_runners_and_not_by_searches_for_them() {
        assert!(runs_tests("go build ./... && mise run test | tail -20") && runs_tests("bash -lc 'pytest -q'"));
        assert!(!runs_tests("ps -ef | rg 'bun test'") && !runs_tests("rg 'bun test a…") && !runs_tests("make all"));
        assert!(!runs_tests(r#"echo "say \"cargo test\"" lamp"#) && runs_tests(r#"echo "\\" && cargo test"#));
        for command in [
            "pip install -q pytest",
            "python3 -m pip install tox && ls",
            "which jest",
            "npm i vitest; ls",
            "A=1 .venv/bin/pip install tox",
        ] {
            assert!(!runs_tests(command), "{command}");
        }
        assert!(runs_tests("pip install pytest && pytest -q") && runs_tests("python -m django test boats | tail -5"));
        for script in ["cd quay && python3 -u test_lamp.py", "node lamps/quay-test.mjs | tail -3", "python test.py"] {
            assert!(runs_test_script(script) && !runs_tests(script), "{script}");
        }
        assert!(!runs_test_script("python latest.py; cat test_lamp.py") && !runs_test_script("python testing.py"));
        assert!(!runs_test_script(r#"git commit -m "Run node quay-test.mjs""#));
        assert!(runs_tests("go test ./... -run add") && runs_tests("cd quay && ./run_tests.sh"));
    }
}
