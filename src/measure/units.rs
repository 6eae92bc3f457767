//! Units of time in their spellings.

/// The units, each in all its spellings, in lower case.
const TIMES: [&[&str]; 7] = [
    &["ms", "millis", "millisecond", "milliseconds"],
    &["s", "sec", "secs", "second", "seconds"],
    &["m", "min", "mins", "minute", "minutes"],
    &["h", "hr", "hrs", "hour", "hours"],
    &["d", "day", "days"],
    &["week", "weeks"],
    &["month", "months"],
];

/// Index of the unit that a word names.
pub(super) fn time_of(word: &str) -> Option<usize> {
    TIMES.iter().position(|spellings| spellings.contains(&word))
}
