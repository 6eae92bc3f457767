//! A transcript before or after the work on it: as bytes, and counted with its faults.

use super::compactor::Compactor;
use super::cores::Cores;
use crate::check::faults_at_rest;
use crate::format::{Format, unread};
use crate::report::Amount;
use crate::tokens::Known;
use crate::transcript::{Fault, Spreading, Transcript, distinct, new_faults};

/// A transcript that is not read yet.
#[derive(Clone, Copy)]
pub(super) struct Raw<'s> {
    pub(super) format: &'static dyn Format,
    pub(super) source: &'s [u8],
    /// The line of its file that it begins at.
    pub(super) first_line: usize,
}

/// A transcript, counted and checked.
pub(super) struct Seen<'s> {
    /// The line of its file that it begins at.
    pub(super) first_line: usize,
    pub(super) transcript: Transcript<'s>,
    pub(super) faults: Vec<Fault>,
    pub(super) tokens: u64,
    pub(super) live: u64,
    /// The newest timestamp in milliseconds since 1970.
    pub(super) newest: Option<i64>,
    /// The longest answer stored beside the messages.
    pub(super) beside: Option<Amount>,
    /// Turns that were not read as messages; they are always kept.
    pub(super) unread: Amount,
}

impl Compactor<'_> {
    /// Counts a transcript, reusing known counts, and finds its faults in parallel.
    pub(super) fn see<'s>(&self, format: &dyn Format, mut transcript: Transcript<'s>, known: &Known<'_>) -> Seen<'s> {
        let (tokenizer, cores) = (self.tokenizer, Cores(self.model));
        let count = || cores.counts(tokenizer, &transcript.messages, known);
        let spreading = Spreading { over: &cores, bytes: transcript.source.len() };
        let (counts, faults) = spreading.both(count, || faults(format, &transcript));
        let parts = transcript.messages.iter_mut().flat_map(|message| &mut message.parts);
        parts.zip(counts).for_each(|(part, tokens)| part.tokens = tokens);
        let mut not_read = Amount::default();
        for (_, text) in unread(&transcript) {
            not_read += Amount { count: 1, tokens: tokenizer.count(&text).0, bytes: text.len() as u64 };
        }
        Seen::new(transcript, faults, not_read)
    }
}

impl<'s> Seen<'s> {
    fn new(transcript: Transcript<'s>, faults: Vec<Fault>, unread: Amount) -> Self {
        let tokens = transcript.tokens().0;
        let live = transcript.live().0;
        let newest = newest(&transcript);
        Self { first_line: 1, transcript, faults, tokens, live, newest, beside: None, unread }
    }

    /// A fault of `after` that this transcript does not have. A call that the input ends on is open there and no fault
    /// at rest, so faults at rest are also compared, to see if the output continues after it.
    pub(super) fn new_fault(&self, after: &Seen<'_>) -> Option<Fault> {
        let new = |before: &[Fault], after: &[Fault]| new_faults(before, after).first().map(|fault| (*fault).clone());
        let at_rest = |seen: &Seen<'_>| faults_at_rest(&seen.transcript);
        let open = after.faults.iter().any(|fault| fault.rule == "unanswered_call");
        new(&self.faults, &after.faults).or_else(|| open.then(|| new(&at_rest(self), &at_rest(after)))?)
    }
}

/// The newest readable timestamp in milliseconds since 1970. Timestamps are compared as times, since texts in different
/// zones have no order.
fn newest(transcript: &Transcript<'_>) -> Option<i64> {
    let mut newest: Option<(jiff::Timestamp, &str)> = None;
    // The last one usually is the newest: texts that are obviously not later are not parsed.
    for text in transcript.messages.iter().rev().filter_map(|message| message.timestamp.as_deref()) {
        if newest.is_some_and(|(_, known)| is_no_later(text, known)) {
            continue;
        }
        let time = text.parse::<jiff::Timestamp>().ok();
        newest = newest.max(time.map(|time| (time, text)));
    }
    newest.map(|(time, _)| time.as_millisecond())
}

/// Whether two timestamps have the same form and zone, and the first is not later.
fn is_no_later(text: &str, known: &str) -> bool {
    let alike = |(one, other): (u8, u8)| one == other || (one.is_ascii_digit() && other.is_ascii_digit());
    let starts_in_digit = known.starts_with(|first: char| first.is_ascii_digit());
    let is_plain = known.len() == text.len() && known.ends_with('Z') && starts_in_digit;
    is_plain && text <= known && text.bytes().zip(known.bytes()).all(alike)
}

/// All faults of a transcript, without duplicates.
fn faults(format: &dyn Format, transcript: &Transcript<'_>) -> Vec<Fault> {
    let mut faults = format.faults(transcript);
    faults.extend(crate::check::faults(transcript));
    distinct(&mut faults);
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::sketch::sketch;

    #[test]
    fn the_newest_time_is_that_of_the_clock_and_not_of_the_text() {
        let of = |times: &[&'static str]| {
            let mut transcript = sketch(&"u".repeat(times.len()));
            let messages = transcript.messages.iter_mut().zip(times);
            messages.for_each(|(message, time)| message.timestamp = Some((*time).into()));
            newest(&transcript)
        };
        let noon = of(&["2026-01-01T12:00:00Z"]);
        assert_eq!(of(&["2026-01-01T12:00:00Z", "n/a", "2026-01-01T13:30:00+02:00"]), noon);
        assert_eq!((noon, of(&["n/a"])), (Some(1_767_268_800_000), None));
    }
}
