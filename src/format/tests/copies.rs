//! UI copies get the stub of the result beside them, in every format.

use super::support::read;
use crate::format::*;
use crate::transcript::{Change, PartEdit, UiCopies, apply};
use std::collections::BTreeSet;
use std::path::Path;

/// The text of a session with all results pruned (the general stub being a pattern), and the number of results.
fn pruned(format: &dyn Format, source: &str) -> (String, usize) {
    let transcript = read(format, source);
    let mut script = EditScript { ui_copies: UiCopies::Stub, ..EditScript::unchanged(&transcript) };
    for (message, read) in transcript.messages.iter().enumerate() {
        let parts = read.parts.iter().enumerate().filter(|(_, part)| part.is_result());
        let change = || Change::Stub("[filled]".into());
        script.parts.extend(parts.map(|(part, _)| PartEdit { message, part, change: change() }));
    }
    let patches = format.render(&transcript, &script, &Marks { stub: "{pattern}", ..Marks::default() });
    (String::from_utf8(apply(source.as_bytes(), &patches).into_owned()).unwrap(), script.parts.len())
}

#[test]
fn a_copy_of_a_pruned_result_has_the_stub_of_the_result() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut copied = BTreeSet::new();
    for path in walkdir::WalkDir::new(samples).into_iter().map(|entry| entry.unwrap().into_path()) {
        let Ok(source) = std::fs::read_to_string(&path) else { continue };
        let found = detect(source.as_bytes()).ok();
        let Some(format) = found.filter(|found| found.layout == Layout::Session).and_then(|found| found.format) else {
            continue;
        };
        let (out, results) = pruned(format, &source);
        assert!(!out.contains("{pattern}"), "{}", path.display());
        copied.extend((out.matches("[filled]").count() > results).then(|| format.name()));
    }
    let known = ["claude-code", "codex", "copilot-cli", "gemini-cli", "goose", "opencode", "openhands", "qwen"];
    assert!(known.iter().all(|name| copied.contains(name)), "only in {copied:?}");
}
