//! Every sample, and every real file where they are at hand, to every target: valid, complete, or failed with a reason.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "support/transcripts.rs"]
mod transcripts;

use epitome::convert::{Converted, Loss, Refusal, TARGETS, Target, convert};
use epitome::format::{Format, ReadOptions, by_name, detect};
use epitome::transcript::{PartKind, Role, Transcript};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use transcripts::transcripts;

/// All files below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}

fn samples() -> Vec<PathBuf> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("samples"))
}

/// A conversion that was asked for.
struct Case<'c, 'b> {
    format: &'static dyn Format,
    before: &'c Transcript<'b>,
    target: &'static dyn Target,
}

impl Case<'_, '_> {
    fn convert(&self) -> Result<Converted, Refusal> {
        convert(self.format, self.before, self.target)
    }

    /// What comes out is of the target's format, and says what the live source says, in order.
    fn assert_complete(&self, converted: &Converted) {
        let reader = by_name(self.target.format()).unwrap();
        let after = reader.read(&converted.bytes, ReadOptions::default()).unwrap();
        assert_eq!(converted.bytes.last(), Some(&b'\n'));
        if self.target.output() == epitome::convert::Output::Rows {
            assert_eq!(converted.bytes.iter().filter(|byte| **byte == b'\n').count(), 1, "a row is one line");
        }
        let lost = |loss| converted.losses.of(loss) > 0;
        let all = said(&after);
        let mut at = 0;
        for text in live_texts(self.before) {
            let Some(found) = all[at..].find(text) else {
                let somewhere = all.contains(text) && (lost(Loss::ResultsMoved) || self.before.traits.native_summary);
                let end = lost(Loss::UnansweredEnd);
                assert!(somewhere || end, "{text:?} is missing, or out of order");
                continue;
            };
            at += found + text.len();
        }
        if !lost(Loss::UnknownPart) && self.before.traits.fixed.is_none() {
            assert_eq!(calls(&after, &|_| true), calls(self.before, &|id| !id.starts_with("#action ")));
        }
    }
}

/// All that is said, in order.
fn said(transcript: &Transcript<'_>) -> String {
    let parts = transcript.messages.iter().flat_map(|message| &message.parts);
    parts.map(|part| &*part.text).collect::<Vec<_>>().join("\n")
}

/// Words and results of the live messages, in order.
fn live_texts<'t>(transcript: &'t Transcript<'_>) -> Vec<&'t str> {
    let live = transcript.messages.iter().filter(|message| message.live && !message.abandoned);
    let is_said = |kind: &PartKind<'_>| matches!(kind, PartKind::Text | PartKind::Result { .. });
    let texts = live.flat_map(|message| &message.parts).filter(|part| is_said(&part.kind)).map(|part| part.text.trim());
    texts.filter(|text| !text.is_empty()).collect()
}

/// The tools that the assistant calls in live messages, in order.
fn calls(transcript: &Transcript<'_>, counts: &dyn Fn(&str) -> bool) -> Vec<String> {
    let live = transcript.messages.iter().filter(|it| it.live && !it.abandoned && it.role == Role::Assistant);
    let names = live.flat_map(|message| &message.parts).filter_map(|part| match &part.kind {
        PartKind::Call { id, name } if counts(id) => Some(name.to_string()),
        _ => None,
    });
    names.collect()
}

/// Calls `see` for every transcript of the files with every target.
fn with_all(paths: &[PathBuf], see: &mut dyn FnMut(&Path, usize, &Case<'_, '_>)) {
    for path in paths {
        let bytes = fs::read(path).unwrap();
        let Some(format) = detect(&bytes, true).ok().and_then(|found| found.format) else { continue };
        for (number, source) in transcripts(format, &bytes) {
            let Ok(before) = format.read(source, ReadOptions::default()) else { continue };
            for target in TARGETS {
                see(path, number, &Case { format, before: &before, target: *target });
            }
        }
    }
}

#[test]
fn every_sample_becomes_every_target() {
    let mut done = 0;
    with_all(&samples(), &mut |path, number, case| match case.convert() {
        Ok(converted) => {
            case.assert_complete(&converted);
            assert_eq!(case.convert().unwrap(), converted, "another result the second time");
            done += 1;
        }
        Err(Refusal::SameFormat(_)) => assert_eq!(case.format.name(), case.target.name()),
        Err(Refusal::FlatText) => assert!(["trl", "tau-bench"].contains(&case.format.name())),
        Err(refusal) => panic!("{}:{number} to {}: {refusal}", path.display(), case.target.name()),
    });
    assert!(done > 500, "only {done} conversions");
}

/// Real transcripts, which are not in this repository.
#[test]
fn every_real_file_becomes_every_target_or_fails_with_a_reason() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if !corpus.join("MANIFEST.tsv").exists() {
        return;
    }
    let small = |path: &PathBuf| fs::metadata(path).unwrap().len() < 8 << 20;
    let paths: Vec<_> = files(&corpus).into_iter().filter(small).collect();
    let (mut done, mut failed, mut losses) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    with_all(&paths, &mut |path, number, case| match case.convert() {
        Ok(converted) => {
            let name = path.strip_prefix(&corpus).unwrap().display();
            let whole = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| case.assert_complete(&converted)));
            assert!(whole.is_ok(), "{name}:{number} to {}", case.target.name());
            *done.entry(case.target.name()).or_insert(0) += 1;
            for (loss, count) in converted.losses.iter() {
                let own: &mut (u64, u64) = losses.entry((case.target.name(), loss.name())).or_default();
                *own = (own.0 + 1, own.1 + count);
            }
        }
        Err(refusal) => {
            let own: &mut (u64, String) = failed.entry((case.target.name(), refusal.reason())).or_default();
            own.0 += 1;
            let name = path.strip_prefix(&corpus).unwrap().display();
            if !matches!(refusal, Refusal::SameFormat(_) | Refusal::FlatText) && own.0 < 6 {
                own.1 += &format!("\n      {name}:{number}: {refusal}");
            }
        }
    });
    println!("converted {done:#?}");
    for ((target, reason), (count, examples)) in &failed {
        println!("failed {target} {reason} {count}{examples}");
    }
    for ((target, loss), (transcripts, count)) in &losses {
        println!("loss {target} {loss}: {transcripts} transcripts, {count}");
    }
}
