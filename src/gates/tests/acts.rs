//! Claims that work was sent, built or committed, and that commands worked, in free words.

use super::passing::said;
use super::*;

const REFUSED: (&str, &str) = ("git push -u origin quay", "Exit code 128\nfatal: unable to access the remote: 403");
const SENT: (&str, &str) = ("git push -u origin quay", "To harbour.example:quay.git\n * [new branch] quay -> quay");
const MADE: (&str, &str) = ("git commit -am 'Light the lamp'", "[quay 4be91d7] Light the lamp\n 1 file changed");
const RED: (&str, &str) =
    ("pytest -q", "FAILED tests/test_login.py::test_login - assert 1 == 2\n1 failed, 6 passed in 0.41s");
const GREEN: (&str, &str) = ("pytest -q", "7 passed in 0.40s");

#[test]
fn what_each_command_failed_to_do_is_not_done() {
    for line in [
        "`git push` works.",
        "Ran `git push -u origin quay` successfully.",
        "`git push`: ok",
        "`git push -u origin quay` ✅",
        "Successfully ran `git push`.",
    ] {
        assert_eq!(said(line, &[MADE, REFUSED], ""), Verdict::Fail, "{line}");
        assert_eq!(said(line, &[MADE, SENT], ""), Verdict::Pass, "{line}");
        assert_eq!(said(line, &[MADE, REFUSED, SENT], ""), Verdict::Pass, "{line}");
    }
    for line in [
        "Pushed the branch to origin.",
        "Pushed `feature/quay` to origin.",
        "Lit the lamp and pushed it.",
        "The push went through.",
        "The branch was pushed to the remote.",
    ] {
        assert_eq!(said(line, &[MADE, REFUSED], ""), Verdict::Warn, "{line}");
        assert_eq!(said(line, &[MADE, REFUSED, SENT], ""), Verdict::Pass, "{line}");
    }
    for line in [
        "The branch was not pushed yet.",
        "Pushed `item` onto the queue in the worker.",
        "`uv.lock` is committed.",
        "Tried to push the branch, and the push failed.",
        "The user pushed the branch.",
        "Push the branch once the token works.",
        "If it is pushed, the lamp is lit.",
        "Neither commit has been pushed.",
        "Asked whether to push the branch.",
    ] {
        assert_eq!(said(line, &[MADE, REFUSED], ""), Verdict::Pass, "{line}");
    }
}

#[test]
fn what_no_command_did_is_only_doubted() {
    for line in ["Merged the branch into main.", "Published the crate tide 0.9.", "Deployed to the office."] {
        assert_eq!(said(line, &[MADE], ""), Verdict::Warn, "{line}");
    }
    let script = ("./deploy.sh", "lit");
    assert_eq!(said("Deployed to the quay.", &[script], "I deployed it"), Verdict::Pass, "a script did it");
    assert_eq!(said("Pushed it as 4be91d7.", &[SENT, MADE], ""), Verdict::Warn, "it was made later");
    assert_eq!(said("Pushed it as 4be91d7.", &[MADE, SENT], ""), Verdict::Pass);
}

#[test]
fn nothing_was_done_only_if_nothing_was() {
    assert_eq!(said("Nothing has been committed yet.", &[MADE], ""), Verdict::Fail);
    let reset = ("git reset --soft HEAD~1", "");
    assert_eq!(said("Nothing has been committed yet.", &[MADE, reset], ""), Verdict::Warn);
    assert_eq!(said("Nothing has been pushed yet.", &[MADE, REFUSED], ""), Verdict::Pass);
    assert_eq!(said("The lamp has not been committed yet.", &[MADE], ""), Verdict::Pass);
}

#[test]
fn tests_are_said_to_fail_in_other_words() {
    for line in
        ["Tests: failing", "1 of 7 tests still fails.", "Two tests are still failing.", "`pytest -q` is still failing."]
    {
        assert_eq!(said(line, &[RED, GREEN], ""), Verdict::Fail, "{line}");
        assert_eq!(said(line, &[RED], ""), Verdict::Pass, "{line}");
    }
    assert_eq!(said("2 of 7 tests fail.", &[RED, GREEN], ""), Verdict::Warn, "it may have been so before");
    assert_eq!(said("2 of 7 tests still fail.", &[RED], ""), Verdict::Warn, "it is another number");
    for line in ["The user's tests still fail.", "The e2e tests still fail.", "No tests fail."] {
        assert_eq!(said(line, &[RED, GREEN], ""), Verdict::Pass, "{line}");
    }
}

#[test]
fn commands_are_said_to_work_in_other_words() {
    for line in ["Verified that `pytest -q` passes.", "`pytest -q` ✓", "Tests: ✅ passing", "`pytest -q` completed."]
    {
        assert_eq!(said(line, &[RED], ""), Verdict::Fail, "{line}");
        assert_eq!(said(line, &[RED, GREEN], ""), Verdict::Pass, "{line}");
    }
    assert_eq!(said("The full test suite was green after the rename.", &[RED], ""), Verdict::Warn);
    assert_eq!(said("The full test suite was green after the rename.", &[GREEN, RED], ""), Verdict::Pass);
    assert_eq!(said("`git tide` works.", &[MADE], ""), Verdict::Warn, "no call ran it");
    let sorted = ("pytest -q tests/test_login.py", "1 passed in 0.1s");
    for line in ["`pytest tests/test_login.py` passes.", "make the header: done", "`git commit` works."] {
        assert_eq!(said(line, &[sorted, ("make test", "lit"), MADE], ""), Verdict::Pass, "{line}");
    }
    for line in ["`lamp` works.", "`git commit` works."] {
        assert_eq!(said(line, &[RED, MADE], ""), Verdict::Pass, "{line}");
    }
}

#[test]
fn what_went_to_one_environment_is_not_said_of_another() {
    let staging = ("./deploy.sh --env staging", "rolled out to quay-staging");
    let production = ("./deploy.sh --env production", "rolled out");
    for line in
        ["Deployed to production.", "The lamp was deployed on prod.", "Deployed the lamp in the production cluster."]
    {
        assert_eq!(said(line, &[staging], ""), Verdict::Warn, "{line}");
        assert_eq!(said(line, &[staging, production], ""), Verdict::Pass, "{line}");
        assert_eq!(said(line, &[("./deploy.sh", "rolled out")], ""), Verdict::Pass, "{line}");
    }
    let looked = ("cat production.yaml", "lamps: 3");
    assert_eq!(said("Deployed to production.", &[staging, looked], ""), Verdict::Warn, "it is named somewhere");
    for line in
        ["Deployed to staging.", "Deployed to staging; production comes next.", "Not deployed to production yet."]
    {
        assert_eq!(said(line, &[staging], ""), Verdict::Pass, "{line}");
    }
}

#[test]
fn what_each_call_of_a_tool_failed_to_do_is_not_done() {
    let judge = |line: &str, ends: &[&str]| {
        let mut before = original();
        for (at, end) in ends.iter().enumerate() {
            let id = format!("o{at}");
            before.insert(8, call(&id, "cancel_order", &json!({ "order_id": "B17" })));
            before.insert(9, result(&id, end));
        }
        let mut after = compacted(&SUMMARY.replace("- Edited `src", &format!("- {line}\n- Edited `src")));
        after.splice(2..after.len() - 1, before[15 + 2 * ends.len()..].to_vec());
        verdict(&judged(Some(&before), &after, Files::default()), "F02")
    };
    let refused = "Error: non-pending order cannot be cancelled";
    for line in ["The order was cancelled.", "Order B17 has been cancelled.", "Cancelled the order."] {
        assert_eq!(judge(line, &[refused]), Verdict::Warn, "{line}");
        assert_eq!(judge(line, &["{\"status\": \"cancelled\"}", refused]), Verdict::Pass, "{line}");
    }
    for line in
        ["The order could not be cancelled.", "The user wants the order to be cancelled.", "The run was cancelled."]
    {
        assert_eq!(judge(line, &[refused]), Verdict::Pass, "{line}");
    }
}

#[test]
fn a_box_is_not_ticked_for_an_open_step() {
    let judge = |line: &str, agent: &str, later: Option<&str>| {
        let mut before = original();
        before[10]["content"] = agent.into();
        if let Some(command) = later {
            before[12] = call("c5", "bash", &json!({ "command": command }));
        }
        let summary = SUMMARY.replace("- Open step: Write the export test", &format!("- {line}"));
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "F02")
    };
    for line in ["[x] Write the export test", "✅ Write the export test"] {
        assert_eq!(judge(line, "The heights are rounded.", None), Verdict::Warn, "{line}");
        assert_eq!(judge(line, "", Some("python make_test.py")), Verdict::Pass, "{line}");
    }
    for line in ["[ ] Write the export test", "[x] Fix rounding of heights", "[x] Read the table"] {
        assert_eq!(judge(line, "The heights are rounded.", None), Verdict::Pass, "{line}");
    }
}

#[test]
fn a_command_that_was_canceled_did_not_work() {
    for canceled in ["The tool call was cancelled.", "Cancelled by user"] {
        assert_eq!(said("Ran `make lamps`: ok", &[("make lamps", canceled)], ""), Verdict::Fail, "{canceled}");
    }
    assert_eq!(said("Ran `make lamps`: ok", &[("make lamps", "the old lamp was cancelled")], ""), Verdict::Pass);
}

/// The verdict of a gate on a line of a summary, where these calls with their results were made.
fn of_line(gate: &str, line: &str, calls: &[(&str, Value, &str)]) -> Verdict {
    let mut before = original();
    for (at, (name, given, end)) in calls.iter().enumerate() {
        let id = format!("o{at}");
        before.insert(8 + 2 * at, call(&id, name, given));
        before.insert(9 + 2 * at, result(&id, end));
    }
    let mut after = compacted(&SUMMARY.replace("- Edited `src", &format!("- {line}\n- Edited `src")));
    after.splice(2..after.len() - 1, before[15 + 2 * calls.len()..].to_vec());
    verdict(&judged(Some(&before), &after, Files::default()), gate)
}

#[test]
fn what_failed_for_one_thing_or_worked_for_another_is_not_done() {
    let full = ("book_berth", json!({ "pier": "HAT139" }), "Error: Not enough berths at pier HAT139");
    let free = ("book_berth", json!({ "pier": "HAT139" }), "{\"booked\":true}");
    for line in ["Booked HAT139.", "The pier HAT139 was booked.", "Pier HAT139 is booked."] {
        assert_eq!(of_line("F02", line, std::slice::from_ref(&full)), Verdict::Warn, "{line}");
        assert_eq!(of_line("F02", line, &[full.clone(), free.clone()]), Verdict::Pass, "{line}");
    }
    let much = ("pay_toll", json!({ "ship": "CL-904417", "amount": 2500 }), "Error: at most half of it");
    let less = ("pay_toll", json!({ "ship": "CL-904417", "amount": 1415 }), "{\"state\":\"paid\"}");
    for line in ["Paid €2,500 to the office.", "Paid 2,500 for CL-904417."] {
        assert_eq!(of_line("F02", line, &[much.clone(), less.clone()]), Verdict::Warn, "{line}");
    }
    for line in ["Paid 1,415 to the office.", "Paid 1,415 instead of 2,500.", "Paid for CL-904417."] {
        assert_eq!(of_line("F02", line, &[much.clone(), less.clone()]), Verdict::Pass, "{line}");
    }
    let page = ("statuspage_update", json!({ "incident": "INC-4471" }), "{\"error\":\"403 forbidden\"}");
    assert_eq!(of_line("F02", "The status page was updated.", &[page]), Verdict::Warn);
    let sent = ("send_draft", json!({ "draft": "d-31" }), "{\"sent\":true}");
    for line in ["The draft d-32 was sent.", "Sent d-32."] {
        assert_eq!(of_line("F02", line, std::slice::from_ref(&sent)), Verdict::Warn, "{line}");
        let later = ("mail_out", json!({ "draft": "d-32" }), "{\"done\":true}");
        assert_eq!(of_line("F02", line, &[sent.clone(), later]), Verdict::Pass, "{line}");
    }
    assert_eq!(of_line("F02", "Sent the draft d-31 at 14:20.", &[sent]), Verdict::Pass);
}

#[test]
fn what_a_call_is_said_to_have_returned_stands_in_its_result() {
    let asked = (
        "request_approval",
        json!({ "claim": "CL-1" }),
        r#"{"approval":"pending","keeper":"K. Osei","eta":"2 working days"}"#,
    );
    let line = "Called `request_approval(claim=CL-1)`: returned approval pending, keeper K. Osei, eta 2 working days";
    assert_eq!(of_line("F02", line, std::slice::from_ref(&asked)), Verdict::Pass);
    for (right, wrong) in [("pending", "granted"), ("Osei", "Osai"), ("eta 2", "eta 3")] {
        assert_eq!(of_line("F02", &line.replace(right, wrong), std::slice::from_ref(&asked)), Verdict::Fail, "{wrong}");
    }
    let boats = ("list_boats", json!({}), r#"[{"boat":"B1","state":"open"},{"boat":"B2","state":"open"}]"#);
    for (line, verdict) in [
        ("`list_boats()` returned all state open: boat B1; B2", Verdict::Pass),
        ("`list_boats()` returned all state shut: boat B1; B2", Verdict::Fail),
    ] {
        assert_eq!(of_line("F02", line, std::slice::from_ref(&boats)), verdict, "{line}");
    }
}

#[test]
fn words_of_the_original_without_its_negation_are_turned_round() {
    let asked = ("ask_keeper", json!({ "about": "toll" }), "Take the account 8802, NOT the joint one.");
    assert_eq!(
        of_line("F04", "Take the account 8802, NOT the joint one.", std::slice::from_ref(&asked)),
        Verdict::Pass
    );
    assert_eq!(of_line("F04", "Take the account 8802, the joint one.", &[asked]), Verdict::Fail);
}

#[test]
fn numbers_are_not_swapped() {
    let costs = ("get_costs", json!({ "of": "feast" }), "The band: €450, decoration: €100.");
    assert_eq!(of_line("F01", "The band €450, decoration €100.", std::slice::from_ref(&costs)), Verdict::Pass);
    assert_eq!(of_line("F01", "The band €100, decoration €450.", &[costs]), Verdict::Fail);
}
