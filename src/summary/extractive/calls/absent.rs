//! Files that a command was to print, of which its output shows that they are not there, or nothing of them.

use super::act::FileOp;
use super::command::ends_with_search;
use super::outcome::ENDS;
use super::output::{output, own_lines};
use super::run::Command;
use super::shell::{PRINTERS, Shell};
use crate::facts::program_name;
use crate::summary::text::{first_bytes, last_bytes, quoting};

/// Redirections that hide errors.
const HIDES: [&str; 2] = ["2>/dev/null", "2> /dev/null"];
/// Programs that print a text given to them.
const SPEAKERS: [&str; 2] = ["echo", "printf"];
/// What programs say of a file that they cannot find.
const MISSING: [&str; 3] = ["No such file or directory", "No such file", "cannot find the file"];

/// Whether a command that prints files printed nothing of them, or only words that stand in it: `ls quay && cat
/// quay/lamps.md || echo none`. `status`: the exit status, if known.
pub(super) fn shows_nothing(command: &Command, result: &str, status: Option<i32>) -> bool {
    let is_value = |arg: &String| arg.starts_with('-') || arg.bytes().all(|byte| byte.is_ascii_digit());
    let prints = |step: &Vec<String>| {
        let (program, args) = step.split_first().unzip();
        program.is_some_and(|name| PRINTERS.contains(&program_name(name)))
            && !args.unwrap_or_default().iter().all(is_value)
    };
    let has_fallback = command.contains("||");
    let is_hidden = HIDES.iter().any(|hides| command.contains(hides)) || has_fallback;
    if !command.steps().iter().any(prints) || !is_hidden && status.unwrap_or(0) == 0 {
        return false;
    }
    // What it writes is no output.
    let writes = || Shell::read(command).files.iter().any(|(op, _)| *op != FileOp::Read);
    if command.contains("<<") || !pipes_on(command) || writes() {
        return false;
    }
    let said: Vec<String> = command.steps().iter().filter_map(|step| literal(step)).collect();
    let output = output(result);
    let is_said = |line: &str| said.iter().any(|said| said.lines().any(|own| own.trim() == line));
    own_lines(&output).all(is_said)
}

/// Whether a command that printed nothing of a file says that it is not there: by a fallback, or by its status.
pub(super) fn tells_absence(command: &Command, result: &str, status: Option<i32>) -> bool {
    let falls_back = || command.contains("||") && own_lines(&output(result)).next().is_some();
    shows_nothing(command, result, status) && (status.is_some_and(|status| status != 0) || falls_back())
}

/// What a step prints literally: `echo none`.
fn literal(step: &[String]) -> Option<String> {
    let (program, args) = step.split_first()?;
    let args = if args.first().is_some_and(|arg| ["-e", "-n"].contains(&&**arg)) { &args[1..] } else { args };
    SPEAKERS.contains(&&**program).then(|| args.join(" ").replace("\\n", "\n"))
}

/// Whether all pipes of a command only go into programs that print what they get.
fn pipes_on(command: &str) -> bool {
    let open = quoting(command).filter(|(_, letter, quote, escaped)| *letter == '|' && quote.is_none() && !escaped);
    let mut pipes =
        open.map(|(at, ..)| at).filter(|at| !command[at + 1..].starts_with('|') && !command[..*at].ends_with('|'));
    pipes.all(|at| command[at + 1..].split_whitespace().next().is_some_and(|program| PRINTERS.contains(&program)))
}

/// Whether a command found nothing with the search that it ends with: what it printed belongs to the steps before it.
pub(super) fn finds_nothing(command: &str, status: Option<i32>) -> bool {
    status == Some(1) && ends_with_search(command)
}

/// Whether an output says of a file that it is not there: `cat: lamps.md: No such file or directory`.
pub(super) fn is_missing(result: &str, path: &str) -> bool {
    let ends = [first_bytes(result, ENDS), if result.len() > ENDS { last_bytes(result, ENDS) } else { "" }];
    let is_it = |word: &str| {
        let name = word.trim_matches(['\'', '`', '"', ':', '‘', '’']);
        !name.is_empty()
            && path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with(['/', '\\']))
    };
    let tells = |line: &&str| MISSING.iter().any(|words| line.contains(words));
    ends.into_iter().flat_map(str::lines).filter(tells).any(|line| line.split_whitespace().any(is_it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing(command: &str, result: &str) -> bool {
        shows_nothing(&command.into(), result, None)
    }

    #[test]
    fn a_file_that_is_not_there_is_not_read() {
        let read = "cat lamps.md 2>/dev/null || echo \"no lamps\"";
        assert!(nothing(read, "no lamps\n") && nothing("head -3 lamps.md 2>/dev/null", ""));
        assert!(!nothing(read, "# Lamps") && !nothing("cat lamps.md", ""));
        assert!(!nothing("cat lamps.md 2>/dev/null; ls", "lamps.md"));
    }

    #[test]
    fn words_of_the_command_itself_are_nothing_of_a_file() {
        let listed = "ls quay 2>/dev/null && cat quay/lamps.md 2>/dev/null || echo \"no quay\"";
        assert!(nothing(listed, "no quay\n") && !nothing(listed, "lamps.md\n# Lamps"));
        assert!(nothing("cat lamps.md 2>/dev/null | head -100 || echo none", ""));
        assert!(nothing(
            "echo '=== a ==='; cat a.md 2>/dev/null; echo '=== b ==='; cat b.md",
            "=== a ===\n=== b ===\n"
        ));
        assert!(
            !nothing("cat > lamps.md <<'E' || echo none\noil\nE", "") && !nothing("cat a.md > b.md || echo none", "")
        );
        assert!(!nothing("grep -r oil quay 2>/dev/null | head -n 20", ""), "it searches");
        assert!(!nothing("cat lamps.md 2>/dev/null | grep oil || echo none", "none"), "it may have no oil");
        assert!(shows_nothing(&"ls quay && cat quay/lamps.md".into(), "Exit code 1", Some(1)));
    }

    #[test]
    fn a_fallback_or_the_status_says_that_a_file_is_not_there() {
        let tells = |command: &str, result: &str, status| tells_absence(&command.into(), result, status);
        assert!(
            tells("cat lamps.md 2>/dev/null || echo none", "none", Some(0)) && tells("cat a.md || true", "", Some(1))
        );
        assert!(!tells("cat lamps.md 2>/dev/null", "", None), "it may be empty");
    }

    #[test]
    fn a_program_names_the_file_that_it_cannot_find() {
        let said = "# Tides\ncat: quay/lamps.md: No such file or directory\nhead: cannot open 'oil.md' for reading: No such file or directory\n";
        assert!(is_missing(said, "quay/lamps.md") && is_missing(said, "/w/oil.md") && !is_missing(said, "tides.md"));
    }

    #[test]
    fn a_search_that_finds_nothing_is_no_failure_of_the_steps_before() {
        let command = "git ls-files quay && cat .gitignore | grep quay";
        assert!(finds_nothing(command, Some(1)) && !finds_nothing(command, Some(2)));
    }
}
