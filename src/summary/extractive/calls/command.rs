//! Shell commands, and how they are shown.

use super::compound::{ends, first_statement, lists, may_exit, telling_step};
use super::quiet::{is_quiet, is_quiet_step};
use super::shell::without_texts;
use crate::facts::pattern;
use crate::summary::extractive::words::{INTERPRETERS, NESTED, QUIET_PROGRAMS};
use crate::summary::text::{all_digits, contains_any, cut, fold, quoting, replaced, without_redirects};
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

pub(super) const LONGEST: usize = 100;
/// Shell keywords before a step.
const KEYWORDS: [&str; 3] = ["do", "then", "else"];
/// Shell keywords that end a loop or choice.
pub(super) const ENDS: [&str; 3] = ["done", "fi", "esac"];
/// Shell keywords that begin a loop or choice.
const LOOPS: [&str; 4] = ["for", "while", "until", "if"];
/// Quoted text is not run, except as the argument of `-c`, of PowerShell's `-Command`, of `cmd /c`, and of `ssh`.
pub(super) static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(-[a-z]*c\s+|-[Cc]ommand\s+|/[cC]\s+|\bssh\s[^'|;&]*\s)?",
        r#"('[^']*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|\\?$))"#
    ))
});

/// The start of a here-document, with the word that ends it.
static HERE: LazyLock<Regex> = LazyLock::new(|| pattern(r#"<<-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?(\w+))"#));
/// What is left of an option whose value was a here-document.
static OPTION: LazyLock<Regex> = LazyLock::new(|| pattern(r#"(?:\s+-[\w-]+[ =]?)?"?\$\(cat\s*(?:\)"?|$)"#));

/// Signs that a Windows command spells a program differently.
const WINDOWS: [&str; 5] = [".cmd ", ".exe ", ".ps1 ", "cmd /c ", "cmd /C "];
/// The program of a step, if it is not a script of the project.
static PROGRAM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(^|&& |; |\| )(?:cmd (?:/[dsq] )*/[cC] |cmd\.exe (?:/[dsq] )*/[cC] )?([A-Za-z][\w-]*)(?:\.(?:cmd|exe|ps1))? ",
    )
});

/// A command as it is shown: one line of at most [`LONGEST`] characters, without leading steps that only look, and
/// without here-documents.
pub(in crate::summary::extractive) fn shown(command: &str) -> String {
    let line = in_one_line(command);
    let whole = without_pager(&line);
    let mut rest = whole;
    while let Some((_, next)) = first_statement(rest).filter(|(statement, _)| is_quiet(statement)) {
        rest = next;
    }
    if first_statement(rest).is_none() && is_mute(rest) {
        rest = last_telling(whole).unwrap_or(rest);
    }
    let rest = match first_statement(rest) {
        None if cleans_up(rest, &whole[..whole.len() - rest.len()]) => whole,
        None => telling_step(rest),
        Some(_) => rest,
    };
    cut(rest, LONGEST).into_owned()
}

/// Programs that only print a text, wait, or go elsewhere.
const MUTE: [&str; 5] = ["cd", "echo", "printf", "sleep", "true"];

/// Whether a statement neither does nor shows anything: `echo done`.
fn is_mute(statement: &str) -> bool {
    let is_plain = !statement.contains(['|', '>', '&', '$']);
    is_plain && MUTE.contains(&statement.split_whitespace().next().unwrap_or_default())
}

/// The last statement of a line that is not mute.
fn last_telling(line: &str) -> Option<&str> {
    let (mut rest, mut told) = (line, None);
    while let Some((statement, next)) = first_statement(rest) {
        told = Some(statement).filter(|statement| !is_mute(statement)).or(told);
        rest = next;
    }
    told
}

/// A command in one line, with all its steps.
pub(super) fn in_one_line(command: &str) -> String {
    let line = plain_programs(fold(&joined(&without_documents(&without_texts(command)))));
    without_redirects(replaced(line, &["`"], "'").into_owned())
}

/// Whether a step only deletes files that the steps before it wrote: `rm lamp.txt`.
fn cleans_up(step: &str, before: &str) -> bool {
    let Some(args) = step.strip_prefix("rm ").filter(|_| step.len() <= LONGEST) else { return false };
    let ends = |behind: &str| behind.is_empty() || behind.starts_with([' ', ';', '&', '|', ')']);
    let wrote = |file: &str| {
        let mut places = before.match_indices(file);
        places.any(|(at, _)| before[..at].trim_end().ends_with('>') && ends(&before[at + file.len()..]))
    };
    let mut files = args.split(' ').filter(|arg| !arg.starts_with('-')).peekable();
    files.peek().is_some() && files.all(wrote)
}

/// Replaces Windows spellings of programs: `npm.cmd` and `cmd /c npm` become `npm`.
fn plain_programs(line: String) -> String {
    if contains_any(&line, &WINDOWS) { PROGRAM.replace_all(&line, "$1$2 ").into_owned() } else { line }
}

/// Splits a command into its first step and the rest, at `&&` or `;` outside of quotes and braces; if one is never
/// closed, as an apostrophe, they are ignored. `None` if there is only one step.
pub(super) fn first_step(line: &str) -> Option<(&str, &str)> {
    let separator = |at: usize| [" && ", "; "].into_iter().find(|sign| line[at..].starts_with(sign));
    let (mut open, mut depth) = (None, 0_usize);
    for (at, letter, quote, escaped) in quoting(line) {
        open = quote;
        let is_sign = quote.is_none() && !escaped;
        match letter {
            '{' if is_sign => depth += 1,
            '}' if is_sign => depth = depth.saturating_sub(1),
            _ => {}
        }
        let may_end = matches!(letter, ' ' | ';') && is_sign && depth == 0;
        if let Some(sign) = may_end.then(|| separator(at)).flatten() {
            return Some((&line[..at], &line[at + sign.len()..]));
        }
    }
    let is_open = open.is_some() || depth > 0;
    is_open.then(|| line.split_once(" && ").or_else(|| line.split_once("; "))).flatten()
}

/// The steps of a command joined by `&&` only; `None` for a single step, or if it has pipes, other separators or
/// `cd`.
pub(in crate::summary::extractive) fn steps_of(line: &str) -> Option<Vec<&str>> {
    let (mut steps, mut rest) = (Vec::new(), line);
    while let Some((step, others)) = first_step(rest) {
        rest[step.len()..].starts_with(" && ").then(|| steps.push(step.trim()))?;
        rest = others;
    }
    // In another folder the same words are another command.
    let plain = |step: &&str| !step.contains([';', '|', '\n']) && !step.starts_with("cd ");
    steps.push(rest.trim());
    (steps.len() > 1 && steps.iter().all(plain)).then_some(steps)
}

/// Joins the lines of a command into one line of steps; continued lines and line breaks in quotes make no new step.
fn joined(body: &str) -> Cow<'_, str> {
    if !body.trim().contains('\n') {
        return Cow::Borrowed(body);
    }
    let mut all = String::with_capacity(body.len());
    let (mut quote, mut goes_on, mut in_list) = (None, true, false);
    for line in body.lines().map(str::trim) {
        if line.is_empty() || (quote.is_none() && line.starts_with('#')) {
            continue;
        }
        all.push_str(if goes_on { " " } else { "; " });
        let whole = line.strip_suffix('\\').map_or(line, str::trim_end);
        all.push_str(whole);
        let (mut escaped, was_open) = (false, quote.is_some());
        quote = whole.chars().fold(quote, |open: Option<char>, char| {
            let is_escaped = escaped;
            escaped = char == '\\' && !is_escaped && open != Some('\'');
            match open {
                Some(mark) if mark == char && !is_escaped => None,
                None if "\"'".contains(char) && !is_escaped => Some(char),
                same => same,
            }
        });
        let word = whole.rsplit([' ', ';']).next().unwrap_or_default();
        let open = whole.ends_with(['|', '&', ';', '{', '(']) || KEYWORDS.contains(&word);
        in_list = if was_open || quote.is_some() { in_list } else { lists(whole, in_list) };
        goes_on = quote.is_some() || whole.len() < line.len() || open || in_list;
    }
    Cow::Owned(all)
}

/// A step without the shell keyword before it.
pub(super) fn without_keyword(step: &str) -> &str {
    KEYWORDS.iter().find_map(|keyword| step.strip_prefix(keyword)?.strip_prefix(' ')).map_or(step, str::trim_start)
}

/// A command without its here-documents and the options whose values they are (`-m "$(cat <<EOF`). Text after them
/// stays.
pub(super) fn without_documents(command: &str) -> Cow<'_, str> {
    if !command.contains("<<") {
        return Cow::Borrowed(command);
    }
    let (mut out, mut rest) = (String::with_capacity(command.len()), command);
    while let Some(found) = HERE.captures(rest) {
        let (sign, end) = (found.get_match(), found.iter().skip(1).flatten().next());
        let line = rest[sign.end()..].find('\n').map(|at| sign.end() + at + 1);
        match (line, end) {
            (Some(line), Some(end)) if !rest[..sign.start()].ends_with('<') => {
                out.push_str(&rest[..sign.start()]);
                out.push_str(&rest[sign.end()..line]);
                rest = behind(&rest[line..], end.as_str());
            }
            _ => {
                out.push_str(&rest[..sign.end()]);
                rest = &rest[sign.end()..];
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(OPTION.replace_all(&out, "").into_owned())
}

/// The text after the line that is this word; empty if there is none.
fn behind<'c>(text: &'c str, end: &str) -> &'c str {
    let mut at = 0;
    let last = text.split_inclusive('\n').find(|line| {
        at += line.len();
        line.trim() == end
    });
    last.map_or("", |_| &text[at..])
}

/// A command without a last pipe into `head`, `tail` or `sed -n '1,20p'`.
fn without_pager(line: &str) -> &str {
    let Some(at) = pipes(line).last() else { return line };
    let Some((before, last)) = line[..at].strip_suffix(' ').zip(line[at..].strip_prefix("| ")) else { return line };
    let (program, options) = last.split_once(' ').unwrap_or((last, ""));
    let shortens = match program {
        "head" | "tail" | "Select-Object" => options.split(' ').all(|word| word.starts_with('-') || all_digits(word)),
        "sed" => options.strip_prefix("-n ").is_some_and(prints_lines),
        _ => false,
    };
    if shortens { before } else { line }
}

/// Whether a script of `sed` only prints some lines by their numbers: `'1,20p'`.
fn prints_lines(script: &str) -> bool {
    let numbers = script.trim_matches(['\'', '"']).strip_suffix('p');
    numbers.is_some_and(|numbers| numbers.split(',').all(|number| number == "$" || all_digits(number)))
}

/// Whether a word before a program sets a variable.
pub(super) fn sets(word: &str) -> bool {
    word.contains('=') && !word.starts_with(['-', '"', '\''])
}

/// Whether a command is a script: it loops, sets a variable or passes code to an interpreter.
pub(in crate::summary::extractive) fn is_script(shown: &str) -> bool {
    let mut words = shown.split(' ');
    let first = words.next().unwrap_or_default();
    let opens = LOOPS.contains(&first) || first.starts_with(['(', '{']);
    let inline = words.take_while(|word| word.starts_with('-')).any(|word| word.ends_with(['c', 'e']));
    opens || sets(first) || inline && INTERPRETERS.contains(&first)
}

/// The command that a `--continue` resumes: `git rebase`.
pub(in crate::summary::extractive) fn resumed(shown: &str) -> Option<&str> {
    const STOPS: [&str; 4] = ["git rebase", "git merge", "git cherry-pick", "git am"];
    shown.contains(" --continue").then(|| STOPS.into_iter().find(|begun| shown.contains(begun))).flatten()
}

/// The program of a single-step command with its subcommand, and the first argument after them.
pub(in crate::summary::extractive) fn parts(shown: &str) -> Option<(String, Option<&str>)> {
    if contains_any(shown, &[" && ", "; ", " | ", " || ", "$("]) {
        return None;
    }
    let mut words = shown.split(' ').skip_while(|word| sets(word));
    let program = words.next().filter(|program| !program.is_empty() && !LOOPS.contains(program))?;
    let mut words = words.peekable();
    let is_name =
        |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') && !word.starts_with('-');
    let mut name = program.to_owned();
    let depth = if NESTED.contains(&program) { 2 } else { usize::from(!INTERPRETERS.contains(&program)) };
    for _ in 0..depth {
        let Some(word) = words.next_if(is_name) else { break };
        name = format!("{name} {word}");
    }
    Some((name, argument(&words.collect::<Vec<_>>())))
}

/// The first argument that cannot be the value of an option, otherwise the first that is no option; none among code, or
/// pieces of a quoted text.
fn argument<'s>(words: &[&'s str]) -> Option<&'s str> {
    let is_piece = |word: &&str| !word.matches(['"', '\'']).count().is_multiple_of(2) || ["-c", "-e"].contains(word);
    if words.iter().any(is_piece) {
        return None;
    }
    let takes = |at: usize| at > 0 && words[at - 1].starts_with('-') && !words[at - 1].contains('=');
    let plain = || words.iter().enumerate().filter(|(_, word)| !word.starts_with('-'));
    plain().find(|(at, _)| !takes(*at)).or_else(|| plain().next()).map(|(_, word)| *word)
}

/// Whether the exit status is that of the actual command, not of a later step that only shows or prints something.
pub(super) fn tells_status(command: &str) -> bool {
    let all = status_line(command);
    let strict = all.contains("set -e");
    let last = match last_statement(&all) {
        Some((before, _)) if !strict && runs(before) => return false,
        Some((_, last)) => last,
        None => &all,
    };
    let hidden = |step: &str| step.rsplit_once('|').is_some_and(|(first, last)| runs(first) && is_shown(last));
    !last.ends_with('&') && (all.contains("pipefail") || !last.split("&&").any(hidden))
}

/// Whether the exit status is that of a last statement that only looks, behind others that do more: `make; ls quay`.
/// The end of a loop has the status of that loop.
pub(super) fn ends_with_look(command: &str) -> bool {
    let all = status_line(command);
    let last = last_statement(&all).filter(|(before, _)| !before.contains("set -e") && runs(before));
    let decides = |last: &str| !runs(last) && !ends(last);
    last.is_some_and(|(before, last)| decides(last) && !may_exit(before) && all[before.len()..].starts_with(';'))
}

/// A command without quoted text, here-documents and redirections, in one line.
fn status_line(command: &str) -> String {
    let (before, document) = command.split_once("<<").unwrap_or((command, ""));
    let line = format!("{before} {}", document.lines().next().unwrap_or_default());
    let all = joined(&QUOTED.replace_all(&line, "''")).replace("2>&1", "").replace("&>", ">");
    all.trim().trim_end_matches(';').to_owned()
}

/// Splits a line of statements before the last one, at `;` or `||`.
fn last_statement(all: &str) -> Option<(&str, &str)> {
    let at = [";", "||"].iter().filter_map(|sign| all.rfind(sign)).max()?;
    Some((&all[..at], all[at..].trim_start_matches([';', '|'])))
}

fn runs(steps: &str) -> bool {
    steps.split([';', '&', '|']).any(|step| !is_quiet_step(step))
}

/// Whether the last stage of a pipe only shows its input.
fn is_shown(stage: &str) -> bool {
    let program = stage.split_whitespace().next().unwrap_or_default();
    program == "tee" || QUIET_PROGRAMS.contains(&program)
}

/// Whether a command ends with a search in its output, which exits with 1 if nothing is found.
pub(super) fn ends_with_search(command: &str) -> bool {
    let last = pipes(command).last().map_or("", |at| &command[at + 1..]);
    last.split_whitespace().next().is_some_and(|program| ["grep", "egrep", "rg"].contains(&program))
}

/// The offsets of the pipe signs outside of quotes.
pub(super) fn pipes(command: &str) -> impl Iterator<Item = usize> {
    let open = quoting(command).filter(|(_, letter, quote, escaped)| *letter == '|' && quote.is_none() && !escaped);
    open.map(|(at, ..)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_not_named_by_what_it_only_says() {
        assert_eq!(shown("cd quay; pkill -f lamp; sleep 1; echo \"--- out ---\""), "pkill -f lamp");
        assert_eq!(shown("ls quay && echo done"), "ls quay");
        assert_eq!((&*shown("sleep 2"), &*shown("cd quay && echo a > b")), ("sleep 2", "echo a > b"));
    }

    #[test]
    fn a_program_is_the_same_however_windows_starts_it() {
        assert_eq!(shown("npm.cmd run -w quay test"), "npm run -w quay test");
        assert_eq!(shown("cmd /c npm test && node.exe lamp.js"), "npm test && node lamp.js");
        assert_eq!(shown("cmd.exe /d /c npx.ps1 tide"), "npx tide");
        for other in [".\\build.ps1 all", "./lamp.exe on", "./run | tee node.exe -a", "make lamp.cmd all"] {
            assert_eq!(shown(other), other);
        }
    }

    #[test]
    fn what_a_quoted_text_says_with_quotes_in_it_is_no_step() {
        let search = r#"grep -rn "say \"a; git push --force origin main\" x" docs/lamp.md"#;
        assert_eq!(shown(search), search);
        assert_eq!(shown(r#"cd quay && grep "a \"b" c && make lamp"#), "make lamp");
        assert_eq!(shown("echo \"say \\\"one\ntwo\\\"\" lamp\nmake quay"), "make quay");
    }

    #[test]
    fn a_step_ends_outside_of_braces() {
        assert_eq!(first_step("Get-Tide | % { $_; $i++}; make"), Some(("Get-Tide | % { $_; $i++}", "make")));
        assert_eq!(first_step("echo { ; make"), Some(("echo { ", "make")));
        assert_eq!(first_step("light() { oil; wick; }"), None);
    }

    #[test]
    fn steps_of_powershell_that_only_look_are_left_out() {
        let all = [
            r"Set-Location D:\quay; npm run build 2>&1 | Select-Object -Last 3",
            r#"$exe = "C:\quay.exe"; $log = @(); npm run build"#,
            "npm run build",
        ];
        assert!(all.into_iter().all(|command| shown(command) == "npm run build"), "{:?}", all.map(shown));
        assert!(is_quiet("Get-Content a.md") && !is_quiet("$told = npm run build"));
    }

    #[test]
    fn a_last_statement_may_only_look() {
        for looks in ["make all; ls quay", "make all && make test; echo \"== quay ==\"; grep -c lamp quay.md | head -1"]
        {
            assert!(ends_with_look(looks), "{looks}");
        }
        for other in [
            "make all && ls quay",
            "make all || ls quay",
            "ls quay; make all",
            "ls; cat a",
            "set -e; make all; ls quay",
            "for one in a b; do make $one; sleep 2; done",
            "make all; if [ -f quay ]; then exit 1; fi; ls quay",
        ] {
            assert!(!ends_with_look(other), "{other}");
        }
    }

    #[test]
    fn a_pipe_in_quotes_begins_no_search() {
        assert!(ends_with_search(r#"tsc --pretty 2>&1 | grep -i "tide\|quay""#));
        assert!(ends_with_search("./gauge | rg 'a|b' "));
        for other in ["echo 'a | grep b'", "grep a b", r#"echo "a \" | grep b""#, "./gauge | grep a | wc -l"] {
            assert!(!ends_with_search(other), "{other}");
        }
    }

    #[test]
    fn a_command_is_shown_without_what_only_prepares_it() {
        assert_eq!(shown("cd /a && echo start; RUST_LOG=x cargo test"), "RUST_LOG=x cargo test");
        assert_eq!(shown("python3 - <<'END'\nprint(1)\nEND"), "python3 -");
        assert_eq!(shown("git add . && git commit -m \"$(cat <<'EOF'\nOne\nEOF\n)\""), "git commit");
        assert_eq!(shown("git commit -m \"$(cat <<'EOF'\nOne\nEOF\n)\" && git push"), "git commit && git push");
        assert_eq!(shown("cat > body.md <<EOF\nOne\nEOF\ngh pr edit 5"), "gh pr edit 5");
        assert_eq!(shown("./load <<< \"$x\"\nmake"), "./load <<< \"$x\"; make");
        assert_eq!(shown("cd /a"), "cd /a");
        let tried = "echo lit > lamp && cat lamp && rm lamp";
        assert_eq!([shown(tried), shown("ls quay && rm -r quay")], [tried, "rm -r quay"]);
        assert_eq!(shown("cargo test 2>&1 | tail -n 20"), "cargo test");
        assert_eq!(shown("quay get tide | sed -n '1,220p'"), "quay get tide");
        assert_eq!(shown("quay get tide | sed -n '/lamp/p'"), "quay get tide | sed -n '/lamp/p'");
        assert_eq!(shown("ssh quay 'ps -o pid | head -5'"), "ssh quay 'ps -o pid | head -5'");
        assert_eq!(shown("ssh quay 'ps -o pid' | head -5"), "ssh quay 'ps -o pid'");
        assert_eq!(shown("for f in a b; do printf '%s' $f; make $f; done"), "make $f");
        assert_eq!(shown("if [ -f x ]; then make x; fi"), "make x");
        assert_eq!(shown("cat x | jq 'walk(if a; then b)' && make it's; make"), "make it's; make");
        assert_eq!(shown("for f in a b; do cat $f; done"), "for f in a b; do cat $f; done");
        for whole in ["while read f; do wc -l $f; done < files.txt", "if [ -f x ]; then make b; else echo none; fi"] {
            assert_eq!(shown(whole), whole);
        }
        assert_eq!(parts("for f in a b"), None);
        assert_eq!(shown("for f in a b; do test -s $f && break; sleep 2; done; make b"), "make b");
        assert_eq!(shown("make x | head -1 && echo ok"), "make x | head -1 && echo ok");
        assert_eq!(shown("cd /a\n# all of it\nmake all \\\n  --fast\nmake test"), "make all --fast; make test");
        assert_eq!(shown("git commit -m \"One\n\nTwo\"\nmake"), "git commit -m \"One Two\"; make");
        assert_eq!(shown("git reset -q\ncat > x <<EOF\na\nEOF"), "git reset -q; cat > x");
    }

    #[test]
    fn a_program_on_the_command_line_is_a_script() {
        for command in
            ["for f in a b; do make $f; done", "n=$(wc -l a)", "(cd a; make)", "node -e 'x'", "python3 -u -c x"]
        {
            assert!(is_script(command), "{command}");
        }
        for command in ["make a", "python3 a.py", "cargo test -e", "node --check a.js"] {
            assert!(!is_script(command), "{command}");
        }
    }

    #[test]
    fn a_status_is_that_of_what_runs_last() {
        for command in [
            "make",
            "cd x; make && make test",
            "make > log 2>&1",
            "cat a | make",
            "set -o pipefail; make | tail -3",
            "set -euo pipefail; make a | tee log; make b",
            "git commit -m 'a; b | c || d'",
            "python3 - <<'E'\nx | y; z\nE",
        ] {
            assert!(tells_status(command), "{command}");
        }
        for command in [
            "make | tail -3",
            "make 2>&1 | tee log",
            "make; echo done",
            "make\necho done",
            "make || true",
            "make &",
            "make | grep -v x && echo ok",
            "for f in a b; do make $f; done",
            "python3 - <<'E' | head\nx\nE",
        ] {
            assert!(!tells_status(command), "{command}");
        }
        assert!(ends_with_search("make | grep error") && !ends_with_search("grep error log"));
    }

    #[test]
    fn a_command_of_one_step_has_a_program_and_a_first_argument() {
        assert_eq!(parts("bd close tide-1 --quiet"), Some(("bd close".into(), Some("tide-1"))));
        assert_eq!(parts("gh issue close --yes 7"), Some(("gh issue close".into(), Some("7"))));
        assert_eq!(parts("A=1 python3 -u a.py"), Some(("python3".into(), Some("a.py"))));
        assert_eq!(parts("go vet -vettool x -n=2 ./tides"), Some(("go vet".into(), Some("./tides"))));
        assert_eq!(parts("node -e \"new Lamp('a b (c)')\""), Some(("node".into(), None)));
        assert_eq!(parts("lamp 'red or green' on"), Some(("lamp".into(), None)));
        assert_eq!(parts("make a && make b"), None);
    }
}
