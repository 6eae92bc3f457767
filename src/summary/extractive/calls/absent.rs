//! Files that a command was to print, of which its output shows that they are not there, or nothing of them.

use super::act::FileOp;
use super::command::{ends_with_search, pipes};
use super::complaint::complaint;
use super::outcome::ENDS;
use super::output::{output, own_lines};
use super::run::Command;
use super::shell::{PRINTERS, Shell, words};
use crate::facts::program_name;
use crate::summary::text::{all_digits, contains_any, first_bytes, last_bytes, quoting};

/// Redirections that hide errors.
const HIDES: [&str; 2] = ["2>/dev/null", "2> /dev/null"];
/// Programs that print a text given to them.
const SPEAKERS: [&str; 2] = ["echo", "printf"];
/// Other programs that do nothing but to reach a file, and options by which a test asks whether there is one.
const REACHES: [&str; 3] = ["cd", "ls", "true"];
const ASKS: [&str; 2] = ["-e", "-f"];
/// Signs between the steps of a command.
const SIGNS: [char; 4] = [';', '&', '|', '\n'];
/// What programs say of a file that they cannot find.
const MISSING: &str = "No such file";
/// Words by which a text says that a file is not there.
const DENIES: [&str; 5] = ["missing", "not found", "does not exist", "doesn't exist", "no such file"];
/// Words by which a text with “no” at its start says that a file cannot be read.
const FORBIDS: [&str; 4] = ["access", "permission", "read", "right"];

/// Whether a command that prints files printed nothing of them, or only a text that stands behind `||` in it: `ls quay
/// && cat quay/lamps.md || echo none`. `status`: the exit status, if known.
pub(super) fn shows_nothing(command: &Command, result: &str, status: Option<i32>) -> bool {
    let is_hidden = hides_errors(command) || command.contains("||");
    if !prints_files(command) || !is_hidden && status.unwrap_or(0) == 0 {
        return false;
    }
    // What it writes is no output.
    let writes = || Shell::read(command).files.iter().any(|(op, _)| *op != FileOp::Read);
    if command.contains("<<") || is_muted(command) || !pipes_on(command) || writes() {
        return false;
    }
    let instead = fallbacks(command);
    let output = output(result);
    let is_said = |line: &str| instead.iter().any(|text| text.lines().any(|own| own.trim() == line));
    own_lines(&output).all(is_said)
}

/// Whether a command that does nothing but to print files, and printed a text instead, says in it that they are not
/// there: a file that cannot be read is there.
pub(super) fn tells_absence(command: &Command, result: &str, status: Option<i32>) -> bool {
    let is_look = |step: &Vec<String>| {
        let (program, args) = step.split_first().unzip();
        let name = program.map_or("", |name| program_name(name));
        let asks = || args.and_then(|args| args.first()).is_some_and(|option| ASKS.contains(&&**option));
        let is_known = PRINTERS.contains(&name) || SPEAKERS.contains(&name) || REACHES.contains(&name);
        is_known || ["[", "test"].contains(&name) && asks()
    };
    let is_one = !command.trim().contains([';', '\n']) && command.steps().iter().all(is_look);
    is_one && shows_nothing(command, result, status) && own_lines(&output(result)).any(denies)
}

/// Whether a text says that a file is not there.
fn denies(text: &str) -> bool {
    let lower = text.to_lowercase();
    let says_no = lower.starts_with("no ") && !contains_any(&lower, &FORBIDS);
    says_no || contains_any(&lower, &DENIES)
}

/// Whether a step of a command prints files.
fn prints_files(command: &Command) -> bool {
    let is_value = |arg: &String| arg.starts_with('-') || all_digits(arg);
    let prints = |step: &Vec<String>| {
        let (program, args) = step.split_first().unzip();
        program.is_some_and(|name| PRINTERS.contains(&program_name(name)))
            && !args.unwrap_or_default().iter().all(is_value)
    };
    command.steps().iter().any(prints)
}

fn hides_errors(command: &str) -> bool {
    contains_any(command, &HIDES)
}

/// Whether output of a command goes nowhere, and not only its errors.
fn is_muted(command: &str) -> bool {
    HIDES.iter().fold(command.to_owned(), |rest, hides| rest.replace(hides, "")).contains("/dev/null")
}

/// The texts that a command prints if a step before them fails: `cat lamps.md || echo none`.
fn fallbacks(command: &str) -> Vec<String> {
    let open =
        quoting(command).filter(|(_, letter, quote, escaped)| SIGNS.contains(letter) && quote.is_none() && !escaped);
    let signs: Vec<usize> = open.map(|(at, ..)| at).collect();
    let ends = signs.iter().copied().skip(2).chain([command.len()]);
    let pairs = signs.iter().zip(signs.iter().skip(1)).zip(ends);
    let behind = pairs.filter(|((first, second), _)| **second == **first + 1 && command[**first..].starts_with("||"));
    behind.filter_map(|((_, second), end)| literal(words(&command[second + 1..end]).first()?)).collect()
}

/// What a step prints literally: `echo none`.
fn literal(step: &[String]) -> Option<String> {
    let (program, args) = step.split_first()?;
    let args = if args.first().is_some_and(|arg| ["-e", "-n"].contains(&&**arg)) { &args[1..] } else { args };
    SPEAKERS.contains(&&**program).then(|| args.join(" ").replace("\\n", "\n"))
}

/// Whether all pipes of a command only go into programs that print what they get.
fn pipes_on(command: &str) -> bool {
    let mut single = pipes(command).filter(|at| !command[at + 1..].starts_with('|') && !command[..*at].ends_with('|'));
    single.all(|at| command[at + 1..].split_whitespace().next().is_some_and(|program| PRINTERS.contains(&program)))
}

/// Whether a command that prints files found nothing with the search that it ends with, and no line complains: what it
/// printed belongs to the steps before it.
pub(super) fn finds_nothing(command: &Command, output: &str, status: Option<i32>) -> bool {
    let body = [first_bytes(output, ENDS), last_bytes(output, ENDS)];
    let is_clean = || complaint(body, None, Some(command)).is_empty();
    status == Some(1) && ends_with_search(command) && prints_files(command) && is_clean()
}

/// The files of which a program that prints them says that they are not there: `cat: lamps.md: No such file or
/// directory`. A name is the end of a path only if no file has it as a whole.
pub(super) fn missing(result: &str, files: &[(FileOp, String)]) -> Vec<String> {
    if !first_bytes(result, ENDS).contains(MISSING) && !last_bytes(result, ENDS).contains(MISSING) {
        return Vec::new();
    }
    let output = output(result);
    let lines = [first_bytes(&output, ENDS), last_bytes(&output, ENDS)].into_iter().flat_map(str::lines);
    let told = lines.filter_map(|line| {
        let line = line.trim();
        let (program, said) = line.strip_prefix("Output: ").unwrap_or(line).split_once(": ")?;
        let (before, _) = said.split_once(MISSING).filter(|_| PRINTERS.contains(&program_name(program)))?;
        Some(before.split_whitespace().map(|word| word.trim_matches(['\'', '`', '"', ':', '‘', '’'])))
    });
    let is_whole = |name: &&str| files.iter().any(|(_, path)| path == name);
    let (whole, ends): (Vec<&str>, Vec<&str>) = told.flatten().filter(|name| !name.is_empty()).partition(is_whole);
    let ends_with =
        |path: &str, name: &str| path.strip_suffix(name).is_some_and(|before| before.ends_with(['/', '\\']));
    let is_it = |path: &&String| whole.contains(&path.as_str()) || ends.iter().any(|name| ends_with(path, name));
    files.iter().map(|(_, path)| path).filter(is_it).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::super::outcome::{CallOutcome, Flags};
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
    fn a_text_behind_a_fallback_is_nothing_of_a_file() {
        let listed = "ls quay 2>/dev/null && cat quay/lamps.md 2>/dev/null || echo \"no quay\"";
        assert!(nothing(listed, "no quay\n") && !nothing(listed, "lamps.md\n# Lamps"));
        assert!(nothing("cat lamps.md 2>/dev/null | head -100 || echo none", ""));
        assert!(nothing("cat lamps.md || echo 'no lamps; none' >&2; true", "no lamps; none"));
        assert!(
            !nothing("cat > lamps.md <<'E' || echo none\noil\nE", "") && !nothing("cat a.md > b.md || echo none", "")
        );
        assert!(!nothing("grep -r oil quay 2>/dev/null | head -n 20", ""), "it searches");
        assert!(!nothing("cat lamps.md 2>/dev/null | grep oil || echo none", "none"), "it may have no oil");
        assert!(shows_nothing(&"ls quay && cat quay/lamps.md".into(), "Exit code 1", Some(1)));
    }

    #[test]
    fn what_a_command_says_of_a_file_that_it_read_is_no_fallback() {
        for (command, printed) in [
            ("tail -1 quay/lamps.yml > /dev/null 2>&1 && echo exists || echo missing", "exists"),
            ("tail -1 quay/lamps.yml > /dev/null 2>&1 && echo exists || echo missing", "missing"),
            ("cat .quay.lock 2>/dev/null && echo locked || echo free", "locked"),
            ("cat lamps.json | head -5 > /dev/null && echo valid || echo invalid", "valid"),
        ] {
            assert!(!nothing(command, printed), "{command}");
        }
    }

    #[test]
    fn only_a_text_that_says_so_tells_that_a_file_is_not_there() {
        let tells = |command: &str, result: &str| tells_absence(&command.into(), result, Some(0));
        for said in ["no lamps", "missing", "lamps.md not found", "it does not exist"] {
            assert!(tells(&format!("cat lamps.md 2>/dev/null || echo '{said}'"), said), "{said}");
        }
        assert!(tells("[ -f lamps.md ] && cat lamps.md || echo missing", "missing"));
        for said in ["unreadable", "20", "none", "no access"] {
            assert!(!tells(&format!("cat lamps.md 2>/dev/null || echo '{said}'"), said), "{said}");
        }
        assert!(
            !tells("cat .lit 2>/dev/null; ls *.oil 2>/dev/null || echo 'no oil'", "no oil"),
            "it is of another step"
        );
        assert!(!tells("git diff --quiet && cat lamps.md || echo 'no changes'", "no changes"));
        assert!(!tells_absence(&"./tide && cat lamps.md".into(), "Exit code 1", Some(1)), "the tide may be out");
    }

    #[test]
    fn a_program_names_the_file_that_it_cannot_find() {
        let missing = |said: &str, paths: &[&str]| {
            missing(said, &paths.iter().map(|path| (FileOp::Read, (*path).to_owned())).collect::<Vec<_>>())
        };
        let said = "# Tides\ncat: quay/lamps.md: No such file or directory\nhead: cannot open 'oil.md' for reading: No such file or directory\n";
        assert_eq!(missing(said, &["quay/lamps.md", "/w/oil.md", "tides.md"]), ["quay/lamps.md", "/w/oil.md"]);
        let one = "cat: lamps.json: No such file or directory\n{\"oil\": 7}";
        assert_eq!(missing(one, &["lamps.json", "quay/lamps.json"]), ["lamps.json"]);
        assert_eq!(missing("start\nmake: open tide.log: No such file or directory", &["tide.log"]), [""; 0]);
    }

    #[test]
    fn a_search_that_finds_nothing_is_no_failure_of_the_steps_before() {
        let of = |command: &str, result: &str| CallOutcome::of_look(&command.into(), result, Flags::default());
        let listed = "git ls-files quay && cat .gitignore | grep quay";
        assert_eq!(of(listed, "quay/lamps.md\nExit code: 1"), CallOutcome::Ended);
        for (command, said) in [
            (listed, "fatal: not a git repository"),
            ("git log -1; ls | grep quay", "fatal: not a git repository"),
            ("gh pr view 12 | grep lamp", "GraphQL: Could not resolve to a PullRequest with the number of 12"),
            ("docker ps | grep quay", "Cannot connect to the Docker daemon at unix:///quay.sock"),
            ("git ls-files quay | grep lamp", "quay/tides.md"),
        ] {
            let outcome = of(command, &format!("{said}\nExit code: 1"));
            assert!(matches!(outcome, CallOutcome::Failed(_)), "{command}: {outcome:?}");
        }
        assert!(matches!(of(listed, "quay/lamps.md\nExit code: 2"), CallOutcome::Failed(_)));
    }
}
