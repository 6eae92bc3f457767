//! What a harness loads after a compaction in append mode: the summary, then the tail.
//!
//! The loaders are independent of this crate: they rebuild the context from raw records as each harness does (FORMATS
//! §6 to §12), for the samples and, if asked for, for real files.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "support/compactor.rs"]
mod compactor;
#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/files.rs"]
mod files;
#[path = "harness/mod.rs"]
mod harness;
#[path = "support/samples.rs"]
mod samples;

use compactor::{AS_PRESET, SMALL, TINY, compactor};
use corpus::corpus;
use epitome::batch::Work;
use epitome::convert::{Refusal, convert, target};
use epitome::format::{Bytes, Format, Layout, ReadOptions, by_name, detect, layout};
use epitome::preset::Mode;
use epitome::report::Outcome;
use epitome::transcript::{PartKind, apply};
use epitome::work::Compactor;
use files::files;
use harness::{Item, Loader, loaders, stored};
use samples::samples;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

const OPEN: &str = "<prior-conversation-summary>";

fn appender(changes: compactor::Changes) -> Compactor<'static> {
    let mut work = compactor("opencode", changes);
    work.settings.output.mode = Mode::Append;
    work
}

/// Appends to a file, and compares what is loaded before and after; returns whether there was anything to append.
fn assert_resumes(path: &Path, loader: &Loader, work: &Compactor<'_>) -> bool {
    let bytes = fs::read(path).unwrap();
    let Some(format) = detect(&bytes).ok().and_then(|found| found.format) else { return false };
    let done = work.run(format, &bytes, 1);
    if done.line.outcome != Outcome::Compacted {
        return false;
    }
    let output = apply(&bytes, &done.patches).into_owned();
    assert_stored(path, &bytes, &output);
    let (before, after) = ((loader.load)(&bytes), (loader.load)(&output));
    if let Err(why) = is_summary_and_tail(&before, &after, &stored(&bytes)) {
        panic!("{}: {why}\n{:#?}", path.display(), after.iter().map(|item| &item.key).collect::<Vec<_>>());
    }
    assert_settled(format, work, &output, path);
    true
}

/// Checks that everything stays stored: the additions are in one place, at the end of the list of records.
fn assert_stored(path: &Path, before: &[u8], after: &[u8]) {
    let same = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let rest = &before[same..];
    assert!(after.ends_with(rest), "{}: more than one place changed", path.display());
    assert!(rest.len() <= before.len() / 2 || !rest.contains(&b'\n') || rest.starts_with(b"\n"), "{}", path.display());
}

/// Checks the loaded items after a compaction: those before the summary were stored; those after it were loaded in this
/// order, up to the last, with gaps only after items carried out of the head; one continuation may follow.
fn is_summary_and_tail(before: &[Item], after: &[Item], stored: &HashSet<String>) -> Result<(), String> {
    let summaries: Vec<_> = after.iter().enumerate().filter(|(_, item)| item.text.contains(OPEN)).collect();
    let [(at, _)] = summaries.as_slice() else { return Err(format!("{} summaries are loaded", summaries.len())) };
    let keys = |items: &[Item]| items.iter().map(|item| item.key.clone()).collect::<Vec<_>>();
    let (had, leading, mut tail) = (keys(before), &after[..*at], keys(&after[at + 1..]));
    if tail.last().is_some_and(|last| !had.contains(last)) {
        tail.pop();
    }
    // Carried items may be stored without having been loaded.
    tail.drain(..tail.iter().take_while(|key| !had.contains(key)).count());
    if tail.is_empty() {
        return Err("no tail is loaded".to_owned());
    }
    let mut rest = had.iter();
    if !tail.iter().all(|key| rest.any(|had| had == key)) || rest.next().is_some() {
        return Err("what stands behind the summary is not what was loaded last".to_owned());
    }
    if leading.iter().any(|item| !stored.contains(&item.text)) {
        return Err("what stands before the summary was not stored".to_owned());
    }
    if leading.len() + tail.len() >= had.len() { Err("nothing was left out".to_owned()) } else { Ok(()) }
}

/// Appending again changes nothing.
fn assert_settled(format: &'static dyn Format, work: &Compactor<'_>, output: &[u8], path: &Path) {
    let again = work.run(format, output, 1);
    assert!(again.patches.is_empty(), "{}: appended once more: {:?}", path.display(), again.line.tokens);
}

/// Largest file that is appended to, in bytes: large ones take long without `--release`.
const LARGEST: u64 = if cfg!(debug_assertions) { 1 << 20 } else { 1 << 30 };

fn assert_folder_resumes(root: &Path, least: usize) {
    for loader in loaders() {
        let mut appended = 0;
        let small = |path: &PathBuf| fs::metadata(path).unwrap().len() <= LARGEST;
        for path in files(&root.join(loader.format)).into_iter().filter(small) {
            for changes in [AS_PRESET, SMALL, TINY] {
                appended += usize::from(assert_resumes(&path, &loader, &appender(changes)));
            }
        }
        assert!(appended >= least, "{}: nothing was appended", loader.format);
    }
}

/// A harness loads everything that a conversion wrote for it, in order.
#[test]
fn a_harness_loads_all_that_was_converted_for_it() {
    let mut loaded = 0;
    for path in files(&samples()) {
        let bytes = fs::read(&path).unwrap();
        let format = detect(&bytes).unwrap().format.unwrap();
        if layout(format, &bytes, Bytes::Whole) != Layout::Session {
            continue;
        }
        let before = format.read(&bytes, ReadOptions::default()).unwrap();
        for loader in loaders().iter().filter(|loader| loader.format != format.name()) {
            let Some(target) = target(loader.format) else { continue };
            let converted = match convert(format, &before, target) {
                Ok(converted) => converted,
                // An exec stream lacks the user's request, which every session of Codex must begin with.
                Err(Refusal::Faults { target: "codex", rules }) if format.name() == "codex-exec" => {
                    assert!(rules.starts_with("no_user_message ("), "{rules}");
                    continue;
                }
                Err(refusal) => panic!("{} to {}: {refusal}", path.display(), loader.format),
            };
            let all = (loader.load)(&converted.bytes).into_iter().map(|item| item.text).collect::<String>();
            let mut at = 0;
            for text in words(target.format(), &converted.bytes) {
                let spelled = serde_json::Value::from(text.as_str()).to_string();
                let found = all[at..].find(spelled.trim_matches('"'));
                at += found.unwrap_or_else(|| panic!("{} to {}: {text:?}", path.display(), loader.format));
            }
            loaded += 1;
        }
    }
    assert!(loaded > 30, "only {loaded} sessions");
}

/// Texts and results of all messages, in order.
fn words(format: &str, bytes: &[u8]) -> Vec<String> {
    let transcript = by_name(format).unwrap().read(bytes, ReadOptions::default()).unwrap();
    let said = |kind: &PartKind<'_>| matches!(kind, PartKind::Text | PartKind::Result { .. });
    let parts = transcript.messages.iter().flat_map(|message| &message.parts).filter(|part| said(&part.kind));
    parts.map(|part| part.text.to_string()).filter(|text| !text.is_empty()).collect()
}

#[test]
fn a_harness_loads_summary_and_tail_of_every_sample() {
    assert_folder_resumes(&samples(), 1);
}

#[test]
#[ignore = "needs the corpus"]
fn a_harness_loads_summary_and_tail_of_every_corpus_file() {
    assert_folder_resumes(&corpus(), 1);
}
