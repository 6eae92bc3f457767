//! Code that a command passes to an interpreter: runs of the same program with other code are other commands. And the
//! form in which commands are compared.

use super::shell::passed_code;
use crate::facts::program_name;
use crate::summary::text::{contains_any, cut, fold, starts_any};

/// Maximum length of a shown line of code, in characters.
const SHOWN: usize = 60;
/// Length from which a line says more than `n = 0`, in characters.
const SHORT: usize = 12;
/// Beginnings of lines of code that say nothing of what it does.
const PREPARES: [&str; 16] = [
    "import ",
    "from ",
    "#!",
    "#%",
    "# -*-",
    "%",
    "//",
    "/*",
    "*",
    "try:",
    "use strict",
    "'use strict'",
    "\"use strict\"",
    "require ",
    "export ",
    "async function main",
];
/// Texts of such lines.
const LOADS: [&str; 5] = ["require(", "readFileSync(", "JSON.parse(", "sys.path", "warnings.filter"];

/// Options behind which code may stand.
const CODE_FLAGS: [&str; 5] = ["-c", "-e", "--eval", "-p", "--print"];
/// Interpreters that print the value of code behind `-p`, those whose `-c` only checks, and shells, whose `-e` stops at
/// errors.
const PRINTERS: [&str; 2] = ["node", "bun"];
const CHECKERS: [&str; 3] = ["node", "perl", "ruby"];
const SHELLS: [&str; 5] = ["bash", "sh", "zsh", "dash", "ksh"];
/// Beginnings of the names of other programs to which code is passed.
const CODERS: [&str; 7] = ["python", "py", "node", "ruby", "perl", "deno", "bun"];

/// Whether code stands behind an option of an interpreter.
pub(super) fn takes_code(program: &str, flag: &str) -> bool {
    let program = program_name(program);
    match flag {
        "-c" => !CHECKERS.contains(&program),
        "-p" | "--print" => PRINTERS.contains(&program),
        "-e" | "--eval" => !SHELLS.contains(&program),
        _ => false,
    }
}

/// Where the option before the code in a command begins and ends.
pub(in crate::summary::extractive) fn code_option(shown: &str) -> Option<(usize, usize)> {
    let (mut at, mut coder) = (0, None);
    for word in shown.split(' ') {
        let end = at + word.len();
        if coder.is_some_and(|program| takes_code(program, word)) && end < shown.len() {
            return Some((at, end));
        }
        let program = program_name(word.trim_start_matches(['"', '\'', '(']));
        if SHELLS.contains(&program) || starts_any(program, &CODERS) {
            coder = Some(program);
        } else if !word.starts_with('-') && coder.is_some() {
            coder = None;
        }
        at = end + 1;
    }
    None
}

/// The code that a command passes to an interpreter.
pub(super) fn code(line: &str) -> Option<String> {
    let may = line.contains("<<") || contains_any(line, &CODE_FLAGS);
    may.then(|| passed_code(line)).flatten().filter(|code| !code.trim().is_empty())
}

/// The first line of code that says what it does.
pub(super) fn telling_line(code: &str) -> Option<String> {
    let prepares = |line: &str| starts_any(line, &PREPARES) || contains_any(line, &LOADS);
    let says = |line: &&str| line.chars().filter(|char| char.is_alphabetic()).count() > 2 && !prepares(line);
    let lines = || code.lines().flat_map(|line| line.split("; ")).map(str::trim).filter(says);
    let line = lines()
        .find(|line| line.chars().count() >= SHORT)
        .or_else(|| lines().next())
        .or_else(|| code.lines().map(str::trim).find(|line| !line.is_empty()))?;
    let bare = line.trim_start_matches(['#', ' ']).replace('`', "'");
    (!bare.is_empty()).then(|| cut(&fold(&bare), SHOWN).into_owned())
}

/// Variables whose values change nothing of what a command does but how it prints.
const OF_PRINTING: [&str; 11] = [
    "CI",
    "FORCE_COLOR",
    "GIT_PAGER",
    "LANG",
    "LC_ALL",
    "MSYS_NO_PATHCONV",
    "NO_COLOR",
    "PAGER",
    "PYTHONUNBUFFERED",
    "RUST_BACKTRACE",
    "TERM",
];

/// A command in the form in which it is compared: without the variables before it that change nothing, and without
/// quotes. Others make it another command.
pub(in crate::summary::extractive) fn compared(shown: &str) -> String {
    let (mut kept, mut rest) = (String::new(), shown);
    while let Some((word, next)) = rest.split_once(' ') {
        let is_whole = word.matches(['"', '\'']).count().is_multiple_of(2) && !word.contains("$(");
        match variable(word).filter(|_| is_whole) {
            Some(name) if OF_PRINTING.contains(&name) => {}
            Some(_) => {
                kept.push_str(word);
                kept.push(' ');
            }
            None if word == "env" => {}
            None => break,
        }
        rest = next;
    }
    kept.push_str(rest);
    kept.replace(['"', '\''], "")
}

/// The variable that a word before a program sets.
fn variable(word: &str) -> Option<&str> {
    let (name, _) = word.split_once('=')?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_name && !name.is_empty()).then_some(name)
}

/// Whether a compared command begins with a variable.
pub(in crate::summary::extractive) fn has_variable(compared: &str) -> bool {
    compared.split(' ').next().and_then(variable).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_a_run_is_told_by_its_first_line_that_does_something() {
        let told = |line: &str| code(line).as_deref().and_then(telling_line);
        let tides = "python3 - <<'E'\nimport tide\nfrom quay import lamp\n\nlevels = tide.read('a.csv')\nE";
        assert_eq!(told(tides).as_deref(), Some("levels = tide.read('a.csv')"));
        let counted = "cd quay && python3 -c \"import tide; print(tide.count())\"";
        assert_eq!(told(counted).as_deref(), Some("print(tide.count())"));
        assert_eq!(told("node -e 'light(7)'").as_deref(), Some("light(7)"));
        assert_eq!(
            told("python3 - <<E\n# Count the tides of May.\nx = 1\nE").as_deref(),
            Some("Count the tides of May.")
        );
        for other in ["make tide", "python3 tide.py -c x", "cat > a.py <<'E'\nx = 1\nE", "grep -e x a.py"] {
            assert_eq!(told(other), None, "{other}");
        }
    }

    #[test]
    fn an_option_stands_before_code_only_of_programs_that_take_it() {
        let option = |shown: &str| code_option(shown).map(|(start, end)| shown[start..end].to_owned());
        assert_eq!(option("node -p \"1+1\"").as_deref(), Some("-p"));
        assert_eq!(option("cd quay && python3 -u -c 'light(7)'").as_deref(), Some("-c"));
        for none in ["mkdir -p quay", "bash -e lamp.sh", "node -c lamp.js", "grep -e x a", "python3 lamp.py -c x"] {
            assert_eq!(option(none), None, "{none}");
            assert_eq!(code(none), None, "{none}");
        }
    }

    #[test]
    fn quotes_and_variables_of_printing_make_no_other_command() {
        for same in ["CI=1 PAGER='cat' make 'quay'", "env NO_COLOR=1 make \"quay\"", "make quay"] {
            assert_eq!(compared(same), "make quay", "{same}");
        }
        assert_eq!(compared("TERM=dumb LAMP='red' CI=1 make quay"), "LAMP=red make quay");
        assert_ne!(compared("LAMP=red make quay"), compared("LAMP=green make quay"));
        assert!(has_variable("LAMP=red make quay") && !has_variable("make LAMP=red") && !has_variable("--oil=1 make"));
        for other in ["NAME=$(make) lamp", "NAME='a b' make"] {
            assert_ne!(compared(other), "lamp");
            assert_ne!(compared(other), "make", "{other}");
        }
    }
}
