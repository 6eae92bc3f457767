//! Ways that failed several times before another one worked: a tool that failed for the same reason each time.

use super::LONGEST_LINE;
use crate::summary::extractive::calls::act::{Action, FileOp};
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::cut_short::is_ended;
use crate::summary::extractive::calls::output::output;
use crate::summary::extractive::session::endings::Endings;
use crate::summary::items::Item;
use crate::summary::text::{cut, first_bytes, fold};
use foldhash::HashMap;

/// Fewest failures that are told.
const FEWEST: usize = 2;
/// Rank of a failure, and the maximum number of them that counts.
const EACH: i64 = 25;
const MOST: i64 = 8;
/// Number of bytes of a result in which its reason is looked for, and maximum length of a reason, in characters.
const FIRST: usize = 2_000;
const REASON: usize = 140;
/// Maximum length of a command, in characters.
const SHOWN: usize = 60;
/// Beginnings of the reason if not the command failed, but the shell that was to run it.
const OF_SHELL: [&str; 3] = ["execution error", "command timed out", "timed out after"];

/// The failures of calls that worked in another way later, by tool and reason.
#[derive(Default)]
pub(super) struct Ways<'t> {
    all: Vec<Way<'t>>,
    places: HashMap<(&'t str, String), usize>,
    /// The last message in which a command of a tool worked.
    worked: HashMap<&'t str, usize>,
}

/// Failures of one tool for one reason.
struct Way<'t> {
    tool: &'t str,
    reason: String,
    count: usize,
    /// The message of the last one.
    message: usize,
    /// Rank that newness adds to it.
    newness: i64,
    /// The last command that failed, if the shell has to work later.
    command: Option<String>,
}

impl Way<'_> {
    /// Rank of its newness and of the number of failures.
    fn weight(&self) -> i64 {
        self.newness + EACH * i64::try_from(self.count).unwrap_or(MOST).min(MOST)
    }
}

impl<'t> Ways<'t> {
    /// Takes a call of a turn.
    pub(super) fn note(&mut self, act: &Act<'t>, endings: &Endings, newness: i64) {
        let command = if let Action::Run(command) = &act.action { Some(command) } else { None };
        if command.is_some() && act.outcome.worked() {
            self.worked.insert(act.tool, act.message);
        }
        let Some(reason) = reason(act, endings).filter(|_| !act.tool.is_empty()) else { return };
        let place = *self.places.entry((act.tool, class(&reason))).or_insert(self.all.len());
        if place == self.all.len() {
            let (tool, reason, count, message) = (act.tool, reason, 0, act.message);
            self.all.push(Way { tool, reason, count, message, newness, command: None });
        }
        let way = &mut self.all[place];
        (way.count, way.message, way.newness) = (way.count + 1, act.message, newness);
        way.command = command.map(|command| cut(command.shown(), SHOWN).into_owned());
    }

    /// A line for each way that failed several times.
    pub(super) fn items(self) -> Vec<Item> {
        let Self { all, worked, .. } = self;
        let is_over =
            |way: &&Way<'_>| way.command.is_none() || worked.get(way.tool).is_some_and(|last| *last > way.message);
        let told = all.iter().filter(|way| way.count >= FEWEST).filter(is_over).map(|way| {
            let command = way.command.as_ref().map(|command| format!(" (last with `{command}`)")).unwrap_or_default();
            let text = format!("`{}` failed {}×, later ok: {}{command}", way.tool, way.count, way.reason);
            Item::new(cut(&text, LONGEST_LINE).into_owned(), way.message, way.weight())
        });
        told.collect()
    }
}

/// Why a call failed whose files could be changed or viewed later, or that only looks and was not run.
fn reason(act: &Act<'_>, endings: &Endings) -> Option<String> {
    let error = act.outcome.error()?;
    match &act.action {
        Action::Files(files) if files.iter().all(|(op, _)| *op == FileOp::Read) => {
            endings.reached_later(act).then(|| bare(act.result, error))
        }
        Action::Files(files) => {
            let is_changed = files.iter().all(|(_, path)| endings.changed_later(path, act.message));
            (is_changed && !error.contains("user")).then(|| bare(act.result, error))
        }
        Action::Run(command) if command.is_quiet() => {
            let is_of_shell = is_ended(error) || OF_SHELL.iter().any(|start| error.starts_with(start));
            is_of_shell.then(|| error.to_owned())
        }
        _ => None,
    }
}

/// The first line of a result without the text and the paths that it quotes: “No replacement was performed, old_str did
/// not appear verbatim”.
fn bare(result: &str, error: &str) -> String {
    let output = output(result);
    let words = without_texts(first_bytes(&output, FIRST));
    let mut lines = words.lines().map(|line| line.trim().trim_start_matches("<tool_use_error>"));
    let first = lines.find(|line| !line.is_empty() && !ERRORS.contains(line)).unwrap_or_default();
    let is_told = |word: &&str| !word.contains(['/', '\\']);
    let told = fold(&first.split(' ').filter(is_told).collect::<Vec<_>>().join(" "));
    let told = told.trim_end_matches([':', ' ', '.']);
    let told = ["in", "at", "of"].iter().find_map(|end| told.strip_suffix(end)?.strip_suffix(' ')).unwrap_or(told);
    cut(if told.split(' ').nth(2).is_some() { told } else { error }, REASON).into_owned()
}

/// Lines that only say that an error follows.
const ERRORS: [&str; 3] = ["ERROR:", "Error:", "error:"];

/// A text without long quoted pieces; one that is not closed goes to the end.
fn without_texts(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['`', '"']) {
        let behind = &rest[at + 1..];
        let end = behind.find(&rest[at..=at]).unwrap_or(behind.len());
        let stays = end <= QUOTED && end < behind.len();
        out.push_str(if stays { &rest[..at + end + 2] } else { rest[..at].trim_end() });
        rest = behind.get(end + 1..).unwrap_or_default();
    }
    out + rest
}

/// Maximum length of a quoted piece that may be a name, in bytes.
const QUOTED: usize = 24;

/// What failures for the same reason have in common: no numbers.
fn class(reason: &str) -> String {
    reason.replace(|char: char| char.is_ascii_digit(), "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::act;
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    fn told(calls: Vec<[Message<'static>; 2]>) -> Vec<String> {
        let messages: Vec<Message<'_>> = calls.into_iter().flatten().collect();
        let turns = turns(&messages.iter().collect::<Vec<_>>(), &[]);
        let (endings, mut ways) = (Endings::of(&turns, &[]), Ways::default());
        turns.iter().flat_map(|turn| &turn.acts).for_each(|act| ways.note(act, &endings, 0));
        ways.items().into_iter().map(|item| item.text).collect()
    }

    #[test]
    fn a_change_that_failed_several_times_for_one_reason_is_told_once() {
        let change = |old: &str, result: &'static str, failed| {
            let arguments = serde_json::json!({"command": "str_replace", "path": "/w/pier.c", "old_str": old});
            act("str_replace_editor", &arguments.to_string(), result, failed)
        };
        let refused = "ERROR:\nNo replacement was performed, old_str `   12  light(tide, quay);\n   13` did not appear verbatim in /w/pier.c.";
        let calls = || vec![change("12 light(", refused, true), change("14 light(", refused, true)];
        let mut worked = calls();
        worked.push(change("light(", "The file /w/pier.c has been edited.", false));
        let line =
            "`str_replace_editor` failed 2×, later ok: No replacement was performed, old_str did not appear verbatim";
        assert_eq!(told(worked.clone()), [line]);
        assert!(told(calls()).is_empty() && told(worked.split_off(1)).is_empty(), "no other way worked; only once");
    }

    #[test]
    fn a_shell_that_did_not_start_until_it_was_asked_otherwise_is_told() {
        let run = |command: &str, result: &'static str, failed| {
            act("shell_command", &serde_json::json!({ "command": command }).to_string(), result, failed)
        };
        let broken = "execution error: Io(\"sandbox: CreateProcess failed: 1056\")";
        let calls = vec![run("cat pier.md", broken, true), run("ls", broken, true), run("ls -a", "pier.md", false)];
        assert_eq!(told(calls), [format!("`shell_command` failed 2×, later ok: {broken} (last with `ls`)")]);
        let missing = "cat: pier.md: No such file or directory";
        assert!(
            told(vec![run("cat pier.md", missing, true), run("cat -n pier.md", missing, true), run("ls", "a", false)])
                .is_empty()
        );
    }
}
