//! Arguments of calls can be cleared in every format that stores them as JSON of their own: the call stays, the
//! replacement is valid, and nothing else changes.

use super::support::{edited, faults, read};
use crate::format::{Detected, Format, Layout, detect};
use crate::transcript::{Change, Message, Part, PartEdit, PartKind};
use std::collections::BTreeSet;
use std::path::Path;

/// The replacement of the arguments.
const CLEARED: &str = r#"{"cleared":true}"#;
/// Formats that store arguments separately. Of the others, cline, roo and mini-swe-agent write calls into their
/// texts, as sharegpt and Open WebUI do; OpenHands V0 events store arguments several times.
const CLEARS: [&str; 44] = [
    "ai-sdk",
    "amp",
    "anthropic-messages",
    "antigravity",
    "atif",
    "autogen",
    "bedrock-converse",
    "claude-ai-export",
    "claude-code",
    "claude-stream-json",
    "codex",
    "codex-exec",
    "continue",
    "copilot-cli",
    "cursor",
    "droid",
    "droid-stream-json",
    "forge",
    "gemini-cli",
    "gemini-contents",
    "gemini-stream-json",
    "goose",
    "grok",
    "hermes",
    "hf-sts",
    "inspect",
    "kimi-cli",
    "kimi-code",
    "langchain",
    "librechat",
    "llm-http-logs",
    "openai-chat",
    "openai-messages",
    "openai-responses",
    "openclaw",
    "opencode",
    "openhands",
    "otel-genai",
    "pi",
    "pydantic-ai",
    "qwen",
    "swe-agent",
    "trl",
    "windsurf",
];

/// Whether the arguments of a call can be cleared; not on abandoned branches, which are never edited.
fn clears(message: &Message<'_>, part: &Part<'_>) -> bool {
    part.is_call() && !part.slot.content.is_empty() && !message.abandoned
}

/// All parts of a source: whether the arguments can be cleared, id and name of a call, and the text.
fn parts(format: &dyn Format, source: &str) -> Vec<(bool, String, String)> {
    let transcript = read(format, source);
    let parts = transcript.messages.iter().flat_map(|message| message.parts.iter().map(move |part| (message, part)));
    let told = parts.map(|(message, part)| {
        let call = match &part.kind {
            PartKind::Call { id, name } => format!("{id} {name}"),
            _ => String::new(),
        };
        (clears(message, part), call, part.text.to_string())
    });
    told.collect()
}

/// Clears all arguments that can be cleared, and returns their number.
fn clear(format: &dyn Format, source: &str) -> usize {
    let out = edited(format, source, |transcript, script| {
        for (message, read) in transcript.messages.iter().enumerate() {
            let calls = read.parts.iter().enumerate().filter(|(_, part)| clears(read, part));
            let cleared = Change::Stub(CLEARED.into());
            script.parts.extend(calls.map(|(part, _)| PartEdit { message, part, change: cleared.clone() }));
        }
    });
    let (before, after) = (parts(format, source), parts(format, &out));
    assert_eq!(before.len(), after.len(), "{}", format.name());
    for ((goes, call, text), (_, new_call, new)) in before.iter().zip(&after) {
        assert_eq!((call, new.as_str()), (new_call, if *goes { CLEARED } else { text }), "{}: {out}", format.name());
    }
    assert_eq!(faults(format, &out), faults(format, source), "{}", format.name());
    before.iter().filter(|(goes, ..)| *goes).count()
}

#[test]
fn arguments_are_cleared_in_every_format_that_has_them() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let files = CLEARS.iter().flat_map(|name| std::fs::read_dir(samples.join(name)).into_iter().flatten().flatten());
    let mut cleared = BTreeSet::new();
    for file in files.filter(|file| file.path().is_file()) {
        let Ok(text) = std::fs::read_to_string(file.path()) else { continue };
        let Ok(Detected { format: Some(format), layout, .. }) = detect(text.as_bytes()) else { continue };
        let rows: Vec<&str> = match layout {
            Layout::Session => vec![&text],
            Layout::PerLine => text.lines().collect(),
            Layout::PerElement(_) => continue,
        };
        let count: usize = rows.into_iter().map(|row| clear(format, row)).sum();
        if count > 0 {
            cleared.insert(format.name());
        }
    }
    let missing: Vec<_> = CLEARS.iter().filter(|name| !cleared.contains(*name)).collect();
    assert!(missing.is_empty(), "no arguments were cleared in samples of {missing:?}");
}
