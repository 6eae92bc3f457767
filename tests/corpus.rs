//! Every sample with four presets, as a snapshot of its shape and against the laws; and real files, if asked for.
//!
//! After an intended change of shapes: `INSTA_UPDATE=always cargo test --test corpus`, and review the diff.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

#[path = "support/compactor.rs"]
mod compactor;
#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/drawn.rs"]
mod drawn;
#[path = "support/files.rs"]
mod files;
#[path = "support/laws.rs"]
mod laws;
#[path = "support/panicked.rs"]
mod panicked;
#[path = "support/samples.rs"]
mod samples;
#[path = "support/shape.rs"]
mod shape;
#[path = "support/transcripts.rs"]
mod transcripts;

use compactor::{AS_PRESET, Changes, SMALL, TINY, compactor};
use corpus::{chosen, corpus};
use drawn::DRAWN;
use epitome::batch::{Batch, Silent, Target, restore};
use epitome::format::detect;
use epitome::report::Outcome;
use files::files;
use laws::Case;
use panicked::panicked;
use samples::samples;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::SystemTime;
use transcripts::transcripts;

#[test]
fn every_sample_has_the_shape_that_its_policy_says() {
    for path in files(&samples()) {
        let bytes = fs::read(&path).unwrap();
        let mut drawn = String::new();
        for (limits, changes) in [("", AS_PRESET), (", small limits", SMALL), (", tiny limits", TINY)] {
            for preset in DRAWN {
                drawn += &format!("== {preset}{limits}\n{}", draw(&bytes, preset, changes));
            }
        }
        let folder = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        let name = format!("{folder}__{}", path.file_stem().unwrap().to_string_lossy());
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(name, drawn);
        });
    }
}

/// Draws the result of a preset on a file: its shape if it was compacted, otherwise the reason why not.
fn draw(bytes: &[u8], preset: &str, changes: Changes) -> String {
    let work = compactor(preset, changes);
    let format = detect(bytes).unwrap().format.unwrap();
    let mut drawn = String::new();
    for (number, source) in transcripts(format, bytes) {
        let case = Case { format, source };
        assert!(case.is_read(), "line {number} can't be read");
        case.assert_identity();
        let (done, output) = case.assert_laws(&work);
        let tokens = &done.line.tokens;
        let reason = done.line.reason.as_deref().unwrap_or("compacted");
        drawn += &format!("line {number}: {reason}, {} tokens to {}\n", tokens.before, tokens.after);
        if done.line.outcome == Outcome::Compacted {
            let after = Case { format, source: &output }.read(&work.tokenizer).unwrap();
            laws::assert_pairs(&case.read(&work.tokenizer).unwrap(), &after);
            drawn += &shape::shape(&after);
        }
    }
    drawn
}

/// Checks the laws on all files of some folders of the corpus; the message says which file broke which law.
fn assert_laws_over(folders: &[&str], policies: &[(&str, Changes)], largest: u64) {
    let corpus = corpus();
    let works: Vec<_> = policies.iter().map(|(preset, changes)| (*preset, compactor(preset, changes))).collect();
    let mut broken = Vec::new();
    for path in folders.iter().flat_map(|folder| files(&corpus.join(folder))) {
        if fs::metadata(&path).unwrap().len() > largest {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let Some(format) = detect(&bytes).ok().and_then(|found| found.format) else { continue };
        for (number, source) in transcripts(format, &bytes) {
            let case = Case { format, source };
            for (preset, work) in &works {
                let check = AssertUnwindSafe(|| {
                    case.assert_identity();
                    case.assert_laws(work);
                });
                if let Err(payload) = catch_unwind(check) {
                    let path = path.strip_prefix(&corpus).unwrap().display();
                    broken.push(format!("{path}:{number}, {preset}: {}", panicked(&*payload)));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}

/// The drawn presets, with their own limits and with small ones.
fn drawn() -> Vec<(&'static str, Changes)> {
    DRAWN.iter().flat_map(|preset| [(*preset, AS_PRESET), (*preset, SMALL)]).collect()
}

#[test]
#[ignore = "needs the corpus"]
fn openai_files_obey_the_laws() {
    assert_laws_over(&["openai-messages", "openai-finetune"], &drawn(), u64::MAX);
}

#[test]
#[ignore = "needs the corpus"]
fn claude_code_files_obey_the_laws() {
    assert_laws_over(&["claude-code"], &drawn(), u64::MAX);
}

#[test]
#[ignore = "needs the corpus"]
fn whatever_else_is_claimed_obeys_the_laws() {
    let corpus = corpus();
    let done = ["openai-messages", "openai-finetune", "claude-code"];
    let entries = fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let rest: Vec<_> = entries.filter(|name| !done.contains(&name.as_str())).collect();
    let rest: Vec<_> = rest.iter().map(String::as_str).collect();
    // Large files take long without `--release`.
    let largest = if cfg!(debug_assertions) { 1 << 20 } else { 4 << 20 };
    assert_laws_over(&rest, &[("opencode", AS_PRESET), ("opencode", SMALL)], largest);
}

/// Compacts a folder with an undo store, and compares the restored files with the input.
fn assert_restored(input: &Path) {
    let temp = tempfile::tempdir().unwrap();
    let (output, store) = (temp.path().join("out"), temp.path().join("undo"));
    let mut batch = Batch::new(vec![input.to_owned()], Target::Dir(output.clone()), SystemTime::UNIX_EPOCH);
    batch.undo = Some(store.clone());
    batch.measure_zstd = false;
    let result = batch.run(&compactor("opencode", SMALL), &Silent).unwrap();
    assert!(result.totals.outcomes.compacted > 0 && !result.has_failures());
    for (number, path) in files(input).into_iter().enumerate() {
        let local = path.strip_prefix(input).unwrap();
        let back = temp.path().join(format!("back-{number}"));
        restore(&output.join(local), &store, &back).unwrap_or_else(|error| panic!("{}: {error}", local.display()));
        assert!(fs::read(&back).unwrap() == fs::read(&path).unwrap(), "{} is not what it was", local.display());
    }
}

#[test]
fn restore_gives_back_every_sample() {
    assert_restored(&samples());
}

#[test]
#[ignore = "needs the corpus"]
fn restore_gives_back_every_corpus_file() {
    let corpus = corpus();
    for folder in ["openai-messages", "openai-finetune", "claude-code"] {
        assert_restored(&corpus.join(folder));
    }
}

#[test]
fn the_corpus_is_the_one_that_is_named_or_the_one_beside() {
    let temp = tempfile::tempdir().unwrap();
    fs::write(temp.path().join("MANIFEST.tsv"), "").unwrap();
    assert_eq!(chosen(None, temp.path()), temp.path());
    assert_eq!(chosen(Some(temp.path().into()), Path::new("nowhere")), temp.path());
}

#[test]
#[should_panic(expected = "nowhere: no folder with a MANIFEST.tsv; TRANSCRIPT_CORPUS names one")]
fn a_corpus_that_is_asked_for_must_be_there() {
    chosen(Some("nowhere".into()), &samples());
}
