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

#[test]
fn a_file_that_was_moved_into_a_folder_of_a_drive_is_there() {
    let told = |folder: &str, path: &str| {
        let mut before = original();
        let moves = format!("cd \"{folder}\" && mkdir -p old && mv rows.py keys.py old/");
        before.splice(6..6, [call("c9", "bash", &json!({ "command": moves })), result("c9", "")]);
        let line = format!("- Moved `{folder}/rows.py` to `{path}`\n- Open step");
        verdict(&judged(Some(&before), &compacted(&SUMMARY.replace("- Open step", &line)), Files::default()), "F01")
    };
    for folder in ["E:/ops/import", "E:/ops/导入/import", "/ops/导入/import"] {
        assert_eq!(told(folder, &format!("{folder}/old/rows.py")), Verdict::Pass, "{folder}");
        assert_eq!(told(folder, &format!("{folder}/new/rows.py")), Verdict::Fail, "{folder}");
    }
}
