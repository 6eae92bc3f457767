//! Claims about how commands, tests and changes ended, in our own wording and in free text.

use super::*;

/// The verdict of F02 on a line of a summary, after a failed run of all tests, a passed run of one folder, and only a
/// read of `tests/test_export.py`.
fn f02(line: &str) -> Verdict {
    let mut before = original();
    before[7]["content"] = "1 failed, 6 passed in 0.41s".into();
    before.insert(5, result("r", "def test_rows():\n    pass"));
    before.insert(5, call("r", "read_file", &json!({ "path": "tests/test_rows.py" })));
    let runs = [
        ("e", "npx tides --help", "usage: tides"),
        ("f", "npx -y tides install", "no quay here\nexit code 1"),
        ("a", "pytest tests/export -q", "1 failed, 3 passed in 0.20s"),
        ("b", "pytest tests/export -q", "4 passed in 0.21s"),
        ("c", "git status --short", "M src/export/table.py"),
        ("d", "pytest -q", "1 failed, 6 passed in 0.43s"),
    ];
    for (id, command, printed) in runs.into_iter().rev() {
        before.insert(12, result(id, printed));
        before.insert(12, call(id, "bash", &json!({ "command": command })));
    }
    let ran = format!("- {line}\n- Ran `pytest -q`: failed: 1 failed, 6 passed in 0.43s");
    let summary = SUMMARY.replace("- Ran `pytest -q`: ok: 7 passed in 0.41s", &ran);
    let mut after = vec![before[0].clone(), said("system", &wrap(&summary))];
    after.extend(before[before.len() - 3..].iter().cloned());
    after.push(said("user", "continue"));
    verdict(&judged(Some(&before), &after, Files::default()), "F02")
}

#[test]
fn a_command_ended_as_its_runs_did() {
    for line in [
        "Ran `pytest -q`: ok",
        "Ran `git status --short`: failed",
        "`git status --short` failed",
        "`pytest tests/export -q` still fails.",
        "`pytest tests/export -q` ok, later failed: 1 failed",
        "Also ran, ok: `git status`, `git push`",
        "Also ran, failed: `git status`",
        "Also ran, ok: `pytest`, `git stash`",
    ] {
        assert_eq!(f02(line), Verdict::Fail, "{line}");
    }
    for line in [
        "`pytest tests/export -q` failed, later ok: 1 failed",
        "`pytest tests/export -q` failed",
        "`pytest -q` still fails.",
        "`pytest -q` fails on windows",
        "Also ran, ok: `git status`, `pytest tests/export`",
        "Also ran, ok: `git .[0]`",
        "Also ran, failed: `npx tides`",
        "Ran `pytest tests/export -q`: ok: 4 passed",
    ] {
        assert_eq!(f02(line), Verdict::Pass, "{line}");
    }
}

#[test]
fn so_many_tests_pass_as_their_last_run_counts() {
    for line in ["The whole suite passes.", "The full test suite passes now.", "3 of 4 tests of tests/export pass now."]
    {
        assert_eq!(f02(line), Verdict::Fail, "{line}");
    }
    assert_eq!(f02("1 failed, 3 passed in tests/export."), Verdict::Warn);
    for line in [
        "4 of 4 tests of tests/export pass now.",
        "6 of 7 tests pass",
        "At first 3 of 4 tests of tests/export passed.",
        "4 passed in tests/export.",
        "Make sure that the whole suite passes.",
        "3 of 4 tests of tests/export pass now.\n- Ran `pytest tests/export -q`: ok: 4 passed",
    ] {
        assert_eq!(f02(line), Verdict::Pass, "{line}");
    }
}

#[test]
fn a_file_that_was_only_read_was_not_changed_in_any_form() {
    let file = "tests/test_rows.py";
    for line in [
        "I edited FILE.",
        "We've also updated `FILE`",
        "FILE has been changed.",
        "FILE was edited to round, too",
        "FILE: deleted",
        "FILE, src/export/table.py: changed",
        "Wrote `src/export/table.py`; edited `src/export/table.py`, `FILE`",
        "I added the new rows to FILE.",
        "Added the new rows to `FILE`",
    ] {
        assert_eq!(f02(&line.replace("FILE", file)), Verdict::Fail, "{line}");
        if !line.contains("deleted") {
            assert_eq!(f02(&line.replace("FILE", "src/export/table.py")), Verdict::Pass, "{line}");
        }
    }
    for line in ["FILE was only read", "FILE was not edited.", "FILE: to be changed next", "FILE has changed rows"] {
        assert_eq!(f02(&line.replace("FILE", file)), Verdict::Pass, "{line}");
    }
    assert_eq!(f02("src/export/table.py: deleted"), Verdict::Fail, "it was changed, and stays");
}

/// The verdict of F02 on a line about a run that failed in the head and passed in the tail, with this output left of
/// it.
fn f02_of_tail(line: &str, left: &str) -> Verdict {
    let mut before = original();
    before[7]["content"] = "1 failed, 6 passed in 0.41s".into();
    let shown = format!("{}\n7 passed in 0.39s", "tests/test_export.py .\n".repeat(40));
    before.insert(16, result("t", &shown));
    before.insert(16, call("t", "bash", &json!({ "command": "pytest -q" })));
    let summary = SUMMARY.replace("- Ran `pytest -q`: ok: 7 passed in 0.41s", line);
    let mut after = vec![before[0].clone(), said("system", &wrap(&summary))];
    after.extend(before[15..].iter().cloned());
    after[4]["content"] = if left.is_empty() { shown.into() } else { left.into() };
    after.push(said("user", "continue"));
    verdict(&judged(Some(&before), &after, Files { stubs: &["[gone]"], ..Files::default() }), "F02")
}

#[test]
fn a_run_of_the_tail_whose_output_is_a_stub_is_told_by_the_summary() {
    let (head, tail) =
        ("- Ran `pytest -q`: failed: 1 failed, 6 passed in 0.41s", "- Ran `pytest -q`: ok: 7 passed in 0.39s");
    assert_eq!([f02_of_tail(head, ""), f02_of_tail(head, "[gone]"), f02_of_tail(tail, "[gone]")], [Verdict::Pass; 3]);
    assert_eq!(f02_of_tail(tail, ""), Verdict::Fail);
    assert_eq!(f02_of_tail("- Ran `git push`: ok", "[gone]"), Verdict::Fail);
}
