//! Outcomes of single tests in the output of a test runner. Runners that list every test also name those that passed.

use crate::measure::pattern;
use regex::Regex;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// `FAILED tests/test_a.py::test_rows - …`, `--- PASS: TestRows`, `FAIL [ 0.1s] tables rows::sum`;
/// `test rows::sum ... ok`, `tests/test_a.py::test_rows PASSED`; and `---- rows::sum stdout ----`, the heading above
/// the output of a failed test.
static VERDICT: LazyLock<Regex> = LazyLock::new(|| {
    let first = r"(?:--- )?(FAIL(?:ED)?|ERROR|PASS(?:ED)?|[✓✔✕✗✖×]):?\s+(?:\[[^\]]*\]\s+(?:\S+ +)*)?(\S+)";
    let last =
        r"(?:test )?(\S+)(?: \(\S+\)| - should panic)?(?: \.\.\.)? (ok|PASS(?:ED)?|FAIL(?:ED)?|ERROR)(?:\s|[.,:]|$)";
    pattern(&format!(r"^\s*(?:\[[^\]]*\]\s*)*(?:{first}|{last}|---- (\S+) stdout ----)"))
});
/// Words and signs for a passed test.
const GOOD: &[&str] = &["ok", "PASS", "PASSED", "✓", "✔"];
/// Most separators (`/`, `:`) of a name at which it is split, from its end.
const ENDS: usize = 16;

/// Names of the tests that failed or passed, in full and in part.
#[derive(Debug, Default)]
pub(super) struct Verdicts<'r> {
    names: HashSet<&'r str>,
    /// Suffixes of the names after a separator, and the names.
    ends: HashSet<&'r str>,
    /// Names of the tests that passed, and their suffixes.
    passed: HashSet<&'r str>,
    passed_ends: HashSet<&'r str>,
}

impl<'r> Verdicts<'r> {
    /// Reads the output of a run; the last line about a test counts.
    pub(super) fn of(lines: impl Iterator<Item = &'r str>) -> Self {
        let mut failed = HashMap::new();
        for found in lines.filter_map(|line| VERDICT.captures(line)) {
            let groups = [(2, 1), (3, 4), (5, 5)];
            let group = |(name, verdict)| Some((found.get(name)?.as_str(), found.get(verdict)?.as_str()));
            failed.extend(groups.into_iter().find_map(group).map(|(name, verdict)| (name, !GOOD.contains(&verdict))));
        }
        let mut verdicts = Self::default();
        for (name, failed) in failed {
            let (names, suffixes) = match failed {
                true => (&mut verdicts.names, &mut verdicts.ends),
                false => (&mut verdicts.passed, &mut verdicts.passed_ends),
            };
            for name in [name, bare(name)] {
                names.insert(name);
                suffixes.extend(ends(name));
            }
        }
        verdicts
    }

    /// Names of the tests that failed.
    pub(super) fn names(&self) -> impl Iterator<Item = &'r str> {
        self.names.iter().copied()
    }

    /// The longest name of a failed test with this suffix.
    pub(super) fn named(&self, test: &str) -> Option<&'r str> {
        self.names().filter(|name| ends(name).any(|end| end == test)).max_by_key(|name| (name.len(), *name))
    }

    /// Whether a test passed, and none of this name failed.
    pub(super) fn passed(&self, test: &str) -> bool {
        let passed = || self.passed_ends.contains(test) || ends(test).any(|end| self.passed.contains(end));
        !self.failed(test) && passed()
    }

    /// Whether a test failed, by its name or a suffix; either of the two names may be the longer one.
    pub(super) fn failed(&self, test: &str) -> bool {
        self.ends.contains(test) || ends(test).any(|end| self.names.contains(end))
    }
}

/// A name without the parameters of a test case.
fn bare(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

/// A name, and its suffixes after the last folders and modules.
fn ends(name: &str) -> impl Iterator<Item = &str> {
    let inner = bare(name).rmatch_indices(['/', ':']).take(ENDS).map(|(at, _)| &name[at + 1..]);
    inner.chain([name]).filter(|end| !end.is_empty() && !end.starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(output: &str, test: &str) -> bool {
        Verdicts::of(output.lines()).failed(test)
    }

    #[test]
    fn a_test_failed_where_a_line_names_it_and_says_so() {
        for output in [
            "test parser::load ... FAILED",
            "FAILED src/parser::load - assert 1 == 2",
            "[gw0] [ 50%] FAILED parser::load",
            "parser::load ERROR  [ 50%]",
            "        FAIL [   0.005s] (1/9) tables parser::load",
            "--- FAIL: load (0.00s)",
            "load (tests.parser) ... FAIL",
            "parser::load[3] FAILED\nparser::load[4] PASSED",
            "---- parser::load stdout ----",
            "test parser::load ... ok\ntest parser::load ... FAILED",
        ] {
            assert!(failed(output, "parser::load"), "{output}");
        }
        for output in [
            "test parser::save ... FAILED\ntest parser::load ... ok",
            "test config::load ... FAILED",
            "test parser::load_all ... FAILED",
            "ERROR: could not load",
            "thread 'parser::load' panicked, it failed",
            "test parser::load ... FAILED\ntest parser::load ... ok",
            "test result: FAILED. 1 passed; 1 failed",
        ] {
            assert!(!failed(output, "parser::load"), "{output}");
        }
        assert!(!failed("parser::load[3] FAILED", "parser::load[4]") && failed("load[3] FAILED", "parser::load[3]"));
    }

    #[test]
    fn of_a_name_of_many_pieces_the_last_ones_are_read() {
        let name = "a::".repeat(200_000);
        let output = format!("test {name}load ... FAILED");
        assert!(failed(&output, &format!("{name}load")) && failed(&output, "a::load"));
    }
}
