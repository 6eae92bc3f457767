//! Commands of a shell call: program and first argument.

use super::{Class, Fact, pattern};
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

static HERE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"<<\s*'?"?\w+"#));
static SEPARATOR: LazyLock<Regex> = LazyLock::new(|| pattern(r"\s*(?:&&|\|\||;|\||\n)\s*"));
static COMMAND: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:[A-Z_]+=\S+\s+)*(?:sudo\s+|time\s+|timeout\s+\S+\s+)?([\w./-]+)((?:\s+\S+)*)$"));

/// Characters of an argument; of a longer one the beginning counts.
const LONGEST: usize = 80;

/// Programs whose runs are worth knowing; `python` with any version beside them.
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

/// The commands in the text of a shell call; what stands in a here-document is none.
pub fn commands(text: &str) -> BTreeSet<Fact> {
    let text = HERE.find(text).map_or(text, |here| &text[..here.start()]);
    SEPARATOR.split(text).filter_map(command).map(|value| Fact { class: Class::Cmd, value }).collect()
}

/// Whether the argument of a command was cut.
pub fn is_cut(command: &str) -> bool {
    command.split_once(' ').is_some_and(|(_, first)| first.chars().count() == LONGEST)
}

fn command(segment: &str) -> Option<String> {
    let segment = segment.split_whitespace().collect::<Vec<_>>().join(" ");
    let segment = segment.trim_matches('`');
    if segment.chars().count() > 300 {
        return None;
    }
    let found = COMMAND.captures(segment)?;
    let (path, arguments) = (found.get(1)?.as_str(), found.get(2)?.as_str());
    let program = path.rsplit('/').next().unwrap_or(path);
    let python = program
        .strip_prefix("python")
        .is_some_and(|version| version.chars().all(|letter| letter.is_numeric() || letter == '.'));
    if !(python || PROGRAMS.contains(&program) || path.starts_with("./")) {
        return None;
    }
    let first = arguments.split_whitespace().find(|argument| !argument.starts_with('-'))?;
    let first: String = first.trim_matches(['\'', '"']).chars().take(LONGEST).collect();
    Some(format!("{program} {first}"))
}
