//! Detection and reading over a collection of real files, if asked for.

use super::support;
use crate::corpus::corpus;
use crate::format::claude_code::ClaudeCode;
use crate::format::detect::sample::{Sample, beginning};
use crate::format::*;
use crate::transcript::apply;
use std::fs;
use std::io::Read;

/// Labels of the collection that differ from epitome's names, for all files of a format or some of them.
const NAMES: &[(&str, &str)] = &[
    ("alpaca-negative/", "alpaca"),
    ("atif/nemo-agent-toolkit-atof", "atof"),
    ("claude-code-records", "claude-code"),
    ("malformed/cass/html_export__edge_cases__empty", "cass"),
    ("malformed/", "claude-code"),
    ("openai-finetune/", "openai-chat"),
    ("__base_state.json", "openhands-state"),
    ("other-agents/droid/agent-sessions/agents__droid__stream_json", "droid-stream-json"),
    ("other-agents/grok/agent-sessions/agents__grok__summary", "grok-summary"),
    ("other-agents/grok/agent-sessions/grok__subagent__summary", "grok-summary"),
    ("other-agents/kimi/agent-sessions/agents__kimi__state", "kimi-state"),
    ("other-agents/kimi/agent-sessions/agents__kimi__assistant_tools.state", "kimi-state"),
    ("other-agents/kimi/", "kimi-code"),
    ("other-agents/mixed/git-ai/tests__fixtures__cursor", "cursor"),
    ("other-agents/mixed/git-ai/tests__fixtures__droid-session.settings", "droid-settings"),
    ("other-agents/mixed/git-ai/tests__fixtures__droid", "droid"),
    ("other-agents/mixed/git-ai/tests__fixtures__windsurf", "windsurf"),
    ("other-agents/mixed/git-ai/tests__fixtures__continue", "continue"),
    ("other-agents/openclaw/inspect_scout", "openclaw-telemetry"),
];

/// Files for which another answer than the collection's label is right, grouped by reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    // Synthetic files of a tool's tests, without keys of the format.
    ("cline__task1__api_conversation_history", "none"),
    ("cline__task1__task_metadata", "none"),
    ("agents__codex__schema_drift", "none"),
    ("agents__gemini__schema_drift", "none"),
    // Messages of various programs in one JSON array.
    ("cline__task1__ui_messages", "openai-messages"),
    ("fixtures__llm_data__", "openai-messages"),
    ("mini-swe-agent/tests__test_data", "openai-messages"),
    // Conversations in one array, with columns beside them.
    ("LLaMA-Factory/data__kto", "openai-chat"),
    ("LLaMA-Factory/data__mllm", "openai-chat"),
    // Other files of the same tool.
    ("oss-story", "codex-tui-log"),
    ("cline-sdk/fixtures__session__session.json", "cline-session"),
    // Rows of questions and answers without messages.
    ("calc_x__data__sample", "none"),
    // Nothing distinguishes them from pi's.
    ("agents__openclaw__schema_drift", "pi"),
    ("agents__openclaw__small", "pi"),
    // Its only line is cut off.
    ("qwen__019f0000-0000-7000-8000-000000000005", "none"),
    // Collections of several shapes under one label.
    ("hh_rlhf_tiny", "trl"),
    ("grpo__multi_turn__frozen_lake", "openai-chat"),
    ("llm__data__alpaca", "alpaca"),
    ("llm__data__chatml", "openai-chat"),
    ("llm__data__conversations", "sharegpt"),
    ("llm__data__sharegpt", "sharegpt"),
    ("plugin__openenv__sudoku", "openai-chat"),
];

/// Files that can't be read, with the position of the first error.
const BROKEN: &[(&str, &str)] =
    &[("html_export__malformed__invalid_json", "line 2, column 2:"), ("html_export__malformed__truncated", "line 3,")];

fn expected<'m>(local: &str, label: &'m str) -> &'m str {
    let listed = EXCEPTIONS.iter().chain(NAMES).find(|(part, _)| local.contains(part));
    listed.map_or(label.strip_prefix("other-agents/").unwrap_or(label), |(_, name)| name)
}

fn detected(bytes: &[u8], given: Bytes) -> &'static str {
    let sure = ClaudeCode.evidence(&Sample::new(&beginning(bytes, given))).is_some();
    match detect_given(bytes, given) {
        Ok(found) => found.name,
        Err(_) if sure => "claude-code",
        Err(_) => "none",
    }
}

/// The log in an archive of Inspect AI, or the bytes themselves.
fn unpacked(bytes: Vec<u8>) -> Vec<u8> {
    if !archive::begins(&bytes) {
        return bytes;
    }
    let mut text = Vec::new();
    archive::Unpacked::new(&bytes[..]).read_to_end(&mut text).unwrap();
    text
}

#[test]
#[ignore = "needs the corpus"]
fn every_file_of_the_corpus_is_named_right_and_survives_reading() {
    let corpus = corpus();
    let manifest = fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
    let mut wrong = Vec::new();
    for row in manifest.lines().skip(1) {
        let mut cells = row.split('\t');
        let (local, label) = (cells.next().unwrap(), cells.next().unwrap());
        let bytes = unpacked(fs::read(corpus.join(local)).unwrap());
        let expected = expected(local, label);
        let found = detected(&bytes, Bytes::Whole);
        let begun = detected(
            &bytes[..bytes.len().min(1 << 20)],
            if bytes.len() <= 1 << 20 { Bytes::Whole } else { Bytes::Beginning },
        );
        if found != expected || begun != found {
            wrong.push(format!("{local}: {found} ({begun} by its beginning), not {expected}"));
        }
        if let Some(format) = by_name(found) {
            let reason = unread(format, &bytes);
            let located = BROKEN.iter().find(|(part, _)| local.contains(part)).map(|(_, place)| *place);
            let as_expected = match (&reason, located) {
                (Some(reason), Some(place)) => reason.starts_with(place),
                (reason, located) => reason.is_none() && located.is_none(),
            };
            if !as_expected {
                wrong.push(format!("{local}: {reason:?}, but expected {located:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The transcripts of a file, with the numbers of their first lines.
fn sources<'b>(format: &dyn Format, bytes: &'b [u8]) -> Vec<(usize, &'b [u8])> {
    match layout(format, bytes, Bytes::Whole) {
        Layout::Session => vec![(1, bytes)],
        Layout::PerLine => lines::lines(bytes).map(|line| (line.number, &bytes[line.span])).collect(),
        Layout::PerElement(key) => {
            elements(bytes, key).unwrap().into_iter().map(|it| (it.line, &bytes[it.span])).collect()
        }
    }
}

/// Why a file can't be read, or does not round-trip.
fn unread(format: &dyn Format, bytes: &[u8]) -> Option<String> {
    sources(format, bytes).into_iter().find_map(|(first_line, source)| {
        let options = ReadOptions { lenient: false, first_line };
        let transcript = match format.read(source, options) {
            Ok(transcript) => transcript,
            Err(err) => return Some(err.to_string()),
        };
        let patches = format.render(&transcript, &EditScript::unchanged(&transcript), &Marks::default());
        format.faults(&transcript);
        (*apply(source, &patches) != *source).then(|| "changed though nothing was edited".to_owned())
    })
}

#[test]
#[ignore = "needs the corpus"]
fn edits_of_every_file_keep_the_rest() {
    let corpus = corpus();
    let manifest = fs::read_to_string(corpus.join("MANIFEST.tsv")).unwrap();
    for local in manifest.lines().skip(1).filter_map(|row| row.split('\t').next()) {
        let bytes = fs::read(corpus.join(local)).unwrap();
        let Some(format) = detect(&bytes).ok().and_then(|found| found.format) else { continue };
        if support::RELINKS.contains(&format.name()) {
            continue; // scripts/account.py accounts for every line of claude-code's
        }
        for (number, source) in sources(format, &bytes).into_iter().take(40) {
            let source = std::str::from_utf8(source).unwrap();
            support::assert_edits_keep_the_rest(format, source, number);
        }
    }
}
