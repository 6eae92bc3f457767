//! Statements that quote code which a later change of a file took out: “The call passes `role: "keeper"`.”

use super::turns::Turn;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::replaced::Replaced;
use crate::summary::extractive::sentences::cues::Kind;
use crate::summary::extractive::sentences::said::Said;

/// Number of changes of files behind a statement in which what it quotes is looked for.
const CHANGES: usize = 24;
/// Minimum and maximum length of quoted code, in bytes.
const SHORTEST: usize = 6;
const LONGEST: usize = 120;
/// Signs that make it more than a name, a path or a call without arguments.
const SIGNS: [char; 12] = [' ', '"', '\'', '=', '[', '{', '<', '>', '+', '*', ',', '|'];

/// For each sentence of a turn, whether it quotes code that a later change of a file took out, and no change has brought
/// back. A sentence that has the new code, too, tells of the change; the cause of a trouble belongs to the story.
pub(super) fn cut_out(turns: &[Turn<'_>]) -> Vec<bool> {
    let Some((turn, behind)) = turns.split_first() else { return Vec::new() };
    let is_over = |said: &Said| {
        let states = matches!(said.kind, Kind::Finding(_) | Kind::Other) && !said.standing.verdict;
        let quoted: Vec<&str> = if states { codes(&said.sentence).collect() } else { Vec::new() };
        !quoted.is_empty() && {
            let own = turn.acts.iter().filter(|act| act.message > said.message);
            let acts = own.chain(behind.iter().flat_map(|turn| &turn.acts));
            let changes: Vec<&Act<'_>> = acts.filter(|act| act.has_changed_files()).take(CHANGES).collect();
            quoted.iter().any(|code| is_cut_out(code, &quoted, &changes))
        }
    };
    turn.said.iter().map(is_over).collect()
}

/// Whether the last of these changes that has `code` took it out, and did not bring in other code that is `quoted`.
fn is_cut_out(code: &str, quoted: &[&str], changes: &[&Act<'_>]) -> bool {
    let plain = code.split(['"', '\\']).max_by_key(|piece| piece.len()).unwrap_or(code);
    let has = |act: &&&Act<'_>| act.arguments.contains(plain);
    let mut edits = changes.iter().rev().filter(has).map(|act| Replaced::of(act.arguments));
    let last = edits.find(|edit| edit.had(code) || edit.has(code));
    last.is_some_and(|edit| !edit.has(code) && !quoted.iter().any(|other| edit.has(other) && !edit.had(other)))
}

/// The pieces of code in code marks that are more than a name.
fn codes(sentence: &str) -> impl Iterator<Item = &str> {
    let marked = sentence.split('`').enumerate().filter(|(at, _)| at % 2 == 1).map(|(_, code)| code);
    marked.filter(|code| (SHORTEST..=LONGEST).contains(&code.len()) && code.trim().contains(SIGNS))
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use crate::summary::builders::{act, agent, user};
    use crate::transcript::Message;

    /// Whether a sentence is still told after these edits of old to new code.
    fn stays(sentence: &str, edits: &[(&str, &str)]) -> bool {
        let first = format!("The ferry of the north pier leaves at nine. {sentence}");
        let mut messages = vec![user("How does the lamp burn?"), agent(&first), user("Make it burn oil.")];
        for (old, new) in edits {
            let arguments = serde_json::json!({ "file_path": "/w/lamp.rs", "old_string": old, "new_string": new });
            messages.extend(act("Edit", &arguments.to_string(), "The file was edited.", false));
        }
        messages.push(agent("It burns oil."));
        let head: Vec<&Message<'_>> = messages.iter().collect();
        turns(&head, &[]).iter().flat_map(|turn| &turn.said).any(|said| said.sentence.contains(sentence))
    }

    #[test]
    fn quoted_code_that_was_taken_out_is_told_no_more() {
        let sentence = "The keeper calls `light({ fuel: \"gas\" })` for each lamp of the pier.";
        let (old, new) = ("go(); light({ fuel: \"gas\" });", "go(); light({ fuel: \"oil\" });");
        assert!(!stays(sentence, &[(old, new)]));
        assert!(stays(sentence, &[(new, old)]), "brought in");
        assert!(stays(sentence, &[(old, new), (new, old)]), "brought back");
        assert!(stays(sentence, &[(old, "go();\nlight({ fuel: \"gas\" });")]), "moved");
        let named = "The keeper calls `light_gas` for each lamp of the pier.";
        assert!(stays(named, &[("light_gas()", "light_oil()")]), "a name only");
        let change = "Instead of `fuel: \"gas\"` the keeper now takes `fuel: \"oil\"` for each lamp.";
        assert!(stays(change, &[(old, new)]), "the change");
        assert!(
            stays("The problem is that `fuel: \"gas\"` stands in the table of the pier.", &[(old, new)]),
            "the cause"
        );
    }
}
