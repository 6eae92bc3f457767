//! Classifies sentences by the phrases in them.

use super::aimed::below_aim;
use super::announced::{only_found, only_knows};
use super::courteous::{apologizes, without_note};
use super::doing::is_doing;
use super::greetings::only_greets;
use super::labeled::is_open_item;
use super::next::is_next;
use super::phrases::{Cue, Openings, Phrases};
use super::points::{is_listed, lists_folder};
use super::risks::is_risk;
use super::state::awaits;
use super::structure::without_label;
use crate::summary::extractive::files::paths::file_name;
use crate::summary::extractive::words::{
    ANNOUNCED, Cues, DANGLING, DONE, DONE_ALONE, DONE_STATES, DONE_VERBS, DOUBTS, FILLERS, FINDING_LEAST, HESITATES,
    IN_GENERAL, INTENDS, LEADS_UP, LEANING, NARRATES, NEEDS, OBJECTS, OF_NOUNS, OF_THINGS, OFFERED, OTHERWISE,
    POSSIBLY, PROPOSES, PROPOSES_WITH_OBJECT, QUESTION_ENDS, QUESTION_LAST, RESTS, SOFTENED, STANDS_FOR_NOTHING,
    SUBJECTLESS, SYMPATHIZES, TELLS_OF_IT, TROUBLE, TROUBLES, WILL_DO, finding,
};
use crate::summary::text::{
    QUESTION_MARKS, behind, contains_any, each_word, ends_any, has_digit, has_inner_capital, has_least, has_most,
    is_dense, starts_any, words,
};
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// Phrases of the agent: findings, finished steps, offers.
static AGENT: LazyLock<Phrases<3>> = LazyLock::new(|| {
    Phrases::new(weighed(finding(), 0).chain(listed(DONE_STATES, 1)).chain(listed(DONE, 1)).chain(listed(OFFERED, 2)))
});
/// Phrases of intentions of the agent.
static PLANS: LazyLock<Phrases<1>> = LazyLock::new(|| Phrases::new(listed(INTENDS, 0)));

/// Phrases that say that something is wrong.
static TROUBLED: LazyLock<Phrases<1>> = LazyLock::new(|| Phrases::new(listed(TROUBLE, 0)));

pub(super) fn weighed(cues: impl Iterator<Item = &'static Cues>, list: usize) -> impl Iterator<Item = Cue> {
    cues.flat_map(move |(strength, phrases)| phrases.iter().map(move |phrase| (*phrase, list, *strength)))
}

pub(in crate::summary::extractive) fn listed(
    phrases: &'static [&'static str],
    list: usize,
) -> impl Iterator<Item = Cue> {
    phrases.iter().map(move |phrase| (*phrase, list, 1))
}

/// Minimum number of words of a finding.
const FINDING_WORDS: usize = 5;

/// Strength from which a sentence that narrates still counts as a finding.
const STRONG: i64 = 5;
/// Maximum number of words of the name and of the value in a field (“Branch: `tides`”).
const NAME: usize = 3;
const VALUE: usize = 4;

/// Joints between a finding and the plan that follows from it.
const JOINTS: [&str; 6] = ["; ", ", so ", ", and ", " and ", ", then ", " — "];
static JOINED: LazyLock<[Finder<'static>; 6]> = LazyLock::new(|| JOINTS.map(Finder::new));

/// Beginnings of a sentence that is misleading without the exception right before it.
const EXCEPTS: [&str; 4] = ["everything else", "all else", "all the rest", "the rest is"];

/// Minimum number of longer words in a sentence that names nothing exact.
const TELLING_WORDS: usize = 3;

/// The kind of a sentence of the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::summary::extractive) enum Kind {
    /// It reports a finished step.
    Done,
    /// It states a finding, of this strength.
    Finding(i64),
    /// It says something else.
    Other,
    /// It announces, asks, or is filler.
    Empty,
}

/// Classifies a sentence of the agent.
pub(in crate::summary::extractive) fn kind(sentence: &str) -> Kind {
    let lower = lower(sentence);
    let text = without_filler(&lower);
    let asks = is_question(text) || text.ends_with([':', '：']);
    let [told, done, offers] = AGENT.strengths(text);
    if asks
        || lacks_subject(sentence)
        || is_bare_code(text)
        || is_listed(text)
        || lists_folder(text)
        || offers > 0
        || is_announced(&lower)
        || only_found(text)
        || only_knows(text)
        || is_doing(text)
        || apologizes(&lower)
        || wavers(text)
        || consists_of(text, IN_GENERAL)
        || begins_any(text, &EXCEPTS)
        || begins(text, "if") && text.contains('→')
    {
        return Kind::Empty;
    }
    let aim = below_aim(sentence).map(|(_, said)| (kind(said), has_least(said, FINDING_WORDS)));
    if is_risk(sentence) || aim.is_some_and(|(said, _)| said == Kind::Done) {
        return Kind::Other;
    }
    if aim == Some((Kind::Empty, true)) && !is_open_item(&lower) {
        return Kind::Empty;
    }
    // Not a finished step: “I'm checking whether it has been changed.”
    let changed = || said_of_file(text, true).is_some_and(begins_done);
    // “If it fires first, the server is closed.” is none either.
    let supposes = begins(text, "if") && text.contains(',');
    if aim.is_none() && !supposes && (done > 0 && !narrates(text) || begins_done(text) || changed()) {
        return if only_done(text) { Kind::Empty } else { Kind::Done };
    }
    if proposes(text) || plans_a_file(text) || is_open(&lower) {
        return Kind::Empty;
    }
    let facts = facts(sentence);
    if told == 0 && facts == 0 && telling_words(text) < TELLING_WORDS {
        return Kind::Empty;
    }
    let empty = narrates(text) || is_field(sentence) || facts == 0 && dangles(&lower);
    let weak = told < STRONG && empty || is_rest(sentence);
    let telling = !weak && told > 0 && told + facts >= FINDING_LEAST && has_least(text, FINDING_WORDS);
    if telling { Kind::Finding(told + facts) } else { Kind::Other }
}

/// Strength of a finding whose cause the sentence before it announces.
pub(super) fn announced_strength(sentence: &str) -> i64 {
    STRONG + facts(sentence)
}

/// Whether a sentence only announces what comes next: “Let me look at it.”
pub(in crate::summary::extractive) fn announces(sentence: &str) -> bool {
    is_announced(&lower(sentence))
}

static OPENINGS: LazyLock<Openings> = LazyLock::new(|| Openings::new(&[ANNOUNCED, SOFTENED, WILL_DO]));

fn is_announced(lower: &str) -> bool {
    let lower = without_note(lower);
    let text = without_filler(lower);
    let sympathizes = || begins_any(text, SYMPATHIZES) && !text.contains(['/', '_', '`']) && !has_digit(text);
    OPENINGS.begin(text) || OPENINGS.begin(lower) || leads_up(text) || sympathizes() || only_greets(text)
}

/// Whether an intention follows a clause with its reason: “Given the time, let me run the tests.”
fn leads_up(text: &str) -> bool {
    let plans = |clause: &str| is_next(clause) || begins_any(clause, INTENDS);
    begins_any(text, LEADS_UP) && text.split_once(", ").is_some_and(|(_, rest)| plans(rest))
}

/// Whether a sentence that is no finding for its few words states something by itself: “The flight is booked.”
pub(in crate::summary::extractive) fn is_terse(sentence: &str) -> bool {
    let lower = lower(sentence);
    let text = without_filler(&lower);
    let plans = proposes(text) || plans_a_file(text) || is_open(&lower) || plans(&lower) || is_listed(text);
    let says_nothing = lacks_subject(sentence) || wavers(text) || only_done(text) || consists_of(text, IN_GENERAL);
    !(plans || says_nothing || apologizes(&lower))
}

/// Whether it says that something is done, but not what: “The task is now complete.”
fn only_done(text: &str) -> bool {
    consists_of(text, DONE_ALONE)
}

fn consists_of(text: &str, of: &[&str]) -> bool {
    each_word(text).all(|word| of.contains(&word))
}

/// Whether a sentence only offers or asks for something: “I can assist you with that.”
pub(in crate::summary::extractive) fn offers(sentence: &str) -> bool {
    AGENT.strengths(without_filler(&lower(sentence)))[2] > 0
}

/// Whether it proposes an action: “Add an opt-out for the daemon.” Verbs that may be nouns need an object after them.
pub(in crate::summary::extractive) fn proposes(text: &str) -> bool {
    let bare = ["also ", "just ", "simply ", "only "].iter().find_map(|start| text.strip_prefix(start)).unwrap_or(text);
    let mut words = bare.split(' ').filter(|word| !word.is_empty());
    let (Some(first), Some(second)) = (words.next(), words.next()) else { return false };
    let takes_object = second.starts_with('`') || OBJECTS.contains(&second);
    PROPOSES.contains(&first) || PROPOSES_WITH_OBJECT.contains(&first) && takes_object
}

/// Whether it describes work in progress: “The worker is still rebuilding it.”, “It hasn't patched those yet.”,
/// “They pass so far; waiting for the rest.”, “A run is in progress.”
pub(in crate::summary::extractive) fn is_underway(sentence: &str) -> bool {
    let lower = lower(sentence);
    let mut words = lower.split(|char: char| !(char.is_alphanumeric() || char == '\''));
    let mut goes_on = words.clone().skip_while(|word| !["still", "now", "currently"].contains(word)).skip(1);
    let negated = words.any(|word| word.ends_with("n't") || word == "not");
    let yet = negated && lower.trim_end_matches(['.', '!']).ends_with(" yet");
    yet || awaits(&lower)
        || lower.contains(" so far")
        || lower.contains(" in progress")
        || goes_on.next().is_some_and(|word| word.ends_with("ing") || lower.contains("still") && NEEDS.contains(&word))
}

/// Whether the agent thinks aloud: “Actually, I think …”, “The issue might not be in it.”
pub(in crate::summary::extractive) fn doubts(lower: &str) -> bool {
    let text = without_filler(lower);
    let begun = |clause: &str| {
        let clause = clause.trim_start();
        let bare = HESITATES.iter().find_map(|start| clause.strip_prefix(start)).unwrap_or(clause);
        begins_any(bare, DOUBTS)
    };
    let mut words = text.split(' ').skip_while(|word| !TROUBLES.contains(word)).skip(1);
    let may = words.next().is_some_and(|word| POSSIBLY.contains(&word));
    // “I'm not sure why, but the cause is `fill()`” is sure about the cause.
    let clauses: Vec<&str> = text.split([',', ';', '—']).collect();
    let sure = |clause: &&str| clause.contains('`') && !clause.split(' ').any(|word| POSSIBLY.contains(&word));
    let doubted = clauses.iter().rposition(|clause| begun(clause));
    let thinks_aloud = doubted.is_some_and(|at| !clauses[at + 1..].iter().any(sure));
    thinks_aloud || may && (words.next() == Some("not") || !text.contains('`'))
}

/// Whether it says that something fails, is missing or wrong: “`load` never closes it.”
pub(in crate::summary::extractive) fn tells_trouble(sentence: &str) -> bool {
    TROUBLED.strengths(&lower(sentence)) != [0]
}

/// Whether it describes what the agent is doing or about to do: “I'm reading the parser.”
pub(in crate::summary::extractive) fn narrates(text: &str) -> bool {
    let rest = NARRATES.iter().find_map(|start| behind(text, start));
    rest.is_some_and(|rest| rest.split(' ').take(2).any(|word| word.ends_with("ing")))
}

/// Whether it continues another sentence: “with a scan of bytes.”
fn is_rest(sentence: &str) -> bool {
    let first = sentence.split(|char: char| !char.is_ascii_alphabetic()).next().unwrap_or_default();
    RESTS.contains(&first)
}

/// Whether it has no subject and begins with a lower-case verb: “is never cleared.”, “…is old.”
pub(super) fn lacks_subject(sentence: &str) -> bool {
    sentence.trim_start_matches(['.', '…']).split(' ').next().is_some_and(|first| SUBJECTLESS.contains(&first))
}

/// Whether it retracts itself in the middle: “It also has a margin... wait, it has none.”
fn wavers(text: &str) -> bool {
    contains_any(text, &[" wait,", " wait —", " wait -", " hmm", "... no,", "… no,"])
}

/// Whether it is inline code with at most one word beside it.
fn is_bare_code(text: &str) -> bool {
    text.contains('`') && text.split('`').step_by(2).map(words).sum::<usize>() < 2
}

/// Number of words of at least four letters; in scripts without spaces every word counts.
fn telling_words(text: &str) -> usize {
    let long = text.split(|char: char| !char.is_alphanumeric()).filter(|word| word.chars().count() >= 4);
    long.count() + text.chars().filter(|&char| is_dense(char)).count() / 2
}

/// Whether it is a line of a plan with a file and the change to it: “`lamp.rs` - Add a wick”.
fn plans_a_file(text: &str) -> bool {
    said_of_file(text, false).is_some_and(proposes)
}

/// Whether it describes a file that it begins with: “`lamp.rs` — reads the wick”.
pub(in crate::summary::extractive) fn describes_file(text: &str) -> bool {
    said_of_file(text, true).is_some()
}

/// What a line says of the file that is its first word, behind a dash or, if `labels`, a colon: “`lamp.rs` — added a
/// wick”.
pub(super) fn said_of_file(text: &str, labels: bool) -> Option<&str> {
    let (first, rest) = text.split_once(' ')?;
    let dashed = || ["- ", "— ", "– "].iter().find_map(|dash| rest.strip_prefix(dash));
    let (file, rest) = match first.strip_suffix(':').filter(|_| labels) {
        Some(file) => (file, rest),
        None => (first, dashed()?),
    };
    let name = file.trim_matches('`');
    let ending = name.rsplit('.').next().unwrap_or_default();
    let is_file = !name.contains('(') && file_name(name).is_some() && ending.starts_with(char::is_alphabetic);
    is_file.then_some(rest.trim_start())
}

/// Whether it is one of several possibilities: “Or we could rename it.”, “The lamp has no oil, OR”
fn is_open(lower: &str) -> bool {
    let last = lower.trim_end_matches(['.', '…', ' ']).rsplit([' ', ',']).next();
    last.is_some_and(|word| ["or", "oder", "ou", "или"].contains(&word)) || begins_any(lower, OTHERWISE)
}

/// Whether a sentence is a question, by its mark or by a final particle in scripts that need no mark.
pub(in crate::summary::extractive) fn is_question(lower: &str) -> bool {
    let bare = lower.trim_end_matches(['。', '।', '.', '"', '」', '”', ' ']);
    bare.ends_with(QUESTION_MARKS) || bare.ends_with(QUESTION_ENDS) || ends_any(bare, QUESTION_LAST)
}

/// Whether a sentence that is no finding is useless later: an announcement, a plan, or one that depends on the
/// sentence before it.
pub(in crate::summary::extractive) fn is_passing(sentence: &str) -> bool {
    let lower = lower(sentence);
    dangles(&lower) || lower.ends_with([':', '：']) || plans(&lower)
}

/// Whether any clause of a sentence is an intention or narration of the agent.
pub(in crate::summary::extractive) fn is_plan(sentence: &str) -> bool {
    plans(&lower(sentence))
}

fn plans(lower: &str) -> bool {
    PLANS.strengths(lower) != [0]
        || lower.split([',', ';', '—', '–']).any(|clause| is_next(clause) || narrates(without_filler(clause.trim())))
}

/// Whether its first word ties it to the sentence before.
fn dangles(lower: &str) -> bool {
    DANGLING.iter().chain(LEANING).any(|start| begins(lower, start))
}

/// Whether it begins with a word that refers to the sentence before (“This is why it fails.”), or with a verb without
/// a subject.
pub(in crate::summary::extractive) fn leans(sentence: &str) -> bool {
    let lower = lower(sentence);
    begins_any(&lower, LEANING) && !begins_any(&lower, STANDS_FOR_NOTHING) || begins_with_verb(sentence)
}

/// Whether it says what something does, but not what does it: “Returns the oldest lamp.”
pub(super) fn begins_with_verb(sentence: &str) -> bool {
    let mut words = sentence.split(' ');
    let first = words.next().unwrap_or_default().to_ascii_lowercase();
    TELLS_OF_IT.contains(&&*first) && words.next().is_some_and(|next| !OF_NOUNS.contains(&next))
}

/// The part of a sentence before a plan: “The lock is stale, so I'll remove it.” `None` if there is no plan or the
/// part is too short.
pub(in crate::summary::extractive) fn without_plan(sentence: &str) -> Option<&str> {
    let joints = JOINED.iter().flat_map(|joint| {
        let behind = joint.needle().len();
        joint.find_iter(sentence.as_bytes()).map(move |at| (at, at + behind))
    });
    let begins_plan = |clause: &str| {
        let clause = lower(clause);
        let text = without_filler(&clause);
        text.starts_with("will ") || narrates(text) || is_next(&clause) || begins_any(text, INTENDS)
    };
    let ends = joints.filter(|(_, behind)| begins_plan(&sentence[*behind..])).map(|(at, _)| at);
    ends.min().map(|end| &sentence[..end]).filter(|before| has_least(before, FINDING_WORDS))
}

/// Whether it only assigns a short value to a name: “Branch: `tides`”.
pub(in crate::summary::extractive) fn is_field(sentence: &str) -> bool {
    let short = |text: &str, most: usize| has_least(text, 1) && has_most(text, most);
    let parts = sentence.split_once(": ").or_else(|| sentence.split_once('：'));
    parts.is_some_and(|(name, value)| !name.contains('`') && short(name, NAME) && short(value, VALUE))
}

/// A sentence without an opening filler word.
pub(in crate::summary::extractive) fn without_filler(lower: &str) -> &str {
    FILLERS.iter().find_map(|filler| behind(lower, filler)).map_or(lower, str::trim_start)
}

pub(in crate::summary::extractive) fn lower(sentence: &str) -> String {
    let lower = sentence.to_lowercase();
    if lower.is_ascii() { lower } else { lower.replace('’', "'") }
}

#[inline]
pub(in crate::summary::extractive) fn begins(text: &str, start: &str) -> bool {
    let is_closed = || start.ends_with([',', ':', ' ']) || !start.is_ascii();
    behind(text, start).is_some_and(|rest| is_closed() || !rest.starts_with(char::is_alphanumeric))
}

/// Whether a text begins with one of these as [`begins`] means it.
#[inline]
pub(in crate::summary::extractive) fn begins_any(text: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| begins(text, start))
}

/// Whether a sentence begins with a verb of a finished step.
pub(super) fn begins_done(lower: &str) -> bool {
    let mut text = without_label(lower);
    for start in ["i've ", "i have ", "we've ", "we have ", "i ", "we "] {
        text = text.strip_prefix(start).unwrap_or(text);
    }
    for adverb in ["successfully ", "also ", "now ", "just ", "already "] {
        text = text.strip_prefix(adverb).unwrap_or(text);
    }
    let first = text.split(|char: char| !char.is_alphabetic()).next().unwrap_or_default();
    DONE_VERBS.binary_search(&first).is_ok() && !starts_any(text, &OF_THINGS)
}

/// Number of exact things in a sentence, at most three: code, paths, numbers, names with an inner capital.
pub(in crate::summary::extractive) fn facts(sentence: &str) -> i64 {
    let names = sentence.split_whitespace().filter(|word| {
        let exact = word.starts_with('`') || word.contains(['_', '/']) || has_digit(word);
        let inner = has_inner_capital(word);
        exact || inner
    });
    names.take(3).fold(0, |count, _| count + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_a_file_that_the_line_begins_with_is_done() {
        for done in [
            "`CHANGES.md` — added `ErrQuery` to the list of v0.5.0.",
            "`lamp.go`: Added `Wick` and its test.",
            "`lamp.go` — added a case: no oil",
        ] {
            assert_eq!(kind(done), Kind::Done, "{done}");
        }
        assert_ne!(kind("`lamp.go`: The wick `Wick` is never cut, which floods it."), Kind::Done);
    }

    #[test]
    fn what_a_thing_is_built_on_is_no_finished_step() {
        assert!(
            ["Built on the old pier.", "Created by the keeper of the quay."].iter().all(|it| kind(it) != Kind::Done)
        );
        assert_eq!(kind("Built the pier on old oak."), Kind::Done);
    }

    #[test]
    fn a_doubt_hides_no_certain_cause_behind_it() {
        assert!(doubts("maybe the issue is elsewhere"));
        assert!(doubts("i'm not sure, the cause may be `fill()`"));
        assert!(!doubts("i'm not sure why, but the cause is `fill()` of the lamp"));
    }

    #[test]
    fn what_says_no_more_than_that_it_is_done_or_what_the_user_said_is_empty() {
        for empty in [
            "The task is complete.",
            "All the changes have been made.",
            "The user said that tides are high.",
            "I can see the issue now.",
            "Now I have everything I need.",
            "I've identified the root cause of the problem.",
            "Ottima domanda, ed è la cosa più semplice della lampada.",
            "Se vuoi, posso accendere anche la lampada del molo.",
            "かしこまりました。",
            "さようでございますか。",
            "この度のご利用、誠にありがとうございます。",
        ] {
            assert_eq!(kind(empty), Kind::Empty, "{empty}");
        }
        assert_eq!(kind("The tide table is complete."), Kind::Done);
        assert!(offers("I can assist you with your ferry.") && !offers("The ferry leaves at nine."));
    }

    #[test]
    fn the_verbs_can_be_searched() {
        let mut sorted = DONE_VERBS.to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, DONE_VERBS);
    }

    #[test]
    fn finished_steps_findings_and_announcements_are_told_apart() {
        assert_eq!(kind("I've added a test for `parse`."), Kind::Done);
        assert_eq!(kind("[Phase 1] Added a test for `parse`."), Kind::Done);
        assert_ne!(kind("[a list of all the lamps] Added a test for `parse`."), Kind::Done);
        assert_eq!(kind("Perfect! All tests pass."), Kind::Done);
        assert_eq!(kind("Ran `git diff --check` on `index.md`."), Kind::Done);
        assert_eq!(kind("已修复登录页面的错误。"), Kind::Done);
        assert!(matches!(kind("The problem is that `load` never closes the file."), Kind::Finding(_)));
        let supposed =
            "If the lamp goes out in `light()`, `Wait` closes the pier, though all ferries landed successfully.";
        assert_ne!(kind(supposed), Kind::Done);
        assert_eq!(kind("Let me look at the failing test."), Kind::Empty);
        assert_eq!(kind("Due to the many errors in `parse`, let me run the tests first."), Kind::Empty);
        assert_ne!(kind("Given the many errors in `parse`, the tests never end."), Kind::Empty);
        assert_eq!(kind("Should I go on?"), Kind::Empty);
        assert_eq!(kind("The problem is the `margin` of the pier... wait, it has none."), Kind::Empty);
        assert_eq!(kind("I'm checking whether there has been any new output of `parse`."), Kind::Other);
        assert_eq!(kind("`cargo test --all parse`"), Kind::Empty);
        assert_eq!(kind("This is a small project."), Kind::Other);
        assert_eq!(kind("is never cleared since `load` leaves the_lock open."), Kind::Empty);
        assert_eq!(kind("Add an opt-out for `daemon` since it never ends."), Kind::Empty);
        assert_eq!(kind("Delete or neuter `publish.yml` so it cannot become a second path."), Kind::Empty);
        for open in [
            "`src/lamp.rs` - Add a `wick` field to it",
            "board.go:17 — Remove `light(lamp)`",
            "The `lamp` has no oil and no wick_file, OR",
            "Or we could rename the `lamp`, but that's more work.",
            "Alternatively, keep `load` since it reads the_lock.",
            "Just add the missing wick of the lamp.",
            "FR12: The lamp falls back to oil if `gas_lit` fails",
            "As a keeper, I want to see `gas_lit` on the board",
        ] {
            assert_eq!(kind(open), Kind::Empty, "{open}");
        }
        for told in [
            "`lamp.rs` - Adds a `wick` field to it",
            "`load()` - Create and read the_lock",
            "`lamp.rs`: Create returns 200 for a lamp without `oil`",
            "Or-ed flags fail in `load`",
        ] {
            assert_ne!(kind(told), Kind::Empty, "{told}");
        }
        assert_ne!(kind("Change of plan: the daemon never ends because `stop` waits for it."), Kind::Empty);
        assert_eq!(kind("I'm now reading `parse`, because it calls `load`."), Kind::Other);
        assert_eq!(kind("That is why it fails on Mondays."), Kind::Other);
        assert!(matches!(kind("That is why `load` fails on Mondays."), Kind::Finding(_)));
        assert!(matches!(kind("It turns out that the cache is never cleared."), Kind::Finding(_)));
        assert_eq!(kind("Bead: `tide-7`, still failing there"), Kind::Other);
        assert!(matches!(kind("Root cause: `load` leaves the_lock"), Kind::Finding(_)));
        assert_eq!(kind("which means that `load` never closes the file_handle."), Kind::Other);
    }

    #[test]
    fn a_plan_is_taken_off_what_it_follows_from() {
        for (said, told) in [
            ("The lock of `tide.rs` is stale, so I’ll remove it.", "The lock of `tide.rs` is stale"),
            ("I found an open fence in it and will close it.", "I found an open fence in it"),
            ("The first pass shows one name; now I'm reading the rest.", "The first pass shows one name"),
        ] {
            assert_eq!(without_plan(said), Some(told));
        }
        for whole in
            ["Yes — I'll add it.", "The parser reads it, and the board shows it.", "I'll read it; it is short."]
        {
            assert_eq!(without_plan(whole), None, "{whole}");
        }
    }

    #[test]
    fn a_short_value_with_its_name_is_a_field() {
        for field in ["Status: done", "Base/head: PR #7 head, `origin/tide`"] {
            assert!(is_field(field), "{field}");
        }
        for other in ["No colon here", "The lock of the harbour: gone", "Note: the cache is never cleared there"] {
            assert!(!is_field(other), "{other}");
        }
    }

    #[test]
    fn findings_are_known_in_many_languages() {
        let findings = [
            "Нашёл причину: на 8 ядрах запущено всего 2 воркера.",
            "Ошибка 11 означает, что очередь сокета переполнена.",
            "Виявилося, що кеш ніколи не очищується.",
            "원인은 캐시가 절대 비워지지 않기 때문입니다.",
            "O problema é que o cache nunca é limpo.",
            "Okazało się, że pamięć nie jest czyszczona.",
            "Hóa ra bộ nhớ đệm không bao giờ được xóa.",
        ];
        for finding in findings {
            assert!(matches!(kind(finding), Kind::Finding(_)), "{finding}: {:?}", kind(finding));
        }
        assert_eq!(kind("ICカードの規格は FeliCa でしょうか。"), Kind::Empty);
        assert_eq!(kind("这个字段需要改吗。"), Kind::Empty);
    }

    #[test]
    fn plans_and_what_hangs_in_the_air_tell_nothing_later() {
        let passing = [
            "The parser is small, so I'll read it first.",
            "Then, I'm going to read the `parser`.",
            "Now revert the table to the old one.",
            "Before I go on, I need to check the gate.",
            "They call it `publish.yml`, not `release.yml`.",
            "好的，接下来写一个并发测试。",
            "The fields of the board:",
            "I’m checking the exact error now.",
        ];
        for sentence in passing {
            assert!(is_passing(sentence), "{sentence}");
        }
        assert!(!is_passing("The board reads its times from `ferries.json`."));
        let underway = [
            "The worker is still rebuilding the program package.",
            "It found both causes and hasn't patched those yet.",
            "The formatter still wants one change.",
            "The lamps burn so far; waiting for the rest to be lit.",
            "A new run of the lamps is in progress: `27`.",
            "The first lamp burns; waiting on the keeper of the second.",
            "Two of four reports are in.",
        ];
        for sentence in underway {
            assert!(is_underway(sentence), "{sentence}");
        }
        assert!(!is_underway("The cache is now empty.") && !is_underway("The error still comes from `load`."));
        assert!(!is_underway("Two workers hang waiting for the lock of each other."));
        assert!(!is_underway("Two of four lamps have no oil."));
    }
}
