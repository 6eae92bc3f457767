//! Claims that all tests, or one by name, pass or fail: compared with the last runs that had them.

use super::outputs::{Outputs, Run};
use super::selected::{are_other_packages, less, may_select, selected};
use super::texts;
use super::unsure::unsure;
use crate::gates::{Finding, Level};
use crate::measure::tested::{limits, names};
use crate::measure::{Line, SourceText, claims, pattern};
use crate::summary::{Deed, NUMBER_WORDS, reports};
use crate::transcript::Author;
use regex::Regex;
use std::sync::LazyLock;

/// A sentence about all tests: “All 12 tests pass now”, “Everything is green”, “No tests fail”, “There are no
/// failures”.
static ALL: LazyLock<Regex> = LazyLock::new(|| {
    let start = r"^(?:(?:now|and|so|finally|with this|after this|ok|done),? )*";
    let good = r"(?:now |again |still )?(?:pass(?:es|ed)?|(?:is|are) (?:now |all )?(?:passing|green))";
    let tests = r"all (?:of )?(?:the )?(?:\d+ )?(?:unit |integration |other )?(?:tests?|checks|specs)";
    let suite = r"the (?:whole|full|entire|complete) (?:test )?suite";
    let fail = r"(?:still |now )?(?:fails?|failed|(?:is|are) (?:still |now )?(?:failing|broken|red))";
    let none = r"(?:there are |there is )?no (?:test )?(?:failures?|failing tests?)(?: left| remaining| remain)?";
    let end = r"(?: now| again| locally| any ?more)?$";
    let ran = r"(?:i |we )?(?:have )?(?:re-?)?ran (?:all )?(?:of )?the (?:whole |full )?(?:tests?|test suite|suite)(?: again)?,? and (?:they|it|all|everything)(?: all)?";
    pattern(&format!(
        r"(?i){start}(?:(?:{tests}|{suite}|everything|all|{ran}) {good}|all green|(?:no tests?|none of the tests|nothing) {fail}|{none}){end}"
    ))
});
/// A sentence about all tests of a folder or file: “All tests in src/net pass”.
static WITHIN: LazyLock<Regex> = LazyLock::new(|| {
    let tests = r"all (?:of )?(?:the )?(?:\d+ )?(?:unit |integration |other )?(?:tests?|checks|specs)";
    let good = r"(?:now |again |still )?(?:pass(?:es|ed)?|(?:is|are) (?:now |all )?(?:passing|green))(?: now| again)?";
    pattern(&format!(r"(?i)^(?:now,? )?{tests} (?:in|of|under) `?([\w./-]+)`? {good}$"))
});
/// A sentence about some tests by name: “All e2e tests pass now”.
static SOME_PASS: LazyLock<Regex> = LazyLock::new(|| {
    let good =
        r"(?:now |again |still |all )*(?:pass(?:es|ed)?|(?:is|are) (?:now |all )*(?:passing|green))(?: now| again)?";
    pattern(&format!(r"(?i)^(?:now,? )?((?:all |the |our )+(?:of the )?(?:\d+ )?(?:[\w`'’/-]+ ){{1,2}})tests? {good}$"))
});
/// Words that leave some of these tests out.
static OTHER: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:other|remaining|rest)\b"));
/// “The full test suite was green after the rename”: it is said of all tests at some time.
static WAS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)^the (?:whole|full|entire|complete) (?:test )?suite (?:(?:was|is) (?:green|passing)|passed)(?: (?:after|with|on|for)\b.*)?$",
    )
});
/// A test by name that passes: “`test_login` passes”, “tests/test_a.py::TestLogin is green”, “rows::sum passes again”.
static ONE: LazyLock<Regex> = LazyLock::new(|| {
    let good = r"(?:\(\))?`? (?:now |is |again )*(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed))\b";
    pattern(&format!(
        r"(?i)(?:^|[\s`(])([\w./:\[\]-]*test[\w./:\[\]-]*){good}|^`?([\w:]*(?:_|::)[\w:]*){good}(?: again| now)?$"
    ))
});
/// Words that make a sentence no claim.
static UNSURE: LazyLock<Regex> = LazyLock::new(|| unsure("sure|check|confirm|so that|to make|verif\\w*|after"));
/// A sentence about all tests: “The tests still fail.”
static FAIL: LazyLock<Regex> = LazyLock::new(|| {
    let tests = r"(?:the |all (?:the )?)?(?:tests?|(?:test )?suite)";
    pattern(&format!(r"(?i)^{tests} (?:still |now )*(?:fails?|(?:is|are) (?:still |now )*(?:failing|red))$"))
});
/// A sentence about some tests: “2 of 43 tests fail”, “The quay tests still fail”, “Tests: failing”; the words before
/// “tests”, and the file behind “in”.
static SOME_FAIL: LazyLock<Regex> = LazyLock::new(|| {
    let number = format!(r"(?:\d+|{}|some|several)", NUMBER_WORDS.join("|"));
    let before = format!(r"(?:(?:{number}|all) (?:of )?)?(?:the |our )?(?:\d+ )?(?:[\w`'’./-]+ ){{0,2}}");
    let still = "(?:still |now |currently )*";
    let fail = format!(r"{still}(?:fails?|(?:is|are) {still}(?:failing|broken|red))");
    let behind = r#"(?: in `?([\w./-]+)`?| with [“"\d].*)?"#;
    pattern(&format!(
        r"(?i)^(?:({before})(?:tests?|(?:test )?suite) {fail}{behind}|tests?(?: status| suite)?: (?:❌ ?|✗ ?)?(?:failing|failed|red|broken))$"
    ))
});
/// A test by name that fails: “`test_large` still fails”, “rows::sum is failing: timeout”.
static FAILS: LazyLock<Regex> = LazyLock::new(|| {
    let verb = r"(?:still |now )*(?:fails|(?:is )?(?:still |now )*(?:failing|red))";
    pattern(&format!(
        r"(?i)(?:^|[\s(])`?([\w./:\[\]-]*(?:test|::)[\w./:\[\]-]*)(?:\(\))?`? {verb}(?:[.,:;(]|$| [—–-] | with\b)"
    ))
});
/// Words that say a test fails at the end, not only before something was mended.
static NOW: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:still|now|currently)\b|^tests?(?: \w+)?:"));
/// Words before “tests” that say how many, or that all are meant.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    let number = NUMBER_WORDS.join("|");
    pattern(&format!(r"(?i)^(?:(?:the|our|all|of|unit|full|whole|entire|complete|some|several|\d+|{number}) )+$"))
});
/// Words before “tests” that make the sentence none about tests that fail here and now.
static NONE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:no|not|none|zero|0|any|if|when\w*|once|until|unless|user['’]?s?|other|flaky|ci|their|existing|pre-existing)\b",
    )
});
/// Words that make a sentence no claim that a test fails in every run, or now.
static RARELY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:not|cannot|\w+n['’]t|never|no longer|until|unless|if|when\w*|once|whether|with(?:out)? (?:the|a|an|no|only)|on|under|in|before|after|except|but|only|was|were|had|would|will|can|could|may|might|should|must|expected|sometimes|occasional\w*|intermittent\w*|flak\w*|random\w*|often|earlier|first|initially|previously|then|skip\w*|x?fail(?:ed)?|ignor\w*|disabl\w*|remov\w*|delet\w*|user)\b|\?",
    )
});
/// Tests that a run left out.
static LEFT_OUT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b[1-9]\d* (?:skipped|ignored|xfailed|xpassed|deselected|pending|todo|disabled|filtered)\b")
});
const SOME: &str = "tests are said to pass, and since they failed only some of them ran";
const TEST: &str = "a test is said to pass, and its last run failed";
const ALL_PASSED: &str = "tests are said to fail, and their last run passed";
const PASSED: &str = "a test is said to fail, and its last run passed";

/// The runs of tests that the summary covers.
pub(super) struct Passing<'d> {
    source: &'d SourceText<'d>,
    outputs: &'d Outputs<'d>,
    runs: Vec<Run<'d>>,
    /// Index of the last failed run, unless a later run may have covered as many tests.
    failed: Option<usize>,
    /// Runs after the last failed one, if all covered less: for each, the words that select its tests.
    since: Vec<Vec<&'d str>>,
    /// An earlier summary or reports of subagents are there: other runs may have happened.
    unseen: bool,
}

impl<'d> Passing<'d> {
    /// Collects the runs that the summary covers (their calls are not kept).
    pub(super) fn of(
        all: &'d [Deed],
        source: &'d SourceText<'d>,
        outputs: &'d Outputs<'d>,
        is_kept: &dyn Fn(usize) -> bool,
    ) -> Self {
        let runs = Run::all(all.iter().filter(|deed| !is_kept(deed.message)));
        let failed = runs.iter().rposition(Run::failed);
        let later = |at: usize| runs[at + 1..].iter().map(|run| less(run, &runs[at], outputs)).collect();
        let since: Option<Vec<Vec<&str>>> = failed.and_then(later);
        let messages = source.messages();
        let unseen = messages.iter().any(|message| message.author == Author::Summary) || !reports(messages).is_empty();
        let failed = failed.filter(|_| since.is_some());
        Self { source, outputs, runs, failed, since: since.unwrap_or_default(), unseen }
    }

    /// Returns a finding for each sentence of a text that says tests pass or fail which did not.
    pub(super) fn refuted(&self, text: &str, line_of_text: usize) -> Vec<Finding> {
        let lines: Vec<Line<'_>> = claims(text).filter(Line::tells).collect();
        // From the last line back: later lines may mention the failure, or that it is over.
        let (mut later, mut findings) = (Later::default(), Vec::new());
        for line in lines.iter().rev() {
            for sentence in sentences(line.text) {
                let found = self.passes(line, sentence, &later).or_else(|| self.fails(sentence, &later));
                findings.extend(found.map(|(what, level, run)| Finding {
                    level,
                    ..Finding::new(line_of_text, what).at(line.number).about(run.shown())
                }));
            }
            if line.text.contains("fail") && !ALL.is_match(line.text.trim_end_matches(['.', '!', '…'])) {
                later.failing.push(line.text);
            }
            if line.text.contains("pass") || line.text.contains("green") {
                later.passing.push(line.text);
            }
        }
        findings.reverse();
        findings
    }

    /// Checks a sentence that says tests pass.
    fn passes(&self, line: &Line<'_>, sentence: &str, later: &Later<'_>) -> Option<Refuted<'_, 'd>> {
        let failed = || self.failed.map(|at| &self.runs[at]).filter(|_| later.failing.is_empty());
        if ALL.is_match(sentence) {
            let run = failed()?;
            return self.all(line, sentence, run).map(|(what, level)| (what, level, run));
        }
        // Where the last run failed, the whole line is judged as a claim.
        if let Some(clause) = clauses(sentence).find(|clause| ALL.is_match(clause)).filter(|_| !self.since.is_empty()) {
            let run = failed().filter(|_| !UNSURE.is_match(sentence))?;
            return self.all(line, clause, run).map(|(what, level)| (what, level, run));
        }
        let folder = WITHIN.captures(sentence).and_then(|found| found.get(1)).map(|found| found.as_str());
        let some = SOME_PASS.captures(sentence).filter(|_| !OTHER.is_match(sentence));
        let some = some.and_then(|found| limits(found.get(1)?.as_str()));
        let own = folder.map(|folder| vec![folder]).or(some).filter(|own| !own.is_empty());
        let within = own.and_then(|own| failed().filter(|run| self.fails_within(&own, run)));
        let within = within.map(|run| (texts::TESTS_PASS, Level::Error, run)).or_else(|| self.was(sentence, later));
        within.or_else(|| self.one(sentence, later))
    }

    /// Checks a sentence that says the whole suite passed at some time: wrong if a run failed, and all that ever passed
    /// covered less.
    fn was(&self, sentence: &str, later: &Later<'_>) -> Option<Refuted<'_, 'd>> {
        WAS.captures(sentence).filter(|_| !self.unseen && later.failing.is_empty())?;
        let is_less = |run: &Run<'d>| run.failed() || self.is_part(run);
        let run = self.runs.iter().rfind(|run| run.failed() && !self.is_part(run))?;
        let refuted = self.runs.iter().all(is_less) && !self.source.has(sentence);
        refuted.then_some((SOME, Level::Warn, run))
    }

    /// Whether a run covered less than another one that failed.
    fn is_part(&self, run: &Run<'d>) -> bool {
        self.runs.iter().any(|other| other.failed() && less(run, other, self.outputs).is_some())
    }

    /// Checks a sentence that says all tests pass, of which this run failed.
    fn all(&self, line: &Line<'_>, sentence: &str, failed: &Run<'d>) -> Option<(&'static str, Level)> {
        if self.since.is_empty() {
            return Some((texts::TESTS_PASS, Level::Error));
        }
        let said = |by_agent| [line.text, sentence].iter().any(|text| self.is_said(text, failed, by_agent));
        let mut names = failed.verdicts(self.outputs).names().peekable();
        let has_names = names.peek().is_some();
        let redone = has_names && names.all(|name| self.is_redone(name)) && !self.are_others(failed);
        if self.unseen || redone || said(false) {
            return None;
        }
        // The agent may know that the part which ran since is all that was left.
        Some((SOME, if has_names && !said(true) { Level::Error } else { Level::Warn }))
    }

    /// Whether the agent, whose calls are known, says a text after a run, or somebody else at any time.
    fn is_said(&self, text: &str, run: &Run<'_>, by_agent: bool) -> bool {
        let text = text.trim_end_matches(['.', '…']);
        let messages = self.source.messages().iter().skip(if by_agent { run.deed.message + 1 } else { 0 });
        let mut own = messages.filter(|message| (message.author == Author::Model) == by_agent);
        own.any(|message| message.parts.iter().any(|part| part.text.contains(text)))
    }

    /// Whether packages failed in a run, and later runs name others only.
    fn are_others(&self, failed: &Run<'d>) -> bool {
        let later = self.runs.iter().filter(|run| run.deed.message > failed.deed.message);
        are_other_packages(failed, later, self.outputs)
    }

    /// Whether a test of a folder or file failed: one with all of these names in its own.
    fn fails_within(&self, names: &[&str], failed: &Run<'d>) -> bool {
        let stem = |name: &str| {
            let last = name.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            last.split('.').next().unwrap_or_default().to_owned()
        };
        let stems: Vec<String> = names.iter().map(|name| stem(name)).collect();
        let has = |name: &str, stem: &str| {
            // The extension of a file is none of its names.
            let bare = |piece: &'_ str| piece.rsplit_once('.').map_or(piece.len(), |(bare, _)| bare.len());
            name.split(['/', ':']).any(|piece| piece[..bare(piece)].split('.').any(|one| one == stem))
        };
        let is_in = |name: &str| stems.iter().all(|stem| !stem.is_empty() && has(name, stem));
        failed.verdicts(self.outputs).names().any(|name| is_in(name) && !self.is_redone(name))
    }

    /// Whether a run after the last failed one may have included the test.
    fn is_redone(&self, test: &str) -> bool {
        self.since.iter().any(|words| may_select(words, test))
    }

    /// Checks a sentence that says one test passes: wrong if it failed in the last run that included it.
    fn one(&self, sentence: &str, later: &Later<'_>) -> Option<Refuted<'_, 'd>> {
        let found = ONE.captures(sentence).filter(|_| !UNSURE.is_match(sentence))?;
        let name = found.get(1).or_else(|| found.get(2))?.as_str();
        let (run, failed) = self.last_of(name)?;
        let refuted = failed && !later.failing.iter().any(|line| line.contains(name));
        refuted.then_some((TEST, Level::Error, run))
    }

    /// Checks a sentence that says tests fail: wrong if the last run that included them passed.
    fn fails(&self, sentence: &str, later: &Later<'_>) -> Option<Refuted<'_, 'd>> {
        // “It fails” may be the problem that was mended, as a later line tells.
        let now = NOW.is_match(sentence);
        if !now && !later.passing.is_empty() {
            return None;
        }
        if FAIL.is_match(sentence) {
            let last = self.runs.last().filter(|_| self.all_is_over())?;
            return Some((ALL_PASSED, Level::Error, last));
        }
        if let Some(found) = SOME_FAIL.captures(sentence) {
            let (before, file) = (found.get(1).map_or("", |words| words.as_str()), found.get(2));
            // What it quotes may be said by a run that is none of tests.
            let level = if now && !sentence.contains(['"', '“']) { Level::Error } else { Level::Warn };
            let run = self.passed_all(before, file.map(|file| file.as_str()))?;
            return (!self.source.has(sentence)).then_some((ALL_PASSED, level, run));
        }
        let found = FAILS.captures(sentence)?;
        let (name, rest) = (found.get(1)?.as_str(), sentence.replacen(&found[0], " ", 1));
        let (run, failed) = self.last_of(name).filter(|_| !RARELY.is_match(&rest))?;
        let said = || later.passing.iter().any(|line| line.contains(name)) || self.is_said_to_fail(name, run);
        (!failed && !said()).then_some((PASSED, if now { Level::Error } else { Level::Warn }, run))
    }

    /// The last run of the tests that a sentence is about, if it passed and no other failure is left; `before`: the words
    /// before “tests”, `file`: their file.
    fn passed_all(&self, before: &str, file: Option<&str>) -> Option<&Run<'d>> {
        let own = limits(before).or_else(|| NUMBERED.is_match(before).then(Vec::new));
        let own = own.or_else(|| before.trim().is_empty().then(Vec::new))?;
        let of_own = |run: &&Run<'d>| own.is_empty() || names(run.shown(), &own);
        let last = self.runs.iter().rfind(of_own).filter(|last| !last.failed() && self.all_is_over())?;
        let ran =
            |run: &Run<'d>| file.is_none_or(|file| self.outputs.printed(run.deed).any(|line| line.contains(file)));
        let known = self.runs.iter().filter(|run| run.shown() == last.shown()).any(ran);
        (!NONE.is_match(before) && known).then_some(last)
    }

    /// Whether no run failed, or one after the last failed one passed all of its tests.
    fn all_is_over(&self) -> bool {
        let failed = self.runs.iter().rposition(Run::failed);
        failed.is_none_or(|at| self.runs[at + 1..].iter().any(|later| self.is_again(later, &self.runs[at])))
    }

    /// Whether something after a run says that a test fails, such as a later run that is kept.
    fn is_said_to_fail(&self, test: &str, run: &Run<'_>) -> bool {
        let mut parts = self.source.messages().iter().skip(run.deed.message + 1).flat_map(|message| &message.parts);
        let says = |line: &str| line.contains(test) && line.to_lowercase().contains("fail");
        parts.any(|part| part.text.lines().any(says))
    }

    /// The last run that included a test, and whether the test failed in it; `None` if that is not known.
    fn last_of(&self, test: &str) -> Option<(&Run<'d>, bool)> {
        let mut since: Vec<&Run<'d>> = Vec::new();
        for run in self.runs.iter().rev() {
            let verdicts = run.verdicts(self.outputs);
            if verdicts.failed(test) {
                if let Some(again) = since.iter().find(|later| self.is_again(later, run)) {
                    return Some((again, false));
                }
                let test = verdicts.named(test).unwrap_or(test);
                let other = |later: &&Run<'d>| {
                    selected(later, run, self.outputs).is_some_and(|words| !may_select(&words, test))
                };
                return since.iter().all(other).then_some((run, true));
            }
            if verdicts.passed(test) {
                return Some((run, false));
            }
            since.push(run);
        }
        None
    }

    /// Whether a run passed all tests of another run.
    fn is_again(&self, run: &Run<'d>, other: &Run<'d>) -> bool {
        let counts = || self.outputs.passed(run.deed, false).zip(self.outputs.passed(other.deed, true));
        !run.failed()
            && run.shown() == other.shown()
            && counts().is_none_or(|(passed, all)| passed >= all)
            && !self.outputs.printed(run.deed).any(|line| LEFT_OUT.is_match(line))
    }
}

/// What is wrong, its level, and the run that shows it.
type Refuted<'p, 'd> = (&'static str, Level, &'p Run<'d>);

/// Lines of a summary after the one that is checked.
#[derive(Default)]
struct Later<'t> {
    failing: Vec<&'t str>,
    passing: Vec<&'t str>,
}

/// The clauses of a sentence: “The rows are summed, and all tests pass” has two.
fn clauses(sentence: &str) -> impl Iterator<Item = &str> {
    let pieces = sentence.split(", ").flat_map(|piece| piece.split(" — ")).flat_map(|piece| piece.split(" and "));
    pieces.map(|piece| piece.strip_prefix("and ").unwrap_or(piece).trim())
}

/// Splits a line into sentences, without their closing marks.
pub(super) fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let pieces = line.split(". ").flat_map(|piece| piece.split("; ")).flat_map(|piece| piece.split("! "));
    pieces.map(|piece| piece.trim().trim_end_matches(['.', '!', '…', '*']).trim_start_matches('*').trim())
}
