//! Requests that are nothing but a log: what they ask about is the failure at its end.

use crate::summary::extractive::words::SPEAKERS;
use crate::summary::text::each_word;

/// Minimum number of lines of a log, and the least share of its lines that look like those of one, in percent.
const LINES: usize = 20;
const SHARE: usize = 60;
/// Least length of a time or date.
const DATE: usize = "04:05:06".len();
/// Words of a line that tells a failure.
const FAILS: [&str; 9] = ["cannot", "denied", "error", "errors", "exception", "failed", "failure", "fatal", "unable"];

/// The number of sentences before the one that tells the last failure of a log; `None` if the text is no log, or a person
/// speaks in it.
pub(super) fn before_failure(text: &str, sentences: &[String]) -> Option<usize> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (all, logged) = (lines().count(), lines().filter(|line| is_logged(line)).count());
    let speaks =
        |sentence: &String| sentence.ends_with('?') || each_word(sentence).any(|word| SPEAKERS.contains(&word));
    let around = lines().next().zip(lines().next_back());
    let begun = around.is_some_and(|(first, last)| is_logged(first) && is_logged(last));
    if all < LINES || !begun || logged * 100 < all * SHARE || sentences.iter().any(speaks) {
        return None;
    }
    let fails = |sentence: &String| each_word(&sentence.to_lowercase()).any(|word| FAILS.contains(&word));
    sentences.iter().rposition(fails)
}

/// Whether a line looks like one of a log: with the number of a step, the name of a container, a time or a level first,
/// or of a container that ended.
fn is_logged(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let digit = |text: &str| text.starts_with(|sign: char| sign.is_ascii_digit());
    let of_container = || line.split_once('|').is_some_and(|(name, _)| name.trim() == first);
    first.strip_prefix(['#', '[']).is_some_and(digit)
        || digit(first) && first.chars().count() >= DATE && first.contains([':', '-'])
        || first.starts_with('[') && first.ends_with(']')
        || of_container()
        || line.contains("exited with code ")
}

#[cfg(test)]
mod tests {
    use super::before_failure;

    #[test]
    fn the_failure_at_the_end_of_a_log_is_what_it_is_about() {
        let steps: String = (1..=20).map(|step| format!("#{step} [quay] light the lamp of pier {step}\n")).collect();
        let log = format!(
            "{steps}quay  | Error: no oil\nquay  | The lamp is lit.\nquay  | LIGHTING FAILED\nquay  | No wick is set"
        );
        let sentences = |all: &[&str]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
        let told = sentences(&["quay | Error: no oil", "The lamp is lit.", "LIGHTING FAILED", "No wick is set"]);
        assert_eq!(before_failure(&log, &told), Some(2));
        assert_eq!(before_failure(&log, &told[1..2]), None, "nothing fails");
        assert_eq!(before_failure(&log, &sentences(&["for i in 1 2", "LIGHTING FAILED"])), Some(1));
        for asks in ["Why is the lamp out?", "That is my lamp."] {
            assert_eq!(before_failure(&log, &sentences(&["LIGHTING FAILED", asks])), None);
        }
        assert_eq!(before_failure("quay | LIGHTING FAILED", &told), None, "too short");
        let list: String = (1..=21).map(|item| format!("{item}. Show an error when lamp {item} is out.\n")).collect();
        for other in [format!("Build the app.\n{list}"), list, format!("{log}\nBuild an app that shows this.")] {
            assert_eq!(before_failure(&other, &told), None, "{other}");
        }
        let prose = "The lamp of the pier must be lit, and an error told.\n".repeat(30);
        assert_eq!(before_failure(&prose, &told), None);
    }
}
