//! Requests with a ban in the same sentence (“Mend the lamp and don’t touch the quay.”), and several bans in one.

use super::forbidding::FORBIDS_ANY;
use super::stems::stem;
use crate::measure::constraints::{content_words, says};
use crate::measure::pattern;
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// A ban behind a request: “…, but do not …”, “… without changing …”.
static BAN: LazyLock<Regex> = LazyLock::new(|| {
    let join = r"(?:[,;:]? (?:and|but)|[,;])(?: please)? ";
    let bans = r"(?:(?:you |we )?(?:do not|don['’]?t|never|must not|mustn['’]t) \w|avoid \w)";
    pattern(&format!(r"(?i){join}({bans})|,? (without \w+ing )"))
});
/// Words of a rule that stands before a ban.
static RULES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:must|never|always|only|make sure|ensure|keep|avoid|prefer|require[sd]?|use|do not|don['’]?t|no|not|instead|rather)\b",
    )
});
/// Least number of content words of a request.
const LEAST: usize = 2;

/// A sentence with a request and a ban.
pub(super) struct Compound<'c> {
    request: &'c str,
    /// The ban, without what joins it to the request.
    pub(super) ban: Cow<'c, str>,
}

impl<'c> Compound<'c> {
    /// Splits a sentence; `None` if it has no ban behind a request, or the first part is a rule, too.
    pub(super) fn of(sentence: &'c str) -> Option<Self> {
        let found = BAN.captures(sentence)?;
        let request = &sentence[..found.get(0)?.start()];
        let ban = match (found.get(1), found.get(2)) {
            (Some(ban), _) => Cow::Borrowed(&sentence[ban.start()..]),
            (None, Some(ban)) => sentence[ban.start()..].replacen("without", "never", 1).into(),
            (None, None) => return None,
        };
        let whole = content_words(request).len() >= LEAST && !content_words(&ban).is_empty();
        (whole && !RULES.is_match(request)).then_some(Self { request, ban })
    }

    /// Whether a line tells the request.
    pub(super) fn is_told(&self, lines: &[&str]) -> bool {
        says(&content_words(self.request), lines)
    }
}

/// What joins a ban to another one: “…, and never …”, “…; no …”.
static ANOTHER: LazyLock<Regex> = LazyLock::new(|| {
    let join = r"(?:[,;:.]? (?:and|but|or|nor)|[,;:]| [—–-])(?: also| please)* ";
    pattern(&format!(r"(?i){join}((?:you |we )?(?:do not|don['’]?t|never|must not|mustn['’]t|no|avoid) \w)"))
});
/// Words of a line that may state a ban in whatever words.
pub(super) static BINDS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:not?|never|nothing|none|nor|cannot|without|only|avoid\w*|leave|left|keep|kept|stays?|remains?|untouched|unchanged|unmodified|forb\w+|prohibit\w*|disallow\w*|off[- ]limits|out of scope|refrain\w*|skip\w*|exclud\w+|limit\w*|unless|instead|rather|zero|free)\b|n['’]t\b",
    )
});

/// The bans of a sentence that has several, each without what joins it to the one before; empty if it has not.
fn bans(sentence: &str) -> Vec<&str> {
    let starts: Vec<usize> = ANOTHER.captures_iter(sentence).filter_map(|found| Some(found.get(1)?.start())).collect();
    let joins: Vec<usize> = ANOTHER.find_iter(sentence).map(|found| found.start()).collect();
    let ends = joins.iter().copied().chain([sentence.len()]);
    let all: Vec<&str> =
        [0].into_iter().chain(starts).zip(ends).filter_map(|(start, end)| sentence.get(start..end)).collect();
    // “Use tabs, never spaces” is one rule.
    let whole = all.len() > 1 && all.iter().all(|ban| FORBIDS_ANY.is_match(ban) && !object(ban).is_empty());
    if whole { all } else { Vec::new() }
}

/// The stems of the words that say what is forbidden.
fn object(ban: &str) -> Vec<String> {
    let words = content_words(ban);
    words.iter().map(|word| stem(word).to_owned()).filter(|stem| !DOING.contains(&stem.as_str())).collect()
}

/// Stems of verbs that say nothing of what is forbidden, and of words for anything.
const DOING: [&str; 14] = [
    "add", "anyth", "chang", "creat", "edit", "ever", "introduc", "mak", "modif", "new", "run", "touch", "try", "writ",
];

/// A ban of a sentence with several of which no line says anything; the others may be there.
pub(super) fn dropped_ban(sentence: &str, lines: &[&str]) -> Option<String> {
    let all = bans(sentence);
    if all.is_empty() {
        return None;
    }
    let lines: Vec<String> = lines.iter().filter(|line| BINDS.is_match(line)).map(|line| line.to_lowercase()).collect();
    let told = |ban: &&str| {
        let object = object(ban);
        let has = |line: &String| 2 * object.iter().filter(|stem| line.contains(stem.as_str())).count() >= object.len();
        lines.iter().any(has)
    };
    all.into_iter().find(|ban| !told(ban)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_ban_of_a_sentence_is_told() {
        let rule = "Never touch the generated tables of the harbour office and don't add dependencies.";
        for line in [
            rule,
            "- Never touch the generated tables of the harbour office; zero-dependency policy",
            "- Never touch the generated tables of the harbour office, nor add a dependency",
        ] {
            assert_eq!(dropped_ban(rule, &[line]), None, "{line}");
        }
        for lines in [
            &["- Never touch the generated tables of the harbour office."][..],
            &["- Never touch the generated tables of the harbour office.", "- Added the dependency of lamps"],
        ] {
            assert_eq!(dropped_ban(rule, lines).as_deref(), Some("don't add dependencies."), "{lines:?}");
        }
        for one in ["Use tabs, never spaces.", "Never touch the tables or the lamps.", "Mend it, and don't push."] {
            assert_eq!(dropped_ban(one, &["- Something that is not there"]), None, "{one}");
        }
    }

    #[test]
    fn a_ban_is_split_from_the_request_before_it() {
        for (sentence, ban) in [
            ("Mend the lamp in src/lamp.py, add a test, and don't touch the quay.", "don't touch the quay."),
            ("Please mend the lamp but do not touch the quay", "do not touch the quay"),
            ("Mend the lamp without touching the quay.", "never touching the quay."),
            ("Mend the lamp and write tests for it; never use the quay.", "never use the quay."),
        ] {
            assert_eq!(Compound::of(sentence).map(|both| both.ban), Some(ban.into()), "{sentence}");
        }
        for sentence in [
            "Use tabs, never spaces.",
            "Do not touch the quay.",
            "Always light the lamp of the mole, and never touch the quay.",
            "Mend the lamp of the mole.",
            "Lamps, and never buoys.",
        ] {
            assert!(Compound::of(sentence).is_none(), "{sentence}");
        }
    }
}
