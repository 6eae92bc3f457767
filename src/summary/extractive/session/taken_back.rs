//! Steps whose change the agent took back in the same turn: “I deleted the method.”, and later `git checkout lamp.py`;
//! and “I reverted the changes.”, if all the files were changed again later.

use super::turns::Turn;
use crate::summary::extractive::calls::act::FileOp;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::sentences::cues::{Kind, lower};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::text::each_word;
use foldhash::HashMap;
use std::cell::LazyCell;

/// Words for what was undone, and words beside them in a sentence that does not say in which files.
const UNDONE: [&str; 4] = ["reverted", "undid", "undone", "stashed"];
const CHANGES: [&str; 7] = ["change", "changes", "edit", "edits", "fix", "modification", "modifications"];
const BESIDE: [&str; 20] = [
    "a", "all", "are", "been", "had", "has", "have", "i", "i've", "it", "my", "our", "that", "the", "these", "they",
    "this", "those", "we", "your",
];

/// For each sentence of a turn, whether it tells of a step whose files were all restored later in the turn, or that
/// changes were undone, and each file changed before was changed again. The step is in its message or in the one behind
/// it.
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
    // A file that was not changed again may be the one that was meant.
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
    let lower = lower(sentence);
    let says = |known: &[&str]| each_word(&lower).any(|word| known.contains(&word));
    let known = [&UNDONE[..], &CHANGES, &BESIDE];
    says(&UNDONE) && says(&CHANGES) && each_word(&lower).all(|word| known.iter().any(|known| known.contains(&word)))
}

/// The first messages that changed the files of a turn, ascending, each with the first of the last messages that
/// changed the files so far; a file that was restored in the end counts as never changed again.
fn spans(turn: &Turn<'_>) -> Vec<(usize, usize)> {
    let mut of_files: HashMap<&str, (usize, usize)> = HashMap::default();
    for act in &turn.acts {
        for (path, message) in files(act, false) {
            of_files.entry(path).or_insert((message, message)).1 = message;
        }
        for (path, message) in files(act, true) {
            of_files.entry(path).or_insert((message, 0)).1 = 0;
        }
    }
    let mut spans: Vec<(usize, usize)> = of_files.into_values().collect();
    spans.sort_unstable();
    let mut earliest = usize::MAX;
    for (_, last) in &mut spans {
        earliest = earliest.min(*last);
        *last = earliest;
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
        edit_of("quay/lamp.py")
    }

    fn edit_of(path: &str) -> [Message<'static>; 2] {
        let arguments = serde_json::json!({ "file_path": path, "old_string": "a", "new_string": "b" });
        act("Edit", &arguments.to_string(), "done", false)
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
        let restored = act("bash", r#"{"command":"git checkout quay/lamp.py"}"#, "Updated 1 path", false);
        assert!(told(edit().into_iter().chain(restored).collect()));
    }

    #[test]
    fn changes_to_a_file_that_is_not_changed_again_stay_undone() {
        let told = |sentence: &str, again: &[&str]| {
            let restored = act("bash", r#"{"command":"git checkout quay/pier.py"}"#, "Updated 1 path", false);
            let mut messages = vec![user("Mend the lamp and the pier of the quay.")];
            messages.extend(edit_of("quay/pier.py").into_iter().chain(edit()).chain(restored));
            messages.extend([agent(sentence), agent("The lamp burns dim without them.")]);
            messages.extend(again.iter().flat_map(|path| edit_of(path)));
            said(&messages).iter().any(|said| said == sentence)
        };
        let (lamp, both) = (["quay/lamp.py"], ["quay/lamp.py", "quay/pier.py"]);
        for sentence in ["I reverted the changes to pier.py.", "I reverted the pier changes."] {
            assert!(told(sentence, &lamp) && told(sentence, &both), "{sentence}");
        }
        assert!(told("I reverted the changes.", &lamp));
        assert!(!told("I reverted the changes.", &both));
    }
}
