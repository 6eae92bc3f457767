//! Every preset over every sample, and over real files if asked for: the laws hold, and there are no new faults.
//!
//! Presets that would wait for an overflow are set to compact always, so that each has something to do.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

#[path = "support/compactor.rs"]
mod compactor;
#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/files.rs"]
mod files;
#[path = "support/laws.rs"]
mod laws;
#[path = "support/panicked.rs"]
mod panicked;
#[path = "support/samples.rs"]
mod samples;
#[path = "support/transcripts.rs"]
mod transcripts;

use compactor::{AS_PRESET, Changes, SMALL, TINY, compactor, settings};
use corpus::corpus;
use epitome::batch::Work;
use epitome::format::detect;
use epitome::preset::{When, presets};
use epitome::report::Outcome;
use epitome::work::Compactor;
use files::files;
use laws::Case;
use panicked::panicked;
use samples::samples;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use transcripts::transcripts;

/// The size in bytes of the largest real files that meet every preset.
const LARGEST_FOR_ALL: u64 = 8 << 10;

/// A preset that compacts every transcript with a head.
fn always(preset: &str, changes: Changes) -> Compactor<'static> {
    let mut work = compactor(preset, changes);
    work.settings.overflow.when = When::Always;
    work
}

/// A preset with these limits, and lower ones where it has its own.
fn smaller(preset: &str, limits: Changes) -> Compactor<'static> {
    let mut work = always(preset, limits);
    let split = &mut work.settings.split;
    split.tail_messages = split.tail_messages.min(3);
    split.user_tokens = split.user_tokens.min(30);
    split.keep_first = split.keep_first.min(1);
    split.reach_cap = split.reach_cap.map(|_| 900);
    let prune = &mut work.settings.prune;
    prune.keep_results = prune.keep_results.min(1);
    prune.keep_messages = prune.keep_messages.min(2);
    (prune.recent_tokens, prune.minimum_tokens) = (prune.recent_tokens.min(50), prune.minimum_tokens.min(20));
    (prune.head_chars, prune.tail_chars) = (prune.head_chars.min(20), prune.tail_chars.min(20));
    work
}

/// Checks the laws on a file with each policy, counts how many each compacted, and collects violations. Returns whether
/// the file is of a format, and all of it can be read.
fn hold(
    path: &Path,
    works: &[(&'static str, Compactor<'_>)],
    compacted: &mut BTreeMap<&'static str, usize>,
    broken: &mut Vec<String>,
) -> bool {
    let bytes = fs::read(path).unwrap();
    let Some(format) = detect(&bytes).ok().and_then(|found| found.format) else { return false };
    let mut are_read = true;
    for (number, source) in transcripts(format, &bytes) {
        let case = Case { format, source };
        are_read &= case.is_read();
        for (preset, work) in works {
            match catch_unwind(AssertUnwindSafe(|| outcome(case, work))) {
                Ok(outcome) => *compacted.entry(preset).or_default() += usize::from(outcome == Outcome::Compacted),
                Err(payload) => {
                    broken.push(format!("{}:{number}, {preset}: {}", path.display(), panicked(&*payload)));
                }
            }
        }
    }
    are_read
}

/// Compacts and checks the laws; non-strict presets must not separate calls from results.
fn outcome(case: Case<'_>, work: &Compactor<'_>) -> Outcome {
    case.assert_identity();
    let (done, output) = case.assert_laws(work);
    if done.line.outcome == Outcome::Compacted && !work.settings.strict {
        let read = |source| Case { format: case.format, source }.read(&work.tokenizer).expect("it can be read");
        laws::assert_pairs(&read(case.source), &read(&output));
    }
    done.line.outcome
}

/// Checks the laws on all samples; returns the presets that had nothing to do in any.
fn hold_samples(make: &dyn Fn(&str) -> Compactor<'static>) -> Vec<&'static str> {
    let all: Vec<_> = presets().map(|preset| (preset.name, make(preset.name))).collect();
    let (mut compacted, mut broken) = (BTreeMap::new(), Vec::new());
    for path in files(&samples()) {
        assert!(hold(&path, &all, &mut compacted, &mut broken), "{} can't be read", path.display());
    }
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
    compacted.into_iter().filter(|(_, count)| *count == 0).map(|(preset, _)| preset).collect()
}

#[test]
fn nearly_every_preset_compacts_samples_by_the_laws() {
    // No sample is as long as what the two that mask leave alone, and none uses a browser.
    let idle = ["gemini-mask", "openhands-browser", "openhands-mask"];
    assert_eq!(hold_samples(&|preset| always(preset, AS_PRESET)), idle);
}

#[test]
fn with_small_limits_every_preset_has_something_to_do_and_obeys_the_laws() {
    // No sample uses a browser.
    assert_eq!(hold_samples(&|preset| smaller(preset, SMALL)), ["openhands-browser"]);
}

/// Real transcripts, which are not in this repository. Larger files are each checked with some presets in turn, so that
/// every preset meets many.
#[test]
#[ignore = "needs the corpus"]
fn every_preset_compacts_real_files_by_the_laws() {
    let corpus = corpus();
    let mut works: Vec<_> = presets().map(|preset| vec![(preset.name, always(preset.name, AS_PRESET))]).collect();
    let mut all: Vec<_> = presets().map(|preset| (preset.name, always(preset.name, AS_PRESET))).collect();
    all.extend(presets().map(|preset| (preset.name, smaller(preset.name, TINY))));
    let (mut compacted, mut broken) = (BTreeMap::new(), Vec::new());
    for path in ["claude-code", "openai-messages"].iter().flat_map(|folder| files(&corpus.join(folder))) {
        let size = fs::metadata(&path).unwrap().len();
        if size <= LARGEST_FOR_ALL {
            hold(&path, &all, &mut compacted, &mut broken);
        } else if size <= 2 << 20 {
            hold(&path, &works[0], &mut compacted, &mut broken);
            works.rotate_left(1);
        }
    }
    assert!(broken.is_empty(), "{} broken:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn presets_that_wait_for_an_overflow_leave_small_transcripts_alone() {
    let waits = |name: &&str| settings(name, AS_PRESET).overflow.when == When::Overflow;
    let names: Vec<_> = presets().map(|preset| preset.name).filter(waits).collect();
    assert!(names.len() > 20, "{names:?}");
    let path = samples().join("openai-messages/twelve-lines.jsonl");
    let bytes = fs::read(path).unwrap();
    let format = detect(&bytes).unwrap().format.unwrap();
    for name in names {
        let work = compactor(name, AS_PRESET);
        let done = work.run(format, &bytes, 1);
        assert!(done.patches.is_empty(), "{name}: {:?}", done.line.reason);
    }
}

/// Messages that a preset keeps before its summary are sent with a plain list, although they read back as history.
#[test]
fn what_is_kept_before_a_summary_counts_as_loaded() {
    let path = samples().join("openai-messages/seed-shape-long.jsonl");
    let bytes = fs::read(path).unwrap();
    let format = detect(&bytes).unwrap().format.unwrap();
    let mut work = always("openhands", AS_PRESET);
    work.settings.split.tail_messages = 4;
    let case = Case { format, source: &bytes };
    let done = work.run(format, &bytes, 1);
    assert_eq!(done.line.outcome, Outcome::Compacted, "{:?}", done.line.reason);
    let output = epitome::transcript::apply(&bytes, &done.patches).into_owned();
    let read = Case { source: &output, ..case }.read(&work.tokenizer).unwrap();
    assert!(read.messages.iter().any(|message| !message.live), "something stands before the summary");
    assert_eq!(done.line.tokens.live_after, done.line.tokens.after);
    assert!(done.line.tokens.live_after < done.line.tokens.live);
}
