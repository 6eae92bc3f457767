//! Findings of a review that the user then asked, or allowed, the agent to fix: they no longer hold.

use super::endings::changed_by;
use super::missing::{is_file, named};
use super::obsolete::{has_name, names};
use super::turns::Turn;
use crate::summary::extractive::calls::act::Action;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::calls::outcome::CallOutcome;
use crate::summary::extractive::calls::run::Command;
use crate::summary::extractive::sentences::consent::asks_consent;
use crate::summary::extractive::sentences::cues::{Kind, facts, lower, tells_trouble};
use crate::summary::extractive::sentences::rules::only_nods;
use crate::summary::extractive::sentences::said::Said;
use crate::summary::text::{
    NUMBER_WORDS, QUESTION_MARKS, all_digits, behind, contains_any, each_word, has_any, starts_any, words,
};
use foldhash::HashSet;
use std::cell::LazyCell;

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

/// Words by which a user asks for all fixes, and what else such a request may say.
const ALL: [&str; 10] = ["all", "both", "everything", "them", "these", "those", "alle", "alles", "все", "都"];
const BESIDE: [&str; 18] = [
    "address", "and", "bitte", "commit", "fix", "go", "issues", "mend", "now", "of", "ok", "please", "repair",
    "resolve", "the", "then", "yes", "findings",
];
/// Maximum number of words of a request for all fixes, and of one that allows what the agent offered.
const FEW: usize = 5;
/// Words of a request that allows what the agent offered, besides nods and [`ALL`].
const DO_IT: [&str; 12] = ["ahead", "apply", "can", "do", "fix", "it", "just", "now", "that", "then", "this", "you"];
/// Beginnings of one that may say more: “go ahead, with the rename”.
const YES: [&str; 7] = ["do it", "go ahead", "please do", "sure", "yeah", "yep", "yes"];
/// Words that except some fixes, and those that decline all.
const EXCEPTS: [&str; 8] = ["apart", "besides", "but", "except", "first", "not", "only", "without"];
const DECLINES: [&str; 6] = ["later", "leave", "nein", "no", "nope", "skip"];
/// Words by which an agent reports that all findings were fixed.
const EVERY: [&str; 3] = ["all", "both", "every"];
/// Words before such a one that take it back, and those that may stand between it and what was found.
const NEARLY: [&str; 4] = ["almost", "nearly", "not", "practically"];
const BETWEEN: [&str; 8] = ["found", "of", "open", "reported", "review", "reviewer", "the", "these"];
const FOUND: [&str; 9] =
    ["bugs", "comments", "faults", "findings", "issues", "nits", "points", "problems", "suggestions"];
const FIXED: [&str; 7] = ["addressed", "applied", "corrected", "fixed", "mended", "resolved", "solved"];
/// Words of a finding that tells of no trouble.
const FINDS: [&str; 9] =
    ["add a", "extend the", "gap", "gaps", "no test", "only checks", "outdated", "stale", "untested"];
/// How grave a finding is.
const GRADES: [&str; 9] = ["blocker", "critical", "high", "major", "medium", "minor", "low", "moderate", "nit"];
/// Beginnings of a sentence that says how to fix something.
const FIXES: [&str; 6] = ["fix ", "fix:", "proposed ", "recommended ", "suggested ", "with "];
/// Number of turns behind a review in which the fix is looked for: the user may ask about the findings first.
const NEXT: usize = 3;
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

/// By sentence of the first turn, whether it is a finding about a file that a later turn changed on the user's request
/// to fix it, or about code that its changes or its last text name, or belongs to one. Where the user only let the agent
/// do what it offered, or the turn changed files, it is one if it tells of trouble, or asks for something more. Where
/// all was fixed, and a test or commit then worked, one that names no file is over too. Turns that change nothing may
/// stand between the two.
pub(super) fn mended(turns: &[Turn<'_>]) -> Vec<bool> {
    let Some((at, next)) = turns.iter().enumerate().skip(1).take(NEXT).find(|(_, turn)| changed(turn).next().is_some())
    else {
        return Vec::new();
    };
    let turn = &turns[0];
    let start = next.asked.as_ref().map_or("", |asked| &asked.start);
    // Behind other turns, leave may be for what those were about.
    let offered = Some(turn).filter(|_| at == 1 && agrees(start)).and_then(offer);
    let asks = mends(&lower(start)) || offered.as_deref().is_some_and(mends);
    if !asks && offered.is_none() {
        return Vec::new();
    }
    // What changed files tells of that, too.
    let only_reviews = changed(turn).next().is_none();
    let files: HashSet<&str> = changed(next).collect();
    let had_all = || asks_for_all(start) || reports_all(next);
    let all = leaves_nothing(next) && had_all() && is_proven(next, turns.get(at + 1));
    let names_other = |sentence: &str| named(sentence).any(|name| is_file(name) && !files.contains(name));
    let dealt = Dealt::of(next);
    let (mut is_over, mut is_fix) = (false, false);
    let is_mended = |said: &Said| {
        // What follows in the paragraph of a fix is about how things are once it is made.
        is_fix = starts_any(&lower(&said.sentence), &FIXES) || is_fix && said.joined;
        let trouble = LazyCell::new(|| tells_trouble(&said.sentence));
        let of_file = || named(&said.sentence).any(|name| files.contains(name));
        let found = LazyCell::new(|| *trouble || finds(&said.sentence));
        let of_name = || *found && !is_fix && !names_other(&said.sentence) && dealt.with(&said.sentence);
        let of_all = || all && *trouble && !names_other(&said.sentence);
        let states = || matches!(said.kind, Kind::Finding(_) | Kind::Other) && (asks && only_reviews || *found);
        // What follows in the paragraph of a finding is about it, unless it tells of a trouble with names of its own.
        let is_own = || said.kind == Kind::Done || names_other(&said.sentence) || *trouble && facts(&said.sentence) > 0;
        let goes_on = is_over && said.joined && !is_own();
        is_over =
            said.closing && (goes_on || states() && (of_file() || of_name()) || said.kind != Kind::Empty && of_all());
        is_over
    };
    turn.said.iter().map(is_mended).collect()
}

/// Whether a sentence of a review asks for something more, or begins with how grave it is: “Medium: the lamp …”
fn finds(sentence: &str) -> bool {
    let lower = lower(sentence);
    let grades = |grade: &&str| behind(&lower, grade).is_some_and(|rest| starts_any(rest, &[":", " —", " –", " -"]));
    has_any(&lower, &FINDS) || GRADES.iter().any(grades)
}

/// Whether a text in lower case asks for fixes.
fn mends(lower: &str) -> bool {
    MENDS.iter().any(|word| has(lower, word))
}

/// Whether a request is a few words that agree.
fn agrees(start: &str) -> bool {
    let lower = lower(start);
    let nods = |word: &str| ALL.contains(&word) || DO_IT.contains(&word) || only_nods(word);
    let begins = |yes: &&str| behind(&lower, yes).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    let says_yes = || YES.iter().any(begins) || each_word(&lower).all(nods);
    words(&lower) <= FEW && !declines(&lower) && says_yes()
}

/// The last line of a turn, in lower case, if it asks whether to do something: “Want me to address all four? The first is
/// quick.” “Which oil do you use?” does not.
fn offer(turn: &Turn<'_>) -> Option<String> {
    let (_, text) = turn.last_text()?;
    let line = lower(text.trim_end().lines().next_back()?);
    let asks = line.contains(QUESTION_MARKS) && (line.contains("want me to") || asks_consent(&line) || mends(&line));
    asks.then_some(line)
}

fn declines(lower: &str) -> bool {
    EXCEPTS.iter().chain(&DECLINES).any(|word| has(lower, word)) || lower.contains("n't")
}

/// Whether the last text of a turn says that all that was found was fixed: “All three findings addressed.”
fn reports_all(turn: &Turn<'_>) -> bool {
    let says = |sentence: &str| lower(sentence).split([',', ';', ':', '—', '.']).any(reports_all_in);
    turn.said.iter().any(|said| said.closing && says(&said.sentence))
}

/// Whether a clause in lower case does.
fn reports_all_in(clause: &str) -> bool {
    let all: Vec<&str> = each_word(clause).collect();
    let Some(at) = all.iter().position(|word| EVERY.contains(word)) else { return false };
    let is_between = |word: &&str| BETWEEN.contains(word) || NUMBER_WORDS.contains(word) || all_digits(word);
    let found = all[at + 1..].iter().find(|word| !is_between(word));
    let is_nearly = at > 0 && NEARLY.contains(&all[at - 1]);
    let is_fixed = || all[at..].iter().any(|word| FIXED.contains(word));
    !is_nearly && found.is_some_and(|word| FOUND.contains(word)) && is_fixed() && !declines(clause)
}

/// Whether a request of a few words is for all fixes: “fix them all”.
fn asks_for_all(start: &str) -> bool {
    let lower = lower(start);
    let is_bare = |word: &str| ALL.contains(&word) || BESIDE.contains(&word);
    let has_more = lower.is_ascii() && !each_word(&lower).all(is_bare);
    words(&lower) <= FEW && ALL.iter().any(|word| has(&lower, word)) && !declines(&lower) && !has_more
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
    let ran = |act: &Act<'_>, is: fn(&Command) -> bool| match &act.action {
        Action::Run(command) => matches!(act.outcome, CallOutcome::Done(_)) && is(command),
        _ => false,
    };
    let commits = |command: &Command| command.shown().contains("git commit");
    let last = turn.acts.iter().rposition(|act| changed_by(act).next().is_some()).map_or(0, |at| at + 1);
    let mut behind = turn.acts[last..].iter();
    behind.any(|act| ran(act, Command::runs_tests) || ran(act, commits))
        || next.is_some_and(|next| next.acts.iter().any(|act| ran(act, commits)))
}

/// What a turn that changed files dealt with: the arguments of its changes, and the sentences of its last text, except
/// those that say of something that it was left.
struct Dealt<'t> {
    with: Vec<&'t str>,
    left: Vec<&'t str>,
}

impl<'t> Dealt<'t> {
    fn of(turn: &'t Turn<'_>) -> Self {
        let changes = turn.acts.iter().filter(|act| changed_by(act).next().is_some()).map(|act| act.arguments);
        let closing = turn.said.iter().filter(|said| said.closing).map(|said| said.sentence.as_str());
        let (left, told): (Vec<_>, Vec<_>) = closing.partition(|sentence| contains_any(&lower(sentence), &LEFT));
        Self { with: changes.chain(told).collect(), left }
    }

    /// Whether these are at least half of the names of code in a sentence, and none of them was left.
    fn with(&self, sentence: &str) -> bool {
        let all: Vec<&str> = names(sentence).filter(|name| !is_file(name)).collect();
        let has = |texts: &[&str], name: &str| texts.iter().any(|text| has_name(text, name));
        let dealt = all.iter().filter(|name| has(&self.with, name)).count();
        !all.is_empty() && dealt * 2 >= all.len() && !all.iter().any(|name| has(&self.left, name))
    }
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
    fn findings_of_a_turn_that_worked_are_over_if_they_tell_of_trouble() {
        let edit = |path: &str| {
            let arguments = serde_json::json!({ "file_path": path, "old_string": "a", "new_string": "b" }).to_string();
            act("Edit", &arguments, "The file was edited.", false)
        };
        let report = "The map is drawn.\n\n- Medium: the keeper in `src/lamp.rs:15` takes the gas of the pier\n- `src/lamp.rs` reads the oil of each lamp from a table";
        let mut messages = vec![user("Draw the map, then review the lamp.")];
        messages.extend(edit("/w/src/map.rs"));
        messages.extend([agent(report), user("Please fix those issues.")]);
        messages.extend(edit("/w/src/lamp.rs"));
        messages.push(agent("It is done."));
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let left: String = turns(&head, &[]).into_iter().flat_map(|turn| turn.said).map(|said| said.sentence).collect();
        assert_eq!(["takes the gas", "from a table"].map(|words| left.contains(words)), [false, true]);
    }

    #[test]
    fn what_the_user_lets_the_agent_mend_is_over_also_after_questions() {
        let edit = r#"{"file_path":"/w/src/lamp.rs","old_string":"a","new_string":"b"}"#;
        let found = "I read it.\n\n- High: `src/lamp.rs:15` lets the oil run out at night. A keeper without oil is blind. The ferry never signed its contract `K-77`.\n- Low: `src/quay.rs:3` has no ropes at all\n\nWant me to fix the lamp?";
        let told = |between: &[Message<'static>], answer: &str| {
            let mut messages = vec![user("Review the code of the harbour."), agent(found)];
            messages.extend_from_slice(between);
            messages.push(user(answer));
            messages.extend(act("Edit", edit, "The file was edited.", false));
            messages.push(agent("It holds now."));
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let said = turns(&head, &[]).into_iter().flat_map(|turn| turn.said).filter(|said| !said.obsolete);
            let all: String = said.map(|said| said.sentence).collect();
            assert!(all.contains("K-77"), "another trouble");
            ["oil run out", "keeper", "ropes"].map(|words| all.contains(words))
        };
        assert_eq!(told(&[], "yeah do it"), [false, false, true]);
        assert_eq!(told(&[], "go ahead, with the rename"), [false, false, true]);
        for other in ["no, draw a map first", "Rename `lamp` to `light`", "never mind, format it"] {
            assert_eq!(told(&[], other), [true, true, true], "{other}");
        }
        assert_eq!(told(&[], "Draw a map of the harbour with all its piers."), [true, true, true]);
        let between = [user("Is the oil really that short?"), agent("It is: two liters a night.")];
        assert_eq!(told(&between, "please fix it"), [false, false, true]);
        assert_eq!(told(&between, "yeah do it"), [true, true, true], "it offered nothing there");
        let between = [user("Which lamp is it?"), agent("The north one. Which oil do you use?")];
        assert_eq!(told(&between, "red oil"), [true, true, true], "it asked for no leave");
    }

    #[test]
    fn a_finding_about_code_that_the_fix_changed_or_names_is_over() {
        let found = "I read all of it.\n\n- The comment of `burn` is wrong about the oil.\n- `test_burn` only checks the oil (`Wick` is not).\n- `moor` fails in the wind.\n\nFix (small): look for `oil` first. With `oil` it never burns out.\n\n- `sink_all` is missing a lock.\n\nWant me to fix these?";
        let told = |answer: &str| {
            let edit = r#"{"file_path":"/w/src/lamp.rs","old_string":"// burn: gas","new_string":"// burn: oil"}"#;
            let mut messages = vec![user("Review the code of the harbour."), agent(found), user(answer)];
            messages.extend(act("Edit", edit, "The file was edited.", false));
            messages
                .push(agent("Done: `test_burn` now looks at the wick. I left `sink_all` alone, as I skipped locks."));
            let head: Vec<&Message<'_>> = messages.iter().collect();
            let said = turns(&head, &[]).into_iter().take(2).flat_map(|turn| turn.said).filter(|said| !said.obsolete);
            let all: String = said.map(|said| said.sentence).collect();
            ["`burn`", "`test_burn`", "`moor`", "`sink_all`", "burns out"].map(|name| all.contains(name))
        };
        assert_eq!(told("sure"), [false, false, true, true, true]);
        assert_eq!(told("Now draw a map of all the piers."), [true; 5]);
    }

    #[test]
    fn a_report_that_all_was_fixed_ends_the_findings() {
        let turn = |text: &str| {
            let messages = [user("Mend it."), agent(text)];
            let head: Vec<&Message<'_>> = messages.iter().collect();
            turns(&head, &[]).iter().any(super::reports_all)
        };
        assert!(turn("All three findings addressed in separate commits."));
        assert!(turn("Done. Both issues are fixed now: the lamp burns and the ropes hold."));
        assert!(turn("All review comments are addressed, with no new warnings."));
        assert!(!turn("All 9 tests pass, and both lamp issues are fixed."));
        assert!(!turn("Almost all findings are fixed."));
        assert!(!turn("All findings but the last are fixed."));
        assert!(!turn("All lamps of the harbour burn now."));
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
