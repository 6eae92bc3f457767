//! Shell commands as they are shown, and which of them only look.

use super::words::{QUIET_GIT, QUIET_PROGRAMS};
use crate::summary::text::{cut, fold};
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

const LONGEST: usize = 100;
/// Words of the shell before a step.
const KEYWORDS: [&str; 3] = ["do", "then", "else"];
/// Words of the shell that end what others begin.
const ENDS: [&str; 3] = ["done", "fi", "esac"];

#[expect(clippy::unwrap_used, reason = "the patterns are constants")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).unwrap()
}

static TEST: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"\b(?:pytest|py\.test|tox|nox|jest|vitest|mocha|rspec|ctest|phpunit|nextest|unittest)\b",
        r"|\b(?:cargo|go|npm|npx|pnpm|yarn|bun|deno|make|just|mvnw?|gradlew?|dotnet|mise|uv|rake|mix|swift|bazel|zig|php",
        r"|composer|stack|cabal|sbt|lein|flutter|dart|xcodebuild)\b[^|;&]*\btests?\b"
    ))
});
/// What is searched for is not run; what a shell is given is.
static QUOTED: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(-[a-z]*c\s+)?('[^']*(?:'|$)|"[^"]*(?:"|$))"#));

/// Whether a command runs tests.
pub(super) fn runs_tests(shown: &str) -> bool {
    let unquoted = QUOTED.replace_all(shown, |found: &regex::Captures<'_>| match found.get(1) {
        Some(_) => found[0].to_owned(),
        None => String::new(),
    });
    TEST.is_match(&unquoted)
}

/// A command as it is shown: one line, without the steps before it that only look, and without here-documents.
pub(super) fn shown(command: &str) -> String {
    let body = command.find("<<").map_or(command, |at| without_opening(&command[..at]));
    let line = fold(&joined(body)).replace('`', "'").replace(" 2>&1", "").replace(" 2>/dev/null", "");
    let mut rest = without_pager(&line);
    while let Some((step, next)) = rest.split_once(" && ").or_else(|| rest.split_once("; ")) {
        if !is_quiet_step(step) {
            break;
        }
        rest = next;
    }
    // Of a loop that only looks nothing is left but its end.
    let rest = if ENDS.contains(&rest) { without_pager(&line) } else { without_keyword(rest) };
    cut(rest, LONGEST).into_owned()
}

/// The lines of a command as steps of one line; what goes on in the next line, or in quotes, is no step of its own.
fn joined(body: &str) -> Cow<'_, str> {
    if !body.trim().contains('\n') {
        return Cow::Borrowed(body);
    }
    let mut all = String::with_capacity(body.len());
    let (mut quote, mut goes_on) = (None, true);
    for line in body.lines().map(str::trim) {
        if line.is_empty() || (quote.is_none() && line.starts_with('#')) {
            continue;
        }
        all.push_str(if goes_on { " " } else { "; " });
        let whole = line.strip_suffix('\\').map_or(line, str::trim_end);
        all.push_str(whole);
        quote = whole.chars().fold(quote, |open: Option<char>, char| match open {
            Some(mark) if mark == char => None,
            None if "\"'".contains(char) => Some(char),
            same => same,
        });
        let word = whole.rsplit([' ', ';']).next().unwrap_or_default();
        let open = whole.ends_with(['|', '&', ';', '{', '(']) || KEYWORDS.contains(&word);
        goes_on = quote.is_some() || whole.len() < line.len() || open;
    }
    Cow::Owned(all)
}

/// A step without the keyword of the shell before it.
fn without_keyword(step: &str) -> &str {
    KEYWORDS.iter().find_map(|keyword| step.strip_prefix(keyword)?.strip_prefix(' ')).map_or(step, str::trim_start)
}

/// A command without the option that a here-document was the value of (`-m "$(cat`), which ends with it.
fn without_opening(body: &str) -> &str {
    let Some(before) = body.trim_end().strip_suffix("$(cat") else { return body };
    let before = before.trim_end_matches('"').trim_end_matches('=').trim_end();
    match before.rsplit_once(' ') {
        Some((rest, option)) if option.starts_with('-') => rest,
        _ => before,
    }
}

/// A command without the last step that only shortens what it prints.
fn without_pager(line: &str) -> &str {
    let Some((before, last)) = line.rsplit_once(" | ") else { return line };
    let mut words = last.split(' ');
    let shortens = words.next().is_some_and(|program| ["head", "tail"].contains(&program));
    let plain = words.all(|word| word.starts_with('-') || word.bytes().all(|byte| byte.is_ascii_digit()));
    if shortens && plain { before } else { line }
}

/// Whether all that is shown of a command only looks.
pub(super) fn is_quiet(shown: &str) -> bool {
    shown.split(" && ").flat_map(|steps| steps.split("; ")).all(is_quiet_step)
}

fn is_quiet_step(step: &str) -> bool {
    let set = |word: &&str| word.contains('=') && !word.starts_with(['-', '"', '\'']);
    let step = without_keyword(step.trim());
    let words: Vec<&str> = step.split_whitespace().skip_while(set).take(2).collect();
    match *words {
        [end] if ENDS.contains(&end) => true,
        ["git", word] => QUIET_GIT.contains(&word),
        [program, ..] => QUIET_PROGRAMS.contains(&program),
        [] => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_without_what_only_prepares_it() {
        assert_eq!(shown("cd /a && echo start; RUST_LOG=x cargo test"), "RUST_LOG=x cargo test");
        assert_eq!(shown("python3 - <<'END'\nprint(1)\nEND"), "python3 -");
        assert_eq!(shown("git add . && git commit -m \"$(cat <<'EOF'\nOne\nEOF\n)\""), "git commit");
        assert_eq!(shown("cd /a"), "cd /a");
        assert_eq!(shown("cargo test 2>&1 | tail -n 20"), "cargo test");
        assert_eq!(shown("for f in a b; do printf '%s' $f; make $f; done"), "make $f; done");
        assert_eq!(shown("if [ -f x ]; then make x; fi"), "make x; fi");
        assert_eq!(shown("for f in a b; do cat $f; done"), "for f in a b; do cat $f; done");
        assert_eq!(shown("make x | head -1 && echo ok"), "make x | head -1 && echo ok");
        assert_eq!(shown("cd /a\n# all of it\nmake all \\\n  --fast\nmake test"), "make all --fast; make test");
        assert_eq!(shown("git commit -m \"One\n\nTwo\"\nmake"), "git commit -m \"One Two\"; make");
        assert_eq!(shown("git reset -q\ncat > x <<EOF\na\nEOF"), "git reset -q; cat > x");
    }

    #[test]
    fn tests_are_run_by_their_runners_and_not_by_searches_for_them() {
        assert!(runs_tests("go build ./... && mise run test | tail -20") && runs_tests("bash -lc 'pytest -q'"));
        assert!(!runs_tests("ps -ef | rg 'bun test'") && !runs_tests("rg 'bun test a…") && !runs_tests("make all"));
    }

    #[test]
    fn commands_that_only_look_are_quiet() {
        assert!(is_quiet("ls -l && git status; head x") && is_quiet("for f in a b; do cat $f; done"));
        assert!(!is_quiet("git push"));
        assert!(!is_quiet("cat a && make"));
    }
}
