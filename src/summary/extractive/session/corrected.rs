//! Statements that a later one or an act corrects: what became of a job (“Job 47110815 failed.”, then “Job 47110815 is
//! actually still running.”), tests that still failed before all of them passed, and parts that were missing before they
//! were written.

use super::missing::{is_file, named, says_missing};
use super::turns::Turn;
use crate::summary::extractive::calls::act::FileOp;
use crate::summary::extractive::calls::acts::Act;
use crate::summary::extractive::files::paths::file_name;
use crate::summary::extractive::sentences::cues::{Kind, is_question, lower};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::words::{CONDITIONS, FAILS, JOB_STATES, LASTS_SO_FAR, NEGATIONS, RUNS, TESTS, TICKETS};
use crate::summary::text::{all_digits, each_word, first_bytes, has_digit, has_inner_capital, is_dense};
use foldhash::HashMap;

/// Minimum number of digits of a number that names something without a word before it.
const DIGITS: usize = 6;
/// Words behind a job in which its state is told, and behind tests in which their failure is.
const NEAR: usize = 5;
const FAR: usize = 6;
/// What numbers a job, besides checks and tickets.
const JOBS: [&str; 12] =
    ["build", "job", "pipeline", "run", "task", "auftrag", "lauf", "tâche", "tarea", "задача", "任务", "作业"];
/// States that are also said of other things, and the verbs before them.
const LOOSE: [&str; 9] = ["open", "done", "complete", "closed", "pending", "blocked", "stuck", "waiting", "fertig"];
const LINKS: [&str; 13] =
    ["is", "was", "are", "been", "still", "now", "actually", "already", "finally", "got", "ist", "est", "está"];
/// Words that deny a state in other languages than English.
const DENIALS: [&str; 8] = ["nicht", "kein", "keine", "pas", "jamais", "nunca", "не", "ещё"];
/// Words of a sentence that asks for a test, or for one that fails.
const WANTED: [&str; 8] = ["add", "need", "needs", "should", "must", "write", "wants", "want"];
/// Endings and marks of files that hold no part of a program.
const NO_PARTS: [&str; 11] = ["md", "txt", "css", "scss", "less", "snap", "test", "spec", "stories", "json", "yaml"];
/// Bytes of a result that are searched for the states of known jobs.
const BEGINNING: usize = 4_000;

/// For each subject, the last statement or act about it.
#[derive(Default)]
pub(super) struct Corrections {
    /// By job or ticket: the message of the last statement of its state, and that state.
    states: HashMap<String, (usize, usize)>,
    /// The last message that says that all tests pass.
    green: Option<usize>,
    /// By name of a file without signs and ending: the message that wrote it last.
    made: HashMap<String, usize>,
}

impl Corrections {
    /// What all turns say and do.
    pub(super) fn of(turns: &[Turn<'_>]) -> Self {
        let mut all = Self::default();
        turns.iter().flat_map(|turn| &turn.said).for_each(|said| all.hear(said));
        for act in turns.iter().flat_map(|turn| &turn.acts) {
            all.act(act);
        }
        all
    }

    fn hear(&mut self, said: &Said) {
        if said.standing.passes && said.kind != Kind::Empty {
            self.green = Some(said.message).max(self.green);
        }
        for told in states(&said.sentence, None) {
            // Of a state that is told far from the name, only the name is sure.
            if told.is_near {
                self.tell(told.name, (said.message, told.state));
            } else {
                self.states.entry(told.name).or_insert((said.message, told.state));
            }
        }
    }

    fn act(&mut self, act: &Act<'_>) {
        for (op, path) in act.files().iter().filter(|_| act.outcome.worked()) {
            if matches!(op, FileOp::Created | FileOp::Written)
                && let Some(name) = file_name(path).filter(|name| holds_parts(name))
            {
                self.made.insert(bare(name), act.message);
            }
        }
        if self.states.is_empty() {
            return;
        }
        let known = |line: &&str| {
            let mut numbers = line.split(|char: char| !char.is_ascii_digit()).filter(|digits| digits.len() >= DIGITS);
            numbers.any(|number| self.states.contains_key(number))
        };
        let lines = first_bytes(act.result, BEGINNING).lines().filter(known);
        let told = lines.flat_map(|line| states(line, Some(&self.states)));
        let told: Vec<Told> = told.filter(|told| told.is_near && self.states.contains_key(&told.name)).collect();
        told.into_iter().for_each(|told| self.tell(told.name, (act.message, told.state)));
    }

    fn tell(&mut self, name: String, told: (usize, usize)) {
        let last = self.states.entry(name).or_insert(told);
        if last.0 <= told.0 {
            *last = told;
        }
    }

    /// Whether a later message or act corrects a statement.
    pub(super) fn replace(&self, said: &Said) -> bool {
        self.is_otherwise(said)
            || self.green > Some(said.message) && still_fails(&said.sentence)
            || self.has_made(said) && says_missing(&said.sentence)
    }

    /// Whether the jobs that a sentence tells of are in another state since.
    fn is_otherwise(&self, said: &Said) -> bool {
        let own = if self.states.is_empty() { Vec::new() } else { states(&said.sentence, None) };
        let is_other = |told: &Told| {
            self.states.get(&told.name).is_some_and(|(message, last)| *message > said.message && *last != told.state)
        };
        !own.is_empty() && own.iter().all(is_other)
    }

    /// Whether all parts that a sentence names were written since: `QuayMap` is in `quay-map.ts`.
    fn has_made(&self, said: &Said) -> bool {
        let parts = || named(&said.sentence).filter(|name| is_file(name) || has_inner_capital(name));
        let is_made = |name: &str| self.made.get(&bare(name)).is_some_and(|message| *message > said.message);
        let is_sure = || each_word(&said.sentence).all(|word| !CONDITIONS.contains(&word));
        parts().any(|name| !is_file(name)) && parts().all(is_made) && is_sure()
    }
}

/// What a text tells of a job.
struct Told {
    name: String,
    state: usize,
    /// Whether the state is one of the next [`NEAR`] words behind the name.
    is_near: bool,
}

/// The jobs and tickets that a text tells the state of, as in “job 47110815 is still running” and “PR 7 is merged”, each
/// with the first state behind it; none behind a condition. Without a word that says what it numbers, a long number
/// names a job only if it is a `known` one.
fn states(text: &str, known: Option<&HashMap<String, (usize, usize)>>) -> Vec<Told> {
    if !has_digit(text) {
        return Vec::new();
    }
    let lower = lower(text);
    let words: Vec<&str> = each_word(&lower).collect();
    let sure = words.iter().position(|word| CONDITIONS.contains(word)).unwrap_or(words.len());
    if is_question(&lower) {
        return Vec::new();
    }
    let told = |at: usize| {
        let name = name(&words, at, known)?;
        let found = |behind| Some((behind, state(&words, at, behind)?));
        let (behind, state) = (at + 1..sure).find_map(found)?;
        Some(Told { name, state, is_near: behind <= at + NEAR })
    };
    (0..words.len()).filter_map(told).collect()
}

/// The job or ticket that a word names: a long number, or any number behind what it numbers.
fn name(words: &[&str], at: usize, known: Option<&HashMap<String, (usize, usize)>>) -> Option<String> {
    let word = words[at];
    if !all_digits(word) {
        return None;
    }
    let before = at.checked_sub(1).map(|before| words[before]);
    let label = before.filter(|before| JOBS.contains(before) || RUNS.contains(before) || TICKETS.contains(before));
    if word.len() < DIGITS {
        return label.map(|label| format!("{label} {word}"));
    }
    (label.is_some() || known.is_some_and(|known| known.contains_key(word))).then(|| word.to_owned())
}

/// The state that the word at `at` names of the job at `job`, unless one of the two words before it denies it. A word
/// that may be said of other things must stand right behind the job or a verb.
fn state(words: &[&str], job: usize, at: usize) -> Option<usize> {
    let word = words[at];
    let is_it = |state: &&str| *state == word || state.starts_with(is_dense) && word.contains(*state);
    let found = JOB_STATES.iter().position(|states| states.iter().any(&is_it))?;
    let denies = |word: &&str| NEGATIONS.contains(word) || DENIALS.contains(word) || word.ends_with("n't");
    let is_denied = words[at.saturating_sub(2)..at].iter().any(denies) || word.contains(['未', '没']);
    let is_apart = LOOSE.contains(&word) && at > job + 1 && !LINKS.contains(&words[at - 1]);
    (!is_denied && !is_apart).then_some(found)
}

/// Whether a sentence says that tests fail until now.
fn still_fails(sentence: &str) -> bool {
    let lower = lower(sentence);
    lower.split([',', ';', ':', '—', '(']).any(|clause| {
        let words: Vec<&str> = each_word(clause).collect();
        let is_test = |at: &usize| TESTS.contains(&words[*at]);
        let fails = |at: usize| words[at + 1..].iter().take(FAR).any(|word| FAILS.contains(word));
        let precedes = |at: usize| at.checked_sub(1).is_some_and(|before| FAILS.contains(&words[before]));
        let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
        let tells = (0..words.len()).filter(is_test).any(|at| fails(at) || precedes(at));
        tells && has(LASTS_SO_FAR) && !has(&WANTED)
    })
}

/// Whether a file can hold a part of the program: it is no text, style or test.
fn holds_parts(name: &str) -> bool {
    let mut pieces = name.split('.').skip(1);
    !pieces.any(|piece| NO_PARTS.contains(&piece))
}

/// A name without its ending and signs, in lower case.
fn bare(name: &str) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use crate::summary::builders::{act, agent, user};
    use crate::transcript::Message;

    const STAYS: &str = "The tides come from the old gauge.";

    /// Whether a sentence is told after these messages.
    fn is_told(sentence: &str, then: &[Message<'static>]) -> bool {
        let mut messages = vec![user("Mend the tide table."), agent(&format!("{STAYS} {sentence}"))];
        messages.extend_from_slice(then);
        messages.push(agent("The board of the ferries shows the tides of both of the lakes."));
        let head: Vec<&Message<'_>> = messages.iter().collect();
        turns(&head, &[]).iter().flat_map(|turn| &turn.said).any(|said| said.sentence == sentence && !said.obsolete)
    }

    #[test]
    fn the_newest_word_about_a_job_is_told() {
        let failed = "Job 47110815 of the harbour failed early, after two minutes.";
        assert!(!is_told(failed, &[agent("The watcher was wrong: job 47110815 is actually still running.")]));
        let printed = |line: &str| act("Bash", r#"{"command":"jobs -l"}"#, line, false);
        assert!(!is_told(failed, &printed("47110815  COMPLETED  0:0")));
        let told = "Job 47110815 took two minutes of the night (see the log), as it failed early.";
        assert!(
            !is_told(told, &printed("47110815  COMPLETED  0:0")),
            "what corrects must be near, not what is corrected"
        );
        let awaited = "Job 47110815 is running, and it rings a bell when it ends.";
        assert!(!is_told(awaited, &printed("47110815  COMPLETED  0:0")));
        let denied = "Job 47110815 failed early, not after an hour.";
        assert!(!is_told(denied, &printed("47110815  COMPLETED  0:0")));
        assert!(!is_told("任务 47110815 在港口失败，没有留下日志。", &printed("47110815  COMPLETED  0:0")));
        for other in [
            "I am done with the log of job 47110815.",
            "Job 47110815 left 3 questions open.",
            "Job 47110815 ist noch nicht fertig.",
            "Job 47110816 is actually still running.",
            "Job 47110815 failed for want of oil.",
            "Once job 47110815 is completed, we go on with the lamps.",
            "Job 47110815 has not completed.",
        ] {
            assert!(is_told(failed, &[agent(other)]), "{other}");
        }
        assert!(is_told(failed, &printed("47110816  COMPLETED  0:0")));
        assert!(!is_told(
            "PR 7 of the quay is blocked by the lock.",
            &[agent("PR 7 is merged, and the lock is open.")]
        ));
        assert!(is_told("PR 7 of the quay is blocked by the lock.", &[agent("PR 8 is merged, and the lock is open.")]));
    }

    #[test]
    fn tests_that_still_failed_are_over_once_all_pass() {
        let green = [agent("All tests are now passing.")];
        for failing in [
            "We still have one failing test case: `pier()` should light `lamp()` first.",
            "The test command of the board currently fails because `oil` is not present.",
            "Zwei Tests der Lampen schlagen noch fehl.",
        ] {
            assert!(!is_told(failing, &green), "{failing}");
            assert!(is_told(failing, &[agent("Half of the tests are passing.")]), "{failing}");
        }
        for wanted in [
            "Remaining work: add a test for the failure of `pier()`.",
            "We still need a test that fails when `lamp()` is dark.",
        ] {
            assert!(is_told(wanted, &green), "{wanted}");
        }
        assert!(is_told("The test of `pier()` failed because `lamp()` takes no oil.", &green));
        assert!(is_told("The ferry still fails to land where the tests say it.", &[]));
    }

    #[test]
    fn parts_that_were_written_are_missing_no_more() {
        let missing = "Missing the two parts of the board (QuayMap, TideTable) that were asked for.";
        let write = |file: &str| act("Write", &format!(r#"{{"file_path":"/w/{file}","content":"x"}}"#), "ok", false);
        assert!(!is_told(missing, &[write("quay-map.tsx"), write("TideTable.tsx")].concat()));
        assert!(is_told(missing, &write("quay-map.tsx")));
        assert!(is_told(missing, &[write("quay-map.test.tsx"), write("TideTable.md")].concat()));
        assert!(is_told("The board is dark if `QuayMap` does not exist.", &write("quay-map.tsx")));
        assert!(is_told("Missing the two parts of the board that were asked for.", &write("quay-map.tsx")));
    }
}
