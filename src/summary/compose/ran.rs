//! Decides which commands the index may name: those whose program and first argument look like a command that was
//! really run. Quoted text, inline programs and values of options are no arguments.

use crate::facts::program_name;
use std::ops::Not;

/// Programs whose argument must be a script.
const SCRIPTED: &[&str] = &["node", "ruby", "perl", "php", "bash", "sh", "zsh", "tsx", "java"];
/// Programs whose argument must be an address.
const FETCHING: &[&str] = &["curl", "wget"];
/// Programs whose argument is a subcommand, never a file.
const WORDED: &[&str] = &["gh", "npm", "pnpm", "yarn", "cargo", "docker", "kubectl", "helm", "terraform", "pip"];
/// Programs that take a prompt in words, and their subcommands.
const PROMPTED: &[&str] = &["claude", "codex"];
const OWN: &[&str] = &["mcp", "config", "exec", "doctor", "update", "plugin", "login", "resume", "install"];
/// Programs whose argument is a query; never named.
const ASKED: &[&str] = &["psql", "sqlite3"];
/// Characters of paths, addresses and subcommands.
const SIGNS: &str = "._-/:@~+=?&%#,[]…";

/// Whether a program with its first argument looks like a command that was really run.
pub(super) fn is_command(command: &str) -> bool {
    let Some((path, argument)) = command.split_once(' ') else { return true };
    // It had only options.
    if argument == "2>&1" {
        return true;
    }
    let program = program_name(path);
    let is_sign = |char: char| char.is_alphanumeric() || SIGNS.contains(char);
    if argument.is_empty() || !argument.chars().all(|char| is_sign(char) || char == '\\') || argument.ends_with('\\') {
        return false;
    }
    let is_file = || argument.contains(['.', '/', '\\']);
    let is_word =
        || argument.starts_with(|char: char| char.is_ascii_lowercase()) && !argument.contains(['/', '\\', '=']);
    match program {
        python if python.starts_with("python") => is_file(),
        _ if SCRIPTED.contains(&program) => is_file(),
        _ if FETCHING.contains(&program) => is_file() && argument.starts_with(['/', '.', '~', '\\']).not(),
        // The argument of `-C`: the folder in which it ran.
        "git" => is_word() || argument.starts_with('/'),
        _ if WORDED.contains(&program) => is_word(),
        _ if PROMPTED.contains(&program) => OWN.contains(&argument),
        _ if ASKED.contains(&program) => false,
        "jq" => argument.starts_with('.'),
        _ => is_file() || argument.starts_with(|char: char| char.is_ascii_uppercase()).not(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_somebody_can_have_run_is_a_command() {
        for command in [
            "cargo test",
            "python3 quay/lamp.py",
            "curl https://quay.example/lamps?all=1",
            "./light.sh all",
            "npx lamp@latest",
            "open README.md",
            "make lamp",
            "claude mcp",
            "jq .[]",
            "java 2>&1",
            "git /work/quay",
            "make",
            "node C:\\quay\\lamp.js",
        ] {
            assert!(is_command(command), "{command}");
        }
        for other in [
            "git checkout\\",
            "python3 from",
            "python3 print(('A",
            "node const",
            "sh if",
            "claude say",
            "curl /dev/null",
            "curl \\nHTTP",
            "git API",
            "ssh BatchMode=yes'",
            "jq author",
            "cargo $LAMP",
            "npm \"run",
        ] {
            assert!(!is_command(other), "{other}");
        }
    }
}
