//! Which shell commands only look.

use super::command::{ENDS, first_step, pipes, sets, without_keyword};
use super::shell::looks;
use super::trials::keeps_branches;
use crate::facts::program_name;
use crate::summary::extractive::words::{INTERPRETERS, LOOKING, NESTED, NOUNS, QUIET_GIT, QUIET_PROGRAMS, RUNNERS};

/// Shell keywords that leave or continue a loop.
const LEAVES: [&str; 2] = ["break", "continue"];
/// Shell keywords before a condition.
const CONDITIONS: [&str; 4] = ["if", "elif", "while", "until"];
/// Commands of the shell that only compare, read or do nothing.
const PLAIN: [&str; 4] = ["[[", "((", "read", ":"];

/// Programs that only change the text that is piped to them, besides those that look.
const FILTERS: [&str; 31] = [
    "base64",
    "bc",
    "cmp",
    "column",
    "comm",
    "expand",
    "fmt",
    "fold",
    "gunzip",
    "hexdump",
    "iconv",
    "join",
    "md5sum",
    "numfmt",
    "od",
    "paste",
    "rev",
    "seq",
    "sha1sum",
    "sha256sum",
    "shuf",
    "strings",
    "tac",
    "tee",
    "tr",
    "ts",
    "yes",
    "yq",
    "zcat",
    "xmllint",
    "clip",
];
/// Options by which an interpreter is given code, or a module that prints.
const CODE: [&str; 6] = ["-c", "-e", "-p", "-pe", "-ne", "json.tool"];
/// Options of `xargs` with a value of their own.
const XARGS_VALUES: [&str; 7] = ["-I", "-n", "-P", "-L", "-d", "-s", "-a"];
/// Options of `find` before a program.
const FIND_RUNS: [&str; 4] = ["-exec", "-execdir", "-ok", "-okdir"];

/// Whether all steps of a shown command only look.
pub(in crate::summary::extractive) fn is_quiet(shown: &str) -> bool {
    let mut rest = shown;
    while let Some((step, next)) = first_step(rest) {
        if !is_quiet_step(step) {
            return false;
        }
        rest = next;
    }
    is_quiet_step(rest)
}

/// Whether all stages of a step only look.
pub(super) fn is_quiet_step(step: &str) -> bool {
    let step = condition(without_keyword(step.trim()));
    let mut stages = stages(step);
    stages.next().is_none_or(looks_alone) && stages.all(|stage| filters(stage) || looks_alone(stage))
}

/// Whether a stage of a pipe only looks.
fn looks_alone(stage: &str) -> bool {
    let words: Vec<&str> = stage.split_whitespace().skip_while(|word| sets(word)).collect();
    match *words {
        [word] if ENDS.contains(&word) || LEAVES.contains(&word) => true,
        // An assignment of PowerShell.
        [name, "=", value, ..] if name.starts_with('$') && !value.starts_with(|char: char| char.is_alphabetic()) => {
            true
        }
        [word, ..] if PLAIN.contains(&word) || word.starts_with("((") => true,
        // The shown command was cut here.
        [word, ..] if word.ends_with('…') => true,
        ["git", "branch", ..] => keeps_branches(&words),
        ["git", word, ..] if QUIET_GIT.contains(&word) => true,
        ["ssh", ..] if on_machine(stage).is_some() => on_machine(stage).is_some_and(is_quiet),
        ["xargs", ref rest @ ..] => run_by_xargs(rest).is_none_or(only_looks),
        ["find", ref rest @ ..] => !rest.contains(&"-delete") && run_by_find(rest).all(only_looks),
        [program, ref rest @ ..] if LOUD.iter().any(|(own, options)| has_option(program, rest, own, options)) => false,
        [program, ..] if QUIET_PROGRAMS.contains(&program.strip_prefix("/usr/bin/").unwrap_or(program)) => true,
        [program, ref rest @ ..] => looks(program) || asks(program, rest),
        [] => true,
    }
}

/// The condition of a loop or choice that a step begins; any other step as it is.
fn condition(step: &str) -> &str {
    let behind = CONDITIONS.iter().find_map(|word| step.strip_prefix(word)?.strip_prefix(' ')).unwrap_or(step);
    behind.strip_prefix("! ").unwrap_or(behind)
}

/// Options by which programs that mostly look change something.
const LOUD: [(&str, &[&str]); 3] = [
    ("dmesg", &["-C", "-c", "--clear", "--read-clear"]),
    ("journalctl", &["--flush", "--rotate", "--vacuum-files", "--vacuum-size", "--vacuum-time"]),
    ("ss", &["-K", "--kill"]),
];

/// Whether a step runs this program with one of these options.
fn has_option(program: &str, args: &[&str], own: &str, options: &[&str]) -> bool {
    let name = |arg: &&str| options.contains(&arg.split('=').next().unwrap_or(arg));
    program_name(program) == own && args.iter().any(name)
}

/// Options of `ssh` with a value.
const SSH_VALUES: [&str; 7] = ["-p", "-i", "-o", "-l", "-F", "-J", "-b"];

/// The command that `ssh` runs on another machine: the quoted text right behind that machine, at the end of a step.
fn on_machine(step: &str) -> Option<&str> {
    let at = step.find(['"', '\''])?;
    let before: Vec<&str> = step[..at].split_whitespace().skip(1).collect();
    let is_value = |at: usize| at > 0 && SSH_VALUES.contains(&before[at - 1]);
    let plain = before.iter().enumerate().filter(|(at, word)| !word.starts_with('-') && !is_value(*at));
    if plain.count() != 1 || before.last().is_some_and(|last| SSH_VALUES.contains(last)) {
        return None;
    }
    let quote = step[at..].chars().next()?;
    step[at + 1..].strip_suffix(quote).filter(|inner| !inner.contains(quote))
}

/// The stages of a pipe.
fn stages(step: &str) -> impl Iterator<Item = &str> {
    let mut from = 0;
    let ends = pipes(step).chain([step.len()]);
    let stages = ends.map(move |at| {
        let stage = &step[from.min(at)..at];
        from = at + 1;
        stage.trim()
    });
    stages.filter(|stage| !stage.is_empty())
}

/// Whether a stage of a pipe only changes the text of the one before it.
fn filters(stage: &str) -> bool {
    let words: Vec<&str> = stage.split_whitespace().collect();
    let Some((program, args)) = words.split_first() else { return true };
    let name = program_name(program);
    let in_place = args.iter().any(|arg| ["-i", "--in-place"].contains(arg));
    let given_code = || INTERPRETERS.contains(&name) && args.iter().any(|arg| CODE.contains(arg));
    !in_place && (FILTERS.contains(&name) || given_code())
}

/// The program that `xargs` runs, with its arguments; `None` if it only prints.
fn run_by_xargs<'a>(args: &'a [&'a str]) -> Option<&'a [&'a str]> {
    let mut at = 0;
    while let Some(option) = args.get(at).filter(|arg| arg.starts_with('-')) {
        at += if XARGS_VALUES.contains(option) { 2 } else { 1 };
    }
    args.get(at..).filter(|rest| !rest.is_empty())
}

/// The programs that `find` runs on what it finds, each with its arguments.
fn run_by_find<'a>(args: &'a [&'a str]) -> impl Iterator<Item = &'a [&'a str]> {
    args.split(|arg| FIND_RUNS.contains(arg)).skip(1).filter(|rest| !rest.is_empty())
}

/// Whether a program that is run on what was found only looks: `sed -i` changes files that the command does not name.
fn only_looks(words: &[&str]) -> bool {
    let in_place = words[0] == "sed" && words.iter().any(|arg| arg.starts_with("-i") || *arg == "--in-place");
    match words {
        ["sh" | "bash" | "zsh", "-c", code @ ..] => is_quiet(code.join(" ").trim_matches(['"', '\''])),
        _ => !in_place && looks_alone(&words.join(" ")),
    }
}

/// Whether a program is only queried: `gh issue view 3`, `kubectl get pods`, `make --help`.
fn asks(program: &str, args: &[&str]) -> bool {
    let before = args.iter().take_while(|arg| !["|", "--", "<<"].contains(arg));
    if before.clone().any(|arg| ["--help", "--version"].contains(arg)) {
        return true;
    }
    let name = program_name(program);
    let mut words = before.filter(|arg| !arg.starts_with('-'));
    let (first, second) = (words.next(), words.next());
    let looks = |word: Option<&&str>| word.is_some_and(|word| LOOKING.contains(word) || word.starts_with("list-"));
    let nested = NESTED.contains(&name) || first.is_some_and(|word| NOUNS.contains(word));
    // Without fields and a method, `gh api` only reads.
    let sends = ["-X", "--method", "-f", "-F", "--field", "--raw-field", "--input"];
    let gets = name == "gh" && first == Some(&"api") && !args.iter().any(|arg| sends.contains(arg));
    gets || !RUNNERS.contains(&name) && (looks(first) || nested && looks(second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_only_look_are_quiet() {
        assert!(is_quiet("ls -l && git status; head x") && is_quiet("for f in a b; do cat $f; done"));
        assert!(!is_quiet("git push"));
        assert!(!is_quiet("cat a && make"));
        assert!(is_quiet("ssh quay-1 'cat a | head -3'") && !is_quiet("ssh quay-1 'cat a && sudo make'"));
        assert!(is_quiet("journalctl -u lamp --since today") && is_quiet("ss -tlnp") && is_quiet("dmesg -T"));
        for change in ["journalctl --vacuum-size=10M", "journalctl --rotate", "ss -K dst quay", "dmesg -C", "dmesg -c"]
        {
            assert!(!is_quiet(change), "{change}");
        }
        assert!(!is_quiet("ssh quay mkdir \"test\"") && is_quiet("ssh -p 22 keeper@quay 'ls lamp'"));
        assert!(is_quiet("git branch quay") && is_quiet("git branch --list backup/*"));
        assert!(!is_quiet("git branch backup/quay main && git status"), "what was lost is there");
        assert!(is_quiet("git branch -a") && !is_quiet("git branch -D old") && !is_quiet("ssh quay-1 'cat a"));
    }

    #[test]
    fn a_program_that_is_only_asked_is_quiet() {
        for command in [
            "gh issue view 3 --comments",
            "kubectl get pods -n tides",
            "docker ps -a",
            "npm view tides version",
            "bd show tide-3 && bd list",
            "./bin/tides list",
            "cargo build --help",
            "git stash list",
            "tides session show 7",
            "gh api repos/a/b/pulls/7/comments | jq .[0]",
            "/usr/bin/grep x y",
            "node --version",
        ] {
            assert!(is_quiet(command), "{command}");
        }
        for command in [
            "npm run list",
            "go get tides",
            "make status",
            "python3 show.py",
            "gh pr create",
            "bd close a",
            "cargo add log",
            "gh api -X POST a",
        ] {
            assert!(!is_quiet(command), "{command}");
        }
    }

    #[test]
    fn a_pipe_only_looks_if_all_its_stages_do() {
        for command in [
            "cat a.json | python3 -m json.tool | head -3",
            "ls | xargs -n 1 wc -l",
            "find . -name '*.rs' -exec grep -l oil {} +",
            "find . -name a | xargs grep oil | sort -u",
            "grep oil a || echo none",
            "cat a | tr a b | perl -ne 'print'",
            "for f in $(ls | grep a); do cat $f | wc -l; done",
            "grep -rn oil lamps | sort | un…",
            "grep -rn oil lamps |…",
            "ls | xargs -I{} sh -c 'echo {}; cat {}'",
        ] {
            assert!(is_quiet(command), "{command}");
        }
        for command in [
            "cat in.csv | pytest -q",
            "echo \"secret\" | 7z x lamps.7z -p",
            "find . -name old -delete",
            "find . -name old -exec rm {} ;",
            "find . -name old -exec grep a {} + -exec rm {} +",
            "cat in | perl migrate.pl --prod",
            "ls *.tmp | xargs rm",
            "grep -l a *.md | xargs sed -i s/a/b/",
            "cat a.sql | psql tides",
            "ls | xargs -I{} sh -c 'cat {}; rm {}'",
            "docker ps -q | xargs -r docker stop",
            "test -f lamps || make lamps",
        ] {
            assert!(!is_quiet(command), "{command}");
        }
    }
}
