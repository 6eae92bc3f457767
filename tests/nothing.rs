//! Runs with nothing to do or nothing to judge, and with unusual files and flags, say why, and end with the status that
//! says so.

#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/program.rs"]
mod program;

use program::program;
use std::fs;
use std::path::Path;
use std::process::Output;

fn output(folder: &Path, args: &[&str]) -> Output {
    program(folder).args(["-q", "--no-progress"]).args(args).output().unwrap()
}

/// Exit status and standard error of a quiet run in a folder.
fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let output = output(folder, args);
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
        (&["check", "empty"][..], "nothing judged: no file was taken\n"),
        (&["check", "prose"], "nothing judged: 1 not_a_transcript\n"),
        (&["check", "empty", "--gates"], "nothing judged: there is no transcript among the inputs\n"),
        (
            &["check", "logs", "--gates", "--select", "K01", "--ignore", "K01"],
            "no gate is left by --select and --ignore",
        ),
        (&["check", "logs", "--gates", "--select", "R01"], "R01 compares with a --baseline, and none is given"),
        (&["check", "logs", "--gates", "--select", "K01"], "no gate could judge any transcript: there is no original"),
        (&["check", "logs/ferry.jsonl", "--original", "empty"], "ferry.jsonl: its original empty/ferry.jsonl is not"),
        (&["check", "logs", "empty", "--original", "prose"], "prose/logs/ferry.jsonl is not there; it is looked for"),
        (&["evaluate", "logs"], "Nothing to judge: 1 have fewer than --min-tokens 12000"),
    ] {
        let (status, error) = run(folder.path(), args);
        assert!(status == Some(3) && error.contains(told), "{args:?}: {status:?} {error}");
    }
}

#[test]
fn where_no_file_is_taken_that_is_said() {
    let folder = harbour();
    fs::write(folder.path().join("none"), "\n").unwrap();
    for args in [
        &["compact", "logs", "-o", "out", "--include", "*.json"][..],
        &["compact", "--files-from", "none", "-o", "out"],
        &["stats", "empty"],
    ] {
        let loud = program(folder.path()).args(args).output().unwrap();
        let told = String::from_utf8_lossy(&loud.stderr).into_owned();
        assert!(loud.status.success() && told.contains("nothing  no file was taken"), "{args:?}: {told}");
    }
}

#[test]
fn the_store_of_a_run_in_place_is_found() {
    let folder = harbour();
    let long = "{\"role\":\"user\",\"content\":\"Count the boats in the harbour, please.\"}\n\
                {\"role\":\"assistant\",\"content\":\"There are nine of them, and a ferry.\"}\n";
    let path = folder.path().join("logs/ferry.jsonl");
    fs::write(&path, long.repeat(60)).unwrap();
    let compact = ["compact", "logs", "--in-place", "--min-age", "0s", "--tail-tokens", "60"];
    assert_eq!(run(folder.path(), &compact).0, Some(0));
    assert!(fs::read_to_string(&path).unwrap().len() < long.len() * 60);
    let (status, error) = run(folder.path(), &["restore", "empty"]);
    assert!(
        status == Some(2) && error.contains("empty: there is no .epitome/undo in its folder or above it; name"),
        "{error}"
    );
    assert_eq!(run(folder.path(), &["restore", "logs"]), (Some(0), String::new()));
    assert_eq!(fs::read_to_string(&path).unwrap(), long.repeat(60));
}

#[test]
fn a_session_without_its_header_comes_with_a_remedy() {
    let folder = harbour();
    let session = include_str!("../samples/pi/branches-and-labels.jsonl");
    let (_, bare) = session.split_once('\n').unwrap();
    fs::write(folder.path().join("logs/bare.jsonl"), bare).unwrap();
    let found = String::from_utf8(output(folder.path(), &["check", "logs"]).stdout).unwrap();
    assert!(found.starts_with("logs/bare.jsonl:1: no_header: "), "{found}");
    assert_eq!(run(folder.path(), &["check", "logs", "--ignore", "no_header"]), (Some(0), String::new()));
}

#[test]
fn a_restore_leaves_what_the_run_left() {
    let folder = harbour();
    let good = fs::read_to_string(folder.path().join("logs/ferry.jsonl")).unwrap();
    fs::write(folder.path().join("logs/torn.jsonl"), format!("{good}{{\"role\":")).unwrap();
    fs::write(folder.path().join("logs/worn.jsonl"), format!("{good}{{\"ro")).unwrap();
    assert_eq!(run(folder.path(), &["check", "logs", "--fix", "--in-place", "--min-age", "0s"]).0, Some(0));
    assert_eq!(run(folder.path(), &["restore", "logs"]), (Some(0), String::new()));
    let lengths = ["ferry", "torn", "worn"].map(|name| {
        let text = fs::read_to_string(folder.path().join(format!("logs/{name}.jsonl"))).unwrap();
        text.len() - good.len()
    });
    assert_eq!(lengths, [0, 8, 4], "the output of a mended file is what another one was from the start");
}

#[test]
fn a_folder_called_dash_is_not_standard_input() {
    let folder = harbour();
    fs::create_dir(folder.path().join("-")).unwrap();
    let lines = fs::File::open(folder.path().join("logs/ferry.jsonl")).unwrap();
    let found = program(folder.path()).args(["detect", "-"]).stdin(lines).output().unwrap();
    let found = String::from_utf8(found.stdout).unwrap();
    assert!(found.starts_with("-: openai-messages"), "{found}");
}

#[test]
fn standard_output_is_no_folder() {
    let folder = harbour();
    for args in [
        &["fixtures", "-o", "-"][..],
        &["compact", "logs", "-o", "out", "--report", "-"],
        &["compact", "logs", "-o", "out", "--undo", "-"],
    ] {
        let (status, error) = run(folder.path(), args);
        assert!(status == Some(2) && error.contains("write ./-") && !folder.path().join("-").exists(), "{error}");
    }
}

#[test]
fn settings_without_effect_are_refused() {
    let folder = harbour();
    fs::create_dir(folder.path().join("epitome.toml")).unwrap();
    for (args, told) in [
        (&["compact", "logs", "-o", "out", "--min-age", "1h"][..], "'--min-age <AGE>'"),
        (&["check", "logs", "--fix", "-n", "--min-age", "1h"], "--in-place"),
        (&["compact", "logs", "-o", "out"], "configuration epitome.toml: "),
    ] {
        let (status, error) = run(folder.path(), args);
        assert!(status == Some(2) && error.contains(told), "{args:?}: {error}");
    }
    fs::remove_dir(folder.path().join("epitome.toml")).unwrap();
    let (status, error) = run(folder.path(), &["compact", "logs", "-n", "--no-fallback"]);
    assert!(status == Some(2) && error.contains("--no-fallback is for a model, but none is asked"), "{error}");
}

#[test]
fn globs_of_tools_have_no_brackets() {
    let folder = harbour();
    let (status, error) = run(folder.path(), &["compact", "logs", "-n", "--protect-tool", "read_[a-z]*"]);
    assert!(status == Some(2) && error.contains("read_[a-z]*: globs of tools have * and ?"), "{error}");
}

#[test]
fn an_undo_store_may_be_in_a_new_output_folder() {
    let folder = harbour();
    let args = ["compact", "logs", "-o", "new", "--undo", "new/store", "--when", "always"];
    for _ in 0..2 {
        assert_eq!(run(folder.path(), &args), (Some(0), String::new()));
    }
}

#[test]
fn a_document_with_something_behind_its_end_is_a_damaged_one() {
    let folder = harbour();
    let document = "{\n  \"messages\": [\n    {\"role\": \"system\", \"content\": \"s\"},\n    {\"role\": \"user\", \"content\": \"u\"}\n  ]\n}";
    for (behind, line) in [("}", "line 6, column 2"), ("\nx\n", "line 7, column 1")] {
        fs::write(folder.path().join("logs/ferry.jsonl"), format!("{document}{behind}")).unwrap();
        let (status, error) = run(folder.path(), &["compact", "logs", "-n"]);
        assert!(status == Some(1) && error.contains(line), "{behind:?}: {status:?} {error}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_is_given_back_once_however_many_links_lead_to_it() {
    let folder = harbour();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/claude-code/a-day-of-work.jsonl");
    fs::copy(samples, folder.path().join("logs/day.jsonl")).unwrap();
    std::os::unix::fs::symlink("day.jsonl", folder.path().join("logs/link.jsonl")).unwrap();
    let args = ["compact", "logs", "--in-place", "--when", "always", "--tail-tokens", "400", "--min-age", "0s"];
    assert_eq!(run(folder.path(), &args), (Some(0), String::new()));
    let told = program(folder.path()).args(["restore", "logs"]).output().unwrap();
    let told = String::from_utf8([told.stdout, told.stderr].concat()).unwrap();
    assert!(told.contains("day.jsonl: ") && !told.contains("link.jsonl"), "{told}");
}
