//! Finds the temporary state that a sentence claims: “not committed yet”, “still in progress”, a guess, what the agent
//! is doing.

use super::cues::{doubts, listed, lower, narrates, tells_trouble, without_filler};
use super::green::words_of;
use super::labeled::is_open_item;
use super::phrases::Phrases;
use super::unpushed::{UNDONE, unpushed};
use crate::summary::extractive::words::{
    FOLDERS, GUESSES, LASTS, MAY_STAND, NEGATIONS, PARTLY, PASSED, PASSES, RUNS, TESTS, TICKETS, UNTOUCHED,
};
use crate::summary::text::{NUMBER_WORDS, all_digits, contains_any, each_word, has_any, starts_any};
use std::sync::LazyLock;

/// Four lists: words of which every claim of a temporary state has one, words of a guess, what other languages say of work
/// that is not done, and words of advice, of what was left alone, of clean work trees, and of suppositions.
static HINTS: LazyLock<Phrases<4>> = LazyLock::new(|| {
    let lists: [&[&str]; 5] = [&SPARED, &CLEAN, &WOULD, &SUPPOSES, &PREDICTS];
    let others = lists.into_iter().flat_map(|list| listed(list, 3));
    Phrases::new(listed(MAY_STAND, 0).chain(listed(GUESSES, 1)).chain(listed(UNDONE, 2)).chain(others))
});

/// Words that say that a trouble is one of several.
const MORE: [&str; 8] = ["another", "also", "first", "one", "other", "second", "third", "remaining"];

/// What the last word says of those that came, of things that are waited for.
const ARRIVED: [&str; 9] = ["back", "complete", "completed", "done", "finished", "in", "left", "remaining", "running"];

/// What an agent says of files that it left alone.
const SPARED: [&str; 5] = ["did not touch", "didn't touch", "not touched", "untouched", "were touched"];
/// Words before what an agent says that it would do, and such verbs.
const WOULD: [&str; 2] = ["i'd", "i would"];
const ADVICE: [&str; 16] = [
    "avoid",
    "choose",
    "do",
    "fix",
    "go",
    "keep",
    "land",
    "lean",
    "leave",
    "pick",
    "recommend",
    "skip",
    "start",
    "suggest",
    "treat",
    "use",
];

/// Beginnings of a supposition, and what is supposed of tests and of what was mended.
const SUPPOSES: [&str; 2] = ["it seems", "it appears"];
const PREDICTS: [&str; 6] = [
    "should be fixed now",
    "should now be fixed",
    "should now compile",
    "should now pass",
    "should now work",
    "should work now",
];

/// Beginnings of what the agent means to do next.
const MEANS_TO: [&str; 8] = [
    "i also need to ",
    "i need to ",
    "i'll need to ",
    "my immediate next step ",
    "my next step ",
    "next, i need to ",
    "now i need to ",
    "now i'll ",
];

/// What is said of a work tree without changes.
const CLEAN: [&str; 11] = [
    "has no local changes",
    "is clean and pushed",
    "with a clean status",
    "with a clean work tree",
    "with a clean working tree",
    "with a clean worktree",
    "with clean status",
    "with no local changes",
    "working tree is clean",
    "working tree clean",
    "worktree is clean",
];

/// Number of words to search: after a check or a server, for “still” or “pending”; at the start of a sentence, for “is”
/// before a verb in “-ing”, or for one of [`MORE`].
const NEAR: usize = 4;

/// The claims of a sentence that later work can make false.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::summary::extractive) struct StateClaim {
    /// Something is not committed.
    pub(in crate::summary::extractive) commit: bool,
    /// Something is not pushed.
    pub(in crate::summary::extractive) push: bool,
    /// The work is on some branch, or a branch is ahead, behind or has diverged.
    pub(in crate::summary::extractive) branch: bool,
    /// A check or a server is still running.
    pub(in crate::summary::extractive) run: bool,
    /// Something is still so, is not yet so, is needed, left to do, or does not exist; or a ticket is open.
    pub(in crate::summary::extractive) lasts: bool,
    /// The sentence is a guess.
    pub(in crate::summary::extractive) guess: bool,
    /// The sentence is a guess in which the agent thinks aloud, or says what it waits for or means to do next.
    pub(in crate::summary::extractive) doubt: bool,
    /// The sentence says what somebody is doing now.
    pub(in crate::summary::extractive) goes_on: bool,
    /// The sentence names the cause of the trouble.
    pub(in crate::summary::extractive) verdict: bool,
    /// A folder is empty.
    pub(in crate::summary::extractive) empty: bool,
    /// All tests pass.
    pub(in crate::summary::extractive) passes: bool,
    /// Some files were left alone.
    pub(in crate::summary::extractive) spared: bool,
    /// The agent says what it would do.
    pub(in crate::summary::extractive) advises: bool,
    /// No file was changed, or the work tree is clean.
    pub(in crate::summary::extractive) untouched: bool,
}

impl StateClaim {
    /// Finds the claims of a sentence.
    pub(in crate::summary::extractive) fn of(sentence: &str) -> Self {
        let lower = lower(sentence);
        let mut all = Self::default();
        let [stands, guesses, undone, others] = HINTS.strengths(&lower);
        if stands > 0 {
            lower.split([',', ';', '—', '(', ':']).for_each(|clause| all.add(clause));
        }
        if undone > 0 {
            let [commit, push] = unpushed(&lower);
            (all.commit, all.push) = (all.commit || commit, all.push || push);
        }
        all.guess = guesses > 0;
        all.untouched = is_untouched(&lower) || others > 0 && contains_any(&lower, &CLEAN);
        let supposes = others > 0 && supposes_trouble(&lower);
        all.doubt = all.guess && doubts(&lower) || waits(&lower) || doubts_own_work(&lower) || supposes;
        all.doubt |= starts_any(without_filler(&lower), &MEANS_TO);
        all.spared = others > 0 && has_any(&lower, &SPARED);
        all.advises = others > 0 && advises(&lower);
        all.lasts |= is_open_item(&lower);
        all.goes_on = goes_on(&lower);
        all.verdict = is_verdict(&lower);
        all
    }

    /// Whether the sentence makes a claim other than a verdict.
    pub(in crate::summary::extractive) fn may_end(self) -> bool {
        self != Self { verdict: self.verdict, ..Self::default() }
    }

    /// Adds the claims of one clause, given in lower case.
    fn add(&mut self, clause: &str) {
        let words = words_of(clause);
        let any = |list: &[&str]| words.iter().any(|word| list.contains(word));
        let negated = words.iter().position(|word| NEGATIONS.contains(word) || word.ends_with("n't"));
        let not = |what: &str| negated.is_some_and(|at| words[at..].contains(&what));
        let yet = words.last() == Some(&"yet") || clause.contains("not yet");
        let of_git = || not("commits") || contains_any(clause, &["git operation", "version control"]);
        self.commit |= not("committed") || any(&["uncommitted", "unstaged"]) || yet && negated.is_some() && of_git();
        self.push |= not("pushed") || any(&["unpushed"]) || any(&["need", "needs"]) && any(&["push"]);
        let apart =
            any(&["behind", "ahead"]) && words.iter().any(|word| word.starts_with("commit") || word.contains('/'));
        self.branch |= apart
            || any(&["diverged"]) && any(&["has", "have"])
            || any(&["branch"]) && any(&["wrong", "currently"])
            || matches!(words[..], ["current", "branch" | "checkout", ..]);
        let lasts = any(LASTS) || yet && negated.is_some() || any(&["need", "needs"]) && any(&["to"]);
        let runs = |at: usize| words[at + 1..].iter().take(NEAR).any(|word| LASTS.contains(word));
        self.run |= (0..words.len()).any(|at| RUNS.contains(&words[at]) && runs(at));
        let explains = any(&["because", "since", "that", "which", "whether"]);
        // “When there is no lamp, it waits” describes a program's behavior, which is not temporary.
        let none = negated.is_some_and(|at| at > 0 && ["is", "are", "there's"].contains(&words[at - 1]));
        let none = none && any(&["there", "there's"]) && words.contains(&"no") && !any(&["if", "when", "need"]);
        let absent = none && !explains
            || negated.is_some() && any(&["exist", "exists"]) && !any(&["if", "when", "where", "unless"]) && !explains;
        self.empty |= !explains && any(&["empty"]) && any(FOLDERS) && any(&["is", "was", "are"]) && negated.is_none();
        let mut behind = words.iter().skip_while(|word| !PASSES.contains(word)).skip(1);
        // “The tests pass a clock to it.”
        let alone = behind.next().is_none_or(|word| PASSED.contains(word));
        self.passes |= negated.is_none() && any(TESTS) && any(PASSES) && alone && !any(PARTLY);
        self.lasts |= absent || lasts || any(&["open", "draft"]) && any(TICKETS);
    }

    pub(in crate::summary::extractive) fn is_any(self) -> bool {
        self != Self::default()
    }
}

/// Whether the agent supposes some trouble in what it just saw, or that it is over: “It seems there was an error in the
/// edit.”, “The tests should now pass.” It then looks again.
fn supposes_trouble(lower: &str) -> bool {
    let is_trouble = || tells_trouble(lower) || contains_any(lower, &["error", "might", "unable"]);
    let text = without_filler(lower);
    let begins = |start: &&str| text.strip_prefix(*start).is_some_and(|rest| rest.starts_with(' '));
    SUPPOSES.iter().any(begins) && is_trouble() || has_any(lower, &PREDICTS)
}

/// Whether the agent says what it would do: “I'd fix it anyway.”
fn advises(lower: &str) -> bool {
    let is_advice = |rest: &str| {
        let verb = rest.strip_prefix(' ').and_then(|rest| rest.split(|char: char| !char.is_alphabetic()).next());
        verb.is_some_and(|verb| ADVICE.contains(&verb))
    };
    WOULD.iter().any(|would| lower.match_indices(would).any(|(at, _)| is_advice(&lower[at + would.len()..])))
}

/// Whether the agent says that its last step was wrong: “So my fix is incorrect.” It then takes another one.
fn doubts_own_work(lower: &str) -> bool {
    let own = |what: &&str| lower.contains(*what);
    let wrong = || has_any(lower, &["doesn't work", "does not work", "incorrect", "wrong"]);
    ["my approach", "my change", "my edit", "my fix", "my patch"].iter().any(own) && wrong()
}

/// Whether a sentence says that the agent waits: “The lamps burn; waiting for the ferry.”, “I won't go until it is in.”
fn waits(lower: &str) -> bool {
    let refuses = starts_any(lower, &["i won't ", "i will not "]) && lower.contains(" until ");
    refuses || awaits(lower)
}

/// Whether a lower-case sentence says what is waited for, or how much of it came: “Waiting on the keeper.”, “Two of four
/// reports are in.”
pub(super) fn awaits(lower: &str) -> bool {
    let waits = |clause: &str| {
        let clause = clause.trim_start();
        let clause = ["i'm ", "i am "].iter().find_map(|start| clause.strip_prefix(start)).unwrap_or(clause);
        starts_any(clause, &["waiting for ", "waiting on "])
    };
    // Behind a colon it is what something else does: “The cause: waiting for …”
    counts_arrived(lower) || lower.contains("waiting ") && lower.split([',', ';', '—', '.']).any(waits)
}

/// Whether it counts how many of several have come or ended.
fn counts_arrived(lower: &str) -> bool {
    if !lower.contains("of") {
        return false;
    }
    let is_count = |word: &str| NUMBER_WORDS.contains(&word) || all_digits(word);
    let words: Vec<&str> = each_word(lower).collect();
    let at = words.windows(3).position(|own| own[1] == "of" && is_count(own[0]) && is_count(own[2]));
    at.is_some_and(|at| at < 2) && words.last().is_some_and(|last| ARRIVED.contains(last))
}

/// Whether a sentence says what somebody is doing: “I'm reading the parser.”, “The worker is rebuilding it now.”
fn goes_on(lower: &str) -> bool {
    let mut words = lower.split(' ').enumerate().skip_while(|(_, word)| !["is", "are"].contains(word));
    let verb =
        words.next().is_some_and(|(at, _)| at <= NEAR) && words.next().is_some_and(|(_, word)| word.ends_with("ing"));
    let now = |(_, word): (usize, &str)| word.trim_end_matches(['.', ',', ';']) == "now";
    narrates(without_filler(lower)) || verb && words.any(now)
}

/// Whether a sentence begins by saying that no file was changed: “No changes made, as this is review-only.” What was not
/// changed by one step, in one file or between two versions may stay so.
fn is_untouched(lower: &str) -> bool {
    let lower = ["i've ", "i ", "we've ", "we "].iter().find_map(|start| lower.strip_prefix(start)).unwrap_or(lower);
    let rest = UNTOUCHED.iter().find_map(|start| lower.strip_prefix(start)).map(str::trim_start);
    rest.is_some_and(|rest| rest.is_empty() || starts_any(rest, &[".", ",", ";", "—", "(", "so far", "yet", "。"]))
}

/// Whether a sentence names the one cause of the trouble: “The real issue is that …”; not “Another issue is …”.
fn is_verdict(lower: &str) -> bool {
    let named = |verdict: &&str| lower.contains(*verdict);
    let names =
        lower.contains(" is") && [" issue is", " problem is", " cause is", " bug is", " culprit is"].iter().any(named);
    names && !lower.split(' ').take(NEAR).any(|word| MORE.contains(&word))
}
