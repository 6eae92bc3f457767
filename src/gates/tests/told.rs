//! What the user tells beside the calls: changes of theirs (F02), and requests in few characters (K02); what they set:
//! a strict gate. What a summary tells in the words of the original, and one that stands alone.

use super::*;

/// The outcome of a gate if the user says these words while the agent looks at files, and the summary has this line.
fn f02(line: &str, words: &str) -> Verdict {
    let mut before = original();
    let looks = [call("c8", "read_file", &json!({ "path": "src/report/rows.py" })), result("c8", "rows = []")];
    before.splice(6..6, [said("user", words)].into_iter().chain(looks));
    let summary = SUMMARY.replace("- Open step", &format!("{line}\n- Open step"));
    verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "F02")
}

#[test]
fn a_change_that_the_user_tells_of_is_none_that_they_forbid() {
    let edited = "- Edited `import/rows.py`";
    for words in [
        "I have updated src/import/rows.py myself.",
        "Never touch the tests; I changed src/import/rows.py",
        "I already updated src/import/rows.py, so don't touch it.",
        "I applied a patch to src/import/rows.py",
        "Do not be surprised: I changed src/import/rows.py.",
    ] {
        assert_eq!(f02(edited, words), Verdict::Pass, "{words}");
    }
    for words in ["You must never edit src/import/rows.py.", "Please don't change src/import/rows.py."] {
        assert_eq!(f02(edited, words), Verdict::Fail, "{words}");
    }
    assert_eq!(f02("- Deleted `import/rows.py`", "I removed src/import/rows.py."), Verdict::Pass);
    assert_eq!(f02("- Deleted `import/rows.py`", "Never delete src/import/rows.py."), Verdict::Fail);
}

#[test]
fn a_file_that_was_changed_before_an_earlier_summary_is_not_only_read() {
    let told = |line: &str| {
        let summary =
            SUMMARY.replace("- Edited `src/export/table.py`\n", "").replace("writes src/export/table.py", "is");
        let summary = summary.replace("- `src/export/table.py` — edited, read", line);
        verdict(&judged(Some(&original()), &compacted(&summary), Files::default()), "F02")
    };
    assert_eq!(told("- `src/export/table.py` — read; earlier changed"), Verdict::Pass);
    assert_eq!(told("- `src/export/table.py` — read; earlier read"), Verdict::Fail);
}

#[test]
fn a_forbidden_text_is_told_with_its_line() {
    let expect = "[[transcript]]\npath = 'story.json'\nmust_not = ['hunter2']";
    let at = |after: &[Value]| {
        let outcomes = judged(Some(&original()), after, Files { expect, ..Files::default() });
        let k06 = outcomes.into_iter().find(|outcome| outcome.gate == "K06").unwrap();
        k06.findings.first().map(|finding| finding.line)
    };
    let line = |text: &str| {
        let after = [compacted(SUMMARY), vec![said("assistant", text)]].concat();
        (after.len(), at(&after))
    };
    let (last, found) = line("The lamp opens with hunter2.");
    let first = found.unwrap();
    assert!(last > 1 && first > 1, "{found:?}");
    assert_eq!(line("The lamp opens.").1, None);
    let in_summary = at(&compacted(&SUMMARY.replace("48217.", "48217, and hunter2."))).unwrap();
    assert!(in_summary < first, "that of the summary");
}

#[test]
fn the_newest_request_may_be_short() {
    let outdated = |newest: &str, current: &str| {
        let mut before = original();
        before[1]["content"] = "制定灯塔港口潮汐表的执行方案".into();
        before.splice(12..12, [said("user", newest), said("assistant", "好的")]);
        let goal = format!("\n- Current request: {current}\n\n## Instructions");
        let summary = SUMMARY.replace("\n\n## Instructions", &goal).replace("- Now write the export test", "- Now go");
        let outcomes = judged(Some(&before), &compacted(&summary), Files::default());
        let mut findings = outcomes.iter().flat_map(|outcome| &outcome.findings);
        findings.any(|finding| finding.message.contains("asked before another"))
    };
    assert!(!outdated("执行方案吧", "执行方案吧"));
    assert!(outdated("好", "制定灯塔港口潮汐表的执行方案"), "an older one");
}

#[test]
fn a_strict_gate_fails_where_it_would_warn() {
    let summary = SUMMARY.replace("- `round_height` cut the heights of report 48217.", "N/A");
    let s02 = |gates| {
        let files = Files { gates, ..Files::default() };
        verdict(&judged(Some(&original()), &compacted(&summary), files), "S02")
    };
    assert_eq!([s02("S02 = 'error'"), s02("S02 = 'strict'")], [Verdict::Warn, Verdict::Fail]);
    let good = Files { gates: "S02 = 'strict'", ..Files::default() };
    assert_eq!(broken(&judged(Some(&original()), &compacted(SUMMARY), good)), []);
}

#[test]
fn a_number_in_the_words_of_the_original_is_that_of_the_original() {
    let line = |line: &str| with_summary("- Open step", &format!("{line}\n- Open step"));
    assert_eq!(line("- Now write the export test for harbour 12 as well"), [("F01", Verdict::Fail)]);
    assert_eq!(line("- Now write the export test for harbour 17 as well"), []);
}

#[test]
fn a_sentence_with_a_negation_more_or_less_is_turned_round() {
    let rule = "- Never change the files under data/raw by hand.";
    let turned = |from: &str, to: &str| {
        let outcomes = judged(Some(&original()), &compacted(&SUMMARY.replace(from, to)), Files::default());
        verdict(&outcomes, "F04")
    };
    assert_eq!(turned(rule, "- Change the files under data/raw by hand."), Verdict::Fail);
    assert_eq!(turned(rule, "- Do not change the files under data/raw by hand."), Verdict::Pass);
    assert_eq!(
        turned("- Open step", "- The heights are not rounded now.\n- Open step"),
        Verdict::Warn,
        "said the agent"
    );
    assert_eq!(turned("- Open step", "- The heights are rounded now.\n- Open step"), Verdict::Pass);
}

#[test]
fn right_numbers_and_names_may_be_spelled_otherwise() {
    let f01 = |line: &str| {
        let mut before = original();
        before[1]["content"] = format!(
            "{} 48213 requests, 2900 ms, hashlib.sha256 in mcp__quay__get_page_text.",
            before[1]["content"].as_str().unwrap()
        )
        .into();
        let summary = SUMMARY.replace("- Open step", &format!("- {line}\n- Open step"));
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "F01")
    };
    let pointer =
        "If you need details, read the full transcript at: /data/logs/33c772d9-aaaa-4bbb-8ccc-0123456789ab.jsonl";
    for line in ["48,213 requests", "took 2,900 ms, or 2.9 s", "It calls `get_page_text`", "In JavaScript", pointer] {
        assert_eq!(f01(line), Verdict::Pass, "{line}");
    }
    for line in ["A SHA-256 of it", "about 5 % of all", "Stored in PostgreSQL"] {
        assert_eq!(f01(line), Verdict::Warn, "{line}");
    }
    for line in ["48,231 requests", "exactly 50 % of all", "A SHA-512 of it", "See /data/logs/33c772d9.jsonl"] {
        assert_eq!(f01(line), Verdict::Fail, "{line}");
    }
}

#[test]
fn alone_only_what_needs_no_original_is_judged() {
    let outcomes = judged(None, &compacted(SUMMARY), Files::default());
    let passed: Vec<_> = outcomes.iter().filter(|one| one.verdict == Verdict::Pass).map(|one| one.gate).collect();
    assert_eq!(passed, ["S01", "S02", "B01", "T01", "T02", "T05", "X01"]);
    assert!(outcomes.iter().all(|one| one.verdict <= Verdict::Insufficient));
    assert_eq!(broken(&judged(Some(&original()), &original(), Files::default())), [], "a copy is no compaction");
}

#[test]
fn an_older_request_is_told_as_the_current_one_in_other_words() {
    let k02 = |lines: &str| {
        let told = with_summary("\n\n## Instructions", &format!("\n{lines}\n\n## Instructions"));
        told.into_iter().find(|(gate, _)| *gate == "K02").map(|(_, verdict)| verdict)
    };
    let first = "the export of the tide tables writes src/export/table.py wrong";
    let latest = "write the export test for harbour 17 as well, and keep it short";
    for line in [
        format!("The current request is that {first}."),
        format!("The user now wants to know why {first}."),
        format!("**Latest request:** {first}. (Before: {latest}.)"),
        format!("## Current request\n\n{first}"),
    ] {
        assert_eq!(k02(&line), Some(Verdict::Fail), "{line}");
    }
    assert_eq!(k02(&format!("## Current work\n{first}")), Some(Verdict::Warn), "work may be about it still");
    for line in [
        format!("The current request is to {latest}."),
        format!("Latest request: {latest}. (Before: {first}.)"),
        format!("## Current work\n{latest}"),
        format!("## Current work\n{first}\nNow: {latest}"),
        format!("The request was that {first}."),
    ] {
        assert_eq!(k02(&line), None, "{line}");
    }
}
