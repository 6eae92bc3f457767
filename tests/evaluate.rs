//! The evaluation as a user runs it: fixtures with a known needed set, and the reference where it is at hand.

#![expect(clippy::unwrap_used, reason = "tests")]

use epitome::batch::{Evaluator, Work};
use epitome::evaluate::{BASELINES, Plan, Policy, Vocabulary, Wanted};
use epitome::fixtures::generate;
use epitome::format;
use epitome::report::CutReport;
use epitome::summary::Template;
use epitome::tokens::Tokenizer;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn evaluator(wanted: Wanted) -> Evaluator {
    let fits = |name: &str| wanted != Wanted::Recorded || name == "recorded";
    let fitting = BASELINES.iter().filter(|(name, _)| fits(name));
    let policies: Vec<Policy> = fitting.map(|(_, policy)| policy.clone()).collect();
    let vocabulary = Vocabulary::default();
    Evaluator {
        plan: Plan {
            wanted,
            policies,
            summary_tokens: 2_000,
            price: None,
            curve: Vec::new(),
            show_content: true,
            vocabulary,
        },
        tokenizer: Tokenizer::by_name("o200k_base").unwrap(),
        template: Template::default(),
        from: None,
        explain: None,
        staff: None,
    }
}

fn cuts(bytes: &[u8], wanted: Wanted) -> Vec<CutReport> {
    let format = format::detect(bytes, true).unwrap().format.unwrap();
    evaluator(wanted).run(format, bytes, 1).line.cuts
}

fn recall(cut: &CutReport, policy: &str) -> f64 {
    cut.scores.iter().find(|scores| scores.policy == policy).unwrap().recall.value().unwrap()
}

#[test]
fn keeping_all_is_one_and_ours_beats_what_only_drops() {
    let fixture = generate(&epitome::fixtures::Plan::new(3, 60_000));
    let cuts = cuts(&fixture.bytes, Wanted::Shares { least: 12_000 });
    assert!(!cuts.is_empty());
    for cut in &cuts {
        assert_eq!(recall(cut, "keep-all"), 1.0);
        let own = cut.scores.iter().find(|scores| scores.policy == "extractive").unwrap();
        assert_eq!(own.support.part, own.support.of, "a summary of the head's own words is supported");
        assert!(own.summary_tokens <= 2_000);
    }
    let mean = |policy: &str| cuts.iter().map(|cut| recall(cut, policy)).sum::<f64>() / cuts.len() as f64;
    for baseline in ["tail-rule", "tail-only", "prune-tail", "textrank"] {
        assert!(mean("extractive") >= mean(baseline), "{baseline}: {} and {}", mean(baseline), mean("extractive"));
    }
}

/// Needed sets and the recall of recorded summaries are those of the reference, where it is at hand.
#[test]
fn recorded_compactions_score_as_the_reference_says() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let Ok(golden) = fs::read_to_string(shared.join("tools/fact-spec/golden.jsonl")) else { return };
    let (mut alike, mut all) = (0, 0);
    for line in golden.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let path = shared.join("corpus/claude-code").join(row["session"].as_str().unwrap());
        let found = cuts(&fs::read(&path).unwrap(), Wanted::Recorded);
        let at = usize::try_from(row["summary_line"].as_u64().unwrap()).unwrap();
        let cut = found.iter().find(|cut| cut.line == at).unwrap();
        let wanted: BTreeSet<&str> =
            row["needed"].as_array().unwrap().iter().map(|fact| fact[1].as_str().unwrap()).collect();
        all += wanted.len();
        alike += wanted.len().min(usize::try_from(cut.needed).unwrap());
        let reference = row["recall_of_recorded"].as_f64().unwrap();
        // One session has a message that is the harness's and not the user's to us, so that fewer facts are needed.
        let tolerance = if cut.needed as usize == wanted.len() { 0.01 } else { 0.05 };
        let ours = recall(cut, "recorded");
        assert!((ours - reference).abs() <= tolerance, "{}:{at}: {ours} is not {reference}", path.display());
    }
    assert!(alike * 100 >= all * 90, "{alike} of {all} needed facts are the same");
}
