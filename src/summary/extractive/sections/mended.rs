//! Findings about trouble that was mended since: they belong to the story of their request, not to what holds.

use super::discoveries::finding;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::sentences::cues::{Kind, lower, tells_trouble};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::session::endings::Endings;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::extractive::words::CAUSES;
use crate::summary::items::Item;

/// Words of a cause, besides [`CAUSES`].
const CAUSED: [&str; 2] = ["root cause", " instead of "];

/// What the agent found and mended in a turn, except a lack of files that are there now; `ended`: more was asked since.
pub(super) fn mended((turn, ended): (&Turn<'_>, bool), endings: &Endings, newness: i64) -> impl Iterator<Item = Item> {
    let is_told =
        move |said: &&Said| is_mended(said, turn, endings, ended) && !endings.made_later(&said.sentence, said.message);
    turn.said.iter().filter(is_told).filter_map(move |said| finding(said, newness))
}

/// Whether the trouble in a sentence was mended since: its failed command worked later or, if the turn has ended, the
/// file was changed later, or the turn worked on files and reports that it is done. A sentence of the last text came
/// after all that.
pub(super) fn is_mended(said: &Said, turn: &Turn<'_>, endings: &Endings, ended: bool) -> bool {
    if said.closing || !matches!(said.kind, Kind::Finding(_)) {
        return false;
    }
    let before = turn.acts.iter().rev().map(|act| act.message).find(|message| *message < said.message);
    let mended = |act: &Act<'_>| match &act.action {
        Action::Run(command) => act.outcome.error().is_some() && endings.worked_later(command),
        _ => false,
    };
    turn.acts.iter().filter(|act| Some(act.message) == before).any(mended)
        || ended
            && tells_bug(&said.sentence)
            && (endings.changed_later(&said.sentence, said.message) || is_worked_on(said, turn))
}

/// Whether it tells of trouble, of its cause, or of something that stands where another should.
fn tells_bug(sentence: &str) -> bool {
    let lower = lower(sentence);
    tells_trouble(sentence) || CAUSED.iter().chain(CAUSES).any(|words| lower.contains(words))
}

/// Whether the agent changed files after it said so, and ends the turn without telling of trouble.
fn is_worked_on(said: &Said, turn: &Turn<'_>) -> bool {
    let changes = |act: &Act<'_>| act.outcome.worked() && act.files().iter().any(|(op, _)| op.changes());
    let mut closing = turn.said.iter().filter(|later| later.closing && later.kind != Kind::Empty);
    let tells = closing.clone().next().is_some();
    tells
        && (closing.clone().any(|later| later.kind == Kind::Done)
            || closing.all(|later| !tells_trouble(&later.sentence)))
        && turn.acts.iter().filter(|act| act.message >= said.message).any(changes)
}

#[cfg(test)]
mod tests {
    use super::super::{accomplished, discoveries};
    use super::*;
    use crate::summary::corpus::{act, agent, user};
    use crate::summary::extractive::files::folders::Folders;
    use crate::summary::extractive::files::root::Root;
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    /// Whether a sentence is told as a discovery, and as a step.
    fn told(sentence: &str, messages: &[Message<'static>]) -> [bool; 2] {
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let turns = turns(&head, &[]);
        let endings = Endings::of(&turns, &[]);
        let paths = (&Root::default(), &Folders::default());
        let steps = accomplished::items((&turns, &[], &[]), paths, (&[], &endings));
        [discoveries::items(&turns, &endings), steps].map(|items| items.iter().any(|item| item.text == sentence))
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
        first.is_some_and(|turn| is_mended(&turn.said[0], turn, &Endings::of(&turns, &[]), turns.len() > 2))
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
