//! Files written by scripts within a command, as far as they are named literally: Python, JavaScript and Ruby,
//! patches, and input of the line editor `ed`.

use super::super::act::FileOp;
use crate::facts::pattern;
use crate::facts::program_name;
use crate::summary::text::starts_any;
use regex::Regex;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Programs that run a script given to them.
const RUNNERS: [&str; 6] = ["python", "node", "ruby", "deno", "bun", "py"];

/// A file opened for writing or written as a whole, by literal name or variable.
static WRITES: LazyLock<Regex> = LazyLock::new(|| {
    let (name, mode) = (r#"(?:["'`]([^"'`\n]+)["'`]|(\w+))"#, r#"["'][rbt]*[wax+][rwbt+]*["']"#);
    pattern(&format!(
        r"\bopen\(\s*{name}\s*,\s*(?:mode\s*=\s*)?{mode}|\b(?:write|append)File(?:Sync)?\(\s*{name}\s*,|\bFile\.write\(\s*{name}\s*,|\bPath\(\s*{name}\s*\)\.write_(?:text|bytes)\(|\b(\w+)\.write_(?:text|bytes)\("
    ))
});
/// A variable that is assigned a literal name.
static NAMES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"(?m)(?:^|[;{\s])(\w+)\s*=\s*(?:(?:\w+\.)?Path\(\s*)?["']([^"'\n]+)["']\s*\)?\s*(?:;|#|$)"#)
});
/// A loop variable.
static TURNS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\bfor\s+\(?(?:const |let |var )?(\w+)\b[^\n]*?\s(?:in|of)\s"));
/// Calls that read: a file that is also written counts as edited.
static READS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\.read\(|\bread_(?:text|bytes)\(|\breadFile(?:Sync)?\(|\breadlines?\(|\bFile\.read\("));
/// The headers of a file in a patch.
static PATCHED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^--- (\S+).*\n\+\+\+ (?:b/)?(\S+)"));

/// Whether a program runs scripts.
pub(super) fn runs(program: &str) -> bool {
    let name = program_name(program);
    let bare = name.trim_end_matches(".exe").trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    RUNNERS.contains(&bare)
}

/// Whether a program gets a script, or changes files as its input says.
pub(super) fn takes_script(program: &str) -> bool {
    ["apply", "patch", "ed"].contains(&program) || runs(program)
}

/// The files that a script writes.
pub(super) fn by_script(script: &str) -> Vec<(FileOp, String)> {
    if script.contains("chdir(") {
        return Vec::new();
    }
    let bare: String = script.split_inclusive('\n').filter(|line| !is_remark(line)).collect();
    let script = &*bare;
    let mut files: Vec<(FileOp, String)> = Vec::new();
    let names = names(script);
    let op = if READS.is_match(script) { FileOp::Edited } else { FileOp::Written };
    for found in WRITES.captures_iter(script) {
        let groups: Vec<Option<&str>> = found.iter().skip(1).map(|group| Some(group?.as_str())).collect();
        let literal = (0..8).step_by(2).find_map(|at| groups[at]);
        let variable = || groups.iter().skip(1).step_by(2).chain(&groups[8..]).find_map(|group| *group);
        let path = literal.or_else(|| *names.get(variable()?)?);
        // Of an archive, a member is opened.
        let is_member = found.get(0).is_some_and(|all| script[..all.start()].ends_with('.'));
        let is_file = |path: &str| if is_member { is_plain(path) } else { is_literal(path) };
        let path = path.filter(|path| is_file(path) && files.iter().all(|(_, known)| known != path));
        files.extend(path.map(|path| (op, path.to_owned())));
    }
    files
}

/// The literal names of variables; `None` for loop variables and those assigned more than once.
fn names(script: &str) -> HashMap<&str, Option<&str>> {
    let mut names = HashMap::new();
    for found in NAMES.captures_iter(script) {
        if let (Some(variable), Some(name)) = (found.get(1), found.get(2)) {
            names.entry(variable.as_str()).and_modify(|known| *known = None).or_insert(Some(name.as_str()));
        }
    }
    for found in TURNS.captures_iter(script) {
        found.get(1).map(|variable| names.insert(variable.as_str(), None));
    }
    names
}

/// Whether a line is a comment or prints text.
fn is_remark(line: &str) -> bool {
    let line = line.trim_start();
    starts_any(line, &["#", "//", "print(", "console.log("])
}

/// The files that a patch changes.
pub(super) fn by_patch(patch: &str) -> Vec<(FileOp, String)> {
    let files = PATCHED.captures_iter(patch).map(|found| {
        let op = if &found[1] == "/dev/null" { FileOp::Created } else { FileOp::Edited };
        (op, found[2].to_owned())
    });
    files.filter(|(_, path)| path != "/dev/null" && is_plain(path)).collect()
}

/// Whether input of `ed` writes the file.
pub(super) fn saves(typed: &str) -> bool {
    let mut inserts = false;
    typed.lines().map(str::trim).any(|line| {
        let command = line.trim_start_matches(|letter: char| letter.is_ascii_digit() || "$,".contains(letter));
        inserts = if inserts { line != "." } else { ["a", "i", "c"].contains(&command) };
        !inserts && ["w", "wq"].contains(&line)
    })
}

fn is_plain(path: &str) -> bool {
    super::has_extension(path) && is_literal(path)
}

/// Whether a name has nothing in it that stands for something else. A file that a script opens needs no extension.
fn is_literal(path: &str) -> bool {
    !path.is_empty() && !path.starts_with("/dev/") && !path.contains(['$', '{', '%', '*', ' ']) && !path.contains("://")
}

#[cfg(test)]
mod tests {
    use super::super::Shell;

    fn told(command: &str) -> Vec<String> {
        Shell::read(command).files.into_iter().map(|(op, path)| format!("{op:?} {path}")).collect()
    }

    #[test]
    fn files_that_a_script_writes_are_changed() {
        for command in [
            "python3 - <<'PY'\nfrom pathlib import Path\np=Path('src/gauge.py')\ns=p.read_text()\np.write_text(s)\nPY",
            "python -c \"s=open('src/gauge.py').read(); open('src/gauge.py','w').write(s.replace('80','81'))\"",
            "python3.12 <<EOF\nf = 'src/gauge.py'\ns = open(f).read()\nwith open(f, 'w') as h:\n    h.write(s)\nEOF\necho done",
            "node -e \"const fs=require('fs');let s=fs.readFileSync('src/gauge.py','utf8');fs.writeFileSync('src/gauge.py',s)\"",
            "git apply <<'EOF'\n--- a/src/gauge.py\n+++ b/src/gauge.py\n@@ -1 +1 @@\n-PORT = 80\n+PORT = 81\nEOF",
            "ed -s src/gauge.py <<'EOF'\n1s/80/81/\nw\nq\nEOF",
            "ruby -i -pe 'gsub(/80/,\"81\")' src/gauge.py",
        ] {
            assert_eq!(told(command), ["Edited src/gauge.py"], "{command}");
        }
        assert_eq!(told("python - <<'E'\nopen('out/t.csv', 'w').write('a')\nE"), ["Written out/t.csv"]);
    }

    #[test]
    fn what_is_only_read_or_not_named_is_not() {
        for command in [
            "python - <<'PY'\nprint(open('src/gauge.py').read())\nPY",
            "python - <<'PY'\nfor n in names:\n    open(n, 'w').write('')\nPY",
            "cat > /tmp/e.py <<'EOF'\nopen('src/gauge.py', 'w').write('')\nEOF",
            "python - <<'PY'\nopen(f'{folder}/a.py', 'w').write('')\nPY",
            "ed -s src/gauge.py <<'EOF'\n1p\nq\nEOF",
            "ed -s src/gauge.py <<'EOF'\na\nw\n.\nq\nEOF",
            "git apply --check <<'EOF'\n--- a/src/gauge.py\n+++ b/src/gauge.py\n@@ -1 +1 @@\n-a\n+b\nEOF",
            "python - <<'PY'\n# never open('src/gauge.py', 'w') here\nPY",
            "python load.py <<'E'\nopen('src/gauge.py', 'w')\nE",
            "python - <<'PY'\npath = 'src/a.json'\nfor path in names():\n    open(path, 'w')\nPY",
        ] {
            assert_eq!(told(command), [""; 0], "{command}");
        }
    }
}
