//! Conversions: paths of outputs, files without output, and second runs.

use super::*;

/// A scripted conversion that writes transcripts in capitals.
struct Loud(Output);

impl Work for Loud {
    fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
        let mut done = Scripted::default().run(format, source, first_line);
        if source.ends_with(b"unanswered") {
            done.line.outcome = Outcome::Skipped;
        } else if done.line.outcome != Outcome::Failed {
            done.line.outcome = Outcome::Converted;
            let with = format!("{}\n", String::from_utf8_lossy(source).trim().to_uppercase()).into_bytes();
            done.patches = vec![Patch { span: 0..source.len(), with, kind: PatchKind::Insert }];
        }
        done
    }

    fn detect(&self, bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
        Scripted::default().detect(bytes, given)
    }

    fn conversion(&self) -> Option<Conversion> {
        Some(Conversion { format: "loud", output: self.0, takes_same: false })
    }
}

/// Converts a folder with these files. Returns the result of the run and the output files.
fn run(files: &[(&str, &str)], output: Output) -> (RunResult, BTreeMap<String, String>, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join("in").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let result = again(dir.path(), output);
    let files = written(dir.path());
    (result, files, dir)
}

fn again(dir: &Path, output: Output) -> RunResult {
    let batch = Batch::new(vec![dir.join("in")], Target::Dir(dir.join("out")), SystemTime::UNIX_EPOCH);
    batch.run(&Loud(output), &Silent).unwrap()
}

fn written(dir: &Path) -> BTreeMap<String, String> {
    let out = dir.join("out");
    let files = walkdir::WalkDir::new(&out).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    let files = files.map(|entry| {
        let name = entry.path().strip_prefix(&out).unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(entry.path()).unwrap())
    });
    files.filter(|(name, _)| !name.starts_with(OWN_FOLDER)).collect()
}

fn shown(files: &BTreeMap<String, String>) -> Vec<String> {
    files.iter().map(|(name, text)| format!("{name}: {}", text.replace('\n', "|"))).collect()
}

const FILES: [(&str, &str); 4] = [
    ("s/one.traj", "session a\nb\n"),
    ("rows.jsonl", "lines a\r\n\r\nbad\r\nc"),
    ("array.json", "[\"x\",\n \"bad\", \"y\"]\n"),
    ("notes.md", "words"),
];

#[test]
fn rows_go_into_one_file_and_what_failed_is_left_out() {
    let (result, files, _dir) = run(&FILES, Output::Rows);
    assert_eq!(shown(&files), ["array.jsonl: \"X\"|\"Y\"|", "rows.jsonl: LINES A|C|", "s/one.jsonl: SESSION A|B|"]);
    let outcomes = &result.totals.outcomes;
    assert_eq!((outcomes.converted, outcomes.failed, outcomes.skipped), (5, 2, 1));
}

#[test]
fn where_all_rows_are_skipped_there_are_none_and_where_some_fail_there_is_no_file() {
    let files = [
        ("none.jsonl", "lines unanswered\n"),
        ("failed.jsonl", "lines bad\nunanswered\n"),
        ("one.traj", "session unanswered"),
    ];
    let (result, files, dir) = run(&files, Output::Rows);
    assert_eq!(shown(&files), ["none.jsonl: "]);
    assert_eq!((result.totals.outcomes.skipped, result.totals.outcomes.failed), (3, 1));
    again(dir.path(), Output::Rows);
    assert_eq!(shown(&written(dir.path())), ["none.jsonl: "]);
}

#[test]
fn rows_become_files_where_each_transcript_is_one() {
    let (result, files, dir) = run(&FILES, Output::File("json"));
    let expected = [
        "array-rows/array-000001.json: \"X\"|",
        "array-rows/array-000003.json: \"Y\"|",
        "rows-rows/rows-000001.json: LINES A|",
        "rows-rows/rows-000003.json: C|",
        "s/one.json: SESSION A|B|",
    ];
    assert_eq!(shown(&files), expected);
    let mut lines = Vec::new();
    result.write_lines(&mut lines).unwrap();
    let lines = String::from_utf8(lines).unwrap();
    assert!(lines.contains(r#""output":"rows-rows/rows-000003.json""#) && lines.contains(r#""output":"s/one.json""#));
    fs::write(dir.path().join("in/rows.jsonl"), "lines a\n").unwrap();
    fs::remove_file(dir.path().join("out/array-rows/array-000001.json")).unwrap();
    again(dir.path(), Output::File("json"));
    let expected = [&expected[..3], &expected[4..]].concat();
    assert_eq!(shown(&written(dir.path())), expected, "what went comes back, and what is no row any more goes");
}

#[test]
fn a_file_of_failures_has_no_output() {
    let (result, files, _dir) = run(&[("rows.jsonl", "lines bad\nbad\n")], Output::Rows);
    assert_eq!((shown(&files), result.totals.outcomes.failed), (vec![], 2));
}

#[test]
fn a_file_that_breaks_off_leaves_no_rows() {
    let (result, files, _dir) = run(&[("array.json", "[\"x\", \"y\"")], Output::File("json"));
    assert_eq!((shown(&files), result.totals.outcomes.failed), (vec![], 1));
}

#[test]
fn several_rows_do_not_go_to_one_session() {
    let dir = tempfile::tempdir().unwrap();
    let write = |text: &str| {
        fs::write(dir.path().join("in.jsonl"), text).unwrap();
        let target = Target::File(dir.path().join("out.json"));
        let batch = Batch::new(vec![dir.path().join("in.jsonl")], target, SystemTime::UNIX_EPOCH);
        let result = batch.run(&Loud(Output::File("json")), &Silent).unwrap();
        let reason = result.failures.list.first().map(|failure| failure.reason.clone());
        (reason, fs::read_to_string(dir.path().join("out.json")).ok())
    };
    assert_eq!(write("lines a\nb\n"), (Some("several_transcripts".into()), None));
    assert_eq!(write("lines a\n"), (None, Some("LINES A\n".into())));
}

#[test]
fn what_is_no_transcript_takes_the_place_of_none() {
    let files = [("a.json", "unknown"), ("a.jsonl", "session"), ("b.json", "session"), ("b.jsonl", "unknown")];
    let (_, files, _dir) = run(&files, Output::Rows);
    assert_eq!(shown(&files), ["a.jsonl: SESSION|", "b.jsonl: SESSION|"]);
}

#[test]
fn two_inputs_for_one_place_are_an_error() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("in")).unwrap();
    for name in ["a.json", "a.jsonl"] {
        fs::write(dir.path().join("in").join(name), "session").unwrap();
    }
    let batch = Batch::new(vec![dir.path().join("in")], Target::Dir(dir.path().join("out")), SystemTime::UNIX_EPOCH);
    assert!(matches!(batch.run(&Loud(Output::Rows), &Silent), Err(BatchError::SamePlace { .. })));
}
