//! Gates that run the compactor again: made to fail by work that does not do the same twice.
#![expect(clippy::unwrap_used, reason = "tests")]

use super::Gatekeeper;
use super::originals::Originals;
use super::rerun::Reruns;
use crate::batch::{Batch, Done, Target, Work, find};
use crate::check::Choice;
use crate::evaluate::Policy;
use crate::fixtures::{Plan, generate};
use crate::format::Format;
use crate::gates::{Expectations, GateSettings, Verdict};
use crate::preset::Settings;
use crate::report::{Line, Outcome};
use crate::summary::Template;
use crate::transcript::{Patch, PatchKind};
use crate::work::{Checker, Compactor};
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::SystemTime;

fn keeper(folder: &Path, gates: &str) -> Gatekeeper {
    let (rules, template) = (Choice::default(), Template::default());
    Gatekeeper {
        checker: Checker { rules, template: template.clone(), fix: false, from: None },
        template: None,
        original: Some(folder.to_owned()),
        settings: GateSettings::read(&gates.parse().unwrap()).unwrap(),
        expectations: Expectations::default(),
        compactor: Compactor::new("opencode", Settings::default(), template).unwrap(),
        policy: Policy::Extractive,
    }
}

/// Compacts nothing, but writes how often it was called.
struct Counts(AtomicU8);

impl Work for Counts {
    fn run(&self, _: &'static dyn Format, source: &[u8], _: usize) -> Done {
        let with = vec![self.0.fetch_add(1, Ordering::SeqCst)];
        let patch = Patch { span: source.len()..source.len(), with, kind: PatchKind::Insert };
        let line = Line { outcome: Outcome::Compacted, ..Line::default() };
        Done { line, patches: vec![patch], plan: Vec::new() }
    }
}

fn verdicts(gates: &str, work: Option<&dyn Work>) -> Vec<(&'static str, Verdict)> {
    let folder = tempfile::tempdir().unwrap();
    let names = ["a.json", "b.json"];
    for (name, seed) in names.iter().zip(1..) {
        std::fs::write(folder.path().join(name), generate(&Plan::new(seed, 3_000)).bytes).unwrap();
    }
    let keeper = keeper(folder.path(), gates);
    let batch = Batch::new(vec![folder.path().to_owned()], Target::DryRun { in_place: false }, SystemTime::now());
    let inputs = find(&batch, &keeper.checker).unwrap().inputs;
    let originals = Originals { keeper: &keeper, batch: &batch, inputs: &inputs };
    let mut reruns = Reruns::default();
    reruns.compact_twice(originals, work.unwrap_or(&keeper.compactor)).unwrap();
    let each = (0..2).flat_map(|input| reruns.outcomes(input, 0));
    let run = reruns.of_run.iter().map(|one| one.outcome.clone());
    each.chain(run).map(|outcome| (outcome.gate, outcome.verdict)).collect()
}

#[test]
fn work_that_does_not_do_the_same_twice_is_found() {
    assert_eq!(verdicts("R02 = 'error'", None), [("R02", Verdict::Pass); 2]);
    assert_eq!(verdicts("R02 = 'error'", Some(&Counts(AtomicU8::new(0)))), [("R02", Verdict::Fail); 2]);
    assert_eq!(verdicts("", None), [], "off until it is asked for");
}

#[test]
fn more_time_than_none_warns() {
    assert_eq!(verdicts("R04 = { max-seconds = 0 }", None), [("R04", Verdict::Warn)]);
    assert_eq!(verdicts("R04 = { max-seconds = 1e9, max-bytes = 1e18 }", None), [("R04", Verdict::Pass)]);
}
