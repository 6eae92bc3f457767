//! Claims of a summary beyond those that `measure` reads: about one command or test by name, and counts of tests.

use super::acts::Acts;
use super::certain::Certain;
use super::denied_writes::Written;
use super::ended::Ended;
use super::outputs::{COUNT, Outputs};
use super::passing::Passing;
use super::returned::misreported;
use super::texts;
use super::unsure::unsure;
use super::verdicts::Verdicts;
use crate::gates::view::SummaryText;
use crate::gates::{Finding, Level};
use crate::measure::{Line, SourceText, claims, pattern, status::of_all};
use crate::summary::{Deed, DeedKind};
use regex::Regex;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// “`pytest -q` passes”, “tests/test_a.py::test_rows passes now”, “tests: pass”.
static PASSES: LazyLock<Regex> = LazyLock::new(|| {
    let good = r"(?:✅ ?)?(?:now |all |is |are )*(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)|(works))\b";
    pattern(&format!(r"(?i)`([^`]+)` {good}|([\w./-]+(?:::[\w\[\]-]+)+)`? {good}|\btests?: {good}"))
});
/// Words that make a sentence no claim: a condition, a wish, or a contrast.
static UNSURE: LazyLock<Regex> = LazyLock::new(|| {
    unsure("(?:check|confirm) that|untested|unverified|unclear|make sure|so that|to make|verif\\w*|asked|after")
});
/// “Ran `pytest -q`: ok: 7 passed”: the command, and how it ended.
static RAN: LazyLock<Regex> = LazyLock::new(|| pattern(r"^Ran `([^`]+)`(.*)$"));
/// “Last test run: 1 failed, 19 passed”: counts of the last run of tests.
static LAST: LazyLock<Regex> = LazyLock::new(|| {
    let last = "(?:last|latest|newest|most recent|final|current)";
    pattern(&format!(
        r"(?i)^(?:the )?{last} (?:tests? )?(?:run|results?|status)(?: of (?:the )?tests?)?(?::| gives| has| had) (.*)$"
    ))
});
/// “| `cargo test` | pass |”: a row of a table about a command that worked.
static ROW: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^\|\s*`?([^|`]+?)`?\s*\|\s*(?:✅\s*)?(?:pass(?:es|ed|ing)?|ok|green|success|succeeded)\s*(?:✅\s*)?\|",
    )
});
/// “23 of 24 tests pass”.
static SHARE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b\d+(?: of| out of|/) ?(?:the |all )*\d+\b[^.;]*?\bpass(?:es|ed|ing)?\b"));
/// A part and its whole.
static WHOLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(\d+)(?: of| out of|/) ?(?:the |all )*\d+\b"));
/// A count of tests at the beginning of a line.
static BEGINS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)^\d+ (?:passed|failed)\b"));
/// “7 of 43 tests fail”, “43 tests are failing”: a count at the beginning of a line, the number of all, and the outcome.
static TESTS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^(?:all (?:of )?(?:the )?)?(\d+)(?:(?: of| out of|/) ?(?:the |all )*(\d+))? tests? (?:still |now |are |is |have |has )*(pass|fail)(?:es|ed|s|ing)?\b",
    )
});
/// Words with which a line speaks of an earlier run.
static EARLIER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(?:later|earlier|before|first|initially|previously|then|was|were|had|until|after)\b")
});
/// Words with which a line speaks of the last run.
static NOW: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:now|still|pass|passes)\b"));

/// Returns a finding for each claim of the summary that calls refute; `all` is what the calls of the source did.
pub(super) fn refuted(
    source: &SourceText<'_>,
    all: &[Deed],
    summary: &[SummaryText],
    is_kept: &dyn Fn(usize) -> bool,
) -> Vec<Finding> {
    let outputs = Outputs::of(source);
    let (done, written) = (Done::of(all, source, &outputs, is_kept), Written::of(all, source, is_kept));
    let (certain, ended) = (Certain::of(all, source), Ended::of(all, source, is_kept));
    let mut findings = Vec::new();
    let mut find = |place: (usize, usize), (what, subject): Refuted, level: Level| {
        findings.push(Finding { level, ..Finding::new(place.0, what).at(place.1).about(subject) });
    };
    for text in summary {
        let lines: Vec<Line<'_>> = claims(&text.text).collect();
        let failures: Vec<(usize, &str)> =
            lines.iter().map(|line| line.text).enumerate().filter(|(_, line)| line.contains("failed")).collect();
        for line in lines.iter().filter(|line| line.tells()) {
            if let Some(found) = done.uncounted(line.text) {
                find((text.line, line.number), found, Level::Warn);
            }
        }
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.tells()) {
            let later = &lines[at + 1..];
            if let Some((what, command, certain)) = ended.refuted(line.text, later) {
                let level = if certain && text.ours { Level::Error } else { Level::Warn };
                find((text.line, line.number), (what, command), level);
            } else if let Some((found, level)) = done.miscounted(line.text, later) {
                find((text.line, line.number), found, level);
            } else if let Some(found) = done.outdated(line.text, later) {
                find((text.line, line.number), found, Level::Error);
            }
        }
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.tells() && !UNSURE.is_match(line.text)) {
            let later = &failures[failures.partition_point(|(failure, _)| *failure <= at)..];
            let found = done.passes(line.text, later).or_else(|| done.passes_in_row(line.text, later));
            let found = found.or_else(|| written.refuted(line.text, &text.text));
            if let Some(found) = found.or_else(|| certain.refuted(line.text)) {
                find((text.line, line.number), found, Level::Error);
            } else if let Some(found) = written.told_twice(line.text).filter(|_| text.ours) {
                find((text.line, line.number), found, Level::Warn);
            }
        }
    }
    let passing = Passing::of(all, source, &outputs, is_kept);
    let more: Vec<Finding> = summary.iter().flat_map(|text| passing.refuted(&text.text, text.line)).collect();
    let acts = Acts::of(all, source, &outputs);
    let undone = summary.iter().flat_map(|text| acts.refuted(&text.text, text.line, is_kept)).collect();
    with_more(with_more(with_more(findings, more), undone), misreported(summary, source, all, &outputs))
}

/// Adds findings about lines that have none yet, or only a warning where the new one is an error.
pub(super) fn with_more(mut findings: Vec<Finding>, more: Vec<Finding>) -> Vec<Finding> {
    let place = |one: &Finding| (one.line, one.summary_line);
    let is_error = |one: &&Finding| one.level == Level::Error;
    let errors: HashSet<_> = more.iter().filter(is_error).map(place).collect();
    findings.retain(|one| is_error(&one) || !errors.contains(&place(one)));
    let known: HashSet<_> = findings.iter().map(place).collect();
    findings.extend(more.into_iter().filter(|one| !known.contains(&place(one))));
    findings
}

type Refuted = (&'static str, String);

/// Runs of commands that claims are compared with, indexed for fast lookup.
struct Done<'d> {
    source: &'d SourceText<'d>,
    outputs: &'d Outputs<'d>,
    /// Command, as shown and as given → its last run that the summary covers (the call is not kept).
    runs: HashMap<&'d str, &'d Deed>,
    /// All actions of the transcript, in order.
    all: &'d [Deed],
    /// The last of the runs in `runs` that ran tests.
    tests: Option<&'d Deed>,
    /// Outcome of each test in that run.
    verdicts: OnceCell<Verdicts<'d>>,
}

impl<'d> Done<'d> {
    fn of(
        all: &'d [Deed],
        source: &'d SourceText<'d>,
        outputs: &'d Outputs<'d>,
        is_kept: &dyn Fn(usize) -> bool,
    ) -> Self {
        let (mut runs, mut tests) = (HashMap::new(), None);
        for deed in all.iter().filter(|deed| deed.failed.is_some() && !is_kept(deed.message)) {
            let DeedKind::Ran { shown, command, tests: is_test, .. } = &deed.kind else { continue };
            runs.extend([(shown.as_str(), deed), (command.trim(), deed)]);
            tests = is_test.then_some(deed).or(tests);
        }
        Self { source, outputs, runs, all, tests, verdicts: OnceCell::new() }
    }

    /// A command, a test or all tests are said to pass, although the last run failed, and no later line says that it
    /// failed.
    fn passes(&self, line: &str, later: &[(usize, &str)]) -> Option<Refuted> {
        let found = PASSES.captures(line)?;
        let named = found.get(1).or_else(|| found.get(3)).map(|found| found.as_str());
        let of_command = named.and_then(|named| self.runs.get(named)).copied();
        let what = if of_command.is_some() { texts::WORKED } else { texts::TESTS_PASS };
        let last = of_command.or(self.tests).filter(|deed| deed.failed == Some(true))?;
        if let Some(named) = named.filter(|_| of_command.is_none()) {
            let test = named.split_whitespace().rfind(|word| word.contains("::"))?;
            let works = [2, 4].into_iter().any(|group| found.get(group).is_some());
            // “Works” may be said of something that is no test.
            (!works && self.verdicts(last).failed(test)).then_some(())?;
        }
        let DeedKind::Ran { shown, .. } = &last.kind else { return None };
        let said = later.iter().any(|(_, line)| named.is_none_or(|named| line.contains(named)));
        (!said).then(|| (what, shown.clone()))
    }

    /// Outcome of each test in the last run of tests.
    fn verdicts(&self, run: &Deed) -> &Verdicts<'d> {
        self.verdicts.get_or_init(|| Verdicts::of(self.outputs.printed(run)))
    }

    /// A row of a table says that a command worked, and its last run failed.
    fn passes_in_row(&self, line: &str, later: &[(usize, &str)]) -> Option<Refuted> {
        let command = ROW.captures(line)?.get(1)?.as_str();
        let failed = self.runs.get(command)?.failed == Some(true);
        let said = later.iter().any(|(_, line)| line.contains(command));
        (failed && !said).then(|| (texts::WORKED, command.to_owned()))
    }

    /// A line “Ran `x`: …” or “Last test run: …”, the last one about that run, gives a count of tests that an earlier
    /// run had and the last run has not.
    fn outdated(&self, line: &str, later: &[Line<'_>]) -> Option<Refuted> {
        let (command, told) = match RAN.captures(line) {
            Some(found) => (Some(found.get(1)?.as_str()), found.get(2)?.as_str()),
            None => (None, LAST.captures(line)?.get(1)?.as_str()),
        };
        let run = match command {
            Some(command) => self.runs.get(command).copied(),
            None => self.tests,
        };
        let run = run.filter(|_| COUNT.is_match(told) && !EARLIER.is_match(told))?;
        let counts = self.outputs.counts_of(run);
        let mended = |other: &str| {
            let says = |[number, of]: &[&str; 2]| other.contains(number) && other.to_lowercase().contains(&of[..4]);
            command.is_some_and(|command| other.contains(command)) || PASSES.is_match(other) || counts.iter().any(says)
        };
        let kinds: Vec<&str> = COUNT.captures_iter(told).map(|found| found.extract::<2>().1[1]).collect();
        let is_twice = |(at, kind): (usize, &&str)| kinds[..at].iter().any(|other| other.eq_ignore_ascii_case(kind));
        if later.iter().any(|other| mended(other.text)) || kinds.iter().enumerate().any(is_twice) {
            return None;
        }
        let earlier = self.all.iter().filter(|deed| deed.message < run.message && deed.kind == run.kind);
        let earlier: Vec<[&str; 2]> = earlier.flat_map(|deed| self.outputs.counts_of(deed)).collect();
        let gives = |all: &[[&str; 2]], [number, what]: [&str; 2]| {
            all.iter().any(|[other, of]| *other == number && of.eq_ignore_ascii_case(what))
        };
        let wrong = COUNT.captures_iter(told).map(|found| found.extract().1).find(|&told| {
            let counted = counts.iter().any(|[_, of]| of.eq_ignore_ascii_case(told[1]));
            counted && !gives(&counts, told) && gives(&earlier, told)
        })?;
        Some(("a count of tests is not that of the last run", wrong.join(" ")))
    }

    /// A line gives a count of passed or failed tests (of all, or of a path that it names) that differs from the last
    /// run.
    fn miscounted(&self, line: &str, later: &[Line<'_>]) -> Option<(Refuted, Level)> {
        let share = of_all(line).filter(|_| SHARE.is_match(line));
        let counted = BEGINS.is_match(line).then(|| COUNT.captures_iter(line).map(|found| found.extract().1).collect());
        let mut told: Vec<[&str; 2]> = counted.unwrap_or_default();
        let tests = TESTS.captures(line).map(|found| (found.get(2), [1, 3].map(|at| found.get(at))));
        let all = tests.and_then(|(all, _)| all?.as_str().parse::<u64>().ok());
        told.extend(tests.and_then(|(_, [number, what])| Some([number?.as_str(), what?.as_str()])));
        if EARLIER.is_match(line) || share.is_none_or(|(some, all)| some >= all) && told.is_empty() {
            return None;
        }
        let run = self.run_named(line).or_else(|| share.and(self.tests)).or_else(|| tests.and(self.tests))?;
        let DeedKind::Ran { shown, .. } = &run.kind else { return None };
        let counts = self.outputs.counts_of(run);
        let number = |what: &str| {
            let mut all = counts.iter().filter(|[_, of]| of[..4].eq_ignore_ascii_case(&what[..4]));
            let one = all.next().and_then(|[number, _]| number.parse::<u64>().ok());
            if all.next().is_some() { None } else { one }
        };
        let (passed, failed) = (number("passed")?, number("failed").unwrap_or(0));
        let given = |[told, what]: &[&str; 2]| {
            told.parse().ok() == Some(if what[..4].eq_ignore_ascii_case("pass") { passed } else { failed })
        };
        let ran = passed.saturating_add(failed);
        let of_others = all.is_some_and(|all| all != ran && !self.source.says_number(&all.to_string()));
        let wrong = share.is_some_and(|(some, _)| some != passed) || told.iter().any(|told| !given(told)) || of_others;
        let mended = |other: &Line<'_>| other.text.contains(shown.as_str()) || PASSES.is_match(other.text);
        let said = || self.source.has(line.trim_end_matches(['.', '…']));
        if !wrong || later.iter().any(mended) || said() {
            return None;
        }
        let certain = share.is_some_and(|(_, all)| all == ran) && NOW.is_match(line);
        let level = if certain { Level::Error } else { Level::Warn };
        Some((("a count of tests is not that of the last run", line.to_owned()), level))
    }

    /// The last run of tests whose command contains a path named in the line.
    fn run_named(&self, line: &str) -> Option<&'d Deed> {
        let words = line.split(|sign: char| sign.is_whitespace() || sign == '`');
        let paths =
            words.map(|word| word.trim_end_matches(['.', ',', ':', ';', ')'])).filter(|word| word.contains('/'));
        let paths: Vec<&str> = paths.filter(|word| word.contains(char::is_alphabetic)).collect();
        let names = |command: &str| paths.iter().any(|path| command.split_whitespace().any(|word| word == *path));
        let ran = |deed: &&Deed| matches!(&deed.kind, DeedKind::Ran { command, tests: true, .. } if names(command));
        self.all.iter().filter(|deed| deed.failed.is_some()).rfind(ran)
    }

    /// A line gives a count of tests that is on no line of the original; only a warning, as it may be a sum.
    fn uncounted(&self, line: &str) -> Option<Refuted> {
        let last = self.tests?;
        // “11 of 12 passed” does not count 12 that passed.
        let line = WHOLE.replace_all(line, "$1");
        let told = COUNT.captures_iter(&line).map(|found| found.extract().1);
        let told: Vec<[&str; 2]> = told.filter(|[number, _]| number.bytes().any(|digit| digit != b'0')).collect();
        if told.is_empty() || self.outputs.counts_of(last).is_empty() {
            return None;
        }
        let says = |[number, what]: [&str; 2]| {
            let stem = what[..4].to_lowercase();
            let mut lines = self.source.lines().filter(|line| line.contains(number));
            let counts = |line: &str| line.split(|char: char| !char.is_ascii_digit()).any(|digits| digits == number);
            lines.any(|line| counts(line) && line.to_lowercase().contains(&stem))
        };
        let wrong = told.into_iter().find(|told| !says(*told))?;
        Some(("a count of tests that nothing in the original gives", wrong.join(" ")))
    }
}
