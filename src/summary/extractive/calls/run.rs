//! The command of a call; its shown form is used by many rules and computed once.

use super::code_run::{code, compared, telling_line};
use super::command::{in_one_line, shown};
use super::quiet::is_quiet;
use super::shell::words;
use super::testing::{runs_test_script, runs_tests};
use crate::summary::text::fold;
use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

/// A command as given.
#[derive(Clone, Default)]
pub(in crate::summary::extractive) struct Command {
    line: String,
    shown: OnceLock<String>,
    quiet: OnceLock<bool>,
    tests: OnceLock<bool>,
    key: OnceLock<String>,
    code: OnceLock<Option<String>>,
    steps: OnceLock<Vec<Vec<String>>>,
}

impl Command {
    /// Its shown form.
    pub(in crate::summary::extractive) fn shown(&self) -> &str {
        self.shown.get_or_init(|| shown(&self.line))
    }

    /// What it is compared by: quotes and pagers make no other command, variables and other code do.
    pub(in crate::summary::extractive) fn key(&self) -> &str {
        self.key.get_or_init(|| match self.code() {
            Some(code) => format!("{}\n{}", compared(self.shown()), fold(code)),
            None => compared(self.shown()),
        })
    }

    /// The code that it passes to an interpreter.
    pub(in crate::summary::extractive) fn code(&self) -> Option<&str> {
        self.code.get_or_init(|| code(&self.line)).as_deref()
    }

    /// The first line of that code that says what it does.
    pub(in crate::summary::extractive) fn telling_line(&self) -> Option<String> {
        self.code().and_then(telling_line)
    }

    /// Its steps, each split into words.
    pub(in crate::summary::extractive) fn steps(&self) -> &[Vec<String>] {
        self.steps.get_or_init(|| words(&self.line))
    }

    /// Whether its shown form only looks.
    pub(in crate::summary::extractive) fn is_quiet(&self) -> bool {
        *self.quiet.get_or_init(|| is_quiet(self.shown()))
    }

    /// Whether it runs tests, also where its shown form is cut before them.
    pub(in crate::summary::extractive) fn runs_tests(&self) -> bool {
        *self.tests.get_or_init(|| match self.shown() {
            cut if cut.ends_with('…') => runs_tests(&in_one_line(&self.line)),
            shown => runs_tests(shown),
        })
    }

    /// Whether it runs tests, or a script that is called a test.
    pub(in crate::summary::extractive) fn is_test(&self) -> bool {
        self.runs_tests() || runs_test_script(self.shown())
    }
}

impl Deref for Command {
    type Target = str;

    fn deref(&self) -> &str {
        &self.line
    }
}

impl From<String> for Command {
    fn from(line: String) -> Self {
        Self { line, ..Self::default() }
    }
}

impl From<&str> for Command {
    fn from(line: &str) -> Self {
        line.to_owned().into()
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.line.fmt(f)
    }
}

impl PartialEq for Command {
    fn eq(&self, other: &Self) -> bool {
        self.line == other.line
    }
}

impl Eq for Command {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_the_same_however_it_was_asked() {
        let (asked, other) =
            (Command::from("cd /quay && make tide"), Command::from("cd /quay && make tide".to_owned()));
        assert_eq!((asked.shown(), asked.shown(), asked.is_quiet()), ("make tide", "make tide", false));
        assert!(asked == other && asked.contains("/quay") && Command::from("ls quay").is_quiet());
        assert_eq!(format!("{other:?}"), r#""cd /quay && make tide""#);
    }

    #[test]
    fn tests_at_the_end_of_a_long_command_are_run() {
        let long = |last: &str| Command::from(format!("make {} && {last}", "lamps ".repeat(40).trim_end()));
        assert!(long("cargo test").shown().ends_with('…') && long("cargo test").runs_tests());
        assert!(!long("echo 'cargo test'").runs_tests() && Command::from("cargo test").runs_tests());
    }

    #[test]
    fn a_command_with_other_code_is_another_one() {
        let run = |code: &str| Command::from(format!("python3 - <<'E'\n{code}\nE"));
        assert_ne!(run("light(1)").key(), run("light(2)").key());
        assert_eq!(
            run("light(1)").key(),
            Command::from("cd /quay && python3 - <<'X' 2>&1 | tail -3\nlight(1)\nX").key()
        );
        assert_eq!(Command::from("CI=1 make 'lamp'").key(), Command::from("make lamp | tail -1").key());
        assert_ne!(Command::from("OIL=1 make lamp").key(), Command::from("OIL=2 make lamp").key());
    }
}
