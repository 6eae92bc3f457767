//! Terms that a user sets for the work without a word of a ban: “use bun, no npm”, “for the tests use oil”, “stop
//! adding comments”, “call me only after 6 pm”, “höchstens 900 Euro”.

use super::cues::begins_any;
use super::orders::{AT_HAND, LANGUAGES, Order};
use crate::summary::extractive::words::{
    ASKS_FIRST, COUNTED, CURRENCIES, FROM_NOW, LASTS_ON, LATER_ON, LIMITS_TO, ORDERING, UNITS, WITHIN,
};
use crate::summary::text::{QUESTION_MARKS, contains_any, each_word, has_any, has_digit, has_words, replaced, words};
use std::borrow::Cow;

/// Interjections before an order, and words that only stress.
const INTERJECTIONS: [&str; 29] = [
    "alright", "and", "also", "argh", "bruh", "damn", "dammit", "dude", "ffs", "fuck", "gah", "god", "hello", "hey",
    "hi", "jesus", "lol", "man", "ok", "okay", "omfg", "omg", "please", "pls", "so", "ugh", "well", "wow", "wtf",
];
const EXPLETIVES: [&str; 5] = ["bloody ", "damn ", "freaking ", "fucking ", "goddamn "];
/// First words of an order that may reject something: “show sums in thousands, no longer in ones”.
const CHOOSES: [&str; 10] = ["call", "format", "list", "name", "print", "save", "show", "store", "use", "write"];
const REJECTS: [&str; 5] = [", no ", ", not ", ", no longer ", " and not ", " not "];
/// Words behind “for” that name no part of the work.
const FOR_NOTHING: [&str; 10] = ["a", "an", "example", "instance", "it", "now", "some", "that", "this", "those"];
/// Verbs behind “stop” of what is stopped once.
const STOPS: [&str; 11] = [
    "building",
    "crashing",
    "deploying",
    "getting",
    "going",
    "listening",
    "recording",
    "running",
    "serving",
    "waiting",
    "watching",
];
/// Words that end the object of such a verb, and words of what holds only at the moment.
const BEHIND: [&str; 10] = ["at", "by", "for", "from", "in", "into", "of", "on", "to", "with"];
const AT_ONCE: [&str; 3] = ["and", "here", "now"];
/// Words that make it last.
const TIMES: [&str; 4] = ["all the time", "always", "each time", "every time"];
/// Phrases of a condition.
const CONDITIONS: [&str; 8] =
    ["only after", "only at", "only before", "only between", "only by", "only through", "only via", "only with my"];
/// First words of an order with a condition.
const ACTS: [&str; 21] = [
    "answer", "book", "call", "commit", "contact", "deliver", "deploy", "email", "merge", "message", "pay", "push",
    "reach", "release", "reply", "ring", "run", "send", "ship", "text", "write",
];
/// German orders that may be negated.
const ORDERS: [&str; 25] = [
    "änder",
    "ändere",
    "antworte",
    "bearbeite",
    "benutz",
    "benutze",
    "buch",
    "buche",
    "entferne",
    "füg",
    "füge",
    "gib",
    "installiere",
    "lösch",
    "lösche",
    "mach",
    "mache",
    "nimm",
    "nutze",
    "ruf",
    "schick",
    "schreib",
    "schreibe",
    "sende",
    "verwende",
];
const NEGATES: [&str; 7] = ["kein", "keine", "keinen", "nicht", "nichts", "nie", "niemals"];
/// Number of words in which such an order is negated.
const NEAR: usize = 4;
/// First words of an order about the language of one thing.
const AT_WORK: [&str; 9] =
    ["convert", "display", "open", "render", "show", "translate", "übersetz", "übersetze", "zeig"];
/// Maximum number of words of a limit, and of an order about a language.
const FEW: usize = 10;

/// A lower-case sentence without the interjections before it and the words that only stress.
pub(super) fn without_interjections(lower: &str) -> Cow<'_, str> {
    let mut text = lower;
    while let Some((word, rest)) = text.split_once(' ')
        && INTERJECTIONS.contains(&word.trim_end_matches([',', '.', '!', '…']))
    {
        text = rest.trim_start();
    }
    replaced(text, &EXPLETIVES, "")
}

/// The strength of a sentence without interjections that sets a term; `None` for other sentences.
pub(super) fn term(text: &str) -> Option<Order> {
    if text.contains(QUESTION_MARKS) {
        return None;
    }
    let is_ascii = text.is_ascii();
    let has = |list: &[&str]| {
        let mut possible = list.iter().filter(|phrase| !is_ascii || phrase.is_ascii());
        possible.any(|phrase| has_words(text, phrase) || !phrase.is_ascii() && text.contains(phrase))
    };
    if begins_any(text, LASTS_ON) && !begins_any(text, LATER_ON) && has(ORDERING)
        || has(ASKS_FIRST)
        || negates_order(text)
        || stops(text)
    {
        return Some(Order::Duty);
    }
    let has_number = has_digit(text);
    let has_unit = || has(UNITS) || text.contains(CURRENCIES);
    let reports = || has_any(text, COUNTED);
    let limits =
        has_number && words(text) <= FEW && (begins_any(text, LIMITS_TO) && has_unit() || has(WITHIN)) && !reports();
    (limits || rejects(text) || is_for_part(text) || is_conditional(text) || names_language(text))
        .then_some(Order::Wish)
}

/// Whether a sentence with one of [`FROM_NOW`] gives no order: “ab sofort brennt die Lampe”.
pub(super) fn only_tells_from_now(lower: &str) -> bool {
    has_any(lower, FROM_NOW) && !has_any(lower, ORDERING)
}

/// “use bun, no npm”
fn rejects(text: &str) -> bool {
    let mut all = each_word(text);
    let chooses = all.next().is_some_and(|first| CHOOSES.contains(&first));
    let names = all.next().is_some_and(|next| !AT_HAND.contains(&next));
    chooses && names && contains_any(text, &REJECTS)
}

/// “for the tests use oil”
fn is_for_part(text: &str) -> bool {
    let clause = text.split([',', ';', ':']).next().unwrap_or_default();
    let Some((part, used)) = clause.strip_prefix("for ").and_then(|rest| rest.split_once(" use ")) else {
        return false;
    };
    let named = part.split(' ').next().is_some_and(|word| !FOR_NOTHING.contains(&word));
    // “for clarity use …” says why.
    let is_part = part.contains(' ') || part.ends_with('s');
    named && is_part && words(part) <= NEAR && used.split(' ').next().is_some_and(|word| !AT_HAND.contains(&word))
}

/// “stop adding comments to my code”
fn stops(text: &str) -> bool {
    let mut all = each_word(text);
    let (stop, verb) = (all.next(), all.next().unwrap_or_default());
    let lasts = || has_any(text, &TIMES);
    let is_verb = verb.len() > NEAR && verb.ends_with("ing") && !verb.ends_with("thing");
    let once = all.clone().any(|word| AT_ONCE.contains(&word));
    let many = |word: &str| word == "every" || word.len() > NEAR - 1 && word.ends_with('s') && !word.ends_with("ss");
    let has_many = all.take_while(|word| !BEHIND.contains(word)).any(many);
    stop == Some("stop") && is_verb && !once && (has_many && !STOPS.contains(&verb) || lasts())
}

/// “mach bitte keine Kommentare in den Code”
pub(super) fn negates_order(text: &str) -> bool {
    let mut all = each_word(text).skip_while(|word| *word == "bitte").peekable();
    let first = all.next().unwrap_or_default();
    // “Rufen Sie mich nicht an.”
    let formal = first.ends_with("en") && all.peek() == Some(&"sie");
    (ORDERS.contains(&first) || formal) && all.take(NEAR).any(|word| NEGATES.contains(&word))
}

/// “call me only after 6 pm”
fn is_conditional(text: &str) -> bool {
    let orders = each_word(text).next().is_some_and(|first| ACTS.contains(&first));
    orders && has_any(text, &CONDITIONS)
}

/// “commit messages in english please”, “…, and answer in german”
fn names_language(text: &str) -> bool {
    let all = each_word(text);
    let asks = all.clone().any(|word| ["please", "pls", "bitte"].contains(&word));
    let is_brief = || words(text) <= FEW && all.clone().next().is_none_or(|first| !AT_WORK.contains(&first));
    let told = || {
        all.clone().zip(all.clone().skip(1)).any(|(of, name)| ["in", "auf"].contains(&of) && LANGUAGES.contains(&name))
    };
    asks && is_brief() && told()
}

#[cfg(test)]
mod tests {
    use super::super::rules::is_rule;

    #[test]
    fn terms_are_rules() {
        for rule in [
            "omfg use red lamps in the harbour, no green lamps!",
            "omfg use fucking red lamps in the harbour, no green lamps!",
            "stop adding notes to my map!",
            "Stop lighting every lamp of the pier.",
            "Bitte rufen Sie mich nicht an.",
            "for the tests use oil, gas is broken here",
            "names of lamps in english please, short ones",
            "mach bitte keine Notizen in die Karte und antworte auf Deutsch",
            "use the new one everywhere except on the pier",
            "Answer in French from here on.",
            "Call me only after 6 pm.",
            "I'm allergic to nuts.",
            "Show sums in thousands, no longer in euros.",
            "Höchstens 4.800 € insgesamt.",
            "Bitte nur per E-Mail melden.",
            "Ruf mich nicht vor 18 Uhr an.",
            "A partir de ahora guarda los mapas en out/.",
            "Como máximo 900 euros.",
            "Désormais, enregistre les cartes dans out/.",
            "D'ora in poi salva le carte in out/.",
            "De agora em diante salve os mapas em out/.",
            "Non voglio pagare più di 80 €.",
            "以后所有图都保存到 out/ 目录。",
            "订票前先问我。",
            "总价不超过4800元。",
            "今後すべての図は out/ に保存してください。",
            "予算は5万円以内でお願いします。",
            "앞으로 모든 지도는 out/에 저장해 주세요.",
            "예약하기 전에 먼저 물어봐 주세요.",
            "환불은 원하지 않습니다.",
            "Спрашивай меня перед бронированием.",
            "Не больше 900 евро.",
            "Od teraz zapisuj mapy w out/.",
            "Pytaj mnie przed rezerwacją.",
            "من الآن فصاعدا احفظ كل الرسوم في out/.",
            "لا تتصل بي قبل السادسة.",
            "اسألني قبل الحجز.",
            "Bundan sonra haritaları out/ klasörüne kaydet.",
            "Rezervasyondan önce bana sor.",
            "Vanaf nu alle kaarten in out/ opslaan.",
            "Vraag het me voordat je boekt.",
            "अब से सभी नक्शे out/ में सहेजें।",
            "Từ bây giờ lưu bản đồ vào out/.",
        ] {
            assert!(is_rule(rule), "{rule}");
        }
    }

    #[test]
    fn orders_of_the_moment_are_no_terms() {
        for other in [
            "stop running the harbour server",
            "for now use the old lamp",
            "use the second one, not the first",
            "Translate the map in German, please.",
            "The lamp burns only after 6 pm.",
            "The keeper walked on, guided only by the moon.",
            "Ada walked on, guided only by the moon.",
            "以后再说吧",
            "Max has 3 lamps.",
            "Maximum 3 errors were found in the run.",
            "Maximal 3 Fehler traten auf.",
            "Höchstens 5 Zeilen pro Seite hat die Datei.",
            "Désormais le test passe.",
            "Od teraz działa lampa.",
            "Vanaf nu werkt de lamp.",
            "Ab sofort läuft der Server wieder.",
            "отныне всё работает.",
            "从现在的情况看，测试失败了。",
            "以后我们再看这个问题。",
            "No quiero molestar pero el muelle 3 está roto.",
            "Stop everything.",
            "Stop thinking and fix it.",
            "Stop testing now.",
            "Stop wasting time here.",
            "Stop crashing the app.",
            "stop getting 500 errors on the page",
            "For clarity use three lamps on the pier.",
            "Show the page in German please.",
            "They stop adding lamps at night.",
            "Lamps burn only at night.",
        ] {
            assert!(!is_rule(other), "{other}");
        }
    }
}
