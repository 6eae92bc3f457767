//! Conversions of every sample, generated stories, and real files (if asked for) to every target: valid and complete,
//! or failed with a reason; converted back; and in batches with any number of threads.

#![expect(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "tests, which print what they measured")]

#[path = "support/compactor.rs"]
mod compactor;
#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/files.rs"]
mod files;
#[path = "support/generate.rs"]
mod generate;
#[path = "support/samples.rs"]
mod samples;
#[path = "support/transcripts.rs"]
mod transcripts;

use compactor::{AS_PRESET, Changes, SMALL, TINY, compactor};
use corpus::corpus;
use epitome::batch::Target as Place;
use epitome::batch::{Batch, Silent};
use epitome::convert::joined_results::{listed, parted};
use epitome::convert::{Converted, Loss, Output, Refusal, TARGETS, Target, anew, as_it_stands, convert, target};
use epitome::format::{Format, ReadOptions, by_name, detect};
use epitome::transcript::{Message, PartKind, Role, Transcript};
use epitome::work::Converter;
use files::files;
use generate::story;
use proptest::prelude::*;
use proptest::sample::select;
use samples::samples;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use transcripts::transcripts;

/// A conversion to test.
struct Case<'c, 'b> {
    format: &'static dyn Format,
    before: &'c Transcript<'b>,
    target: &'static dyn Target,
}

impl Case<'_, '_> {
    fn convert(&self) -> Result<Converted, Refusal> {
        convert(self.format, self.before, self.target)
    }

    /// The result has the target's format, and has all texts and calls of the live messages in order.
    fn assert_complete(&self, converted: &Converted) {
        let reader = by_name(self.target.format()).unwrap();
        let after = reader.read(&converted.bytes, ReadOptions::default()).unwrap();
        assert_eq!(converted.bytes.last(), Some(&b'\n'));
        if self.target.output() == Output::Rows {
            assert_eq!(converted.bytes.iter().filter(|byte| **byte == b'\n').count(), 1, "a row is one line");
        }
        let lost = |loss| converted.losses.count(loss) > 0;
        let traits = &self.before.traits;
        let may_move = lost(Loss::ResultsMoved) || traits.native_summary || traits.kept_from.is_some();
        assert_said(self.before, &after, may_move, lost(Loss::UnansweredEnd));
        if !lost(Loss::UnknownPart) && self.before.traits.fixed.is_none() && !lost(Loss::OtherAnswers) {
            assert_same_calls(&calls(self.before), &all_calls(&after));
        }
    }

    /// Converting the result again keeps everything, unless some of its text is taken for a summary: messages before
    /// that are history, which is not converted. A transcript that is already in the target's format keeps everything
    /// in one of its files.
    fn assert_stays(&self, place: &str) {
        let anew = || anew(self.format, self.before, self.target).ok().map(|converted| converted.bytes);
        let Some(bytes) = as_it_stands(self.before, self.target).or_else(anew) else { return };
        let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
        assert!(self.target.output() != Output::Rows || lines == 1, "{place}: {lines} lines in a row");
        let readers = [Some(self.format), by_name(self.target.format())];
        let mut read = readers.into_iter().flatten().map(|it| it.read(&bytes, ReadOptions::default()));
        let after = read.find_map(Result::ok);
        let said = |transcript: &Transcript<'_>| live_texts(transcript).concat();
        assert!(after.is_some_and(|after| said(&after) == said(self.before)), "{place} reads otherwise");
    }

    fn assert_comes_back(&self, converted: &Converted) {
        if converted.losses.count(Loss::ReadsAsSummary) > 0 {
            return;
        }
        let reader = by_name(self.target.format()).unwrap();
        let between = reader.read(&converted.bytes, ReadOptions::default()).unwrap();
        let home = if reader.name() == "openai-chat" { "anthropic-messages" } else { "openai-chat" };
        let back = Case { format: reader, before: &between, target: target(home).unwrap() };
        let end = converted.losses.count(Loss::UnansweredEnd) > 0;
        match back.convert() {
            Ok(again) => {
                back.assert_complete(&again);
                let after = by_name(home).unwrap().read(&again.bytes, ReadOptions::default()).unwrap();
                assert_said(self.before, &after, true, end);
            }
            Err(refusal) => assert!(is_due(&refusal), "{home}: {refusal}"),
        }
    }
}

/// Whether a refusal is right: a row without an answer trains nothing, and a rollout without a user is not listed.
fn is_due(refusal: &Refusal) -> bool {
    match refusal {
        Refusal::SameFormat(_) | Refusal::Empty(_) | Refusal::FlatText | Refusal::BadAnswer(_) => true,
        Refusal::Unanswered | Refusal::SeveralSessions => true,
        Refusal::Faults { rules, .. } => rules.starts_with("no_user_message (") && !rules.contains("), "),
        Refusal::Unreadable(_) | Refusal::UnreadableCalls | Refusal::UnknownSpeaker(_) | Refusal::ReadsOtherwise(_) => {
            false
        }
    }
}

/// Texts and results of the live messages are in another transcript, in order unless they `may_move`.
fn assert_said(before: &Transcript<'_>, after: &Transcript<'_>, may_move: bool, end_is_lost: bool) {
    let parts = after.messages.iter().flat_map(|message| &message.parts);
    let all = shown(&parts.map(|part| &*part.text).collect::<Vec<_>>().join("\n"));
    let mut at = 0;
    for text in live_texts(before) {
        match all[at..].find(&text) {
            Some(found) => at += found + text.len(),
            None => assert!(end_is_lost || may_move && all.contains(&text), "{text:?} is missing, or out of order"),
        }
    }
}

/// A text with words in place of marks for entries of columns.
fn shown(text: &str) -> String {
    text.replace("<image>", "[image]").replace("<video>", "[media]").replace("<audio>", "[audio]")
}

/// Live texts, with several results in one text split.
fn live_texts(transcript: &Transcript<'_>) -> Vec<String> {
    let live = transcript.messages.iter().filter(|message| message.live && !message.abandoned);
    let texts = live.flat_map(said).flat_map(|text| {
        let parts = text.split("</tool_response>").map(|text| text.trim().trim_start_matches("<tool_response>").trim());
        parts.map(str::to_owned).collect::<Vec<_>>()
    });
    texts.filter(|text| !text.is_empty()).map(|text| shown(&text)).collect()
}

/// The texts and results of a message; a list that is the result of as many calls is parted.
fn said(message: &Message<'_>) -> Vec<String> {
    let is_said = |kind: &PartKind<'_>| matches!(kind, PartKind::Text | PartKind::Result { .. });
    let results = message.results().count();
    let tool = |part: &epitome::transcript::Part<'_>| match &part.kind {
        PartKind::Result { tool, .. } => Some(tool.as_deref().map(str::to_owned)),
        _ => None,
    };
    let tools: BTreeSet<_> = message.parts.iter().filter_map(tool).collect();
    let texts = message.parts.iter().filter(|part| is_said(&part.kind)).flat_map(|part| {
        let is_result = results > 1 && part.is_result();
        let parted = is_result
            .then(|| parted(&part.text, results).or_else(|| listed(&part.text, results).filter(|_| tools.len() == 1)))
            .flatten();
        parted.unwrap_or_else(|| vec![(&*part.text).into()])
    });
    texts.map(|text| text.into_owned()).collect()
}

/// (Id, name, arguments) of the assistant's live calls, in order.
fn calls(transcript: &Transcript<'_>) -> Vec<(String, String, String)> {
    calls_of(transcript.messages.iter().filter(|message| message.live))
}

/// The calls of all stored messages, live or not, for converted transcripts, which have only live ones.
fn all_calls(transcript: &Transcript<'_>) -> Vec<(String, String, String)> {
    calls_of(transcript.messages.iter())
}

fn calls_of<'m>(messages: impl Iterator<Item = &'m Message<'m>>) -> Vec<(String, String, String)> {
    let own = messages.filter(|it| !it.abandoned && it.role == Role::Assistant);
    let calls = own.flat_map(|message| &message.parts).filter_map(|part| match &part.kind {
        PartKind::Call { id, name } => Some((id.to_string(), name.to_string(), part.text.to_string())),
        _ => None,
    });
    calls.collect()
}

/// The same tools are called with equal arguments, if those are an object.
fn assert_same_calls(before: &[(String, String, String)], after: &[(String, String, String)]) {
    let names = |calls: &[(String, String, String)]| calls.iter().map(|call| call.1.clone()).collect::<Vec<_>>();
    assert_eq!(names(before), names(after));
    let object = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok().filter(serde_json::Value::is_object);
    for ((_, name, before), (_, _, after)) in before.iter().zip(after) {
        if let Some(arguments) = object(before) {
            assert_eq!(object(after), Some(arguments), "arguments of {name}");
        }
    }
}

/// Calls `see` for every transcript of the files with every target.
fn with_all(paths: &[PathBuf], see: &mut dyn FnMut(&Path, usize, &Case<'_, '_>)) {
    for path in paths {
        let bytes = fs::read(path).unwrap();
        let Some(format) = detect(&bytes).ok().and_then(|found| found.format) else { continue };
        for (number, source) in transcripts(format, &bytes) {
            let Ok(before) = format.read(source, ReadOptions::default()) else { continue };
            for target in TARGETS {
                see(path, number, &Case { format, before: &before, target: *target });
            }
        }
    }
}

#[test]
fn every_sample_becomes_every_target_and_comes_back() {
    let mut done = 0;
    with_all(&files(&samples()), &mut |path, number, case| match case.convert() {
        Ok(converted) => {
            case.assert_complete(&converted);
            case.assert_comes_back(&converted);
            done += 1;
        }
        Err(Refusal::SameFormat(_)) => {
            assert_eq!(case.format.name(), case.target.name());
            case.assert_stays(&format!("{}:{number}", path.display()));
        }
        Err(Refusal::BadAnswer(_)) => {}
        // An exec stream lacks the user's request.
        Err(Refusal::Faults { rules, .. }) if case.format.name() == "codex-exec" => {
            assert!(rules.starts_with("no_user_message"), "{rules}");
        }
        Err(Refusal::FlatText) => assert!(["trl", "tau-bench"].contains(&case.format.name())),
        Err(refusal) => panic!("{}:{number} to {}: {refusal}", path.display(), case.target.name()),
    });
    assert!(done > 500, "only {done} conversions");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_story_becomes_every_target_and_comes_back(
        story in story(),
        name in select(&["claude-code", "anthropic-messages", "openai-chat", "openai-messages"][..]),
    ) {
        let bytes = story.write(name);
        let format = by_name(name).unwrap();
        for (_, source) in transcripts(format, &bytes) {
            let Ok(before) = format.read(source, ReadOptions::default()) else { continue };
            for target in TARGETS {
                let case = Case { format, before: &before, target: *target };
                match case.convert() {
                    Ok(converted) => {
                        case.assert_complete(&converted);
                        case.assert_comes_back(&converted);
                        let made_up = [Loss::ResultsMadeUp, Loss::ResultsAsText, Loss::DuplicateResults];
                        let made_up: u64 = made_up.iter().map(|loss| converted.losses.count(*loss)).sum();
                        prop_assert!(made_up == 0 || !story.is_plain(), "{:?}", converted.losses);
                    }
                    Err(refusal) => prop_assert!(is_due(&refusal), "{}: {refusal}", target.name()),
                }
            }
        }
    }
}

/// All files below a folder with their bytes, without the journal.
fn read_all(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let paths = files(folder).into_iter().filter(|path| !path.ends_with("journal.jsonl"));
    paths.map(|path| (path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap())).collect()
}

/// Converts all samples; returns the written files.
fn converted_samples(to: &str, compacts: Option<Changes>, threads: usize, output: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let compactor = compactor("opencode", compacts.unwrap_or(AS_PRESET));
    let work = Converter { compactor, compacts: compacts.is_some(), target: target(to).unwrap() };
    let mut batch = Batch::new(vec![samples()], Place::Dir(output.to_owned()), SystemTime::UNIX_EPOCH);
    batch.threads = threads;
    batch.measure_zstd = false;
    let summary = batch.run(&work, &Silent).unwrap();
    let due = ["flat_text", "bad_answer"];
    let failed = summary.failures.list.iter().filter(|failure| !due.contains(&&*failure.reason));
    assert_eq!(failed.collect::<Vec<_>>(), Vec::<&epitome::report::Failure>::new());
    assert!(summary.totals.outcomes.converted > 40, "{:?}", summary.totals.outcomes);
    read_all(output)
}

#[test]
fn threads_and_repetition_change_nothing() {
    for (to, compacts) in [("sharegpt", None), ("pi", Some(SMALL)), ("atif", Some(TINY))] {
        let temp = tempfile::tempdir().unwrap();
        let run = |threads: usize, name: &str| converted_samples(to, compacts, threads, &temp.path().join(name));
        let once = run(1, "a");
        assert!(once == run(4, "b"), "{to}: another result with more threads");
        assert!(once == run(2, "a"), "{to}: another result the second time");
        let format = target(to).unwrap().format();
        let data = once.iter().filter(|(path, _)| !path.starts_with(".epitome"));
        for (path, bytes) in data {
            assert_eq!(detect(bytes).map(|found| found.name), Ok(format), "{}", path.display());
        }
    }
}

/// Largest real file that is converted, in bytes: large ones take long without `--release`.
const LARGEST: u64 = if cfg!(debug_assertions) { 1 << 20 } else { 8 << 20 };

/// Real transcripts, which are not in this repository. Prints counts.
#[test]
#[ignore = "needs the corpus"]
fn every_real_file_becomes_every_target_or_fails_with_a_reason() {
    let corpus = corpus();
    let paths: Vec<_> = files(&corpus).into_iter().filter(|path| fs::metadata(path).unwrap().len() < LARGEST).collect();
    let mut numbers: BTreeMap<(&str, String), u64> = BTreeMap::new();
    with_all(&paths, &mut |path, number, case| {
        let mut note = |what: String| *numbers.entry((case.target.name(), what)).or_default() += 1;
        match case.convert() {
            Ok(converted) => {
                let name = path.strip_prefix(&corpus).unwrap().display();
                let whole = catch_unwind(AssertUnwindSafe(|| case.assert_complete(&converted)));
                whole.unwrap_or_else(|_| panic!("{name}:{number} to {}", case.target.name()));
                note("converted".into());
                converted.losses.iter().for_each(|(loss, _)| note(format!("lost {}", loss.name())));
            }
            Err(refusal) => {
                assert!(is_due(&refusal), "{}:{number} to {}: {refusal}", path.display(), case.target.name());
                note(format!("failed {}", refusal.reason()));
            }
        }
    });
    for ((target, what), count) in numbers {
        println!("{target}: {what} {count}");
    }
}
