//! Acts after an earlier summary that end what it left open: a numbered step or a ticket was closed, a command was run.

use crate::summary::extractive::calls::act::{Action, StepChange};
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::plan::Step;
use crate::summary::extractive::calls::run::Command;
use crate::summary::extractive::session::endings::covers;
use crate::summary::extractive::words::NEGATIONS;
use crate::summary::text::{each_word, first_bytes, has_any, has_digit, has_words, starts_any};
use foldhash::HashMap;

/// Words of a line that asks to run a command.
const ORDERS: [&str; 14] = [
    "run",
    "rerun",
    "re-run",
    "execute",
    "ausführen",
    "starte",
    "lancer",
    "relancer",
    "exécuter",
    "ejecutar",
    "correr",
    "запустить",
    "运行",
    "执行",
];

/// Number of words that may stand behind the last command, and beginnings of what it is run for, whatever its length.
const BEHIND: usize = 3;
const PURPOSES: [&str; 6] = ["to be sure", "to check", "to confirm", "to ensure", "to make sure", "to verify"];
/// Words with which more work follows.
const MORE: [&str; 10] = ["after", "and", "before", "et", "if", "or", "otherwise", "then", "und", "whether"];
/// Beginning of a result that reports an error.
const ERROR: &str = "error";

/// Subcommands that close a ticket: `bd close quay-3`, `gh issue close 7`.
const CLOSES: [&str; 5] = ["close", "complete", "done", "finish", "resolve"];
/// The option of a command that sets a state, and the states of a closed ticket: `bd update quay-3 --status closed`.
const SETS: &str = "--status";
const CLOSED: [&str; 5] = ["closed", "completed", "done", "finished", "resolved"];
/// The subcommand that opens one again, and those about requests to merge: a rejected one is no finished work.
const REOPENS: &str = "reopen";
const MERGES: [&str; 2] = ["pr", "mr"];

/// The last acts of these kinds, each with the number of messages up to it.
#[derive(Default)]
pub(super) struct Acted {
    /// Steps that are closed, by number.
    closed: HashMap<String, usize>,
    /// Tickets that a command closed, by name.
    tickets: HashMap<String, usize>,
    /// Commands that ran without an error, by what they are compared by.
    ran: HashMap<String, usize>,
}

impl Acted {
    pub(super) fn take(&mut self, at: usize, act: &Act<'_>) {
        match &act.action {
            Action::Step(StepChange::Moved(number, status)) if is_done(act) => {
                if (Step { content: String::new(), status: status.clone() }).is_closed() {
                    self.closed.insert(number.clone(), at);
                } else {
                    self.closed.remove(number);
                }
            }
            Action::Run(command) if act.outcome.worked() => {
                self.ran.insert(command.key().to_owned(), at);
                for (name, closed) in command.steps().iter().flat_map(|step| tickets(step)) {
                    let name = name.trim_start_matches('#').to_owned();
                    if closed {
                        self.tickets.insert(name, at);
                    } else {
                        self.tickets.remove(&name);
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether an act after the first `place` messages ended the work of a line, which is given with its stage and the
    /// words above it, and without them.
    pub(super) fn ends(&self, whole: &str, line: &str, place: usize) -> bool {
        let is_later = |at: &usize| *at > place;
        let closed = number(line).and_then(|number| self.closed.get(number));
        let ticket = named(whole).and_then(|name| self.tickets.get(name));
        [closed, ticket].into_iter().flatten().any(is_later) || self.has_run(line, place)
    }

    /// Whether all commands that a line asks to run were run. What it asks for besides is still to be done.
    fn has_run(&self, line: &str, place: usize) -> bool {
        let lead = line.split('`').next().unwrap_or_default().to_lowercase();
        let denies = NEGATIONS.iter().chain(&["nicht", "pas", "не", "不"]).any(|word| has_words(&lead, word));
        let asks = lead.is_empty() || has_any(&lead, &ORDERS);
        let behind = line.rsplit('`').next().unwrap_or_default();
        let mut commands = line.split('`').skip(1).step_by(2).peekable();
        let ran = |command: &str| {
            let wanted = Command::from(command);
            self.ran.iter().any(|(ran, at)| *at > place && covers(ran, wanted.key()))
        };
        let is_purpose = || {
            let told = starts_any(behind.trim_start(), &PURPOSES);
            // A note in brackets at the end is no more work.
            let end = behind.strip_suffix(')').and_then(|note| note.rsplit_once('(')).map_or(behind, |(end, _)| end);
            let alone = !end.trim_end_matches(['.', ' ']).contains([',', ';', ':', '.', '(']);
            told && alone && !each_word(end).any(|word| MORE.contains(&word))
        };
        let is_all = (each_word(behind).count() <= BEHIND || is_purpose()) && commands.peek().is_some();
        asks && !denies && is_all && commands.all(|command| command.contains(' ') && ran(command))
    }
}

/// The tickets that a step of a command closes, or opens again (`false`).
fn tickets(step: &[String]) -> impl Iterator<Item = (&str, bool)> {
    let end =
        |from: usize| step[from..].iter().position(|word| word.starts_with('-')).map_or(step.len(), |at| from + at);
    let set = step.iter().enumerate().find_map(|(at, word)| match word.strip_prefix(SETS)? {
        "" => step.get(at + 1).map(String::as_str),
        state => state.strip_prefix('='),
    });
    // The program is no subcommand.
    let mut first = step.iter().skip(1).take(3);
    let merges = first.clone().any(|word| MERGES.contains(&&**word));
    let verb = first.position(|word| CLOSES.contains(&&**word) || word == REOPENS || set.is_some() && word == "update");
    let verb = verb.map(|verb| verb + 1).filter(|_| !merges);
    let closed = verb.is_some_and(|verb| match &*step[verb] {
        "update" => set.is_some_and(|state| CLOSED.contains(&state)),
        own => own != REOPENS,
    });
    let names = verb.map_or(&[][..], |verb| &step[verb + 1..end(verb + 1)]);
    names.iter().map(move |name| (name.as_str(), closed))
}

/// The ticket that a line begins with, behind its stage: “pier-3 — Fix the lamp”, “#7: Ring”.
fn named(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(": ")?;
    let rest = rest.trim_start_matches(['*', '`']);
    // A mere number counts points: “7 — Paint the wall”.
    let (is_ticket, rest) = rest.strip_prefix('#').map_or((false, rest), |rest| (true, rest));
    let name = &rest[..rest.find(|char: char| !(char.is_alphanumeric() || "-_".contains(char))).unwrap_or(rest.len())];
    let behind = rest[name.len()..].trim_start_matches(['*', '`']);
    let ends = starts_any(behind, &[" — ", ": ", " (", " - "]) || behind.is_empty();
    let is_named = is_ticket || name.contains(char::is_alphabetic);
    (ends && is_named && has_digit(name)).then_some(name)
}

/// Whether a call worked, as far as its result says.
fn is_done(act: &Act<'_>) -> bool {
    act.outcome.worked() && !first_bytes(act.result, ERROR.len()).to_lowercase().starts_with(ERROR)
}

/// The number of the step that a line is about: “Task #3 (pending): …”, “#3: …”.
fn number(line: &str) -> Option<&str> {
    let named = line.strip_prefix("Task ").or_else(|| line.strip_prefix("task "));
    let rest = named.unwrap_or(line);
    let digits = rest.strip_prefix('#').or(named)?;
    let end = digits.find(|char: char| !char.is_ascii_digit()).unwrap_or(digits.len());
    let is_part =
        digits[end..].strip_prefix('.').is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit()));
    (end > 0 && !is_part).then(|| &digits[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_about_a_step_begins_with_its_number() {
        for line in ["Task #3 (pending): Light the pier", "#3: Light the pier", "task 3", "Task 3: light it"] {
            assert_eq!(number(line), Some("3"), "{line}");
        }
        for line in
            ["Light pier #3", "3 lamps are dark", "Task force 3", "Tasks of the pier", "# 3", "Task 3.2: Light it"]
        {
            assert_eq!(number(line), None, "{line}");
        }
    }
}
