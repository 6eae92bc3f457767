//! Scripts without spaces: words may touch a name or a number (`版本2.4.1`, `rates.py를`), and have units of their own.

use super::SourceText;
use super::spelled::whole;
use crate::summary::is_dense;
use std::borrow::Cow;

/// Whether a letter beside a name is part of a longer one; words of such scripts are not.
pub(super) fn joins(letter: char) -> bool {
    letter.is_alphanumeric() && !is_dense(letter)
}

/// A line with spaces between names or numbers in ASCII and the words that touch them; borrowed if there are none.
pub(super) fn parted(line: &str) -> Cow<'_, str> {
    let is_word = |char: char| is_dense(char) && char.is_alphanumeric();
    let is_name = |char: char| char.is_ascii_alphanumeric() || "/~%".contains(char);
    let touches = |one: char, next: char| is_word(one) && is_name(next) || is_name(one) && is_word(next);
    let pairs = line.char_indices().zip(line.chars().skip(1));
    let ends = pairs.filter(|&((_, one), next)| touches(one, next)).map(|((at, one), _)| at + one.len_utf8());
    let mut out = String::new();
    let mut start = 0;
    for end in ends {
        out.push_str(&line[start..end]);
        out.push(' ');
        start = end;
    }
    if start == 0 {
        return Cow::Borrowed(line);
    }
    out.push_str(&line[start..]);
    Cow::Owned(out)
}

/// Units that scale a number, with the zeros that they stand for.
const SCALES: [(&str, usize); 10] =
    [("百万", 6), ("千万", 7), ("千", 3), ("천", 3), ("万", 4), ("萬", 4), ("만", 4), ("億", 8), ("亿", 8), ("억", 8)];
/// Units of time, and their Latin spelling.
const TIMES: [(&str, &str); 9] = [
    ("毫秒", "ms"),
    ("ミリ秒", "ms"),
    ("秒", "s"),
    ("초", "s"),
    ("分钟", "m"),
    ("分鐘", "m"),
    ("小时", "h"),
    ("時間", "h"),
    ("시간", "h"),
];

/// Words before a rounded number.
const ABOUT: [&str; 5] = ["约", "約", "大约", "약", "およそ"];

/// Signs that make another word of one of them: 节约, 予約, 계약.
const JOINED: &str = "节節预預予合契公条條制要规規婚誓签簽毁違违";

fn is_joined(sign: char) -> bool {
    JOINED.contains(sign) || matches!(sign, '\u{ac00}'..='\u{d7af}')
}

/// The Latin spelling of the unit of time that a text begins with.
pub(super) fn time_unit(after: &str) -> Option<&'static str> {
    TIMES.iter().find(|(unit, _)| after.trim_start().starts_with(unit)).map(|(_, latin)| *latin)
}

/// Whether the source has a number with the unit behind it, in this script, written out, or in Latin letters; a scaled
/// number that is called rounded may be any.
pub(super) fn has_dense(before: &str, number: &str, after: &str, source: &SourceText<'_>) -> bool {
    let after = after.trim_start();
    let rounded =
        || ABOUT.iter().filter_map(|word| before.trim_end().strip_suffix(word)).any(|rest| !rest.ends_with(is_joined));
    let written = |unit: &str| source.has_measure(number, &["", " "], unit);
    let scaled = SCALES.iter().find(|(unit, _)| after.starts_with(unit)).is_some_and(|(unit, zeros)| {
        rounded()
            || written(unit)
            || whole(&number.replace(',', ""), *zeros).is_some_and(|whole| source.says_number(&whole))
    });
    let timed = TIMES.iter().find(|(unit, _)| after.starts_with(unit));
    scaled || timed.is_some_and(|(unit, latin)| written(unit) || written(latin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::source::on_said;

    #[test]
    fn a_number_with_a_unit_may_be_written_out() {
        let has = |said: &str, number: &str, after: &str| on_said(said, |source| has_dense("", number, after, source));
        for (said, number, after) in
            [("12000 rows", "1.2", "万行"), ("1.2万", "1.2", "万"), ("1.54s", "1.54", " 秒"), ("300 ms", "300", "毫秒")]
        {
            assert!(has(said, number, after), "{said}");
        }
        for (said, number, after) in [("12000 rows", "1.3", "万行"), ("1200秒", "9300", "秒"), ("9301", "9300", "分支")]
        {
            assert!(!has(said, number, after), "{said}");
        }
    }

    #[test]
    fn names_and_words_are_parted() {
        assert_eq!(parted("已修改src/lamp.py，版本2.4.1。"), "已修改 src/lamp.py，版本 2.4.1。");
        assert_eq!(parted("lamp.py를 17%로"), "lamp.py 를 17% 로");
        assert!(matches!(parted("lamp.py is at 17 %"), Cow::Borrowed(_)));
    }
}
