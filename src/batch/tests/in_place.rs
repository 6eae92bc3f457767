//! Runs in place: a file is only replaced if it can be restored, and not while another process writes to it.

use super::*;

#[test]
fn inputs_are_replaced_and_can_be_restored() {
    let field = Field::new(&[("a", "session\ndrop\n"), ("s/b", "lines\nx drop\n"), ("c", "session\n"), ("d", "other")]);
    let before = field.tree("in");
    let batch = || field.batch_of(&["in"], Target::InPlace);
    let result = field.run(&batch()).unwrap();
    assert_eq!(result.totals.outcomes.compacted, 2);
    assert_eq!((field.read("in/a"), field.read("in/s/b")), ("session\n".into(), "lines\nx \n".into()));
    assert!(field.path("in/.epitome/report.json").is_file());
    assert_eq!(field.run(&batch()).unwrap().totals.outcomes.compacted, 0, "our own folder is not read");
    for name in ["a", "s/b"] {
        let path = field.path("in").join(name);
        restore(&path, &field.path("in/.epitome/undo"), &path).unwrap();
    }
    assert!(is_beside(&field.path("in/.epitome/undo"), &field.path("in/s/b")));
    copy_untouched(&field.path("in/c"), &field.path("back/c")).unwrap();
    assert_eq!(field.read("back/c"), field.read("in/c"));
    let after: BTreeMap<_, _> =
        field.tree("in").into_iter().filter(|(name, _)| !name.starts_with(".epitome/")).collect();
    assert_eq!(after, before);
}

#[test]
fn a_young_file_is_left_alone() {
    let field = Field::new(&[("a", "session\ndrop\n")]);
    fs::write(field.path("in/b"), "session\ndrop\n").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("a", field.path("in/c")).unwrap();
    let dry = field.run(&field.batch_of(&["in"], Target::DryRun { in_place: true })).unwrap();
    let result = field.run(&field.batch_of(&["in"], Target::InPlace)).unwrap();
    assert_eq!(shape(&result), ["a compacted", "b skipped too_young"]);
    assert_eq!(shape(&dry), shape(&result), "a dry run tells the same");
    assert_eq!(field.read("in/b"), "session\ndrop\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_another_process_has_open_for_writing_is_left_alone() {
    use std::process::{Command, Stdio};
    let field = Field::new(&[("a", "session\ndrop\n"), ("b", "session\ndrop\n")]);
    let open = fs::OpenOptions::new().append(true).open(field.path("in/b")).unwrap();
    let mut writer = Command::new("cat").stdin(Stdio::piped()).stdout(open).spawn().unwrap();
    let dry = field.run(&field.batch_of(&["in"], Target::DryRun { in_place: true })).unwrap();
    let result = field.run(&field.batch_of(&["in"], Target::InPlace)).unwrap();
    drop(writer.stdin.take());
    writer.wait().unwrap();
    assert_eq!(shape(&result), ["a compacted", "b skipped in_use"]);
    assert_eq!(shape(&dry), shape(&result));
    assert_eq!(field.read("in/b"), "session\ndrop\n");
}

#[test]
fn a_file_that_is_written_to_meanwhile_is_left_alone() {
    struct Writer(Scripted, PathBuf);
    impl Work for Writer {
        fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
            fs::write(&self.1, "session\ndrop\nmore\n").unwrap();
            self.0.run(format, source, first_line)
        }
        fn detect(&self, bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
            self.0.detect(bytes, given)
        }
    }
    let field = Field::new(&[("a", "session\ndrop\n")]);
    let work = Writer(Scripted::default(), field.path("in/a"));
    let result = field.batch_of(&["in"], Target::InPlace).run(&work, &Silent).unwrap();
    assert_eq!(shape(&result), ["a failed changed_while_reading"]);
    assert_eq!(field.read("in/a"), "session\ndrop\nmore\n");
    assert_eq!(field.names("in"), ["a"], "no temporary file is left");
}

#[test]
fn a_file_without_an_undo_store_is_not_replaced() {
    let field = Field::new(&[("a", "session\ndrop\n")]);
    field.write("store", "a file where the store should be");
    let batch = Batch { undo: Some(field.path("store")), ..field.batch_of(&["in"], Target::InPlace) };
    let err = field.run(&batch).err().unwrap().to_string();
    assert!(err.contains("store: writing the undo store failed"), "{err}");
    assert_eq!(field.read("in/a"), "session\ndrop\n");
}

#[test]
fn a_file_met_twice_is_done_once_and_links_stay_links() {
    let field = Field::new(&[("a", "session\ndrop\ndrop\n")]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("a", field.path("in/b")).unwrap();
    let result = field.run(&field.batch_of(&["in", "in/a"], Target::InPlace)).unwrap();
    assert_eq!((result.totals.files.count, field.read("in/a").as_str()), (1, "session\n"));
    #[cfg(unix)]
    assert!(fs::symlink_metadata(field.path("in/b")).unwrap().is_symlink());
}

#[test]
fn another_name_of_a_file_keeps_what_was_there() {
    let field = Field::new(&[("a", "session\ndrop\n")]);
    fs::hard_link(field.path("in/a"), field.path("other")).unwrap();
    field.run(&field.batch_of(&["in"], Target::InPlace)).unwrap();
    assert_eq!((field.read("in/a"), field.read("other")), ("session\n".into(), "session\ndrop\n".into()));
    let path = field.path("in/a");
    restore(&path, &field.path("in/.epitome/undo"), &path).unwrap();
    assert_eq!(field.read("in/a"), field.read("other"));
}

#[test]
fn old_leftovers_beside_the_inputs_are_removed_and_fresh_ones_may_be_in_use() {
    let field = Field::new(&[("a", "session\n"), (".epitome-tmp-old", "half")]);
    fs::write(field.path("in/.epitome-tmp-new"), "half").unwrap();
    field.run(&field.batch_of(&["in"], Target::InPlace)).unwrap();
    assert_eq!(field.names("in"), [".epitome-tmp-new", "a"].map(str::to_owned));
}

#[test]
fn old_leftovers_beside_a_single_output_are_removed_too() {
    let field = Field::new(&[("a", "session\n"), (".epitome-tmp-old", "half"), ("s/.epitome-tmp-old", "half")]);
    fs::write(field.path("in/.epitome-tmp-new"), "half").unwrap();
    let long_ago = SystemTime::now() - std::time::Duration::from_secs(2 * 24 * 60 * 60);
    fs::File::options().append(true).open(field.path("in/.epitome-tmp-old")).unwrap().set_modified(long_ago).unwrap();
    field.run(&field.batch_of(&["in/a"], Target::File(field.path("in/b")))).unwrap();
    let left = [".epitome-tmp-new", "a", "b", "s/.epitome-tmp-old"].map(str::to_owned);
    assert_eq!(field.names("in"), left, "of other folders nothing is known");
}

#[test]
fn files_of_one_name_in_several_folders_are_all_done() {
    let field = Field::new(&[("a/x", "session\ndrop\n"), ("b/x", "session\ndrop\n")]);
    let batch = || field.batch_of(&["in/a/x", "in/b/x"], Target::InPlace);
    assert_eq!(field.run(&batch()).unwrap().totals.outcomes.compacted, 2);
    assert_eq!((field.read("in/a/x"), field.read("in/b/x")), ("session\n".into(), "session\n".into()));
}

#[cfg(unix)]
#[test]
fn what_a_link_leads_to_is_restored_and_the_link_stays() {
    let field = Field::new(&[("logs/none", "other")]);
    field.write("data", "session\ndrop\n");
    std::os::unix::fs::symlink("../../data", field.path("in/logs/link")).unwrap();
    let old = SystemTime::now() - std::time::Duration::from_secs(3_600);
    fs::File::open(field.path("data")).unwrap().set_modified(old).unwrap();
    field.run(&field.batch_of(&["in"], Target::InPlace)).unwrap();
    assert_eq!(field.read("data"), "session\n");
    let all = restorable(&[field.path("in")], None).unwrap();
    let (output, target) = all.into_iter().flatten().find(|(output, _)| output.ends_with("link")).unwrap();
    assert!(is_over(&output, &target));
    restore(&output, &field.path("in/.epitome/undo"), &target).unwrap();
    assert_eq!(field.read("data"), "session\ndrop\n");
    assert!(fs::symlink_metadata(field.path("in/logs/link")).unwrap().is_symlink());
}

#[test]
fn a_store_is_told_from_the_folders_around_it() {
    let field = Field::new(&[("a", "session\ndrop\n")]);
    field.run(&field.batch_of(&["in"], Target::InPlace)).unwrap();
    let store = field.path("in/.epitome/undo");
    assert!(is_store(&store) && !is_store(&field.path("in")) && !is_store(&field.path("in/.epitome")));
    assert_eq!(store_near(&field.path("in")).as_deref(), Some(&*store));
    assert_eq!(store_near(&field.path("in/.epitome")).as_deref(), Some(&*store));
}

#[test]
fn a_second_run_over_the_same_files_is_told_to_wait() {
    struct Second<'f>(Scripted, &'f Field);
    impl Work for Second<'_> {
        fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
            let second = self.1.run(&self.1.batch_of(&["in"], Target::InPlace));
            assert!(matches!(second, Err(BatchError::Busy { .. })));
            self.0.run(format, source, first_line)
        }
        fn detect(&self, bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
            self.0.detect(bytes, given)
        }
    }
    let field = Field::new(&[("a", "session\ndrop\n")]);
    let work = Second(Scripted::default(), &field);
    let result = field.batch_of(&["in"], Target::InPlace).run(&work, &Silent).unwrap();
    assert_eq!(shape(&result), ["a compacted"]);
}

#[cfg(unix)]
#[test]
fn what_holds_words_of_a_transcript_is_read_by_nobody_who_may_not_read_the_input() {
    use std::os::unix::fs::PermissionsExt;
    /// Records the temporary files that exist while it works.
    struct Looking<'f>(Scripted, &'f Field, Mutex<Vec<String>>);
    impl Work for Looking<'_> {
        fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
            self.2.lock().unwrap().extend(open_to_others(&self.1.path("in")));
            self.0.run(format, source, first_line)
        }
        fn detect(&self, bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
            self.0.detect(bytes, given)
        }
    }
    /// Files and folders that others than the owner can access, except those that hold no content of transcripts.
    fn open_to_others(folder: &Path) -> Vec<String> {
        let entries = walkdir::WalkDir::new(folder).min_depth(1).into_iter().map(Result::unwrap);
        let all = entries.filter(|entry| fs::metadata(entry.path()).unwrap().permissions().mode() & 0o077 != 0);
        let names = all.map(|entry| entry.path().strip_prefix(folder).unwrap().to_string_lossy().into_owned());
        names.filter(|name| *name != ".epitome" && !name.contains("report.json") && !name.ends_with("/lock")).collect()
    }
    let field = Field::new(&[("a", "lines\nx drop\n")]);
    fs::set_permissions(field.path("in/a"), fs::Permissions::from_mode(0o600)).unwrap();
    let work = Looking(Scripted::default(), &field, Mutex::default());
    field.batch_of(&["in"], Target::InPlace).run(&work, &Silent).unwrap();
    assert_eq!(field.read("in/a"), "lines\nx \n");
    assert_eq!(work.2.into_inner().unwrap(), Vec::<String>::new(), "while it is written");
    assert_eq!(open_to_others(&field.path("in")), Vec::<String>::new());
    field.write("in/b", "lines\ny drop\n");
    let store = field.path("s/store");
    field.run(&Batch { undo: Some(store), ..field.batch() }).unwrap();
    assert_eq!(open_to_others(&field.path("s")), Vec::<String>::new());
}

#[test]
fn what_a_run_further_down_wrote_is_known_by_its_own_store() {
    let field = Field::new(&[("x", "session\ndrop\n"), ("s/y", "session\n")]);
    field.run(&field.batch_of(&["in"], Target::InPlace)).unwrap();
    field.write("in/s/y", "session\ndrop\nmore\n");
    field.run(&field.batch_of(&["in/s"], Target::InPlace)).unwrap();
    let (store, below) = (field.path("in/.epitome/undo"), field.path("in/s/.epitome/undo"));
    assert_eq!(other_stores(&field.path("in/s/y"), &store), std::slice::from_ref(&below));
    assert!(has_record(&below, &field.path("in/s/y")).unwrap() && !has_record(&store, &field.path("in/s/y")).unwrap());
    assert!(other_stores(&field.path("in/x"), &store).is_empty(), "only what lies above a file is asked");
}

#[test]
fn what_the_undo_store_takes_is_told() {
    let field = Field::new(&[("a", "session\ndrop\n"), ("b", "session\n")]);
    let dry = field.run(&field.batch_of(&["in"], Target::DryRun { in_place: true })).unwrap();
    let result = field.run(&field.batch_of(&["in"], Target::InPlace)).unwrap();
    let stored: u64 = field.tree("in/.epitome/undo").values().map(|bytes| bytes.len() as u64).sum();
    assert_eq!((dry.undo_bytes, result.undo_bytes), (None, Some(stored)));
    // The store may hold more, left by an interrupted run, and reports must not depend on that.
    assert!(!field.read("in/.epitome/report.json").contains("undo_bytes"));
}
