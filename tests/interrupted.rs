//! A killed run leaves no partial file, and a second run completes with the same bytes as an uninterrupted one.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/program.rs"]
mod program;

use program::program;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Number of files, and most kills of a run.
const FILES: usize = 240;
const KILLS: usize = 12;

/// Writes transcripts of different lengths in three formats.
fn write_inputs(folder: &Path) {
    for index in 0..FILES {
        let path = folder.join(format!("{}/{index}.jsonl", index % 7));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let messages: Vec<_> = (0..8 + index % 40).map(|turn| message(turn, index)).collect();
        let text = if index % 3 == 0 {
            format!("{{\"messages\":[{}]}}\n", messages.join(",")).repeat(1 + index % 5)
        } else {
            messages.join("\n") + "\n"
        };
        fs::write(path, text).unwrap();
    }
    fs::write(folder.join("notes.txt"), "no transcript\n").unwrap();
}

fn message(turn: usize, seed: usize) -> String {
    let role = if turn.is_multiple_of(2) { "user" } else { "assistant" };
    let text = format!("part {turn} of story {seed}: ").repeat(5 + (turn * seed) % 60);
    format!("{{\"role\":\"{role}\",\"content\":\"{text}\"}}")
}

fn start(input: &Path, output: &Path) -> Child {
    let mut command = program(Path::new("."));
    command.args(["-q", "--no-progress", "compact", "--usable", "2000", "--tail-tokens", "100", "-j", "2", "--undo"]);
    command.arg(output.with_extension("undo")).arg(input).arg("-o").arg(output);
    command.stdout(Stdio::null()).spawn().unwrap()
}

/// Files below a folder with their bytes. Of our own folder only the reports count, not journal and locks.
fn read_all(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = walkdir::WalkDir::new(folder).into_iter().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file());
    let all = files.filter_map(|entry| {
        let local = entry.path().strip_prefix(folder).unwrap().to_owned();
        Some((local, fs::read(entry.path()).ok()?))
    });
    let is_result = |path: &Path| !path.starts_with(".epitome") || path.to_string_lossy().contains("report.json");
    all.filter(|(path, _)| is_result(path)).collect()
}

/// Every output with the name of an input is complete; temporary files have other names.
fn assert_nothing_is_partial(output: &Path, input: &Path, whole: &BTreeMap<PathBuf, Vec<u8>>) {
    for (path, bytes) in read_all(output).iter().filter(|(path, _)| !path.starts_with(".epitome")) {
        if input.join(path).exists() {
            assert!(whole.get(path) == Some(bytes), "{} is not what an uninterrupted run writes", path.display());
        } else {
            let name = path.file_name().unwrap().to_string_lossy();
            assert!(name.starts_with('.'), "{} is neither an output nor a hidden temporary file", path.display());
        }
    }
}

/// Waits for a number of outputs, then some milliseconds; returns whether the run ended before.
fn wait_for(run: &mut Child, output: &Path, (outputs, then): (usize, usize)) -> bool {
    while run.try_wait().unwrap().is_none() {
        let files = walkdir::WalkDir::new(output).into_iter().filter_map(Result::ok);
        let is_output = |entry: &walkdir::DirEntry| entry.path().extension().is_some_and(|ext| ext == "jsonl");
        if files.filter(is_output).count() >= outputs {
            std::thread::sleep(Duration::from_millis(then as u64));
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    run.try_wait().unwrap().is_some()
}

#[test]
fn a_file_that_would_get_too_large_fails_and_the_others_are_written() {
    let temp = tempfile::tempdir().unwrap();
    let short = format!("{}\n{}\n", message(0, 1), message(1, 1));
    fs::create_dir(temp.path().join("in")).unwrap();
    fs::write(temp.path().join("in/short.jsonl"), &short).unwrap();
    fs::write(temp.path().join("in/long.jsonl"), short.repeat(300)).unwrap();
    let mut shell = Command::new("sh");
    let line = "ulimit -f 64; exec \"$0\" compact in -o out --when overflow --no-progress";
    shell.current_dir(temp.path()).args(["-c", line, env!("CARGO_BIN_EXE_epitome")]).env("EPITOME_CONFIG", "");
    let done = shell.output().unwrap();
    let told = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.code() == Some(1) && told.contains("long.jsonl not_written"), "{:?} {told}", done.status);
    assert_eq!(fs::read_to_string(temp.path().join("out/short.jsonl")).unwrap(), short);
}

/// A run with one output is stopped while it waits for its input: even a quiet one says that nothing was written.
#[cfg(target_os = "linux")]
#[test]
fn a_stopped_run_with_one_output_says_that_it_wrote_nothing() {
    let temp = tempfile::tempdir().unwrap();
    let mut command = program(temp.path());
    command.args(["-q", "compact", "-", "-o", "out.jsonl"]);
    let mut run = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !catches_term(run.id()) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").arg(run.id().to_string()).status().unwrap().success());
    std::thread::sleep(Duration::from_millis(300));
    drop(run.stdin.take());
    let done = run.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&done.stderr);
    assert_eq!((done.status.code(), &*told), (Some(1), "stopped  nothing was written\n"));
    assert!(!temp.path().join("out.jsonl").exists());
}

/// Whether a process handles SIGTERM itself.
#[cfg(target_os = "linux")]
fn catches_term(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap() & (1 << 14) != 0
}

#[test]
fn a_killed_run_leaves_no_partial_file_and_can_be_completed() {
    let temp = tempfile::tempdir().unwrap();
    let (input, whole, output) = (temp.path().join("in"), temp.path().join("whole"), temp.path().join("out"));
    write_inputs(&input);
    let inputs = read_all(&input);
    assert!(start(&input, &whole).wait().unwrap().success());
    let whole = read_all(&whole);
    assert!(whole.len() > FILES);

    for kill in 0..KILLS {
        let mut run = start(&input, &output);
        // The first kills come before the first output, the others between two of them.
        let ended = wait_for(&mut run, &output, (FILES * kill.saturating_sub(3) / KILLS, 5 * kill));
        run.kill().unwrap_or_default();
        run.wait().unwrap();
        assert_nothing_is_partial(&output, &input, &whole);
        if ended {
            break;
        }
    }

    assert!(start(&input, &output).wait().unwrap().success(), "the last run completes");
    let completed = read_all(&output);
    let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&completed), names(&whole), "no file is missing, and no temporary file is left");
    let differ = completed.iter().find(|(path, bytes)| whole.get(*path) != Some(bytes)).map(|(path, _)| path);
    assert_eq!(differ, None, "differs from what an uninterrupted run writes");
    assert!(read_all(&input) == inputs, "an input was touched");
}
