//! The lines about calls of other tools than commands and changes of files, with their outcome.

use super::LONGEST_LINE;
use super::accomplished::{STORY, rank};
use super::runs::{self, RUNS};
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::outcome::Outcome;
use crate::summary::extractive::calls::replies;
use crate::summary::items::Item;
use crate::summary::text::{cut, fold};

/// Prefixes of tool names that only look something up.
const LOOKING: &[&str] = &["get", "list", "search", "find", "calculate", "read", "fetch", "lookup", "check"];
/// Words in the names of tools that change something outside of the session's files.
const CHANGES: [&str; 18] = [
    "book", "cancel", "create", "delete", "deploy", "exchange", "merge", "modify", "pay", "post", "publish", "push",
    "refund", "send", "submit", "transfer", "update", "upload",
];
/// Answers that only say that a call worked.
const AGREES: [&str; 6] = ["done", "null", "ok", "success", "successful", "true"];
/// Maximum length of a quoted answer of a call, in characters.
const ANSWER: usize = 120;

/// The company of other calls: between changes of files they rank lower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Among {
    /// The session has changes of files or commands.
    Changes,
    /// It has only other calls.
    Calls,
}

/// What the user said instead of allowing a call.
pub(in crate::summary::extractive) fn instead(act: &Act<'_>, newness: i64) -> Option<Item> {
    let said = replies::said_instead(act.result).filter(|_| act.outcome == Outcome::Refused)?;
    let text = format!("User answered: “{}”", cut(&fold(said), LONGEST_LINE));
    Some(Item::new(text, act.message, rank(newness, 0) + STORY))
}

/// A call of another tool, with its outcome.
pub(super) fn call(act: &Act<'_>, among: Among, newness: i64) -> Option<Item> {
    let Action::Other(shown) = &act.action else { return None };
    // A question is printed with the user's answer.
    if act.asks_user() && act.outcome.worked() && replies::answered(act.result) {
        return None;
    }
    let in_code = among == Among::Changes;
    let name = act.tool.to_lowercase();
    let looks = LOOKING.iter().any(|word| name.starts_with(word));
    let (ending, tier) = match &act.outcome {
        Outcome::Done(_) if shown.ends_with("()") => return None,
        Outcome::Ended => return None,
        Outcome::Refused if act.asks_user() => match instead(act, newness) {
            Some(said) => return Some(said),
            None => ("not answered".to_owned(), 2),
        },
        Outcome::Refused => return Some(runs::refused(shown, act, newness)),
        Outcome::Done(_) if changes(&name) => (ended(act), if in_code { 2 } else { 1 }),
        Outcome::Done(_) => (ended(act), if looks || in_code { 5 } else { 1 }),
        Outcome::Failed(detail) if detail.is_empty() => ("failed".to_owned(), if in_code { 3 } else { 2 }),
        Outcome::Failed(detail) => (format!("failed: {detail}"), if in_code { 3 } else { 2 }),
        Outcome::Unknown => ("no result".to_owned(), 2),
        Outcome::Running => (RUNS.to_owned(), 2),
    };
    Some(Item::new(
        cut(&format!("Called `{shown}`: {ending}"), LONGEST_LINE).into_owned(),
        act.message,
        rank(newness, tier),
    ))
}

/// Whether a tool changes something, by a word of its name in lower case: `create_wiki_doc`.
fn changes(name: &str) -> bool {
    name.split(|char: char| !char.is_alphanumeric()).any(|word| CHANGES.contains(&word))
}

/// How a call ended of which no error is known: by its answer if that is one short line of words, which may say no.
fn ended(act: &Act<'_>) -> String {
    let is_said = |line: &String| {
        let bare = line.trim_end_matches(['.', '!']).to_lowercase();
        let is_words = !line.starts_with(['{', '[', '<']) && !line.contains(['`', '“', '”']);
        is_words && line.chars().count() <= ANSWER && !AGREES.contains(&&*bare)
    };
    let said = runs::only_line(act.result).filter(is_said);
    said.map_or_else(|| "ok".to_owned(), |line| format!("“{line}”"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::corpus::act;
    use crate::summary::extractive::session::turns::turns;
    use crate::transcript::Message;

    #[test]
    fn between_changes_of_files_a_call_that_changes_something_ranks_above_one_that_looks() {
        let rank = |tool| {
            let messages = act(tool, r#"{"name":"tides"}"#, r#"{"id":7}"#, false);
            let head: Vec<&Message<'_>> = messages.iter().collect();
            call(&turns(&head, &[])[0].acts[0], Among::Changes, 0).map(|item| item.rank)
        };
        assert!(rank("create_page") > rank("get_page") && rank("lamp_publish") > rank("lamp_status"));
    }

    #[test]
    fn a_call_is_told_by_the_words_of_its_answer() {
        let pay = |result| {
            let messages = act("pay", r#"{"card":"c9"}"#, result, false);
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let turns = turns(&head, &[]);
            call(&turns[0].acts[0], Among::Calls, 0).map(|item| item.text).unwrap_or_default()
        };
        assert_eq!(pay("Transfer denied: no funds."), "Called `pay(card=c9)`: “Transfer denied: no funds.”");
        let long = "The ferry is full. ".repeat(8);
        for plain in ["OK", "Done.", r#"{"paid":true}"#, "high\nlow", "", &*long] {
            assert_eq!(pay(plain), "Called `pay(card=c9)`: ok", "{plain}");
        }
    }
}
