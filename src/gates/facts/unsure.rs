//! Words that make a sentence no claim, as the gates on claims read them.

use crate::measure::pattern;
use regex::Regex;

/// Negations, conditions, wishes and limits.
const UNSURE: &str = r"not|cannot|\w+n['’]t|never|no longer|until|unless|should|must|ensure|if|when|once|whether|would|will|can|need\w*|fail\w*|before|except|but|only|part(?:ly|ially)";

/// A pattern of these words and of `more`, or of a question.
pub(super) fn unsure(more: &str) -> Regex {
    pattern(&format!(r"(?i)\b(?:{UNSURE}|{more})\b|\?"))
}

#[cfg(test)]
mod tests {
    use super::unsure;

    #[test]
    fn conditions_and_questions_claim_nothing() {
        let unsure = unsure("maybe");
        for text in ["It should be lit", "It isn't lit", "Maybe it is lit", "Is it lit?", "It needs to be lit"] {
            assert!(unsure.is_match(text), "{text}");
        }
        assert!(!unsure.is_match("It is lit; the button was mended"));
    }
}
