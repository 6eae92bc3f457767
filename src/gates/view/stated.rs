//! What a stub says of the result that it replaces: how many tests passed or failed, and how the call ended.

use crate::measure::pattern;
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

/// “3 failed”, “all tests passed”, “no errors”.
static COUNTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(\d{1,3}(?:,\d{3})+|\d+|no|zero|all)(?: of (?:the )?\d+)?(?: tests?| checks?| specs?)?(?: have| are)? (pass|fail|error)(?:e[ds]|ing|s|ures?)?\b",
    )
});
/// “exit 0”, “exited with code 1”, `"exit_code": 1`.
static EXITS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"(?i)\bexit(?:ed)?(?:[ _](?:with|code|status))*"?[:=]? ?(-?\d+)\b"#));

/// A command or a name within a line.
static QUOTED: LazyLock<Regex> = LazyLock::new(|| pattern("`[^`]*`"));

/// How many passed, or did not; `None` means all.
struct Count {
    of: Option<u64>,
    good: bool,
}

fn counts(text: &str) -> Vec<Count> {
    let found = COUNTS.captures_iter(text).map(|found| {
        let of = match &found[1].to_lowercase()[..] {
            "all" => None,
            number => Some(number.replace(',', "").parse().unwrap_or(0)),
        };
        Count { of, good: found[2].eq_ignore_ascii_case("pass") }
    });
    found.collect()
}

/// The numbers of one kind that a result tells; each suite may count its own tests.
struct Told {
    each: HashSet<u64>,
    sum: u64,
}

impl Told {
    fn of(counts: &[Count], good: bool) -> Self {
        let numbers = || counts.iter().filter(|count| count.good == good).filter_map(|count| count.of);
        Self { each: numbers().collect(), sum: numbers().fold(0, u64::saturating_add) }
    }
}

/// Whether a stub says what the result `old` denies; `failed`: it is that of a call that failed.
pub(super) fn is_denied(stub: &str, old: &str, failed: bool) -> bool {
    let stub = &*QUOTED.replace_all(stub, "");
    let said = counts(stub);
    let told = if said.is_empty() { Vec::new() } else { counts(old) };
    // What failed before all passed was run again.
    let again = told.iter().rposition(|count| count.good && count.of.is_none()).map_or(0, |at| at + 1);
    let has_failures = told[again..].iter().any(|count| !count.good && count.of.is_some_and(|of| of > 0));
    let (passed, others) = (Told::of(&told, true), Told::of(&told, false));
    let other = |count: &Count| {
        let told = if count.good { &passed } else { &others };
        !told.each.is_empty() && !count.of.is_some_and(|of| of == told.sum || told.each.contains(&of))
    };
    let counted = said.iter().any(|count| match count {
        Count { of: None, good } => *good && has_failures,
        Count { of: Some(0), good: false } => has_failures,
        count => other(count),
    });
    counted || ends_otherwise(stub, old, failed)
}

/// Whether a stub names another exit code than the result.
fn ends_otherwise(stub: &str, old: &str, failed: bool) -> bool {
    let code = |text: &str| EXITS.captures(text).and_then(|found| found[1].parse::<i64>().ok());
    let Some(said) = code(stub) else { return false };
    code(old).map_or(failed && said == 0, |told| {
        told != said && EXITS.captures_iter(old).all(|found| found[1].parse() != Ok(said))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stub_says_no_other_outcome_than_the_result() {
        let old = "ok 1 the lamp burns\nTests: 3 failed, 117 passed, 120 total";
        for stub in [
            "[tool output omitted: exit 0, 120 tests passed, 0 failed]",
            "[Output removed: all tests passed]",
            "[omitted: no errors]",
            "[4 failed, output pruned]",
        ] {
            assert!(is_denied(stub, old, false), "{stub}");
        }
        for stub in ["[omitted: 117 passed, 3 failed]", "[terminal] ran `npm test` -> exit 1, 2 lines output", "gone"] {
            assert!(!is_denied(stub, old, true), "{stub}");
        }
        assert!(is_denied("[terminal] ran `x` -> exit 0, 2 lines", "no such lamp", true));
        assert!(is_denied("[terminal] ran `x` -> exit 0, 2 lines", r#"{"output":"no","exit_code":1}"#, false));
        assert!(!is_denied("[terminal] ran `x` -> exit 0, 2 lines", r#"{"output":"no","exit_code": 0}"#, false));
        assert!(!is_denied("[terminal] 47 passed, 2 lines", "ok 1\nok 2", false), "the result does not count");
    }

    #[test]
    fn what_only_looks_like_another_outcome_is_none() {
        let suites = "test result: ok. 40 passed; 0 failed\n".repeat(3);
        for (stub, old) in [
            ("[omitted: 120 tests passed, 0 failed]", &*suites),
            ("[omitted: no password was asked]", "login ok\n12 passed, 0 failed"),
            ("[omitted: all tests passed in the end]", "first run: 3 failed\nsecond run: all tests passed"),
            ("[omitted: 1204 passed]", "1,204 passed"),
            ("[omitted: 1,204 passed]", "1204 passed"),
            ("[terminal] ran `grep 'exit 2' x.rs` -> 61 lines", "exit code 1\nfinished"),
        ] {
            assert!(!is_denied(stub, old, false), "{stub}");
        }
        assert!(is_denied("[omitted: 80 tests passed]", &suites, false));
        assert!(is_denied("[omitted: all tests passed]", "all tests passed, again: 3 failed", false));
    }
}
