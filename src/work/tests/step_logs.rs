//! Logs of steps, which nothing resumes: each sample is compacted, is left alone in a second run, and gets no
//! continuation.

use super::opencode;
use crate::batch::Work;
use crate::format::{by_name, detect};
use crate::report::Outcome;
use crate::transcript::{Author, Class, apply};
use crate::work::Compactor;
use std::fs;
use std::path::Path;

/// Formats, and whether a sample is long enough for the default settings.
const FORMATS: [(&str, bool); 5] = [
    ("claude-stream-json", true),
    ("codex-exec", true),
    ("droid-stream-json", false),
    ("antigravity", false),
    ("windsurf", false),
];

fn compactor(small: bool) -> Compactor<'static> {
    opencode(|settings| {
        if small {
            settings.limits.usable = Some(2_000);
            settings.split.tail_tokens = Some(200);
        }
    })
}

/// Compacts a log, checks the result, and compacts it again. Returns whether anything was removed.
fn compacts(work: &Compactor<'_>, name: &str, bytes: &[u8]) -> bool {
    let format = by_name(name).unwrap();
    let once = work.run(format, bytes, 1);
    if once.line.outcome != Outcome::Compacted {
        return false;
    }
    let out = apply(bytes, &once.patches).into_owned();
    assert_eq!(detect(&out).map(|found| found.name), Ok(name));
    let (before, after) =
        (format.read(bytes, Default::default()).unwrap(), format.read(&out, Default::default()).unwrap());
    assert_eq!(crate::check::faults(&after), []);
    let authors: Vec<_> = after.messages.iter().map(|message| message.author).collect();
    assert_eq!(authors.iter().filter(|author| **author == Author::Summary).count(), 1, "{name}");
    assert!(!authors.contains(&Author::Continuation), "{name}: nothing resumes it");
    let told = |records: &[crate::transcript::Record<'_>]| {
        records.iter().filter(|record| matches!(record.class, Class::Session(_))).count()
    };
    assert_eq!(told(&before.records), told(&after.records), "{name}: what tells of the run stays");
    let again = work.run(format, &out, 1);
    assert_eq!((again.line.outcome, again.patches.len()), (Outcome::Unchanged, 0), "{name}: {:?}", again.line.reason);
    true
}

#[test]
fn logs_of_steps_are_compacted_once() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    for (name, long) in FORMATS {
        let files: Vec<_> =
            fs::read_dir(samples.join(name)).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect();
        let all = |small: bool| files.iter().filter(|bytes| compacts(&compactor(small), name, bytes)).count();
        assert_eq!(all(true), files.len(), "{name} with small limits");
        assert_eq!(all(false) > 0, long, "{name} with the default settings");
    }
}
