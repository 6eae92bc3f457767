//! README.md shows what the program prints, and every preset that it names exists.

#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "support/program.rs"]
mod program;

use epitome::convert::TARGETS;
use epitome::preset::presets;
use program::program;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

fn readme() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap()
}

/// The contents of all fenced blocks.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        match (&mut open, line.starts_with("```")) {
            (Some(_), true) => blocks.extend(open.take()),
            (None, true) => open = Some(String::new()),
            (Some(block), false) => *block += &format!("{line}\n"),
            (None, false) => {}
        }
    }
    blocks
}

/// Output of the program, without spaces at line ends.
fn printed(arguments: &[&str]) -> String {
    let output = program(Path::new(".")).args(arguments).env("COLUMNS", "100").output().unwrap();
    trimmed(&String::from_utf8(output.stdout).unwrap())
}

fn trimmed(text: &str) -> String {
    text.trim_end().lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn help_blocks_are_what_the_program_prints() {
    let mut compared = BTreeSet::new();
    for block in blocks(&readme()) {
        let Some((command, shown)) = block.split_once('\n') else { continue };
        let Some(arguments) = command.strip_prefix("$ epitome ").filter(|rest| rest.ends_with("--help")) else {
            continue;
        };
        let arguments: Vec<_> = arguments.split_whitespace().collect();
        assert_eq!(trimmed(shown), printed(&arguments), "README.md shows another `{command}`");
        compared.insert(command.to_owned());
    }
    let expected = ["", "check ", "compact ", "convert "].map(|command| format!("$ epitome {command}--help"));
    assert!(expected.iter().all(|command| compared.contains(command)), "README.md shows only {compared:?}");
}

/// The text inside the wrapper of the first summary in the strings of a JSON value.
fn summary(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => {
            let (_, rest) = text.split_once("<prior-conversation-summary>\n")?;
            Some(rest.split_once("\n</prior-conversation-summary>")?.0.to_owned())
        }
        Value::Array(all) => all.iter().find_map(summary),
        Value::Object(all) => all.values().find_map(summary),
        _ => None,
    }
}

#[test]
fn summaries_are_what_the_program_writes() {
    let mut compared = 0;
    for block in blocks(&readme()) {
        let Some((command, shown)) = block.split_once('\n') else { continue };
        let Some(rest) = command.strip_prefix("$ epitome compact samples/") else { continue };
        let sample = format!("samples/{rest}");
        let arguments: Vec<_> = std::iter::once("compact").chain(sample.split_whitespace()).collect();
        let lines = printed(&arguments);
        let mut documents = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let written = documents.find_map(|document| summary(&document)).unwrap();
        assert_eq!(trimmed(shown), trimmed(&written), "README.md shows another `{command}`");
        compared += 1;
    }
    assert!(compared >= 3, "README.md shows only {compared} summaries");
}

#[test]
fn the_first_example_is_what_the_program_writes() {
    let text = readme();
    let command = text.split("`epitome ").find(|rest| rest.starts_with("compact samples/")).unwrap();
    let arguments: Vec<_> = command.split('`').next().unwrap().split_whitespace().collect();
    let lines = printed(&arguments);
    let written = lines.lines().find_map(|line| summary(&serde_json::from_str::<Value>(line).unwrap())).unwrap();
    let block = blocks(&text).into_iter().find(|block| block.contains("<prior-conversation-summary>\n")).unwrap();
    let shown = block.split_once("<prior-conversation-summary>\n").unwrap().1;
    let shown = shown.split_once("</prior-conversation-summary>").unwrap().0;
    // README.md leaves out blank lines, and the rest of a long line after an ellipsis.
    let shown: Vec<_> = shown.lines().map(|line| line.strip_prefix("    ").unwrap().trim_end_matches('…')).collect();
    let written: Vec<_> = written.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(shown.len(), written.len(), "{written:#?}");
    for (shown, written) in shown.iter().zip(&written) {
        let cut = shown.trim_end_matches([' ', ',']).len() < shown.len();
        assert!(if cut { written.starts_with(shown) } else { written == shown }, "{shown}\n{written}");
    }
}

#[test]
fn every_preset_that_is_named_exists() {
    let text = readme();
    let known: Vec<_> = presets().map(|preset| preset.name).collect();
    for (at, _) in text.match_indices("--preset ") {
        let name: String =
            text[at + 9..].chars().take_while(|letter| letter.is_alphanumeric() || *letter == '-').collect();
        let placeholder = name.is_empty() || name == "all" || name.chars().all(char::is_uppercase);
        assert!(
            placeholder || known.contains(&name.as_str()),
            "README.md names the preset `{name}`; there are {known:?}"
        );
    }
    for name in known {
        assert!(text.contains(&format!("`{name}`")), "README.md does not name the preset `{name}`");
    }
}

#[test]
fn every_target_is_in_the_table() {
    let text = readme();
    let table = text.split("### Convert").nth(1).unwrap().split("### ").next().unwrap();
    for target in TARGETS {
        assert!(table.contains(&format!("\n| `{}` |", target.name())), "README.md does not show {}", target.name());
    }
}

#[test]
fn samples_that_are_named_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for word in readme().split(|letter: char| letter.is_whitespace() || "`()\"".contains(letter)) {
        if word.starts_with("samples/") {
            assert!(root.join(word).exists(), "README.md names {word}, which is not there");
        }
    }
}
