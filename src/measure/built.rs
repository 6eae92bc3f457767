//! Claims that a program builds, and commands that build one.

use super::pattern;
use regex::Regex;
use std::sync::LazyLock;

/// Words that say something builds.
static BUILDS: LazyLock<Regex> = LazyLock::new(|| {
    let well = r"(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|is (?:green|clean|successful)|was (?:green|clean|successful))";
    pattern(&format!(
        r"(?i)\bbuilds? (?:now |also )?{well}\b|\b(?:now |all )?(?:compiles|builds) (?:now|cleanly|fine|again|successfully|without (?:any )?(?:errors?|warnings?))\b|\b(?:it|project|code|crate|package|app) (?:now )?(?:compiles|builds)$"
    ))
});
/// Words that make it no claim about now.
static DOUBTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:says?|said|first|then|broke|fix|mend|so (?:that )?(?:it|the)|on (?:his|her|their))\b")
});
/// Beginnings of commands that build a program or check that it would.
static BUILD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"^(?:\w+=\S+ |npx |bunx |time )*(?:cargo (?:\+\S+ )?(?:build|check)|(?:go|swift|zig|stack|cabal|dotnet|flutter|next|vite) build|tsc",
        r"|(?:npm|yarn|pnpm|bun) (?:run )?build(?::\w+)?|make(?: -j ?\d*)?(?: all| build)?$|ninja|cmake --build",
        r"|(?:\./)?gradlew? (?:\S+ )*\S*(?:build|assemble)\w*|mvn (?:\S+ )*(?:compile|package|install)|xcodebuild)(?:\s|$)"
    ))
});
/// Signs between the steps of a command.
const STEPS: [char; 4] = ['&', ';', '|', '\n'];

/// Whether a line says that something builds.
pub(super) fn says_built(line: &str) -> bool {
    BUILDS.is_match(line.trim_end_matches(['.', '!'])) && !DOUBTS.is_match(line)
}

/// Whether a step of a command builds a program or checks that it would.
pub(super) fn is_build(command: &str) -> bool {
    command.split(STEPS).any(|step| BUILD.is_match(step.trim()))
}

#[cfg(test)]
mod tests {
    use super::{is_build, says_built};

    #[test]
    fn builds_are_told_in_many_words() {
        for line in ["The build passes.", "Build is green", "it compiles", "The crate now builds without warnings"] {
            assert!(says_built(line), "{line}");
        }
        for line in [
            "The build failed",
            "It builds a lamp",
            "compiles the lamp table",
            "run the build",
            "The user says the build passes.",
            "First build passed, then it broke.",
            "Fix the code so it compiles now",
        ] {
            assert!(!says_built(line), "{line}");
        }
    }

    #[test]
    fn builds_are_run_by_many_programs() {
        for command in ["cargo build --release", "cd lamp && npm run build", "./gradlew :lamp:assembleDebug", "npx tsc"]
        {
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
        ] {
            assert!(!is_build(command), "{command}");
        }
    }
}
