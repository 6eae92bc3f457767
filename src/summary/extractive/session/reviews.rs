//! Findings of a review that the user then asked to fix: they no longer hold.

use super::endings::changed_by;
use super::missing::{is_file, named};
use super::turns::Turn;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::calls::testing::runs_tests;
use crate::summary::extractive::sentences::cues::{Kind, lower, tells_trouble};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::text::{contains_any, each_word, words};
use foldhash::HashSet;

/// Words by which a user asks for fixes.
const MENDS: [&str; 16] = [
    "address",
    "apply",
    "correct",
    "fix",
    "fixes",
    "mend",
    "repair",
    "resolve",
    "solve",
    "behebe",
    "corrige",
    "korrigiere",
    "исправь",
    "修复",
    "修正",
    "修改",
];

/// Words by which a user asks for all fixes, the maximum number of words of such a request, and words that except some.
const ALL: [&str; 10] = ["all", "both", "everything", "them", "these", "those", "alle", "alles", "все", "都"];
/// What else such a request may say.
const BESIDE: [&str; 18] = [
    "address", "and", "bitte", "commit", "fix", "go", "issues", "mend", "now", "of", "ok", "please", "repair",
    "resolve", "the", "then", "yes", "findings",
];
const FEW: usize = 5;
const EXCEPTS: [&str; 8] = ["apart", "besides", "but", "except", "first", "not", "only", "without"];
/// Phrases by which an agent says that it left something.
const LEFT: [&str; 12] = [
    "could not",
    "couldn't",
    "deferred",
    "did not",
    "didn't",
    "left ",
    "leave ",
    "not fixed",
    "out of scope",
    "remain",
    "skipped",
    "won't",
];

/// By sentence of the first turn, whether it is a finding about a file that the second turn changed on the user's
/// request to fix it. Where the user had all fixed, and a test or commit then worked, one that names no file is over too.
pub(super) fn mended(turns: &[Turn<'_>]) -> Vec<bool> {
    let [turn, next, later @ ..] = turns else { return Vec::new() };
    let asks = next.asked.as_ref().is_some_and(|asked| asks_to_mend(&asked.start));
    if !asks || changed(turn).next().is_some() {
        return Vec::new();
    }
    let files: HashSet<&str> = changed(next).collect();
    let had_all = next.asked.as_ref().is_some_and(|asked| asks_for_all(&asked.start));
    let all = had_all && !files.is_empty() && leaves_nothing(next) && is_proven(next, later.first());
    let names_file = |sentence: &str| named(sentence).any(is_file);
    let is_mended = |said: &Said| {
        let of_file = || named(&said.sentence).any(|name| files.contains(name));
        let of_all = || all && tells_trouble(&said.sentence) && !names_file(&said.sentence);
        let states = matches!(said.kind, Kind::Finding(_) | Kind::Other);
        said.closing && (states && of_file() || said.kind != Kind::Empty && of_all())
    };
    turn.said.iter().map(is_mended).collect()
}

fn asks_to_mend(start: &str) -> bool {
    let lower = lower(start);
    MENDS.iter().any(|word| has(&lower, word))
}

/// Whether a request of a few words is for all fixes: “fix them all”.
fn asks_for_all(start: &str) -> bool {
    let lower = lower(start);
    let excepts = EXCEPTS.iter().any(|word| has(&lower, word)) || lower.contains("n't");
    let is_bare = |word: &str| ALL.contains(&word) || BESIDE.contains(&word);
    let has_more = lower.is_ascii() && !each_word(&lower).all(is_bare);
    words(&lower) <= FEW && ALL.iter().any(|word| has(&lower, word)) && !excepts && !has_more
}

/// Whether a text in lower case has a word; in scripts without spaces, anywhere.
fn has(lower: &str, word: &str) -> bool {
    if word.is_ascii() {
        lower.split(|char: char| !char.is_alphanumeric()).any(|own| own == word)
    } else {
        lower.contains(word)
    }
}

/// Whether the last text of a turn says of nothing that it was left.
fn leaves_nothing(turn: &Turn<'_>) -> bool {
    let mut closing = turn.said.iter().filter(|said| said.closing).map(|said| lower(&said.sentence)).peekable();
    closing.peek().is_some() && closing.all(|said| !contains_any(&said, &LEFT))
}

/// Whether a test or commit worked behind the last change of a turn, or a commit in the next one.
fn is_proven(turn: &Turn<'_>, next: Option<&Turn<'_>>) -> bool {
    let ran = |act: &Act<'_>, is: fn(&str) -> bool| match &act.action {
        Action::Run(command) => matches!(act.outcome, CallOutcome::Done(_)) && is(command.shown()),
        _ => false,
    };
    let commits = |shown: &str| shown.contains("git commit");
    let last = turn.acts.iter().rposition(|act| changed_by(act).next().is_some()).map_or(0, |at| at + 1);
    let mut behind = turn.acts[last..].iter();
    behind.any(|act| ran(act, runs_tests) || ran(act, commits))
        || next.is_some_and(|next| next.acts.iter().any(|act| ran(act, commits)))
}

/// Names of the files that a turn changed.
fn changed<'t>(turn: &'t Turn<'_>) -> impl Iterator<Item = &'t str> {
    turn.acts.iter().flat_map(changed_by)
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use crate::summary::builders::{act, agent, user};
    use crate::transcript::Message;

    fn told(request: &str) -> Vec<String> {
        let edit = r#"{"file_path":"/w/src/lamp.rs","old_string":"a","new_string":"b"}"#;
        let mut messages = vec![user("Review the code of the harbour for me."), agent("Let me look.")];
        messages.extend(act("Read", r#"{"file_path":"/w/src/lamp.rs"}"#, "fn main() {}", false));
        messages.push(agent(
            "I read all of it.\n\n- High: `src/lamp.rs:15` lets the oil run out at night\n- Low: `src/quay.rs:3` has no ropes at all",
        ));
        messages.push(user(request));
        messages.extend(act("Edit", edit, "The file was edited.", false));
        messages.push(agent("It is done."));
        let head: Vec<&Message<'_>> = messages.iter().collect();
        turns(&head, &[]).into_iter().flat_map(|turn| turn.said).map(|said| said.sentence).collect()
    }

    #[test]
    fn a_finding_that_the_user_had_mended_is_over() {
        let is_told = |request: &str, file: &str| told(request).iter().any(|sentence| sentence.contains(file));
        for request in ["fix them all besides the ropes", "Please address the first one.", "把它们都修复"] {
            assert!(!is_told(request, "lamp.rs"), "{request}");
            assert!(is_told(request, "quay.rs"), "{request}");
        }
        assert!(is_told("Now draw a map of the harbour.", "lamp.rs"));
    }

    #[test]
    fn a_finding_without_a_file_is_over_once_all_was_mended_and_tested() {
        let rope = "Medium: `rope()` fails in the wind.";
        let is_told = |request: &str, tested: &str, closing: &str| {
            let edit = r#"{"file_path":"/w/src/lamp.rs","old_string":"a","new_string":"b"}"#;
            let found = format!("I found two faults.\n\n- High: `src/lamp.rs:15` lets the oil run out\n- {rope}");
            let mut messages = vec![user("Review the code of the harbour for me."), agent(&found), user(request)];
            messages.extend(act("Edit", edit, "The file was edited.", false));
            messages.extend(act("Bash", r#"{"command":"npm test"}"#, tested, false));
            messages.extend([agent(closing), user("Now draw the map.")]);
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let said = turns(&head, &[]).into_iter().flat_map(|turn| turn.said);
            said.filter(|said| !said.obsolete).any(|said| said.sentence == rope)
        };
        let (passed, closing) = ("Tests  12 passed (12)", "The ropes now hold, and the oil lasts all night.");
        assert!(!is_told("fix them all", passed, closing));
        assert!(is_told("fix the first one", passed, closing));
        assert!(is_told("fix all but the ropes", passed, closing));
        assert!(is_told("fix them all", "Tests  1 failed (12)", closing));
        assert!(is_told("fix them all", passed, "The oil lasts all night now. I skipped the ropes."));
    }
}
