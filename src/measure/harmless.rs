//! Commands that, judging by their words, change no file.

use super::pattern;
use crate::summary::{quoting, starts_any};
use regex::Regex;
use std::sync::LazyLock;

/// Programs that show files or facts about them, and change none.
const SHOWING: [&str; 26] = [
    "basename",
    "bat",
    "cat",
    "cmp",
    "column",
    "cut",
    "diff",
    "dirname",
    "du",
    "egrep",
    "file",
    "grep",
    "head",
    "jq",
    "less",
    "ls",
    "md5sum",
    "nl",
    "realpath",
    "rg",
    "sha256sum",
    "stat",
    "tail",
    "tr",
    "wc",
    "which",
];
/// Other programs that change no file and often accompany them.
const SAYING: [&str; 7] = ["cd", "date", "echo", "printf", "pwd", "test", "true"];
const SHOWING_GIT: [&str; 8] = ["blame", "diff", "grep", "log", "ls-files", "rev-parse", "show", "status"];
/// Programs that run tests, or only check.
const TESTING: [&str; 11] =
    ["eslint", "flake8", "jest", "mocha", "mypy", "nox", "pylint", "pyright", "pytest", "tox", "vitest"];
/// Programs with subcommands that test, build or check.
const BUILDING: [&str; 8] = ["bun", "cargo", "deno", "go", "npm", "pnpm", "ruff", "yarn"];
/// Programs that run several targets, each of which may write.
const OF_TARGETS: [&str; 4] = ["gradle", "./gradlew", "make", "mvn"];
const CHECKS: [&str; 6] = ["build", "check", "clippy", "test", "typecheck", "vet"];
/// Programs that change files unless they are told to check only.
const CHECKING: [(&str, [&str; 2]); 3] =
    [("black", ["--check", "--diff"]), ("prettier", ["--check", "-c"]), ("tsc", ["--noEmit", "--version"])];
/// Programs that change no file of the work.
const ASIDE: [&str; 16] = [
    "env", "export", "free", "hostname", "id", "kill", "mkdir", "nproc", "pgrep", "ping", "ps", "sleep", "type",
    "uname", "unset", "whoami",
];
/// Subcommands that change no file of the work: they test it, record it, send it, or show something.
const ASIDE_BY_WORD: [(&str, &[&str]); 4] = [
    ("git", &["branch", "commit", "fetch", "push", "remote", "tag"]),
    ("gh", &["api", "auth", "issue", "label", "release"]),
    ("kubectl", &["describe", "get", "logs"]),
    ("docker", &["images", "inspect", "logs", "ps"]),
];
/// Words of `gh pr` and `gh run` that fetch no files.
const AT_GITHUB: [&str; 10] =
    ["checks", "close", "comment", "create", "diff", "edit", "list", "merge", "view", "watch"];
/// Suffixes of script names that write their output into files: `check:fix`.
const WRITERS: [&str; 8] = ["coverage", "docs", "fix", "format", "gen", "snapshot", "update", "write"];

/// Redirections to nowhere, or of errors to the output.
static SILENCED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:\d|&)?>\s*/dev/null\b|2>&1"));
/// The line ranges that `sed -n` prints.
static PRINTED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"^['"]?(?:\d+|\$)(?:,(?:\d+|\$))?p(?:_\d+(?:,\d+)?p)*['"]?$"#));
/// Options that make tests write their expectations, or a check fix what it finds.
static WRITES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:^|\s)(?:-u|-w|-o|--out\S*|--?\S*(?:update|write|fix|bless|accept|snapshot)\S*|--cov\S*)(?:[\s=]|$)")
});

/// Whether a command only shows files, in all its steps.
pub fn only_shows(command: &str) -> bool {
    each_step(command, shows)
}

/// Whether a command only shows files, builds, runs tests, or records and sends the work, without an option to write
/// results.
pub fn only_shows_or_tests(command: &str) -> bool {
    !WRITES.is_match(command) && each_step(command, |step| shows(step) || tests(step) || stands_aside(step))
}

fn each_step(command: &str, harmless: impl Fn(&str) -> bool) -> bool {
    let Some(bare) = without_signs_in_quotes(&SILENCED.replace_all(command, "")) else { return false };
    let steps = bare.split("&&").flat_map(|steps| steps.split(['|', ';', '\n']));
    let mut steps = steps.map(str::trim).filter(|step| !step.is_empty());
    let plain = !bare.replace("&&", "").contains(['>', '<', '&', '`', '$']);
    plain && steps.clone().next().is_some() && steps.all(harmless)
}

/// A command with separators, redirections and expansions inside quotes replaced by `_`, as the shell takes them
/// literally there; `None` if a quote is not closed.
fn without_signs_in_quotes(command: &str) -> Option<String> {
    let plain = |(_, letter, quote, _): (usize, char, Option<char>, bool)| match (quote, letter) {
        (Some('\''), '`' | '$') | (Some(_), '|' | ';' | '&' | '<' | '>' | '\n') => '_',
        _ => letter,
    };
    let ends = quoting(command).last().is_none_or(|(_, _, quote, _)| quote.is_none());
    ends.then(|| quoting(command).map(plain).collect())
}

/// Whether one step of a command only shows files, or prints something.
fn shows(step: &str) -> bool {
    let words: Vec<&str> = step.split_whitespace().collect();
    match *words {
        ["git", word, ..] => SHOWING_GIT.contains(&word) && !words.iter().any(|word| word.starts_with("--output")),
        ["sed", "-n", lines, ..] => PRINTED.is_match(lines) && !words.iter().any(|word| word.starts_with("-i")),
        [program, ..] => SHOWING.contains(&program) || SAYING.contains(&program),
        [] => true,
    }
}

/// Whether one step asks a program for its version, searches for files, records or sends the work, or does something
/// beside it.
fn stands_aside(step: &str) -> bool {
    let words: Vec<&str> = step.split_whitespace().collect();
    let acts = |word: &&str| starts_any(word, &["-delete", "-exec", "-fls", "-fprint", "-ok"]);
    let short = |word: &&str| word.starts_with('-') && !word.starts_with("--") && word.contains(['O', 'J', 'o']);
    let saves = |word: &&str| short(word) || word.starts_with("--remote");
    match *words {
        [_, "--version" | "-V" | "--help"] => true,
        ["find", ..] => !words.iter().any(acts),
        ["curl", ..] => !words.iter().any(saves),
        // A named file is one that somebody changed.
        ["git", "add", ref rest @ ..] => rest.iter().all(|word| matches!(*word, "-A" | "-u" | "--all" | ".")),
        ["gh", "pr" | "run", word, ..] => AT_GITHUB.contains(&word),
        [program, word, ..] if ASIDE_BY_WORD.iter().any(|(name, own)| *name == program && own.contains(&word)) => true,
        [program, ..] => ASIDE.contains(&program) && words.iter().all(|word| !is_run_by(program, word)),
        [] => false,
    }
}

/// Whether a word may be a program that `env` runs.
fn is_run_by(program: &str, word: &str) -> bool {
    program == "env" && word != program && !word.contains('=')
}

/// Whether one step runs tests, or only builds and checks.
fn tests(step: &str) -> bool {
    const RUNNERS: [&str; 10] = ["npx", "uv", "run", "python", "python3", "-m", "poetry", "pipenv", "pdm", "bunx"];
    let mut words = step.split_whitespace().skip_while(|word| RUNNERS.contains(word));
    let program = words.next().unwrap_or_default();
    let only = CHECKING.iter().find(|(name, _)| *name == program).map(|(_, options)| options);
    if let Some(options) = only {
        return words.any(|word| options.contains(&word));
    }
    let checks = |word: &str| {
        let (name, of) = word.split_once(':').unwrap_or((word, ""));
        CHECKS.contains(&name) && !WRITERS.contains(&of)
    };
    if OF_TARGETS.contains(&program) {
        let mut targets = words.filter(|word| !word.starts_with('-')).peekable();
        return targets.peek().is_some() && targets.all(checks);
    }
    TESTING.contains(&program) || BUILDING.contains(&program) && words.find(|word| *word != "run").is_some_and(checks)
}

#[cfg(test)]
mod tests {
    use super::{only_shows, only_shows_or_tests};

    #[test]
    fn commands_that_only_show_are_known_line_by_line() {
        assert!(only_shows("cat a.rs\ncut -f1 b.rs | wc -l") && only_shows("git show HEAD 2>&1"));
        assert!(!only_shows("cat a.rs\nsed -i s/a/b/ b.rs") && !only_shows("cat a.rs > b.rs"));
    }

    #[test]
    fn signs_in_quotes_part_nothing() {
        for command in [
            r#"grep -rn "lamp\|quay" src/a.rs 2>/dev/null | head -20; echo "=== b > c ===""#,
            r"sed -n '68,95p;120,130p' src/a.rs && rg -n 'fn (a|b)\(|`x`|\$y' src",
            r#"rg "say \"a | b\"" src"#,
        ] {
            assert!(only_shows(command), "{command}");
        }
        for command in [
            r#"grep "a" b.rs > c.rs"#,
            r#"echo "$(rm a.rs)""#,
            "echo 'it",
            r"sed -n '1,5w a.rs' b.rs",
            "grep -l a b | xargs rm",
        ] {
            assert!(!only_shows(command), "{command}");
        }
    }

    #[test]
    fn tests_change_nothing_unless_they_are_told_to() {
        for command in [
            "npm test -- tests/a.test.ts",
            "cd src && go test ./... | tail -5",
            "python -m pytest -q tests/a.py",
            "bun run test:unit",
            "git add -A && git commit -m 'Mend the lamp' && git push",
            "mkdir -p out; sleep 5; export A=1",
            "python --version && find . -name lamp.rs",
            "ruff check . && black --check . && npx tsc --noEmit && poetry run pytest",
            "curl -s http://localhost:8080/ | head -3",
            "gh pr create --title Lamp && kubectl get pods",
            "make test",
            "make -j4 check test",
            "./gradlew test",
        ] {
            assert!(only_shows_or_tests(command) && !only_shows(command), "{command}");
        }
        for command in [
            "npx vitest -u tests/a.test.ts",
            "npm run build-docs",
            "npm run check:fix -- a.ts",
            "go test ./a -update b.golden",
            "bun build a.ts --outfile b.js",
            "git diff --output=a.patch",
            "npm run format",
            "cargo fmt",
            "npm test --update-snapshots",
            "pytest --cov-report=html",
            "pytest --inline-snapshot=create",
            "npm run test:coverage",
            "black .",
            "ruff check --fix .",
            "make quay",
            "make test fmt",
            "mvn test fmt:format",
            "env A=1 ./paint.sh",
            "find . -name lamp.rs -delete",
            "find . -fprint0 lamps.txt",
            "npm run lint",
            "git stash",
            "gh pr checkout 7",
            "curl -sO http://localhost/lamp.rs",
        ] {
            assert!(!only_shows_or_tests(command), "{command}");
        }
    }
}
