//! Logs that a command shows behind what it does: `curl quay; echo "=== logs ==="; tail lamp.log`. An error in such a
//! log is none of the command.

use super::quiet::is_quiet;
use super::shell::words;
use crate::facts::program_name;

/// Programs that print a text given to them.
const SPEAKERS: [&str; 2] = ["echo", "printf"];
/// Programs that print logs of others whatever their arguments are.
const LOGGERS: [&str; 1] = ["journalctl"];
/// Programs that have a subcommand for that.
const WITH_LOGS: [&str; 5] = ["docker", "docker-compose", "kubectl", "pm2", "heroku"];

/// An output up to the heading of the first log that its command shows; all of it if there is none. A log that the
/// command writes itself is its own output.
pub(super) fn before_logs<'o>(command: &str, output: &'o str) -> &'o str {
    if !command.contains("log") {
        return output;
    }
    let steps = words(command);
    let shows = |at: &usize| shows_log(&steps[*at], command);
    let Some(at) = (1..steps.len()).find(shows) else { return output };
    let headed = &steps[at - 1];
    let Some(heading) = heading(headed) else { return output };
    let mut before = 0;
    for line in output.split_inclusive('\n') {
        if line.trim() == heading {
            return &output[..before];
        }
        before += line.len();
    }
    output
}

/// The text that a step prints as a line.
fn heading(step: &[String]) -> Option<String> {
    let (program, args) = step.split_first()?;
    let text = args.join(" ").trim().to_owned();
    (SPEAKERS.contains(&&**program) && !text.is_empty()).then_some(text)
}

/// Whether a step only looks at a log that the command did not write.
fn shows_log(step: &[String], command: &str) -> bool {
    let Some((program, args)) = step.split_first() else { return false };
    let name = program_name(program);
    let is_log = |arg: &&String| arg.ends_with(".log") && !writes(command, arg);
    let of_others = || WITH_LOGS.contains(&name) && args.iter().any(|arg| arg == "logs");
    LOGGERS.contains(&name) || of_others() || is_quiet(&step.join(" ")) && args.iter().any(|arg| is_log(&arg))
}

/// Whether a command sends output to a file.
fn writes(command: &str, file: &str) -> bool {
    let mut places = command.match_indices(file).map(|(at, _)| command[..at].trim_end_matches([' ', '"', '\'']));
    places.any(|before| before.ends_with('>') || before.ends_with("tee") || before.ends_with("tee -a"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_ends_where_a_log_begins() {
        let printed = "lit\n=== logs ===\nFATAL: no oil\n";
        for command in [
            "curl quay\necho \"=== logs ===\"\ntail -5 /tmp/lamp.log | head -3",
            "make lamp; echo '=== logs ==='; journalctl -u lamp",
            "make lamp && echo '=== logs ===' && docker logs lamp",
        ] {
            assert_eq!(before_logs(command, printed), "lit\n", "{command}");
        }
        for command in [
            "make lamp > lamp.log 2>&1; echo '=== logs ==='; cat lamp.log",
            "make lamp; echo '=== logs ==='; make log",
            "make lamp; cat lamp.log",
            "make lamp; echo '=== lamps ==='; cat lamp.log",
        ] {
            assert_eq!(before_logs(command, printed), printed, "{command}");
        }
    }
}
