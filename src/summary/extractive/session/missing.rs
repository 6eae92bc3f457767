//! Sentences that say that files are missing or have nothing in them.

use crate::summary::text::contains_any;

/// Whether a sentence says that files are missing: “Missing: `tides.md` and `quay.md`.”
pub(super) fn says_missing(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let is_of_names = |text: &str| {
        text.split([' ', ',', '`']).all(|word| word.is_empty() || ["or", "and"].contains(&word) || is_file(word))
    };
    let none = || {
        lower.strip_prefix("no ").and_then(|rest| rest.split_once(" exist")).is_some_and(|(all, _)| is_of_names(all))
    };
    let behind_name = |words: &str| {
        let before = lower.find(words).map(|at| lower[..at].trim_end_matches(['`', ' ', '都']));
        before.and_then(|before| before.rsplit([' ', '`', '/']).next()).is_some_and(is_file)
    };
    lower.starts_with("missing")
        || contains_any(&lower, &MISSING)
        || none()
        || UNFILLED.iter().any(|words| behind_name(words))
}

/// Texts by which a sentence says that a file is missing, or has nothing in it.
const MISSING: [&str; 5] = [" is missing", " are missing", "does not exist", "doesn't exist", "do not exist"];
/// The same right behind the name of a file.
const UNFILLED: [&str; 12] = [
    " is empty",
    " are empty",
    " are both empty",
    " is still empty",
    " are still empty",
    " has not been created",
    " have not been created",
    " has not been written",
    "不存在",
    "是空的",
    "还不存在",
    "都是空的",
];

/// Whether a name has an ending like a file.
pub(super) fn is_file(name: &str) -> bool {
    let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or("", |(_, ending)| ending);
    ending.starts_with(|char: char| char.is_ascii_alphabetic())
}

/// Words of a sentence that may be file names, without folders.
pub(super) fn named(sentence: &str) -> impl Iterator<Item = &str> {
    let inner = |char: char| char.is_alphanumeric() || "_-.".contains(char);
    sentence.split(move |char| !inner(char)).map(|word| word.trim_end_matches('.'))
}
