//! Gates about what must be kept: the last user message, the tail, and the rules.

use super::*;

#[test]
fn the_last_words_of_the_user_are_there() {
    let mut after = compacted(SUMMARY);
    after.remove(2);
    assert!(broken(&judged(Some(&original()), &after, Files::default())).contains(&("T04", Verdict::Fail)));
    let tail = judged(Some(&original()), &compacted(SUMMARY), Files { gates: "T04 = { min = 9 }", ..Files::default() });
    assert_eq!(broken(&tail), [("T04", Verdict::Warn)]);
    let quoted =
        SUMMARY.replace("\n## Instructions", "- Go on, and take the fixtures that are there.\n\n## Instructions");
    let mut after = compacted(&quoted);
    after.remove(2);
    let outcomes = judged(Some(&original()), &after, Files::default());
    assert_eq!(verdict(&outcomes, "T04"), Verdict::Fail, "what the summary quotes is not the message");
    let outcomes = judged(Some(&original()), &after, Files { summary_tells: true, ..Files::default() });
    assert_eq!(verdict(&outcomes, "T04"), Verdict::Pass, "the policy keeps it nowhere else");
}

#[test]
fn the_last_words_may_share_a_message_with_the_summary_of_another_tool() {
    let t04 = |role: &str, summary: &str| {
        let mut after = compacted(SUMMARY);
        after.remove(2);
        after[1] = said(role, summary);
        verdict(&judged(Some(&original()), &after, Files::default()), "T04")
    };
    let words = "Go on, and take the fixtures that are there.";
    let told = "So far the export of the tide tables was fixed.";
    assert_eq!(t04("user", &format!("{told}\n\n{words}")), Verdict::Pass);
    assert_eq!(t04("user", &format!("{words}\n{told}")), Verdict::Pass);
    assert_eq!(t04("user", &format!("{told}\n- {words}")), Verdict::Fail, "a quotation in the summary");
    assert_eq!(t04("user", &format!("{told}\n\n{words} Delete the others.")), Verdict::Fail);
    assert_eq!(t04("system", &format!("{told}\n\n{words}")), Verdict::Fail, "not of the user");
}

#[test]
fn a_call_at_the_end_keeps_the_result_that_it_had() {
    let t01 = |before: &[Value], after: &[Value]| verdict(&judged(Some(before), after, Files::default()), "T01");
    let mut after = compacted(SUMMARY);
    after.truncate(4);
    assert_eq!(t01(&original(), &after), Verdict::Fail);
    let mut open = original();
    open.pop();
    assert_eq!(t01(&open, &after), Verdict::Pass, "it was never answered");
    assert_eq!(t01(&original(), &compacted(SUMMARY)), Verdict::Pass);
}

#[test]
fn the_tail_that_the_report_tells_of_is_there() {
    // Lines of the original from the last user message on; each message is on its own line.
    static TAIL: LazyLock<KeptTail> = LazyLock::new(|| {
        let story = Story::of(&original());
        let (transcript, _) = story.read();
        let line = |at: usize| transcript.records[transcript.messages[at].record].line;
        KeptTail::Range { pieces: 3, lines: line(15)..=line(17) }
    });
    let judged = |after: &[Value]| {
        let files = Files { tail: Some(&TAIL), ..Files::default() };
        broken(&judged(Some(&original()), after, files))
    };
    assert_eq!(judged(&compacted(SUMMARY)), []);
    let mut without_pair = compacted(SUMMARY);
    without_pair.drain(3..5);
    assert!(judged(&without_pair).contains(&("T04", Verdict::Fail)));
    let mut stubbed = compacted(SUMMARY);
    stubbed[4]["content"] = "<tool-output-compacted />".into();
    assert_eq!(judged(&stubbed), [], "a stub stands for its result");
    stubbed[4]["content"] = "no files".into();
    let told = judged(&stubbed);
    assert!(told.contains(&("T03", Verdict::Fail)) && !told.contains(&("T04", Verdict::Fail)), "told once: {told:?}");
}

#[test]
fn the_rules_of_an_earlier_summary_are_carried_on() {
    let mut before = original();
    let rules = "## Instructions\n- Never push to the branch of the harbour office.\n- Check the lamp.\n";
    before.insert(1, said("system", &wrap(rules)));
    let k01 = |after: &[Value]| {
        let outcomes = judged(Some(&before), after, Files::default());
        outcomes.into_iter().find(|outcome| outcome.gate == "K01").unwrap()
    };
    let lost = k01(&compacted(SUMMARY));
    assert_eq!((lost.verdict, lost.findings.len()), (Verdict::Warn, 1), "{:?}", lost.findings);
    assert_eq!(lost.findings[0].message, "a rule of the earlier summary is not kept");
    assert!(lost.findings[0].original.is_some());
    let carried = SUMMARY.replace("- Now write", "- Do not push to the harbour office branch.\n- Now write");
    assert_eq!(k01(&compacted(&carried)).verdict, Verdict::Pass);
    let mut repeated = compacted(SUMMARY);
    let again = said("user", "As I said: never push to the branch of the harbour office.");
    before.push(again.clone());
    repeated.insert(repeated.len() - 1, again);
    let outcomes = judged(Some(&before), &repeated, Files::default());
    assert_eq!(verdict(&outcomes, "K01"), Verdict::Pass, "a message that is kept says it");
}

#[test]
fn what_has_to_be_kept_is_kept() {
    assert!(with_summary("- Never change the files under data/raw by hand.\n", "").contains(&("K01", Verdict::Fail)));
    let both = SUMMARY.replace("- Never change the files under data/raw by hand.\n", "");
    let bearable =
        judged(Some(&original()), &compacted(&both), Files { gates: "K01 = { min = 0.4 }", ..Files::default() });
    assert_eq!(verdict(&bearable, "K01"), Verdict::Warn, "enough others are kept, and this one is lost");
    let never = "Never change the files";
    let may = judged(
        Some(&original()),
        &compacted(&SUMMARY.replace(never, "You may change the files")),
        Files { gates: "K01 = { min = 0.4 }", ..Files::default() },
    );
    let reversed = may.iter().find(|outcome| outcome.gate == "K01").unwrap();
    assert_eq!((reversed.verdict, reversed.findings.len()), (Verdict::Fail, 1), "no share makes it bearable");
    assert!(reversed.findings[0].message.contains("other way round"));
    assert!(reversed.findings[0].original.is_some_and(|spot| spot.line > 1), "where it stands in the original");
    let free =
        SUMMARY.replace("- Never change", "- Feel free to change the files under data/raw by hand.\n- Never change");
    let free = judged(Some(&original()), &compacted(&free), Files::default());
    assert_eq!(verdict(&free, "K01"), Verdict::Fail, "what one line forbids another sets free");
    let beside = SUMMARY.replace("- Never change", "- Change the files under data/raw by hand.\n- Never change");
    let beside = judged(Some(&original()), &compacted(&beside), Files::default());
    assert_eq!(verdict(&beside, "K01"), Verdict::Fail, "one line says it, and one the opposite");
    let unasked = both.replace("The export of the tide tables writes src/export/table.py wrong.", "Something else.");
    let unasked = unasked.replace("report 48217", "it");
    assert_eq!(verdict(&judged(Some(&original()), &compacted(&unasked), Files::default()), "K02"), Verdict::Fail);
    let without = SUMMARY.replace("src/export/table.py", "src/export");
    let outcomes = judged(Some(&original()), &compacted(&without), Files::default());
    assert_eq!(verdict(&outcomes, "K03"), Verdict::Fail);
    let file = outcomes.iter().find(|outcome| outcome.gate == "K03").unwrap();
    assert!(file.findings[0].original.is_some_and(|spot| spot.line > 1), "where a call changed it");
    assert_eq!(
        with_summary("- Open step: Write the export test\n", "- Something\n").last(),
        None,
        "another line says it"
    );
    let unsaid =
        SUMMARY.replace("- Open step: Write the export test\n", "").replace("Now write the export test", "Now go");
    assert!(
        broken(&judged(Some(&original()), &compacted(&unsaid), Files::default())).contains(&("K04", Verdict::Warn))
    );
}

#[test]
fn a_command_that_stays_names_what_it_changes() {
    let with = |messages: Vec<Value>| {
        let command = json!({ "command": "mkdir -p /w/quay/b && cd /w/quay/a && mv lamp.ts tide.ts ../b" });
        [messages, vec![call("c9", "bash", &command), result("c9", "")]].concat()
    };
    let k03 = |after: &[Value]| verdict(&judged(Some(&with(original())), after, Files::default()), "K03");
    assert_eq!(k03(&with(original())), Verdict::Pass, "nothing is gone");
    assert_eq!(k03(&with(compacted(SUMMARY))), Verdict::Pass);
    assert_eq!(k03(&compacted(SUMMARY)), Verdict::Fail);
}

#[test]
fn of_two_formats_no_message_is_compared() {
    let told = |converted: bool| {
        let mut after = compacted(SUMMARY);
        // How another format may represent an image.
        after.insert(5, said("assistant", "[image]"));
        broken(&judged(Some(&original()), &after, Files { converted, ..Files::default() }))
    };
    assert_eq!(told(false), [("T03", Verdict::Fail)]);
    assert_eq!(told(true), []);
    let lost = SUMMARY.replace("- Never change the files under data/raw by hand.\n", "");
    let lost = judged(Some(&original()), &compacted(&lost), Files { converted: true, ..Files::default() });
    assert_eq!(verdict(&lost, "K01"), Verdict::Fail, "what is kept is compared all the same");
}

#[test]
fn a_training_row_ends_on_the_answer_that_it_ended_on() {
    let judged = |after: &dyn Fn(&mut Vec<Value>), gates: &'static str| {
        let mut before = original();
        before.push(said("assistant", "The fixtures are those of the harbour."));
        let mut messages = compacted(SUMMARY);
        messages.pop();
        messages.push(before[before.len() - 1].clone());
        after(&mut messages);
        let row = |messages: &[Value]| Story(json!({ "messages": messages }).to_string());
        verdict(&judged_stories(Some(&row(&before)), &row(&messages), Files { gates, ..Files::default() }), "T04")
    };
    assert_eq!(judged(&|_| {}, ""), Verdict::Pass);
    let cut = |messages: &mut Vec<Value>| drop(messages.pop());
    assert_eq!(judged(&cut, ""), Verdict::Fail);
    let asked = |messages: &mut Vec<Value>| *messages.last_mut().unwrap() = said("user", "continue");
    assert_eq!(judged(&asked, ""), Verdict::Fail);
    assert_eq!(judged(&cut, "T04 = { min = 0 }"), Verdict::Pass, "the policy asks for no tail");
    let session = |cut: bool| {
        let mut before = original();
        before.push(said("assistant", "The fixtures are those of the harbour."));
        let mut messages = compacted(SUMMARY);
        messages.pop();
        messages.extend((!cut).then(|| before[before.len() - 1].clone()));
        verdict(&super::judged(Some(&before), &messages, Files::default()), "T04")
    };
    assert_eq!((session(true), session(false)), (Verdict::Warn, Verdict::Pass), "no row");
}

#[test]
fn of_a_row_only_the_last_messages_are_its_tail() {
    // All messages of a row are on one line.
    static TAIL: LazyLock<KeptTail> = LazyLock::new(|| KeptTail::Range { pieces: 3, lines: 1..=1 });
    let row = |messages: &[Value]| Story(serde_json::to_string(messages).unwrap());
    let judged = |after: &[Value]| {
        let files = Files { tail: Some(&TAIL), ..Files::default() };
        verdict(&judged_stories(Some(&row(&original())), &row(after), files), "T04")
    };
    assert_eq!(judged(&compacted(SUMMARY)), Verdict::Pass);
    for gone in 3..5 {
        let mut cut = compacted(SUMMARY);
        cut.remove(gone);
        assert_eq!(judged(&cut), Verdict::Fail, "the system prompt stands for no message of the tail");
    }
}

#[test]
fn what_is_asked_for_now_was_asked_last() {
    let goal =
        |text: &str| with_summary("\n\n## Instructions", &format!("\n- Current request: {text}\n\n## Instructions"));
    let [first, latest] = [
        "The export of the tide tables writes src/export/table.py wrong.",
        "Now write the export test for harbour 17 as well, and keep it short.",
    ];
    assert_eq!(goal(first), [("K02", Verdict::Fail)]);
    for text in [latest, "Go on, and take the fixtures that are there.", &format!("{first} Then: “{latest}”")] {
        assert_eq!(goal(text), [], "{text}");
    }
    let answer = format!("Go on, and take the fixtures that are there. (to “{first}”)");
    assert_eq!(goal(&answer), [], "what a request answers is older");
    assert_eq!(goal("Mend the lamp of the lighthouse."), [("F06", Verdict::Fail)], "nobody asked for it");
}

#[test]
fn a_wish_that_is_lost_warns_and_a_request_is_no_constraint() {
    let judged = |said_: &str| {
        let mut before = original();
        before.insert(11, said("user", said_));
        before.insert(12, said("assistant", "Done."));
        let settings = Files { gates: "K01 = { min = 1.0 }", ..Files::default() };
        verdict(&judged(Some(&before), &compacted(SUMMARY), settings), "K01")
    };
    assert_eq!(judged("Never paint the buoys of the northern mole."), Verdict::Fail);
    assert_eq!(judged("The buoys of the northern mole could be painted only in spring."), Verdict::Warn);
    assert_eq!(judged("I need to cancel the paint of the northern buoys."), Verdict::Pass);
}

#[test]
fn a_summary_that_the_report_tells_of_is_there() {
    let mut after = compacted(SUMMARY);
    after.remove(1);
    let judged =
        |summarized| verdict(&judged(Some(&original()), &after, Files { summarized, ..Files::default() }), "S01");
    assert_eq!((judged(true), judged(false)), (Verdict::Fail, Verdict::Insufficient));
    let there = Files { summarized: true, ..Files::default() };
    assert_eq!(verdict(&super::judged(Some(&original()), &compacted(SUMMARY), there), "S01"), Verdict::Pass);
}

#[test]
fn what_a_user_pasted_binds_nobody() {
    let words = "Now write the export test for harbour 17 as well, and keep it short.";
    let k01 = |pasted: &str| {
        let mut before = original();
        before[11]["content"] = format!("{words}\n\n{pasted}").into();
        verdict(&judged(Some(&before), &compacted(SUMMARY), Files::default()), "K01")
    };
    assert_eq!(k01("Never open the northern gate at low tide."), Verdict::Fail);
    assert_eq!(k01("| Gate | Never open the northern gate at low tide. |"), Verdict::Pass);
    assert_eq!(
        k01("Error: 400 {\"type\":\"error\",\"message\":\"Gates must never be opened at low tide.\"}"),
        Verdict::Pass
    );
    let review =
        "Evidence: a gate must never be open at low tide.\nImpact: boats have to wait.\nRationale: the rule is old.";
    assert_eq!(k01(review), Verdict::Pass);
    assert_eq!(k01("$ make tide\nwarning: gates must never be opened at low tide."), Verdict::Pass);
}

#[test]
fn a_limit_of_one_step_binds_until_the_user_asks_for_more() {
    let k01 = |at: usize, limit: &str| {
        let mut before = original();
        let words = before[at]["content"].as_str().unwrap_or_default().to_owned();
        before[at]["content"] = format!("{words} {limit}").into();
        verdict(&judged(Some(&before), &compacted(SUMMARY), Files::default()), "K01")
    };
    let users: Vec<usize> = (0..12).filter(|at| original()[*at]["role"] == "user").collect();
    assert_eq!(k01(users[0], "Do not write any code of the northern gate yet."), Verdict::Pass);
    assert_eq!(k01(users[0], "Do not write any code of the northern gate."), Verdict::Fail);
}

#[test]
fn a_quote_that_was_joined_with_the_line_before_is_no_reversal() {
    let rule = "Instead, always keep one lamp of the southern mole lit till the morning.";
    let mut before = original();
    before[11]["content"] = format!("I ask \"is it lit? Is it *not* out?\"\n\n{rule}").into();
    let k01 = |line: &str| {
        let summary = SUMMARY.replace("- Now write the export test for harbour 17 as well, and keep it short.", line);
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "K01")
    };
    assert_eq!(k01(&format!("- Is it *not* out?\" {rule}")), Verdict::Pass);
    let turned = "- Instead, never keep one lamp of the southern mole lit till the morning.";
    assert_eq!(k01(turned), Verdict::Fail);
}

#[test]
fn a_rule_or_request_is_not_told_by_another_that_differs_in_a_word() {
    let rule = |name: &str| format!("Never write to the {name} database of the harbour office.");
    let told = |gate: &str, said: [String; 2], line: &str| {
        let mut before = original();
        before[1]["content"] = said[0].as_str().into();
        before[11]["content"] = said[1].as_str().into();
        let summary = SUMMARY.replace("- Never change the files under data/raw by hand.", line);
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), gate)
    };
    let k01 = |line: &str| told("K01", [rule("production"), rule("staging")], line);
    assert_eq!(k01(&format!("- {}", rule("staging"))), Verdict::Warn, "it may be told in other words");
    assert_eq!(k01(&format!("- {}\n- {}", rule("production"), rule("staging"))), Verdict::Pass);
    assert_eq!(k01("- Never write to the production and the staging database of the harbour office."), Verdict::Pass);
    let asked = |name: &str| format!("Please translate the manual of the northern quay into {name}.");
    let k02 = |line: &str| told("K02", [asked("Danish"), asked("Finnish")], line);
    assert_eq!(k02(&format!("- {}", asked("Finnish"))), Verdict::Warn);
    assert_eq!(k02(&format!("- {}\n- {}", asked("Danish"), asked("Finnish"))), Verdict::Pass);
}

#[test]
fn a_rule_may_be_told_in_other_words_and_has_no_exception() {
    let rule = "Do not touch src/billing, another team owns it.";
    let k01 = |line: &str| {
        let mut before = original();
        before[1]["content"] = format!("Fix src/export/table.py, report 48217. {rule}").into();
        let summary = SUMMARY.replace("- Never change the files under data/raw by hand.", line);
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "K01")
    };
    for line in
        ["- Don't touch src/billing.", "- Never modify anything under src/billing.", "- Leave src/billing alone."]
    {
        assert_eq!(k01(line), Verdict::Pass, "{line}");
    }
    for line in ["- Touch src/billing.", "- Fix the tables.", "- Leave src/billing alone unless the tests need it."] {
        assert_eq!(k01(line), Verdict::Fail, "{line}");
    }
    for exception in [", except for small fixes.", ", unless the tests need it.", ", or do it if tests need that."] {
        assert_eq!(k01(&format!("- {}{exception}", rule.trim_end_matches('.'))), Verdict::Warn, "{exception}");
    }
    assert_eq!(k01(&format!("- “{rule}” when the user is away")), Verdict::Warn);
    assert_eq!(k01(&format!("- “{rule}” after the user asked")), Verdict::Pass);
    assert_eq!(k01(&format!("- {rule} Use tabs if you like.")), Verdict::Pass);
    let excepted = |line: &str| {
        let mut before = original();
        let asked = "Ask nobody unless it is urgent.";
        before[1]["content"] = format!("Fix src/export/table.py, report 48217. {rule} {asked}").into();
        let summary = SUMMARY.replace("- Never change the files under data/raw by hand.", line);
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "K01")
    };
    let listed =
        "- Do not touch src/billing, another team owns it, unless it is urgent; Ask nobody unless it is urgent";
    assert_eq!(excepted(listed), Verdict::Pass, "what stands behind the semicolon is another rule");
    assert_eq!(excepted(&listed.replacen("it is urgent;", "you are sure;", 1)), Verdict::Warn);
}

#[test]
fn a_request_in_a_section_of_its_own_is_kept_by_that_section() {
    let with = |heading: &str| {
        let mut before = original();
        let preamble = "You look after lamps, buoys and moorings. Boats arrive by night from seven islands. \
            Keepers write down every signal in thick books. Visitors bring coffee, bread and letters.";
        let asked = before[1]["content"].as_str().unwrap().to_owned();
        before[1]["content"] = format!("{preamble}\n\n{heading}\n\n{asked}").into();
        verdict(&judged(Some(&before), &compacted(SUMMARY), Files::default()), "K02")
    };
    assert_eq!(with("## Task"), Verdict::Pass);
    assert_eq!(with("## History"), Verdict::Fail);
}

#[test]
fn an_open_step_is_ticked_off_where_a_call_did_it() {
    let k04 = |line: &str, more: Option<Value>| {
        let mut before = original();
        let todos = json!({ "todos": [{ "content": "Paint docs/pier.md in red", "status": "pending" }] });
        before[8] = call("c4", "todo_write", &todos);
        if let Some(arguments) = more {
            before.insert(10, result("c9", "done"));
            before.insert(10, call("c9", "edit_file", &arguments));
        }
        let summary = SUMMARY.replace("- Open step: Write the export test", line);
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "K04")
    };
    let edit = |path: &str| Some(json!({ "path": path, "new": "red" }));
    for line in
        ["- [x] Paint docs/pier.md in red", "- Paint docs/pier.md in red: done", "- ✅ Paint docs/pier.md in red"]
    {
        assert_eq!(k04(line, None), Verdict::Warn, "{line}");
        assert_eq!(k04(line, edit("docs/mole.md")), Verdict::Warn, "{line}");
        assert_eq!(k04(line, edit("docs/pier.md")), Verdict::Pass, "{line}");
    }
    assert_eq!(k04("- [ ] Paint docs/pier.md in red", None), Verdict::Pass);
    assert_eq!(k04("- [x] Paint docs/pier.md in red\n- Next: paint docs/pier.md in red", None), Verdict::Pass);
}
