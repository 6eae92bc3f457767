//! Troubles that the agent met on its way and solved in the same turn: “`load` never closes it.”, and an edit of `load`
//! behind it. What its last text tells stays, and so does the cause of a trouble, which belongs to the story.

use super::missing::{is_file, says_missing};
use super::obsolete::{has_name, names};
use super::turns::Turn;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::calls::trials::git_verbs;
use crate::summary::extractive::files::paths::is_prose;
use crate::summary::extractive::sentences::cues::{Kind, describes_file, lower, tells_trouble};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::words::{FAILS, TROUBLES};
use crate::summary::text::{all_digits, contains_any, each_word};
use crate::transcript::base_name;

/// Number of changes of files behind a trouble in which what it names is looked for.
const CHANGES: usize = 6;
/// Number of messages within which a change follows a trouble that names nothing.
const NEAR: usize = 4;
/// Phrases of a cause, of what is known to stay, or was solved before.
const STAYS: [&str; 14] = [
    "the cause",
    "root cause",
    "already",
    "anymore",
    "any more",
    "by design",
    "harmless",
    "no longer",
    "no-op",
    "on purpose",
    "pre-existing",
    "preexisting",
    "unrelated",
    "不再",
];

/// Subcommands of git that may take changes back.
const TAKE_BACK: [&str; 5] = ["checkout", "reset", "restore", "revert", "stash"];

/// For each sentence of a turn, whether it is a trouble that later changes of files in the turn solved: they have one of
/// the names in it, and each of the files that it names; or it names nothing, says that something fails, and a change is
/// the next step. A document that it does not name only tells of the trouble. Nothing is solved in a turn whose last tests
/// or last command failed, and nothing by changes that may have been taken back.
pub(super) fn solved(turn: &Turn<'_>) -> Vec<bool> {
    if !turn.acts.iter().any(Act::has_changed_files) || ends_red(turn) {
        return Vec::new();
    }
    let taken_back = turn.acts.iter().rposition(takes_back).map_or(0, |at| at + 1);
    let changes: Vec<&Act<'_>> = turn.acts[taken_back..].iter().filter(|act| act.has_changed_files()).collect();
    let is_solved = |said: &Said| {
        let next = changes.partition_point(|act| act.message < said.message);
        let mut behind = changes[next..].iter().take(CHANGES).filter(|act| may_solve(act, &said.sentence));
        let named: Vec<&str> = names(&said.sentence).collect();
        if named.is_empty() {
            return fails(&said.sentence) && behind.next().is_some_and(|act| act.message <= said.message + NEAR);
        }
        let is_changed = |name: &&str| behind.clone().any(|act| has_name(act.arguments, name));
        named.iter().any(is_changed) && named.iter().filter(|name| is_file(name)).all(is_changed)
    };
    let is_over = |said: &Said| {
        let states = !said.closing && matches!(said.kind, Kind::Finding(_) | Kind::Other);
        let is_trouble = || tells_trouble(&said.sentence) && !says_missing(&said.sentence);
        states && is_trouble() && !stays(said) && is_solved(said)
    };
    turn.said.iter().map(is_over).collect()
}

/// Whether an act changed a file in which a trouble told in this sentence may be.
fn may_solve(act: &Act<'_>, sentence: &str) -> bool {
    act.files().iter().any(|(op, path)| op.changes() && (!is_prose(path) || sentence.contains(base_name(path))))
}

/// Whether an act may take changes of files back.
fn takes_back(act: &Act<'_>) -> bool {
    let Action::Run(command) = &act.action else { return false };
    git_verbs(command).iter().any(|verb| TAKE_BACK.contains(&verb.as_str()))
}

/// Whether a trouble is a cause, or none of the agent's work, or no trouble: of a version of something, known before, or
/// in the description of a file.
fn stays(said: &Said) -> bool {
    let (sentence, lower) = (&said.sentence, lower(&said.sentence));
    said.standing.verdict
        || contains_any(&lower, &STAYS)
        || describes_file(sentence)
        || sentence.split_whitespace().any(is_version)
}

/// Whether a sentence says that something fails.
fn fails(sentence: &str) -> bool {
    each_word(&lower(sentence)).any(|word| FAILS.contains(&word) || TROUBLES.contains(&word))
}

/// Whether a word is the version of something: “3.10.2”, “v8.1”.
fn is_version(word: &str) -> bool {
    let bare = word.trim_matches(|char: char| !char.is_alphanumeric());
    let bare = bare.strip_prefix('v').unwrap_or(bare);
    bare.contains('.') && bare.split('.').all(all_digits)
}

/// Whether the last tests of a turn failed, or its last command.
fn ends_red(turn: &Turn<'_>) -> bool {
    let tests = |act: &&Act<'_>| matches!(&act.action, Action::Run(command) if command.runs_tests());
    let runs = |act: &&Act<'_>| matches!(act.action, Action::Run(_));
    let failed = |act: &Act<'_>| matches!(act.outcome, CallOutcome::Failed(_));
    turn.acts.iter().rfind(tests).is_some_and(failed) || turn.acts.iter().rfind(runs).is_some_and(failed)
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use super::is_version;
    use crate::summary::builders::{act, agent, user};
    use crate::transcript::Message;

    fn edit() -> [Message<'static>; 2] {
        edit_of("/w/quay/lamp.rs")
    }

    fn edit_of(path: &str) -> [Message<'static>; 2] {
        let (old, new) = ("fn burn() {}", "fn burn() { oil() }");
        let arguments = serde_json::json!({ "path": path, "old_string": old, "new_string": new });
        act("Edit", &arguments.to_string(), "The file was edited.", false)
    }

    fn test(result: &str, fails: bool) -> [Message<'static>; 2] {
        act("Bash", r#"{"command":"cargo test"}"#, result, fails)
    }

    /// Whether a sentence of the agent before these messages is told; the last text names neither lamp nor oil.
    fn is_told(sentence: &str, then: &[Message<'static>]) -> bool {
        let mut messages = vec![user("Light the quay."), agent(sentence)];
        messages.extend_from_slice(then);
        messages.extend([agent("The quay is bright: all of the piers are seen from the sea."), user("Go on.")]);
        let head: Vec<&Message<'_>> = messages.iter().collect();
        turns(&head, &[]).iter().flat_map(|turn| &turn.said).any(|said| said.sentence == sentence)
    }

    #[test]
    fn a_trouble_whose_code_was_then_changed_is_over() {
        let trouble = "The function `burn` never takes any oil from the tank.";
        assert!(!is_told(trouble, &edit()));
        assert!(!is_told("The file `lamp.rs` is wrong about the oil of the tank.", &edit()));
        assert!(!is_told("The build of the pier failed with the new oil.", &edit()), "the next step");
        assert!(is_told("The oil never reaches the wick of any lamp.", &edit()), "it may be so on purpose");
        assert!(is_told("The files `lamp.rs` and `pier.rs` are wrong about the oil.", &edit()), "one of them");
        assert!(is_told("The root cause: `burn` never takes any oil from the tank.", &edit()), "a cause");
        let arguments = r#"{"file_path":"/w/quay/Dockerfile","old_string":"a","new_string":"RUN apt install oil"}"#;
        let build = act("Edit", arguments, "The file was edited.", false);
        assert!(!is_told("The image of the tank misses `oil`, which is not there.", &build), "a file without ending");
        assert!(is_told(trouble, &[]));
        assert!(is_told("The function `lamp` never closes its file.", &edit_of("/w/quay/lamps.rs")), "a longer name");
        assert!(is_told("The field `path` is never set by the keeper.", &edit()), "a key of the call");
        assert!(is_told("The function `moor` never takes any rope from the deck.", &edit()));
        assert!(is_told("The function `burn` takes its oil from the tank.", &edit()), "no trouble");
    }

    #[test]
    fn a_trouble_stays_if_the_tests_failed_in_the_end() {
        let trouble = "The function `burn` never takes any oil from the tank.";
        let (red, green) = (test("test result: FAILED. 2 failed", true), test("test result: ok. 3 passed", false));
        assert!(is_told(trouble, &[edit(), red.clone()].concat()));
        assert!(!is_told(trouble, &[edit(), red, green].concat()));
    }

    #[test]
    fn a_trouble_that_is_only_written_down_or_whose_change_did_not_last_stays() {
        let trouble = "The function `burn` never takes any oil from the tank.";
        assert!(is_told(trouble, &edit_of("/w/quay/TODO.md")), "written down");
        assert!(is_told("The build of the pier failed with the new oil.", &edit_of("/w/quay/CHANGELOG.md")));
        assert!(!is_told("The file `TIDES.md` is wrong about the oil of the tank.", &edit_of("/w/quay/TIDES.md")));
        let run = |command: &str, result: &str, fails: bool| {
            act("Bash", &serde_json::json!({ "command": command }).to_string(), result, fails)
        };
        let red = run("cargo build", "error: could not compile `quay`", true);
        assert!(is_told(trouble, &[edit(), red.clone()].concat()), "does not compile");
        assert!(!is_told(trouble, &[red, edit(), run("cargo build", "Finished", false)].concat()));
        let back = run("git checkout -- /w/quay/lamp.rs", "", false);
        assert!(is_told(trouble, &[edit(), back.clone()].concat()), "taken back");
        assert!(!is_told(trouble, &[back, edit()].concat()));
    }

    #[test]
    fn what_others_made_so_stays() {
        for stays in [
            "In version 3.10.2 the macro `burn` never takes any oil.",
            "The failing `burn` of the tank is pre-existing.",
            "The function `burn` no longer takes any oil from the tank.",
        ] {
            assert!(is_told(stays, &edit()), "{stays}");
        }
        let versions = ["3.10.2", "v8.1,", "(1.2)", "8", "lamp.rs", "a.1"].map(is_version);
        assert_eq!(versions, [true, true, true, false, false, false]);
    }
}
