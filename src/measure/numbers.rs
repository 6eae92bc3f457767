//! Plain numbers in a summary that the source does not have: counts, ports, sizes, exit statuses.
//!
//! A summary may count things itself, so only three kinds are judged: a number of three digits or more that the source
//! does not have, a number before a word that the source counts otherwise (`9 passed` for `7 passed`), and a measure
//! (`7.77s`, `73%`, `10:45`), a date in words or a time stamp that the source does not have in any spelling. Other counts
//! are only doubtful (see [`uncounted`]).

use super::amounts::{amounts, has_decimal_comma, unknown_of};
use super::clock;
use super::context::changed;
use super::counted::{has_no_outcome, is_computed, is_joined, is_mark, is_of_failed, is_times_a_name};
use super::dates::{dates, unknown};
use super::dense::{has_dense, parted, time_unit};
use super::lines::claims;
use super::ordinals::Ordinals;
use super::outcomes::{is_outcome, is_rate, is_sum};
use super::sized::{is_about, is_factor, is_shortened};
use super::spelled::{decimals, hundredth, rounds_to, whole};
use super::{SourceText, pattern};
use crate::facts::{Class, Fact};
use crate::summary::is_note;
use regex::Regex;
use std::sync::LazyLock;

/// A number that the source does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number {
    /// Line of the summary, from 1.
    pub line: usize,
    /// The number, with the counted word where that matters.
    pub text: String,
    /// It may be right: a percentage called rounded, as `about 5%` may be computed from numbers in the source, or a
    /// rounded one of the source; a time of another zone; a count that the source does not give.
    pub doubtful: bool,
}

/// Words that call the following number rounded.
pub(super) static ABOUT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)(?:\b(?:about|around|roughly|approximately|nearly|almost|some)\s+|[~≈]\s?)$"));

static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?\b|[1-9]\d{0,2}(?:\.\d{3})+,\d{1,2}\b|\d+(?:\.\d+)*)(?:[ \t]+[A-Za-z]{3,})?",
    )
});
/// Words that count outcomes of runs.
pub(super) const COUNTED: &[&str] = &[
    "passed", "failed", "passing", "failing", "pass", "fail", "errors", "warnings", "tests", "failures", "skipped",
    "issues", "problems",
];
/// Words of [`COUNTED`] for a run without failures.
const PASSED: [&str; 2] = ["passed", "passing"];
/// Least digits of a number that is sought alone.
const LONG: usize = 3;
/// A number with its unit, or a time of day.
static MEASURE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(\d+(?:[.,]\d+)*)([ \x{a0}]?%| percent\b|[nuµm]s|secs?|s|min|m|hrs?|h|d|[kKMGT]i?[bB]|[kKMGTBx]|[kMG]?Hz|px|fps|rpm|°[CF]?)",
        r"|(\d{1,2}:\d{2}(?::\d{2})?(?:[ \x{a0}\x{202f}]?(?i:[ap])\.?(?i:m)\b)?)"
    ))
});

/// Units behind a duration such as `2:30 min`.
const LASTS: [&str; 13] =
    ["h", "hour", "hours", "hrs", "min", "mins", "minute", "minutes", "s", "sec", "second", "secs", "seconds"];

/// Returns the numbers of a summary that the source does not have.
pub fn unsupported(text: &str, source: &SourceText<'_>) -> Vec<Number> {
    let ordinals = Ordinals::of(text);
    let found = claims(text).flat_map(|line| {
        let words = parted(line.text);
        let (mut dates, mut parted_dates) = (dates(line.text), dates(&words));
        let money = amounts(&words, source);
        dates.extend(amounts(line.text, source).into_iter().map(|amount| amount.at));
        parted_dates.extend(money.iter().map(|amount| amount.at.clone()));
        let in_date = |found: &regex::Match<'_>| parted_dates.iter().any(|date| date.contains(&found.start()));
        let numbers = NUMBER.find_iter(&words).filter(|found| is_plain(&words, found.range()) && !in_date(found));
        let known = |found: &regex::Match<'_>| {
            is_supported(found.as_str(), source)
                || is_time(&words, found.as_str(), found.end(), source)
                || is_outcome(&words, found.as_str(), found.end(), source)
                || is_about(&words[..found.start()], found.as_str(), &words[found.end()..], source)
                || is_share(&words, found.as_str(), found.end())
                || is_mark(&words[..found.start()], &words[found.end()..])
                || ordinals.tells(found.as_str().split([' ', '\t']).next().unwrap_or_default(), &words[..found.start()])
                || has_dense(&words[..found.start()], found.as_str(), &words[found.end()..], source)
                || time_unit(&words[found.end()..]).is_some_and(|unit| is_measured(found.as_str(), unit, source))
        };
        let counted =
            |found: &regex::Match<'_>| has_no_outcome(&words[..found.start()], found.as_str(), &words[found.end()..]);
        let of_failed = |found: &regex::Match<'_>| {
            counted(found) && found.as_str().split_once(' ').is_some_and(|(number, _)| is_of_failed(number, source))
        };
        let wrong = numbers.filter(|found| !known(found) && !of_failed(found));
        let wrong = wrong.map(|found| (found.as_str(), counted(&found)));
        let mut all: Vec<(&str, bool)> =
            wrong.chain(measures(&words, source)).chain(unknown_of(&money, &words)).collect();
        let changed = changed(line.text, source).into_iter();
        let changed = changed.filter(|(at, _)| !dates.iter().any(|date| date.contains(at)));
        let changed = changed.map(|(at, number)| (number, is_joined(&line.text[..at], number, source)));
        let told = |number: &str| all.iter().any(|(told, _)| told.starts_with(number));
        let changed: Vec<_> = changed.filter(|(number, _)| !told(number)).collect();
        all.extend(changed);
        let rounded = |text: &str| {
            let number = text.trim_end_matches(['%', ' ', '\u{a0}']).trim_end_matches("percent").trim_end();
            let about = || line.text.split_once(text).is_some_and(|(before, _)| ABOUT.is_match(before));
            let share = text.ends_with("percent") || text.ends_with('%');
            share && (about() || rounds_to(number, source))
                || text.ends_with('x') && about()
                || is_shortened(text, line.text, source)
        };
        let number = |(text, doubtful): (&str, bool)| Number { line: line.number, text: text.to_owned(), doubtful };
        let all = all.into_iter().map(|(text, doubtful)| (text, doubtful || rounded(text)));
        all.chain(unknown(line.text, source)).map(number).collect::<Vec<_>>()
    });
    found.collect()
}

/// A count of two digits, and the word that it counts.
static TWO_DIGITS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b(\d{2}) ([a-z]{4,})\b"));
/// Words for what a summarizer counts itself, or judged elsewhere.
const OWN: &[&str] = &[
    "files",
    "lines",
    "messages",
    "changes",
    "edits",
    "commits",
    "commands",
    "calls",
    "times",
    "steps",
    "items",
    "turns",
    "tokens",
    "words",
    "more",
    "others",
    "other",
    "total",
    "characters",
    "sections",
    "questions",
    "requests",
    "places",
];

/// Whether a word is counted by the summary itself, or judged elsewhere.
pub(super) fn is_counted(word: &str) -> bool {
    OWN.contains(&word) || COUNTED.contains(&word)
}

/// Returns the counts of two digits (`37 callers`) for which the source counts the same only with other numbers, and does
/// not have the number at all. They are doubtful, as a summary may count by itself.
pub fn uncounted(text: &str, source: &SourceText<'_>) -> Vec<Number> {
    let found = claims(text).filter(|line| line.tells()).flat_map(|line| {
        let all = TWO_DIGITS.captures_iter(line.text).filter_map(|found| Some((found.get(0)?, found.extract().1)));
        let plain = all.filter(|(whole, _)| is_plain(line.text, whole.range()));
        let counted = plain.filter(|(_, [number, word])| {
            !is_counted(word)
                && source.counts(word).is_some_and(|counts| !counts.contains(*number))
                && !source.begins(number)
        });
        counted
            .map(|(whole, _)| Number { line: line.number, text: whole.as_str().to_owned(), doubtful: true })
            .collect::<Vec<_>>()
    });
    found.collect()
}

/// The measures of a line that the source does not have, and whether they may be right.
fn measures<'t>(line: &'t str, source: &SourceText<'_>) -> impl Iterator<Item = (&'t str, bool)> {
    MEASURE.captures_iter(line).filter_map(|found| {
        let (all, number, unit) = (found.get(0)?, found.get(1), found.get(2));
        let known = match number.zip(unit) {
            Some((number, unit)) => {
                let (number, unit) = (number.as_str(), unit.as_str().trim());
                let around = [&line[..all.start()], &line[all.end()..]];
                let share = || is_computed(number, line) || is_rate(number, around, source);
                is_measured(number, unit, source) || ["%", "percent"].contains(&unit) && share()
            }
            None => {
                let time = all.as_str();
                let lasts = || {
                    let behind = line[all.end()..].trim_start();
                    let word = behind.split(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default();
                    LASTS.contains(&word)
                };
                source.has_number(time) || source.has_place(time) || !lasts() && clock::has(time, source)
            }
        };
        let doubtful = is_times_a_name(all.as_str(), &line[all.end()..]);
        (is_plain(line, all.range()) && !known).then_some((all.as_str(), doubtful))
    })
}

/// Whether the source has a number with its unit: joined, apart, spelled out, or as the thousands that it abbreviates.
fn is_measured(number: &str, unit: &str, source: &SourceText<'_>) -> bool {
    let long = number.bytes().filter(u8::is_ascii_digit).count() >= LONG;
    let words: &[&str] = match unit {
        "%" | "percent" => &["%", "percent", "per cent", "pct", "prozent", "pour cent", "por ciento"],
        "x" => &["x", "times", "×", "-fold"],
        _ => &[unit.split_at(unit.chars().next().map_or(0, char::len_utf8)).0],
    };
    let apart = ["", " ", "\u{a0}", "-"];
    let spelled = || words.iter().any(|word| source.has_measure(number, &apart, word));
    let bare = number.replace(',', "");
    let thousands = match unit {
        "k" | "K" => whole(&bare, 3),
        "M" => whole(&bare, 6),
        _ => None,
    };
    let share = || {
        words[0] == "%"
            && hundredth(&bare).is_some_and(|share| decimals(&share).iter().any(|own| source.has_number(own)))
    };
    let zeros = || {
        let says = |other: &String| words.iter().any(|word| source.has_measure(other, &apart, word));
        with_zeros(number).iter().any(says)
    };
    (long && source.has_number(number))
        || share()
        || spelled()
        || zeros()
        || is_name(number, unit, source)
        || thousands.is_some_and(|whole| source.has_number(&whole))
        || bare != number && is_measured(&bare, unit, source)
        || has_decimal_comma(number) && is_measured(&number.replace(',', "."), unit, source)
        || is_long(&bare, unit, source)
        || is_factor(&bare, unit, source)
}

/// Whether the source has the same duration in a smaller unit: `2h` is 7200 seconds or 120 min, `2.9s` is 2900 ms.
pub(super) fn is_long(number: &str, unit: &str, source: &SourceText<'_>) -> bool {
    let (smaller, bare): (&[(u64, &str)], bool) = match unit {
        "s" | "sec" | "secs" | "second" | "seconds" => (&[(1_000, "ms")], true),
        "m" | "min" | "minute" | "minutes" => (&[(60, "s")], true),
        "h" | "hr" | "hrs" | "hour" | "hours" => (&[(60, "m"), (3_600, "s")], true),
        _ => (&[], false),
    };
    let whole = |times: u64| {
        let (before, decimals) = number.split_once('.').unwrap_or((number, ""));
        let scale = 10_u64.checked_pow(u32::try_from(decimals.len()).ok()?)?;
        let value = format!("{before}{decimals}").parse::<u64>().ok()?.checked_mul(times)?;
        (value > 0 && value % scale == 0).then(|| (value / scale).to_string())
    };
    let has = |number: &str, unit: &str| {
        let spelled = source.has_measure(number, &["", " ", "-"], unit);
        spelled || bare && number.len() >= LONG && source.has_number(number)
    };
    smaller.iter().any(|(times, unit)| whole(*times).is_some_and(|number| has(&number, unit)))
}

/// Whether a number before a unit of time is in the source in another unit.
fn is_time(line: &str, found: &str, end: usize, source: &SourceText<'_>) -> bool {
    let (number, word) = found.split_once([' ', '\t']).unwrap_or((found, ""));
    let behind = line[end..].trim_start();
    let unit = if word.trim().is_empty() {
        behind.split(|letter: char| !letter.is_alphabetic()).next()
    } else {
        Some(word.trim())
    };
    unit.is_some_and(|unit| is_long(&number.replace(',', ""), unit, source))
}

/// Whether a number is a percentage, which is judged as a measure.
fn is_share(line: &str, found: &str, end: usize) -> bool {
    found.ends_with(" percent") || line[end..].trim_start_matches([' ', '\u{a0}']).starts_with('%')
}

/// Whether a number with several points and a unit is an id of the source: the path data of a picture are no measures.
fn is_name(number: &str, unit: &str, source: &SourceText<'_>) -> bool {
    let value = format!("{number}{unit}");
    number.matches('.').count() > 1 && source.knows(&Fact { class: Class::Id, value })
}

/// Whether a number is no piece of a name, a path or a version (even a cut one, `2.14.…`), and not counted by the
/// summarizer (`4×`, `and 12 more`, `(4200 tokens)`, or messages in a note of ours).
pub(super) fn is_plain(line: &str, found: std::ops::Range<usize>) -> bool {
    let (before, after) = (&line[..found.start], &line[found.end..]);
    let glued = |letter: char| letter.is_alphanumeric() || "_-/.#:@…×".contains(letter);
    let counted = &line[found];
    let noted = counted.ends_with(" messages") && is_note(line);
    let own = counted.ends_with(" more") || counted.ends_with(" tokens") || noted || after.starts_with(".…");
    let sentence_end =
        after.starts_with(['.', ':']) && !after[1..].starts_with(|letter: char| letter.is_alphanumeric());
    !before.ends_with(glued) && (sentence_end || !after.starts_with(glued)) && !own
}

pub(super) fn is_supported(found: &str, source: &SourceText<'_>) -> bool {
    let (number, word) = found.split_once([' ', '\t']).unwrap_or((found, ""));
    let (word, bare) = (word.trim(), number.replace(',', ""));
    if COUNTED.contains(&word.to_lowercase().as_str()) {
        let says = || source.says_number(number) || source.says_number(&bare);
        // Where nothing counts the word, a small number may be of the summary's own counting.
        let counts = source.counts(word).map(|counts| counts.contains(number) || counts.contains(&bare));
        let counted = counts.unwrap_or_else(|| bare.len() < LONG || says());
        // “44 tests” of which a run says that they passed.
        let passed = || PASSED.iter().any(|word| source.counts(word).is_some_and(|counts| counts.contains(number)));
        return counted || word.eq_ignore_ascii_case("tests") && (is_sum(number, source) || passed());
    }
    // A version equals the same with a `v`; a measure may be written with or without a space before its unit.
    let unit = || word.get(..1).is_some_and(|unit| source.begins_number(number, unit));
    // A list of numbers may look like one number with grouped thousands.
    let each = || {
        let all = number.split(',');
        all.clone().count() > 2 && all.clone().all(|one| one.len() == LONG && source.says(one))
    };
    let listed = || bare != number && (source.has(&number.replace(',', ", ")) || each());
    // Versions have short numbers before the first point, and `3.10` is not 3.1.
    let padded = || {
        let long =
            bare.split_once('.').is_some_and(|(before, _)| before.len() >= LONG) && bare.matches('.').count() == 1;
        long && decimals(&bare).iter().any(|number| source.says_number(number))
    };
    // The marks of groups and decimals are swapped in some languages: `12.345,60`.
    let swapped = || {
        let marks = |sign| match sign {
            ',' => '.',
            '.' => ',',
            other => other,
        };
        let other: String = number.chars().map(marks).collect();
        number.contains(',')
            && number.contains('.')
            && (source.says_number(&other) || source.says_number(&other.replace(',', "")))
    };
    number.len() < LONG
        || source.says_number(number)
        || source.says(&format!("v{number}"))
        || unit()
        || listed()
        || padded()
        || with_zeros(number).iter().any(|other| source.says_number(other))
        || swapped()
}

/// A number whose decimals are zeros, with another number of them: `12.0` and `12.00` are the same.
pub(super) fn with_zeros(number: &str) -> Vec<String> {
    let Some((before, zeros)) = number.split_once('.') else { return Vec::new() };
    let is_zeros = !zeros.is_empty() && zeros.bytes().all(|digit| digit == b'0');
    let all = (1..=MOST_ZEROS).filter(|length| is_zeros && *length != zeros.len());
    all.map(|length| format!("{before}.{:0<length$}", "")).collect()
}

/// Most zeros that are written as decimals.
const MOST_ZEROS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::source::on_said;
    use crate::transcript::sketch::sketch;

    #[test]
    fn zeros_behind_the_point_are_no_other_number() {
        on_said("The gauge shows 12.0 m, and the lamp has version 3.10 and 120.5 units.", |source| {
            let wrong = |line: &str| unsupported(&format!("## Discoveries\n- {line}"), source).len();
            assert_eq!(wrong("The gauge shows 12.00 m; it shows 12.00."), 0);
            assert_eq!(wrong("The lamp has version 3.100") + wrong("It shows 12.01"), 2);
        });
    }

    #[test]
    fn long_counts_of_tests_stand_somewhere_though_nothing_counts_tests() {
        on_said("The lamps burn; 123/123 are green. Item 4711 is not.", |source| {
            let wrong = |line: &str| unsupported(&format!("## Accomplished\n- {line}"), source).len();
            assert_eq!(wrong("4821 passed, 3 failed.") + wrong("The suite has 4821 tests."), 2);
            assert_eq!(wrong("123 passed.") + wrong("12 passed, 3 failed."), 0);
        });
    }

    fn found(summary: &str) -> Vec<String> {
        let mut transcript = sketch("u");
        transcript.messages[0].parts[0].text = "test result: 7 passed; 0 failed; took 318 ms; 2 errors at 10.5; \
            1.54s at 09:12, 64 MiB, 73 percent, 12,000 rows, 3 times, 7,500 calls, 1800 ms"
            .into();
        let messages: Vec<_> = transcript.messages.iter().collect();
        unsupported(summary, &SourceText::new(&messages))
            .into_iter()
            .map(|one| format!("{} {}", one.line, one.text))
            .collect()
    }

    #[test]
    fn changed_counts_and_long_numbers_are_found() {
        assert_eq!(found("x\n- 9 passed; 0 failed"), ["2 9 passed"]);
        assert_eq!(found("took 381 ms"), ["1 381"]);
        let mut transcript = sketch("u");
        transcript.messages[0].parts[0].text = "27 pass / 0 fail; 0 issues; 3 problems".into();
        let messages: Vec<_> = transcript.messages.iter().collect();
        let wrong =
            unsupported("96 pass, 5 fail, 77 issues, 4 problems; 27 pass / 0 fail", &SourceText::new(&messages));
        let wrong: Vec<&str> = wrong.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(wrong, ["96 pass", "5 fail", "77 issues", "4 problems"]);
        assert_eq!(found("took 318 ms, at 10.5."), Vec::<String>::new());
        assert_eq!(found("9,999.50 rows, 12,000.0 rows, 3,073 rows"), ["1 9,999.50 rows", "1 3,073 rows"]);
    }

    #[test]
    fn a_number_may_touch_words_of_scripts_without_spaces() {
        let found = |line: &str| {
            let said = "版本2.4.1有1200行，占19%，费用12,345.60，1540 ms";
            let numbers = super::super::source::on_said(said, |source| unsupported(line, source));
            numbers.into_iter().map(|one| one.text).collect::<Vec<_>>()
        };
        assert_eq!(found("版本2.4.1，1200行，19%를，12,345.60，0.12万行，1.2千行"), Vec::<String>::new());
        assert_eq!(found("版本2.9.9，9300行，17%를，77,777.77"), ["2.9.9", "9300", "77,777.77", "17%"]);
        assert_eq!(found("9300万行，新增9300分支"), ["9300", "9300"]);
        assert_eq!((found("节约9300万行"), found("共计约9300万行")), (vec!["9300".to_owned()], Vec::new()));
        assert_eq!(found("约1.3万行，耗时1.54秒"), Vec::<String>::new());
    }

    #[test]
    fn a_number_may_have_the_marks_of_another_language() {
        let found = |said: &str, line: &str| {
            let numbers = super::super::source::on_said(said, |source| unsupported(line, source));
            numbers.into_iter().map(|one| one.text).collect::<Vec<_>>()
        };
        for said in ["12,345.60 euros", "12345.60 euros"] {
            assert_eq!(found(said, "es kostet 12.345,60 Euro"), Vec::<String>::new(), "{said}");
            assert_eq!(found(said, "es kostet 12.345,70 Euro"), ["12.345,70"], "{said}");
        }
        assert_eq!(found("at 14:30 or 23:55", "at 2:30 pm, 11:55pm"), Vec::<String>::new());
        assert_eq!(found("at 14:30 or 23:55", "at 2:30 am, 11:56pm"), ["2:30 am", "11:56pm"]);
        assert_eq!(found("at 14:30", "it leaves at 2:30 so the high water of 2:30 has gone"), Vec::<String>::new());
        assert_eq!(found("at 14:30", "it took 2:30 min, 2:30 hours"), ["2:30", "2:30"]);
        for said in ["codes 1, 2, 200 and 300", "codes 12, 345 and 678"] {
            assert_eq!(found(said, "1,200,300 rows; 12,345,678 rows").len(), 2, "{said}");
        }
        assert_eq!(found("404, 500 and 503", "404,500,503"), Vec::<String>::new());
    }

    #[test]
    fn the_numbers_of_a_date_in_words_are_those_of_the_date() {
        let found = |said: &str, line: &str| {
            let numbers = super::super::source::on_said(said, |source| unsupported(line, source));
            numbers.into_iter().map(|one| one.text).collect::<Vec<_>>()
        };
        assert_eq!(found("released 14.3.2031", "Released on 14 March 2031."), Vec::<String>::new());
        assert_eq!(found("released 14.3.2031", "Released on 23 March 2031."), ["23 March 2031"]);
    }

    #[test]
    fn what_is_counted_otherwise_is_doubtful() {
        let found = |said: &str, line: &str| {
            let numbers = super::super::source::on_said(said, |source| uncounted(line, source));
            numbers.into_iter().map(|one| one.text).collect::<Vec<_>>()
        };
        let said = "The module has 73 callers, the timeout is 30 seconds; 4 files.";
        assert_eq!(found(said, "There are 37 callers."), ["37 callers"]);
        assert_eq!(found(said, "The timeout is 45 seconds."), ["45 seconds"]);
        for line in
            ["73 callers", "There are 7 callers", "37 readers", "Changed 14 files", "37× callers", "## 37 callers"]
        {
            assert_eq!(found(said, line), Vec::<String>::new(), "{line}");
        }
        assert_eq!(found("73 callers, 37.5 on average", "37 callers"), Vec::<String>::new(), "it may be rounded");
    }

    #[test]
    fn measures_stand_in_the_source_in_some_spelling() {
        for line in [
            "1.54s at 09:12",
            "64MiB",
            "73%",
            "12k rows",
            "3x",
            "318ms",
            "took 1.54 seconds",
            "down by -5%",
            "7.5k calls",
            "1,800ms",
        ] {
            assert_eq!(found(line), Vec::<String>::new(), "{line}");
        }
        for (line, measure) in [
            ("finished in 7.77s", "7.77s"),
            ("took 13ms.", "13ms"),
            ("512MB free", "512MB"),
            ("74%", "74%"),
            ("10k rows", "10k"),
            ("4x as fast", "4x"),
            ("at 10:45", "10:45"),
            ("54s", "54s"),
            ("8 took 77secs", "77secs"),
            ("9.5k calls", "9.5k"),
        ] {
            assert_eq!(found(line), [format!("1 {measure}")], "{line}");
        }
    }

    #[test]
    fn a_number_is_the_same_with_its_thousands_apart_in_another_unit_or_as_a_sum() {
        let said = "requests 48213 of 1,250,000; p95 2900 ms; timeout: 7200; 30 percent fail; 1 failed, 211 passed; at 5%; 24 tests";
        let found = |summary: &str| {
            let numbers = super::super::source::on_said(said, |source| unsupported(summary, source));
            numbers.into_iter().map(|one| one.text).collect::<Vec<_>>()
        };
        for line in [
            "48,213 requests",
            "1250000 in all",
            "2,900 ms",
            "p95 is 2.9 s, 2.9 seconds, or 2.9s",
            "2h",
            "30% and 5 %, 5 percent",
            "212 tests",
            "211 of 212 tests",
        ] {
            assert_eq!(found(line), Vec::<String>::new(), "{line}");
        }
        for (line, wrong) in [
            ("48,231 requests", "48,231 requests"),
            ("2.8 s", "2.8"),
            ("50 %", "50 %"),
            ("about 50 percent", "50 percent"),
            ("213 tests", "213 tests"),
            ("3h", "3h"),
        ] {
            assert_eq!(found(line), [wrong], "{line}");
        }
    }

    #[test]
    fn tests_are_counted_by_their_outcome_whatever_the_words() {
        let said = "2 failed, 18 passed in 4.1s\n20 passed; all 20 tests pass now";
        let found = |summary: &str| super::super::source::on_said(said, |source| unsupported(summary, source).len());
        for line in ["2 tests failed and 18 tests passed", "2 tests are failing", "18 tests have passed."] {
            assert_eq!(found(line), 0, "{line}");
        }
        assert_eq!(found("2 tests were about the lamp"), 0);
        for line in ["3 tests failed", "19 tests passed", "2 tests passed", "3 tests were added"] {
            assert_eq!(found(line), 1, "{line}");
        }
    }

    #[test]
    fn a_share_may_be_rounded() {
        let rounded = |summary: &str| {
            super::super::source::on_said("one in twenty", |source| unsupported(summary, source)[0].doubtful)
        };
        assert_eq!(
            ["about 5%", "roughly 5 percent", "~5 %", "exactly 5%", "about 5ms"].map(rounded),
            [true, true, true, false, false]
        );
    }

    #[test]
    fn thousands_may_be_rounded() {
        let rounded = |summary: &str| {
            super::super::source::on_said("48,213 rows of 1249999; v48999", |source| {
                unsupported(summary, source).iter().map(|one| one.doubtful).collect::<Vec<_>>()
            })
        };
        for line in ["48k rows", "48.2k rows", "1.2M rows", "1.25M rows", "1250k rows"] {
            assert_eq!(rounded(line), [true], "{line}");
        }
        for line in ["47k rows", "48.3k rows", "1.3M rows", "48M rows"] {
            assert_eq!(rounded(line), [false], "{line}");
        }
    }

    #[test]
    fn a_line_and_its_column_are_the_same_in_any_spelling() {
        let mut transcript = sketch("u");
        transcript.messages[0].parts[0].text = "src/rows.ts(10,15): error TS2345 and src/rows.ts(21, 30)".into();
        let messages: Vec<_> = transcript.messages.iter().collect();
        let wrong = |line: &str| unsupported(line, &SourceText::new(&messages)).len();
        assert_eq!(["fails at 10:15", "src/rows.ts:10:15", "at 21:30"].map(wrong), [0; 3]);
        assert_eq!(["fails at 10:16", "at 15:10", "at 1:30"].map(wrong), [1; 3]);
    }

    #[test]
    fn what_a_summary_counts_itself_is_left_alone() {
        for line in ["edited 120×", "and 150 more", "3 files", "4 skipped", "fn_123 at v3.100 #123", "(4200 tokens)"] {
            assert_eq!(found(line), Vec::<String>::new(), "{line}");
        }
    }

    #[test]
    fn pieces_of_names_and_notes_of_ours_are_no_numbers() {
        let source = "cp tides-core-2.14.1.jar; d=\"M1.033 2.014.302.597.162.553.06.17h.105v\"; lamps 1.5.2s";
        let found = |summary: &str| {
            let numbers = super::super::source::on_said(source, |source| unsupported(summary, source));
            numbers.into_iter().map(|one| one.text).collect::<Vec<_>>()
        };
        for line in ["Ran `cp tides-core-2.14.…`", "has 162.553.06.17h", "[113 messages were left out]"] {
            assert_eq!(found(line), Vec::<String>::new(), "{line}");
        }
        assert_eq!(found("has 162.553.06.18h"), ["162.553.06.18h"]);
        assert_eq!(found("took 2.14. It"), ["2.14"]);
        assert_eq!(found("The harbour sent 113 messages"), ["113 messages"]);
    }
}
