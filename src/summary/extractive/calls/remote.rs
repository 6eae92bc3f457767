//! Commands passed to tools that are not named after a shell: tools for other machines, and for one program.

use super::args::Args;

/// Arguments with a command.
const COMMANDS: [&str; 3] = ["command", "cmd", "script"];
/// Arguments with the machine on which it runs.
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
    "pulumi",
    "psql",
    "redis-cli",
    "terraform",
];
/// Programs by which a text is the command of a shell.
const PROGRAMS: &[&str] = &[
    "apt",
    "apt-get",
    "awk",
    "bash",
    "brew",
    "cargo",
    "cat",
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
    "echo",
    "gcloud",
    "gh",
    "git",
    "grep",
    "head",
    "helm",
    "journalctl",
    "kubectl",
    "ls",
    "mkdir",
    "mv",
    "mysql",
    "netstat",
    "nginx",
    "node",
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
    "service",
    "sh",
    "ssh",
    "ss",
    "sudo",
    "systemctl",
    "tail",
    "tar",
    "terraform",
    "wget",
    "yarn",
    "yum",
];

/// The command that a call passes to a shell, by its arguments; with the machine, if it runs on another one.
pub(super) fn command(tool: &str, args: &Args<'_>) -> Option<String> {
    let line = args.text(&COMMANDS).map(|line| line.trim().to_owned()).filter(|line| !line.is_empty())?;
    if args.names().any(|name| OTHERS.contains(&name)) {
        return None;
    }
    let name = tool.rsplit("__").next().unwrap_or(tool);
    let is_remote = name.split(|char: char| !char.is_alphanumeric()).any(|word| word == "ssh");
    if let Some(host) = args.text(&MACHINES).filter(|host| is_remote || is_machine(host)) {
        return Some(on_machine(&host, &line));
    }
    let first = line.split_whitespace().next().unwrap_or_default();
    let program = first.rsplit('/').next().unwrap_or(first);
    match TOOLS.iter().find(|own| **own == name) {
        Some(own) if program == *own || PROGRAMS.contains(&program) => Some(line),
        Some(own) => Some(format!("{own} {line}")),
        None => (is_remote || PROGRAMS.contains(&program) || first.starts_with("./")).then_some(line),
    }
}

/// A command of a tool for shells with the machine on which it runs, if the call names one.
pub(super) fn placed(args: &Args<'_>, line: String) -> String {
    let host = args.text(&MACHINES).filter(|host| is_machine(host) && !line.trim_start().starts_with("ssh "));
    match host {
        Some(host) => on_machine(&host, &line),
        None => line,
    }
}

/// Whether a name is one of a machine; other words may say in which kind of place a command runs.
fn is_machine(host: &str) -> bool {
    let is_local = ["localhost", "127.0.0.1"].contains(&host);
    let is_name = |char: char| char.is_ascii_alphanumeric() || ".-_:@".contains(char);
    !is_local && host.chars().all(is_name) && host.contains(|char: char| char == '.' || char.is_ascii_digit())
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
            ("harbour_box", r#"{"script":"sudo systemctl restart lamp"}"#, "sudo systemctl restart lamp"),
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
        ] {
            assert_eq!(ran(tool, args), None, "{tool} {args}");
        }
    }
}
