//! Words without their endings, so that a rule is found again in another form of its words.

use crate::measure::constraints::content_words;
use crate::summary::without_ending;
use std::collections::HashSet;

/// Endings of verbs and nouns.
const ENDINGS: [&str; 12] = ["ations", "ation", "ions", "ion", "ings", "ing", "ies", "ied", "es", "ed", "s", "e"];
/// Least number of characters of a word without its ending.
const STEM: usize = 3;

/// The content words of a text without their endings.
pub(super) fn stems(text: &str) -> HashSet<String> {
    let words = content_words(text);
    // “to.” has three signs, and is no word that tells something.
    words.iter().filter(|word| word.len() >= STEM).map(|word| stem(word).to_owned()).collect()
}

/// A word without its ending: “push” of “pushes”, “chang” of “change” and “changing”.
pub(super) fn stem(word: &str) -> &str {
    let short = if word.ends_with("ss") { word } else { without_ending(word, &ENDINGS, STEM) };
    short.strip_suffix(['e', 'y']).filter(|stem| stem.len() >= STEM).unwrap_or(short)
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn forms_of_a_word_share_a_stem() {
        for forms in [
            &["push", "pushes", "pushed", "pushing"][..],
            &["change", "changes", "changed", "changing"],
            &["install", "installs", "installation", "installing"],
            &["modify", "modifies", "modified"],
            &["delete", "deleted", "deletions"],
            &["pass", "passes", "passed"],
        ] {
            assert!(forms.iter().all(|form| stem(form) == stem(forms[0])), "{forms:?}");
        }
        assert_ne!(stem("press"), stem("pres"));
    }
}
