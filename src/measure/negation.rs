//! Negations by the words around them: where a line of a summary says in the words of the source what that says with one
//! negation more or less, the line was turned round. That tells in any kind of line, a rule or not.

use super::Source;
use super::lines::{Line, claims};
use crate::facts::values;
use crate::transcript::{Author, Part, PartKind};
use foldhash::fast::FixedState;
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::BuildHasher;

/// A line that was turned round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turned {
    /// Line of the summary, from 1.
    pub line: usize,
    /// Its words around the place.
    pub text: String,
    /// The user says it the other way round; else the agent or a tool does, and others may see it otherwise.
    pub of_user: bool,
}

/// So many words stand before a place, and so many behind it; at the beginning of a sentence only those behind it count.
const BEFORE: usize = 3;
const BEHIND: usize = 3;
const LEADING: usize = 4;
/// Letters of a word that tells something, and how many such words there have to be.
const TELLING: usize = 4;
const LEAST: usize = 2;
/// So many words before a place may hold its negation.
const NEAR: usize = 6;

/// How places are numbered.
const KEYS: FixedState = FixedState::with_seed(0);

/// Words that negate, and such as come and go with them.
const NEGATING: [&str; 6] = ["not", "never", "dont", "doesnt", "didnt", "cannot"];
const CARRYING: [&str; 6] = ["do", "does", "did", "always", "ever", "please"];

/// The words of a sentence in small letters, without negations; and whether one stands before each, or before the end.
#[derive(Debug, Default, Clone)]
struct Sentence {
    words: Vec<String>,
    negated: Vec<bool>,
    /// It was cut.
    open: bool,
}

impl Sentence {
    fn of(text: &str) -> Self {
        let mut sentence = Self { open: text.trim_end().ends_with('…'), ..Self::default() };
        let (lower, mut negated) = (text.to_lowercase().replace('’', "'"), false);
        let inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '\'');
        for word in lower.split(|letter| !inside(letter)).map(|word| word.trim_matches('\'')) {
            let (bare, negates) = match word.strip_suffix("n't") {
                Some("ca") => ("can", true),
                Some("wo") => ("will", true),
                Some(verb) => (verb, true),
                None if word == "cannot" => ("can", true),
                None if NEGATING.contains(&word) => ("", true),
                None => (word, false),
            };
            if !bare.is_empty() && !CARRYING.contains(&bare) {
                sentence.words.push(bare.to_owned());
                sentence.negated.push(std::mem::take(&mut negated));
            }
            negated ^= negates;
        }
        sentence.negated.push(negated);
        sentence
    }

    /// So many words before a place and those behind it; none where they are too few to tell.
    fn around(&self, at: usize, before: usize) -> Option<(&[String], &[String])> {
        let behind = if before == 0 { LEADING } else { BEHIND };
        self.telling((at.checked_sub(before)?, at), at + behind)
    }

    /// The words that tell a place: those behind it, and as many before it as there are.
    fn place(&self, at: usize) -> Option<(&[String], &[String])> {
        self.around(at, at.min(BEFORE))
    }

    fn telling(&self, (start, at): (usize, usize), end: usize) -> Option<(&[String], &[String])> {
        if end > self.words.len() && self.open {
            return None;
        }
        let (before, behind) = self.words[start..end.min(self.words.len())].split_at(at - start);
        let telling = before.iter().chain(behind).filter(|word| word.chars().count() >= TELLING).count();
        (telling >= LEAST && !behind.is_empty() && before.len() + behind.len() >= BEFORE).then_some((before, behind))
    }

    /// Whether a negation stands before a place or near it.
    fn is_near(&self, at: usize) -> bool {
        self.negated[at.saturating_sub(NEAR)..=at].iter().any(|negated| *negated)
    }
}

/// How the source says something: with a negation, and without one.
#[derive(Debug, Default, Clone, Copy)]
struct Known {
    negated: bool,
    plain: bool,
    of_user: bool,
}

/// The lines of a text that say with a negation what the source says without one only, or the other way round.
pub fn turned(text: &str, source: &Source<'_>) -> Vec<Turned> {
    let of_line = |line: Line<'_>| sentences(line.text).map(|one| (line.number, one)).collect::<Vec<_>>();
    let lines: Vec<(usize, Sentence)> = claims(text).flat_map(of_line).collect();
    let places = lines.iter().flat_map(|(_, one)| (0..one.words.len()).filter_map(|at| one.place(at)));
    let mut known: HashMap<u64, Known> = places.map(|place| (key(place), Known::default())).collect();
    for message in source.messages() {
        let of_user = message.author == Author::Person;
        for text in message.parts.iter().map(said) {
            text.lines().flat_map(sentences).for_each(|sentence| learn(&sentence, of_user, &mut known));
        }
    }
    let wrong = |(line, one): &(usize, Sentence)| {
        turned_place(one, &known).map(|(text, of_user)| Turned { line: *line, text, of_user })
    };
    lines.iter().filter_map(wrong).collect()
}

/// What a part says; of arguments what they hold.
fn said<'p>(part: &'p Part<'_>) -> Cow<'p, str> {
    if matches!(part.kind, PartKind::Call { .. }) { values(&part.text).into() } else { (&*part.text).into() }
}

/// Notes how a sentence of the source says what is asked for.
fn learn(sentence: &Sentence, of_user: bool, known: &mut HashMap<u64, Known>) {
    for at in 0..sentence.words.len() {
        for place in (0..=BEFORE).filter_map(|before| sentence.around(at, before)) {
            let Some(known) = known.get_mut(&key(place)) else { continue };
            known.negated |= sentence.is_near(at);
            known.plain |= !sentence.negated[at];
            known.of_user |= of_user;
        }
    }
}

/// The words of the first place of a sentence that was turned round.
fn turned_place(sentence: &Sentence, known: &HashMap<u64, Known>) -> Option<(String, bool)> {
    (0..sentence.words.len()).find_map(|at| {
        let place = sentence.place(at)?;
        let known = known.get(&key(place))?;
        let turned = match sentence.negated[at] {
            true => known.plain && !known.negated,
            false => known.negated && !known.plain,
        };
        turned.then(|| ([place.0, place.1].concat().join(" "), known.of_user))
    })
}

/// A place, as a number.
fn key(place: (&[String], &[String])) -> u64 {
    KEYS.hash_one(place)
}

/// The sentences of a line.
fn sentences(line: &str) -> impl Iterator<Item = Sentence> {
    super::constraints::split(line)
        .flat_map(|sentence| sentence.split([';', ':', '“', '”', '"', '(', ')']))
        .map(Sentence::of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::sketch::sketch;

    fn found(said: &str, summary: &str) -> usize {
        let mut transcript = sketch("u");
        transcript.messages[0].parts[0].text = said.to_owned().into();
        let messages: Vec<_> = transcript.messages.iter().collect();
        turned(summary, &Source::new(&messages)).len()
    }

    const SAID: &str = "Never touch the lamp of the mole. The harbour tables should be sorted by height.\n\
        the lamps aren't lit before dusk, and we don't need rusty buoys any more";

    #[test]
    fn the_same_words_with_a_negation_more_or_less_were_turned_round() {
        for line in [
            "- Touch the lamp of the mole.",
            "- Always touch the lamp of the mole.",
            "The harbour tables should not be sorted by height.",
            "- User: “the lamps are lit before dusk”",
            "we need rusty buoys any more",
        ] {
            assert_eq!(found(SAID, line), 1, "{line}");
        }
    }

    #[test]
    fn the_same_words_say_the_same_in_any_form() {
        for line in [
            "- Don't touch the lamp of the mole.",
            "Do not touch the lamp of the mole",
            "The harbour tables should always be sorted by height",
            "the lamps are not lit before dusk",
            "No buoys are lit before dusk",
            "The tables are not sorted yet",
        ] {
            assert_eq!(found(SAID, line), 0, "{line}");
        }
        let both = "Touch the lamp of the mole now. Never touch the lamp of the mole again.";
        assert_eq!(found(both, "- Touch the lamp of the mole"), 0);
        assert_eq!(found("You never ever may touch the lamp of the mole", "Never touch the lamp of the mole"), 0);
    }
}
