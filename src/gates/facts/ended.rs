//! Claims about how commands ended, which are wrong if all runs ended otherwise, or in the other order. All runs of the
//! original are searched, also kept ones.

use super::steps::end_of;
use super::texts;
use super::unsure::unsure;
use crate::facts::{Class, Fact, commands};
use crate::measure::{Line, SourceText, pattern};
use crate::summary::{ALSO_FAILED, ALSO_WORKED, Deed, DeedKind, reports, shell_words};
use crate::transcript::Author;
use regex::Regex;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// “Ran `x`: ok”, “Ran `x`: failed, later ok: …”.
static RAN: LazyLock<Regex> = LazyLock::new(|| pattern(r"^Ran `([^`]+)`: (ok|failed)\b(.*)$"));
/// “`x` failed, later ok: …”, “`x` still fails.”, “`x` is still failing.”
static ENDED: LazyLock<Regex> = LazyLock::new(|| {
    let fails = "fails|is (?:still |now |currently )?(?:failing|broken|red)";
    pattern(&format!(
        r"^(?:Running )?`([^`]+)` (?:(still|now|currently) )?(ok|failed|{fails}|yields \d+ (?:failures?|errors?))\b(,? (?:and )?later (?:ok|failed))?\s*(?:[.,:;(]|$| with \d)"
    ))
});
/// “`x` works.”, “Verified that `x` passes”, “Ran `x` successfully”, “`x` ✅”, “x: ok”: the command, and the word for its
/// end.
static WORKS: LazyLock<Regex> = LazyLock::new(|| {
    let lead =
        r"(?:[✅✓✔] ?)?(?:(?:verified|confirmed)(?: that)? |(?:I |we )?(?:successfully )?(?:re-?)?(?:ran|executed) )?";
    let link = r"(?:[,:→—–-]|\()? ?(?:(?:now|also|again|is|was|ran|has|all|finished|completed|exited) )*";
    let end = r"ok|works?|worked|pass(?:es|ed|ing)?|succeed(?:s|ed)|success(?:ful(?:ly)?)?|done|completed|finished|green|clean(?:ly)?|without (?:any )?(?:errors?|problems|issues)|[✅✓✔]";
    let behind = r"\)?(?:$|[.,;:!(]| [(—–-]| (?:now|again|locally|after|without|with)\b)";
    pattern(&format!(
        r"(?i)^(?:{lead}`([^`]+)` ?{link}({end})|successfully (?:ran|executed) `([^`]+)`()|([a-z][\w-]* [\w:./= -]*\w): (ok|passe[ds]|succeeded|success|done)){behind}"
    ))
});
/// Words for an end that holds for the newest run.
static PRESENT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)^(?:ok|works|passes|passing|succeeds|green|clean|[✅✓✔])$"));
/// Words that make a sentence no claim that a command works.
static UNSURE: LazyLock<Regex> = LazyLock::new(|| unsure("first|initially|previously|user"));
/// The leads of lines of several commands, and whether these are said to have failed.
const ALSO: [(&str, bool); 2] = [(ALSO_WORKED, false), (ALSO_FAILED, true)];

const NEVER_WORKED: &str = "a command is said to have worked, and each of its runs failed";
const NEVER: &str = "a command is said to have worked, and no call ran it";
const FAILED: &str = "a command is said to have failed, and none of its runs did";
const FAILS: &str = "a command is said to fail, and its last run worked";
const TURNED: &str = "a command is said to have failed after it worked, and it was the other way round";

/// The runs in which commands are looked up.
pub(super) struct Ended<'d> {
    /// For each run: the command as shown, as given, and whether it failed (`None`: unknown).
    runs: Vec<(&'d str, &'d str, Option<bool>)>,
    /// The steps of each run's command, once they are asked for.
    steps: OnceCell<Vec<Vec<Vec<String>>>>,
    /// The names of each run's commands, without options, once they are asked for.
    names: OnceCell<Vec<BTreeSet<Fact>>>,
    /// Number of the first runs that the summary covers (their calls are not kept).
    covered: usize,
    source: &'d SourceText<'d>,
    /// The source has an earlier summary, or reports of subagents: they may tell of commands that are not in `runs`.
    unseen: bool,
}

impl<'d> Ended<'d> {
    /// Collects the runs. `is_kept`: which messages are kept beside the summary.
    pub(super) fn of(all: &'d [Deed], source: &'d SourceText<'d>, is_kept: &dyn Fn(usize) -> bool) -> Self {
        let run = |deed: &'d Deed| match &deed.kind {
            DeedKind::Ran { shown, command, .. } => Some((shown.as_str(), command.trim(), deed.failed)),
            _ => None,
        };
        let messages = source.messages();
        let earlier = messages.iter().any(|message| message.author == Author::Summary);
        let unseen = earlier || !reports(messages).is_empty();
        let ran = |deed: &&Deed| matches!(deed.kind, DeedKind::Ran { .. });
        let covered = all.iter().take_while(|deed| !is_kept(deed.message)).filter(ran).count();
        let runs = all.iter().filter_map(run).collect();
        Self { runs, steps: OnceCell::new(), names: OnceCell::new(), covered, source, unseen }
    }

    /// Returns what is wrong in a line about the end of a command, the command, and whether this is certain.
    pub(super) fn refuted(&self, line: &str, later: &[Line<'_>]) -> Option<(&'static str, String, bool)> {
        if self.unseen {
            return None;
        }
        if let Some((names, failed)) = ALSO.iter().find_map(|(lead, failed)| Some((line.strip_prefix(lead)?, *failed)))
        {
            let mut names = names.split('`').skip(1).step_by(2);
            return names.find_map(|name| Some((self.untrue(name, failed)?, name.to_owned(), true)));
        }
        if let Some(found) = RAN.captures(line) {
            let what = self.untrue(&found[1], &found[2] == "failed")?;
            return Some((what, found[1].to_owned(), true));
        }
        let Some(found) = ENDED.captures(line) else { return self.works(line, later) };
        let (command, end) = (found.get(1)?.as_str(), found.get(3)?.as_str());
        let still = found.get(2).is_some() || end.contains("still") || end.contains("now");
        let (still, turn) = (still, found.get(4).map(|turn| turn.as_str()));
        let what = match (end, turn) {
            ("ok", Some(turn)) if turn.ends_with("failed") => (!self.fails_behind(command)?).then_some(TURNED)?,
            ("ok", _) => self.untrue(command, false)?,
            ("failed", _) => self.untrue(command, true)?,
            _ => {
                let told = later.iter().any(|other| other.text.contains(command));
                (!told && self.ends(command)?.last() == Some(&false)).then_some(FAILS)?
            }
        };
        let said = self.source.has(line.trim_end_matches(['.', '…']));
        (!said).then(|| (what, command.to_owned(), still || turn.is_some() || end == "failed"))
    }

    /// A command is said to have worked: its runs failed, or it never ran, though others of its program did.
    fn works(&self, line: &str, later: &[Line<'_>]) -> Option<(&'static str, String, bool)> {
        let found = WORKS.captures(line).filter(|_| !UNSURE.is_match(line))?;
        let part = |groups: [usize; 3]| groups.into_iter().find_map(|group| found.get(group)).map(|part| part.as_str());
        let (command, end) = (part([1, 3, 5])?, part([2, 4, 6])?);
        let told =
            || later.iter().any(|other| other.text.contains(command)) || self.source.has(line.trim_end_matches('.'));
        let ends: Vec<(bool, Option<bool>)> = self.ends_of_step(command);
        let failed = |(_, failed): &(bool, Option<bool>)| *failed == Some(true);
        let (covered, kept): (Vec<_>, Vec<_>) = ends.iter().partition(|(covered, _)| *covered);
        let now = PRESENT.is_match(end) && covered.last().is_some_and(&failed) && self.is_one(command);
        let what = match ends.is_empty() {
            // Only code marks show that it is a command.
            true => (found.get(5).is_none() && self.is_unknown(command)).then_some(NEVER)?,
            false if ends.iter().all(failed) => NEVER_WORKED,
            false => (now && kept.iter().all(failed)).then_some(texts::WORKED)?,
        };
        (!told()).then(|| (what, command.to_owned(), !ends.is_empty()))
    }

    /// The runs with a step that begins with these words: whether the summary covers it, and whether the step failed.
    fn ends_of_step(&self, command: &str) -> Vec<(bool, Option<bool>)> {
        let words: Vec<String> = shell_words(command).into_iter().next().unwrap_or_default();
        let is_step = |step: &[String]| !words.is_empty() && step.starts_with(&words);
        let all = || self.runs.iter().map(|(_, given, _)| shell_words(given)).collect();
        let failures = self.runs.iter().map(|(.., failed)| *failed);
        let ends = failures.zip(self.steps.get_or_init(all)).map(|(failed, steps)| end_of(steps, failed, is_step));
        ends.enumerate().filter_map(|(at, end)| Some((at < self.covered, end?))).collect()
    }

    /// Whether all runs with such a step are of one command.
    fn is_one(&self, command: &str) -> bool {
        let mut own = self.runs.iter().filter(|(_, given, _)| given.contains(command)).map(|(_, given, _)| given);
        own.next().is_some_and(|first| own.all(|other| other == first))
    }

    /// Whether nothing in the original mentions a command, nor a command with its words, though its program ran.
    fn is_unknown(&self, command: &str) -> bool {
        let words: Vec<&str> = command.split_whitespace().filter(|word| !word.starts_with('-')).collect();
        let [program, .., last] = *words else { return false };
        let says =
            |given: &str, word: &str| given.split_whitespace().any(|own| own.trim_matches(['"', '\'', ';']) == word);
        let of_program = self.runs.iter().any(|(_, given, _)| given.split_whitespace().any(|own| own == program));
        of_program && !self.runs.iter().any(|(_, given, _)| says(given, last)) && !self.source.has(command)
    }

    /// A command is said to have worked (or failed), and no run of it did.
    fn untrue(&self, command: &str, failed: bool) -> Option<&'static str> {
        let other = !failed;
        self.ends(command)?.iter().all(|end| *end == other).then_some(if failed { FAILED } else { NEVER_WORKED })
    }

    /// Whether a run of a command failed after one that worked; `None` if there is no run or an end is unknown.
    fn fails_behind(&self, command: &str) -> Option<bool> {
        let ends = self.ends(command)?;
        Some(ends.iter().skip_while(|failed| **failed).any(|failed| *failed))
    }

    /// For each run whose command contains this text, or has this name without its options: whether it failed; `None`
    /// if there is no such run, or the end of one is unknown.
    fn ends(&self, command: &str) -> Option<Vec<bool>> {
        let command = command.trim_end_matches('…');
        let named = Fact { class: Class::Cmd, value: command.to_owned() };
        let names = self.names.get_or_init(|| self.runs.iter().map(|(_, given, _)| commands(given)).collect());
        let is = |(shown, given, _): &(&str, &str, Option<bool>)| shown.contains(command) || given.contains(command);
        let own = self.runs.iter().zip(names).filter(|(run, names)| is(run) || names.contains(&named));
        let ends: Option<Vec<bool>> = own.map(|((.., failed), _)| *failed).collect();
        ends.filter(|ends| !ends.is_empty())
    }
}
