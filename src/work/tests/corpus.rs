//! Compacts real sessions, if asked for, and leaves them alone in a second run.

use crate::batch::Work;
use crate::corpus::corpus;
use crate::format::{Format, by_name, detect};
use crate::preset::Settings;
use crate::report::Outcome;
use crate::summary::Template;
use crate::transcript::apply;
use crate::work::Compactor;
use std::fs;

/// Formats of sessions with summary records of their own or linked records, and logs of steps.
const FORMATS: [&str; 16] = [
    "codex",
    "pi",
    "hf-sts",
    "copilot-cli",
    "qwen",
    "openclaw",
    "droid",
    "cursor",
    "grok",
    "kimi-code",
    "continue",
    "claude-stream-json",
    "codex-exec",
    "droid-stream-json",
    "antigravity",
    "windsurf",
];

fn compactor(preset: &str, small: bool) -> Compactor<'static> {
    let mut settings = Settings::of_preset(preset).unwrap();
    if small {
        settings.limits.usable = Some(2_000);
        settings.split.tail_tokens = Some(400);
    }
    Compactor::new(preset, settings, Template::default()).unwrap()
}

/// What is wrong with the compaction of a file, or of its output.
fn wrong(work: &Compactor<'_>, format: &'static dyn Format, bytes: &[u8]) -> Option<String> {
    let once = work.run(format, bytes, 1);
    if once.line.outcome == Outcome::Failed {
        return once.line.error;
    }
    let out = apply(bytes, &once.patches);
    let twice = work.run(format, &out, 1);
    let what = format!("a second time: {:?} {:?}", twice.line.outcome, twice.line.reason);
    (twice.line.outcome != Outcome::Unchanged).then_some(what)
}

#[test]
#[ignore = "needs the corpus"]
fn real_sessions_survive_two_compactions() {
    let corpus = corpus();
    let manifest = fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
    let mut found = Vec::new();
    let mut compacted = 0;
    let works = [
        ("whole", compactor("opencode", false)),
        ("small", compactor("opencode", true)),
        ("lean", compactor("lean", false)),
    ];
    for local in manifest.lines().skip(1).filter_map(|row| row.split('\t').next()) {
        let bytes = fs::read(corpus.join(local)).unwrap();
        let Ok(name) = detect(&bytes).map(|found| found.name) else { continue };
        let Some(format) = by_name(name).filter(|_| FORMATS.contains(&name)) else { continue };
        compacted += 1;
        for (how, work) in &works {
            found.extend(wrong(work, format, &bytes).map(|what| format!("{local} ({how}): {what}")));
        }
    }
    assert!(found.is_empty(), "{} of {compacted} files:\n{}", found.len(), found.join("\n"));
}
