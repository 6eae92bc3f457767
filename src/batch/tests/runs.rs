//! Runs from folders, files and streams to outputs and reports.

use super::*;

#[test]
fn the_output_mirrors_the_input_and_holds_what_was_not_compacted_too() {
    let field = Field::new(&[
        ("a.jsonl", "session\ndrop\nkeep\n"),
        ("s/b.jsonl", "session\nkeep\n"),
        ("s/codex.jsonl", "codex\n"),
        ("s/empty", " \n"),
        ("notes.txt", "other\n"),
    ]);
    let result = field.run(&field.batch()).unwrap();
    assert_eq!(field.names("out"), ["a.jsonl", "notes.txt", "s/b.jsonl", "s/codex.jsonl", "s/empty"]);
    assert_eq!(field.read("out/a.jsonl"), "session\nkeep\n");
    assert_eq!(field.read("out/notes.txt"), "other\n");
    assert_eq!(
        shape(&result),
        [
            "a.jsonl compacted",
            "notes.txt skipped not_a_transcript",
            "s/b.jsonl unchanged",
            "s/codex.jsonl skipped unsupported_format",
            "s/empty skipped empty",
        ]
    );
    assert_eq!((result.totals.files.count, result.has_failures()), (5, false));
    let bytes = &result.totals.files.bytes;
    assert_eq!((bytes.before, bytes.after), (18 + 13 + 6 + 2 + 6, 13 + 13 + 6 + 2 + 6));
}

#[test]
fn permissions_and_times_of_outputs_are_those_of_inputs() {
    let field = Field::new(&[("a", "session\ndrop\n"), ("b", "other")]);
    field.run(&field.batch()).unwrap();
    for name in ["a", "b"] {
        let meta = |folder: &str| fs::metadata(field.path(folder).join(name)).unwrap();
        let (before, after) = (meta("in"), meta("out"));
        assert_eq!(before.permissions(), after.permissions());
        assert_eq!(before.modified().unwrap(), after.modified().unwrap());
    }
}

#[test]
fn a_bad_file_and_a_panic_cost_one_line_each_and_leave_no_output() {
    let field = Field::new(&[("a", "session\nbad\n"), ("b", "session\npanic\n"), ("c", "session\ndrop\n")]);
    let result = field.run(&field.batch()).unwrap();
    assert_eq!(shape(&result), ["a failed invalid", "b failed panicked", "c compacted"]);
    assert_eq!(field.names("out"), ["c"]);
    assert!(result.failures.list[1].error.contains("asked to panic on line 1"));
    assert_eq!(result.totals.files.bytes.before, 13, "only of what did not fail");
}

#[test]
fn an_output_that_cannot_take_its_place_fails_alone() {
    let field = Field::new(&[("a", "session\ndrop\n"), ("b", "session\ndrop\n"), ("c", "session\n")]);
    fs::create_dir_all(field.path("out/b/of-another")).unwrap();
    let result = field.run(&Batch { force: true, ..field.batch() }).unwrap();
    assert_eq!(shape(&result), ["a compacted", "b failed not_written", "c unchanged"]);
    assert_eq!(field.names("out"), ["a", "c"]);
    assert_eq!(result.totals.files.bytes.before, 21, "only of what did not fail");
}

#[test]
fn a_named_file_that_is_no_transcript_fails() {
    let field = Field::new(&[("a", "other"), ("b", "codex"), ("c", "session\n")]);
    let batch = field.batch_of(&["in/a", "in/b", "in/c", "in/gone"], Target::Dir(field.path("out")));
    let result = field.run(&batch).unwrap();
    let expected = ["a failed not_a_transcript", "b failed unsupported_format", "c unchanged", "gone failed not_found"];
    assert_eq!(shape(&result), expected);
    assert_eq!(result.failures.list[0].error, "no known transcript format: looked for session or lines");
    assert_eq!(result.failures.list[1].error, "detected codex: not supported yet");
    assert_eq!(field.names("out"), ["c"]);
}

#[test]
fn outputs_reports_and_journal_are_the_same_at_any_number_of_threads() {
    let files: Vec<(String, String)> = (0..40)
        .map(|index| match index % 4 {
            0 => (format!("s/{index}"), format!("session {index}\ndrop\n{}", "keep\n".repeat(index))),
            1 => {
                (format!("l/{index}"), (0..index * 9).fold("lines\n".into(), |text, at| format!("{text}x drop {at}\n")))
            }
            2 => (format!("{index}"), "session\nbad\n".into()),
            _ => (format!("o/{index}"), format!("other {index}")),
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let field = Field::new(&files);
    let trees = [1, 2, 16].map(|threads| {
        let target = Target::Dir(field.path(&format!("out{threads}")));
        let limits = Limits { batch: 64, ..Limits::default() };
        let undo = Some(field.path(&format!("undo{threads}")));
        field.run(&Batch { threads, limits, undo, measure_zstd: true, ..field.batch_of(&["in"], target) }).unwrap();
        (field.tree(&format!("out{threads}")), field.tree(&format!("undo{threads}")))
    });
    assert_eq!(trees[0], trees[1]);
    assert_eq!(trees[0], trees[2]);
    assert!(trees[0].0.contains_key(".epitome/journal.jsonl") && trees[0].0.contains_key(".epitome/report.json"));
    let text: Vec<u8> = trees[0].0.values().flatten().copied().collect();
    let path = field.dir.path().to_string_lossy().into_owned();
    assert!(!String::from_utf8_lossy(&text).contains(&path), "no absolute paths");
}

#[test]
fn the_totals_in_report_json_are_the_sums_of_the_lines() {
    let field = Field::new(&[("a", "session\ndrop\n"), ("b", "lines\nx drop\n\nbad\n"), ("c", "other")]);
    field.run(&Batch { measure_zstd: true, ..field.batch() }).unwrap();
    let mut totals = crate::report::Totals::default();
    for line in field.read("out/.epitome/report.jsonl").lines() {
        totals += &serde_json::from_str::<Line>(line).unwrap();
    }
    let report: serde_json::Value = serde_json::from_str(&field.read("out/.epitome/report.json")).unwrap();
    let mut found: crate::report::Totals = serde_json::from_value(report["totals"].clone()).unwrap();
    assert_eq!(found.files.count, 3);
    assert!(found.files.bytes.before_zstd > found.bytes.before_zstd, "lines have no zstd size of their own");
    found.files = totals.files.clone();
    assert_eq!(found, totals);
    assert_eq!(report["failures"][0]["line"], 4);
}

#[test]
fn changed_only_leaves_out_what_would_be_a_copy() {
    let field = Field::new(&[("a", "session\ndrop\n"), ("b", "session\n"), ("c", "lines\nx\n"), ("d", "other")]);
    let result = field.run(&Batch { changed_only: true, ..field.batch() }).unwrap();
    assert_eq!(field.names("out"), ["a"]);
    assert_eq!(result.totals.files.count, 4);
}

#[test]
fn outputs_never_land_on_inputs_or_among_them_or_among_strangers() {
    let field = Field::new(&[("a", "session\n")]);
    let run = |inputs: &[&str], out: &str| field.run(&field.batch_of(inputs, Target::Dir(field.path(out)))).err();
    assert!(matches!(run(&["in"], "in"), Some(BatchError::OutputIsInput { .. })));
    assert!(matches!(run(&["in"], "in/out"), Some(BatchError::OutputInsideInput { .. })));
    assert!(matches!(run(&["in/a"], "in"), Some(BatchError::OutputIsInput { .. })));
    field.write("full/x", "x");
    assert!(matches!(run(&["in"], "full"), Some(BatchError::NotEmpty { .. })));
    assert_eq!(field.tree("in").len(), 1, "nothing was written");
    let force = Batch { force: true, ..field.batch_of(&["in"], Target::Dir(field.path("full"))) };
    assert!(field.run(&force).is_ok());
}

#[test]
fn reports_replace_neither_inputs_nor_files_of_others() {
    let field = Field::new(&[("report.jsonl", "session\ndrop\n")]);
    let report_to = |folder: &str, force: bool| Batch {
        report_dir: Some(field.path(folder)),
        force,
        ..field.batch_of(&["in/report.jsonl"], Target::DryRun { in_place: false })
    };
    assert!(matches!(field.run(&report_to("in", true)), Err(BatchError::OutputIsInput { .. })));
    assert_eq!(field.read("in/report.jsonl"), "session\ndrop\n");
    field.write("own/report.json", "{\"mine\": \"important\"}");
    assert!(matches!(field.run(&report_to("own", false)), Err(BatchError::ForeignReport { .. })));
    assert!(field.run(&report_to("own", true)).is_ok());
    assert!(field.run(&report_to("own", false)).is_ok(), "it is ours now");
}

#[test]
fn files_may_go_into_a_folder_beside_them() {
    let field = Field::new(&[("a", "session\ndrop\n")]);
    field.run(&field.batch_of(&["in/a"], Target::Dir(field.path("in/out")))).unwrap();
    assert_eq!(field.read("in/out/a"), "session\n");
    let glob = field.batch_of(&["in/**/*"], Target::Dir(field.path("in/out")));
    assert_eq!(shape(&field.run(&glob).unwrap()), ["a compacted"], "the output is not read as input");
}

#[test]
fn one_input_goes_to_one_file_and_nothing_else_is_written() {
    let field = Field::new(&[("a", "session\ndrop\n"), ("b", "session\n")]);
    field.run(&field.batch_of(&["in/a"], Target::File(field.path("x/out.jsonl")))).unwrap();
    assert_eq!(field.names("x"), ["out.jsonl"]);
    assert_eq!(field.tree("x").len(), 1);
    let two = field.batch_of(&["in/a", "in/b"], Target::File(field.path("y")));
    assert!(matches!(field.run(&two), Err(BatchError::OneOutput { count: 2 })));
    let large = Filters { larger_than: Some(1 << 20), ..Filters::default() };
    let none = Batch { filters: large, ..field.batch_of(&["in/a"], Target::File(field.path("z"))) };
    assert!(matches!(field.run(&none), Err(BatchError::NothingLeft)));
    let same = field.batch_of(&["in/a"], Target::File(field.path("in/a")));
    assert!(matches!(field.run(&same), Err(BatchError::OutputIsInput { .. })));
}

#[test]
fn a_dry_run_writes_nothing_and_has_the_same_report_and_a_plan() {
    let field = Field::new(&[("a", "session\ndrop\n"), ("b", "lines\nx drop\n"), ("c", "other")]);
    let dry = field.run(&field.batch_of(&["in"], Target::DryRun { in_place: false })).unwrap();
    assert_eq!(fs::read_dir(field.dir.path()).unwrap().count(), 1);
    let mut plans = Vec::new();
    dry.write_plans(&mut plans).unwrap();
    assert_eq!(String::from_utf8(plans).unwrap(), "a\n  drop 8..13\nb:2\n  drop 2..6\n");
    let planned = dry.planned().unwrap();
    let told = |it: &crate::report::Planned| (it.path.clone(), it.line, it.outcome, it.units.clone());
    let dropped = |units: &[&str]| units.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        planned.iter().map(told).collect::<Vec<_>>(),
        [
            ("a".into(), None, Outcome::Compacted, dropped(&["drop 8..13"])),
            ("b".into(), Some(1), Outcome::Unchanged, Vec::new()),
            ("b".into(), Some(2), Outcome::Compacted, dropped(&["drop 2..6"])),
            ("c".into(), None, Outcome::Skipped, Vec::new()),
        ]
    );
    field.run(&field.batch()).unwrap();
    let mut lines = Vec::new();
    dry.write_lines(&mut lines).unwrap();
    assert_eq!(String::from_utf8(lines).unwrap(), field.read("out/.epitome/report.jsonl"));
}

/// A writer whose content tests can read.
#[derive(Clone, Default)]
struct Pipe(Arc<Mutex<Vec<u8>>>);

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn piped(field: &Field, text: &'static str) -> (Batch, Pipe) {
    let pipe = Pipe::default();
    let stdin: Box<dyn Read + Send> = Box::new(text.as_bytes());
    let streams = Streams { stdin: Mutex::new(stdin), stdout: Mutex::new(Box::new(pipe.clone())) };
    let batch = field.batch_of(&[], Target::Stdout);
    (Batch { inputs: vec!["-".into()], streams, ..batch }, pipe)
}

#[test]
fn standard_input_goes_through_to_standard_output() {
    let field = Field::new(&[]);
    let (batch, pipe) = piped(&field, "lines\nx drop\nbad drop");
    let result = field.run(&Batch { report_dir: Some(field.path("report")), ..batch }).unwrap();
    assert_eq!(*pipe.0.lock().unwrap(), b"lines\nx \nbad drop");
    assert_eq!(shape(&result), ["-:1 unchanged", "-:2 compacted", "-:3 failed invalid"]);
    assert_eq!(field.names("report"), ["report.json", "report.jsonl"]);
    let (batch, pipe) = piped(&field, "session\ndrop\n");
    field.run(&batch).unwrap();
    assert_eq!(*pipe.0.lock().unwrap(), b"session\n");
    let (batch, _) = piped(&field, "session\n");
    let folder = Batch { target: Target::Dir(field.path("out")), ..batch };
    assert!(matches!(field.run(&folder), Err(BatchError::StdinNeedsOneOutput)));
}

#[test]
fn a_reader_that_goes_away_is_told_apart_from_failures() {
    struct Gone;
    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let field = Field::new(&[]);
    let (batch, _) = piped(&field, "session\nkeep\n");
    let streams = Streams { stdout: Mutex::new(Box::new(Gone)), ..batch.streams };
    assert!(field.run(&Batch { streams, ..batch }).is_err_and(|err| err.is_broken_pipe()));
}

#[test]
fn a_session_over_the_limit_fails_by_name() {
    let field = Field::new(&[("a", "session\nkeep\n"), ("b", "session\n")]);
    let limits = Limits { session: 10, ..Limits::default() };
    let result = field.run(&Batch { limits, ..field.batch() }).unwrap();
    assert_eq!(shape(&result), ["a failed too_large", "b unchanged"]);
}

#[test]
fn patches_beyond_the_transcript_fail_the_file_and_not_the_run() {
    struct Unsound(Scripted);
    impl Work for Unsound {
        fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
            let mut done = self.0.run(format, source, first_line);
            done.patches.push(Patch { span: 0..source.len() + 1, with: Vec::new(), kind: PatchKind::Drop });
            done
        }
        fn detect(&self, bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
            self.0.detect(bytes, given)
        }
    }
    let field = Field::new(&[("a", "session\n"), ("b", "other")]);
    let result = field.batch().run(&Unsound(Scripted::default()), &Silent).unwrap();
    assert_eq!(shape(&result), ["a failed panicked", "b skipped not_a_transcript"]);
    assert_eq!(field.names("out"), ["b"]);
}

#[test]
fn progress_comes_to_all_files_and_bytes() {
    #[derive(Default)]
    struct Counting([AtomicUsize; 4]);
    impl Progress for Counting {
        fn start(&self, files: u64, bytes: u64) {
            self.0[0].store(files as usize, Ordering::Relaxed);
            self.0[1].store(bytes as usize, Ordering::Relaxed);
        }
        fn advance(&self, bytes: u64) {
            self.0[2].fetch_add(bytes as usize, Ordering::Relaxed);
        }
        fn file_done(&self) {
            self.0[3].fetch_add(1, Ordering::Relaxed);
        }
    }
    let field = Field::new(&[("a", "session\ndrop\n"), ("b", "lines\nx\n"), ("c", "other"), ("d", "session\nbad\n")]);
    for _ in 0..2 {
        let counting = Counting::default();
        field.batch().run(&field.work, &counting).unwrap();
        let [files, bytes, advanced, done] = counting.0.map(AtomicUsize::into_inner);
        assert_eq!((files, bytes), (done, advanced));
    }
}
