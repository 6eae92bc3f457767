//! Words without the endings of inflection, so that “passes” and “passed” are one word, but “product” and “production”
//! are two.

use super::text::without_ending;

/// Endings of verbs and nouns.
const ENDINGS: [&str; 8] = ["ings", "ing", "ies", "ied", "es", "ed", "e", "y"];
/// Least number of characters of a word without one of them, and without an “s”.
const STEM: usize = 4;
const SINGULAR: usize = 3;

/// A word without its ending: “light” of “lights” and “lighting”.
pub(super) fn inflected(word: &str) -> &str {
    if word.ends_with("ss") {
        return word;
    }
    let short = without_ending(word, &ENDINGS, STEM);
    if short.len() < word.len() { short } else { without_ending(word, &["s"], SINGULAR) }
}

#[cfg(test)]
mod tests {
    use super::inflected;

    #[test]
    fn forms_of_a_word_are_one_and_derived_words_are_others() {
        for forms in [
            &["push", "pushes", "pushed", "pushing"][..],
            &["change", "changes", "changed", "changing"],
            &["lamp", "lamps"],
            &["modify", "modifies", "modified"],
            &["pass", "passes", "passed"],
        ] {
            assert!(forms.iter().all(|form| inflected(form) == inflected(forms[0])), "{forms:?}");
        }
        for (one, other) in [("product", "production"), ("pip", "pipe"), ("note", "not"), ("state", "station")] {
            assert_ne!(inflected(one), inflected(other));
        }
    }
}
