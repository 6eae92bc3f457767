//! Claims about how commands ended, which are wrong if all runs ended otherwise, or in the other order. All runs of the
//! original are searched, also kept ones.

use crate::measure::{Line, Source, pattern};
use crate::summary::{Deed, DeedKind, reports};
use crate::transcript::Author;
use regex::Regex;
use std::sync::LazyLock;

/// “Ran `x`: ok”, “Ran `x`: failed, later ok: …”.
static RAN: LazyLock<Regex> = LazyLock::new(|| pattern(r"^Ran `([^`]+)`: (ok|failed)\b(.*)$"));
/// “`x` failed, later ok: …”, “`x` still fails.”
static ENDED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^`([^`]+)` (?:(still|now) )?(ok|failed|fails|is failing)\b(,? (?:and )?later (?:ok|failed))?\s*(?:[.,:;(]|$)",
    )
});
/// “Also ran, ok: `a`, `b`”.
static ALSO: LazyLock<Regex> = LazyLock::new(|| pattern(r"^Also ran, (ok|failed): (.*)$"));

const WORKED: &str = "a command is said to have worked, and each of its runs failed";
const FAILED: &str = "a command is said to have failed, and none of its runs did";
const FAILS: &str = "a command is said to fail, and its last run worked";
const TURNED: &str = "a command is said to have failed after it worked, and it was the other way round";

/// The runs in which commands are looked up.
pub(super) struct Ended<'d> {
    /// For each run: the command as shown, as given, and whether it failed (`None`: unknown).
    runs: Vec<(&'d str, &'d str, Option<bool>)>,
    source: &'d Source<'d>,
    /// The source has an earlier summary, or reports of subagents: they may tell of commands that are not in `runs`.
    unseen: bool,
}

impl<'d> Ended<'d> {
    pub(super) fn of(all: &'d [Deed], source: &'d Source<'d>) -> Self {
        let run = |deed: &'d Deed| match &deed.kind {
            DeedKind::Ran { shown, command, .. } => Some((shown.as_str(), command.trim(), deed.failed)),
            _ => None,
        };
        let messages = source.messages();
        let earlier = messages.iter().any(|message| message.author == Author::Summary);
        let unseen = earlier || !reports(messages).is_empty();
        Self { runs: all.iter().filter_map(run).collect(), source, unseen }
    }

    /// Returns what is wrong in a line about the end of a command, the command, and whether this is certain.
    pub(super) fn refuted(&self, line: &str, later: &[Line<'_>]) -> Option<(&'static str, String, bool)> {
        if self.unseen {
            return None;
        }
        if let Some(found) = ALSO.captures(line) {
            let mut names = found.get(2)?.as_str().split('`').skip(1).step_by(2);
            return names.find_map(|name| Some((self.untrue(name, &found[1] == "failed")?, name.to_owned(), true)));
        }
        if let Some(found) = RAN.captures(line) {
            let what = self.untrue(&found[1], &found[2] == "failed")?;
            return Some((what, found[1].to_owned(), true));
        }
        let found = ENDED.captures(line)?;
        let (command, end) = (found.get(1)?.as_str(), found.get(3)?.as_str());
        let (still, turn) = (found.get(2).is_some(), found.get(4).map(|turn| turn.as_str()));
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

    /// A command is said to have worked (or failed), and no run of it did.
    fn untrue(&self, command: &str, failed: bool) -> Option<&'static str> {
        let other = !failed;
        self.ends(command)?.iter().all(|end| *end == other).then_some(if failed { FAILED } else { WORKED })
    }

    /// Whether a run of a command failed after one that worked; `None` if there is no run or an end is unknown.
    fn fails_behind(&self, command: &str) -> Option<bool> {
        let ends = self.ends(command)?;
        Some(ends.iter().skip_while(|failed| **failed).any(|failed| *failed))
    }

    /// For each run whose command contains this text: whether it failed; `None` if there is no such run, or the end of
    /// one is unknown.
    fn ends(&self, command: &str) -> Option<Vec<bool>> {
        let command = command.trim_end_matches('…');
        let is = |(shown, given, _): &&(&str, &str, Option<bool>)| shown.contains(command) || given.contains(command);
        let ends: Option<Vec<bool>> = self.runs.iter().filter(is).map(|(.., failed)| *failed).collect();
        ends.filter(|ends| !ends.is_empty())
    }
}
