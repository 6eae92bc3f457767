//! Sentences in which the agent says that what was asked for cannot be done or was not found: “I'm sorry, but this
//! ticket cannot be changed.”

use super::cues::{begins_any, is_question, lower};
use crate::summary::text::{contains_any, has_any, starts_any};

/// Words before the answer that soften it.
const SOFTENS: [&str; 30] = [
    "i'm sorry, but ",
    "i'm sorry but ",
    "i am sorry, but ",
    "i am sorry but ",
    "i'm sorry, ",
    "i apologize, but ",
    "i apologize for the inconvenience, but ",
    "i apologize for any inconvenience, but ",
    "my apologies, but ",
    "sorry, but ",
    "sorry, ",
    "i'm afraid that ",
    "i'm afraid ",
    "i understand, but ",
    "i understand your frustration, but ",
    "unfortunately, ",
    "unfortunately ",
    "regrettably, ",
    "leider ",
    "es tut mir leid, aber ",
    "malheureusement, ",
    "je suis désolé, mais ",
    "lo siento, pero ",
    "lamentablemente, ",
    "purtroppo ",
    "mi dispiace, ma ",
    "infelizmente, ",
    "к сожалению, ",
    "rất tiếc, ",
    "xin lỗi, ",
];
/// Words that turn from a sentence before it, and of which thing it may be denied then: “However, this ticket cannot …”
const TURNS: [&str; 3] = ["however, ", "however ", "but "];
const THIS: [&str; 3] = ["this ", "that ", "your "];
/// How it goes on with what cannot be done with it.
const WHICH: [&str; 3] = [", which cannot", ", which can't", ", which could not"];
/// Beginnings of a sentence that denies.
const DENIES: [&str; 33] = [
    "i am not able to",
    "i am still unable to",
    "i am unable to",
    "i can't",
    "i cannot",
    "i could not find",
    "i couldn't find",
    "i did not find",
    "i didn't find",
    "i found no",
    "i still can't",
    "i still cannot",
    "i was not able to",
    "i was unable to",
    "i wasn't able to",
    "i'm not able to",
    "i'm still unable to",
    "i'm unable to",
    "it is not possible",
    "it isn't possible",
    "it's not possible",
    "we are unable to",
    "we can't",
    "we cannot",
    "we're unable to",
    "ich kann nicht",
    "ich konnte nicht",
    "je ne peux pas",
    "no he encontrado",
    "no es posible",
    "non è possibile",
    "não é possível",
    "không thể",
];
/// Words that deny behind one that softens.
const DENIED: [&str; 30] = [
    "can't",
    "cannot",
    "could not",
    "couldn't",
    "isn't possible",
    "no longer available",
    "not able to",
    "not allowed",
    "not available",
    "not eligible",
    "not found",
    "not permitted",
    "not possible",
    "unable to",
    "does not qualify",
    "doesn't qualify",
    "kann nicht",
    "nicht möglich",
    "kann ich",
    "ne peux pas",
    "ne peut pas",
    "pas possible",
    "no puedo",
    "no es posible",
    "no puede",
    "non posso",
    "non è possibile",
    "não posso",
    "не могу",
    "không thể",
];
/// Beginnings of a sentence about nothing, and words that say that it was looked for.
const NOTHING: [&str; 5] = ["there are no", "there is no", "there were no", "there was no", "none of"];
const LOOKED_FOR: [&str; 6] = ["available", "found", "match", "matches", "matching", "results for"];
/// The same in scripts without spaces: apologies, and words that deny behind them or alone.
const SORRY_DENSE: [&str; 9] =
    ["抱歉", "对不起", "很遗憾", "不好意思", "申し訳", "恐れ入ります", "すみません", "죄송", "안타깝"];
const DENIED_DENSE: [&str; 14] = [
    "不能",
    "无法",
    "没有",
    "没找到",
    "未找到",
    "不支持",
    "できません",
    "できかね",
    "ございません",
    "ありません",
    "見つかりません",
    "없습니다",
    "불가능",
    "어렵습니다",
];
const DENIES_DENSE: [&str; 5] = ["我无法", "没有找到", "未找到", "見つかりませんでした", "찾을 수 없"];

/// Whether a sentence says that what was asked for cannot be done, or was not found.
pub(in crate::summary::extractive) fn denies(sentence: &str) -> bool {
    let lower = lower(sentence);
    if is_question(&lower) || lower.ends_with([':', '：']) {
        return false;
    }
    let turned = TURNS.iter().find_map(|start| lower.strip_prefix(start));
    let rest = turned.unwrap_or(&lower);
    let text = behind_softening(rest);
    let is_soft = text.len() < rest.len();
    let speaks_of_it = || starts_any(text, &THIS) || contains_any(text, &WHICH);
    let of_this = turned.is_some() && speaks_of_it();
    begins_any(text, &DENIES)
        || (begins_any(text, &NOTHING) || text.starts_with("no ")) && has_any(text, &LOOKED_FOR)
        || (is_soft || of_this) && has_any(text, &DENIED)
        || is_soft && begins_any(text, &NOTHING)
        || !lower.is_ascii()
            && (contains_any(&lower, &SORRY_DENSE) && contains_any(&lower, &DENIED_DENSE)
                || contains_any(&lower, &DENIES_DENSE))
}

/// A lower-case sentence behind the words that soften it.
fn behind_softening(lower: &str) -> &str {
    let mut text = lower;
    while let Some(rest) = SOFTENS.iter().find_map(|start| text.strip_prefix(start)) {
        text = rest.trim_start();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::denies;

    #[test]
    fn refusals_and_negative_findings_are_told_from_other_sentences() {
        assert!(!denies("However, it cannot deadlock.") && !denies("But the keeper cannot see it."));
        for denial in [
            "However, this ticket is a day pass, which cannot be moved to another ferry.",
            "I'm sorry, but I cannot find the keeper.",
            "I'm unable to tell the balance of the fund.",
            "I couldn't find any ferries for the ninth.",
            "There are no ferries available on that day.",
            "Unfortunately, there are no ferries.",
            "No ferries were found.",
            "Leider kann ich die Fähre nicht umbuchen.",
            "抱歉，我无法更改这张船票。",
            "申し訳ございません、その便は変更できません。",
        ] {
            assert!(denies(denial), "{denial}");
        }
        for other in [
            "I found your ticket for the ferry.",
            "There are no failing tests.",
            "No lamps in `pier/results/` any more.",
            "Cannot you come?",
            "However, the lamp burns.",
            "Sorry for the delay.",
            "No, I would keep the lamp.",
        ] {
            assert!(!denies(other), "{other}");
        }
    }
}
