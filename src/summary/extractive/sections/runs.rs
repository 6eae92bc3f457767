//! The lines about commands: the last run of each with its outcome, and one line for several runs with the same
//! outcome.

use super::LONGEST_LINE;
use super::accomplished::{TIER, rank};
use super::delivered::{COMMITTED, failed_behind, with_commit};
use super::judged::judged;
use super::printed::{printed, prints_help};
use super::sweeps::{Sweep, apart, sweeps};
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::code_run::code_option;
use crate::summary::extractive::calls::command::{is_script, parts};
use crate::summary::extractive::calls::delivery::delivers;
use crate::summary::extractive::calls::failing::failing_tests;
use crate::summary::extractive::calls::left_out::with_failing_step;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::calls::output::output;
use crate::summary::extractive::calls::quiet::is_quiet;
use crate::summary::extractive::calls::run::Command;
use crate::summary::extractive::calls::trials::{Change, change, is_trial};
use crate::summary::extractive::session::commits::Made;
use crate::summary::extractive::session::endings::Endings;
use crate::summary::extractive::session::places::program;
use crate::summary::extractive::session::scratch::Place;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::items::Item;
use crate::summary::phrases::{EARLIER, LATER_OK, STILL_RUNS};
use crate::summary::text::{cut, fold, starts_any};
use foldhash::HashSet;
use std::collections::BTreeMap;

/// Extra rank of a failure that was not fixed.
const UNMENDED: i64 = 4_000;
/// Prefix of a call that was not executed.
const REFUSED: &str = "Refused, not run: ";
/// Prefix of a command that the user ran.
const BY_USER: &str = "The user ran";
/// Tier of a run without details on its outcome.
pub(super) const PLAIN: i64 = 4;
/// Minimum number of runs of one program and subcommand that share a line, and maximum number of arguments named in
/// it.
const ROW: usize = 3;
const NAMED: usize = 8;
/// Maximum length of an argument in such a line, in characters.
const ARGUMENT: usize = 40;
/// Maximum length of what the commands of such a line have in common, in characters.
const SHOWN: usize = 64;
/// Maximum length of the last of many runs, in characters.
const LAST: usize = 140;
/// Maximum length of the purpose of a command, in characters.
const PURPOSE: usize = 100;

fn urgent(item: Item, unmended: &[usize]) -> Item {
    let more = if item.origin.is_some_and(|origin| unmended.contains(&origin)) { UNMENDED } else { 0 };
    Item { rank: item.rank + more, ..item }
}

/// The lines for commands whose last run was in this turn.
pub(in crate::summary::extractive) fn items(
    turn: &Turn<'_>,
    place: usize,
    endings: &Endings,
    newness: i64,
) -> Vec<Item> {
    let ran = turn.acts.iter().filter_map(|act| match &act.action {
        Action::Run(command) => Some((command.shown(), act)),
        _ => None,
    });
    let key =
        |act: &Act<'_>| if let Action::Run(command) = &act.action { command.key().to_owned() } else { String::new() };
    let all_ran: Vec<_> = ran.collect();
    // A repeated delivery (such as a commit) is another one.
    let tells = |shown: &str, act: &Act<'_>| {
        endings.last.get(&key(act)) == Some(&(place, act.message)) || delivers(shown) && is_told(act) || stays(act)
    };
    let mut ended: Vec<_> = all_ran.iter().filter(|(shown, act)| tells(shown, act)).cloned().collect();
    let is_last_switch = |act: &Act<'_>| endings.switched == Some(act.message);
    let is_plain = |shown: &str, act: &Act<'_>| plain_parts(shown, act).is_some() && !is_last_switch(act);
    let sweeps = sweeps(ended.iter().copied().filter(|(shown, act)| is_plain(shown, act)));
    let swept: HashSet<(usize, &str)> = sweeps.iter().flat_map(Sweep::calls).collect();
    ended.retain(|(_, act)| !swept.contains(&(act.message, act.call)));
    let parts: Vec<_> =
        ended.iter().map(|(shown, act)| plain_parts(shown, act).filter(|_| !is_last_switch(act))).collect();
    let mut rows: BTreeMap<(&str, bool), Row<'_>> = BTreeMap::new();
    let all = || ended.iter().zip(&parts);
    for ((shown, act), (name, argument)) in all().filter_map(|(ran, parts)| Some((ran, parts.as_ref()?))) {
        let row = rows.entry((name, act.outcome == CallOutcome::Ended)).or_default();
        row.arguments.extend(argument);
        row.shown.push(shown);
        row.messages.push(act.message);
    }
    rows.retain(|_, row| row.messages.len() >= ROW);
    let is_in_row = |act: &Act<'_>, name: &str| rows.contains_key(&(name, act.outcome == CallOutcome::Ended));
    let single = all().filter(|((_, act), parts)| !parts.as_ref().is_some_and(|(name, _)| is_in_row(act, name)));
    let single = single.flat_map(|((shown, act), _)| {
        let behind = failed_behind(act, endings, newness).map(|item| judged(item, turn, act));
        single_run(shown, act, turn, endings, newness).into_iter().chain(behind)
    });
    let rows = rows.iter().filter_map(|((name, is_open), row)| row.item(name, *is_open, newness));
    let swept = sweeps.iter().flat_map(|sweep| sweep.items(newness));
    let mut items: Vec<Item> = single.chain(rows).chain(swept).map(|item| urgent(item, &endings.unmended)).collect();
    with_commit(&mut items, &all_ran);
    stands(&mut items, endings);
    items
}

/// The line of a run that shares it with no other one.
fn single_run(shown: &str, act: &Act<'_>, turn: &Turn<'_>, endings: &Endings, newness: i64) -> Option<Item> {
    let item = run(shown, act, Since::of(act, endings), newness).filter(|_| !endings.later.has_overcome(act))?;
    let is_made = item.text.starts_with(COMMITTED);
    let has_failed = matches!(act.outcome, CallOutcome::Failed(_)) && !is_made;
    let item = if has_failed { judged(item, turn, act) } else { item };
    let least = least_rank(act, endings, newness).filter(|_| !is_made);
    Some(Item { rank: item.rank.max(least.unwrap_or(item.rank)), ..item })
}

/// The change of git that a call made.
fn has_changed(act: &Act<'_>) -> Option<Change> {
    let Action::Run(command) = &act.action else { return None };
    change(command).filter(|_| act.outcome.worked())
}

/// Whether a call changed something of git that no later one takes back.
fn stays(act: &Act<'_>) -> bool {
    matches!(has_changed(act), Some(Change::Made | Change::Final))
}

/// The least rank of a change of git that nothing takes back, of a stash, and of the last change of branch.
fn least_rank(act: &Act<'_>, endings: &Endings, newness: i64) -> Option<i64> {
    match has_changed(act)? {
        Change::Final => Some(rank(newness, 1)),
        Change::Made => None,
        Change::Switched if endings.switched != Some(act.message) => None,
        Change::Stashed | Change::Switched => Some(rank(newness, 2)),
    }
}

/// What `git stash` prints where there is nothing to put away.
const NOTHING_STASHED: &str = "No local changes to save";

/// What is known of later runs of a command that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Since {
    /// None worked.
    Failed,
    /// It worked as part of another command.
    Worked,
    /// Its program worked with other arguments: that may be the same check or a narrower one.
    OtherWorked,
    /// It was run on files that were changed only for it and then put back.
    Trial,
}

impl Since {
    fn of(act: &Act<'_>, endings: &Endings) -> Self {
        let Action::Run(command) = &act.action else { return Self::Failed };
        if is_trial(command) && !act.result.contains(NOTHING_STASHED) {
            return Self::Trial;
        }
        if endings.passed_later(act) { Self::Worked } else { Self::of_command(command, endings) }
    }

    /// The same of a command, or of some of its steps.
    pub(super) fn of_command(command: &Command, endings: &Endings) -> Self {
        match command.key() {
            key if endings.commands.worked_whole(key) => Self::Worked,
            _ if endings.worked_later(command) => Self::OtherWorked,
            _ => Self::Failed,
        }
    }

    /// The word behind “failed”.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Failed => "",
            Self::Worked => LATER_OK,
            Self::OtherWorked => EARLIER,
            Self::Trial => " (files were changed for this run only)",
        }
    }
}

/// Text added to a commit that was taken off its branch.
const TAKEN_OFF: &str = "; taken off that branch by a later `git reset`";

/// Removes commits that were amended, and marks those that a reset took off.
fn stands(items: &mut Vec<Item>, endings: &Endings) {
    let commits = &endings.commits;
    let made = |item: &Item| item.origin.filter(|_| item.text.starts_with(COMMITTED));
    items.retain(|item| !made(item).is_some_and(|message| commits.is_amended(message)));
    for item in items {
        if made(item).is_some_and(|message| commits.is_taken_off(message)) {
            item.text += TAKEN_OFF;
        }
    }
}

/// Whether a command worked with details in its result.
fn is_told(act: &Act<'_>) -> bool {
    matches!(&act.outcome, CallOutcome::Done(detail) if !detail.is_empty())
}

/// Runs of one program and subcommand with the same outcome.
#[derive(Default)]
struct Row<'t> {
    arguments: Vec<&'t str>,
    shown: Vec<&'t str>,
    messages: Vec<usize>,
}

impl Row<'_> {
    fn item(&self, own: &str, is_open: bool, newness: i64) -> Option<Item> {
        let (common, apart) = apart(&self.shown);
        let mut seen = HashSet::default();
        // Where one argument stands twice, what tells the runs from each other is in others.
        let is_telling = common.is_empty() || self.arguments.iter().all(|argument| seen.insert(*argument));
        let mut arguments: Vec<&str> = apart.iter().map(String::as_str).filter(|apart| !apart.is_empty()).collect();
        let mut name = common.as_str();
        if is_telling {
            (name, arguments) = (own, self.arguments.clone());
        }
        let mut named: Vec<_> = arguments.iter().take(NAMED).map(|argument| cut(argument, ARGUMENT)).collect();
        named.dedup();
        let more = if arguments.len() > NAMED { ", …" } else { "" };
        let list = if named.is_empty() { String::new() } else { format!(" ({}{more})", named.join(", ")) };
        let mut list = cut(&list, LONGEST_LINE / 2).into_owned();
        if list.ends_with('…') {
            list.push(')');
        }
        let ending = if is_open { "" } else { ": ok" };
        // Of many tries the last one shows best how it is done.
        let last = self.shown.last().filter(|_| self.shown.len() > NAMED);
        let last = last.map_or_else(String::new, |last| format!(", last `{}`", cut(last, LAST)));
        let text = format!("Ran `{}` {}×{list}{last}{ending}", cut(name, SHOWN), self.messages.len());
        Some(Item::new(text, *self.messages.last()?, rank(newness, PLAIN)))
    }
}

/// Program and first argument of a run without details on its outcome; `None` for other runs.
fn plain_parts<'s>(shown: &'s str, act: &Act<'_>) -> Option<(String, Option<&'s str>)> {
    let detail = match &act.outcome {
        CallOutcome::Done(detail) => detail,
        CallOutcome::Ended => "",
        _ => return None,
    };
    let tests = matches!(&act.action, Action::Run(command) if command.runs_tests());
    let tells_more = act.by_user || stays(act) || act.only_changes_files() || tests || committed(act).is_some();
    // Of commands on other machines only those would be named.
    let is_plain =
        detail.is_empty() && !tells_more && !prints_help(shown, act) && !is_quiet(shown) && !shown.starts_with("ssh ");
    parts(shown).filter(|_| is_plain)
}

/// The line for a command with its outcome.
fn run(shown: &str, act: &Act<'_>, since: Since, newness: i64) -> Option<Item> {
    if let Some(commit) = committed(act) {
        return Some(Item::new(commit, act.message, rank(newness, 1) + TIER / 2));
    }
    // Its changes are in the line of changed files.
    if act.outcome.worked() && act.only_changes_files() {
        return None;
    }
    let loud = !is_quiet(shown) || stays(act) || waited(act);
    if act.outcome == CallOutcome::Refused {
        return loud.then(|| refused(shown, act, newness));
    }
    let (ending, tier) = match &act.outcome {
        _ if act.outcome.worked() && loud && prints_help(shown, act) => (": only printed its help".to_owned(), PLAIN),
        CallOutcome::Done(detail) if !detail.is_empty() => (format!(": ok: {detail}"), 2),
        CallOutcome::Done(_) if loud => {
            (format!(": ok{}", printed(shown, act, ", ")), if delivers(shown) { 2 } else { PLAIN })
        }
        CallOutcome::Ended if loud => (printed(shown, act, ": "), PLAIN),
        CallOutcome::Failed(detail) if loud && act.outcome.failure().is_some() => {
            let lead = if detail.is_empty() { "" } else { ": " };
            let tests = if since == Since::Worked { String::new() } else { failing(act, detail) };
            // Where only one of both has room, the later run must be told.
            (
                format!(": failed{}{lead}{detail}{tests}", since.word()),
                if matches!(since, Since::OtherWorked | Since::Trial) { PLAIN } else { 2 },
            )
        }
        CallOutcome::Running if loud => (format!(": {STILL_RUNS}"), 2),
        _ => return None,
    };
    // What the user did is nowhere else: the agent neither called it nor answers for it.
    let (lead, tier) = if act.by_user { (BY_USER, tier.min(1)) } else { ("Ran", tier) };
    let name = with_failing_step(act).unwrap_or_else(|| named(shown, act));
    Some(Item::new(cut(&format!("{lead} {name}{ending}"), LONGEST_LINE).into_owned(), act.message, rank(newness, tier)))
}

/// Whether a command waited for something, and in vain.
fn waited(act: &Act<'_>) -> bool {
    let Action::Run(command) = &act.action else { return false };
    let waits = || command.steps().iter().any(|step| step.iter().take(2).any(|word| word == "sleep"));
    matches!(act.outcome, CallOutcome::Failed(_)) && command.contains("sleep") && waits()
}

/// The failing tests in the output of a failed run, behind its detail.
fn failing(act: &Act<'_>, detail: &str) -> String {
    let names = failing_tests(&output(act.result)).filter(|names| !detail.contains(names.as_str()));
    names.map(|names| format!(" ({names})")).unwrap_or_default()
}

/// The line for a call that was not executed.
pub(in crate::summary::extractive) fn refused(shown: &str, act: &Act<'_>, newness: i64) -> Item {
    Item::new(cut(&format!("{REFUSED}`{shown}`"), LONGEST_LINE).into_owned(), act.message, rank(newness, 1))
}

/// A command as named in its line; for a script that is cut, the purpose that its call states and its program.
pub(super) fn named(shown: &str, act: &Act<'_>) -> String {
    let code = if let Action::Run(command) = &act.action { command.telling_line() } else { None };
    // A short piece of code is in the command as it stands.
    let code = code.filter(|_| runs_only_code(shown) && (!is_inline(shown) || shown.ends_with('…')));
    let is_cut = code.is_some() || shown.ends_with('…') && is_script(shown);
    let purpose = act.purpose.as_ref().filter(|_| is_cut).map(|purpose| fold(purpose));
    let is_telling = |purpose: &String| !purpose.is_empty() && !purpose.contains(['`', '“', '”']);
    let program = program(shown);
    // Of quoted code only a piece may be left.
    let is_plain = program.chars().all(|char| char.is_alphanumeric() || "./:_-@ ".contains(char));
    match purpose.filter(|purpose| is_plain && is_telling(purpose)) {
        Some(purpose) => format!("“{}”, `{program}`", cut(&purpose, PURPOSE)),
        None => match code {
            Some(code) => with_code(shown, &code),
            None => format!("`{shown}`"),
        },
    }
}

/// What stands between a command and the first telling line of its code, and the maximum length of such a command.
const CODE: &str = ", code ";
const WITH_CODE: usize = 40;
/// Programs to which code is passed.
const CODERS: [&str; 6] = ["python", "py", "node", "ruby", "deno", "bun"];

/// Whether a command runs code, and nothing else before or behind it.
pub(super) fn runs_only_code(shown: &str) -> bool {
    let end = code_option(shown).map_or(shown.len(), |(start, _)| start.saturating_sub(1));
    let is_run = parts(&shown[..end]).is_some_and(|(name, _)| starts_any(&name, &CODERS));
    is_run && !shown[..end].contains(" | ")
}

/// Whether a command has its code in itself, not in a here-document.
pub(super) fn is_inline(shown: &str) -> bool {
    code_option(shown).is_some()
}

/// A command up to its code, with a line of that.
pub(super) fn with_code(shown: &str, code: &str) -> String {
    let end = code_option(shown).map_or(shown.len(), |(_, end)| end);
    format!("`{}`{CODE}`{code}`", cut(&shown[..end], WITH_CODE))
}

/// Whether a line reports that a command or other call failed, even if it worked later.
pub(in crate::summary) fn is_failure(line: &str) -> bool {
    let call = ["Ran ", "Called ", "The user ran "].iter().find_map(|lead| line.strip_prefix(lead)).unwrap_or(line);
    let call = call.strip_prefix('“').and_then(|named| named.split_once("”, ")).map_or(call, |(_, call)| call);
    let behind = match call.strip_prefix('`') {
        Some(quoted) => quoted.split_once('`').map(|(_, behind)| behind),
        None => call.find(' ').map(|end| &call[end..]),
    };
    let behind = behind.unwrap_or_default();
    let of_code = behind.strip_prefix(CODE).and_then(|rest| rest.strip_prefix('`')?.split_once('`'));
    let behind = of_code.map_or(behind, |(_, behind)| behind).trim_start_matches(':');
    starts_any(behind, &[" failed:", " failed, ", " failed (", " failed earlier"]) || behind == " failed"
}

/// Whether a call made a commit.
pub(super) fn commits(act: &Act<'_>) -> bool {
    committed(act).is_some()
}

/// The line for the commit that a call reports.
fn committed(act: &Act<'_>) -> Option<String> {
    let Made { branch, hash, title } = Made::of(act)?;
    let place = match Place::of(act) {
        Place::Project => String::new(),
        Place::Aside(Some(folder)) => format!(" in `{folder}`"),
        Place::Aside(None) => " in a temporary folder".to_owned(),
        Place::Scratch => return None,
    };
    Some(format!("{COMMITTED}{hash} on `{branch}`{place}: {title}"))
}

#[cfg(test)]
mod tests {
    use super::super::told_of_run as told;
    use super::*;
    use crate::summary::builders::{act, user};
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    #[test]
    fn a_script_that_is_cut_is_told_by_what_it_is_for() {
        let script = format!("n=$(./count tides); ./light {}", "lamp ".repeat(30));
        let told = |args: &str| {
            let messages = act("bash", args, "exit code: 3\nerror: no oil", true);
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let turns = turns(&head, &[]);
            items(&turns[0], 0, &Endings::of(&turns, &[]), 0).into_iter().map(|item| item.text).collect::<String>()
        };
        let named = told(&format!(r#"{{"command":"{script}","description":"Light the lamps of the tide"}}"#));
        assert_eq!(named, "Ran “Light the lamps of the tide”, `./count`: failed: error: no oil");
        let short = told(r#"{"command":"n=$(./count tides); ./light $n","description":"Light the lamps of the tide"}"#);
        assert_eq!(short, "Ran `n=$(./count tides); ./light $n`: failed: error: no oil");
    }

    #[test]
    fn a_commit_is_told_with_its_push_and_its_pull_request() {
        let mut messages = vec![user("Commit and push, then open a PR.")];
        for (command, result) in [
            ("git commit -m 'Mend the lamp'", "[quay 3f2a91c] Mend the lamp\n 1 file changed"),
            ("git push", "To example.org\n   1a2b3c4..3f2a91c  quay -> quay\nExit code: 0"),
            ("gh pr create --fill", "https://example.org/tide/pull/7\nExit code: 0"),
        ] {
            messages.extend(act("bash", &format!(r#"{{"command":"{command}"}}"#), result, false));
        }
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        let told: Vec<_> =
            items(&turns[1], 1, &Endings::of(&turns, &[]), 0).into_iter().map(|item| item.text).collect();
        let commit = "Committed 3f2a91c on `quay`: Mend the lamp; pushed; pull request https://example.org/tide/pull/7";
        assert_eq!(told, [commit]);
    }

    #[test]
    fn a_commit_of_a_trial_is_no_delivery() {
        let printed = "[quay (root-commit) 3f2a91c] one\nexit code: 0";
        let trial = told("cd /tmp && mkdir lamp && cd lamp && git init && git commit -m one", printed);
        assert!(trial.starts_with("Ran `mkdir lamp && cd lamp && git init"), "{trial}");
        let aside = told("cd /tmp/lamp && git commit -m one", printed);
        assert_eq!(aside, "Committed 3f2a91c on `quay` in `/tmp/lamp`: one");
    }

    #[test]
    fn a_wait_that_failed_is_told() {
        let missing = "tail: cannot open 'lamp.log' for reading: No such file or directory";
        let printed = format!("{missing}\n\nCommand exited with code 1");
        let waited = told("sleep 2 && tail -3 lamp.log", &printed);
        assert_eq!(waited, format!("Ran `tail -3 lamp.log`: failed: {missing}"));
        assert_eq!(told("tail -3 lamp.log", &printed), "");
        let wait = "while ! curl -sf quay; do sleep 2; done";
        let refused = told(wait, "curl: (7) Failed to connect\n\nCommand exited with code 1");
        assert_eq!(refused, format!("Ran `{wait}`: failed: curl: (7) Failed to connect"));
        let both = ["for i in 1 2; do", "if curl quay; then", "break", "fi", "if [ $i -eq 2 ]; then", "exit 1", "fi"];
        let failed = told(&format!("{}\\nsleep 2\\ndone", both.join("\\n")), "no light\n\nCommand exited with code 1");
        assert!(failed.starts_with("Ran `for i in 1 2; do if curl quay; then break; fi;"), "{failed}");
        assert!(failed.ends_with("`: failed: exit code 1"), "{failed}");
    }

    #[test]
    fn a_step_that_failed_is_not_left_out() {
        let missing = "bash: line 1: cd: nowhere: No such file or directory";
        let whole = format!("Ran `cd nowhere && make lamp`: failed: {missing}");
        assert_eq!(told("cd nowhere && make lamp", &format!("{missing}\nexit code: 1")), whole);
        let looks = "for i in a b; do echo $i; cat nowhere; done && make lamp";
        let looked = told(looks, "cat: nowhere: No such file or directory\nexit code: 1");
        assert_eq!(looked, format!("Ran `{looks}`: failed: cat: nowhere: No such file or directory"));
        let made = told("cd quay && make lamp", "make: *** No rule to make target 'lamp'.\nexit code: 2");
        assert!(made.starts_with("Ran `make lamp`: failed"), "{made}");
    }

    #[test]
    fn changes_of_git_that_stay_are_told_one_by_one() {
        let calls =
            ["git branch -D a", "git branch -D b", "git branch -D c", "git checkout main", "git checkout -b quay"];
        let run = |command: &&str| act("bash", &serde_json::json!({ "command": command }).to_string(), "", false);
        let messages: Vec<Message<'_>> = std::iter::once(user("Tidy up.")).chain(calls.iter().flat_map(run)).collect();
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        let all = items(&turns[1], 1, &Endings::of(&turns, &[]), 0);
        let texts: Vec<&str> = all.iter().map(|item| &*item.text).collect();
        assert_eq!(texts, calls.map(|command| format!("Ran `{command}`")));
        assert!(all[0].rank > all[3].rank && all[0].rank > all[4].rank, "a branch that is lost is told first");
    }

    #[test]
    fn of_many_tries_the_last_one_is_told_in_full() {
        let tries = |count: usize| {
            let command = |at: usize| format!("lamp http://quay:80/pier{at} --oil {at} --wick {}", at * 7);
            let acts = (1..=count).flat_map(|at| {
                act("bash", &serde_json::json!({ "command": command(at) }).to_string(), "Exit code: 0", false)
            });
            let messages: Vec<Message<'_>> = [user("Light one.")].into_iter().chain(acts).collect();
            super::super::told_of_runs(&messages)
        };
        assert!(tries(9).ends_with("…), last `lamp http://quay:80/pier9 --oil 9 --wick 63`: ok"), "{}", tries(9));
        assert!(!tries(8).contains("last"), "{}", tries(8));
    }

    #[test]
    fn a_narrower_run_that_works_closes_no_failure() {
        let told = |later: &str| {
            let red = "Running 3 tests\ntest result: FAILED. 2 passed; 1 failed\nexit code: 101";
            let calls = [("cargo test", red), (later, "test result: ok. 1 passed; 0 failed\nexit code: 0")];
            let run = |(command, printed): (&str, &str)| {
                act("bash", &serde_json::json!({ "command": command }).to_string(), printed, false)
            };
            super::super::told_of_runs(&[&[user("Mend the lamp.")][..], &calls.map(run).concat()].concat())
        };
        for part in ["cargo test wick", "cargo test -- --skip oil", "cargo test --lib"] {
            assert!(told(part).starts_with("Ran `cargo test`: failed: "), "{}", told(part));
        }
        for whole in ["cargo test -q", "cargo fmt && cargo test"] {
            assert!(told(whole).starts_with("Ran `cargo test`: failed, later ok"), "{}", told(whole));
        }
    }

    #[test]
    fn what_passes_within_another_command_closes_a_failure() {
        let red = ("go test ./lamp -run TestOil 2>&1 | tail -3", "FAIL\nFAIL\tquay/lamp\t0.6s\nFAIL");
        let told = |later: (&str, &str)| {
            let mut messages = vec![user("Mend the lamp.")];
            for (command, printed) in [red, later] {
                messages.extend(act("bash", &serde_json::json!({ "command": command }).to_string(), printed, false));
            }
            super::super::told_of_runs(&messages)
        };
        for (command, printed) in [
            ("go build -o quay ./cmd\ngo test ./lamp -run TestOil | tail -2\n./quay", "ok  \tquay/lamp\t0.6s\nlit"),
            ("mise run check | tail -5", "[check] ok  \tquay/lamp\t4.2s\n[lint] 0 issues.\nFinished in 44.1s"),
        ] {
            let told = told((command, printed));
            assert!(told.contains("failed, later ok"), "{told}");
        }
        for (command, printed) in [
            ("mise run check | tail -5", "[check] ok  \tquay/tide\t4.2s\nFinished in 44.1s"),
            ("go build -o quay ./cmd\ngo test ./lamp -run TestOil/Wick\n./quay", "ok  \tquay/lamp\t0.6s\nlit"),
        ] {
            let told = told((command, printed));
            assert!(told.contains("`: failed: "), "{told}");
        }
    }

    #[test]
    fn a_trial_is_no_standing_failure() {
        let trial = "git stash && cargo test; git stash pop";
        let told = told(trial, "test result: FAILED. 1 passed; 2 failed");
        let line = format!("Ran `{trial}`: failed (files were changed for this run only): ");
        assert!(told.starts_with(&line) && is_failure(&told), "{told}");
        let messages = act("bash", &serde_json::json!({ "command": trial }).to_string(), "FAIL\nexit code: 1", true);
        let turns = turns(&messages.iter().collect::<Vec<_>>(), &[]);
        assert!(Endings::of(&turns, &[]).unmended.is_empty());
        let clean = self::told(trial, "No local changes to save\ntest result: FAILED. 1 passed; 2 failed");
        assert!(clean.starts_with(&format!("Ran `{trial}`: failed: ")), "no file was changed: {clean}");
    }

    #[test]
    fn a_failed_run_of_code_is_told_by_its_code() {
        let command = "python3 - <<'E'\\nimport tide\\ntide.count(0)\\nE";
        let told = told(command, "exit code: 1\nValueError: no gauge");
        assert_eq!(told, "Ran `python3 -`, code `tide.count(0)`: failed: ValueError: no gauge");
        assert!(is_failure(&told));
        let inline = self::told("node -p light(7)", "exit code: 1\nError: no lamp");
        assert_eq!(inline, "Ran `node -p light(7)`: failed: Error: no lamp");
    }
}
