//! Checks that the table of rules has exactly the rules that the sources can report.

#![expect(clippy::unwrap_used, reason = "tests")]

use epitome::check::RULES;
use epitome::reason::Reason;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Words with an underscore in the sources of rules that are not rules but names in a transcript.
const NO_RULES: &[&str] = &[
    "action_id",
    "encrypted_content",
    "forgotten_event_ids",
    "forgotten_events_end_id",
    "forgotten_events_start_id",
    "llm_response_id",
    "model_name",
    "parent_id",
    "queued_command",
    "reasoning_content",
    "reasoning_effort",
    "replacement_history",
    "session_meta",
    "source_call_id",
    "step_id",
    "summary_offset",
    "tail_start_id",
    "tool_call_id",
    "tool_calls",
];

/// Reasons for a stopped run, a skipped file, or limits and outputs that do not fit, which are not faults of a
/// transcript.
const NO_FAULTS: &[&str] = &[
    "archive",
    "canceled",
    "dangling_link",
    "memory_limit",
    "same_format",
    "several_transcripts",
    "special_file",
    "stopped",
];

/// Path below `src` → code that can name a rule, without tests.
fn sources() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = walkdir::WalkDir::new(&root).into_iter().map(Result::unwrap).filter(|file| file.file_type().is_file());
    let name = |path: &Path| path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
    let code = |path: &Path| {
        let text = fs::read_to_string(path).unwrap();
        let lines =
            text.lines().take_while(|line| line.trim() != "mod tests {").filter(|line| !line.trim().starts_with("//"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let all = files.map(|file| (name(file.path()), code(file.path())));
    all.filter(|(name, _)| name != "check/rules.rs" && !name.contains("tests")).collect()
}

/// String literals in a text that look like names of rules.
fn words(text: &str) -> BTreeSet<String> {
    let literals = text.split('"').skip(1).step_by(2);
    let is_name =
        |word: &&str| word.contains('_') && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    literals.filter(is_name).map(str::to_owned).collect()
}

/// Names of the reasons that a text gives as `Reason::…`.
fn reasons(text: &str) -> Vec<&'static str> {
    let variants =
        text.split("Reason::").skip(1).filter_map(|rest| rest.split(|it: char| !it.is_alphanumeric()).next());
    let reason = |variant: &str| Reason::ALL.iter().find(|reason| format!("{reason:?}") == variant);
    variants.filter_map(reason).map(|reason| reason.name()).collect()
}

/// String literals that a text uses as names of rules.
fn named(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split("rule: \"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned)
}

#[test]
fn every_rule_that_a_format_names_is_in_the_table() {
    let known: BTreeSet<_> = RULES.iter().map(|rule| rule.name).collect();
    let mut missing = Vec::new();
    for (path, code) in sources() {
        let of_rules = path.starts_with("format/") && path.ends_with("faults.rs");
        let words = if of_rules || path == "check/pairs.rs" { words(&code) } else { BTreeSet::new() };
        let words = words.into_iter().filter(|word| !NO_RULES.contains(&word.as_str())).chain(named(&code));
        missing.extend(words.filter(|word| !known.contains(word.as_str())).map(|word| format!("{path}: {word}")));
    }
    assert!(missing.is_empty(), "in no table of src/check/rules.rs (or NO_RULES here):\n{}", missing.join("\n"));
}

#[test]
fn every_reason_for_which_a_file_fails_is_in_the_table() {
    let known: BTreeSet<_> = RULES.iter().map(|rule| rule.name).collect();
    let sources = sources();
    let failures = sources["batch/error.rs"].split("fn reason(").nth(1).unwrap();
    let of_failures = reasons(failures.split("\n    }").next().unwrap());
    let of_walk = reasons(&sources["batch/inputs/discover.rs"]);
    assert!(of_failures.len() > 10 && of_walk.len() > 3, "both are found");
    let all = of_failures.into_iter().chain(of_walk);
    let missing: Vec<_> = all.filter(|name| !known.contains(name) && !NO_FAULTS.contains(name)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn every_reason_is_given_somewhere() {
    let others = sources().into_iter().filter(|(path, _)| path != "reason.rs");
    let given: BTreeSet<_> = others.flat_map(|(_, code)| reasons(&code)).collect();
    let stale: Vec<_> = Reason::ALL.iter().map(|reason| reason.name()).filter(|name| !given.contains(name)).collect();
    assert_eq!(stale, Vec::<&str>::new());
}

#[test]
fn every_rule_of_the_table_is_named_somewhere() {
    let others = sources().into_iter().filter(|(path, _)| path != "reason.rs");
    let all = others.map(|(_, code)| code).collect::<Vec<_>>().join("\n");
    let given = reasons(&all);
    let is_named = |name: &&str| all.contains(&format!("\"{name}\"")) || given.contains(name);
    let stale: Vec<_> = RULES.iter().map(|rule| rule.name).filter(|name| !is_named(name)).collect();
    assert_eq!(stale, Vec::<&str>::new());
}
