//! Bans that end with something: “don't commit anything until I have reviewed it” is “no commits before the user's
//! review”.

use super::forbidding::{BANS, LIFTS};
use super::rephrased::REPORTS;
use super::stems::{stem, stems};
use crate::measure::constraints::split;
use crate::measure::pattern;
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

/// What stands between a ban and what ends it.
static UNTIL: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:until|till|unless|before|without|prior to)\b"));
/// The same, where what must come first stands before it.
static BEFORE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(?:before|prior to)\b"));
/// Words for anything.
const ANYTHING: [&str; 6] = ["anything", "everything", "something", "nothing", "any", "changes"];

/// What must come first, and what waits for it, as stems.
struct Waiting {
    first: HashSet<String>,
    then: HashSet<String>,
}

impl Waiting {
    fn of(sentence: &str) -> Option<Self> {
        let mut signs = UNTIL.find_iter(sentence);
        let sign = signs.next().filter(|_| signs.next().is_none())?;
        let (before, behind) = (&sentence[..sign.start()], &sentence[sign.end()..]);
        let bans = BANS.find_iter(before).count();
        let turned = BEFORE.is_match(sign.as_str()) && bans == 0;
        let [then, first] = match (bans, turned) {
            (1, _) => [before, behind],
            (0, true) => [behind, before],
            _ => return None,
        };
        let bare = |text: &str| -> HashSet<String> {
            let mut all = stems(text);
            all.retain(|word| !REPORTS.contains(word) && !ANYTHING.iter().any(|any| stem(any) == word));
            all.iter().map(|word| single(word).to_owned()).collect()
        };
        let (first, then) = (bare(first), bare(then));
        (!BANS.is_match(behind) && !LIFTS.is_match(sentence) && !first.is_empty() && !then.is_empty())
            .then_some(Self { first, then })
    }
}

/// A stem without the second of two equal letters at its end: “commit” of “committed”.
fn single(stem: &str) -> &str {
    let mut letters = stem.chars().rev();
    let last = letters.next();
    if last.is_some() && last == letters.next() {
        stem.strip_suffix(|sign| Some(sign) == last).unwrap_or(stem)
    } else {
        stem
    }
}

/// Whether a sentence of the lines forbids the same until the same is done.
pub(super) fn waits_alike(order: &str, lines: &[&str]) -> bool {
    let Some(order) = Waiting::of(order) else { return false };
    let alike = |own: Waiting| own.first == order.first && own.then == order.then;
    lines.iter().flat_map(|line| split(line)).filter_map(Waiting::of).any(alike)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_for_something_waits_for_the_same() {
        let rule = "Please don't commit anything until I have reviewed it.";
        for line in [
            "- Do not commit before the user's review.",
            "- No commits until reviewed by the user.",
            "- Never commit without the user's review.",
            "- The user wants to review before anything is committed.",
        ] {
            assert!(waits_alike(rule, &[line]), "{line}");
        }
        for line in [
            "- Do not commit.",
            "- Commit before the user's review.",
            "- Commit unless the user reviews it.",
            "- No commits until the tests pass.",
            "- No commits until reviewed by the user on Friday.",
            "- Do not push before the user's review.",
            "- Do not review before the commit.",
        ] {
            assert!(!waits_alike(rule, &[line]), "{line}");
        }
    }
}
