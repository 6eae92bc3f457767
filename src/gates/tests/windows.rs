//! Claims about files of Windows.

use super::*;

#[test]
fn files_of_windows_are_told_by_their_whole_path() {
    let told = |line: &str| {
        let mut before = original();
        for (at, path) in [r"D:\ops\import\rows.py", r"D:\ops\backup\rows.py"].iter().enumerate() {
            let tool = ["edit_file", "read_file"][at];
            before.splice(6..6, [call("c9", tool, &json!({ "path": path })), result("c9", "done")]);
        }
        let summary = SUMMARY.replace("- Open step", &format!("{line}\n- Open step"));
        verdict(&judged(Some(&before), &compacted(&summary), Files::default()), "F02")
    };
    for line in [
        r"- Edited D:\ops\backup\rows.py.",
        "- Edited `D:/ops/backup/rows.py`",
        r"- D:\ops\backup\rows.py (modified)",
        r"- Edited C:\Windows\System32\rows.py.",
        r"- I edited `C:\Windows\System32\rows.py`",
        r"- Deleted D:\ops\import\rows.py",
    ] {
        assert_eq!(told(line), Verdict::Fail, "{line}");
    }
    for line in [r"- Edited D:\ops\import\rows.py.", "- Edited import/rows.py", r"- Edited `D:\ops\import\rows.py`"] {
        assert_eq!(told(line), Verdict::Pass, "{line}");
    }
}
