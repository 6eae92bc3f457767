//! Announcements that are decisions: they say what the agent is going to change, and why. “I'll use offsets instead of
//! times, since the hook fires later.” What only announces a look, or a change without a reason, is none.

use super::cues::{lower, without_filler};
use super::sieve::Sieve;
use crate::summary::text::{capitalized, has_least, words};
use std::sync::LazyLock;

/// Beginnings of an announcement, and of one whose verb ends in “-ing”.
const OPENS: [&str; 20] = [
    "i'll ",
    "i will ",
    "i'm going to ",
    "i am going to ",
    "i need to ",
    "i have to ",
    "i should ",
    "i want to ",
    "let me ",
    "let's ",
    "we'll ",
    "we will ",
    "we're going to ",
    "we need to ",
    "we have to ",
    "we should ",
    "i'm ",
    "i am ",
    "we're ",
    "we are ",
];
/// Words before it, and between it and its verb.
const LEADS: [&str; 9] =
    ["first, ", "instead, ", "instead ", "next, ", "now ", "so ", "then ", "therefore, ", "therefore "];
const ADVERBS: [&str; 10] = ["also", "first", "instead", "just", "not", "now", "rather", "simply", "then", "therefore"];
/// Verbs of a change to the work.
const CHANGES: [&str; 56] = [
    "add",
    "address",
    "adopt",
    "avoid",
    "base",
    "build",
    "bump",
    "change",
    "convert",
    "create",
    "cut",
    "defer",
    "disable",
    "drop",
    "enable",
    "exclude",
    "extract",
    "fix",
    "go",
    "handle",
    "implement",
    "inline",
    "introduce",
    "keep",
    "leave",
    "limit",
    "make",
    "mark",
    "merge",
    "migrate",
    "move",
    "narrow",
    "pin",
    "put",
    "reduce",
    "refactor",
    "relax",
    "remove",
    "rename",
    "replace",
    "restrict",
    "return",
    "reuse",
    "revert",
    "rewrite",
    "set",
    "skip",
    "split",
    "stick",
    "store",
    "switch",
    "treat",
    "turn",
    "update",
    "use",
    "wrap",
];
/// Objects of such a verb that are tools of the agent, or its own ways: “I'll use grep instead.”
const TOOLS: [&str; 42] = [
    "agent",
    "agents",
    "approach",
    "background",
    "bash",
    "cat",
    "command",
    "commands",
    "curl",
    "edit",
    "find",
    "glob",
    "grep",
    "heredoc",
    "node",
    "perl",
    "plan",
    "powershell",
    "python",
    "python3",
    "query",
    "read",
    "ripgrep",
    "script",
    "sed",
    "session",
    "shell",
    "skill",
    "skills",
    "subagent",
    "subagents",
    "task",
    "todowrite",
    "tool",
    "tools",
    "wait",
    "way",
    "work",
    "worker",
    "workers",
    "workflow",
    "write",
];
/// First words of an object that stands for something said before: “so I'm fixing that first”.
const POINTING: [&str; 7] = ["both", "it", "that", "them", "these", "this", "those"];
/// Number of words behind the verb among which a tool is looked for.
const NEAR: usize = 5;
/// Words that give a reason, or name what is not done.
const REASONS: [&str; 6] = [" because ", " since ", " so that ", " instead of ", " rather than ", " as opposed to "];
/// Words behind “since” that tell a time.
const TIMES: [&str; 8] = ["a", "last", "monday", "sunday", "the", "then", "v", "yesterday"];
/// What joins a reason and the change that follows from it.
const THEREFORE: [&str; 2] = [", so ", " — so "];
/// Those, and a colon.
static JOINTS: LazyLock<Sieve> = LazyLock::new(|| Sieve::new(REASONS.iter().chain(&THEREFORE).chain(&[": "])));
/// Finite verbs, by which what stands behind a colon is a clause.
const FINITE: [&str; 34] = [
    "are", "aren't", "can", "can't", "cannot", "come", "comes", "did", "didn't", "do", "does", "doesn't", "don't",
    "fails", "had", "has", "have", "is", "isn't", "keeps", "lacks", "means", "must", "needs", "never", "reads",
    "returns", "says", "uses", "was", "wasn't", "were", "will", "would",
];
/// Minimum number of words of such a clause, and of a decision.
const CLAUSE: usize = 5;
const LEAST: usize = 7;

/// Whether a sentence decides on a change and gives the reason.
pub(super) fn is_decision(sentence: &str) -> bool {
    // Most sentences have no joint.
    if !JOINTS.is_in(sentence) || !has_least(sentence, LEAST) || sentence.ends_with(['?', '？', '؟', ':', '：']) {
        return false;
    }
    let lower = lower(sentence);
    let text = without_filler(&lower);
    if let Some(behind) = changed(text) {
        return reasons(behind) || clause(sentence).is_some();
    }
    let follows =
        |joint: &&str| text.split_once(*joint).is_some_and(|(before, rest)| has_least(before, 4) && changes(rest));
    THEREFORE.iter().any(follows)
}

/// The finding that a decision gives as its reason behind a colon, as a sentence.
pub(super) fn found_behind(sentence: &str) -> Option<String> {
    // What is changed is told with the reason, if it is named.
    let is_named = |clause: &&str| sentence[..sentence.len() - clause.len()].contains('`');
    let clause = clause(sentence).filter(|clause| is_decision(sentence) && !is_named(clause))?;
    Some(capitalized(clause))
}

fn changes(text: &str) -> bool {
    changed(text).is_some()
}

/// What stands behind the verb of an announced change.
fn changed(lower: &str) -> Option<&str> {
    let text = LEADS.iter().fold(lower, |text, lead| text.strip_prefix(lead).unwrap_or(text));
    let mut rest = OPENS.iter().find_map(|opener| text.strip_prefix(opener))?;
    while let Some((_, behind)) = rest.split_once(' ').filter(|(word, _)| ADVERBS.contains(word)) {
        rest = behind;
    }
    let (verb, behind) = rest.split_once(' ')?;
    let bare = |word: &str| word.trim_matches(|char: char| !char.is_alphanumeric()).to_owned();
    let mut near = behind.split(' ').take(NEAR).map(bare).peekable();
    // “I'll keep waiting rather than …” changes nothing.
    let is_named = near.peek().is_some_and(|first| !POINTING.contains(&&**first) && !first.ends_with("ing"));
    // What it is doing at the moment is a decision if it names something.
    let is_exact =
        CHANGES.contains(&verb) || behind.contains(|char: char| "`_/".contains(char) || char.is_ascii_digit());
    (is_named && is_exact && is_change(verb) && !near.any(|word| TOOLS.contains(&&*word))).then_some(behind)
}

/// Whether a verb, or its form in “-ing”, is one of a change.
fn is_change(verb: &str) -> bool {
    let is_one = |verb: &str| CHANGES.contains(&verb);
    let stem = verb.strip_suffix("ing").filter(|stem| stem.len() > 1);
    let doubled = |stem: &str| stem.as_bytes()[stem.len() - 1] == stem.as_bytes()[stem.len() - 2];
    let is_stem =
        |stem: &str| is_one(stem) || is_one(&format!("{stem}e")) || doubled(stem) && is_one(&stem[..stem.len() - 1]);
    is_one(verb) || stem.is_some_and(|stem| stem.is_ascii() && is_stem(stem))
}

fn reasons(behind: &str) -> bool {
    let gives = |reason: &&str| {
        behind.split_once(*reason).is_some_and(|(_, why)| {
            let first = why.split([' ', '.', ',']).next().unwrap_or_default();
            words(why) >= 2 && !(*reason == " since " && TIMES.contains(&first) && words(why) < CLAUSE)
        })
    };
    REASONS.iter().any(gives)
}

/// The clause behind the colon of a sentence, if it has a finite verb.
fn clause(sentence: &str) -> Option<&str> {
    let (_, clause) = sentence.split_once(": ")?;
    let all: Vec<&str> = clause.split(' ').collect();
    let bare = |word: &str| word.trim_matches(|char: char| !char.is_alphanumeric()).to_lowercase();
    // “a `List` clips long lines”
    let tells = |two: &[&str]| two[0].ends_with('`') && two[1].ends_with('s') && two[1].len() > 3;
    let is_finite = all.iter().skip(1).any(|word| FINITE.contains(&&*bare(word))) || all.windows(2).any(tells);
    let is_order = is_change(&bare(all[0]));
    (all.len() >= CLAUSE && is_finite && !is_order).then_some(clause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_with_its_reason_is_a_decision() {
        for decided in [
            "I need to switch to a `Ferry` with `Deck`, because a `Boat` sinks at night.",
            "I'll use offsets instead of times, because the horn sounds after the ferry has left.",
            "Let me switch from oil to gas since the keeper of the pier has gas.",
            "We should switch to a `Ferry`, because a `Boat` sinks in long waves.",
            "A `Boat` sinks in long waves, so I'm switching to a `Ferry`.",
            "I'm using a `Ferry` here, not a `Boat`: a `Boat` sinks in long waves.",
            "I'm going to fix the lamp first: the board says red, but the lamp of the pier burns green.",
        ] {
            assert!(is_decision(decided), "{decided}");
        }
    }

    #[test]
    fn a_look_a_tool_or_a_change_without_a_reason_is_none() {
        for other in [
            "Let me check the lamp, because it was out at night.",
            "I'll read the board of the pier first, since it names the lamps.",
            "I'll use grep instead of find, because the folder is large.",
            "Let me use the Edit tool instead of sed since the quotes are hard.",
            "Now I'll make all the changes. Let me start with `lamp.rs`.",
            "I'll keep waiting for the keeper rather than interrupting him at night.",
            "I'll use the pier workflow here, since you asked for many keepers.",
            "I'll fix three things: the lamp, the pier and the quay.",
            "I'll add the lamps of the pier: add red, then green.",
            "I'll keep the lamp that burns since yesterday.",
            "The lamp of the pier does not burn, so I'm fixing that first.",
            "I'm using the old lamp because the new one is missing.",
            "Should I switch to a `Ferry`, because a `Boat` sinks?",
            "The lamp is out because it has no oil.",
        ] {
            assert!(!is_decision(other), "{other}");
        }
    }

    #[test]
    fn the_reason_behind_a_colon_is_a_finding() {
        let found = |sentence: &str| found_behind(sentence);
        let told = "The board says red, but the lamp of the pier burns green.";
        assert_eq!(
            found(&format!("I'm going to fix the lamp first: {}", told.replacen('T', "t", 1))).as_deref(),
            Some(told)
        );
        assert_eq!(found("I'm using a `Ferry` here: a `Boat` sinks in long waves."), None);
        assert_eq!(found("I'll use offsets instead of times, because the horn sounds late."), None);
    }
}
