//! Commands passed to tools that are not named after a shell: tools for other machines, and for one program.

use super::args::Args;
use super::verbs::behind_server;
use crate::summary::text::{contains_any, starts_any};

/// Arguments with a command.
const COMMANDS: [&str; 2] = ["command", "cmd"];
/// Arguments with the machine on which it runs; the first names nothing else.
const MACHINES: [&str; 4] = ["host", "hostname", "server", "machine"];
/// Arguments by which the command is one of the tool itself, not of a shell.
const OTHERS: [&str; 9] = ["path", "file_path", "url", "selector", "query", "action", "method", "old_str", "element"];
/// Tools named after the program whose arguments they take.
const TOOLS: [&str; 17] = [
    "ansible",
    "aws",
    "az",
    "docker",
    "flyctl",
    "gcloud",
    "gh",
    "git",
    "glab",
    "helm",
    "kubectl",
    "npm",
    "podman",
    "psql",
    "pulumi",
    "redis-cli",
    "terraform",
];
/// Programs by which a text is the command of a shell; none that are words of a sentence, such as `tail`.
const PROGRAMS: &[&str] = &[
    "apt",
    "apt-get",
    "awk",
    "bash",
    "brew",
    "cargo",
    "cd",
    "chmod",
    "chown",
    "cp",
    "curl",
    "df",
    "dig",
    "dnf",
    "docker",
    "du",
    "gcloud",
    "gh",
    "git",
    "grep",
    "helm",
    "journalctl",
    "kubectl",
    "ls",
    "mkdir",
    "mv",
    "mysql",
    "netstat",
    "nginx",
    "npm",
    "npx",
    "pip",
    "pip3",
    "pnpm",
    "ps",
    "psql",
    "pytest",
    "python",
    "python3",
    "rm",
    "rsync",
    "scp",
    "sed",
    "sh",
    "ss",
    "ssh",
    "sudo",
    "systemctl",
    "tar",
    "terraform",
    "wget",
    "yum",
];
/// Signs that only a shell reads.
const SIGNS: [&str; 5] = ["&&", " | ", "$(", " > ", "2>"];

/// The command that a call passes to a shell, by its arguments; with the machine, if it runs on another one.
pub(super) fn command(tool: &str, args: &Args<'_>) -> Option<String> {
    let line = args.text(&COMMANDS).map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())?;
    if args.names().any(|name| OTHERS.contains(&name)) {
        return None;
    }
    let name = behind_server(tool);
    let is_ssh = has_word(name, "ssh");
    if let Some(host) = machine(name, args).or_else(|| args.text(&MACHINES).filter(|_| is_ssh)) {
        return Some(on_machine(&host, &line));
    }
    let first = line.split_whitespace().next().unwrap_or_default();
    let program = first.rsplit('/').next().unwrap_or(first);
    let is_shell = || first == "sudo" || first == "cd" && line.contains("&&");
    match TOOLS.iter().find(|own| **own == name) {
        Some(own) if program == *own || is_shell() => Some(line),
        Some(own) => Some(format!("{own} {line}")),
        None if is_ssh => Some(line),
        // Where it runs is unknown.
        None if args.text(&MACHINES).is_some() => None,
        None => is_typed(&line, program).then_some(line),
    }
}

/// Whether a text is a command that was typed for a shell.
fn is_typed(line: &str, program: &str) -> bool {
    let is_option = |word: &str| word.strip_prefix('-').is_some_and(|name| !name.is_empty());
    let is_path = |word: &str| starts_any(word, &["/", "./", "../", "~/"]);
    let has_argument = || line.split_whitespace().skip(1).any(|word| is_option(word) || is_path(word));
    let is_known = PROGRAMS.contains(&program);
    is_known && (program == "sudo" || contains_any(line, &SIGNS) || has_argument()) || line.starts_with("./")
}

/// A command of a tool for shells with the machine on which it runs, if the call names one.
pub(super) fn placed(tool: &str, args: &Args<'_>, line: String) -> String {
    match machine(tool, args).filter(|_| !line.trim_start().starts_with("ssh ")) {
        Some(host) => on_machine(&host, &line),
        None => line,
    }
}

/// The machine that a call names: as the host, or of a tool for other machines.
fn machine(tool: &str, args: &Args<'_>) -> Option<String> {
    let is_remote = ["ssh", "remote"].iter().any(|word| has_word(tool, word));
    let keys = if is_remote { &MACHINES[..] } else { &MACHINES[..1] };
    args.text(keys).filter(|host| is_machine(host))
}

fn has_word(name: &str, word: &str) -> bool {
    name.split(|char: char| !char.is_alphanumeric()).any(|own| own.eq_ignore_ascii_case(word))
}

/// Whether a name is one of a machine; other words may say in which kind of place a command runs.
fn is_machine(host: &str) -> bool {
    let is_local = ["localhost", "127.0.0.1"].contains(&host);
    let is_name = |char: char| char.is_ascii_alphanumeric() || ".-_:@".contains(char);
    let is_user_at = || host.split_once('@').is_some_and(|(user, at)| !user.is_empty() && !at.is_empty());
    !is_local && host.chars().all(is_name) && (is_user_at() || host.matches('.').count() >= 2)
}

fn on_machine(host: &str, line: &str) -> String {
    match (line.contains('\''), line.contains('"')) {
        (false, _) => format!("ssh {host} '{line}'"),
        (true, false) => format!("ssh {host} \"{line}\""),
        (true, true) => format!("ssh {host} \"{}\"", line.replace('"', "\\\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::act::Action;

    fn ran(tool: &str, args: &str) -> Option<String> {
        match Action::of(tool, args) {
            Action::Run(command) => Some(command.to_string()),
            _ => None,
        }
    }

    #[test]
    fn a_command_is_one_whatever_its_tool_is_called() {
        for (tool, args, command) in [
            ("ssh", r#"{"host":"quay-1","command":"nginx -t"}"#, "ssh quay-1 'nginx -t'"),
            ("ssh", r#"{"host":"quay","command":"sed 's/a/b/' x"}"#, "ssh quay \"sed 's/a/b/' x\""),
            ("remote_exec", r#"{"server":"10.0.0.7","cmd":"make lamp"}"#, "ssh 10.0.0.7 'make lamp'"),
            ("kubectl", r#"{"command":"delete pod lamp"}"#, "kubectl delete pod lamp"),
            ("terraform", r#"{"command":"terraform plan"}"#, "terraform plan"),
            ("harbour_box", r#"{"command":"sudo systemctl restart lamp"}"#, "sudo systemctl restart lamp"),
            ("harbour_box", r#"{"command":"rm -f /quay/lamp"}"#, "rm -f /quay/lamp"),
            ("docker", r#"{"command":"rm -f lamp"}"#, "docker rm -f lamp"),
            ("docker", r#"{"command":"cd quay && docker ps"}"#, "cd quay && docker ps"),
            ("exec", r#"{"command":"make lamp","server":"v1.2.3"}"#, "make lamp"),
            ("exec", r#"{"command":"make lamp","host":"keeper@quay"}"#, "ssh keeper@quay 'make lamp'"),
            ("exec", r#"{"command":"make lamp","host":"sandbox"}"#, "make lamp"),
        ] {
            assert_eq!(ran(tool, args).as_deref(), Some(command), "{tool} {args}");
        }
    }

    #[test]
    fn other_arguments_say_that_a_command_is_none_of_a_shell() {
        for (tool, args) in [
            ("game", r#"{"command":"row north"}"#),
            ("memory", r#"{"command":"ls","path":"/quay"}"#),
            ("browser", r#"{"command":"echo","selector":"a"}"#),
            ("lamp", r#"{"command":"light"}"#),
            ("write_story", r#"{"script":"sudo light the lamp"}"#),
            ("adventure", r#"{"command":"tail the keeper"}"#),
            ("adventure", r#"{"command":"dig a hole"}"#),
        ] {
            assert_eq!(ran(tool, args), None, "{tool} {args}");
        }
    }
}
