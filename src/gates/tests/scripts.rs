//! Texts in scripts without spaces.

use super::*;

#[test]
fn a_request_in_a_script_without_spaces_is_known_by_its_characters() {
    let judge = |goal: &str| {
        let mut before = original();
        let asked = "帮我看看这张时刻表为什么每天都错：\n2031-02-03T09:21:01.000Z\n2031-02-03T10:21:01.000Z\n2031-02-03T11:45:07.000Z";
        before[1]["content"] = asked.into();
        let summary = format!("## Goal\n- {goal}\n\n{}", SUMMARY.split_once("\n\n").unwrap().1);
        let outcomes = judged(Some(&before), &compacted(&summary), Files::default());
        let findings = outcomes.into_iter().find(|outcome| outcome.gate == "K02").unwrap().findings;
        findings.into_iter().map(|finding| finding.level).collect::<Vec<_>>()
    };
    assert_eq!(judge("帮我看看这张时刻表为什么每天都错"), []);
    assert_eq!(judge("每天的时刻表有错，看看为什么"), []);
    // Other characters may say the same.
    assert_eq!(judge("修好码头上的灯塔"), [Level::Warn]);
}
