//! Claims that a program builds, and commands that build one.

use super::pattern;
use crate::facts::program_name;
use crate::summary::{all_digits, each_word, shell_words};
use regex::Regex;
use std::sync::LazyLock;

/// Words that say something builds.
static BUILDS: LazyLock<Regex> = LazyLock::new(|| {
    let well = r"(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|is (?:green|clean|successful)|was (?:green|clean|successful))";
    pattern(&format!(
        r"(?i)\bbuilds? (?:now |also )?{well}\b|\b(?:now |all )?(?:compiles|builds) (?:now|cleanly|fine|again|successfully|without (?:any )?(?:errors?|warnings?))\b|\b(?:it|project|code|crate|package|app) (?:now )?(?:compiles|builds)$"
    ))
});
/// Words before the claim that make it none about now, and words behind it that take it back.
static DOUBTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:says?|said|first|then|broke|fix|mend|so (?:that )?(?:it|the)|on (?:his|her|their))\b")
});
static BUT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:broke|fail\w*|on (?:his|her|their))\b"));
/// Words that say which of several things builds. “The crate” is what `cargo` builds.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:app|backend|binary|client|crate|debug|docker|docs|documentation|frontend|image|library|module|package|release|server|site|web|workspace)\b",
    )
});
/// Programs before the one that builds, with or without a number as their argument.
const BEFORE: [&str; 10] = ["bunx", "env", "exec", "nice", "npx", "pipx", "sudo", "time", "timeout", "xvfb-run"];
/// Programs whose first word may be `build`, and package managers with scripts of that name.
const WITH_BUILD: [&str; 10] = ["bazel", "cabal", "dotnet", "flutter", "go", "next", "stack", "swift", "vite", "zig"];
const MANAGERS: [&str; 4] = ["bun", "npm", "pnpm", "yarn"];
/// Words of a package manager that run no script.
const NO_SCRIPT: [&str; 6] = ["add", "exec", "i", "install", "remove", "view"];
/// Options with which a program builds nothing.
const TELLS: [&str; 4] = ["--dry-run", "--help", "--just-print", "--version"];
/// Shells that run a text.
const SHELLS: [&str; 4] = ["bash", "dash", "sh", "zsh"];
/// Words of commands that say nothing about what is built.
const GENERAL: [&str; 6] = ["all", "build", "check", "install", "run", "test"];
/// Options with a value behind them.
const VALUED: [&str; 9] = ["-C", "-F", "-f", "-w", "-x", "--cwd", "--filter", "--prefix", "--workspace"];
/// Number of plain words of a package manager in which `build` is sought.
const FIRST: usize = 2;

/// Whether a line says that something builds.
pub(super) fn says_built(line: &str) -> bool {
    let line = line.trim_end_matches(['.', '!']);
    BUILDS.find(line).is_some_and(|found| !DOUBTS.is_match(&line[..found.end()]) && !BUT.is_match(&line[found.end()..]))
}

/// Whether a line names which of several things builds, or the program or a target of another command.
pub(super) fn names_what(line: &str, other: &str) -> bool {
    let lower = line.to_lowercase();
    let says = |word: &String| !GENERAL.contains(&&**word) && each_word(&lower).any(|own| own == word);
    NAMED.is_match(line) || shell_words(other).iter().any(|step| builds(step) && step.iter().any(says))
}

/// Whether a step of a command builds a program or checks that it would, also inside `bash -c '…'`.
pub fn is_build(command: &str) -> bool {
    shell_words(command).iter().any(|step| {
        let inside = || text_of(step).is_some_and(|text| shell_words(text).iter().any(|step| builds(step)));
        builds(step) || inside()
    })
}

/// The text that a step has a shell run, here, in a container, or on another machine.
fn text_of(step: &[String]) -> Option<&str> {
    if step.first().is_some_and(|first| first == "ssh") {
        return step.last().map(String::as_str);
    }
    let shell = step.iter().position(|word| SHELLS.contains(&program_name(word)))?;
    let option = step[shell..].iter().position(|word| ["-c", "-lc", "-ec"].contains(&&**word))?;
    step.get(shell + option + 1).map(String::as_str)
}

fn builds(step: &[String]) -> bool {
    let lead = |word: &&&str| BEFORE.contains(*word) || word.contains('=') || all_digits(word.trim_end_matches('s'));
    let all: Vec<&str> = step.iter().map(String::as_str).collect();
    let start = all.iter().take_while(lead).count();
    let Some((program, rest)) = all[start..].split_first() else { return false };
    let tries = program.ends_with("make") && rest.contains(&"-n");
    if tries || rest.iter().any(|word| TELLS.contains(word)) {
        return false;
    }
    let plain: Vec<&str> = plain(rest).collect();
    let builds = |word: &&str| *word == "build" || word.starts_with("build:");
    match program_name(program) {
        "cargo" => plain.first().is_some_and(|word| ["build", "check"].contains(word)),
        "make" => plain.iter().all(|word| ["all", "build"].contains(word)),
        "cmake" => rest.contains(&"--build"),
        "gradle" | "gradlew" => plain.iter().any(|word| word.contains("build") || word.contains("assemble")),
        "mvn" | "mvnw" => plain.iter().any(|word| ["compile", "package", "install"].contains(word)),
        "ninja" | "tsc" | "xcodebuild" => true,
        own if WITH_BUILD.contains(&own) => plain.first().is_some_and(builds),
        own if MANAGERS.contains(&own) => {
            plain.iter().take(FIRST).any(builds) && !plain.first().is_some_and(|word| NO_SCRIPT.contains(word))
        }
        _ => false,
    }
}

/// The words of a command that are no options, values of options, toolchains, or variables.
fn plain<'w>(words: &'w [&'w str]) -> impl Iterator<Item = &'w str> {
    let is_value = |at: usize| at.checked_sub(1).is_some_and(|before| VALUED.contains(&words[before]));
    let plain = move |(at, word): &(usize, &&str)| {
        !word.starts_with(['-', '+']) && !word.contains('=') && !all_digits(word) && !is_value(*at)
    };
    words.iter().enumerate().filter(plain).map(|(_, word)| *word)
}

#[cfg(test)]
mod tests {
    use super::{is_build, names_what, says_built};

    #[test]
    fn builds_are_told_in_many_words() {
        for line in [
            "The build passes.",
            "Build is green",
            "it compiles",
            "The crate now builds without warnings",
            "The build passes, so the pull request is ready",
            "The build passes now; then the lamps were lit",
            "The build passes for the first time",
        ] {
            assert!(says_built(line), "{line}");
        }
        for line in [
            "The build failed",
            "It builds a lamp",
            "compiles the lamp table",
            "run the build",
            "The user says the build passes.",
            "First build passed, then it broke.",
            "The build passes on their machine",
            "Fix the code so it compiles now",
        ] {
            assert!(!says_built(line), "{line}");
        }
    }

    #[test]
    fn a_line_may_say_what_builds() {
        for line in ["The crate builds again.", "`npm run build` now builds cleanly.", "npm builds fine"] {
            assert!(names_what(line, "cd web && npm run build"), "{line}");
        }
        for line in ["The build passes.", "It builds cleanly."] {
            assert!(!names_what(line, "npm run build:docs && cargo build"), "{line}");
        }
    }

    #[test]
    fn builds_are_run_by_many_programs() {
        for command in [
            "cargo build --release",
            "cd lamp && npm run build",
            "./gradlew :lamp:assembleDebug",
            "npx tsc",
            "make 2>&1 | tail",
            "make -j 8",
            "make -C quay all",
            "timeout 300 cargo build",
            "RUSTFLAGS=\"-D warnings -C x\" cargo build",
            "bash -c 'cd lamp && cargo build --release'",
            "ssh quay 'cd lamp; cargo build'",
            "docker exec web sh -c 'npm run build:prod && ls'",
            "(cd web && npm run build)",
            "pnpm --filter web build",
            "npm --prefix web run build:docs",
            "cargo +nightly check",
        ] {
            assert!(is_build(command), "{command}");
        }
        for command in [
            "cargo fmt",
            "ls build",
            "npm run lint",
            "cat tsconfig.json",
            "cmake -S .",
            "make lint",
            "git commit -m 'make the lamp lit'",
            "git commit -m 'Mend the lamp; cargo build works'",
            "cat > HOW.md <<EOF\nmake\nEOF",
            "npm install build",
            "docker build .",
            "grep -c 'cargo build' ci.yml",
            "git -c user.name=me commit -m 'Mend it; cargo build works'",
            "python3 -c 'import lamp; make'",
            "make --version",
            "make -n",
            "tsc --version",
            "./gradlew test -x buildDocs",
            "go test ./build",
        ] {
            assert!(!is_build(command), "{command}");
        }
    }
}
