//! The end of what is left: messages between kept ones, the last words of the user, the last line of the summary.

use super::*;

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
    for list in ["   - \"Go on, and take the fixtures.\"", "   - Go on, and take the fixtures that are there."] {
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
