//! Claims of a summary: facts, actions, and open steps.

use super::*;

#[test]
fn corrupted_facts_are_found_with_their_line() {
    let cases = [
        ("src/export/table.py wrong", "src/export/tabel.py wrong", 2),
        ("src/export/table.py wrong", "src/import/table.py wrong", 2),
        ("report 48217", "report 48271", 9),
        ("7 passed", "9 passed", 13),
        ("round_height", "round_heihgt", 9),
        ("report 48217", "https://tides.example/48217", 9),
    ];
    for (from, to, line) in cases {
        let outcomes = judged(Some(&original()), &compacted(&SUMMARY.replacen(from, to, 1)), Files::default());
        let outcome = outcomes.iter().find(|outcome| outcome.gate == "F01").unwrap();
        assert_eq!(outcome.verdict, Verdict::Fail, "{to}");
        assert_eq!(outcome.findings[0].summary_line, Some(line), "{to}: {:?}", outcome.findings);
    }
}

#[test]
fn claims_that_calls_refute_are_found() {
    let claim = "- Edited `tests/test_export.py`\n- Open step";
    assert_eq!(with_summary("- Open step", claim), [("F02", Verdict::Fail)]);
    assert_eq!(with_summary("- Open step", "- Ran `make release`: ok\n- Open step"), [("F02", Verdict::Fail)]);
    assert_eq!(with_summary("- Open step", "- Deployed to the office\n- Open step"), [("F02", Verdict::Warn)]);
    let mut failed = original();
    failed[7]["content"] = "1 failed, 6 passed, 7 passed in 0.41s before\n1 failed, 6 passed in 0.40s".into();
    assert!(broken(&judged(Some(&failed), &compacted(SUMMARY), Files::default())).contains(&("F02", Verdict::Fail)));
    assert_eq!(
        with_summary("- Open step", "- Open step: Fix rounding of heights\n- Open step"),
        [("F03", Verdict::Warn)]
    );
}

#[test]
fn what_is_said_without_marks_of_code_is_held_against_the_calls_too() {
    for claim in [
        "- Deleted src/export/table.py.",
        "- Removed the file src/export/table.py",
        "- src/export/table.py — deleted",
        "- `src/export/table.py` was deleted",
        "- The file src/export/table.py has been removed.",
        "- Deleted: `src/export/table.py`",
        "- src/export/table.py (deleted)",
        "- I deleted src/export/table.py.",
        "- `src/export/table.py` is gone",
        "- The tests still fail.",
    ] {
        assert_eq!(with_summary("- Open step", &format!("{claim}\n- Open step")), [("F02", Verdict::Fail)], "{claim}");
    }
}

#[test]
fn what_is_said_of_one_command_or_test_is_held_against_its_last_run() {
    let broken_by = |line: &str, failed: bool| {
        let mut before = original();
        if failed {
            before[7]["content"] =
                "FAILED tests/test_a.py::test_rows - assert 1 == 2\n1 failed, 6 passed in 0.41s".into();
        }
        let summary = SUMMARY.replace("- Ran `pytest -q`: ok: 7 passed in 0.41s", line);
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "F02")
    };
    for line in ["- `pytest -q` passes.", "- tests: pass", "- tests/test_a.py::test_rows passes now."] {
        assert_eq!((broken_by(line, true), broken_by(line, false)), (Verdict::Fail, Verdict::Pass), "{line}");
    }
    for line in [
        "- tests/test_b.py::test_lines passes now.",
        "- `tables::FAILED` works",
        "- tests/test_a.py::test_rows works now.",
        "- Check whether `pytest -q` passes.",
        "- I haven't confirmed that `pytest -q` passes.",
        "- `make` works",
    ] {
        assert_eq!(broken_by(line, true), Verdict::Pass, "{line}");
    }
    // A runner that lists every test also names those that passed.
    let listed = |line: &str| {
        let mut before = original();
        before[7]["content"] =
            "tests/test_a.py::test_rows FAILED\ntests/test_a.py::test_sums PASSED\n1 failed, 1 passed in 0.41s".into();
        let summary = SUMMARY.replace("- Ran `pytest -q`: ok: 7 passed in 0.41s", line);
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "F02")
    };
    let [lie, truth] = ["test_rows", "test_sums"].map(|test| format!("- `tests/test_a.py::{test}` passes."));
    assert_eq!((listed(&lie), listed(&truth)), (Verdict::Fail, Verdict::Pass));
    assert_eq!(listed(&format!("{lie}\n- `tests/test_a.py::test_rows` failed again.")), Verdict::Pass, "it says so");
    // No call names the file, but a command that can change files unseen, or an unknown tool, could have changed it.
    let edited = |line: &str, more: &[(&str, Value)]| {
        let mut before = original();
        before[1]["content"] =
            "Fix src/export/table.py. Never change the files under data/raw by hand. See data/b.csv.".into();
        for (tool, arguments) in more {
            before.insert(10, result("c9", "done"));
            before.insert(10, call("c9", tool, arguments));
        }
        let summary = SUMMARY.replace("- Edited `src", &format!("- {line}\n- Edited `src"));
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "F02")
    };
    for line in ["Edited `data/b.csv`", "I edited data/b.csv.", "Updated data/b.csv with the counts."] {
        assert_eq!(edited(line, &[]), Verdict::Fail, "{line}");
    }
    for line in ["Changed `self.tables` into a map", "Changed `parse.load` to take a path", "Updated `1.2.3` to 1.3"] {
        assert_eq!(edited(line, &[]), Verdict::Pass, "{line} is about no file");
    }
    let edited = |more: &[(&str, Value)]| edited("Edited `data/b.csv`", more);
    assert_eq!(edited(&[("bash", json!({ "command": "python fill.py" }))]), Verdict::Pass);
    assert_eq!(edited(&[("fill_tables", json!({ "with": 3 }))]), Verdict::Pass);
}

#[test]
fn a_command_is_told_without_its_secrets() {
    let command = format!("DB=\"mysql://{}:{}@db/tides\" make tables", "keeper", "k9Zq4Wv7");
    let shown = crate::secrets::redact(&command).0.into_owned();
    assert!(shown.contains("[secret]"), "{shown}");
    let broken_by = |told: &str, printed: &str| {
        let mut before = original();
        before.insert(10, result("c9", printed));
        before.insert(10, call("c9", "bash", &json!({ "command": command })));
        let summary = SUMMARY.replace("- Open step", &format!("- Ran `{told}`: ok\n- Open step"));
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "F02")
    };
    for told in [&shown, &command] {
        assert_eq!(broken_by(told, "done"), Verdict::Pass, "{told}");
        assert_eq!(broken_by(told, "make: *** [tables] Error 1\nExit code 2"), Verdict::Fail, "{told}");
    }
    assert_eq!(broken_by("DB=\"[secret]other\" make tables", "done"), Verdict::Fail);
}

#[test]
fn steps_are_said_to_be_open_in_many_ways() {
    let step = "Fix rounding of heights";
    for line in ["Still open: {}", "To do: {}", "Open: {}", "{} is pending.", "{} is still to be done", "Pending — {}"]
    {
        let line = format!("- {}\n- Open step", line.replace("{}", step));
        assert_eq!(with_summary("- Open step", &line), [("F03", Verdict::Warn)], "{line}");
    }
    for line in ["Fixed rounding of heights", "Opened src/export/table.py to fix rounding of heights"] {
        assert_eq!(with_summary("- Open step", &format!("- {line}\n- Open step")), [], "{line}");
    }
}

#[test]
fn a_gate_that_warns_can_be_made_to_fail() {
    let files = || Files { gates: "F03 = 'error'\nK04 = 'error'", ..Files::default() };
    let stale = SUMMARY.replace("- Open step", "- Open step: Fix rounding of heights\n- Open step");
    assert_eq!(broken(&judged(Some(&original()), &compacted(&stale), files())), [("F03", Verdict::Fail)]);
    let unsaid =
        SUMMARY.replace("- Open step: Write the export test\n", "").replace("Now write the export test", "Now go");
    assert_eq!(verdict(&judged(Some(&original()), &compacted(&unsaid), files()), "K04"), Verdict::Fail);
}

#[test]
fn files_that_calls_wrote_are_neither_gone_nor_only_read() {
    let told = |line: &str, more: Option<Value>| {
        let mut before = original();
        before.splice(6..6, more.into_iter().flat_map(|call| [call, result("c9", "done")]));
        let summary =
            SUMMARY.replace("- Edited `src/export/table.py`\n", "").replace("writes src/export/table.py", "is");
        let summary = summary.replace("- `src/export/table.py` — edited, read", line);
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "F02")
    };
    for line in [
        "- `src/export/table.py` — deleted",
        "- Removed `src/export/table.py`",
        "- `src/export/table.py` — read; has rows",
    ] {
        assert_eq!(told(line, None), Verdict::Fail, "{line}");
    }
    for line in [
        "- `src/export/table.py` — edited, read",
        "- Removed `round` from `src/export/table.py`",
        "- `tests/test_export.py` — read",
    ] {
        assert_eq!(told(line, None), Verdict::Pass, "{line}");
    }
    let moved = "- `src/export/table.py` — read, moved from `src/table.py`";
    assert_eq!(told(moved, None), Verdict::Pass, "a move is a change");
    assert_eq!(told("- `src/export/table.py` — read\n- Edited `table.py`", None), Verdict::Warn, "both can't be so");
    for command in ["rm src/export/table.py", "rm -r src/export", "git checkout ."] {
        let went = call("c9", "bash", &json!({ "command": command }));
        assert_eq!(told("- `src/export/table.py` — deleted", Some(went)), Verdict::Pass, "{command}");
    }
}

#[test]
fn what_was_removed_before_the_last_write_of_a_file_did_not_remove_it() {
    let told = |line: &str, at: usize| {
        let mut before = original();
        let went = call("c9", "bash", &json!({ "command": "git stash && git stash pop" }));
        before.splice(at..at, [said("assistant", "I remove round() from table.py."), went, result("c9", "done")]);
        let summary = SUMMARY.replace("- `src/export/table.py` — edited, read", line);
        let summary = summary.replace("- Edited `src/export/table.py`\n", "");
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "F02")
    };
    for line in ["- `src/export/table.py` — deleted", "- `table.py` — deleted"] {
        assert_eq!(told(line, 2), Verdict::Fail, "{line}");
        assert_eq!(told(line, 6), Verdict::Pass, "{line}");
    }
}

#[test]
fn below_two_folders_may_be_files_of_one_path() {
    let told = |read: &str, edited: &str| {
        let mut before = original();
        let looked = call("c8", "read_file", &json!({ "path": read }));
        let wrote = call("c9", "edit_file", &json!({ "path": edited, "new": "on: push" }));
        before.splice(6..6, [looked, result("c8", "on: tag"), wrote, result("c9", "The file has been updated.")]);
        let lines = "- `ci/deploy.yml` — read\n- `other/ci/deploy.yml` — edited\n";
        verdict(&judged(Some(&before), &compacted(&format!("{SUMMARY}{lines}")), Files::default()), "F02")
    };
    assert_eq!(told("/w/own/ci/deploy.yml", "/w/other/ci/deploy.yml"), Verdict::Pass);
    assert_eq!(told("/w/other/ci/deploy.yml", "/w/other/ci/deploy.yml"), Verdict::Warn);
    assert_eq!(told("C:/w/own/ci/deploy.yml", "C:/w/other/ci/deploy.yml"), Verdict::Pass);
    assert_eq!(told("own/ci/deploy.yml", "other/ci/deploy.yml"), Verdict::Pass);
    for edited in ["other/ci/deploy.yml", "./other/ci/deploy.yml", "../other/ci/deploy.yml", "~/w/other/ci/deploy.yml"]
    {
        let read = if edited.starts_with('~') { "/home/u/w/other/ci/deploy.yml" } else { "/w/other/ci/deploy.yml" };
        assert_eq!(told(read, edited), Verdict::Warn, "{edited}: it may be the same file");
    }
}

#[test]
fn what_no_call_did_was_not_done_where_all_that_calls_did_is_known() {
    let told = |line: &str, more: &[Value]| {
        let mut before = original();
        let seen = ["src/report/table.py", "src/report/rows.py"];
        for path in seen {
            let looks = [call("c8", "read_file", &json!({ "path": path })), result("c8", "rows = []")];
            before.splice(6..6, looks);
        }
        before.splice(6..6, [call("c7", "grep", &json!({ "pattern": "rows" })), result("c7", "rows.py:1: rows = []")]);
        before.splice(6..6, more.iter().cloned().chain(more.first().map(|_| result("c9", "done"))));
        let removed = "Mended src/export/table.py; I removed the old rounding.";
        before.splice(6..6, [said("assistant", removed)]);
        let summary = SUMMARY.replace("- Open step", &format!("{line}\n- Open step"));
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "F02")
    };
    let claims = [
        "- Edited `import/table.py`",
        "- Wrote `import/rows.py`",
        "- I updated src/import/rows.py to print less.",
        "- `import/rows.py` — edited, read",
        "- Deleted `src/export/table.py`",
        "- `src/export/table.py` — deleted",
        "- Deleted `report/rows.py`",
    ];
    for line in claims {
        assert_eq!(told(line, &[]), Verdict::Fail, "{line}");
        for (tool, arguments) in [
            ("bash", json!({ "command": "python fill.py" })),
            ("bash", json!({ "command": "ruff format . && pytest -q" })),
            ("task", json!({ "description": "Mend it", "prompt": "Mend the import." })),
            ("mcp__tides__apply", json!({ "all": true })),
        ] {
            let more = call("c9", tool, &arguments);
            // Files that calls wrote or read are judged whatever else ran.
            let stays = line.contains("src/export/table.py") || line.contains("report/rows.py");
            assert!(stays || told(line, &[more]) == Verdict::Pass, "{line}: {tool}");
        }
    }
    let moved = call("c9", "delete_file", &json!({ "path": "src/report/rows.py" }));
    assert_eq!(told("- Deleted `report/rows.py`", &[moved]), Verdict::Pass);
    let user = said("user", "I have updated src/import/rows.py myself.");
    assert_eq!(told("- Edited `import/rows.py`", &[user]), Verdict::Pass);
    for line in ["- Edited `table.py`", "- Changed `import/rows.py` imports in src/export/table.py"] {
        assert_ne!(told(line, &[call("c9", "bash", &json!({ "command": "make" }))]), Verdict::Fail, "{line}");
    }
    assert_eq!(told("- Edited `export/table.py`", &[]), Verdict::Pass);
    assert_eq!(told("- Changed `import/rows.py` imports in src/export/table.py", &[]), Verdict::Pass);
}

#[test]
fn a_log_of_words_alone_proves_nothing_of_files() {
    let words = || original().into_iter().filter(|message| message["role"] != "tool" && !message["content"].is_null());
    let claim = SUMMARY.replace("- Open step", "- Edited `import/table.py`\n- Open step");
    let found = |before: &[Value]| {
        let outcomes = judged(Some(before), &compacted(&claim), Files::default());
        let mut findings = outcomes.iter().flat_map(|outcome| &outcome.findings);
        findings.any(|finding| finding.message.contains("no call changed it"))
    };
    let mut looked: Vec<_> = words().collect();
    assert!(!found(&looked));
    looked.splice(1..1, [call("c1", "read_file", &json!({ "path": "src/rows.py" })), result("c1", "rows = []")]);
    assert!(found(&looked));
}

#[test]
fn a_command_that_ran_in_the_tail_of_another_format_ran_after_the_summary() {
    let judged = |in_tail: bool| {
        let mut before = original();
        before[7]["content"] = "1 failed, 6 passed in 0.41s".into();
        let mut again = call("c9", "bash", &json!({ "command": "pytest -q" }));
        again["content"] = "Once more.".into();
        before.extend([again, result("c9", "7 passed in 0.41s")]);
        let told = SUMMARY.replace("ok: 7 passed in 0.41s", "failed: 1 failed, 6 passed in 0.41s");
        let mut after = compacted(&told);
        after.push(said("assistant", "Once more."));
        if in_tail {
            after.push(call("c9", "bash", &json!({ "command": "pytest -q" })));
            after.push(result("c9", "7 passed in 0.41s"));
        }
        verdict(&judged(Some(&before), &after, Files { converted: true, ..Files::default() }), "F02")
    };
    assert_eq!((judged(true), judged(false)), (Verdict::Pass, Verdict::Fail));
}

#[test]
fn a_share_counts_the_errors_that_fail_it() {
    let made_up = SUMMARY.replace("- Open step", "- The lamp burned for 731 hours.\n- Open step");
    let outcomes = judged(Some(&original()), &compacted(&made_up), Files::default());
    let support = outcomes.iter().find(|outcome| outcome.gate == "F01").unwrap();
    assert_eq!((support.verdict, support.share.of - support.share.kept), (Verdict::Fail, 1));
}

#[test]
fn a_statement_of_something_else_warns() {
    let quotes = [
        "The export of the tide tables writes src/export/table.py wrong.",
        "Never change the files under data/raw by hand.",
        "The test file has no case for harbours yet, and every fixture stands below the folder of the tests.",
        "The rounding of heights happens before the printing of tables, which hides small errors.",
        "The lamps along the southern mole switch off early whenever batteries drain overnight.",
    ];
    let mut before = original();
    before[14]["content"] = quotes[2..].join("\n").into();
    let judged = |line: &str| {
        let found = quotes[2..].iter().chain([&line]).map(|line| format!("- {line}\n")).collect::<String>();
        let summary = SUMMARY.replace("## Accomplished", &format!("{found}\n## Accomplished"));
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "F05")
    };
    assert_eq!(judged("The rounding of heights hides small errors before the printing of tables."), Verdict::Pass);
    assert_eq!(
        judged("Payments failed since the currency converter cached yesterday's exchange rates."),
        Verdict::Warn
    );
}

#[test]
fn what_was_done_with_a_file_is_told_as_it_was() {
    let told = |line: &str| {
        let mut before = original();
        let made = call("c9", "create_file", &json!({ "path": "src/export/rows.py", "content": "rows = []" }));
        before.splice(6..6, [made, result("c9", "The file has been created.")]);
        let summary = SUMMARY.replace("- `src/export/table.py` — edited, read", line);
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "F02")
    };
    for line in ["- `src/export/table.py` — created, read", "- `src/export/rows.py` — edited"] {
        assert_eq!(told(line), Verdict::Warn, "{line}");
    }
    for line in ["- `src/export/table.py` — edited, read", "- `src/export/rows.py` — created"] {
        assert_eq!(told(line), Verdict::Pass, "{line}");
    }
}

#[test]
fn a_count_of_tests_is_that_of_the_last_run() {
    let told = |line: &str| {
        let mut before = original();
        let earlier = call("c9", "bash", &json!({ "command": "pytest -q" }));
        before.splice(4..4, [earlier, result("c9", "..... \n5 passed in 0.30s")]);
        let summary = SUMMARY.replace("- Ran `pytest -q`: ok: 7 passed in 0.41s", line);
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "F02")
    };
    assert_eq!(told("- Ran `pytest -q`: ok: 5 passed in 0.30s"), Verdict::Fail);
    for line in [
        "- Ran `pytest -q`: ok: 7 passed in 0.41s",
        "- Ran `pytest -q`: ok: 5 passed in 0.30s\n- Ran `pytest -q`: ok: 7 passed in 0.41s",
        "- Ran `pytest -q`: ok",
    ] {
        assert_eq!(told(line), Verdict::Pass, "{line}");
    }
}

#[test]
fn a_quotation_of_what_nobody_said_is_an_error() {
    let judged = |line: &str| {
        let summary = SUMMARY.replace("## Accomplished", &format!("- Asked: “{line}”\n\n## Accomplished"));
        verdict(&judged(Some(&original()), &compacted(&summary), Files::default()), "F06")
    };
    let messages = original();
    let said = messages[1]["content"].as_str().map(|text| text.lines().next().unwrap_or(text).to_owned());
    assert_eq!(judged(&said.unwrap()), Verdict::Pass);
    assert_eq!(judged("Delete the old database and drop all of its tables."), Verdict::Fail);
}
