//! What the commands of the last turn with calls only looked at: told where the head has no other step, since an agent
//! that says nothing and changes nothing has still found its way. And what git said of the work tree, where nothing
//! has changed it since.

use super::LONGEST_LINE;
use super::accomplished::rank;
use super::runs::{PLAIN, named};
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::calls::output::{output, own_lines};
use crate::summary::extractive::calls::quiet::is_quiet;
use crate::summary::extractive::calls::run::Command;
use crate::summary::extractive::session::endings::Endings;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::items::Item;
use crate::summary::text::{cut, fold, starts_any};
use foldhash::HashSet;

/// Maximum number of commands: the last ones.
const MOST: usize = 6;
/// Maximum number of lines of an output that is told, and its maximum length, in characters.
const LINES: usize = 8;
const PRINTED: usize = 160;

/// The lines for the commands that only looked and worked, oldest first.
pub(super) fn items(turn: &Turn<'_>, newness: i64) -> Vec<Item> {
    let mut told = HashSet::default();
    let newest = turn.acts.iter().rev().filter_map(|act| line(act, newness));
    let mut items: Vec<Item> = newest.filter(|item| told.insert(item.text.clone())).take(MOST).collect();
    items.reverse();
    items
}

fn line(act: &Act<'_>, newness: i64) -> Option<Item> {
    let Action::Run(command) = &act.action else { return None };
    let shown = command.shown();
    let ending = if act.outcome == CallOutcome::Ended { "" } else { ": ok" };
    let printed = || short_output(act).map_or_else(String::new, |all| format!(", printed “{all}”"));
    let text = || cut(&format!("Ran {}{ending}{}", named(shown, act), printed()), LONGEST_LINE).into_owned();
    let looks = act.outcome.worked() && !act.by_user && is_quiet(shown);
    looks.then(|| Item::new(text(), act.message, rank(newness, PLAIN)))
}

/// The lines for the state of the work tree, as git told it last and nothing has changed it since.
pub(super) fn states(turn: &Turn<'_>, place: usize, endings: &Endings, newness: i64) -> Vec<Item> {
    let told = turn.acts.iter().filter_map(|act| {
        let Action::Run(command) = &act.action else { return None };
        let is_last = endings.last.get(command.key()) == Some(&(place, act.message));
        let tells = is_last && act.outcome.worked() && !endings.later.is_stale(act.message);
        let state = tells.then(|| state(command, act.result)).flatten()?;
        let text = cut(&format!("Ran {}: “{state}”", named(command.shown(), act)), LONGEST_LINE).into_owned();
        Some(Item::new(text, act.message, rank(newness, PLAIN)))
    });
    told.collect()
}

/// What a command that only asks git for the state of the work tree printed, without hints, if that is short.
fn state(command: &Command, result: &str) -> Option<String> {
    let mut steps = command.steps().iter().filter(|step| step.first().is_none_or(|program| program != "cd"));
    let step = steps.next().filter(|_| steps.next().is_none())?;
    let asks = match step.iter().filter(|word| !word.starts_with('-')).nth(1).map(String::as_str) {
        Some("status") => true,
        Some("diff") => step.iter().any(|word| STATS.contains(&&**word)),
        _ => false,
    };
    if step[0] != "git" || !asks || command.contains('|') {
        return None;
    }
    let output = output(result);
    let mut told = String::new();
    let lines = own_lines(&output).filter(|line| !starts_any(line, &HINTS));
    for (number, line) in lines.enumerate() {
        if number > STATE {
            return None;
        }
        let sign = if told.is_empty() || told.ends_with(':') { " " } else { "; " };
        told += &format!("{sign}{}", fold(line));
    }
    let told = told.trim();
    let is_plain = !told.is_empty() && !told.contains(['`', '“', '”']) && told.chars().count() <= STATED;
    is_plain.then(|| told.to_owned())
}

/// Options of `git diff` with which it names the files only.
const STATS: [&str; 4] = ["--name-only", "--name-status", "--shortstat", "--stat"];
/// Beginnings of lines in which git only gives advice.
const HINTS: [&str; 3] = ["(use ", "no changes added to commit", "nothing added to commit"];
/// Maximum number of lines of such a state, and its maximum length, in characters.
const STATE: usize = 10;
const STATED: usize = 200;

/// What a command printed, if that is short: nothing was changed since.
fn short_output(act: &Act<'_>) -> Option<String> {
    if let Action::Run(command) = &act.action
        && let Some(state) = state(command, act.result)
    {
        return Some(state);
    }
    let output = output(act.result);
    let lines: Vec<&str> = own_lines(&output).take(LINES + 1).collect();
    let all = lines.join("; ");
    let is_short = (1..=LINES).contains(&lines.len()) && all.chars().count() <= PRINTED;
    (is_short && !all.contains(['`', '“', '”'])).then(|| fold(&all))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::act;
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    fn told(calls: &[(&str, &str)]) -> Vec<String> {
        let run = |(command, printed): &(&str, &str)| {
            act("bash", &serde_json::json!({ "command": command }).to_string(), printed, false)
        };
        let messages: Vec<Message<'_>> = calls.iter().flat_map(run).collect();
        let all = turns(&messages.iter().collect::<Vec<_>>(), &[]);
        states(&all[0], 0, &Endings::of(&all, &[]), 0).into_iter().map(|item| item.text).collect()
    }

    #[test]
    fn what_git_says_of_the_work_tree_is_told_while_it_holds() {
        let short = ("cd /quay && git status --short", " M lamp.rs\n?? tide.rs\n");
        let told_short = "Ran `git status --short`: “M lamp.rs; ?? tide.rs”";
        assert_eq!(told(&[short]), [told_short]);
        assert_eq!(told(&[short, ("cargo test", "1 passed"), ("ls", "a")]), [told_short]);
        for change in ["git add -A", "git commit -m x", "./make lamps", "rm tide.rs"] {
            assert_eq!(told(&[short, (change, "")]), [""; 0], "{change}");
        }
        let long = "On branch quay\nChanges not staged for commit:\n  (use \"git add <file>...\" to update)\n\tmodified:   lamp.rs\n\nno changes added to commit (use \"git add\")\n";
        let told_long = "Ran `git status`: “On branch quay; Changes not staged for commit: modified: lamp.rs”";
        assert_eq!(told(&[("git status", long)]), [told_long]);
        let stat = " lamp.rs | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)";
        assert_eq!(
            told(&[("git diff --stat", stat)]),
            ["Ran `git diff --stat`: “lamp.rs | 2 +-; 1 file changed, 1 insertion(+), 1 deletion(-)”"]
        );
        assert_eq!(told(&[("git diff", stat), ("git status | head", " M a"), ("git status", "")]), [""; 0]);
        assert_eq!(told(&[("git status -s", &" M lamp.rs\n".repeat(12))]), [""; 0], "it is long");
    }
}
