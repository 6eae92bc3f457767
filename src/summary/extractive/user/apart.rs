//! Tells which sentences of a request do not stand right behind the sentence that is quoted before them.

use crate::summary::extractive::sentences::prose::plain;
use crate::summary::text::{each_word, is_dense};
use foldhash::HashSet;

/// Maximum number of sentences that are compared with the one before: a brief has fewer.
const MOST: usize = 40;
/// Number of words by which a sentence is found; in scripts without spaces, of characters.
const WORDS: usize = 4;

/// The sentences between which and the one before something of the text is left out.
pub(super) fn apart(text: &str, sentences: &[&String]) -> HashSet<String> {
    let all = words_of(&text.lines().map(|line| plain(line.trim())).collect::<Vec<_>>().join(" "));
    let has = |words: &str| memchr::memmem::find(all.as_bytes(), words.as_bytes()).is_some();
    let told: Vec<String> = sentences.iter().take(MOST + 1).map(|sentence| words_of(sentence)).collect();
    let is_apart = |(pair, _): &(&[String], _)| {
        let [before, next] = pair else { return false };
        let (end, start) = (last_words(before), first_words(next));
        // A sentence that was put together is found nowhere.
        let is_below = next.trim_start().starts_with(first_words(before));
        has(&format!(" {end} ")) && has(next) && !is_below && !has(&format!(" {end} {start} "))
    };
    told.windows(2).zip(sentences.iter().skip(1)).filter(is_apart).map(|(_, next)| (*next).clone()).collect()
}

/// The words of a text between spaces; each character of a script without spaces is one.
fn words_of(text: &str) -> String {
    let mut words = String::from(" ");
    for word in each_word(text) {
        for char in word.chars() {
            if is_dense(char) && !words.ends_with(' ') {
                words.push(' ');
            }
            words.push(char);
            if is_dense(char) {
                words.push(' ');
            }
        }
        if !words.ends_with(' ') {
            words.push(' ');
        }
    }
    words
}

fn first_words(words: &str) -> &str {
    let words = words.trim();
    words.match_indices(' ').nth(WORDS - 1).map_or(words, |(at, _)| &words[..at])
}

fn last_words(words: &str) -> &str {
    let words = words.trim();
    words.rmatch_indices(' ').nth(WORDS - 1).map_or(words, |(at, _)| &words[at + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_behind_something_left_out_stands_apart() {
        let told = |text: &str, sentences: &[&str]| {
            let sentences: Vec<String> = sentences.iter().map(|&sentence| sentence.to_owned()).collect();
            let mut all: Vec<String> = apart(text, &sentences.iter().collect::<Vec<_>>()).into_iter().collect();
            all.sort();
            all
        };
        let text = "The **lamp** is out.\n\n1. Light it, see [the guide](https://quay.example/a)\n2. mend the pier\n\
            ```\noil()\n```\nThen paint it red. 先看日志。\n一二三\n不要改代码。";
        let near = ["The lamp is out.", "Light it, see the guide", "mend the pier"];
        assert!(told(text, &near).is_empty());
        let all = ["mend the pier", "Then paint it red.", "先看日志。", "不要改代码。"];
        assert_eq!(told(text, &all), ["Then paint it red.", "不要改代码。"]);
        assert_eq!(told(text, &["mend the pier", "The lamp is out."]), ["The lamp is out."], "in another order");
        assert!(told(text, &["mend the pier", "Pier: Then paint it red."]).is_empty(), "put together");
        let nested = "- Mend the northern pier\n  - paint it red\n  - light it\n";
        let joined =
            ["Mend the northern pier", "Mend the northern pier: paint it red", "Mend the northern pier: light it"];
        assert!(told(nested, &joined).is_empty(), "put together with the item above");
    }
}
