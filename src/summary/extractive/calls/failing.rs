//! The failing tests in the output of a run, by the lines with which test runners name them: pytest, unittest, vitest,
//! jest, cargo, go, Maven, Gradle, RSpec, Bun, Node, dotnet, CTest.

use super::outcome::ENDS;
use crate::summary::text::{contains_any, cut, ends_any, first_bytes, fold, is_number, last_bytes, starts_any};

/// Maximum number of tests named.
const NAMED: usize = 2;
/// Maximum length of a name with its message, in characters.
const LONGEST: usize = 110;
/// Maximum length of a line that names a test, in bytes.
const LINE: usize = 300;

/// Beginnings of a line that names a failing test with its file, module or suite.
const WHOLE: [&str; 8] = ["FAILED ", "FAIL: ", "ERROR: ", "--- FAIL: ", "● ", "FAIL ", "rspec ./", "Failed "];
/// Marks before the bare name of a failing test.
const BARE: [&str; 6] = ["✖ ", "✕ ", "× ", "✗ ", "(fail) ", "not ok "];
/// Parts of a name that is not only that of a file.
const INNER: [&str; 7] = ["::", " > ", " › ", "(", "#", " - ", "test_"];
/// Beginnings of a line that says why a test failed.
const MESSAGES: [&str; 9] = [
    "AssertionError",
    "AssertionFailedError",
    "Error: ",
    "Expected: ",
    "Expected ",
    "Failure/Error: ",
    "assertion ",
    "expected ",
    "panicked at ",
];
/// Beginnings of the lines after a message that complete it.
const COMPLETES: [&str; 6] = ["Received: ", "left: ", "right: ", "but was: ", "got: ", "expected: "];

/// The first failing tests that a result names, with what the first one complains of; `None` if it names none.
pub(in crate::summary::extractive) fn failing_tests(result: &str) -> Option<String> {
    let (first, last) = (first_bytes(result, ENDS), last_bytes(result, ENDS));
    let parts = if result.len() <= ENDS { [last, ""] } else { [last, first] };
    let lines = || parts.iter().flat_map(|part| part.lines()).filter(|line| line.len() <= LINE).map(str::trim);
    let of = |name: fn(&str) -> Option<String>| {
        let mut names: Vec<String> = Vec::new();
        for found in lines().filter_map(name) {
            if !names.iter().any(|name| name.contains(&found)) {
                names.push(found);
            }
        }
        names
    };
    let names = Some(of(whole)).filter(|names| !names.is_empty()).unwrap_or_else(|| of(bare));
    let (first, others) = names.split_first()?;
    let message = message(lines(), first).map(|message| format!(" - {message}")).unwrap_or_default();
    let first = cut(&format!("{first}{message}"), LONGEST).into_owned();
    let mut told = vec![first];
    told.extend(others.iter().take(NAMED - 1).map(|name| cut(name, LONGEST).into_owned()));
    let more = if names.len() > NAMED { format!("; {} more", names.len() - NAMED) } else { String::new() };
    Some(told.join("; ") + &more)
}

/// The name of a failing test in a line, with its file, module or suite.
fn whole(line: &str) -> Option<String> {
    // cargo, and Gradle
    if let Some(name) = line.strip_suffix(" FAILED") {
        let of_cargo = name.strip_prefix("test ").and_then(|name| name.strip_suffix(" ..."));
        return of_cargo.or_else(|| Some(name).filter(|name| name.contains(" > ") && !name.starts_with('>'))).map(fold);
    }
    if let Some(name) = line.strip_suffix(" (Failed)") {
        return name.split_once(" - ").map(|(_, name)| fold(name));
    }
    // `[ERROR]   RefundTest.keepsReference:12 expected: <A1> but was: <null>`
    if let Some(told) = line.strip_prefix("[ERROR] ") {
        let place = told.trim_start().split(' ').next()?;
        let (name, number) = place.rsplit_once(':')?;
        return (is_number(number) && name.contains('.') && !name.contains(['/', '[', '\\']))
            .then(|| fold(told.trim_start()));
    }
    let start = WHOLE.iter().find(|start| line.starts_with(**start))?;
    let name = if *start == "rspec ./" { line } else { line[start.len()..].trim_start() };
    let is_python = !["FAIL: ", "ERROR: "].contains(start) || name.contains(" (") && name.ends_with(')');
    let is_dotnet = *start != "Failed " || name.ends_with(']');
    (is_python && is_dotnet && is_inner(name)).then(|| fold(without_time(name)))
}

/// The bare name of a failing test behind a mark.
fn bare(line: &str) -> Option<String> {
    let name = BARE.iter().find_map(|mark| line.strip_prefix(mark))?;
    let name = without_time(name);
    (name.chars().any(char::is_alphabetic) && !name.starts_with("failing tests")).then(|| fold(name))
}

fn is_inner(name: &str) -> bool {
    contains_any(name, &INNER) && !name.starts_with("(")
}

/// A name without the time that its test took: `keeps it (3 ms)`, `Keeps [12 ms]`, `keeps it 5ms`.
fn without_time(name: &str) -> &str {
    let is_time = |time: &str| {
        let time = time.trim_end_matches(['m', 's', ' ']);
        !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    let closed = [('(', ')'), ('[', ']')].into_iter().find_map(|(open, close)| {
        let (name, time) = name.strip_suffix(close)?.rsplit_once(open)?;
        is_time(time).then(|| name.trim_end())
    });
    let open = || name.rsplit_once(' ').filter(|(_, time)| time.ends_with("ms") && is_time(time)).map(|(name, _)| name);
    closed.or_else(open).unwrap_or(name)
}

/// What the output says of a failed assertion, unless the name has it already.
fn message<'t>(lines: impl Iterator<Item = &'t str>, name: &str) -> Option<String> {
    if name.contains(" - ") || name.contains("expected") {
        return None;
    }
    let mut lines = lines.map(|line| line.strip_prefix("E ").unwrap_or(line).trim_start_matches(['→', ' ']));
    let is_message = |line: &&str| {
        let start = line.rsplit_once("panicked at ").map_or(*line, |(_, rest)| rest);
        let class = start.split(": ").next().unwrap_or_default();
        let is_class = !class.contains(' ') && ends_any(class, &["Error", "Exception"]);
        is_class || starts_any(start, &MESSAGES)
    };
    let mut message = fold(lines.find(is_message)?);
    for more in lines.take_while(|line| starts_any(line, &COMPLETES)).take(2) {
        message += &format!(", {}", fold(more));
    }
    Some(message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(result: &str) -> String {
        failing_tests(result).unwrap_or_default()
    }

    #[test]
    fn tests_are_named_with_what_they_complain_of() {
        let pytest = "..F.F\nE       AssertionError: assert None == 'A1'\n\nFAILED tests/test_ferry.py::test_ref - AssertionError: assert None == 'A1'\nFAILED tests/test_ferry.py::test_two - KeyError: 'ref'\nFAILED tests/test_ferry.py::test_last\n3 failed";
        assert_eq!(
            told(pytest),
            "tests/test_ferry.py::test_ref - AssertionError: assert None == 'A1'; tests/test_ferry.py::test_two - KeyError: 'ref'; 1 more"
        );
        let cargo = "test ferry::has_ref ... FAILED\ntest ferry::two ... ok\n\nthread 'ferry::has_ref' panicked at src/ferry.rs:12:5:\nassertion `left == right` failed\n  left: None\n right: Some(1)\n";
        assert_eq!(told(cargo), "ferry::has_ref - assertion `left == right` failed, left: None, right: Some(1)");
        let jest = "FAIL src/ferry.test.js\n    ✕ has a ref (3 ms)\n    ✓ is quick\n\n  ● ferry › has a ref\n\n    Expected: \"A1\"\n    Received: null\n";
        assert_eq!(told(jest), "ferry › has a ref - Expected: \"A1\", Received: null");
        let vitest = "   × ferry > has a ref 5ms\n\n FAIL  src/ferry.test.ts > ferry > has a ref\nAssertionError: expected null to be 'A1'\n";
        assert_eq!(told(vitest), "src/ferry.test.ts > ferry > has a ref - AssertionError: expected null to be 'A1'");
        let unittest = "FAIL: test_ref (tests.test_ferry.FerryTest)\n---\nTraceback\nAssertionError: None != 'A1'\n\nFAILED (failures=1)";
        assert_eq!(told(unittest), "test_ref (tests.test_ferry.FerryTest) - AssertionError: None != 'A1'");
    }

    #[test]
    fn each_runner_names_its_tests() {
        for (line, name) in [
            (
                "[ERROR]   FerryTest.hasRef:12 expected: <A1> but was: <null>",
                "FerryTest.hasRef:12 expected: <A1> but was: <null>",
            ),
            ("rspec ./spec/ferry_spec.rb:11 # Ferry has a ref", "rspec ./spec/ferry_spec.rb:11 # Ferry has a ref"),
            ("FerryTest > hasRef() FAILED", "FerryTest > hasRef()"),
            ("--- FAIL: TestFerry (0.00s)", "TestFerry"),
            ("  Failed Quay.Ferry.HasRef(1) [12 ms]", "Quay.Ferry.HasRef(1)"),
            ("      3 - ferry_ref (Failed)", "ferry_ref"),
            ("✖ has a ref (1.2ms)", "has a ref"),
            ("(fail) ferry > has a ref [0.12ms]", "ferry > has a ref"),
        ] {
            assert_eq!(told(line), name, "{line}");
        }
    }

    #[test]
    fn other_lines_name_no_test() {
        for other in [
            "FAIL",
            "FAILED (failures=1)",
            "> Task :test FAILED",
            "[ERROR] Tests run: 5, Failures: 1",
            "[ERROR] /quay/Ferry.java:[12,5] cannot find symbol",
            "ERROR: no such quay",
            "Failed to compile.",
            "test result: FAILED. 4 passed; 1 failed",
            "ok",
        ] {
            assert_eq!(failing_tests(other), None, "{other}");
        }
    }
}
