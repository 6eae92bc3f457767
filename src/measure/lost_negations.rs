//! Negations lost between words of the source, in any language: “the account 8802, the joint one” for “the account 8802,
//! NOT the joint one”. Only for words that are taken over as they are: quotations, and summaries of ours.

use super::SourceText;
use super::lines::claims;
use super::negation::is_list_of_names;
use super::quoted::{LEFT_OUT, quotations, words_of};

/// Words that negate what is beside them, as `words_of` gives them.
const NEGATIONS: [&str; 37] = [
    "not",
    "never",
    "dont",
    "doesnt",
    "didnt",
    "cannot",
    "cant",
    "isnt",
    "mustnt",
    "nicht",
    "nie",
    "niemals",
    "kein",
    "keine",
    "keinen",
    "ne",
    "pas",
    "jamais",
    "no",
    "non",
    "nunca",
    "não",
    "nem",
    "mai",
    "не",
    "нет",
    "ні",
    "nigdy",
    "değil",
    "không",
    "đừng",
    "chưa",
    "नहीं",
    "मत",
    "لا",
    "لم",
    "لن",
];
/// Signs that do so in Chinese.
const SIGNS: [&str; 7] = ["不", "没", "沒", "别", "別", "勿", "未"];
/// Most places of a summary that are looked up, so that the time is linear.
const MOST: usize = 128;

/// Words that lost a negation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// Line of the summary, from 1.
    pub line: usize,
    /// The words around the place.
    pub text: String,
}

/// Returns the places where words of a summary stand side by side that the source has only with a negation between
/// them. `all`: in all lines, not only in quotations.
pub fn lost(text: &str, source: &SourceText<'_>, all: bool) -> Vec<Lost> {
    let (mut found, mut tried) = (Vec::new(), 0);
    for line in claims(text) {
        let whole = all.then_some(line.text).into_iter();
        let texts: Vec<&str> = if all { whole.collect() } else { quotations(&line).collect() };
        let clauses = texts.into_iter().flat_map(|text| LEFT_OUT.split(text)).flat_map(|text| text.split("; "));
        let pieces = clauses.filter(|clause| !is_list_of_names(clause)).flat_map(|clause| clause.split(MARKS));
        let one = pieces.filter_map(|piece| of_piece(piece, source, &mut tried)).next();
        found.extend(one.map(|text| Lost { line: line.number, text }));
    }
    found
}

/// Marks behind which other words begin.
const MARKS: [char; 9] = ['“', '”', '(', ')', '`', ';', '；', '|', '/'];

/// The words around the first place of a piece that lost a negation.
fn of_piece(piece: &str, source: &SourceText<'_>, tried: &mut usize) -> Option<String> {
    let (spoken, own) = (source.spoken(), words_of(piece));
    let has = |words: &str| memchr::memmem::find(spoken.as_bytes(), words.as_bytes()).is_some();
    if has(&own) {
        return None;
    }
    let words: Vec<&str> = own.split_whitespace().collect();
    (1..words.len()).find_map(|at| {
        let before = at.checked_sub(2).map(|start| (&words[start..at], &words[at..=at]));
        let behind = words.get(at..at + 2).map(|behind| (&words[at - 1..at], behind));
        let around = || [before, behind].into_iter().flatten();
        let joined = |(left, right): (&[&str], &[&str]), between: &str| {
            format!(" {}{between} {} ", left.join(" "), right.join(" "))
        };
        if *tried == MOST || around().any(|pair| has(&joined(pair, ""))) {
            return None;
        }
        *tried += 1;
        let negated = |negation: &&&str| around().any(|pair| has(&joined(pair, &format!(" {negation}"))));
        NEGATIONS.iter().chain(&SIGNS).find(negated)?;
        Some(words[at.saturating_sub(2)..words.len().min(at + 2)].join(" "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::source::on_said;

    #[test]
    fn a_negation_between_the_words_of_the_source_is_missed() {
        for (said, line) in [
            (
                "Pay it to the account ending 8802, NOT the joint one",
                "Pay it to the account ending 8802, the joint one",
            ),
            (
                "penicillin (rash). and he is not to take aspirin",
                "Asked: “penicillin (rash). and he is to take aspirin”",
            ),
            ("il 19 gennaio non è ammesso", "il 19 gennaio è ammesso"),
            ("التأمين لا يغطي الحريق", "التأمين يغطي الحريق"),
            ("我们绝对不能重算发票", "我们绝对能重算发票"),
            ("je ne veux pas payer ici", "je veux payer ici"),
        ] {
            let found = |line: &str| on_said(said, |source| lost(&format!("## Goal\n- {line}"), source, true).len());
            assert_eq!((found(line), found(said)), (1, 0), "{said}");
        }
    }

    #[test]
    fn what_is_said_both_ways_or_in_other_words_is_left_alone() {
        let said = "Do not light the lamp now. Light the lamp of the quay, not that of the mole.";
        let found =
            |line: &str, all: bool| on_said(said, |source| lost(&format!("## Goal\n- {line}"), source, all).len());
        for line in ["Light the lamp of the quay", "“Light the lamp … that of the mole”", "The lamp of the pier is lit"]
        {
            assert_eq!(found(line, true), 0, "{line}");
        }
        let items = "1. 列出未在索引中的文件\n2. 不在 web 目录写入";
        let found_in = |line: &str| on_said(items, |source| lost(line, source, true).len());
        assert_eq!(found_in("## Goal\n- 索引中的文件；在 web 目录"), 0, "items of a list");
        let names = |line: &str| on_said("fail(env, 'lamp_not_ready', quay)", |source| lost(line, source, true).len());
        assert_eq!(names("## Relevant files\n- `pier.js` — read; has quay.env, lamp_ready, quay/lamp.js"), 0, "a list");
        let turned = "the lamp of the quay, that of the mole";
        assert_eq!((found(turned, false), found(&format!("He said “{turned}”"), false)), (0, 1));
    }
}
