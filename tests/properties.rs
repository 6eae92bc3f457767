//! The ten laws of SPEC over generated transcripts, in the formats in which stories can be written: one with linked
//! records, the others with plain messages. `corpus.rs` checks the laws on the samples of all formats.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

#[path = "support/compactor.rs"]
mod compactor;
#[path = "support/drawn.rs"]
mod drawn;
#[path = "support/generate.rs"]
mod generate;
#[path = "support/laws.rs"]
mod laws;
#[path = "support/transcripts.rs"]
mod transcripts;

use compactor::{AS_PRESET, Changes, SMALL, TINY, compactor};
use drawn::DRAWN;
use epitome::batch::{Batch, Silent, Target, Work, restore};
use epitome::format::{Bytes, FORMATS, by_name, detect, detect_given};
use epitome::report::Outcome;
use generate::{Story, story};
use laws::{Case, assert_pairs};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use transcripts::transcripts;

const LIMITS: [Changes; 3] = [AS_PRESET, SMALL, TINY];

/// A number of cases, overridden by `PROPTEST_CASES`.
fn config(cases: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    ProptestConfig { cases: asked.unwrap_or(cases), failure_persistence: None, ..ProptestConfig::default() }
}

/// The formats in which stories can be written.
fn names() -> Vec<&'static str> {
    vec!["claude-code", "anthropic-messages", "openai-chat", "openai-messages", "cline", "roo"]
}

proptest! {
    #![proptest_config(config(300))]

    /// Laws 1 to 5, 7 and 8.
    #[test]
    fn one_transcript_obeys_the_laws(
        story in story(),
        name in select(names()),
        preset in select(&DRAWN[..]),
        limits in select(&LIMITS[..]),
    ) {
        let bytes = story.write(name);
        let format = by_name(name).unwrap();
        let work = compactor(preset, limits);
        for (_, source) in transcripts(format, &bytes) {
            let case = Case { format, source };
            assert!(case.is_read());
            case.assert_identity();
            let (done, output) = case.assert_laws(&work);
            if done.line.outcome == Outcome::Compacted {
                let after = Case { format, source: &output };
                assert_pairs(&case.read(&work.tokenizer).unwrap(), &after.read(&work.tokenizer).unwrap());
            }
        }
    }

    /// Law 4: under a smaller budget the result becomes smaller still, and no law is broken on the way.
    #[test]
    fn a_result_can_be_compacted_further(story in story(), name in select(names())) {
        let bytes = story.write(name);
        let format = by_name(name).unwrap();
        for (_, source) in transcripts(format, &bytes) {
            let (_, once) = Case { format, source }.assert_laws(&compactor("opencode", SMALL));
            let (_, twice) = Case { format, source: &once }.assert_laws(&compactor("opencode", TINY));
            Case { format, source: &twice }.assert_laws(&compactor("opencode", TINY));
        }
    }

    /// A token limit is kept, or the transcript fails with a reason.
    #[test]
    fn a_bound_is_kept(story in story(), name in select(names()), most in 50u64..3000) {
        let bytes = story.write(name);
        let format = by_name(name).unwrap();
        let mut work = compactor("opencode", AS_PRESET);
        work.settings.limits.max_tokens = Some(most);
        for (number, source) in transcripts(format, &bytes) {
            let line = work.run(format, source, number).line;
            let over = line.outcome == Outcome::Failed && line.reason.as_deref() == Some("over_budget");
            prop_assert!(over || line.tokens.after <= most, "{:?}: {} above {most}", line.error, line.tokens.after);
        }
    }

    /// A file is detected as the format in which it was written, unless nothing in it is distinctive.
    #[test]
    fn a_story_is_recognized(story in story().prop_filter("all is known", Story::is_plain), name in select(names())) {
        let found = detect(&story.write(name)).map(|found| found.name);
        let plain = ["openai-chat", "anthropic-messages"];
        prop_assert!(found == Ok(name) || (plain.contains(&name) && found.is_ok_and(|found| plain.contains(&found))));
    }

    #[test]
    fn no_bytes_are_a_danger(bytes in prop::collection::vec(any::<u8>(), 0..300), lenient in any::<bool>()) {
        run_all(&bytes, lenient);
    }

    #[test]
    fn no_broken_transcript_is_a_danger(
        story in story(),
        name in select(names()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..3), 1..8),
        lenient in any::<bool>(),
    ) {
        let mut bytes = story.write(name);
        for (at, byte, how) in changes {
            let at = at.index(bytes.len().max(1));
            match how {
                0 if at < bytes.len() => bytes[at] = byte,
                1 => bytes.insert(at.min(bytes.len()), byte),
                _ => bytes.truncate(at.max(bytes.len() / 2)),
            }
        }
        run_all(&bytes, lenient);
    }
}

/// Runs everything on arbitrary bytes; only a panic is a failure.
fn run_all(bytes: &[u8], lenient: bool) {
    let mut work = compactor("opencode", TINY);
    work.lenient = lenient;
    let _ = detect_given(bytes, if lenient { Bytes::Whole } else { Bytes::Beginning });
    for format in FORMATS {
        for (number, source) in transcripts(*format, bytes) {
            work.run(*format, source, number);
        }
    }
}

/// Writes generated files into a folder, one of them broken.
fn write_inputs(stories: &[Story], folder: &Path) {
    for (index, story) in stories.iter().enumerate() {
        let name = names()[index % names().len()];
        let path = folder.join(name).join(format!("{index}.jsonl"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, story.write(name)).unwrap();
    }
    let torn = [&stories[0].write("openai-messages")[..], b"\n{\"role\":\"user\",\"content\":\"torn"].concat();
    fs::write(folder.join("torn.jsonl"), torn).unwrap();
}

/// All files below a folder with their bytes, without the journal.
fn read_all(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = walkdir::WalkDir::new(folder).into_iter().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().is_file() && entry.file_name() != "journal.jsonl");
    files
        .map(|entry| (entry.path().strip_prefix(folder).unwrap().to_owned(), fs::read(entry.path()).unwrap()))
        .collect()
}

fn batch(input: &Path, output: &Path, threads: usize) -> Batch {
    let mut batch = Batch::new(vec![input.to_owned()], Target::Dir(output.to_owned()), SystemTime::UNIX_EPOCH);
    batch.threads = threads;
    batch
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 40, ..config(12) })]

    /// Laws 6 and 9: the number of threads and repetition change nothing, inputs stay untouched, and failed files have
    /// no output.
    #[test]
    fn threads_and_repetition_change_nothing(stories in prop::collection::vec(story(), 4..12)) {
        let temp = tempfile::tempdir().unwrap();
        let input = temp.path().join("in");
        write_inputs(&stories, &input);
        let before = read_all(&input);
        let work = compactor("opencode", SMALL);
        let outputs: Vec<_> = [1, 2, 16, 2].iter().enumerate().map(|(run, threads)| {
            let output = temp.path().join(format!("out{run}"));
            let summary = batch(&input, &output, *threads).run(&work, &Silent).unwrap();
let unread = summary.failures.list.iter().filter(|failure| failure.reason != "new_fault");
            assert_eq!(unread.map(|failure| &*failure.path).collect::<Vec<_>>(), ["torn.jsonl"]);
            read_all(&output)
        }).collect();
        prop_assert!(outputs.windows(2).all(|pair| pair[0] == pair[1]), "outputs differ");
        prop_assert!(!outputs[0].contains_key(Path::new("torn.jsonl")), "a failed file left an output");
        let data = outputs[0].keys().filter(|path| !path.starts_with(".epitome")).count();
        prop_assert!(read_all(&input) == before, "an input was touched");
        let again = batch(&input, &temp.path().join("out0"), 2).run(&work, &Silent).unwrap();
        prop_assert!(again.reused as usize >= data, "a second run did {} of {data} again", again.reused);
        prop_assert!(read_all(&temp.path().join("out0")) == outputs[0], "a second run changed the outputs");
    }

    /// Law 10: restoring an output with its undo store yields the input.
    #[test]
    fn restore_gives_back_the_input(stories in prop::collection::vec(story(), 4..8)) {
        let temp = tempfile::tempdir().unwrap();
        let (input, output, store) = (temp.path().join("in"), temp.path().join("out"), temp.path().join("undo"));
        write_inputs(&stories, &input);
        let mut batch = batch(&input, &output, 2);
        batch.undo = Some(store.clone());
        batch.run(&compactor("opencode", TINY), &Silent).unwrap();
        for (path, bytes) in read_all(&input).iter().filter(|(path, _)| output.join(path).exists()) {
            let back = temp.path().join("back").join(path);
            fs::create_dir_all(back.parent().unwrap()).unwrap();
            restore(&output.join(path), &store, &back).unwrap();
            prop_assert!(fs::read(&back).unwrap() == *bytes, "{} is not what it was", path.display());
        }
    }
}
