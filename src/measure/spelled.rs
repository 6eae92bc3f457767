//! The same value in another spelling: amounts of money, decimals, dates, shares, and abbreviated digests.

use super::{SourceText, pattern};
use crate::facts::{Class, Fact, extract};
use crate::summary::all_digits;
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// An amount in dollars.
static AMOUNT: LazyLock<Regex> = LazyLock::new(|| pattern(r"\$ ?(\d+(?:,\d{3})*(?:\.\d+)?)([kKM]\b)?"));
/// A whole number, its thousands grouped or not.
static COUNT: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+(?:[,_]\d{3})*"));
static DATE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\d{4}-\d{2}-\d{2}$"));
/// Digits of a number that is sought alone, without a sign or word for dollars.
const LONG: usize = 3;
/// Most decimals of a percentage.
const DECIMALS: usize = 20;
/// Length of a digest of git, abbreviated and in full.
const SHORT: std::ops::RangeInclusive<usize> = 7..=63;
const FULL: std::ops::RangeInclusive<usize> = 8..=64;

/// Whether the source has the amount of money that a fact of a line is cut from; `None` if it is no amount.
pub(super) fn has_money(fact: &Fact, line: &str, source: &SourceText<'_>) -> Option<bool> {
    if fact.class != Class::Id || !fact.value.starts_with('$') {
        return None;
    }
    // Of a grouped amount, the fact has only the first digits.
    let is_it = |amount: &&str| extract(amount).contains(fact);
    let mut amounts = AMOUNT.find_iter(line).map(|found| found.as_str()).filter(is_it).peekable();
    amounts.peek()?;
    Some(amounts.all(|amount| has_amount(amount, source)))
}

/// Parts of addresses before the number of an issue or a pull request.
const NUMBERED: [&str; 4] = ["/pull/", "/pulls/", "/issues/", "/merge_requests/"];
/// Words before such a number.
const NAMED: [&str; 5] = ["PR ", "pull request ", "Pull request ", "issue ", "Issue "];

/// Whether the source has a date in a time stamp, a number in groups, a longer digest, an issue by its address, or a
/// repository as git names it (`github.com:quay/lamp`).
pub(super) fn has(fact: &Fact, source: &SourceText<'_>) -> bool {
    let value = fact.value.as_str();
    if fact.class == Class::Url {
        let repository = value.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
        let ends = |after: &str| after.trim_start_matches(".git").starts_with(|sign: char| !is_named(sign));
        return repository.is_some_and(|(host, path)| {
            let spelled = format!("@{host}:{}", path.trim_end_matches(".git"));
            source.around(&spelled).any(|(_, after)| after.is_empty() || ends(after))
        });
    }
    if let Some(number) = value.strip_prefix('#').filter(|number| all_digits(number)) {
        let is_whole = |after: &str| !after.starts_with(|sign: char| sign.is_ascii_digit());
        let known = |before: &&str| source.around(&format!("{before}{number}")).any(|(_, after)| is_whole(after));
        return NUMBERED.iter().chain(&NAMED).any(known);
    }
    if fact.class != Class::Id {
        false
    } else if DATE.is_match(value) {
        source.begins(&format!("{value}T"))
    } else if all_digits(value) {
        source.says_number(value) || source.values().contains(value)
    } else {
        is_size(value, source) || is_digest(value, source)
    }
}

/// Whether the source has a number with its unit behind a space: `2048 MB`.
fn is_size(value: &str, source: &SourceText<'_>) -> bool {
    let (number, unit) = value.split_at(value.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(value.len()));
    let is_unit = (1..=3).contains(&unit.len()) && unit.bytes().all(|letter| letter.is_ascii_alphabetic());
    is_unit
        && !number.is_empty()
        && source.has_behind(number, &|after| {
            let behind = after.strip_prefix(' ').and_then(|after| after.strip_prefix(unit));
            behind.is_some_and(|behind| !behind.starts_with(|sign: char| sign.is_alphanumeric()))
        })
}

fn is_named(sign: char) -> bool {
    sign.is_alphanumeric() || "_-./".contains(sign)
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a text is the beginning of a longer digest of the source.
fn is_digest(value: &str, source: &SourceText<'_>) -> bool {
    let goes_on = |(before, after): (&str, &str)| {
        let inside = |sign: char| sign.is_alphanumeric() || sign == '_';
        let word: String = after.chars().take(*FULL.end()).take_while(|sign| inside(*sign)).collect();
        !before.ends_with(inside) && FULL.contains(&(value.len() + word.len())) && is_hex(&word)
    };
    SHORT.contains(&value.len()) && is_hex(value) && source.around(value).any(goes_on)
}

/// Whether the source has an amount: with its sign, as a number of JSON, before `USD` or “dollars”, or, if it is long
/// enough, as a plain number.
fn has_amount(amount: &str, source: &SourceText<'_>) -> bool {
    let Some(found) = AMOUNT.captures(amount) else { return false };
    let zeros = match found.get(2).map(|unit| unit.as_str()) {
        Some("M") => 6,
        Some(_) => 3,
        None => 0,
    };
    let number = found[1].replace(',', "");
    let mut spellings = decimals(&number);
    if zeros > 0 {
        spellings.extend(whole(&number, zeros));
    }
    let with_groups = |number: &String| {
        let (before, behind) = number.split_at(number.find('.').unwrap_or(number.len()));
        super::source::grouped(before).map(|groups| groups.map(|group| group + behind))
    };
    let groups: Vec<String> = spellings.iter().filter_map(with_groups).flatten().collect();
    spellings.extend(groups);
    spellings.iter().any(|number| {
        let long = number.bytes().filter(u8::is_ascii_digit).count() >= LONG;
        source.around(number).any(|(before, after)| {
            let money = || {
                let begins = |word: &&str| {
                    after.trim_start().get(..word.len()).is_some_and(|own| own.eq_ignore_ascii_case(word))
                };
                before.trim_end().ends_with('$')
                    || before.trim_end().ends_with("\":")
                    || ["usd", "dollar", "us$", "$"].iter().any(begins)
            };
            is_whole(before, after) && (long || money())
        })
    })
}

/// Whether a number between these texts is no piece of a longer one.
fn is_whole(before: &str, after: &str) -> bool {
    let digit = |text: &str| text.ends_with(|sign: char| sign.is_ascii_digit());
    let joined = before.strip_suffix([',', '.', '_']).is_some_and(digit);
    // A few digits tell; a run of digits may be long.
    let digits = |text: &str| text.bytes().take(4).take_while(u8::is_ascii_digit).count();
    let group = after.strip_prefix([',', '_']).is_some_and(|rest| digits(rest) == 3);
    let decimal = after.strip_prefix('.').is_some_and(|rest| digits(rest) > 0);
    !digit(before) && !joined && digits(after) == 0 && !group && !decimal
}

/// A number with as many zeros at the end of its decimals as are written of it: `1249.5`, `1249.50`.
pub(super) fn decimals(number: &str) -> Vec<String> {
    let (before, decimals) = number.split_once('.').unwrap_or((number, ""));
    let bare = decimals.trim_end_matches('0');
    let mut all = vec![number.to_owned()];
    let padded = (bare.len()..=bare.len().max(2)).map(|length| match length {
        0 => before.to_owned(),
        length => format!("{before}.{bare}{}", "0".repeat(length - bare.len())),
    });
    all.extend(padded.filter(|other| other != number));
    all
}

/// A number times ten to the power of `zeros`, written out: `12.5` with 3 is 12500.
pub(super) fn whole(number: &str, zeros: usize) -> Option<String> {
    let (before, decimals) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{before}{decimals}");
    let bare = digits.trim_start_matches('0');
    (decimals.len() <= zeros).then(|| format!("{bare}{}", "0".repeat(zeros - decimals.len())))
}

/// Whether the source has a whole number that rounds to this one times ten to the power of `zeros`: 48213 for `48` with 3.
pub(super) fn shortens(number: &str, zeros: usize, source: &SourceText<'_>) -> bool {
    let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let step = u32::try_from(zeros.saturating_sub(decimals)).ok().and_then(|power| 10_u64.checked_pow(power));
    let Some((wanted, step)) = whole(number, zeros).and_then(|whole| whole.parse::<u64>().ok()).zip(step) else {
        return false;
    };
    let rounded = |count: &u64| count.saturating_add(step / 2) / step * step;
    source.whole_numbers().iter().any(|count| rounded(count) == wanted)
}

/// The whole numbers of a text, ascending.
pub(super) fn whole_numbers(text: &str) -> Vec<u64> {
    let own = |count: regex::Match<'_>| count.as_str().replace([',', '_'], "").parse::<u64>().ok();
    COUNT.find_iter(text).filter_map(own).collect::<BTreeSet<_>>().into_iter().collect()
}

/// A percentage as a share of one: `34.7` is 0.347; `None` from 100 on.
pub(super) fn hundredth(percent: &str) -> Option<String> {
    let (before, decimals) = percent.split_once('.').unwrap_or((percent, ""));
    (before.len() <= 2 && all_digits(before) && all_digits(decimals)).then(|| format!("0.{before:0>2}{decimals}"))
}

/// Whether the source has a share that rounds to this percentage: `87.42 %` or `0.8742` for 87.
pub(super) fn rounds_to(percent: &str, source: &SourceText<'_>) -> bool {
    let as_percent = |after: &str| {
        let digits = after.bytes().take(DECIMALS).take_while(u8::is_ascii_digit).count();
        let behind = after[digits..].trim_start();
        behind.starts_with('%') || behind.starts_with("percent") || behind.starts_with("per cent")
    };
    let is_number = percent.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_number
        && (rounds(percent, source, &as_percent)
            || hundredth(percent).is_some_and(|share| rounds(&share, source, &|_| true)))
}

/// Whether the source has a number with more decimals that rounds to this one; `fits` tells from what follows.
pub(super) fn rounds(number: &str, source: &SourceText<'_>, fits: &dyn Fn(&str) -> bool) -> bool {
    let point = |number: &str| if number.contains('.') { number.to_owned() } else { format!("{number}.") };
    let finds = |start: &str, up: bool| {
        source.around(start).any(|(before, after)| {
            let next = after.bytes().next().filter(u8::is_ascii_digit);
            let joined = before.ends_with(|sign: char| sign.is_ascii_digit() || matches!(sign, '.' | ','));
            !joined && next.is_some_and(|digit| (digit >= b'5') == up) && fits(after)
        })
    };
    finds(&point(number), false) || before(number).is_some_and(|less| finds(&point(&less), true))
}

/// The number whose last digit is one less: `0.86` for `0.87`.
fn before(number: &str) -> Option<String> {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let less = digits.parse::<u64>().ok()?.checked_sub(1)?;
    let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let written = format!("{less:0>width$}", width = digits.len());
    let (whole, rest) = written.split_at(written.len() - decimals);
    let whole = if whole.len() > 1 { whole.trim_start_matches('0') } else { whole };
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if decimals == 0 { whole.to_owned() } else { format!("{whole}.{rest}") })
}

#[cfg(test)]
mod tests {
    use crate::measure::source::on_said;
    use crate::measure::{numbers, support};

    /// Whether the summary's facts and numbers are all in the source.
    fn is_known(said: &str, summary: &str) -> bool {
        on_said(said, |source| {
            support::unsupported(summary, source).is_empty() && numbers::unsupported(summary, source).is_empty()
        })
    }

    #[test]
    fn an_amount_is_the_same_with_and_without_its_sign_and_groups() {
        let said = r#"{"price": 133, "fee": 7, "paid": [7136], "total": 1249.5} The rest is $23,553, or 40 USD; 1628.50 each."#;
        for line in [
            "$7,136",
            "$7136.",
            "$133",
            "$7",
            "$1,249.50",
            "$1249.5",
            "$23,553",
            "$40",
            "$1628.5",
            "paid $7,136, and $7.",
        ] {
            assert!(is_known(said, line), "{line}");
        }
        for line in ["$23", "$553", "$7,163", "$1,249.55", "$136", "$8", "$2", "$23,553 and $23"] {
            assert!(!is_known(said, line), "{line}");
        }
    }

    #[test]
    fn zeros_behind_the_point_of_an_amount_change_nothing() {
        assert!(is_known("total: 1249.5", "1249.50 in all") && is_known("total: 1249.50", "1249.5 in all"));
        assert!(!is_known("python 3.1", "python 3.10") && !is_known("total: 1249.5", "1249.05 in all"));
    }

    #[test]
    fn long_runs_of_digits_are_read_once() {
        let said = "7".repeat(300_000) + &"7%".repeat(100_000) + &"deadbee1".repeat(50_000);
        for line in ["$7", "$777", "87%", "at deadbee1"] {
            assert!(!is_known(&said, line), "{line}");
        }
    }

    #[test]
    fn a_date_stands_in_a_time_stamp_and_a_number_in_groups() {
        let said = r#""created_at": "2024-05-11T08:28:51", and 12,480 invoices"#;
        assert!(is_known(said, "on 2024-05-11") && is_known(said, "12480 invoices"));
        assert!(!is_known(said, "on 2024-05-12") && !is_known(said, "12840 invoices"));
    }

    #[test]
    fn a_digest_may_be_abbreviated() {
        let said = "HEAD is 552e38f85077118f0d7780131cf1d2cb7d5af8d9, v1234567890";
        assert!(is_known(said, "HEAD is 552e38f") && is_known(said, "at `552e38f8`"));
        for line in ["552e38a", "at `52e38f85`", "552e38f85077118f0d7780131cf1d2cb7d5af8da", "234567"] {
            assert!(!is_known(said, line), "{line}");
        }
    }

    #[test]
    fn a_percentage_is_a_share_of_one_and_a_rounded_one_only_warns() {
        let said = "hit rate 0.347, coverage 87.42 %, load 0.8651, 5.96% of 99.95%";
        assert!(is_known(said, "34.7%") && is_known(said, "34.7 percent") && is_known(said, "86.51 %"));
        let rounded = |line: &str| {
            let all = on_said(said, |source| numbers::unsupported(line, source));
            all.iter().map(|one| one.doubtful).collect::<Vec<_>>()
        };
        for line in ["87%", "87.4 %", "86.5%", "6%", "6 percent", "100%"] {
            assert_eq!(rounded(line), [true], "{line}");
        }
        for line in ["88%", "86.6%", "34.8%", "5%", "37.4%"] {
            assert_eq!(rounded(line), [false], "{line}");
        }
    }
}
