//! Numbers below 100 that the source does not have, with a unit or as a value.

use super::dates::dates;
use super::lines::claims;
use super::numbers::{ABOUT, Number, is_counted, is_long, is_plain, with_zeros};
use super::spelled::{decimals, rounds};
use super::units::time_of;
use super::{SourceText, pattern};
use regex::Regex;
use std::cell::Cell;
use std::sync::LazyLock;

/// A number below 100 with its unit behind a space.
static SPACED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(\d{1,2}(?:\.\d+)?)[ \x{a0}](seconds?|secs?|s|minutes?|mins?|hours?|hrs?|h|days?|weeks?|months?|ms|[kKMGT]i?B|px|rpm|degrees|metres|meters|km|cm|mm|kg)\b",
    )
});

/// Returns the numbers below 100 with a unit (`45 seconds`) that the source has nowhere, whatever stands behind them, or
/// only with another unit of time. They are doubtful, as a summary may measure by itself.
pub fn unmeasured(text: &str, source: &SourceText<'_>) -> Vec<Number> {
    let found = claims(text).filter(|line| line.tells()).flat_map(|line| {
        let all = SPACED.captures_iter(line.text).filter_map(|found| Some((found.get(0)?, found.extract().1)));
        let wrong = all.filter(|(whole, [number, unit])| {
            let (before, whole_number) = (&line.text[..whole.start()], number.trim_start_matches('0'));
            let spelled = || in_words(whole_number).is_some_and(|word| source.mentions(word));
            let known = || {
                source.has_number(number)
                    || with_zeros(number).iter().any(|other| source.has_number(other))
                    || decimals(number).iter().any(|other| source.has_number(other))
            };
            let supported = is_long(number, unit, source)
                || match time_of(unit).map(|own| timed(number, own, source)) {
                    Some(Timed::So) => true,
                    Some(Timed::Otherwise) => false,
                    Some(Timed::Nowhere) | None => known(),
                };
            is_plain(line.text, whole.range())
                && !ABOUT.is_match(before)
                && !supported
                && !spelled()
                && !is_rounded(number, unit, source)
        });
        let number = |text: &str| Number { line: line.number, text: text.to_owned(), doubtful: true };
        wrong.map(|(whole, _)| number(whole.as_str())).collect::<Vec<_>>()
    });
    found.collect()
}

/// Whether the source has a duration that rounds to this one: `48.7 s`, or 48,703 ms, for 49 seconds.
fn is_rounded(number: &str, unit: &str, source: &SourceText<'_>) -> bool {
    let Some(own) = time_of(unit) else { return false };
    let same = |after: &str| {
        let behind = after.trim_start_matches(|sign: char| sign.is_ascii_digit()).trim_start();
        behind.split(|letter: char| !letter.is_alphabetic()).next().and_then(time_of) == Some(own)
    };
    let in_ms = |seconds: u64| {
        let (all, least) = (source.whole_numbers(), (seconds * 1_000).saturating_sub(500));
        let alike = all[all.partition_point(|one| *one < least)..].iter().take_while(|one| **one < least + 1_000);
        alike.take(MOST).any(|one| source.has_measure(&one.to_string(), &["", " "], "ms"))
    };
    rounds(number, source, &same)
        || Some(own) == time_of("s") && number.parse().is_ok_and(|seconds| seconds > 0 && in_ms(seconds))
}

/// Most numbers of the source that are compared with one of the summary.
const MOST: usize = 16;

/// With which units of time the source has a number.
enum Timed {
    /// With the wanted one.
    So,
    /// Only with others: `30 minutes` for `30 seconds`.
    Otherwise,
    /// With none.
    Nowhere,
}

/// With which units of time the source has a number, seen from the unit `own`.
fn timed(number: &str, own: usize, source: &SourceText<'_>) -> Timed {
    let other = Cell::new(false);
    let same = source.has_behind(number, &|after| {
        let word = after.trim_start_matches([' ', '\u{a0}', '-']).split(|letter: char| !letter.is_alphabetic()).next();
        let time = word.and_then(|word| time_of(&word.to_lowercase()));
        other.set(other.get() || time.is_some_and(|time| time != own));
        time == Some(own)
    });
    match (same, other.get()) {
        (true, _) => Timed::So,
        (false, true) => Timed::Otherwise,
        (false, false) => Timed::Nowhere,
    }
}

/// A number of two digits that stands for a value: `port 81`, `limit is 15`, `timeout = 15`.
static VALUE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)(?:\b(?:ports?|lines?|versions?|limit|total|maximum|minimum|timeout|status|code|returned|returns|is|was|are|were|of|to|at|all|added|removed)",
        r"|[\w`](?: ?[=:] ?)|[=:])[ \x{a0}]?`?([1-9]\d)\b"
    ))
});

/// Returns the values of two digits that the source has nowhere, in digits or words. They are doubtful, as a summary may
/// count and compute by itself.
pub fn absent(text: &str, source: &SourceText<'_>) -> Vec<Number> {
    let found = claims(text).filter(|line| line.tells()).flat_map(|line| {
        let dates = dates(line.text);
        let all = VALUE.captures_iter(line.text).filter_map(|found| found.get(1));
        let wrong = all.filter(|number| {
            let behind = line.text[number.end()..].trim_start_matches(['`', ' ', '\u{a0}']);
            let word = behind.split(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default();
            // What is counted, measured or a share is judged by itself.
            let judged = behind.starts_with('%') || is_counted(word) || time_of(&word.to_lowercase()).is_some();
            let spelled = || in_words(number.as_str()).is_some_and(|word| source.mentions(word));
            let known = || source.has_number(number.as_str()) || source.begins(number.as_str()) || spelled();
            let dated = || dates.iter().any(|date| date.contains(&number.start()));
            is_plain(line.text, number.range()) && !judged && !dated() && !known()
        });
        let number = |text: &str| Number { line: line.number, text: text.to_owned(), doubtful: true };
        wrong.map(|found| number(found.as_str())).collect::<Vec<_>>()
    });
    found.collect()
}

/// The word for a number that is often written as one.
pub(super) fn in_words(number: &str) -> Option<&'static str> {
    WORDS.iter().find(|(digits, _)| *digits == number).map(|(_, word)| *word)
}

/// Numbers that are often written as words.
const WORDS: [(&str, &str); 19] = [
    ("1", "one"),
    ("2", "two"),
    ("3", "three"),
    ("4", "four"),
    ("5", "five"),
    ("6", "six"),
    ("7", "seven"),
    ("8", "eight"),
    ("9", "nine"),
    ("10", "ten"),
    ("11", "eleven"),
    ("12", "twelve"),
    ("15", "fifteen"),
    ("20", "twenty"),
    ("24", "a day"),
    ("30", "thirty"),
    ("45", "forty-five"),
    ("60", "sixty"),
    ("90", "ninety"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::source::on_said;

    #[test]
    fn small_numbers_with_a_unit_are_doubted() {
        on_said(
            "The lamp waits 30 s, the log has 4 lines and half an hour; it takes 1500 ms. Wait ten minutes.",
            |source| {
                let wrong = |line: &str| unmeasured(&format!("## Discoveries\n- {line}"), source).len();
                for line in
                    ["It waits 30 seconds.", "It takes 1.5 seconds.", "Wait 10 minutes.", "about 45 seconds", "4 days"]
                {
                    assert_eq!(wrong(line), 0, "{line}");
                }
                assert_eq!(wrong("It waits 45 seconds.") + wrong("The log has 16 MB."), 2);
            },
        );
    }

    #[test]
    fn a_duration_may_be_rounded() {
        on_said("The run took 48.7 s, the bell timed out (5012 ms), the port is 9090.", |source| {
            let wrong = |line: &str| unmeasured(&format!("## Discoveries\n- {line}"), source).len();
            assert_eq!(wrong("The run took 49 s.") + wrong("The bell timed out after 5 s."), 0);
            for line in ["The run took 85 s.", "The run took 48 h.", "The bell rang for 9 s."] {
                assert_eq!(wrong(line), 1, "{line}");
            }
        });
    }

    #[test]
    fn a_number_with_another_unit_of_time_is_doubtful() {
        on_said(
            "The ferry waits 30 seconds, the lamp 15min, and 40 ships wait. Ring every 20 s or 20 min.",
            |source| {
                let wrong = |line: &str| unmeasured(&format!("## Discoveries\n- {line}"), source).len();
                assert_eq!(wrong("The ferry waits 30 minutes."), 1);
                assert_eq!(wrong("The lamp burns for 15 hours."), 1);
                for line in [
                    "The ferry waits 30 seconds.",
                    "The lamp burns for 15 minutes.",
                    "It rings after 20 minutes.",
                    "It rings after 20 seconds.",
                    "It took 40 minutes.",
                ] {
                    assert_eq!(wrong(line), 0, "{line}");
                }
            },
        );
    }

    #[test]
    fn a_value_that_stands_nowhere_is_doubtful() {
        on_said("The limit is 12, port 80, and thirty boats at 07:45. Lamp x34 is lit.", |source| {
            let wrong = |line: &str| absent(&format!("## Discoveries\n- {line}"), source).len();
            for line in
                ["The limit is 15.", "`timeout = 15`", "Port 81 is used.", "It returned 99.", "All 14 unit lamps"]
            {
                assert_eq!(wrong(line), 1, "{line}");
            }
            for line in
                ["The limit is 12.", "port 80", "All 30 boats", "There are 14 files", "It was 14 Nov 2025.", "x = 34"]
            {
                assert_eq!(wrong(line), 0, "{line}");
            }
        });
    }
}
