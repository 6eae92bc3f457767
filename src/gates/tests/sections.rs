//! S01–S03: the sections of a summary, and the continuation.

use super::*;

#[test]
fn sections_are_judged() {
    // Its lines seem to be instructions then, which the user did not state.
    assert_eq!(with_summary("## Discoveries\n", ""), [("S01", Verdict::Fail), ("F06", Verdict::Warn)]);
    assert_eq!(with_summary("## Discoveries\n", "## Mood\n- fine\n\n## Discoveries\n"), [("S01", Verdict::Warn)]);
    let goal = "- The export of the tide tables writes src/export/table.py wrong.";
    assert!(["TBD", "(none)"].iter().all(|none| with_summary(goal, none).contains(&("S02", Verdict::Fail))));
    assert!(with_summary("- `round_height` cut the heights of report 48217.", "N/A").contains(&("S02", Verdict::Warn)));
    let none = |none: &str| with_summary("- `round_height` cut the heights of report 48217.", none);
    assert_eq!(["(none)", "**(none)**", "- (None)", "(none)."].map(none), [const { Vec::new() }; 4]);
    let heading = |line: &&str| line.starts_with("## ");
    let empty: String = SUMMARY.lines().filter(heading).map(|line| format!("{line}\n(none)\n\n")).collect();
    for foreign in [false, true] {
        let mut after = compacted(&empty);
        if foreign {
            after[1] = said("user", &empty);
        }
        let outcomes = judged(Some(&original()), &after, Files::default());
        let s02 = outcomes.iter().find(|one| one.gate == "S02").unwrap();
        assert_eq!((s02.verdict, s02.findings.len(), s02.share.kept), (Verdict::Fail, 1, 0), "{s02:?}");
        let alone = if foreign { Verdict::Insufficient } else { Verdict::Warn };
        assert_eq!(verdict(&judged(None, &after, Files::default()), "S02"), alone, "nobody knows what is gone");
    }
}

#[test]
fn an_agent_at_work_is_told_to_go_on() {
    let mut after = compacted(SUMMARY);
    let twice = [&after[..], &after[after.len() - 1..]].concat();
    for continuation in [None, Some("continue")] {
        let judged = |after: &[Value]| judged(Some(&original()), after, Files { continuation, ..Files::default() });
        assert_eq!(broken(&judged(&twice)), [("T03", Verdict::Fail)], "{continuation:?}");
        assert_eq!(broken(&judged(&after)), []);
        let of_twice = judged(&twice);
        let told = of_twice.iter().flat_map(|outcome| &outcome.findings).any(|it| it.message.contains("going twice"));
        assert_eq!(told, continuation.is_some());
    }
    after.pop();
    assert_eq!(broken(&judged(Some(&original()), &after, Files::default())), [("S03", Verdict::Fail)]);
    after[1] = said("user", SUMMARY);
    let foreign = judged(Some(&original()), &after, Files::default());
    assert_eq!(verdict(&foreign, "S03"), Verdict::Warn, "another harness goes on by itself");
}
