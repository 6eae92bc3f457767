//! Removes sentences whose temporary state was ended by later calls or statements: “not committed yet”, “still in
//! progress”, guesses, work in progress.

use super::conceded::{admitted, conceded, without_claims};
use super::corrected::Corrections;
use super::cut_out::cut_out;
use super::endings::covers;
use super::presently::overtaken;
use super::rejected::rejected;
use super::reviews;
use super::solved::solved;
use super::taken_back::taken_back;
use super::turns::Turn;
use super::updated::Updates;
use crate::summary::extractive::calls::act::{Action, FileOp};
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::calls::testing::may_run_tests;
use crate::summary::extractive::calls::trials::{git_verbs, is_trial};
use crate::summary::extractive::files::paths::{file_name, is_prose, is_scratch};
use crate::summary::extractive::sentences::cues::{Kind, lower};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::sentences::state::StateClaim;
use crate::summary::extractive::words::{CLOSED, OF_BRANCHES};
use crate::summary::text::{has_digit, has_inner_capital};
use crate::transcript::{Spread, Spreading, base_name, pieces_of, spread};
use foldhash::{HashMap, HashSet};

/// Words of a command that changes the state of a ticket.
const ENDING: [&str; 8] = ["close", "closed", "merge", "ready", "done", "resolve", "update", "reopen"];
/// Sentences whose end is worth a core of its own.
const SENTENCES: usize = 1 << 10;

/// Marks sentences whose state was ended by later steps as obsolete and removes them. A turn without any other sentence
/// keeps them as its answer.
pub(super) fn without_obsolete(turns: &mut [Turn<'_>], over: &dyn Spread) {
    let cuts = pieces_of(SENTENCES, turns.iter().map(|turn| turn.said.len()));
    let bytes = turns.iter().flat_map(|turn| &turn.said).map(|said| said.sentence.len()).sum();
    let of_statements = || (Updates::of(turns), Corrections::of(turns));
    let (later, (updates, corrections)) = Spreading { over, bytes }.both(|| Later::of(turns), of_statements);
    let past = spread(over, &cuts, |piece| {
        let past = piece.map(|place| {
            let mut past = later.past(place, &turns[place]);
            past.iter_mut().zip(reviews::mended(&turns[place..])).for_each(|(past, mended)| *past |= mended);
            past.iter_mut().zip(conceded(&turns[place..])).for_each(|(past, conceded)| *past |= conceded);
            past.iter_mut().zip(rejected(&turns[place..])).for_each(|(past, rejected)| *past |= rejected);
            past.iter_mut().zip(overtaken(&turns[place..])).for_each(|(past, over)| *past |= over);
            past.iter_mut().zip(cut_out(&turns[place..])).for_each(|(past, over)| *past |= over);
            past.iter_mut().zip(taken_back(&turns[place])).for_each(|(past, over)| *past |= over);
            past.iter_mut().zip(solved(&turns[place])).for_each(|(past, solved)| *past |= solved);
            let is_replaced = |said: &Said| updates.replace(said) || corrections.replace(said);
            past.iter_mut().zip(&turns[place].said).for_each(|(past, said)| *past |= is_replaced(said));
            past
        });
        past.collect::<Vec<Vec<bool>>>()
    });
    for (at, past) in past.into_iter().flatten().enumerate().filter(|(_, past)| past.contains(&true)) {
        let is_wrong = admitted(turns.get(at + 1));
        let turn = &mut turns[at];
        turn.said.iter_mut().zip(past).for_each(|(said, past)| said.obsolete = past);
        if is_wrong && turn.acts.is_empty() {
            without_claims(turn);
        } else if turn.said.iter().any(|said| !said.obsolete && said.kind != Kind::Empty) {
            turn.said.retain(|said| !said.obsolete);
        }
    }
}

/// For each kind of event, the message of its last occurrence: a state claimed before that message has ended.
#[derive(Default)]
struct Later {
    commit: Option<usize>,
    push: Option<usize>,
    branch: Option<usize>,
    /// The last change of a file.
    changed: Option<usize>,
    /// The last creation of a file, anywhere and by folder name.
    made: Option<usize>,
    filled: HashMap<String, usize>,
    /// Deleted files by name: message and path.
    gone: HashMap<String, (usize, String)>,
    /// Paths of files by name; `None` if several files have the name.
    paths: HashMap<String, Option<String>>,
    /// The last turn with a command.
    run: usize,
    /// Number of turns.
    turns: usize,
    /// Subjects of statements that something is still so → the last message that changed a file of this name, or in
    /// which a command or sentence updated the statement.
    named: HashMap<String, usize>,
    /// Subjects of guesses → the last message with a sure statement about the subject.
    known: HashMap<String, usize>,
    /// The last test run if it failed, and the earliest successful command after it.
    red: Option<(usize, Option<usize>)>,
    /// The last test run that failed and did not work when it was run again.
    refuted: Option<usize>,
    /// The last change of code, if tests ran before it and none since.
    untested: Option<usize>,
}

impl Later {
    fn of(turns: &[Turn<'_>]) -> Self {
        let mut later = Self { turns: turns.len(), ..Self::default() };
        let said = || turns.iter().flat_map(|turn| &turn.said);
        let subjects = |holds: fn(&StateClaim) -> bool| {
            let told = said().filter(|said| holds(&said.standing)).filter_map(|said| subject(&said.sentence));
            told.map(|name| (name.to_owned(), 0)).collect()
        };
        (later.named, later.known) = (subjects(|it| it.lasts), subjects(|it| it.guess));
        for (place, act) in
            turns.iter().enumerate().flat_map(|(place, turn)| turn.acts.iter().map(move |act| (place, act)))
        {
            if !matches!(act.outcome, CallOutcome::Failed(_) | CallOutcome::Refused) && !is_tried(act) {
                later.act(place, act);
            }
        }
        if said().any(|said| said.standing.passes) {
            (later.red, later.refuted, later.untested) = (red(turns), refuted(turns), untested(turns));
        }
        if !later.known.is_empty() {
            said().filter(|said| is_sure(said)).for_each(|said| later.know(&said.sentence, said.message));
        }
        if !later.named.is_empty() {
            said().filter(|said| tells_more(said)).for_each(|said| later.name(&said.sentence, said.message));
        }
        later
    }

    fn act(&mut self, place: usize, act: &Act<'_>) {
        for (_, path) in act.files().iter().filter(|(op, _)| op.changes()) {
            self.changed = Some(act.message);
            file_name(path).into_iter().for_each(|name| self.tell(name, act.message + 1));
        }
        act.files().iter().for_each(|(op, path)| self.file(*op, path, act.message));
        let Action::Run(command) = &act.action else { return };
        self.run = place;
        for verb in git_verbs(command) {
            let ends = |told: bool, last: &mut Option<usize>| *last = Some(act.message).filter(|_| told).or(*last);
            ends(verb == "commit", &mut self.commit);
            ends(verb == "push", &mut self.push);
            ends(OF_BRANCHES.contains(&&*verb), &mut self.branch);
        }
        // A word with a digit and without a dot is a ticket number; one with a dot may be a file.
        let ends = ENDING.iter().any(|word| command.split([' ', '\n', ';', '&']).any(|own| own == *word));
        if !self.named.is_empty() && ends && !act.action.only_shows() {
            let words = command.split([' ', '\n', '/', '=']).map(|word| word.trim_matches(['"', '\'']));
            let numbers = words.filter(|word| !word.contains('.') && has_digit(word));
            numbers.for_each(|word| self.tell(word, act.message + 1));
        }
    }

    fn file(&mut self, op: FileOp, path: &str, message: usize) {
        let Some(name) = file_name(path) else { return };
        let own = self.paths.entry(name.to_owned()).or_insert_with(|| Some(path.to_owned()));
        if own.as_deref().is_some_and(|own| !is_same(own, path)) {
            *own = None;
        }
        match op {
            FileOp::Deleted => drop(self.gone.insert(name.to_owned(), (message, path.to_owned()))),
            // A read does not show that the file exists again: it may be another file of that name.
            FileOp::Read => {}
            _ => drop(self.gone.remove(name)),
        }
        if matches!(op, FileOp::Created | FileOp::Written) {
            self.made = Some(message);
            let folders = path.split(['/', '\\']).map(|piece| (piece.to_owned(), message));
            self.filled.extend(folders);
        }
    }

    /// Whether a file was created later in the folder that a sentence names, or anywhere if it names none.
    fn filled(&self, said: &Said) -> bool {
        let last = subject(&said.sentence).map_or(self.made, |folder| self.filled.get(folder).copied());
        last > Some(said.message)
    }

    /// Whether tests that the message `said` reports as passing failed in a later run that did not work since, or in
    /// their last run, or did not run again after a later change of code; `false` if a command worked between a failed
    /// last run and the message, as it may have run the tests.
    fn is_red(&self, said: usize) -> bool {
        self.refuted > Some(said)
            || self.untested > Some(said)
            || self.red.is_some_and(|(_, worked)| worked.is_none_or(|worked| said < worked))
    }

    fn tell(&mut self, name: &str, message: usize) {
        if let Some(last) = self.named.get_mut(name.trim_start_matches('#')) {
            *last = message.max(*last);
        }
    }

    fn name(&mut self, sentence: &str, message: usize) {
        if let Some(name) = subject(sentence) {
            self.tell(name, message);
        }
    }

    fn know(&mut self, sentence: &str, message: usize) {
        for name in names(sentence) {
            if let Some(last) = self.known.get_mut(name) {
                *last = message.max(*last);
            }
        }
    }

    /// Returns for each sentence of a turn whether its state has ended; `place` is the index of the turn.
    fn past(&self, place: usize, turn: &Turn<'_>) -> Vec<bool> {
        let newest = turn.said.last().map(|said| said.message);
        let is_past = |said: &Said| {
            let (it, behind) = (said.standing, |last: Option<usize>| last >= Some(said.message));
            let named = || {
                subject(&said.sentence).and_then(|name| self.named.get(name)).is_some_and(|last| *last > said.message)
            };
            let known = || {
                subject(&said.sentence).and_then(|name| self.known.get(name)).is_some_and(|last| *last > said.message)
            };
            let is_overtaken = || !said.closing && newest > Some(said.message);
            let gone = || {
                let name = subject(&said.sentence).filter(|name| self.paths.get(*name).is_some_and(Option::is_some));
                let gone = name.and_then(|name| self.gone.get(name));
                gone.is_some_and(|(message, path)| *message > said.message && is_of(&said.sentence, path))
            };
            matches!(said.kind, Kind::Finding(_) | Kind::Other) && !self.gone.is_empty() && gone()
                || it.is_any()
                    && (it.commit && behind(self.commit)
                        || it.push && behind(self.push)
                        || it.branch && behind(self.branch)
                        || it.untouched && behind(self.changed)
                        || it.spared && said.of_another && behind(self.changed)
                        || it.advises && place + 1 < self.turns && behind(self.changed)
                        || it.run && (self.run > place || is_overtaken())
                        || it.lasts && named()
                        || it.empty && self.filled(said)
                        || it.passes && self.is_red(said.message)
                        || it.guess && !said.closing && known()
                        || it.doubt && is_overtaken()
                        || it.goes_on && said.kind != Kind::Done && (place + 1 < self.turns || is_overtaken()))
        };
        let mut past: Vec<bool> = turn.said.iter().map(is_past).collect();
        let mut verdicts = turn.said.iter().zip(&mut past).filter(|(said, _)| said.standing.verdict).peekable();
        while let Some((said, past)) = verdicts.next() {
            let Some((next, _)) = verdicts.peek() else { break };
            let between = said.message..next.message;
            let changes =
                |act: &Act<'_>| between.contains(&act.message) && act.files().iter().any(|(op, _)| op.changes());
            let other = |name: &str| subject(&next.sentence).is_some_and(|next| next != name);
            let apart = subject(&said.sentence).is_some_and(other);
            *past |= !between.is_empty() && !apart && !turn.acts.iter().any(changes);
        }
        past
    }
}

/// The last test run if it failed, and the first successful command after it, which may have run the tests too.
fn red(turns: &[Turn<'_>]) -> Option<(usize, Option<usize>)> {
    let mut worked = None;
    for act in turns.iter().rev().flat_map(|turn| turn.acts.iter().rev()) {
        let Action::Run(command) = &act.action else { continue };
        if is_trial(command) {
            continue;
        }
        if command.runs_tests() {
            return matches!(act.outcome, CallOutcome::Failed(_)).then_some((act.message, worked));
        }
        if act.outcome.worked() && !command.is_quiet() && may_run_tests(command.shown()) {
            worked = Some(act.message);
        }
    }
    None
}

/// The last test run that failed, and whose command did not work in a later run: what else worked is another test.
fn refuted(turns: &[Turn<'_>]) -> Option<usize> {
    let mut worked: HashSet<&str> = HashSet::default();
    turns.iter().rev().flat_map(|turn| turn.acts.iter().rev()).find_map(|act| {
        let Action::Run(command) = &act.action else { return None };
        if is_trial(command) || !command.runs_tests() {
            return None;
        }
        if act.outcome.worked() {
            worked.insert(command.key());
        }
        let is_mended = worked.iter().any(|ran| covers(ran, command.key()));
        (matches!(act.outcome, CallOutcome::Failed(_)) && !is_mended).then_some(act.message)
    })
}

/// The last change of code, if tests ran before it, and nothing that may have run them since.
fn untested(turns: &[Turn<'_>]) -> Option<usize> {
    let mut changed = None;
    for act in turns.iter().rev().flat_map(|turn| turn.acts.iter().rev()) {
        match &act.action {
            Action::Run(command) if is_trial(command) => continue,
            Action::Run(command) if command.is_test() => return changed,
            Action::Run(command) if may_run_tests(command.shown()) && changed.is_none() => return None,
            _ => {}
        }
        let is_code = |(op, path): &(FileOp, String)| op.changes() && !is_prose(path) && !is_scratch(path);
        if act.outcome.worked() && changed.is_none() && act.files().iter().any(is_code) {
            changed = Some(act.message);
        }
    }
    None
}

/// Whether a sentence may refer to this path: it does not name a file with the same name in another folder.
fn is_of(sentence: &str, path: &str) -> bool {
    let name = file_name(path).unwrap_or(path);
    let words = sentence.split_whitespace();
    let mut spelled =
        words.map(|word| word.trim_matches(|char: char| !char.is_alphanumeric() && !"._/".contains(char)));
    spelled
        .find(|word| word.trim_end_matches('.').ends_with(name))
        .is_none_or(|word| is_same(word.trim_end_matches('.'), path))
}

/// Whether two paths may be the same file: one ends with the other.
fn is_same(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let short = short.trim_start_matches("./");
    long.strip_suffix(short).is_some_and(|folder| folder.is_empty() || folder.ends_with(['/', '\\']))
}

/// Whether a command is only a dry run.
fn is_tried(act: &Act<'_>) -> bool {
    matches!(&act.action, Action::Run(command) if command.contains("--dry-run"))
}

/// Whether a sentence is a sure statement of a finding or finished step.
fn is_sure(said: &Said) -> bool {
    !said.standing.guess && matches!(said.kind, Kind::Done | Kind::Finding(_))
}

/// Whether a sentence may update a statement that something is still so or not yet so.
fn tells_more(said: &Said) -> bool {
    let ends = || lower(&said.sentence).split(|char: char| !char.is_alphanumeric()).any(|word| CLOSED.contains(&word));
    said.kind == Kind::Done || said.standing.lasts || said.kind != Kind::Empty && ends()
}

/// The subject of a sentence: the first name in it.
fn subject(sentence: &str) -> Option<&str> {
    names(sentence).next()
}

/// The names in a sentence that are code, files, or tickets with a number; of a path, its last component.
pub(super) fn names(sentence: &str) -> impl Iterator<Item = &str> {
    let named = sentence.split_whitespace().filter_map(|word| {
        let bare = word.trim_matches(|char: char| !char.is_alphanumeric() && !"._".contains(char));
        let bare = bare.trim_end_matches(['.', ',']);
        let exact = word.trim_start_matches(['(', '[']).starts_with(['`', '#'])
            || bare.contains(['_', '/'])
            || has_inner_capital(bare);
        (exact && bare.len() > 1).then_some(bare)
    });
    named.map(base_name).filter(|name| !name.is_empty())
}

/// Whether a text, as the arguments of a call, has a name as a whole word, not as the key of a value: `load` is not in `upload.rs`.
pub(super) fn has_name(text: &str, name: &str) -> bool {
    let inner = |char: char| char.is_alphanumeric() || char == '_';
    let is_key = |at: usize| text[..at].ends_with('"') && text[at + name.len()..].starts_with("\":");
    let apart = |at: usize| !text[..at].ends_with(inner) && !text[at + name.len()..].starts_with(inner);
    text.match_indices(name).any(|(at, _)| apart(at) && !is_key(at))
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;

    use crate::summary::builders::{act, agent, user};
    use crate::transcript::Message;

    /// The sentences that remain of what an agent said before these messages.
    fn left(said: &str, then: &[Message<'static>]) -> Vec<String> {
        let mut messages =
            vec![user("Mend the tide table."), agent(said), user("Go on with the board of the ferries.")];
        messages.extend_from_slice(then);
        messages.push(agent("The board of the ferries shows the tides of both of the lakes."));
        let head: Vec<&Message<'_>> = messages.iter().collect();
        turns(&head, &[])[1].said.iter().map(|said| said.sentence.clone()).collect()
    }

    fn ran(command: &str) -> [Message<'static>; 2] {
        act("bash", &serde_json::json!({ "command": command }).to_string(), "done", false)
    }

    const STAYS: &str = "The tides come from the old gauge.";

    #[test]
    fn tests_are_not_told_to_pass_that_failed_when_they_ran_last() {
        let red = act("Bash", r#"{"command":"cargo test"}"#, "test result: FAILED. 1 passed; 2 failed", true);
        let green = act("Bash", r#"{"command":"cargo test"}"#, "test result: ok. 3 passed; 0 failed", false);
        for state in ["All tests pass now.", "The suite is green."] {
            let said = format!("{STAYS} {state}");
            assert_eq!(left(&said, &red), [STAYS], "{state}");
            assert_eq!(left(&said, &[red.clone(), green.clone()].concat()).len(), 2, "{state}");
        }
        for told in ["7 of the 9 tests pass.", "The tests pass a clock to the board."] {
            assert_eq!(left(&format!("{STAYS} {told}"), &red).len(), 2, "{told}");
        }
        let other = act("Bash", r#"{"command":"cargo test --lib tide"}"#, "test result: ok. 1 passed; 0 failed", false);
        let said = format!("{STAYS} All tests pass now.");
        assert_eq!(left(&said, &[red.clone(), other.clone()].concat()), [STAYS], "a part of them worked since");
        assert_eq!(left(&said, &[red.clone(), green.clone(), other].concat()).len(), 2, "all of them did");
        let behind = |command: &str| {
            let text = agent(&format!("{STAYS} All tests pass now."));
            let messages = [red.to_vec(), ran(command).to_vec(), vec![text]].concat();
            turns(&messages.iter().collect::<Vec<_>>(), &[])[0].said.len()
        };
        for other in ["./check.sh", "git add -A && git commit -m x", "cargo fmt", "mkdir quay && cp tide.rs quay"] {
            assert_eq!(behind(other), 1, "{other}");
        }
    }

    #[test]
    fn that_tests_pass_is_past_once_code_was_changed_and_not_tested() {
        let green = act("Bash", r#"{"command":"cargo test"}"#, "test result: ok. 3 passed; 0 failed", false);
        let edit = |path: &str| act("Edit", &format!(r#"{{"file_path":"{path}"}}"#), "ok", false);
        let said = |then: &[Message<'static>]| {
            let told = agent(&format!("{STAYS} All tests pass now."));
            let mut messages = [vec![user("Mend it.")], green.to_vec(), vec![told, user("Go on.")]].concat();
            messages.extend_from_slice(then);
            let head: Vec<&Message<'_>> = messages.iter().collect();
            turns(&head, &[])[1].said.len()
        };
        assert_eq!([said(&[]), said(&edit("/w/tide.rs")), said(&edit("/w/tide.md"))], [2, 1, 2]);
        assert_eq!(said(&edit("/tmp/tide.rs")), 2, "it is of no use");
        assert_eq!(said(&[edit("/w/tide.rs"), green.clone()].concat()), 2);
        assert_eq!(said(&[edit("/w/tide.rs"), ran("./check.sh")].concat()), 2, "that may have run them");
    }

    #[test]
    fn a_state_that_a_later_command_ended_is_past() {
        for (state, command) in [
            ("No code has been committed.", "git add -A && git commit -m x"),
            ("The change is not pushed yet.", "git push -u origin tide"),
            ("No version control operations were done yet.", "git commit -m x"),
            ("No version control operations were done yet.", "git -C /w/quay commit -m x"),
            ("I'm on `fix/lamps` — wrong branch.", "git checkout -b tide"),
            ("Current checkout: `main` at 1a2b3c4, with a clean status.", "git switch -c tide"),
            ("Local `main` is behind `origin/main` by 2 commits.", "git pull"),
            ("Bead `qy-7` is still in progress.", "qy close qy-7"),
            ("Draft PR #151 is open.", "gh pr merge 151 --squash"),
            ("The CI check `lint` is still pending.", "make board"),
        ] {
            assert_eq!(left(&format!("{STAYS} {state}"), &ran(command)), [STAYS], "{state}");
            assert_eq!(left(&format!("{STAYS} {state}"), &[]).len(), 2, "{state}");
        }
    }

    #[test]
    fn what_a_later_command_does_not_end_stays() {
        for (state, command) in [
            ("Committed as 1a2b3c4, the tests are not changed.", "git commit -m x"),
            ("The keeper is ahead of the ferry.", "git pull"),
            ("The git hook of the pier is not installed yet.", "git commit -m x"),
            ("`tide.rs` still needs a test.", "cat tide.rs"),
            ("The gate of the pier is open.", "make board"),
            ("That was done on the current branch: `tide`, not `main`.", "git switch main"),
            ("The way is to start it in the same workflow, which is still trusted.", "make board"),
        ] {
            assert_eq!(left(&format!("{STAYS} {state}"), &ran(command)).len(), 2, "{state}");
        }
    }

    #[test]
    fn what_a_file_lacked_is_past_once_it_was_changed() {
        let edit = act("Edit", r#"{"file_path":"/w/docs/tide.md"}"#, "ok", false);
        let lacks = format!("{STAYS} `docs/tide.md` still doesn't list the sdk.");
        assert_eq!(left(&lacks, &edit), [STAYS]);
        let mending = format!("{STAYS} `docs/tide.md` does not list the sdk, so I'm fixing that first.");
        assert_eq!(left(&mending, &edit), [STAYS]);
        assert_eq!(left(&format!("{STAYS} `docs/map.md` still doesn't list the sdk."), &edit).len(), 2);
    }

    #[test]
    fn that_nothing_was_changed_is_past_once_a_file_was() {
        let edit = act("Edit", r#"{"file_path":"/w/docs/tide.md"}"#, "ok", false);
        for state in [
            "No changes made, as this is review-only.",
            "Nothing was changed so far.",
            "I've made no changes.",
            "The checkout is on `main` with no local changes.",
            "On `main` of the quay, the working tree is clean.",
            "The `tide` branch is clean and pushed at `1a2b3c4`.",
        ] {
            let said = format!("{STAYS} {state}");
            assert_eq!(left(&said, &edit), [STAYS], "{state}");
            assert_eq!(left(&said, &ran("make board")).len(), 2, "{state}");
        }
        for stays in [
            "No changes were made to `board.rs`.",
            "The release of `board` needs a clean working tree.",
            "No files were changed by that failed patch.",
            "No files were changed between v4.1 and v4.2, so the crash must come from elsewhere.",
        ] {
            assert_eq!(left(&format!("{STAYS} {stays}"), &edit).len(), 2, "{stays}");
        }
    }

    #[test]
    fn what_was_absent_is_there_once_it_was_made_and_what_is_gone_is_no_more() {
        let write = |path: &str| act("Write", &format!(r#"{{"file_path":"{path}","content":"x"}}"#), "ok", false);
        let said = |state: &str, then: &[Message<'static>]| left(&format!("{STAYS}\n\n{state}"), then).len() == 2;
        let empty = "I looked, and the directory is empty.";
        assert!(!said(empty, &write("/w/quay/lamp.rs")) && said(empty, &[]));
        assert!(said("The directory `pier/` is empty.", &write("/w/quay/lamp.rs")));
        assert!(!said("The directory `quay/` is empty.", &write("/w/quay/lamp.rs")));
        assert!(!said("There is no `lamp.rs`; they light it by hand.", &write("/w/quay/lamp.rs")));
        assert!(said("There is no `lamp.rs`; they light it by hand.", &write("/w/quay/board.rs")));
        let absent = "The file `quay/lamp.rs` does not exist.";
        assert!(!said(absent, &write("/w/quay/lamp.rs")) && said(absent, &write("/w/quay/board.rs")));
        assert!(said("It fails if `quay/lamp.rs` does not exist.", &write("/w/quay/lamp.rs")));
        let found = "`lamp.rs` counts the lamps of the pier twice.";
        assert!(!said(found, &ran("rm quay/lamp.rs")) && said(found, &ran("rm quay/board.rs")));
        let anew = [ran("rm quay/lamp.rs"), write("/w/quay/lamp.rs")].concat();
        assert!(said(found, &anew));
        let elsewhere = "`pier/lamp.rs` counts the lamps of the pier twice.";
        assert!(said(elsewhere, &ran("rm quay/lamp.rs")) && !said(elsewhere, &ran("rm pier/lamp.rs")));
        let other = [write("/w/build/lamp.rs"), ran("rm quay/lamp.rs")].concat();
        assert!(said(found, &other), "nobody knows which one");
        assert!(said("The lamp directory is empty because the loader skips it.", &write("/w/quay/lamp.rs")));
        let restored = [ran("rm quay/lamp.rs"), ran("git checkout -- quay/lamp.rs")].concat();
        assert!(said(found, &restored));
    }

    #[test]
    fn advice_is_over_once_files_were_changed_in_a_later_turn() {
        let edit = act("Edit", r#"{"file_path":"/w/docs/tide.md"}"#, "ok", false);
        for advice in ["I'd fix `TideBoard` anyway.", "The board is slow, and I would keep `TideBoard` as it is."] {
            assert_eq!(left(&format!("{STAYS} {advice}"), &edit), [STAYS], "{advice}");
            assert_eq!(left(&format!("{STAYS} {advice}"), &ran("make board")).len(), 2, "{advice}");
        }
        assert_eq!(left(&format!("{STAYS} I'd rather not say what `TideBoard` costs."), &edit).len(), 2);
    }

    #[test]
    fn what_another_agent_left_alone_may_be_changed_by_now() {
        let report = "The lamp of the pier is lit by `light()`.\n\nDid not touch `tide.rs`, it is the keeper's.";
        let task = act("Task", r#"{"description":"Light it","prompt":"Light the lamp."}"#, report, false);
        let told = |then: &[Message<'static>]| {
            let mut messages = vec![user("Mend it.")];
            messages.extend(task.clone());
            messages.extend([agent("The lamp is lit now."), user("Go on.")]);
            messages.extend_from_slice(then);
            let head: Vec<&Message<'_>> = messages.iter().collect();
            turns(&head, &[]).iter().flat_map(|turn| &turn.said).any(|said| said.sentence.contains("Did not touch"))
        };
        assert!(told(&[]));
        assert!(!told(&act("Edit", r#"{"file_path":"/w/tide.rs"}"#, "ok", false)));
    }

    #[test]
    fn what_an_agent_says_newly_of_a_thing_is_how_it_stands() {
        let said = |now: &'static str| left(&format!("{STAYS} `TideBoard` still reads the whole list."), &[agent(now)]);
        assert_eq!(said("`TideBoard` now reads a single tide."), [STAYS]);
        assert_eq!(said("`TideBoard` reads a list of tides.").len(), 2);
    }

    #[test]
    fn a_guess_is_past_once_one_knows() {
        let guess = "The issue might be that `light()` reads the clock twice.";
        let left = |said: &str| {
            let messages = [user("Mend the lamp."), agent(guess), agent(said)];
            let head: Vec<&Message<'_>> = messages.iter().collect();
            turns(&head, &[])[1].said.iter().any(|said| said.sentence == guess)
        };
        assert!(!left("The root cause is that `light()` reads `lamp_mode` before `tick()` sets it."));
        assert!(left("The root cause is that `tick()` comes late."));
        assert!(left("`light()` might read `lamp_mode` before `tick()` sets it."));
    }

    #[test]
    fn what_an_agent_thinks_aloud_is_told_nowhere_once_it_says_more() {
        let left = |said: &str, more: bool| {
            let mut messages = vec![user("Mend the lamp."), agent(said)];
            messages.extend(more.then(|| agent("The wick of the lamp is wet since `fill()` spills the oil.")));
            messages.extend([user("Go on."), agent("The lamp is lit.")]);
            let head: Vec<&Message<'_>> = messages.iter().collect();
            turns(&head, &[])[1].said.iter().any(|own| own.sentence == said)
        };
        for doubt in [
            "Maybe the issue is somewhere else entirely.",
            "But I'm not 100% sure about the oil.",
            "Actually, I think the issue might be in `set_wick`.",
            "The issue might not be in `set_wick`.",
            "Since the lamp has two wicks, maybe it needs more oil.",
            "也许问题出在灯芯上。",
            "The `lamp` of the pier burns so far; waiting for the ferry to come.",
            "I won't light `lamp` until the ferry is here.",
            "It seems there was an error in the edit of `set_wick`.",
            "The tests of `set_wick` should now pass.",
            "`set_wick` should work now.",
            "The hook of `set_wick` is still running.",
        ] {
            assert!(!left(doubt, true) && left(doubt, false), "{doubt}");
        }
        for told in [
            "It seems that `set_wick` is called twice a day.",
            "`set_wick` might be called twice a day.",
            "The lamp, and perhaps its wick, burns the oil twice.",
        ] {
            assert!(left(told, true), "{told}");
        }
    }

    #[test]
    fn a_verdict_is_past_once_another_one_follows_before_a_change() {
        let first = "The real issue is that the lamp has no oil left.";
        let left = |between: &[Message<'static>], second: &str| {
            let mut messages = vec![user("Mend the lamp."), agent(first)];
            messages.extend_from_slice(between);
            messages.push(agent(second));
            let head: Vec<&Message<'_>> = messages.iter().collect();
            turns(&head, &[])[1].said.iter().any(|said| said.sentence == first)
        };
        let second = "The real issue is that the wick is wet.";
        assert!(!left(&ran("make lamp"), second));
        assert!(left(&act("Edit", r#"{"file_path":"/w/lamp.rs"}"#, "ok", false), second));
        assert!(left(&[], "Another issue is that the wick is wet."));
    }

    #[test]
    fn what_went_on_in_an_earlier_turn_is_past() {
        for doing in ["I'm checking whether it has been changed.", "The worker is lighting the lamp of the pier now."] {
            assert_eq!(left(&format!("{STAYS} {doing}"), &[]), [STAYS], "{doing}");
        }
        let signal = "`lit()` is a sign, and a good one, that a lamp is burning right now.";
        assert_eq!(left(&format!("{STAYS} {signal}"), &[]).len(), 2);
    }

    #[test]
    fn the_only_words_of_a_turn_stay_as_its_answer() {
        assert_eq!(left("The branch is ahead of `origin/tide` by one commit.", &ran("git push")).len(), 1);
    }
}
