//! What only describes in words of a ban or wish: “the letter says I must agree”, “Some plans do not allow it.”, “Wir
//! wohnen im dritten Stock ohne Aufzug.”, “系统一直不能发邮件。”

use crate::summary::extractive::words::{
    DENSE_FAILS, DENSE_LASTS, DENSE_ORDERS, DENSE_STRESS, DWELLINGS, LIVES, WITHOUT,
};
use crate::summary::text::{contains_any, each_word, ends_any, has_any, has_dense, has_words, replaced, starts_any};
use std::borrow::Cow;

/// Words before a negated verb that tell it of some of many.
const SOME: [&str; 6] = ["few", "many", "most", "several", "some", "various"];
/// Words with which a sentence orders something all the same.
const ORDERS: [&str; 9] = ["always", "ensure", "must", "need", "never", "please", "shall", "should", "sure"];
/// Words with which somebody is said to have duties, and such duties of the speaker.
const SAYS: [&str; 9] = ["says", "said", "states", "stated", "claims", "claimed", "tells me", "told me", "writes"];
const DUTIES: [&str; 8] = [
    "i must ",
    "i have to ",
    "i need to ",
    "i should ",
    "i can't ",
    "i cannot ",
    "i am not allowed ",
    "i'm not allowed ",
];
/// What a speaker always does without wanting to, behind “I always”.
const MISHAPS: [&str; 14] = [
    "confuse",
    "end up",
    "fail",
    "forget",
    "have trouble",
    "lose",
    "mess",
    "miss",
    "mix",
    "run into",
    "screw",
    "struggle",
    "thought",
    "wonder",
];
/// First words and participles of what never was: “Never had a fever.”
const NEVER_WAS: [&str; 11] = ["been", "did", "felt", "got", "had", "heard", "knew", "met", "saw", "seen", "was"];
/// Verbs that end like such participles, beside those in “eed”.
const NO_PARTICIPLES: [&str; 3] = ["embed", "shed", "shred"];
/// Words between a subject and “keep” or “hold” that make it an ability, and subjects whose ability is a permission.
const ABLE: [&str; 4] = ["can", "could", "may", "might"];
const ADDRESSED: [&str; 5] = ["agent", "i", "it", "we", "you"];

/// What a sentence about what was just named begins with, nouns that may follow, and verbs of an effect.
const THIS: [&str; 2] = ["this", "that"];
const NOUNS: [&str; 9] = ["approach", "bug", "change", "code", "commit", "fix", "function", "patch", "pr"];
const EFFECTS: [&str; 13] = [
    "affects",
    "allows",
    "breaks",
    "causes",
    "drops",
    "fails",
    "happens",
    "introduces",
    "leads",
    "leaves",
    "makes",
    "removes",
    "results",
];
/// Labels of faults, with or without a number.
const FAULTS: [&str; 6] = ["bug", "cause", "finding", "problem", "root cause", "symptom"];
/// Words of an order, also where something is described.
const DEMANDS: [&str; 10] = ["do", "don't", "ensure", "must", "need", "needs", "please", "shall", "should", "want"];

/// Words of a limit, and those that begin an order behind a description.
const LIMITS: [&str; 4] = ["always", "never", "not", "only"];
const ORDERED: [&str; 3] = ["always", "avoid", "never"];

/// Whether a lower-case sentence only describes.
pub(super) fn only_describes(lower: &str) -> bool {
    if has_dense(lower) {
        return describes_densely(lower);
    }
    is_of_some(lower)
        || tells_turkish_past(lower)
        || says_duty(lower)
        || is_mishap(lower)
        || never_was(lower)
        || is_home(lower)
        || (tells_effect(lower) || labels_fault(lower) || tells_ability(lower))
            && !each_word(lower).any(|word| DEMANDS.contains(&word))
}

/// “This change removes the only lamp that ever burns.”
fn tells_effect(lower: &str) -> bool {
    let mut all = each_word(lower);
    let points = all.next().is_some_and(|first| THIS.contains(&first));
    let mut behind = lower.split([',', ';']).skip(1);
    let orders = behind.any(|clause| each_word(clause).next().is_some_and(|first| ORDERED.contains(&first)));
    points && !orders && all.find(|word| !NOUNS.contains(word)).is_some_and(|verb| EFFECTS.contains(&verb))
}

/// “Lamps: can be lit without a keeper.”
fn tells_ability(lower: &str) -> bool {
    let behind = lower.split_once(": ").map_or(lower, |(_, behind)| behind);
    behind.starts_with("can be ") && !each_word(lower).any(|word| LIMITS.contains(&word))
}

/// “Bug 2: the board returns early without a new tide.”
fn labels_fault(lower: &str) -> bool {
    let Some((label, _)) = lower.split_once(": ") else { return false };
    let bare = label.trim_end_matches(|char: char| char.is_ascii_digit() || " #".contains(char));
    FAULTS.contains(&bare) && !each_word(lower).any(|word| ORDERED.contains(&word))
}

/// “Some plans do not allow it.”
fn is_of_some(lower: &str) -> bool {
    let mut all = each_word(lower);
    let some = all.next().is_some_and(|first| SOME.contains(&first));
    let negates = has_any(lower, &["do not", "don't", "does not", "doesn't"]);
    some && negates && !all.any(|word| ORDERS.contains(&word))
}

/// “The letter of 2 November says I must agree by Friday.”
fn says_duty(lower: &str) -> bool {
    SAYS.iter().any(|says| {
        let behind = lower.split_once(&format!(" {says} ")).map(|(_, behind)| behind.trim_start_matches("that "));
        behind.is_some_and(|behind| starts_any(behind, &DUTIES))
    })
}

/// “Hiç sorun yaşamadım, asla böyle olmadı.”
fn tells_turkish_past(lower: &str) -> bool {
    let last = each_word(lower).next_back().unwrap_or_default();
    let past = ["madı", "medi", "madım", "medim", "madık", "medik", "mamıştı", "memişti"];
    has_words(lower, "asla") && ends_any(last, &past)
}

/// “I always mess that up.”
fn is_mishap(lower: &str) -> bool {
    let behind = lower.strip_prefix("i always ");
    behind.is_some_and(|behind| MISHAPS.iter().any(|verb| has_words(behind, verb) && behind.starts_with(verb)))
}

/// “Never had a fever.”, “Moved in on 1 March, never raised.”
fn never_was(lower: &str) -> bool {
    let clauses = lower.split([',', ';']).map(str::trim);
    let mut told = clauses.filter_map(|clause| clause.strip_prefix("never "));
    let is_past = |rest: &str| {
        let verb = each_word(rest).next().unwrap_or_default();
        NEVER_WAS.contains(&verb)
            || verb.ends_with("ed") && !verb.ends_with("eed") && verb.len() > 4 && !NO_PARTICIPLES.contains(&verb)
    };
    told.next().is_some_and(is_past) && !each_word(lower).any(|word| word != "never" && ORDERS.contains(&word))
}

/// “J'habite au troisième étage sans ascenseur.”
fn is_home(lower: &str) -> bool {
    let lacks = || each_word(lower).any(|word| WITHOUT.contains(&word));
    let lives = starts_any(lower, LIVES);
    let names = || each_word(lower).next().is_some_and(|first| DWELLINGS.contains(&first));
    (lives || names()) && lacks() && !lower.contains([',', ';'])
}

/// “系统一直不能发邮件”, “必ずエラーが出ます”, “로그인이 절대 안 돼요”
fn describes_densely(lower: &str) -> bool {
    if contains_any(lower, DENSE_ORDERS) {
        return false;
    }
    let fails = || contains_any(lower, DENSE_STRESS) && contains_any(lower, DENSE_FAILS);
    let cannot = || {
        let mut at = lower.match_indices("不能").map(|(at, _)| at);
        at.any(|at| contains_any(&lower[..at], DENSE_LASTS))
    };
    let korean = || {
        let end = lower.trim_end_matches(|char: char| !char.is_alphanumeric());
        let fails = ["안 돼요", "안돼요", "안 됩니다", "안됩니다", "안 나와요", "안 열려요"];
        ends_any(end, &fails) && !lower.contains("면 안")
    };
    fails() || cannot() || korean()
}

/// A lower-case sentence in which “keep” of what something may cause is no wish: “the pain can keep her up”.
pub(super) fn without_ability(lower: &str) -> Cow<'_, str> {
    if !lower.contains(" keep ") {
        return lower.into();
    }
    let words: Vec<&str> = each_word(lower).collect();
    let told =
        words.windows(3).any(|three| !ADDRESSED.contains(&three[0]) && ABLE.contains(&three[1]) && three[2] == "keep");
    if told {
        replaced(lower, &[" can keep ", " could keep ", " may keep ", " might keep "], " can hold ").into_owned().into()
    } else {
        lower.into()
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::{is_firm, is_rule};

    #[test]
    fn an_effect_and_a_labeled_fault_are_only_described() {
        for told in [
            "This causes the board to always return 0, incorrectly counting tides.",
            "Bug 2: the board returns early without any new tide.",
            "Lamps of oil: Can be lit by a keeper without any help",
        ] {
            assert!(!is_rule(told), "{told}");
        }
        for rule in [
            "This must never be pushed.",
            "This change must never be merged without a test.",
            "Bug 2: the lamp should always burn.",
            "This means no commits without a test.",
            "This breaks at night, so don't ever commit it.",
            "Tests: never skip them.",
            "This breaks the board at night, never run it on Mondays.",
            "Problem: never use tabs in the tables.",
            "Deploys: can be done only by the release manager, never on Fridays.",
        ] {
            assert!(is_rule(rule), "{rule}");
        }
    }

    #[test]
    fn a_description_is_no_rule() {
        for told in [
            "Some harbours do not allow a second lamp.",
            "The letter dated 2 November says I must agree by the end of December.",
            "I always mess that up.",
            "Never had a leak.",
            "Moved in on 1 March 2023, never raised.",
            "No arm pain.",
            "The storm can keep the keeper up at night.",
            "J'habite au troisième étage sans ascenseur.",
            "Wir wohnen im dritten Stock ohne Aufzug.",
            "Vivo en un piso de 54 m² sin ascensor.",
            "Moro no terceiro andar sem elevador.",
            "Mieszkam na trzecim piętrze bez windy.",
            "Appartement de 54 m² au 3e étage sans ascenseur.",
            "系统一直不能发邮件。",
            "我从来没有过敏史。",
            "必ずエラーが出ます。",
            "昨日から絶対にログインできません。",
            "어제부터 로그인이 절대 안 돼요.",
            "Після оновлення в нас не відправляються листи.",
            "Não consigo entrar na torre.",
            "Nie mogę się zalogować.",
            "Eu nunca paguei mais de 90 reais.",
            "Nigdy nie miałem problemów.",
            "У меня никогда не было аллергии.",
            "Non ho mai avuto problemi.",
            "Me llegó una factura y yo nunca pago más de 90.",
            "Нельзя было войти в башню вчера.",
            "Hiç sorun yaşamadım, asla böyle olmadı.",
        ] {
            assert!(!is_rule(told) && !is_firm(told), "{told}");
        }
    }

    #[test]
    fn a_rule_beside_a_description_stays_one() {
        for rule in [
            "Some lamps do not burn, so never touch them.",
            "Never need a second lamp: light the first one.",
            "Never embed the lamp.",
            "Keep the lamp lit.",
            "You must keep the lamp lit.",
            "请不要一直发邮件。",
            "必ずエラーを確認してください。",
            "Nie używaj lampy.",
            "Não use a lâmpada.",
            "Sans cuisine, s'il vous plaît, et jamais le matin.",
            "Не надсилати листів.",
        ] {
            assert!(is_rule(rule) || is_firm(rule), "{rule}");
        }
    }
}
