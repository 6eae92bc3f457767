//! `--memory-limit`: which files start, wait or fail.

use super::packed::zstd;
use super::*;
use crate::report::MemoryReport;

/// A limit that leaves 64 MiB for files.
const LIMIT: u64 = 128 << 20;

/// A session of this many mebibytes, which needs twice as much memory and 24 MiB.
fn session(mebibytes: usize) -> String {
    format!("session\ndrop\n{}", "a line of a session that is kept\n".repeat((mebibytes << 20) / 33))
}

fn limited(field: &Field, out: &str, (memory, threads): (u64, usize)) -> Batch {
    let target = Target::Dir(field.path(out));
    Batch { memory: Some(memory), threads, ..field.batch_of(&["in"], target) }
}

#[test]
fn a_file_that_never_fits_fails_and_says_what_to_do_and_is_done_with_more() {
    let field = Field::new(&[("large", &session(21)), ("small", "session\ndrop\n"), ("rows", "lines drop\n")]);
    field.write("in/packed", zstd(&session(21)));
    let result = field.run(&limited(&field, "out", (LIMIT, 2))).unwrap();
    let expected = ["large failed memory_limit", "packed failed memory_limit", "rows:1 compacted", "small compacted"];
    assert_eq!(shape(&result), expected);
    assert_eq!(field.names("out"), ["rows", "small"]);
    let error = &result.failures.list[0].error;
    let stated = error.rsplit("say --memory-limit ").next().and_then(|rest| rest.split_once('M'));
    let enough = stated.and_then(|(number, _)| number.parse::<u64>().ok()).map(|mebibytes| mebibytes << 20);
    assert!(error.contains("more memory than --memory-limit 128M;") && enough > Some(LIMIT), "{error}");
    let (little, enough) = (enough.unwrap() - (1 << 20), enough.unwrap());
    assert!(field.run(&limited(&field, "enough", (little, 2))).unwrap().has_failures());
    assert!(
        !field.run(&limited(&field, "enough", (enough, 2))).unwrap().has_failures(),
        "the number that is named works"
    );
    let more = field.run(&limited(&field, "out", (2 * LIMIT, 2))).unwrap();
    assert_eq!((more.has_failures(), more.reused), (false, 2));
    let MemoryReport { limit, largest } = more.memory.unwrap();
    assert!(limit == 2 * LIMIT && LIMIT < largest && largest < limit, "{largest}");
    assert!(field.read("out/.epitome/report.json").contains(&format!("\"largest\": {largest}")));
    assert!(
        field.run(&field.batch()).is_ok_and(|run| run.memory.is_none() && run.reused == 4),
        "no setting of a folder"
    );
}

/// Counts how many transcripts are processed at once.
struct Watched {
    work: Scripted,
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Work for Watched {
    fn run(&self, format: &'static dyn Format, source: &[u8], first_line: usize) -> Done {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        // Gives other threads the time to start, if they may.
        (0..2_000).for_each(|_| std::thread::yield_now());
        let done = self.work.run(format, source, first_line);
        self.now.fetch_sub(1, Ordering::SeqCst);
        done
    }

    fn detect(&self, bytes: &[u8], given: Bytes) -> Result<Detected, Undetected> {
        self.work.detect(bytes, given)
    }
}

#[test]
fn never_more_are_let_in_than_fit_and_all_get_their_turn() {
    // 3 KiB for each line that may be a message: with the need of each file 903 MiB or 317 MiB, of 960.
    let text =
        |at: usize| "session\ndrop\n".to_owned() + &"{\n".repeat(if at.is_multiple_of(3) { 300_000 } else { 100_000 });
    let files: Vec<_> = (0..9).map(|at| (format!("{at}"), text(at))).collect();
    let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let field = Field::new(&files);
    let work = Watched { work: Scripted::default(), now: AtomicUsize::new(0), most: AtomicUsize::new(0) };
    let result = limited(&field, "out", (1 << 30, 8)).run(&work, &Silent).unwrap();
    assert_eq!((result.totals.outcomes.compacted, result.has_failures()), (9, false));
    let most = work.most.load(Ordering::SeqCst);
    assert!(most <= 3, "{most} were let in");
}

#[test]
fn lines_that_are_too_long_fail_alone_and_nothing_depends_on_threads() {
    let text = (1..=3000).fold("lines\n".to_owned(), |text, at| format!("{text}{at} drop{}\n", "x".repeat(at % 50)));
    let long = "y".repeat(1 << 20);
    let field = Field::new(&[("a", &format!("{text}{long} drop\n{text}")), ("s", &session(5))]);
    let run = |out: &str, threads| {
        let result = field.run(&limited(&field, out, (LIMIT, threads))).unwrap();
        assert_eq!(result.totals.reasons["memory_limit"], 1);
        assert_eq!((&*result.failures.list[0].path, result.failures.list[0].line), ("a", Some(3002)));
        field.tree(out)
    };
    let one = run("out1", 1);
    assert!(one["a"] == format!("{0}{long} drop\n{0}", text.replace("drop", "")).into_bytes());
    assert!(run("out8", 8) == one);
    let more = field.run(&limited(&field, "out1", (8 * LIMIT, 1))).unwrap();
    assert_eq!((more.has_failures(), more.reused), (false, 1), "what failed for memory is done again with more");
    for threads in [2, 8] {
        let out = format!("more{threads}");
        field.run(&limited(&field, &out, (8 * LIMIT, threads))).unwrap();
        assert!(field.tree(&out) == field.tree("out1"), "{threads} threads");
    }
}

#[test]
fn a_stream_of_one_session_is_held_within_the_limit() {
    let field = Field::new(&[]);
    for (mebibytes, fails) in [(4, false), (21, true)] {
        let mut batch = Batch::new(vec!["-".into()], Target::Stdout, SystemTime::now());
        batch.streams.stdin = Mutex::new(Box::new(std::io::Cursor::new(session(mebibytes))));
        batch.streams.stdout = Mutex::new(Box::new(std::io::sink()));
        let result = field.run(&Batch { memory: Some(LIMIT), ..batch }).unwrap();
        assert_eq!(result.totals.reasons.contains_key("memory_limit"), fails, "{mebibytes} MiB");
    }
}

#[test]
fn a_limit_that_leaves_no_room_is_refused_before_anything_is_written() {
    let field = Field::new(&[("a", "session\n")]);
    let run = field.run(&limited(&field, "out", (LIMIT - 1, 2)));
    assert!(matches!(run, Err(BatchError::SmallMemory { least: LIMIT, .. })));
    assert!(!field.path("out").exists());
}
