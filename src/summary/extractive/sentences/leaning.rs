//! Joins sentences that begin with “this” or “it” to the sentence right before, which says what is meant.

use super::cues::{Kind, leans};
use super::said::Said;
use crate::summary::text::words;

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
    out
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
        && leans(&said.sentence)
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
