//! Terms that hold for the user's person and plans: “aisle seat only, please”, “my budget is 800 euros”, “I can't row
//! on Sundays”, “call me Ada”.

use super::orders::LANGUAGES;
use super::wanted::{cannot_have, is_unfit};
use crate::summary::extractive::words::{
    ADDRESSES, AS_SAID, AS_WISHED, BUDGETS, CANNOT_DENSE, CURRENCIES, DAYS, DUE, NO_NAMES, ONLY_OF, ONLY_WITH,
    ONLY_WITHIN, OWN_DUTY, STYLES, UNABLE, UNITS, WITHIN,
};
use crate::summary::text::{
    QUESTION_MARKS, contains_any, each_word, ends_any, has_dense, has_digit, has_words, is_dense, starts_any, words,
};

/// Maximum number of words of such a sentence, and of a name with the words before it.
const FEW: usize = 12;
const NAMED: usize = 4;
/// The same of one with “only with”.
const BRIEF: usize = 5;
/// Maximum number of signs of such a sentence in a script without spaces.
const FEW_DENSE: usize = 40;
/// Words before an order.
const POLITE: [&str; 7] = ["please ", "pls ", "bitte ", "and ", "also ", "ok ", "okay "];
/// Verbs that answer, before a style.
const ANSWERS: [&str; 6] = ["answer in ", "reply in ", "respond in ", "write in ", "antworte in ", "réponds en "];
/// First words of statements, and words of a report.
const TELLS: [&str; 14] =
    ["a", "it", "its", "that", "the", "there", "these", "they", "this", "those", "he", "she", "everything", "all"];
const REPORTS: [&str; 8] = ["is", "are", "was", "were", "takes", "took", "has", "had"];
/// Orders of work, whose exceptions are over with it: “apply everything except the last one”.
const WORKS: [&str; 8] = ["accept", "apply", "commit", "do", "fix", "implement", "merge", "take"];
/// Beginnings and ends of a limit.
const EXCEPT: [&str; 8] = [
    "everything except",
    "all except",
    "alles außer",
    "tout sauf",
    "todo menos",
    "tudo menos",
    "tutto tranne",
    "всё, кроме",
];
/// Words of a wish that holds from now on.
const LASTING: [&str; 8] = ["必ず", "今後", "いつも", "以降", "以外", "毎", "回", "まで"];
const MAX: [&str; 3] = [" max", " maximum", " tops"];

/// Whether a lower-case sentence without interjections sets such a term.
pub(super) fn is_personal_term(text: &str) -> bool {
    let text = POLITE.iter().fold(text, |text, word| text.strip_prefix(word).unwrap_or(text));
    let dense = text.chars().filter(|&char| is_dense(char)).count();
    if text.contains(QUESTION_MARKS) || words(text) > FEW + dense || dense > FEW_DENSE {
        return false;
    }
    let end = text.trim_end_matches(|char: char| !char.is_alphanumeric());
    let end = end.strip_suffix("please").map_or(end, |end| end.trim_end_matches([' ', ',']));
    cannot_have(text)
        || is_unfit(text)
        || is_limit(text, end)
        || is_of_plan(text)
        || is_of_kind(text, end)
        || names_user(end)
        || is_for_all(end)
}

fn has(text: &str, list: &[&str]) -> bool {
    let is_ascii = text.is_ascii();
    let mut possible = list.iter().filter(|phrase| !is_ascii || phrase.is_ascii());
    possible.any(|phrase| has_words(text, phrase) || has_dense(phrase) && text.contains(phrase))
}

fn tells(text: &str) -> bool {
    each_word(text).next().is_some_and(|first| TELLS.contains(&first))
}

fn reports(text: &str) -> bool {
    each_word(text).any(|word| REPORTS.contains(&word))
}

/// “my budget is 800 euros”, “30 minutes max”
fn is_limit(text: &str, end: &str) -> bool {
    let has_unit = || has(text, UNITS) || text.contains(CURRENCIES);
    let budget = || has(text, BUDGETS) && has_unit();
    let at_most = || ends_any(end, &MAX) && has_unit() && !tells(text);
    has_digit(text) && (budget() || !reports(text) && (has(text, WITHIN) || at_most()))
}

/// “the talk has to end before noon”, “I can't row on Sundays”
fn is_of_plan(text: &str) -> bool {
    let own = || each_word(text).next().is_some_and(|first| OWN_DUTY.contains(&first));
    has(text, DAYS) && (has(text, DUE) && !own() || (has(text, UNABLE) || has(text, CANNOT_DENSE)))
}

/// “aisle seat only, please”, “paint everything except the boots”, “answer in short sentences”
fn is_of_kind(text: &str, end: &str) -> bool {
    let only = || end.ends_with(" only") && words(end) <= NAMED;
    let works = || {
        let reports = |word: &str| ["fail", "fails", "pass", "passes", "run", "runs", "works"].contains(&word);
        each_word(text).next().is_some_and(|first| WORKS.contains(&first)) || each_word(text).any(reports)
    };
    let except = || EXCEPT.iter().any(|words| text.find(words).is_some_and(|at| at > 0)) && !works();
    let brief = || starts_any(text, ONLY_OF) && words(text) <= BRIEF && !reports(text);
    !tells(text) && (only() || except())
        || starts_any(text, &ANSWERS) && has(text, STYLES)
        || text.contains(AS_WISHED) && !starts_any(text, AS_SAID) && !is_appointment(text)
        || starts_any(text, ONLY_WITH)
        || brief()
        || has(text, ONLY_WITHIN)
        || starts_any(text, ADDRESSES)
}

/// Whether a wish is for one time: “12日の11時でお願いします”.
fn is_appointment(text: &str) -> bool {
    let times = || text.match_indices(['時', '日', '月']).map(|(at, _)| &text[..at]);
    times().any(|before| before.ends_with(|char: char| char.is_ascii_digit())) && !contains_any(text, &LASTING)
}

/// “call me Ada”
fn names_user(end: &str) -> bool {
    let name = end.strip_prefix("call me ").unwrap_or_default();
    let is_name = |word: &str| !NO_NAMES.contains(&word) && word.chars().all(char::is_alphabetic);
    !name.is_empty() && words(end) <= NAMED && name.split(' ').all(is_name)
}

/// “all prices in euros”
fn is_for_all(end: &str) -> bool {
    let all: Vec<&str> = each_word(end).collect();
    let unit = all.last().is_some_and(|last| UNITS.contains(last) || LANGUAGES.contains(last) || *last == "utc");
    all.first() == Some(&"all") && unit && all.contains(&"in") && !all.iter().any(|word| REPORTS.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::rules::is_rule;

    #[test]
    fn what_holds_for_a_person_is_a_rule() {
        let rules = [
            "My budget is $800 at most.",
            "Use red lamps for 30 minutes max.",
            "I can't row on Sundays.",
            "I can go up to $100.",
            "I can only travel after 11am.",
            "I won't proceed unless a refund is possible.",
            "Call me Ada.",
            "Please answer in short sentences.",
            "Paint everything except the boots.",
            "Just not my boots.",
            "We only fly with red ferries.",
            "Window lamp only, please.",
            "I want no stops longer than 2 hours.",
            "I'm lactose intolerant.",
            "My deadline is Friday 5 pm.",
            "The talk has to end before noon.",
            "All prices in euros please.",
            "My keeper said no more than 2 g of salt a day.",
            "Budget maximal 900 Euro.",
            "Bitte nichts im alten Hafen.",
            "Nur mit kostenloser Lampe.",
            "Ich bin gegen Muscheln allergisch.",
            "Bitte rufen Sie mich nicht an, nur E-Mail.",
            "Es darf höchstens 400 Wörter lang sein.",
            "Sonntags kann ich nicht.",
            "Ich esse kein Fleisch.",
            "Verwende nur Karten ab 2020.",
            "Je ne veux pas recevoir de SMS, uniquement des courriels.",
            "Budget maximum de 900 euros.",
            "Je suis allergique aux moules.",
            "Je ne peux pas le lundi.",
            "Utilisez seulement des cartes après 2020.",
            "Je ne mange pas de viande.",
            "Le rapport doit être prêt vendredi.",
            "Presupuesto máximo de 900 euros.",
            "Solo con lámpara gratuita.",
            "Usa solo mapas a partir de 2020.",
            "Tiene que estar listo el viernes.",
            "A partir de ahora, tutéame.",
            "Ela não come peixe.",
            "Meu limite é R$ 200.",
            "Só com lâmpada gratuita.",
            "Use apenas mapas a partir de 2020.",
            "Tem que ficar pronto na sexta.",
            "Только не «Старый причал», с ними судимся.",
            "Звонить ей можно только после 11.",
            "У меня аллергия на рыбу.",
            "Используй только карты после 2020 года.",
            "Ночных паромов не нужно.",
            "Я не ем мясо.",
            "预算不超过6000元。",
            "我对贝类过敏。",
            "只用2020年以后的地图。",
            "请一直用中文回答。",
            "字数控制在400字以内。",
            "别告诉船家我的地址。",
            "我只坐靠窗的位置。",
            "文体は「です・ます」調でお願いします。",
            "古い船は除外でお願いします。",
            "連絡は必ず9時以降でお願いします。",
            "連絡は3月以外でお願いします。",
            "回答は1日1回でお願いします。",
            "貝アレルギーがあります。",
            "2020年以降の地図だけ使ってください。",
            "肉は食べません。",
            "金曜日までに必要です。",
            "전화 말고 문자로만 연락해 주세요.",
            "예산은 60만원 이하예요.",
            "조개 알레르기가 있어요.",
            "2020년 이후 지도만 사용해 주세요.",
            "저는 고기를 안 먹어요.",
            "لا أريد رحلات ليلية.",
            "بشرط الإلغاء المجاني.",
            "الميزانية 6000 جنيه بحد أقصى.",
            "عندي حساسية من السمك.",
            "أجب دائمًا بالعربية.",
            "يجب ألا يتجاوز 400 كلمة.",
            "لا تشارك عنواني مع أحد.",
            "استخدم فقط خرائط بعد 2020.",
            "मुझे केवल हिंदी में SMS चाहिए, ईमेल नहीं।",
            "बजट ज़्यादा से ज़्यादा ₹5000 है।",
            "मुझे मछली से एलर्जी है।",
            "रात की नाव नहीं चाहिए।",
        ];
        let missed: Vec<&str> = rules.into_iter().filter(|rule| !is_rule(rule)).collect();
        assert!(missed.is_empty(), "{missed:#?}");
    }

    #[test]
    fn what_only_tells_is_no_term_of_a_person() {
        let all = [
            "The lamp burns 30 minutes max.",
            "It has a budget of 3 lamps.",
            "I have to leave on Friday.",
            "I can't find the lamp.",
            "Call me when the lamp is lit.",
            "Call me back tomorrow.",
            "Everything except the lamp works.",
            "Apply everything except the last one.",
            "All lamps are in utc.",
            "The lamp takes 30 minutes maximum.",
            "I only have $40.",
            "I only ordered one.",
            "これでお願いします。",
            "案1でお願いします。",
            "美術館は12日の11時でお願いします。",
            "Nur mit der alten Lampe stürzt die Anzeige ab.",
            "我只要一开灯就出错。",
            "Это не работает.",
            "로그인이 안 돼요.",
            "The talk ended before noon.",
            "Does it have to end before noon?",
        ];
        let wrong: Vec<&str> = all.into_iter().filter(|told| is_rule(told)).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
