//! Findings about trouble that was mended since: they belong to the story of their request, not to what holds.

use super::discoveries::finding;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::sentences::cues::{Kind, lower, tells_trouble};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::session::endings::Endings;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::extractive::words::CAUSES;
use crate::summary::items::Item;

/// Words of a cause, besides [`CAUSES`].
const CAUSED: [&str; 2] = ["root cause", " instead of "];

/// What a turn says of trouble found in it.
pub(super) struct Mending<'t, 'm> {
    turn: &'t Turn<'m>,
    endings: &'t Endings,
    /// Whether more was asked since.
    ended: bool,
    /// The message of the last call that changed files, if the turn then ends without telling of trouble.
    worked_on: Option<usize>,
}

impl<'t, 'm> Mending<'t, 'm> {
    pub(super) fn of(turn: &'t Turn<'m>, endings: &'t Endings, ended: bool) -> Self {
        let changed = || turn.acts.iter().rfind(|act| act.has_changed_files()).map(|act| act.message);
        let worked_on = if ends_well(turn) { changed() } else { None };
        Self { turn, endings, ended, worked_on }
    }

    /// What the agent found and mended, except a lack of files that are there now.
    pub(super) fn items(self, newness: i64) -> impl Iterator<Item = Item> + 't
    where
        'm: 't,
    {
        let turn = self.turn;
        let is_told = move |said: &&Said| self.has(said) && !self.endings.made_later(&said.sentence, said.message);
        turn.said.iter().filter(is_told).filter_map(move |said| finding(said, newness))
    }

    /// Whether the trouble in a sentence was mended since: its failed command worked later or, if the turn has ended,
    /// the file was changed later, or the turn worked on files and reports that it is done. A sentence of the last
    /// text came after all that.
    pub(super) fn has(&self, said: &Said) -> bool {
        if said.closing || !matches!(said.kind, Kind::Finding(_)) || !said.may_be_mended() {
            return false;
        }
        let worked_on = || self.worked_on.is_some_and(|changed| changed >= said.message);
        let bug = || self.endings.changed_later(&said.sentence, said.message) || worked_on();
        self.runs_now(said) || self.ended && tells_bug(&said.sentence) && bug()
    }

    /// Whether the last command before a sentence failed, and worked later.
    fn runs_now(&self, said: &Said) -> bool {
        let acts = &self.turn.acts[..self.turn.acts.partition_point(|act| act.message < said.message)];
        let Some(last) = acts.last() else { return false };
        acts.iter().rev().take_while(|act| act.message == last.message).any(|act| match &act.action {
            Action::Run(command) => act.outcome.error().is_some() && self.endings.worked_later(command),
            _ => false,
        })
    }
}

/// Whether the last text of a turn says that something is done, or tells of no trouble.
fn ends_well(turn: &Turn<'_>) -> bool {
    let closing = || turn.said.iter().filter(|said| said.closing && said.kind != Kind::Empty);
    let is_done = closing().any(|said| said.kind == Kind::Done);
    is_done || closing().next().is_some() && closing().all(|said| !tells_trouble(&said.sentence))
}

/// Whether it tells of trouble, of its cause, or of something that stands where another should.
fn tells_bug(sentence: &str) -> bool {
    let lower = lower(sentence);
    tells_trouble(sentence) || CAUSED.iter().chain(CAUSES).any(|words| lower.contains(words))
}

#[cfg(test)]
mod tests {
    use super::super::{accomplished, discoveries};
    use super::*;
    use crate::summary::builders::{act, agent, user};
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::{InTurn, Message};

    /// Whether a sentence is told as a discovery, and as a step.
    fn told(sentence: &str, messages: &[Message<'static>]) -> [bool; 2] {
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        let endings = Endings::of(&turns, &[]);
        let steps = accomplished::steps_alone(&turns);
        [discoveries::items(&turns, &endings, &InTurn), steps]
            .map(|items| items.iter().any(|item| item.text == sentence))
    }

    #[test]
    fn what_was_mended_is_told_in_the_story_of_its_request() {
        let found = "The root cause: `setLamp` passes the oil of the wrong pier to the keeper.";
        let ended = |closing: &str| {
            let mut messages = vec![user("Mend the lamp."), agent(found)];
            messages.extend(act("edit", r#"{"path":"quay.rs","old":"a","new":"b"}"#, "ok", false));
            messages.extend([agent(closing), user("Now draw a map of the harbour.")]);
            told(found, &messages)
        };
        assert_eq!(ended("The lamp burns now: each pier has its own oil."), [false, true]);
        assert_eq!(ended("I fixed `setLamp` for all piers."), [false, true]);
        assert_eq!(ended("The lamp is still broken after that."), [true, false]);
    }

    #[test]
    fn what_was_missing_and_is_there_now_is_told_nowhere() {
        let missing = "Missing: `docs/tides.md` and `docs/quay.md` are not in the folder of the harbour.";
        let made = |files: &[&str]| {
            let mut messages = vec![user("Bring the folder in line."), agent(missing)];
            for file in files {
                messages.extend(act("write", &format!(r#"{{"path":"{file}","content":"x"}}"#), "ok", false));
            }
            messages.extend([agent("Both are there."), user("Now read them.")]);
            told(missing, &messages)
        };
        assert_eq!(made(&["docs/tides.md"]), [false, true]);
        assert_eq!(made(&["docs/tides.md", "docs/quay.md"]), [false, false]);
    }

    /// Whether what the agent said after a failed `make tide` counts as fixed by these messages.
    fn mended(sentence: &str, then: &[Message<'static>]) -> bool {
        let mut messages = vec![user("Mend the tide table.")];
        messages.extend(act("bash", r#"{"command":"make tide"}"#, "error: no such tide", true));
        messages.push(agent(sentence));
        messages.extend_from_slice(then);
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        let first = turns.iter().find(|turn| turn.asked.is_some());
        first.is_some_and(|turn| Mending::of(turn, &Endings::of(&turns, &[]), turns.len() > 2).has(&turn.said[0]))
    }

    #[test]
    fn what_was_mended_since_is_known() {
        let fails = "The problem is that the `TIDE` table has the wrong unit.";
        let ran = |failed: bool| act("bash", r#"{"command":"make tide"}"#, "Exit code: 0\nmade", failed);
        assert!(mended(fails, &ran(false)) && !mended(fails, &ran(true)));
        let edit = act("Edit", r#"{"file_path":"/w/board.rs"}"#, "ok", false);
        let [call, result] = edit.clone();
        let ended = [call, result, user("Now draw the harbour map.")];
        let lacks = "The problem is that `tides/board.rs` has no test.";
        assert!(mended(lacks, &ended) && !mended(lacks, &edit));
        for stays in [
            "The reason is that `tides/board.rs` reads the times from a file.",
            "The problem is that `tides/map.rs` has no test.",
        ] {
            assert!(!mended(stays, &ended), "{stays}");
        }
        let [call, result] = edit;
        assert!(!mended(lacks, &[user("Now draw the harbour map."), call, result]), "it closed its turn");
    }
}
