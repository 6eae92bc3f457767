//! Steps whose change the agent took back in the same turn: “I deleted the method.”, and later `git checkout lamp.py`;
//! and “I reverted the changes.”, if they were made again later.

use super::turns::Turn;
use crate::summary::extractive::calls::act::FileOp;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::sentences::cues::{Kind, lower};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::text::{each_word, words};
use foldhash::HashMap;
use std::cell::LazyCell;

/// Words for what was undone, and maximum number of words of a sentence that only says that.
const UNDONE: [&str; 4] = ["reverted", "undid", "undone", "stashed"];
const CHANGES: [&str; 7] = ["change", "changes", "edit", "edits", "fix", "modification", "modifications"];
const FEW: usize = 8;

/// For each sentence of a turn, whether it tells of a step whose files were all restored later in the turn, or that
/// changes were undone, of which some file was changed again. The step is in its message or in the one behind it.
pub(super) fn taken_back(turn: &Turn<'_>) -> Vec<bool> {
    let mut restored: HashMap<&str, usize> = HashMap::default();
    for (path, message) in turn.acts.iter().flat_map(|act| files(act, true)) {
        restored.insert(path, message);
    }
    let is_restored = |said: &Said| {
        let from = turn.acts.partition_point(|act| act.message < said.message);
        let own = turn.acts[from..].iter().take_while(|act| act.message <= said.message + 1);
        let mut changed = own.flat_map(|act| files(act, false)).peekable();
        changed.peek().is_some()
            && changed.all(|(path, message)| restored.get(path).is_some_and(|back| *back > message))
    };
    let spans = LazyCell::new(|| spans(turn));
    let is_redone = |message: usize| {
        let begun = spans.partition_point(|(first, _)| *first < message);
        begun > 0 && spans[begun - 1].1 > message
    };
    let is_over = |said: &Said| {
        said.kind == Kind::Done
            && (!restored.is_empty() && is_restored(said) || says_undone(&said.sentence) && is_redone(said.message))
    };
    turn.said.iter().map(is_over).collect()
}

/// Whether a sentence says that changes were undone, and not which.
fn says_undone(sentence: &str) -> bool {
    if words(sentence) > FEW || sentence.contains('`') {
        return false;
    }
    let lower = lower(sentence);
    [&UNDONE[..], &CHANGES].iter().all(|known| each_word(&lower).any(|word| known.contains(&word)))
}

/// The first messages that changed the files of a turn, ascending, each with the last message that changed one of the
/// files so far.
fn spans(turn: &Turn<'_>) -> Vec<(usize, usize)> {
    let mut of_files: HashMap<&str, (usize, usize)> = HashMap::default();
    for (path, message) in turn.acts.iter().flat_map(|act| files(act, false)) {
        of_files.entry(path).or_insert((message, message)).1 = message;
    }
    let mut spans: Vec<(usize, usize)> = of_files.into_values().collect();
    spans.sort_unstable();
    let mut furthest = 0;
    for (_, last) in &mut spans {
        furthest = furthest.max(*last);
        *last = furthest;
    }
    spans
}

/// The files that a call restored, or changed otherwise, with its message.
fn files<'a>(act: &'a Act<'_>, restored: bool) -> impl Iterator<Item = (&'a str, usize)> {
    let all = act.files().iter().filter(|_| act.outcome.worked());
    let own = all.filter(move |(op, _)| if restored { *op == FileOp::Restored } else { op.changes() });
    own.map(|(_, path)| (path.as_str(), act.message))
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use crate::summary::builders::{act, agent, user};
    use crate::transcript::Message;

    fn edit() -> [Message<'static>; 2] {
        act("Edit", r#"{"file_path":"quay/lamp.py","old_string":"a","new_string":"b"}"#, "done", false)
    }

    fn said(messages: &[Message<'_>]) -> Vec<String> {
        let head: Vec<&Message<'_>> = messages.iter().collect();
        turns(&head, &[]).into_iter().flat_map(|turn| turn.said).map(|said| said.sentence).collect()
    }

    fn left(then: &str) -> Vec<String> {
        let run = act("bash", &serde_json::json!({ "command": then }).to_string(), "Updated 1 path", false);
        let mut messages = vec![user("Mend the lamp of the quay."), agent("I deleted the method `light_all`.")];
        messages.extend(edit().into_iter().chain(run));
        messages.extend([agent("The wick is too short for `light_one`."), user("Go on.")]);
        said(&messages)
    }

    #[test]
    fn a_step_whose_file_was_restored_is_over() {
        let both = ["I deleted the method `light_all`.", "The wick is too short for `light_one`."];
        assert_eq!(left("git checkout quay/lamp.py"), both[1..]);
        assert_eq!(left("git checkout quay/buoy.py"), both);
        assert_eq!(left("cat quay/lamp.py"), both);
    }

    #[test]
    fn changes_that_were_made_again_are_not_told_as_undone() {
        let told = |then: Vec<Message<'static>>| {
            let mut messages = vec![user("Mend the lamp of the quay.")];
            messages.extend(edit());
            messages.extend([agent("I reverted the changes."), agent("The lamp burns dim without them.")]);
            messages.extend(then);
            said(&messages).iter().any(|sentence| sentence == "I reverted the changes.")
        };
        assert!(told(Vec::new()));
        assert!(told([user("Now mend the buoy.")].into_iter().chain(edit()).collect()));
        assert!(!told(edit().into()));
    }
}
