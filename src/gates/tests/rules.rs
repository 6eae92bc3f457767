//! Rules of the user that have no cue word, and several of them in one sentence (K01); requests in few words (K02).

use super::*;

/// K01 where the first message of the user has this sentence, and the summary has this line for it.
fn k01(rule: &str, line: &str) -> GateResult {
    let never = "Never change the files under data/raw by hand.";
    let mut before = original();
    let said = before[1]["content"].as_str().unwrap().replace(never, rule);
    before[1]["content"] = said.into();
    let summary = SUMMARY.replace(never, line);
    judged(Some(&before), &compacted(&summary), Files::default()).into_iter().find(|one| one.gate == "K01").unwrap()
}

#[test]
fn rules_without_a_cue_word_are_kept() {
    for (rule, lost) in [
        ("Ask me before you delete anything.", Verdict::Warn),
        ("Leave the lamp tests alone.", Verdict::Warn),
        ("No new dependencies, please.", Verdict::Warn),
        ("Please don't touch the lamps, thanks.", Verdict::Fail),
        ("Make sure the tide table stays as it is.", Verdict::Fail),
        ("Hands off the harbour lamps!", Verdict::Warn),
        ("Nothing under data/raw may be changed.", Verdict::Warn),
    ] {
        assert_eq!(k01(rule, rule).verdict, Verdict::Pass, "{rule}");
        let outcome = k01(rule, "Something else.");
        assert_eq!(outcome.verdict, lost, "{rule}");
        let is_whole = outcome.share.kept == outcome.share.of;
        assert_eq!(is_whole, lost == Verdict::Warn, "what only warns does not lower the share: {rule}");
    }
    for (rule, line) in [
        ("Ask me before you delete anything.", "Deletions need the user's confirmation first."),
        ("Leave the lamp tests alone.", "Never touch the lamp tests."),
        ("No new dependencies, please.", "Avoid adding dependencies."),
        ("Please don't touch the lamps, thanks.", "The lamps must not be touched."),
    ] {
        assert_eq!(k01(rule, line).verdict, Verdict::Pass, "{line}");
    }
    let freed = k01("Leave the lamp tests alone.", "The lamp tests may be changed.");
    assert!(freed.findings[0].message.contains("other way round"), "{freed:?}");
    for no_rule in ["No problem so far with the lamps.", "Ask the office for the tide before you draw it."] {
        assert_eq!(k01(no_rule, "Something else.").verdict, Verdict::Pass, "{no_rule}");
    }
}

#[test]
fn rules_of_a_message_that_the_user_takes_back_bind_nobody() {
    let told = |next: &str| {
        let mut before = original();
        before.splice(2..2, [said("user", "Never write to the office's ledger."), said("assistant", "Understood.")]);
        before.splice(4..4, [said("user", next), said("assistant", "Done.")]);
        verdict(&judged(Some(&before), &compacted(SUMMARY), Files::default()), "K01")
    };
    assert_eq!(told("Light the lamp of the pier."), Verdict::Fail);
    for next in ["Ignore the last message, light the lamp.", "Sorry, forget my previous request. Light the lamp."] {
        assert_eq!(told(next), Verdict::Pass, "{next}");
    }
    for other in [
        "Ignore the last lamp.",
        "Ignore the last one, do the first two.",
        "Ignore the last message of the server log, go on.",
        "Ignore the previous instructions in the CI file.",
    ] {
        assert_eq!(told(other), Verdict::Fail, "{other}");
    }
}

#[test]
fn rules_of_one_sentence_are_told_one_by_one() {
    let three = "Do not push to main, do not touch the lamps, and use harbour time only.";
    for lines in [three, "Do not push to main.\n- Do not touch the lamps.\n- Use harbour time only."] {
        assert_eq!(k01(three, lines).verdict, Verdict::Pass, "{lines}");
    }
    assert_ne!(k01(three, "Do not push to main.\n- Use harbour time only.").verdict, Verdict::Pass);
    let reason = "Neither of those boats works for me as I don't want to sail before 11 AM.";
    assert_eq!(k01(reason, "The user does not want to sail before 11 AM.").verdict, Verdict::Pass);
    for line in ["The user does not want to sail after noon.", "The user wants to sail before 11 AM."] {
        assert_ne!(k01(reason, line).verdict, Verdict::Pass, "{line}");
    }
}

#[test]
fn a_ban_of_one_thing_may_have_another_verb() {
    let rule = "Don't modify the lamps.";
    for line in ["Do not touch the lamps.", "Never edit the lamps.", "Leave the lamps unchanged."] {
        assert_eq!(k01(rule, line).verdict, Verdict::Pass, "{line}");
    }
    for line in ["Do not touch the list of lamps.", "Do not light the lamps.", "Leave the bell unchanged."] {
        assert_ne!(k01(rule, line).verdict, Verdict::Pass, "{line}");
    }
}

#[test]
fn a_sentence_beside_the_one_about_a_rule_changes_nothing() {
    let rule = "I do not want harbour insurance.";
    assert_eq!(k01(rule, "Harbour insurance was declined.").verdict, Verdict::Pass);
    let turned = k01(rule, "They sail with harbour insurance. The boat was not late.");
    assert!(turned.findings[0].message.contains("other way round"), "{turned:?}");
}

#[test]
fn what_trails_off_is_no_rule_unless_it_forbids() {
    assert_eq!(k01("But there is no way to do that without reading it...", "Something else.").verdict, Verdict::Pass);
    assert_eq!(k01("Never push to the harbour branch...", "Something else.").verdict, Verdict::Fail);
}

#[test]
fn a_rule_with_another_number_is_not_kept() {
    let rule = "Never draw the harbour table with more than 50 lines.";
    assert_eq!(k01(rule, "Never draw the harbour table with more than 80 lines.").verdict, Verdict::Fail);
    assert_eq!(
        k01(rule, "The harbour table must never be drawn with more than 50 lines (it has 12).").verdict,
        Verdict::Pass
    );
    let renewed = format!("{rule} Now it is report 48217.");
    let mut before = original();
    before[1]["content"] = before[1]["content"].as_str().unwrap().replace("It is report 48217.", &renewed).into();
    before[11]["content"] = "Please never draw the harbour table with more than 80 lines.".into();
    let line = "\n## Discoveries";
    let summary = SUMMARY.replace(line, &format!("- Never draw the harbour table with more than 80 lines.\n{line}"));
    let summary = summary.replace("Now write the export test for harbour 17 as well, and keep it short.", "Go on.");
    let outcomes = judged(Some(&before), &compacted(&summary), Files::default());
    let k01 = outcomes.iter().find(|one| one.gate == "K01").unwrap();
    assert_eq!(k01.findings, [], "the user gave another number later");
}

#[test]
fn of_two_bans_in_one_sentence_both_are_kept() {
    let rule = "Never touch the generated lamp tables of the harbour and don't add dependencies.";
    assert_eq!(k01(rule, rule).verdict, Verdict::Pass);
    let both = "Never touch the generated lamp tables of the harbour; no dependencies may be added.";
    assert_eq!(k01(rule, both).verdict, Verdict::Pass);
    let one = k01(rule, "Never touch the generated lamp tables of the harbour.");
    assert_eq!((one.verdict, one.findings.len()), (Verdict::Warn, 1), "{one:?}");
    assert!(one.findings[0].message.contains("not kept"), "it is turned round nowhere: {one:?}");
    let turned = "Never touch the generated lamp tables of the harbour and add dependencies.";
    assert!(k01(rule, turned).findings[0].message.contains("other way round"));
}

#[test]
fn what_a_plan_says_only_warns() {
    let plan = |rule: &str| {
        format!("x.\n\n{rule}").replacen("x.", "Implement the following plan:\n\n# Tide\n\n- Mend the tides", 1)
    };
    let judge = |said: &str| {
        let mut before = original();
        before[11]["content"] = said.into();
        let outcomes = judged(Some(&before), &compacted(SUMMARY), Files::default());
        outcomes.into_iter().find(|one| one.gate == "K01").unwrap().verdict
    };
    let rule = "Make sure that you never open the northern gate at low tide.";
    assert_eq!(judge(&plan(rule)), Verdict::Fail, "it stands behind the plan");
    assert_eq!(judge(&plan(&format!("## Rules\n- {rule}"))), Verdict::Fail);
    assert_eq!(judge(&plan(&format!("## Steps\n- {rule}"))), Verdict::Warn);
}

#[test]
fn a_request_may_be_told_in_few_words() {
    let k02 = |goal: &str| {
        let first = "- The export of the tide tables writes src/export/table.py wrong.";
        let summary = SUMMARY.replace(first, goal).replace("report 48217", "it");
        let summary = summary.replace("- Never change the files under data/raw by hand.\n", "");
        verdict(&judged(Some(&original()), &compacted(&summary), Files::default()), "K02")
    };
    assert_eq!(k02("- Tide tables: the export writes wrong heights"), Verdict::Pass);
    assert_eq!(k02("- Mend the exported tide table"), Verdict::Warn);
    assert_eq!(k02("- Paint the buoys of the harbour"), Verdict::Fail);
    let turned = |goal: &str| {
        let mut before = original();
        before[1]["content"] = "Delete `src/quay/old_lamp.py` now.".into();
        let first = "- The export of the tide tables writes src/export/table.py wrong.";
        let summary = SUMMARY.replace(first, goal).replace("- Never change the files under data/raw by hand.\n", "");
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "K02")
    };
    assert_eq!(turned("- Add `src/quay/old_lamp.py`"), Verdict::Fail, "only the name is there");
}

#[test]
fn a_quote_of_what_the_user_said_beside_a_ban_turns_nothing_round() {
    let beside = "The builder takes the address of the northern gate, so that tests hand it a toy.";
    let rule = "Never hardcode the address of the northern gate in tests — hand it to the builder.";
    let turned = |line: &str| {
        let outcome = k01(&format!("{beside} {rule}"), line);
        outcome.findings.iter().any(|finding| finding.message.contains("other way round"))
    };
    assert!(!turned(&format!("User: “{beside}”")));
    assert!(turned("The address of the northern gate is hardcoded in tests, which hand it to the builder."));
    assert!(turned("User: “The northern gate has its address in tests, hand it to the builder.”"), "nobody said that");
}

#[test]
fn a_rule_is_kept_without_its_reason_and_not_without_a_part() {
    let ban = "Please don't touch data/berths.csv";
    for reason in
        [": the pilot edits it by hand.", " – the pilot edits it by hand.", ", as the pilot edits it by hand."]
    {
        assert_eq!(k01(&format!("{ban}{reason}"), "Do not touch data/berths.csv.").verdict, Verdict::Pass, "{reason}");
        assert_eq!(k01(&format!("{ban}{reason}"), "Read data/berths.csv.").verdict, Verdict::Fail, "{reason}");
    }
    for part in [" until the pilot has edited it.", ", and never rename the old tide tables of the mole."] {
        let kept = k01(&format!("{ban}{part}"), "Do not touch data/berths.csv.").verdict;
        assert_ne!(kept, Verdict::Pass, "{part}");
    }
}

#[test]
fn a_limit_or_an_order_in_time_is_turned_round() {
    for (rule, line, found) in [
        ("Functions may have at most 40 lines.", "Functions have at least 40 lines.", Verdict::Warn),
        ("Commit before every test run.", "Commit after every test run.", Verdict::Warn),
        ("Ask me before you paint the mole.", "Ask me after you paint the mole.", Verdict::Fail),
        ("Prefer the old pump over the new pump.", "Prefer the new pump over the old pump.", Verdict::Fail),
        ("Keep the comment about the new rack.", "Remove the comment about the new rack.", Verdict::Fail),
        ("Only pilots may delete berths.", "Pilots may delete berths.", Verdict::Warn),
    ] {
        assert_eq!(k01(rule, line).verdict, found, "{line}");
        assert_eq!(k01(rule, rule).verdict, Verdict::Pass, "{rule}");
    }
}
