//! Claims that the agent takes back after the user corrected it: “You're right, …”.

use super::turns::Turn;
use crate::summary::extractive::sentences::cues::{Kind, lower};
use crate::summary::extractive::sentences::said::Said;
use crate::summary::extractive::words::{ADMITS, CONCEDES};
use crate::summary::text::{QUESTION_MARKS, all_digits, each_word, first_bytes, is_dense};
use foldhash::HashSet;

/// Bytes at the start of an answer in which it concedes, and the number of words before that: “I'm very sorry, …”.
const START: usize = 120;
const BEFORE: usize = 4;
/// Number of first words of a claim that tell its subject, and the minimum length of such a word.
const SUBJECT: usize = 3;
const LETTERS: usize = 4;
/// Number of first characters that tell it in scripts without spaces.
const DENSE: usize = 3;

/// For each sentence of a turn, whether the agent concedes in the next one that it was wrong.
pub(super) fn conceded(turns: &[Turn<'_>]) -> Vec<bool> {
    let [turn, next, ..] = turns else { return Vec::new() };
    let is_question = next.asked.as_ref().is_some_and(|asked| asked.start.contains(QUESTION_MARKS));
    let is_admitted = admitted(Some(next)) && !is_question;
    let concedes = is_admitted || next.last_text().is_some_and(|(_, text)| begins_with(text, CONCEDES));
    let Some(asked) = next.asked.as_ref().filter(|_| concedes) else { return Vec::new() };
    let corrected = lower(&if asked.sentences.is_empty() { asked.start.clone() } else { asked.sentences.join(" ") });
    let words: HashSet<&str> = each_word(&corrected).collect();
    if agrees(&words) {
        return Vec::new();
    }
    let answer = next.last_text().map(|(_, text)| lower(first_bytes(text, START))).unwrap_or_default();
    let named: HashSet<&str> = numbers(&corrected).chain(numbers(&answer)).collect();
    let is_told = |said: &Said| {
        let claim = lower(&said.sentence);
        let first: String = claim.chars().take(DENSE).collect();
        let is_dense = first.chars().all(is_dense) && corrected.contains(&first);
        let has = |word: &str| word.chars().count() >= LETTERS && words.contains(word);
        // Of what it misunderstood, a number that the user named with another is in doubt, too.
        let is_named = |number: &str| number.len() >= LETTERS && named.contains(number) && named.len() > 1;
        let in_doubt = || is_admitted && turn.acts.is_empty() && numbers(&claim).any(is_named);
        let is_of = is_dense || each_word(&claim).take(SUBJECT).any(has) || in_doubt();
        !matches!(said.kind, Kind::Done | Kind::Empty) && is_of
    };
    turn.said.iter().map(is_told).collect()
}

/// The numbers of a text.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|char: char| !char.is_alphanumeric()))
        .filter(|word| all_digits(word))
}

/// Removes the obsolete sentences of a turn that only said something, from its text too, and a bare yes or no before
/// them.
pub(super) fn without_claims(turn: &mut Turn<'_>) {
    let (gone, left): (Vec<Said>, _) = turn.said.drain(..).partition(|said| said.obsolete);
    turn.said = left;
    let Some((_, text)) = turn.last.as_mut().filter(|_| !turn.said.is_empty()) else {
        turn.last = None;
        return;
    };
    let rest = gone.iter().fold(text.to_string(), |text, said| text.replace(&said.sentence, ""));
    let is_bare = |start: &&(&str, &str)| each_word(start.0).count() == 1;
    let rest = rest.split_once(". ").as_ref().filter(is_bare).map_or(&*rest, |(_, rest)| rest).trim().to_owned();
    *text = rest.into();
}

/// Whether the turn behind this one begins by saying that the agent was wrong here.
pub(super) fn admitted(next: Option<&Turn<'_>>) -> bool {
    next.and_then(Turn::last_text).is_some_and(|(_, text)| begins_with(text, ADMITS))
}

/// Whether an answer begins with a clause of one of these: that the user is right, or the agent wrong.
fn begins_with(text: &str, phrases: &[&str]) -> bool {
    let start = lower(first_bytes(text.trim_start(), START));
    let first = start.split(['\n', '?']).next().unwrap_or_default();
    // “You're right to ask” takes nothing back.
    let behind = phrases.iter().find_map(|phrase| first.split_once(phrase));
    behind.is_some_and(|(before, behind)| each_word(before).count() <= BEFORE && !behind.starts_with(" to "))
}

/// Whether the user agrees to what the agent said.
fn agrees(corrected: &HashSet<&str>) -> bool {
    ["agreed", "great", "perfect", "thank", "thanks", "works"].iter().any(|word| corrected.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::turns::turns;
    use crate::summary::builders::{agent, user};
    use crate::transcript::Message;

    fn left(answer: &str) -> Vec<String> {
        let claim = "Quayworks is a private harbour, so it has no price for its berths. The ferry leaves at nine from the northern pier.";
        let messages =
            [user("What is Quayworks?"), agent(claim), user("Quayworks is public since March."), agent(answer)];
        let head: Vec<&Message<'_>> = messages.iter().collect();
        let said = turns(&head, &[]).into_iter().take(2).flat_map(|turn| turn.said);
        said.map(|said| said.sentence).collect()
    }

    #[test]
    fn what_the_agent_got_wrong_is_no_answer() {
        let told = |wrong: &str, corrected: &str, right: &str| {
            let messages = [
                user("Do I have to pay the fee of the quay?"),
                agent(wrong),
                user(corrected),
                agent(right),
                user("Now draw the map."),
            ];
            let summary = crate::summary::extractive(
                &crate::summary::builders::request(&messages, 2_000),
                &crate::summary::Template::default(),
            );
            summary.map(|summary| summary.text).unwrap_or_default()
        };
        let english = told(
            "Yes. Since you took more than 25,000 euros in 2024, you have to pay it.",
            "In 2024 it was only 21,900 euros.",
            "Then I misunderstood you. With 21,900 euros you pay no fee in 2025. From January 2026 that changes.",
        );
        let german = told(
            "Ja. Da Sie 2024 über 25.000 € lagen, müssen Sie sie zahlen.",
            "2024 waren es nur 21.900 €.",
            "Dann hatte ich Sie falsch verstanden. Mit 21.900 € zahlen Sie 2025 nichts. Ab Januar 2026 gilt das nicht mehr.",
        );
        for (text, wrong, right) in [
            (
                english,
                "you have to pay it",
                "With 21,900 euros you pay no fee in 2025. From January 2026 that changes.",
            ),
            (
                german,
                "müssen Sie sie zahlen",
                "Mit 21.900 € zahlen Sie 2025 nichts. Ab Januar 2026 gilt das nicht mehr.",
            ),
        ] {
            assert!(!text.contains(wrong) && text.contains(&format!("  - {right}\n")), "{text}");
        }
        let kept = told(
            "Yes. You have to pay it, and the lamps are included.",
            "And the boat?",
            "The boat costs 7 euros more. It lies at pier 4.",
        );
        assert!(kept.contains("You have to pay it"), "{kept}");
        let beside = told(
            "The number of the office is 555-0147. The office is open from 9 to 5.",
            "Your mistake: they said the office opens at 8.",
            "My mistake, the office opens at 8. It closes at 5.",
        );
        assert!(beside.contains("555-0147") && !beside.contains("from 9 to 5"), "{beside}");
        let other = told(
            "The seat is 14A and the fare is 2140 yen.",
            "You wrote 2140, on the ticket it is 2140 too, but the name is misspelled.",
            "My mistake, I misspelled the name. It is Ada now.",
        );
        assert!(other.contains("fare is 2140"), "{other}");
        let asked = told(
            "You booked train T7 on June 3. Its seat is 14A.",
            "And is the train back booked?",
            "I was wrong about the day of that one: it is T9 on June 9. Its seat is 2B.",
        );
        assert!(asked.contains("You booked train T7"), "{asked}");
    }

    #[test]
    fn what_the_agent_takes_back_is_over() {
        assert_eq!(left("I'm very sorry, you are right. It went public.").len(), 1);
        assert_eq!(left("The berths of it cost 12 euros a night, as the list of the pier says.").len(), 2);
    }
}
