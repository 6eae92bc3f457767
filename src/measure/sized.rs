//! Numbers that a summary writes otherwise than the source: durations as code writes them, sizes in bytes, and what is
//! called rounded.

use super::numbers::ABOUT;
use super::source::grouped;
use super::spelled::shortens;
use super::units::time_of;
use super::{SourceText, pattern};
use regex::Regex;
use std::sync::LazyLock;

/// Most decimals of a size that are compared.
const DECIMALS: usize = 3;

/// Whether the source has a duration as code writes it: `30 * time.Minute`, `from_secs(30)`, `minutes=30`.
pub(super) fn is_factor(number: &str, unit: &str, source: &SourceText<'_>) -> bool {
    let Some(name) = time_of(unit).and_then(|at| UNITS.get(at)) else { return false };
    let behind = ["*time.", " * time.", "*", " * "].map(|sign| format!("{sign}{name}"));
    let before = [
        format!("time.{name} * "),
        format!("{}s=", name.to_lowercase()),
        format!("from_{}(", if *name == "Millisecond" { "millis" } else { "secs" }),
    ];
    let ends = |before: &str| before.ends_with(|sign: char| sign.is_ascii_digit() || sign == '.');
    let starts = |after: &str| after.starts_with(|sign: char| sign.is_ascii_digit() || sign == '.');
    let has = |text: &str| source.around(text).any(|(before, after)| !ends(before) && !starts(after));
    // Behind `from_secs` there are seconds.
    let before = before.iter().take(if ["Millisecond", "Second"].contains(name) { 3 } else { 2 });
    behind.iter().any(|behind| has(&format!("{number}{behind}")))
        || before.into_iter().any(|before| has(&format!("{before}{number}")))
}

/// Names that libraries give to units of time, in the order of [`time_of`].
const UNITS: [&str; 4] = ["Millisecond", "Second", "Minute", "Hour"];

/// Whether a size is one of the source in bytes, rounded: `2.4KB` for 2443.
fn is_rounded_size(number: &str, unit: &str, source: &SourceText<'_>) -> bool {
    let power = match unit.trim_end_matches(['i', 'b', 'B']) {
        "k" | "K" => 1,
        "M" => 2,
        "G" => 3,
        _ => return false,
    };
    let decimals = number.split_once('.').map_or(0, |(_, decimals)| decimals.len()).min(DECIMALS);
    let rounds = |bytes: u64, base: f64| format!("{:.decimals$}", bytes as f64 / base.powi(power)) == number;
    let rounds = |bytes: &u64| [1_000.0, 1_024.0].iter().any(|base| rounds(*bytes, *base));
    unit.ends_with(['b', 'B'])
        && source.whole_numbers().iter().filter(|bytes| rounds(bytes)).any(|bytes| is_beside(*bytes, &OF_SIZES, source))
}

/// Words and names beside a number of bytes.
static OF_SIZES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:bytes?|sizes?|length|len|wc)\b|size\b|[\w-]\.[a-z]\w{0,4}\b|^\s*B\b"));
/// How many bytes beside a number are read.
const BESIDE: usize = 40;

/// Whether a number of the source, in one of its spellings, has something beside it on its line.
fn is_beside(number: u64, form: &Regex, source: &SourceText<'_>) -> bool {
    let bare = number.to_string();
    let spellings = grouped(&bare).into_iter().flatten().chain([bare]);
    let digit = |sign: char| sign.is_ascii_digit();
    spellings.into_iter().any(|spelled| {
        source.around(&spelled).filter(|(before, after)| !before.ends_with(digit) && !after.starts_with(digit)).any(
            |(before, after)| {
                let before = before.rsplit('\n').next().unwrap_or_default();
                let after = after.split('\n').next().unwrap_or_default();
                let start = before.ceil_char_boundary(before.len().saturating_sub(BESIDE));
                form.is_match(&before[start..]) || form.is_match(&after[..after.floor_char_boundary(BESIDE)])
            },
        )
    })
}

/// A size as its number and its unit.
static SIZE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(\d+(?:\.\d+)?)[ \x{a0}]?([kKMG]i?[bB])\b"));

/// Whether a number, with or without its unit, is a size of the source, rounded.
fn is_size(found: &str, behind: &str, source: &SourceText<'_>) -> bool {
    let whole = format!("{found}{}", behind.get(..UNIT).unwrap_or(behind));
    SIZE.captures(&whole).is_some_and(|size| is_rounded_size(&size[1], &size[2], source))
}

/// Most bytes of a unit of size with its space.
const UNIT: usize = 4;

/// Whether a number of a line is one of the source, rounded: `48k` for 48,213, or a size.
pub(super) fn is_shortened(measure: &str, line: &str, source: &SourceText<'_>) -> bool {
    let of = |signs: &[char], zeros| measure.strip_suffix(signs).map(|number| (number.replace(',', ""), zeros));
    let thousands = of(&['k', 'K'], 3).or_else(|| of(&['M'], 6));
    let behind = line.split_once(measure).map_or("", |(_, behind)| behind);
    thousands.is_some_and(|(number, zeros)| shortens(&number, zeros, source)) || is_size(measure, behind, source)
}

/// Whether a number is called rounded, and is one of the source beside the same word, rounded to its last digit that is
/// no zero: “about 30,000 rows” for 30240 rows.
pub(super) fn is_about(before: &str, found: &str, behind: &str, source: &SourceText<'_>) -> bool {
    let (digits, counted) = found.split_once([' ', '\t']).unwrap_or((found, ""));
    let counted = if counted.is_empty() { behind } else { counted };
    let counted = counted.trim_start().split(|sign: char| !sign.is_alphabetic()).next().unwrap_or_default();
    let (digits, stem) = (digits.replace(',', ""), counted.trim_end_matches('s'));
    let bare = digits.trim_end_matches('0');
    let zeros = digits.len() - bare.len();
    let plain = !bare.is_empty() && bare.bytes().all(|digit| digit.is_ascii_digit());
    if !plain || zeros < 2 || stem.len() < STEM || !ABOUT.is_match(before) || !shortens(bare, zeros, source) {
        return false;
    }
    let of_word = pattern(&format!(r"(?i)(?:\b|_){}", regex::escape(stem)));
    let step = u32::try_from(zeros).ok().and_then(|power| 10_u64.checked_pow(power)).unwrap_or_default();
    let wanted: u64 = digits.parse().unwrap_or_default();
    let mut near = source.whole_numbers().iter().filter(|number| wanted.abs_diff(**number) <= step / 2);
    near.any(|number| is_beside(*number, &of_word, source))
}

/// Least number of letters of a word that is counted.
const STEM: usize = 2;

#[cfg(test)]
mod tests {
    use crate::measure::numbers::unsupported;
    use crate::measure::source::on_said;

    #[test]
    fn durations_of_code_and_rounded_sizes_are_known() {
        let said = "stale = 30 * time.Minute; wait(minutes=45); Duration::from_secs(90); from_millis(70);\n8014 users\nport 5012\n2443 lamp.py 19479 pump.py; 30240 rows";
        let certain = |line: &str| {
            let all = on_said(said, |source| unsupported(line, source));
            all.iter().filter(|one| !one.doubtful).count()
        };
        for line in [
            "older than 30min",
            "older than 30m",
            "waits 45min",
            "waits 90s",
            "lamp.py has 2.4KB",
            "pump.py: 19KB",
            "lamp.py has 2.4 KB, pump.py 19 KB",
            "about 30,000 rows",
            "some 30,200 rows",
            "waits 90 seconds",
            "waits 70 milliseconds",
            "waits 70 millis",
        ] {
            assert_eq!(certain(line), 0, "{line}");
        }
        for line in [
            "older than 30h",
            "waits 45s",
            "waits 90min",
            "waits 90ms",
            "lamp.py has 2.9KB",
            "lamp.py has 7.8KB",
            "about 31,000 rows",
            "30,000 rows",
            "about 8,000 rows",
            "about 5,000 users",
        ] {
            assert_eq!(certain(line), 1, "{line}");
        }
    }
}
