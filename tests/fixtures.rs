//! The compactor on fixtures: planted texts survive one compaction and five in a row.

#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/compactor.rs"]
mod compactor;
#[path = "support/program.rs"]
mod program;

use compactor::{AS_PRESET, Changes, SMALL, TINY, compactor};
use epitome::batch::Work;
use epitome::fixtures::{BASE, CanaryKind, Fixture, Plan, StoryKind, generate};
use epitome::format::{Format, ReadOptions, by_name};
use epitome::report::{Line, Outcome};
use epitome::transcript::{Author, apply};
use epitome::work::Compactor;
use program::program;

/// Settings of five compactions in a row: small limits, as in a long session.
const CHAIN: Changes = &[("limits.usable", 8000), ("split.tail-tokens", 1200), ("summary.tokens", 2000)];

fn base() -> &'static dyn Format {
    by_name(BASE).unwrap()
}

fn compacted(work: &Compactor<'_>, source: &[u8]) -> (Line, Vec<u8>) {
    let done = work.run(base(), source, 1);
    let output = apply(source, &done.patches).into_owned();
    (done.line, output)
}

/// Text of the newest summary.
fn summary(bytes: &[u8]) -> String {
    let read = base().read(bytes, ReadOptions::default()).unwrap();
    let summaries: Vec<_> = read.messages.iter().filter(|message| message.author == Author::Summary).collect();
    assert_eq!(summaries.len(), 1, "one summary");
    summaries[0].text().into_owned()
}

/// All text that a model reads.
fn all_text(bytes: &[u8]) -> String {
    let read = base().read(bytes, ReadOptions::default()).unwrap();
    read.messages.iter().flat_map(|message| &message.parts).map(|part| format!("{}\n", part.text)).collect()
}

/// A fixture's messages after its cut, as a continuation; the user sets no new rules in them.
fn more(plan: &Plan) -> Vec<u8> {
    let fixture = generate(plan);
    let lines = fixture.bytes.split_inclusive(|byte| *byte == b'\n');
    lines.skip(fixture.cut).flatten().copied().collect()
}

fn constraint_canaries(fixture: &Fixture) -> Vec<&str> {
    let canaries = fixture.canaries.iter().filter(|canary| canary.kind == CanaryKind::Constraint);
    canaries.map(|canary| &*canary.text).collect()
}

/// A plan with a given kind of story.
fn plan(seed: u64, story: StoryKind, tokens: usize) -> Plan {
    Plan { story, ..Plan::new(seed, tokens) }
}

/// Number of the three rules that a chain may lose, for stories where it currently loses some.
const MAY_LOSE: [(StoryKind, usize); 3] = [
    (StoryKind::Coding, 0),
    // A rule that begins with "Please only" is taken for a temporary wish.
    (StoryKind::Service, 1),
    (StoryKind::Chinese, 0),
];

#[test]
fn a_size_that_no_memory_holds_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = program(folder.path());
    let made = command.args(["fixtures", "-o", "made", "--tokens", "99999999999"]).output().unwrap();
    let told = String::from_utf8_lossy(&made.stderr).into_owned();
    assert!(made.status.code() == Some(2) && told.contains("at most 100000000 tokens"), "{told}");
}

#[test]
fn five_compactions_in_a_row_keep_the_budget_and_the_first_rules() {
    let work = compactor("opencode", CHAIN);
    for (story, may_lose) in MAY_LOSE {
        let first = generate(&plan(101, story, 12_000));
        let mut bytes = first.bytes.clone();
        for round in 1..=5 {
            let (line, output) = compacted(&work, &bytes);
            assert_eq!(line.outcome, Outcome::Compacted, "{story:?}, round {round}: {:?}", line.error);
            let budget = work.settings.summary.tokens;
            assert!(line.tokens.summary <= budget, "{story:?}, round {round}: {} above {budget}", line.tokens.summary);
            let summary = summary(&output);
            let kept = |rule: &&str| summary.contains(rule.trim_end_matches(['.', '。']));
            let lost: Vec<_> = constraint_canaries(&first).into_iter().filter(|rule| !kept(rule)).collect();
            assert!(lost.len() <= may_lose, "{story:?}, round {round} lost: {lost:?}");
            bytes = output;
            bytes.extend(more(&plan(200 + round, story, 6_000)));
        }
    }
}

#[test]
fn files_that_were_written_are_named() {
    let work = compactor("opencode", AS_PRESET);
    for seed in 0..4 {
        for story in [StoryKind::Coding, StoryKind::Chinese] {
            let fixture = generate(&plan(seed, story, 24_000));
            let (line, output) = compacted(&work, &fixture.bytes);
            assert_eq!(line.outcome, Outcome::Compacted, "{story:?} {seed}: {:?}", line.reason);
            let said = all_text(&output);
            for file in &fixture.modified_files {
                assert!(said.contains(file.as_str()), "{story:?} {seed}: {file} is named nowhere");
            }
        }
    }
}

#[test]
fn a_fixture_is_compacted_without_new_faults() {
    for (seed, limits) in [SMALL, TINY].into_iter().enumerate() {
        for story in StoryKind::ALL {
            let fixture = generate(&plan(seed as u64, story, 8_000));
            let (line, output) = compacted(&compactor("opencode", limits), &fixture.bytes);
            assert_eq!(line.outcome, Outcome::Compacted, "{story:?}: {:?}", line.error);
            assert!(line.tokens.after < line.tokens.before / 2);
            assert_eq!(base().faults(&base().read(&output, ReadOptions::default()).unwrap()), []);
        }
    }
}
