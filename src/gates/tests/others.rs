//! What compactions of other tools look like: true statements that raised alarms, and false ones that raised none.

use super::*;

/// The findings of a gate where the first message of the user has this sentence, and the summary this line for it.
fn of_rule(gate: &str, rule: &str, line: &str) -> GateResult {
    let never = "Never change the files under data/raw by hand.";
    let mut before = original();
    before[1]["content"] = before[1]["content"].as_str().unwrap().replace(never, rule).into();
    let summary = SUMMARY.replace(never, line);
    judged(Some(&before), &compacted(&summary), Files::default()).into_iter().find(|one| one.gate == gate).unwrap()
}

/// The verdict of a gate where calls come before the answer of the agent, and the summary has one more line.
fn with_calls(gate: &str, calls: &[(&str, Value, &str)], line: &str) -> Verdict {
    let mut before = original();
    for (at, (tool, arguments, printed)) in calls.iter().enumerate() {
        let id = format!("more-{at}");
        before.splice(10 + 2 * at..10 + 2 * at, [call(&id, tool, arguments), result(&id, printed)]);
    }
    let summary = SUMMARY.replace("- Open step", &format!("- {line}\n- Open step"));
    verdict(&judged(Some(&before), &compacted(&summary), Files::default()), gate)
}

#[test]
fn a_file_of_no_more_use_may_be_left_out() {
    let write = |path: &str| ("write_file", json!({ "path": path, "content": "x" }), "The file has been written.");
    let run = |command: &str| ("bash", json!({ "command": command }), "done");
    let k03 = |calls: &[_], line: &str| with_calls("K03", calls, line);
    assert_eq!(k03(&[write("src/chart-a.html"), run("rm -f src/chart-*.html")], "Done"), Verdict::Pass);
    assert_eq!(k03(&[write("/home/me/.claude/plans/red-lamp.md")], "Done"), Verdict::Pass);
    for command in [
        "cat src/chart-a.html",
        "rm -f src/chart-a.html && cat > src/chart-a.html <<'EOF'\nx\nEOF",
        "rm src/chart-a.html && git checkout src/chart-a.html",
        "cd /w/dist && rm -f chart-a.html",
        "git commit -m 'Never rm chart-a.html by hand'",
    ] {
        assert_eq!(k03(&[write("src/chart-a.html"), run(command)], "Done"), Verdict::Fail, "{command}");
    }
    let deleted = ("delete_file", json!({ "path": "src/old.py" }), "The file has been deleted.");
    assert_eq!(k03(&[deleted], "Done"), Verdict::Fail, "it existed before");
    assert_eq!(k03(&[write("/w/quay/.github/plans/rollout.md")], "Done"), Verdict::Fail);
    let both = [write("src/chart-a.html"), write("src/chart-b.html")];
    assert_eq!(k03(&both, "Wrote `src/chart-{a,b}.html`"), Verdict::Pass);
    assert_eq!(k03(&both, "Wrote `src/chart-{a,c}.html`"), Verdict::Fail);
    assert_eq!(with_calls("F01", &both, "Wrote `src/chart-{a,b}.html`"), Verdict::Pass);
    assert_eq!(with_calls("F01", &both, "Wrote `src/chart-{a,bogus}.html`"), Verdict::Fail);
}

#[test]
fn a_section_about_a_file_is_not_the_file() {
    let read = ("read_file", json!({ "path": "src/windows.py" }), "windows = []");
    let write = ("write_file", json!({ "path": "PLAN.md", "content": "x" }), "The file has been written.");
    let f02 = |line: &str| with_calls("F02", &[read.clone(), write.clone()], line);
    assert_eq!(f02("Updated the windows.py edit-step section: it stays as it is"), Verdict::Pass);
    assert_eq!(f02("Changed the `windows.py` paragraph in PLAN.md to say so"), Verdict::Pass);
    for line in [
        "Updated windows.py",
        "Updated windows.py and the tests",
        "Updated src/windows.py: it has rows",
        "Updated src/windows.py entry point",
        "Edited `src/windows.py` adding test hooks",
    ] {
        assert_eq!(f02(line), Verdict::Fail, "{line}");
    }
}

#[test]
fn a_file_without_an_extension_was_changed_by_a_call() {
    let read = ("read_file", json!({ "path": "/w/quay/Dockerfile" }), "FROM quay");
    let write = ("write_file", json!({ "path": "/w/quay/Makefile", "content": "x" }), "The file has been written.");
    let calls = [read, write];
    assert_eq!(with_calls("F02", &calls, "Edited `Dockerfile`"), Verdict::Fail);
    assert_eq!(with_calls("F02", &calls, "Created Makefile."), Verdict::Pass);
    assert_eq!(with_calls("F01", &calls, "Created Makefile."), Verdict::Pass);
    assert_eq!(with_calls("F01", &calls, "Created `.env.test`"), Verdict::Fail);
    for line in ["Updated makefile", "Added Jenkinsfile support", "Removed .env handling"] {
        assert_eq!(with_calls("F01", &calls, line), Verdict::Pass, "{line}");
    }
}

#[test]
fn tests_by_name_passed_or_failed_in_the_last_run() {
    let red = ("npm test", "FAIL test/upload.e2e.test.ts\n  x returns 201\n\nTests: 1 failed, 211 passed, 212 total");
    for line in ["All e2e tests pass now.", "The e2e tests pass now."] {
        assert_eq!(passing::said(line, &[red], ""), Verdict::Fail, "{line}");
    }
    for line in [
        "All rows tests pass now.",
        "All new tests pass.",
        "All other e2e tests pass.",
        "All ts tests pass.",
        "All e2e rows tests pass.",
    ] {
        assert_eq!(passing::said(line, &[red], ""), Verdict::Pass, "{line}");
    }
    let green = ("cargo test --workspace", "test result: ok. 7 passed; 0 failed");
    assert_eq!(passing::said("The workspace tests still fail.", &[green], ""), Verdict::Fail);
}

#[test]
fn each_clause_of_a_rule_is_kept() {
    let rule = "Use oil 7 only through the old pump, and ask me before you add a lamp.";
    let kept = of_rule("K01", rule, "Use oil 7 only through the old pump\n- Ask me before you add a lamp");
    assert_eq!(kept.verdict, Verdict::Pass, "{:?}", kept.findings);
    let three = "Keep the public tables unchanged, never touch lamps/, use oil 7 only through the old pump.";
    for line in [
        "Keep the public tables unchanged, use oil 7 only through the old pump.",
        "Keep the public tables unchanged, files under lamps/ may be touched, use oil 7 only through the old pump.",
    ] {
        assert_ne!(of_rule("K01", three, line).verdict, Verdict::Pass, "{line}");
    }
    for line in [
        three,
        "The public tables must stay unchanged, nothing under lamps/ may be touched, oil 7 only through the old pump.",
        "The public tables stay unchanged\n- Nothing under lamps/ may be touched\n- Use oil 7 only through the old pump",
    ] {
        let kept = of_rule("K01", three, line);
        assert_eq!(kept.verdict, Verdict::Pass, "{line}: {:?}", kept.findings);
    }
    let banned = "Never commit the raw tables, write to the harbour database, or run the night migrations.";
    let turned = "Never commit the raw tables.\n- Write to the harbour database.\n- Run the night migrations.";
    assert_eq!(of_rule("K01", banned, turned).verdict, Verdict::Fail);
    assert_eq!(of_rule("K01", banned, banned).verdict, Verdict::Pass);
    let mocked = of_rule(
        "K01",
        "Don't mock the lamp in the night tests.",
        "The lamp is to be mocked in the night tests; sailing only starts when all is green.",
    );
    assert_eq!(mocked.verdict, Verdict::Warn, "{:?}", mocked.findings);
}

#[test]
fn another_tool_tells_a_request_in_its_own_words() {
    let k02 = |summary: &str| {
        let mut after = compacted(SUMMARY);
        after[1] = said("user", summary);
        verdict(&judged(Some(&original()), &after, Files::default()), "K02")
    };
    let told = "The export test for harbour 17 is to be written. The tide tables are wrong.";
    assert_eq!(k02(&format!("Progress so far:\n\n{told}")), Verdict::Pass);
    assert_eq!(k02("Progress so far:\n\nPayments failed since the converter cached the rates."), Verdict::Fail);
    let one = "Payments failed since the converter cached the rates; the report of the fees is short.";
    assert_eq!(k02(&format!("Progress so far:\n\n{one}")), Verdict::Fail, "one word of each");
}
