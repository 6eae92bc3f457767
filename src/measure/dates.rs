//! Dates in words (“March 14, 2031”) or figures (“3/14/2031”) and time stamps in a summary that the source does not have.

use super::months::{month, names};
use super::{SourceText, pattern};
use crate::summary::starts_any;
use regex::{Match, Regex};
use std::ops::Range;
use std::sync::LazyLock;

/// What may be a date in words with its year, in either order.
static IN_WORDS: LazyLock<Regex> = LazyLock::new(|| {
    let day = r"([0-9]{1,2})(?:st|nd|rd|th|er|º)?\.?";
    let month = r"(\p{L}{3,12})\.?";
    pattern(&format!(r"(?i)\b(?:{month} {day}|{day} (?:of |de |d['’])?{month}),? (?:del? )?([0-9]{{4}})\b"))
});
/// A date in figures with its year at the end, in either order.
static IN_FIGURES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b([0-9]{1,2})(?:/([0-9]{1,2})/|\.([0-9]{1,2})\.)([0-9]{4})\b"));
/// A time stamp: its date, and its time of day.
static STAMP: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\b([0-9]{4}-[0-9]{2}-[0-9]{2})T[0-9]{2}:[0-9]{2}(?::[0-9]{2})?"));
/// Digits of a year.
const YEAR: usize = 4;
/// Days of the longest month.
const DAYS: usize = 31;
/// Months of a year.
const MONTHS: usize = 12;
/// Length of a time stamp up to its minutes.
const MINUTES: usize = "2031-03-14T04:05".len();

/// The byte ranges of the dates in words or figures of a line.
pub(super) fn dates(line: &str) -> Vec<Range<usize>> {
    let figures = IN_FIGURES.find_iter(line).filter(|found| stands_alone(line, found.range()));
    in_words(line).map(|(found, _)| found).chain(figures).map(|found| found.range()).collect()
}

/// The dates in words of a line: each with its year, month (from 0) and day.
fn in_words(line: &str) -> impl Iterator<Item = (Match<'_>, (&str, usize, usize))> {
    IN_WORDS.captures_iter(line).filter_map(|found| {
        let (name, day) = found.get(1).zip(found.get(2)).or_else(|| found.get(4).zip(found.get(3)))?;
        let date = (found.get(5)?.as_str(), month(name.as_str())?, day.as_str().parse().ok()?);
        Some((found.get(0)?, date))
    })
}

/// Whether figures are no piece of a version or path.
fn stands_alone(line: &str, found: Range<usize>) -> bool {
    let joins = |sign: char| sign.is_alphanumeric() || matches!(sign, '/' | '-' | '_');
    let goes_on = line[found.end..].strip_prefix('.').is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
    !goes_on
        && !line[..found.start].ends_with(joins)
        && !line[..found.start].ends_with('.')
        && !line[found.end..].starts_with(joins)
}

/// Returns the dates and the time stamps of a line that the source does not have, and whether each may be the
/// same time in another zone.
pub(super) fn unknown<'t>(line: &'t str, source: &SourceText<'_>) -> Vec<(&'t str, bool)> {
    let in_words = in_words(line).filter_map(|(found, date)| {
        let whole = found.as_str();
        (!source.has(whole) && !is_known(date, source)).then_some((whole, false))
    });
    let in_figures = IN_FIGURES.captures_iter(line).filter_map(|found| {
        found.get(0).filter(|found| stands_alone(line, found.range()))?;
        let (whole, year) = (found.get(0)?.as_str(), found.get(4)?.as_str());
        let (one, two) = (found[1].parse().ok()?, found.get(2).or(found.get(3))?.as_str().parse().ok()?);
        let is_date = |month: usize, day: usize| {
            (1..=MONTHS).contains(&month) && (1..=DAYS).contains(&day) && is_known((year, month - 1, day), source)
        };
        (!source.says(whole) && !is_date(one, two) && !is_date(two, one)).then_some((whole, false))
    });
    let stamps = STAMP.captures_iter(line).filter_map(|found| {
        let (whole, date) = (found.get(0)?.as_str(), found.get(1)?.as_str());
        (!source.has(&whole[..MINUTES])).then(|| (whole, source.begins(date)))
    });
    in_words.chain(in_figures).chain(stamps).collect()
}

/// Whether the source has a date in some spelling: as a year with a month and a day, or a month and a day alone, whose
/// year may stand elsewhere (`Mar 14 04:05:06 2031`), but not another one beside it. `month` counts from 0.
fn is_known((year, month, day): (&str, usize, usize), source: &SourceText<'_>) -> bool {
    let number = month + 1;
    let figures = [
        format!("{year}-{number:02}-{day:02}"),
        format!("{year}/{number:02}/{day:02}"),
        format!("{year}.{number:02}.{day:02}"),
        format!("{year}{number:02}{day:02}"),
        format!("{year}_{number:02}_{day:02}"),
        format!("{number}/{day}/"),
        format!("{number:02}/{day:02}/"),
        format!("{day}/{number}/"),
        format!("{day:02}/{number:02}/"),
        format!("{day}.{number}."),
        format!("{day:02}.{number:02}."),
        format!("{number:02}-{day:02}"),
        format!("{year}年{number}月{day}日"),
        format!("{number}月{day}日"),
    ];
    let is_there = |name: &&str| source.has(name) || source.has(&name.to_lowercase());
    let in_words = names(month).filter(is_there).flat_map(|name| {
        let before = [" ", "  ", ". ", " 0"].map(|gap| format!("{name}{gap}{day}"));
        let ends = ["th", "st", "nd", "rd"].into_iter().flat_map(|end| [format!("{end} "), format!("{end} of ")]);
        let behind = [" ", "-", "/", ". ", " de ", "er "].into_iter().map(str::to_owned).chain(ends);
        before.into_iter().chain(behind.map(move |gap| format!("{day}{gap}{name}")))
    });
    let ends = |text: &str| {
        let mut all = source.around(text);
        let digit = |sign: char| sign.is_ascii_digit();
        all.any(|(before, after)| {
            let both = |is: &dyn Fn(char) -> bool| text.ends_with(is) && after.starts_with(is);
            let whole = !before.ends_with(digit) && !both(&digit) && !both(&char::is_lowercase);
            whole && (text.contains(year) || year_beside(before, after).is_none_or(|other| other == year))
        })
    };
    let lower = |text: &String| [text.clone(), text.to_lowercase()];
    figures.iter().any(|text| ends(text)) || in_words.flat_map(|text| lower(&text)).any(|text| ends(&text))
}

/// The year right before or behind a month and a day.
fn year_beside<'t>(before: &'t str, after: &'t str) -> Option<&'t str> {
    let digit = |sign: char| sign.is_ascii_digit();
    let is_year = |text: &&str| text.chars().all(digit) && starts_any(text, &["19", "20", "21"]);
    let above = before.strip_suffix(['-', '/', '.', '_', '年']).and_then(|before| {
        let start = before.len().checked_sub(YEAR)?;
        before.get(start..).filter(|_| !before[..start].ends_with(digit))
    });
    let behind = after.trim_start_matches([',', '/', '.', ' ']);
    let behind = ["de ", "del "].iter().find_map(|of| behind.strip_prefix(of)).unwrap_or(behind);
    let behind = behind.get(..YEAR).filter(|_| !behind[YEAR..].starts_with(digit));
    above.filter(is_year).or_else(|| behind.filter(is_year))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::source::on_said;

    fn found(said: &str, line: &str) -> Vec<(String, bool)> {
        on_said(said, |source| unknown(line, source).into_iter().map(|(date, zone)| (date.to_owned(), zone)).collect())
    }

    #[test]
    fn a_date_in_words_stands_in_the_source_in_some_spelling() {
        for said in [
            r#""release": "2031-03-14""#,
            "2031-03-14T08:00:00Z",
            "the 14th of March",
            "14 Mar 2031",
            "Fri Mar 14 04:05:06 2031",
            "on 3/14/2031",
            "14.03.2031",
            "backup_20310314.tar",
            "release day: march 14",
            "2031年3月14日",
        ] {
            for line in [
                "on March 14, 2031",
                "on 14 March 2031.",
                "Mar 14, 2031",
                "the 14th of March, 2031",
                "on 3/14/2031",
                "am 14.03.2031",
            ] {
                assert_eq!(found(said, line), [], "{said}: {line}");
            }
            for line in ["March 23, 2031", "14 April 2031", "March 4, 2031", "03/15/2031", "14.4.2031"] {
                assert_eq!(found(said, line), [(line.to_owned(), false)], "{said}");
            }
        }
        for said in ["2031-03-14", "March 14, 2031", "14.03.2031", "on 3/14/2031", "14 Mar 2031"] {
            for line in ["March 14, 2032", "3/14/2032"] {
                assert_eq!(found(said, line), [(line.to_owned(), false)], "{said}");
            }
        }
        for said in ["root 4096 Mar 14 04:05", "March 14, 12000 rows"] {
            assert_eq!(found(said, "on March 14, 2031"), [], "{said}");
        }
        assert_eq!(found("14.3.2031", "4.3.2031; 1.2.2031.5"), [("4.3.2031".to_owned(), false)]);
        assert_eq!(found("x", "It may 12 times, as March 2031 and May 5 show"), []);
        assert_eq!(found("4 Mar", "Mar 4, 2031; Mar 45, 2031"), [("Mar 45, 2031".to_owned(), false)]);
    }

    #[test]
    fn a_date_is_known_in_other_languages() {
        let all = ["14. März 2031", "14 de marzo de 2031", "14 mars 2031", "14 марта 2031", "14 marca 2031"];
        for said in ["2031-03-14", "14.3.2031", "14 de marzo de 2031", "der 14. März 2031", "14 марта"] {
            for line in all {
                assert_eq!(found(said, line), [], "{said}: {line}");
            }
        }
        for (said, line) in [
            ("2031-03-14", "15. März 2031"),
            ("2031-03-14", "14 мая 2031"),
            ("14 de marzo de 2031", "14 de marzo de 2032"),
        ] {
            assert_eq!(found(said, line), [(line.to_owned(), false)], "{said}");
        }
        for (said, line) in [("14 dic 2031", "14 de diciembre de 2031"), ("14-мар-2031", "14 марта 2031")] {
            assert_eq!(found(said, line), [], "{said}");
        }
        let listed = "-rw-r--r-- 1 me me 2048 Mar 14 2031 lamp";
        assert_eq!(found(listed, "March 14, 2031"), []);
        assert_eq!(found("x", "Es waren 14 Lampen 2031"), []);
    }

    #[test]
    fn a_time_stamp_is_the_one_of_the_source_up_to_its_minutes() {
        let said = r#""started_at": "2031-02-03T04:05:06.250Z""#;
        for line in ["at 2031-02-03T04:05:06Z", "at 2031-02-03T04:05", "at 2031-02-03T04:05:06.250Z"] {
            assert_eq!(found(said, line), [], "{line}");
        }
        assert_eq!(found(said, "at 2031-02-13T04:05:06Z"), [("2031-02-13T04:05:06".to_owned(), false)]);
        assert_eq!(found(said, "at 2031-02-03T09:05:06+05:00"), [("2031-02-03T09:05:06".to_owned(), true)]);
    }
}
