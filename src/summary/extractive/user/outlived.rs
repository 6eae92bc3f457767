//! One-time wishes that a later request replaced: “I'd like to book both ferries” once the user says “that is over my
//! budget, only one of the ferries then”. They were requests, and are told as such.

use super::asked::Asked;
use super::withdrawn::matter;
use crate::summary::extractive::sentences::cues::lower;
use crate::summary::text::{each_word, has_words};

/// Beginnings of a wish of the moment, behind words that join it to others.
const WISHES: [&str; 14] = [
    "i want to ",
    "i want ",
    "i would like ",
    "i would prefer ",
    "i'd like ",
    "i'd prefer ",
    "i'd still like ",
    "i'll use ",
    "i prefer ",
    "let's go ",
    "let's use ",
    "please use ",
    "you can use ",
    "could you please ",
];
const LEADS: [&str; 14] = [
    "actually, ",
    "also, ",
    "and ",
    "as for the payment, ",
    "but ",
    "for payment, ",
    "for the payment, ",
    "hi, ",
    "if so, ",
    "in that case, ",
    "ok, ",
    "okay, ",
    "sure, ",
    "yes, ",
];
/// Words that make a wish one for good.
const LASTING: [&str; 10] =
    ["always", "each", "ever", "every", "everything", "from now on", "never", "whenever", "don't", "do not"];
/// Phrases of a request that turns from an earlier wish.
const TURNS: [&str; 9] = [
    "beyond my budget",
    "beyond what i",
    "changed my mind",
    "higher than expected",
    "in that case",
    "only one",
    "over budget",
    "over my budget",
    "too expensive",
];
/// Such phrases about another means of payment.
const PAYS_ELSE: [&str; 3] = ["instead", "rather", "too much"];
/// Phrases of a request that gives up what was wished.
const GIVES_UP: [&str; 5] =
    ["don't change anything", "forget about it", "hold off on", "leave everything as it is", "not make any changes"];
/// Minimum number of topics that a wish and a request share if they are about the same.
const SHARED: usize = 2;
/// Means of payment: a request that names one is about what a wish about another one is about.
const PAYMENTS: [&str; 10] =
    ["card", "cards", "cash", "certificate", "certificates", "credit", "gift", "payment", "voucher", "vouchers"];

/// Whether a sentence is a wish of the moment that one of the later requests replaced or gave up.
pub(in crate::summary::extractive) fn is_outlived<'a>(wish: &str, mut later: impl Iterator<Item = &'a Asked>) -> bool {
    let wish = lower(wish);
    if !is_wish(&wish) || LASTING.iter().any(|words| has_words(&wish, words)) {
        return false;
    }
    let about = matter(&wish);
    let pays = |text: &str| each_word(text).any(|word| PAYMENTS.contains(&word));
    let replaces = |asked: &Asked| {
        let request = lower(&asked.own().join(" "));
        let has = |list: &[&str]| list.iter().any(|words| has_words(&request, words));
        let pay = || pays(&wish) && pays(&request);
        let is_same = || matter(&request).intersection(&about).count() >= SHARED || pay();
        has(&GIVES_UP) || has(&TURNS) && is_same() || has(&PAYS_ELSE) && pay()
    };
    later.any(replaces)
}

/// Whether a lower-case sentence begins as a wish.
fn is_wish(lower: &str) -> bool {
    let mut text = lower;
    while let Some(rest) = LEADS.iter().find_map(|lead| text.strip_prefix(lead)) {
        text = rest;
    }
    WISHES.iter().any(|start| text.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::{Asked, is_outlived};

    fn outlived(wish: &str, later: &[&str]) -> bool {
        let later: Vec<Asked> = later.iter().map(|text| Asked::read(Some(1), text, (*text).to_owned())).collect();
        is_outlived(wish, later.iter())
    }

    #[test]
    fn a_wish_of_the_moment_ends_with_a_request_that_turns_from_it() {
        let both = "I'd like to book both ferries to the island.";
        assert!(outlived(both, &["That is over my budget. Can you book only one of the ferries to the island?"]));
        assert!(outlived(both, &["I think I will hold off on making any bookings right now."]));
        assert!(outlived(
            "I'd like to use my vouchers first.",
            &["In that case, charge my card with the full amount."]
        ));
        assert!(!outlived(both, &["Book the ferries to the island now."]));
        assert!(outlived("I'd like to use my vouchers first.", &["Please use my card instead."]));
        assert!(!outlived(both, &["Use the ferries of the island as a sign instead."]));
        assert!(!outlived(both, &["In that case, which lamp is lit?"]));
        assert!(!outlived("I'd like you to never book both ferries.", &["Book only one of both ferries instead."]));
        assert!(!outlived("Use the old ferries.", &["Book only one of the old ferries instead."]));
    }
}
