//! Permissions: what a later sentence says to be fine, the clauses of a ban, and the topics that a permission shares with
//! it.

use super::withdrawn::{DETERMINERS, MOST, STEM, bare, matter, stem};
use crate::summary::extractive::sentences::sieve::AnyOf;
use crate::summary::extractive::words::{AFTER_ALL, ALLOWS, FINE, FORBIDS, MORE, NAMED, NOT, SECOND_THOUGHTS};
use crate::summary::text::{QUESTION_MARKS, has_any, has_words, starts_any};
use foldhash::HashSet;

/// Words of a permission that also add one thing to others in a report.
const ALSO: [&str; 2] = ["too", "as well"];
/// Words of permissions in languages that inflect verbs.
const INFLECTED: [&str; 12] =
    ["puedes", "puede", "pueden", "podéis", "pode", "podem", "puoi", "può", "peux", "pouvez", "możesz", "можете"];

pub(super) static ALLOWING: AnyOf = AnyOf::new(ALLOWS);
pub(super) static SAYS_FINE: AnyOf = AnyOf::new(FINE);

/// The clauses of a ban from its first “not” on.
pub(super) fn forbidding(lower: &str) -> impl Iterator<Item = &str> {
    let clauses = lower.split([',', ';', ':', '.', '，', '；', '、']).flat_map(|clause| clause.split(" and "));
    clauses.skip_while(|clause| !has_any(clause, FORBIDS))
}

/// The topics of what a sentence says to be fine, and whether that is more than there was: “longer replies are fine”.
pub(super) fn fine(lower: &str) -> (HashSet<String>, bool) {
    let none = (HashSet::default(), false);
    let Some(fine) = SAYS_FINE.find(lower, has_words) else { return none };
    let Some((thing, _)) = lower.split_once(fine) else { return none };
    // “Tests are fine too” reports, “a stopover is fine too” allows.
    let one = starts_any(lower, &["a ", "an "]);
    let after_all = || AFTER_ALL.iter().any(|words| (one || !ALSO.contains(words)) && has_words(lower, words));
    let first = thing.split_whitespace().next().map(bare).unwrap_or_default();
    let of_kind = !NAMED.contains(&first) && thing.split_whitespace().count() <= MOST + 2;
    if !of_kind || !after_all() || has_any(lower, NOT) || lower.ends_with(QUESTION_MARKS) {
        return none;
    }
    let mut about = matter(thing);
    about.retain(|topic| !MORE.iter().any(|more| stem(more) == *topic));
    (about, MORE.contains(&first))
}

/// The words of a named thing that a lower-case sentence finds fine on second thought: “Actually, the Mill House is
/// fine.”
pub(super) fn fine_named(lower: &str) -> Option<Vec<String>> {
    let behind =
        SECOND_THOUGHTS.iter().find_map(|start| lower.strip_prefix(start))?.trim_start_matches([',', ':', ' ']);
    let (thing, _) = behind.split_once(SAYS_FINE.find(behind, has_words)?)?;
    let named = thing.split_whitespace().map(bare).filter(|word| !DETERMINERS.contains(word));
    let named: Vec<String> = named.map(str::to_owned).collect();
    ((1..=MOST).contains(&named.len()) && !matter(thing).is_empty()).then_some(named)
}

/// The number of topics that a permission shares with a ban; inflected verbs may differ in their last letter.
pub(super) fn shared(allowed: &HashSet<String>, about: &HashSet<String>, permission: &str) -> usize {
    let shared = allowed.intersection(about).count();
    let inflects = || {
        let lower = permission.to_lowercase();
        has_any(&lower, &INFLECTED)
    };
    if shared == 0 || shared == about.len() || !inflects() {
        return shared;
    }
    let start = |topic: &String| topic.chars().take(STEM - 1).collect::<String>();
    let own: HashSet<String> = allowed.iter().map(start).collect();
    about.iter().filter(|topic| own.contains(&start(topic))).count()
}
