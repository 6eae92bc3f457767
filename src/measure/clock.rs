//! Times of day in another spelling: `2:30 pm` for `14:30`.

use super::SourceText;

/// Hours of half a day.
const HALF: u8 = 12;

/// Whether the source has the time of day that a text such as `2:30 pm` or `14:30` states, in either spelling. Without
/// a half of the day, both are meant.
pub(super) fn has(text: &str, source: &SourceText<'_>) -> bool {
    let Some((hour, rest)) = text.split_once(':') else { return false };
    let minutes = rest.trim_end_matches(|sign: char| !sign.is_ascii_digit());
    let half = rest[minutes.len()..].trim_start().chars().next().map(|letter| letter.to_ascii_lowercase());
    let Ok(hour) = hour.parse::<u8>() else { return false };
    let hours = match half {
        Some('a') => vec![hour % HALF],
        Some(_) => vec![hour % HALF + HALF],
        None if (1..=HALF).contains(&hour) => vec![hour % HALF, hour % HALF + HALF],
        None => vec![hour],
    };
    hours.into_iter().any(|hour| says(hour, minutes, source)) || half.is_some() && says_bare(hour, minutes, source)
}

/// Whether the source has a time, by the hour from 0 to 23, in either spelling.
fn says(hour: u8, minutes: &str, source: &SourceText<'_>) -> bool {
    let (half, clock) = (if hour < HALF { 'a' } else { 'p' }, (hour + HALF - 1) % HALF + 1);
    let half = half.to_string();
    let with_half = [format!("{clock}:{minutes}"), format!("{clock:02}:{minutes}")];
    says_bare(hour, minutes, source)
        || with_half.iter().any(|time| source.has_measure(time, &["", " ", "\u{a0}", "\u{202f}"], &half))
}

/// Whether the source has a time without a half of the day.
fn says_bare(hour: u8, minutes: &str, source: &SourceText<'_>) -> bool {
    let times = [format!("{hour}:{minutes}"), format!("{hour:02}:{minutes}")];
    times.iter().any(|time| follows(time, source).any(|after| half_of(after).is_none()))
}

/// What follows a time in the source.
fn follows<'s>(time: &'s str, source: &'s SourceText<'_>) -> impl Iterator<Item = &'s str> {
    let digit = |sign: char| sign.is_ascii_digit();
    let whole = move |(before, after): &(&str, &str)| {
        !before.ends_with(digit) && !before.ends_with(':') && !after.starts_with(digit)
    };
    source.around(time).filter(whole).map(|(_, after)| after)
}

/// The half of the day that a text begins with.
fn half_of(text: &str) -> Option<char> {
    let mut letters = text.trim_start().chars().map(|letter| letter.to_ascii_lowercase()).filter(|sign| *sign != '.');
    let half = letters.next().filter(|letter| matches!(letter, 'a' | 'p'))?;
    (letters.next() == Some('m') && !letters.next().is_some_and(char::is_alphanumeric)).then_some(half)
}

#[cfg(test)]
mod tests {
    use super::has;
    use crate::measure::source::on_said;

    #[test]
    fn a_time_of_day_has_two_spellings() {
        for (said, time) in [
            ("at 14:30", "2:30 pm"),
            ("at 14:30:05", "2:30pm"),
            ("at 2:30 p.m.", "14:30"),
            ("at 02:30PM", "14:30"),
            ("at 00:05", "12:05 am"),
            ("at 12:05pm", "12:05"),
            ("at 2:30 tomorrow", "2:30 p.m."),
            ("at 14:30", "2:30"),
        ] {
            assert!(on_said(said, |source| has(time, source)), "{said}: {time}");
        }
        for (said, time) in [
            ("at 14:30", "2:30 am"),
            ("at 14:30", "2:31 pm"),
            ("at 2:30 am", "2:30 pm"),
            ("at 2:30 am", "14:30"),
            ("at 11:55 am", "11:55pm"),
            ("at 114:30", "2:30 pm"),
            ("09:14:30 INFO", "2:30 pm"),
            ("12:30 pm", "00:30"),
        ] {
            assert!(!on_said(said, |source| has(time, source)), "{said}: {time}");
        }
    }
}
