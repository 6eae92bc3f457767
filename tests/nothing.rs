//! Runs with nothing to do or nothing to judge say why, and end with the status that says so.

#![expect(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// Exit status and standard error of a quiet run in a folder.
fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_epitome"));
    command.current_dir(folder).env("EPITOME_CONFIG", "").args(["-q", "--no-progress"]).args(args);
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A folder with a short transcript, an empty folder, and a file of prose.
fn harbour() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let lines = "{\"role\":\"user\",\"content\":\"Paint the lamp.\"}\n{\"role\":\"assistant\",\"content\":\"Done.\"}\n";
    ["logs", "empty", "prose"].iter().for_each(|name| fs::create_dir(folder.path().join(name)).unwrap());
    fs::write(folder.path().join("logs/ferry.jsonl"), lines).unwrap();
    fs::write(folder.path().join("prose/quay.txt"), "The quay is closed on Sundays.\n").unwrap();
    folder
}

#[test]
fn a_quiet_run_that_judges_nothing_says_why() {
    let folder = harbour();
    for (args, told) in [
        (&["check", "empty"][..], "nothing judged: there is no transcript among the inputs (no file)\n"),
        (&["check", "prose"], "nothing judged: there is no transcript among the inputs (1 not_a_transcript)\n"),
        (&["check", "empty", "--gates"], "nothing judged: there is no transcript among the inputs\n"),
        (&["check", "logs", "--gates", "--select", "K01"], "no gate could judge any transcript: there is no original"),
        (&["check", "logs/ferry.jsonl", "--original", "empty"], "nothing judged: logs/ferry.jsonl: its original"),
        (&["evaluate", "logs"], "Nothing to judge: 1 have fewer than --min-tokens 12000"),
    ] {
        let (status, error) = run(folder.path(), args);
        assert!(status == Some(3) && error.contains(told), "{args:?}: {status:?} {error}");
    }
}
