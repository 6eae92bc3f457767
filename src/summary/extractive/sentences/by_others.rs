//! Sentences in another agent's report. It describes what it read or planned: “all tests pass” may be an aim there, and
//! an entry for `error` no trouble. Only what is told as a deed was done.

use super::cues::{Kind, begins_done, lower, said_of_file, tells_trouble, without_filler};
use super::said::Said;
use crate::summary::extractive::words::DONE_STATES;
use crate::summary::text::{contains_any, each_word, has_any, has_words, starts_any};

/// Beginnings of a clause in which an agent tells what it did itself.
const OWN: [&str; 4] = ["i've", "i have", "we've", "we have"];
/// Words of a state, besides [`DONE_STATES`].
const ENDED: [&str; 3] = ["complete", "completed", "finished"];
/// Phrases of what is to be reached: “the first part is complete when every lamp burns”.
const AIMS: [&str; 5] = ["complete when", "completed when", "done when", "finished when", "ready when"];
/// Phrases before a state that only tells which things are meant: “lamps that have been lit”.
const QUALIFIES: [&str; 6] = ["that has", "that have", "which has", "which have", "that is", "that are"];
/// Words of trouble that are names or parts of a description too.
const NAMES: [&str; 5] = ["bug", "error", "errors", "issue", "problem"];
/// What stands between a name in code marks and what it is, and between two things of which one becomes the other.
const IS: [&str; 4] = [" - ", " — ", " – ", ": "];
const BECOMES: [&str; 3] = [" → ", " -> ", " => "];
/// Words by which an agent speaks of itself, and what is said before such a sentence of another one.
const SELF: [&str; 7] = ["i", "i'm", "i've", "me", "my", "we", "we've"];
const SPEAKER: &str = "Subagent: ";

impl Said {
    /// The sentence as one of another agent's report.
    pub(in crate::summary::extractive) fn of_another(self) -> Self {
        let lower = lower(&self.sentence);
        let kind = match self.kind {
            Kind::Done if has_any(&lower, &AIMS) => Kind::Empty,
            Kind::Done if !tells_deed(&self.sentence, &lower) => Kind::Other,
            Kind::Finding(_) if defines(&self.sentence) && !is_trouble(&lower) => Kind::Other,
            kind => kind,
        };
        let is_own = lower.split_whitespace().any(|word| {
            // Not “i.e.”
            SELF.contains(&word.trim_matches(|char: char| !char.is_alphanumeric()))
        });
        let sentence = if is_own { format!("{SPEAKER}{}", self.sentence) } else { self.sentence };
        Self { kind, of_another: true, sentence, ..self }
    }

    /// Whether trouble that it tells of can be mended; another agent's report may only name an error.
    pub(in crate::summary::extractive) fn may_be_mended(&self) -> bool {
        !self.of_another || !tells_trouble(&self.sentence) || is_trouble(&lower(&self.sentence))
    }
}

/// Whether it tells what an agent did, or the exact state in which that is. Phrases of other languages do.
fn tells_deed(sentence: &str, lower: &str) -> bool {
    let text = without_filler(lower);
    let own = || lower.split([',', ';', ':', '—']).any(|clause| starts_any(clause.trim_start(), &OWN));
    let of_file = || said_of_file(text, true).is_some_and(begins_done);
    let is_exact = lower.contains(|char: char| char == '`' || char.is_ascii_digit()) && !defines(sentence);
    let qualifies = || has_any(lower, &QUALIFIES);
    begins_done(text)
        || own()
        || of_file()
        || is_exact && !qualifies()
        || !DONE_STATES.iter().chain(&ENDED).any(|state| has_words(lower, state))
}

/// Whether it only says what a name stands for, or what becomes what.
fn defines(sentence: &str) -> bool {
    let entry = sentence.strip_prefix('`').and_then(|rest| Some(rest.split_once('`')?.1));
    entry.is_some_and(|rest| starts_any(rest, &IS)) || contains_any(sentence, &BECOMES)
}

fn is_trouble(lower: &str) -> bool {
    let rest: Vec<&str> = each_word(lower).filter(|word| !NAMES.contains(word)).collect();
    tells_trouble(&rest.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(sentence: &str) -> Kind {
        Said::new(0, sentence.to_owned()).of_another().kind
    }

    #[test]
    fn what_another_agent_describes_is_not_done() {
        for told in [
            "The harbour is complete when every pier has a lamp and all tests pass.",
            "Lamps that have been lit get a star in the list of the 7 keepers.",
            "The tide table is complete, and all tests pass.",
        ] {
            assert_eq!(Said::new(0, told.to_owned()).kind, Kind::Done, "{told}");
            assert_ne!(kind_of(told), Kind::Done, "{told}");
        }
        for done in [
            "I've added a lamp for each pier; all tests pass.",
            "Created `lamp.rs`, and all tests pass.",
            "All 14 tests pass.",
            "`light()` has been added to the pier.",
            "`lamp.rs` — added a wick",
            "已完成 `lamp.rs` 的修改",
        ] {
            assert_eq!(kind_of(done), Kind::Done, "{done}");
        }
    }

    #[test]
    fn what_another_agent_says_of_itself_is_told_as_its_words() {
        let told = |sentence: &str| Said::new(0, sentence.to_owned()).of_another().sentence;
        assert_eq!(told("I found two lamps without oil."), "Subagent: I found two lamps without oil.");
        for plain in ["There are two lamps without oil.", "The lamps (i.e. all of them) have oil."] {
            assert_eq!(told(plain), plain);
        }
    }

    #[test]
    fn what_a_name_stands_for_is_no_trouble() {
        let found = |sentence: &str| {
            let said = Said { kind: Kind::Finding(3), ..Said::new(0, sentence.to_owned()) }.of_another();
            (matches!(said.kind, Kind::Finding(_)), said.may_be_mended())
        };
        assert_eq!(found("`error` - the error types of the pier (`LampError`)"), (false, false));
        assert_eq!(found("`make pier` → an error page without a lamp"), (true, true));
        assert_eq!(found("The board shows an error as a red lamp"), (true, false));
        assert_eq!(found("`light()` - never closes the gate, so the lamps are missing"), (true, true));
    }
}
