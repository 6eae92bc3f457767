//! Results that are kept: whose answers they are. The place of the summary among what is kept.

use super::*;

/// The story with two calls in its last message, and its compaction, which ends on their results and “continue”.
fn two_calls() -> (Vec<Value>, Vec<Value>) {
    let (mut before, mut after) = (original(), compacted(SUMMARY));
    let second = call("c7", "bash", &json!({ "command": "ls data" }))["tool_calls"][0].clone();
    for message in [&mut before[16], &mut after[3]] {
        message["tool_calls"].as_array_mut().unwrap().push(second.clone());
    }
    before.push(result("c7", "raw"));
    after.insert(5, result("c7", "raw"));
    (before, after)
}

#[test]
fn a_kept_result_answers_the_call_that_it_answered() {
    let (before, after) = two_calls();
    let gates = |after: &[Value]| broken(&judged(Some(&before), after, Files::default()));
    assert_eq!(gates(&after), []);
    let mut results = after.clone();
    (results[4]["tool_call_id"], results[5]["tool_call_id"]) = ("c7".into(), "c6".into());
    assert_eq!(gates(&results), [("T03", Verdict::Fail)]);
    let mut calls = after.clone();
    (calls[3]["tool_calls"][0]["id"], calls[3]["tool_calls"][1]["id"]) = ("c7".into(), "c6".into());
    assert_eq!(gates(&calls), [("T03", Verdict::Fail)]);
    (calls[4]["tool_call_id"], calls[5]["tool_call_id"]) = ("c7".into(), "c6".into());
    assert_eq!(gates(&calls), [], "ids may be others if each pair has one");
}

#[test]
fn two_calls_that_are_alike_have_results_of_their_own() {
    let (mut before, mut after) = two_calls();
    for message in [&mut before[16], &mut after[3]] {
        message["tool_calls"][1]["function"]["arguments"] = message["tool_calls"][0]["function"]["arguments"].clone();
    }
    let gates = |after: &[Value]| broken(&judged(Some(&before), after, Files::default()));
    assert_eq!(gates(&after), []);
    (after[4]["tool_call_id"], after[5]["tool_call_id"]) = ("c7".into(), "c6".into());
    assert_eq!(gates(&after), [("T03", Verdict::Fail)]);
}

#[test]
fn the_summary_stands_before_what_came_after_its_head() {
    let t02 = |after: &[Value]| verdict(&judged(Some(&original()), after, Files::default()), "T02");
    for place in [2, 4, 5] {
        let mut after = compacted(SUMMARY);
        let summary = after.remove(1);
        after.insert(place, summary);
        assert_eq!(t02(&after), Verdict::Fail, "{place}");
    }
    let before = original();
    let mut pinned = compacted(SUMMARY);
    pinned.insert(1, before[1].clone());
    assert_eq!(t02(&pinned), Verdict::Pass, "the first message of the user is older than the head");
}
