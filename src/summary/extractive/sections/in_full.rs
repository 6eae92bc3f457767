//! Finds answers that are told as they are: a paragraph of a few sentences, all of which say something.

use super::LONGEST_LINE;
use super::accomplished::{BINDING, STORY};
use super::answers::{Answer, says};
use super::listed::IN_FULL;
use crate::summary::extractive::sentences::courteous::without_courtesies;
use crate::summary::extractive::sentences::cues::{Kind, is_question, lower};
use crate::summary::extractive::sentences::denied::denies;
use crate::summary::extractive::sentences::promised::promises;
use crate::summary::extractive::sentences::prose::{plain, sentences};
use crate::summary::extractive::sentences::rules::{is_farewell, only_nods};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::sentences::signs::is_notice;
use crate::summary::extractive::sentences::splitting::line_sentences;
use crate::summary::extractive::sentences::structure::is_structure;
use crate::summary::extractive::session::turns::Turn;
use crate::summary::text::{QUESTION_MARKS, columns, cut, fold, list_number, starts_any, words};

/// Fewest sentences of such an answer: a single one is chosen like any other.
const FEWEST: usize = 2;
/// Beginnings of a polite ban, and what such words only say for comfort.
const PLEASE: [&str; 4] = ["please don't ", "please do not ", "please never ", "bitte nicht "];
const COMFORTS: [&str; 3] = ["hesitate", "worry", "mind"];
/// Words by which the agent says what it will do, and before a time.
const WILL: [&str; 4] = ["i'll ", "we'll ", "i will ", "we will "];
const AT: [&str; 3] = [" at ", " by ", " on "];

/// The last text of a turn without the courtesies and offers around it, if all of it fits a line: the third of three
/// sentences can be the one that forbids something.
pub(super) fn in_full(turn: &Turn<'_>) -> Option<Answer> {
    let (message, text) = turn.last_text()?;
    let text = without_courtesies(text).trim();
    if text.len() > 4 * LONGEST_LINE || text.contains('\n') || is_structure(text) || is_notice(text) {
        return None;
    }
    let text = plain(&fold(text));
    let all = line_sentences(&text);
    let tells = |sentence: &str| says(sentence) || promises(sentence) || forbids(sentence) || is_timed(sentence);
    let is_told = |sentence: &String| tells(sentence) && !is_farewell(sentence);
    let told = &all[..=all.iter().rposition(is_told)?];
    let last = told.last()?;
    let whole = &text[..text.rfind(&**last)? + last.len()];
    let asks = |sentence: &String| sentence.ends_with([':', '：', '?', '？', '؟']);
    // What no longer holds is no longer among the sentences of the turn, whole or in halves.
    let is_part = |said: &Said, sentence: &str| {
        said.sentence.contains(sentence) || sentence.contains(said.sentence.trim_end_matches('.'))
    };
    let holds = || sentences(whole).iter().all(|own| turn.said.iter().any(|said| is_part(said, own)));
    let fits = told.iter().filter(|sentence| !is_empty(sentence)).count() >= FEWEST && columns(whole) <= LONGEST_LINE;
    if !fits || told.iter().any(asks) || !holds() {
        return None;
    }
    let done = turn.said.iter().any(|said| said.closing && said.kind == Kind::Done);
    let more = match () {
        () if done => STORY,
        () if told.iter().any(|sentence| denies(sentence)) => BINDING,
        () => 2 * STORY,
    };
    Some(Answer { text: whole.to_owned(), message, done, more, is_whole: true, whole: None })
}

/// The last text of a turn, if it is only a numbered list: its items, as many as fit a line.
pub(super) fn bare_list(turn: &Turn<'_>) -> Option<Answer> {
    let (message, text) = turn.last_text()?;
    let lines = without_courtesies(text).lines().map(str::trim).filter(|line| !line.is_empty());
    let item = |line: &str| {
        let (_, words) = list_number(line)?;
        Some(plain(&fold(words)).trim_end_matches(['.', ';', ',']).to_owned())
    };
    let items = lines.map(item).collect::<Option<Vec<String>>>().filter(|items| items.len() >= FEWEST)?;
    let asks = items.iter().any(|item| item.ends_with(QUESTION_MARKS));
    let text = cut(&items.join("; "), LONGEST_LINE).into_owned();
    let all = cut(&items.join("; "), IN_FULL).into_owned();
    let whole = Some(all).filter(|all| all.len() > text.len());
    Some(Answer { whole, ..Answer::told(text, message) }).filter(|_| !asks)
}

/// Whether a sentence forbids something politely, and is no offer: “Please don't use diesel.”
fn forbids(sentence: &str) -> bool {
    let lower = lower(sentence);
    let rest = PLEASE.iter().find_map(|please| lower.strip_prefix(please));
    rest.is_some_and(|rest| !starts_any(rest, &COMFORTS))
}

/// Whether a sentence says when the agent does something: “I'll check again at 10:30.”
fn is_timed(sentence: &str) -> bool {
    let lower = lower(sentence);
    let is_number = |rest: &str| rest.starts_with(|char: char| char.is_ascii_digit());
    let mut times = AT.iter().filter_map(|at| lower.split_once(at));
    starts_any(&lower, &WILL) && times.any(|(_, rest)| is_number(rest)) && !is_question(&lower)
}

/// Whether a sentence only agrees: “Certainly!”
fn is_empty(sentence: &str) -> bool {
    only_nods(&sentence.to_lowercase()) || words(sentence) == 1 && sentence.ends_with('!')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::builders::{agent, user};
    use crate::summary::extractive::session::turns::turns;

    fn told(text: &str) -> Option<String> {
        let messages = [user("My brother will steer the boat."), agent(text), user("Now draw the map.")];
        let head: Vec<_> = messages.iter().collect();
        turns(&head, &[]).iter().find(|turn| turn.asked.is_some()).and_then(in_full).map(|answer| answer.text)
    }

    #[test]
    fn a_few_sentences_are_told_whole() {
        for text in [
            "He needs a license of class B. He must be at least 21. Bring a copy of the license to pier 4.",
            "Fuel costs $2.10 per liter. The tank holds 40 liters. Please don't use diesel.",
            "La fianza es de 300 €. Los daños del casco no están cubiertos. No use gasóleo.",
            "油费每升8元。油箱40升。请不要加柴油。",
            "Posted. I'll check again at 10:30 and tell finance before then.",
        ] {
            assert_eq!(told(text).as_deref(), Some(text));
        }
    }

    #[test]
    fn a_text_that_is_only_a_list_is_told_by_its_items() {
        let told = |text: &str| {
            let messages = [user("Explain how the lamp is lit."), agent(text), user("Now draw the map.")];
            let head: Vec<_> = messages.iter().collect();
            turns(&head, &[]).iter().find(|turn| turn.asked.is_some()).and_then(bare_list).map(|answer| answer.text)
        };
        let steps = "1. Unplug it for 30 seconds.\n2. Hold the pin for 10 seconds.\n3. Don't update it before step 2.";
        let line = "Unplug it for 30 seconds; Hold the pin for 10 seconds; Don't update it before step 2";
        assert_eq!(told(steps).as_deref(), Some(line));
        assert_eq!(told("1. Which pier?\n2. Which lamp?"), None);
        assert_eq!(told("It is simple.\n1. Unplug it.\n2. Hold the pin."), None);
    }

    #[test]
    fn courtesies_and_offers_around_them_are_left_out() {
        let fact = "The visit is on Friday from 2 pm. The lift is closed then.";
        let polite = format!("Sure! {fact} Let me know if you need anything else.");
        assert_eq!(told(&polite).as_deref(), Some(fact));
    }

    #[test]
    fn a_single_sentence_a_question_and_a_long_text_are_told_by_their_parts() {
        assert_eq!(told("The visit is on Friday from 2 pm."), None);
        assert_eq!(told("Certainly! The visit is on Friday from 2 pm."), None);
        assert_eq!(told("Which pier is it? The boat lies at four of them."), None);
        assert_eq!(told(&"The visit is on Friday from 2 pm. The lift is closed. ".repeat(6)), None);
        assert_eq!(told("These are the piers:\n\n- North. It is old.\n- South. It is new."), None);
    }
}
