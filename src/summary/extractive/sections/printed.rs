//! What a command printed, where that says more than its outcome.

use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::args::Args;
use crate::summary::extractive::calls::diagnostics::echoed_status;
use crate::summary::extractive::calls::outcome::{LARGEST_OBJECT, headed_status};
use crate::summary::extractive::calls::output::{output, own_lines};
use crate::summary::extractive::calls::testing::runs_tests;
use crate::summary::extractive::calls::wrapped;
use crate::summary::text::{contains_any, cut, fold, has_digit, starts_any, words};

/// Maximum length of quoted output, in characters.
const PRINTED: usize = 80;
/// Number of fields told of an object that a command printed.
const FIELDS: usize = 4;

/// The output of a command after `lead`, if it is one short line with news, or ends with one that has a number.
pub(super) fn printed(shown: &str, act: &Act<'_>, lead: &str) -> String {
    // An unanswered prompt is the last output.
    let verb = |line: &str, is_only| match is_only {
        _ if line.starts_with("? ") => "asked",
        true => "printed",
        false => "ended with",
    };
    told(shown, act).map_or_else(String::new, |(line, is_only)| format!("{lead}{} “{line}”", verb(&line, is_only)))
}

/// What came of a command: that line in quotes or, if it printed an object, its first fields.
pub(super) fn result_of(shown: &str, act: &Act<'_>) -> Option<String> {
    told(shown, act).map(|(line, _)| format!("“{line}”")).or_else(|| fields(&output(act.result)))
}

/// The first fields of a small object.
fn fields(output: &str) -> Option<String> {
    let own = Some(output).filter(|output| output.len() <= LARGEST_OBJECT)?;
    let own = own_lines(own).collect::<Vec<_>>().join("\n");
    let object = wrapped::object(&own)?;
    let fields = wrapped::core(Args::read(&object)).brief();
    let fields = fields.iter().filter_map(|field| field.split_once('=')).filter(|(name, _)| !name.ends_with("_at"));
    let words = fields.map(|(name, value)| format!("{name} {value}"));
    let told = fold(&words.take(FIELDS).collect::<Vec<_>>().join(", "));
    let is_plain = !told.is_empty() && !told.contains(['`', '“', '”']);
    is_plain.then(|| cut(&told, PRINTED).into_owned())
}

/// The line of an output that says more than its outcome, and whether it is the only one.
fn told(shown: &str, act: &Act<'_>) -> Option<(String, bool)> {
    let is_exact = |word: &&str| has_digit(word);
    // Words that only repeat the command are no news.
    let repeats = |line: &str| {
        let mut exact = line.split_whitespace().filter(is_exact).peekable();
        exact.peek().is_some() && exact.all(|word| shown.contains(word))
    };
    // A status that it prints itself is part of the outcome already.
    let is_status = |line: &str| echoed_status(shown, line).or_else(|| headed_status(line)).is_some();
    // Signs of Braille are the frames of a spinner.
    let is_drawn = |line: &str| line.contains(|char| ('\u{2800}'..='\u{28ff}').contains(&char));
    let is_short =
        |line: &String| line.chars().count() <= PRINTED && !line.contains(['`', '“', '”', '{']) && !is_drawn(line);
    // Passed tests are printed by their count only.
    let can_tell =
        |line: &String| is_short(line) && !is_status(line) && !is_of_git(line) && !repeats(line) && !runs_tests(shown);
    let output = output(act.result);
    let last = || last_of(&output).filter(|(line, is_only)| can_tell(line) && (*is_only || is_result(line)));
    verdict(&output).filter(|(line, _)| can_tell(line)).or_else(last)
}

/// Beginnings of lines of a help text, and words of one below them.
const USAGE: [&str; 3] = ["Usage:", "USAGE:", "usage:"];
const OPTIONS: [&str; 4] = ["--help", "Available Commands:", "Commands:", "Options:"];
/// Words of a command that asks for help.
const ASKS_HELP: [&str; 5] = ["--help", "-h", "help", "-help", "/?"];
/// Maximum number of lines above the usage.
const ABOVE: usize = 40;

/// Whether a command that did not ask for it printed only its help: it does not know what it was given.
pub(super) fn prints_help(shown: &str, act: &Act<'_>) -> bool {
    let output = output(act.result);
    let has_usage = own_lines(&output).take(ABOVE).any(|line| starts_any(line, &USAGE));
    // Of several steps others may have done something.
    let is_asked =
        contains_any(shown, &["|", "&&", "; "]) || shown.split_whitespace().any(|word| ASKS_HELP.contains(&word));
    has_usage && !is_asked && shown.contains(' ') && own_lines(&output).any(|line| contains_any(line, &OPTIONS))
}

/// Beginnings of lines with which git and tools tell no result.
const NO_RESULTS: [&str; 6] = ["To ", "create mode ", "delete mode ", "## ", "Switched to ", "(Interactive session"];

/// Whether a line is one of git or a tool that is no result: `To <url>`, `create mode …`, or a hash with its branches.
fn is_of_git(line: &str) -> bool {
    let is_hash = |word: &str| word.len() >= 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
    starts_any(line, &NO_RESULTS) || is_hash(first) && (rest.is_empty() || rest.starts_with('('))
}

/// Marks of tools where they cut an output.
const CUTS: [&str; 5] = ["omitted", "truncated", "more line", "lines below", "lines remaining"];

/// Whether the last of several lines says a result: words with a number.
fn is_result(line: &str) -> bool {
    let is_word = |word: &&str| word.chars().filter(|char| char.is_alphabetic()).count() > 1;
    let is_plain = !line.contains(['}', '<', '[', '\\']) && !line.ends_with([',', ';']);
    let is_cut = || contains_any(line, &CUTS);
    // Its status is told already.
    is_plain
        && !is_cut()
        && !line.contains(" with code ")
        && has_digit(line)
        && !contains_any(line, &PROGRESS)
        && (line.split_whitespace().filter(is_word).count() > 1 || line.split_once([':', '=']).is_some_and(is_value))
}

/// Signs of a bar of progress.
const PROGRESS: [&str; 2] = ["%|", "it/s"];

/// Whether a line is a name with a number: “loss: 0.53”.
fn is_value((name, value): (&str, &str)) -> bool {
    name.chars().filter(|char| char.is_alphabetic()).count() > 1 && value.trim().parse::<f64>().is_ok()
}

/// Words before a colon with which a script says its result.
const VERDICTS: [&str; 8] = ["SUCCESS", "RESULT", "RESULTS", "CONCLUSION", "VERDICT", "TOTAL", "FINDING", "CONFIRMED"];
/// Maximum number of lines in which the verdict is searched, the last ones.
const LAST: usize = 12;

/// Whether a line is the verdict of a script: “SUCCESS: the lamps burn”.
fn is_verdict(line: &str) -> bool {
    let Some((word, rest)) = line.split_once(':') else { return false };
    let word = word.trim_matches(|char: char| !char.is_alphanumeric());
    VERDICTS.contains(&word) && rest.split_whitespace().count() > 1
}

/// The only line that a program ticks, behind which it may give hints: “✓ Created 12 lamps”.
fn only_ticked(output: &str) -> Option<&str> {
    let mut ticked = own_lines(output).take(LAST).filter(|line| line.starts_with(['✓', '✔', '✅']));
    ticked.next().filter(|line| ticked.next().is_none() && line.split_whitespace().nth(2).is_some())
}

/// The last verdict at the end of an output, else the line that it ticks, and whether it is the only line.
fn verdict(output: &str) -> Option<(String, bool)> {
    let line = own_lines(output).rev().take(LAST).find(|line| is_verdict(line)).or_else(|| only_ticked(output))?;
    Some((fold(line), own_lines(output).nth(1).is_none()))
}

/// The last line of an output, and whether it is the only one.
fn last_of(output: &str) -> Option<(String, bool)> {
    let mut lines = own_lines(output);
    let first = lines.next()?;
    let last = lines.next_back();
    Some((fold(last.unwrap_or(first)), last.is_none()))
}

/// The output of a command if it is a single line.
pub(super) fn only_line(result: &str) -> Option<String> {
    last_of(&output(result)).filter(|(_, is_only)| *is_only).map(|(line, _)| line)
}

/// The first line of an output, unless it heads the columns of a table.
pub(super) fn first_line(result: &str) -> Option<String> {
    let output = output(result);
    let mut lines = own_lines(&output);
    let first = lines.next()?;
    (!lines.next().is_some_and(|next| heads(first, next))).then(|| fold(first))
}

/// Whether a line heads the columns of the next one: “month | rev | n”, “NAME  READY  STATUS”.
fn heads(line: &str, next: &str) -> bool {
    let is_letter = |char: char| char.is_uppercase() || char.is_whitespace() || "_-/%()".contains(char);
    let wide = |line: &str| line.replace('\t', "  ").split("  ").filter(|field| !field.trim().is_empty()).count();
    let bars = |line: &str| line.matches('|').count();
    let is_told = has_digit(line) || line.contains(": ");
    let in_bars = || line.contains(" | ") && !is_told && bars(line) == bars(next);
    in_bars() || words(line) > 2 && line.chars().all(is_letter) && wide(line) > 1 && wide(line) == wide(next)
}

#[cfg(test)]
mod tests {
    use super::super::told_of_run as told;

    #[test]
    fn a_command_that_prints_its_help_did_nothing() {
        let help =
            "Work with lamps.\n\nUsage:\n  lamp tide [flags]\n\nFlags:\n  -h, --help  help for tide\nExit code: 0";
        assert_eq!(told("lamp tide lit quay-7", help), "Ran `lamp tide lit quay-7`: only printed its help");
        assert_eq!(told("lamp -h tide", help), "Ran `lamp -h tide`: ok");
        assert_eq!(told("lamp out && lamp tide lit", help), "Ran `lamp out && lamp tide lit`: ok");
    }

    #[test]
    fn the_only_line_that_a_command_printed_is_told() {
        assert_eq!(told("./count tides", "12 tides"), "Ran `./count tides`: printed “12 tides”");
        assert_eq!(told("./make quay", "? Which 2 lamps » No"), "Ran `./make quay`: asked “? Which 2 lamps » No”");
        assert_eq!(told("./count tides", "(no output)"), told("./count tides", ""));
        assert_eq!(told("./count tides", "12 tides\nExit code: 0"), "Ran `./count tides`: ok, printed “12 tides”");
        assert_eq!(told("./count tides", "high\nlow"), "Ran `./count tides`");
        let checked = "Ran `./count tides`: ended with “SUCCESS: the tides match”";
        assert_eq!(told("./count tides", "one tide\nSUCCESS: the tides match\ncleaning up 7 files"), checked);
        let ticked = "Ran `./count tides`: ended with “✓ Created board: all tides”";
        assert_eq!(told("./count tides", "✓ Created board: all tides\nRoot: b\nNext: ./count rm b # forget 7"), ticked);
        assert_eq!(told("./count tides", "⠼⠴⠦⠧ 7 tides"), "Ran `./count tides`", "a spinner");
        let alone = "Ran `./count tides`: printed “SUCCESS: the tides match”";
        assert_eq!(told("./count tides", "SUCCESS: the tides match"), alone);
        let long = format!("RESULT: {}\n12 tides in all", "tide ".repeat(40));
        assert_eq!(told("./count tides", &long), "Ran `./count tides`: ended with “12 tides in all”", "it is too long");
        let ended = "Ran `./count tides`: ended with “12 tides in all”";
        assert_eq!(told("./count tides", "high: 7\nlow: 5\n12 tides in all"), ended);
        assert_eq!(told("./count tides", "12 tides in all\n7, 5,"), "Ran `./count tides`");
        assert_eq!(told("./count tides", "high: 7\n... 300 lines omitted"), "Ran `./count tides`");
        assert_eq!(told("./count --from 12", "counting from 12"), "Ran `./count --from 12`", "nothing new");
        for line in [
            "To https://example.org/tide7.git",
            "create mode 100644 lamp7.md",
            "## main...origin/main 7",
            "Switched to branch 'quay7'",
            "3f2a91c (HEAD -> quay)",
            "3f2a91c",
            "(Interactive session 7 is open)",
        ] {
            assert_eq!(told("./count tides", line), "Ran `./count tides`", "{line}");
        }
        assert_eq!(told("./count tides", &"tide ".repeat(40)), "Ran `./count tides`");
    }
}
