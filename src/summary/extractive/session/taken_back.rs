//! Steps whose change the agent took back in the same turn: “I deleted the method.”, and later `git checkout lamp.py`.

use super::turns::Turn;
use crate::summary::extractive::calls::act::FileOp;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::sentences::cues::Kind;
use crate::summary::extractive::sentences::said::Said;
use foldhash::HashMap;

/// For each sentence of a turn, whether it tells of a step whose files were all restored later in the turn. The step is
/// in its message or in the one behind it.
pub(super) fn taken_back(turn: &Turn<'_>) -> Vec<bool> {
    let mut restored: HashMap<&str, usize> = HashMap::default();
    for (path, message) in turn.acts.iter().flat_map(|act| files(act, true)) {
        restored.insert(path, message);
    }
    if restored.is_empty() {
        return Vec::new();
    }
    let is_over = |said: &Said| {
        let from = turn.acts.partition_point(|act| act.message < said.message);
        let own = turn.acts[from..].iter().take_while(|act| act.message <= said.message + 1);
        let mut changed = own.flat_map(|act| files(act, false)).peekable();
        said.kind == Kind::Done
            && changed.peek().is_some()
            && changed.all(|(path, message)| restored.get(path).is_some_and(|back| *back > message))
    };
    turn.said.iter().map(is_over).collect()
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

    fn left(then: &str) -> Vec<String> {
        let edit = act("Edit", r#"{"file_path":"quay/lamp.py","old_string":"a","new_string":"b"}"#, "done", false);
        let run = act("bash", &serde_json::json!({ "command": then }).to_string(), "Updated 1 path", false);
        let mut messages = vec![user("Mend the lamp of the quay."), agent("I deleted the method `light_all`.")];
        messages.extend(edit.into_iter().chain(run));
        messages.extend([agent("The wick is too short for `light_one`."), user("Go on.")]);
        let head: Vec<&Message<'_>> = messages.iter().collect();
        turns(&head, &[]).into_iter().flat_map(|turn| turn.said).map(|said| said.sentence).collect()
    }

    #[test]
    fn a_step_whose_file_was_restored_is_over() {
        let both = ["I deleted the method `light_all`.", "The wick is too short for `light_one`."];
        assert_eq!(left("git checkout quay/lamp.py"), both[1..]);
        assert_eq!(left("git checkout quay/buoy.py"), both);
        assert_eq!(left("cat quay/lamp.py"), both);
    }
}
