//! Joins sentences that begin with “this” or “it”, and those in parentheses, to the sentence right before, which says
//! what is meant; and what stands behind “but”.

use super::cues::{Kind, leans};
use super::said::Said;
use crate::summary::extractive::words::CONTRASTS;
use crate::summary::text::{capitalized, is_dense, words};
use std::borrow::Cow;

/// Maximum length of both sentences, in bytes.
const BOTH: usize = 320;
/// Minimum number of words of the sentence before.
const FEW: usize = 4;

/// The sentences of a text, with findings and steps that lean on the sentence before joined to it, if both are short.
pub(in crate::summary::extractive) fn with_what_is_meant(all: Vec<Said>) -> Vec<Said> {
    let mut out: Vec<Said> = Vec::with_capacity(all.len());
    for said in all {
        match out.pop_if(|before| holds(before, &said)) {
            Some(before) => out.push(both(&before, &said)),
            None => out.push(said),
        }
    }
    // What is in parentheses belongs to what is not told.
    out.iter_mut().filter(|said| is_aside(&said.sentence)).for_each(|said| said.kind = Kind::Empty);
    out
}

/// A sentence without “but” at its start: what it is set against is not told with it.
pub(in crate::summary::extractive) fn without_contrast(sentence: &str) -> Cow<'_, str> {
    behind_contrast(sentence).map_or(Cow::Borrowed(sentence), |rest| Cow::Owned(capitalized(rest)))
}

/// What stands behind “but” at the start of a sentence.
fn behind_contrast(sentence: &str) -> Option<&str> {
    let is = |start: &str, word: &str| start == word || capitalized(word) == start;
    let begins = |word: &&&str| sentence.get(..word.len()).is_some_and(|start| is(start, word));
    let rest = CONTRASTS.iter().find(begins).map(|word| &sentence[word.len()..])?;
    let bare = rest.trim_start_matches([',', ' ', '，', '、']);
    let is_word = rest.starts_with([',', ' ', '，', '、']) || sentence.starts_with(is_dense);
    (is_word && words(bare) >= FEW || bare.starts_with(is_dense)).then_some(bare)
}

/// Whether a sentence stands in parentheses.
fn is_aside(sentence: &str) -> bool {
    let inner = sentence.strip_prefix('(').and_then(|rest| rest.trim_end_matches(['.', '!']).strip_suffix(')'));
    inner.is_some_and(|inner| !inner.contains(['(', ')']))
}

fn both(before: &Said, said: &Said) -> Said {
    let kind = match (before.kind, said.kind) {
        (Kind::Finding(one), Kind::Finding(other)) => Kind::Finding(one.max(other)),
        (_, kind) => kind,
    };
    let whole = Said::new(said.message, format!("{} {}", before.sentence, said.sentence));
    Said { kind, joined: before.joined, ..whole }
}

fn holds(before: &Said, said: &Said) -> bool {
    let tells = match said.kind {
        Kind::Finding(_) => before.kind != Kind::Done,
        Kind::Done => before.kind == Kind::Done,
        Kind::Other | Kind::Empty => false,
    };
    tells
        && said.joined
        && before.kind != Kind::Empty
        && before.sentence.len() + said.sentence.len() < BOTH
        && words(&before.sentence) >= FEW
        && !before.standing.may_end()
        && !said.standing.may_end()
        && (leans(&said.sentence) || is_aside(&said.sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        Said::all(0, text).map(|said| said.sentence).collect()
    }

    #[test]
    fn what_is_meant_stands_before_what_leans_on_it() {
        let both = "The board reads `tides.csv` twice. This happens because `read_board` never closes its file.";
        assert_eq!(told(both), [both]);
        let other = "The lamp of the pier is off. The board reads `tides.csv` twice. That fails because `read_board` never closes its file.";
        assert_eq!(told(other), ["The lamp of the pier is off.", &other[29..]]);
    }

    #[test]
    fn what_is_set_against_another_sentence_is_told_without_but() {
        for (whole, bare) in [
            ("But `read_board` never closes its file.", "`read_board` never closes its file."),
            ("However, the board never closes its file.", "The board never closes its file."),
            ("但日志显示 `read_board` 从未关闭潮汐文件。", "日志显示 `read_board` 从未关闭潮汐文件。"),
        ] {
            assert_eq!(without_contrast(whole), bare);
        }
        for other in ["Button `read_board` never closes its file.", "But not there."] {
            assert_eq!(without_contrast(other), other);
        }
    }

    #[test]
    fn what_stands_in_parentheses_is_told_with_the_sentence_before_it_or_not_at_all() {
        let both = "The board reads `tides.csv` twice. (Note: `read_board` never closes its file.)";
        assert_eq!(told(both), [both]);
        let kinds: Vec<_> = Said::all(0, "(Note: `read_board` never closes the file of the tides.)").collect();
        assert!(kinds.iter().all(|said| said.kind == Kind::Empty));
    }

    #[test]
    fn what_stands_in_another_paragraph_or_is_long_or_says_nothing_is_not_told_before_it() {
        let leaning = "This happens because `read_board` never closes its file.";
        let apart = format!("The board reads the table twice.\n\n{leaning}");
        let announced = format!("Let me look at the board of the pier. {leaning}");
        let long = format!("The board {}reads the table. {leaning}", "of the outer pier ".repeat(16));
        for text in [apart, announced, long] {
            assert_eq!(told(&text).last().map(String::as_str), Some(leaning), "{text}");
        }
        let ends = "The board reads `tides.csv` twice. This still needs a lock around `read_board`.";
        assert_eq!(told(ends).len(), 2);
        let pushed = "The board is not pushed yet. This happens because `read_board` never closes its file.";
        assert_eq!(told(pushed).len(), 2, "that ends, and its reason does not");
        let days = "The board reads the table twice. These days `read_board` never closes its file.";
        assert_eq!(told(days).len(), 2);
        let seems = "The board reads the table twice. It seems that the cause is `read_board`.";
        assert_eq!(told(seems).len(), 2);
    }
}
