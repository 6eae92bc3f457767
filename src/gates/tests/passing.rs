//! Claims that tests pass.

use super::*;

/// The verdict of F02 on a summary with `line`, after runs (command, output).
pub(super) fn said(line: &str, runs: &[(&str, &str)], agent: &str) -> Verdict {
    let mut before = original();
    before[6] = call("c3", "bash", &json!({ "command": runs[0].0 }));
    before[7] = result("c3", runs[0].1);
    before[10]["content"] = agent.into();
    for (at, (command, printed)) in runs[1..].iter().enumerate() {
        let id = format!("r{at}");
        before.insert(8 + 2 * at, call(&id, "bash", &json!({ "command": command })));
        before.insert(9 + 2 * at, result(&id, printed));
    }
    let summary = SUMMARY.replace("- Ran `pytest -q`: ok: 7 passed in 0.41s", &format!("- {line}"));
    let mut after = compacted(&summary);
    let kept = before[15 + 2 * (runs.len() - 1)..].to_vec();
    after.splice(2..after.len() - 1, kept);
    verdict(&judged(Some(&before), &after, Files::default()), "F02")
}

const RED: (&str, &str) =
    ("pytest -q", "FAILED tests/test_login.py::test_login - assert 1 == 2\n1 failed, 6 passed in 0.41s");
const GREEN: (&str, &str) = ("pytest -q", "7 passed in 0.40s");
const OTHER: (&str, &str) = ("pytest -q tests/test_rows.py", "2 passed in 0.1s");
const SAME: (&str, &str) = ("pytest -q tests/test_login.py", "2 passed in 0.1s");

#[test]
fn the_counts_of_an_earlier_run_are_not_those_of_the_last_one() {
    let first = ("pytest -q", "FAILED tests/test_login.py::test_login - assert 1 == 2\n1 failed, 6 passed in 0.41s");
    for line in ["Ran `pytest -q`: 1 failed, 6 passed in 0.41s", "Last test run: 1 failed, 6 passed."] {
        assert_eq!(said(line, &[first, GREEN], ""), Verdict::Fail, "{line}");
        assert_eq!(said(line, &[first], ""), Verdict::Pass, "{line}");
    }
    for line in [
        "Ran `pytest -q`: 1 failed, 6 passed before the login was mended",
        "Ran `pytest -q`: 1 failed, 6 passed\n- Ran `pytest -q` again: 7 passed",
        "Ran `pytest -q`: 1 failed, 6 passed\n- Now all 7 tests pass",
        "Ran `pytest -q`: 1 failed, 6 passed; now 7 passed",
        "Last test run: 7 passed.",
    ] {
        assert_eq!(said(line, &[first, GREEN], ""), Verdict::Pass, "{line}");
    }
}

#[test]
fn all_so_many_tests_are_counted_as_in_the_last_run() {
    for (line, found) in [
        ("All 6 tests pass.", Verdict::Warn),
        ("All of the 6 tests pass.", Verdict::Warn),
        ("All 7 tests pass.", Verdict::Pass),
        ("All 6 tests passed before the login was mended.", Verdict::Pass),
    ] {
        assert_eq!(said(line, &[("pytest -q", "6 passed in 0.39s"), GREEN], ""), found, "{line}");
    }
}

#[test]
fn a_lone_line_about_a_failure_fails_its_run() {
    let red = "FAIL zone.test.ts: expected 5, got 6";
    let command = "npm test -- zone";
    for line in ["All tests pass.", "`npm test -- zone` passes."] {
        assert_eq!(said(line, &[(command, red)], ""), Verdict::Fail, "{line}");
        let others = ["7 tests passed", "All tests passed.", "OK"].map(|end| format!("{red}\n{end}"));
        for other in others.iter().map(String::as_str).chain(["FAIL: nothing to do", "PASS zone.test.ts: 7 cases"]) {
            assert_eq!(said(line, &[(command, other)], ""), Verdict::Pass, "{line} after {other}");
        }
    }
}

#[test]
fn a_run_that_the_user_refused_is_none() {
    let refused = ("pytest -q slow", "The user doesn't want to proceed with this tool use. The tool use was rejected.");
    for line in ["All tests pass.", "Ran `pytest -q`: ok: 7 passed in 0.40s"] {
        assert_eq!(said(line, &[GREEN, refused], ""), Verdict::Pass, "{line}");
        assert_eq!(said(line, &[GREEN, RED], ""), Verdict::Fail, "{line}");
    }
}

#[test]
fn tests_of_a_folder_and_commands_in_a_table_pass_as_their_last_run_did() {
    for line in [
        "All tests in tests/test_login.py pass.",
        "I ran the tests and they pass.",
        "| pytest -q | pass |",
        "| `pytest -q` | ✅ passed |",
    ] {
        assert_eq!(said(line, &[RED], ""), Verdict::Fail, "{line}");
        assert_eq!(said(line, &[GREEN], ""), Verdict::Pass, "{line}");
        assert_eq!(said(line, &[RED, GREEN], ""), Verdict::Pass, "{line}");
    }
    for line in [
        "All tests in tests/test_rows.py pass.",
        "All tests in tests/test_login.py pass when the network is there.",
        "| `make lint` | pass |",
        "| pytest -q | failed |",
        "All tests pass except tests/test_login.py.",
        "All but one test pass.",
        "Goal: all tests pass.",
    ] {
        assert_eq!(said(line, &[RED], ""), Verdict::Pass, "{line}");
    }
    assert_eq!(said("All tests in tests/test_login.py pass.", &[RED, SAME], ""), Verdict::Pass, "they ran again");
}

#[test]
fn all_tests_are_said_to_pass_in_other_words() {
    for line in [
        "No tests fail.",
        "No test is failing now.",
        "None of the tests fail.",
        "There are no failing tests left.",
        "No test failures.",
        "Nothing fails any more.",
        "Everything passes.",
        "The login is mended. Everything is green now!",
        "All green.",
        "**All 7 tests pass now.**",
    ] {
        assert_eq!(said(line, &[RED], ""), Verdict::Fail, "{line}");
        assert_eq!(said(line, &[GREEN], ""), Verdict::Pass, "{line}");
        assert_eq!(said(line, &[RED, GREEN], ""), Verdict::Pass, "{line}");
    }
    for line in [
        "Everything passes through the parser.",
        "No tests fail when the network is there.",
        "Make sure that everything passes.",
        "Check that `pytest -q` passes.",
        "Nothing fails silently here.",
        "If all is green, release it.",
        "No failures are hidden by it.",
        "Everything passes.\n- `pytest -q` failed again.",
    ] {
        assert_eq!(said(line, &[RED], ""), Verdict::Pass, "{line}");
    }
}

#[test]
fn one_test_is_held_against_its_last_run() {
    for line in [
        "`test_login` passes.",
        "test_login passes now.",
        "Mended the session; `test_login()` is green.",
        "tests/test_login.py passes",
    ] {
        let of_file = line.contains(".py");
        assert_eq!(said(line, &[RED], ""), if of_file { Verdict::Pass } else { Verdict::Fail }, "{line}");
        for runs in [&[GREEN][..], &[RED, GREEN], &[RED, SAME]] {
            assert_eq!(said(line, runs, ""), Verdict::Pass, "{line}: {runs:?}");
        }
    }
    assert_eq!(said("test_login passes now.", &[RED, OTHER], ""), Verdict::Fail, "another file ran");
    for line in [
        "`test_rows` passes.",
        "`test_login` passes only alone.",
        "Check that `test_login` passes.",
        "`test_login` does not pass.",
        "Said that `test_login` passes.\n- `test_login` failed again.",
    ] {
        assert_eq!(said(line, &[RED], ""), Verdict::Pass, "{line}");
    }
    let listed = (
        "pytest -v",
        "tests/test_login.py::test_login PASSED\ntests/test_rows.py::test_rows FAILED\n1 failed, 1 passed",
    );
    assert_eq!(said("`test_login` passes.", &[listed], ""), Verdict::Pass);
    assert_eq!(said("`test_rows` passes.", &[listed], ""), Verdict::Fail);
}

#[test]
fn a_test_that_is_said_to_fail_failed_in_its_last_run() {
    let listed = ("pytest -v tests", "tests/test_login.py::test_login PASSED\n7 passed");
    for line in [
        "`test_login` still fails.",
        "test_login is still failing with an AssertionError.",
        "tests/test_login.py::test_login fails: assert 1 == 2",
        "The heights are right; `test_login()` is red.",
    ] {
        assert_eq!(said(line, &[RED], ""), Verdict::Pass, "{line}");
        let expected = if line.contains("still") { Verdict::Fail } else { Verdict::Warn };
        for runs in [&[RED, GREEN][..], &[RED, listed], &[RED, GREEN, OTHER]] {
            assert_eq!(said(line, runs, ""), expected, "{line}: {runs:?}");
        }
    }
    for line in [
        "`test_login` fails when run alone.",
        "`test_login` failed at first.",
        "`test_login` still fails on Windows.",
        "`test_login` sometimes fails.",
        "`test_login` still fails (skipped).",
        "`test_other` still fails.",
        "`test_login` still fails.\n- `test_login` passes now",
        "`test_login` fails with a timeout.\n- All 7 tests pass.",
        "The tests fail.\n- Mended the login; now all tests pass.",
    ] {
        assert_eq!(said(line, &[RED, GREEN], ""), Verdict::Pass, "{line}");
    }
    let line = "`test_login` still fails.";
    for last in
        [OTHER, ("make test", "ok"), ("pytest -q", "6 passed, 1 skipped in 0.40s"), ("pytest -q", "5 passed in 0.40s")]
    {
        assert_eq!(said(line, &[RED, last], ""), Verdict::Pass, "nobody knows: {last:?}");
    }
    assert_eq!(said(line, &[RED, GREEN], "But test_login fails in CI."), Verdict::Pass, "the agent knows more");
    let alone = ("pytest -v -k test_login", listed.1);
    assert_eq!(said(line, &[RED, alone], ""), Verdict::Fail, "it is more than a command that has this word");
    for line in ["The tests still fail.", "The test suite is failing"] {
        assert_eq!(said(line, &[RED, GREEN], ""), Verdict::Fail, "{line}");
        assert_eq!(said(line, &[RED, OTHER], ""), Verdict::Pass, "{line} only some ran again");
        let apart = [("pytest -q tests/test_login.py", RED.1), ("pytest -q tests/test_rows.py", "2 passed in 0.10s")];
        assert_eq!(said(line, &apart, ""), Verdict::Pass, "{line} others ran");
    }
}

#[test]
fn a_test_passes_as_in_the_last_run_that_had_it() {
    let red = ("pytest -q tests/test_login.py", RED.1);
    for runs in [&[GREEN, red][..], &[GREEN, red, OTHER]] {
        assert_eq!(said("`test_login` passes.", runs, ""), Verdict::Fail, "{runs:?}");
    }
    for later in [GREEN, ("pytest -q tests", "ok"), ("make test", "ok"), ("pytest -q -p tests", "ok")] {
        assert_eq!(said("`test_login` passes.", &[red, later], ""), Verdict::Pass, "{later:?}");
    }
}

#[test]
fn some_tests_are_not_all() {
    let all = "All tests pass.";
    assert_eq!(said(all, &[RED, OTHER], ""), Verdict::Fail);
    assert_eq!(said("No tests fail.", &[RED, OTHER], ""), Verdict::Fail);
    assert_eq!(said(all, &[RED, SAME], ""), Verdict::Pass, "what failed ran again");
    assert_eq!(said(all, &[RED, ("pytest -q --lf", "1 passed")], ""), Verdict::Pass);
    assert_eq!(said(all, &[RED, ("pytest -q -k login", "1 passed")], ""), Verdict::Pass);
    assert_eq!(said(all, &[RED, ("pytest -q tests/", "7 passed")], ""), Verdict::Pass, "as many as before");
    assert_eq!(said(all, &[RED, ("pytest -q -n 4", "ok")], ""), Verdict::Pass, "an option names no test");
    assert_eq!(said(all, &[RED, ("make test", "ok")], ""), Verdict::Pass, "nobody knows of how many");
    assert_eq!(said(all, &[RED, OTHER], all), Verdict::Warn, "that the agent says so makes it no truer");
    assert_eq!(said("Summed the rows, and all tests pass.", &[RED, OTHER], ""), Verdict::Fail);
    assert_eq!(said("Summed the rows, so that all tests pass.", &[RED, OTHER], ""), Verdict::Pass);
    assert_eq!(said("The tests of the rows pass.", &[RED, OTHER], ""), Verdict::Pass);
    let mute = ("pytest -q", "1 failed, 6 passed in 0.41s");
    assert_eq!(said(all, &[mute, OTHER], ""), Verdict::Warn, "nobody knows which failed");
}

#[test]
fn a_part_of_the_tests_is_less_than_all_for_each_runner() {
    let all = "All tests pass.";
    let red = "test rows ... ok\ntest login ... FAILED\ntest result: FAILED. 1 passed; 1 failed";
    let packages = "--- FAIL: TestLogin (0.00s)\nFAIL\tquay/login\t0.01s\nok  \tquay/rows\t0.01s\nFAIL";
    for (runs, verdict) in [
        ([("cargo test", red), ("cargo test rows", "test result: ok. 1 passed; 0 failed")], Verdict::Warn),
        ([("go test ./...", packages), ("go test ./rows", "ok  \tquay/rows\t0.01s")], Verdict::Warn),
        ([("go test ./...", packages), ("go test ./login", "ok  \tquay/login\t0.01s")], Verdict::Pass),
        ([("python -m pytest", RED.1), ("python -m pytest -k rows", "1 passed, 6 deselected")], Verdict::Warn),
        ([("npm test", "Tests: 1 failed, 1 passed, 2 total"), ("npm test -- rows", "Tests: 1 passed")], Verdict::Warn),
        ([("make test", "make: *** [test] Error 1"), ("make test-rows", "ok rows")], Verdict::Warn),
        ([("make test", "make: *** [test] Error 1"), ("make test-all", "ok rows")], Verdict::Pass),
    ] {
        assert_eq!(said(all, &runs, all), verdict, "{runs:?}");
    }
}

#[test]
fn counts_of_tests_are_those_of_their_last_run() {
    let counts = |line: &str| {
        let summary = SUMMARY.replace("- Open step", &format!("{line}\n- Open step"));
        verdict(&judged(Some(&original()), &compacted(&summary), Files::default()), "F02")
    };
    assert_eq!(counts("- Last run of the tests: 5 passed, 2 failed"), Verdict::Warn);
    assert_eq!(counts("- Last run of the tests: 7 passed, 0 failed"), Verdict::Pass);
    for wrong in ["3 of 7 tests fail", "43 tests fail", "7 of 43 tests passed"] {
        assert_eq!(counts(&format!("- {wrong}")), Verdict::Warn, "{wrong}");
    }
    for right in ["7 of 7 tests passed", "7 tests pass", "0 tests fail"] {
        assert_eq!(counts(&format!("- {right}")), Verdict::Pass, "{right}");
    }
}
