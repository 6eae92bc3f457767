//! Code that a command passes to an interpreter: runs of the same program with other code are other commands. And the
//! form in which commands are compared.

use super::shell::passed_code;
use crate::summary::text::{cut, fold};

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

/// The code that a command passes to an interpreter.
pub(super) fn code(line: &str) -> Option<String> {
    let may = ["<<", " -c", " -e", " --eval", " -p"].iter().any(|sign| line.contains(sign));
    may.then(|| passed_code(line)).flatten().filter(|code| !code.trim().is_empty())
}

/// The first line of code that says what it does.
pub(super) fn telling_line(code: &str) -> Option<String> {
    let prepares = |line: &str| {
        PREPARES.iter().any(|start| line.starts_with(start)) || LOADS.iter().any(|text| line.contains(text))
    };
    let says = |line: &&str| line.chars().filter(|char| char.is_alphabetic()).count() > 2 && !prepares(line);
    let lines = || code.lines().flat_map(|line| line.split("; ")).map(str::trim).filter(says);
    let line = lines()
        .find(|line| line.chars().count() >= SHORT)
        .or_else(|| lines().next())
        .or_else(|| code.lines().map(str::trim).find(|line| !line.is_empty()))?;
    let bare = line.trim_start_matches(['#', ' ']).replace('`', "'");
    (!bare.is_empty()).then(|| cut(&fold(&bare), SHOWN).into_owned())
}

/// A command in the form in which it is compared: without the variables set before it, and without quotes.
pub(in crate::summary::extractive) fn compared(shown: &str) -> String {
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let sets = |word: &str| word.split_once('=').is_some_and(|(name, _)| is_name(name));
    let mut rest = shown;
    while let Some((word, next)) = rest.split_once(' ') {
        let is_whole = word.matches(['"', '\'']).count().is_multiple_of(2) && !word.contains("$(");
        if word != "env" && !(sets(word) && is_whole) {
            break;
        }
        rest = next;
    }
    rest.replace(['"', '\''], "")
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
    fn variables_and_quotes_make_no_other_command() {
        for same in ["LAMP=1 OIL='x' make 'quay'", "env LAMP=1 make \"quay\"", "make quay"] {
            assert_eq!(compared(same), "make quay", "{same}");
        }
        for other in ["NAME=$(make) lamp", "NAME='a b' make"] {
            assert_ne!(compared(other), "lamp");
            assert_ne!(compared(other), "make", "{other}");
        }
    }
}
