//! Second runs: after an interrupted one, after a change, with other settings.

use super::*;

const FILES: &[(&str, &str)] = &[
    ("a", "session\ndrop\n"),
    ("b", "lines\nx drop\ny\n"),
    ("c", "session\nkeep\n"),
    ("d", "session\nbad\n"),
    ("e", "other"),
];

#[test]
fn a_second_run_does_nothing_and_reports_the_same() {
    let field = Field::new(FILES);
    field.run(&field.batch()).unwrap();
    let (first, runs) = (field.tree("out"), field.runs());
    let result = field.run(&field.batch()).unwrap();
    assert_eq!((runs, field.runs()), (6, 1), "only the one that failed is tried again");
    assert_eq!(result.reused, 4);
    assert_eq!(field.tree("out"), first);
}

#[test]
fn a_killed_run_is_finished_by_the_next_one_to_the_same_bytes() {
    let field = Field::new(FILES);
    field.run(&field.batch()).unwrap();
    let whole = field.tree("out");
    let journal = whole[".epitome/journal.jsonl"].clone();
    for cut in (0..journal.len()).step_by(61) {
        fs::write(field.path("out/.epitome/journal.jsonl"), &journal[..cut]).unwrap();
        fs::remove_file(field.path("out/.epitome/report.json")).unwrap();
        fs::remove_file(field.path("out/c")).unwrap();
        field.write("out/.epitome-tmp-abc", "half");
        field.write("out/.epitome/.epitome-tmp-abc", "half");
        field.run(&field.batch()).unwrap();
        assert!(field.tree("out") == whole, "journal cut at {cut}");
    }
}

#[test]
fn what_changed_or_is_gone_is_done_again() {
    let field = Field::new(FILES);
    field.run(&field.batch()).unwrap();
    field.runs();
    field.write("in/a", "session\nDROP\n");
    fs::remove_file(field.path("out/c")).unwrap();
    field.run(&field.batch()).unwrap();
    assert_eq!(field.runs(), 3, "a, c, and d that failed");
    assert_eq!(field.read("out/a"), "session\nDROP\n");
    assert_eq!(field.names("out"), ["a", "b", "c", "e"]);
}

#[test]
fn the_old_output_of_a_file_that_fails_now_goes() {
    let field = Field::new(FILES);
    field.run(&field.batch()).unwrap();
    field.write("in/a", "session\nbad\n");
    let result = field.run(&field.batch()).unwrap();
    assert_eq!(shape(&result)[0], "a failed invalid");
    assert_eq!(field.names("out"), ["b", "c", "e"]);
    assert!(!field.read("out/.epitome/journal.jsonl").contains("\"a\""));
}

#[test]
fn an_output_that_somebody_changed_is_not_removed() {
    let field = Field::new(FILES);
    field.run(&field.batch()).unwrap();
    let changed = field.read("out/a").to_uppercase();
    field.write("out/a", &changed);
    field.write("in/a", "session\nbad\n");
    field.run(&field.batch()).unwrap();
    assert_eq!(field.read("out/a"), changed);
}

#[test]
fn other_settings_do_not_mix_in_one_folder_unless_forced() {
    let field = Field::new(FILES);
    field.run(&field.batch()).unwrap();
    let other = || Batch { settings: serde_json::json!({"preset": "other"}), ..field.batch() };
    let err = field.run(&other()).err().unwrap();
    assert!(matches!(err, BatchError::OtherSettings { .. }) && err.to_string().contains("--force"));
    let changed_only = Batch { changed_only: true, ..field.batch() };
    assert!(matches!(field.run(&changed_only), Err(BatchError::OtherSettings { .. })));
    let drop_failed = Batch { drop_failed: true, ..field.batch() };
    let err = field.run(&drop_failed).err().unwrap().to_string();
    assert!(err.contains("with another drop_failed"), "{err}");
    field.runs();
    field.run(&Batch { force: true, ..other() }).unwrap();
    assert_eq!(field.runs(), 6);
    field.run(&other()).unwrap();
    assert_eq!(field.runs(), 1);
}

#[test]
fn other_inputs_do_not_take_the_place_of_the_first_unless_forced() {
    let field = Field::new(FILES);
    field.write("more/a", "session\nanother one\n");
    field.run(&field.batch()).unwrap();
    let first = field.tree("out");
    let of = |inputs: &[&str]| field.batch_of(inputs, Target::Dir(field.path("out")));
    let err = field.run(&of(&["more"])).err().unwrap();
    assert!(matches!(err, BatchError::OtherInputs { .. }) && err.to_string().contains("--force"), "{err}");
    assert!(field.tree("out") == first, "nothing was touched");
    field.write("in/new", "session\ndrop\n");
    field.run(&field.batch()).unwrap();
    field.run(&of(&["in/a", "in/new"])).unwrap();
    assert!(field.names("out").contains(&"new".to_owned()), "some of the same folder, or more of it");
    fs::rename(field.path("in"), field.path("moved")).unwrap();
    field.run(&of(&["moved"])).unwrap();
    field.run(&Batch { force: true, ..of(&["more"]) }).unwrap();
    assert_eq!(field.read("out/a"), "session\nanother one\n");
}

#[test]
fn a_store_that_can_t_be_written_stops_the_run_before_it_starts() {
    let field = Field::new(FILES);
    field.write("file", "");
    let batch = Batch { undo: Some(field.path("file/undo")), ..field.batch() };
    let err = field.run(&batch).err().unwrap().to_string();
    assert!(err.contains("file/undo: writing the undo store failed"), "{err}");
    assert!(field.runs() == 0 && !field.path("out").exists());
}

#[test]
fn a_canceled_run_keeps_what_is_finished() {
    struct Canceling(Scripted, Arc<AtomicBool>);
    impl Work for Canceling {
        fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
            self.1.store(source.ends_with(b"stop\n"), Ordering::Relaxed);
            self.0.run(format, source, first_line)
        }
        fn detect(&self, bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
            self.0.detect(bytes, given)
        }
    }
    let field = Field::new(&[("a", "session\nlargest\ndrop\n"), ("b", "session\nstop\n"), ("c", "session\n")]);
    let batch = Batch { threads: 1, ..field.batch() };
    let work = Canceling(Scripted::default(), batch.cancel.clone());
    let result = batch.run(&work, &Silent).unwrap();
    assert!(result.canceled);
    assert_eq!((field.names("out"), shape(&result)), (vec!["a".to_owned()], vec!["a compacted".to_owned()]));
    let result = field.run(&field.batch()).unwrap();
    assert_eq!((field.names("out").len(), result.reused, result.canceled), (3, 1, false));
}

#[test]
fn an_output_without_a_way_back_in_this_store_is_done_again() {
    let field = Field::new(FILES);
    let run = |store: &str| {
        field.run(&Batch { undo: Some(field.path(store)), ..field.batch() }).unwrap();
        restore(&field.path("out/a"), &field.path(store), &field.path("back")).map(|_| field.read("back"))
    };
    assert_eq!(run("one").unwrap(), "session\ndrop\n");
    assert_eq!(run("two").unwrap(), "session\ndrop\n");
}
