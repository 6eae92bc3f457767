//! Requests with a ban in the same sentence: “Mend the lamp and don’t touch the quay.”

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

#[cfg(test)]
mod tests {
    use super::*;

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
