//! One-time wishes that a later request replaced: “I'd like to book both ferries” once the user says “that is over my
//! budget, only one of the ferries then”. They were requests, and are told as such.

use super::asked::Asked;
use super::withdrawn::{matter, stem};
use crate::summary::extractive::sentences::cues::lower;
use crate::summary::text::{each_word, has_any, starts_any};
use foldhash::HashSet;

/// Beginnings of a wish of the moment, behind words that join it to others.
const WISHES: [&str; 11] = [
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
    "could you please ",
];
const LEADS: [&str; 11] =
    ["actually, ", "also, ", "and ", "but ", "hi, ", "if so, ", "in that case, ", "ok, ", "okay, ", "sure, ", "yes, "];
/// Words that make a wish one for good.
const LASTING: [&str; 10] =
    ["always", "each", "ever", "every", "everything", "from now on", "never", "whenever", "don't", "do not"];
/// Phrases of a request that turns from an earlier wish.
const TURNS: [&str; 8] = [
    "beyond my budget",
    "beyond what i",
    "changed my mind",
    "higher than expected",
    "in that case",
    "over budget",
    "over my budget",
    "too expensive",
];
/// Such a phrase about what is named right behind it, and what ends that.
const ONLY: &str = "only one";
const ENDS: [&str; 12] =
    [" and ", " as ", " at ", " because ", " but ", " for ", " in ", " on ", " since ", " so ", " to ", " with "];
/// Words of wishes and requests that name nothing wished for.
const ASKING: [&str; 8] = ["book", "like", "need", "please", "prefer", "want", "would", "could"];
/// Such phrases about another means of payment.
const PAYS_ELSE: [&str; 3] = ["instead", "rather", "too much"];
/// Phrases of a request that gives up all that was wished.
const GIVES_UP: [&str; 4] =
    ["don't change anything", "forget about it", "leave everything as it is", "not make any changes"];
/// Such a phrase about one thing.
const HOLDS_OFF: &str = "hold off on";
/// Minimum number of topics that a wish and a request share if they are about the same.
const SHARED: usize = 2;
/// Means of payment: a request that names one is about what a wish about another one is about.
const PAYMENTS: [&str; 10] =
    ["card", "cards", "cash", "certificate", "certificates", "credit", "gift", "payment", "voucher", "vouchers"];

/// What later requests say, read once for all wishes before them.
pub(in crate::summary::extractive) struct Later {
    gives_up: bool,
    turns: bool,
    holds_off: bool,
    pays: bool,
    pays_else: bool,
    matter: HashSet<String>,
    /// Whether it wants only one of something, and of what.
    limits: bool,
    only: HashSet<String>,
}

impl Later {
    /// Reads a request.
    pub(in crate::summary::extractive) fn of(asked: &Asked) -> Self {
        let request = lower(&asked.own().join(" "));
        let pays = pays(&request);
        let limits = has_any(&request, &[ONLY]);
        let only: HashSet<String> =
            asked.own().iter().flat_map(|sentence| matter(limited(&lower(sentence)).unwrap_or_default())).collect();
        // What “only one” alone is about stands elsewhere in the request.
        let turns = has_any(&request, &TURNS) || limits && only.is_empty();
        let (holds_off, pays_else) = (has_any(&request, &[HOLDS_OFF]), pays && has_any(&request, &PAYS_ELSE));
        let about = if turns || holds_off { matter(&request) } else { HashSet::default() };
        Self { gives_up: has_any(&request, &GIVES_UP), turns, holds_off, pays, pays_else, matter: about, limits, only }
    }
}

/// Whether a sentence is a wish of the moment that one of the later requests replaced or gave up.
pub(in crate::summary::extractive) fn is_outlived(wish: &str, later: &[Later]) -> bool {
    let wish = lower(wish);
    if !is_wish(&wish) || has_any(&wish, &LASTING) {
        return false;
    }
    let (mut about, for_pay) = (matter(&wish), pays(&wish));
    about.retain(|topic| !ASKING.iter().any(|word| stem(word) == *topic));
    later.iter().any(|request| {
        let shared = |matter: &HashSet<String>| matter.intersection(&about).count();
        let turns = request.turns && (for_pay && request.pays || shared(&request.matter) >= SHARED);
        let limits = request.limits && (for_pay && request.pays || shared(&request.only) > 0);
        let holds_off = request.holds_off && shared(&request.matter) > 0;
        request.gives_up || turns || limits || holds_off || for_pay && request.pays_else
    })
}

/// What a lower-case sentence wants only one of: “book only one of the ferries to the island”.
fn limited(lower: &str) -> Option<&str> {
    let (_, rest) = lower.split_once(ONLY)?;
    let clause = rest.split([',', ';', ':', '.', '(']).next()?;
    let end = ENDS.iter().filter_map(|end| clause.find(end)).min();
    Some(&clause[..end.unwrap_or(clause.len())])
}

/// Whether a lower-case text names a means of payment.
fn pays(lower: &str) -> bool {
    each_word(lower).any(|word| PAYMENTS.contains(&word))
}

/// Whether a lower-case sentence begins as a wish.
pub(in crate::summary::extractive) fn is_wish(lower: &str) -> bool {
    let mut text = lower;
    while let Some(rest) = LEADS.iter().find_map(|lead| text.strip_prefix(lead)) {
        text = rest;
    }
    starts_any(text, &WISHES)
}

#[cfg(test)]
mod tests {
    use super::{Asked, Later, is_outlived};

    fn outlived(wish: &str, later: &[&str]) -> bool {
        let read = |text: &&str| Later::of(&Asked::read(Some(1), text, (*text).to_owned()));
        is_outlived(wish, &later.iter().map(read).collect::<Vec<_>>())
    }

    #[test]
    fn a_wish_of_the_moment_ends_with_a_request_that_turns_from_it() {
        let both = "I'd like to book both ferries to the island.";
        assert!(outlived(both, &["That is over my budget. Can you book only one of the ferries to the island?"]));
        assert!(outlived(both, &["I think I will hold off on the ferries right now."]));
        assert!(!outlived(both, &["Hold off on the lamps for now."]), "another thing");
        assert!(outlived(
            "I'd like to use my vouchers first.",
            &["In that case, charge my card with the full amount."]
        ));
        assert!(!outlived(both, &["Book the ferries to the island now."]));
        let seats = "I'd prefer a cabin with oil lamps, and I need two seats on the deck together.";
        let one = "I need to use only one of my coins. As the price of a cabin is 7, please book only for me instead.";
        assert!(!outlived(seats, &[one]), "only one of something else");
        assert!(outlived("I'd prefer to book two cabins for the trip.", &["Please book only one of the cabins."]));
        let window = "I'd like a window seat on the deck.";
        assert!(!outlived(window, &["Please book only one of the cabins and a window seat."]));
        let too_many = "My wife can't come, so the seats on the deck are too many. Please book only one.";
        assert!(outlived("I'd like two seats on the deck.", &[too_many]));
        assert!(outlived("I'd like to use my vouchers first.", &["Please use my card instead."]));
        assert!(!outlived(both, &["Use the ferries of the island as a sign instead."]));
        assert!(!outlived(both, &["In that case, which lamp is lit?"]));
        assert!(!outlived("I'd like you to never book both ferries.", &["Book only one of both ferries instead."]));
        assert!(!outlived("Use the old ferries.", &["Book only one of the old ferries instead."]));
    }
}
