//! Statements of how something is at present, about what later calls changed: “`lamp.rs` currently reads the gas table.”

use super::endings::changed_by;
use super::obsolete::{has_name, names};
use super::turns::Turn;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::sentences::cues::{Kind, lower};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::sentences::sieve::Sieve;
use crate::summary::extractive::words::{AT_PRESENT, PRESENT_FORMS};
use crate::summary::text::{each_word, has_any, has_inner_capital};
use std::sync::LazyLock;

/// Number of changes of files behind a statement in which what it names is looked for.
const CHANGES: usize = 24;
/// Words that stand between “current” and what is so.
const CURRENT: [&str; 2] = ["current", "existing"];

/// What a sentence has that may tell of the present; quicker to look for than to lower its case.
static MAY_TELL: LazyLock<Sieve> = LazyLock::new(|| {
    let own = ["urrent", "xisting", "ight now", "t present", "s it stands"];
    Sieve::new(own.iter().chain(AT_PRESENT.iter().filter(|word| !word.is_ascii())))
});

/// For each sentence of a turn, whether it says how something is at present that changed since: a file that it names was
/// changed, or changes have at least half of the code that it names; or it names nothing, and the rest of its turn or the
/// next one changed files. The cause of a trouble belongs to the story, and stays.
pub(super) fn overtaken(turns: &[Turn<'_>]) -> Vec<bool> {
    let Some((turn, behind)) = turns.split_first() else { return Vec::new() };
    let is_over = |said: &Said| {
        let states = matches!(said.kind, Kind::Finding(_) | Kind::Other) && !said.standing.verdict;
        states && tells_present(&said.sentence) && {
            let own = turn.acts.iter().filter(|act| act.message > said.message);
            let all: Vec<&str> = names(&said.sentence).collect();
            match all.is_empty() {
                true => own.chain(behind.iter().take(1).flat_map(|turn| &turn.acts)).any(Act::has_changed_files),
                false => deals(own.chain(behind.iter().flat_map(|turn| &turn.acts)), &all),
            }
        }
    };
    turn.said.iter().map(is_over).collect()
}

/// Whether the first changes of files among `acts` changed one of these names or have at least half of them.
fn deals<'t, 'm: 't>(acts: impl Iterator<Item = &'t Act<'m>>, names: &[&str]) -> bool {
    let changes: Vec<&Act<'_>> = acts.filter(|act| act.has_changed_files()).take(CHANGES).collect();
    let is_code = |name: &&&str| name.contains(['_', '.', '(']) || has_inner_capital(name);
    let codes: Vec<&&str> = names.iter().filter(is_code).collect();
    let has = |name: &&&&str| changes.iter().any(|act| has_name(act.arguments, name));
    changes.iter().flat_map(|act| changed_by(act)).any(|file| names.contains(&file))
        || !codes.is_empty() && codes.iter().filter(has).count() * 2 >= codes.len()
}

/// Whether a sentence says how something is at present.
fn tells_present(sentence: &str) -> bool {
    MAY_TELL.is_in(sentence) && {
        let lower = lower(sentence);
        let words: Vec<&str> = each_word(&lower).collect();
        let is_form = |pair: &[&str]| CURRENT.contains(&pair[0]) && PRESENT_FORMS.contains(&pair[1]);
        has_any(&lower, AT_PRESENT) || words.windows(2).any(is_form)
    }
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use crate::summary::builders::{act, agent, user};
    use crate::transcript::Message;

    /// Whether a sentence about the present is still told once a file was changed.
    fn stays(sentence: &str, path: &str, new: &str) -> bool {
        let arguments = serde_json::json!({ "file_path": path, "old_string": "gas", "new_string": new }).to_string();
        let first = format!("The ferry of the north pier leaves at nine. {sentence}");
        let mut messages = vec![user("How does the lamp burn?"), agent(&first), user("Make it burn oil.")];
        messages.extend(act("Edit", &arguments, "The file was edited.", false));
        messages.push(agent("It burns oil."));
        let head: Vec<&Message<'_>> = messages.iter().collect();
        turns(&head, &[]).iter().flat_map(|turn| &turn.said).any(|said| said.sentence.contains(sentence))
    }

    #[test]
    fn what_was_so_at_present_is_over_once_it_was_changed() {
        for sentence in [
            "`lamp.rs` currently reads the gas table of the old pier.",
            "Right now `burn_gas` is the only way to light the lamp of the pier.",
            "The current code burns gas in each lamp of the old pier.",
            "`lamp.rs` hiện tại không phù hợp với bến cảng này.",
            "`lamp.rs` 目前仍在读取旧码头的煤气表。",
        ] {
            assert!(!stays(sentence, "/w/lamp.rs", "burn_gas(0)"), "{sentence}");
        }
    }

    #[test]
    fn what_was_not_changed_or_is_of_no_time_stays() {
        for sentence in [
            "`quay.rs` currently reads the gas table of the old pier.",
            "`lamp.rs` reads the gas table of the old pier.",
            "Right now `main` is the only branch of the harbour with oil.",
            "The current directory of the harbour holds the gas table of the pier.",
            "The problem is that `lamp.rs` currently reads the gas table of the pier.",
        ] {
            assert!(stays(sentence, "/w/lamp.rs", "main(oil)"), "{sentence}");
        }
    }
}
