//! Sessions that end on a call without a result yet: `check` finds no fault in them, nor in their compaction.

use super::*;
use crate::check::{Choice, faults_at_rest};
use crate::continuation::{State, state};
use crate::format::{by_name, lines};
use crate::preset::Mode;
use crate::transcript::apply;
use std::collections::BTreeSet;

/// Formats of linked lines with compaction records.
const FORMATS: [&str; 7] = ["claude-code", "codex", "openclaw", "openhands", "pi", "droid", "qwen"];

/// The longest prefixes of a format's samples that end on an open call.
fn open_sessions(format: &'static dyn Format) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").join(format.name());
    let files = fs::read_dir(folder).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap());
    let open = |bytes: &[u8]| {
        let read = format.read(bytes, ReadOptions::default());
        read.is_ok_and(|read| state(&read) == State::OpenCall && faults_at_rest(&read).is_empty())
    };
    let longest = files.filter_map(|bytes| {
        let ends: Vec<_> = lines::lines(&bytes).map(|line| line.span.end).collect();
        ends.iter().rev().map(|end| bytes[..*end].to_vec()).find(|bytes| open(bytes))
    });
    longest.collect()
}

fn compactor(mode: Mode) -> Compactor<'static> {
    opencode(|settings| {
        settings.split.tail_tokens = Some(60);
        settings.output.mode = mode;
    })
}

fn rules(format: &'static dyn Format, source: &[u8]) -> BTreeSet<String> {
    let checker = Checker {
        rules: Choice::default(),
        templates: vec![Template::default()],
        held: Held::All,
        fix: false,
        from: None,
    };
    checker.run(format, source, 1).line.findings.into_iter().map(|finding| finding.rule).collect()
}

#[test]
fn a_compaction_does_not_go_on_behind_an_open_call() {
    for name in FORMATS {
        let format = by_name(name).unwrap();
        let mut compacted = 0;
        for source in open_sessions(format) {
            let done = compactor(Mode::Rewrite).run(format, &source, 1);
            assert_ne!(done.line.outcome, Outcome::Failed, "{name}: {:?}", done.line.error);
            compacted += usize::from(done.line.outcome == Outcome::Compacted);
            let new: Vec<_> = rules(format, &apply(&source, &done.patches)).into_iter().collect();
            assert!(new.iter().all(|rule| rules(format, &source).contains(rule)), "{name}: {new:?}");
            let appended = compactor(Mode::Append).run(format, &source, 1);
            assert!(appended.patches.is_empty(), "{name}: {:?}", appended.line.reason);
        }
        assert!(compacted > 0, "{name}: no sample ends on an open call and has a head");
    }
}

#[test]
fn what_is_said_behind_an_open_call_is_no_result() {
    let record = |kind: &str, id: u8, content: &str| {
        let (parent, role) = (id - 1, kind);
        format!(
            r#"{{"type":"{kind}","uuid":"{id}","parentUuid":"{parent}","sessionId":"s","isSidechain":false,"message":{{"id":"m{id}","role":"{role}","content":[{content}]}}}}"#
        )
    };
    let text = |words: &str| format!(r#"{{"type":"text","text":"{words}"}}"#);
    let call = r#"{"type":"tool_use","id":"t","name":"Edit","input":{}}"#;
    let words = "count the crates of every shelf in the long hall ".repeat(60);
    let session = [
        record("user", 1, &text(&words)).replace(r#""parentUuid":"0""#, r#""parentUuid":null"#),
        record("assistant", 2, &text(&words)),
        record("user", 3, &text("and the paint")),
        record("assistant", 4, call),
        record("assistant", 5, &text("I started.")),
    ];
    let format = by_name("claude-code").unwrap();
    let source = session.join("\n");
    assert_eq!(rules(format, source.as_bytes()), BTreeSet::new());
    for mode in [Mode::Rewrite, Mode::Append] {
        let done = compactor(mode).run(format, source.as_bytes(), 1);
        assert_eq!(rules(format, &apply(source.as_bytes(), &done.patches)), BTreeSet::new(), "{mode:?}");
    }
}
