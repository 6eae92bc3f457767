//! Numbers that a summary writes otherwise than the source: durations as code writes them, sizes in bytes, and what is
//! called rounded.

use super::numbers::ABOUT;
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
        format!("from_{}(", if unit == "ms" { "millis" } else { "secs" }),
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
    unit.ends_with(['b', 'B'])
        && source.whole_numbers().iter().any(|bytes| [1_000.0, 1_024.0].iter().any(|base| rounds(*bytes, *base)))
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

/// Whether a number is called rounded, and is one of the source, rounded to its last digit that is no zero: “about
/// 30,000” for 30240.
pub(super) fn is_about(before: &str, found: &str, source: &SourceText<'_>) -> bool {
    let digits = found.split([' ', '\t']).next().unwrap_or_default().replace(',', "");
    let bare = digits.trim_end_matches('0');
    let zeros = digits.len() - bare.len();
    let plain = !bare.is_empty() && bare.bytes().all(|digit| digit.is_ascii_digit());
    plain && zeros >= 2 && ABOUT.is_match(before) && shortens(bare, zeros, source)
}

#[cfg(test)]
mod tests {
    use crate::measure::numbers::unsupported;
    use crate::measure::source::on_said;

    #[test]
    fn durations_of_code_and_rounded_sizes_are_known() {
        let said = "stale = 30 * time.Minute; wait(minutes=45); Duration::from_secs(90); 2443 lamp.py 19479 pump.py; 30240 rows";
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
        ] {
            assert_eq!(certain(line), 0, "{line}");
        }
        for line in
            ["older than 30h", "waits 45s", "waits 90min", "lamp.py has 2.9KB", "about 31,000 rows", "30,000 rows"]
        {
            assert_eq!(certain(line), 1, "{line}");
        }
    }
}
