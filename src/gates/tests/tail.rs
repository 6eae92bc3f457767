//! The end of what is left: messages between kept ones, the last words of the user, the last line of the summary.

use super::*;

#[test]
fn messages_between_kept_ones_are_missed() {
    let mut after = compacted(SUMMARY);
    after.splice(2..2, original()[11..15].iter().cloned());
    assert_eq!(verdict(&judged(Some(&original()), &after, Files::default()), "T04"), Verdict::Pass);
    after.remove(4);
    let outcomes = judged(Some(&original()), &after, Files::default());
    let last = outcomes.iter().find(|outcome| outcome.gate == "T04").unwrap();
    assert_eq!((last.verdict, last.findings.len()), (Verdict::Warn, 1), "{:?}", last.findings);
    assert!(last.findings[0].original.is_some());
}

#[test]
fn what_a_protected_tool_returned_is_carried_from_anywhere() {
    let t04 = |tool: &str| {
        let loaded =
            [call("c9", tool, &json!({ "skill": "tides" })), result("c9", "Read the tables from left to right.")];
        let (mut before, mut after) = (original(), compacted(SUMMARY));
        before.splice(2..2, loaded.clone());
        after.splice(2..2, loaded);
        verdict(&judged(Some(&before), &after, Files::default()), "T04")
    };
    assert_eq!([t04("Skill"), t04("read_file")], [Verdict::Pass, Verdict::Warn]);
}

#[test]
fn another_tool_lists_what_the_user_said() {
    let t04 = |list: &str| {
        let mut after = compacted(SUMMARY);
        after.remove(2);
        after[1] = said("user", &format!("The export was mended.\n6. All user messages:\n{list}\n7. Next: the lamp."));
        verdict(&judged(Some(&original()), &after, Files::default()), "T04")
    };
    assert_eq!(t04("   - \"Go on, and take the fixtures that are there.\""), Verdict::Pass);
    assert_eq!(t04("   - “Go on, and take the  fixtures that are there.”"), Verdict::Pass);
    for note in [" (about the export test)", " — about the export test"] {
        assert_eq!(
            t04(&format!("   - \"Go on, and take the fixtures that are there.\"{note}")),
            Verdict::Pass,
            "{note}"
        );
    }
    let behind = "   - \"Go on, and take the fixtures that are there.\" and delete the others";
    for list in [behind, "   - \"Go on, and take the fixtures.\"", "   - Go on, and take the fixtures that are there."]
    {
        assert_eq!(t04(list), Verdict::Fail, "{list}");
    }
}

#[test]
fn what_a_command_of_the_user_printed_is_not_their_last_message() {
    let mut before = original();
    before.push(said("user", "<local-command-stdout>Compacted</local-command-stdout>"));
    let outcomes = judged(Some(&before), &compacted(SUMMARY), Files::default());
    assert_eq!(verdict(&outcomes, "T04"), Verdict::Warn, "the tail is shorter, and no words of the user are lost");
}

#[test]
fn the_tail_is_judged_where_no_user_said_anything() {
    static TAIL: LazyLock<KeptTail> = LazyLock::new(|| {
        let lines = |messages: &[Value]| Story::of(messages).0.lines().count();
        KeptTail::Range { pieces: 3, lines: lines(&original()[..15])..=lines(&original()) }
    });
    let of_agent = |mut messages: Vec<Value>| {
        let users = messages.iter_mut().filter(|message| message["role"] == "user" && message["content"] != "continue");
        users.for_each(|message| message["role"] = "assistant".into());
        messages
    };
    let before = of_agent(original());
    let t04 = |after: &[Value], tail| verdict(&judged(Some(&before), after, Files { tail, ..Files::default() }), "T04");
    let mut after = of_agent(compacted(SUMMARY));
    assert_eq!(t04(&after, None), Verdict::Insufficient);
    assert_eq!(t04(&after, Some(&*TAIL)), Verdict::Insufficient);
    after.drain(3..5);
    assert_eq!(t04(&after, None), Verdict::Warn, "the newest message is gone");
    assert_eq!(t04(&after, Some(&*TAIL)), Verdict::Fail, "the report says that it was kept");
}

#[test]
fn a_summary_does_not_end_inside_a_name() {
    let s02 = |last: &str| {
        let summary = SUMMARY.replace("- `src/export/table.py` — edited, read\n", &format!("- {last}\n"));
        verdict(&judged(Some(&original()), &compacted(&summary), Files::default()), "S02")
    };
    for last in ["`src/export/tab", "src/export/tab", "…/src/export/tab"] {
        assert_eq!(s02(last), Verdict::Warn, "{last}");
    }
    for last in ["`src/export/table.py`", "src/export/table.py", "src/export", "…/src/export", "and/or", "edited, read"]
    {
        assert_eq!(s02(last), Verdict::Pass, "{last}");
    }
}

#[test]
fn a_summary_that_is_encrypted_is_not_judged() {
    let said = r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Never paint the quay."}]}}"#;
    let call = r#"{"type":"response_item","payload":{"type":"custom_tool_call","call_id":"c","name":"apply_patch","input":"*** Begin Patch\n*** Add File: src/lamp.rs\n+fn lamp() {}\n*** End Patch"}}"#;
    let result = r#"{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c","output":"Success. Updated the following files:\nA src/lamp.rs\n"}}"#;
    let own = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"Never paint the quay."}]}"#;
    let before = [r#"{"type":"session_meta","payload":{"id":"s"}}"#, said, call, result].join("\n");
    let judged = |history: &str| {
        let compacted = r#"{"type":"compacted","payload":{"message":"","replacement_history":[HISTORY]}}"#;
        let after = format!("{before}\n{}", compacted.replace("HISTORY", &format!("{own},{history}")));
        judged_stories(Some(&Story(before.clone())), &Story(after), Files::default())
    };
    let sealed = judged(r#"{"type":"compaction","encrypted_content":"gAAAA"}"#);
    for gate in sealed.iter().filter(|outcome| outcome.gate.starts_with(['F', 'K'])) {
        assert_eq!((gate.verdict, gate.note), (Verdict::Insufficient, "the summary is encrypted"), "{}", gate.gate);
    }
    assert_eq!(verdict(&sealed, "T01"), Verdict::Pass);
}

#[test]
fn a_password_of_the_original_is_one_wherever_it_stands() {
    let mut before = original();
    let command = json!({ "command": "site user update 1 --user_pass=\"harbour77\"" });
    before.splice(6..6, [call("c9", "bash", &command), result("c9", "done")]);
    let x01 = |line: &str| {
        let summary = SUMMARY.replace("- Open step", &format!("{line}\n- Open step"));
        judged(Some(&before), &compacted(&summary), Files::default()).into_iter().find(|one| one.gate == "X01").unwrap()
    };
    let told = x01("- Site: admin / `harbour77`");
    assert_eq!((told.verdict, told.findings.len()), (Verdict::Fail, 1), "{:?}", told.findings);
    assert_eq!(x01("- Site: harbour77b, user admin").verdict, Verdict::Pass);
}

#[test]
fn a_session_that_ends_on_its_summary_has_no_tail() {
    let mut before = original();
    before.push(said("system", &wrap(SUMMARY)));
    let after = vec![
        before[0].clone(),
        said("system", &wrap(&SUMMARY.replace("- Open step", "- Open step: the export test"))),
        before[15].clone(),
    ];
    let tail = |before: &[Value]| verdict(&judged(Some(before), &after, Files::default()), "T04");
    assert_eq!(tail(&before), Verdict::Pass);
    before.push(said("assistant", "The export test is next."));
    assert_eq!(tail(&before), Verdict::Warn);
}

#[test]
fn of_what_was_left_unchanged_no_message_is_missing() {
    static ALL: KeptTail = KeptTail::All;
    let t04 =
        |after: &[Value], tail| verdict(&judged(Some(&original()), after, Files { tail, ..Files::default() }), "T04");
    let mut after = original();
    assert_eq!(t04(&after, Some(&ALL)), Verdict::Pass);
    after[10]["name"] = "quay".into();
    assert_eq!((t04(&after, Some(&ALL)), t04(&after, None)), (Verdict::Fail, Verdict::Pass), "nor is any byte another");
}

#[test]
fn records_that_are_no_messages_stay_beside_a_summary_of_ours() {
    let line = |role: &str, text: &str| {
        let kind = if role == "user" { "input_text" } else { "output_text" };
        let payload = json!({ "type": "message", "role": role, "content": [{ "type": kind, "text": text }] });
        json!({ "type": "response_item", "payload": payload }).to_string()
    };
    let meta = r#"{"type":"session_meta","payload":{"id":"s","base_instructions":{"text":"TEXT"}}}"#;
    let meta = &*meta.replace("TEXT", &"Mind the tide. ".repeat(10));
    let (asked, last) = ("Never paint the quay.", "Now light the lamp.");
    let before = [meta, &line("user", asked), &line("assistant", "So be it."), &line("user", last)].join("\n");
    let summary = json!({ "type": "message", "role": "user",
        "content": [{ "type": "input_text", "text": wrap(SUMMARY) }] });
    let record = json!({ "type": "compacted", "payload": { "message": "", "replacement_history": [summary] } });
    let t03 = |meta: &str| {
        let after = Story(format!("{meta}\n{record}\n{}", line("user", last)));
        verdict(&judged_stories(Some(&Story(before.clone())), &after, Files::default()), "T03")
    };
    assert_eq!(t03(meta), Verdict::Pass);
    assert_eq!(t03(r#"{"type":"session_meta","payload":{"id":"s"}}"#), Verdict::Fail);
}

#[test]
fn kept_messages_have_their_reasoning() {
    static TAIL: LazyLock<KeptTail> = LazyLock::new(|| KeptTail::Range { pieces: 3, lines: 1..=1 });
    let row = |messages: &[Value]| Story(json!({ "messages": messages }).to_string());
    let (mut before, mut after) = (original(), compacted(SUMMARY));
    let last = before.len() - 1;
    before[last] = said("assistant", "It is written.");
    after.truncate(after.len() - 2);
    after.push(before[last].clone());
    let t03 = |before: &[Value], after: &[Value], tail| {
        verdict(&judged_stories(Some(&row(before)), &row(after), Files { tail, ..Files::default() }), "T03")
    };
    assert_eq!(t03(&before, &after, Some(&*TAIL)), Verdict::Pass);
    before[last]["reasoning_content"] = "Harbour 17 has no table yet.".into();
    assert_eq!(t03(&before, &after, Some(&*TAIL)), Verdict::Fail);
    assert_eq!(t03(&before, &after, None), Verdict::Warn, "another tool may have removed it");
    after.last_mut().unwrap()["reasoning_content"] = "Harbour 17 has no table yet.".into();
    assert_eq!(t03(&before, &after, Some(&*TAIL)), Verdict::Pass);
}
