//! Finds commands of a line that were not run: they are in text passed to another program, such as a pattern (`rg
//! "npm error|npm notice"`) or a message.

use super::tokens::{Word, tokens};
use super::{steps, word};
use crate::facts::program_name;

/// Programs that run text passed to them.
const RUNNERS: &[&str] = &[
    "bash",
    "sh",
    "zsh",
    "fish",
    "eval",
    "ssh",
    "su",
    "xargs",
    "watch",
    "docker",
    "podman",
    "kubectl",
    "tmux",
    "wsl",
    "powershell",
    "pwsh",
    "cmd",
    "script",
];
/// Maximum depth of texts within texts.
const DEEPEST: usize = 3;

/// Those of `commands` (program and first argument) that a line mentions but does not run.
pub(in crate::summary::extractive) fn only_said(line: &str, commands: &[String]) -> Vec<String> {
    if !line.contains(['"', '\'']) || commands.is_empty() {
        return Vec::new();
    }
    let mut left: Vec<&String> = commands.iter().collect();
    leave_out_run(line, &mut left, DEEPEST);
    left.into_iter().cloned().collect()
}

/// Removes the commands that a line runs from `left`.
fn leave_out_run(line: &str, left: &mut Vec<&String>, deep: usize) {
    let tokens = tokens(line);
    for (_, step) in steps(&tokens) {
        let words: Vec<&Word> = step.iter().filter_map(word).collect();
        left.retain(|command| !runs(&words, command));
        let is_runner = words.iter().any(|word| RUNNERS.contains(&program_name(&word.text)));
        let texts = words.iter().map(|word| &word.text).filter(|text| text.contains([' ', '\n']));
        for text in texts.filter(|text| is_runner || text.contains("$(") || text.contains('`')) {
            if deep > 0 && !left.is_empty() {
                leave_out_run(text, left, deep - 1);
            }
        }
    }
}

/// Whether a step has a program and its argument among its words.
fn runs(words: &[&Word], command: &str) -> bool {
    let (program, argument) = command.split_once(' ').unwrap_or((command, ""));
    let Some(at) = words.iter().position(|word| program_name(&word.text) == program_name(program)) else {
        return false;
    };
    // An argument that the shell changes cannot be found literally.
    let is_changed = argument.contains(['"', '\'', '$', '\\', '>', '<', '`', '(', ')']);
    is_changed || words[at + 1..].iter().any(|word| word.text.starts_with(argument))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::commands;

    fn said(line: &str) -> Vec<String> {
        let all: Vec<String> = commands(line).into_iter().map(|fact| fact.value).collect();
        only_said(line, &all)
    }

    #[test]
    fn what_stands_in_a_pattern_or_a_message_is_not_run() {
        assert_eq!(said("rg \"lamp|npm notice|npm error\" quay.log"), ["npm error", "npm notice"]);
        assert_eq!(said("git commit -m 'Mend it; cargo test was red'"), ["cargo test"]);
        assert_eq!(said("npm view lamp | grep -E 'x|npm warn'"), ["npm warn"]);
    }

    #[test]
    fn what_a_line_runs_is_not_only_said() {
        for line in [
            "cd quay && cargo test --all 2>&1 | tail -3",
            "bash -lc \"cd quay && cargo test\"",
            "ssh lamp 'cd /quay; docker compose up'",
            "HEAD=\"$(cd quay && git log -1)\" && git show \"$HEAD\"",
            "(cd quay && ./light.sh \"all lamps\"); git commit -m \"x; y\"",
            "for a in 'x' 'y'; do git show $a; done",
            "timeout 60 /usr/bin/make 2>&1 | grep -v 'a'; sudo make lamp",
            "tmux send-keys 'cd quay; npm start' Enter",
        ] {
            assert!(said(line).is_empty(), "{line}: {:?}", said(line));
        }
    }
}
