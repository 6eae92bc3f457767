//! Content words of texts in other letters than ASCII's. In scripts without spaces every character counts as one: what is
//! written in Latin letters between them (names, times) is the smaller part of what they say.

use crate::measure::constraints::{content_words, holds};
use crate::summary::is_dense;
use std::collections::HashSet;

/// Characters that say nothing alone.
const EMPTY: &str =
    "的了是在我你他她它们吗嗎呢吧啊就也都和与及还還很这這那个個一不有把被让請请のはがをにでとものかますてした";

/// The content words of a text, with those in other letters, and the characters of scripts without spaces.
pub(super) fn words_of(text: &str) -> HashSet<String> {
    let mut words = content_words(text);
    words.extend(dense(text).map(String::from));
    words.extend(beyond_ascii(text));
    words
}

/// The words that have letters beyond ASCII, in scripts with spaces.
fn beyond_ascii(text: &str) -> impl Iterator<Item = String> {
    let beyond = |char: char| !char.is_ascii() && char.is_alphabetic() && !is_dense(char);
    let words = text.split(|char: char| !char.is_alphanumeric() || is_dense(char));
    words.filter(move |word| word.chars().nth(1).is_some() && word.contains(beyond)).map(str::to_lowercase)
}

/// The characters of scripts without spaces that say something.
fn dense(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|char| is_dense(*char) && char.is_alphanumeric() && !EMPTY.contains(*char))
}

/// Whether one of the lines has at least 60 % of the words.
pub(super) fn says(wanted: &HashSet<String>, lines: &[&str]) -> bool {
    lines.iter().any(|line| holds(&words_of(line), wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_words_where_no_spaces_are() {
        let words = words_of("潮汐表 tides.csv 的时间？");
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        words.sort_unstable();
        assert_eq!(words, ["tides.csv", "时", "汐", "潮", "表", "间"]);
        assert_eq!(words_of("the tides of the quay"), content_words("the tides of the quay"));
        assert!(words_of("Покрасьте причал").contains("причал") && words_of("cầu cảng").contains("cảng"));
        assert!(!says(&words_of("Покрасьте причал"), &["- Измерьте глубину"]));
        assert!(says(&words_of("看看潮汐表"), &["- 灯塔", "- Asked: “帮我看看潮汐表”"]));
        assert!(!says(&words_of("看看潮汐表"), &["- 看看灯塔"]));
    }
}
