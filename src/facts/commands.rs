//! Commands of a shell call: program and first argument.

use super::{Class, Fact, pattern};
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

static HERE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"<<\s*'?"?\w+"#));

/// Most characters of an argument; a longer one is cut.
const LONGEST: usize = 80;
/// Most characters of a command; a longer segment is none.
const LONGEST_SEGMENT: usize = 300;

/// Programs whose runs count as facts; `python` with any version does too.
const PROGRAMS: &[&str] = &[
    "pytest",
    "py.test",
    "go",
    "golangci-lint",
    "gofmt",
    "goimports",
    "cargo",
    "rustc",
    "rustup",
    "npm",
    "npx",
    "yarn",
    "pnpm",
    "bun",
    "node",
    "deno",
    "tsc",
    "jest",
    "vitest",
    "eslint",
    "prettier",
    "make",
    "cmake",
    "ninja",
    "git",
    "gh",
    "docker",
    "docker-compose",
    "kubectl",
    "helm",
    "terraform",
    "curl",
    "wget",
    "pip",
    "pip3",
    "pipx",
    "uv",
    "uvx",
    "poetry",
    "tox",
    "nox",
    "ruff",
    "mypy",
    "black",
    "flake8",
    "pylint",
    "isort",
    "sphinx-build",
    "sphinx-apidoc",
    "bash",
    "sh",
    "protoc",
    "jq",
    "sqlite3",
    "psql",
    "ssh",
    "scp",
    "rsync",
    "brew",
    "apt",
    "apt-get",
    "mvn",
    "gradle",
    "java",
    "javac",
    "dotnet",
    "ruby",
    "bundle",
    "rake",
    "php",
    "composer",
    "swift",
    "xcodebuild",
    "specstory",
    "claude",
    "codex",
    "open",
    "edit",
    "create",
    "find_file",
    "search_file",
    "search_dir",
    "goto",
    "submit",
];

/// Returns the commands in the text of a shell call, up to a here-document.
pub fn commands(text: &str) -> BTreeSet<Fact> {
    let mut all = BTreeSet::new();
    each(text, &mut |value| {
        all.insert(Fact { class: Class::Cmd, value });
    });
    all
}

/// Calls `tell` for each command.
pub(super) fn each(text: &str, tell: &mut dyn FnMut(String)) {
    let text = if text.contains("<<") { HERE.find(text).map_or(text, |here| &text[..here.start()]) } else { text };
    let lines = text.split(['\n', ';', '|']).flat_map(|line| line.split("&&"));
    lines.filter_map(command).for_each(tell);
}

/// The name of a program without its folders: `make` of `/usr/bin/make`. A backslash is part of a word of a shell.
pub fn program_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether the first argument of a command was cut.
pub fn is_cut(command: &str) -> bool {
    command.split_once(' ').is_some_and(|(_, first)| first.chars().count() == LONGEST)
}

fn command(segment: &str) -> Option<String> {
    let segment = segment.trim().trim_matches('`');
    if segment.starts_with(char::is_whitespace) || segment.ends_with(char::is_whitespace) {
        return None;
    }
    let mut words = segment.split_whitespace().skip_while(|word| sets_variable(word)).peekable();
    if words.next_if(|word| matches!(*word, "sudo" | "time" | "timeout")) == Some("timeout") {
        words.next();
    }
    let path = words.next().filter(|word| is_path(word))?;
    let program = program_name(path);
    let python = program
        .strip_prefix("python")
        .is_some_and(|version| version.chars().all(|letter| letter.is_numeric() || letter == '.'));
    if !(python || PROGRAMS.contains(&program) || path.starts_with("./")) || is_long(segment) {
        return None;
    }
    let first = words.find(|argument| !argument.starts_with('-'))?;
    let first: String = first.trim_matches(['\'', '"']).chars().take(LONGEST).collect();
    Some(format!("{program} {first}"))
}

/// Whether a segment is too long for a command, counted with single spaces between its words.
fn is_long(segment: &str) -> bool {
    let letters = segment.split_whitespace().map(|word| word.chars().count() + 1);
    segment.len() > LONGEST_SEGMENT && letters.sum::<usize>() > LONGEST_SEGMENT + 1
}

/// Whether a word sets a variable before a command: `NAME=value`.
fn sets_variable(word: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    word.split_once('=').is_some_and(|(name, value)| is_name(name) && !value.is_empty())
}

/// Whether a word has only letters of a program's path.
fn is_path(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|letter| letter.is_alphanumeric() || "_./-".contains(letter))
}
