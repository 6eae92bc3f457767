//! What a speaker wants to make sure of: that something they have is in order, which binds nobody (“I want to make sure
//! everything works”), or how it has to be.

use crate::summary::extractive::words::{DAYS, DENIED, HAD, IN_ORDER, KEPT_SO, OWED, WISHES_TO};
use crate::summary::text::{each_word, has_any, has_digit, starts_any};

/// Verbs of a check.
const CHECKS: [&str; 4] = ["make sure", "be sure", "be certain", "ensure"];
/// Words behind what is in order that only say when, and words for what became of a thing as it should.
const SOON_AFTER: [&str; 10] = ["again", "before", "by", "for me", "for my", "for our", "now", "on", "there", "when"];
const SETTLED: [&str; 16] = [
    "active",
    "approved",
    "canceled",
    "cancelled",
    "confirmed",
    "delivered",
    "done",
    "fixed",
    "paid",
    "processed",
    "refunded",
    "resolved",
    "sent",
    "settled",
    "shipped",
    "there",
];
/// Words for all there is.
const ALL: [&str; 4] = ["everything", "everything's", "it all", "all of it"];
/// Words for how a thing fares.
const FARING_SO: [&str; 8] = ["will", "works", "work", "gets", "goes", "arrives", "stays", "is"];
/// Words for when.
pub(super) const WHEN: [&str; 6] = ["today", "tomorrow", "tonight", "soon", "next", "this"];
/// Words behind “by” of a time, and prepositions of a means or a place, to which the agent may have to keep.
const TIMED: [&str; 10] = ["then", "noon", "midnight", "the", "that", "time", "full", "end", "advance", "myself"];
const MEANS: [&str; 5] = ["by", "via", "on my", "to my", "with my"];

/// “I want to make sure everything works”, “I need to make sure my phone will work there”
pub(super) fn checks(text: &str) -> bool {
    let wanted = WISHES_TO.iter().find_map(|want| text.strip_prefix(want)).map(str::trim_start);
    let checked = wanted.and_then(|rest| CHECKS.iter().find_map(|check| rest.strip_prefix(check)));
    let Some(about) = checked.map(|rest| rest.trim_start().trim_start_matches("that ")) else { return false };
    // “… I'm asked before anything is paid”, “… I keep the old map working”
    let own = || {
        let does = ["i ", "i'm ", "i've ", "i'll "].iter().find_map(|own| about.strip_prefix(own));
        let verb =
            does.and_then(|does| each_word(does).find(|word| !["am", "can", "will", "get", "be"].contains(word)));
        verb.is_some_and(|verb| !OWED.contains(&verb))
    };
    let all = || starts_any(about, &ALL) && is_in_order(about);
    let had = || {
        let mut all = each_word(about);
        let named = match all.next() {
            Some("my" | "our") => all.next().is_some_and(|thing| HAD.contains(&thing)),
            Some("this") => about.starts_with("this gets "),
            _ => false,
        };
        named && fares(about) && !has_any(about, DENIED) && !has_any(about, KEPT_SO) && !names_means(about)
    };
    own() || all() || had()
}

/// Whether a text says that something is in order, and nothing of how: “works”, not “works offline”.
fn is_in_order(text: &str) -> bool {
    let all: Vec<&str> = each_word(text).collect();
    let last = all.iter().rposition(|word| IN_ORDER.contains(word));
    last.is_some_and(|last| {
        let rest = all[last + 1..].join(" ");
        rest.is_empty() || starts_any(&rest, &SOON_AFTER)
    })
}

/// Whether a text says how a thing fares, and no quality that it must have: “works there”, “is ready”, not “is
/// refundable”.
fn fares(text: &str) -> bool {
    let all: Vec<&str> = each_word(text).collect();
    let at = all.iter().position(|word| FARING_SO.contains(word));
    at.is_some_and(|at| {
        let rest: Vec<&str> = all[at + 1..].iter().copied().filter(|word| !["all", "still"].contains(word)).collect();
        let done = |word: &str| IN_ORDER.contains(&word) || SETTLED.contains(&word);
        match all[at] {
            "is" | "gets" | "stays" => match rest[..] {
                [word] => done(word),
                [word, next, ..] => done(word) && !["for", "in", "with", "of", "up"].contains(&next),
                [] => true,
            },
            _ => rest.first().is_none_or(|next| !["offline", "for", "without", "in", "on"].contains(next)),
        }
    })
}

/// Whether a text names a means or a place: “by invoice”, “on my Visa card”, not “by Friday”.
pub(super) fn names_means(text: &str) -> bool {
    let timed = |word: &str| has_digit(word) || DAYS.contains(&word) || WHEN.contains(&word) || TIMED.contains(&word);
    let named = |start: &str, rest: &str| {
        let next = each_word(rest).next();
        next.is_some_and(|word| start.ends_with("my") && !["own", "way"].contains(&word) || !timed(word))
    };
    MEANS.iter().any(|start| text.split_once(&format!(" {start} ")).is_some_and(|(_, rest)| named(start, rest)))
}
