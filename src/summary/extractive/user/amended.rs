//! Wishes that the user put right later: “Keep it under $300.”, “Make that $450.”; “I'm vegetarian.”, “Sorry, I meant
//! vegan.”; “Always use my Visa card.”, “Actually, use the Amex.”; “Forget what I said about early flights.”

use super::permitted::{SAYS_FINE, fine_named};
use super::replaced::{Term, counted};
use super::withdrawn::{DETERMINERS, bare, stem};
use crate::summary::extractive::sentences::cues::{begins, lower};
use crate::summary::extractive::sentences::sieve::AnyOf;
use crate::summary::extractive::words::{
    AFTER_HOUR, AMENDS, CHANGES_THINGS, COUNTED, EARLY, EXCHANGED, EXCUSES, FORBIDS, FORGETS, LATE, MEANT, NONSTOP,
    NOT, ONE_MORE, ONE_STOP, STOPS_ON_WAY, TOLD_NOT_ORDERED, TRAVELS,
};
use crate::summary::text::{QUESTION_MARKS, each_word, has_any, has_digit, words};
use foldhash::HashSet;

/// Maximum number of words of a sentence that puts something right, and of one that only names a value.
const FEW: usize = 10;
const BRIEF: usize = 6;
/// Words that set one thing apart, for which alone the value holds.
const APART: [&str; 8] = ["for", "if", "when", "only", "this time", "für", "para", "pour"];

/// Words before an order to forget something, and words of a thing that is fine where it is.
const OPENINGS: [&str; 6] = ["please", "actually", "okay", "ok", "just", "bitte"];
const AS_IT_IS: [&str; 3] = ["on my", "as it is", "as they are"];
/// Words behind “I meant” that name nothing.
const NOT_NAMED: [&str; 8] = ["how", "it", "that", "this", "to", "what", "why", "you"];

static AMENDING: AnyOf = AnyOf::new(AMENDS);

/// A sentence that puts right an earlier one.
pub(in crate::summary::extractive) struct Amendment<'a> {
    /// Number of its request.
    request: usize,
    sentence: &'a str,
    what: What,
}

/// What such a sentence puts right.
enum What {
    /// The only sentence of the request before it.
    Sentence(String),
    /// A number of this unit in the request before it.
    Number(String, String),
    /// The value of a kind: numbers of the kind and of the value.
    Value(usize, usize),
    /// What was said about the thing of these words.
    About(Vec<String>),
    /// A ban on a thing of these words, which is fine now.
    Fine(Vec<String>),
    /// That there may be no change on the way.
    Nonstop,
}

/// The sentences of all requests that put an earlier one right.
pub(in crate::summary::extractive) fn amendments<'a>(
    requests: impl Iterator<Item = &'a [String]>,
) -> Vec<Amendment<'a>> {
    let (mut all, mut before): (Vec<Amendment<'a>>, &[String]) = (Vec::new(), &[]);
    for (request, own) in requests.enumerate() {
        let read =
            own.iter().filter_map(|sentence| Some(Amendment { request, sentence, what: read(sentence, before)? }));
        all.extend(read);
        before = own;
    }
    all
}

/// What a sentence puts right, behind a request of these sentences.
fn read(sentence: &str, before: &[String]) -> Option<What> {
    let lower = lower(sentence);
    if lower.ends_with(QUESTION_MARKS) || words(&lower) > 2 * FEW {
        return None;
    }
    if let Some(thing) = forgotten(&lower) {
        return Some(What::About(thing));
    }
    if words(&lower) > FEW {
        return None;
    }
    if SAYS_FINE.is_said_in(&lower) && !has_any(&lower, NOT) {
        let fine = fine_named(&lower).filter(|_| !has_any(&lower, &AS_IT_IS));
        let fine = fine.map(What::Fine).or_else(|| allows_stop(&lower).then_some(What::Nonstop));
        if fine.is_some() {
            return fine;
        }
    }
    if says_meant(&lower)
        && words(&lower) <= BRIEF
        && let [only] = before
    {
        return Some(What::Sentence(only.clone()));
    }
    // “Sorry, my Amex was declined.” tells.
    if has_any(&lower, TOLD_NOT_ORDERED) {
        return None;
    }
    if !AMENDING.is_said_in(&lower) || has_any(&lower, ONE_MORE) || has_any(&lower, FORBIDS) || has_any(&lower, &APART)
    {
        return None;
    }
    let number = || {
        let (number, unit) = counted(&lower).filter(|_| words(&lower) <= BRIEF && !has_any(&lower, COUNTED))?;
        Some(What::Number(number, unit))
    };
    value(&lower).map(|(kind, value)| What::Value(kind, value)).or_else(number)
}

/// Whether a lower-case sentence begins with what was meant: “Sorry, I meant …”
fn says_meant(lower: &str) -> bool {
    let excuse = EXCUSES.iter().find_map(|word| lower.strip_prefix(word)).unwrap_or(lower);
    let text = excuse.trim_start_matches([',', '.', '!', '，', ' ']);
    let meant = MEANT.iter().find(|start| begins(text, start)).map(|start| &text[start.len()..]);
    meant.is_some_and(|meant| each_word(meant).next().is_some_and(|word| !NOT_NAMED.contains(&word)))
}

/// The words of what a lower-case sentence has forgotten: “forget what I said about early flights”.
fn forgotten(lower: &str) -> Option<Vec<String>> {
    // “Please don't forget what I said about …” is no order to forget it.
    let text = EXCUSES.iter().chain(&OPENINGS).find_map(|word| lower.strip_prefix(word)).unwrap_or(lower);
    let text = text.trim_start_matches([',', '.', '!', ' ']);
    let rest = FORGETS.iter().find_map(|start| text.strip_prefix(start))?;
    let clause = rest.split([',', ';', '.', '!', '—', '-']).next().unwrap_or_default();
    let clause =
        [" gesagt", " and ", " but ", " und "].iter().fold(clause, |text, end| text.split(end).next().unwrap_or(text));
    let named = clause.split_whitespace().map(bare).filter(|word| !word.is_empty() && !DETERMINERS.contains(word));
    let thing: Vec<String> = named.map(str::to_owned).collect();
    (!thing.is_empty()).then_some(thing)
}

/// The only value of its kind that a lower-case sentence names: the numbers of the kind and of the value.
fn value(lower: &str) -> Option<(usize, usize)> {
    let named = EXCHANGED.iter().enumerate().flat_map(|(kind, values)| {
        let said = move |(value, names): (usize, &&[&str])| has_any(lower, names).then_some((kind, value));
        values.iter().enumerate().filter_map(said)
    });
    let mut named = named.peekable();
    let first = named.next()?;
    named.next().is_none().then_some(first)
}

/// The last sentence of a later request that puts a rule right.
pub(in crate::summary::extractive) fn later<'a>(rule: &str, request: usize, all: &[Amendment<'a>]) -> Option<&'a str> {
    let behind = &all[all.partition_point(|amendment| amendment.request <= request)..];
    if behind.is_empty() {
        return None;
    }
    let lower = lower(rule);
    let last = behind.iter().rev().find(|amendment| {
        let next = amendment.request == request + 1;
        match &amendment.what {
            What::Sentence(only) => next && only == rule && is_of_same_kind(rule, amendment.sentence),
            What::Number(_, unit) => next && Term::of(&lower).is_some_and(|term| term.is_of(unit)),
            What::Value(kind, _) => !has_any(&lower, FORBIDS) && value(&lower).is_some_and(|(own, _)| own == *kind),
            What::About(thing) => is_about(&lower, thing),
            What::Fine(thing) => {
                has_any(&lower, FORBIDS) && !has_any(&lower, CHANGES_THINGS) && is_about(&lower, thing)
            }
            What::Nonstop => is_of_travel(&lower) && !has_any(&lower, FORBIDS),
        }
    })?;
    let same = match &last.what {
        What::Number(number, _) => Term::of(&lower).is_some_and(|term| term.is_worth(number)),
        What::Value(_, new) => value(&lower).is_some_and(|(_, own)| own == *new),
        _ => false,
    };
    (!same).then_some(last.sentence)
}

/// Whether a sentence can put right the value of a rule: both name one of a kind, or a number of one unit, or end with
/// a name.
fn is_of_same_kind(rule: &str, sentence: &str) -> bool {
    let (own, said) = (lower(rule), lower(sentence));
    let kind = || value(&own).zip(value(&said)).is_some_and(|((own, _), (said, _))| own == said);
    let unit = || counted(&said).is_some_and(|(_, unit)| Term::of(&own).is_some_and(|term| term.is_of(&unit)));
    let ends_with_name =
        |text: &str| text.split_whitespace().next_back().is_some_and(|last| last.starts_with(char::is_uppercase));
    kind() || unit() || ends_with_name(rule) && ends_with_name(sentence)
}

/// Whether a lower-case sentence names a number of changes on the way: “one stop”.
fn allows_stop(lower: &str) -> bool {
    let all: Vec<&str> = each_word(lower).collect();
    all.windows(2).any(|two| STOPS_ON_WAY.contains(&two[1]) && (has_digit(two[0]) || ONE_STOP.contains(&two[0])))
}

/// Whether a lower-case rule asks for travel without a change.
fn is_of_travel(lower: &str) -> bool {
    let has = |list: &[&str]| each_word(lower).any(|word| list.contains(&word));
    has(NONSTOP) && has(TRAVELS)
}

/// Whether a lower-case rule is about a thing: it names all its words, “early” and “late” with an hour.
fn is_about(rule: &str, thing: &[String]) -> bool {
    let own: HashSet<String> = each_word(rule).map(stem).collect();
    let early = |word: &String| EARLY.contains(&&**word) && Term::hour(rule).is_some();
    let late = |word: &String| LATE.contains(&&**word) && has_any(rule, AFTER_HOUR);
    let named = |word: &String| own.contains(&stem(word)) || own.contains(&stem(word.trim_end_matches('s')));
    thing.iter().all(|word| named(word) || early(word) || late(word))
}

#[cfg(test)]
mod tests {
    use super::{amendments, later};

    fn found(rule: &str, requests: &[&str]) -> Option<String> {
        let all: Vec<[String; 1]> = [&[rule], requests].concat().iter().map(|text| [(*text).to_owned()]).collect();
        let amendments = amendments(all.iter().map(|own| &own[..]));
        later(rule, 0, &amendments).map(str::to_owned)
    }

    #[test]
    fn what_was_put_right_is_known_by_the_thing_that_both_name() {
        for (rule, amendment) in [
            ("Keep it under $300.", "Make that $450."),
            ("My budget is 300 euros.", "Actually, 450 euros."),
            ("Höchstens 300 Euro.", "Ich meinte 450 Euro."),
            ("I'm vegetarian.", "Sorry, I meant vegan."),
            ("Ich bin Vegetarierin.", "Entschuldigung, ich meinte vegan."),
            ("Call me Ada.", "Sorry, I meant Eda."),
            ("Always use my Visa card.", "Actually, use the Amex from now on."),
            ("Always pay with PayPal.", "On second thought, take my Mastercard."),
            ("I'd prefer an aisle seat.", "Actually, a window seat would be better."),
            ("Only contact me by email.", "Actually, text me instead."),
            ("Never book ferries before 9 am.", "Forget what I said about early ferries, any time is fine."),
            ("Don't book rooms with balconies.", "Never mind what I said about balconies."),
            ("Don't book the Mill House.", "On second thought, the Mill House is fine after all."),
            ("Never book the Mill House.", "Actually, the Mill House is fine."),
            ("Only direct ferries, please.", "One stop is okay too."),
            ("Nur Direktflüge, bitte.", "Ein Umstieg ist auch in Ordnung."),
        ] {
            assert_eq!(found(rule, &[amendment]).as_deref(), Some(amendment), "{rule}");
        }
        let back = found("Always use my Visa card.", &["Actually, use the Amex.", "Sorry, use my Visa instead."]);
        assert_eq!(back, None);
    }

    #[test]
    fn what_is_about_something_else_puts_nothing_right() {
        for (rule, other) in [
            ("Keep it under $300.", "Make that 3 cabins."),
            ("Keep it under $300.", "Actually, the toll was $450."),
            ("Never spend more than $300.", "Actually, draw the 450 lamps."),
            ("I'm vegetarian.", "Sorry, I meant to write earlier."),
            ("I'm vegetarian.", "Actually, my wife is vegan and I'm vegetarian."),
            ("I'm vegetarian.", "Is it vegan?"),
            ("I'm vegetarian.", "Book a vegan table for Ada."),
            ("Always use my Visa card.", "Actually, use the new map."),
            ("Always use my Visa card.", "Actually, use cash for the taxi."),
            ("Never use my Visa card.", "Actually, use the Amex."),
            ("Always use tabs.", "Actually, use the other branch."),
            ("Only direct ferries, please.", "Forget what I said about early ferries."),
            ("Never book ferries before 9 am.", "Forget what I said about late ferries."),
            ("Don't book the Mill House.", "The quay is fine after all."),
            ("I'd prefer an aisle seat.", "Actually, close the window."),
            ("Never use Docker.", "Please don't forget what I said about Docker."),
            ("Never push to main.", "Sorry, I meant line 40."),
            ("Keep it short.", "No, I meant Bob."),
            ("Always use my Visa card.", "Sorry, my Amex was declined."),
            ("Always use my Visa card.", "Actually, I paid the quay with PayPal."),
            ("I'm vegetarian.", "Sorry, my sister is vegan."),
            ("I'd prefer an aisle seat.", "Actually, my wife wants a window seat."),
            ("Always fly economy.", "Actually, refactor the first class in the file."),
            ("Keep it under $300.", "Actually, ferries cost $450."),
            ("Never edit the tests.", "Actually, the tests are fine."),
            ("Don't use Docker.", "Actually, Docker is fine on my machine."),
            ("Only direct ferries, please.", "My internet connection is okay again."),
            ("Use direct imports only.", "One connection is fine."),
            ("Don't book the Mill House.", "The Mill House is not fine after all."),
            ("Never touch the lamps.", "The lamps are fine."),
            ("Don't use the old lamp.", "Actually, the new lamp is okay."),
            ("Only direct ferries, please.", "Is one stop okay too?"),
        ] {
            assert_eq!(found(rule, &[other]), None, "{rule} {other}");
        }
        let far = found("Keep it under $300.", &["Draw the map.", "Make that $450."]);
        assert_eq!(far, None, "of another request");
    }
}
