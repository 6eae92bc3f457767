//! The gates hold for what epitome itself writes: every sample, compacted, passes those about structure and truth.

#![expect(clippy::unwrap_used, reason = "tests")]

use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn epitome(args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_epitome"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["-q", "--no-progress"])
        .args(args)
        .output()
        .unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

/// Compacts all samples, and judges them against their originals.
fn judged(options: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let out = Path::to_str(&out).unwrap();
    epitome(&[&["compact", "samples", "-o", out], options].concat());
    let select = ["S", "B", "T", "F01", "F02", "K03", "X01"].map(|gate| ["--select", gate]).concat();
    let (_, json) = epitome(&[&["check", out, "--original", "samples", "--json", "--show-content"], &*select].concat());
    serde_json::from_str(&json).unwrap()
}

fn gate<'v>(report: &'v Value, id: &str) -> &'v Value {
    report["gates"].as_array().unwrap().iter().find(|gate| gate["id"] == id).unwrap()
}

#[test]
fn summaries_of_ours_state_nothing_that_the_original_does_not_have() {
    for options in [&["--tail-tokens", "400", "--min-tail", "1"][..], &["--usable", "4000"]] {
        let report = judged(options);
        let support = &gate(&report, "F01")["share"];
        assert!(support["of"].as_u64().unwrap() > 50, "{support}");
        assert_eq!(support["kept"], support["of"], "extractive is supported by construction");
        let broken: Vec<&Value> =
            report["gates"].as_array().unwrap().iter().filter(|gate| gate["verdict"] == "fail").collect();
        let findings: Vec<&Value> =
            report["transcripts"].as_array().unwrap().iter().filter(|one| one["verdict"] == "fail").collect();
        assert!(broken.is_empty(), "{broken:#?}\n{findings:#?}");
        assert!(report["unjudged"].as_array().unwrap().is_empty());
    }
}
